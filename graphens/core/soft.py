"""Soft partitions: memberships of objects in clusters, checked and scaled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import MISSING, FloatArray, LabelArray, as_numbers
from ..errors import InputError


def are_memberships(given: Any) -> bool:
    """Whether something is a list of tables rather than a table of labels."""
    if not isinstance(given, (list, tuple)):
        return False
    try:
        return len(given) > 0 and all(np.ndim(table) == 2 for table in given[:2])
    except (
        ValueError
    ):  # rows of different lengths: whatever it is, the reader of labels can say what is wrong
        return False


def scaled(table: ArrayLike, where: str) -> FloatArray:
    """Check a table of memberships and scale its rows to sum to 1; rows of NaN become rows of zeros."""
    given = np.array(as_numbers(table, f"{where}: the memberships"))
    if given.ndim != 2 or given.shape[1] == 0:
        raise InputError(f"{where} has memberships of shape {given.shape}; expected n_objects × n_clusters.")
    given[np.isnan(given).all(axis=1)] = 0
    if not np.isfinite(given).all() or given.min(initial=0) < 0:
        raise InputError(
            f"{where} has a negative or infinite membership, or one NaN among numbers; expected finite values of "
            "zero or more, and a whole row of NaN or zeros where an object is absent."
        )
    total = given.sum(axis=1, keepdims=True)
    return np.divide(given, total, out=given, where=total > 0)


def strongest(table: FloatArray) -> LabelArray:
    """Return the strongest column of every row, the first where tied; −1 for a row of zeros."""
    return np.where(table.any(axis=1), table.argmax(axis=1), MISSING).astype(np.int32)
