"""Trees grown from labels: spanning forests, and average and complete link by chains of nearest neighbors.

A row holds what a group shares with every leaf or group: summed evidence for average link, the weakest similarity for
complete link. Both follow a merge of a into b by one operation, row[b] ← row[b] ∘ row[a], so a row need not be touched
at every merge: it catches up with the list of merges when it is looked at. Rows live in a pool as large as memory
allows, and one that was given up is counted again from labels.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._lib.arrays import divide, freeze, sum_in_order
from .._lib.threads import run
from ._jit import kernel, twin_of
from .similarity import (
    TILE,
    Evidence,
    count_matches,
    evidence_block,
    evidence_of,
    narrow,
    scratch,
    similarities,
    similarity_block,
)


@kernel
def find_root(parent: Any, i: int) -> int:
    """Return the root of i in a forest of parents, and halve the way there: the find of union-find."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@kernel(work=lambda left, *_: 200 * left.size)
def number_merges(left: Any, right: Any, n: int) -> Any:
    """Turn merges of members into rows (cluster, cluster, 0, size) with SciPy's numbering. O(n α(n))."""
    m = left.shape[0]
    parent = np.arange(n + m)
    size = np.ones(n + m, dtype=np.int64)
    rows = np.zeros((m, 4))
    # A group is known by the merge that made it, n + step, as in SciPy's linkage matrix.
    for step in range(m):
        a, b = find_root(parent, left[step]), find_root(parent, right[step])
        new = n + step
        parent[a] = new
        parent[b] = new
        size[new] = size[a] + size[b]
        rows[step, 0] = min(a, b)
        rows[step, 1] = max(a, b)
        rows[step, 3] = size[new]
    return rows


@twin_of(number_merges)
def _number_listed(left: Any, right: Any, n: int) -> Any:
    parent, size, rows = list(range(n + len(left))), [1] * n, []
    for new, (i, j) in enumerate(zip(left.tolist(), right.tolist()), start=n):
        a, b = find_root(parent, i), find_root(parent, j)
        parent[a] = parent[b] = new
        size.append(size[a] + size[b])
        rows.append((min(a, b), max(a, b), 0, size[new]))
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


@kernel
def _dot(a: Any, b: Any) -> float:
    """Inner product in a fixed order, which BLAS does not promise; four sums, since one would wait for itself."""
    n = a.shape[0]
    p, q, r, s = 0.0, 0.0, 0.0, 0.0
    for j in range(0, n - 3, 4):
        p += a[j] * b[j]
        q += a[j + 1] * b[j + 1]
        r += a[j + 2] * b[j + 2]
        s += a[j + 3] * b[j + 3]
    for j in range(n - n % 4, n):
        p += a[j] * b[j]
    return (p + q) + (r + s)


@kernel(work=lambda similarity, presence, *_: similarity.size * (2 + presence.shape[1]))
def chain(similarity: Any, presence: Any, complete: bool, left: Any, right: Any, heights: Any) -> None:
    """Average or complete link by nearest-neighbor chains on an explicit symmetric matrix, which is overwritten.

    Average link weighs a pair of groups by its evidence, the product ⟨p_A, p_B⟩ of the summed `presence` rows
    (n × r): r = 1 with the leaf weights where nothing is missing, one column per partition otherwise.
    Complete link takes the weaker similarity. A chain goes back rather than on where similarities tie.
    O(n² r) time; written here because SciPy's linkage knows neither weighted leaves nor evidence.
    """
    n = similarity.shape[0]
    total = presence.copy()
    alive = np.ones(n, dtype=np.bool_)
    path = np.empty(n, dtype=np.int64)
    length = 0
    lowest = 0
    for step in range(n - 1):
        if length == 0:
            while not alive[lowest]:
                lowest += 1
            path[0] = lowest
            length = 1
        # A chain goes from each group to its nearest. Similarities along it never fall, so it ends in two groups that
        # are each other's nearest, and these may be merged before all others: average and complete link never make a
        # merged group more similar to a third one than the nearer of its halves was.
        while True:
            tip = path[length - 1]
            before = path[length - 2] if length > 1 else -1
            best = before
            value = similarity[tip, before] if before >= 0 else -1.0
            for j in range(n):
                if alive[j] and j != tip and similarity[tip, j] > value:
                    value = similarity[tip, j]
                    best = j
            if best < 0:  # nothing compares, not even with nothing (NaN): take whichever is there
                best, value = 0, 0.0
                while not alive[best] or best == tip:
                    best += 1
            if best == before:
                break
            path[length] = best
            length += 1
        a, b = path[length - 1], path[length - 2]
        length -= 2
        left[step] = a
        right[step] = b
        heights[step] = 1.0 - value
        alive[a] = False
        for j in range(n):
            if alive[j] and j != b:
                if complete:
                    merged = min(similarity[a, j], similarity[b, j])
                else:
                    of_a = _dot(total[a], total[j])
                    of_b = _dot(total[b], total[j])
                    if of_a + of_b <= 0:  # nothing seen, or vertices that weigh nothing: all count the same
                        of_a, of_b = 1.0, 1.0
                    merged = (of_a * similarity[a, j] + of_b * similarity[b, j]) / (of_a + of_b)
                similarity[b, j] = merged
                similarity[j, b] = merged
        total[b] += total[a]


