"""Code tables: partitions × objects in the narrowest unsigned type, whose largest number stands for an absent label."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import AnyArray, FloatArray, IntArray, LabelArray, freeze, narrowest, sentinel
from ..errors import InputError


def place(codes: AnyArray, t: int, total: int, encoded: LabelArray, k: int) -> AnyArray:
    """Write one partition's codes in place, widening the whole table where they need it."""
    dtype = max(narrowest(max(k - 1, 0)), codes.dtype, key=lambda kind: kind.itemsize)
    if len(codes) < total or dtype != codes.dtype:
        wider = np.empty((total, len(encoded)), dtype=dtype)
        wider[:t] = widened(codes[:t], dtype)
        codes = wider
    codes[t] = encoded.astype(dtype)  # −1 wraps to the largest number of the type: the sentinel
    return codes


def widened(codes: AnyArray, dtype: np.dtype[Any]) -> AnyArray:
    """Return codes in a wider type, with that type's sentinel."""
    if codes.dtype == dtype:
        return codes
    wider = codes.astype(dtype)
    wider[codes == sentinel(codes.dtype)] = sentinel(dtype)
    return wider


def narrowed(codes: AnyArray, n_clusters: IntArray) -> AnyArray:
    """Return codes in the narrowest type for their clusters; the sentinel wraps to the sentinel."""
    return codes.astype(narrowest(max(int(n_clusters.max()) - 1, 0)), copy=False)


def bounded(row: AnyArray, k: int) -> AnyArray:
    """Codes with k in place of the sentinel, so that absent objects are counted in one place of their own."""
    return np.minimum(row, k) if k < sentinel(row.dtype) else row


def sizes(row: AnyArray, k: int, weights: FloatArray | None = None) -> AnyArray:
    """Number, or weight, of the objects in each of the k clusters of one partition."""
    return np.bincount(bounded(row, k), weights=weights, minlength=k + 1)[:k]


def indicators(row: AnyArray, k: int) -> FloatArray:
    """Memberships of 0 and 1, objects × clusters; a row of zeros where absent."""
    return np.eye(k + 1, k)[bounded(row, k)]


def without_empty(
    codes: AnyArray, categories: Sequence[AnyArray]
) -> tuple[AnyArray, IntArray, tuple[AnyArray, ...]]:
    """Renumber the clusters that are left, in place; return the codes in their narrowest type, counts and labels."""
    absent, kept = sentinel(codes.dtype), []
    for t, names in enumerate(categories):
        alive = sizes(codes[t], len(names)) > 0
        if not alive.all():
            rank = np.append(np.where(alive, np.cumsum(alive) - 1, absent), absent).astype(codes.dtype)
            codes[t] = rank[bounded(codes[t], len(names))]
        kept.append(freeze(names[alive]))
    n_clusters = np.array([len(names) for names in kept], dtype=np.int64)
    return narrowed(codes, n_clusters), n_clusters, tuple(kept)


def index_type(n_objects: int) -> type[np.signedinteger[Any]]:
    """The type of an index of objects: half the memory where that is enough."""
    return np.int32 if n_objects < 2**31 else np.int64


def distinct_rows(codes: AnyArray) -> tuple[IntArray, AnyArray]:
    """Return the first object of each distinct label row, in order of first appearance, and the row of each object."""
    from ..kernels.rows import group_rows, same_rows

    index = np.empty(codes.shape[1], dtype=index_type(codes.shape[1]))
    for salt in itertools.count():  # two rows that share a hash call for another one
        first = group_rows(codes, np.uint64(salt), index)
        if same_rows(codes, np.take(codes, first, axis=1), index):
            return first, index
    raise AssertionError  # not reached: the count is endless


def row_hashes(codes: AnyArray, salt: int) -> AnyArray:
    """Return a 64-bit hash of every label row, which depends on nothing but its codes and the salt."""
    from ..kernels.rows import hash_rows

    hashes = np.empty(codes.shape[1], dtype=np.uint64)
    hash_rows(codes, np.random.SeedSequence(salt).generate_state(1, np.uint64)[0], hashes)
    return hashes


def all_of(index: ArrayLike | slice, size: int) -> bool:
    """Return whether this is a mask over things that leaves none out."""
    given = np.asarray(index)
    return given.dtype == bool and given.shape == (size,) and bool(given.all())


def positions(index: ArrayLike | slice, size: int, what: str) -> IntArray:
    """Check positions of some things, a slice or a mask over all of them; return them counted from the front."""
    given = np.arange(size)[index] if isinstance(index, slice) else np.asarray(index)
    if given.dtype == bool and given.shape == (size,):
        given = np.flatnonzero(given)
    if given.ndim != 1 or not np.issubdtype(given.dtype, np.integer) or given.size == 0:
        raise InputError(
            f"Expected the positions of some of the {size} {what}s, or a mask of length {size}; got {index!r}."
        )
    if given.min() < -size or given.max() >= size:
        wrong = given.min() if given.min() < -size else given.max()
        raise InputError(f"{what.capitalize()} {wrong} does not exist: there are {size}.")
    return given % size
