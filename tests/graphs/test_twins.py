"""Every lazy graph equals its explicit twin: the same matrix, stored, under every operation and every partitioner."""

import warnings
from collections.abc import Iterator

import numpy as np
import plain
import pytest

import graphens as ge
from graphens.cutting.entry import modularity, normalized_cut_value
from graphens.graphs.bipartite import BipartiteGraph
from graphens.graphs.coassociation import CoassociationGraph, RepeatedGraph

RANDOM = np.random.default_rng


def worth(rng: np.random.Generator, e: ge.Ensemble) -> np.ndarray | None:
    """Cluster weights, some of them 0, for two of three ensembles."""
    k = int(e.n_clusters.sum())
    weights = rng.choice([0.0, 0.25, 0.5, 1.0], k)
    weights[:1] = 1.0
    return None if rng.random() < 1 / 3 or not k else weights


def lazy_graphs(count: int, seed: int, **options) -> Iterator[tuple[np.random.Generator, ge.Graph]]:
    rng = RANDOM(seed)
    for _ in range(count):
        e = plain.random_ensemble(rng, **options)
        shares = worth(rng, e)
        yield rng, ge.coassociation(e, cluster_weights=shares)
        yield rng, RepeatedGraph(CoassociationGraph(e, shares))
        yield rng, BipartiteGraph(e, cluster_weights=shares)
        yield rng, BipartiteGraph(e, cluster_weights=shares, repeated=True)


def twin(graph: ge.Graph) -> ge.Graph:
    return ge.Graph(
        graph.to_scipy(), vertex_weights=graph.vertex_weights, roles=graph.roles, names=graph.names, kind=graph.kind
    )


def dense(graph: ge.Graph) -> np.ndarray:
    return graph.adjacency.toarray()


def test_looking() -> None:
    for rng, lazy in lazy_graphs(60, 0):
        explicit, v = twin(lazy), rng.normal(size=(lazy.n_vertices, 3))
        assert lazy.n_edges == explicit.n_edges
        assert np.allclose(lazy.degree(), explicit.degree())
        assert lazy.components().tolist() == explicit.components().tolist()
        assert np.allclose(lazy.product()(v), dense(explicit) @ v)
        assert np.allclose(lazy.product()(v[:, 0]), dense(explicit) @ v[:, 0])


def most_similar(lazy: ge.Graph, explicit: ge.Graph) -> ge.Graph:
    """The twin's two neighbors of each vertex; those of copied rows by similarity, however many copies there are."""
    if not isinstance(lazy, RepeatedGraph):
        return explicit.neighbors(2)
    nearest = explicit.adjacency * (twin(lazy.base).neighbors(2).adjacency > 0)
    return ge.Graph(nearest, vertex_weights=lazy.vertex_weights, roles=lazy.roles, names=lazy.names)


def test_other_graphs() -> None:
    for rng, lazy in lazy_graphs(40, 1):
        explicit, n = twin(lazy), lazy.n_vertices
        some = rng.permutation(n)[: int(rng.integers(1, n + 1))]
        labels = plain.random_labeling(rng, n, 3)
        for made, wanted in (
            (lazy.threshold(0.3), explicit.threshold(0.3)),
            (lazy.neighbors(2), most_similar(lazy, explicit)),
            (lazy.contract(labels), explicit.contract(labels)),
            (lazy.subgraph(some), explicit.subgraph(some)),
        ):
            assert np.allclose(dense(made), dense(wanted))
            assert np.allclose(made.vertex_weights, wanted.vertex_weights)
            assert list(made.names) == list(wanted.names)
            assert made.roles.tolist() == wanted.roles.tolist()
        for theta in (None, 0.4):
            forests = [graph.spanning_forest(theta) for graph in (lazy, explicit)]
            assert np.allclose(*(np.sort(forest.edges()[2]) for forest in forests))


def test_cuts_and_ties() -> None:
    for rng, lazy in lazy_graphs(40, 2):
        explicit, n = twin(lazy), lazy.n_vertices
        labels = plain.random_labeling(rng, n, 3)
        assert np.isclose(lazy.cut(labels), explicit.cut(labels))
        assert np.isclose(lazy.balance(labels), explicit.balance(labels))
        whole = np.maximum(labels, 0)
        assert np.isclose(normalized_cut_value(lazy, whole), normalized_cut_value(explicit, whole))
        assert np.isclose(modularity(lazy, whole), modularity(explicit, whole))
        for some in (np.arange(n), np.flatnonzero(lazy.roles == lazy.roles[-1])):
            assert np.allclose(lazy._ties(some, labels, 3).toarray(), explicit._ties(some, labels, 3).toarray())