_BLOCK = 64  # objects whose rows are counted together where nothing is compiled
_MATRIX = 512  # objects all of whose pairs are counted at once where nothing is compiled
_TIE = 1e-12  # relative: what rounding can make of equal similarities, so that chains never run in circles
# places of the numbers in `Chains.at`: length of the chain, merges made, lowest group that may still be there, a clock
# that counts looks at rows, rows of the pool used so far, rows given back, groups that share nothing with any other,
# the group where the next chain begins, the group whose row is not in the pool (−1 for none both), rows counted
LENGTH, MERGED, LOWEST, CLOCK, FRESH, SPARE, ROOTS, START, WANTED, COUNTED = range(10)


class Chains(NamedTuple):
    """Everything that lasts between two calls. A group is known by its surviving leaf: merging a into b leaves b."""

    at: Any  # the numbers that change from step to step
    # for each leaf or group; members of a group are a list from its own leaf on
    last: Any  # last member of a group
    following: Any  # next member of the same group, −1 at the end
    alive: Any  # 1 while the group is there
    place: Any  # of its row in the pool, −1 without one
    leaf_weight: Any
    weight: Any  # of the group
    inverse: Any  # 1 / weight
    # in the order of what was made
    path: Any  # the chain: each group is the nearest of the one before it
    left: Any  # the group that a merge ends
    right: Any  # the group that it becomes part of
    similarity: Any  # of a merge
    roots: Any  # groups that share nothing with any other
    # for each row of the pool
    owner: Any  # the group
    followed: Any  # merges that the row has followed
    used: Any  # when it was last looked at
    free: Any  # places to use again
    rows: Any  # pool × n
    seen: Any  # as wide as the rows where labels are missing, else empty


@kernel
def _object_sums(ev: Any, weights: Any, v: int, row: Any, seen: Any) -> None:
    """Evidence of an object with every leaf."""
    n, w, room = row.shape[0], weights[v], scratch()
    for start in range(0, n, TILE):
        stop = min(n, start + TILE)
        shared, base = evidence_of(ev, v, start, stop, room)
        for j in range(stop - start):
            row[start + j] = shared[j] * (w * weights[start + j])
        if seen.shape[0] > 0:
            for j in range(stop - start):
                seen[start + j] = base[j] * (w * weights[start + j])


@twin_of(_object_sums)
def _object_products(ev: Any, weights: Any, v: int, row: Any, seen: Any) -> None:
    shared, base = evidence_of(ev, v, 0, len(row), scratch())
    np.multiply(shared, weights[v] * weights, out=row)
    if len(seen):
        np.multiply(base, weights[v] * weights, out=seen)


