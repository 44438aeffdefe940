"""The consensus functions, one file per family, and their registry."""

from .evidence import dspa, eac, lwea, vkm
from .normalized_edges import hne
from .prototypes import Prototypes, snn_prototypes
from .registry import Method, methods
from .weighted import wce

__all__ = ["Method", "Prototypes", "dspa", "eac", "hne", "lwea", "methods", "snn_prototypes", "vkm", "wce"]
