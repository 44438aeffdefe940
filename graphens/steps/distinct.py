"""Which rows and which partitions a method works on: the distinct ones, and those that count."""

from __future__ import annotations

import numpy as np

from .._arrays import IntArray
from ..core.ensemble import Ensemble


def distinct_rows(e: Ensemble, k: int | None = None, *, collapse: bool = True) -> tuple[Ensemble, IntArray]:
    """Return the distinct label rows and the row of each object; the objects themselves where there are not k rows."""
    if collapse:
        micro, index = e.collapse()
        if k is None or micro.n_objects >= k:
            return micro, index
    return e, np.arange(e.n_objects)


def counted_partitions(e: Ensemble) -> Ensemble:
    """Leave out the partitions of weight zero."""
    return e if (e.weights > 0).all() else e.take(partitions=e.weights > 0)


def described(micro: Ensemble, e: Ensemble, kind: str) -> str:
    """Say how a graph was made, for a person to read."""
    if micro is e:
        return f"{kind} of {e.n_objects} objects"
    return f"{kind} of {micro.n_objects} distinct rows of {e.n_objects} objects"
