"""Cuts, lifetimes and expansion of dendrograms."""

import itertools

import numpy as np
import plain
import pytest
from scipy.cluster import hierarchy

import graphens as ge
from graphens.errors import InputError
from graphens.trees.dendrogram import sorted_merges

GOLDEN = ge.Ensemble.from_partitions([[1, 1, 1, 2, 2, 3, 3], [2, 2, 2, 3, 3, 1, 1], [3, 3, 2, 2, 1, 1, 1]])
#: 4 leaves: 0 and 1 at 0.2, 2 and 3 at 0.4, all at 0.9
FOUR = [[0, 1, 0.2, 2], [2, 3, 0.4, 2], [4, 5, 0.9, 4]]


def same_partition(a, b) -> bool:
    return len(set(zip(a, b, strict=True))) == len(set(a)) == len(set(b))


def random_tree(rng: np.random.Generator, n: int) -> np.ndarray:
    points = rng.random((n, 2))
    return hierarchy.linkage(points, "average") if n > 1 else np.empty((0, 4))


def test_cuts_agree_with_scipy():
    rng = np.random.default_rng(0)
    for _ in range(60):
        n = int(rng.integers(2, 20))
        z = random_tree(rng, n)
        d = ge.Dendrogram(z)
        assert np.array_equal(d.to_scipy(), z)
        for k in range(1, n + 1):
            labels = d.cut(k)
            assert labels.max() == k - 1
            assert same_partition(labels, hierarchy.fcluster(z, k, "maxclust"))
        for height in rng.random(4):
            assert same_partition(d.cut_at(height), hierarchy.fcluster(z, height, "distance"))


def test_cut_labels_come_in_order_of_first_appearance():
    d = ge.Dendrogram(FOUR, index=[3, 2, -1, 0, 1])
    assert d.cut(2).tolist() == [0, 0, -1, 1, 1]
    assert d.cut(3).tolist() == [0, 1, -1, 2, 2]
    assert d.cut(4).tolist() == [0, 1, -1, 2, 3]


def test_cut_at():
    d = ge.Dendrogram(FOUR)
    assert d.cut_at(-1).tolist() == [0, 1, 2, 3]
    assert d.cut_at(0.2).tolist() == [0, 0, 1, 2]  # up to and including
    assert d.cut_at(0.3999).tolist() == [0, 0, 1, 2]
    assert d.cut_at(0.4).tolist() == [0, 0, 1, 1]
    assert d.cut_at(5).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("bad", [0, 5, -1, 1.5, "2", None, True])
def test_cut_refuses(bad):
    with pytest.raises(ge.GraphensError, match="k ="):
        ge.Dendrogram(FOUR).cut(bad)


@pytest.mark.parametrize("bad", [np.nan, np.inf, "0.3", None])
def test_cut_at_refuses(bad):
    with pytest.raises(ge.GraphensError, match="height"):
        ge.Dendrogram(FOUR).cut_at(bad)


def test_expansion_is_a_valid_linkage_that_cuts_the_same():
    rng = np.random.default_rng(1)
    for _ in range(80):
        leaves = int(rng.integers(1, 8))
        z = random_tree(rng, leaves)
        index = np.concatenate([np.arange(leaves), rng.integers(0, leaves, size=int(rng.integers(0, 8)))])
        rng.shuffle(index)
        d = ge.Dendrogram(z, index=index, leaf_weights=np.bincount(index))
        full = d.to_scipy()
        assert full.shape == (len(index) - 1, 4)
        if len(index) > 1:
            assert hierarchy.is_valid_linkage(full)
            assert hierarchy.is_monotonic(full)
            assert full[-1, 3] == len(index)
        wide = ge.Dendrogram(full)
        for k in range(1, len(index) + 1):
            assert d.cut(k).max() == k - 1
            if k <= leaves:
                assert same_partition(d.cut(k), wide.cut(k))
                assert all(len(set(d.cut(k)[index == leaf])) == 1 for leaf in range(leaves))
        for height in (*rng.random(3), *d.heights):
            assert same_partition(d.cut_at(height), wide.cut_at(height))


def test_objects_in_no_leaf_join_last_at_one():
    d = ge.Dendrogram(FOUR, index=[-1, 0, 1, 2, 3, -1, 0])
    full = d.to_scipy()
    assert hierarchy.is_valid_linkage(full)
    assert full[:, 2].tolist() == [0, 0.2, 0.4, 0.9, 1, 1]
    assert d.cut(1).tolist() == [-1, 0, 0, 0, 0, -1, 0]
    assert d.cut(5).tolist() == [-1, 0, 1, 2, 3, -1, 4]
    with pytest.raises(InputError, match="between 1 and 5"):
        d.cut(6)


def test_a_leaf_without_objects_is_no_cluster():
    d = ge.Dendrogram(FOUR, index=[0, 1, 2, 2])
    assert d.cut(2).tolist() == [0, 0, 1, 1]
    assert d.cut(3).tolist() == [0, 1, 2, 2]
    assert d.cut(4).tolist() == [0, 1, 2, 3]
    assert hierarchy.is_valid_linkage(d.to_scipy())


def test_no_object_in_any_leaf():
    d = ge.Dendrogram([], index=[-1, -1])
    assert d.cut(1).tolist() == [-1, -1]
    assert d.cut_longest_lifetime().tolist() == [-1, -1]
    assert hierarchy.is_valid_linkage(d.to_scipy())


def test_one_leaf():
    d = ge.Dendrogram([])
    assert d.cut(1).tolist() == [0]
    assert d.lifetimes() == {1: 1.0}
    assert d.longest_lifetime() == 1
    assert d.to_scipy().shape == (0, 4)
    many = ge.Dendrogram([], index=[0, 0, 0])
    assert many.cut(2).max() == 1
    assert many.to_scipy()[:, 2].tolist() == [0, 0]
    assert "no merges" in repr(d)