@kernel
def _fresh_sums(ev: Any, ch: Any, group: int, row: Any, seen: Any) -> None:
    """Summed evidence of a group with every leaf: one object counted, a larger group through its summed incidence."""
    n = row.shape[0]
    weights = ch.leaf_weight
    missing = seen.shape[0] > 0
    if ch.following[group] < 0:
        _object_sums(ev, weights, group, row, seen)
        return
    n_partitions = ev.codes.shape[0]
    shares = np.zeros(ev.gains.shape[0])
    present = np.zeros(n_partitions)
    # The share of every cluster that the group has, by weight: with it one pass over the labels sums the evidence of
    # all members with every leaf.
    member = group
    while member >= 0:
        for t in range(n_partitions):
            label = ev.codes[t, member]
            if label != ev.absent:
                shares[ev.offsets[t] + label] += weights[member]
                present[t] += weights[member]
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
        row[j] *= weights[j]
    if missing:
        for j in range(n):
            seen[j] *= weights[j]


@kernel
def _fresh_weakest(ev: Any, ch: Any, group: int, row: Any) -> None:
    """Weakest similarity of a group's members with every leaf."""
    room = scratch()
    n = row.shape[0]
    for start in range(0, n, TILE):
        stop = min(n, start + TILE)
        part = row[start:stop]
        member = group
        while member >= 0:
            shared, base = evidence_of(ev, member, start, stop, room)
            for j in range(stop - start):
                found = shared[j] / base[j] if base[j] > 0.0 else 0.0
                part[j] = found if member == group else min(part[j], found)
            member = ch.following[member]


@twin_of(_fresh_weakest)
def _weakest_whole(ev: Any, ch: Any, group: int, row: Any) -> None:
    member, room = group, scratch()
    row[:] = np.inf
    while member >= 0:
        shared, seen = evidence_of(ev, member, 0, len(row), room)
        np.minimum(row, divide(shared, seen), out=row)
        member = ch.following[member]


@kernel
def _count_wanted(ev: Any, ch: Any, complete: bool) -> None:
    """Count the row that was asked for, in the place of the row that was not looked at for longest if need be."""
    # First a place that was given back, then one that was never used, then that of the row that was not looked at for
    # longest, which is counted again if it is ever asked for.
    group = ch.at[WANTED]
    if ch.at[SPARE] > 0:
        ch.at[SPARE] -= 1
        place = ch.free[ch.at[SPARE]]
    elif ch.at[FRESH] < ch.rows.shape[0]:
        place = ch.at[FRESH]
        ch.at[FRESH] += 1
    else:
        place = np.argmin(ch.used)
        ch.place[ch.owner[place]] = -1
    if complete:
        _fresh_weakest(ev, ch, group, ch.rows[place])
    else:
        _fresh_sums(ev, ch, group, ch.rows[place], ch.seen[place])
    ch.followed[place] = 0
    ch.owner[place] = group
    ch.used[place] = ch.at[CLOCK]
    ch.place[group] = place
    ch.at[WANTED] = -1
    ch.at[COUNTED] += 1


@kernel
def _follow(row: Any, left: Any, right: Any, weaker: bool) -> None:
    """Let a row follow merges: the weaker of both, or their sum; what is merged away shares nothing any more."""
    for step in range(left.shape[0]):
        a, b = left[step], right[step]
        row[b] = min(row[b], row[a]) if weaker else row[b] + row[a]
        row[a] = 0.0


@twin_of(_follow)
def _follow_numbers(row: Any, left: Any, right: Any, weaker: bool) -> None:
    cells = row.data  # quicker than an array where one number is asked for at a time
    for a, b in zip(left.tolist(), right.tolist()):
        cells[b] = min(cells[b], cells[a]) if weaker else cells[b] + cells[a]
        cells[a] = 0.0


@kernel
def _catch_up(ch: Any, complete: bool, group: int) -> int:
    """Let a row follow the merges since it was last looked at."""
    # A merge changes two numbers of every row. They are changed when the row is looked at: most rows are looked at
    # rarely, and one that is given up before is never changed.
    place = ch.place[group]
    first, last = ch.followed[place], ch.at[MERGED]
    left, right = ch.left[first:last], ch.right[first:last]
    _follow(ch.rows[place], left, right, complete)
    if ch.seen.shape[1] > 0:
        _follow(ch.seen[place], left, right, False)
    ch.rows[place, group] = 0.0
    ch.at[CLOCK] += 1
    ch.followed[place] = last
    ch.used[place] = ch.at[CLOCK]
    return place


