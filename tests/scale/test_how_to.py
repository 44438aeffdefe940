"""docs/scale.md runs: its Python blocks print what it says, and its commands start a cluster that answers."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import graphens as ge
from graphens.cli import main

distributed = pytest.importorskip("distributed")

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "scale.md"


@pytest.mark.slow
def test_the_two_commands_start_a_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("labels.npy", np.repeat(np.eye(3, dtype=int), 50, axis=0))
    commands = re.findall(r"^dask (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(commands) == 2
    scheduler, started = "tcp://127.0.0.1:8786", []
    try:
        started += [subprocess.Popen([sys.executable, "-m", "dask", *shlex.split(command)]) for command in commands]
        with distributed.Client(scheduler, timeout="60s", set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        done = main(["consensus", "labels.npy", "-k", "3", "--scheduler", scheduler, "-o", "out", "--seed", "0"])
        assert done == 0
        expected = ge.lwgp(np.load("labels.npy"), 3, seed=0).labels
        found = ge.scale.consensus(ge.scale.scan("labels.npy"), 3, out="out", seed=0)
        assert found.labels.tolist() == expected.tolist()
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait()
