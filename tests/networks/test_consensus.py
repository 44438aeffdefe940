"""Consensus communities: shares on a network's edges, reclustering, ensemble clustering of graphs."""

from pathlib import Path
from typing import Any

import igraph as ig
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import graphens as ge
from graphens.errors import DegenerateWarning, DoubtWarning, InputError
from graphens.export.annotate import write_network
from graphens.report.findings import Findings


def random_case(seed: int) -> tuple[ge.Ensemble, ge.Graph]:
    rng = np.random.default_rng(seed)
    n, b = int(rng.integers(4, 20)), int(rng.integers(1, 7))
    labels = rng.integers(-1 if seed % 2 else 0, 4, size=(n, b))
    a = np.triu(rng.random((n, n)) < 0.4, 1).astype(float)
    weights = rng.integers(1, 4, size=b).astype(float)
    return ge.Ensemble(labels, weights=weights), ge.Graph(a + a.T)


def test_attributes_of_the_network_stay():
    G = nx.karate_club_graph()
    nx.set_node_attributes(G, "mine", "cluster")
    nx.set_edge_attributes(G, 7, "share")
    r = ge.communities(G, 3, seed=0)
    with pytest.warns(ge.GraphensWarning, match="its own 'cluster', which stays; .* in 'consensus_cluster'"):
        back = r.to_networkx()
    assert set(nx.get_node_attributes(back, "cluster").values()) == {"mine"}
    assert list(nx.get_node_attributes(back, "consensus_cluster").values()) == r.labels.tolist()
    assert set(nx.get_edge_attributes(back, "share").values()) == {7}
    assert set(nx.get_node_attributes(back, "confidence")) == set(G)
    with pytest.warns(ge.GraphensWarning, match="its own"):
        other = ge.communities(ig.Graph.from_networkx(G), 3, seed=0).to_igraph()
    assert set(other.vs["cluster"]) == {"mine"}
    assert set(other.es["share"]) == {7}
    assert "consensus_share" in other.es.attributes()


@pytest.mark.parametrize("seed", range(40))
def test_shares_are_those_of_the_full_graph_on_the_edges(seed: int) -> None:
    e, network = random_case(seed)
    full = ge.coassociation(e).to_scipy().toarray()
    found = ge.coassociation(e, on=network)
    assert np.allclose(found.to_scipy().toarray(), full * (network.to_scipy().toarray() > 0))


def test_vertices_are_matched_by_name() -> None:
    G = nx.les_miserables_graph()
    e = ge.generate(G, 5, seed=0)
    moved = nx.Graph()
    moved.add_nodes_from(sorted(G, reverse=True))
    moved.add_edges_from(G.edges(data=True))
    one, other = ge.coassociation(e, on=G), ge.coassociation(e, on=moved)
    assert list(other.names) == list(e.vertex_names())
    assert (one.to_scipy() != other.to_scipy()).nnz == 0
    with pytest.raises(InputError, match="is not a vertex of it"):
        ge.coassociation(e, on=nx.relabel_nodes(G, {"Valjean": "Jean"}))
    G.remove_node("Valjean")
    with pytest.raises(InputError, match="76 vertices and the partitions have 77"):
        ge.coassociation(e, on=G)


@pytest.mark.parametrize("method", ["recluster", "ecg"])
def test_evident_communities_are_found(method: str) -> None:
    G = nx.connected_caveman_graph(6, 8)
    r = ge.communities(G, 10, method=method, seed=0)
    assert r.k == 6
    assert ge.measures.ari(r.labels, np.repeat(np.arange(6), 8)) == pytest.approx(1.0)
    assert (r.vertex_labels == r.labels).all()


def test_identical_partitions_come_back() -> None:
    G = nx.connected_caveman_graph(4, 6)
    truth = np.repeat(np.arange(4), 6)
    r = ge.recluster(np.column_stack([truth] * 3), G=G, seed=0)
    assert r.details["converged"]
    assert r.details["rounds"] == 0
    assert r.labels.tolist() == truth.tolist()


