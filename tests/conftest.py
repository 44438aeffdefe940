"""What all tests share: when kernels are compiled, and the seed of the fuzzing slice.

The seed is another one in every run, shown in the header, the same in all workers.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator

import pytest


def pytest_configure() -> None:
    os.environ.setdefault("GRAPHENS_FUZZ_SEED", str(secrets.randbits(31)))


def pytest_report_header() -> str:
    return f"fuzzing: GRAPHENS_FUZZ_SEED={os.environ['GRAPHENS_FUZZ_SEED']}"


@pytest.fixture(scope="session", autouse=True)
def _compiled_sooner() -> Iterator[None]:
    """Tests call every kernel thousands of times: compile sooner than somebody's first call would."""
    from graphens.kernels import _jit

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_jit, "_BUDGET", 0.5)
        yield
