"""Why a cell differs: experiments on what the papers leave open, and the sentence they give."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from . import single
from .cells import Cell, cells
from .columns import Case
from .data import SOURCES, is_made, load
from .published import TABLES
from .runner import case, keep, kept, measured

Found = dict[str, float]  # what was tried → error in percent
RUNS = 2


def _mean(column: str, cases: list[Case]) -> float:
    return round(100 * float(np.mean([measured(column, this) for this in cases])), 1)


def intervals(cell: Cell) -> Found:
    """Other numbers of clusters in the base partitions."""
    k = SOURCES[cell.data].k
    tried: list[Any] = [k, (k, 2 * k), (2, 10), (2, 20), (10, 30), (30, 60)]
    return {
        f"k = {told}" if isinstance(told, int) else f"k in [{told[0]}, {told[1]}]": _mean(
            cell.ours, [case(cell.table, cell.data, run, clusters=told) for run in range(RUNS)]
        )
        for told in tried
    }


def draws(cell: Cell) -> Found:
    """The look-alike drawn with other seeds."""
    k, row = SOURCES[cell.data].k, TABLES[cell.table]
    found = {}
    for seed in range(1, 6):
        X, truth = load(cell.data, seed)
        this = Case(X, truth, k, row.rows[cell.data].clusters, row.partitions, seed)
        found[f"drawn with seed {seed}"] = _mean(cell.ours, [this])
    return found


def sigmas(cell: Cell) -> Found:
    """Every σ by itself instead of the one of least distortion."""
    this = case(cell.table, cell.data, 0)
    tried = {sigma: single.spectral(this.X, this.k, 0, (sigma,)) for sigma in single.SIGMAS}
    return {f"σ = {sigma}": round(100 * this.error(labels), 1) for sigma, labels in tried.items()}


def starts(cell: Cell) -> Found:
    """k-means from spread-out centres, and the best and the worst of 50 runs."""
    from sklearn.cluster import KMeans

    this = case(cell.table, cell.data, 0)
    errors = [this.error(single.kmeans(this.X, this.k, seed)) for seed in range(50)]
    spread = [
        this.error(KMeans(this.k, n_init=1, random_state=seed).fit_predict(this.X)) for seed in range(20)
    ]
    told = {"the best of 50 runs": min(errors), "the worst": max(errors), "k-means++": float(np.mean(spread))}
    return {what: round(100 * error, 1) for what, error in told.items()}


_SINGLE: dict[str, Callable[[Cell], Found]] = {
    "SC": sigmas,
    "KM": starts,
    "KM best": starts,
    "SL": draws,
    "AL": draws,
}
_OWN = {"Boost-KM", "Latent-EM", "CA-HNE"}  # their partitions do not follow the row's interval


def experiment(cell: Cell) -> Callable[[Cell], Found] | None:
    """Return the experiment that bears on a cell: what the paper leaves open there."""
    if cell.column in _SINGLE and not (_SINGLE[cell.column] is draws and not is_made(cell.data)):
        return _SINGLE[cell.column]
    if TABLES[cell.table].rows[cell.data].clusters != SOURCES[cell.data].k and cell.column not in _OWN:
        return intervals
    return draws if is_made(cell.data) else None


def run_reasons(tables: list[str]) -> None:
    """Make the experiments of all differing cells that have none yet."""
    found: dict[str, Found] = kept("reasons")
    for cell in (cell for table in tables for cell in cells(table) if cell.verdict in {"lower", "higher"}):
        name, tried = f"{cell.table}: {cell.data}, {cell.column}", experiment(cell)
        if name in found or tried is None:
            continue
        print(f"why {name}", file=sys.stderr)
        found[name] = tried(cell)
        keep("reasons", found)


def sentence(cell: Cell, found: dict[str, Found], notes: dict[tuple[str, str], str]) -> str:
    """Say why a cell differs: what was tried and whether the published figure lies within it, and what is known."""
    tried = found.get(f"{cell.table}: {cell.data}, {cell.column}", {})
    known = notes.get((cell.data, cell.column), "")
    if not tried:
        return known or "No experiment yet."
    listed = ", ".join(f"{error:.1f} with {what}" for what, error in tried.items())
    low, high = min(*tried.values(), cell.mean), max(*tried.values(), cell.mean)
    theirs = cell.theirs or 0.0
    inside = low - 1 <= theirs <= high + 1
    verdict = (
        "the published figure lies within what this choice moves"
        if inside
        else "none of it gives the published figure"
    )
    return f"Tried: {listed}; {verdict}. {known}".strip()
