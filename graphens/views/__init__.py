"""The graphs of an ensemble: co-association, bipartite and meta-graph."""

from .bipartite import BipartiteGraph, bipartite
from .coassociation import CoassociationGraph, coassociation
from .counting import cooccurrence
from .metagraph import metagraph

__all__ = ["BipartiteGraph", "CoassociationGraph", "bipartite", "coassociation", "cooccurrence", "metagraph"]
