"""H · table without H: every object as the sum of the rows of its clusters, all at once or stretch by stretch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._arrays import AnyArray, FloatArray
from .._work import map_threads
from ..core.ensemble import Ensemble

_ROWS = 1 << 15  # objects per piece of threaded work
_CELLS = 1 << 18  # numbers of a stretch: they stay in cache until they are used


def sum_rows(e: Ensemble, table: AnyArray) -> FloatArray:
    """Return H · table for the incidence H of the ensemble: the sum of the rows of every object's clusters. O(nBk)."""
    table = np.ascontiguousarray(table)  # rows are added whole: by columns it takes twice as long
    n = e.n_objects
    out = np.empty((n, table.shape[1]), dtype=table.dtype)
    map_threads(
        lambda start: write_sums(e, table, start, out[start : start + _ROWS]),
        range(0, n, _ROWS),
    )
    return out


def use_sums(e: Ensemble, table: AnyArray, use: Callable[[slice, FloatArray], None]) -> None:
    """Hand H · table to a function, stretch by stretch and in threads: n × k numbers are never there at once."""
    table = np.ascontiguousarray(table)
    step = int(np.clip(_CELLS // max(table.shape[1], 1), 256, _ROWS))

    def piece(start: int) -> None:
        some = slice(start, min(e.n_objects, start + step))
        out = np.empty((some.stop - start, table.shape[1]), dtype=table.dtype)
        write_sums(e, table, start, out)
        use(some, out)

    map_threads(piece, range(0, e.n_objects, step))


def sum_members(e: Ensemble, values: FloatArray) -> FloatArray:
    """Return Hᵀ · values: for every cluster the sum over its objects, one number each or one row. O(nB) a column."""
    from ..kernels.products import sum_members

    out = np.zeros((*values.shape[1:], int(e.offsets[-1])))
    for column, sums in zip(np.atleast_2d(values.T), np.atleast_2d(out), strict=True):
        sum_members(e.codes, e.offsets, e.absent, np.ascontiguousarray(column), sums)
    return out.T


def sums_of(e: Ensemble, codes: AnyArray, table: FloatArray) -> FloatArray:
    """Return Σ_t table[cluster of i in t] for objects given by their codes (B × m). O(mBk)."""
    from ..kernels.embedding import add_rows

    out = np.empty((codes.shape[1], table.shape[1]))
    add_rows(codes, e.offsets, e.absent, np.ascontiguousarray(table), 0, codes.shape[1], out)
    return out


def write_sums(e: Ensemble, table: AnyArray, start: int, out: AnyArray) -> None:
    """Write the sums of some objects, from `start` on."""
    from ..kernels.embedding import add_rows

    add_rows(e.codes, e.offsets, e.absent, table, start, start + len(out), out)
