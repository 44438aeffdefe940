"""The consensus functions, one file per family, and their registry."""

from .evidence import eac
from .registry import Method, methods
from .voting import bagclust1, bagclust2, mlmap, vote

__all__ = ["Method", "bagclust1", "bagclust2", "eac", "methods", "mlmap", "vote"]
