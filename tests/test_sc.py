"""Columns of single-cell tables."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import graphens as ge
from graphens.errors import InputError, TypeMismatch

pd = pytest.importorskip("pandas")


def cells():
    columns = {
        "leiden_0.5": pd.Categorical(["0", "0", "1", "1", None]),
        "leiden_1.0": pd.Categorical(["0", "1", "2", "2", None]),
        "batch": ["x", "y", "x", "y", "x"],
    }
    return SimpleNamespace(obs=pd.DataFrame(columns, index=[f"cell{i}" for i in range(5)]), uns={})


def test_columns_in_and_categories_out():
    adata = cells()
    found = ge.sc.consensus(adata, "leiden_*", 2, method="eac", key_added="joint")
    assert adata.obs["joint"].dtype == "category"
    assert adata.obs["joint"].tolist()[:4] == ["0", "0", "1", "1"]
    assert pd.isna(adata.obs["joint"].iloc[4])
    assert adata.obs["joint_confidence"].tolist() == pytest.approx(found.confidence.tolist())
    kept = adata.uns["joint"]
    assert kept["method"] == "eac"
    assert kept["n_clusters"] == 2
    assert kept["params"]["keys"] == ["leiden_0.5", "leiden_1.0"]
    assert all(isinstance(value, (str, bool, int, float, list)) for value in kept["params"].values())


def test_names_and_patterns():
    assert ge.sc.ensemble(cells(), ["batch", "leiden_*", "batch"]).partition_names == (
        "batch",
        "leiden_0.5",
        "leiden_1.0",
    )
    assert ge.sc.ensemble(cells(), "batch").object_names[0] == "cell0"
    with pytest.raises(InputError, match="no column 'louvain'"):
        ge.sc.ensemble(cells(), "louvain")
    with pytest.raises(InputError, match="No column"):
        ge.sc.ensemble(cells(), [])
    with pytest.raises(TypeMismatch, match="AnnData"):
        ge.sc.consensus(np.zeros((3, 2)), "a")
