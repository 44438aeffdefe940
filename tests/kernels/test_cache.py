"""Compiled code is cached where a folder can be written, and works where none can."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import graphens as ge
e = ge.Ensemble([[0, 0], [0, 1], [1, 1], [1, 1]])
micro, index = e.collapse()
print(index.tolist(), ge.metagraph(e).n_edges)
"""


def run(cache: Path) -> str:
    env = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", SCRIPT],
        env=env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("usable", [True, False])
def test_with_and_without_a_cache_folder(tmp_path, usable):
    (tmp_path / "file").write_text("no folder")
    cache = tmp_path / "cache" if usable else tmp_path / "file" / "below"  # nothing can be made below a file
    assert run(cache) == "[0, 1, 2, 2] 3"
    assert cache.exists() == usable
    if usable:
        assert list(cache.rglob("*.nbi"))
