"""Many partitions: 200 objects in 100 to 10,000 of them, and a table of alleles with some 400,000 clusters."""

from __future__ import annotations

from collections.abc import Callable
from math import log10
from typing import Any

import numpy as np

import graphens as ge

from .harness import measure, megabytes, report

SIZES = 100, 1000, 10_000
CALLS: dict[str, Callable[[ge.Ensemble], Any]] = {
    "consensus(e)": lambda e: ge.consensus(e, seed=0),
    "consensus(e, 6)": lambda e: ge.consensus(e, 6, seed=0),
    **{
        name: lambda e, name=name: ge.consensus(e, 6, name, seed=0)
        for name in ("lwgp", "lwea", "mcla", "vote", "eac", "cspa", "hbgf", "median")
    },
    "choose_k": lambda e: ge.choose_k(e, range(2, 11), seed=0),
    "modes": lambda e: ge.modes(e, seed=0),
    "select": lambda e: ge.select(e, 20),
}


def draws(n: int, b: int, groups: int = 6, k: int = 8) -> ge.Ensemble:
    """B partitions around groups, some of which each merges, a quarter of the labels random."""
    rng = np.random.default_rng(b)
    truth, labels = np.arange(n) * groups // n, []
    for _ in range(b):
        merged = np.where(rng.random(groups) < 0.2, rng.integers(groups, size=groups), np.arange(groups))
        labels.append(np.where(rng.random(n) < 0.25, rng.integers(k, size=n), merged[truth]))
    return ge.Ensemble.from_partitions(labels)


def alleles(n: int, b: int, lineages: int = 40) -> ge.Ensemble:
    """Alleles of lineages and their branches, with some of a genome's own, one label in a hundred missing."""
    rng = np.random.default_rng(0)
    lineage = rng.integers(lineages, size=n)
    branch = 12 * lineage + rng.integers(12, size=n)
    loci = []
    for _ in range(b):
        labels = rng.integers(60, size=lineages)[lineage]
        labels = np.where((rng.random(12 * lineages) < 0.25)[branch], 100 + branch, labels)
        labels = np.where(rng.random(n) < rng.uniform(0.003, 0.05), 1000 + np.arange(n), labels)
        loci.append(np.where(rng.random(n) < 0.0096, -1, labels))
    return ge.Ensemble.from_partitions(loci)


def _k(call: Callable[[ge.Ensemble], Any], e: ge.Ensemble) -> int | None:
    return getattr(call(e), "k", None)


def growth() -> None:
    """CPU and memory of one call as partitions become many."""
    ensembles, rows = {b: draws(200, b) for b in SIZES}, []
    for name, call in CALLS.items():
        found = {b: measure(_k, call, e, warm=(call, draws(60, 300))) for b, e in ensembles.items()}
        power = log10(found[10_000].seconds / max(found[1000].seconds, 0.01))
        cells = [cell for one in found.values() for cell in (f"{one.seconds:.2f}", megabytes(one.peak))]
        rows.append([name, *cells, f"{power:.2f}"])
    report(
        "wide",
        "Many partitions: 200 objects, partitions of 8 clusters",
        ["call", *(head for b in SIZES for head in (f"B = {b:,}, CPU s", "memory")), "power of B"],
        rows,
        "Memory above the labels. The power of B is that by which CPU time grows from 1,000 to 10,000 partitions; "
        "where comparing all partitions would take more than half a billion steps, at least 500 random ones stand for "
        "all.",
    )


def profiles() -> None:
    """The automatic choice on a table as wide as those that type microbes."""
    e = alleles(4371, 1553)
    found = measure(_k, CALLS["consensus(e)"], e, warm=(CALLS["consensus(e)"], draws(60, 300)))
    report(
        "wide-profiles",
        "Many partitions: alleles of 4,371 genomes at 1,553 loci, 1 % missing",
        ["clusters of all loci", "CPU seconds", "memory", "clusters found", "lineages"],
        [[f"{e.n_clusters.sum():,}", f"{found.seconds:.1f}", megabytes(found.peak), found.value, 40]],
        "consensus(e), synthetic lineages with branches.",
    )


def run() -> None:
    """Measure both."""
    growth()
    profiles()
