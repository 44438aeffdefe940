"""Compiled code is cached where a folder can be written, works where none can, and heals where it is damaged."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from graphens.kernels._cache import to_compile
from graphens.kernels.linking import cut_weight

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import numpy as np
from graphens.kernels.counting import contingency
a = np.array([0, 0, 1, 1, 2], dtype=np.uint8)
table = contingency.compiled(a, a, 3, 3)
assert table.tolist() == contingency.plain(a, a, 3, 3).tolist()
print(type(contingency.compiled._cache).__name__, *contingency.compiled.stats.cache_hits.values())
"""
FORK = """
import os, threading, time
import numpy as np, graphens as ge
E = ge.Ensemble(np.random.default_rng(0).integers(0, 3, (30, 6)))
first = threading.Thread(target=lambda: (ge.eac(E, 2), ge.lwgp(E, 2, seed=0)))
first.start()
hung = 0
for _ in range(12):
    child = os.fork()
    if not child:
        ge.lwgp(ge.Ensemble([[0, 0], [0, 1], [1, 1], [1, 0]]), 2, seed=0)
        os._exit(0)
    end = time.monotonic() + 60
    while time.monotonic() < end and not os.waitpid(child, os.WNOHANG)[0]:
        time.sleep(0.01)
    if time.monotonic() >= end:
        os.kill(child, 9)
        hung += 1
    time.sleep(0.1)
first.join()
print(hung, "hung")
"""


def run(folder: Path, script: str = SCRIPT, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", script],
        env=os.environ | {"PYTHONPATH": str(folder)} | env,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout.strip()


def test_with_a_cache_folder(tmp_path):
    assert run(ROOT, NUMBA_CACHE_DIR=str(tmp_path)) == "_Cache"
    assert run(ROOT, NUMBA_CACHE_DIR=str(tmp_path)) == "_Cache 1"


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_cache_heals(tmp_path, monkeypatch, ending):
    """Cut short, with one bit turned in the middle, or something else altogether."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    _hits()
    (path,) = tmp_path.rglob(f"*.{ending}")
    good = path.read_bytes()
    middle = len(good) // 2
    for bad in (good[:-50], good[:middle] + bytes([good[middle] ^ 4]) + good[middle + 1 :], b""):
        assert _hits() == 1
        path.write_bytes(bad)
        assert _hits() == 0


def _hits() -> int:
    """How often a fresh process would find `cut_weight` on disk: once or never."""
    compiled = to_compile(cut_weight.function)
    ones = np.ones(2, dtype=np.int64)
    assert compiled(np.array([0, 1, 1]), ones, np.ones(1), np.arange(2)) == 1.0
    return sum(compiled.stats.cache_hits.values())


def test_where_no_folder_can_be_written(tmp_path):
    """Every place for a cache lies below a file, which stops root too."""
    shutil.copytree(ROOT / "graphens", tmp_path / "graphens", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "graphens" / "kernels" / "__pycache__").write_text("a file")
    blocked = str(tmp_path / "graphens" / "py.typed" / "below")
    places = dict.fromkeys(("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"), blocked)
    assert run(tmp_path, **places) == "NullCache"


def test_a_terminal_hears_of_compiling(tmp_path):
    """Once, and only where standard error is a terminal; elsewhere `run` sees to it that nothing is said."""
    master, slave = pty.openpty()
    env = os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run(
        [sys.executable, "-c", SCRIPT], env=env, stdout=subprocess.PIPE, stderr=slave, timeout=240, check=True
    )
    os.close(slave)
    assert os.read(master, 10_000).decode().count("compiles") == 1
    os.close(master)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_during_a_first_call(tmp_path):
    assert run(ROOT, FORK, NUMBA_CACHE_DIR=str(tmp_path)) == "0 hung"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_lock_may_be_kept_while_another_thread_forks():
    """The hooks after a fork are those known by then, those before it may be fewer."""
    script = """
import os, threading
from graphens._work import keep_through_forks
lock = threading.RLock()
os.register_at_fork(before=lambda: keep_through_forks(lock))
child = os.fork()
assert lock.acquire(blocking=False)
if not child:
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""
    assert run(ROOT, script) == "0"
