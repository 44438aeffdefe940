"""Rows of the co-association matrix counted from labels, and what can be done with one row at a time.

Labels lie partition by partition, so that comparing one object with all others runs along memory; the loop over
partitions is outside. `plain` says that all weights are one and nothing is missing: then matches are counted in
whole numbers. Similarity is Σ w [same cluster] / Σ w [both present], 0 for a pair never present together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import kernel


@kernel
def _count_row(codes: Any, v: int, matches: Any) -> None:
    matches[:] = 0
    for t in range(codes.shape[0]):
        row = codes[t]
        label = row[v]
        for j in range(row.shape[0]):
            matches[j] += row[j] == label


@kernel
def similarity_row(
    codes: Any, weights: Any, absent: int, plain: bool, v: int, matches: Any, seen: Any, out: Any
) -> None:
    """Write the similarities of object v to all objects into `out`; v itself gets 0. O(nB)."""
    if plain:
        _count_row(codes, v, matches)
        scale = 1.0 / codes.shape[0]
        for j in range(out.shape[0]):
            out[j] = matches[j] * scale
    else:
        out[:] = 0.0
        seen[:] = 0.0
        for t in range(codes.shape[0]):
            row = codes[t]
            label = row[v]
            w = weights[t]
            if label == absent or w == 0.0:
                continue
            for j in range(row.shape[0]):
                out[j] += w * (row[j] == label)
                seen[j] += w * (row[j] != absent)
        for j in range(out.shape[0]):
            out[j] = out[j] / seen[j] if seen[j] > 0.0 else 0.0
    out[v] = 0.0


@kernel
def similarity_block(codes: Any, weights: Any, absent: int, plain: bool, start: int, stop: int) -> Any:
    """Return rows start … stop − 1 of the co-association matrix, zero on the diagonal."""
    n = codes.shape[1]
    matches, seen = np.empty(n, dtype=np.uint16), np.empty(n)
    block = np.empty((stop - start, n))
    for v in range(start, stop):
        similarity_row(codes, weights, absent, plain, v, matches, seen, block[v - start])
    return block


@kernel
def count_above(
    codes: Any, weights: Any, absent: int, plain: bool, limit: float, start: int, stop: int
) -> Any:
    """Count for rows start … stop − 1 the similarities above a limit."""
    n = codes.shape[1]
    matches, seen, out = np.empty(n, dtype=np.uint16), np.empty(n), np.empty(n)
    counts = np.zeros(stop - start, dtype=np.int64)
    for v in range(start, stop):
        similarity_row(codes, weights, absent, plain, v, matches, seen, out)
        for j in range(n):
            counts[v - start] += out[j] > limit
    return counts


@kernel
def fill_above(
    codes: Any,
    weights: Any,
    absent: int,
    plain: bool,
    limit: float,
    start: int,
    stop: int,
    indptr: Any,
    indices: Any,
    data: Any,
) -> None:
    """Write the similarities above a limit into the rows of a CSR matrix whose row ends are known."""
    n = codes.shape[1]
    matches, seen, out = np.empty(n, dtype=np.uint16), np.empty(n), np.empty(n)
    for v in range(start, stop):
        similarity_row(codes, weights, absent, plain, v, matches, seen, out)
        place = indptr[v]
        for j in range(n):
            if out[j] > limit:
                indices[place] = j
                data[place] = out[j]
                place += 1


@kernel
def strongest(codes: Any, weights: Any, absent: int, plain: bool, p: int, start: int, stop: int) -> Any:
    """Return for rows start … stop − 1 the p strongest others (−1 where fewer) and their similarities.

    Ties go to the smaller index: objects come in order and only a larger similarity displaces one.
    """
    n = codes.shape[1]
    matches, seen, out = np.empty(n, dtype=np.uint16), np.empty(n), np.empty(n)
    who = np.full((stop - start, p), -1, dtype=np.int64)
    value = np.zeros((stop - start, p))
    for v in range(start, stop):
        similarity_row(codes, weights, absent, plain, v, matches, seen, out)
        ids, best = who[v - start], value[v - start]
        for j in range(n):
            if out[j] > best[p - 1]:
                place = p - 1
                while place > 0 and out[j] > best[place - 1]:
                    best[place] = best[place - 1]
                    ids[place] = ids[place - 1]
                    place -= 1
                best[place] = out[j]
                ids[place] = j
    return who, value


@kernel
def sum_rows(codes: Any, weights: Any, absent: int, plain: bool, labels: Any, size: int, rows: Any) -> Any:
    """Sum the similarities of some rows, sorted by part, per pair of parts; unassigned objects do not count.

    The parts of the rows, from the first to the last, are the rows of the answer.
    """
    n = codes.shape[1]
    matches, seen, out = np.empty(n, dtype=np.uint16), np.empty(n), np.empty(n)
    first = labels[rows[0]]
    sums = np.zeros((labels[rows[-1]] - first + 1, size))
    for v in rows:
        similarity_row(codes, weights, absent, plain, v, matches, seen, out)
        line = sums[labels[v] - first]
        for j in range(n):
            if labels[j] >= 0:
                line[labels[j]] += out[j]
    return sums


@kernel
def cut_rows(codes: Any, weights: Any, absent: int, plain: bool, labels: Any, start: int, stop: int) -> Any:
    """Sum for rows start … stop − 1 the similarities to other parts; unassigned objects do not count."""
    n = codes.shape[1]
    matches, seen, out = np.empty(n, dtype=np.uint16), np.empty(n), np.empty(n)
    sums = np.zeros(stop - start)
    for v in range(start, stop):
        if labels[v] >= 0:
            similarity_row(codes, weights, absent, plain, v, matches, seen, out)
            for j in range(n):
                if labels[j] >= 0 and labels[j] != labels[v]:
                    sums[v - start] += out[j]
    return sums


@kernel
def prim(codes: Any, weights: Any, absent: int, plain: bool) -> Any:
    """Return link and strength of the maximum spanning forest of the co-association graph (−1 at a tree's root).

    O(n²B) comparisons, O(n) memory: one row is counted when its object enters the tree.
    """
    n = codes.shape[1]
    matches, seen, out = np.empty(n, dtype=np.uint16), np.empty(n), np.empty(n)
    link = np.full(n, -1, dtype=np.int64)
    strength = np.zeros(n)
    open_ = np.ones(n, dtype=np.bool_)
    v = 0
    for _ in range(n):
        open_[v] = False
        similarity_row(codes, weights, absent, plain, v, matches, seen, out)
        best = -1.0
        following = -1
        for j in range(n):
            if open_[j]:
                if out[j] > strength[j]:
                    strength[j] = out[j]
                    link[j] = v
                if strength[j] > best:
                    best = strength[j]
                    following = j
        v = following
        if v < 0:
            break
    return link, strength
