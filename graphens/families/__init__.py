"""The consensus functions, one file per family, and their registry."""

from .evidence import dspa, eac, lwea, vkm
from .normalized_edges import hne
from .registry import Method, methods

__all__ = ["Method", "dspa", "eac", "hne", "lwea", "methods", "vkm"]
