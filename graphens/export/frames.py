"""Frames of the package that the labels came in, or of pandas if they came in no frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

import numpy as np

from .._lib.arrays import MISSING, AnyArray, FloatArray, LabelArray, as_int
from ..graphs.affinity import affinity_of
from ..graphs.hypergraph import Hypergraph
from ..labels.ensemble import Ensemble
from ..labels.names import Names, as_names, joined_names
from ..result.consensus import Consensus
from ..result.explanation import Assigned
from ._text import identifiers, loss


def incidence_frame(h: Hypergraph) -> Any:
    """Return one row per incidence (edge, node, weight), which ``hypernetx.Hypergraph(frame)`` takes as it is.

    Vertices and hyperedges are given by name if all names are different, otherwise by number; `weight` is the count of
    the incidence. Weights of vertices and hyperedges are not included, and neither are vertices without a hyperedge and
    hyperedges without a vertex, which are counted in a warning.
    """
    cells = h.incidence.tocsc().tocoo()
    for what, ends, size in (("vertices", cells.row, h.n_vertices), ("hyperedges", cells.col, h.n_hyperedges)):
        lonely = size - np.unique(ends).size
        if lonely:
            loss(f"{lonely} of {size} {what} have no incidence and are left out of the frame.")
    edges, nodes = (np.array(identifiers(names), dtype=object) for names in (h.hyperedge_names, h.vertex_names))
    return frame({"edge": edges[cells.col], "node": nodes[cells.row], "weight": cells.data})


def frame(columns: Mapping[str, Any], backend: str | None = None) -> Any:
    """Return columns by name as a frame."""
    return frame_of(columns, columns.values(), backend)


def named_frame(columns: Mapping[str, Any], names: Names) -> Any:
    """Return columns by name as a frame of objects."""
    return frame_of(columns, columns.values(), names.backend, names, "object")


def matrix_frame(
    values: AnyArray, rows: Sequence[Any], columns: Sequence[Any], title: str, backend: str | None = None
) -> Any:
    """Return a table with names for its rows and columns; `title` names the column of row names, if it is one."""
    called = None if hasattr(_package(backend), "Index") else title
    return frame_of(columns, values.T, backend, Names(as_names(rows)), called)


def frame_of(
    titles: Iterable[Any],
    columns: Iterable[Any],
    backend: str | None,
    names: Names | None = None,
    title: str | None = None,
) -> Any:
    """Return a frame of any package: names of rows are its index, or its first column if frames have no index.

    Without an index, default names are left out; the rows are in the order of the input.
    """
    package = _package(backend)
    if hasattr(package, "Index"):  # pandas and its likes
        index = None if names is None else _index(package, names, title)
        table = package.DataFrame({t: _column(package, values, index) for t, values in enumerate(columns)}, index=index)
        table.columns = package.Index(list(titles), tupleize_cols=False)
        return table
    import narwhals.stable.v2 as nw

    if names is not None and not names.numbered:
        titles, columns = [names.title or title or "object", *titles], [list(names), *columns]
    once = joined_names((), tuple(map(str, titles)))
    table = dict(zip(once, map(_one_kind, columns), strict=True))
    return nw.from_dict(table, backend=package.__name__).to_native()


def _column(package: Any, values: Any, index: Any) -> Any:
    """Values for pandas, such that whole numbers beside None stay whole, and missing text stays None."""
    kinds = {type(value) for value in values} if isinstance(values, list) else set()
    if type(None) not in kinds or any(issubclass(kind, (float, np.floating)) for kind in kinds):
        return values
    numbers = kinds == {int, type(None)}
    return package.Series(values, index=index, dtype="Int64" if numbers else object)


def _one_kind(values: Any) -> Any:
    """Values for a typed column: all of one type, otherwise as text."""
    if isinstance(values, np.ndarray) and values.dtype != object:
        return values
    kinds = {type(value) for value in values} - {type(None)}
    if len(kinds) < 2 or kinds == {int, float}:
        return list(values)
    return [None if value is None else str(value) for value in values]


def _package(backend: str | None) -> Any:
    """The package that the labels came in; pandas if it is unknown or, after loading a file, not installed here."""
    with suppress(ImportError):
        return import_module({None: "pandas", "modin": "modin.pandas"}.get(backend) or str(backend))
    return import_module("pandas")


def ensemble_frame(e: Ensemble) -> Any:
    """Return the original labels, one column per partition, with nulls for missing labels and names as index."""
    column = _nullable if hasattr(_package(e._names.backend), "Index") else _listed
    columns = [column(row, names, e.absent) for row, names in zip(e.codes, e.categories, strict=True)]
    return frame_of(e.partition_names, columns, e._names.backend, e.vertex_names())


def _listed(row: AnyArray, names: AnyArray, absent: int) -> AnyArray:
    """The labels of one partition, None if missing."""
    labels = np.array([*names.tolist(), None], dtype=object)
    return labels[np.where(row == absent, len(names), row)]


def _nullable(row: AnyArray, names: AnyArray, absent: int) -> Any:
    """The same in a type of pandas that has whole numbers or text beside NA."""
    import pandas as pd

    if names.dtype != object:
        missing = row == absent
        labels = np.append(names, 0).astype(np.int64)
        return pd.arrays.IntegerArray(labels[np.where(missing, len(names), row)], missing)
    return pd.array(_listed(row, names, absent), dtype="string")


def consensus_frame(r: Consensus) -> Any:
    """Return one row per object: cluster (−1 unassigned), confidence, cohesion, and membership_0, … of all clusters."""
    columns = _clusters(r.labels, r._own_names) | {"confidence": r.confidence, "cohesion": r.cohesion}
    return named_frame(columns | _memberships(r.membership), _names(r))


def uncertain_frame(r: Consensus, n: int) -> Any:
    """Return the n least certain objects, always in pandas, whose index has their names."""
    rows, names = np.lexsort((r.cohesion, r.confidence))[: as_int("n", n, 0)], _names(r)
    every: dict[str, AnyArray] = {"cluster": r.labels, "rival": affinity_of(r).every_object.rival}
    every |= {"confidence": r.confidence, "cohesion": r.cohesion}
    columns = {name: column[rows] for name, column in every.items()}
    return frame_of(columns, columns.values(), "pandas", names.take(rows), "object")


def _names(r: Consensus) -> Names:
    return r.ensemble.vertex_names() if r.names is None else r.names


def top_columns(r: Consensus, m: int) -> dict[str, AnyArray]:
    """Return the m largest memberships of every object, with their clusters, and the sum of the rest. O(n) memory."""
    n, m = len(r.labels), min(as_int("m", m, 1), max(r.k, 1))
    clusters, values, rest = np.full((m, n), MISSING, dtype=np.int32), np.zeros((m, n)), np.zeros(n)
    parts = affinity_of(r).memberships() if r._own is None else [(np.arange(n), r._own.copy())]
    for rows, table in parts:
        every = np.arange(len(rows))
        for j in range(m):  # of equal ones the first
            place = table.argmax(axis=1)
            values[j, rows] = table[every, place]
            clusters[j, rows] = np.where(values[j, rows] > 0, place, MISSING)
            table[every, place] = 0.0
        rest[rows] = table.sum(axis=1)
    columns: dict[str, AnyArray] = {}
    for j in range(m):
        columns |= {f"cluster_{j + 1}": clusters[j], f"membership_{j + 1}": values[j]}
    return columns | {"rest": rest}


def top_frame(r: Consensus, m: int) -> Any:
    """Return the columns of `top_columns` as a frame, after the clusters."""
    return named_frame(_clusters(r.labels, r._own_names) | top_columns(r, m), _names(r))


def answer_frame(new: Assigned) -> Any:
    """Return one row per new object, as in `consensus_frame`, with the next best cluster as `rival`."""
    columns = _clusters(new.labels, new.cluster_names)
    columns |= {"confidence": new.confidence, "rival": new.rival} | _memberships(new.membership)
    return named_frame(columns | ({"unseen": new.unseen} if new.unseen.any() else {}), new.names)


def _clusters(labels: LabelArray, names: Sequence[str]) -> dict[str, Any]:
    """The number of every object's cluster and, if clusters have names, the name; None for no cluster."""
    return {"cluster": labels} | ({"name": cluster_names_of(labels, names)} if names else {})


