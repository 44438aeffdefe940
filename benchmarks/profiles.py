"""Tables of alleles: reading them, near pairs without all pairs, and levels of single link."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import graphens as ge
from graphens.kernels.linking import spanning_forest
from graphens.kernels.similarity import count_above, fill_above
from graphens.linkage.differing import single_link_up_to

from .harness import measure, megabytes, processor_seconds, report

N_GENOMES, N_LOCI, N_LINEAGES = 55_000, 3_000, 400
ROWS = 128  # of all pairs that are counted to know what all would take: every row takes the same
PART = 10  # of single link over all pairs a tenth of the genomes is measured, a hundredth of the pairs


def run() -> None:
    """Measure and report every figure of allele profiles."""
    reading()
    tables = {missing: profiles(N_GENOMES, missing) for missing in (0.0, 0.01)}
    thresholds(tables)
    levels(tables[0.01])


def profiles(n: int, missing: float) -> ge.Ensemble:
    """Made-up profiles; lineages in proportion to the genomes."""
    return ge.datasets.allele_profiles(
        n, N_LOCI, max(2, N_LINEAGES * n // N_GENOMES), missing=missing, seed=1
    )[0]


def reading(n: int = N_GENOMES // 10) -> None:
    """Read a table with tabs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "profiles.tsv"
        e = ge.datasets.allele_profiles(n, N_LOCI, N_LINEAGES // 10, seed=1, path=path)[0]
        read = measure(_read, path)
        size = os.path.getsize(path)
    columns = ["table", "MB of text", "CPU seconds", "memory", "codes"]
    row = [
        f"{n:,} × {N_LOCI:,}",
        round(size / 1e6),
        read.seconds,
        megabytes(read.peak),
        megabytes(e.codes.nbytes),
    ]
    report("profiles-1-reading", "Reading a table of allele profiles", columns, [row])


def _read(path: Path) -> int:
    return ge.Ensemble.from_profiles(path).n_objects


def thresholds(tables: dict[float, ge.Ensemble]) -> None:
    """Pairs of genomes that differ in at most t loci."""
    rows: list[list[Any]] = []
    for missing, e in tables.items():
        every = all_pairs(e)
        for t in (0, 2, 10):
            near = measure(_near, e, t, repeats=2 if t < 10 else 1)
            shown = [f"{missing:.0%}", t, near.value, near.seconds, megabytes(near.peak)]
            rows.append([*shown, every, f"{every / near.seconds:.0f} ×"])
    report(
        "profiles-2-near-pairs",
        f"Pairs that differ in at most t of {N_LOCI:,} loci, {N_GENOMES:,} genomes",
        ["missing", "t", "pairs", "threshold(), CPU s", "memory", "all pairs, CPU s", "ratio"],
        rows,
        f"All pairs from {ROWS} rows of them, counted and filled as without hashes; every row takes the same.",
    )


def _near(e: ge.Ensemble, t: int) -> int:
    return ge.coassociation(e).threshold(1 - (t + 0.5) / e.n_partitions).n_edges


def all_pairs(e: ge.Ensemble) -> float:
    """Processor seconds that the graph of all pairs above a limit would take, from some of its rows."""
    ev, limit = ge.coassociation(e)._evidence, 0.995
    for last in (1, ROWS):  # the first time they are compiled
        start = processor_seconds()
        counts = count_above(ev, limit, 0, last)
        ends = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
        fill_above(ev, limit, 0, last, ends, np.empty(ends[-1], np.int32), np.empty(ends[-1]))
    return (processor_seconds() - start) * e.n_objects / ROWS


def levels(e: ge.Ensemble) -> None:
    """Single link up to 50 differing loci."""
    part = e.take(objects=np.arange(0, e.n_objects, PART))
    spanning_forest(ge.coassociation(profiles(500, 0.01))._evidence)
    prim = measure(_prim, part).seconds * PART**2
    rows = []
    for rule in ("share", "count"):
        top = measure(_levels, e, rule)
        rows.append([rule, top.value, top.seconds, megabytes(top.peak), prim, f"{prim / top.seconds:.0f} ×"])
    report(
        "profiles-3-levels",
        f"Single link, levels 0 to 50 of {N_LOCI:,} loci, {N_GENOMES:,} genomes, 1 % missing",
        ["missing alleles by", "clusters at 50", "CPU s", "memory", "Prim over all pairs, CPU s", "ratio"],
        rows,
        f"Prim over all pairs from a {PART}th of the genomes, which takes a {PART**2}th of the time.",
    )


def _prim(e: ge.Ensemble) -> float:
    return float(spanning_forest(ge.coassociation(e)._evidence)[1].sum())


def _levels(e: ge.Ensemble, rule: str) -> int:
    tree = single_link_up_to(e, 50, rule)
    return len(np.unique(tree.cut_at(50 / e.n_partitions)))
