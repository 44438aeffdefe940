"""Experiments on what the papers leave open: a cell again, with one thing changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.cluster import KMeans

import graphens as ge

from . import single
from .cells import Cell
from .columns import Case
from .data import SOURCES, load
from .published import TABLES
from .runner import case, measured

Found = dict[str, float]  # what was tried → error in percent
Experiment = Callable[[Cell], Found]
RUNS = 2
BALANCED: dict[str, Any] = {"CSPA": ge.cspa, "HGPA": ge.hgpa}


def percent(errors: list[float]) -> float:
    """Their mean, in percent."""
    return round(100 * float(np.mean(errors)), 1)


def _cases(cell: Cell, runs: int = RUNS, **changes: Any) -> list[Case]:
    return [case(cell.table, cell.data, run, **changes) for run in range(runs)]


def _again(cell: Cell, cases: list[Case]) -> float:
    return percent([measured(cell.ours, this) for this in cases])


def intervals(cell: Cell) -> Found:
    """Other numbers of clusters in the base partitions."""
    own, k = TABLES[cell.table].rows[cell.data].clusters, SOURCES[cell.data].k
    tried: list[Any] = [k, 2 * k, (2, 10), (2, 20), (30, 60), (60, 90)]
    return {
        f"k = {told}" if isinstance(told, int) else f"k in [{told[0]}, {told[1]}]": _again(
            cell, _cases(cell, clusters=told)
        )
        for told in tried
        if told != own
    }


def draws(cell: Cell) -> Found:
    """The look-alike drawn with other seeds."""
    k, row = SOURCES[cell.data].k, TABLES[cell.table]
    found = {}
    for seed in range(1, 5):
        X, truth = load(cell.data, seed)
        this = Case(X, truth, k, row.rows[cell.data].clusters, row.partitions, seed)
        found[f"draw {seed} of the look-alike"] = _again(cell, [this])
    return found


def sigmas(cell: Cell) -> Found:
    """σ by itself: the best, the worst, the middle one and the one nearest to the published error."""
    this = case(cell.table, cell.data, 0)
    tried = {cut.sigma: this.error(cut.labels) for cut in single.cuts(this.X, this.k, 0)}
    best, worst = min(tried, key=tried.__getitem__), max(tried, key=tried.__getitem__)
    middle = sorted(tried)[len(tried) // 2]
    near = min(tried, key=lambda sigma: abs(100 * tried[sigma] - (cell.theirs or 0.0)))
    return {f"σ = {sigma}": percent([tried[sigma]]) for sigma in sorted({best, worst, middle, near})}


def starts(cell: Cell) -> Found:
    """k-means stopped early, begun otherwise, or chosen among several runs."""
    this = case(cell.table, cell.data, 0)
    of = min if cell.column == "KM best" else np.mean
    runs = {
        f"k-means stopped after {rounds} rounds": [
            this.error(single.kmeans(this.X, this.k, seed, rounds=rounds)) for seed in range(50)
        ]
        for rounds in (1, 2, 3, 5)
    }
    runs["k-means++"] = [
        this.error(KMeans(this.k, n_init=1, random_state=seed).fit_predict(this.X)) for seed in range(50)
    ]
    found = {what: percent([float(of(errors))]) for what, errors in runs.items()}
    plain = [this.error(single.kmeans(this.X, this.k, seed)) for seed in range(50)]
    least = [this.error(single.kmeans(this.X, this.k, seed, tries=10)) for seed in range(20)]
    found["the run of least squares of 10"] = percent(least)
    return {**found, "the best of 50 runs": percent([min(plain)]), "the worst of 50": percent([max(plain)])}


def apart(cell: Cell) -> Found:
    """METIS on every object by itself instead of on distinct label rows."""
    function = BALANCED[cell.column]
    errors = [
        this.error(function(this.ensemble, this.k, collapse=False, seed=this.seed).labels)
        for this in _cases(cell)
    ]
    return {"equal objects free to part": percent(errors)}


def equal_parts(cell: Cell) -> Found:
    """The least error that parts of equal size can have."""
    _, truth = load(cell.data)
    sizes = np.bincount(truth[truth >= 0])
    n, k = int(sizes.sum()), SOURCES[cell.data].k
    best = 1 - np.minimum(sizes, n / k).sum() / n
    return {"the best that equal parts can be": percent([float(best)])}


def dealt(cell: Cell) -> Found:
    """Equal parts that know nothing of the data."""
    this = case(cell.table, cell.data, 0)
    lots = (np.random.default_rng(seed).permutation(len(this.X)) % this.k for seed in range(50))
    errors = [this.error(lot) for lot in lots]
    return {"equal parts drawn by lot": percent(errors), "the unluckiest lot of 50": percent([max(errors)])}


def neighbors(cell: Cell) -> Found:
    """Single link on the co-associations of near neighbours only."""
    errors = [
        this.error(ge.eac(this.ensemble, this.k, neighbors=20, X=this.X).labels) for this in _cases(cell)
    ]
    return {"co-associations of 20 neighbours": percent(errors)}


def three(cell: Cell) -> Found:
    """Three clusters of yeast, as the paper lists them."""
    return {
        "three clusters in the answer": _again(cell, [replace(this, k=3) for this in _cases(cell)]),
        "three clusters throughout": _again(cell, [replace(this, k=3) for this in _cases(cell, clusters=3)]),
    }


def halved(cell: Cell) -> Found:
    """Boosting with half the loss, as in AdaBoost.M2."""
    return {"half the loss": percent([_boosted(this) for this in _cases(cell, 10)])}


def _boosted(this: Case, rounds: int = 50) -> float:
    rng, n = np.random.default_rng(this.seed), len(this.X)
    weights, partitions, votes = np.full(n, 1 / n), [], []
    for _ in range(rounds):
        rows = rng.choice(n, n, p=weights)
        model = KMeans(this.k, init="random", n_init=1, random_state=int(rng.integers(2**31))).fit(
            this.X[rows]
        )
        inverse = 1 / np.maximum(model.transform(this.X) ** 2, 1e-12)
        h = inverse / inverse.sum(axis=1, keepdims=True)
        doubt = 1 - h.max(axis=1) + h.min(axis=1)
        loss = 0.5 * float(weights @ doubt)
        beta = (1 - loss) / loss
        partitions.append(model.predict(this.X))
        votes.append(np.log(beta))
        weights = weights * beta**doubt
        weights /= weights.sum()
    e = ge.Ensemble(np.stack(partitions, axis=1), weights=votes)
    return this.error(ge.vote(e).labels)


#: what decides, where an experiment gives the published figure
CAUSES: dict[Experiment, str] = {
    intervals: "the number of clusters in the base partitions, which the paper does not print",
    draws: "the look-alike, which is not the paper's file",
    sigmas: "the choice of σ",
    starts: "how k-means begins and ends",
    apart: "whether METIS may part objects with equal labels, which it may not here",
    equal_parts: "balance: no parts of equal size err less",
    dealt: "chance: the paper's partitioner found nothing there",
    neighbors: "single link on the 20 nearest neighbours only, as the paper's Table 1 has it",
    three: "the number of clusters, 3 in the paper's table where the data have 5 classes",
    halved: "the pseudo-loss of boosting: with the factor ½ of AdaBoost.M2 it never ends early",
}
EXPERIMENTS = {one.__name__: one for one in CAUSES}
