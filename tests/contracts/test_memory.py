"""Every method keeps within the memory budget or says how much it would need; the ensemble itself is not counted."""

from __future__ import annotations

import inspect
import tracemalloc
from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens.errors import SizeError

ROWS = {row.name: row for row in ge.methods()}
N = 1500  # a matrix of all pairs of objects takes 18 MB
BUDGET, ASIDE = 4e6, 1e6  # bytes; what is beside the budget: Python's own small objects, results of n rows


def noisy(n: int) -> tuple[ge.Ensemble, np.ndarray]:
    """Nearly distinct rows, as is hard on memory, and features."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 5, n)
    labels = np.where(rng.random((n, 8)) < 0.4, rng.integers(0, 20, (n, 8)), truth[:, None])
    return ge.Ensemble(labels), rng.normal(size=(n, 2)) + 6 * truth[:, None]


def call(name: str, e: ge.Ensemble, X: np.ndarray) -> ge.Consensus:
    asked = inspect.signature(ROWS[name].function).parameters
    given: dict[str, Any] = {"k": 5, "seed": 0} | ({"X": X} if name == "wce" else {})
    return ROWS[name].function(e, **{key: value for key, value in given.items() if key in asked})


@pytest.mark.parametrize("name", sorted(ROWS))
@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_the_budget_is_kept_or_the_size_said(name: str) -> None:
    call(name, *noisy(60))  # what is loaded and compiled once is not counted
    e, X = noisy(N)
    tracemalloc.start()
    try:
        with ge.memory_budget(BUDGET):
            found = call(name, e, X)
            assert found.confidence.shape == found.labels.shape
    except SizeError as error:
        assert "needs about" in str(error)
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < BUDGET + ASIDE, f"{name} took {peak / 1e6:.1f} MB"
