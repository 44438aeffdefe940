"""The Tab key offers commands, options and the words that options take."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import graphens as ge
from graphens.cli import COMMANDS
from graphens.cli._completion import completing

argcomplete = pytest.importorskip("argcomplete")


def offered(line: str) -> set[str]:
    finder = argcomplete.CompletionFinder(completing(COMMANDS), always_complete_options=False)
    _, prefix, _, words, _ = argcomplete.split_line(line, len(line))
    return {word.strip() for word in finder._get_completions(words, prefix, "", None)}


def test_commands_and_options() -> None:
    assert set(COMMANDS) <= offered("graphens ")
    assert offered("graphens com") == {"communities", "compare"}
    assert {"--seed", "--method", "--out-of-core"} <= offered("graphens consensus --")
    assert offered("graphens consensus --me") == {"--method", "--membership"}


def test_words_that_options_take() -> None:
    assert {row.name for row in ge.methods()} | {"auto"} <= offered("graphens consensus a.csv --method ")
    assert offered("graphens consensus a.csv --method lw") == {"lwea", "lwgp"}
    assert offered("graphens methods hb") == {"hbgf"}
    assert "spectral" in offered("graphens cluster a.csv --partitioner s")
    assert offered("graphens choose a.csv --rule li") == {"lifetime"}
    assert "bipartite" in offered("graphens export a.csv --graph ")
    assert offered("graphens generate a.csv --base mini") == {"minibatch"}
    assert offered("graphens communities a.csv --base lab") == {"label-propagation"}


def test_words_after_a_comma() -> None:
    assert offered("graphens compare a.csv --methods eac,mc") == {"eac,mcla"}


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "labels.csv").write_text("a\n1\n")
    monkeypatch.chdir(tmp_path)
    assert offered("graphens consensus lab") == {"labels.csv"}


def test_the_program_answers_the_shell(tmp_path: Path) -> None:
    line = "graphens expla"
    answer = tmp_path / "answer"
    shell = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\v"}
    done = subprocess.run(
        [sys.executable, "-m", "graphens"],
        env=os.environ | shell | {"_ARGCOMPLETE_STDOUT_FILENAME": str(answer)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert answer.read_text().strip() == "explain"
