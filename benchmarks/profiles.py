"""Tables of alleles: reading them, near pairs without all pairs, and levels of single link."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import graphens as ge
from graphens.kernels.linking import spanning_forest
from graphens.kernels.similarity import count_above, fill_above
from graphens.trees.differing import single_link_up_to

from .measuring import measure, processor_seconds
from .parts import Part, Row, beside, megabytes

N_GENOMES, N_LOCI, N_LINEAGES = 20_000, 3_000, 150
MORE = 55_000  # of a large collection
ROWS = 128  # of all pairs that are counted to know what all would take: every row takes the same
PART = 10  # of single link over all pairs a tenth of the genomes is measured, a hundredth of the pairs


def profiles(n: int, missing: float) -> ge.Ensemble:
    """Made-up profiles; lineages in proportion to the genomes."""
    return ge.datasets.allele_profiles(n, N_LOCI, max(2, N_LINEAGES * n // N_GENOMES), missing=missing, seed=1)[0]


def reading(n: int) -> dict[str, Any]:
    """Read a table with tabs, beside pandas, which gives the text of it only."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "profiles.tsv"
        e = ge.datasets.allele_profiles(n, N_LOCI, N_LINEAGES // 10, seed=1, path=path)[0]
        ours, theirs = measure(_read, path), measure(_read_frame, path)
        size = path.stat().st_size
    return {
        "bytes": size,
        "seconds": ours.seconds,
        "seconds of pandas": theirs.seconds,
        "peak": ours.peak,
        "peak of pandas": theirs.peak,
        "codes": e.codes.nbytes,
    }


def _read_frame(path: Path) -> int:
    import pandas as pd

    return len(pd.read_csv(path, sep="\t", index_col=0, dtype=str))


def _read(path: Path) -> int:
    return ge.Ensemble.from_profiles(path).n_objects


def near_pairs(n: int, missing: float) -> dict[str, Any]:
    """Pairs of genomes that differ in at most 0, 2 and 10 loci, beside all pairs."""
    e = profiles(n, missing)
    found = {t: measure(_near, e, t, warm=(profiles(500, missing), t)) for t in (0, 2, 10)}
    return {
        "all": all_pairs(e),
        "pairs": {str(t): one.value for t, one in found.items()},
        "seconds": {str(t): one.seconds for t, one in found.items()},
        "peaks": {str(t): one.peak for t, one in found.items()},
    }


def by_distance(rows: Sequence[Row]) -> list[Row]:
    """One row for each number of loci."""
    return [row | {"t": t, "seconds": row["seconds"][t], "peak": row["peaks"][t]} for row in rows for t in row["pairs"]]


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


def levels(n: int, rule: str) -> dict[str, Any]:
    """Single link up to 50 differing loci, beside Prim over all pairs."""
    e = profiles(n, 0.01)
    part = e.take(objects=np.arange(0, e.n_objects, PART))
    small = profiles(500, 0.01)
    prim = measure(_prim, part, warm=(small,), repeats=1).seconds * PART**2
    top = measure(_levels, e, rule, warm=(small, rule), repeats=1)
    return {"all": prim, "seconds": top.seconds, "peak": top.peak, "clusters": top.value}


def _prim(e: ge.Ensemble) -> float:
    return float(spanning_forest(ge.coassociation(e)._evidence)[1].sum())


def _levels(e: ge.Ensemble, rule: str) -> int:
    tree = single_link_up_to(e, 50, rule)
    return len(np.unique(tree.cut_at(50 / e.n_partitions)))


PARTS = (
    Part(
        "profiles-near-pairs",
        f"Allele profiles: pairs of genomes that differ in at most t of {N_LOCI:,} loci",
        near_pairs,
        cases=[{"n": N_GENOMES, "missing": missing} for missing in (0.01, 0.0)],
        large=[{"n": MORE, "missing": missing} for missing in (0.01, 0.0)],
        quick=[{"n": 2000, "missing": 0.01}],
        columns=beside(
            lambda row: (
                f"pairs that differ in at most {row['t']} loci, {row['n']:,} genomes, {row['missing']:.0%} missing"
            ),
            lambda row: "comparing all pairs",
            "all",
        ),
        note=f"{N_LOCI:,} loci; pairs are exact. The time of all pairs is extrapolated from {ROWS} rows, since "
        "every row takes the same time.",
        gather=by_distance,
    ),
    Part(
        "profiles-levels",
        f"Allele profiles: single link, levels 0 to 50 of {N_LOCI:,} loci, 1 % missing",
        levels,
        cases=[{"n": N_GENOMES, "rule": rule} for rule in ("share", "count")],
        large=[{"n": MORE, "rule": rule} for rule in ("share", "count")],
        quick=[{"n": 2000, "rule": "share"}],
        columns=beside(
            lambda row: f"single link up to 50 loci, {row['n']:,} genomes, missing alleles by {row['rule']}",
            lambda row: "Prim's algorithm over all pairs",
            "all",
        ),
        note=f"The time of Prim's algorithm is extrapolated from a {PART}th of the genomes, a {PART**2}th of the "
        "pairs; for single link, 1% of the alleles are missing.",
    ),
    Part(
        "profiles-reading",
        "Allele profiles: reading a table with tabs",
        reading,
        cases=[{"n": 5000}],
        quick=[{"n": 200}],
        columns=beside(
            lambda row: f"`Ensemble.from_profiles`, {row['n']:,} genomes, {row['bytes'] / 1e6:.0f} MB of text",
            lambda row: "`pandas.read_csv`",
            "seconds of pandas",
            their_memory=megabytes("peak of pandas"),
        ),
        note="`pandas.read_csv` leaves the alleles as text.",
    ),
)
