"""The worked example, as a newcomer sees it."""

import csv
import shlex
import sys
from pathlib import Path

import networkx as nx
import pytest

from graphens.cli import main
from graphens.cli._screen import command
from graphens.cli.demo import FILES


@pytest.fixture
def demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[Path, str]:
    assert main(["demo", "-o", str(tmp_path / "new" / "place")]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    return tmp_path / "new" / "place", shown.out


def test_it_shows_what_it_writes_and_fits_the_screen(demo: tuple[Path, str]) -> None:
    folder, shown = demo
    rows = [line.split() for line in shown.splitlines()]
    objects = {row[0]: row[1:] for row in rows if len(row) == 7 and row[0].startswith("x")}
    labels = zip("1112233", "2223311", "3322111", "AAABBCC", strict=True)
    assert {name: row[:4] for name, row in objects.items()} == {f"x{i}": list(row) for i, row in enumerate(labels, 1)}
    with open(folder / "clusters.csv", newline="") as file:
        table = {row["object"]: float(row["confidence"]) for row in csv.DictReader(file)}
    graph = nx.read_graphml(folder / "coassociation.graphml")
    vertices = {node["name"]: node["confidence"] for _, node in graph.nodes(data=True)}
    assert {name: row[4] for name, row in objects.items()} == {name: f"{sure:.2f}" for name, sure in table.items()}
    assert table == pytest.approx(vertices, abs=1e-6)
    assert "The dotted line is the cut" in shown
    assert max(len(line) for line in shown.splitlines() if str(folder) not in line) <= 100
    assert {path.name for path in folder.iterdir()} == set(FILES)
    assert all(name in shown for name in [*FILES, str(folder)])


def test_what_somebody_else_wrote_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["demo", "-o", str(tmp_path)]
    (tmp_path / "labels.csv").write_text("mine")
    assert main(command) == 2
    assert "a different labels.csv" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["labels.csv"]
    assert (tmp_path / "labels.csv").read_text() == "mine"
    assert main([*command, "--overwrite"]) == 0
    assert main(command) == 0
    assert {path.name for path in tmp_path.iterdir()} == set(FILES)


def test_the_command_it_suggests_works(demo: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = f"  {command()} "
    suggestions = [shlex.split(line[len(begin) :]) for line in demo[1].splitlines() if line.startswith(begin)]
    assert len(suggestions) == 2
    monkeypatch.chdir(tmp_path)
    for words in suggestions:
        assert main(words) == 0
    assert (tmp_path / "meta.gexf").exists()


def test_commands_are_shown_as_the_reader_can_copy_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(sys, "orig_argv", ["my env/python", "-m", "graphens"])
    shown = {}
    for given in (".venv/bin/graphens", "my env/graphens", "graphens/__main__.py", "pytest"):
        monkeypatch.setattr(sys, "argv", [given])
        shown[given] = command()
    assert shown == {
        ".venv/bin/graphens": ".venv/bin/graphens",
        "my env/graphens": "'my env/graphens'",
        "graphens/__main__.py": "'my env/python' -m graphens",
        "pytest": "'my env/python' -m graphens",
    }
    on_path = tmp_path / "bin" / "graphens"
    on_path.parent.mkdir()
    on_path.touch(mode=0o755)
    for given, wanted in ((str(on_path), "graphens"), (".venv/bin/graphens", ".venv/bin/graphens")):
        monkeypatch.setattr(sys, "argv", [given])
        assert command() == wanted


def test_a_directory_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken").write_text("a file")
    assert main(["demo", "-o", str(tmp_path / "taken")]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "cannot be created" in shown.err
