"""Experiments on what the papers leave open: a cell again, with one thing changed in its ensembles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import graphens as ge

from .cells import Cell
from .columns import Case
from .data import SOURCES, load
from .published import TABLES
from .runner import case, measured

Found = dict[str, float]  # what was tried → error in percent
Function = Callable[[Cell], Found]
RUNS = 3


def percent(errors: list[float]) -> float:
    """Their mean, in percent."""
    return round(100 * float(np.mean(errors)), 1)


def cases(cell: Cell, runs: int = RUNS, **changes: Any) -> list[Case]:
    """The first runs of a cell's row, with something changed."""
    return [case(cell.table, cell.data, run, **changes) for run in range(runs)]


def _again(cell: Cell, these: list[Case]) -> float:
    return percent([measured(cell.ours, this) for this in these])


def intervals(cell: Cell) -> Found:
    """Other numbers of clusters in the base partitions."""
    own, k = TABLES[cell.table].rows[cell.data].clusters, SOURCES[cell.data].k
    tried: dict[str, Any] = {
        "true k": k,
        "twice true k": 2 * k,
        "[2, 10]": (2, 10),
        "[2, 20]": (2, 20),
        "[30, 60]": (30, 60),
        "[60, 90]": (60, 90),
    }
    return {what: _again(cell, cases(cell, clusters=told)) for what, told in tried.items() if told != own}


def draws(cell: Cell) -> Found:
    """The look-alike drawn with other seeds."""
    k, row = SOURCES[cell.data].k, TABLES[cell.table]
    found = {}
    for seed in range(1, 5):
        X, truth = load(cell.data, seed)
        this = Case(X, truth, k, row.rows[cell.data].clusters, row.partitions, seed)
        found[f"draw {seed}"] = _again(cell, [this])
    return found


def all_pairs(cell: Cell) -> Found:
    """Single link on the co-associations of all pairs."""
    errors = [this.error(ge.eac(this.ensemble, this.k).labels) for this in cases(cell)]
    return {"all pairs": percent(errors)}


def three(cell: Cell) -> Found:
    """Three clusters of yeast."""
    return {
        "three in the answer": _again(cell, [replace(this, k=3) for this in cases(cell)]),
        "three throughout": _again(cell, [replace(this, k=3) for this in cases(cell, clusters=3)]),
    }
