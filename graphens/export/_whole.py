"""Whole numbers for formats that know no others, and quick lines of them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from .._arrays import AnyArray, FloatArray, IntArray

#: programs built with 32-bit integers must be able to add up all weights
LARGEST_TOTAL = 2**31 - 1
_AT_ONCE = 2**20


def whole_weights(weights: FloatArray, lowest: int) -> tuple[IntArray, float]:
    """Turn weights into whole numbers of at least `lowest`; return them and the factor they were multiplied by.

    Whole numbers stay as they are. Others are multiplied by the power of ten that gives the largest of them five
    digits. Either way the factor is lowered, ten times at a time, until the total fits 32 bits.
    """
    largest = float(weights.max(initial=0.0))
    whole = largest == 0 or bool((weights == np.rint(weights)).all())
    power = 0 if whole else min(4 - math.floor(math.log10(largest)), 300)
    allowed = max(LARGEST_TOTAL, lowest * weights.size)
    with np.errstate(over="ignore"):
        while np.maximum(weights * 10.0**power, lowest).sum() > allowed:
            power -= 1
    return np.maximum(np.rint(weights * 10.0**power), lowest).astype(np.int64), 10.0**power


def number_lines(numbers: IntArray, lengths: AnyArray) -> Iterator[bytes]:
    """Yield text with the numbers separated by spaces, in lines of the given lengths; no Python loop per number."""
    ends = np.zeros(numbers.size, dtype=bool)
    filled = np.cumsum(lengths)
    ends[filled[lengths > 0] - 1] = True
    for start in range(0, numbers.size, _AT_ONCE):
        piece = slice(start, start + _AT_ONCE)
        digits = numbers[piece].astype("S20").view(np.uint8).reshape(-1, 20)
        breaks = np.where(ends[piece], ord("\n"), ord(" ")).astype(np.uint8)
        table = np.concatenate([digits, breaks[:, None]], axis=1)
        yield table[table != 0].tobytes()
