"""Objects as sums of their clusters' rows: the products H·T and their scaled forms, from labels, without H."""

from __future__ import annotations

from typing import Any

from ._jit import kernel

_STRETCH = 256


@kernel(work=lambda row, absent, base, table, start, stop, *_: table.shape[1] * (stop - start))
def add_partition(row: Any, absent: int, base: int, table: Any, start: int, stop: int, out: Any) -> None:
    """Add table[base + cluster of i] to out[i] for objects start … stop − 1 of one partition."""
    for i in range(start, stop):
        if row[i] != absent:
            c = base + row[i]
            for j in range(table.shape[1]):
                out[i, j] += table[c, j]


@kernel(
    work=lambda codes, offsets, absent, table, start, stop, *_: (
        codes.shape[0] * table.shape[1] * (stop - start)
    )
)
def add_rows(codes: Any, offsets: Any, absent: int, table: Any, start: int, stop: int, out: Any) -> None:
    """Write Σ_t table[cluster of i in t] into out[i − start] for objects start … stop − 1. O(B) rows of the table each.

    Objects come in short stretches whose sums stay in cache.
    """
    out[: stop - start] = 0.0
    for first in range(start, stop, _STRETCH):
        last = min(stop, first + _STRETCH)
        sums = out[first - start : last - start]
        for t in range(codes.shape[0]):
            add_partition(codes[t, first:last], absent, offsets[t], table, 0, last - first, sums)