def cluster_names_of(labels: LabelArray, names: Sequence[str]) -> list[str | None]:
    """Return the name of every object's cluster, None for no cluster."""
    return [(*names, None)[c] for c in labels.tolist()]


def _memberships(table: FloatArray) -> dict[str, AnyArray]:
    return {f"membership_{j}": column for j, column in enumerate(table.T)}


def level_columns(names: Names, levels: Mapping[int, LabelArray], *, singletons: bool) -> dict[int, AnyArray]:
    """Return clusters at several levels, each named as its first object; None for an object without a cluster."""
    texts = np.array([*names, None], dtype=object)
    columns = {}
    for level, labels in levels.items():
        _, first, place, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
        named = (labels >= 0) & (singletons | (sizes[place] > 1))
        columns[level] = texts[np.where(named, first[place], len(names))]
    return columns


def level_frame(names: Names, levels: Mapping[int, LabelArray], *, singletons: bool) -> Any:
    """Return the same as a frame."""
    columns = level_columns(names, levels, singletons=singletons)
    return frame_of(columns, [each.tolist() for each in columns.values()], names.backend, names)


def _index(package: Any, names: Names, otherwise: str | None) -> Any:
    """The names as an index of the original kind: a range, several levels, or single values."""
    if isinstance(names.title, tuple):
        return package.MultiIndex.from_tuples(list(names), names=names.title)
    counted = len(names.parts) == 1 and isinstance(names.parts[0], range)
    values = names.parts[0] if counted else list(names)
    return package.Index(values, name=names.title or otherwise, tupleize_cols=False)
