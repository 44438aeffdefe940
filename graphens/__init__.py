"""Turn many clusterings of the same objects into one, through graphs you can look at."""

from typing import Any

from . import datasets, measures, sc
from ._memory import memory_budget
from .core.dendrogram import Dendrogram
from .core.ensemble import Ensemble
from .core.graph import Graph
from .core.hypergraph import Hypergraph, hypergraph
from .core.result import Consensus, Partition
from .cutting import Partitioner, partition, partitioners, register_partitioner
from .errors import GraphensError, GraphensWarning
from .families import (
    Method,
    aggregate,
    bagclust1,
    bagclust2,
    cbgf,
    combine,
    cspa,
    cumulative,
    eac,
    ecpcs,
    exact_median,
    fusion,
    genetic,
    greedy,
    hbgf,
    hgpa,
    ibgf,
    ivc,
    lce,
    leiden,
    lwgp,
    mcla,
    methods,
    mixture,
    mlmap,
    neace,
    pta,
    ptgp,
    qmi,
    semidefinite,
    supra,
    vote,
)
from .front import consensus
from .generators import generate
from .linkage import link, path_based
from .views import bipartite, coassociation, metagraph

__version__ = "0.1.0"

__all__ = [
    "Consensus",
    "ConsensusClustering",
    "Dendrogram",
    "Ensemble",
    "Graph",
    "GraphensError",
    "GraphensWarning",
    "Hypergraph",
    "Method",
    "Partition",
    "Partitioner",
    "aggregate",
    "bagclust1",
    "bagclust2",
    "bipartite",
    "cbgf",
    "coassociation",
    "combine",
    "consensus",
    "cspa",
    "cumulative",
    "datasets",
    "eac",
    "ecpcs",
    "exact_median",
    "fusion",
    "generate",
    "genetic",
    "greedy",
    "hbgf",
    "hgpa",
    "hypergraph",
    "ibgf",
    "ivc",
    "lce",
    "leiden",
    "link",
    "lwgp",
    "mcla",
    "measures",
    "memory_budget",
    "metagraph",
    "methods",
    "mixture",
    "mlmap",
    "neace",
    "partition",
    "partitioners",
    "path_based",
    "pta",
    "ptgp",
    "qmi",
    "register_partitioner",
    "sc",
    "semidefinite",
    "supra",
    "vote",
]


def __getattr__(name: str) -> Any:
    """Load the estimator on first use: it needs scikit-learn."""
    if name == "ConsensusClustering":
        from .estimator import ConsensusClustering

        return ConsensusClustering
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
