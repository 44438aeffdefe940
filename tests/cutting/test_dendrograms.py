import numpy as np
import pytest

import graphens as ge


def test_components_as_they_are_packed_and_taken_apart() -> None:
    label = np.repeat([0, 1, 2], [4, 2, 2])
    a = (label[:, None] == label).astype(float)
    a[0, 1:4] = a[1:4, 0] = 0.5
    graph = ge.Graph(a)
    assert ge.partition(graph, None, partitioner="components").k == 3
    assert ge.partition(graph, 2, partitioner="components").labels.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    apart = ge.partition(graph, 4, partitioner="components")
    assert apart.labels.tolist() == [0, 1, 1, 1, 2, 2, 3, 3]  # the weakest link is cut


def test_linkage_is_the_cut_of_the_dendrogram() -> None:
    g = ge.coassociation(np.random.default_rng(0).integers(0, 4, (40, 10)))
    for method in ("single", "average", "complete"):
        tree = ge.link(g, method)
        assert ge.partition(g, 5, partitioner="linkage", method=method).labels.tolist() == tree.cut(5).tolist()
        longest = ge.partition(g, None, partitioner="linkage", method=method)
        assert longest.labels.tolist() == tree.cut_longest_lifetime().tolist()


def test_large_weights_are_scaled() -> None:
    g = ge.Graph(np.array([[0, 50.0, 1], [50, 0, 1], [1, 1, 0]]))
    assert ge.partition(g, 2, partitioner="linkage").labels.tolist() == [0, 0, 1]


@pytest.mark.parametrize("name", ["components", "linkage"])
def test_objects_beside_clusters(name: str) -> None:
    g = ge.bipartite([[0, 0], [0, 0], [0, 1], [1, 1], [2, 2], [2, 2]])
    for k in range(1, 7):
        found = ge.partition(g, k, partitioner=name)
        assert len(np.unique(found.labels[:6])) == k
