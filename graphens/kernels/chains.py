"""Average and complete link by nearest-neighbour chains on labels.

A row holds what a group shares with every leaf or group: summed evidence for average link, the weakest similarity for
complete link. Both follow a merge of a into b by one operation, row[b] ← row[b] ∘ row[a], so a row need not be touched
at every merge: it catches up with the list of merges when it is looked at. Rows live in a pool as large as memory
allows, and one that was given up is counted again from labels.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._jit import kernel
from .similarity import TILE, count_matches, evidence_of, narrow, scratch

_TIE = 1e-12  # relative: what rounding can make of equal similarities, so that chains never run in circles
LENGTH, MERGED, LOWEST, CLOCK, FRESH, SPARE, ROOTS, START, COUNTED = range(9)


class Chains(NamedTuple):
    """Everything that lasts between two calls; `cursor` holds the numbers that change, named above."""

    weights: Any  # of the leaves
    size: Any  # weight of each group, at its surviving leaf
    inverse: Any  # 1 / size
    alive: Any
    tail: Any  # last member of a group
    following: Any  # next member of the same group, −1 at the end
    path: Any
    left: Any
    right: Any
    value: Any  # similarity of each merge
    rows: Any  # pool × n
    seen: Any  # pool × n, or pool × 0 where nothing is missing
    row_of: Any  # place of a group's row in the pool, or −1
    owner: Any
    version: Any  # how many merges a row has followed
    used: Any  # when it was last looked at
    spare: Any  # places whose row is no longer needed
    roots: Any  # groups that share nothing with any other
    cursor: Any


@kernel
def _fresh_sums(ev: Any, ch: Any, group: int, row: Any, seen: Any, room: Any) -> None:
    """Summed evidence of a group with every leaf: one object counted, a larger group through its summed incidence."""
    n = row.shape[0]
    missing = seen.shape[0] > 0
    if ch.following[group] < 0:
        w = ch.weights[group]
        for start in range(0, n, TILE):
            stop = min(n, start + TILE)
            shared, base = evidence_of(ev, group, start, stop, room)
            for j in range(stop - start):
                row[start + j] = shared[j] * (w * ch.weights[start + j])
            if missing:
                for j in range(stop - start):
                    seen[start + j] = base[j] * (w * ch.weights[start + j])
        return
    n_partitions = ev.codes.shape[0]
    shares = np.zeros(ev.gains.shape[0])
    present = np.zeros(n_partitions)
    member = group
    while member >= 0:
        for t in range(n_partitions):
            label = ev.codes[t, member]
            if label != ev.absent:
                shares[ev.offsets[t] + label] += ch.weights[member]
                present[t] += ch.weights[member]
        member = ch.following[member]
    shares *= ev.gains
    row[:] = 0.0
    if missing:
        seen[:] = 0.0
    for start in range(0, n, TILE):
        stop = min(n, start + TILE)
        for t in range(n_partitions):
            codes = ev.codes[t, start:stop]
            own = shares[ev.offsets[t] :]
            part = row[start:stop]
            if missing:
                base = seen[start:stop]
                w = present[t] * ev.weights[t]
                for j in range(stop - start):
                    if codes[j] != ev.absent:
                        part[j] += own[codes[j]]
                        base[j] += w
            else:
                for j in range(stop - start):
                    part[j] += own[codes[j]]
    for j in range(n):
        row[j] *= ch.weights[j]
    if missing:
        for j in range(n):
            seen[j] *= ch.weights[j]


@kernel
def _fresh_weakest(ev: Any, ch: Any, group: int, row: Any, room: Any) -> None:
    """Weakest similarity of a group's members with every leaf."""
    n = row.shape[0]
    for start in range(0, n, TILE):
        stop = min(n, start + TILE)
        part = row[start:stop]
        member = group
        while member >= 0:
            if narrow(ev):
                matches = room[0][: stop - start]
                matches[:] = 0
                count_matches(ev.codes, member, start, 0, ev.codes.shape[0], matches)
                if member == group:
                    for j in range(stop - start):
                        part[j] = matches[j]
                else:
                    for j in range(stop - start):
                        part[j] = min(part[j], matches[j])
            else:
                shared, base = evidence_of(ev, member, start, stop, room)
                for j in range(stop - start):
                    found = shared[j] / base[j] if base[j] > 0.0 else 0.0
                    part[j] = found if member == group else min(part[j], found)
            member = ch.following[member]