def test_what_all_runs_keep_together_stays_together() -> None:
    """A path in one community: on its edges alone label propagation would part it."""
    G = nx.disjoint_union(nx.path_graph(12), nx.complete_graph(4))
    G.add_edge(11, 12)
    one = np.repeat([0, 1], [12, 4])
    other = np.where(np.arange(16) == 12, 0, one)  # one run differs on one vertex
    for base in ("label-propagation", "infomap", "walktrap"):
        r = ge.recluster(np.column_stack([one, one, other]), G=G, base=base, tau=0.5, tolerance=0.0, seed=0)
        assert r.labels.tolist() == one.tolist(), base


def test_a_fragment_goes_to_the_community_most_runs_put_it_in() -> None:
    from graphens.families.networks import fragments, gather_scattered

    network = ge.Graph.of(nx.disjoint_union(nx.complete_graph(10), nx.complete_graph(10)))
    one = np.repeat([0, 1], 10)
    e = ge.Ensemble.from_partitions([one, one, np.r_[np.repeat(0, 8), np.repeat(1, 12)]])
    parted = np.r_[np.repeat(0, 8), 2, 2, np.repeat(1, 10)].astype(np.int32)  # 8 and 9 on their own
    assert fragments(e, parted).tolist() == [False, False, True]
    agreed = ge.coassociation(e, on=network)
    assert gather_scattered(e, agreed, network, parted, 0.5).tolist() == one.tolist()
    assert gather_scattered(e, agreed, network, parted, 0.7).max() == 2  # two runs of three are not enough for that


def test_communities_that_are_no_fragments_never_come_together() -> None:
    from graphens.families.networks import gather_scattered

    network = ge.Graph.of(nx.complete_graph(21))
    halves = np.repeat([0, 1, 2], [10, 10, 1]).astype(np.int32)
    e = ge.Ensemble.from_partitions([np.zeros(21, dtype=int), halves.clip(max=1), halves.clip(max=1)])
    found = gather_scattered(e, ge.coassociation(e, on=network), network, halves, 0.1)
    assert found.tolist() == halves.clip(max=1).tolist()


def test_it_says_when_the_runs_do_not_come_to_agree() -> None:
    G = nx.gnm_random_graph(60, 180, seed=1)
    e = ge.generate(G, 10, base="louvain", seed=0)
    with pytest.warns(DegenerateWarning, match="After 1 round"):
        r = ge.recluster(e, G=G, rounds=1, tolerance=0.0, tau=0.0, base="louvain", seed=0)
    assert not r.details["converged"]


def test_partition_weights_and_missing_labels_count() -> None:
    G = nx.barbell_graph(5, 0)
    two, one = np.repeat([0, 1], 5), np.zeros(10, dtype=int)
    labels = np.column_stack([two, two, one])
    labels[0, 0] = -1
    r = ge.recluster(ge.Ensemble(labels, weights=[5.0, 5.0, 0.0]), G=G, seed=0)
    assert r.labels.tolist() == two.tolist()
    bridge = ge.coassociation(ge.Ensemble(labels, weights=[1.0, 1.0, 2.0]), on=G).to_scipy()[4, 5]
    assert bridge == pytest.approx(0.5)


def test_a_vertex_that_nobody_knows_stays_without_a_community() -> None:
    G = nx.barbell_graph(5, 0)
    labels = np.column_stack([np.repeat([0, 1], 5)] * 3)
    labels[2] = -1
    for method in (ge.recluster, ge.ecg):
        r = method(labels, G=G, seed=0)
        assert r.labels[2] == -1
        assert r.k == 2
        assert r.vertices is not None
        assert r.vertices[2] == -1


def test_ecg_weighs_edges_as_the_paper_says() -> None:
    from graphens.families.networks import ecg_weights

    G = nx.barbell_graph(3, 0)
    G.add_edge(0, "leaf")  # outside the 2-core
    graph = ge.Graph.from_networkx(G)
    e = ge.Ensemble.from_partitions([[0, 0, 0, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0, 0]])
    _, weight = ecg_weights(graph, ge.coassociation(e, on=graph), 0.05)
    source, target, _ = graph.edges()
    by_edge = {(int(a), int(b)): w for a, b, w in zip(source, target, weight, strict=True)}
    assert by_edge[0, 1] == pytest.approx(1.0)
    assert by_edge[2, 3] == pytest.approx(0.05 + 0.95 * 0.5)
    assert by_edge[0, 6] == pytest.approx(0.05)


