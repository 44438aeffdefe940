"""Why a cell differs: experiments on what the papers leave open, and the sentence they give."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import graphens as ge

from . import single
from .cells import Cell, cells
from .columns import Case
from .data import SOURCES, is_made, load
from .published import TABLES
from .runner import case, keep, kept, measured

Found = dict[str, float]  # what was tried → error in percent
RUNS = 1


def _mean(column: str, cases: list[Case]) -> float:
    return round(100 * float(np.mean([measured(column, this) for this in cases])), 1)


def intervals(cell: Cell) -> Found:
    """Other numbers of clusters in the base partitions."""
    k = SOURCES[cell.data].k
    tried: list[Any] = [k, (2, 10), (2, 20), (30, 60)]
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
    for seed in range(1, 4):
        X, truth = load(cell.data, seed)
        this = Case(X, truth, k, row.rows[cell.data].clusters, row.partitions, seed)
        found[f"draw {seed} of the look-alike"] = _mean(cell.ours, [this])
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


def apart(cell: Cell) -> Found:
    """METIS on every object by itself, as in the paper, instead of on distinct label rows."""
    function = _BALANCED[cell.column]
    cases = [case(cell.table, cell.data, run) for run in range(RUNS)]
    errors = [
        this.error(function(this.ensemble, this.k, collapse=False, seed=this.seed).labels) for this in cases
    ]
    return {"equal objects free to part": round(100 * float(np.mean(errors)), 1)}


Experiment = Callable[[Cell], Found]
_SINGLE: dict[str, Experiment] = {"SC": sigmas, "KM": starts, "KM best": starts}
_LINKED = {"SL", "AL"}  # nothing is left open but the data
_BALANCED: dict[str, Any] = {"CSPA": ge.cspa, "HGPA": ge.hgpa}
_OWN = {"Boost-KM", "Latent-EM", "CA-HNE"}  # their partitions do not follow the row's interval


def experiments(cell: Cell) -> list[Experiment]:
    """Return the experiments that bear on a cell: what the paper leaves open there."""
    made, own = is_made(cell.data), cell.column in {*_SINGLE, *_LINKED, *_OWN}
    fixed = TABLES[cell.table].rows[cell.data].clusters == SOURCES[cell.data].k
    bearing = [
        (_SINGLE.get(cell.column, draws), cell.column in _SINGLE),
        (apart, cell.column in _BALANCED),
        (intervals, not own and not fixed),
        (draws, made and (own or fixed)),
    ]
    return [tried for tried, bears in bearing if bears]


def run_reasons(tables: list[str]) -> None:
    """Make the experiments of all differing cells that have none yet."""
    found: dict[str, Found] = kept("reasons")
    for cell in (cell for table in tables for cell in cells(table) if cell.verdict in {"lower", "higher"}):
        name, tried = f"{cell.table}: {cell.data}, {cell.column}", experiments(cell)
        if name in found or not tried:
            continue
        print(f"why {name}", file=sys.stderr)
        found[name] = {what: error for one in tried for what, error in one(cell).items()}
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
