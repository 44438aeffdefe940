"""The consensus functions, one file per family, and their registry."""

from .bipartite_communities import leiden
from .combine import combine
from .correlation import aggregate
from .cumulative import cumulative
from .even import even
from .evidence import dspa, eac, genie, lwea, vkm
from .exact import exact_median, semidefinite
from .genetic import genetic
from .hne import hne
from .islands import islands
from .label_space import ivc, mixture, neace, qmi
from .median_partitions import fusion, greedy, supra
from .metaclustering import cbgf, ecpcs, mcla
from .networks import ecg, recluster
from .partitioning import cspa, hbgf, hgpa, ibgf, lwgp
from .posterior import median
from .registry import Method, methods, register_method
from .voting import bagclust1, bagclust2, mlmap, vote
from .walks import lce, pta, ptgp
from .weighted import wce

__all__ = [
    "Method",
    "aggregate",
    "bagclust1",
    "bagclust2",
    "cbgf",
    "combine",
    "cspa",
    "cumulative",
    "dspa",
    "eac",
    "ecg",
    "ecpcs",
    "even",
    "exact_median",
    "fusion",
    "genetic",
    "genie",
    "greedy",
    "hbgf",
    "hgpa",
    "hne",
    "ibgf",
    "islands",
    "ivc",
    "lce",
    "leiden",
    "lwea",
    "lwgp",
    "mcla",
    "median",
    "methods",
    "mixture",
    "mlmap",
    "neace",
    "pta",
    "ptgp",
    "qmi",
    "recluster",
    "register_method",
    "semidefinite",
    "supra",
    "vkm",
    "vote",
    "wce",
]
