"""Combining soft memberships against loops over objects and partitions."""

import itertools
import math

import numpy as np
import pytest

import graphens as ge
from graphens.errors import InputError


def random_soft(rng: np.random.Generator, n: int, b: int, k: int) -> tuple[list[np.ndarray], np.ndarray]:
    soft = [rng.dirichlet(np.full(k, 0.5), size=n) for _ in range(b)]
    for table in soft[1:]:
        table[rng.random(n) < 0.2] = 0
    return soft, rng.integers(1, 4, size=b).astype(float)


def plain_combined(soft: list[np.ndarray], weights: np.ndarray, rule: str) -> np.ndarray:
    n, k = soft[0].shape
    result = np.zeros((n, k))
    for i in range(n):
        there = [t for t in range(len(soft)) if soft[t][i].any()]
        for j in range(k):
            if rule == "linear":
                result[i, j] = sum(weights[t] * soft[t][i, j] for t in there)
            elif rule == "product":
                result[i, j] = math.prod(max(soft[t][i, j], 1e-12) ** weights[t] for t in there)
            else:
                result[i, j] = sum(weights[t] for t in there if soft[t][i].argmax() == j)
    return result / result.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("rule", ["linear", "product", "majority"])
@pytest.mark.parametrize("align", [True, False])
@pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
def test_rules_are_the_plain_rules(rule: str, *, align: bool) -> None:
    rng, compared = np.random.default_rng(0), 0
    for _ in range(60):
        n, k = int(rng.integers(3, 12)), int(rng.integers(2, 4))
        soft, weights = random_soft(rng, n, int(rng.integers(1, 5)), k)
        given = soft
        if align:  # every partition calls its clusters something else, chosen so that undoing it is the best matching
            orders = [np.arange(k)]
            for table in soft[1:]:
                gain = {p: (table[:, p] * soft[0]).sum() for p in itertools.permutations(range(k))}
                orders.append(np.array(max(gain, key=lambda p: gain[p])))
            soft = [table[:, order] for table, order in zip(soft, orders, strict=True)]
            shuffled = [rng.permutation(k) for _ in soft]
            given = [soft[0], *(table[:, p] for table, p in zip(soft[1:], shuffled[1:], strict=True))]
            if any(not (table * soft[0]).sum() for table in soft):
                continue
        p = plain_combined(soft, weights / weights.mean(), rule)
        top = np.sort(p, axis=1)
        if (top[:, -1] - top[:, -2] < 1e-9).any():
            continue
        e = ge.Ensemble.from_memberships(given, weights=weights)
        r = ge.combine(e, rule=rule, reference=0, align=align)
        winner = p.argmax(axis=1)
        assert ge.measures.vi(winner, r.labels) < 1e-12
        kept = p[:, [winner[np.flatnonzero(r.labels == j)[0]] for j in range(r.k)]]
        np.testing.assert_allclose(r.membership, kept / p.sum(axis=1, keepdims=True), atol=1e-9)
        compared += 1
    assert compared > 15


def test_hard_partitions_count_as_memberships_of_zero_and_one() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, size=40)
    labels = np.stack([np.where(rng.random(40) < 0.25, rng.integers(0, 3, 40), truth) for _ in range(5)], axis=1)
    labels[rng.random(labels.shape) < 0.1] = -1
    e = ge.Ensemble(labels)
    soft = ge.Ensemble.from_memberships([np.eye(4)[column][:, :3] for column in e.labels.T])
    for rule in ("linear", "product", "majority"):
        hard, same = ge.combine(e, rule=rule, reference=0), ge.combine(soft, rule=rule, reference=0)
        np.testing.assert_allclose(hard.membership.max(axis=1), same.membership.max(axis=1), atol=1e-9)
    assert (ge.combine(e, reference=0).labels == ge.vote(e, reference=0).labels).all()


def test_product_lets_one_doubt_count_and_linear_does_not() -> None:
    soft = [[[0.6, 0.4]], [[0.6, 0.4]], [[0.02, 0.98]]]
    soft = [[*rows, [1, 0], [0, 1]] for rows in soft]
    assert ge.combine(soft, rule="majority", align=False).labels.tolist() == [0, 0, 1]
    assert ge.combine(soft, rule="product", align=False).labels.tolist() == [0, 1, 0]


def test_lists_of_tables_enter_every_method() -> None:
    soft = [[[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]], [[0.3, 0.7], [0.9, 0.1], [1, 0]]]
    assert ge.combine(soft).labels.tolist() == [0, 1, 1]
    assert ge.vote(soft, reference=0).labels.tolist() == [0, 0, 1]
    assert ge.combine(list(np.array(soft))).labels.tolist() == [0, 1, 1]


def test_partitions_of_different_widths_and_a_wanted_k() -> None:
    two, three = np.eye(2)[[0, 0, 0, 0, 1, 1]], np.eye(3)[[0, 0, 1, 1, 2, 2]]
    assert ge.combine([two, three], reference=0).labels.tolist() == [0, 0, 0, 0, 1, 1]
    assert ge.combine([two, three], 3).k == 3
    assert ge.combine([three, three, two], 2, reference=0).labels.tolist() == [0, 0, 0, 0, 1, 1]
    with pytest.raises(InputError, match="align"):
        ge.combine([two, three], align=False)
