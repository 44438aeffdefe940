"""Columns of single-cell tables."""

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


@pytest.fixture
def adata():
    anndata = pytest.importorskip("anndata")
    rng = np.random.default_rng(0)
    group = np.repeat(["B", "T", "NK"], 40)
    columns = {f"leiden_{r}": pd.Categorical(group) for r in (0.5, 1.0, 2.0)}
    columns["leiden_2.0"] = pd.Categorical(np.where(rng.random(120) < 0.1, "other", group))
    obs = pd.DataFrame(columns, index=pd.Index([f"cell{i}" for i in range(120)], name="barcode"))
    obs["n_genes"] = rng.integers(500, 900, 120)
    return anndata.AnnData(rng.random((120, 5)).astype(np.float32), obs=obs)


def test_the_answer_survives_a_file(adata, tmp_path):
    import anndata

    found = ge.sc.consensus(adata, "leiden_*", seed=0)
    adata.write_h5ad(tmp_path / "cells.h5ad")
    read = anndata.read_h5ad(tmp_path / "cells.h5ad")
    assert read.obs["consensus"].tolist() == [str(label) for label in found.labels]
    assert read.obs["consensus"].dtype == "category"
    assert np.allclose(read.obs["consensus_confidence"], found.confidence)
    assert np.allclose(read.obs["consensus_cohesion"], found.cohesion)
    assert np.allclose(read.obsm["consensus_membership"], found.membership)
    kept = read.uns["consensus"]
    assert (kept["method"], kept["n_clusters"], kept["score"]) == (found.method, found.k, found.score)
    assert list(kept["params"]["keys"]) == ["leiden_0.5", "leiden_1.0", "leiden_2.0"]
    assert "3 clusters" in kept["why"]
    assert read.obs.index.name == "barcode"
    ge.sc.consensus(read, "leiden_*", seed=0)  # still known as ours


def test_patterns_leave_our_own_columns_out(adata, tmp_path):
    import anndata

    del adata.obs["n_genes"]
    first = ge.sc.consensus(adata, "*", 3, seed=0)
    second = ge.sc.consensus(adata, "*", 3, seed=0, key_added="again")
    assert np.array_equal(first.labels, second.labels)
    assert list(adata.uns["again"]["params"]["keys"]) == ["leiden_0.5", "leiden_1.0", "leiden_2.0"]
    adata.write_h5ad(tmp_path / "cells.h5ad")
    read = anndata.read_h5ad(tmp_path / "cells.h5ad")
    assert ge.sc.ensemble(read, "*").n_partitions == 3
    assert ge.sc.ensemble(read, ["*", "again"]).n_partitions == 4


def test_a_number_where_names_belong():
    for keys in (12, [1, 2], None):
        with pytest.raises(TypeMismatch, match=r"consensus\(adata, 'leiden_\*', 12\)"):
            ge.sc.consensus(cells(), keys)
    with pytest.raises(InputError, match=r"Did you mean leiden_1\.0\?"):
        ge.sc.ensemble(cells(), "leiden_1.O")
    with pytest.raises(InputError, match=r"Did you mean leiden_\*\?"):
        ge.sc.ensemble(cells(), "leidn_*")


def test_columns_of_others_are_not_written_over_unless_asked():
    adata = cells()
    before = adata.obs.copy()
    with pytest.raises(InputError, match=r"obs\['batch'\] would be replaced"):
        ge.sc.consensus(adata, "leiden_*", 2, method="eac", key_added="batch")
    adata.uns["scanpy"] = {"params": 1}
    with pytest.raises(InputError, match=r"uns\['scanpy'\]"):
        ge.sc.consensus(adata, "leiden_*", 2, method="eac", key_added="scanpy")
    pd.testing.assert_frame_equal(adata.obs, before)
    ge.sc.consensus(adata, "leiden_*", 2, method="eac", key_added="batch", overwrite=True)
    assert adata.obs["batch"].tolist()[:4] == ["0", "0", "1", "1"]
    ge.sc.consensus(adata, "leiden_*", 2, method="eac", key_added="batch")  # ours: an answer may be renewed
    assert ge.sc.ensemble(adata, "*").partition_names == ("leiden_0.5", "leiden_1.0")


def test_annotation_of_our_own_columns_is_not_written_over(adata):
    r = ge.sc.consensus(adata, "leiden_*", 3, seed=0)
    ge.sc.consensus(adata, "leiden_*", 3, seed=0)  # unchanged: it may be renewed
    written = adata.obs["consensus"]
    names = {str(c): name for c, name in enumerate(("B", "T", "NK"))}
    moved = written.copy()
    moved.iloc[0] = "1" if moved.iloc[0] == "0" else "0"
    for annotated in (written.cat.rename_categories(names), written.map(names), moved):
        adata.obs["consensus"] = annotated
        with pytest.raises(InputError, match=r"obs\['consensus'\] would be replaced"):
            ge.sc.consensus(adata, "leiden_*", 3, seed=0)
        assert adata.obs["consensus"].tolist() == annotated.tolist()
    assert ge.sc.ensemble(adata, "leiden_*").n_partitions == 3
    again = ge.sc.consensus(adata, "leiden_*", 3, seed=0, overwrite=True)
    assert np.array_equal(again.labels, r.labels)


def test_clusters_are_numbered_by_size():
    label = ["c"] * 1 + ["b"] * 3 + ["a"] * 2
    table = SimpleNamespace(obs=pd.DataFrame({"r1": label, "r2": label}), uns={}, obsm={})
    r = ge.sc.consensus(table, ["r1", "r2"], 3, method="vote")
    assert r.labels.tolist() == [2, 0, 0, 0, 1, 1]
    assert table.obs["consensus"].tolist() == ["2", "0", "0", "0", "1", "1"]
    assert np.array_equal(table.obsm["consensus_membership"].argmax(axis=1), r.labels)


def test_the_rival_of_a_cell_is_the_nearest_other_cluster():
    adata = cells()
    r = ge.sc.consensus(adata, ["leiden_0.5", "leiden_1.0", "batch"], 2, method="eac")
    rivals = adata.obs["consensus_rival"]
    for i in range(4):
        sure = r.confidence[i] == 1  # nothing speaks for any other cluster
        assert pd.isna(rivals.iloc[i]) if sure else rivals.iloc[i] == str(r.explain(i).rival)
    assert rivals.cat.categories.tolist() == ["0", "1"]


def test_nested_resolutions_have_stable_levels_of_which_one_is_written():
    rng = np.random.default_rng(7)
    kind = rng.integers(0, 6, 1500)
    half = 2 * kind + (rng.random(1500) < 0.5)
    columns = {}
    for at, clusters in enumerate([kind // 2, kind, kind, kind, kind, half]):
        columns[f"leiden_{at}"] = pd.Categorical(
            np.where(rng.random(1500) < 0.02, rng.permutation(clusters), clusters).astype(str)
        )
    adata = SimpleNamespace(obs=pd.DataFrame(columns), uns={}, obsm={})
    r = ge.sc.consensus(adata, "leiden_*", seed=0)
    assert {3, 6} <= set(r.choice.levels)
    assert adata.uns["consensus"]["levels"] == list(r.choice.levels)
    assert r.k in r.choice.levels
    assert ge.measures.ari(kind, r.labels) > 0.95
    assert "stable levels of 3 and 6 clusters" in r.why
    assert r.update(drop="leiden_0").k == r.k  # the call is repeated with the level that was written
    with_rule = ge.sc.consensus(adata, "leiden_*", seed=0, rule="lifetime")
    assert with_rule.choice.rule == "lifetime"
