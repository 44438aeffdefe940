"""Compiled code is cached where a folder can be written, works where none can, and heals where it is damaged."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import graphens as ge
from graphens.kernels import _store
from graphens.kernels._cache import to_compile
from graphens.kernels.linking import cut_weight

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(ge.__file__).parent
SCRIPT = """
import numpy as np
from graphens.kernels.counting import contingency
a = np.array([0, 0, 1, 1, 2], dtype=np.uint8)
table = contingency.compiled(a, a, 3, 3)
assert table.tolist() == contingency.plain(a, a, 3, 3).tolist()
print(*contingency.compiled.stats.cache_hits.values())
"""
FORK = """
import os, threading, time, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # what Python says of forks beside threads
import numpy as np
from graphens.kernels import _cache
from graphens.kernels.counting import contingency
a = np.zeros(9, dtype=np.uint8)
first = threading.Thread(target=contingency.compiled, args=(a, a, 1, 1))
first.start()
hung = 0
for _ in range(12):
    child = os.fork()
    if not child:
        contingency.compiled(a, a, 1, 1)
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
# importing `slow` ends when a fork has returned, or after some seconds without one
IMPORTING = """
import os, sys, threading, warnings
warnings.simplefilter("ignore", DeprecationWarning)
import graphens as ge
sys.begun, sys.forked = threading.Event(), threading.Event()
thread = threading.Thread(target=__import__, args=("slow",))
thread.start()
sys.begun.wait()
if not os.fork():
    os._exit(0)
sys.forked.set()
thread.join()
print(sys.modules["slow"].in_time)
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


def copy_to(folder: Path) -> Path:
    """A copy of the package, with the times of now and without anything compiled."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, folder / "graphens", ignore=ignored, copy_function=shutil.copyfile)
    return folder


def test_times_leave_out_compiling_and_reading_compiled_code(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    for hits in range(2):
        before = _store.compile_seconds
        assert _hits() == hits
        assert _store.compile_seconds > before


@pytest.mark.slow
def test_two_processes_compile_at_once_while_a_third_is_killed(tmp_path):
    env = {"NUMBA_CACHE_DIR": str(tmp_path)}
    killed = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], env=os.environ | {"PYTHONPATH": str(ROOT)} | env, stdout=subprocess.PIPE
    )
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(run, ROOT, **env) for _ in range(2)]
        with suppress(subprocess.TimeoutExpired):
            killed.communicate(timeout=1.0)
        killed.kill()
        killed.wait()
        assert {one.result() for one in both} <= {"", "1"}
    assert run(ROOT, **env) == "1"


@pytest.mark.slow
def test_a_copy_of_the_package_finds_what_another_compiled(tmp_path):
    """Times, places and reinstallations do not matter."""
    assert run(ROOT, NUMBA_CACHE_DIR=str(tmp_path / "cache")) == ""
    folder = copy_to(tmp_path / "copy")
    assert run(folder, NUMBA_CACHE_DIR=str(tmp_path / "cache")) == "1"
    # as in a container whose files belong to another user: beside the package, and nothing can be written
    beside = folder / "graphens" / "kernels" / "__pycache__"
    shutil.copytree(tmp_path / "cache" / "graphens", beside, dirs_exist_ok=True)
    blocked = str(folder / "graphens" / "py.typed" / "below")
    assert run(folder, **dict.fromkeys(("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"), blocked)) == "1"


def test_a_kernel_whose_helper_in_another_file_changed_is_compiled_anew(tmp_path):
    """Even where the file's time and size are as before: `find_root` is compiled into `connect_clusters`."""
    script = """
import numpy as np
from graphens.kernels.counting import connect_clusters as kernel
parent = np.arange(3)
codes = np.zeros((1, 2), dtype=np.uint8)
kernel.compiled(codes, np.array([0, 3]), 255, np.ones(3, dtype=np.bool_), parent)
print(*parent, *kernel.compiled.stats.cache_hits.values())
"""
    folder, env = copy_to(tmp_path), {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert run(folder, script, **env) == "0 1 2"
    path = folder / "graphens" / "kernels" / "linking.py"
    before, text = path.stat(), path.read_text()
    path.write_text(text.replace("        i = parent[i]\n    return i\n", "        i = parent[i]\n    return 2\n"))
    os.utime(path, (before.st_atime, before.st_mtime))
    assert path.stat().st_size == before.st_size
    shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)  # Python's own cache goes by time and size
    assert run(folder, script, **env) == "2 2 2"


