"""Terminals get colors, their own width and progress; files and pipes get plain lines."""

import io
import logging
import sys

import numpy as np
import pytest

import graphens as ge
from graphens._lib.progress import ProgressLine
from graphens.cli import COMMANDS, main
from graphens.cli._progress import shown_progress
from graphens.cli._screen import complain, note
from graphens.cli._tables import show


class Terminal(io.StringIO):
    encoding = "utf-8"  # type: ignore[assignment]

    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> tuple[Terminal, Terminal]:
    """Standard output and error as terminals of 60 columns, from inside a test: pytest sets its own before it."""
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "60")
    streams = Terminal(), Terminal()
    monkeypatch.setattr(sys, "stdout", streams[0])
    monkeypatch.setattr(sys, "stderr", streams[1])
    return streams


def test_tables_fit_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    monkeypatch.setenv("NO_COLOR", "1")
    for command in ("methods", "partitioners"):
        assert main([command]) == 0
    lines = terminal[0].getvalue().splitlines()
    assert max(map(len, lines)) <= 60
    assert "\x1b" not in terminal[0].getvalue()
    words = terminal[0].getvalue().split()
    assert {row.name for row in ge.methods()} <= set(words)


def test_colors_on_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    assert main(["methods"]) == 0
    assert main(["methods", "nope"]) == 2
    assert "\x1b[1m" in terminal[0].getvalue()
    assert "\x1b[31mgraphens:\x1b[0m" in terminal[1].getvalue()
    monkeypatch.setattr(sys, "stdout", plain := io.StringIO())
    assert main(["methods"]) == 0
    assert "\x1b" not in plain.getvalue()
    assert len(plain.getvalue().splitlines()) == len(ge.methods()) + 3  # a row is a line: grep finds it whole


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_has_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert f"\n  graphens {name}" in capsys.readouterr().out


def without_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cli._progress._PATIENCE", "_lib.progress._PAUSE"):
        monkeypatch.setattr(f"graphens.{name}", {True: 0.0, False: 0.0})


def test_progress_waits_and_vanishes(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    line = ProgressLine(screen, 2.0)
    line("spanning forest", 0.5)
    line.clear()
    assert screen.getvalue() == ""
    without_patience(monkeypatch)
    line = ProgressLine(screen, terminal=True)
    line("spanning forest", 0.5)
    assert screen.getvalue().endswith("[" + "#" * 15 + "." * 15 + "]  50% spanning forest")
    line.clear()
    assert screen.getvalue().endswith("\r\x1b[K")


def test_progress_takes_one_row_of_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    without_patience(monkeypatch)
    monkeypatch.setenv("COLUMNS", "30")
    screen = Terminal()
    ProgressLine(screen, terminal=True)("spanning forest", 0.5)
    assert len(screen.getvalue().removeprefix("\r\x1b[K")) < 30


def test_the_time_left_has_room_on_an_ordinary_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    without_patience(monkeypatch)
    now = 0
    monkeypatch.setattr("graphens._lib.progress.monotonic", lambda: now)
    monkeypatch.setenv("COLUMNS", "80")
    screen = Terminal()
    line, what = ProgressLine(screen, terminal=True), "reading all rows: pairs of clusters (pass 2 of 5)"
    line(what, 0.25)
    now = 60
    line(what, 0.5)
    assert screen.getvalue().endswith(f"[######.....]  50% {what}, 2:00 left")


def test_progress_without_a_function_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with ge.progress():
        work()
    assert capsys.readouterr().err.startswith("graphens: linking objects, ")
    work()
    assert capsys.readouterr().err == ""


def work() -> None:
    ge.coassociation(np.zeros((5, 2), dtype=int)).spanning_forest()


def test_short_work_is_silent_in_logs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("GRAPHENS_PROGRESS", "on")
    with shown_progress():
        work()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("switch", ["", "off", "0"])
def test_long_work_tells_logs_unless_silenced(
    switch: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_patience(monkeypatch)
    monkeypatch.setenv("GRAPHENS_PROGRESS", switch)
    with shown_progress():
        work()
    said = capsys.readouterr()
    assert said.err == ("" if switch else "graphens: linking objects, 100%\n")
    assert said.out == ""


def test_logs_hear_at_most_every_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0
    monkeypatch.setattr("graphens._lib.progress.monotonic", lambda: now)
    log = io.StringIO()
    line = ProgressLine(log, 5.0, terminal=False)
    for second in range(40):
        now = second
        line("runs", second / 40)
        line("a part of each run", 0.5)  # what is told in between does not count as a new beginning
    shown = [line for line in log.getvalue().splitlines() if "runs" in line]
    assert shown == [
        f"graphens: runs, 0:{left:02d} left, {share}%" for left, share in ((35, 12), (25, 38), (15, 62), (5, 88))
    ]


def test_many_lifetimes_do_not_flood_the_screen() -> None:
    X = np.random.default_rng(0).random((200, 2))
    found = ge.link(ge.coassociation(ge.generate(X, 10, k=(10, 40), seed=0)), "average").lifetimes()
    assert isinstance(found, dict)
    assert len(found) > 50
    assert len(repr(found)) < 150
    assert repr(type(found)({1: 0.5, 2: 0.5})) == "{1: 0.5, 2: 0.5}"


def test_what_the_library_logs_fits_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    assert main(["partitioners"]) == 0
    logging.getLogger("graphens").warning("long " * 30)
    assert max(map(len, terminal[1].getvalue().splitlines())) <= 60


def test_columns_without_a_word_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    show({"method": ["eac", "vote"], "k": [3, None], "same_as": ["", ""], "note": ["", "slow"]}, None)
    assert capsys.readouterr().out.split("\n")[0].split() == ["method", "k", "note"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("All are in one; to divide them anyway, set k, for example 4.", "anyway, use -k 4."),
        ("k = 4 was requested; the result has 3.", "-k 4 was requested"),
        ("Give k, or try another method.", "Give -k, or"),
        ("With symmetrize=True (--symmetrize), directions", "With --symmetrize, directions"),
        ("leave it out, or make it the index (on the command line: use --id).", "out, or use --id."),
        ("features, start with generate(X) (on the command line: use graphens cluster).", ", use graphens cluster."),
        ("separator as delimiter=… (on the command line: --delimiter).", "separator as --delimiter."),
        ("Give partitioner='spectral' to avoid this", "Give --partitioner spectral to"),
        ("Use aggregate(), whose local search", "Use --method aggregate, whose"),
        ("the same objects. Add new ones with objects=… (--add-objects).", "new ones with --add-objects."),
        ("r.assign() places new objects.", "graphens assign places"),
    ],
)
def test_messages_name_options_and_commands(text: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    complain(text)
    note(text)
    assert capsys.readouterr().err.count(shown) == 2
