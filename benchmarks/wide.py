"""Many partitions: 200 objects in 100 to 10,000 of them, and a table of alleles with some 400,000 clusters."""

import warnings
from collections.abc import Callable
from functools import partial
from math import log
from typing import Any

import numpy as np

import graphens as ge

from .measuring import measure
from .parts import Part, Row, beside

SIZES = 100, 1000, 10_000
METHODS = "lwgp", "lwea", "mcla", "eac", "vote", "cspa", "median", "hbgf", "cumulative", "qmi", "leiden"
CALLS: dict[str, Callable[[ge.Ensemble], Any]] = {
    "consensus(e, 6)": lambda e: ge.consensus(e, 6, seed=0),
    "consensus(e)": lambda e: ge.consensus(e, seed=0),
    **{name: partial(ge.consensus, k=6, method=name, seed=0) for name in METHODS},
    "select": lambda e: ge.select(e, 20),
    "modes": lambda e: ge.modes(e, seed=0),
    "choose_k": lambda e: ge.choose_k(e, range(2, 11), seed=0),
    "members": lambda e: ge.members(e, 6, seed=0),
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


def clusters_of(name: str, e: ge.Ensemble) -> int | None:
    """One call; the number of clusters, where it has one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(CALLS[name](e), "k", None)


def growth(call: str, sizes: list[int]) -> dict[str, Any]:
    """Processor seconds and memory of one call as partitions become many."""
    small = draws(60, 300)
    found = [measure(clusters_of, call, draws(200, b), warm=(call, small)) for b in sizes]
    return {"seconds": [one.seconds for one in found], "peaks": [one.peak for one in found]}


def profiles(n: int, b: int) -> dict[str, Any]:
    """The automatic choice on a table as wide as those that type microbes."""
    e = alleles(n, b)
    found = measure(clusters_of, "consensus(e)", e, warm=("consensus(e)", draws(60, 300)))
    clusters = int(e.n_clusters.sum())
    return {"clusters": clusters, "seconds": found.seconds, "peak": found.peak, "k": found.value}


def _at(field: str, place: int, scale: float = 1.0, form: str = "{:.2f}") -> Callable[[Row], str]:
    return lambda row: form.format(row[field][place] / scale)


def power(row: Row) -> str:
    """By which power of B processor time grows over the last two sizes; too little of it tells nothing."""
    less, more = row["seconds"][-2:]
    ratio = row["sizes"][-1] / row["sizes"][-2]
    return f"{log(more / less) / log(ratio):.2f}" if less >= 0.05 else "–"


PARTS = (
    Part(
        "wide-partitions",
        "Many partitions: 200 objects, up to 10,000 partitions of 8 clusters",
        growth,
        cases=[{"call": name, "sizes": list(SIZES)} for name in CALLS],
        quick=[{"call": name, "sizes": [100, 400]} for name in ("consensus(e, 6)", "lwgp", "vote")],
        columns={
            "call": lambda row: f"`{row['call']}`",
            "B = 100, CPU s": _at("seconds", 0),
            "B = 1,000": _at("seconds", 1),
            "B = 10,000": _at("seconds", -1),
            "growth B^": power,
            "memory at 10,000": _at("peaks", -1, 1e6, "{:,.0f} MB"),
        },
        note="Growth: the power of B by which CPU time grows from 1,000 to 10,000 "
        "partitions. Where comparing all partitions with each other would take more than half a billion steps, they "
        "are compared with a random sample of at least 500.",
    ),
    Part(
        "wide-profiles",
        "Many partitions: alleles of 4,371 genomes at 1,553 loci, 1 % missing",
        profiles,
        cases=[{"n": 4371, "b": 1553}],
        quick=[{"n": 300, "b": 100}],
        columns=beside(
            lambda row: (
                f"`consensus(e)`, k not given, {row['n']:,} genomes at {row['b']:,} loci, {row['clusters']:,} clusters"
            ),
            lambda row: "",
            lambda row: "",
        ),
        note="`consensus(e)` finds the 40 lineages of the synthetic genomes, each of which has branches.",
    ),
)