def test_distinct_vertices_are_a_contraction() -> None:
    """Merged, with the loops on its diagonal, it is RᵀAR; copies beside the given ones have edges of their own."""
    for _, lazy in lazy_graphs(40, 3):
        small, back, loops = lazy._distinct()
        member = np.eye(small.n_vertices)[back]
        wanted = member.T @ dense(lazy) @ member
        inside = np.diag(wanted)
        assert np.allclose(dense(small), wanted - np.diag(inside))
        if isinstance(lazy, RepeatedGraph):
            assert (loops >= -1e-12).all()
        else:
            assert np.allclose(loops, inside)
            assert small.vertex_weights.tolist() == member.sum(axis=0).tolist()


@pytest.mark.parametrize("method", ["single", "average", "complete"])
def test_link(method: str) -> None:
    """Copies of a row merge at 0, where their similarity says 1 − S; all other heights are the twin's.

    Where labels are missing average link weighs pairs by evidence, which the matrix does not have, and cluster weights
    can make a copy less similar than another object. Where similarities tie, two right trees may differ.
    """
    compared, rng = 0, RANDOM(4)
    for _ in range(120):
        e = plain.random_ensemble(rng, n=int(rng.integers(2, 7)), missing=0.0 if method == "average" else 0.25)
        shares = None if e.has_missing else rng.random(int(e.n_clusters.sum()))
        lazy = CoassociationGraph(e.reweight(rng.random(e.n_partitions) + 0.1), shares)
        (leaves, index), tree = lazy._leaves(), ge.link(lazy, method)
        values = leaves.edges()[2]
        if (index < 0).any() or (method != "single" and len(np.unique(values.round(9))) < len(values)):
            continue
        copies = np.repeat(1 - leaves.likeness(), np.bincount(index) - 1)
        wanted = ge.link(twin(lazy), method).heights
        assert np.allclose(np.sort(np.concatenate([tree.heights, copies])), np.sort(wanted))
        compared += 1
    assert compared > 12


def clear(seed: int, *, missing: bool, weighted: bool) -> tuple[ge.Ensemble, np.ndarray, np.ndarray]:
    """Three evident groups under a little noise, and cluster weights that hide one noisy partition."""
    rng = RANDOM(seed)
    truth = np.repeat(np.arange(3), [8, 9, 10])
    labels = np.repeat(truth[:, None], 6, axis=1)
    for t in range(5):
        labels[rng.integers(27), t] = rng.integers(3)
    labels[:, 5] = rng.integers(0, 3, 27)
    if missing:
        labels[rng.random(labels.shape) < 0.1] = -1
        labels[(labels[:, :5] < 0).all(axis=1), 0] = 0
    e = ge.Ensemble(
        labels,
        weights=rng.integers(1, 3, 6) if weighted else None,
        object_weights=rng.integers(1, 3, 27) if weighted else None,
    )
    worth = np.repeat([1.0] * 5 + [0.0], e.n_clusters)
    return e, worth, truth


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", [row.name for row in ge.partitioners() if row.available])
def test_partitioners(name: str, *, missing: bool, weighted: bool) -> None:
    e, shares, truth = clear(7, missing=missing, weighted=weighted)
    for lazy in (
        ge.coassociation(e, cluster_weights=shares),
        RepeatedGraph(CoassociationGraph(e, shares)),
        BipartiteGraph(e, cluster_weights=shares),
        BipartiteGraph(e, cluster_weights=shares, repeated=True),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found, wanted = (ge.partition(graph, 3, partitioner=name, seed=0) for graph in (lazy, twin(lazy)))
        assert found.cut == pytest.approx(wanted.cut)
        assert found.balance == pytest.approx(wanted.balance)
        assert np.array_equal(found.labels[:27], wanted.labels[:27])
        if name in ("spectral", "leiden", "linkage") and not missing:
            assert ge.measures.ari(found.labels[:27], truth) > 0.8
