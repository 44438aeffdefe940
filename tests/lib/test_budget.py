"""The memory budget, and the small checks that every layer shares."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import graphens as ge
from graphens._lib import arrays as _arrays, memory as _memory
from graphens.errors import InputError, SizeError, TypeMismatch
from graphens.families.contract import under_contract
from graphens.families.method import Method

ENV = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (10, 10),
        (2.5e9, 2_500_000_000),
        (1e18, 10**18),
        (np.int64(7), 7),
        ("2 GB", 2 * 10**9),
        ("1.5kib", 1536),
        (" 3 mb ", 3 * 10**6),
        ("1e3", 1000),
        ("0", 0),
    ],
)
def test_sizes(given, wanted):
    assert _memory.parse_size(given) == wanted


@pytest.mark.parametrize(
    "given", ["", "much", "2 PB", "-1", -5, "1..2", None, "GB", "1e400", float("nan"), float("inf")]
)
def test_what_is_no_size(given):
    with pytest.raises(InputError, match="memory budget"):
        _memory.parse_size(given)


def test_budgets_nest_and_end(monkeypatch):
    monkeypatch.setenv("GRAPHENS_MEMORY", "5 GB")
    assert _memory.budget() == 5 * 10**9
    with ge.memory_budget("1 MB"):
        with ge.memory_budget("2 MB"):
            assert _memory.budget() == 2 * 10**6
        assert _memory.budget() == 10**6
        with pytest.raises(SizeError, match=r"needs about 2 MB, but the memory budget is 1 MB\. Do less"):
            _memory.require(2e6, "This", "Do less")
    assert _memory.budget() == 5 * 10**9
    monkeypatch.setenv("GRAPHENS_MEMORY", "plenty")
    with pytest.raises(InputError, match="plenty"):
        _memory.budget()
    monkeypatch.delenv("GRAPHENS_MEMORY")
    monkeypatch.setattr(_memory, "_available", lambda: 0)  # other programs fill the machine
    assert _memory.budget() == 256 * 10**6


def test_size_errors_are_memory_errors():
    with ge.memory_budget(0), pytest.raises(MemoryError):
        _memory.require(1, "This", "Nothing")


@pytest.mark.parametrize("value", [3, np.int8(3), 3.0, np.float32(3)])
def test_whole_numbers(value):
    assert _arrays.as_int("k", value, 1, 3) == 3


@pytest.mark.parametrize(
    "value", [True, np.True_, 2.5, "3", None, [3], np.array([3, 4]), 3 + 0j, float("nan"), float("inf")]
)
def test_what_is_no_whole_number(value):
    with pytest.raises(TypeMismatch, match="k ="):
        _arrays.as_int("k", value, 1)


def test_seeds():
    a, b = (_arrays.generator(5).random() for _ in range(2))
    assert a == b
    own = np.random.default_rng(1)
    assert _arrays.generator(own) is own
    for bad in (-1, 0.5, "seed", True):
        with pytest.raises(ge.GraphensError, match="seed"):
            _arrays.generator(bad)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
@pytest.mark.parametrize("limit", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_the_budget_stays_below_the_limits_of_the_process(limit):
    code = f"""
import resource
import graphens._lib.memory as memory
resource.setrlimit(resource.{limit}, (2 * 10**9, 2 * 10**9))
print(memory.budget())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=ENV)
    assert 0 < int(done.stdout) < 10**9


def test_a_method_without_memory_says_what_to_do():
    def greedy_for_memory(e, k=None, *, seed=None):
        raise MemoryError("Unable to allocate 3 GiB.")

    run = under_contract(Method("greedy_for_memory", greedy_for_memory, needs_k=False))
    with pytest.raises(SizeError, match="of 3 objects in 1 partitions ran out of memory: Unable to allocate 3 GiB; "):
        run([[0], [0], [1]])
