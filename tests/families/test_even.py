"""Even sizes: the objective against a slow plain version, its moves, and what the pull does."""

import numpy as np
import pytest

import graphens as ge
from graphens.families.partitioning import move_evenly


def plain(e: ge.Ensemble, labels: np.ndarray, balance: float) -> float:
    """The objective as the formula has it."""
    mass, k = e.object_weights, labels.max() + 1
    total = 0.0
    for c in range(k):
        inside = labels == c
        for t in range(e.n_partitions):
            row = e.labels[:, t]
            seen = mass[inside & (row >= 0)].sum()
            for base in range(row.max() + 1):
                shared, size = mass[inside & (row == base)].sum(), mass[row == base].sum()
                total += e.weights[t] * shared**2 / (size * seen) if shared else 0.0
        total -= balance * e.weights.sum() * k * (mass[inside].sum() / mass.sum()) ** 2
    return float(total / e.weights.sum())


def random_ensemble(seed: int) -> tuple[ge.Ensemble, int]:
    rng = np.random.default_rng(seed)
    n, b, k = int(rng.integers(6, 15)), int(rng.integers(1, 5)), int(rng.integers(2, 5))
    labels = rng.integers(0, k + 1, (n, b))
    labels[rng.random(labels.shape) < rng.choice([0, 0.2])] = -1
    labels[(labels < 0).all(axis=1), 0] = 0
    weights = rng.random(b) + 0.1 if seed % 3 == 0 else None
    return ge.Ensemble(labels, weights=weights, object_weights=rng.random(n) + 0.1 if seed % 2 else None), k


@pytest.mark.parametrize("balance", [0.0, 0.5, 3.0])
def test_every_move_gains_and_none_is_left(balance: float) -> None:
    """One object at a time: the labeling changes only where the plain objective rises most, and then as it says."""
    for seed in range(20):
        e, k = random_ensemble(seed)
        labels = np.random.default_rng(seed).permutation(np.arange(e.n_objects) % k).astype(np.int32)
        for v in np.random.default_rng(seed).integers(0, e.n_objects, 6):
            tries = []
            for c in range(k):
                other = labels.copy()
                other[v] = c
                tries.append(plain(e, other, balance) if (np.bincount(other, minlength=k) > 0).all() else -np.inf)
            found, moves = move_evenly(e, labels, np.array([v]), balance, 1)
            gain = max(tries) - tries[labels[v]]
            assert (moves == [1]) == (gain > 1e-9)
            assert plain(e, found, balance) == pytest.approx(max(tries), abs=1e-8)
            labels = found


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_the_answer_is_a_local_optimum_with_the_figures_it_names() -> None:
    for seed in range(15):
        e, k = random_ensemble(seed)
        r = ge.even(e, k, balance=0.7, seed=0)
        start = ge.lwgp(e, k, seed=0)
        scale = max(plain(e, start.labels, 0) - 1, 0) / max(start.k - 1, 1)
        best = plain(e, r.labels, 0.7 * scale)
        assert r.details["fit"] - 0.7 * scale * r.details["unevenness"] == pytest.approx(best)
        for v in range(e.n_objects):
            for c in range(r.k):
                other = r.labels.copy()
                other[v] = c
                if len(np.unique(other)) == r.k:
                    assert plain(e, other, 0.7 * scale) <= best + 1e-8


def test_fit_and_unevenness_have_the_ends_the_docstring_names() -> None:
    truth = np.repeat([0, 1, 2], 4)
    r = ge.even(np.column_stack([truth, truth * 2 + np.arange(12) % 2]), 3)
    assert (r.details["fit"], r.details["unevenness"]) == (pytest.approx(3), pytest.approx(1))
    r = ge.even(np.column_stack([truth, truth]), 1)
    assert (r.details["fit"], r.details["unevenness"]) == (pytest.approx(1), pytest.approx(1))


def test_the_pull_is_graded() -> None:
    """Two groups of 90 and 30 with a blurred border: sizes come closer as the pull grows, and are equal in the end."""
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1], [90, 30])
    labels = np.where(rng.random((120, 20)) < 0.3, rng.integers(0, 2, (120, 20)), truth[:, None])
    sizes = [np.sort(ge.even(labels, 2, balance=pull, seed=0).sizes()).tolist() for pull in (0, 1, 5, 1000)]
    differences = [large - small for small, large in sizes]
    assert differences == sorted(differences, reverse=True)
    assert differences[0] > 50
    assert differences[-1] == 0


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_objects_that_lwgp_leaves_out_find_a_cluster() -> None:
    e = ge.Ensemble([[0, -1], [0, -1], [1, -1], [1, -1], [-1, 0], [-1, 0]])
    assert (ge.even(e, 2, seed=0).labels >= 0).all()
