"""What a confidence means: how many objects are right at each confidence.

An object is right where the class that its cluster is matched to (one to one, with as many objects as possible) is its
own. Ensembles of ten kinds that are made here, three of each, and the real sets of `benchmarks.real`.
"""

import warnings
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

import graphens as ge

from .data import in_random_order
from .parts import Column, Part, Row
from .quality_sets import Points, Rng, blobs, moons, rings
from .real import KEEL, keel

METHODS = ("auto", "lwgp", "mcla", "vote")
EDGES = np.array([0.0, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 1.0])
HEADS = ("below ½", *(f"{a:g} to {b:g}" for a, b in pairwise(EDGES[1:])))
B, SEEDS, FEW = 20, 3, 5  # partitions, data sets of a kind, objects below which a bin says nothing
POOLED, SAMPLE = 30, 500  # partitions, and objects at most, of a real set


def _kmeans(make: Callable[[Rng], Points], k: Any = None) -> Callable[[Rng, int], tuple[ge.Ensemble, Any]]:
    """Partitions of features by k-means, by default with many clusters."""

    def ensemble(rng: Rng, seed: int) -> tuple[ge.Ensemble, Any]:
        X, truth = make(rng)
        return ge.generate(X, B, k=k, seed=seed), truth

    return ensemble


def _labels(wrong: Any, missing: float = 0.0) -> Callable[[Rng, int], tuple[ge.Ensemble, Any]]:
    """Partitions that are the classes but for a share of random labels, each partition with mistakes of its own."""

    def ensemble(rng: Rng, seed: int) -> tuple[ge.Ensemble, Any]:
        truth, shape = np.repeat(np.arange(4), [200, 100, 60, 40]), (400, B)
        share = np.linspace(*wrong, B) if isinstance(wrong, tuple) else wrong
        labels = np.where(rng.random(shape) < share, rng.integers(0, 4, shape), truth[:, None])
        labels[rng.random(shape) < missing] = -1
        return ge.Ensemble(labels), truth

    return ensemble


def _loaded(name: str) -> Callable[[Rng], Points]:
    def make(rng: Rng) -> Points:
        X, truth = ge.datasets.load(name)
        rows = rng.permutation(len(X))[:400]
        X, truth = X[rows], truth[rows]
        return (X if name == "digits" else X / X.std(axis=0)), truth

    return make


KINDS: dict[str, Callable[[Rng, int], tuple[ge.Ensemble, Any]]] = {
    "even blobs": _kmeans(lambda rng: blobs(rng, [100] * 4, 2, 4, [1])),
    "uneven blobs": _kmeans(lambda rng: blobs(rng, [240, 100, 40, 20], 2, 4, [1, 2])),
    "overlapping blobs": _kmeans(lambda rng: blobs(rng, [100] * 4, 3, 2.5, [1])),
    "overlapping blobs, true k": _kmeans(lambda rng: blobs(rng, [100] * 4, 3, 2.5, [1]), 4),
    "moons": _kmeans(lambda rng: moons(rng, (200, 200), 0.15)),
    "a ring around a blob": _kmeans(lambda rng: rings(rng, [150, 250], [0, 2], 0.2)),
    "wine": _kmeans(_loaded("wine")),
    "digits": _kmeans(_loaded("digits")),
    "noisy labels": _labels((0.4, 0.9)),
    "missing labels": _labels(0.5, 0.5),
}


def of_kind(kind: str, seed: int) -> dict[str, Any]:
    """One ensemble that is made here."""
    place = list(KINDS).index(kind)
    return answers(*in_random_order(seed, *KINDS[kind](np.random.default_rng((place, seed)), seed)))


def of_set(name: str) -> dict[str, Any]:
    """One real set: k-means partitions with 2 to √n clusters."""
    X, classes = keel(name, SAMPLE)
    seed = KEEL.index(name)
    e = ge.generate(X, POOLED, base="kmeans", k=(2, int(len(X) ** 0.5)), seed=seed)
    return answers(*in_random_order(seed, e, np.unique(classes, return_inverse=True)[1]))


def answers(e: ge.Ensemble, truth: np.ndarray) -> dict[str, Any]:
    """For each method, with as many clusters as there are classes, objects and right ones in each bin, and the AUC."""
    found = {}
    for method in METHODS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            r = ge.consensus(e, len(np.unique(truth)), method=method, seed=0)
        right = ge.match(truth, r.labels).relabel(r.labels) == truth
        found[method] = {"bins": bins(r.confidence, right), "auc": auc(r.confidence, right)}
    return found


def auc(confidence: np.ndarray, right: np.ndarray) -> float | None:
    """Share of pairs, one right and one wrong, in which the right one is more confident; ties count half."""
    from scipy.stats import rankdata

    good, bad = int(right.sum()), int((~right).sum())
    if not good or not bad:
        return None
    return float((rankdata(confidence)[right].sum() - good * (good + 1) / 2) / (good * bad))


def bins(confidence: np.ndarray, right: np.ndarray) -> list[list[int]]:
    """For each bin how many objects it has, and how many of them are right."""
    place, width = np.digitize(confidence, EDGES[1:-1]), len(EDGES) - 1
    return np.column_stack([np.bincount(place, minlength=width), np.bincount(place[right], minlength=width)]).tolist()


def _pooled(some: Sequence[Row], method: str) -> Row:
    """The bins of all of them together, the mean AUC, and how often it is below one half."""
    areas = [row[method]["auc"] for row in some if row[method]["auc"] is not None]
    below = f"{sum(area < 0.5 for area in areas)} of {len(areas)}"
    return {"bins": np.sum([row[method]["bins"] for row in some], axis=0), "auc": np.mean(areas), "below": below}


def _kinds(rows: Sequence[Row]) -> list[Row]:
    of = {kind: [row for row in rows if row["kind"] == kind] for kind in KINDS}
    return [{"ensembles": kind, **_pooled(some, "auto")} for kind, some in of.items() if some]


def _methods(rows: Sequence[Row]) -> list[Row]:
    return [{"method": f"`{method}`", **_pooled(rows, method)} for method in METHODS] if rows else []


def _share(i: int) -> Column:
    """The share of right objects in a bin, and the number of objects."""

    def cell(row: Row) -> str:
        n, right = row["bins"][i]
        return f"{right / n:.2f} ({n:,})" if n >= FEW else "–"

    return cell


_BINS: dict[str, Column] = {head: _share(i) for i, head in enumerate(HEADS)}
_AREA: dict[str, Column] = {"mean AUC": lambda row: f"{row['auc']:.2f}"}
PARTS = (
    Part(
        "calibration-kinds",
        "Share of right objects by confidence, answers of `auto`",
        of_kind,
        [{"kind": kind, "seed": seed} for kind in KINDS for seed in range(SEEDS)],
        [{"kind": "wine", "seed": 0}],
        {"ensembles": "ensembles", **_BINS, **_AREA},
        gather=_kinds,
    ),
    Part(
        "calibration-pools",
        "Share of right objects by confidence, real sets",
        of_set,
        [{"name": name} for name in KEEL],
        [{"name": "iris"}],
        {"method": "method", **_BINS, **_AREA, "AUC below ½": "below"},
        gather=_methods,
    ),
)