@kernel
def _catch_up(ch: Any, complete: bool, place: int) -> None:
    """Let a row follow the merges since it was last looked at; what is merged away shares nothing any more."""
    row, seen = ch.rows[place], ch.seen[place]
    missing = seen.shape[0] > 0
    for step in range(ch.version[place], ch.cursor[MERGED]):
        a, b = ch.left[step], ch.right[step]
        if complete:
            row[b] = min(row[b], row[a])
        else:
            row[b] += row[a]
            if missing:
                seen[b] += seen[a]
        row[a] = 0
    ch.version[place] = ch.cursor[MERGED]


@kernel
def _row(ev: Any, ch: Any, complete: bool, group: int, keep: int, room: Any) -> int:
    """Return the place of a group's row in the pool, counted anew where it was given up. `keep` must stay."""
    place = ch.row_of[group]
    if place < 0:
        ch.cursor[COUNTED] += 1
        if ch.cursor[SPARE] > 0:
            ch.cursor[SPARE] -= 1
            place = ch.spare[ch.cursor[SPARE]]
        elif ch.cursor[FRESH] < ch.owner.shape[0]:
            place = ch.cursor[FRESH]
            ch.cursor[FRESH] += 1
        else:
            oldest = np.int64(-1)
            for p in range(ch.owner.shape[0]):
                if p != keep and (oldest < 0 or ch.used[p] < ch.used[oldest]):
                    oldest = p
            place = oldest
            ch.row_of[ch.owner[place]] = -1
        if complete:
            _fresh_weakest(ev, ch, group, ch.rows[place], room)
        else:
            _fresh_sums(ev, ch, group, ch.rows[place], ch.seen[place], room)
        ch.version[place] = 0
        ch.owner[place] = group
        ch.row_of[group] = place
    _catch_up(ch, complete, place)
    ch.rows[place, group] = 0
    ch.cursor[CLOCK] += 1
    ch.used[place] = ch.cursor[CLOCK]
    return place


@kernel
def _similarity(ch: Any, complete: bool, place: int, j: int) -> float:
    """What a row says of group j, up to a factor that is the same for all j."""
    value = np.float64(ch.rows[place, j])
    if complete:
        return value
    if ch.seen.shape[1] > 0:
        return value / ch.seen[place, j] if value > 0.0 else 0.0
    return value * ch.inverse[j]


@kernel
def _strongest(ch: Any, complete: bool, place: int) -> float:
    """Largest similarity in a row. Several running maxima, since floating-point ones wait for each other."""
    n = ch.alive.shape[0]
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for j in range(0, n - 3, 4):
        a = max(a, _similarity(ch, complete, place, j))
        b = max(b, _similarity(ch, complete, place, j + 1))
        c = max(c, _similarity(ch, complete, place, j + 2))
        d = max(d, _similarity(ch, complete, place, j + 3))
    for j in range(n - n % 4, n):
        a = max(a, _similarity(ch, complete, place, j))
    return max(max(a, b), max(c, d))