def test_structure_and_modularity_are_told() -> None:
    G = nx.karate_club_graph()
    r = ge.communities(G, 20, seed=0)
    assert r.details["modularity"] == pytest.approx(
        nx.community.modularity(G, [set(np.flatnonzero(r.labels == c)) for c in range(r.k)])
    )
    share = np.array([w for *_, w in zip(*r.graph.edges(), strict=True)])
    lost = G.number_of_edges() - len(share)
    mean = np.minimum(share, 1 - share).sum() / (len(share) + lost)
    assert r.details["structure"] == pytest.approx(1 - 2 * mean)
    assert len(r.details["runs_modularity"]) == 20


def test_the_graph_comes_back_with_the_answer() -> None:
    G = nx.les_miserables_graph()
    r = ge.communities(G, 10, seed=0)
    assert r.network is G
    back = r.to_networkx()
    assert set(back) == set(G)
    assert back.nodes["Valjean"]["cluster"] == r.labels[list(G).index("Valjean")]
    assert back.nodes["Valjean"]["confidence"] == pytest.approx(r.confidence[list(G).index("Valjean")])
    assert set(back.edges) == set(G.edges)
    together = {frozenset((r.names[a], r.names[b])): w for a, b, w in zip(*r.graph.edges(), strict=True)}
    for a, b, data in back.edges(data=True):
        assert data["share"] == pytest.approx(together.get(frozenset((a, b)), 0.0))
        assert data["weight"] == G.edges[a, b]["weight"]
    assert "cluster" not in G.nodes["Valjean"]


def test_igraph_comes_back_with_the_answer(tmp_path) -> None:
    import igraph

    G = igraph.Graph.Famous("Zachary")
    r = ge.communities(G, 10, seed=0)
    back = r.to_igraph()
    assert back.vs["cluster"] == r.labels.tolist()
    assert len(back.es["share"]) == G.ecount()
    back.write_graphml(str(tmp_path / "karate.graphml"))
    assert nx.read_graphml(tmp_path / "karate.graphml").number_of_nodes() == 34


def test_attributes_go_along_into_the_other_library() -> None:
    import igraph

    G = nx.Graph([("a", "b", {"since": 1}), ("b", "c", {"since": 2}), ("c", "a", {"since": 3})])
    G.nodes["b"]["age"] = 7
    made = ge.communities(G, 2, seed=0).to_igraph()
    assert (made.vs["name"], made.vs["age"]) == (["a", "b", "c"], [None, 7, None])
    assert sorted(made.es["since"]) == [1, 2, 3]
    other = igraph.Graph([(0, 1), (1, 2)], vertex_attrs={"age": [5, 6, 7]}, edge_attrs={"since": [8, 9]})
    back = ge.communities(other, 2, seed=0).to_networkx()
    assert (back.nodes[1]["age"], back.edges[1, 2]["since"]) == (6, 9)
    other.vs["name"] = ["a", "b", "c"]
    back = ge.communities(other, 2, seed=0).to_networkx()
    assert (back.nodes["b"]["age"], back.edges["b", "c"]["since"]) == (6, 9)
    assert {"cluster", "confidence"} <= set(back.nodes["b"])


def test_a_number_that_would_be_ignored_is_refused() -> None:
    with pytest.raises(InputError, match="k = 2 was given, and recluster finds the number"):
        ge.communities(nx.karate_club_graph(), 2, k=2)


def test_what_ecg_says_about_structure_stands() -> None:
    karate = nx.karate_club_graph()
    own = ge.ecg(ge.generate(karate, 10, base="louvain-1", seed=0), G=karate, seed=0)
    r = ge.communities(karate, 10, base="louvain-1", method="ecg", seed=0)
    assert r.details["structure"] == own.details["structure"]


