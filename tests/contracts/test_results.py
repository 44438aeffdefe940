"""What every result tells beside its labels: confidence, and where each vertex of its graph belongs."""

import inspect
import pickle
import sys
import typing
import warnings
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from plain import confidence

import graphens as ge
from graphens.export import FORMATS
from graphens.graphs.affinity import Affinity

ROWS = {row.name: row for row in ge.methods()}
every_method = pytest.mark.parametrize("name", sorted(ROWS))


def ensemble(seed: int, *, gaps: bool = True) -> ge.Ensemble:
    """Three groups and noise, equal rows, missing labels, an absent object, weights."""
    rng = np.random.default_rng(seed)
    truth = np.repeat([0, 1, 2], 5)
    labels = np.stack([rng.permutation(4)[truth] for _ in range(4)], axis=1)
    noise = rng.random(labels.shape) < 0.15
    labels[noise] = rng.integers(4, size=int(noise.sum()))
    if gaps:
        labels[rng.random(labels.shape) < 0.15] = -1
        labels[[4, 9]] = -1
        labels[0] = 1
    weights = rng.integers(1, 4, 15) if seed % 2 else None
    return ge.Ensemble(labels, weights=rng.integers(0, 3, 4) + (np.arange(4) == 0), object_weights=weights)


def run(name: str, e: ge.Ensemble, k: int | None = 3) -> ge.Consensus:
    asked = inspect.signature(ROWS[name].function).parameters
    call = {key: value for key, value in {"k": k, "seed": 0}.items() if key in asked}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ge.GraphensWarning)
        return ROWS[name].function(e, **call)


def members(r: ge.Consensus, e: ge.Ensemble, v: int) -> list[int]:
    """The objects whose vertex this is."""
    return np.flatnonzero(r.vertices == v).tolist()


@every_method
def test_every_vertex_has_the_label_of_what_it_stands_for(name: str) -> None:
    for seed in range(4):
        e = ensemble(seed, gaps=seed < 2)
        r = run(name, e)
        assert r.vertex_labels.shape == (r.graph.n_vertices,)
        assert r.vertices.shape == (e.n_objects,)
        assert r.graph.cut(r.vertex_labels) >= 0
        assert set(r.vertex_labels.tolist()) <= {-1, *range(r.k)}
        roles = getattr(r.graph, "roles", np.zeros(r.graph.n_vertices))
        for v in np.flatnonzero(roles == 0):
            assert {r.labels[i] for i in members(r, e, v)} == {r.vertex_labels[v]}
        on_objects = (roles == 0).any()
        assert ((r.vertices >= 0) == (e.present & on_objects)).all()


#: what the registry calls the kinds of graphs; the others by their kind
KINDS = {
    "coassociation": "co-association",
    "coassociation on a network": "shares on the edges of a network",
    "metagraph": "meta-graph",
}


@every_method
@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_every_graph_is_drawn_explored_and_exported(name: str, tmp_path: Path) -> None:
    r = run(name, ensemble(1))
    kind = ge.Hypergraph if isinstance(r.graph, ge.Hypergraph) else ge.Graph
    said, is_called = ROWS[name].graph, getattr(r.graph, "kind", "hypergraph").partition(" >")[0]
    assert KINDS.get(is_called, is_called) in said or name == "supra"
    r.plot("graph")
    r.explore()
    labels = r.vertex_labels.tolist()
    assert [c for _, c in r.to_networkx().nodes(data="cluster")][: len(labels)] == labels
    assert r.to_igraph().vs["cluster"][: len(labels)] == labels
    for ending, form in FORMATS[kind].items():
        if form.write is not None:
            r.graph.write(tmp_path / f"graph{ending}", **({"consensus": r} if form.attributes else {}))
            back = kind.read(tmp_path / f"graph{ending}")
            same = "n_hyperedges" if kind is ge.Hypergraph else "n_edges"
            assert getattr(back, same) == getattr(r.graph, same), ending


@pytest.mark.parametrize("name", ["vote", "bagclust1", "mlmap", "combine"])
@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_chosen_edges_leave_with_the_graph(name: str, tmp_path: Path) -> None:
    e = ensemble(3)
    r = run(name, e)
    source, target, weight = r.graph.edges()
    matched, names = r.details["matched"], r.graph.names
    assert matched.shape == weight.shape
    assert matched.any()
    assert not matched.all()
    assert (np.bincount(source[matched], minlength=e.offsets[-1]) <= 1).all()  # a cluster is matched once
    assert (r.vertex_labels[source] == r.vertex_labels[target])[matched].all()
    expected = {(names[a], names[b]): m for a, b, m in zip(source, target, matched, strict=True)}
    assert {(a, b): bool(m) for a, b, m in r.to_networkx().edges(data="matched")} == expected
    for ending, read in {".gml": nx.read_gml, ".net": nx.read_pajek, ".graphml": nx.read_graphml}.items():
        r.graph.write(tmp_path / f"graph{ending}")
        back = read(tmp_path / f"graph{ending}")
        called = (lambda v: names[int(v)]) if ending == ".graphml" else str
        assert {(called(a), called(b)): m in (1, "1") for a, b, m in back.edges(data="matched")} == expected
    r.graph.write(tmp_path / "graph.csv")
    assert pd.read_csv(tmp_path / "graph.csv").matched.astype(bool).tolist() == matched.tolist()
    part = r.graph.subgraph(np.flatnonzero(r.vertex_labels == 0))
    assert part._chosen(*part.edges()[:2]).sum() == (matched & (r.vertex_labels[source] == 0)).sum()


