import functools
from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens.cutting.mending import exactly, pack
from graphens.errors import DegenerateWarning, InputError, TypeMismatch


def path(n: int = 10) -> ge.Graph:
    return ge.Graph(np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1))


def answer(labels: Any) -> Any:
    return lambda graph, k, *, seed: labels


def test_cut_and_balance_are_recomputed() -> None:
    found = ge.partition(path(), 2, partitioner=answer([0] * 7 + [1] * 3))
    assert (found.cut, found.balance, found.k, len(found)) == (1.0, 1.4, 2, 2)
    assert found.partitioner == "<lambda>"
    assert "10 vertices in 2 parts" in repr(found)


def test_labels_come_in_order_of_first_appearance() -> None:
    assert ge.partition(path(4), 2, partitioner=answer([9, 9, 4, 4])).labels.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("k", [0, -1, 11, 2.5, "two", True])
def test_bad_k(k: Any) -> None:
    with pytest.raises(ge.GraphensError, match="k = "):
        ge.partition(path(), k)


def test_k_may_be_left_out_only_where_it_is_found() -> None:
    with pytest.raises(InputError, match="needs a number of parts"):
        ge.partition(path(), partitioner="metis")
    assert ge.partition(path(), partitioner="components").k == 1


@pytest.mark.parametrize("graph", [np.eye(3), [[0, 1], [1, 0]], 3])
def test_only_graphs(graph: Any) -> None:
    with pytest.raises(TypeMismatch, match="expected a Graph"):
        ge.partition(graph, 2)


def test_a_graph_without_vertices() -> None:
    with pytest.raises(InputError, match="without vertices"):
        ge.partition(ge.Graph(np.zeros((0, 0))), 1)


@pytest.mark.parametrize("seed", [-1, 1.5, "x"])
def test_bad_seed(seed: Any) -> None:
    with pytest.raises(ge.GraphensError, match="seed"):
        ge.partition(path(), 2, seed=seed)


def test_a_generator_as_seed_moves_on() -> None:
    rng = np.random.default_rng(0)
    first, second = (ge.partition(path(), 2, seed=rng).seed for _ in range(2))
    assert first != second
    assert ge.partition(path(), 2, seed=first).labels.tolist() == ge.partition(path(), 2, seed=first).labels.tolist()


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 1], "one label for each"),
        ([0.5] * 10, "whole numbers"),
        ([-1] + [0] * 9, "without a part"),
        (None, "nothing"),
        (3, ""),
        ("text", ""),
        ([[0, 1], [2]], ""),
        (iter([0, 1]), ""),
        ({1: 2}, ""),
    ],
)
def test_wrong_answers_name_the_partitioner(labels: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"<lambda>.*{message}"):
        ge.partition(path(), 2, partitioner=answer(labels))


def test_too_few_and_too_many_parts_are_mended_and_told() -> None:
    with pytest.warns(DegenerateWarning, match="1 part instead of 3"):
        assert ge.partition(path(), 3, partitioner=answer([0] * 10)).k == 3
    with pytest.warns(DegenerateWarning, match="10 parts instead of 3"):
        found = ge.partition(path(), 3, partitioner=answer(list(range(10))))
    assert found.k == 3
    assert found.cut == 2.0  # neighbors were joined


def test_the_best_of_several_runs_is_kept() -> None:
    seeds: list[int] = []

    def lucky(graph: ge.Graph, k: int, *, seed: int) -> Any:
        seeds.append(seed)
        return np.arange(10) % 2 if len(seeds) != 3 else np.arange(10) // 5

    assert ge.partition(path(), 2, partitioner=lucky, seed=0, n_init=5).cut == 1.0
    assert len(set(seeds)) == 5
    with pytest.raises(InputError, match="n_init"):
        ge.partition(path(), 2, partitioner=lucky, n_init=0)


def test_ties_go_to_the_more_even_parts() -> None:
    runs = iter([[0] * 9 + [1], [0] * 5 + [1] * 5, [0] * 8 + [1] * 2])
    found = ge.partition(path(), 2, partitioner=lambda graph, k, *, seed: next(runs), n_init=3)
    assert found.balance == 1.0