def test_communities_of_a_random_graph_come_with_a_doubt() -> None:
    clear = ge.communities(nx.karate_club_graph(), 10, seed=0)
    assert "structure   1.00" in repr(clear)
    assert "doubt" not in repr(clear)
    random = ge.communities(nx.gnp_random_graph(300, 0.02, seed=1), 10, seed=0)
    assert random.details["structure"] < 0.6
    assert "hardly agree" in repr(random)
    assert "hardly agree" in Findings(random).verdict()[1].words


def test_a_gexf_file_has_the_colors_of_the_clusters(tmp_path: Path) -> None:
    r = ge.communities(nx.karate_club_graph(), 3, seed=0)
    r.graph.write(tmp_path / "shares.gexf", consensus=r)
    write_network(r, tmp_path / "network.gexf")
    for name in ("shares", "network"):
        made = nx.read_gexf(tmp_path / f"{name}.gexf")
        for (_, data), cluster in zip(made.nodes(data=True), r.labels.tolist(), strict=True):
            seen = "#{r:02x}{g:02x}{b:02x}".format(**data["viz"]["color"])
            assert seen == ge.plot.color(cluster)
        assert ge.Graph.read(tmp_path / f"{name}.gexf").n_vertices == 34


def test_a_benchmark_graph_of_networkx_can_be_written_with_its_communities(tmp_path: Path) -> None:
    G = nx.LFR_benchmark_graph(250, 3, 1.5, 0.1, average_degree=5, min_community=20, seed=10)
    G.remove_edges_from(nx.selfloop_edges(G))
    r = ge.communities(G, 5, seed=0)
    answered = r.to_networkx()
    nx.write_gexf(answered, tmp_path / "g.gexf")
    nx.write_graphml(answered, tmp_path / "g.graphml")
    inside = sorted(G.nodes[0]["community"])
    assert answered.nodes[0]["community"] == "{" + ", ".join(map(str, inside)) + "}"
    assert isinstance(G.nodes[0]["community"], set)  # the user's own graph is as it was


def test_known_places_and_odd_attributes_go_into_files(tmp_path: Path) -> None:
    G = nx.random_geometric_graph(20, 0.4, seed=0)
    nx.set_node_attributes(G, None, "nothing")
    r = ge.communities(G, 5, seed=0)
    assert r.to_networkx().nodes[3]["pos"] == G.nodes[3]["pos"]
    for ending in (".gexf", ".graphml"):
        write_network(r, tmp_path / f"g{ending}")
    seen = nx.read_gexf(tmp_path / "g.gexf").nodes["3"]["viz"]
    assert [seen["position"][axis] for axis in "xyz"] == [*G.nodes[3]["pos"], 0.0]
    assert seen["size"] == 10


@pytest.mark.parametrize("names", [[(0, 1), (0, 2), (1, 1)], pd.date_range("2024-01-01", periods=3)])
def test_the_graph_of_an_answer_can_be_written_whatever_the_names_are(names: Any, tmp_path: Path) -> None:
    r = ge.eac(ge.Ensemble([[0, 0], [0, 1], [1, 1]], object_names=names), 2)
    nx.write_gexf(r.to_networkx(), tmp_path / "g.gexf")
    nx.write_graphml(r.to_networkx(), tmp_path / "g.graphml")
    assert r.to_networkx().nodes[names[0]]["name"] == str(names[0])


def two_blocks() -> nx.Graph:
    G = nx.complete_graph(20)
    for a, b, data in G.edges(data=True):
        data["value"] = 9.0 if (a < 10) == (b < 10) else 0.5
    return G