#: what builds the graphs that are not a step of their method
BUILDERS = {"join_clusters", "_with_parts"}


@every_method
def test_a_graph_costs_nothing_until_it_is_used(name: str) -> None:
    calls: list[str] = []
    e = ensemble(0)

    def count(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_name in BUILDERS:
            calls.append(frame.f_code.co_name)

    sys.setprofile(count)
    try:
        r = run(name, e)
        repr(r.named(["a"] + [f"b{c}" for c in range(1, r.k)]).by_size()), r.membership, r.confidence
        assert not calls
        assert r.graph is r.graph is r.by_size().graph
    finally:
        sys.setprofile(None)
    assert len(calls) <= 1
    copied = pickle.loads(pickle.dumps(r))
    assert copied.graph.cut(copied.vertex_labels) == pytest.approx(r.graph.cut(r.vertex_labels))


@pytest.mark.parametrize("name", ["mcla", "cbgf", "lce", "ecpcs", "hbgf", "lwgp", "leiden"])
def test_a_cluster_follows_the_objects_it_holds(name: str) -> None:
    truth = np.repeat([0, 1, 2], 6)
    e = ge.Ensemble.from_partitions([truth, (truth + 1) % 3, 2 - truth])
    r = run(name, e)
    clusters = r.vertex_labels[r.graph.roles == 1]
    first = [int(np.flatnonzero(e.codes[t] == c)[0]) for t in range(3) for c in range(3)]
    assert clusters.tolist() == r.labels[first].tolist()
    assert r.graph.cut(r.vertex_labels) == 0


def test_a_tree_of_clusters_stays_one_where_the_counts_match() -> None:
    r = ge.cumulative([[0, 0], [1, 1], [2, 2], [-1, -1]], 2)
    assert r.dendrogram.n_objects == 3
    assert list(r.dendrogram.names) == list(r.details["metagraph"].names)


@pytest.mark.parametrize("seed", range(40))
def test_confidence_is_own_cluster_against_the_nearest_rival(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, n_partitions, k = int(rng.integers(2, 14)), int(rng.integers(1, 6)), int(rng.integers(1, 5))
    labels = rng.integers(3, size=(n, n_partitions))
    if seed % 3:
        labels[rng.random(labels.shape) < 0.3] = -1
    weights = rng.integers(0, 3, n_partitions) + (np.arange(n_partitions) == 0) if seed % 2 else None
    masses = [None, rng.integers(1, 4, n), rng.uniform(0.2, 3, n)][seed % 3]
    e = ge.Ensemble(labels, weights=weights, object_weights=masses)
    found = rng.integers(-1, k, n)
    found = np.unique(found, return_inverse=True)[1].astype(np.int32) - (found.min() < 0)
    overlap = Affinity(e, found.astype(np.int32), int(found.max()) + 1)
    np.testing.assert_allclose(overlap.confidence(), confidence(e, found), atol=1e-9)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_hints_say_what_comes_in_and_out(name: str) -> None:
    function = ROWS[name].function
    hints = typing.get_type_hints(function)
    assert hints["return"] is ge.Consensus
    assert next(iter(inspect.signature(function).parameters)) == "labels"
    assert hints["labels"] == ge.Labels
    shown = f"{name}{inspect.signature(function)}"
    assert shown.startswith(f"{name}(labels: Labels, ")
    assert shown.endswith(" -> Consensus")
    assert len(shown) < 400
    assert ROWS[name].cost in function.__doc__
    assert ROWS[name].missing in function.__doc__


SHORT = {
    "reference": lambda: ge.bagclust1([[0], [1], [-1]], 2, reference=[1, 2]),
    "X": lambda: ge.eac([[0], [1], [-1]], 2, neighbors=1, X=np.zeros((2, 2))),
    "start": lambda: ge.aggregate([[0], [1], [-1]], start=[1, 2]),
    "neighbors": lambda: ge.eac([[0], [1], [-1]], 2, neighbors=[[1], [0]]),
}


@pytest.mark.parametrize("what", sorted(SHORT))
def test_what_is_given_per_object_must_fit_all_objects(what: str) -> None:
    with pytest.raises(ge.GraphensError, match=f"{what} has 2 rows; expected one for each of the 3 objects"):
        SHORT[what]()
