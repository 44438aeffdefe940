"""What every method promises when the same evidence is written differently, as its registry row says.

"exact": the same clusters on any ensemble. "up to ties": the same clusters where nothing ties, here on several
ensembles of clear groups with weights that have no common measure. "none": no promise, nothing to test.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import graphens as ge

ROWS = {row.name: row for row in ge.methods()}
Change = Callable[[ge.Ensemble, np.ndarray], tuple[ge.Ensemble, np.ndarray, np.ndarray]]


PRIMES = np.array([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89])


def clear(seed: int, sizes: tuple[int, ...], n_partitions: int, *, masses: bool = False) -> ge.Ensemble:
    """Groups of these sizes that the partitions know up to a few slips and gaps."""
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.repeat(np.arange(3), sizes))
    labels = np.repeat(truth[:, None], n_partitions, axis=1)
    slips = rng.random(labels.shape)
    labels[slips < 0.06] = rng.integers(0, 3, np.count_nonzero(slips < 0.06))
    labels[slips > 0.97] = -1
    labels[(labels < 0).all(axis=1), 0] = 0
    return ge.Ensemble(
        labels,
        weights=1 + np.sqrt(PRIMES[:n_partitions]) / 10,
        object_weights=1 + np.sqrt(PRIMES[: len(truth)]) / 20 if masses else None,
    )


CLEAR = {
    "many partitions": clear(3, (6, 6, 6), 11),
    "uneven": clear(3, (9, 6, 4), 7),
    "object weights": clear(4, (7, 6, 5), 6, masses=True),
}


def noise(seed: int) -> ge.Ensemble:
    """No groups at all, and ties everywhere."""
    rng = np.random.default_rng(seed)
    labels = np.where(rng.random((15, 4)) < 0.1, -1, rng.integers(0, 3, (15, 4)))
    labels[(labels < 0).all(axis=1), 0] = 0
    return ge.Ensemble(labels)


NOISE = noise(2)


def features(e: ge.Ensemble) -> np.ndarray:
    return np.random.default_rng(3).normal(size=(e.n_objects, 2)) + 5 * e.labels[:, [0]]


@functools.cache
def answer(name: str, of: str) -> np.ndarray:
    """The answer to the ensemble as it is, which all changes are compared with."""
    e = CLEAR.get(of, NOISE)
    return run(name, e, features(e))


def run(name: str, e: ge.Ensemble, X: np.ndarray) -> np.ndarray:
    asked = inspect.signature(ROWS[name].function).parameters
    given: dict[str, Any] = {"k": 3, "seed": 7}
    if name == "wce":
        given["X"] = X
    return ROWS[name].function(e, **{key: value for key, value in given.items() if key in asked}).labels


# Each change returns the other ensemble, its features, and which of its objects each of ours has become.


def renaming(e: ge.Ensemble, X: np.ndarray) -> tuple[ge.Ensemble, np.ndarray, np.ndarray]:
    swap = np.array([9, 4, 6, -1])
    other = ge.Ensemble.from_partitions([swap[column] for column in e.labels.T], weights=e.weights)
    return other, X, np.arange(e.n_objects)


def partitions(e: ge.Ensemble, X: np.ndarray) -> tuple[ge.Ensemble, np.ndarray, np.ndarray]:
    order = np.random.default_rng(1).permutation(e.n_partitions)
    return e.take(partitions=order), X, np.arange(e.n_objects)


def objects(e: ge.Ensemble, X: np.ndarray) -> tuple[ge.Ensemble, np.ndarray, np.ndarray]:
    order = np.random.default_rng(2).permutation(e.n_objects)
    return e.take(objects=order), X[order], np.argsort(order)


def repeating(e: ge.Ensemble, X: np.ndarray) -> tuple[ge.Ensemble, np.ndarray, np.ndarray]:
    every = np.repeat(np.arange(e.n_objects), 3)
    return e.take(objects=every), X[every], 3 * np.arange(e.n_objects)


def scaling(e: ge.Ensemble, X: np.ndarray) -> tuple[ge.Ensemble, np.ndarray, np.ndarray]:
    return e.reweight(e.weights * 2.0**-40), X, np.arange(e.n_objects)


def lighter(e: ge.Ensemble, X: np.ndarray) -> tuple[ge.Ensemble, np.ndarray, np.ndarray]:
    return e._replace(object_weights=e.object_weights * 2.0**-40), X, np.arange(e.n_objects)


CHANGES: list[Change] = [renaming, partitions, objects, repeating, scaling, lighter]
OWN = [name for name, row in sorted(ROWS.items()) if not hasattr(row.function.__wrapped__, "__wrapped__")]  # no alias
CASES = [(name, change) for name in OWN for change in CHANGES]


def same_clusters(a: np.ndarray, b: np.ndarray) -> bool:
    pairs = set(zip(a.tolist(), b.tolist(), strict=True))
    return len(pairs) == len(set(a.tolist())) == len(set(b.tolist()))


@pytest.mark.parametrize(("name", "change"), CASES, ids=[f"{name}-{change.__name__}" for name, change in CASES])
@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_the_promise_is_kept(name: str, change: Change) -> None:
    promise = getattr(ROWS[name].symmetry, "scaling" if change is lighter else change.__name__)
    assert promise in ("exact", "up to ties", "none")
    made = {"exact": {"noise": NOISE}, "up to ties": CLEAR, "none": {}}[promise]
    for of, e in made.items():
        other, X, at = change(e, features(e))
        ours, theirs = answer(name, of), run(name, other, X)[at]
        assert same_clusters(ours, theirs), (of, ours, theirs)