def counted_lifetimes(heights: list[float], n: int) -> dict[int, float]:
    """Walk a threshold from 0 to 1 and add up how long each number of clusters lasts."""
    stops = sorted({0.0, 1.0, *heights})
    found: dict[int, float] = {}
    for low, high in itertools.pairwise(stops):
        k = n - sum(h <= low for h in heights)
        found[k] = found.get(k, 0.0) + high - low
    return found


def test_lifetimes_are_ranges_of_thresholds():
    rng = np.random.default_rng(2)
    for _ in range(100):
        n = int(rng.integers(1, 9))
        heights = np.sort(rng.integers(0, 11, size=n - 1) / 10)
        z = sorted_merges(np.arange(n - 1), np.arange(1, n), heights, n)
        lifetimes = ge.Dendrogram(z).lifetimes()
        counted = counted_lifetimes(heights.tolist(), n)
        assert {k: round(v, 9) for k, v in lifetimes.items() if v > 1e-9} == {
            k: round(v, 9) for k, v in counted.items()
        }
        assert np.isclose(sum(lifetimes.values()), 1)
        assert list(lifetimes) == list(range(1, len(lifetimes) + 1))


def chain_of(heights):
    n = len(heights) + 1
    return sorted_merges(np.arange(n - 1), np.arange(1, n), np.array(heights), n)


@pytest.mark.parametrize(
    ("heights", "index", "wanted"),
    [
        ([0.2, 0.4, 0.9], None, 2),
        ([0.1, 0.2, 0.3], None, 1),  # one cluster lives from 0.3 to 1
        ([0.0, 0.0, 0.5], None, 2),  # 1 and 2 tie: the smaller above 1
        ([0.25, 0.5, 0.75], None, 2),  # all tie
        ([0.9, 0.96, 1.0], None, 3),  # four apart live longest, but nothing tells that from noise
        ([0.9, 0.95, 1.0], [0, 1, 2, 3, 3], 4),  # and something does: two objects are the same
        ([1.0, 1.0, 1.0], None, 1),  # no threshold gives 2 or 3
        ([0.0, 0.0, 0.0], None, 1),
        ([1.0], None, 1),
        ([0.5 - 1e-12], None, 1),
        ([1 / 3, 2 / 3 + 1e-12], None, 2),  # ties within rounding
    ],
)
def test_the_longest_lifetime(heights, index, wanted):
    d = ge.Dendrogram(chain_of(heights), index=index)
    assert d.longest_lifetime() == wanted
    assert d.cut_longest_lifetime().max() == wanted - 1


def test_weighted_leaves_make_the_finest_clustering_a_candidate():
    assert ge.Dendrogram(chain_of([0.9, 0.95]), leaf_weights=[2, 1, 1]).longest_lifetime() == 3
    assert ge.Dendrogram(chain_of([0.9, 0.95]), leaf_weights=[0.1, 0.1, 0.1]).longest_lifetime() == 2


def test_the_worked_example():
    lifetimes = ge.link(ge.coassociation(GOLDEN), "average").lifetimes()
    assert lifetimes[2] == pytest.approx(0.139, abs=5e-4)
    assert lifetimes[3] == pytest.approx(0.5)
    assert lifetimes[5] == pytest.approx(1 / 3)
    assert max(lifetimes) == 5  # two pairs of objects are the same
    for method in ("single", "average", "complete"):
        d = ge.link(ge.coassociation(GOLDEN), method)
        assert d.cut(3).tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert ge.link(ge.coassociation(GOLDEN), "average").cut_longest_lifetime().tolist() == [0, 0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("merges", "says"),
    [
        (np.zeros((4, 3)), "shape"),
        (np.zeros((3, 3)), "shape"),
        (np.zeros(8), "shape"),
        ([[0, 1, 0.5, 2], [0, 2, 0.6, 2]], "each cluster once"),
        ([[0, 5, 0.5, 2]], "linkage matrix"),
        ([[0, 2, 0.5, 2]], "linkage matrix"),  # cluster 2 is this very merge
        ([[0, 0.5, 0.5, 2]], "linkage matrix"),
        ([[-1, 1, 0.5, 2]], "linkage matrix"),
        ([[0, 1, np.nan, 2]], "linkage matrix"),
        ([[0, 1, -0.5, 2]], "decrease or are negative"),
        ([[0, 1, 0.5, 2], [2, 3, 0.4, 2]], "decrease"),
    ],
)
def test_what_is_no_dendrogram(merges, says):
    with pytest.raises(InputError, match=says):
        ge.Dendrogram(merges)


@pytest.mark.parametrize(
    "options", [{"index": [0, 4]}, {"index": [-2]}, {"index": [0.5]}, {"leaf_weights": [1, 1, 1, 0]}, {"names": ["a"]}]
)
def test_what_goes_with_it_is_checked(options):
    with pytest.raises(ge.GraphensError):
        ge.Dendrogram(FOUR, **options)


def test_sorted_merges_gives_scipys_numbering():
    rng = np.random.default_rng(3)
    for _ in range(50):
        n = int(rng.integers(2, 12))
        a = plain.random_similarities(rng, n) / 2 + 0.001
        np.fill_diagonal(a, 0)
        source, target, weight = ge.Graph(a).spanning_forest().edges()
        z = sorted_merges(source, target, 1 - weight, n)
        assert hierarchy.is_valid_linkage(z)
        condensed = 1 - a[np.triu_indices(n, 1)]
        assert np.allclose(z[:, 2], hierarchy.linkage(condensed, "single")[:, 2])
