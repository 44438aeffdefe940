"""The sample of rows is the same however rows are cut into blocks, in whatever order blocks are merged."""

import numpy as np
import pytest

from graphens.scale.blocks import draw_rows


def as_counts(rows: dict[str, np.ndarray]) -> dict[bytes, float]:
    return {row.tobytes(): count for row, count in zip(rows["codes"].T.copy(), rows["counts"], strict=True)}


@pytest.mark.parametrize("values", [2, 3, 9])  # many rows alike, some, hardly any
@pytest.mark.parametrize("size", [1, 40, 5000])
def test_blocks_agree_on_the_sample(values: int, size: int) -> None:
    rng = np.random.default_rng(values)
    codes = rng.integers(0, values, (6, 900)).astype(np.uint8)
    whole = draw_rows(codes, np.ones(900), size)
    assert whole["codes"].shape[1] == min(size, len(np.unique(codes, axis=1).T))
    every = as_counts({"codes": codes, "counts": np.array([(row == codes.T).all(axis=1).sum() for row in codes.T])})
    assert all(every[row] == count for row, count in as_counts(whole).items())
    parts = [draw_rows(codes[:, i : i + 130], np.ones(len(codes[0, i : i + 130])), size) for i in range(0, 900, 130)]
    merged = parts[3]
    for part in parts[:3] + parts[4:]:
        joined = np.concatenate([merged["codes"], part["codes"]], axis=1)
        merged = draw_rows(joined, np.concatenate([merged["counts"], part["counts"]]), size)
    assert as_counts(merged) == as_counts(whole)
