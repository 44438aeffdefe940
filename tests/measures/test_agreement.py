"""Agreement against scikit-learn and against plain counting."""

import copy
import math
import pickle

import numpy as np
import plain
import pytest
from sklearn import metrics

import graphens as ge
from graphens import measures
from graphens.errors import InputError

GOLDEN = ge.Ensemble.from_partitions([[1, 1, 1, 2, 2, 3, 3], [2, 2, 2, 3, 3, 1, 1], [3, 3, 2, 2, 1, 1, 1]])


def labelings(count: int, *, unassigned: float = 0.0, seed: int = 0):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(1, 30))
        k = rng.integers(1, 6, size=2)
        yield tuple(plain.random_labeling(rng, n, int(k[i]), unassigned) for i in range(2))


def test_pairs_are_a_value_with_names():
    e = ge.Ensemble(GOLDEN.labels, partition_names=["a", "b", "c"])
    pairs = measures.pairwise(e, "ari")
    for found in (pairs, pickle.loads(pickle.dumps(pairs)), copy.deepcopy(pairs)):
        assert found.to_frame().index.tolist() == list(found.names) == ["a", "b", "c"]
        assert np.array_equal(found, np.asarray(pairs))
    assert repr(pairs.mean()) == repr(np.asarray(pairs).mean())
    assert isinstance(pairs[0, 1], float)
    assert type(pairs[:2]) is type(1 - pairs) is np.ndarray
    assert pairs[:2].shape == (2, 3) == (len(pairs) - 1, len(pairs.names))
    with pytest.raises(ValueError, match="read-only"):
        pairs.values[0, 0] = 7
    with pytest.raises(AttributeError):
        pairs.names = ()


@pytest.mark.parametrize("average", ["geometric", "arithmetic", "min", "max"])
def test_nmi_is_scikit_learns(average):
    for a, b in labelings(100):
        wanted = metrics.normalized_mutual_info_score(a, b, average_method=average)
        both_constant = len(set(a)) == len(set(b)) == 1
        assert measures.nmi(a, b, average) == pytest.approx(1.0 if both_constant else wanted, abs=1e-9)
        assert measures.nmi(a, b, average) == pytest.approx(plain.nmi(a, b, average=average), abs=1e-9)


def test_pair_measures_are_scikit_learns():
    for a, b in labelings(100):
        assert measures.ari(a, b) == pytest.approx(metrics.adjusted_rand_score(a, b))
        assert measures.rand(a, b) == pytest.approx(metrics.rand_score(a, b) if len(a) > 1 else 1)


def test_missing_objects_do_not_count():
    for a, b in labelings(150, unassigned=0.3, seed=1):
        kept = (a >= 0) & (b >= 0)
        if not kept.any():
            continue
        for name in ("nmi", "ari", "rand", "mirkin", "vi"):
            measure = getattr(measures, name)
            assert measure(a, b) == pytest.approx(measure(a[kept], b[kept]), abs=1e-12)
        both, only_a, only_b, neither = plain.pair_agreement(a, b)
        assert measures.mirkin(a, b) == only_a + only_b
        pairs = both + only_a + only_b + neither
        assert measures.rand(a, b) == pytest.approx((both + neither) / pairs if pairs else 1)


def test_variation_of_information():
    for a, b in labelings(60, seed=2):
        joint = [x * 100 + y for x, y in zip(a, b, strict=True)]
        h_a, h_b, h_ab = (plain.entropy(np.unique(x, return_counts=True)[1]) for x in (a, b, joint))
        assert measures.vi(a, b) == pytest.approx(2 * h_ab - h_a - h_b, abs=1e-9)
        assert measures.vi(a, a) == 0
    assert measures.vi([0, 0, 1, 1], [0, 1, 0, 1]) == pytest.approx(2 * math.log(2))


def test_error_rate_is_the_best_matching():
    from itertools import permutations

    for truth, labels in labelings(60, seed=3):
        k = max(truth.max(), labels.max()) + 1
        best = max(sum(p[x] == y for x, y in zip(labels, truth, strict=True)) for p in permutations(range(k)))
        assert measures.error_rate(truth, labels) == pytest.approx(1 - best / len(truth))


def test_error_rate_counts_the_unassigned_as_errors_and_skips_the_unknown():
    assert measures.error_rate([0, 0, 1, 1], [0, 0, 1, -1]) == 0.25
    assert measures.error_rate([0, 0, 1, -1], [5, 5, 3, 3]) == 0
    assert measures.error_rate([0, 1], [-1, -1]) == 1
    assert measures.error_rate([0, 0, 0], [0, 1, 2]) == pytest.approx(2 / 3)
    with pytest.raises(InputError, match="assigns no object"):
        measures.error_rate([-1, -1], [0, 1])


def test_any_kind_of_label():
    assert measures.nmi(["u", "u", "v"], [7.0, 7.0, 2.0]) == 1
    assert measures.ari(["u", None, "v"], [7, 8, 2]) == 1
    assert measures.error_rate(np.array(["u", "v"]), [1, 0]) == 0


@pytest.mark.parametrize("name", ["nmi", "ari", "rand", "mirkin", "vi", "error_rate"])
def test_renaming_and_permuting(name):
    measure = getattr(measures, name)
    rng = np.random.default_rng(4)
    for a, b in labelings(40, seed=5):
        order = rng.permutation(len(a))
        assert measure(a, b) == pytest.approx(measure(10 - a, b * 7), abs=1e-9)
        assert measure(a, b) == pytest.approx(measure(a[order], b[order]), abs=1e-9)
        assert measure(a, b) == pytest.approx(measure(b, a), abs=1e-9)


