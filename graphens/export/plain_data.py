"""Values as plain data and arrays, and back, for archives.

A class of graphens is stored as its name and its fields, anything else as one of the forms below. A field is text, a
number, a list, an array by its number, a form, or a value by its number, so that shared values are written once.
Classes are looked up in a table; names from a file are never imported.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import singledispatch
from importlib import import_module
from inspect import get_annotations, isfunction
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, as_weights, freeze
from .._lib.frames import as_frame
from ..graphs.graph import Graph
from ..graphs.hypergraph import Hypergraph
from ..labels.ensemble import Ensemble
from ..labels.names import Names, as_names
from ..labels.value import Lazy, Value
from ..result.consensus import Consensus
from ..trees.dendrogram import Dendrogram
from .frames import frame_of

#: the classes in an archive, and their modules: those with `save`, their kinds of graphs, and the parts of a Consensus
CLASSES: Mapping[str, str] = {
    "Ensemble": "labels.ensemble",
    "Hypergraph": "graphs.hypergraph",
    "Graph": "graphs.graph",
    "CoassociationGraph": "graphs.coassociation",
    "RepeatedGraph": "graphs.coassociation",
    "BipartiteGraph": "graphs.bipartite",
    "ClusterTree": "graphs.clustree",
    "Dendrogram": "trees.dendrogram",
    "Consensus": "result.consensus",
    "View": "result.consensus",
    "Names": "labels.names",
    "Affinity": "graphs.affinity",
    "Counted": "graphs.affinity",
    "Trial": "families.trials",
    "Choice": "choose.choice",
    "Changes": "result.changes",
    "ClusterChange": "result.changes",
}


def class_called(name: str) -> type[Any]:
    """Return the class of this name; a KeyError for an unknown one."""
    kind: type[Any] = getattr(import_module(f"graphens.{CLASSES[name]}"), name)
    return kind


def in_classes(value: Any) -> bool:
    """Whether a value is of one of the classes."""
    name = type(value).__name__
    return name in CLASSES and class_called(name) is type(value)


# forms of values that are no classes of graphens ------------------------------------------------------------


class Form(NamedTuple):
    """What is not a class of graphens: its name, whether a value has it, its parts, and how it is made of these."""

    name: str
    fits: Callable[[Any], bool]
    parts: Callable[[Any], Any]
    make: Callable[[Any], Any]


def _of(*types: type) -> Callable[[Any], bool]:
    return lambda value: type(value) in types


def _array_of(kinds: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, np.ndarray) and value.dtype.kind in kinds


def _from(package: str, name: str) -> Callable[[Any], bool]:
    """Whether a value has a class of that name, or derives from one, without loading the package."""
    return lambda value: any(
        base.__name__ == name and base.__module__.partition(".")[0] == package for base in type(value).__mro__
    )


def _text_parts(value: AnyArray) -> list[Any]:
    """All texts as one array of bytes, and their lengths; in NumPy's own all are as long as the longest."""
    texts = value.ravel().tolist()
    whole = np.frombuffer("".join(texts).encode(), dtype=np.uint8)
    return [whole, np.array([len(text) for text in texts], dtype=np.int64), list(value.shape)]


def _make_texts(parts: list[Any]) -> AnyArray:
    whole, lengths, shape = parts
    text, ends = whole.tobytes().decode(), np.cumsum(lengths).tolist()
    _expect(lengths.min(initial=0) >= 0 and lengths.sum() == len(text), "texts")
    texts = [text[end - length : end] for length, end in zip(lengths.tolist(), ends, strict=True)]
    return freeze(np.array(texts, dtype=object).reshape(shape))


def _sparse_parts(value: Any) -> list[Any]:
    rows = sparse.csr_array(value)
    return [rows.data, rows.indices, rows.indptr, list(rows.shape)]


