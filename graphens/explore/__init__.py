"""Interactive pages: one offline file with a graph, its tree, a heat map and a table, linked by a threshold."""

from .explorer import Explorer, explore

__all__ = ["Explorer", "explore"]
