"""Pairs of objects that differ in few partitions, without looking at all pairs.

Two objects that differ in at most t partitions agree in all partitions of at least one of t + 1 groups. So the labels
of each group are hashed, and only objects with an equal hash are compared. A group in which an object lacks a label has
no hash (0): objects that lack labels in b and c groups still meet in one of t + 1 + b + c.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import kernel
from .similarity import COUNTED, PLAIN, WEIGHTED

_TILE = 2048
BLOCK = 32  # objects that are compared with as many others while their labels are in cache
_PIECE = 256  # labels that are compared before it is asked whether the rest matters


@kernel(work=lambda codes, absent, groups, hashes: groups.size * codes.shape[1])
def hash_groups(codes: Any, absent: int, groups: Any, hashes: Any) -> None:
    """Write a hash of the labels of each object (n × groups) in every group of partitions, 0 where one is absent."""
    state, gap = np.empty(_TILE, dtype=np.uint64), np.empty(_TILE, dtype=np.uint8)
    for start in range(0, codes.shape[1], _TILE):
        width = min(_TILE, codes.shape[1] - start)
        for g in range(groups.shape[0]):
            state[:] = np.uint64(1)
            gap[:] = 0
            for t in groups[g]:
                row = codes[t, start : start + width]
                for i in range(width):
                    gap[i] |= row[i] == absent
                    state[i] = (state[i] ^ np.uint64(row[i])) * np.uint64(0x9E3779B97F4A7C15)
                    state[i] ^= state[i] >> np.uint64(29)
            for i in range(width):
                # The upper half of a product is mixed best; 0 is for an absent label.
                found = np.uint32(state[i] >> np.uint64(32))
                hashes[start + i, g] = np.uint32(0) if gap[i] else max(found, np.uint32(1))


@kernel
def _meet_first(a: Any, b: Any, group: int, most: int) -> bool:
    """Whether two objects have equal hashes in no earlier group, and different ones in at most so many."""
    differ = 0
    for g in range(a.shape[0]):
        if a[g] == b[g]:
            if g < group and a[g] != 0:
                return False
        elif a[g] != 0 and b[g] != 0:
            differ += 1
            if differ > most:
                return False
    return True


@kernel
def _count_plain(a: Any, b: Any, most: int) -> int:
    """Number of partitions in which two objects differ; some number above `most` where it is above."""
    differ = 0
    # Most pairs that are compared differ too much, which a first piece of the labels often shows.
    for start in range(0, a.shape[0], _PIECE):
        x, y = a[start : start + _PIECE], b[start : start + _PIECE]
        for t in range(x.shape[0]):
            differ += x[t] != y[t]
        if differ > most:
            break
    return differ


@kernel
def _count_present(a: Any, b: Any, absent: int, most: int) -> int:
    """Number of partitions in which two objects differ that both have; some number above `most` where it is above."""
    differ, gap = 0, a.dtype.type(absent)
    for start in range(0, a.shape[0], _PIECE):
        x, y = a[start : start + _PIECE], b[start : start + _PIECE]
        for t in range(x.shape[0]):
            differ += (x[t] != gap) & (y[t] != gap) & (x[t] != y[t])
        if differ > most:
            break
    return differ


@kernel
def _weigh(ev: Any, a: Any, b: Any) -> float:
    """The similarity of two objects, summed in the order of the partitions, as for all pairs."""
    shared, seen = 0.0, 0.0
    for t in range(a.shape[0]):
        w = ev.weights[t]
        if a[t] != ev.absent and w > 0.0:
            shared += ev.gains[ev.offsets[t] + a[t]] * (a[t] == b[t])
            seen += w * (b[t] != ev.absent)
    return shared / seen if seen > 0.0 else 0.0


@kernel
def _similarity(ev: Any, a: Any, b: Any, most: int) -> float:
    """The similarity of two objects; 0 where they differ in more than so many partitions."""
    n_partitions = a.shape[0]
    if ev.mode == PLAIN:
        differ = _count_plain(a, b, most)
        return (n_partitions - differ) / n_partitions if differ <= most else 0.0
    differ = _count_present(a, b, ev.absent, most)
    if differ > most:
        return 0.0
    if ev.mode == WEIGHTED:
        return _weigh(ev, a, b)
    if ev.mode == COUNTED:
        seen, gap = 0, a.dtype.type(ev.absent)
        for t in range(n_partitions):
            seen += (a[t] != gap) & (b[t] != gap)
        return (seen - differ) / seen if seen > 0 else 0.0
    return (n_partitions - differ) / n_partitions


@kernel
def _compare_blocks(
    ev: Any, rows: Any, hashes: Any, group: int, first: Any, second: Any, most: int, limit: float, made: int, out: Any
) -> int:
    """Compare the objects of two blocks, or those of one among each other; write the pairs above the limit."""
    left, right, value = out
    for a in range(first.shape[0]):
        i = first[a]
        for b in range(a + 1 if first[0] == second[0] else 0, second.shape[0]):
            j = second[b]
            if _meet_first(hashes[i], hashes[j], group, most):
                found = _similarity(ev, rows[min(i, j)], rows[max(i, j)], most)
                if found > limit:
                    left[made], right[made], value[made] = min(i, j), max(i, j), found
                    made += 1
    return made


@kernel(work=lambda ev, rows, hashes, group, order, *_: 8 * order.size * rows.shape[1])
def meet(
    ev: Any, rows: Any, hashes: Any, group: int, order: Any, ends: Any, most: int, limit: float, at: Any, out: Any
) -> int:
    """Write the pairs above the limit that meet in a group first, until the room is full or all are looked at.

    `order` has the objects sorted by their hashes in the group and in group 0; those with the same hash in the group
    are order[ends[r] : ends[r + 1]], and of these those that met in group 0 stand together. They are compared block by
    block, so that their labels (`rows`, object by object) stay in cache. `at` holds the run and the two blocks to go on
    from. Returns how many pairs were written; at[0] is the number of runs where all is done.
    """
    made = 0
    while at[0] < ends.shape[0] - 1:
        run = order[ends[at[0]] : ends[at[0] + 1]]
        while at[1] < run.shape[0]:
            first = run[at[1] : at[1] + BLOCK]
            while at[2] < run.shape[0]:
                if made + BLOCK * BLOCK > out[0].shape[0]:
                    return made
                second = run[at[2] : at[2] + BLOCK]
                met = hashes[first[0], 0]  # all of them in group 0, where the last of them also have
                if group == 0 or met == 0 or hashes[second[-1], 0] != met:
                    made = _compare_blocks(ev, rows, hashes, group, first, second, most, limit, made, out)
                at[2] += BLOCK
            at[1] += BLOCK
            at[2] = at[1]
        at[0] += 1
        at[1], at[2] = 0, 0
    return made
