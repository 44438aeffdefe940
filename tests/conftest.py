"""The seed of the fuzzing slice, another one in every run, shown in the header, the same in all workers; compiling."""

from __future__ import annotations

import os
import secrets


def pytest_configure() -> None:
    from graphens.kernels import _jit

    _jit._BUDGET = 0.5  # tests call every kernel thousands of times: compile sooner than a first call would
    os.environ.setdefault("GRAPHENS_FUZZ_SEED", str(secrets.randbits(31)))


def pytest_report_header() -> str:
    return f"fuzzing: GRAPHENS_FUZZ_SEED={os.environ['GRAPHENS_FUZZ_SEED']}"
