"""Values as plain data and arrays, and back, for archives.

Each value is stored as its kind and its fields. A field is text, a number, a list, an array by its number, or a value
by its number, so that shared parts are written once. Kinds are looked up in a table; names from a file are never
imported.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import singledispatch
from importlib import import_module
from inspect import get_annotations
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, as_weights, freeze
from .._lib.frames import as_frame
from ..graphs.graph import Graph
from ..graphs.hypergraph import Hypergraph
from ..labels.ensemble import Ensemble
from ..labels.names import Names, as_names
from ..labels.value import Value
from ..result.consensus import Consensus
from ..trees.dendrogram import Dendrogram
from .frames import frame_of

#: what can be saved, and the module where it lives
KINDS: Mapping[str, str] = {
    "Names": "labels.names",
    "Ensemble": "labels.ensemble",
    "Graph": "graphs.graph",
    "Hypergraph": "graphs.hypergraph",
    "Dendrogram": "trees.dendrogram",
    "Partition": "cutting.parts",
    "Consensus": "result.consensus",
    "CoassociationGraph": "graphs.coassociation",
    "RepeatedGraph": "graphs.coassociation",
    "BipartiteGraph": "graphs.bipartite",
    "ClusterTree": "graphs.clustree",
    "Affinity": "graphs.affinity",
    "Counted": "graphs.affinity",
    "Trial": "families.trials",
    "Choice": "choose.choice",
    "Explanation": "result.explanation",
    "Vote": "result.explanation",
    "Assigned": "result.explanation",
    "Comparison": "choose.comparison",
    "Benchmark": "choose.study",
    "Match": "choose.correspondence",
    "CredibleBall": "choose.credible",
    "Mode": "choose.camps",
    "Monti": "choose.resampling",
    "Panel": "choose.resampling",
    "Linked": "choose.distribution",
    "Distribution": "choose.distribution",
    "Stability": "choose.stability",
    "Changes": "result.changes",
    "Cluster": "result.changes",
    "Prototypes": "generators.prototypes",
    "Landscape": "networks.resolutions",
}
_DATES = (dt.date, dt.datetime, dt.time)


def kind_of(name: str) -> type[Any]:
    """Return the class of a kind of value; a KeyError for an unknown kind."""
    found: type[Any] = getattr(import_module(f"graphens.{KINDS[name]}"), name)
    return found


def is_kind(value: Any) -> bool:
    """Whether it is one of the values that can be saved."""
    name = type(value).__name__
    return name in KINDS and kind_of(name) is type(value)


# writing ----------------------------------------------------------------------------------------------------


class Writing:
    """The parts of a value: `values`, each after the values it contains, the `arrays`, and what is `lost`."""

    values: list[list[Any]]
    arrays: list[AnyArray]
    lost: dict[str, Any]  # what becomes text, by that text

    def __init__(self) -> None:
        self.values, self.arrays, self.lost = [], [], {}
        self._known: dict[int, tuple[Any, Any]] = {}  # how it was written, by identity; kept alive beside it

    def part(self, value: Any) -> Any:
        """Return anything in a form for JSON, with arrays and values by their numbers."""
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
        if isinstance(value, Value):
            given = value.__getstate__()
            if isinstance(value, Graph) and type(value)._explicit is not Graph._explicit:
                given["_adjacency"] = None  # it can be built again
        else:
            names = getattr(value, "_fields", None) or [field.name for field in fields(value)]
            given = {name: getattr(value, name) for name in names}
        inside = {name: self.part(field) for name, field in given.items()}
        return {"value": self._number(self.values, [type(value).__name__, inside])}

    def _array(self, value: AnyArray) -> Any:
        if value.dtype == object and all(type(one) is str for one in value.flat):
            return {"texts": self._texts(value.ravel().tolist()), "shape": list(value.shape)}
        if value.dtype == object:
            return {"objects": [self.part(one) for one in value.ravel().tolist()], "shape": list(value.shape)}
        if value.dtype.kind in "mM":
            return {"array": self._number(self.arrays, value.view(np.int64)), "dtype": value.dtype.str}
        return {"array": self._number(self.arrays, np.asarray(value))}

    def _texts(self, texts: list[str]) -> list[Any]:
        """All texts as one array of bytes, and their lengths; in NumPy's own all are as long as the longest."""
        whole = np.frombuffer("".join(texts).encode(), dtype=np.uint8)
        return [self.part(whole), self.part(np.array([len(text) for text in texts], dtype=np.int64))]

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
        every = [value.iloc[:, j] for j in range(value.shape[1])]
        columns = [one.to_numpy() if isinstance(one.dtype, np.dtype) else one.tolist() for one in every]
        return {"frame": self.part([value.columns.tolist(), index, columns])}

    def _other_frame(self, value: Any) -> Any:
        found = as_frame(value)
        assert found is not None
        every = [found.table[:, t] for t in range(len(found.names))]
        whole = [one.dtype.is_numeric() and not one.null_count() for one in every]
        columns = [one.to_numpy() if numbers else one.to_list() for one, numbers in zip(every, whole, strict=True)]
        return {"table": self.part([found.backend, found.names, columns])}

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


