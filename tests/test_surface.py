"""What the Tab key shows, and that names, options and positions of earlier versions still work."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens.errors import RenamedWarning
from graphens.families.method import ROWS

LABELS = [[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]]
X = np.random.default_rng(0).normal(size=(20, 2))


def test_the_tab_key_shows_where_to_begin() -> None:
    shown = [name for name in dir(ge) if not name.startswith("_")]
    assert sorted(shown) == sorted(ge.__all__)
    assert len(shown) <= 40
    assert not {"Any", "TYPE_CHECKING", "np", "eac", "families", "core"} & set(shown)
    for name in shown:
        assert getattr(ge, name) is not None


def test_methods_are_at_home_in_methods_and_at_the_top() -> None:
    for row in ge.methods():
        assert getattr(ge.methods, row.name) is row.function is getattr(ge, row.name, row.function)
        assert ge.methods[row.name] is row
        assert row.name in dir(ge.methods)
    assert ge.methods["eac"](LABELS, 3).labels.tolist() == ge.eac(LABELS, 3).labels.tolist()
    assert len(ge.methods) == len(ge.methods()) == len(list(ge.methods))


def test_an_unknown_method_is_named() -> None:
    with pytest.raises(KeyError, match=r"^method = 'lwpg' .* Did you mean lwgp\?$"):
        ge.methods["lwpg"]
    with pytest.raises(AttributeError, match="Did you mean lwgp"):
        _ = ge.methods.lwpg
    with pytest.raises(ge.GraphensError):
        ge.consensus(LABELS, 3, method="lwpg")


def test_a_registered_method_is_at_home_too() -> None:
    ge.register_method("halves-of-test", lambda ensemble, k: np.arange(ensemble.n_objects) % k)
    try:
        assert "halves-of-test" in ge.methods
        assert ge.methods["halves-of-test"](LABELS, 2).k == 2
    finally:
        del ROWS["halves-of-test"]


BY_ANOTHER_WORD: dict[str, Callable[[str], Any]] = {
    "consensus": lambda word: ge.consensus(LABELS, 3, **{word: 3}),
    "a method": lambda word: ge.mcla(LABELS, 3, **{word: 3}),
    "generate": lambda word: ge.generate(X, 2, k=2, **{word: 3}),
    "partition": lambda word: ge.partition(ge.coassociation(LABELS), 3, **{word: 3}),
    "datasets.load": lambda word: ge.datasets.load("half-rings", **{word: 3})[0].tolist(),
    "choose_k": lambda word: ge.choose_k(ge.Ensemble(LABELS), range(2, 4), **{word: 3}).k,
    "modes": lambda word: [mode.share for mode in ge.modes(LABELS, **{word: 3})],
    "compare": lambda word: list(ge.compare(LABELS, 3, methods=["mcla", "vote"], **{word: 3})["score"]),
    "members": lambda word: ge.members(LABELS, 3, **{word: 3}).iloc[:, 0].tolist(),
    "monti": lambda word: ge.monti(X, [2], n_partitions=3, **{word: 3}).table.values.tolist(),
}


@pytest.mark.parametrize("call", BY_ANOTHER_WORD.values(), ids=BY_ANOTHER_WORD)
def test_rng_is_another_word_for_seed(call: Callable[[str], Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", RenamedWarning)
        first, second = call("seed"), call("rng")
    if isinstance(first, ge.Consensus | ge.Partition):
        first, second = first.labels.tolist(), second.labels.tolist()
    assert first == second


OLD: dict[str, tuple[str, Callable[[], Any], Callable[[], Any]]] = {
    "link": (
        "linkage",
        lambda: ge.link(ge.coassociation(LABELS), method="single").heights.tolist(),
        lambda: ge.link(ge.coassociation(LABELS), "single").heights.tolist(),
    ),
    "fraction": (
        "share",
        lambda: ge.generate(X, 2, k=2, sampling="subsample", fraction=0.5, seed=0),
        lambda: ge.generate(X, 2, k=2, sampling="subsample", share=0.5, seed=0),
    ),
    "k by position": ("k=…", lambda: ge.generate(X, 2, 3, seed=0), lambda: ge.generate(X, 2, k=3, seed=0)),
    "partitioner by position": (
        "partitioner=…",
        lambda: ge.partition(ge.coassociation(LABELS), 3, "spectral", seed=0).labels.tolist(),
        lambda: ge.partition(ge.coassociation(LABELS), 3, partitioner="spectral", seed=0).labels.tolist(),
    ),
    "pairwise": (
        "labels",
        lambda: ge.measures.pairwise(ensemble=LABELS).tolist(),
        lambda: ge.measures.pairwise(LABELS).tolist(),
    ),
    "theta": (
        "entropy_scale",
        lambda: ge.lwgp(LABELS, 3, theta=0.8, seed=0).details["reliability"].tolist(),
        lambda: ge.lwgp(LABELS, 3, entropy_scale=0.8, seed=0).details["reliability"].tolist(),
    ),
    "theta through consensus": (
        "entropy_scale",
        lambda: ge.consensus(LABELS, 3, method="lwea", theta=0.8, seed=0).labels.tolist(),
        lambda: ge.consensus(LABELS, 3, method="lwea", entropy_scale=0.8, seed=0).labels.tolist(),
    ),
    "combiner": (
        "clustering",
        lambda: ge.cumulative(LABELS, 3, combiner="single", seed=0).labels.tolist(),
        lambda: ge.cumulative(LABELS, 3, clustering="single", seed=0).labels.tolist(),
    ),
    "methods by position": (
        "methods=…",
        lambda: list(ge.compare(LABELS, 3, ["vote", "mcla"], seed=0)["method"]),
        lambda: list(ge.compare(LABELS, 3, methods=["vote", "mcla"], seed=0)["method"]),
    ),
    "ensemble": (
        "labels",
        lambda: len(ge.modes(ensemble=LABELS, seed=0)),
        lambda: len(ge.modes(labels=LABELS, seed=0)),
    ),
    "estimator": (
        "share",
        lambda: ge.ConsensusClustering(2, sampling="subsample", fraction=0.5).get_params(),
        lambda: ge.ConsensusClustering(2, sampling="subsample", share=0.5).get_params(),
    ),
}


@pytest.mark.parametrize(("now", "old", "new"), OLD.values(), ids=OLD)
def test_old_ways_work_and_name_the_new_one(now: str, old: Callable[[], Any], new: Callable[[], Any]) -> None:
    with pytest.warns(RenamedWarning, match=now) as heard:
        before = old()
    assert heard[0].filename == __file__
    assert before == new()


def test_both_names_at_once_are_refused() -> None:
    with pytest.raises(TypeError, match="both rng and seed"):
        ge.generate(X, 2, k=2, seed=0, rng=1)
