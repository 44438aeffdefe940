"""What a bug report says about the machine, and that it names every package graphens asks for."""

from __future__ import annotations

import platform
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

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
    asked = [
        *project["dependencies"],
        *(one for name, extra in extras if name not in FOR_DEVELOPERS for one in extra),
    ]
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
