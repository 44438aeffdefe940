"""Monti's panel beside the clusterings it needs."""

from __future__ import annotations

from typing import Any

import numpy as np

import graphens as ge

from .measuring import measure
from .parts import Part, beside, megabytes


def _blobs(n: int, d: int, k: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + (rng.normal(size=(k, d)) * 1.5)[rng.integers(0, k, size=n)]


def _panel(X: np.ndarray, last: int, b: int) -> None:
    ge.monti(X, range(2, last + 1), n_partitions=b, seed=0).columns()


def _bare(X: np.ndarray, last: int, b: int) -> None:
    """The k-means runs alone."""
    from sklearn.cluster import KMeans

    rng = np.random.default_rng(0)
    for k in range(2, last + 1):
        for seed in range(b):
            rows = np.sort(rng.choice(len(X), int(0.8 * len(X)), replace=False))
            KMeans(k, n_init=1, random_state=seed).fit(X[rows])


def panel(n: int, d: int, last: int, b: int) -> dict[str, Any]:
    """Monti's panel beside its k-means runs alone."""
    X = _blobs(n, d, 5)
    ours, bare = (measure(way, X, last, b, warm=(X[:200], 3, 4)) for way in (_panel, _bare))
    return {
        "seconds": ours.seconds,
        "seconds of k-means": bare.seconds,
        "peak": ours.peak,
        "peak of k-means": bare.peak,
    }


PARTS = (
    Part(
        "choosing-panel",
        "Monti's panel: 2,000 objects × 50 features, 100 resamples, k = 2 to 8",
        panel,
        cases=[{"n": 2000, "d": 50, "last": 8, "b": 100}],
        quick=[{"n": 200, "d": 5, "last": 3, "b": 5}],
        columns=beside(
            lambda row: f"`monti(X)`, {row['n']:,} × {row['d']} features, {row['b']} resamples, k = 2 to {row['last']}",
            lambda row: "its runs of scikit-learn's `KMeans` alone",
            "seconds of k-means",
            their_memory=megabytes("peak of k-means"),
        ),
    ),
)
