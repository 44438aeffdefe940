"""Generating ensembles: processor time and memory over the bare scikit-learn loop."""

from typing import Any

import numpy as np

import graphens as ge

from .measuring import measure
from .parts import Part, beside, megabytes

K = (10, 30)


def features(n: int, d: int = 16, seed: int = 0) -> np.ndarray:
    """Twenty Gaussian groups."""
    rng = np.random.default_rng(seed)
    centers = rng.normal(size=(20, d)) * 4
    return centers[rng.integers(20, size=n)] + rng.normal(size=(n, d))


def choices(n_partitions: int, seed: int = 0) -> list[tuple[int, int]]:
    """Number of clusters and seed of every partition, as `generate` draws them."""
    drawn = []
    for t in range(n_partitions):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(t,)))
        drawn.append((int(rng.choice(np.arange(K[0], K[1] + 1))), int(rng.integers(2**31))))
    return drawn


def bare(X: np.ndarray, n_partitions: int) -> None:
    """The loop a user would write; it keeps nothing."""
    from sklearn.cluster import KMeans

    for k, seed in choices(n_partitions):
        KMeans(k, init="random", n_init=1, random_state=seed).fit(X)


def ours(X: np.ndarray, n_partitions: int) -> None:
    ge.generate(X, n_partitions, k=K, seed=0, n_jobs=1)


def overhead(n: int, b: int, rounds: int) -> dict[str, Any]:
    """Two ways in turn, so that a busy machine is busy for both."""
    X = features(n)
    pairs = [[measure(way, X, b, warm=(X[:1000], 2), repeats=1) for way in (ours, bare)] for _ in range(rounds)]
    one, other = zip(*pairs, strict=True)
    return {
        "seconds": float(np.median([m.seconds for m in one])),
        "seconds of the loop": float(np.median([m.seconds for m in other])),
        "peak": max(m.peak for m in one),
        "peak of the loop": max(m.peak for m in other),
    }


PARTS = (
    Part(
        "generation-overhead",
        "Generating 10 k-means partitions of 50,000 × 16 features, k from 10 to 30",
        overhead,
        cases=[{"n": 50_000, "b": 10, "rounds": 3}],
        quick=[{"n": 2000, "b": 3, "rounds": 1}],
        columns=beside(
            lambda row: f"`generate(X, {row['b']})`, {row['n']:,} × 16 features",
            lambda row: "a loop over scikit-learn's `KMeans`",
            "seconds of the loop",
            their_memory=megabytes("peak of the loop"),
        ),
        note="The loop over k-means keeps nothing; both are medians of three rounds, taken in turn.",
    ),
)