@kernel
def _join(ch: Any, complete: bool, a: int, b: int, value: float) -> None:
    """Merge group a into group b, whose rows are both up to date."""
    step = ch.cursor[MERGED]
    ch.left[step] = a
    ch.right[step] = b
    ch.value[step] = value
    ch.following[ch.tail[b]] = a
    ch.tail[b] = ch.tail[a]
    ch.alive[a] = False
    ch.size[b] += ch.size[a]
    ch.inverse[b] = 1.0 / ch.size[b]
    ours, theirs = ch.row_of[b], ch.row_of[a]
    row, other = ch.rows[ours], ch.rows[theirs]
    if complete:
        for j in range(row.shape[0]):
            row[j] = min(row[j], other[j])
    else:
        for j in range(row.shape[0]):
            row[j] += other[j]
        if ch.seen.shape[1] > 0:
            ch.seen[ours] += ch.seen[theirs]
    row[a] = 0
    row[b] = 0
    ch.cursor[MERGED] = step + 1
    ch.version[ours] = step + 1
    ch.row_of[a] = -1
    ch.spare[ch.cursor[SPARE]] = theirs
    ch.cursor[SPARE] += 1


@kernel
def advance(ev: Any, ch: Any, complete: bool, total: float, steps: int) -> int:
    """Follow chains until up to `steps` groups have found their partner or turned out to have none.

    `total` turns what `_similarity` compares into a similarity where nothing is missing. A chain goes back rather than
    on where similarities tie, and on to the group with the smallest index; a new chain starts at the group just made.
    """
    n = ch.alive.shape[0]
    room = scratch()
    made = 0
    while made < steps and ch.cursor[MERGED] + ch.cursor[ROOTS] < n:
        if ch.cursor[LENGTH] == 0:
            if ch.cursor[START] < 0:
                while not ch.alive[ch.cursor[LOWEST]]:
                    ch.cursor[LOWEST] += 1
                ch.cursor[START] = ch.cursor[LOWEST]
            ch.path[0] = ch.cursor[START]
            ch.cursor[LENGTH] = 1
        ch.cursor[START] = -1
        tip = ch.path[ch.cursor[LENGTH] - 1]
        before = ch.path[ch.cursor[LENGTH] - 2] if ch.cursor[LENGTH] > 1 else -1
        place = _row(ev, ch, complete, tip, -1, room)
        best = _strongest(ch, complete, place)
        back = _similarity(ch, complete, place, before) if before >= 0 else -1.0
        if best <= 0.0:
            ch.roots[ch.cursor[ROOTS]] = tip
            ch.cursor[ROOTS] += 1
            ch.alive[tip] = False
            ch.row_of[tip] = -1
            ch.spare[ch.cursor[SPARE]] = place
            ch.cursor[SPARE] += 1
            ch.cursor[LENGTH] = 0
            made += 1
        elif best > back * (1.0 + _TIE):
            j = 0
            while _similarity(ch, complete, place, j) < best * (1.0 - _TIE):
                j += 1
            ch.path[ch.cursor[LENGTH]] = j
            ch.cursor[LENGTH] += 1
        else:
            scale = 1.0 if ch.seen.shape[1] > 0 else total if complete else total * ch.size[tip]
            _row(ev, ch, complete, before, place, room)
            _join(ch, complete, tip, before, back / scale)
            ch.cursor[LENGTH] -= 2
            ch.cursor[START] = before
            made += 1
    return made


def chains(weights: Any, pool: int, kind: Any, missing: bool) -> Chains:
    """Everything at the start: every leaf a group, no row counted; `pool` rows at most are kept, 3 at least."""
    n = len(weights)
    pool = max(3, min(pool, n + 2))
    whole = lambda size, fill=0: np.full(size, fill, dtype=np.int64)  # noqa: E731
    cursor = whole(9)
    cursor[START] = -1
    return Chains(
        weights=weights,
        size=weights.copy(),
        inverse=1.0 / weights,
        alive=np.ones(n, dtype=np.bool_),
        tail=np.arange(n),
        following=whole(n, -1),
        path=whole(n + 1),
        left=whole(n),
        right=whole(n),
        value=np.zeros(n),
        rows=np.empty((pool, n), dtype=kind),
        seen=np.empty((pool, n if missing else 0)),
        row_of=whole(n, -1),
        owner=whole(pool, -1),
        version=whole(pool),
        used=whole(pool),
        spare=whole(pool),
        roots=whole(n),
        cursor=cursor,
    )
