"""What is said about the vertices of a graph: their roles, which of them are meant, what parts are called."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import AnyArray, IntArray, LabelArray, freeze
from ..errors import InputError
from .names import Names


def as_roles(roles: ArrayLike | None, n: int) -> AnyArray:
    """Check one role per vertex, 0 (object, the default) or 1 (cluster); return them read-only."""
    given = np.zeros(n, dtype=np.uint8) if roles is None else np.asarray(roles)
    if given.shape != (n,) or not np.isin(given, (0, 1)).all():
        raise InputError(
            f"Expected a role (0 object, 1 cluster) for each of the {n} vertices; got {roles!r}."
        )
    return freeze(given.astype(np.uint8))


def as_vertices(vertices: ArrayLike, n: int) -> IntArray:
    """Check some of n vertices, given by index or mask; return their indices."""
    given = np.asarray(vertices) if np.size(vertices) else np.empty(0, dtype=np.int64)
    if given.dtype == bool and given.shape == (n,):
        return np.flatnonzero(given)
    fits = given.ndim == 1 and np.issubdtype(given.dtype, np.integer)
    if (
        not fits
        or (given.size and (given.min() < 0 or given.max() >= n))
        or len(np.unique(given)) < len(given)
    ):
        raise InputError(
            f"Expected distinct vertices between 0 and {n - 1}, or a mask of length {n}; got {vertices!r}."
        )
    return given.astype(np.int64)


def names_of_parts(names: Names, labels: LabelArray, size: int) -> Names:
    """Return a name for each part of the vertices: its only member's, or "part" and its number."""
    count = np.bincount(labels[labels >= 0], minlength=size)
    made = np.array([f"part {j}" for j in range(size)], dtype=object)
    if (count == 1).any():
        kept = np.flatnonzero(labels >= 0)
        alone = kept[count[labels[kept]] == 1]
        for part, name in zip(labels[alone].tolist(), names.take(alone), strict=True):
            made[part] = name
    return Names.given(made, size)
