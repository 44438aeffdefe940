"""The front door: what it chooses, and what it says about it."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import graphens as ge
from graphens.front import RULES, Choice, scalable

GOLDEN = [[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]]


def groups(n: int, k: int, n_partitions: int, seed: int = 0, flips: float = 0.05) -> np.ndarray:
    rng = np.random.default_rng(seed)
    labels = np.tile(np.repeat(np.arange(k), n // k)[:, None], (1, n_partitions))
    noise = rng.random(labels.shape) < flips
    labels[noise] = rng.integers(k, size=int(noise.sum()))
    return labels


def test_auto_finds_k_and_says_why() -> None:
    r = ge.consensus(GOLDEN, seed=0)
    said = r.details["auto"]
    assert r.labels.tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert said["k"] == 3
    assert said["rule"] == "lifetime"
    assert said["lifetimes"][3] == pytest.approx(0.5)
    assert said["lifetimes"][2] == pytest.approx(0.139, abs=1e-3)
    assert "live longest" in said["why"]
    assert r.method in said["why"]
    assert [row["method"] for row in said["tried"]] == list(scalable(ge.Ensemble(GOLDEN)))
    assert r.score == pytest.approx(max(row["score"] for row in said["tried"]))


def test_auto_with_a_given_k() -> None:
    e = ge.Ensemble(groups(60, 4, 8))
    r = ge.consensus(e, 4, seed=0)
    assert ge.measures.ari(r.labels, np.repeat(np.arange(4), 15)) == 1.0
    assert r.details["auto"]["why"].startswith("4 clusters were asked for")
    assert "lifetimes" not in r.details["auto"]
    assert ge.consensus(e, 3, seed=0).k == 3


def test_the_answer_can_be_repeated() -> None:
    e = ge.Ensemble(groups(90, 3, 6, flips=0.3))
    a, b = ge.consensus(e, seed=5), ge.consensus(e, seed=5)
    assert a.labels.tolist() == b.labels.tolist()
    assert a.method == b.method
    again = ge.consensus(e, method=a.method, **({"seed": 0} | dict(a.options)))
    assert again.labels.tolist() == a.labels.tolist()


def test_a_named_method_is_that_method() -> None:
    e = ge.Ensemble(groups(40, 4, 5))
    for name, options in (("eac", {"linkage": "average"}), ("aggregate", {"algorithm": "balls"})):
        r = ge.consensus(e, method=name, seed=0, **options)
        assert r.method == name
        assert r.labels.tolist() == getattr(ge, name)(e, **options).labels.tolist()
        assert "auto" not in r.details


def test_a_large_ensemble_is_sampled_for_k() -> None:
    e = ge.Ensemble(groups(6000, 5, 7))
    r = ge.consensus(e, seed=0)
    assert r.k == 5
    assert "a sample of 4000 objects" in r.details["auto"]["why"]


def test_other_rules_plug_in() -> None:
    e = ge.Ensemble(groups(40, 4, 5))
    r = ge.consensus(e, seed=0, rule=lambda ensemble, rng: 2)
    assert r.details["auto"]["k"] == 2

    def mine(ensemble: ge.Ensemble, rng: np.random.Generator) -> Choice:
        return Choice(4, "four is what I like", {"liked": True})

    r = ge.consensus(e, seed=0, rule=mine)
    assert r.k == 4
    assert r.details["auto"]["liked"]
    assert r.details["auto"]["rule"] == "mine"
    assert r.details["auto"]["why"].startswith("four is what I like")
    with pytest.raises(ge.GraphensError, match="k = 0"):
        ge.consensus(e, seed=0, rule=lambda ensemble, rng: 0)
    assert set(RULES) >= {"lifetime"}


def test_the_panel_can_be_named() -> None:
    e = ge.Ensemble(groups(40, 4, 5))
    r = ge.consensus(e, 4, seed=0, panel=["vote"])
    assert r.method == "vote"
    assert "only method" in r.details["auto"]["why"]


def test_one_method_failing_does_not_stop_the_others() -> None:
    labels = np.column_stack([np.repeat([0, 1], 10), np.repeat([0, 1, 2, 3], 5)])
    r = ge.consensus(
        labels, 4, seed=0, panel=["cumulative", "vote"]
    )  # cumulative refuses k above its first partition's
    rows = {row["method"]: row for row in r.details["auto"]["tried"]}
    assert r.method == "vote"
    assert rows["cumulative"]["score"] is None
    assert "first partition" in rows["cumulative"]["note"]


def test_nobody_and_single_objects() -> None:
    assert ge.consensus([[-1, -1], [-1, -1]], seed=0).labels.tolist() == [-1, -1]
    assert ge.consensus([[0, 3]], seed=0).labels.tolist() == [0]
    r = ge.consensus([[0, 0], [-1, -1], [1, 1], [0, 0], [1, 1]], seed=0)
    assert r.labels.tolist() == [0, -1, 1, 0, 1]


def test_no_structure_is_one_cluster() -> None:
    assert ge.consensus(np.zeros((8, 3), dtype=int), seed=0).k == 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ({"method": "magic"}, "method = 'magic'"),
        ({"k": 99}, "k = 99"),
        ({"k": 2.5}, "k = 2.5"),
        ({"seed": -1}, "seed = -1"),
        ({"rule": "magic"}, "rule = 'magic'"),
        ({"colour": 1}, "no option colour"),
        ({"method": "eac", "colour": 1}, "no option colour"),
        ({"panel": ["magic"]}, "method = 'magic'"),
        ({"panel": []}, "empty panel"),
    ],
)
def test_bad_calls_are_refused(call: dict[str, object], said: str) -> None:
    with pytest.raises(ge.GraphensError, match=said):
        ge.consensus(GOLDEN, **call)  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_every_method_can_be_called_by_name() -> None:
    e = ge.Ensemble(GOLDEN)
    for row in ge.methods():
        if "X" not in inspect.signature(row.function).parameters:
            assert ge.consensus(e, 3, method=row.name, seed=0).method == row.name


def test_k_stays_within_what_the_partitions_have() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 300)
    noisy = [np.where(rng.random(300) < 0.1, rng.integers(0, 4, 300), truth) for _ in range(3)]
    assert ge.consensus(ge.Ensemble.from_partitions(noisy), seed=0).k == 4


def test_a_warning_where_no_number_of_clusters_stands_out() -> None:
    X, _ = ge.datasets.load("uniform", seed=0)
    e = ge.generate(X, 20, k=(5, 15), seed=0)
    with pytest.warns(ge.GraphensWarning, match="No number of clusters stands out"):
        ge.consensus(e, seed=0)
