"""pandas frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._arrays import MISSING, AnyArray, FloatArray, LabelArray, as_int
from ..choose.explanation import Assigned
from ..core.ensemble import Ensemble
from ..core.hypergraph import Hypergraph
from ..core.names import Names
from ..core.result import Consensus
from ..errors import MissingDependency
from ..views.affinity import affinity_of
from ._text import identifiers, loss


def incidence_frame(h: Hypergraph) -> Any:
    """Return one row per incidence (edge, node, weight), which ``hypernetx.Hypergraph(frame)`` takes as it is.

    Vertices and hyperedges go by name where all names differ, by number where they do not; `weight` is the count
    of the incidence. Weights of vertices and hyperedges are not in it, nor vertices without a hyperedge and
    hyperedges without a vertex: a warning counts these.
    """
    pd = _pandas()
    cells = h.incidence.tocsc().tocoo()
    for what, seen, size in (
        ("vertices", cells.row, h.n_vertices),
        ("hyperedges", cells.col, h.n_hyperedges),
    ):
        lonely = size - np.unique(seen).size
        if lonely:
            loss(f"{lonely} of {size} {what} have no incidence and are left out of the frame.")
    edges, nodes = (
        np.array(identifiers(names), dtype=object) for names in (h.hyperedge_names, h.vertex_names)
    )
    return pd.DataFrame({"edge": edges[cells.col], "node": nodes[cells.row], "weight": cells.data})


def frame(columns: Mapping[str, Any]) -> Any:
    """Return columns by name as a frame."""
    return _pandas().DataFrame(dict(columns))


def named_frame(columns: Mapping[str, Any], names: Names) -> Any:
    """Return columns by name as a frame with the names of objects as its index."""
    return _pandas().DataFrame(dict(columns), index=_index(names, "object"))


def matrix_frame(values: AnyArray, names: Sequence[str]) -> Any:
    """Return a square table with names at its sides."""
    return _pandas().DataFrame(values, index=list(names), columns=list(names))


def ensemble_frame(e: Ensemble) -> Any:
    """Return the labels as they were given, one column per partition, NA where missing; objects' names as index."""
    pd = _pandas()
    index = None if e.object_names is None else _index(e.vertex_names(), None)
    columns = [
        _labels_column(pd, row, names, e.absent) for row, names in zip(e.codes, e.categories, strict=True)
    ]
    frame = pd.DataFrame(dict(enumerate(columns)), index=index)
    frame.columns = pd.Index(list(e.partition_names))
    return frame


def _labels_column(pd: Any, row: AnyArray, names: AnyArray, absent: int) -> Any:
    missing = row == absent
    if not len(names):
        return pd.array([pd.NA] * len(row), dtype="Int64")
    values = names[np.where(missing, 0, row)]
    if names.dtype.kind == "U":
        filled = values.astype(object)
        filled[missing] = None
        try:
            return pd.array(filled, dtype="string")
        except UnicodeEncodeError:  # half of a pair of characters: text to Python, not to Arrow
            return pd.array(filled, dtype=pd.StringDtype("python"))
    return pd.arrays.IntegerArray(values.astype(np.int64), missing)


def consensus_frame(r: Consensus) -> Any:
    """Return one row per object: cluster (−1 unassigned), confidence, and membership_0, … for every cluster."""
    columns = _clusters(r.labels, r._own_names) | {"confidence": r.confidence} | _memberships(r.membership)
    return _pandas().DataFrame(columns, index=_index(_names(r), "object"))


def _names(r: Consensus) -> Names:
    return Names(("x", len(r.labels))) if r.names is None else r.names


def top_frame(r: Consensus, m: int) -> Any:
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
    pairs = {
        f"{what}_{j + 1}": column[j]
        for j in range(m)
        for what, column in (("cluster", clusters), ("membership", values))
    }
    return _pandas().DataFrame(
        {**_clusters(r.labels, r._own_names), **pairs, "rest": rest}, index=_index(_names(r), "object")
    )


def answer_frame(new: Assigned) -> Any:
    """Return one row per new object, as `consensus_frame` does, with the cluster that comes next as `rival`."""
    columns = _clusters(new.labels, new.cluster_names)
    columns |= {"confidence": new.confidence, "rival": new.rival} | _memberships(new.membership)
    return _pandas().DataFrame(
        columns | ({"unseen": new.unseen} if new.unseen.any() else {}), index=_index(new.names, "object")
    )


def _clusters(labels: LabelArray, names: Sequence[str]) -> dict[str, Any]:
    """The number of every object's cluster and, where clusters have names, the name; None for no cluster."""
    return {"cluster": labels} | ({"name": names_of(labels, names)} if names else {})


def names_of(labels: LabelArray, names: Sequence[str]) -> list[str | None]:
    """Return the name of every object's cluster, None for no cluster."""
    return [(*names, None)[c] for c in labels.tolist()]


def _memberships(table: FloatArray) -> dict[str, AnyArray]:
    return {f"membership_{j}": column for j, column in enumerate(table.T)}


def level_columns(names: Names, levels: Mapping[int, LabelArray], *, singletons: bool) -> dict[int, AnyArray]:
    """Return clusters at several levels, each named as its first object; None for an object without a cluster."""
    known = np.array([*names, None], dtype=object)
    columns = {}
    for level, labels in levels.items():
        _, first, place, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
        named = (labels >= 0) & (singletons | (sizes[place] > 1))
        columns[level] = known[np.where(named, first[place], len(names))]
    return columns


def level_frame(names: Names, levels: Mapping[int, LabelArray], *, singletons: bool) -> Any:
    """Return the same as a frame."""
    pd, index = _pandas(), _index(names, None)
    columns = level_columns(names, levels, singletons=singletons)
    # object where some have no cluster: whole numbers stay whole, and None stays None in every pandas
    made = {
        t: pd.Series(each, index=index, dtype=object if None in each else None) for t, each in columns.items()
    }
    return pd.DataFrame(made, index=index)


def _index(names: Names, otherwise: str | None) -> Any:
    """The names as an index such as they came from: counted, of several levels, or of single values."""
    pd, title = _pandas(), names.title
    if isinstance(title, tuple):
        return pd.MultiIndex.from_tuples(list(names), names=title)
    counted = len(names.parts) == 1 and isinstance(names.parts[0], range)
    values = names.parts[0] if counted else list(names)
    return pd.Index(values, name=title or otherwise, tupleize_cols=False)


def _pandas() -> Any:
    try:
        import pandas as pd
    except ImportError as error:
        raise MissingDependency("Frames need pandas: pip install 'graphens[frames]'") from error
    return pd
