"""Interruption, checkpoints, kills and progress."""

import io
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.cluster import KMeans

import graphens as ge
from graphens.errors import FileError, InputError, Interrupted

ROOT = Path(__file__).resolve().parents[2]
X, _ = ge.datasets.load("blobs", seed=0)


class Stopper:
    """A base that is interrupted at its n-th call, as by Ctrl-C."""

    def __init__(self, at):
        self.at, self.calls = at, 0

    def __call__(self, data, k, seed):
        self.calls += 1
        if self.calls == self.at:
            raise KeyboardInterrupt
        return KMeans(k, n_init=1, random_state=seed).fit_predict(data)


WHOLE = ge.generate(X, 8, k=(3, 6), base=Stopper(0), seed=0)


def test_an_interruption_keeps_what_is_done():
    with pytest.raises(Interrupted, match="after 5 of 8 partitions") as caught:
        ge.generate(X, 8, k=(3, 6), base=Stopper(6), seed=0)
    assert isinstance(caught.value, KeyboardInterrupt)
    assert caught.value.ensemble == WHOLE.take(partitions=range(5))


def test_an_interruption_before_the_first_partition():
    with pytest.raises(Interrupted, match="after 0 of 8") as caught:
        ge.generate(X, 8, k=3, base=Stopper(1))
    assert caught.value.ensemble is None


@pytest.mark.parametrize(
    ("sampling", "seed"), [(None, 0), (None, None), ("bootstrap", 0), ("boosting", 0), ("consistency", None)]
)
def test_a_checkpoint_goes_on(tmp_path, sampling, seed):
    class Stopping(KMeans):
        left = 4

        def fit(self, data, y=None, sample_weight=None):
            Stopping.left -= 1
            if Stopping.left == 0:
                raise KeyboardInterrupt
            return super().fit(data)

    call = {"k": 4, "base": Stopping(n_init=1), "sampling": sampling, "seed": seed, "checkpoint": tmp_path / "e.ckpt"}
    with pytest.raises(Interrupted, match="resumes from"):
        ge.generate(X, 7, **call)
    resumed = ge.generate(X, 7, **call, n_jobs=2)
    assert Stopping.left == -4  # three, the one that was interrupted, and the four that were left
    assert resumed.n_partitions == 7
    again = ge.generate(X, 7, **call)
    assert Stopping.left == -4  # all there: nothing is done again
    assert again == resumed
    if seed is not None:
        assert resumed == ge.generate(X, 7, **(call | {"checkpoint": None}))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"k": (3, 5)}, r"with k = \[3, 6\], but this call has k = \[3, 5\]"),
        ({"n_partitions": 9}, "n_partitions = 8"),
        ({"seed": 1}, "seed = 0"),
        ({"base": "gmm"}, "base = kmeans"),
        ({"base": KMeans(3)}, "base = kmeans"),
        ({"sampling": "features"}, "sampling"),
        ({"sampling": "subsample", "share": 0.5}, "sampling"),
        ({"X": X + 1e-12}, "with X ="),
        ({"X": X.astype(np.float32)}, "float64"),
        ({"representations": ["raw"]}, "representations"),
    ],
)
def test_a_changed_argument_is_refused(tmp_path, change, reason):
    call = {"X": X, "n_partitions": 8, "k": (3, 6), "seed": 0, "checkpoint": tmp_path / "e.ckpt"}
    first = ge.generate(**call)
    with pytest.raises(InputError, match=reason):
        ge.generate(**(call | change))
    assert ge.generate(**call) == first


def test_a_changed_parameter_or_function_is_refused(tmp_path):
    call = {"X": X, "n_partitions": 2, "k": 3, "seed": 0, "checkpoint": tmp_path / "e.ckpt"}
    ge.generate(**call, base=KMeans(max_iter=10))
    with pytest.raises(InputError, match="max_iter"):
        ge.generate(**call, base=KMeans(max_iter=11))
    call["checkpoint"] = tmp_path / "f.ckpt"
    ge.generate(**call, base=lambda data: np.arange(len(data)) % 2)
    with pytest.raises(InputError, match="lambda"):
        ge.generate(**call, base=lambda data: np.arange(len(data)) % 3)


