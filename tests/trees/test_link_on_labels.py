"""Single, average and complete link of co-association graphs, from labels."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

import graphens as ge
from graphens.graphs.coassociation import CoassociationGraph
from graphens.trees import agglomerate
from tests import plain

METHODS = ["single", "average", "complete"]
KINDS = [
    (missing, weighted, objects) for missing in (False, True) for weighted in (False, True) for objects in (False, True)
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("missing", "weighted", "objects"), KINDS)
def test_every_merge_is_the_closest_pair(*, method: str, missing: bool, weighted: bool, objects: bool) -> None:
    rng = np.random.default_rng([METHODS.index(method), missing, weighted, objects])
    for _ in range(12):
        e = plain.ensemble_with_twins(
            rng, n=int(rng.integers(2, 11)), missing=missing, weighted=weighted, object_weights=objects
        )
        tree = ge.link(ge.coassociation(e), method).to_scipy()
        assert plain.is_greedy(tree, plain.link_similarity(e, method))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("missing", [False, True])
def test_heights_without_ties(*, method: str, missing: bool) -> None:
    rng = np.random.default_rng(5)
    for _ in range(10):
        labels = rng.integers(0, 3, size=(9, 40))
        labels = np.where(missing & (rng.random(labels.shape) < 0.3), -1, labels)
        e = ge.Ensemble(labels, weights=rng.random(40) + 0.1, object_weights=rng.integers(1, 4, size=9))
        found = ge.link(ge.coassociation(e), method).to_scipy()[:, 2]
        merges = plain.merge_all(9, plain.link_similarity(e, method))
        np.testing.assert_allclose(found, [height for *_, height in merges], atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_cluster_weights(method: str) -> None:
    rng = np.random.default_rng(8)
    for _ in range(15):
        e = plain.ensemble_with_twins(rng, n=8, missing=True, weighted=True)
        shares = rng.random(int(e.n_clusters.sum())) * 0.9 + 0.1
        graph = CoassociationGraph(e, shares)
        np.testing.assert_allclose(graph.to_scipy().toarray(), plain.coassociation(e, shares), atol=1e-12)
        if len(graph.collapse()[0].vertex_weights) == e.n_objects:
            assert plain.is_greedy(ge.link(graph, method).to_scipy(), plain.link_similarity(e, method, shares))


@pytest.mark.parametrize("method", METHODS)
def test_equals_scipy_on_the_matrix(method: str) -> None:
    rng = np.random.default_rng(1)
    for n, n_partitions in [(60, 60), (300, 100), (2100, 30)]:  # 2100 is more than one stretch of counters
        labels = rng.integers(0, 4, size=(n, n_partitions))
        e = ge.Ensemble(labels, weights=rng.random(n_partitions) + 0.5)  # such weights leave hardly a tie
        s = ge.coassociation(e).to_scipy().toarray()
        np.fill_diagonal(s, 1)
        z = linkage(squareform(1 - s, checks=False), method)
        tree = ge.link(ge.coassociation(e), method)
        np.testing.assert_allclose(tree.to_scipy()[:, 2], z[:, 2], atol=1e-9)
        for low, high in pairwise(np.unique(np.round(z[:, 2], 8))[-6:]):
            middle = (low + high) / 2
            ours, theirs = tree.cut_at(middle), fcluster(z, middle, "distance")
            assert ge.measures.ari(ours, theirs) == pytest.approx(1.0)


def test_spanning_forest_weighs_what_scipy_says() -> None:
    rng = np.random.default_rng(2)
    for missing in (False, True):
        for _ in range(20):
            e = plain.ensemble_with_twins(rng, n=40, missing=missing)
            g = ge.coassociation(e)
            lazy, explicit = g.spanning_forest(), ge.Graph(plain.coassociation(e)).spanning_forest()
            assert lazy.n_edges == explicit.n_edges
            np.testing.assert_allclose(np.sort(lazy.edges()[2]), np.sort(explicit.edges()[2]), atol=1e-12)


@pytest.mark.filterwarnings("ignore::graphens.errors.OrientationWarning")
@pytest.mark.parametrize("n_partitions", [254, 255, 600])
def test_more_partitions_than_a_byte_counts(n_partitions: int) -> None:
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 2, size=(8, n_partitions))
    labels[:, :250] = 0  # so that many counts are beyond a byte
    e = ge.Ensemble.from_partitions(labels.T)
    np.testing.assert_allclose(ge.coassociation(e).to_scipy().toarray(), plain.coassociation(e), atol=1e-12)
    assert ge.coassociation(e).threshold(250 / n_partitions).n_edges > 0
    for method in METHODS:
        assert plain.is_greedy(ge.link(ge.coassociation(e), method).to_scipy(), plain.link_similarity(e, method))


@pytest.mark.parametrize("method", ["average", "complete"])
@pytest.mark.parametrize("missing", [False, True])
def test_rows_that_were_given_up_are_counted_again(
    *, method: str, missing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(4)
    e = plain.ensemble_with_twins(rng, n=300, missing=missing, weighted=True)
    labels = np.column_stack([e.labels, rng.integers(0, 5, size=(300, 12))])
    g = ge.coassociation(ge.Ensemble(labels, weights=rng.random(labels.shape[1]) + 0.5))
    wide = ge.link(g, method).merges
    monkeypatch.setattr(agglomerate, "_ROWS", 0)
    np.testing.assert_allclose(ge.link(g, method).merges[:, 2], wide[:, 2], atol=1e-9)


def test_how_the_work_is_divided_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    e = ge.Ensemble(np.random.default_rng(0).integers(0, 3, size=(200, 6)))
    once = {method: ge.link(ge.coassociation(e), method).merges for method in METHODS}
    monkeypatch.setattr("graphens._lib.threads._SECONDS", 0.0)  # the shortest steps there are
    for method in METHODS:
        np.testing.assert_array_equal(ge.link(ge.coassociation(e), method).merges, once[method])


@pytest.mark.parametrize("method", METHODS)
def test_collapsed_and_expanded_leaves_agree(method: str) -> None:
    rng = np.random.default_rng(6)
    for _ in range(10):
        e = plain.ensemble_with_twins(rng, n=30, missing=True, weighted=True)
        micro, index = e.collapse()
        small = ge.link(ge.coassociation(micro), method)
        whole = ge.link(ge.coassociation(e), method)
        np.testing.assert_allclose(small.merges[:, 2], whole.merges[:, 2], atol=1e-12)
        for k in range(1, small.n_leaves + 1):
            np.testing.assert_array_equal(small.cut(k)[index], whole.cut(k))


def test_one_object_and_no_evidence() -> None:
    for method in METHODS:
        assert ge.link(ge.coassociation([[0, 1]]), method).cut(1).tolist() == [0]
        tree = ge.link(ge.coassociation([[0, -1], [-1, 0], [1, -1]]), method)
        assert tree.heights.tolist() == [1.0, 1.0]


def test_progress_is_told_and_can_stop_the_work() -> None:
    e = ge.Ensemble(np.random.default_rng(0).integers(0, 3, size=(100, 6)))
    told: list[tuple[str, float]] = []
    with ge.progress(lambda what, share: told.append((what, share))):
        ge.link(ge.coassociation(e), "average")
        ge.coassociation(e).spanning_forest()
    assert {what for what, _ in told} == {"linking objects (average linkage)", "linking objects"}
    assert told[-1] == ("linking objects", 1.0)
    assert all(0 < share <= 1 for _, share in told)
    told.clear()
    ge.link(ge.coassociation(e), "average")
    assert not told

    def stop(what: str, share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), ge.progress(stop):
        ge.link(ge.coassociation(e), "complete")


def test_the_same_tree_is_made_once():
    """A consensus asks for it in several steps; cluster weights make another tree."""
    e = ge.Ensemble(np.random.default_rng(0).integers(0, 3, (30, 5)))
    weights = np.full(int(e.n_clusters.sum()), 0.5)
    graphs = ge.coassociation(e), ge.coassociation(e), ge.coassociation(e, cluster_weights=weights)
    told: list[list[str]] = []
    for graph in graphs:
        told.append([])
        with ge.progress(lambda what, share: told[-1].append(what)):
            ge.link(graph, "average")
    assert [bool(steps) for steps in told] == [True, False, True]
    assert (ge.link(graphs[0], "average").merges == ge.link(graphs[1].take(), "average").merges).all()