def _make_sparse(parts: list[Any]) -> sparse.csr_array:
    *arrays, shape = parts
    matrix = sparse.csr_array(tuple(arrays), shape=tuple(shape))
    matrix.check_format(full_check=True)
    return matrix


def _pandas_parts(value: Any) -> list[Any]:
    every = [value.iloc[:, j] for j in range(value.shape[1])]
    columns = [one.to_numpy() if isinstance(one.dtype, np.dtype) else one.tolist() for one in every]
    return [value.columns.tolist(), value.index.tolist(), list(value.index.names), columns]


def _make_pandas(parts: list[Any]) -> Any:
    import pandas as pd

    columns, rows, levels, cells = parts
    frame = pd.DataFrame(dict(enumerate(cells)))
    frame.columns = pd.Index(columns)
    single = len(levels) == 1
    frame.index = pd.Index(rows, name=levels[0]) if single else pd.MultiIndex.from_tuples(rows, names=levels)
    return frame


def _frame_parts(value: Any) -> list[Any]:
    frame = as_frame(value)
    assert frame is not None
    every = [frame.table[:, t] for t in range(len(frame.names))]
    whole = [one.dtype.is_numeric() and not one.null_count() for one in every]
    columns = [one.to_numpy() if numbers else one.to_list() for one, numbers in zip(every, whole, strict=True)]
    return [frame.names, columns, frame.backend]


def _networkx_parts(value: Any) -> list[Any]:
    keys = {"keys": True} if value.is_multigraph() else {}
    nodes, edges = list(value.nodes(data=True)), list(value.edges(data=True, **keys))
    return [value.is_directed(), value.is_multigraph(), dict(value.graph), nodes, edges]


def _make_networkx(parts: list[Any]) -> Any:
    import networkx as nx

    directed, multiple, attributes, nodes, edges = parts
    network = getattr(nx, f"{'Multi' * multiple}{'Di' * directed}Graph")(**attributes)
    network.add_nodes_from(nodes)
    network.add_edges_from(edges)
    return network


def _igraph_parts(value: Any) -> list[Any]:
    columns = [{name: list(part[name]) for name in part.attributes()} for part in (value.vs, value.es)]
    attributes = {name: value[name] for name in value.attributes()}
    return [value.vcount(), value.get_edgelist(), value.is_directed(), attributes, *columns]


#: the first that fits is used: what a later form would lose comes before it
FORMS: Sequence[Form] = (
    Form("float", _of(float), repr, float),  # not finite, which JSON has not
    Form("dict", lambda value: isinstance(value, dict), lambda value: list(value.items()), dict),
    Form("lazy", _of(Lazy), lambda value: value(), Lazy.of),
    *(Form(kind.__name__, _of(kind), list, kind) for kind in (tuple, set, frozenset)),
    Form("range", _of(range), lambda value: [value.start, value.stop, value.step], lambda parts: range(*parts)),
    *(Form(kind.__name__, _of(kind), kind.isoformat, kind.fromisoformat) for kind in (dt.date, dt.datetime, dt.time)),
    Form(
        "texts", lambda value: _array_of("O")(value) and set(map(type, value.flat)) <= {str}, _text_parts, _make_texts
    ),
    Form(
        "objects",
        _array_of("O"),
        lambda value: [value.ravel().tolist(), list(value.shape)],
        lambda parts: freeze(np.fromiter(parts[0], object, len(parts[0])).reshape(parts[1])),
    ),
    Form("times", _array_of("mM"), lambda v: [v.view(np.int64), v.dtype.str], lambda parts: parts[0].view(parts[1])),
    Form("scalar", lambda v: isinstance(v, np.generic) and v.dtype.kind in "biufUmM", np.array, lambda part: part[()]),
    Form("sparse", sparse.issparse, _sparse_parts, _make_sparse),
    Form(
        "Timestamp",
        _from("pandas", "Timestamp"),
        lambda value: value.isoformat(),
        lambda text: import_module("pandas").Timestamp(text),
    ),
    Form("DataFrame", _from("pandas", "DataFrame"), _pandas_parts, _make_pandas),
    Form("frame", lambda value: as_frame(value) is not None, _frame_parts, lambda parts: frame_of(*parts)),
    Form("column", lambda v: hasattr(v, "__array__") and not isinstance(v, np.generic), np.asarray, lambda part: part),
    Form("networkx", _from("networkx", "Graph"), _networkx_parts, _make_networkx),
    Form("igraph", _from("igraph", "Graph"), _igraph_parts, lambda parts: import_module("igraph").Graph(*parts)),
)
_FORMS = {form.name: form.make for form in FORMS}


