"""The consensus functions, one file per family, and their registry."""

from .communities import leiden
from .correlation import aggregate
from .evidence import eac
from .exact import exact_median, semidefinite
from .genetic import genetic
from .median import fusion, greedy, supra
from .partitioning import cbgf, cspa, hbgf, hgpa, ibgf, lwgp, mcla
from .registry import Method, methods
from .voting import bagclust1, bagclust2, mlmap, vote
from .walks import ecpcs, lce, pta, ptgp

__all__ = [
    "Method",
    "aggregate",
    "bagclust1",
    "bagclust2",
    "cbgf",
    "cspa",
    "eac",
    "ecpcs",
    "exact_median",
    "fusion",
    "genetic",
    "greedy",
    "hbgf",
    "hgpa",
    "ibgf",
    "lce",
    "leiden",
    "lwgp",
    "mcla",
    "methods",
    "mlmap",
    "pta",
    "ptgp",
    "semidefinite",
    "supra",
    "vote",
]
