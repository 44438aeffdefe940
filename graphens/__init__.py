"""Turn many clusterings of the same objects into one, through graphs you can look at."""

from typing import TYPE_CHECKING, Any

from . import datasets, families, measures, sc
from ._memory import memory_budget
from .core.dendrogram import Dendrogram
from .core.ensemble import Ensemble
from .core.graph import Graph
from .core.hypergraph import Hypergraph, hypergraph
from .core.result import Consensus, Partition
from .cutting import Partitioner, partition, partitioners, register_partitioner
from .errors import GraphensError, GraphensWarning
from .families import *  # noqa: F403 - every consensus function is public
from .front import consensus
from .generators import generate
from .linkage import link, path_based
from .views import bipartite, coassociation, metagraph

if TYPE_CHECKING:
    from .estimator import ConsensusClustering

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
    "Partition",
    "Partitioner",
    "bipartite",
    "coassociation",
    "consensus",
    "datasets",
    "generate",
    "hypergraph",
    "link",
    "measures",
    "memory_budget",
    "metagraph",
    "partition",
    "partitioners",
    "path_based",
    "register_partitioner",
    "sc",
]
__all__ += families.__all__


def __getattr__(name: str) -> Any:
    """Load the estimator on first use: it needs scikit-learn."""
    if name == "ConsensusClustering":
        from .estimator import ConsensusClustering

        return ConsensusClustering
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