def test_a_damaged_cache_heals(tmp_path, monkeypatch):
    """Cut short, with one bit turned in the middle, or something else altogether."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    _hits()
    (path,) = tmp_path.rglob("*.bin")
    good = path.read_bytes()
    middle = len(good) // 2
    for bad in (good[:-50], good[:middle] + bytes([good[middle] ^ 4]) + good[middle + 1 :], b""):
        assert _hits() == 1
        path.write_bytes(bad)
        assert _hits() == 0


def _hits() -> int:
    """How often a fresh process would find `cut_weight` on disk: once or never."""
    compiled = to_compile("linking.cut_weight", cut_weight.function)
    ones = np.ones(2, dtype=np.int64)
    assert compiled(np.array([0, 1, 1]), ones, np.ones(1), np.arange(2)) == 1.0
    return sum(compiled.stats.cache_hits.values())


def test_where_no_folder_can_be_written(tmp_path):
    """Every place for a cache lies below a file, which stops root too."""
    copy_to(tmp_path)
    (tmp_path / "graphens" / "kernels" / "__pycache__").write_text("a file")
    blocked = str(tmp_path / "graphens" / "py.typed" / "below")
    places = dict.fromkeys(("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"), blocked)
    assert run(tmp_path, **places) == ""


def test_without_a_home(tmp_path, monkeypatch):
    """The folder beside the package is left."""

    def homeless(self: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", homeless)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert _store.places() == [PACKAGE / "kernels" / "__pycache__"]


def test_the_oldest_folders_make_room(tmp_path, monkeypatch):
    monkeypatch.setattr(_store, "_MOST", 3)
    names = ["".join(f"{n:x}" * 16) + "-" + "0" * 16 for n in range(4)]
    monkeypatch.setattr(_store, "places", lambda: [tmp_path])
    for age, name in enumerate(names[:3]):
        _store.write_code(name, "a.b-c.bin", b"code")
        os.utime(tmp_path / name, (1e9 + age, 1e9 + age))
    (tmp_path / "not-ours").mkdir()
    _store.write_code(names[3], "a.b-c.bin", b"code")
    assert sorted(path.name for path in tmp_path.iterdir()) == [*names[1:], "not-ours"]


def test_a_terminal_hears_of_compiling_and_without_a_setting_the_cache_is_the_users(tmp_path):
    """Once, and only where standard error is a terminal; elsewhere `run` sees to it that nothing is said."""
    master, slave = pytest.importorskip("pty").openpty()
    env = os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": str(tmp_path)}
    subprocess.run(
        [sys.executable, "-c", SCRIPT], env=env, stdout=subprocess.PIPE, stderr=slave, timeout=240, check=True
    )
    os.close(slave)
    assert os.read(master, 10_000).decode().count("compiles") == 1
    os.close(master)
    assert list(tmp_path.glob("graphens/*/counting.contingency-*.bin"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_during_a_first_call(tmp_path):
    assert run(ROOT, FORK, NUMBA_CACHE_DIR=str(tmp_path)) == "0 hung"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_does_not_wait_for_imports(tmp_path):
    (tmp_path / "slow.py").write_text("import sys\nsys.begun.set()\nin_time = sys.forked.wait(8)\n")
    assert run(tmp_path, IMPORTING, PYTHONPATH=os.pathsep.join([str(ROOT), str(tmp_path)])) == "True"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_lock_may_be_kept_while_another_thread_forks():
    """The hooks after a fork are those known by then, those before it may be fewer."""
    script = """
import os, threading
from graphens._lib.threads import keep_through_forks
lock = threading.RLock()
os.register_at_fork(before=lambda: keep_through_forks(lock))
child = os.fork()
assert lock.acquire(blocking=False)
if not child:
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""
    assert run(ROOT, script) == "0"
