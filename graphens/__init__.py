"""Turn many clusterings of the same objects into one, through graphs you can look at."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import families, measures
from ._memory import memory_budget
from ._work import progress
from .choose.choice import Choice
from .core.dendrogram import Dendrogram
from .core.ensemble import Ensemble, Labels
from .core.graph import Graph
from .core.hypergraph import Hypergraph, hypergraph
from .core.result import Consensus, Partition
from .cutting import Partitioner, partition, partitioners, register_partitioner
from .errors import GraphensError, GraphensWarning
from .families import *  # noqa: F403 - every consensus function is public
from .front import consensus
from .linkage import link
from .views import bipartite, clustree, coassociation, metagraph

if TYPE_CHECKING:
    from . import datasets, generators, networks, plot, sc, scale, testing
    from .choose.compare import compare
    from .choose.k import choose_k
    from .choose.matching import match
    from .choose.modes import modes
    from .choose.monti import Monti, monti
    from .choose.select import members, select
    from .choose.stability import Stability, stability
    from .estimator import ConsensusClustering
    from .generators import Prototypes, generate, path_based, snn_prototypes
    from .networks.detection import communities
    from .networks.resolutions import landscape

__version__ = "0.3.0"

__all__ = [
    "Choice",
    "Consensus",
    "ConsensusClustering",
    "Dendrogram",
    "Ensemble",
    "Graph",
    "GraphensError",
    "GraphensWarning",
    "Hypergraph",
    "Labels",
    "Monti",
    "Partition",
    "Partitioner",
    "Prototypes",
    "Stability",
    "bipartite",
    "choose_k",
    "clustree",
    "coassociation",
    "communities",
    "compare",
    "consensus",
    "datasets",
    "generate",
    "generators",
    "hypergraph",
    "landscape",
    "link",
    "match",
    "measures",
    "members",
    "memory_budget",
    "metagraph",
    "modes",
    "monti",
    "networks",
    "partition",
    "partitioners",
    "path_based",
    "plot",
    "progress",
    "register_partitioner",
    "sc",
    "scale",
    "select",
    "snn_prototypes",
    "stability",
    "testing",
]
__all__ += families.__all__


#: loaded on first use: what needs scikit-learn, and what only those need who make ensembles from features
_ON_USE = {
    "ConsensusClustering": "estimator",
    "Monti": "choose.monti",
    "Stability": "choose.stability",
    "Prototypes": "generators",
    "datasets": "datasets",
    "generate": "generators",
    "generators": "generators",
    "choose_k": "choose.k",
    "compare": "choose.compare",
    "match": "choose.matching",
    "members": "choose.select",
    "modes": "choose.modes",
    "monti": "choose.monti",
    "communities": "networks",
    "landscape": "networks",
    "networks": "networks",
    "select": "choose.select",
    "stability": "choose.stability",
    "path_based": "generators",
    "plot": "plot",
    "sc": "sc",
    "scale": "scale",
    "snn_prototypes": "generators",
    "testing": "testing",
}


def __getattr__(name: str) -> Any:
    """Load the parts that not everybody needs when somebody does."""
    if name not in _ON_USE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f".{_ON_USE[name]}", __name__)
    found = globals()[name] = module if name == _ON_USE[name] else getattr(module, name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_ON_USE})
