"""The consensus functions, one file per family, and their registry."""

from .communities import leiden
from .cumulative import cumulative
from .evidence import dspa, eac, genie, islands, lwea, vkm, wce
from .label_space import ivc, mixture, neace, qmi
from .median_exact import exact_median, semidefinite
from .median_partitions import aggregate, fusion, genetic, greedy, supra
from .median_posterior import median
from .networks import ecg, recluster
from .normalized_edges import hne
from .partitioning import cbgf, cspa, even, hbgf, hgpa, ibgf, lwgp, mcla
from .registry import Method, methods, register_method
from .voting import bagclust1, bagclust2, combine, mlmap, vote
from .walks import ecpcs, lce, pta, ptgp

__all__ = [
    "Method", "aggregate", "bagclust1", "bagclust2", "cbgf", "combine", "cspa", "cumulative", "dspa", "eac", "ecg",
    "ecpcs", "even", "exact_median", "fusion", "genetic", "genie", "greedy", "hbgf", "hgpa", "hne", "ibgf",
    "islands", "ivc", "lce", "leiden", "lwea", "lwgp", "mcla", "median", "methods", "mixture", "mlmap", "neace",
    "pta", "ptgp", "qmi", "recluster", "register_method", "semidefinite", "supra", "vkm", "vote", "wce",
]  # fmt: skip
