"""Values as plain data and arrays, and back: what an archive holds of them.

Each value is its kind and its fields. A field is text, a number, a list, an array by its number, or a value by its
number, so that what two values share is written once. Kinds are looked up in a table and never imported by a name that
a file gives.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from importlib import import_module
from inspect import get_annotations
from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import AnyArray, as_weights, freeze
from ..core.dendrogram import Dendrogram
from ..core.ensemble import Ensemble
from ..core.graph import Graph
from ..core.hypergraph import Hypergraph
from ..core.names import Names, as_names
from ..core.result import Consensus
from ..core.value import Value

#: what can be saved, and the module where it lives
KINDS: Mapping[str, str] = {
    "Names": "core.names",
    "Ensemble": "core.ensemble",
    "Graph": "core.graph",
    "Hypergraph": "core.hypergraph",
    "Dendrogram": "core.dendrogram",
    "Partition": "core.result",
    "Consensus": "core.result",
    "CoassociationGraph": "views.coassociation",
    "RepeatedGraph": "views.repeated",
    "BipartiteGraph": "views.bipartite",
    "ClusterTree": "views.clustree",
    "Affinity": "views.affinity",
    "Counted": "views.affinity",
    "Trial": "families.trials",
    "Choice": "choose.choice",
    "Explanation": "choose.explanation",
    "Vote": "choose.explanation",
    "Assigned": "choose.explanation",
    "Comparison": "choose.comparison",
    "Match": "choose.correspondence",
    "CredibleBall": "choose.credible",
    "Mode": "choose.modes",
    "Monti": "choose.resampling",
    "Panel": "choose.resampling",
    "Linked": "choose.distribution",
    "Distribution": "choose.distribution",
    "Stability": "choose.stability",
    "Prototypes": "generators.prototypes",
    "Landscape": "networks.resolutions",
}
_DATES = (dt.date, dt.datetime, dt.time)


def kind_of(name: str) -> type[Any]:
    """Return the class of a kind of value; a KeyError for what is none."""
    found: type[Any] = getattr(import_module(f"graphens.{KINDS[name]}"), name)
    return found


def is_kind(value: Any) -> bool:
    """Whether it is one of the values that can be saved."""
    name = type(value).__name__
    return name in KINDS and kind_of(name) is type(value)


# writing ----------------------------------------------------------------------------------------------------


class Writing:
    """What a value consists of: `values`, each behind all that it is made of, the `arrays`, and what is `lost`."""

    values: list[list[Any]]
    arrays: list[AnyArray]
    lost: dict[str, Any]  # what becomes text, by that text

    def __init__(self) -> None:
        self.values, self.arrays, self.lost = [], [], {}
        self._known: dict[int, tuple[Any, Any]] = {}  # how it was written, by identity; kept alive beside it

    def part(self, value: Any) -> Any:
        """Return anything as JSON can hold it, arrays and values by their numbers."""
        kind = type(value)
        if value is None or kind in (str, int, bool):
            return value
        if kind is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if id(value) not in self._known:
            self._known[id(value)] = self._written(value), value
        return self._known[id(value)][0]

    def _written(self, value: Any) -> Any:
        write = next((write for fits, write in _WRITTEN if fits(value)), None)
        if write is not None:
            return write(self, value)
        self.lost.setdefault(str(value), value)
        return str(value)

    def _number(self, kept: list[Any], made: Any) -> int:
        kept.append(made)
        return len(kept) - 1

    def _value(self, value: Any) -> Any:
        inside = {name: self.part(field) for name, field in _fields_of(value).items()}
        return {"value": self._number(self.values, [type(value).__name__, inside])}

    def _array(self, value: AnyArray) -> Any:
        if value.dtype == object:
            return {"objects": [self.part(one) for one in value.ravel().tolist()], "shape": list(value.shape)}
        if value.dtype.kind in "mM":
            return {"array": self._number(self.arrays, value.view(np.int64)), "dtype": value.dtype.str}
        return {"array": self._number(self.arrays, np.asarray(value))}

    def _named_array(self, value: Any) -> Any:
        return {"pairs": self.part(np.array(value)), "names": self.part(value.names)}

    def _sparse(self, value: Any) -> Any:
        rows = sparse.csr_array(value)
        arrays = [self.part(np.asarray(part)) for part in (rows.data, rows.indices, rows.indptr)]
        return {"sparse": arrays, "shape": rows.shape}

    def _dict(self, value: Mapping[Any, Any]) -> Any:
        return {"dict": [[self.part(name), self.part(one)] for name, one in value.items()]}

    def _many(self, value: Any) -> Any:
        inside = [self.part(one) for one in value]
        return inside if type(value) is list else {type(value).__name__: inside}

    def _frame(self, value: Any) -> Any:
        index = [value.index.tolist(), list(value.index.names)]
        columns = [_column(value.iloc[:, j]) for j in range(value.shape[1])]
        return {"frame": self.part([value.columns.tolist(), index, columns])}

    def _networkx(self, value: Any) -> Any:
        keys = {"keys": True} if value.is_multigraph() else {}
        nodes, edges = list(value.nodes(data=True)), list(value.edges(data=True, **keys))
        graph = [value.is_directed(), value.is_multigraph(), dict(value.graph), nodes, edges]
        return {"value": self._number(self.values, ["networkx", self.part(graph)])}

    def _igraph(self, value: Any) -> Any:
        at = [{name: list(part[name]) for name in part.attributes()} for part in (value.vs, value.es)]
        own = {name: value[name] for name in value.attributes()}
        graph = [value.vcount(), value.is_directed(), value.get_edgelist(), own, *at]
        return {"value": self._number(self.values, ["igraph", self.part(graph)])}


def _fields_of(value: Any) -> dict[str, Any]:
    """The fields of a value; a matrix that a graph can build again is left out."""
    if not isinstance(value, Value):
        names = getattr(value, "_fields", None) or [field.name for field in fields(value)]
        return {name: getattr(value, name) for name in names}
    found = value.__getstate__()
    lazy = isinstance(value, Graph) and type(value)._explicit is not Graph._explicit
    return found | {"_adjacency": None} if lazy else found


def _column(column: Any) -> Any:
    """A column of a frame: an array where NumPy holds it as it is, and otherwise a list."""
    return column.to_numpy() if isinstance(column.dtype, np.dtype) else column.tolist()


def _from(package: str, name: str) -> Callable[[Any], bool]:
    """Whether a value has a class of that name, or derives from one, without loading the package."""
    return lambda value: any(
        base.__name__ == name and base.__module__.partition(".")[0] == package for base in type(value).__mro__
    )


_WRITTEN: Sequence[tuple[Callable[[Any], bool], Callable[[Writing, Any], Any]]] = (
    (is_kind, Writing._value),
    (_from("graphens", "PairMatrix"), Writing._named_array),
    (lambda value: isinstance(value, np.ndarray) and value.dtype.kind in "biufUmMO", Writing._array),
    (lambda value: isinstance(value, np.generic) and value.dtype.kind in "biufUmM",
     lambda to, value: {"scalar": to.part(np.array(value))}),
    (sparse.issparse, Writing._sparse),
    (lambda value: isinstance(value, dict), Writing._dict),
    (lambda value: type(value) in (list, tuple, set, frozenset), Writing._many),
    (lambda value: type(value) is range, lambda _, value: {"range": [value.start, value.stop, value.step]}),
    (lambda value: type(value) in _DATES, lambda _, value: {type(value).__name__: value.isoformat()}),
    (_from("pandas", "Timestamp"), lambda _, value: {"Timestamp": value.isoformat()}),
    (_from("pandas", "DataFrame"), Writing._frame),
    (_from("networkx", "Graph"), Writing._networkx),
    (_from("igraph", "Graph"), Writing._igraph),
)  # fmt: skip


# reading ----------------------------------------------------------------------------------------------------


def read(root: Any, values: Sequence[Any], arrays: Sequence[AnyArray]) -> Any:
    """Return what was written, each value checked as if it came from anywhere; some error where it does not fit."""
    reading = Reading(arrays)
    for kind, inside in values:
        reading.values.append(reading.value(kind, inside))
    return reading.part(root)


class Reading:
    """What was read so far."""

    values: list[Any]

    def __init__(self, arrays: Sequence[AnyArray]) -> None:
        self.values, self.arrays = [], arrays

    def part(self, written: Any) -> Any:
        """Return what `Writing.part` wrote."""
        if isinstance(written, list):
            return [self.part(one) for one in written]
        if not isinstance(written, dict):
            return written
        kind, inside = next(iter(written.items()))
        return _READ[kind](self, inside, written)

    def value(self, kind: str, inside: Any) -> Any:
        """Return a value from its kind and its fields."""
        if kind in ("networkx", "igraph"):
            return (_networkx if kind == "networkx" else _igraph)(self.part(inside))
        made = _made(kind_of(kind), {name: self.part(one) for name, one in inside.items()})
        for checked, check in _CHECKS.items():
            if isinstance(made, checked):
                check(made)
        return made


def _made(kind: type[Any], given: dict[str, Any]) -> Any:
    """A value of a kind from its fields; those that an earlier version did not know are as they are by default."""
    if not issubclass(kind, Value):
        return kind(**given)
    known = {name for base in kind.__mro__ for name in get_annotations(base) if not name.startswith("__")}
    missing = {name for name in known - given.keys() if not hasattr(kind, name)}
    if missing or not given.keys() <= known:
        raise ValueError(
            f"fields are missing or unknown: {', '.join(sorted(missing | given.keys() - known))}"
        )
    return kind._from_fields(**given)


def _objects(made: list[Any], shape: list[int]) -> AnyArray:
    return freeze(np.fromiter(made, dtype=object, count=len(made)).reshape(shape))


def _sparse(arrays: list[AnyArray], shape: list[int]) -> sparse.csr_array:
    made = sparse.csr_array(tuple(arrays), shape=tuple(shape))
    made.check_format(full_check=True)
    return made


def _pair_matrix(values: AnyArray, names: tuple[str, ...]) -> Any:
    from ..measures.agreement import PairMatrix

    made = np.array(values).view(PairMatrix)
    made.names = names
    return freeze(made)


def _frame(columns: list[Any], index: list[Any], cells: list[Any]) -> Any:
    import pandas as pd

    made = pd.DataFrame(dict(enumerate(cells)))
    made.columns = pd.Index(columns)
    rows, levels = index
    made.index = (
        pd.MultiIndex.from_tuples(rows, names=levels) if len(levels) > 1 else pd.Index(rows, name=levels[0])
    )
    return made


def _networkx(graph: list[Any]) -> Any:
    import networkx as nx

    directed, multiple, own, nodes, edges = graph
    kinds = {(False, False): nx.Graph, (True, False): nx.DiGraph, (False, True): nx.MultiGraph}
    made = kinds.get((directed, multiple), nx.MultiDiGraph)(**own)
    made.add_nodes_from(nodes)
    made.add_edges_from(edges)
    return made


def _igraph(graph: list[Any]) -> Any:
    import igraph as ig

    size, directed, edges, own, vertices, along = graph
    return ig.Graph(size, edges, directed=directed, graph_attrs=own, vertex_attrs=vertices, edge_attrs=along)


def _timestamp(text: str) -> Any:
    from pandas import Timestamp

    return Timestamp(text)


def _date_of(kind: type[Any]) -> Callable[[Reading, Any, Any], Any]:
    return lambda _, text, __: kind.fromisoformat(text)


_READ: Mapping[str, Callable[[Reading, Any, Any], Any]] = {
    "value": lambda at, number, _: at.values[number],
    "array": lambda at, number, node: at.arrays[number].view(node["dtype"]) if "dtype" in node else at.arrays[number],
    "objects": lambda at, inside, node: _objects(at.part(inside), node["shape"]),
    "pairs": lambda at, inside, node: _pair_matrix(at.part(inside), at.part(node["names"])),
    "scalar": lambda at, inside, _: at.part(inside)[()],
    "sparse": lambda at, inside, node: _sparse(at.part(inside), node["shape"]),
    "dict": lambda at, inside, _: {at.part(name): at.part(one) for name, one in inside},
    "tuple": lambda at, inside, _: tuple(at.part(inside)),
    "set": lambda at, inside, _: set(at.part(inside)),
    "frozenset": lambda at, inside, _: frozenset(at.part(inside)),
    "range": lambda _, inside, __: range(*inside),
    "float": lambda _, inside, __: float(inside),
    "frame": lambda at, inside, _: _frame(*at.part(inside)),
    "Timestamp": lambda _, inside, __: _timestamp(inside),
    **{kind.__name__: _date_of(kind) for kind in _DATES},
}  # fmt: skip


# checking ---------------------------------------------------------------------------------------------------


def expect(fits: Any, what: str) -> None:
    """Refuse a value whose fields do not fit each other: compiled code would trust them."""
    if not fits:
        raise ValueError(f"its {what} are damaged")


def check_ensemble(e: Ensemble) -> None:
    """Check an ensemble field by field."""
    codes, n = e.codes, e.codes.shape[-1]
    expect(codes.ndim == 2 and codes.dtype.kind == "u" and codes.dtype.itemsize <= 4 and codes.size, "codes")
    expect(len(e.partition_names) == len(codes) == len(e.categories), "partition names")
    for row, labels in zip(codes, e.categories, strict=True):
        expect(labels.ndim == 1 and labels.dtype.kind in "iuU", "labels")
        expect(not (row[row != e.absent] >= len(labels)).any(), "labels")
        expect(len(np.unique(labels)) == len(labels), "labels")
    expect(e.n_clusters.tolist() == [len(labels) for labels in e.categories], "labels")
    as_weights(e.weights, len(codes), "partitions")
    as_weights(e.object_weights, n, "objects", positive=True)
    expect(e.object_names is None or e.object_names.shape == (n,), "object names")
    if e.object_names is not None:
        as_names(e.object_names)
    expect(e.memberships is None or len(e.memberships) == len(codes), "memberships")
    for table in e.memberships or ():
        expect(table.ndim == 2 and len(table) == n and table.dtype == np.float64, "memberships")
        expect(np.isfinite(table).all() and table.min(initial=0) >= 0, "memberships")


def _check_names(names: Names) -> None:
    expect(len(Names(*names.parts)) == len(names), "names")


def _check_graph(g: Graph) -> None:
    n = len(g.roles)
    expect(n == len(g.vertex_weights) == len(g.names) and np.isin(g.roles, (0, 1)).all(), "vertices")
    a = g._adjacency
    if a is not None:
        expect(a.shape == (n, n) and not a.diagonal().any() and abs(a - a.T).nnz == 0, "edges")
    e = getattr(g, "ensemble", None)
    expect(e is None or n in (e.n_objects, e.n_objects + e.offsets[-1], e.offsets[-1]), "vertices")


def _check_hypergraph(h: Hypergraph) -> None:
    sizes = (len(h.vertex_weights), len(h.hyperedge_weights))
    expect(h.incidence.shape == sizes == (len(h.vertex_names), len(h.hyperedge_names)), "hyperedges")
    expect(len(h.partition) == sizes[1], "hyperedges")


def _check_dendrogram(d: Dendrogram) -> None:
    Dendrogram(d.merges, leaf_weights=d.leaf_weights, index=d.index, names=d.names)


def _check_consensus(r: Consensus) -> None:
    n = r.ensemble.n_objects
    for found in (r, r._evidence):
        labels: Any = getattr(found, "labels", None)
        expect(labels.shape == (n,) and labels.dtype.kind == "i" and labels.min(initial=-1) >= -1, "clusters")
        expect(labels.max(initial=-1) < r.k, "clusters")
    expect(r.names is None or len(r.names) == n, "names")
    expect(r._own is None or r._own.shape == (n, r.k), "memberships")


_CHECKS: Mapping[type[Any], Callable[[Any], None]] = {
    Names: _check_names,
    Ensemble: check_ensemble,
    Graph: _check_graph,
    Hypergraph: _check_hypergraph,
    Dendrogram: _check_dendrogram,
    Consensus: _check_consensus,
}
