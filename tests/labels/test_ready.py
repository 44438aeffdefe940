"""Ensembles made ready once: what is counted on them is shared, and equal partitions are counted once."""

import gc
import importlib
import pickle
import weakref
from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens.choose.eigengap import Candidates
from graphens.families.standard_form import standard
from graphens.graphs.counts import cooccurrence
from graphens.graphs.reliability import cluster_reliability
from graphens.labels.ready import Ready
from graphens.labels.value import recall

BASE = np.random.default_rng(0).integers(3, size=(20, 4))


def repeated(times: int) -> ge.Ensemble:
    return ge.Ensemble.from_partitions([(BASE[:, t] + s) % 3 for s in range(times) for t in range(4)])


def test_equal_up_to_renaming_is_one_of_the_total_weight() -> None:
    e = Ready.of(repeated(30)).distinct_partitions
    assert e.n_partitions == 4
    assert e.weights.tolist() == [30.0] * 4
    few = repeated(3)
    assert Ready.of(few).distinct_partitions is few


@pytest.mark.parametrize("name", ["median", *(row.name for row in ge.methods() if row.merges)])
def test_the_answer_is_that_of_the_weighted_partitions(name: str) -> None:
    call = {"k": 3, "method": name, "seed": 0}
    many, weighted = ge.consensus(repeated(30), **call), ge.consensus(ge.Ensemble(BASE), **call)
    assert many.labels.tolist() == weighted.labels.tolist()
    assert many.ensemble.n_partitions == 120
    np.testing.assert_allclose(many.confidence, weighted.confidence)


def test_gaps_count_every_partition(monkeypatch: pytest.MonkeyPatch) -> None:
    e = repeated(30)
    once = Candidates(e).strengths
    monkeypatch.setattr("graphens.labels.ready._FEWER", 10**6)
    assert once == pytest.approx(Candidates(e).strengths)


def noisy(*, missing: bool) -> np.ndarray:
    """Twelve noisy partitions of 400 objects in four groups; some labels, and all of three objects, missing."""
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=400)
    labels = np.where(rng.random((400, 12)) < 0.3, rng.integers(6, size=(400, 12)), truth[:, None])
    if missing:
        labels[rng.random(labels.shape) < 0.1] = -1
        labels[:3] = -1
    return labels


def count_calls(monkeypatch: pytest.MonkeyPatch, module: str, name: str) -> list[ge.Ensemble]:
    """Count the calls of a function of an ensemble; the real one runs."""
    home: Any = importlib.import_module(f"graphens.{module}")
    seen: list[ge.Ensemble] = []
    real = getattr(home, name)
    monkeypatch.setattr(home, name, lambda e, *args, **kwargs: (seen.append(e), real(e, *args, **kwargs))[1])
    return seen


@pytest.mark.parametrize("k", [4, None])
@pytest.mark.parametrize("kind", ["plain", "missing", "weighted"])
def test_a_consensus_counts_overlaps_and_reliability_once(
    kind: str, k: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """lwgp cuts by other sums, in which objects weigh less than one."""
    labels = noisy(missing=kind != "plain")
    e = ge.Ensemble(labels, weights=np.arange(1.0, 13.0) / 7 if kind == "weighted" else None)
    overlaps = count_calls(monkeypatch, "graphs.counts", "_count_pairs")
    entropies = count_calls(monkeypatch, "graphs.reliability", "uncertainty")
    pairs = count_calls(monkeypatch, "graphs.reliability", "shared_pairs")
    ge.consensus(e, k, seed=0)
    assert (len(overlaps), len(entropies), len(pairs)) == (1, 1, 1)
    for method in ("lwgp", "lwea", "mcla"):  # nor again for the same ensemble
        ge.consensus(e, 4, method=method, seed=0)
    assert (len(overlaps), len(entropies)) == (1, 1)


def test_a_consensus_encodes_counts_and_groups_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of twelve columns is encoded once; hbgf needs the overlaps that were counted for the reliability."""
    columns = count_calls(monkeypatch, "labels.inputs", "encode")
    rows = count_calls(monkeypatch, "labels.ensemble", "distinct_label_rows")
    overlaps = count_calls(monkeypatch, "graphs.counts", "_count_pairs")
    sums = count_calls(monkeypatch, "graphs.bipartite", "sum_pairs")
    ready = count_calls(monkeypatch, "labels.ready", "_rescale")
    r = ge.consensus(noisy(missing=False), 5, seed=0)
    assert {"hbgf", "lwgp"} <= {trial.method for trial in r.trials}
    assert [len(calls) for calls in (columns, rows, overlaps, sums, ready)] == [12, 1, 1, 1, 1]


def test_what_is_kept_is_that_of_a_fresh_ensemble() -> None:
    labels = noisy(missing=True)
    e = ge.Ensemble(labels)
    for _ in range(2):
        fresh = ge.Ensemble(labels)
        np.testing.assert_array_equal(cooccurrence(e).toarray(), cooccurrence(fresh).toarray())
        for theta, adjusted in ((0.4, True), (0.4, False), (0.8, True)):
            found = cluster_reliability(e, theta, adjusted=adjusted)
            np.testing.assert_array_equal(found, cluster_reliability(fresh, theta, adjusted=adjusted))
        assert Ready.of(e).ensemble == Ready.of(fresh).ensemble
        assert standard(e).ensemble == standard(fresh).ensemble
    assert Ready.of(e).ensemble is Ready.of(e).ensemble
    with pytest.raises(ValueError, match="read-only"):
        cooccurrence(e).data[0] = 7
    assert not np.array_equal(cluster_reliability(e, 0.4), cluster_reliability(e, 0.8))
    other = e.reweight(np.arange(1.0, 13.0))  # what is kept belongs to one ensemble
    assert not np.array_equal(cluster_reliability(other), cluster_reliability(e))


def test_what_is_kept_is_not_copied_and_lets_the_ensemble_go() -> None:
    e = ge.Ensemble(noisy(missing=True))
    before = len(pickle.dumps(e))
    for method in ("lwgp", "vote", "eac", "qmi", "mcla"):
        ge.consensus(e, 4, method=method, seed=0)
    assert len(pickle.dumps(e)) == before
    gone = weakref.ref(e)
    gc.disable()
    try:
        del e
        assert gone() is None  # without waiting for the collector of cycles
    finally:
        gc.enable()


def test_large_results_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphens.labels.value._KEPT", 100)
    e, calls = ge.Ensemble([[0], [1]]), []
    for size in (200, 2):
        for _ in range(2):
            recall(e, size, lambda size=size: (calls.append(size), np.zeros(size))[1])
    assert calls == [200, 200, 2]