@kernel
def _compare(row: Any, seen: Any, inverse: Any, complete: bool, out: Any) -> None:
    """What a row says of every group, up to a factor that is the same for all: weakest similarity, or mean."""
    for j in range(row.shape[0]):
        out[j] = row[j] if row[j] > 0.0 else 0.0  # also where it is not a number: chains must end
    if complete:
        return
    if seen.shape[0] > 0:
        for j in range(row.shape[0]):
            out[j] = out[j] / seen[j] if out[j] > 0.0 else 0.0
    else:
        for j in range(row.shape[0]):
            out[j] *= inverse[j]


@twin_of(_compare)
def _compare_whole(row: Any, seen: Any, inverse: Any, complete: bool, out: Any) -> None:
    np.fmax(row, 0.0, out=out)
    if not complete:
        np.divide(out, seen, out=out, where=out > 0.0) if len(seen) else np.multiply(out, inverse, out=out)
        np.fmax(out, 0.0, out=out)  # also where it is not a number: chains must end


@kernel
def _largest(values: Any) -> float:
    """Largest of non-negative numbers. Several running maxima, since floating-point ones wait for each other."""
    n = values.shape[0]
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for j in range(0, n - 3, 4):
        a = max(a, values[j])
        b = max(b, values[j + 1])
        c = max(c, values[j + 2])
        d = max(d, values[j + 3])
    for j in range(n - n % 4, n):
        a = max(a, values[j])
    return max(max(a, b), max(c, d))


@kernel
def _give_back(ch: Any, group: int) -> None:
    """A group is gone, and its row is not needed any more."""
    ch.alive[group] = 0
    ch.free[ch.at[SPARE]] = ch.place[group]
    ch.at[SPARE] += 1
    ch.place[group] = -1


@kernel(twin=lambda row, other, weaker: (np.minimum if weaker else np.add)(row, other, out=row))
def _unite(row: Any, other: Any, weaker: bool) -> None:
    """Let a row take up another: the weaker of both, or their sum."""
    for j in range(row.shape[0]):
        row[j] = min(row[j], other[j]) if weaker else row[j] + other[j]


@kernel
def _join(ch: Any, complete: bool, a: int, b: int, value: float) -> None:
    """Merge group a into group b, whose rows are both up to date."""
    # Only the rows of a and b are touched; the list of merges tells all others (`_catch_up`).
    step = ch.at[MERGED]
    ch.left[step] = a
    ch.right[step] = b
    ch.similarity[step] = value
    ch.following[ch.last[b]] = a
    ch.last[b] = ch.last[a]
    ch.weight[b] += ch.weight[a]
    ch.inverse[b] = 1.0 / ch.weight[b]
    ours, theirs = ch.place[b], ch.place[a]
    _unite(ch.rows[ours], ch.rows[theirs], complete)
    if ch.seen.shape[1] > 0:
        _unite(ch.seen[ours], ch.seen[theirs], False)
    ch.rows[ours, a] = 0.0
    ch.rows[ours, b] = 0.0
    ch.at[MERGED] = step + 1
    ch.followed[ours] = step + 1
    _give_back(ch, a)


