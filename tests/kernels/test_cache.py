"""Compiled code is cached where a folder can be written, and works where none can."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import graphens as ge
from graphens.kernels.counting import contingency
g = ge.metagraph(ge.Ensemble([[0, 0], [0, 1], [1, 1], [1, 1]]))
print(g.n_edges, type(contingency._cache).__name__)
"""


def run(folder: Path, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", SCRIPT],
        env=os.environ | {"PYTHONPATH": str(folder)} | env,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_with_a_cache_folder(tmp_path):
    assert run(ROOT, NUMBA_CACHE_DIR=str(tmp_path / "cache")) == "3 FunctionCache"
    assert list((tmp_path / "cache").rglob("*.nbi"))


def test_where_no_folder_can_be_written(tmp_path):
    """Every place for a cache lies below a file, which stops root too."""
    shutil.copytree(ROOT / "graphens", tmp_path / "graphens", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "graphens" / "kernels" / "__pycache__").write_text("a file")
    blocked = str(tmp_path / "graphens" / "py.typed" / "below")
    places = dict.fromkeys(("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"), blocked)
    assert run(tmp_path, **places) == "3 NullCache"
