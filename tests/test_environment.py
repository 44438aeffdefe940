"""What a bug report says about the machine, and that it names every package graphens asks for."""

import multiprocessing
import os
import platform
import re
import subprocess
import sys
import tomllib
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

import graphens as ge
from graphens.cli import main
from graphens.environment import PACKAGES

ROOT = Path(__file__).resolve().parents[1]
FOR_DEVELOPERS = {"dev", "docs", "test"}


def test_what_is_installed_is_said() -> None:
    shown = ge.show_versions()
    assert shown["graphens"] == ge.__version__
    assert shown["numpy"] == version("numpy")
    assert str(shown["Python"]).startswith(platform.python_version())
    lines = str(shown).splitlines()
    assert len(lines) == len(shown)
    assert lines[0].split() == ["graphens", ge.__version__]
    assert lines[1].index(str(shown["Python"])) == lines[0].index(ge.__version__)


def test_a_package_that_is_missing_is_said() -> None:
    assert str(ge.Versions({"numpy": "2.0", "polars": None})) == "numpy   2.0\npolars  not installed"


def test_every_package_that_users_may_install_is_listed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].items()
    asked = [*project["dependencies"], *(one for name, extra in extras if name not in FOR_DEVELOPERS for one in extra)]
    names = {re.match(r"[\w-]+", one)[0] for one in asked}  # type: ignore[index]
    assert names - {"graphens"} - set(PACKAGES) == set()


def test_settings_of_the_caller_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHENS_MEMORY", "1 GB")
    shown = ge.show_versions()
    assert shown["GRAPHENS_MEMORY"] == "1 GB"
    assert str(shown["memory"]).endswith("graphens may use 1 GB")


def test_the_command_line_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["versions"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if not line.startswith("memory")] == [
        line for line in str(ge.show_versions()).splitlines() if not line.startswith("memory")
    ]


@pytest.mark.parametrize("how", multiprocessing.get_all_start_methods())
def test_results_come_back_from_processes_however_they_start(how: str) -> None:
    ensembles = [ge.Ensemble(np.random.default_rng(i).integers(0, 4, (200, 6))) for i in (0, 1)]
    expected = [combined(e) for e in ensembles]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(how)) as pool:
        found = list(pool.map(combined, ensembles))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one.labels, other.labels)
        np.testing.assert_array_equal(one.confidence, other.confidence)


def combined(e: ge.Ensemble) -> ge.Consensus:
    return ge.consensus(e, 4, seed=0)


# What only POSIX has; a test on Windows itself would need Windows.
ELSEWHERE = """
import asyncio  # which takes from the system what it finds
import os, pkgutil, importlib, sys
for name in ("fcntl", "resource", "pwd", "grp", "termios", "pty"):
    sys.modules[name] = None
for name in ("fork", "register_at_fork", "sched_getaffinity", "sysconf", "geteuid"):
    delattr(os, name)
import graphens as ge
for module in pkgutil.walk_packages(ge.__path__, "graphens."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(ge.consensus([[0, 0], [0, 0], [1, 1], [1, 0]], k=2, seed=0).labels.tolist())
ge.show_versions()
"""


@pytest.mark.skipif(os.name == "nt", reason="there it is so anyway")
def test_nothing_of_posix_is_needed() -> None:
    said = subprocess.run([sys.executable, "-c", ELSEWHERE], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (said.stdout, said.returncode) == ("[0, 0, 1, 1]\n", 0), said.stderr