def test_files_that_are_no_checkpoints(tmp_path):
    (tmp_path / "text").write_text("not a database, but long enough to look like one" * 20)
    with pytest.raises(FileError, match="not a checkpoint"):
        ge.generate(X, 2, k=3, checkpoint=tmp_path / "text")
    assert (tmp_path / "text").read_text().startswith("not a database")
    with pytest.raises(FileError, match="does not exist"):
        ge.generate(X, 2, k=3, checkpoint=tmp_path / "nowhere" / "e")
    with pytest.raises(FileError, match="checkpoint"):
        ge.generate(X, 2, k=3, checkpoint=tmp_path)


def test_a_file_in_use_is_refused(tmp_path):
    path = tmp_path / "e.ckpt"
    ge.generate(X, 2, k=3, seed=0, checkpoint=path)
    other = sqlite3.connect(path)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(FileError, match="in use by another process"):
        ge.generate(X, 2, k=3, seed=0, checkpoint=path)
    other.close()
    assert ge.generate(X, 2, k=3, seed=0, checkpoint=path).n_partitions == 2


def test_wrong_arguments_leave_no_file(tmp_path):
    with pytest.raises(InputError):
        ge.generate(X, 2, k=3, sampling="boot", checkpoint=tmp_path / "e.ckpt")
    assert not list(tmp_path.iterdir())


SCRIPT = """
import sys, numpy as np, graphens as ge
X = np.random.default_rng(0).normal(size=(3000, 8))
def say(done, total):
    print("made", done, flush=True)
how = dict(sampling="bootstrap", seed=0, n_jobs=2, progress=say, checkpoint=sys.argv[1])
ge.generate(X, int(sys.argv[2]), k=(5, 9), **how)
"""


def start(path, n_partitions):
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(path), str(n_partitions)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a shell lets what it starts in the background ignore interrupts
        preexec_fn=None if os.name == "nt" else lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def test_killed_and_resumed_it_is_the_same(tmp_path):
    path = tmp_path / "e.ckpt"
    data = np.random.default_rng(0).normal(size=(3000, 8))
    process = start(path, 30)
    assert process.stdout.readline().startswith("made")
    time.sleep(random.uniform(0.0, 0.2))
    process.kill()
    process.communicate(timeout=60)
    finished = ge.generate(data, 30, k=(5, 9), sampling="bootstrap", seed=0, checkpoint=path)
    assert finished == ge.generate(data, 30, k=(5, 9), sampling="bootstrap", seed=0)


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_a_real_ctrl_c_stops_and_keeps(tmp_path):
    path = tmp_path / "e.ckpt"
    process = start(path, 5000)
    while process.stdout.readline() != "made 3\n":
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    # and not a crash of what still ran; from 3.14 on, Python ends by the signal
    assert process.returncode in (1, -signal.SIGINT), err
    assert re.search(r"Interrupted after \d+ of 5000 partitions. The same call resumes from", err)
    assert "KeyboardInterrupt" not in err
    assert "Warning" not in err
    connection = sqlite3.connect(path)
    assert 3 <= connection.execute("SELECT COUNT(*) FROM partitions").fetchone()[0] < 5000
    connection.close()


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Cell(io.StringIO):
    """What a notebook has for standard error, as far as can be told without one."""

    __module__ = "ipykernel.iostream"


def test_the_bar_is_for_terminals_and_notebooks_only(monkeypatch):
    for stream, shown in ((Terminal(), True), (Cell(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        ge.generate(X, 3, k=3, seed=0, progress=True)
        assert ("% clustering 3 times" in stream.getvalue()) is shown
    silent = Terminal()
    monkeypatch.setattr(sys, "stderr", silent)
    ge.generate(X, 3, k=3, seed=0)
    assert silent.getvalue() == ""


def test_progress_as_a_function():
    seen = []
    ge.generate(X, 3, k=3, seed=0, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_one_listener_hears_of_all_work(tmp_path):
    heard = []
    with ge.progress(lambda what, share: heard.append((what, share))):
        ge.generate(X, 2, k=3, seed=0, checkpoint=tmp_path / "kept")
        ge.monti(X, [2, 3], n_partitions=1, seed=0)
    told = [(what, share) for what, share in heard if what.startswith("clustering")]
    steps = [(f"clustering 1 time (step {i} of 2)", 1.0) for i in (1, 2)]
    assert told == [("clustering 2 times", 0.5), ("clustering 2 times", 1.0), *steps]

    def stop(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ge.generate(X, 3, k=3, seed=1, checkpoint=tmp_path / "half", progress=stop)
    heard.clear()
    with ge.progress(lambda what, share: heard.append(what)):
        ge.generate(X, 3, k=3, seed=1, checkpoint=tmp_path / "half")
    assert set(heard) == {"clustering 3 times, resumed"}
