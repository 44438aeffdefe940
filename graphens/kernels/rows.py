"""Grouping equal label rows by hashing, partition by partition, in blocks that stay in cache."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import kernel

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


@kernel(work=lambda codes, *_: 2 * codes.size)
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
