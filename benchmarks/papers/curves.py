"""The curves of the papers' figures, worked out once and kept."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import graphens as ge
from graphens.measures import anmi, error_rate, nmi

from . import single
from .columns import HEADS
from .data import SOURCES, load
from .runner import keep, kept

Curve = dict[str, list[float]]  # x, y and, where there is one, the deviation
STALE: set[str] = set()  # curves that are kept and to be worked out again
SIZES = (5, 10, 25, 50, 100)
LARGE = (*SIZES, 200)
REFERENCES = (2, 3, 4, 5, 10, 15, 20, 50)
#: the constant k of Li et al. for each set; printed for 2-spirals only, of the others the best in the table
HNE_CLUSTERS = {"2-spirals": 60, "complex image": 40, "3-paths": 30, "breast cancer": 10, "std yeast": 20}


def forget_curves() -> None:
    """Work every curve out again when it is next asked for, also where one is kept."""
    STALE.update(CURVES)


def curve(name: str) -> dict[str, Curve]:
    """Return the curves of a figure, worked out now unless they are kept."""
    found: dict[str, dict[str, Curve]] = kept("curves")
    if name not in found or name in STALE:
        start = time.process_time()
        made = CURVES[name]()
        found = {**kept("curves"), name: made}
        keep("curves", found)
        STALE.discard(name)
        print(f"curves of {name}: {time.process_time() - start:.1f} CPU s", file=sys.stderr)
    return found[name]


def _drawn(x: Any, y: Any, deviation: Any = None) -> Curve:
    told = {"x": x, "y": y} if deviation is None else {"x": x, "y": y, "deviation": deviation}
    return {name: [round(float(value), 4) for value in values] for name, values in told.items()}


def agreement() -> dict[str, Curve]:
    """Mean NMI of reference partitions with three ensembles of cigar (Fred and Jain, Fig. 5)."""
    X, truth = load("cigar")
    references = [reference(X, truth, size) for size in REFERENCES]
    ensembles = {"10": 10, "20": 20, "[4, 20]": (4, 20)}
    made = {name: ge.generate(X, 50, k=k, seed=0) for name, k in ensembles.items()}
    return {
        name: _drawn(REFERENCES, [anmi(labels, e, "arithmetic") for labels in references]) for name, e in made.items()
    }


def reference(X: np.ndarray, truth: np.ndarray, size: int) -> np.ndarray:
    """The dense clusters as they are, the sparse ones joined, or split by k-means into what is left of `size`."""
    labels = np.where(truth < 2, 0, truth - 1)
    if size < 4:
        return np.minimum(labels, size - 1)
    for number, c in enumerate((0, 1)):
        share = (size - 2 + number) // 2
        labels = np.where(truth == c, 100 * (c + 1), labels)
        labels[truth == c] += single.kmeans(X[truth == c], share, 0)
    return labels


def variance() -> dict[str, Curve]:
    """NMI of bootstrap ensembles with their consensus at k, and of that with the truth (Fred and Jain, Fig. 7)."""
    found = {}
    for name, k, draw in (
        ("cigar", 15, 0),
        ("cigar, draw 1", 15, 1),
        ("cigar, draw 1", 8, 1),
        ("half-rings", 15, 0),
        ("half-rings", (20, 40), 0),
        ("uniform-5d", 15, 0),
    ):
        X, truth = load(name.partition(",")[0], draw)
        made = ge.generate(X, 50, k=k, seed=0)
        told = ge.stability(made, range(2, 11), n_bootstraps=100, linkage="single", seed=0)
        shared = [[nmi(truth, p, "arithmetic") for p in told.answers[k].labels.T] for k in told.ks]
        here = f"{name}, k = {k}"
        found[here] = _drawn(told.ks, told.mean, told.std)
        found[f"{here}: limit"] = _drawn(told.ks, [told.limit] * len(told.ks))
        found[f"{here}: truth"] = _drawn(told.ks, np.mean(shared, axis=1), np.std(shared, axis=1))
    return found


def settling() -> dict[str, Curve]:
    """Clusters of half-rings by lifetime, over the number of partitions, 25 ensembles (Fred and Jain, Fig. 8)."""
    X, _ = load("half-rings")
    found = {}
    for k in (10, 20, 30):
        for start, base in (("centers begin at objects", "kmeans"), ("centers begin anywhere", single.anywhere)):
            made = [ge.generate(X, max(LARGE), k=k, base=base, seed=run) for run in range(25)]
            numbers = np.array(
                [[ge.eac(e.take(partitions=range(size)), neighbors=20, X=X).k for size in LARGE] for e in made]
            )
            found[f"k = {k}, {start}"] = _drawn(LARGE, numbers.mean(axis=0), numbers.std(axis=0))
    return found


def ensemble_sizes() -> dict[str, Curve]:
    """Error of cumulative ensembles over the number of bootstrap partitions, 5 runs (Ayad and Kamel, Fig. 6)."""
    found = {}
    for data in ("iris", "wine", "crescents", "differing ellipses"):
        (X, truth), k = load(data), SOURCES[data].k
        for more in (2, 8):
            made = [ge.generate(X, max(SIZES), k=k + more, sampling="bootstrap", seed=run) for run in range(5)]
            errors = [
                [error_rate(truth, ge.cumulative(e.take(partitions=range(size)), k, seed=0).labels) for e in made]
                for size in SIZES
            ]
            found[f"{data}, c = k + {more}"] = _drawn(SIZES, np.mean(errors, axis=1), np.std(errors, axis=1))
    return found


def spread() -> dict[str, Curve]:
    """Deviation over c of the mean error of cumulative ensembles, 5 runs each, over the number of partitions."""
    found = {}
    for data in ("iris", "wine", "differing ellipses"):
        (X, truth), k = load(data), SOURCES[data].k
        means = np.array([_mean_errors(X, truth, k, more) for more in HEADS])
        found[data] = _drawn(SIZES, means.std(axis=0))
    return found


def _mean_errors(X: np.ndarray, truth: np.ndarray, k: int, more: int) -> list[float]:
    made = [ge.generate(X, max(SIZES), k=k + more, sampling="bootstrap", seed=run) for run in range(5)]
    return [
        float(np.mean([error_rate(truth, ge.cumulative(e.take(partitions=range(B)), k, seed=0).labels) for e in made]))
        for B in SIZES
    ]


def few_partitions() -> dict[str, Curve]:
    """Error of normalized edges over the number of partitions, 10 ensembles (Li, Yu, Hao and Li, section 4)."""
    found = {}
    for data, c in HNE_CLUSTERS.items():
        (X, truth), k, sizes = load(data), SOURCES[data].k, (5, 10, 20, 30)
        made = [ge.generate(X, max(sizes), k=c, seed=run) for run in range(10)]
        errors = [
            [error_rate(truth, ge.hne(e.take(partitions=range(size)), k, theta=0.3).labels) for e in made]
            for size in sizes
        ]
        found[f"{data}, k = {c}"] = _drawn(sizes, np.mean(errors, axis=1), np.std(errors, axis=1))
    return found


def thresholds() -> dict[str, Curve]:
    """Error of normalized edges over θ, 30 partitions, 10 ensembles (Li, Yu, Hao and Li, section 3.2)."""
    found = {}
    for data, c in HNE_CLUSTERS.items():
        (X, truth), k, thetas = load(data), SOURCES[data].k, (0.1, 0.2, 0.3, 0.4)
        made = [ge.generate(X, 30, k=c, seed=run) for run in range(10)]
        errors = [[error_rate(truth, ge.hne(e, k, theta=theta).labels) for e in made] for theta in thetas]
        found[f"{data}, k = {c}"] = _drawn(thetas, np.mean(errors, axis=1), np.std(errors, axis=1))
    return found


CURVES: dict[str, Callable[[], dict[str, Curve]]] = {
    "agreement": agreement,
    "variance": variance,
    "settling": settling,
    "ensemble-sizes": ensemble_sizes,
    "spread": spread,
    "few-partitions": few_partitions,
    "thresholds": thresholds,
}
