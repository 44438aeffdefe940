"""pandas frames."""

from __future__ import annotations

import numpy as np
import pytest

import graphens as ge
from tests.export.zoo import ENSEMBLE

pandas = pytest.importorskip("pandas")


def test_an_ensemble_comes_back_from_its_frame() -> None:
    frame = ENSEMBLE.to_frame()
    assert list(frame.columns) == ["first", "second", "third"]
    assert list(frame.index) == ["o 1", "o 2", "o 3", "o 4", "lost"]
    assert frame["second"].tolist() == [5, 5, pandas.NA, 7, pandas.NA]
    assert ge.Ensemble(frame, weights=ENSEMBLE.weights) == ENSEMBLE


def test_partitions_drawn_twice_and_a_partition_of_nobody() -> None:
    e = ge.Ensemble([[0, None], [1, None]]).take(partitions=[0, 0, 1])
    frame = e.to_frame()
    assert list(frame.columns) == ["P0", "P0", "P1"]
    assert frame.iloc[:, 2].isna().all()
    assert ge.Ensemble(frame).labels.tolist() == e.labels.tolist()


def test_a_consensus_frame_has_a_row_for_each_object() -> None:
    e = ge.Ensemble.from_memberships([[[0.75, 0.25], [0, 1], [0, 0]]], object_names=["a", "b", "c"])
    r = ge.combine(e, 2)
    frame = r.to_frame()
    assert list(frame.columns) == ["cluster", "confidence", "membership_0", "membership_1"]
    assert list(frame.index) == ["a", "b", "c"]
    assert frame.index.name == "object"
    assert frame.loc["b"].tolist() == [1, 1, 0, 1]
    assert frame["confidence"].tolist() == [1, 1, 0]
    assert frame["membership_0"].tolist() == [0.75, 0, 0]
    assert frame["cluster"].tolist() == [0, 1, -1]


def test_half_of_a_pair_of_characters_is_shown_where_an_old_file_has_it() -> None:
    e = ge.Ensemble([["b"], ["a"], [None]])._replace(categories=(np.array(["a", "\ud800"]),))
    frame = e.to_frame()
    assert frame.iloc[0, 0] == "\ud800"
    assert frame.isna().to_numpy().ravel().tolist() == [False, False, True]


def test_what_the_index_is_called_is_kept() -> None:
    given = pandas.DataFrame({"p": [0, 0, 1], "q": [0, 1, 1]}, index=["ann", "bob", "cid"])
    given.index.name = "customer_id"
    assert ge.Ensemble(given).to_frame().index.name == "customer_id"
    for found in (ge.consensus(given, 2, seed=0), ge.vote(given, 2), ge.eac(given, 2).by_size()):
        assert found.to_frame().index.name == "customer_id"
        assert list(found.to_frame().index) == ["ann", "bob", "cid"]
