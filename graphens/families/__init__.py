"""The consensus functions, one file per family, and their registry."""

from .correlation import aggregate
from .evidence import eac
from .exact import exact_median, semidefinite
from .genetic import genetic
from .median import fusion, greedy, supra
from .registry import Method, methods

__all__ = [
    "Method",
    "aggregate",
    "eac",
    "exact_median",
    "fusion",
    "genetic",
    "greedy",
    "methods",
    "semidefinite",
    "supra",
]
