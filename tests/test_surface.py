"""What the Tab key shows, and that names, options and positions of earlier versions still work."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import networkx as nx
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


def clusters(r: ge.Consensus | ge.Partition) -> list[int]:
    return r.labels.tolist()


def on_disk(combine: Callable[[ge.scale.Scan, Path], ge.scale.ScaledConsensus]) -> list[int]:
    with TemporaryDirectory() as folder:
        np.save(Path(folder) / "labels.npy", LABELS)
        return combine(ge.scale.scan(Path(folder) / "labels.npy"), Path(folder) / "out").labels.tolist()


KARATE = nx.karate_club_graph()
FIRST = [row[0] for row in LABELS]
#: every row of the table of docs/promises.md: the new word, the old call and the new one
OLD: dict[str, tuple[str, Callable[[], Any], Callable[[], Any]]] = {
    "choose_k(data=…)": (
        "labels",
        lambda: ge.choose_k(data=LABELS, ks=[2, 3], seed=0).k,
        lambda: ge.choose_k(labels=LABELS, ks=[2, 3], seed=0).k,
    ),
    "choose_k(labels, ks, rule)": (
        "rule=…",
        lambda: ge.choose_k(LABELS, [2, 3], "pac", seed=0).k,
        lambda: ge.choose_k(LABELS, [2, 3], rule="pac", seed=0).k,
    ),
    "communities(G, n_partitions, base, method)": (
        "base=…, method=…",
        lambda: clusters(ge.communities(KARATE, 4, "leiden", "ecg", seed=0)),
        lambda: clusters(ge.communities(KARATE, 4, base="leiden", method="ecg", seed=0)),
    ),
    "compare(ensemble=…)": (
        "labels",
        lambda: list(ge.compare(ensemble=LABELS, k=3, methods=["vote"], seed=0)["score"]),
        lambda: list(ge.compare(labels=LABELS, k=3, methods=["vote"], seed=0)["score"]),
    ),
    "compare(labels, k, methods, truth)": (
        "methods=…, truth=…",
        lambda: list(ge.compare(LABELS, 3, ["vote", "mcla"], FIRST, seed=0)["ari"]),
        lambda: list(ge.compare(LABELS, 3, methods=["vote", "mcla"], truth=FIRST, seed=0)["ari"]),
    ),
    "ConsensusClustering(fraction=…)": (
        "share",
        lambda: ge.ConsensusClustering(2, sampling="subsample", fraction=0.5).get_params(),
        lambda: ge.ConsensusClustering(2, sampling="subsample", share=0.5).get_params(),
    ),
    "generate(fraction=…)": (
        "share",
        lambda: ge.generate(X, 2, k=2, sampling="subsample", fraction=0.5, seed=0),
        lambda: ge.generate(X, 2, k=2, sampling="subsample", share=0.5, seed=0),
    ),
    "generate(X, n_partitions, k)": (
        "k=…",
        lambda: ge.generate(X, 2, 3, seed=0),
        lambda: ge.generate(X, 2, k=3, seed=0),
    ),
    "landscape(G, resolutions, n_partitions)": (
        "n_partitions=…",
        lambda: ge.landscape(KARATE, [0.5, 1.0], 4, seed=0).table.to_csv(),
        lambda: ge.landscape(KARATE, [0.5, 1.0], n_partitions=4, seed=0).table.to_csv(),
    ),
    "link(method=…)": (
        "linkage",
        lambda: ge.link(ge.coassociation(LABELS), method="single").heights.tolist(),
        lambda: ge.link(ge.coassociation(LABELS), linkage="single").heights.tolist(),
    ),
    "measures.diversity(ensemble=…)": (
        "labels",
        lambda: ge.measures.diversity(ensemble=LABELS),
        lambda: ge.measures.diversity(labels=LABELS),
    ),
    "measures.pairwise(ensemble=…)": (
        "labels",
        lambda: ge.measures.pairwise(ensemble=LABELS).tolist(),
        lambda: ge.measures.pairwise(LABELS).tolist(),
    ),
    "measures.reliable_silhouette(theta=…)": (
        "entropy_scale",
        lambda: ge.measures.reliable_silhouette(FIRST, LABELS, theta=0.8),
        lambda: ge.measures.reliable_silhouette(FIRST, LABELS, entropy_scale=0.8),
    ),
    "members(ensemble=…)": (
        "labels",
        lambda: ge.members(ensemble=LABELS, k=3, seed=0).to_dict(),
        lambda: ge.members(labels=LABELS, k=3, seed=0).to_dict(),
    ),
    "modes(ensemble=…)": (
        "labels",
        lambda: len(ge.modes(ensemble=LABELS, seed=0)),
        lambda: len(ge.modes(labels=LABELS, seed=0)),
    ),
    "monti(X, ks, n_partitions, share, base)": (
        "n_partitions=…, share=…, base=…",
        lambda: ge.monti(X, [2], 3, 0.7, "kmeans", seed=0).table.to_dict(),
        lambda: ge.monti(X, [2], n_partitions=3, share=0.7, base="kmeans", seed=0).table.to_dict(),
    ),
    "partition(graph, k, partitioner)": (
        "partitioner=…",
        lambda: clusters(ge.partition(ge.coassociation(LABELS), 3, "spectral", seed=0)),
        lambda: clusters(ge.partition(ge.coassociation(LABELS), 3, partitioner="spectral", seed=0)),
    ),
    "scale.consensus(s, k, method)": (
        "method=…",
        lambda: on_disk(lambda scan, out: ge.scale.consensus(scan, 3, "mcla", out=out, seed=0)),
        lambda: on_disk(lambda scan, out: ge.scale.consensus(scan, 3, method="mcla", out=out, seed=0)),
    ),
    "select(ensemble=…)": (
        "labels",
        lambda: ge.select(ensemble=LABELS, size=2),
        lambda: ge.select(labels=LABELS, size=2),
    ),
    "stability(ensemble=…)": (
        "labels",
        lambda: ge.stability(ensemble=LABELS, ks=[2, 3], seed=0).table.to_csv(),
        lambda: ge.stability(labels=LABELS, ks=[2, 3], seed=0).table.to_csv(),
    ),
    "cumulative(combiner=…)": (
        "clustering",
        lambda: clusters(ge.cumulative(LABELS, 3, combiner="single", seed=0)),
        lambda: clusters(ge.cumulative(LABELS, 3, clustering="single", seed=0)),
    ),
    "lwea(theta=…)": (
        "entropy_scale",
        lambda: clusters(ge.consensus(LABELS, 3, method="lwea", theta=0.8, seed=0)),
        lambda: clusters(ge.consensus(LABELS, 3, method="lwea", entropy_scale=0.8, seed=0)),
    ),
    "lwgp(theta=…)": (
        "entropy_scale",
        lambda: ge.lwgp(LABELS, 3, theta=0.8, seed=0).details["reliability"].tolist(),
        lambda: ge.lwgp(LABELS, 3, entropy_scale=0.8, seed=0).details["reliability"].tolist(),
    ),
}


@pytest.mark.parametrize(("now", "old", "new"), OLD.values(), ids=OLD)
def test_old_ways_work_and_name_the_new_one(now: str, old: Callable[[], Any], new: Callable[[], Any]) -> None:
    with pytest.warns(RenamedWarning, match=re.escape(now)) as heard:
        before = old()
    renamed = [one for one in heard if one.category is RenamedWarning]
    assert [one.filename for one in renamed] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RenamedWarning)
        assert before == new()


def test_every_old_way_of_the_table_is_tried() -> None:
    page = (Path(__file__).parents[1] / "docs" / "made.py").resolve()
    made = subprocess.run(
        [sys.executable, "-c", "import made; print(*[old for old, _ in made._earlier()], sep='\\n')"],
        cwd=page.parent,
        env=os.environ | {"PYTHONPATH": str(page.parents[1]), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert made.stdout.splitlines() == list(OLD)


def test_both_names_at_once_are_refused() -> None:
    with pytest.raises(TypeError, match="both rng and seed"):
        ge.generate(X, 2, k=2, seed=0, rng=1)
