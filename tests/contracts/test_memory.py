"""Every method keeps within the memory budget or says how much it would need.

Outside the budget are the ensemble, the answer, and Python's own small objects: `ASIDE`.
"""

import gc
import inspect
import tracemalloc
from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens.errors import SizeError
from graphens.kernels import _jit

ROWS = {row.name: row for row in ge.methods()}
N = 320  # a matrix of all pairs of objects takes 0.8 MB
BUDGET, ASIDE = 2e5, 5.5e5  # bytes
#: one of each way to work in the test command, all of them with -m slow
QUICK = {"cspa", "cumulative", "eac", "hne", "leiden", "lwgp", "mcla", "pta"}


def noisy(n: int) -> tuple[ge.Ensemble, np.ndarray]:
    """Nearly distinct rows, as is hard on memory, and features."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 5, n)
    labels = np.where(rng.random((n, 6)) < 0.4, rng.integers(0, 12, (n, 6)), truth[:, None])
    return ge.Ensemble(labels), rng.normal(size=(n, 2)) + 6 * truth[:, None]


def call(name: str, e: ge.Ensemble, X: np.ndarray) -> str:
    """Run a method and what belongs to its answer; return why it was refused."""
    asked = inspect.signature(ROWS[name].function).parameters
    given: dict[str, Any] = {"k": 5, "seed": 0} | ({"X": X} if name == "wce" else {})
    try:
        with ge.memory_budget(BUDGET):
            found = ROWS[name].function(e, **{key: value for key, value in given.items() if key in asked})
            assert len(found.confidence) == e.n_objects
    except SizeError as error:
        return str(error)
    return ""


def traced(name: str) -> tuple[str, int]:
    """Run a method on a new ensemble; return why it was refused, and the most memory that it took."""
    e, X = noisy(N)
    gc.collect()
    tracemalloc.start()
    try:
        return call(name, e, X), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in sorted(ROWS)]
)
@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_the_budget_is_kept_or_the_size_is_said(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    call(name, *noisy(N))  # what is loaded and compiled once is not counted
    monkeypatch.setattr(_jit, "_BUDGET", np.inf)  # nor compiled while memory is traced, which takes minutes
    monkeypatch.setattr(_jit, "_CACHED", np.inf)
    said, most = traced(name)
    if most >= BUDGET + ASIDE:  # garbage may be left
        said, most = traced(name)
    assert most < BUDGET + ASIDE, f"{name} took {most / 1e6:.1f} MB"
    assert not said or "needs about" in said or "at most" in said


@pytest.mark.parametrize("name", ["leiden", "wce", "ibgf"])
def test_nothing_large_without_any_budget(name: str) -> None:
    e, X = noisy(300)
    with ge.memory_budget(0), pytest.raises(SizeError, match="needs about"):
        ROWS[name].function(e, k=5, **({"X": X} if name == "wce" else {}))


@pytest.mark.parametrize("name", ["vote", "bagclust1", "mlmap", "combine"])
@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_tables_of_many_clusters_are_refused_before_they_are_made(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_jit, "_BUDGET", np.inf)
    monkeypatch.setattr(_jit, "_CACHED", np.inf)
    fine = np.random.default_rng(0).permuted(np.repeat(np.arange(600)[:, None], 4, axis=1).repeat(2, 0), axis=0)
    e = ge.Ensemble(fine)  # 2,400 clusters: the overlaps with one partition take 11 MB
    with ge.memory_budget(5e6), pytest.raises(SizeError, match="needs about"):
        ROWS[name].function(e, k=5)
    tracemalloc.start()
    try:
        with ge.memory_budget(5e6), pytest.raises(SizeError):
            ROWS[name].function(ge.Ensemble(fine), k=5)
        assert tracemalloc.get_traced_memory()[1] < 1.1e7  # not even the first table
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["mcla", "cbgf"])
@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_groups_of_many_clusters_are_refused_before_objects_compete(name: str) -> None:
    fine = np.random.default_rng(0).integers(0, 300, (1500, 3))
    with ge.memory_budget(8e6), pytest.raises(SizeError, match=r"1500 objects × 300 clusters needs about"):
        ROWS[name].function(ge.Ensemble(fine), k=300, seed=0)
    with ge.memory_budget(8e6):
        assert ROWS[name].function(ge.Ensemble(fine), k=5, seed=0).k == 5