@kernel
def _advance(ch: Any, complete: bool, total: float, steps: int) -> int:
    """Follow chains until up to `steps` groups have found their partner or turned out to have none.

    Stops early when a row is WANTED that is not in the pool. `total` turns what `_compare` says into a
    similarity where nothing is missing. A chain goes back rather than on where similarities tie, and on to the group
    with the smallest index; a new chain starts at the group just made, whose row is at hand.
    """
    n = ch.rows.shape[1]
    inverse, values = ch.inverse, np.empty(n)
    made = 0
    while made < steps and ch.at[MERGED] + ch.at[ROOTS] < n:
        if ch.at[LENGTH] == 0:
            if ch.at[START] < 0:
                while ch.alive[ch.at[LOWEST]] == 0:
                    ch.at[LOWEST] += 1
                ch.at[START] = ch.at[LOWEST]
            ch.path[0] = ch.at[START]
            ch.at[LENGTH] = 1
        ch.at[START] = -1
        tip = ch.path[ch.at[LENGTH] - 1]
        before = ch.path[ch.at[LENGTH] - 2] if ch.at[LENGTH] > 1 else tip
        # The caller counts the row that is missing and calls again: what is counted needs labels, what is followed only
        # rows.
        if ch.place[tip] < 0 or ch.place[before] < 0:
            ch.at[WANTED] = tip if ch.place[tip] < 0 else before
            break
        place = _catch_up(ch, complete, tip)
        _compare(ch.rows[place], ch.seen[place], inverse, complete, values)
        best = _largest(values)
        back = values[before]
        # Three ways on: no other group shares anything with this one; another is nearer than the group before it, and
        # the chain grows; or the two are each other's nearest, and merge.
        if best <= 0.0:
            ch.roots[ch.at[ROOTS]] = tip
            ch.at[ROOTS] += 1
            ch.at[LENGTH] = 0
            _give_back(ch, tip)
            made += 1
        elif best > back * (1.0 + _TIE):
            nearest = 0  # the first of what rounding leaves equal
            while values[nearest] < best * (1.0 - _TIE):
                nearest += 1
            ch.path[ch.at[LENGTH]] = nearest
            ch.at[LENGTH] += 1
        else:
            scale = 1.0 if complete or ch.seen.shape[1] > 0 else total * ch.weight[tip]
            _catch_up(ch, complete, before)
            _join(ch, complete, tip, before, back / scale)
            ch.at[LENGTH] -= 2
            ch.at[START] = before
            made += 1
    return made


@twin_of(_advance)
def _advance_columns(ch: Any, complete: bool, total: float, steps: int) -> int:
    """All rows follow a merge at once: a column of the pool takes up another."""
    for group in np.flatnonzero(ch.place >= 0).tolist():
        if ch.followed[ch.place[group]] < ch.at[MERGED]:
            _catch_up(ch, complete, group)
    rows, seen, unite = ch.rows[: ch.at[FRESH]], ch.seen[: ch.at[FRESH]], np.minimum if complete else np.add
    at, path, row, used = ch.at.data, ch.path.data, ch.place.data, ch.used.data
    inverse, values, length, clock, made = ch.inverse, np.empty(rows.shape[1]), at[LENGTH], at[CLOCK], 0
    numbers = values.data
    while made < steps and at[MERGED] + at[ROOTS] < len(numbers):
        if length == 0:
            while at[START] < 0 and not ch.alive[at[LOWEST]]:
                at[LOWEST] += 1
            path[0] = at[START] if at[START] >= 0 else at[LOWEST]
            length = 1
        at[START] = -1
        tip = path[length - 1]
        before = path[length - 2] if length > 1 else tip
        place = row[tip]
        if place < 0 or row[before] < 0:
            at[WANTED] = tip if place < 0 else before
            break
        clock += 1
        used[place] = clock
        rows[place, tip] = 0.0
        _compare(rows[place], seen[place], inverse, complete, values)
        best, back = numbers[values.argmax()], numbers[before]
        if best > back * (1.0 + _TIE):
            path[length] = (values >= best * (1.0 - _TIE)).argmax()
            length += 1
            continue
        made += 1
        if best <= 0.0:
            ch.roots[at[ROOTS]] = tip
            at[ROOTS] += 1
            length = 0
            _give_back(ch, tip)
            continue
        clock += 1
        used[row[before]] = clock
        scale = 1.0 if complete or seen.shape[1] else total * ch.weight[tip]
        _join(ch, complete, tip, before, back / scale)
        unite(rows[:, before], rows[:, tip], out=rows[:, before])
        rows[:, tip] = 0.0
        if seen.shape[1]:
            seen[:, before] += seen[:, tip]
            seen[:, tip] = 0.0
        length -= 2
        at[START] = before
    ch.followed[: len(rows)] = at[MERGED]
    at[LENGTH], at[CLOCK] = length, clock
    return made


