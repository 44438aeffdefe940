"""What all commands share: help, version, errors in one line, pipes that close early, quick starts."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import graphens as ge
from graphens.cli import COMMANDS, main

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("numba", "sklearn", "networkx", "igraph", "pymetis", "pandas", "polars", "pyarrow", "matplotlib")


def graphens(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "GRAPHENS_PROGRESS": "off", **options.pop("env", {})}  # type: ignore[dict-item]
    given = {"capture_output": True, "text": True, "timeout": 120, "check": False, **options}
    return subprocess.run([sys.executable, "-m", "graphens", *arguments], env=environment, **given)  # type: ignore[call-overload, no-any-return]


def heed_interrupts() -> None:
    """A shell lets what it starts in the background ignore them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"graphens {ge.__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_help_names_every_command(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert all(re.search(rf"^    {name}\b", shown, re.MULTILINE) for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_in_ascii_that_fits_80_columns(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.isascii()
    assert [line for line in shown.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize(
    "arguments", [["no-such-command"], ["demo", "--no-such-option"], ["export"], ["demo", "a", "b"], ["exp", "x"]]
)
def test_bad_arguments_are_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("graphens: ")
    assert shown.err.count("\n") == 1


def test_starting_loads_nothing_heavy() -> None:
    code = f"""
import json, sys
from graphens.cli import main
main(["--version"])
print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    )
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_a_screen_without_our_characters(tmp_path: Path) -> None:
    done = graphens("demo", cwd=tmp_path, env={"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
    assert "?" not in done.stdout
    wrong = graphens(
        "export", "θ−…\udcff.csv", "--graph", "metagraph", "-o", "m.gml", env={"PYTHONIOENCODING": "ascii"}
    )
    assert wrong.returncode == 2
    assert wrong.stderr.isascii()
    assert wrong.stderr.startswith("graphens: theta-...")


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
def test_a_pipe_that_closes_early_is_no_error(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = graphens("methods", cwd=tmp_path, capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    finally:
        os.close(writer)
    assert done.stderr == ""
    assert done.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_disk_behind_standard_output(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = graphens("methods", cwd=tmp_path, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert "No space left" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_interrupt_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Interrupted(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Interrupted()))
    assert main(["export", "-", "--graph", "metagraph", "-o", "never.gml"]) == 130
    assert capsys.readouterr().err == "graphens: stopped.\n"
    assert not Path("never.gml").exists()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("module", ["graphens", "numpy"])
def test_an_interrupt_while_loading_is_quiet(module: str, tmp_path: Path) -> None:
    """Stop the command at the import of a module: long before its own code runs."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {module + '.errors' if module == 'graphens' else module!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Stop())\n"
    )
    paths = {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    done = graphens("methods", cwd=tmp_path, env=paths, preexec_fn=heed_interrupts)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_memory_that_runs_out_is_one_line(tmp_path: Path) -> None:
    code = """
import resource, sys
import graphens.cli as cli, graphens.cli.lists as command
import numpy as np
def methods():
    'Example.'
    np.ones((10**6, 10**4))
command.methods = methods
resource.setrlimit(resource.RLIMIT_AS, (4 * 10**9, 4 * 10**9))
sys.exit(cli.main(["methods"]))
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("graphens: graphens methods ran out of memory: Unable to allocate 74.5 GiB")
    assert done.stderr.count("\n") == 1
