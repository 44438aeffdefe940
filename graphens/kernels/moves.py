"""Searching for median partitions from count tables: moves of single objects, and balls around single objects."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from ._jit import kernel
from .similarity import scratch, similarity_row

_BLOCK = 32  # clusters looked at together
_NOTHING = 1e-9  # gains and masses below it are rounding
#: what mutual information is divided by, as a number for the kernels; −1 divides by nothing
NORMS = {"geometric": 0, "arithmetic": 1, "min": 2, "max": 3, "joint": 4}


@kernel
def _more_slots(table: Any) -> Any:
    wider = np.zeros((table.shape[0], 2 * table.shape[1] + 1))
    wider[:, : table.shape[1]] = table
    return wider


@kernel
def _place(rows: Any, v: int, slot: int, mass: float, weights: Any, counts: Any, seen: Any) -> None:
    """Add an object (or, with negative mass, take one out) of a cluster of the count tables."""
    for t in range(rows.shape[1]):
        r = rows[v, t]
        if r >= 0:
            counts[r, slot] += weights[t] * mass
            seen[t, slot] += weights[t] * mass


@kernel
def _heaviest(mass: Any, block: int) -> float:
    """Largest mass of the clusters in one block of slots."""
    return mass[block * _BLOCK : (block + 1) * _BLOCK].max()


@kernel(work=lambda rows, weights, masses, order, labels, counts, *_: rows.size * counts.shape[1])
def search_sweep(
    rows: Any, weights: Any, masses: Any, order: Any, labels: Any, counts: Any, seen: Any, limit: int
) -> Any:
    """Move every object once to the cluster it agrees with most; return the number of moves.

    `rows` holds for each object its base clusters (−1 absent), `counts` w |C ∩ c| for base cluster c and cluster C,
    `seen` w |C present in t|. The agreement of object v with cluster C is Σ_t (2 counts[c_t(v), C] − seen[t, C])
    over the partitions that have v; a cluster of its own has 0. At most `limit` clusters; labels are changed in place.

    An object with evidence Σ w agrees with C at most by Σ w · |C|: blocks of clusters too small to beat the best so far
    are left out, so it pays to number clusters by falling size. O(kB) for each object at worst.
    """
    n_partitions = rows.shape[1]
    sizes, mass = np.zeros(counts.shape[1]), np.zeros(counts.shape[1])
    for v in range(labels.shape[0]):
        if labels[v] >= 0:
            sizes[labels[v]] += 1
            mass[labels[v]] += masses[v]
    n_blocks = (counts.shape[1] + _BLOCK - 1) // _BLOCK
    heaviest = np.array([_heaviest(mass, j) for j in range(n_blocks)])
    score = np.zeros(_BLOCK)
    moves = 0
    for v in order:
        own = labels[v]
        evidence, value, best = 0.0, 0.0, -1
        for t in range(n_partitions):
            r = rows[v, t]
            if r >= 0:
                evidence += weights[t]
                if own >= 0:
                    value += 2.0 * counts[r, own] - seen[t, own]
        slack = 1e-9 * (evidence + 1.0)
        if own >= 0:
            best = own
            value -= masses[v] * evidence  # its own share of the tables
        # Blocks of clusters are skipped by their heaviest one: with falling sizes most blocks cannot win.
        for j in range(n_blocks):
            if best >= 0 and evidence * heaviest[j] <= value + slack:
                continue
            start, stop = j * _BLOCK, min((j + 1) * _BLOCK, counts.shape[1])
            score[:] = 0.0
            for t in range(n_partitions):
                r = rows[v, t]
                if r >= 0:
                    for c in range(start, stop):
                        score[c - start] += 2.0 * counts[r, c] - seen[t, c]
            for c in range(start, stop):
                found = score[c - start]
                if sizes[c] > 0 and c != own and (found > value + slack or (best < 0 and found >= value)):
                    best, value = c, found
        # A cluster of its own agrees by 0. It takes the first empty slot; the tables grow if there is none.
        if value < -slack or best < 0:
            free = -1
            for c in range(counts.shape[1]):
                if sizes[c] == 0:
                    free = c
                    break
            if free < 0 and counts.shape[1] < limit:
                free = counts.shape[1]
                counts, seen = _more_slots(counts), _more_slots(seen)
                more = np.zeros(counts.shape[1] - free)
                sizes, mass = np.concatenate((sizes, more)), np.concatenate((mass, more))
                n_blocks = (counts.shape[1] + _BLOCK - 1) // _BLOCK
                heaviest = np.array([_heaviest(mass, j) for j in range(n_blocks)])
            best = free if free >= 0 else max(best, 0)
        if best != own:
            if own >= 0:
                _place(rows, v, own, -masses[v], weights, counts, seen)
                sizes[own] -= 1
                mass[own] = mass[own] - masses[v] if sizes[own] > 0 else 0.0
                heaviest[own // _BLOCK] = _heaviest(mass, own // _BLOCK)
            _place(rows, v, best, masses[v], weights, counts, seen)
            sizes[best] += 1
            mass[best] += masses[v]
            heaviest[best // _BLOCK] = _heaviest(mass, best // _BLOCK)
            labels[v] = best
            moves += 1
    return moves


@kernel
def _total(row: Any) -> float:
    """Sum from left to right, as NumPy alone would not."""
    total = 0.0
    for j in range(row.shape[0]):
        total += row[j]
    return total


@kernel
def _xlogx(x: float) -> float:
    return x * log(x) if x > 1e-12 else 0.0


@kernel
def _nmi(cells: float, own: float, other: float, total: float, norm: int) -> float:
    """NMI from Σ x log x over the cells and over one margin, and the entropy of the other margin; see NORMS."""
    mine = log(total) - own / total
    both = log(total) - cells / total
    if mine <= 1e-13 or other <= 1e-13:
        return 1.0 if mine <= 1e-13 and other <= 1e-13 else 0.0
    if norm == 0:
        mean = np.sqrt(mine * other)
    elif norm == 1:
        mean = (mine + other) / 2
    elif norm == 2:
        mean = min(mine, other)
    elif norm == 3:
        mean = max(mine, other)
    else:
        mean = both
    return (mine + other - both) / mean


@kernel
def _shift(table: Any, logs: Any, row: int, column: int, mass: float) -> float:
    """Change one count and its x log x; return by how much the latter changed."""
    before = logs[row, column]
    table[row, column] += mass
    logs[row, column] = _xlogx(table[row, column])
    return logs[row, column] - before


@kernel(work=lambda rows, shares, entropies, masses, order, norm, labels, counts, seen: 4 * rows.size * seen.shape[1])
def greedy_sweep(
    rows: Any, shares: Any, entropies: Any, masses: Any, order: Any, norm: int, labels: Any, counts: Any, seen: Any
) -> Any:
    """Move every object once to the label with the largest Σ_t share_t NMI_t; return the number of moves.

    `counts` holds |C ∩ c| (base clusters × labels), `seen` |C present in t|, `entropies` those of the partitions;
    all are kept up to date, so that one trial costs O(B). Labels are changed in place.
    """
    n_partitions, k = seen.shape
    cell_log, line_log = np.zeros(counts.shape), np.zeros(seen.shape)
    cells, lines, totals = np.zeros(n_partitions), np.zeros(n_partitions), np.zeros(n_partitions)
    for r in range(counts.shape[0]):
        for c in range(k):
            cell_log[r, c] = _xlogx(counts[r, c])
    owner = np.full(counts.shape[0], -1)
    for v in range(rows.shape[0]):
        for t in range(n_partitions):
            if rows[v, t] >= 0:
                owner[rows[v, t]] = t
    for r in range(counts.shape[0]):
        if owner[r] >= 0:
            cells[owner[r]] += _total(cell_log[r])
    for t in range(n_partitions):
        for c in range(k):
            line_log[t, c] = _xlogx(seen[t, c])
        lines[t], totals[t] = _total(line_log[t]), _total(seen[t])
    # x log x is kept of every cell and every line, with its sums by partition: a trial changes two of each, and the
    # logarithms of all others are known.
    score = np.empty(k)
    moves = 0
    for v in order:
        own, m = labels[v], masses[v]
        score[:] = 0.0
        for t in range(n_partitions):
            r = rows[v, t]
            if r < 0 or shares[t] == 0.0:
                continue
            # Both sums without the object, to which every other label adds it.
            cell = cells[t] - cell_log[r, own] + _xlogx(counts[r, own] - m)
            line = lines[t] - line_log[t, own] + _xlogx(seen[t, own] - m)
            for c in range(k):
                if c == own:
                    score[c] += shares[t] * _nmi(cells[t], lines[t], entropies[t], totals[t], norm)
                else:
                    with_cell = cell - cell_log[r, c] + _xlogx(counts[r, c] + m)
                    with_line = line - line_log[t, c] + _xlogx(seen[t, c] + m)
                    score[c] += shares[t] * _nmi(with_cell, with_line, entropies[t], totals[t], norm)
        best = own
        for c in range(k):
            if score[c] > score[best] + 1e-12:
                best = c
        if best != own:
            for t in range(n_partitions):
                r = rows[v, t]
                if r >= 0:
                    cells[t] += _shift(counts, cell_log, r, own, -m) + _shift(counts, cell_log, r, best, m)
                    lines[t] += _shift(seen, line_log, t, own, -m) + _shift(seen, line_log, t, best, m)
            labels[v] = best
            moves += 1
    return moves


@kernel(work=lambda ev, masses, order, *_: ev.codes.size * order.size)
def balls(ev: Any, masses: Any, order: Any, least: float, alpha: float, labels: Any) -> int:
    """Give each object in turn its ball of unclustered objects with S ≥ least, if their mean 1 − S is at most alpha.

    Otherwise it stays alone. Fills `labels` (−1 before) and returns their number. One row of S per ball: O(nB) each.
    """
    n = ev.codes.shape[1]
    room, out = scratch(), np.empty(n)
    k = 0
    for v in order:
        if labels[v] >= 0:
            continue
        similarity_row(ev, v, room, out)
        total, apart = max(masses[v] - 1.0, 0.0), 0.0
        for j in range(n):
            if labels[j] < 0 and j != v and out[j] >= least:
                total += masses[j]
                apart += masses[j] * (1.0 - out[j])
        labels[v] = k
        if apart <= (alpha + 1e-9) * total:
            for j in range(n):
                if labels[j] < 0 and out[j] >= least:
                    labels[j] = k
        k += 1
    return k


@kernel(work=lambda rows, shares, entropies, masses, labels, total, k, *_: 3 * rows.size + total * k)
def shared_information(
    rows: Any, shares: Any, entropies: Any, masses: Any, labels: Any, total: int, k: int, norm: int
) -> float:
    """Return Σ_t share_t NMI_t (or the mutual information itself) of a labeling with all partitions. O(nB + Kk)."""
    n_partitions = rows.shape[1]
    counts, seen = np.zeros((total, k)), np.zeros((n_partitions, k))
    owner = np.full(total, -1)  # the partition of each base cluster: the rows say so, and need no offsets
    for v in range(rows.shape[0]):
        for t in range(n_partitions):
            if rows[v, t] >= 0:
                counts[rows[v, t], labels[v]] += masses[v]
                seen[t, labels[v]] += masses[v]
                owner[rows[v, t]] = t
    cells = np.zeros(n_partitions)
    for r in range(total):
        if owner[r] >= 0:
            for c in range(k):
                cells[owner[r]] += _xlogx(counts[r, c])
    value = 0.0
    for t in range(n_partitions):
        size = _total(seen[t])
        if shares[t] > 0.0 and size > 0.0:
            lines = 0.0
            for c in range(k):
                lines += _xlogx(seen[t, c])
            if norm >= 0:
                value += shares[t] * _nmi(cells[t], lines, entropies[t], size, norm)
            else:
                value += shares[t] * (entropies[t] + (cells[t] - lines) / size)
    return value


@kernel
def _entry(rows: Any, v: int, mass: float, slot: int, rates: Any, weights: Any, tables: Any) -> float:
    """What the fit of a cluster gains when an object (with negative mass: one of its own) enters it."""
    counts, squares, seen = tables
    gain = 0.0
    for t in range(rows.shape[1]):
        r = rows[v, t]
        if r >= 0:
            before = squares[t, slot] / seen[t, slot] if seen[t, slot] > 0.0 else 0.0
            there = seen[t, slot] + mass
            after = squares[t, slot] + rates[r] * mass * (2.0 * counts[r, slot] + mass)
            gain += weights[t] * ((after / there if there > _NOTHING else 0.0) - before)
    return gain


@kernel
def _enter(rows: Any, v: int, mass: float, slot: int, rates: Any, tables: Any) -> None:
    """Bring the tables up to date."""
    counts, squares, seen = tables
    for t in range(rows.shape[1]):
        r = rows[v, t]
        if r >= 0:
            squares[t, slot] += rates[r] * mass * (2.0 * counts[r, slot] + mass)
            counts[r, slot] += mass
            seen[t, slot] += mass


@kernel(work=lambda rows, rates, weights, masses, order, pull, labels, sizes, *_: rows.size * len(sizes))
def even_sweep(
    rows: Any,
    rates: Any,
    weights: Any,
    masses: Any,
    order: Any,
    pull: float,
    labels: Any,
    sizes: Any,
    numbers: Any,
    counts: Any,
    squares: Any,
    seen: Any,
) -> int:
    """Move every object once to where Σ_C Σ_t w S_tC / |C_t| − pull · Σ_C |C|² gains most; return the number of moves.

    `rows` holds for each object its base clusters (−1 absent), `rates` 1/|c|, `counts` |C ∩ c|, `squares`
    S_tC = Σ_c |C ∩ c|² / |c|, `seen` |C present in t|, `sizes` |C|, and `numbers` how many objects C has. No cluster
    is left empty. O(kB) for each object.
    """
    tables = (counts, squares, seen)
    moves = 0
    for v in order:
        own, mass = labels[v], masses[v]
        # The last object of a cluster stays in it.
        if own >= 0 and numbers[own] == 1:
            continue
        # What leaving gains is the same for every cluster that it may enter.
        leave = 0.0
        if own >= 0:
            leave = _entry(rows, v, -mass, own, rates, weights, tables)
            leave += pull * mass * (2.0 * sizes[own] - mass)
        best, most = own, _NOTHING
        for c in range(sizes.shape[0]):
            if c != own:
                gain = leave + _entry(rows, v, mass, c, rates, weights, tables)
                gain -= pull * mass * (2.0 * sizes[c] + mass)
                if best < 0 or gain > most:
                    best, most = c, gain
        if best != own:
            if own >= 0:
                _enter(rows, v, -mass, own, rates, tables)
                sizes[own] -= mass
                numbers[own] -= 1
            _enter(rows, v, mass, best, rates, tables)
            sizes[best] += mass
            numbers[best] += 1
            labels[v] = best
            moves += 1
    return moves