def test_options_reach_the_partitioner() -> None:
    from graphens.cutting.dendrograms import linkage

    g = ge.coassociation([[0, 0], [0, 0], [0, 1], [1, 1]])
    single = ge.partition(g, 2, partitioner="linkage", method="single")
    assert (
        single.labels.tolist()
        == ge.partition(g, 2, partitioner=functools.partial(linkage, method="single")).labels.tolist()
    )
    with pytest.raises(InputError, match="nearest"):
        ge.partition(g, 2, partitioner="linkage", method="nearest")


def test_parts_of_bipartite_graphs_are_counted_among_objects() -> None:
    e = ge.Ensemble([[0, 0], [0, 0], [1, 1]])
    only_clusters_apart = [0, 0, 0, 1, 1, 1, 1]
    with pytest.warns(DegenerateWarning, match="1 part "):
        found = ge.partition(ge.bipartite(e), 2, partitioner=answer(only_clusters_apart))
    assert len(set(found.labels[:3].tolist())) == 2
    assert set(found.labels.tolist()) == {0, 1}
    assert ge.partition(ge.bipartite(e), 3).labels[:3].tolist() == [0, 1, 2]
    with pytest.raises(InputError, match="between 1 and 3"):
        ge.partition(ge.bipartite(e), 4)


def test_hypergraphs_and_graphs_are_turned_into_what_a_partitioner_takes() -> None:
    h = ge.hypergraph([[0, 0], [0, 0], [0, 1], [1, 1], [1, 1], [1, 1]])
    by_star = ge.partition(h, 2, partitioner="metis", seed=0)
    assert by_star.labels.tolist() == [0, 0, 0, 1, 1, 1]
    assert by_star.cut == h.cut(by_star.labels) == 1.0
    seen: list[Any] = []

    def first_half(given: ge.Hypergraph, k: int, *, seed: int) -> Any:
        seen.append(given)
        return np.arange(given.n_vertices) * k // given.n_vertices

    first_half.takes = "hypergraph"  # type: ignore[attr-defined]
    assert ge.partition(path(), 2, partitioner=first_half).cut == 1.0
    assert isinstance(seen[0], ge.Hypergraph)
    assert seen[0].n_hyperedges == 9


def test_pack_is_even_and_leaves_nothing_empty() -> None:
    rng = np.random.default_rng(0)
    for _ in range(100):
        m = int(rng.integers(1, 30))
        weights, k = rng.random(m) * rng.integers(0, 2, m), int(rng.integers(1, m + 1))
        found = pack(weights, k)
        assert set(found) == set(range(k))
        load = np.bincount(found, weights=weights)
        assert load.max() - load.min() <= weights.max() + 1e-12


def test_exactly_never_returns_another_number_of_parts() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        n = int(rng.integers(2, 15))
        a = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 0.4), 1)
        k = int(rng.integers(1, n + 1))
        found = exactly(ge.Graph(a + a.T), rng.integers(0, n, n).astype(np.int32), k)
        assert np.unique(found).tolist() == list(range(k))


def test_a_partitioner_that_raises_is_named_and_its_exception_kept() -> None:
    def failing(graph: ge.Graph, k: int, *, seed: int) -> None:
        raise ZeroDivisionError("by hand")

    for call in (
        lambda: ge.partition(path(4), 2, partitioner=failing),
        lambda: ge.hbgf([[0, 0], [0, 1], [1, 1]], 2, partitioner=failing),
    ):
        with pytest.raises(
            ge.errors.PluginError, match="The partitioner 'failing' raised ZeroDivisionError: by hand"
        ) as caught:
            call()
        assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_clustering_of_igraph_is_an_answer() -> None:
    found = ge.partition(
        path(4), 2, partitioner=lambda graph, k, *, seed: graph.to_igraph().community_fastgreedy().as_clustering(k)
    )
    assert found.labels.tolist() == [0, 0, 1, 1]