def test_weights_under_any_name(tmp_path: Path) -> None:
    G, halves = two_blocks(), np.repeat([0, 1], 10).tolist()
    nx.write_graphml(G, tmp_path / "blocks.graphml")
    nx.write_edgelist(G, tmp_path / "blocks.csv", delimiter=",", data=["value"])
    table = (tmp_path / "blocks.csv").read_text()
    (tmp_path / "blocks.csv").write_text("source,target,value\n" + table)
    networks = [G, ig.Graph.from_networkx(G), tmp_path / "blocks.graphml", str(tmp_path / "blocks.csv")]
    for network in networks:
        r = ge.communities(network, 5, weight="value", seed=0)
        assert r.labels.tolist() == halves
        assert set(r._network_graph().edges()[2]) == {0.5, 9.0}
        with pytest.warns(ge.GraphensWarning, match="numbers in 'value'. Use weight='value'") as heard:
            assert ge.communities(network, 5, seed=0).k == 1
        assert not [one for one in heard if "P0" in str(one.message)]
        with pytest.raises(ge.GraphensError, match=r"weight = 'valu' was given; .* edges: 'value'"):
            ge.communities(network, weight="valu")
    assert ge.generate(G, 3, weight="value", seed=0).n_clusters.tolist() == [2, 2, 2]
    landscape = ge.networks.landscape(G, [1.0], n_partitions=3, weight="value", seed=0)
    assert landscape.consensus[0].k == 2


def test_a_sparse_matrix_is_a_network() -> None:
    a = nx.to_scipy_sparse_array(nx.karate_club_graph())
    r = ge.communities(a, 5, seed=0)
    assert r.labels.tolist() == ge.communities(ge.Graph(a), 5, seed=0).labels.tolist()
    upper = sparse.csr_matrix(sparse.triu(a))
    with pytest.raises(ge.GraphensError, match="symmetric"):
        ge.communities(upper, 5)
    assert np.array_equal(ge.communities(upper, 5, symmetrize=True, seed=0).labels, r.labels)
    with pytest.raises(ge.GraphensError, match="whose values are the weights"):
        ge.communities(a, weight="value")


@pytest.mark.parametrize("method", ["recluster", "ecg", "leiden"])
def test_one_community_is_no_structure(method: str) -> None:
    with pytest.warns(DegenerateWarning, match="Every run found a single community") as heard:
        r = ge.communities(nx.complete_graph(8), 4, method=method, seed=0)
    assert len(heard) == 1
    assert (r.details["structure"], r.score) == (0, 0)
    assert "There is only one community" in repr(r)
    assert not Findings(r).alerts()


def test_a_method_without_k_does_not_advise_to_give_it() -> None:
    halves = np.array([[i & 1, i >> 1 & 1, i >> 2] for i in range(8)])
    with pytest.warns(DegenerateWarning, match=r"up to 2 clusters\. Try another method, or another base\."):
        assert ge.recluster(halves, G=nx.complete_graph(8), base="infomap", seed=0).k == 1


def test_one_run_is_no_agreement() -> None:
    with pytest.warns(DoubtWarning, match="only one run"):
        ge.communities(nx.karate_club_graph(), 1, seed=0)


@pytest.mark.parametrize("base", ["walktrap", "fast-greedy"])
def test_runs_without_chance_are_no_agreement(base: str) -> None:
    random = nx.gnp_random_graph(60, 0.1, seed=0)
    e = ge.generate(random, 3, base=base, seed=0)
    assert len(np.unique(e.labels.T, axis=0)) == 1
    with pytest.warns(DoubtWarning, match=f"All runs of {base} are the same"):
        assert "are the same, so a confidence" in " ".join(repr(ge.communities(random, 3, base=base)).split())


def test_a_resolution_that_would_be_ignored_is_refused() -> None:
    G = nx.karate_club_graph()
    with pytest.raises(InputError, match=r"infomap has none\. Leave it out"):
        ge.communities(G, base="infomap", resolution=2.0)
    assert ge.communities(G, 4, base=["infomap", "louvain"], resolution=2.0, seed=0).k > 1


def test_ten_runs_that_agree_are_enough() -> None:
    rings = nx.ring_of_cliques(6, 6)
    r = ge.communities(rings, seed=3)
    assert r.ensemble.n_partitions == 10
    assert r.ensemble == ge.generate(rings, 10, seed=3)
    assert ge.communities(rings, 12, seed=3).ensemble.n_partitions == 12
    noise = nx.gnp_random_graph(60, 0.1, seed=1)
    r = ge.communities(noise, seed=3, n_jobs=2)
    assert r.ensemble == ge.generate(noise, 50, seed=3)
