"""Grouping equal label rows by hashing, partition by partition, in blocks that stay in cache."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import kernel

_BLOCK = 4096


@kernel
def _hash_block(codes: Any, start: int, stop: int, salt: Any, hashes: Any) -> None:
    hashes[: stop - start] = salt
    for t in range(codes.shape[0]):
        row = codes[t]
        for i in range(stop - start):
            hashes[i] = (hashes[i] ^ np.uint64(row[start + i])) * np.uint64(0x9E3779B97F4A7C15)
            hashes[i] ^= hashes[i] >> np.uint64(29)


@kernel
def _grow(keys: Any, count: int, size: int) -> Any:
    table = np.full(size, -1, dtype=np.int32)
    mask = np.uint64(size - 1)
    for u in range(count):
        slot = (keys[u] >> np.uint64(7)) & mask
        while table[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        table[slot] = u
    return table


@kernel
def group_rows(codes: Any, salt: Any, index: Any) -> Any:
    """Number the columns of codes (B × n) by equal hash, in order of first appearance.

    Fills `index` and returns the first object of each group. O(nB) time, O(n) memory.
    """
    n = codes.shape[1]
    size, count = 1 << 13, 0
    table = np.full(size, -1, dtype=np.int32)
    keys = np.empty(size // 2 + 1, dtype=np.uint64)
    first = np.empty(size // 2 + 1, dtype=np.int64)
    hashes = np.empty(_BLOCK, dtype=np.uint64)
    for start in range(0, n, _BLOCK):
        stop = min(n, start + _BLOCK)
        _hash_block(codes, start, stop, salt, hashes)
        for i in range(stop - start):
            mask = np.uint64(size - 1)
            slot = (hashes[i] >> np.uint64(7)) & mask
            while table[slot] >= 0 and keys[table[slot]] != hashes[i]:
                slot = (slot + np.uint64(1)) & mask
            if table[slot] < 0:
                table[slot] = count
                keys[count] = hashes[i]
                first[count] = start + i
                count += 1
                index[start + i] = count - 1
                if 2 * count >= size:
                    size *= 2
                    table = _grow(keys, count, size)
                    keys = np.concatenate((keys[:count], np.empty(size // 2 + 1 - count, dtype=np.uint64)))
                    first = np.concatenate((first[:count], np.empty(size // 2 + 1 - count, dtype=np.int64)))
            else:
                index[start + i] = table[slot]
    return first[:count].copy()


@kernel
def same_rows(codes: Any, first: Any, index: Any) -> bool:
    """Check that every object has the same labels as the first of its group: the hash promises it, this proves it."""
    for t in range(codes.shape[0]):
        row = codes[t]
        for i in range(codes.shape[1]):
            if row[i] != row[first[index[i]]]:
                return False
    return True