@kernel(work=lambda ev, ch, complete, total, steps: steps * (ev.codes.size + 4 * ch.rows.shape[1]))
def grow_chains(ev: Any, ch: Any, complete: bool, total: float, steps: int) -> int:
    """Follow chains until up to `steps` groups are done, and count the rows that they want. Returns how many are."""
    made = _advance(ch, complete, total, steps)
    while ch.at[WANTED] >= 0:
        _count_wanted(ev, ch, complete)
        made += _advance(ch, complete, total, steps - made)
    return made


@twin_of(grow_chains)
def _grow_counted_rows(ev: Any, ch: Any, complete: bool, total: float, steps: int) -> int:
    """The rows of all objects are counted at once, where they are few and the pool has room for them."""
    n, weights = ev.codes.shape[1], ch.leaf_weight
    if ch.at[COUNTED] == 0 and n <= min(_MATRIX, ch.rows.shape[0]):
        for first in range(0, n, _BLOCK):
            part = slice(first, min(n, first + _BLOCK))
            shared, seen = evidence_block(ev, part.start, part.stop)
            if complete:
                np.divide(shared, seen, out=shared, where=seen > 0.0)
                ch.rows[part] = shared
            else:
                pairs = weights[part, None] * weights
                np.multiply(shared, pairs, out=ch.rows[part])
                if ch.seen.shape[1]:
                    np.multiply(seen, pairs, out=ch.seen[part])
        ch.place[:n] = ch.owner[:n] = np.arange(n)
        ch.at[FRESH] = ch.at[COUNTED] = n
    made = _advance(ch, complete, total, steps)
    while ch.at[WANTED] >= 0:
        _count_wanted(ev, ch, complete)
        made += _advance(ch, complete, total, steps - made)
    return made


@kernel(work=lambda merges, near, held: 20.0 * len(held))
def path_sums(merges: Any, near: Any, held: Any) -> Any:
    """Sum path similarities of every leaf of a single-link tree with what the leaves hold, per column. O(ñk).

    `held` has a row for every leaf, and one for every merge, which is filled in; two leaves that meet in a merge are
    `near` to each other as it says.
    """
    n = held.shape[0] - merges.shape[0]
    # Upward, each merge learns what its leaves hold. Downward, each half of a merge gets what the other half holds, by
    # the nearness of that merge, besides all that the whole already got from outside.
    for step in range(merges.shape[0]):
        held[n + step] = held[merges[step, 0]] + held[merges[step, 1]]
    total = np.zeros_like(held)
    for step in range(merges.shape[0] - 1, -1, -1):
        a, b = merges[step, 0], merges[step, 1]
        total[a] = total[n + step] + near[step] * held[b]
        total[b] = total[n + step] + near[step] * held[a]
    return total[:n] + held[:n]


@twin_of(path_sums)
def _path_sums_listed(merges: Any, near: Any, held: Any) -> Any:
    rows, pairs, n = list(held), merges.tolist(), len(held) - len(merges)
    for new, (a, b) in enumerate(pairs, start=n):
        np.add(rows[a], rows[b], out=rows[new])
    others = near[:, None, None] * held[merges[:, ::-1]]
    total = list(np.zeros_like(held))
    for step in range(len(pairs) - 1, -1, -1):
        (a, b), above = pairs[step], total[n + step]
        total[a], total[b] = above + others[step, 0], above + others[step, 1]
    return np.array(total[:n]) + held[:n]