def _from(package: str, name: str) -> Callable[[Any], bool]:
    """Whether a value has a class of that name, or derives from one, without loading the package."""
    return lambda value: any(
        base.__name__ == name and base.__module__.partition(".")[0] == package for base in type(value).__mro__
    )


_WRITTEN: Sequence[tuple[Callable[[Any], bool], Callable[[Writing, Any], Any]]] = (
    (is_kind, Writing._value),
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
    (lambda value: as_frame(value) is not None, Writing._other_frame),
    (lambda value: hasattr(value, "__array__") and not isinstance(value, (np.ndarray, np.generic)),
     lambda to, value: to.part(np.asarray(value))),
    (_from("networkx", "Graph"), Writing._networkx),
    (_from("igraph", "Graph"), Writing._igraph),
)  # fmt: skip


# reading ----------------------------------------------------------------------------------------------------


Reader: TypeAlias = Callable[["Reading", Any, Mapping[str, Any]], Any]
_READ: dict[str, Reader] = {}  # what reads each kind of part, from what stands inside it and the whole node
_OTHERS: dict[str, Callable[[list[Any]], Any]] = {}  # what makes values of other packages


class Reading:
    """The values that were read so far, each of them checked."""

    values: list[Any]
    arrays: Sequence[AnyArray]

    def __init__(self, arrays: Sequence[AnyArray]) -> None:
        self.values, self.arrays = [], arrays

    def part(self, written: Any) -> Any:
        """Return what `Writing.part` wrote; raises an error if it is not valid."""
        if isinstance(written, list):
            return [self.part(one) for one in written]
        if not isinstance(written, dict):
            return written
        kind, inside = next(iter(written.items()))
        return _READ[kind](self, inside, written)

    def add(self, kind: str, inside: Any) -> None:
        """Make the next value from its kind and its fields; fields of later versions have their defaults."""
        if kind in _OTHERS:
            self.values.append(_OTHERS[kind](self.part(inside)))
            return
        of, given = kind_of(kind), {name: self.part(one) for name, one in inside.items()}
        if not issubclass(of, Value):
            self.values.append(of(**given))
            return
        known = {name for base in of.__mro__ for name in get_annotations(base) if not name.startswith("__")}
        odd = {name for name in known - given.keys() if not hasattr(of, name)} | (given.keys() - known)
        if odd:
            raise ValueError(f"fields are missing or unknown: {', '.join(sorted(odd))}")
        self.values.append(of._from_fields(**given))
        check(self.values[-1])


def _reads(kind: str) -> Callable[[Reader], Reader]:
    return lambda reader: _READ.setdefault(kind, reader)


_READ |= {
    "value": lambda at, number, _: at.values[number],
    "scalar": lambda at, inside, _: at.part(inside)[()],
    "dict": lambda at, inside, _: {at.part(name): at.part(one) for name, one in inside},
    "tuple": lambda at, inside, _: tuple(at.part(inside)),
    "set": lambda at, inside, _: set(at.part(inside)),
    "frozenset": lambda at, inside, _: frozenset(at.part(inside)),
    "range": lambda _, inside, __: range(*inside),
    "float": lambda _, text, __: float(text),
    "date": lambda _, text, __: dt.date.fromisoformat(text),
    "datetime": lambda _, text, __: dt.datetime.fromisoformat(text),
    "time": lambda _, text, __: dt.time.fromisoformat(text),
}


@_reads("array")
def _array(at: Reading, number: int, node: Mapping[str, Any]) -> AnyArray:
    return at.arrays[number].view(node["dtype"]) if "dtype" in node else at.arrays[number]


@_reads("objects")
def _objects(at: Reading, inside: Any, node: Mapping[str, Any]) -> AnyArray:
    made = at.part(inside)
    return freeze(np.fromiter(made, dtype=object, count=len(made)).reshape(node["shape"]))


@_reads("texts")
def _texts(at: Reading, inside: Any, node: Mapping[str, Any]) -> AnyArray:
    whole, lengths = at.part(inside)
    text, ends = whole.tobytes().decode(), np.cumsum(lengths).tolist()
    _expect(lengths.min(initial=0) >= 0 and lengths.sum() == len(text), "texts")
    made = [text[end - length : end] for length, end in zip(lengths.tolist(), ends, strict=True)]
    return freeze(np.array(made, dtype=object).reshape(node["shape"]))


@_reads("sparse")
def _sparse(at: Reading, inside: Any, node: Mapping[str, Any]) -> sparse.csr_array:
    made = sparse.csr_array(tuple(at.part(inside)), shape=tuple(node["shape"]))
    made.check_format(full_check=True)
    return made


@_reads("Timestamp")
def _timestamp(_: Reading, text: str, __: Any) -> Any:
    from pandas import Timestamp

    return Timestamp(text)


