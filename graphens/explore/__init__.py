"""Pages that can be moved: one offline file with a graph, its tree, a heat map and a table, linked by one threshold."""

from .explorer import Explorer, explore

__all__ = ["Explorer", "explore"]
