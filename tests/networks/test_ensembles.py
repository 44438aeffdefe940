"""Ensembles of a network: runs of community algorithms."""

import igraph
import networkx as nx
import numpy as np
import pytest

import graphens as ge
from graphens.errors import GraphensError, InputError, TypeMismatch


@pytest.fixture(scope="module")
def karate() -> nx.Graph:
    return nx.karate_club_graph()


def test_vertices_are_objects_and_keep_their_names() -> None:
    G = nx.les_miserables_graph()
    e = ge.generate(G, 5, seed=0)
    assert e.vertex_names().array().tolist() == list(G)
    assert (e.n_objects, e.n_partitions) == (77, 5)


def test_three_kinds_of_graphs_give_the_same_runs(karate: nx.Graph) -> None:
    one = ge.generate(karate, 4, base="louvain", seed=1)
    other = ge.generate(igraph.Graph.from_networkx(karate), 4, base="louvain", seed=1)
    third = ge.generate(ge.Graph.from_networkx(karate), 4, base="louvain", seed=1)
    assert (one.labels == other.labels).all()
    assert (one.labels == third.labels).all()


@pytest.mark.parametrize(
    "base", ["leiden", "louvain", "louvain-1", "label-propagation", "infomap", "walktrap", "fast-greedy"]
)
def test_every_base_repeats_for_every_number_of_jobs(karate: nx.Graph, base: str) -> None:
    once = ge.generate(karate, 4, base=base, seed=3)
    again = ge.generate(karate, 4, base=base, seed=3, n_jobs=1)
    assert (once.labels == again.labels).all()
    assert once.n_clusters.min() >= 2


def test_processes_make_the_same_runs(karate: nx.Graph) -> None:
    assert (ge.generate(karate, 4, seed=3).labels == ge.generate(karate, 4, seed=3, n_jobs=2).labels).all()


def test_bases_take_turns_and_functions_are_partitioners_without_k(karate: nx.Graph) -> None:
    seen = []

    def own(graph: ge.Graph, k: int | None, *, seed: int) -> list[set[int]]:
        seen.append((list(graph.names), graph.n_edges, k))
        return list(nx.community.louvain_communities(graph.to_networkx(), seed=seed))

    e = ge.generate(karate, 4, base=["leiden", own], seed=0)
    assert seen == [(list(karate), 78, None)] * 2
    assert e.partition_names == ("leiden P0", "own P1", "leiden P2", "own P3")


def test_a_function_may_answer_in_many_ways(karate: nx.Graph) -> None:
    communities = list(nx.community.greedy_modularity_communities(karate))
    by_node = {node: c for c, group in enumerate(communities) for node in group}
    numbers = [by_node[node] for node in karate]
    answers = [
        lambda graph, k, *, seed: communities,
        lambda graph, k, *, seed: by_node,
        lambda graph, k, *, seed: numbers,
        lambda graph, k, *, seed: iter(communities),
        lambda graph, k, *, seed: dict(enumerate(communities)).values(),
        lambda graph, k, *, seed: [list(group) for group in communities],
        lambda graph, k, *, seed: igraph.VertexClustering(graph.to_igraph(), numbers),
        lambda graph, k, *, seed: np.array(numbers),
    ]
    e = ge.generate(karate, len(answers), base=answers, seed=0)
    assert np.allclose(np.asarray(ge.measures.pairwise(e, "ari")), 1.0)


def broken(graph: ge.Graph, k: int | None, *, seed: int) -> None:
    raise LookupError("no such thing")


def test_a_dendrogram_of_igraph_is_cut_where_igraph_would(karate: nx.Graph) -> None:
    G = igraph.Graph.from_networkx(karate)
    e = ge.generate(G, 1, base=lambda graph, k, *, seed: G.community_fastgreedy(), seed=0)
    assert e.labels[:, 0].tolist() == G.community_fastgreedy().as_clustering().membership


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "base 'own' returned nothing; expected one label for each of the 34 vertices"),
        (7, "base 'own' returned an invalid result. 7 was given"),
        ("text", "'text' was given"),
        (np.zeros((34, 2)), r"shape \(34, 2\)"),
        ([0, 1], r"shape \(2,\) was given; expected one label for each of the 34 vertices"),
        (iter([0, 1]), r"shape \(2,\)"),
        (np.full(34, 0.5), "whole numbers"),
        ({}, "'own' returned no label at all"),
        ({0: 0, "nobody": 1}, "label for 'nobody', which is not a vertex"),
        ([{0, 1}, {1, 2}], "overlap"),
    ],
)
def test_an_answer_that_is_none_is_told_with_the_name_of_the_base(
    karate: nx.Graph, answer: object, message: str
) -> None:
    def own(graph: ge.Graph, k: int | None, *, seed: int) -> object:
        return answer

    with pytest.raises(GraphensError, match=message):
        ge.communities(karate, 2, base=own, seed=0)


def test_an_error_of_a_base_is_the_cause_of_ours(karate: nx.Graph) -> None:
    with pytest.raises(GraphensError, match="base 'broken' raised LookupError: no such thing") as caught:
        ge.communities(karate, 2, base=broken, seed=0)
    assert isinstance(caught.value.__cause__, LookupError)


