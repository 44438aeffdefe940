"""Turn many clusterings of the same objects into one, through graphs you can look at."""

from . import families, measures
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
from .linkage import link, path_based
from .views import bipartite, coassociation, metagraph

__version__ = "0.1.0"

__all__ = [
    "Consensus",
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
    "hypergraph",
    "link",
    "measures",
    "memory_budget",
    "metagraph",
    "partition",
    "partitioners",
    "path_based",
    "register_partitioner",
]
__all__ += families.__all__
