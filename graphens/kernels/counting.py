"""What is counted on labels: tables of two labelings, equal rows, sums of rows, votes, pairs."""

from __future__ import annotations

from math import log
from typing import Any, NamedTuple

import numpy as np

from .._lib.arrays import sum_in_order
from ._jit import kernel, twin_of
from .linking import find_root


@kernel
def contingency(a: Any, b: Any, k_a: int, k_b: int) -> Any:
    """Count objects per pair of codes; row k_a and column k_b collect the absent ones.

    O(n) time, (k_a + 1)(k_b + 1) memory.
    """
    last_a, last_b, width = np.uint64(k_a), np.uint64(k_b), np.uint64(k_b + 1)
    table = np.zeros((k_a + 1) * (k_b + 1), dtype=np.int64)
    for i in range(a.shape[0]):
        table[min(np.uint64(a[i]), last_a) * width + min(np.uint64(b[i]), last_b)] += 1
    return table.reshape(k_a + 1, k_b + 1)


@kernel
def weighted_contingency(a: Any, b: Any, k_a: int, k_b: int, weights: Any) -> Any:
    """Sum object weights per pair of codes; row k_a and column k_b collect the absent ones."""
    last_a, last_b, width = np.uint64(k_a), np.uint64(k_b), np.uint64(k_b + 1)
    table = np.zeros((k_a + 1) * (k_b + 1))
    for i in range(a.shape[0]):
        table[min(np.uint64(a[i]), last_a) * width + min(np.uint64(b[i]), last_b)] += weights[i]
    return table.reshape(k_a + 1, k_b + 1)


@twin_of(contingency, weighted_contingency)
def _table(a: Any, b: Any, k_a: int, k_b: int, weights: Any = None) -> Any:
    rows, columns = (np.minimum(x.astype(np.uint64), np.uint64(k)) for x, k in ((a, k_a), (b, k_b)))
    cells = (rows * np.uint64(k_b + 1) + columns).view(np.int64)
    return np.bincount(cells, weights, (k_a + 1) * (k_b + 1)).reshape(k_a + 1, k_b + 1)


@kernel(work=lambda codes, *_: codes.size * codes.shape[0] / 2)
def contingencies(codes: Any, n_clusters: Any, offsets: Any, weights: Any, table: Any) -> None:
    """Fill the blocks above the diagonal of K × K overlaps; without `weights` every object counts once. O(nB²)."""
    for s in range(codes.shape[0]):
        for t in range(s + 1, codes.shape[0]):
            block = table[offsets[s] : offsets[s + 1], offsets[t] : offsets[t + 1]]
            if len(weights):
                found = weighted_contingency(codes[s], codes[t], n_clusters[s], n_clusters[t], weights)
                block[:] = found[:-1, :-1]
            else:
                block[:] = contingency(codes[s], codes[t], n_clusters[s], n_clusters[t])[:-1, :-1]


@twin_of(contingencies)
def _tables(codes: Any, n_clusters: Any, offsets: Any, weights: Any, table: Any) -> None:
    """The tables of a partition with all later ones are one, of columns numbered throughout."""
    columns = np.where(codes < n_clusters[:, None], codes + offsets[:-1, None], offsets[-1])
    for s in range(len(codes) - 1):
        repeated = np.tile(weights, len(codes) - s - 1) if len(weights) else None
        rows = np.tile(codes[s], len(codes) - s - 1)
        found = _table(rows, columns[s + 1 :].ravel(), n_clusters[s], offsets[-1], repeated)
        table[offsets[s] : offsets[s + 1], offsets[s + 1] : offsets[-1]] = found[:-1, offsets[s + 1] : -1]


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


@twin_of(table_sums)
def _table_sums(table: Any, k_a: int, k_b: int, out: Any) -> None:
    cells, out[:] = table[:k_a, :k_b].astype(np.float64), 0.0
    x = np.zeros((3, cells.size))  # rows, columns and cells, which are summed from the first to the last
    if cells.size:
        x[0, :k_a], x[1, :k_b] = np.add.accumulate(cells, axis=1)[:, -1], np.add.accumulate(cells, axis=0)[-1]
        x[2], out[0] = cells.ravel(), sum_in_order(x[0])
    if out[0] > 0:
        bits, share = np.zeros_like(x), x[x > 0] / out[0]
        bits[x > 0] = share * list(map(log, share.tolist()))  # np.log may differ in the last bit
        sums = np.add.accumulate(np.concatenate([bits, x * (x - 1) / 2]), axis=1)[:, -1]
        out[1:4], out[4:] = 0.0 - sums[:3], sums[[5, 3, 4]]