def chains(weights: Any, pool: int, missing: bool) -> Chains:
    """Everything at the start: every leaf a group, no row counted; `pool` rows at most are kept, 3 at least."""
    n = len(weights)
    size = max(3, min(pool, n + 2))
    at = np.zeros(10, dtype=np.int64)
    at[START] = at[WANTED] = -1
    none, path, left, right, roots = np.full((5, n + 1), -1)
    owner, followed, used, free = np.zeros((4, size), dtype=np.int64)
    return Chains(
        at=at,
        last=np.arange(n + 1),
        following=none,
        alive=np.ones(n, dtype=np.int64),
        place=none.copy(),
        leaf_weight=weights.copy(),
        weight=weights.copy(),
        inverse=1.0 / weights,
        path=path,
        left=left,
        right=right,
        similarity=np.zeros(n),
        roots=roots,
        owner=owner,
        followed=followed,
        used=used,
        free=free,
        rows=np.empty((size, n)),
        seen=np.empty((size, n if missing else 0)),
    )


_SHARE = 8  # at most so many times the pairs that are asked for
_STRETCH = 256  # objects that are looked at together for an improvement


@kernel
def _improve(matches: Any, strength: Any, key: Any, link: Any, v: int) -> None:
    """Link objects to v where that is stronger; a closed object has a strength that no count reaches."""
    width = matches.shape[0]
    for start in range(0, width, _STRETCH):
        stop = min(width, start + _STRETCH)
        some = False
        for j in range(start, stop):
            some |= matches[j] > strength[j]
        if some:
            for j in range(start, stop):
                if matches[j] > strength[j]:
                    strength[j] = matches[j]
                    key[j] = matches[j] + 1
                    link[j] = v


@kernel
def _strongest(key: Any) -> Any:
    best = key[0]
    for j in range(key.shape[0]):
        best = max(best, key[j])
    return best