@_reads("frame")
def _frame(at: Reading, inside: Any, _: Any) -> Any:
    import pandas as pd

    columns, (rows, levels), cells = at.part(inside)
    made = pd.DataFrame(dict(enumerate(cells)))
    made.columns = pd.Index(columns)
    single = len(levels) == 1
    made.index = pd.Index(rows, name=levels[0]) if single else pd.MultiIndex.from_tuples(rows, names=levels)
    return made


@_reads("table")
def _other_frame(at: Reading, inside: Any, _: Any) -> Any:
    backend, names, columns = at.part(inside)
    return frame_of(names, columns, backend)


def _makes(kind: str) -> Callable[[Callable[[list[Any]], Any]], Any]:
    return lambda maker: _OTHERS.setdefault(kind, maker)


@_makes("networkx")
def _networkx(graph: list[Any]) -> Any:
    import networkx as nx

    directed, multiple, own, nodes, edges = graph
    kinds = {(False, False): nx.Graph, (True, False): nx.DiGraph, (False, True): nx.MultiGraph}
    made = kinds.get((directed, multiple), nx.MultiDiGraph)(**own)
    made.add_nodes_from(nodes)
    made.add_edges_from(edges)
    return made


@_makes("igraph")
def _igraph(graph: list[Any]) -> Any:
    import igraph as ig

    n, directed, edges, own, vertices, along = graph
    return ig.Graph(n, edges, directed=directed, graph_attrs=own, vertex_attrs=vertices, edge_attrs=along)


# checking ---------------------------------------------------------------------------------------------------


def _expect(fits: Any, what: str) -> None:
    """Refuse a value whose fields do not fit together, because compiled code does not check them."""
    if not fits:
        raise ValueError(f"its {what} are damaged")


@singledispatch
def check(value: Value) -> None:
    """Check the fields of a value that was read."""


@check.register
def _(e: Ensemble) -> None:
    codes, n = e.codes, e.codes.shape[-1]
    _expect(codes.ndim == 2 and codes.dtype.kind == "u" and codes.dtype.itemsize <= 4 and codes.size, "codes")
    _expect(len(e.partition_names) == len(codes) == len(e.categories), "partition names")
    for row, labels in zip(codes, e.categories, strict=True):
        texts = labels.dtype == object and all(type(label) is str for label in labels)
        _expect(labels.ndim == 1 and (texts or labels.dtype.kind in "iu"), "labels")
        _expect(not (row[row != e.absent] >= len(labels)).any(), "labels")
        _expect(len(np.unique(labels)) == len(labels), "labels")
    _expect(e.n_clusters.tolist() == [len(labels) for labels in e.categories], "labels")
    as_weights(e.weights, len(codes), "partitions")
    as_weights(e.object_weights, n, "objects", positive=True)
    _expect(isinstance(e.vertex_names(), Names) and len(e.vertex_names()) == n, "object names")
    _expect(e.memberships is None or len(e.memberships) == len(codes), "memberships")
    for table in e.memberships or ():
        _expect(table.ndim == 2 and len(table) == n and table.dtype == np.float64, "memberships")
        _expect(np.isfinite(table).all() and table.min(initial=0) >= 0, "memberships")


@check.register
def _(names: Names) -> None:
    _expect(len(Names(*names.parts)) == len(names), "names")
    for part in names.parts:
        if isinstance(part, tuple):
            prefix, part = part
            counted = isinstance(part, range) or np.asarray(part).dtype.kind == "i"
            _expect(isinstance(prefix, str) and counted, "names")
        if isinstance(part, range):
            _expect(part == range(len(part)), "names")
        else:
            _expect(isinstance(part, np.ndarray), "names")
            as_names(part)


@check.register
def _(g: Graph) -> None:
    n, a, e = len(g.roles), g._adjacency, getattr(g, "ensemble", None)
    _expect(n == len(g.vertex_weights) == len(g.names) and np.isin(g.roles, (0, 1)).all(), "vertices")
    _expect(e is None or n in (e.n_objects, e.n_objects + e.offsets[-1], e.offsets[-1]), "vertices")
    if a is not None:
        _expect(a.shape == (n, n) and not a.diagonal().any() and abs(a - a.T).nnz == 0, "edges")


@check.register
def _(h: Hypergraph) -> None:
    sizes = (len(h.vertex_weights), len(h.hyperedge_weights))
    _expect(h.incidence.shape == sizes == (len(h.vertex_names), len(h.hyperedge_names)), "hyperedges")
    _expect(len(h.partition) == sizes[1], "hyperedges")


@check.register
def _(d: Dendrogram) -> None:
    Dendrogram(d.merges, leaf_weights=d.leaf_weights, index=d.index, names=d.names)


@check.register
def _(r: Consensus) -> None:
    n = r.ensemble.n_objects
    for found in (r, r._evidence):
        labels: Any = getattr(found, "labels", None)
        _expect(labels.shape == (n,) and labels.dtype.kind == "i" and labels.min(initial=-1) >= -1, "clusters")
        _expect(labels.max(initial=-1) < r.k, "clusters")
    _expect(r.names is None or len(r.names) == n, "names")
    _expect(r._own is None or r._own.shape == (n, r.k), "memberships")