_BLOCK = 2048
_INDEX = np.uint64(0xFFFFFFFF)  # the half of a slot that holds a group's number plus 1; the rest is its hash


@kernel
def _hash_block(codes: Any, start: int, stop: int, salt: Any, hashes: Any) -> None:
    hashes[: stop - start] = salt
    for t in range(codes.shape[0]):
        row = codes[t]
        for i in range(stop - start):
            hashes[i] = (hashes[i] ^ np.uint64(row[start + i])) * np.uint64(0x9E3779B97F4A7C15)
            hashes[i] ^= hashes[i] >> np.uint64(29)


@twin_of(_hash_block)
def _hashes(codes: Any, start: int, stop: int, salt: Any, hashes: Any) -> None:
    part = hashes[: stop - start]
    part[:] = salt
    for row in codes[:, start:stop].astype(np.uint64):
        part[:] = (part ^ row) * np.uint64(0x9E3779B97F4A7C15)
        part ^= part >> np.uint64(29)


@kernel(work=lambda codes, *_: codes.size)
def hash_rows(codes: Any, salt: Any, hashes: Any) -> None:
    """Write a 64-bit hash of every column of codes (B × n): equal label rows have equal ones."""
    for start in range(0, codes.shape[1], _BLOCK):
        stop = min(start + _BLOCK, codes.shape[1])
        _hash_block(codes, start, stop, salt, hashes[start:stop])


@kernel
def _grown(keys: Any, count: int, size: int) -> Any:
    """Enter the groups found so far into a larger table; they are known to differ."""
    table = np.zeros(size, dtype=np.uint64)
    mask = np.uint64(size - 1)
    for u in range(count):
        slot = keys[u] & mask
        while table[slot]:
            slot = (slot + np.uint64(1)) & mask
        table[slot] = (keys[u] & ~_INDEX) | np.uint64(u + 1)
    return table


@kernel(work=lambda codes, *_: 4 * codes.size)
def group_rows(codes: Any, salt: Any, index: Any) -> Any:
    """Number the columns of codes (B × n) by equal hash, in order of first appearance.

    Fills `index` and returns the first object of each group. A slot of the table holds the upper half of a hash beside
    the group's number, so that a look costs one access to memory; all slots of a block are touched before they are
    used, so that these accesses overlap. O(nB) time, O(n) memory, up to 2³² − 2 groups.
    """
    n = codes.shape[1]
    size, count, room = 1 << 13, 0, 1 << 12
    table = np.zeros(size, dtype=np.uint64)
    keys, first = np.empty(room, dtype=np.uint64), np.empty(room, dtype=np.int64)
    hashes, near = np.empty(_BLOCK, dtype=np.uint64), np.empty(_BLOCK, dtype=np.uint64)
    for start in range(0, n, _BLOCK):
        length = min(_BLOCK, n - start)
        if 2 * (count + length) > size:
            size *= 4
            table = _grown(keys, count, size)
        if count + length > room:
            room *= 2
            keys = np.concatenate((keys, np.empty(room - keys.size, dtype=np.uint64)))
            first = np.concatenate((first, np.empty(room - first.size, dtype=np.int64)))
        mask = np.uint64(size - 1)
        _hash_block(codes, start, start + length, salt, hashes)
        for i in range(length):
            near[i] = table[hashes[i] & mask]
        for i in range(length):
            slot = hashes[i] & mask
            tag = hashes[i] & ~_INDEX
            found = table[slot]
            while found and (found & ~_INDEX) != tag:
                slot = (slot + np.uint64(1)) & mask
                found = table[slot]
            if not found:
                keys[count] = hashes[i]
                first[count] = start + i
                count += 1
                found = np.uint64(count)
                table[slot] = tag | found
            index[start + i] = (found & _INDEX) - np.uint64(1)
    return first[:count].copy()


