"""The graphs of an ensemble: co-association, bipartite and meta-graph."""

from .bipartite import BipartiteGraph, bipartite
from .clustree import ClusterTree, clustree
from .coassociation import CoassociationGraph, coassociation
from .counts import cooccurrence
from .metagraph import metagraph

__all__ = [
    "BipartiteGraph", "ClusterTree", "CoassociationGraph", "bipartite", "clustree", "coassociation", "cooccurrence",
    "metagraph",
]  # fmt: skip
