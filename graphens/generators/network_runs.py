"""Ensembles of a network: the communities of its vertices, found many times.

A network replaces the features. It is one view, and every run of a community algorithm uses all of it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, number
from .._lib.stored import digest
from ..cutting.community import Runs, find_finder
from ..errors import InputError, TypeMismatch, collect_warnings, named_failure, quote
from ..graphs.graph import Graph
from ..labels.value import remembered
from .bases import Base, base_name
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


@dataclass(frozen=True)
class _Algorithm:
    """A model that runs a community algorithm by name; a resolution from an interval is drawn with the seed."""

    name: str
    low: float
    high: float
    seed: int = 0

    def __call__(self, X: Network, k: int, seed: int) -> _Algorithm:
        return replace(self, seed=seed)

    def fit_predict(self, network: Network) -> AnyArray:
        # evenly on a logarithmic scale: twice and half are equally far
        at = np.random.default_rng(self.seed).uniform(np.log(self.low), np.log(self.high))
        return network.runs.find(self.name, self.seed, float(np.exp(at)))


@dataclass(frozen=True)
class _Own:
    """A model that calls the user's function with the original graph."""

    function: Callable[..., Any]
    given: Any
    seed: int = 0

    def __call__(self, X: Network, k: int, seed: int) -> _Own:
        return replace(self, seed=seed)

    def fit_predict(self, network: Network) -> AnyArray:
        name = base_name(self.function)
        with named_failure(f"The base {name}"):
            return by_vertex(self.function(self.given, seed=self.seed), self.given, name)


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
        raise InputError(
            f"{', '.join(names)} was given with a network; these are options for features. A network takes base and "
            "resolution."
        )


def network_bases(base: Any, resolution: Any, G: Any) -> tuple[Base, ...]:
    """Return the community algorithms named or given."""
    wanted = base if isinstance(base, Sequence) and not isinstance(base, str) else [base]
    if not wanted:
        raise InputError("An empty list of bases was given; expected at least one.")
    low, high = resolutions(resolution)
    return tuple(_base(one, low, high, G) for one in wanted)


def resolutions(resolution: Any) -> tuple[float, float]:
    """Check a resolution, or an interval from which every run draws its own."""
    ends = resolution if isinstance(resolution, (tuple, list)) or np.ndim(resolution) else [resolution] * 2
    if len(ends) != 2:
        raise InputError.about("resolution", resolution, "a number or an interval (low, high)")
    low, high = (number("resolution", end) for end in ends)
    if not 0 < low <= high:
        raise InputError.about("resolution", resolution, "positive numbers, low before high")
    return low, high


def _base(base: Any, low: float, high: float, G: Any) -> Base:
    if isinstance(base, str):
        find_finder(base, ", or a function (graph, *, seed)")
        return Base(base, _Algorithm(base, low, high), predicts=False, threads=False)
    if callable(base) and not isinstance(base, type):
        _takes_seed(base, G)
        return Base(base_name(base), _Own(base, G), predicts=False, threads=False)
    raise TypeMismatch(
        f"A {type(base).__name__} was given as base; expected the name of a community algorithm, "
        "a function (graph, *, seed) -> labels, or a list of them."
    )


def _takes_seed(function: Callable[..., Any], G: Any) -> None:
    """Refuse a function that cannot be called with a graph and a seed, before the first run."""
    try:
        inspect.signature(function).bind(G, seed=0)
    except ValueError:  # written in C: nothing is known about it
        return
    except TypeError as error:
        raise TypeMismatch(
            f"The base cannot be called with a graph and seed=… ({error}); expected a function "
            "(graph, *, seed) -> labels, which may leave the seed unused."
        ) from None


def by_vertex(found: Any, G: Any, base: str = "base") -> AnyArray:
    """Read the communities that a function returned: labels, vertex → label, communities, or an igraph clustering."""
    if hasattr(found, "as_clustering"):  # igraph's dendrogram
        found = found.as_clustering()
    if hasattr(found, "membership"):  # igraph's and leidenalg's communities
        found = found.membership
    if isinstance(found, Iterable) and not isinstance(found, (str, Mapping, np.ndarray)):
        found = list(found)
        if found and all(isinstance(group, Collection) and not isinstance(group, str) for group in found):
            found = _label_by_member(found, base)
    if isinstance(found, Mapping):
        return _labels_by_name(found, G, base)
    if np.ndim(found) != 1:
        kind = "one value" if np.ndim(found) == 0 else f"an array of shape {np.shape(found)}"
        raise TypeMismatch(
            f"The base {base} returned {type(found).__name__}, {kind}; expected one label per vertex, a mapping from "
            "vertices to labels, the vertices of each community (as networkx gives them), or igraph's VertexClustering."
        )
    return np.asarray(found)


def _label_by_member(groups: Sequence[Collection[Any]], base: str) -> dict[Any, int]:
    label_of = {node: c for c, group in enumerate(groups) for node in group}
    if len(label_of) < sum(len(set(group)) for group in groups):
        raise InputError(f"The base {base} returned communities that overlap; expected every vertex in at most one.")
    return label_of


def _labels_by_name(found: Mapping[Any, Any], G: Any, base: str) -> AnyArray:
    """The labels in the order of the vertices, None if a vertex has none; igraph's vertices may be given by number."""
    with collect_warnings():  # what there is to say about the graph was said when it was read for the runs
        nodes = list(G.nodes if hasattr(G, "adj") else Graph.of(G, symmetrize=True).names)
    keys = nodes if any(node in found for node in nodes) else range(len(nodes))
    vertices = set(keys)
    strange = [key for key in found if key not in vertices]
    if strange or not found:
        problem = f"a label for {quote(strange[0])}, which is not a vertex" if strange else "no label at all"
        raise InputError(
            f"The base {base} returned {problem}; expected labels of the vertices of the graph it was given."
        )
    return np.array([found.get(key) for key in keys], dtype=object)
