"""pandas frames."""

import tracemalloc

import numpy as np
import pytest

import graphens as ge
from graphens.families.outcome import Outcome, to_consensus
from graphens.labels.ready import Ready
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
    assert list(frame.columns) == ["cluster", "confidence", "cohesion", "membership_0", "membership_1"]
    assert list(frame.index) == ["a", "b", "c"]
    assert frame.index.name == "object"
    assert frame.loc["b"].tolist() == [1, 1, 1, 0, 1]
    assert frame["confidence"].tolist() == [1, 1, 0]
    assert frame["membership_0"].tolist() == [0.75, 0, 0]
    assert frame["cluster"].tolist() == [0, 1, -1]


@pytest.mark.parametrize("method", ["vote", "hbgf", "mixture", "eac"])
def test_the_largest_memberships_are_those_of_the_whole_table(method: str) -> None:
    rng = np.random.default_rng(5)
    labels = rng.integers(-1, 4, (60, 5))
    labels[7] = -1  # in no cluster
    r = ge.consensus(pandas.DataFrame(labels, index=[f"s{i}" for i in range(60)]), 4, method=method, seed=0)
    for m in (1, 2, 4, 9):
        top = r.top(m)
        kept = min(m, r.k)
        order = np.argsort(-r.membership, axis=1, kind="stable")[:, :kept]
        values = np.take_along_axis(r.membership, order, axis=1)
        clusters = np.where(values > 0, order, -1)
        assert top.index.tolist() == list(r.names)
        assert top.columns.tolist() == [
            "cluster",
            *(f"{what}_{j}" for j in range(1, kept + 1) for what in ("cluster", "membership")),
            "rest",
        ]
        assert np.allclose(top[[f"membership_{j + 1}" for j in range(kept)]], values)
        assert np.array_equal(top[[f"cluster_{j + 1}" for j in range(kept)]], clusters)
        assert np.allclose(top["rest"], r.membership.sum(axis=1) - values.sum(axis=1))
        assert top["cluster"].tolist() == r.labels.tolist()
        assert top.loc["s7"].tolist() == [-1, *([-1, 0.0] * kept), 0.0]
    with pytest.raises(ge.errors.InputError, match="m = 0 was given"):
        r.top(0)


def test_the_largest_memberships_in_thousands_of_clusters_need_no_table_of_all() -> None:
    n, k, b = 6000, 3000, 8
    rng = np.random.default_rng(0)
    truth = np.arange(n) % k
    labels = np.where(rng.random((n, b)) < 0.2, rng.integers(0, k, (n, b)), truth[:, None])
    e = ge.Ensemble.from_partitions(list(labels.T))
    r = to_consensus("vote", Ready.of(e), Outcome(truth), {})
    r.top(1)
    tracemalloc.start()
    top = r.top(3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (top[["membership_1", "membership_2", "membership_3", "rest"]].sum(axis=1) - 1).abs().max() < 1e-9
    assert peak < 0.8 * 8 * n * k
