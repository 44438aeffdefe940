"""What is counted on labels: tables of two labelings, equal rows, sums of rows, votes, pairs."""

from __future__ import annotations

from typing import Any

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
    # The code of an absent object is the largest of its type, above any cluster's: it falls into the last row or
    # column. Unsigned numbers of one width are compared without a conversion for every object.
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


@kernel(work=lambda codes, k, weights, own, others, ends, table: 2 * codes.shape[1] * len(others))
def contingencies(codes: Any, k: Any, weights: Any, own: int, others: Any, ends: Any, table: Any) -> None:
    """Write the contingency tables of one partition with others side by side, table u up to column ends[u + 1].

    Without `weights` every object counts once. O(n) for each of the others.
    """
    for u in range(len(others)):
        t, block = others[u], table[:, ends[u] : ends[u + 1]]
        if len(weights):
            block[:] = weighted_contingency(codes[own], codes[t], k[own], k[t], weights)[:-1, :-1]
        else:
            block[:] = contingency(codes[own], codes[t], k[own], k[t])[:-1, :-1]


@twin_of(contingencies)
def _one_contingency(codes: Any, k: Any, weights: Any, own: int, others: Any, ends: Any, table: Any) -> None:
    """All tables are one, of columns that are numbered throughout."""
    columns = np.where(codes[others] < k[others, None], codes[others] + ends[:-1, None], ends[-1])
    repeated = np.tile(weights, len(others)) if len(weights) else None
    table[:] = _table(np.tile(codes[own], len(others)), columns.ravel(), k[own], ends[-1], repeated)[:-1, :-1]


_BLOCK = 2048
_INDEX = np.uint64(0xFFFFFFFF)  # the half of a slot that holds a group's number plus 1; the rest is its hash


@kernel
def _hash_block(codes: Any, start: int, stop: int, salt: Any, hashes: Any) -> None:
    hashes[: stop - start] = salt
    # Partition by partition, so that labels are read along memory. One multiplication and one shift mix well enough:
    # what the hash promises is proved by `same_rows`.
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
def _grow_table(keys: Any, count: int, size: int) -> Any:
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
        # At most half of the slots are in use, so that a search soon meets an empty one. A table that grows is filled
        # anew from the hashes of the groups, without looking at labels.
        if 2 * (count + length) > size:
            size *= 4
            table = _grow_table(keys, count, size)
        if count + length > room:
            room *= 2
            keys = np.concatenate((keys, np.empty(room - keys.size, dtype=np.uint64)))
            first = np.concatenate((first, np.empty(room - first.size, dtype=np.int64)))
        mask = np.uint64(size - 1)
        _hash_block(codes, start, start + length, salt, hashes)
        # This loop only fetches: memory answers all these accesses at once, and the next loop finds its slots in cache.
        for i in range(length):
            near[i] = table[hashes[i] & mask]
        for i in range(length):
            slot = hashes[i] & mask
            tag = hashes[i] & ~_INDEX
            found = table[slot]
            # Hashes that differ in the lower half only may be taken for one here; `same_rows` notices, and the rows
            # are hashed again with another salt.
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
        # The salt tells the partitions apart: the same members in another partition are another color.
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
        # Sums of votes in another order differ in the last digits: what is closer than this is a tie.
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
