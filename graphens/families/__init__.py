"""The consensus functions, one file per family, and their registry."""

from .correlation import aggregate
from .evidence import eac
from .registry import Method, methods

__all__ = ["Method", "aggregate", "eac", "methods"]
