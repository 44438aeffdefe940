"""Counters at the limits of bytes and words: partitions, or clusters in one, too many for a narrow number."""

import numpy as np
import plain
import pytest

import graphens as ge
from graphens.choose.distribution import linked
from graphens.cutting.spectral import transfer_spectrum
from graphens.graphs.bipartite import LabelBiadjacency
from graphens.graphs.counts import mean_entropies, overlaps
from graphens.graphs.reliability import cluster_reliability, uncertainty
from graphens.kernels.similarity import count_above, evidence, fill_above, strongest

PARTITIONS = [255, 256, 257, pytest.param(65_536, marks=pytest.mark.slow)]
pytestmark = pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")


def ensemble(n_partitions: int, *, missing: bool = False, weighted: bool = False) -> ge.Ensemble:
    """Six objects; two pairs of them are together in all partitions but one or two, so that counters are full."""
    rng = np.random.default_rng(n_partitions)
    labels = rng.integers(0, 2, size=(6, n_partitions))
    labels[1], labels[4] = labels[0], labels[3]
    labels[1, :2] = 1 - labels[0, :2]
    labels[4, 0] = 1 - labels[3, 0]
    if missing:
        labels[5, : n_partitions // 2] = labels[2, -1] = -1
    return ge.Ensemble(labels, weights=rng.integers(1, 4, n_partitions) if weighted else None)


def similarities(e: ge.Ensemble) -> np.ndarray:
    """Shares over the partitions that have both, from the labels."""
    labels = e.labels.astype(np.int64)
    there = labels >= 0
    both = (there[:, None] & there) @ e.weights
    same = ((labels[:, None] == labels) & there[:, None]) @ e.weights
    found = same / both
    np.fill_diagonal(found, 0)
    return found


@pytest.mark.parametrize("n_partitions", PARTITIONS)
@pytest.mark.parametrize(("missing", "weighted"), [(False, False), (True, False), (True, True)])
def test_similarities_and_what_is_made_of_them(n_partitions: int, *, missing: bool, weighted: bool) -> None:
    e = ensemble(n_partitions, missing=missing, weighted=weighted)
    expected, graph = similarities(e), ge.coassociation(e)
    np.testing.assert_allclose(graph.to_scipy().toarray(), expected, atol=1e-12)
    kept = np.where(expected > 0.6, expected, 0)
    np.testing.assert_allclose(graph.threshold(0.6).to_scipy().toarray(), kept, atol=1e-12)
    forest = np.sort(graph.spanning_forest().edges()[2])
    np.testing.assert_allclose(forest, np.sort(plain.forest_weights(expected)), atol=1e-12)
    for linkage in ("single", "average", "complete"):
        tree = ge.link(graph, linkage).to_scipy()
        assert tree[0, 2] == pytest.approx(1 - expected.max(), abs=1e-12)
        assert plain.is_greedy(
            tree,
            plain.evidence_similarity(e)
            if linkage == "average"
            else plain.group_similarity(expected, np.ones(6), linkage),
        )
    for i in (0, 5):
        row = graph.neighbors(1).to_scipy().toarray()[i]
        assert row.max() == pytest.approx(expected[i].max(), abs=1e-12)


@pytest.mark.parametrize("n_partitions", PARTITIONS)
def test_distances_of_pairs(n_partitions: int) -> None:
    e = ensemble(n_partitions, missing=True)
    size = n_partitions + 1
    expected = similarities(e)
    if size > 2000:  # room for all counts is refused before it is asked for
        with pytest.raises(ge.errors.SizeError, match=f"over {n_partitions} partitions"), ge.memory_budget("2 GB"):
            linked(e, 100)
        return
    x, share = linked(e, 100).distribution.steps
    values, counts = np.unique(np.round(expected[np.triu_indices(6, 1)], 12), return_counts=True)
    np.testing.assert_allclose(x, values, atol=1e-11)
    np.testing.assert_allclose(share, counts / 15)


@pytest.mark.parametrize("n_partitions", PARTITIONS)
def test_votes_and_tables(n_partitions: int) -> None:
    """All partitions say the same but one: whoever counts in a byte or a word loses them."""
    labels = np.tile(np.array([0, 0, 0, 1, 1, 1])[:, None], (1, n_partitions))
    labels[:, 0] = [0, 1, 0, 1, 0, 1]
    e = ge.Ensemble(labels)
    r = ge.vote(e, 2)
    assert r.labels.tolist() == [0, 0, 0, 1, 1, 1]
    share = 1 - 1 / n_partitions
    np.testing.assert_allclose(r.membership.max(axis=1), [1, share, 1, 1, share, 1], atol=1e-12)
    micro, index = e.collapse()
    np.testing.assert_array_equal(micro.labels[index], e.labels)
    assert micro.n_objects == 4
    assert ge.greedy(e, 2, seed=0).labels.tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("k", [255, 256, 257, 65_535, 65_536, 70_000])
def test_clusters_of_one_partition(k: int) -> None:
    """Codes of the widest cluster are not taken for an absent label, nor for another cluster."""
    rng = np.random.default_rng(k)
    first = rng.permutation(np.append(np.arange(k), [0, k - 1]))
    second = first // 2
    second[first == 1] = -1
    e = ge.Ensemble.from_partitions([first, second])
    assert e.n_clusters.tolist() == [k, len(np.unique(second[second >= 0]))]
    assert np.array_equal(e.labels < 0, np.stack([first, second], axis=1) < 0)
    assert ge.measures.ari(e.labels[:, 0], first) == 1.0
    sizes = np.bincount(e.labels[:, 0])
    np.testing.assert_array_equal(e.cluster_sizes()[:k], sizes)
    shared = overlaps(e, e.labels[:, 0], k)
    assert shared[:k].diagonal().tolist() == sizes.tolist()
    assert shared[k:].sum() == np.count_nonzero(second >= 0)
    assert e.collapse()[0].n_objects == k


@pytest.mark.parametrize("n_partitions", PARTITIONS)
def test_what_partitions_say_of_each_other(n_partitions: int) -> None:
    """Twelve objects in three groups, each partition with one object elsewhere; all agree but the last."""
    labels = np.repeat(np.arange(12)[:, None] // 4, n_partitions, axis=1)
    labels[np.arange(n_partitions) % 12, np.arange(n_partitions)] = 3
    labels[:, -1] = np.arange(12) % 4
    e = ge.Ensemble(labels)
    worth = cluster_reliability(e)
    assert worth.shape == (e.n_clusters.sum(),)
    assert (worth[:-4] > 0.3).all()
    assert (worth[-4:] < 0.1).all()
    found = transfer_spectrum(e, 5)
    assert found[2] > 2 * found[3]
    assert ge.lwgp(e, 3, seed=0).labels.tolist() == [i // 4 for i in range(12)]
    assert ge.consensus(e, seed=0).k == 3


@pytest.mark.parametrize("k", [255, 256, 257, 65_535, 65_536, 65_537])
def test_many_clusters_against_many(k: int) -> None:
    """Three partitions of k pairs of objects, the second renamed, the third shifted by one object."""
    first = np.repeat(np.arange(k), 2)
    e = ge.Ensemble.from_partitions([first, first[::-1], np.roll(first, 1)])
    bits = uncertainty(e).reshape(3, k)
    np.testing.assert_allclose(bits[:2], 1.0)  # one bit from the third, none from the other
    np.testing.assert_allclose(bits[2], 2.0)
    between = np.asarray(ge.measures.pairwise(e, "ari"))
    assert between[0, 1] == 1.0
    assert abs(between[0, 2]) < 0.01
    said, entropy = mean_entropies(e, np.arange(3), np.ones(3))
    np.testing.assert_allclose(entropy.reshape(3, k)[:, 0], [0.5, 0.5, 1.0])
    np.testing.assert_allclose(said, [0.5, 0.5, 0.0], atol=0.01)
    side = LabelBiadjacency(e, np.ones(3 * k), merge=False)
    assert set(side.components().tolist()) == {0}  # the third partition chains them all
    np.testing.assert_allclose(side.rmatvec(np.ones(2 * k)), 2.0)
    np.testing.assert_allclose(side.matvec(np.ones(3 * k)), 3.0)


@pytest.mark.parametrize(("n", "b", "k"), [(6, 3, 2), (63, 20, 3), (200, 254, 4), (150, 12, 400)])
def test_counters_in_vector_registers_count_as_numpy_does(n: int, b: int, k: int) -> None:
    # Blocks of 8 × 64 objects, what is left beside and below them, and labels of one byte and of two.
    codes = np.random.default_rng(n).integers(0, k, (b, n)).astype(np.min_scalar_type(k))
    ev = evidence(codes, np.ones(b), np.arange(b + 1) * k, np.iinfo(codes.dtype).max, missing=False, shares=None)
    wanted = (codes[:, :, None] == codes[:, None]).mean(axis=0) * (1 - np.eye(n))
    above = wanted > 0.3
    assert count_above.compiled(ev, 0.3, 0, n).tolist() == above.sum(axis=1).tolist()
    indptr = np.concatenate([[0], np.cumsum(above.sum(axis=1))])
    indices, data = np.empty(indptr[-1], dtype=np.int32), np.empty(indptr[-1])
    fill_above.compiled(ev, 0.3, 0, n, indptr, indices, data)
    np.testing.assert_array_equal(indices, np.nonzero(above)[1])
    np.testing.assert_allclose(data, wanted[above], rtol=1e-15)
    near, share = strongest.compiled(ev, 3, 0, n)
    order = np.argsort(-np.round(wanted * b), axis=1, kind="stable")[:, :3]
    np.testing.assert_allclose(share, np.take_along_axis(wanted, order, axis=1), rtol=1e-15)
    np.testing.assert_array_equal(near[share > 0], order[share > 0])