class Writing:
    """The parts of a value: `values`, each after the values it contains, the `arrays`, and what is `lost`."""

    values: list[list[Any]]
    arrays: list[AnyArray]
    lost: dict[str, Any]  # what becomes text, by that text

    def __init__(self) -> None:
        self.values, self.arrays, self.lost = [], [], {}
        self._parts: dict[int, tuple[Any, Any]] = {}  # how it was written, by identity; kept alive beside it

    def part(self, value: Any) -> Any:
        """Return anything in a form for JSON, with arrays and values by their numbers."""
        kind = type(value)
        if value is None or kind in (str, int, bool) or (kind is float and math.isfinite(value)):
            return value
        if kind is list:
            return [self.part(one) for one in value]
        if id(value) not in self._parts:
            self._parts[id(value)] = self._part(value), value
        return self._parts[id(value)][0]

    def _part(self, value: Any) -> Any:
        if in_classes(value):
            inside = {field: self.part(one) for field, one in _fields(value).items()}
            self.values.append([type(value).__name__, inside])
            return {"value": len(self.values) - 1}
        if _array_of("biufU")(value):
            self.arrays.append(np.asarray(value))
            return {"array": len(self.arrays) - 1}
        form = next((form for form in FORMS if form.fits(value)), None)
        if form is None:
            # A function by its name: its address in memory would differ in every file.
            text = f"{value.__module__}:{value.__qualname__}" if isfunction(value) else str(value)
            self.lost.setdefault(text, value)
            return text
        return {form.name: self.part(form.parts(value))}


def _fields(value: Any) -> dict[str, Any]:
    """The fields of an object of a class; what it can build again is left out."""
    if not isinstance(value, Value):
        names = getattr(value, "_fields", None) or [field.name for field in fields(value)]
        return {name: getattr(value, name) for name in names}
    lazy = isinstance(value, Graph) and type(value)._explicit is not Graph._explicit
    return value.__getstate__() | ({"_adjacency": None} if lazy else {})


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
        ((name, inside),) = written.items()
        if name in ("value", "array"):
            return (self.values if name == "value" else self.arrays)[inside]
        return _FORMS[name](self.part(inside))

    def add(self, name: str, inside: Any) -> None:
        """Make the next value from its class and its fields; fields of later versions have their defaults."""
        kind, state = class_called(name), {field: self.part(one) for field, one in inside.items()}
        if not issubclass(kind, Value):
            self.values.append(kind(**state))
            return
        names = {field for base in kind.__mro__ for field in get_annotations(base) if not field.startswith("__")}
        odd = {field for field in names - state.keys() if not hasattr(kind, field)} | (state.keys() - names)
        if odd:
            raise ValueError(f"fields are missing or unknown: {', '.join(sorted(odd))}")
        self.values.append(kind._from_fields(**state))
        check(self.values[-1])


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
    for part in (r, r._evidence):
        labels: Any = getattr(part, "labels", None)
        _expect(labels.shape == (n,) and labels.dtype.kind == "i" and labels.min(initial=-1) >= -1, "clusters")
        _expect(labels.max(initial=-1) < r.k, "clusters")
    _expect(r.names is None or len(r.names) == n, "names")
    _expect(r._own is None or r._own.shape == (n, r.k), "memberships")