@twin_of(group_rows)
def _unique_rows(codes: Any, salt: Any, index: Any) -> Any:
    hashes = np.empty(codes.shape[1], dtype=np.uint64)
    _hash_block(codes, 0, codes.shape[1], salt, hashes)
    _, first, inverse = np.unique(hashes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    index[:] = np.argsort(order)[inverse]
    return first[order]


@kernel(
    work=lambda codes, *_: 2 * codes.size, twin=lambda codes, groups, index: bool((codes == groups[:, index]).all())
)
def same_rows(codes: Any, groups: Any, index: Any) -> bool:
    """Check that every object has the labels of its group (B × groups): the hash promises it, this proves it."""
    for t in range(codes.shape[0]):
        row, of_group = codes[t], groups[t]
        differ = 0
        for i in range(codes.shape[1]):
            differ += row[i] != of_group[index[i]]
        if differ:
            return False
    return True


_STRETCH = 256


@kernel(work=lambda row, absent, base, table, start, stop, *_: table.shape[1] * (stop - start))
def add_partition(row: Any, absent: int, base: int, table: Any, start: int, stop: int, out: Any) -> None:
    """Add table[base + cluster of i] to out[i] for objects start … stop − 1 of one partition."""
    for i in range(start, stop):
        if row[i] != absent:
            c = base + row[i]
            for j in range(table.shape[1]):
                out[i, j] += table[c, j]


@twin_of(add_partition)
def _add_present(row: Any, absent: int, base: int, table: Any, start: int, stop: int, out: Any) -> None:
    there = start + np.flatnonzero(row[start:stop] != absent)
    out[there] += table[base + row[there].astype(np.int64)]


@kernel(work=lambda codes, offsets, absent, table, start, stop, *_: codes.shape[0] * table.shape[1] * (stop - start))
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


@twin_of(add_rows)
def _add_all(codes: Any, offsets: Any, absent: int, table: Any, start: int, stop: int, out: Any) -> None:
    out[: stop - start] = 0.0
    for row, base in zip(codes, offsets):
        add_partition(row[start:stop], absent, base, table, 0, stop - start, out)


@kernel
def _mix(x: Any) -> Any:
    """Scramble 64 bits (the finalizer of splitmix64), so that sums of scrambled numbers tell multisets apart."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel(work=lambda codes, *_: 4 * codes.size)
def refine(codes: Any, absent: int, n_clusters: Any, salts: Any, colors: Any) -> Any:
    """One round of color refinement on the bipartite graph of objects and clusters.

    A cluster's color is the multiset of its members' colors, an object's new color the multiset of its clusters'.
    Sums wrap around and so do not depend on any order. O(nB).
    """
    n = codes.shape[1]
    fresh = np.empty(n, dtype=np.uint64)
    mixed = np.empty(n, dtype=np.uint64)
    for i in range(n):
        mixed[i] = _mix(colors[i])
        fresh[i] = mixed[i]
    for t in range(codes.shape[0]):
        row = codes[t]
        sums = np.zeros(n_clusters[t], dtype=np.uint64)
        for i in range(n):
            if row[i] != absent:
                sums[row[i]] += mixed[i]
        for c in range(sums.shape[0]):
            sums[c] = _mix(sums[c] ^ salts[t])
        for i in range(n):
            if row[i] != absent:
                fresh[i] += sums[row[i]]
    return fresh


@twin_of(refine)
def _refine_whole(codes: Any, absent: int, n_clusters: Any, salts: Any, colors: Any) -> Any:
    mixed = _mix(colors)
    fresh = mixed.copy()
    for row, k, salt in zip(codes, n_clusters, salts):
        there = np.flatnonzero(row != absent)
        sums = np.zeros(k, dtype=np.uint64)
        np.add.at(sums, row[there], mixed[there])
        fresh[there] += _mix(sums ^ salt)[row[there]]
    return fresh


@kernel(work=lambda codes, *_: 2 * codes.size)
def rename(codes: Any, absent: int, n_clusters: Any) -> None:
    """Number the clusters of every partition in order of first appearance, in place. O(nB)."""
    for t in range(codes.shape[0]):
        row = codes[t]
        names = np.full(n_clusters[t], -1, dtype=np.int64)
        count = 0
        for i in range(row.shape[0]):
            if row[i] != absent:
                if names[row[i]] < 0:
                    names[row[i]] = count
                    count += 1
                row[i] = names[row[i]]


@twin_of(rename)
def _rename_whole(codes: Any, absent: int, n_clusters: Any) -> None:
    for row in codes:
        there = np.flatnonzero(row != absent)
        _, first, inverse = np.unique(row[there], return_index=True, return_inverse=True)
        row[there] = np.argsort(np.argsort(first))[inverse]


@kernel(work=lambda row, absent, n_clusters, values, *_: values.size)
def column_sums(row: Any, absent: int, n_clusters: int, values: Any, binary: bool, weights: Any) -> Any:
    """Sum the weighted rows of a table over the members of every cluster; counts read as 0 or 1 if `binary`."""
    k = values.shape[1]
    sums = np.zeros((n_clusters, k))
    for i in range(row.shape[0]):
        if row[i] != absent:
            c = row[i]
            w = weights[i]
            if binary:
                for j in range(k):
                    sums[c, j] += w * (values[i, j] > 0.0)
            else:
                for j in range(k):
                    sums[c, j] += w * values[i, j]
    return sums


@kernel
def winners(scores: Any, favored: Any) -> Any:
    """Return the column with the largest score of every row; −1 for a row without any.

    A column wins a tie (within rounding) if it is the favored one, and otherwise if it comes first.
    """
    n, k = scores.shape
    labels = np.full(n, -1, dtype=np.int32)
    for i in range(n):
        total = 0.0
        for j in range(k):
            total += scores[i, j]
        slack = 1e-9 * total
        best = 0.0
        for j in range(k):
            if scores[i, j] > best + slack:
                best = scores[i, j]
                labels[i] = j
        if favored[i] >= 0 and labels[i] >= 0 and scores[i, favored[i]] >= best - slack:
            labels[i] = favored[i]
    return labels


@kernel
def strongest(strength: Any, drawn: Any, winner: Any) -> None:
    """Write the column with the largest number of every row; where some tie (within rounding) a drawn number picks."""
    k = strength.shape[1]
    for i in range(strength.shape[0]):
        most = strength[i, 0]
        for j in range(1, k):
            most = max(most, strength[i, j])
        level = most * (1 - 1e-9)
        tied = 0
        for j in range(k):
            tied += strength[i, j] >= level
        left = (drawn[i] >> np.uint64(11)) % np.uint64(tied)
        for j in range(k):
            if strength[i, j] >= level:
                if left == np.uint64(0):
                    winner[i] = j
                    break
                left -= np.uint64(1)


@kernel(work=lambda codes, absent, weights, gaps, start, stop, *_: float(codes.size) * (stop - start))
def pair_counts(codes: Any, absent: int, weights: Any, gaps: Any, start: int, stop: int, table: Any, sums: Any) -> None:
    """Count pairs i < j, i from start to stop − 1, by how many partitions put them together and how many have both.

    table[same, both] adds the weight w_i w_j of each pair; an object that counts w times is w(w − 1)/2 pairs with its
    copies. Objects stand in the order of a dendrogram's leaves with the heights `gaps` between neighbors, so that the
    height at which two meet is the largest in between; `sums` adds w, wc, wc² and wcS for pairs seen together. O(nB)
    per object.
    """
    n_partitions, n = codes.shape
    same, both = np.empty(n, dtype=np.uint32), np.empty(n, dtype=np.uint32)
    for i in range(start, stop):
        same[i:] = 0
        both[i:] = 0
        for t in range(n_partitions):
            c = codes[t, i]
            if c == absent:
                continue
            row = codes[t]
            for j in range(i, n):
                same[j] += row[j] == c
                both[j] += row[j] != absent
        copies = weights[i] * (weights[i] - 1) / 2
        if copies > 0 and both[i] > 0:
            table[same[i], both[i]] += copies
            sums[0] += copies
        height = 0.0
        for j in range(i + 1, n):
            height = max(height, gaps[j - 1])
            if both[j] > 0:
                w = weights[i] * weights[j]
                table[same[j], both[j]] += w
                sums[0] += w
                sums[1] += w * height
                sums[2] += w * height * height
                sums[3] += w * height * same[j] / both[j]


@twin_of(pair_counts)
def _pair_counts(
    codes: Any, absent: int, weights: Any, gaps: Any, start: int, stop: int, table: Any, sums: Any
) -> None:
    places, later = np.arange(start, stop)[:, None], np.arange(codes.shape[1])
    same, both = np.zeros((2, stop - start, len(later)), dtype=np.uint32)
    for row in codes:
        here = row[start:stop, None] != absent
        same += here & (row[start:stop, None] == row)
        both += here & (row != absent)
    w = np.where(places < later, weights[start:stop, None] * weights, 0.0)
    w[places - start, places] = np.maximum(weights * (weights - 1) / 2, 0.0)[places]  # pairs of copies
    height = np.maximum.accumulate(np.where(places < later, np.append(0.0, gaps), 0.0), axis=1)
    seen = (places <= later) & (both > 0)
    same, both, w, height = same[seen], both[seen], w[seen], height[seen]
    np.add.at(table, (same, both), w)
    for k, term in enumerate((w, w * height, w * height * height, w * height * same / both)):
        sums[k] = sum_in_order(np.append(sums[k], term))


@kernel(work=lambda codes, absent, start, stop, *more: float(codes.size) * (stop - start))
def pair_distances(codes: Any, absent: int, start: int, stop: int, counts: Any, table: Any, distance: Any) -> None:
    """Fill 1 − S in SciPy's condensed order for pairs i < j, i from start to stop − 1; NaN where never seen together.

    `counts` (2 × n) is room for one object's counts, table[same, both] counts the pairs. O(nB) per object.
    """
    n_partitions, n = codes.shape
    for i in range(start, stop):
        same, both = counts[0, i + 1 :], counts[1, i + 1 :]
        same[:] = 0
        both[:] = 0
        for t in range(n_partitions):
            c = codes[t, i]
            if c == absent:
                continue
            row = codes[t, i + 1 :]
            for j in range(len(row)):
                same[j] += row[j] == c
                both[j] += row[j] != absent
        first = i * (2 * n - i - 1) // 2
        for j in range(len(same)):
            if both[j] == 0:
                distance[first + j] = np.nan
            else:
                distance[first + j] = 1.0 - same[j] / both[j]
                table[same[j], both[j]] += 1


# the incidence H from labels: Hᵀy, H diag(g) Hᵀ, and which clusters are connected through objects


@kernel(work=lambda codes, *_: codes.size)
def sum_members(codes: Any, offsets: Any, absent: int, values: Any, out: Any) -> None:
    """Add up the values of the members of every cluster: Hᵀy. O(nB)."""
    for t in range(codes.shape[0]):
        row, sums = codes[t], out[offsets[t] : offsets[t + 1]]
        for i in range(codes.shape[1]):
            if row[i] != absent:
                sums[row[i]] += values[i]


@kernel(work=lambda codes, offsets, absent, gains, first, last, out: codes.size * (last - first) / 2)
def gain_rows(codes: Any, offsets: Any, absent: int, gains: Any, first: int, last: int, out: Any) -> None:
    """Write rows first … last − 1 of H diag(gains) Hᵀ up to the diagonal. O(nB) each."""
    for v in range(first, last):
        row = out[v]
        for t in range(codes.shape[0]):
            label = codes[t, v]
            if label != absent:
                gain, others = gains[offsets[t] + label], codes[t]
                for j in range(v + 1):
                    row[j] += gain * (others[j] == label)


@kernel(work=lambda codes, *_: 4 * codes.size)
def connect_clusters(codes: Any, offsets: Any, absent: int, counts: Any, parent: Any) -> None:
    """Join the clusters that an object is in, those that `counts` says count, in a forest of parents. O(nB)."""
    for i in range(codes.shape[1]):
        first = -1
        for t in range(codes.shape[0]):
            if codes[t, i] != absent and counts[offsets[t] + codes[t, i]]:
                root = find_root(parent, offsets[t] + codes[t, i])
                if first >= 0 and root != first:
                    parent[max(root, first)] = min(root, first)
                first = min(root, first) if first >= 0 else root
    for c in range(len(parent)):
        parent[c] = find_root(parent, c)


# partitions against partitions, one pair after another: nothing of a pair is kept

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


@twin_of(_sort_objects)
def _stable_order(row: Any, absent: int, n_clusters: int, order: Any) -> int:
    there = np.flatnonzero(row != absent)
    order[: len(there)] = there[np.argsort(row[there], kind="stable")]
    return len(there)


@kernel
def _list_cells(a: Any, b: Any, absent: int, k_a: int, k_b: int, present: int, weights: Any, room: Any) -> int:
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


@kernel(work=lambda codes, absent, n_clusters, weights, s, others, *_: 6 * codes.shape[1] * len(others))
def pair_sums(codes: Any, absent: int, n_clusters: Any, weights: Any, s: int, others: Any, room: Any, out: Any) -> None:
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


@kernel(work=lambda codes, absent, n_clusters, weights, s, others, *_: 6 * codes.shape[1] * len(others))
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


@kernel(work=lambda codes, absent, n_clusters, offsets, weights, s, others, *_: 6 * codes.shape[1] * len(others))
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
