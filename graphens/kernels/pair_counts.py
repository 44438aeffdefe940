"""How many pairs of objects share how much: counted from labels, without the n × n matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import kernel
from .similarity import TILE, evidence_of, scratch


@kernel(work=lambda ev, copies, width, first, last: ev.codes.size * (last - first))
def count_pairs(ev: Any, copies: Any, width: int, first: int, last: int) -> Any:
    """Count the pairs of rows first … last − 1 with later rows by shared and seen evidence, whole numbers below width.

    A pair of rows stands for as many pairs of objects as the rows have copies; cell seen · width + shared has their
    number.
    """
    n = ev.codes.shape[1]
    room = scratch()
    table = np.zeros(width * width, dtype=np.int64)
    for start in range(0, n, TILE):
        stop = min(n, start + TILE)
        for v in range(first, min(last, stop - 1)):
            shared, seen = evidence_of(ev, v, start, stop, room)
            for j in range(max(0, v + 1 - start), stop - start):
                cell = int(seen[j] + 0.5) * width + int(shared[j] + 0.5)
                table[cell] += copies[v] * copies[start + j]
    return table
