"""Parts of ensembles, and ensembles put together."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from .._arrays import FloatArray, IntArray, as_weights
from ..errors import InputError
from .coded import Coded
from .codes import indicators, narrowed, widened, without_empty
from .names import joined_names

E = TypeVar("E", bound=Coded)


def some_partitions(e: E, rows: IntArray) -> E:
    """Return the ensemble of some partitions, drawn as often as they are named."""
    return e._replace(
        codes=narrowed(e.codes[rows], e.n_clusters[rows]),
        n_clusters=e.n_clusters[rows],
        weights=as_weights(e.weights[rows], len(rows), "partitions"),
        partition_names=tuple(e.partition_names[t] for t in rows),
        categories=tuple(e.categories[t] for t in rows),
        memberships=None if e.memberships is None else tuple(e.memberships[t] for t in rows),
    )


def some_objects(e: E, index: IntArray) -> E:
    """Return the ensemble of some objects; clusters left empty vanish."""
    codes, n_clusters, categories = without_empty(np.ascontiguousarray(e.codes[:, index]), e.categories)
    return e._replace(
        codes=codes,
        n_clusters=n_clusters,
        object_weights=e.object_weights[index],
        object_names=e._names_of(index),
        categories=categories,
        memberships=None if e.memberships is None else tuple(table[index] for table in e.memberships),
    )


def joined(e: E, more: Coded) -> E:
    """Put the partitions of two ensembles of the same objects behind each other."""
    if more.n_objects != e.n_objects:
        raise InputError(
            f"Partitions of {more.n_objects} objects cannot join an ensemble of {e.n_objects} objects."
        )
    named = e.object_names is not None and more.object_names is not None
    if named and not more.vertex_names().agree(e.vertex_names()):
        raise InputError(
            "The objects of the new partitions have other names, or stand in another order; "
            "expected the same objects. Reorder them first, or leave the names out."
        )
    soft = e.memberships is not None or more.memberships is not None
    dtype = np.result_type(e.codes, more.codes)
    return e._replace(
        codes=np.concatenate([widened(e.codes, dtype), widened(more.codes, dtype)]),
        n_clusters=np.concatenate([e.n_clusters, more.n_clusters]),
        weights=np.concatenate([e.weights, more.weights]),
        partition_names=joined_names(e.partition_names, more.partition_names),
        categories=e.categories + more.categories,
        memberships=_softened(e) + _softened(more) if soft else None,
    )


def _softened(e: Coded) -> tuple[FloatArray, ...]:
    """Memberships, those of hard partitions as 0 and 1."""
    if e.memberships is not None:
        return e.memberships
    return tuple(indicators(row, int(k)) for row, k in zip(e.codes, e.n_clusters, strict=True))
