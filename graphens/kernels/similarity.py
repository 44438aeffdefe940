"""Co-association counted from labels: one object against a stretch of others at a time.

S_ij = Σ_t g [same cluster in t] / Σ_t w_t [both present in t], where g is w_t, or w_t times the weight of the shared
cluster. Labels lie partition by partition, so that comparing one object with a stretch runs along memory; the loop
over partitions is outside, and a stretch is short enough for its counters to stay in the fastest cache.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._lib.arrays import divide, sum_in_order
from ._jit import kernel, twin_of

TILE = 2048
LANES = 64  # objects that are compared with `ROWS` others while the counters stay in registers
ROWS = 8
PLAIN, COUNTED, WEIGHTED, LENIENT = 0, 1, 2, 3
_FEW = 16  # rows that are compared at once where nothing is compiled
BYTE = 254  # matches that a byte counts, and one number to spare


class Evidence(NamedTuple):
    """What the kernels know of an ensemble.

    `mode` is PLAIN where all weights are one and nothing is missing: similarities are whole numbers over B; COUNTED
    where labels are missing: whole numbers over whole numbers; WEIGHTED otherwise. LENIENT, which only who asks for it
    gets, counts a missing label as one that agrees with every other. `gains` has one number per cluster,
    cluster (t, c) at offsets[t] + c.
    """

    codes: Any
    weights: Any
    gains: Any
    offsets: Any
    absent: int
    mode: int


def evidence(codes: Any, weights: Any, offsets: Any, absent: int, missing: bool, shares: Any) -> Evidence:
    """Choose the cheapest way to count; `shares` are cluster weights, or None."""
    mode = WEIGHTED if shares is not None or (weights != 1).any() else COUNTED if missing else PLAIN
    gains = np.repeat(weights, np.diff(offsets)) * (1.0 if shares is None else shares)
    return Evidence(np.ascontiguousarray(codes), weights, np.append(gains, 0.0), offsets, absent, mode)


@kernel
def count_matches(codes: Any, v: int, start: int, first: int, last: int, matches: Any) -> None:
    """Add to the counters how many of the partitions first … last − 1 put v together with the objects from start on."""
    width = matches.shape[0]
    for t in range(first, last):
        row = codes[t, start : start + width]
        label = codes[t, v]
        for j in range(width):
            matches[j] += row[j] == label


@twin_of(count_matches)
def _matches(codes: Any, v: int, start: int, first: int, last: int, matches: Any) -> None:
    part = codes[first:last]
    matches += (part[:, start : start + len(matches)] == part[:, v, None]).sum(0, dtype=matches.dtype)


@kernel
def _count_lanes(codes: Any, v: int, start: int, table: Any) -> None:
    """Write in how many partitions v, … of as many objects as the table has rows are with the LANES from start on."""
    for r in range(ROWS):
        row = table[r, :LANES]
        row[:] = 0
        count_matches(codes, v + r, start, 0, codes.shape[0], row)


@kernel
def _count_tile(codes: Any, v: int, last: int, start: int, stop: int, table: Any) -> Any:
    """Return in how many partitions each of v … last − 1, at most ROWS, is with the objects start … stop − 1.

    0 with itself. A byte counts all partitions.
    """
    rows, width = min(ROWS, last - v), stop - start
    whole = width - width % LANES if v + ROWS <= codes.shape[1] else 0
    for j in range(0, whole, LANES):
        _count_lanes(codes, v, start + j, table[:, j:])
    table[:rows, whole:width] = 0
    for r in range(rows):
        count_matches(codes, v + r, start + whole, 0, codes.shape[0], table[r, whole:width])
        if start <= v + r < stop:
            table[r, v + r - start] = 0
    return table[:rows, :width]


@twin_of(_count_tile)
def _tile_whole(codes: Any, v: int, last: int, start: int, stop: int, table: Any) -> Any:
    rows = np.arange(v, min(v + ROWS, last))
    found = (codes[:, rows, None] == codes[:, None, start:stop]).sum(0, dtype=table.dtype)
    found[rows[:, None] == np.arange(start, stop)] = 0
    return found


@kernel
def count_present(
    codes: Any, absent: int, v: int, start: int, first: int, last: int, matches: Any, present: Any
) -> None:
    """Count shared clusters and shared presence where labels are missing."""
    width = matches.shape[0]
    for t in range(first, last):
        label = codes[t, v]
        if label != absent:
            row = codes[t, start : start + width]
            for j in range(width):
                matches[j] += row[j] == label
                present[j] += row[j] != absent


@kernel
def weigh(ev: Any, v: int, start: int, shared: Any, seen: Any) -> None:
    """Sum the gains of shared clusters and the weights of shared partitions, O(B) per object."""
    width = shared.shape[0]
    shared[:] = 0.0
    seen[:] = 0.0
    for t in range(ev.codes.shape[0]):
        label = ev.codes[t, v]
        w = ev.weights[t]
        if label != ev.absent and w > 0.0:
            row = ev.codes[t, start : start + width]
            gain = ev.gains[ev.offsets[t] + label]
            for j in range(width):
                shared[j] += gain * (row[j] == label)
                seen[j] += w * (row[j] != ev.absent)


@twin_of(weigh)
def _weigh_whole(ev: Any, v: int, start: int, shared: Any, seen: Any) -> None:
    label = ev.codes[:, v]
    there = (ev.weights > 0.0) & (label != ev.absent)
    part, label, weights = ev.codes[there, start : start + len(shared)], label[there, None], ev.weights[there]
    shared[:] = sum_in_order(ev.gains[ev.offsets[:-1][there, None] + label] * (part == label))
    present = part != ev.absent
    seen[:] = sum_in_order(weights if present.all() else weights[:, None] * present)


@kernel
def scratch() -> Any:
    """Room for one stretch: two counters and two sums."""
    return np.empty(TILE, dtype=np.uint8), np.empty(TILE, dtype=np.uint8), np.empty(TILE), np.empty(TILE)


@kernel
def evidence_of(ev: Any, v: int, start: int, stop: int, room: Any) -> Any:
    """Return shared evidence and seen evidence of v with objects start … stop − 1, at most TILE of them."""
    width = stop - start
    matches, present, seen, shared = room[0][:width], room[1][:width], room[2][:width], room[3][:width]
    if ev.mode == WEIGHTED:
        weigh(ev, v, start, shared, seen)
        return shared, seen
    n_partitions = ev.codes.shape[0]
    shared[:] = 0.0
    seen[:] = n_partitions if ev.mode == PLAIN else 0.0
    # Bytes count, several times as many at once as wider numbers would; more partitions than a byte can count are
    # counted in several goes.
    for first in range(0, n_partitions, BYTE):
        last = min(n_partitions, first + BYTE)
        matches[:] = 0
        if ev.mode == PLAIN:
            count_matches(ev.codes, v, start, first, last, matches)
        else:
            present[:] = 0
            count_present(ev.codes, ev.absent, v, start, first, last, matches, present)
            for j in range(width):
                seen[j] += present[j]
        for j in range(width):
            shared[j] += matches[j]
    # A missing label agrees with everything, as two samples do that may be the same strain.
    if ev.mode == LENIENT:
        for j in range(width):
            shared[j] += n_partitions - seen[j]
            seen[j] = n_partitions
    return shared, seen


@twin_of(evidence_of)
def _evidence(ev: Any, v: int, start: int, stop: int, room: Any) -> Any:
    codes, own = ev.codes[:, start:stop], ev.codes[:, v, None]
    if ev.mode == PLAIN:
        return (codes == own).sum(0, dtype=np.float64), np.full(stop - start, float(len(codes)))
    if ev.mode == WEIGHTED:
        shared, seen = np.empty((2, stop - start))
        weigh(ev, v, start, shared, seen)
        return shared, seen
    here = own != ev.absent
    shared, seen = ((here & same).sum(0, dtype=np.float64) for same in (codes == own, codes != ev.absent))
    if ev.mode == LENIENT:
        return shared + (len(codes) - seen), np.full(stop - start, float(len(codes)))
    return shared, seen


@kernel
def similarities(ev: Any, v: int, start: int, stop: int, room: Any) -> Any:
    """Return the similarities of v with objects start … stop − 1; 0 with itself and where there is no evidence."""
    shared, seen = evidence_of(ev, v, start, stop, room)
    for j in range(stop - start):
        shared[j] = shared[j] / seen[j] if seen[j] > 0.0 else 0.0
    if start <= v < stop:
        shared[v - start] = 0.0
    return shared


@twin_of(similarities)
def _quotients(ev: Any, v: int, start: int, stop: int, room: Any) -> Any:
    shared, seen = evidence_of(ev, v, start, stop, room)
    found = divide(shared, seen)
    if start <= v < stop:
        found[v - start] = 0.0
    return found


@kernel
def similarity_row(ev: Any, v: int, room: Any, out: Any) -> None:
    """Write the similarities of v with all objects; 0 with itself. O(nB)."""
    n = ev.codes.shape[1]
    for start in range(0, n, TILE):
        stop = min(n, start + TILE)
        out[start:stop] = similarities(ev, v, start, stop, room)


@kernel(work=lambda ev, first, last: ev.codes.size * (last - first))
def similarity_block(ev: Any, first: int, last: int) -> Any:
    """Return rows first … last − 1 of the co-association matrix, zero on the diagonal."""
    n = ev.codes.shape[1]
    room = scratch()
    block = np.empty((last - first, n))
    # All rows of the block look at one stretch before the next one, whose labels then come from cache.
    for start in range(0, n, TILE):
        stop = min(n, start + TILE)
        for v in range(first, last):
            block[v - first, start:stop] = similarities(ev, v, start, stop, room)
    return block


def evidence_block(ev: Evidence, first: int, last: int) -> tuple[Any, Any]:
    """Return shared and seen evidence of objects first … last − 1 with all others, by NumPy."""
    shared, seen = np.zeros((2, last - first, ev.codes.shape[1]))
    if ev.mode == WEIGHTED:
        for codes, w, start in zip(ev.codes, ev.weights, ev.offsets):
            own = codes[first:last, None]
            here = (own != ev.absent) & (w > 0.0)
            shared += np.where(here, ev.gains[start + own * here], 0.0) * (own == codes)
            seen += w * (here & (codes != ev.absent))
        return shared, seen
    for rows in np.split(ev.codes, range(BYTE, len(ev.codes), BYTE)):
        matches, present = np.zeros((2, *shared.shape), dtype=np.uint8)
        for codes in rows:
            own = codes[first:last, None]
            if ev.mode == PLAIN:
                matches += (own == codes).view(np.uint8)
            else:
                here = own != ev.absent
                matches += (here & (own == codes)).view(np.uint8)
                present += (here & (codes != ev.absent)).view(np.uint8)
        shared += matches
        seen += len(rows) if ev.mode == PLAIN else present
    if ev.mode == LENIENT:
        shared += len(ev.codes) - seen
        seen[:] = len(ev.codes)
    return shared, seen


@twin_of(similarity_block)
def _quotient_block(ev: Any, first: int, last: int) -> Any:
    shared, seen = evidence_block(ev, first, last)
    np.divide(shared, seen, out=shared, where=seen > 0.0)
    shared[np.arange(last - first), np.arange(first, last)] = 0.0
    return shared


@kernel(work=lambda ev, limit, first, last: ev.codes.size * (last - first))
def count_above(ev: Any, limit: float, first: int, last: int) -> Any:
    """Count for rows first … last − 1 the similarities above a limit."""
    n = ev.codes.shape[1]
    room, table, least = scratch(), np.empty((ROWS, TILE), dtype=np.uint8), _above(ev, limit)
    counts = np.zeros(last - first, dtype=np.int64)
    for start in range(0, n, TILE):
        stop = min(n, start + TILE)
        for v in range(first, last, ROWS):
            if narrow(ev):
                # The least number of matches above the limit is known, so that no pair needs a quotient.
                matches = _count_tile(ev.codes, v, last, start, stop, table)
                for r in range(matches.shape[0]):
                    counts[v - first + r] += _count_larger(matches[r], least - 1)
            else:
                for u in range(v, min(last, v + ROWS)):
                    counts[u - first] += _count_larger(similarities(ev, u, start, stop, room), limit)
    return counts


@kernel
def _count_larger(found: Any, limit: float) -> int:
    count = 0
    for j in range(found.shape[0]):
        count += found[j] > limit
    return count


@twin_of(count_above)
def _count_blocks(ev: Any, limit: float, first: int, last: int) -> Any:
    counts = np.empty(last - first, dtype=np.int64)
    for at in range(first, last, _FEW):
        block = similarity_block(ev, at, min(last, at + _FEW))
        counts[at - first : at - first + len(block)] = np.count_nonzero(block > limit, axis=1)
    return counts


@kernel(work=lambda ev: 1)
def narrow(ev: Any) -> bool:
    """Whether a byte per object counts everything."""
    return ev.mode == PLAIN and ev.codes.shape[0] <= BYTE


@kernel
def _above(ev: Any, limit: float) -> int:
    """Smallest number of matches whose similarity is above the limit."""
    matches = 0
    while matches <= ev.codes.shape[0] and matches / ev.codes.shape[0] <= limit:
        matches += 1
    return matches


@kernel(work=lambda ev, limit, first, last, *_: ev.codes.size * (last - first))
def fill_above(ev: Any, limit: float, first: int, last: int, indptr: Any, indices: Any, data: Any) -> None:
    """Write the similarities above a limit into the rows of a CSR matrix whose row ends are known."""
    n, n_partitions = ev.codes.shape[1], ev.codes.shape[0]
    room, table, least = scratch(), np.empty((ROWS, TILE), dtype=np.uint8), _above(ev, limit)
    place = indptr[first:last].copy()
    for start in range(0, n, TILE):
        stop = min(n, start + TILE)
        for v in range(first, last, ROWS):
            if narrow(ev):
                matches = _count_tile(ev.codes, v, last, start, stop, table)
                for r in range(matches.shape[0]):
                    at = place[v - first + r]
                    place[v - first + r] = _append(matches[r], least - 1, n_partitions, start, indices, data, at)
            else:
                for u in range(v, min(last, v + ROWS)):
                    found = similarities(ev, u, start, stop, room)
                    place[u - first] = _append(found, limit, 1.0, start, indices, data, place[u - first])


@kernel
def _append(found: Any, limit: float, total: float, start: int, indices: Any, data: Any, at: int) -> int:
    """Write what is above the limit, divided by the total, from a place on; return the next place."""
    for j in range(found.shape[0]):
        if found[j] > limit:
            indices[at] = start + j
            data[at] = found[j] / total
            at += 1
    return at


@twin_of(fill_above)
def _fill_blocks(ev: Any, limit: float, first: int, last: int, indptr: Any, indices: Any, data: Any) -> None:
    for at in range(first, last, _FEW):
        block = similarity_block(ev, at, min(last, at + _FEW))
        near, place = np.nonzero(block > limit), slice(indptr[at], indptr[at + len(block)])
        indices[place], data[place] = near[1], block[near]


@kernel(work=lambda ev, p, first, last: ev.codes.size * (last - first))
def strongest(ev: Any, p: int, first: int, last: int) -> Any:
    """Return for rows first … last − 1 the p strongest others (−1 where fewer) and their similarities.

    Ties go to the smaller index: objects come in order and only a larger similarity displaces one.
    """
    n = ev.codes.shape[1]
    room, table = scratch(), np.empty((ROWS, TILE), dtype=np.uint8)
    who = np.full((last - first, p), -1, dtype=np.int64)
    value = np.zeros((last - first, p))
    for start in range(0, n, TILE):
        stop = min(n, start + TILE)
        for v in range(first, last, ROWS):
            if narrow(ev):
                matches = _count_tile(ev.codes, v, last, start, stop, table)
                for r in range(matches.shape[0]):
                    _keep_strongest(matches[r], start, who[v - first + r], value[v - first + r])
            else:
                for u in range(v, min(last, v + ROWS)):
                    found = similarities(ev, u, start, stop, room)
                    _keep_strongest(found, start, who[u - first], value[u - first])
    if narrow(ev):
        value /= ev.codes.shape[0]
    return who, value


@kernel
def _keep_strongest(found: Any, start: int, ids: Any, best: Any) -> None:
    """Enter objects from start on that are stronger than those kept so far, which are few after the first ones."""
    last = best.shape[0] - 1
    for first in range(0, found.shape[0], LANES):
        part, weakest, some = found[first : first + LANES], best[last], False
        for j in range(part.shape[0]):
            some |= part[j] > weakest
        if some:
            for j in range(part.shape[0]):
                if part[j] > best[last]:
                    place = last
                    while place > 0 and part[j] > best[place - 1]:
                        best[place] = best[place - 1]
                        ids[place] = ids[place - 1]
                        place -= 1
                    best[place] = part[j]
                    ids[place] = start + first + j


@twin_of(_keep_strongest)
def _keep_sorted(found: Any, start: int, ids: Any, best: Any) -> None:
    values, names = np.concatenate([best, found]), np.concatenate([ids, start + np.arange(len(found))])
    order = np.argsort(-values, kind="stable")[: len(best)]
    best[:], ids[:] = values[order], np.where(values[order] > 0, names[order], -1)


@kernel(work=lambda ev, labels, size, rows: ev.codes.size * rows.size)
def sum_rows(ev: Any, labels: Any, size: int, rows: Any) -> Any:
    """Sum the similarities of some rows, sorted by part, per pair of parts; unassigned objects do not count.

    The parts of the rows, from the first to the last, are the rows of the answer.
    """
    n = ev.codes.shape[1]
    room = scratch()
    first = labels[rows[0]]
    sums = np.zeros((labels[rows[-1]] - first + 1, size))
    for start in range(0, n, TILE):
        stop = min(n, start + TILE)
        for v in rows:
            found = similarities(ev, v, start, stop, room)
            line = sums[labels[v] - first]
            for j in range(stop - start):
                if labels[start + j] >= 0:
                    line[labels[start + j]] += found[j]
    return sums


@kernel(work=lambda ev, labels, first, last: ev.codes.size * (last - first))
def cut_rows(ev: Any, labels: Any, first: int, last: int) -> Any:
    """Sum for rows first … last − 1 the similarities to other parts; unassigned objects do not count."""
    n = ev.codes.shape[1]
    room = scratch()
    sums = np.zeros(last - first)
    for start in range(0, n, TILE):
        stop = min(n, start + TILE)
        for v in range(first, last):
            if labels[v] >= 0:
                found = similarities(ev, v, start, stop, room)
                for j in range(stop - start):
                    if labels[start + j] >= 0 and labels[start + j] != labels[v]:
                        sums[v - first] += found[j]
    return sums


@kernel(work=lambda ev, rows, left, *_: left.size * rows.shape[1])
def similarity_of_pairs(ev: Any, rows: Any, left: Any, right: Any, out: Any) -> None:
    """Write the similarity of each pair; `rows` are the labels object by object (n × B), so that a pair is two rows."""
    for e in range(left.shape[0]):
        a, b = rows[left[e]], rows[right[e]]
        shared, seen = 0.0, 0.0
        if ev.mode == PLAIN:
            matches = 0
            for t in range(a.shape[0]):
                matches += a[t] == b[t]
            shared, seen = float(matches), float(a.shape[0])
        else:
            for t in range(a.shape[0]):
                if a[t] != ev.absent and b[t] != ev.absent:
                    seen += ev.weights[t]
                    if a[t] == b[t]:
                        shared += ev.gains[ev.offsets[t] + a[t]]
        out[e] = shared / seen if seen > 0.0 else 0.0


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
