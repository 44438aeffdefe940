"""The consensus functions, one file per family, and their registry."""

from .evidence import eac
from .partitioning import cbgf, cspa, hbgf, hgpa, ibgf, lwgp, mcla
from .registry import Method, methods

__all__ = ["Method", "cbgf", "cspa", "eac", "hbgf", "hgpa", "ibgf", "lwgp", "mcla", "methods"]