@kernel(work=lambda codes, ids, strength, key, link, parent, value, at, steps: codes.size * steps)
def grow_counted(
    codes: Any, ids: Any, strength: Any, key: Any, link: Any, parent: Any, value: Any, at: Any, steps: int
) -> int:
    """Take up to `steps` objects into the forest, comparing matches counted in bytes.

    `at` holds the place of the object to take next, or −1 when the forest is complete. `key` is strength + 1 and
    0 for a closed object, whose strength is 255.
    """
    n_partitions, n = codes.shape
    counter = np.empty(TILE, dtype=np.uint8)
    top = np.zeros((n + TILE - 1) // TILE, dtype=np.uint8)
    made = 0
    while made < steps and at[0] >= 0:
        place = at[0]
        parent[ids[place]] = link[place]
        value[ids[place]] = strength[place]
        key[place] = 0
        strength[place] = 255
        made += 1
        for start in range(0, n, TILE):
            stop = min(n, start + TILE)
            matches, near = counter[: stop - start], key[start:stop]
            matches[:] = 0
            count_matches(codes, place, start, 0, n_partitions, matches)
            _improve(matches, strength[start:stop], near, link[start:stop], ids[place])
            top[start // TILE] = _strongest(near)
        best = _strongest(top)
        at[0] = -1
        if best > 0:
            tile = 0
            while top[tile] != best:
                tile += 1
            start = tile * TILE
            while key[start] != best:
                start += 1
            at[0] = start
    return made


@twin_of(grow_counted)
def _grow_counted_whole(
    codes: Any, ids: Any, strength: Any, key: Any, link: Any, parent: Any, value: Any, at: Any, steps: int
) -> int:
    made, n = 0, codes.shape[1]
    matches = np.zeros((n, n), dtype=np.uint8) if n <= min(_MATRIX, _SHARE * steps) else None
    for row in codes if matches is not None else ():
        matches += (row[:, None] == row).view(np.uint8)
    while made < steps and at[0] >= 0:
        place = int(at[0])
        parent[ids[place]], value[ids[place]] = link[place], strength[place]
        key[place], strength[place] = 0, 255
        made += 1
        row = (codes == codes[:, place, None]).sum(0, dtype=np.uint8) if matches is None else matches[place]
        better = (row > strength).nonzero()[0]
        if better.size:
            strength[better], link[better] = row[better], ids[place]
            key[better] = row[better] + 1
        best = key.argmax()
        at[0] = best if key[best] > 0 else -1
    return made


@kernel(work=lambda ev, ids, strength, link, parent, value, at, steps: ev.codes.size * steps)
def grow_weighted(ev: Any, ids: Any, strength: Any, link: Any, parent: Any, value: Any, at: Any, steps: int) -> int:
    """Take up to `steps` objects into the forest, comparing similarities; a closed object has strength −1."""
    n = ev.codes.shape[1]
    room = scratch()
    made = 0
    while made < steps and at[0] >= 0:
        place = at[0]
        parent[ids[place]] = link[place]
        value[ids[place]] = strength[place]
        strength[place] = -1.0
        made += 1
        best = -1.0
        at[0] = -1
        for start in range(0, n, TILE):
            stop = min(n, start + TILE)
            found = similarities(ev, place, start, stop, room)
            near, chosen = strength[start:stop], link[start:stop]
            for j in range(stop - start):
                if near[j] >= 0.0:
                    if found[j] > near[j]:
                        near[j] = found[j]
                        chosen[j] = ids[place]
                    if near[j] > best:
                        best = near[j]
                        at[0] = start + j
    return made


@twin_of(grow_weighted)
def _grow_weighted_whole(
    ev: Any, ids: Any, strength: Any, link: Any, parent: Any, value: Any, at: Any, steps: int
) -> int:
    made, n, room = 0, ev.codes.shape[1], scratch()
    every = similarity_block(ev, 0, n) if n <= min(_MATRIX, _SHARE * steps) else None
    while made < steps and at[0] >= 0:
        place = int(at[0])
        parent[ids[place]], value[ids[place]] = link[place], strength[place]
        strength[place] = -1.0
        made += 1
        found = similarities(ev, place, 0, n, room) if every is None else every[place]
        better = ((found > strength) & (strength >= 0.0)).nonzero()[0]
        strength[better], link[better] = found[better], ids[place]
        best = strength.argmax()
        at[0] = best if strength[best] >= 0.0 else -1
    return made


def spanning_forest(ev: Evidence) -> tuple[Any, Any]:
    """Return for every object the one that it is linked to (−1 at a tree's root) and the similarity of the link.

    O(n²B) comparisons, half of them saved by leaving out objects already taken; O(nB) memory.
    """
    n = ev.codes.shape[1]
    parent, value = np.full(n, -1, dtype=np.int64), np.zeros(n)
    counted = narrow(ev)
    ids, link, at = np.arange(n), np.full(n, -1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    strength = np.zeros(n, dtype=np.uint8 if counted else np.float64)
    key = np.ones_like(strength)

    def advance(steps: int) -> int:
        nonlocal ev, ids, link, strength, key
        if counted:
            made = grow_counted(ev.codes, ids, strength, key, link, parent, value, at, steps)
            left = key > 0
        else:
            made = grow_weighted(ev, ids, strength, link, parent, value, at, steps)
            left = strength >= 0
        if at[0] >= 0 and np.count_nonzero(left) < 0.85 * len(left):
            at[0] = np.count_nonzero(left[: at[0]])
            ev = ev._replace(codes=freeze(np.ascontiguousarray(ev.codes[:, left])))  # the type it was compiled for
            ids, link, strength, key = ids[left], link[left], strength[left], key[left]
        return int(made)

    run("linking objects", n, advance)
    return parent, value / ev.codes.shape[0] if counted else value


@kernel
def cut_weight(indptr: Any, indices: Any, data: Any, labels: Any) -> float:
    """Sum the weights between different parts, both directions; unassigned ends do not count. O(E)."""
    total = 0.0
    for i in range(labels.shape[0]):
        if labels[i] >= 0:
            for p in range(indptr[i], indptr[i + 1]):
                other = labels[indices[p]]
                if other >= 0 and other != labels[i]:
                    total += data[p]
    return total


@twin_of(cut_weight)
def _sum_cut(indptr: Any, indices: Any, data: Any, labels: Any) -> float:
    one, other = np.repeat(labels, np.diff(indptr)), labels[indices]
    return float(sum_in_order(data[(one >= 0) & (other >= 0) & (one != other)]))
