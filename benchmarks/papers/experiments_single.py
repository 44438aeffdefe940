"""Experiments on single algorithms: how k-means begins, what spectral clustering is given, how boosting counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.cluster import KMeans

import graphens as ge

from . import single
from .cells import Cell
from .columns import Case
from .experiments import Found, cases, percent
from .runner import case

COARSE_SIGMAS = single.SIGMAS[::4]


def starts(cell: Cell) -> Found:
    """k-means stopped early, begun otherwise, or chosen among several runs.

    "rounds: 3" stops after three iterations, "centers anywhere" starts in the box around the data, "best of 10 by
    squares" keeps the run with the smallest sum of squares.
    """
    this = case(cell.table, cell.data, 0)
    of = min if cell.column == "KM best" else np.mean
    ways: dict[str, Callable[[int], Any]] = {
        f"rounds: {rounds}": lambda seed, rounds=rounds: single.kmeans(this.X, this.k, seed, rounds=rounds)
        for rounds in (1, 2, 3, 5)
    }
    ways["k-means++"] = lambda seed: KMeans(this.k, n_init=1, random_state=seed).fit_predict(this.X)
    ways["centers anywhere"] = lambda seed: single.anywhere(this.X, this.k, seed)
    ways["best of 10 by squares"] = lambda seed: single.kmeans(this.X, this.k, seed, tries=10)
    return {what: percent([float(of([this.error(way(seed)) for seed in range(50)]))]) for what, way in ways.items()}


def sigmas(cell: Cell) -> Found:
    """σ by itself: the best, the worst and the one nearest to the published error."""
    this = case(cell.table, cell.data, 0)
    tried = {cut.sigma: this.error(cut.labels) for cut in single.cuts(this.X, this.k, 0, COARSE_SIGMAS)}
    picked = {
        "best": min(tried, key=tried.__getitem__),
        "worst": max(tried, key=tried.__getitem__),
        "nearest": min(tried, key=lambda sigma: abs(100 * tried[sigma] - (cell.theirs or 0.0))),
    }
    return {f"{what} (σ = {sigma})": percent([tried[sigma]]) for what, sigma in picked.items()}


def scales(cell: Cell) -> Found:
    """The data in other units, σ of least distortion."""
    this = case(cell.table, cell.data, 0)
    X, spread = this.X, np.maximum(np.ptp(this.X, axis=0), 1e-12)
    units = {
        "features in [0, 1]": (X - X.min(axis=0)) / spread,
        "features of deviation 1": X / np.maximum(X.std(axis=0), 1e-12),
        "rows of length 1": X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-12),
    }
    return {
        what: percent([this.error(single.spectral(data, this.k, 0, COARSE_SIGMAS))]) for what, data in units.items()
    }


def rows(cell: Cell) -> Found:
    """k-means on the eigenvectors' rows begun once, from random rows.

    "σ as before" keeps the σ that five starts choose; "σ anew" chooses it by the single start.
    """
    this = case(cell.table, cell.data, 0)
    once = [KMeans(this.k, init="random", n_init=1, random_state=seed) for seed in range(5)]
    usual = KMeans(this.k, n_init=5, random_state=0)
    cuts = [
        [single.cut_rows(sigma, rows, last) for last in (usual, *once)]
        for sigma, rows in single.embedded(this.X, this.k, COARSE_SIGMAS)
    ]
    before = min(cuts, key=lambda at: at[0].distortion)[1:]
    anew = [min((at[run] for at in cuts), key=lambda cut: cut.distortion) for run in range(1, 6)]
    return {
        "one start, σ as before": percent([this.error(cut.labels) for cut in before]),
        "one start, σ anew": percent([this.error(cut.labels) for cut in anew]),
    }


def boosting(cell: Cell) -> Found:
    """Boosting with half the loss as in AdaBoost.M2, with memberships by distance, with the entropy as loss.

    "10 rounds" stops after 10 partitions instead of 50.
    """
    ways: dict[str, dict[str, Any]] = {
        "half the loss": {"factor": 0.5},
        "by distance": {"power": 1},
        "by distance, half": {"power": 1, "factor": 0.5},
        "entropy": {"loss": _entropy},
        "10 rounds": {"rounds": 10},
    }
    return {what: percent([_boosted(this, **way) for this in cases(cell, 10)]) for what, way in ways.items()}


def _doubt(h: np.ndarray) -> np.ndarray:
    return np.asarray(1 - h.max(axis=1) + h.min(axis=1))


def _entropy(h: np.ndarray) -> np.ndarray:
    return np.asarray(-(h * np.log(np.maximum(h, 1e-300))).sum(axis=1) / np.log(h.shape[1]))


def _boosted(
    this: Case, rounds: int = 50, power: int = 2, factor: float = 1.0, loss: Callable[[np.ndarray], np.ndarray] = _doubt
) -> float:
    rng, n = np.random.default_rng(this.seed), len(this.X)
    weights, partitions, votes = np.full(n, 1 / n), [], []
    for _ in range(rounds):
        drawn = this.X[rng.choice(n, n, p=weights)]
        model = KMeans(this.k, init="random", n_init=1, random_state=int(rng.integers(2**31))).fit(drawn)
        inverse = 1 / np.maximum(model.transform(this.X) ** power, 1e-12)
        doubt = loss(inverse / inverse.sum(axis=1, keepdims=True))
        error = factor * float(weights @ doubt)
        if error > 0.5 and partitions:
            break
        beta = max((1 - error) / error, 1.0)
        partitions.append(model.predict(this.X))
        votes.append(max(np.log(beta), 1e-9))
        weights = weights * beta**doubt
        weights /= weights.sum()
    return this.error(ge.vote(ge.Ensemble(np.stack(partitions, axis=1), weights=votes)).labels)
