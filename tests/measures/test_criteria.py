"""Criteria of a consensus, and element-centric similarity, against plain versions of their definitions."""

import numpy as np
import plain
import pytest

import graphens as ge
from graphens import measures

RNG = np.random.default_rng(5)


def ensembles(count: int, *, missing: float = 0.0):
    for _ in range(count):
        n, B = int(RNG.integers(4, 20)), int(RNG.integers(2, 6))
        columns = [plain.random_labeling(RNG, n, 3, missing) for _ in range(B)]
        weights = RNG.integers(1, 4, size=B)
        yield ge.Ensemble.from_partitions(columns, weights=weights), columns, weights


@pytest.mark.parametrize("measure", ["nmi", "ari", "rand", "ami"])
def test_criteria_are_what_they_say(measure):
    for e, columns, weights in ensembles(40, missing=0.1):
        own, truth = (plain.random_labeling(RNG, e.n_objects, 3, 0.0), plain.random_labeling(RNG, e.n_objects, 3, 0.0))
        each = [measures.agreement(own, c, measure) for c in columns]
        assert measures.consistency(own, e, measure) == pytest.approx(np.average(each, weights=weights))
        assert measures.novelty(own, e, measure) == pytest.approx(1 - max(each))
        good = [measures.agreement(truth, c, measure) for c in columns]
        best = measures.agreement(truth, own, measure)
        beaten = sum(w for w, value in zip(weights, good, strict=True) if value <= best + 1e-12)
        assert measures.robustness(own, e, truth, measure=measure) == pytest.approx(beaten / weights.sum())
        others = [
            np.average(
                [measures.agreement(c, d, measure) for s, d in enumerate(columns) if s != t],
                weights=np.delete(weights, t),
            )
            for t, c in enumerate(columns)
        ]
        mean = np.average(each, weights=weights)
        beaten = sum(w for w, value in zip(weights, others, strict=True) if value <= mean + 1e-9)
        assert measures.robustness(own, e, measure=measure) == pytest.approx(beaten / weights.sum())


def test_a_member_is_not_new_and_distances_are_refused():
    e = ge.Ensemble([[0, 0], [0, 1], [1, 1]])
    assert measures.novelty([5, 5, 7], e) == pytest.approx(0)
    with pytest.raises(ge.GraphensError, match="measure = 'vi'"):
        measures.novelty([0, 0, 1], e, "vi")


def test_element_centric_is_the_walk_of_the_paper():
    """Half the distance between two personalized walks with restart 0.1, which stay in an object's cluster."""
    alpha = 0.9
    for a, b in ((plain.random_labeling(RNG, 12, 4, 0.0), plain.random_labeling(RNG, 12, 3, 0.0)) for _ in range(50)):
        walks = []
        for labels in (a, b):
            together = (labels[:, None] == labels[None, :]).astype(float)
            walks.append((1 - alpha) * np.eye(12) + alpha * together / together.sum(axis=1, keepdims=True))
        wanted = 1 - np.abs(walks[0] - walks[1]).sum(axis=1) / (2 * alpha)
        np.testing.assert_allclose(measures.element_similarities(a, b), wanted)
        assert measures.element_centric(a, b) == pytest.approx(wanted.mean())


def test_element_centric_leaves_out_what_either_leaves_out():
    assert measures.element_centric([0, 0, 1, -1], [1, 1, 0, 0]) == 1
    assert np.isnan(measures.element_similarities([0, 0, 1, -1], [1, 1, 0, 0])[3])
    assert measures.element_centric([-1, 0], [0, -1]) == 0
    with pytest.raises(ge.GraphensError, match="2 and 3 objects"):
        measures.element_similarities([0, 0], [0, 1, 1])


def test_nmi_by_the_joint_entropy_and_by_the_numbers_of_clusters():
    for _ in range(60):
        a, b = (plain.random_labeling(RNG, 15, 4, 0.1) for _ in range(2))
        kept = (a >= 0) & (b >= 0)
        a, b = a[kept], b[kept]
        joint = [x * 100 + y for x, y in zip(a, b, strict=True)]
        h_a, h_b, h_ab = (plain.entropy(np.unique(x, return_counts=True)[1]) for x in (a, b, joint))
        mean = (np.log(len(set(a))) + np.log(len(set(b)))) / 2
        if h_a > 0 and h_b > 0:
            assert measures.nmi(a, b, "joint") == pytest.approx((h_a + h_b - h_ab) / h_ab, abs=1e-9)
            assert measures.nmi(a, b, "log") == pytest.approx((h_a + h_b - h_ab) / mean, abs=1e-9)
        e = ge.Ensemble.from_partitions([a, b])
        for average in ("joint", "log"):
            found = measures.pairwise(e, average=average)[0, 1]
            assert found == pytest.approx(measures.nmi(a, b, average), abs=1e-9)
