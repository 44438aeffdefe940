"""The seed of the fuzzing slice: another one in every run, shown in the header, the same in all workers."""

from __future__ import annotations

import os
import secrets


def pytest_configure() -> None:
    os.environ.setdefault("GRAPHENS_FUZZ_SEED", str(secrets.randbits(31)))


def pytest_report_header() -> str:
    return f"fuzzing: GRAPHENS_FUZZ_SEED={os.environ['GRAPHENS_FUZZ_SEED']}"
