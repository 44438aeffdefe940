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
        "Other random draws of the look-alike, one run each",
        "the look-alike, which is not the paper's file",
    ),
    "all_pairs": Experiment(
        ensembles.all_pairs,
        "Single link on all pairs instead of the 20 nearest neighbors",
        "the pairs that single link uses; the paper names those of the 20 nearest neighbors",
    ),
    "three": Experiment(
        ensembles.three,
        "Three clusters for yeast, as listed in the paper",
        "the number of clusters, 3 in the paper's table where the data have 5 classes",
    ),
    "together": Experiment(
        cuts.together,
        "METIS on distinct label rows (the library's default), and METIS run once instead of five times",
        "whether METIS may separate objects with equal labels, and how often it is run",
    ),
    "once": Experiment(
        cuts.once,
        "CSPA with METIS run once instead of five times, on all runs of all cells",
        "how often METIS is run",
        whole=True,
    ),
    "sparse_graph": Experiment(
        cuts.sparse_graph,
        "CSPA with only the strongest edges of each object",
        "how many edges of the co-association graph METIS is given",
    ),
    "hyperedges": Experiment(
        cuts.hyperedges,
        "HGPA with a partitioner that counts cut hyperedges, 6 runs",
        "the partitioner, which counts cut hyperedges in the paper (hMETIS)",
        "hMETIS, which the paper used, is not available as a package. `benchmarks/papers/hyperedges.py` imitates its "
        "multilevel bisections; the columns say into how many groups the objects are joined before the first "
        'bisection ("200 joined": 200 groups). If a hyperedge has hundreds of objects, it stays cut until the last of '
        "them has moved, so moving single objects gains nothing. With the true k in every partition, as in Table 3, "
        "the parts are therefore nearly random. The library's `hgpa` uses a smoothed count of the parts that each "
        "hyperedge touches, which single moves can improve, and finds the clusters.",
    ),
    "equal_parts": Experiment(
        cuts.equal_parts,
        "What balance alone gives (explains nothing by itself)",
        "balance",
        'The columns are the smallest possible error of equal parts ("least of equal parts") and the mean error of '
        'equal parts drawn at random ("drawn by lot").',
        says_why=False,
    ),
    "starts": Experiment(
        alone.starts,
        "How k-means starts and stops, 50 runs, on all cells of k-means",
        "how k-means starts and stops",
        '"rounds: 3" stops after three iterations, "centers anywhere" starts from random places in the box around the '
        'data, and "best of 10 by squares" keeps the run with the smallest sum of squares.',
        whole=True,
    ),
    "sigmas": Experiment(
        alone.sigmas,
        "Spectral clustering at a single σ (every fourth value of the range)",
        "the choice of σ",
        "The columns show the smallest error, the largest, and the one nearest to the published error.",
    ),
    "scales": Experiment(
        alone.scales,
        "Spectral clustering of scaled data, with the σ of least distortion (of every fourth value)",
        "the units of the data, in which σ is given",
    ),
    "rows": Experiment(
        alone.rows,
        "Spectral clustering with a single random start of k-means on the eigenvectors, mean of 5 runs",
        "how k-means on the rows of the eigenvectors starts",
        '"σ as before" keeps the σ that five starts choose; "σ anew" chooses it by the single start.',
    ),
    "boosting": Experiment(
        alone.boosting,
        "Variants of boosting, 10 runs",
        "how boosting measures its loss, and when it ends",
        '"half the loss" is the factor of AdaBoost.M2, "by distance" uses memberships from distances instead of '
        'squared distances, "entropy" uses the entropy of the memberships as the loss, and "10 rounds" stops after 10 '
        "partitions instead of 50.",
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
