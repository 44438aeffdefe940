"""Turn many clusterings of the same objects into one, through graphs you can look at."""

from typing import Any

from . import datasets, measures, sc
from ._memory import memory_budget
from .core.dendrogram import Dendrogram
from .core.ensemble import Ensemble
from .core.graph import Graph
from .core.hypergraph import Hypergraph, hypergraph
from .core.result import Consensus, Partition
from .errors import GraphensError, GraphensWarning
from .families import Method, eac, methods
from .generators import generate
from .linkage import link
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
    "bipartite",
    "coassociation",
    "datasets",
    "eac",
    "generate",
    "hypergraph",
    "link",
    "memory_budget",
    "measures",
    "metagraph",
    "methods",
    "sc",
]


def __getattr__(name: str) -> Any:
    """Load the estimator on first use: it needs scikit-learn."""
    if name == "ConsensusClustering":
        from .estimator import ConsensusClustering

        return ConsensusClustering
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
