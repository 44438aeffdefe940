"""The graphs of an ensemble: co-association, bipartite and meta-graph."""

from .bipartite import bipartite
from .coassociation import CoassociationGraph, coassociation
from .cooccurrence import cooccurrence
from .metagraph import metagraph

__all__ = ["CoassociationGraph", "bipartite", "coassociation", "cooccurrence", "metagraph"]
