"""The experiments: what each changes, and on which cells it bears."""

from __future__ import annotations

from typing import NamedTuple

from . import experiments as ensembles, experiments_cuts as cuts, experiments_single as alone
from .cells import Cell
from .data import SOURCES, is_made
from .experiments import Function
from .published import TABLES

_SINGLE = {"SC", "KM", "KM best"}
_OWN = {*_SINGLE, "SL", "AL", "Boost-KM", "Latent-EM", "CA-HNE"}  # these do not follow the row's interval


class Experiment(NamedTuple):
    """What is changed, and whether it can be a reason.

    Only an experiment on every run of every cell of an algorithm (`whole`) can explain a cell.
    """

    function: Function
    title: str
    says_why: bool = True
    whole: bool = False


EXPERIMENTS: dict[str, Experiment] = {
    "intervals": Experiment(ensembles.intervals, "Number of clusters in the base partitions"),
    "draws": Experiment(ensembles.draws, "Other random draws of the look-alike, one run each"),
    "all_pairs": Experiment(ensembles.all_pairs, "Single link on all pairs instead of the 20 nearest neighbors"),
    "three": Experiment(ensembles.three, "Three clusters for yeast, as listed in the paper"),
    "together": Experiment(
        cuts.together, "METIS on distinct label rows (the library's default), and METIS run once instead of five times"
    ),
    "once": Experiment(
        cuts.once, "CSPA with METIS run once instead of five times, on all runs of all cells", whole=True
    ),
    "sparse_graph": Experiment(cuts.sparse_graph, "CSPA with only the strongest edges of each object"),
    "hyperedges": Experiment(cuts.hyperedges, "HGPA with a partitioner that counts cut hyperedges, 6 runs"),
    "equal_parts": Experiment(
        cuts.equal_parts, "What balance alone gives (explains nothing by itself)", says_why=False
    ),
    "starts": Experiment(alone.starts, "How k-means starts and stops, 50 runs, on all cells of k-means", whole=True),
    "sigmas": Experiment(alone.sigmas, "Spectral clustering at a single σ (every fourth value of the range)"),
    "scales": Experiment(
        alone.scales, "Spectral clustering of scaled data, with the σ of least distortion (of every fourth value)"
    ),
    "rows": Experiment(
        alone.rows, "Spectral clustering with a single random start of k-means on the eigenvectors, mean of 5 runs"
    ),
    "boosting": Experiment(alone.boosting, "Variants of boosting, 10 runs"),
}


def bearing(cell: Cell) -> list[str]:
    """Return the names of the experiments that bear on a cell: what the paper leaves open there."""
    fixed = TABLES[cell.table].rows[cell.data].clusters == SOURCES[cell.data].k
    bears = {
        "starts": cell.column in {"KM", "KM best"},
        "sigmas": cell.column == "SC",
        "scales": cell.column == "SC" and not is_made(cell.data),
        "rows": cell.column == "SC",
        "boosting": cell.column == "Boost-KM",
        "all_pairs": cell.column == "EAC-SL",
        "hyperedges": fixed and cell.column == "HGPA",
        "together": cell.column in cuts.BALANCED,
        "once": cell.column == "CSPA",
        "sparse_graph": cell.column == "CSPA",
        "intervals": not fixed and cell.column not in _OWN,
        "three": fixed and cell.data.endswith("yeast"),
        "draws": is_made(cell.data),
        "equal_parts": cell.column in cuts.BALANCED,
    }
    return [name for name, does in bears.items() if does]
