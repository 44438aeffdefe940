"""What all tests share: when kernels are compiled, and the seed of the fuzzing slice.

The seed is the same in every run; set GRAPHENS_FUZZ_SEED to try another one.
"""

import os
import sys
from collections.abc import Iterator

import pytest


def pytest_configure() -> None:
    os.environ.setdefault("GRAPHENS_FUZZ_SEED", "763214714")


def pytest_report_header() -> str:
    return f"fuzzing: GRAPHENS_FUZZ_SEED={os.environ['GRAPHENS_FUZZ_SEED']}"


@pytest.fixture(scope="session", autouse=True)
def _compiled_sooner() -> Iterator[None]:
    """Tests call every kernel thousands of times: compile sooner than somebody's first call would."""
    from graphens.kernels import _jit

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_jit, "_BUDGET", 0.5)
        yield


@pytest.fixture(autouse=True)
def _closed_figures() -> Iterator[None]:
    """Figures of pyplot stay open until they are closed, and too many are a warning."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
