"""The experiments: what each changes, what it says where it gives the published figure, and on which cells it bears."""

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
    """What is changed, what decides where that gives the published figure, what to know of it, whether it counts.

    Only an experiment on every run of every cell of an algorithm (`whole`) can explain a cell.
    """

    function: Function
    title: str
    cause: str
    about: str = ""
    says_why: bool = True
    whole: bool = False


EXPERIMENTS: dict[str, Experiment] = {
    "intervals": Experiment(
        ensembles.intervals,
        "Number of clusters in the base partitions",
        "the number of clusters in the base partitions, which the paper does not print",
    ),
    "draws": Experiment(
        ensembles.draws,
        "The look-alike drawn anew, one run each",
        "the look-alike, which is not the paper's file",
    ),
    "all_pairs": Experiment(
        ensembles.all_pairs,
        "Single link of all pairs, not of 20 nearest neighbors",
        "which pairs single link sees; the paper says those of 20 nearest neighbors",
    ),
    "three": Experiment(
        ensembles.three,
        "Three clusters of yeast, as the paper lists them",
        "the number of clusters, 3 in the paper's table where the data have 5 classes",
    ),
    "together": Experiment(
        cuts.together,
        "METIS on distinct label rows (the library's default), and METIS run once, not five times",
        "what METIS may part and how often it is run",
    ),
    "once": Experiment(
        cuts.once,
        "CSPA with METIS run once, not five times; all runs of all cells",
        "how often METIS is run",
        whole=True,
    ),
    "sparse_graph": Experiment(
        cuts.sparse_graph,
        "CSPA on each object's strongest neighbors",
        "how much of the co-association METIS sees",
    ),
    "hyperedges": Experiment(
        cuts.hyperedges,
        "HGPA by a partitioner that counts cut hyperedges, 6 runs",
        "the partitioner, which counts cut hyperedges in the paper (hMETIS)",
        "Multilevel bisections of so many groups of joined objects, as hMETIS makes them (it is not available as a "
        "package, `benchmarks/papers/hyperedges.py` stands for it). A hyperedge of hundreds of objects stays cut until "
        "its last one has moved, so that moves of single objects have nothing to follow: with k true clusters in every "
        "partition, as in Table 3, parts come out near random. Ours counts the parts that a hyperedge touches, "
        "smoothed, and finds them.",
    ),
    "equal_parts": Experiment(
        cuts.equal_parts, "What balance alone gives (explains nothing by itself)", "balance", says_why=False
    ),
    "starts": Experiment(
        alone.starts,
        "How k-means begins and ends, 50 runs; all cells of k-means",
        "how k-means begins and ends",
        whole=True,
    ),
    "sigmas": Experiment(
        alone.sigmas, "Spectral clustering at one σ, every fourth of them", "the choice of σ"
    ),
    "scales": Experiment(
        alone.scales,
        "Spectral clustering of the data in other units, σ of least distortion among every fourth",
        "the units of the data, in which σ is given",
    ),
    "rows": Experiment(
        alone.rows,
        "Spectral clustering with one random start of k-means on the rows, mean of 5 runs",
        "how k-means on the eigenvectors' rows begins",
    ),
    "boosting": Experiment(
        alone.boosting, "Boosting counted otherwise, 10 runs", "how boosting counts doubt, and when it ends"
    ),
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
