"""Partitions against partitions, one pair after another: what is read off a contingency table before the next is made.

Nothing of a pair is kept: room for one table, and one number for each cluster or pair.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._jit import kernel
from .counting import contingency, table_sums, weighted_contingency

_ROUNDING = 1e-12


class Room(NamedTuple):
    """Room for one table at a time.

    `table` holds zeros between two pairs. The non-empty cells follow each other row by row, with their row, column and
    count; `order` has the objects by their cluster in the first partition.
    """

    table: Any
    row: Any
    column: Any
    count: Any
    order: Any
    row_sum: Any
    column_sum: Any


def room_for(n: int, most: int) -> Room:
    """Return room for n objects and partitions of at most so many clusters.

    Tables with more than about 4 cells per object would be mostly empty, and are counted row by row.
    """
    table, cells = max(min(most * most, 4 * n), most, 1), min(n, most * most)
    row, column, order = (np.zeros(size, dtype=np.int64) for size in (cells, cells, n))
    return Room(np.zeros(table), row, column, np.zeros(cells), order, np.zeros(most), np.zeros(most))


@kernel
def _sort_objects(row: Any, absent: int, n_clusters: int, order: Any) -> int:
    """Write the objects of a partition cluster by cluster; return how many it has. O(n + k)."""
    place = np.zeros(n_clusters + 1, dtype=np.int64)
    for i in range(len(row)):
        if row[i] != absent:
            place[np.int64(row[i]) + 1] += 1
    for c in range(n_clusters):
        place[c + 1] += place[c]
    for i in range(len(row)):
        if row[i] != absent:
            own = np.int64(row[i])
            order[place[own]] = i
            place[own] += 1
    return place[n_clusters - 1] if n_clusters > 0 else 0


@kernel
def _list_cells(
    a: Any, b: Any, absent: int, k_a: int, k_b: int, present: int, weights: Any, room: Any
) -> int:
    """Write the non-empty cells of the contingency table of two partitions, row by row; return how many there are.

    `present` objects of the first partition stand in the room's order. O(n), and the cells of a table that is dense.
    """
    table = room.table
    found = 0
    if k_a * k_b <= len(table):
        for i in range(len(a)):
            if a[i] != absent and b[i] != absent:
                table[np.int64(a[i]) * k_b + np.int64(b[i])] += weights[i] if len(weights) else 1.0
        for i in range(k_a):
            for j in range(k_b):
                if table[i * k_b + j] > 0.0:
                    room.row[found], room.column[found] = i, j
                    room.count[found] = table[i * k_b + j]
                    table[i * k_b + j] = 0.0
                    found += 1
        return found
    first = 0
    for at in range(present):
        i = room.order[at]
        if b[i] != absent:
            other = np.int64(b[i])
            if table[other] == 0.0:
                room.row[found], room.column[found] = a[i], other
                found += 1
            table[other] += weights[i] if len(weights) else 1.0
        if at + 1 == present or a[room.order[at + 1]] != a[i]:
            for cell in range(first, found):
                room.count[cell] = table[room.column[cell]]
                table[room.column[cell]] = 0.0
            first = found
    return found


@kernel
def _sum_margins(room: Any, found: int, k_a: int, k_b: int) -> float:
    """Sum the cells by row and by column; return the total."""
    room.row_sum[:k_a] = 0.0
    room.column_sum[:k_b] = 0.0
    total = 0.0
    for cell in range(found):
        room.row_sum[room.row[cell]] += room.count[cell]
        room.column_sum[room.column[cell]] += room.count[cell]
    for i in range(k_a):
        total += room.row_sum[i]
    return total


@kernel(work=lambda codes, absent, n_clusters, weights, s, others, *_: codes.shape[1] * len(others))
def pair_sums(
    codes: Any, absent: int, n_clusters: Any, weights: Any, s: int, others: Any, room: Any, out: Any
) -> None:
    """Write for the pairs of partition s with others what `table_sums` says of their tables; O(n) each.

    Without `weights` every object counts once. Tables that would be mostly empty are lists of cells.
    """
    k_a = n_clusters[s]
    present = _sort_objects(codes[s], absent, k_a, room.order)
    for place in range(len(others)):
        t = others[place]
        k_b = n_clusters[t]
        if k_a * k_b > len(room.table):
            found = _list_cells(codes[s], codes[t], absent, k_a, k_b, present, weights, room)
            _cell_sums(room, found, k_a, k_b, out[place])
        elif len(weights):
            table_sums(weighted_contingency(codes[s], codes[t], k_a, k_b, weights), k_a, k_b, out[place])
        else:
            table_sums(contingency(codes[s], codes[t], k_a, k_b), k_a, k_b, out[place])


@kernel
def _cell_sums(room: Any, found: int, k_a: int, k_b: int, out: Any) -> None:
    """Do what `table_sums` does from the non-empty cells."""
    total = _sum_margins(room, found, k_a, k_b)
    out[:] = 0.0
    out[0] = total
    for cell in range(found):
        x = room.count[cell]
        out[3] -= x / total * np.log(x / total)
        out[4] += x * (x - 1) / 2
    for i in range(k_a):
        x = room.row_sum[i]
        if x > 0.0:
            out[1] -= x / total * np.log(x / total)
            out[5] += x * (x - 1) / 2
    for j in range(k_b):
        x = room.column_sum[j]
        if x > 0.0:
            out[2] -= x / total * np.log(x / total)
            out[6] += x * (x - 1) / 2


@kernel
def _divided(a: float, b: float) -> float:
    return a / b if b > _ROUNDING else 0.0


@kernel(work=lambda codes, absent, n_clusters, weights, s, others, *_: codes.shape[1] * len(others))
def judge_clusters(
    codes: Any,
    absent: int,
    n_clusters: Any,
    weights: Any,
    s: int,
    others: Any,
    voices: Any,
    logs: Any,
    room: Any,
    bits: Any,
) -> float:
    """Add up what other partitions say of partition s, each by its voice, itself left out. O(n) each.

    `bits` gets the entropy of every cluster of s over the clusters of the others; returned is how far they put the
    same pairs of objects together, beyond chance. `logs` has x log₂ x of whole numbers.
    """
    k_a = n_clusters[s]
    present = _sort_objects(codes[s], absent, k_a, room.order)
    spread = np.zeros(k_a)
    shared = 0.0
    for place in range(len(others)):
        t, voice = others[place], voices[place]
        if t == s or voice <= 0.0:
            continue
        k_b = n_clusters[t]
        found = _list_cells(codes[s], codes[t], absent, k_a, k_b, present, weights, room)
        total = _sum_margins(room, found, k_a, k_b)
        together, rows, columns = 0.0, 0.0, 0.0
        spread[:] = 0.0
        for cell in range(found):
            x = room.count[cell]
            together += x * x
            spread[room.row[cell]] += _times_log(x, logs)
        for i in range(k_a):
            x = room.row_sum[i]
            if x > 0.0:
                rows += x * x
                bits[i] += voice * max((_times_log(x, logs) - spread[i]) / x, 0.0)
        for j in range(k_b):
            columns += room.column_sum[j] * room.column_sum[j]
        pairs = total * total - total
        first, second = _divided(rows - total, pairs), _divided(columns - total, pairs)
        chance = first * second
        shared += voice * _divided(_divided(together - total, pairs) - chance, min(first, second) - chance)
    return shared


@kernel
def _times_log(x: float, logs: Any) -> float:
    """x log₂ x, looked up where it is known."""
    whole = np.int64(x)
    if whole < len(logs) and whole == x:
        return logs[whole]
    return x * np.log2(x)


@kernel(work=lambda codes, absent, n_clusters, offsets, weights, s, others, *_: codes.shape[1] * len(others))
def shared_cells(
    codes: Any,
    absent: int,
    n_clusters: Any,
    offsets: Any,
    weights: Any,
    s: int,
    others: Any,
    room: Any,
    cells: Any,
    counts: Any,
) -> int:
    """Write what clusters of s share with those of other partitions: cluster of s, cluster of all, and the weight.

    Returns how many there are, O(n) at most for each partition.
    """
    k_a = n_clusters[s]
    present = _sort_objects(codes[s], absent, k_a, room.order)
    last = 0
    for place in range(len(others)):
        t = others[place]
        if t != s:
            found = _list_cells(codes[s], codes[t], absent, k_a, n_clusters[t], present, weights, room)
            for cell in range(found):
                cells[0, last] = room.row[cell]
                cells[1, last] = offsets[t] + room.column[cell]
                counts[last] = room.count[cell]
                last += 1
    return last


@kernel(work=lambda rows, *_: 2 * rows.size)
def keep_strongest(rows: Any, columns: Any, weights: Any, ids: Any, best: Any) -> None:
    """Keep for every row the columns with the largest weights (−1 where fewer), the first where tied."""
    p = best.shape[1]
    for cell in range(len(rows)):
        own, near = best[rows[cell]], ids[rows[cell]]
        if weights[cell] > own[p - 1]:
            place = p - 1
            while place > 0 and weights[cell] > own[place - 1]:
                own[place] = own[place - 1]
                near[place] = near[place - 1]
                place -= 1
            own[place] = weights[cell]
            near[place] = columns[cell]
