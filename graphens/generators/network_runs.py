"""Ensembles of a network: the communities of its vertices, found many times.

A network replaces the features. It is one view, and every run of a community algorithm uses all of it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, number
from .._lib.stored import digest
from ..cutting.community import Runs, each_base, find_finder, takes_resolution
from ..cutting.entry import runs_of
from ..cutting.partitioner_registry import Partitioner
from ..errors import InputError, TypeMismatch
from ..graphs.graph import Graph
from ..labels.value import remembered
from .bases import Base, FunctionModel
from .features import Views


class Network:
    """A graph whose vertices are the objects, used like a matrix of features."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the adjacency matrix."""
        return self.graph.n_vertices, self.graph.n_vertices

    @property
    def nbytes(self) -> int:
        """Memory of the graph, for backends that send it to workers."""
        a = self.graph.adjacency
        return int(a.data.nbytes + a.indices.nbytes + a.indptr.nbytes)

    @remembered
    def runs(self) -> Runs:
        """The graph prepared for igraph, once for all runs in this process."""
        return Runs(self.graph)

    def fingerprint(self) -> str:
        """Size and hash of the graph and igraph's version, for a checkpoint."""
        import igraph

        a = self.graph.adjacency
        size = f"{self.graph.n_vertices} vertices, {self.graph.n_edges} edges"
        return f"{size} {digest(a.data, a.indices, a.indptr)} igraph {igraph.__version__}"

    def __getstate__(self) -> dict[str, Any]:
        return {"graph": self.graph}  # igraph's copy is made anew where it is needed


def _by_name(name: str, low: float, high: float, network: Network, k: int, seed: int) -> AnyArray:
    """Run a community algorithm; a resolution from an interval is drawn with the seed."""
    # evenly on a logarithmic scale: twice and half are equally far
    at = np.random.default_rng(seed).uniform(np.log(low), np.log(high))
    return network.runs.find(name, seed, float(np.exp(at)))


def _by_partitioner(row: Partitioner, network: Network, k: int, seed: int) -> AnyArray:
    """Call a partitioner without a number of parts."""
    return runs_of(row, network.graph, None, {}, "base")[0](seed)


def is_network(X: Any) -> bool:
    """Whether a graph was given instead of features."""
    origin = {base.__module__.split(".")[0] for base in type(X).__mro__}
    return isinstance(X, Graph) or bool(origin & {"networkx", "igraph"})


def as_view(graph: Graph) -> Views:
    """Return a network as the one view of its vertices."""
    if not graph.n_vertices:
        raise InputError("A graph without vertices was given; expected at least one.")
    return Views(("network",), (Network(graph),), object_names=graph.names)


def refuse_features(**asked: Any) -> None:
    """Refuse arguments that apply only to features."""
    names = [name for name, value in asked.items() if value is not None and value is not False]
    if names:
        what = f"{', '.join(names)} was given with a network; these are options for features"
        raise InputError(f"{what}. A network takes base and resolution.")


def network_bases(base: Any, resolution: Any) -> tuple[Base, ...]:
    """Return the community algorithms named or given."""
    wanted = each_base(base)
    if not wanted:
        raise InputError("An empty list of bases was given; expected at least one.")
    low, high = resolutions(resolution)
    if (low, high) != (1, 1) and not takes_resolution(base):
        because = f", and {', '.join(map(str, wanted))} has none"
        advice = "Leave it out, or use leiden, louvain or louvain-1."
        raise InputError.about("resolution", resolution, because=because, advice=advice)
    return tuple(_base(one, low, high) for one in wanted)


def resolutions(resolution: Any) -> tuple[float, float]:
    """Check a resolution, or an interval from which every run draws its own."""
    ends = resolution if isinstance(resolution, (tuple, list)) or np.ndim(resolution) else [resolution] * 2
    if len(ends) != 2:
        raise InputError.about("resolution", resolution, "a number or an interval (low, high)")
    low, high = (number("resolution", end) for end in ends)
    if not 0 < low <= high:
        raise InputError.about("resolution", resolution, "positive numbers, low before high")
    return low, high


def _base(base: Any, low: float, high: float) -> Base:
    if isinstance(base, type) or not (isinstance(base, str) or callable(base)):
        raise TypeMismatch(
            f"A {type(base).__name__} was given as base; expected the name of a community algorithm, a function "
            "(graph, k, *, seed) -> labels, or a list of them."
        )
    finder = find_finder(base)
    if isinstance(finder, Partitioner):
        runs_of(finder, Graph([[0.0]]), None, {}, "base")  # refuses other functions before the first run
        return Base(finder.name, FunctionModel(partial(_by_partitioner, finder)), predicts=False, threads=False)
    return Base(base, FunctionModel(partial(_by_name, base, low, high)), predicts=False, threads=False)
