"""Commands on a (pseudo-)terminal: no progress bar survives, every line fits, answers begin a line of their own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are of POSIX")

ROOT = Path(__file__).resolve().parents[2]
#: every command of the lines given, in one process, on a machine so slow that each shows a bar before it begins
SLOW = """
import sys
from graphens._lib import progress as library
from graphens.cli import _progress, main
class Line(_progress.ProgressLine):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self("a slow machine", 0.5)
_progress.ProgressLine = Line
_progress._PATIENCE = library._PAUSE = dict.fromkeys((True, False), 0.0)
for line in sys.argv[1:]:
    code = main(line.split())
    print("@@@", code)
"""
BAR = re.compile(r"\[[#.]+\] +\d+% \w")
COMMANDS = {
    "demo": "demo -o demo",
    "consensus": "consensus labels.csv -k 3 --seed 0",
    "consensus of a file": "consensus labels.csv --seed 0 -o out.csv",
    "generate": "generate data.csv -B 8 -k 3:6 --seed 0 -o made.csv",
    "cluster": "cluster data.csv -B 8 -k 2 --seed 0",
    "communities": "communities edges.csv -B 8 --seed 0",
    "choose": "choose labels.csv --ks 2:4 --seed 0",
    "compare": "compare labels.csv -k 3 --seed 0 --methods eac,lwgp,mcla,vote,hne,exact_median",
    "explain": "explain labels.csv -k 3 --seed 0 7",
    "median": "median labels.csv --draws columns --seed 0",
    "monti": "monti data.csv --ks 2:3 -B 6 --seed 0",
    "report": "report labels.csv -k 3 --seed 0 -o page.html",
    "explore": "explore labels.csv -k 3 --seed 0 -o page.html",
    "export": "export labels.csv --graph coassociation --neighbors 3 -o graph.graphml",
    "methods": "methods",
    "one method": "methods mcla",
    "partitioners": "partitioners",
    "help": "consensus --help",
    "a mistake after some work": "cluster data.csv -B 8 -k 2 --seed 0 --method nope",
}


def write_files(folder: Path) -> None:
    lines = [f"{i % 3},{i % 3 if i % 7 else 1},{i % 4 if i % 5 else ''},{i * i % 5}" for i in range(40)]
    (folder / "labels.csv").write_text("\n".join(["a,b,c,d", *lines]) + "\n")
    (folder / "data.csv").write_text("x,y\n" + "".join(f"{i % 2 * 9 + i / 30},{i % 7}\n" for i in range(40)))
    edges = [f"v{i},v{i - i % 5 + (i + 1) % 5}" for i in range(20)] + ["v0,v5", "v5,v10", "v10,v15"]
    (folder / "edges.csv").write_text("\n".join(["source,target", *edges]) + "\n")


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What every command wrote on a terminal of 80 columns."""
    folder = tmp_path_factory.mktemp("terminal")
    write_files(folder)
    written = on_terminal([sys.executable, "-c", SLOW, *COMMANDS.values()], 80, folder)
    parts = written.split("@@@")
    assert len(parts) == len(COMMANDS) + 1, written[-2000:]
    return dict(zip(COMMANDS, parts[:-1], strict=True))


def on_terminal(command: list[str], columns: int, folder: Path) -> str:
    """Run a program on a terminal of its own and return all that it wrote there."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    env |= {"PYTHONPATH": str(ROOT), "TERM": "xterm", "GRAPHENS_PROGRESS": "on", "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=folder)
    os.close(theirs)
    written = b""
    try:
        while data := os.read(ours, 65536):
            written += data
    except OSError:  # the other end is closed: all is written
        pass
    os.close(ours)
    process.wait(timeout=60)
    return written.decode()


def screen(written: str) -> str:
    """What a terminal shows after carriage returns and erased lines; colors are left out."""
    rows, at = [""], 0
    for part in re.findall(r"\x1b\[[0-9;]*[A-Za-z]|.", written, re.DOTALL):
        if part == "\n":
            rows.append("")
            at = 0
        elif part == "\r":
            at = 0
        elif part == "\x1b[K":
            rows[-1] = rows[-1][:at]
        elif not part.startswith("\x1b"):
            rows[-1] = rows[-1][:at].ljust(at) + part + rows[-1][at + 1 :]
            at += 1
    return "\n".join(rows)


def test_the_screen_of_this_test_keeps_a_bar_that_nothing_erases() -> None:
    assert screen("[###..]  50% work\r\nanswer") == "[###..]  50% work\nanswer"
    assert screen("[###..]  50% work\r\x1b[Kanswer\r\n") == "answer\n"
    assert screen("[###..]  50% work\ranswer") == "answer]  50% work"


@pytest.mark.parametrize("name", COMMANDS)
def test_no_bar_survives(name: str, terminal: dict[str, str]) -> None:
    if name != "help":  # argparse writes it before any work begins
        assert BAR.search(terminal[name]), "the command was to show its progress"
    seen = screen(terminal[name])
    assert not BAR.search(seen)
    assert max(len(line) for line in seen.splitlines() if not line.startswith(">>>")) <= 80
    assert seen.endswith("\n")
