"""`graphens warm` compiles everything that real calls use, once, where all users find it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import graphens as ge
from graphens.cli import main
from graphens.errors import FileError, InputError
from graphens.kernels import _store

ROOT = Path(ge.__file__).parents[1]
REAL = """
import warnings
import networkx as nx
import numpy as np
import graphens as ge
from graphens.kernels import _store
from graphens.kernels._jit import compiling_at_once

warnings.simplefilter("ignore")
_store.write = lambda folder, name, data: print("compiled", name)
rng = np.random.default_rng(1)
truth = rng.integers(0, 5, 90)
full = np.where(rng.random((90, 8)) < 0.3, rng.integers(0, 7, (90, 8)), truth[:, None])
gaps = np.where(rng.random((90, 8)) < 0.1, -1, full)
with compiling_at_once():
    for labels in (full, gaps):
        X = rng.normal(size=(90, 2))
        for row in ge.methods():
            if row.name != "exact_median":
                options = {"X": X} if row.name == "wce" else {}
                r = ge.consensus(labels, 4, method=row.name, seed=0, **options)
                r.confidence, r.membership, r.explain(1)
        ge.consensus(np.tile(labels, (60, 1)), 4, seed=0).confidence
        r = ge.consensus(labels, seed=0)
        r.assign(labels[:5])
        ge.compare(labels, 4, seed=0)
        ge.choose_k(labels, range(2, 6), seed=0)
        ge.modes(labels, seed=0)
        ge.select(labels, 4)
        ge.clustree(labels)
        for kind in ("single", "average", "complete", "normalized-edges"):
            ge.link(ge.coassociation(labels), kind)
    ge.communities(nx.karate_club_graph(), seed=0).confidence
"""


def test_check_says_what_is_missing(tmp_path, monkeypatch, capsys):
    with _store.all_in(tmp_path):
        with pytest.raises(FileError, match=r"Not everything is compiled.*graphens warm"):
            ge.warm(check=True)
        assert main(["warm", "--check"]) == 2
        assert "graphens warm" in capsys.readouterr().err
        folder = _folder(tmp_path)
        _store.write(folder.name, "a.b-c.bin", b"code")
        _store.write(folder.name, "complete", b"a.b-c.bin\na.d-e.bin")
        with pytest.raises(FileError, match="1 of 2 compiled functions"):
            ge.warm(check=True)
        _store.write(folder.name, "a.d-e.bin", b"code")
        assert ge.warm(check=True) == ge.warm() == folder
        (folder / "a.d-e.bin").write_bytes(b"damaged")
        with pytest.raises(FileError, match="1 of 2 compiled functions"):
            ge.warm(check=True)


def _folder(place: Path) -> Path:
    from graphens.kernels._cache import folder

    return place / folder()


def test_where_nothing_can_be_compiled_or_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(_store, "common_place", lambda: None)
    with _store.all_in(tmp_path), pytest.raises(FileError, match="NUMBA_CACHE_DIR"):
        ge.warm()
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with pytest.raises(InputError, match="NUMBA_DISABLE_JIT"):
        ge.warm()


@pytest.mark.slow
@pytest.mark.timeout(1800)  # compiles everything
def test_after_warming_a_fresh_process_compiles_nothing(tmp_path):
    env = os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path)}
    for code in ("import graphens; graphens.warm()", REAL):
        done = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=1500, check=False
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout == ""