@pytest.mark.parametrize("name", ["nmi", "ari", "rand", "mirkin", "vi", "error_rate"])
def test_unequal_lengths(name):
    with pytest.raises(InputError, match="2 and 3 objects"):
        getattr(measures, name)([0, 1], [0, 1, 2])


def test_no_common_object_is_no_agreement():
    for name in ("nmi", "ari", "rand"):
        assert getattr(measures, name)([0, 1, -1, -1], [-1, -1, 0, 1]) == 0


def test_degenerate_labelings():
    assert measures.nmi([0, 0], [1, 1]) == measures.ari([0, 0], [1, 1]) == 1
    assert measures.nmi([0, 0], [0, 1]) == measures.ari([0, 0], [0, 1]) == 0
    assert measures.ari([0, 1, 2], [2, 1, 0]) == 1
    assert measures.nmi([3], [4]) == measures.rand([3], [4]) == 1
    with pytest.raises(InputError, match="geometric, arithmetic, min, max"):
        measures.nmi([0], [0], average="harmonic")


def test_anmi():
    rng = np.random.default_rng(6)
    for _ in range(150):
        e = plain.random_ensemble(rng)
        labels = plain.random_labeling(rng, e.n_objects)
        assert measures.anmi(labels, e) == pytest.approx(plain.anmi(labels, e), abs=1e-9)
    assert measures.anmi([-1] * 7, GOLDEN) == 0


def test_pairwise_ignores_partition_weights():
    labels = [[0, 0, 1], [0, 1, 1], [1, 1, 0]]
    for weights in ([1, 0, 0], [5, 0.1, 2]):
        assert np.allclose(measures.pairwise(ge.Ensemble(labels, weights=weights)), measures.pairwise(labels))
    with pytest.raises(InputError, match="nmi, ari, rand, mirkin, vi"):
        measures.pairwise(labels, "kappa")


def test_ami_and_purity_are_scikit_learns():
    for a, b in labelings(60, seed=5):
        assert measures.ami(a, b) == pytest.approx(metrics.adjusted_mutual_info_score(a, b), abs=1e-9)
        table = metrics.cluster.contingency_matrix(a, b)
        assert measures.purity(a, b) == pytest.approx(table.max(axis=0).sum() / table.sum())


@pytest.mark.parametrize("name", ["nmi", "ami", "ari", "rand", "mirkin", "vi", "purity"])
def test_all_pairs_are_the_pairs_one_by_one(name):
    rng = np.random.default_rng(3)
    labels = rng.integers(-1, 4, size=(30, 6))
    e = ge.Ensemble(labels, partition_names=list("abcdef"))
    found = measures.pairwise(e, name)
    one = getattr(measures, name)
    expected = [[one(labels[:, s], labels[:, t]) for t in range(6)] for s in range(6)]
    assert np.asarray(found) == pytest.approx(np.array(expected), abs=1e-12)
    assert found.names == tuple("abcdef")
    assert found.to_frame().loc["a", "c"] == pytest.approx(expected[0][2])


@pytest.mark.filterwarnings("ignore:Column:graphens.errors.GraphensWarning")
def test_pairs_with_many_clusters_and_weights():
    rng = np.random.default_rng(4)
    wide = ge.Ensemble(np.column_stack([rng.permutation(5000), rng.integers(0, 5000, size=5000), np.arange(5000) % 7]))
    found = measures.pairwise(wide, "nmi")
    assert found[0, 2] == pytest.approx(
        metrics.normalized_mutual_info_score(wide.labels[:, 0], wide.labels[:, 2], average_method="geometric")
    )
    rows = rng.integers(0, 3, size=(12, 3))
    counts = rng.integers(1, 4, size=12)
    weighted, copied = ge.Ensemble(rows, object_weights=counts), ge.Ensemble(np.repeat(rows, counts, axis=0))
    for name in ("nmi", "ami", "ari", "rand", "mirkin", "vi"):
        assert np.asarray(measures.pairwise(weighted, name)) == pytest.approx(
            np.asarray(measures.pairwise(copied, name))
        )
    with pytest.raises(InputError, match="not whole numbers"):
        measures.pairwise(ge.Ensemble(rows, object_weights=counts + 0.5), "ami")


@pytest.mark.parametrize("name", ["nmi", "ami", "ari", "rand", "mirkin", "vi", "purity"])
def test_agreement_is_a_function_of_any_measure(name):
    rng = np.random.default_rng(2)
    a, b = rng.integers(-1, 4, (2, 60))
    assert ge.measures.agreement(a, b, name) == getattr(ge.measures, name)(a, b)
    with pytest.raises(ge.GraphensError, match="expected one of nmi"):
        ge.measures.agreement(a, b, "nnmi")


def test_rows_of_one_are_labels_not_communities():
    """As lists of communities both would be the same: every object by itself."""
    a, b = [[0], [0], [1], [1]], [(0,), (1,), (0,), (1,)]
    assert measures.ari(a, b) == measures.ari([0, 0, 1, 1], [0, 1, 0, 1]) < 0
    assert measures.nmi([[3], [3], [5]], [1, 1, 0]) == pytest.approx(1)
    assert measures.ari([{0, 1}, {2}], [0, 0, 1]) == 1  # sets are communities as before
