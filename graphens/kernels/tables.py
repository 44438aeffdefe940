"""What every measure of agreement needs of a contingency table, in one pass over its cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import kernel


@kernel
def table_sums(table: Any, k_a: int, k_b: int, out: Any) -> None:
    """Write total; entropies of rows, columns and cells (nats); pairs together in cells, rows and columns.

    The row k_a and the column k_b, which hold the absent objects, are left out. O(k_a k_b).
    """
    rows, columns = np.zeros(k_a), np.zeros(k_b)
    total = 0.0
    for i in range(k_a):
        for j in range(k_b):
            rows[i] += table[i, j]
            columns[j] += table[i, j]
        total += rows[i]
    out[:] = 0.0
    out[0] = total
    if total <= 0:
        return
    for i in range(k_a):
        for j in range(k_b):
            x = float(table[i, j])
            if x > 0:
                out[3] -= x / total * np.log(x / total)
                out[4] += x * (x - 1) / 2
        if rows[i] > 0:
            out[1] -= rows[i] / total * np.log(rows[i] / total)
            out[5] += rows[i] * (rows[i] - 1) / 2
    for j in range(k_b):
        if columns[j] > 0:
            out[2] -= columns[j] / total * np.log(columns[j] / total)
            out[6] += columns[j] * (columns[j] - 1) / 2
