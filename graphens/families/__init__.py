"""The consensus functions, one file per family, and their registry."""

from .correlation import aggregate
from .evidence import eac
from .exact import exact_median, semidefinite
from .genetic import genetic
from .median import fusion, greedy, supra
from .partitioning import cbgf, cspa, hbgf, hgpa, ibgf, lwgp, mcla
from .registry import Method, methods
from .voting import bagclust1, bagclust2, mlmap, vote

__all__ = [
    "Method",
    "aggregate",
    "bagclust1",
    "bagclust2",
    "cbgf",
    "cspa",
    "eac",
    "exact_median",
    "fusion",
    "genetic",
    "greedy",
    "hbgf",
    "hgpa",
    "ibgf",
    "lwgp",
    "mcla",
    "methods",
    "mlmap",
    "semidefinite",
    "supra",
    "vote",
]
