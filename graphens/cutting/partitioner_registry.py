"""Partitioners by name: loaded on use, extended by plug-ins and by `register_partitioner`."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .._lib.registry import Catalog, Registry
from ..errors import InputError, TypeMismatch, quote

#: (graph or hypergraph, k, *, seed) -> one whole number per vertex
PartitionerFunction: TypeAlias = Callable[..., Any]


@dataclass(frozen=True)
class Partitioner:
    """A row of the registry of partitioners.

    Attributes
    ----------
    name, about
        Its name and what it does.
    takes
        ``"graph"`` or ``"hypergraph"``; the other kind is converted (star expansion, edges as hyperedges).
    finds_k
        Whether ``k=None`` lets it choose the number of parts.
    balanced
        Whether it prefers parts of equal weight.
    n_init
        Number of seeds that are tried by default.
    objective
        Criterion for the best of them: ``"cut"``, ``"km1"``, ``"ncut"`` or ``"modularity"``.
    on_labels
        Whether it works on the labels of a co-association graph without building its matrix.
    requires
        The optional package that it needs.
    load
        Returns the function itself.
    prepare
        Returns a function ``(graph, k, **options)`` that does what does not depend on the seed and returns a function
        of the seed; for partitioners that are run several times.
    """

    name: str
    about: str
    load: Callable[[], PartitionerFunction] = field(repr=False)
    takes: str = "graph"
    finds_k: bool = False
    balanced: bool = False
    n_init: int = 1
    objective: str = "cut"
    on_labels: bool = False
    requires: str = ""
    prepare: Callable[[], Callable[..., Callable[[int], Any]]] | None = field(default=None, repr=False)

    @property
    def available(self) -> bool:
        """Whether the package it needs is installed."""
        return not self.requires or importlib.util.find_spec(self.requires) is not None


def lazy(module: str, name: str) -> Callable[[], PartitionerFunction]:
    """Return a factory that imports a function of this package when it is first used."""
    return lambda: getattr(importlib.import_module(f".{module}", __package__), name)


_BUILT_IN = [
    Partitioner("metis", "multilevel k-way or recursive bisection; parts of equal weight, few cut edges",
                lazy("metis", "metis"), balanced=True, n_init=5, requires="pymetis",
                prepare=lazy("metis", "prepare_metis")),
    Partitioner("spectral", "normalized cut: k-means on eigenvectors; the transfer cut on bipartite graphs",
                lazy("spectral", "spectral"), objective="ncut", on_labels=True),
    Partitioner("leiden", "communities of largest modularity; reaches a given k by searching over the resolution",
                lazy("community", "leiden"), finds_k=True, objective="modularity"),
    Partitioner("multilevel", "communities by the Louvain method; reaches a given k by searching over the resolution",
                lazy("community", "multilevel"), finds_k=True, objective="modularity"),
    Partitioner("label-propagation", "communities by label propagation; reaches a given k by merging or splitting",
                lazy("community", "label_propagation"), finds_k=True, objective="modularity"),
    Partitioner("infomap", "communities by the map equation; reaches a given k by merging or splitting",
                lazy("community", "infomap"), finds_k=True, objective="modularity"),
    Partitioner("components", "connected components; more parts by dropping the weakest edges, fewer by packing",
                lazy("dendrograms", "components"), finds_k=True, on_labels=True),
    Partitioner("linkage", "cut of the dendrogram (average linkage by default) at k parts, or at the longest lifetime",
                lazy("dendrograms", "linkage"), finds_k=True, on_labels=True),
    Partitioner("mtkahypar", "Mt-KaHyPar: a true hypergraph partitioner for the connectivity objective",
                lazy("connectivity", "mtkahypar"), takes="hypergraph", balanced=True, objective="km1",
                requires="mtkahypar"),
    Partitioner("metis-km1", "METIS on the star expansion, then moves of single vertices that lower the connectivity",
                lazy("connectivity", "metis_km1"), takes="hypergraph", balanced=True, n_init=5, objective="km1",
                requires="pymetis", prepare=lazy("connectivity", "prepare_km1")),
]  # fmt: skip
_ROWS: Registry[Partitioner] = Registry("partitioner")
for _each in _BUILT_IN:
    _ROWS.provide(_each.name, _each)


def register_partitioner(
    name: str,
    function: PartitionerFunction,
    *,
    takes: str = "graph",
    finds_k: bool = False,
    balanced: bool = False,
    n_init: int = 1,
    about: str = "",
) -> None:
    """Register a partitioner under a name for this session.

    Parameters
    ----------
    name
        The name. An earlier registration of this name is replaced; names of built-in partitioners cannot be used.
    function
        ``function(graph, k, *, seed)`` returning one whole number per vertex, a mapping from vertices to numbers, the
        vertices of each part, or igraph's clustering. It always gets a `graphens.Graph`, whatever kind of graph the
        user passed: ``graph.to_igraph()``, ``graph.to_networkx()`` and ``graph.to_scipy()`` convert it. With
        ``finds_k=True`` it is also a base of `graphens.communities`.
    takes
        ``"graph"``, or ``"hypergraph"`` for a function that gets a `graphens.Hypergraph`.
    finds_k
        Whether it accepts ``k=None``.
    balanced, n_init, about
        See `Partitioner`.

    Examples
    --------
    >>> import graphens as ge
    >>> def halves(graph, k, *, seed):
    ...     return [i * k // graph.n_vertices for i in range(graph.n_vertices)]
    >>> ge.register_partitioner("halves", halves)
    >>> ge.partition(
    ...     ge.Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]]), 2, partitioner="halves"
    ... ).labels.tolist()
    [0, 0, 1]
    """
    facts = {"takes": takes, "finds_k": finds_k, "balanced": balanced, "n_init": n_init, "about": about}
    _ROWS.register(name, _row(name, function, **facts))


def _row(name: str, function: Any, **fields: Any) -> Partitioner:
    """A registry row for an external function; attributes of the function provide what is not given."""
    if not callable(function):
        raise TypeMismatch(
            f"The partitioner {quote(name)} is a {type(function).__name__}; expected a function (graph, k, *, seed)."
        )
    attributes = ("takes", "finds_k", "balanced", "n_init", "about")
    fields = {key: getattr(function, key) for key in attributes if hasattr(function, key)} | fields
    if fields.get("takes", "graph") not in ("graph", "hypergraph"):
        raise InputError.about("takes", fields["takes"], "'graph' or 'hypergraph'")
    fields.setdefault("about", (getattr(function, "__doc__", None) or "").strip().partition("\n")[0])
    if fields.get("takes") == "hypergraph":
        fields.setdefault("objective", "km1")
    return Partitioner(name, load=lambda: function, **fields)


#: ``partitioners["metis"]`` is a row; calling gives all of them as a list that is displayed as a table
partitioners: Catalog[Partitioner] = Catalog(
    _ROWS,
    _row,
    ("name", "takes", "finds_k", "available"),
    ("balanced", "n_init", "objective", "on_labels", "requires", "about"),
)


def find_partitioner(partitioner: str | PartitionerFunction | Partitioner) -> Partitioner:
    """Return the row with a name, or make one for a function."""
    if isinstance(partitioner, Partitioner):
        return partitioner
    if not isinstance(partitioner, str):
        wrapped = getattr(partitioner, "func", partitioner)  # functools.partial keeps the name of what it wraps
        return _known(partitioner) or _row(getattr(wrapped, "__name__", type(wrapped).__name__), partitioner)
    return _ROWS.find(partitioner, _row, ", or a function")


def _known(function: Any) -> Partitioner | None:
    """The row of a built-in function that was passed as a function, possibly in a `functools.partial`."""
    bare = getattr(function, "func", function)
    for row in _BUILT_IN:
        if str(getattr(bare, "__module__", "")).startswith(__package__) and row.load() is bare:
            return Partitioner(**{**row.__dict__, "load": lambda: function, "prepare": None})
    return None
