"""Turn many clusterings of the same objects into one, through graphs you can look at.

``dir(graphens)`` shows where to begin, and the consensus methods; ``graphens.methods()`` lists these in a table.
"""

from ._lib import start as _start  # noqa: F401, I001 - before anything that takes time to load
from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING, Any as _Any

from . import measures
from ._lib.memory import memory_budget
from ._lib.progress import progress
from .choose.choice import Choice as Choice
from .trees.dendrogram import Dendrogram as Dendrogram
from .labels.ensemble import Ensemble, Labels as Labels
from .graphs.graph import Graph
from .graphs.hypergraph import Hypergraph, hypergraph
from .cutting.entry import Partition as Partition
from .result.consensus import Consensus
from .cutting import Partitioner as Partitioner, partition, partitioners, register_partitioner
from .errors import GraphensError, GraphensWarning
from .families import *  # noqa: F403 - every consensus function is public
from .families import methods, register_method
from .choose.auto import consensus
from .trees import link
from .graphs import bipartite, clustree, coassociation, metagraph

if _TYPE_CHECKING:
    from . import datasets, generators as generators, networks as networks, plot, sc, scale, testing
    from .choose.camps import modes
    from .choose.comparison import Comparison as Comparison, compare
    from .choose.correspondence import match
    from .choose.credible import CredibleBall as CredibleBall, credible_ball
    from .choose.k import choose_k
    from .choose.resampling import Monti as Monti, monti
    from .choose.select import members, select
    from .choose.stability import Stability as Stability, stability as stability
    from .choose.study import Benchmark as Benchmark, benchmark
    from .environment import Versions as Versions, show_versions
    from .estimator import ConsensusClustering
    from .export.archive import load
    from .generators import (
        Prototypes as Prototypes,
        generate,
        path_based as path_based,
        snn_prototypes as snn_prototypes,
    )
    from .networks.detection import communities
    from .networks.resolutions import landscape as landscape
    from .result.changes import Changes as Changes

__version__ = "1.0.0"

#: what the Tab key shows, in the order a reader learns it; the other names imported above are public as well
__all__ = [
    "consensus", "methods", "Ensemble", "generate", "communities", "ConsensusClustering", "load",
    # graphs
    "hypergraph", "coassociation", "bipartite", "metagraph", "clustree", "link", "partition",
    # choosing and comparing
    "choose_k", "compare", "benchmark", "members", "modes", "select", "match", "monti", "credible_ball", "measures",
    # values
    "Consensus", "Graph", "Hypergraph",
    # parts
    "datasets", "plot", "scale", "sc", "testing",
    # yours
    "partitioners", "register_method", "register_partitioner", "memory_budget", "progress", "show_versions",
    "GraphensError", "GraphensWarning",
]  # fmt: skip

#: loaded on first use: what needs scikit-learn, and what only those need who make ensembles from features
_NAMES = {
    "choose.camps": "modes",
    "choose.comparison": "Comparison compare",
    "choose.correspondence": "match",
    "choose.credible": "CredibleBall credible_ball",
    "choose.k": "choose_k",
    "choose.resampling": "Monti monti",
    "choose.select": "members select",
    "choose.stability": "Stability stability",
    "choose.study": "Benchmark benchmark",
    "environment": "Versions show_versions",
    "estimator": "ConsensusClustering",
    "export.archive": "load",
    "generators": "Prototypes generate path_based snn_prototypes",
    "networks": "communities landscape",
    "result.changes": "Changes",
}
_ON_USE = {name: module for module, names in _NAMES.items() for name in names.split()}
_ON_USE |= {name: name for name in ("datasets", "generators", "networks", "plot", "sc", "scale", "testing")}


def __getattr__(name: str) -> _Any:
    """Load a submodule or a method when it is first used."""
    if name not in _ON_USE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _import_module(f".{_ON_USE[name]}", __name__)
    found = globals()[name] = module if name == _ON_USE[name] else getattr(module, name)
    return found


def __dir__() -> list[str]:
    own = [name for name in methods if name in globals()]
    return [*__all__, *own, "__doc__", "__file__", "__version__"]