def test_a_vertex_that_a_function_leaves_out_is_missing(karate: nx.Graph) -> None:
    e = ge.generate(karate, 1, base=lambda graph, k, *, seed: {node: node % 2 for node in graph.names if node}, seed=0)
    assert e.labels[0, 0] == -1
    assert e.n_missing == 1


def test_a_partitioner_is_a_base_and_agrees_with_itself(karate: nx.Graph) -> None:
    def own(graph: ge.Graph, k: int | None, *, seed: int) -> object:
        return ge.partition(graph, k, partitioner="leiden", seed=seed, n_init=1)

    by_function = ge.communities(karate, 5, base=own, seed=0)
    assert by_function.options["base"] is own  # the rounds of recluster use it, too
    assert ge.measures.ari(by_function.labels, ge.communities(karate, 5, seed=0).labels) > 0.8
    ge.register_partitioner("own communities", own, finds_k=True)
    by_name = ge.communities(karate, 5, base="own communities", seed=0)
    assert (by_name.labels == by_function.labels).all()
    assert (ge.communities(karate, 5, base=own, method="ecg", seed=0, n_jobs=2).k) > 1


def test_resolutions_are_drawn_from_an_interval(karate: nx.Graph) -> None:
    e = ge.generate(karate, 20, resolution=(0.2, 4.0), seed=0)
    assert e.n_clusters.min() < ge.generate(karate, 5, seed=0).n_clusters.min()
    assert e.n_clusters.max() > ge.generate(karate, 5, seed=0).n_clusters.max()


def test_isolated_vertices_are_communities_of_their_own() -> None:
    G = nx.barbell_graph(4, 0)
    G.add_node("alone")
    for base in ("leiden", "louvain", "label-propagation", "infomap", "walktrap", "fast-greedy"):
        labels = ge.generate(G, 1, base=base, seed=0).labels[:, 0]
        assert np.count_nonzero(labels == labels[-1]) == 1, base


def test_parallel_edges_add_up_and_loops_are_said_to_be_dropped() -> None:
    G = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 3), (3, 3)])
    with pytest.warns(ge.GraphensWarning, match="1 of 5 edges"):
        graph = ge.Graph.from_networkx(G)
    assert graph.edges()[2].tolist() == [2.0, 1.0, 1.0]
    with pytest.warns(ge.GraphensWarning, match="1 of 5 edges"):
        ge.generate(G, 2, seed=0)


def test_directed_graphs_are_refused_or_symmetrized() -> None:
    G = nx.DiGraph([(0, 1), (1, 0), (1, 2)])
    with pytest.raises(InputError, match="directed"):
        ge.generate(G, 2, seed=0)
    assert ge.generate(G, 2, seed=0, symmetrize=True).n_objects == 3
    directed = igraph.Graph(3, [(0, 1), (1, 0), (1, 2)], directed=True)
    assert ge.generate(directed, 2, seed=0, symmetrize=True).n_objects == 3
    for one in (G, directed):
        assert ge.Graph.of(one, symmetrize=True).edges()[2].tolist() == [2.0, 1.0]
        r = ge.communities(one, 2, symmetrize=True, seed=0)
        assert r.to_networkx().number_of_edges() == 3 if one is G else r.to_igraph().ecount() == 3
        assert r.to_igraph().es["share"]
        by_name = ge.generate(one, 2, base=lambda g, k, *, seed: {0: 0, 1: 0, 2: 1}, symmetrize=True, seed=0)
        assert by_name.labels[:, 0].tolist() == [0, 0, 1]


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_weights_that_are_none_are_refused(weight: float) -> None:
    G = nx.path_graph(3)
    G.edges[0, 1]["weight"] = weight
    with pytest.raises(GraphensError, match="weigh"):
        ge.generate(G, 2, seed=0)


def test_what_is_for_features_is_refused(karate: nx.Graph) -> None:
    with pytest.raises(InputError, match="k, sampling was given with a network"):
        ge.generate(karate, 2, k=3, sampling="bootstrap")
    with pytest.raises(InputError, match="without vertices"):
        ge.generate(nx.Graph(), 2)
    with pytest.raises(InputError, match="expected one of leiden"):
        ge.generate(karate, 2, base="kmeans")
    with pytest.raises(InputError, match="low before high"):
        ge.generate(karate, 2, resolution=(2.0, 1.0))
    with pytest.raises(TypeMismatch, match="community algorithm"):
        ge.generate(karate, 2, base=3)


def test_a_checkpoint_goes_on_and_notices_another_graph(karate: nx.Graph, tmp_path) -> None:
    path = tmp_path / "runs.db"
    first = ge.generate(karate, 3, seed=0, checkpoint=path)
    assert (ge.generate(karate, 3, seed=0, checkpoint=path).labels == first.labels).all()
    other = karate.copy()
    other.remove_edge(0, 1)
    with pytest.raises(InputError, match="started with X"):
        ge.generate(other, 3, seed=0, checkpoint=path)
    with pytest.raises(InputError, match="started with resolution"):
        ge.generate(karate, 3, seed=0, checkpoint=path, resolution=2.0)
