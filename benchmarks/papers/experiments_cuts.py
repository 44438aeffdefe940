"""Experiments on balanced parts: what METIS and a hypergraph partitioner may do, and what balance alone gives."""

from __future__ import annotations

from typing import Any

import numpy as np

import graphens as ge

from .cells import Cell
from .data import SOURCES, load
from .experiments import Found, cases, percent
from .hyperedges import hyperedge_parts
from .published import TABLES
from .runner import case

BALANCED: dict[str, Any] = {"CSPA": ge.cspa, "HGPA": ge.hgpa}


def together(cell: Cell) -> Found:
    """Objects with equal labels never parted, as by default in the library; or METIS run once instead of five times."""
    function = BALANCED[cell.column]
    ways = {"equal objects together": {}, "METIS once": {"collapse": False, "n_init": 1}}
    return {
        what: percent(
            [this.error(function(this.ensemble, this.k, seed=this.seed, **options).labels) for this in cases(cell)]
        )
        for what, options in ways.items()
    }


def once(cell: Cell) -> Found:
    """METIS run once, over all runs."""
    errors = [
        this.error(ge.cspa(this.ensemble, this.k, collapse=False, n_init=1, seed=this.seed).labels)
        for this in cases(cell, TABLES[cell.table].runs)
    ]
    return {"METIS once": percent(errors)}


def sparse_graph(cell: Cell) -> Found:
    """METIS on each object's strongest neighbors only."""
    return {
        f"{p} neighbors": percent(
            [
                this.error(ge.cspa(this.ensemble, this.k, neighbors=p, collapse=False, seed=this.seed).labels)
                for this in cases(cell)
            ]
        )
        for p in (10, 20)
    }


def hyperedges(cell: Cell) -> Found:
    """Bisections that count cut hyperedges, of so many joined objects.

    hMETIS, which the paper used, is no package. `hyperedges.py` imitates its multilevel bisections; objects are joined
    into so many groups before the first. A hyperedge of hundreds of objects stays cut until the last of them has moved,
    so moving single objects gains nothing, and with the true k in every partition the parts are nearly random. The
    library's `hgpa` uses a smoothed count of the parts that a hyperedge touches, and finds the clusters.
    """
    found = {}
    for coarse in (200, 100, 50, 25):
        errors = []
        for this in cases(cell, 6):
            H = ge.hypergraph(this.ensemble).incidence.toarray() > 0
            labels = hyperedge_parts(H, this.k, np.random.default_rng(this.seed), coarse)
            errors.append(this.error(labels))
        found[f"{coarse} joined"] = percent(errors)
    return found


def equal_parts(cell: Cell) -> Found:
    """What balance alone gives: the least error of equal parts, and the mean of equal parts drawn by lot."""
    _, truth = load(cell.data)
    sizes = np.bincount(truth[truth >= 0])
    n, this = int(sizes.sum()), case(cell.table, cell.data, 0)
    best = 1 - np.minimum(sizes, n / SOURCES[cell.data].k).sum() / n
    lots = (np.random.default_rng(seed).permutation(len(this.X)) % this.k for seed in range(50))
    return {"least of equal parts": percent([float(best)]), "drawn by lot": percent([this.error(lot) for lot in lots])}
