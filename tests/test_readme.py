"""The README's Python blocks run, in order, and print what the README says they print."""

import contextlib
import io
import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from graphens.cli import main

README = Path(__file__).resolve().parents[1] / "README.md"
FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}|~{3,})(?P<language>.*)$")
RUN = "python"
SHOWN = {"text", "sh"}  # what the reader types or sees; every other language is an error, not skipped


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, the README line its text starts on, and that text."""

    language: str
    line: int
    text: str
    follows: int  # index of the block right before it with only blank lines between, or -1


def blocks(markdown: str) -> list[Block]:
    found: list[Block] = []
    lines = markdown.splitlines()
    i, last_end = 0, None
    while i < len(lines):
        opening = FENCE.match(lines[i])
        if not opening:
            i += 1
            continue
        ticks, indent = opening["ticks"], len(opening["indent"])
        end = next((j for j in range(i + 1, len(lines)) if lines[j].strip() == ticks), None)
        assert end is not None, f"README line {i + 1}: this block is never closed"
        near = last_end is not None and not "".join(lines[last_end + 1 : i]).strip()
        text = "\n".join(line[indent:] for line in lines[i + 1 : end])
        found.append(Block(opening["language"].strip(), i + 2, text, len(found) - 1 if near else -1))
        i, last_end = end + 1, end
    return found


def run(found: list[Block], namespace: dict[str, object] | None = None, page: Path = README) -> list[str]:
    """What each block printed; blocks share one namespace, as a reader's session does."""
    namespace = {"__name__": "readme"} if namespace is None else namespace
    printed = []
    for block in found:
        out = io.StringIO()
        if block.language == RUN:
            assert ">>>" not in block.text, f"README line {block.line}: no prompts; show output in a text block"
            # leading blank lines make tracebacks point at the README's own line numbers
            code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
            with contextlib.redirect_stdout(out):
                exec(code, namespace)
        if block.language == "sh" and page != README:
            out.write("".join(map(command, block.text.replace("\\\n", " ").splitlines())))
        printed.append(out.getvalue())
    return printed


#: what stands in the pages for the reader to run, and is no command of ours
OTHERS = ("pip install", "dask ", "python -m ", "python docs/build.py", "python3 -m venv", "eval ", ". .venv")


def command(line: str) -> str:
    """Run a command of a page, and return what it wrote to standard output."""
    if line.startswith((*OTHERS, "#")) or not line.strip():
        return ""
    if line.startswith("printf "):  # a small file that the next command reads
        subprocess.run(line, shell=True, check=True)
        return ""
    program, *arguments = shlex.split(line)
    assert program == "graphens", f"neither a command of ours nor known to be for show: {line}"
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(out):
        assert main(arguments) == 0, line
    out.seek(0)
    return out.read()


def differences(found: list[Block], printed: list[str]) -> list[str]:
    def tidy(text: str) -> list[str]:
        return [line.rstrip() for line in text.strip("\n").splitlines()]

    return [
        f"README line {block.line} shows\n{block.text}\nbut its code prints\n{printed[block.follows]}"
        for block in found
        if block.language == "text" and block.follows >= 0 and found[block.follows].language in {RUN, "sh"}
        if printed[block.follows] or found[block.follows].language == RUN
        if tidy(block.text) != tidy(printed[block.follows])
    ]


def test_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = blocks(README.read_text(encoding="utf-8"))
    unknown = [(b.line, b.language) for b in found if b.language not in {RUN, *SHOWN}]
    assert not unknown, f"blocks that are neither run nor known to be for show (line, language): {unknown}"
    assert any(b.language == RUN for b in found), "the README has no Python example"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", os.environ.get("MPLBACKEND", "Agg"))
    assert not (wrong := differences(found, run(found))), "\n\n".join(wrong)


def test_commands_work_where_the_reader_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = [block.text for block in blocks(README.read_text(encoding="utf-8")) if block.language == "sh"]
    assert "pytest" in shown[1], "the second sh block is the test command"
    lines = [line for text in shown[2:] for line in text.splitlines()]
    (tmp_path / "examples").symlink_to(README.parent / "examples")
    monkeypatch.chdir(tmp_path)
    assert main(["demo"]) == 0  # what the first block did
    assert len(lines) >= 4
    for line in lines:
        program, *arguments = shlex.split(line)
        assert program == ".venv/bin/graphens"
        assert main(arguments) == 0, line
        assert Path(arguments[-1]).stat().st_size > 0


def test_a_wrong_output_is_noticed() -> None:
    right = "```python\nx = 1\n```\n\n```python\nprint(x + 1)\n```\n\n```text\n2\n```\n"
    for markdown, n_wrong in [(right, 0), (right.replace("\n2\n", "\n3\n"), 1)]:
        found = blocks(markdown)
        assert len(differences(found, run(found))) == n_wrong


def test_an_unclosed_block_is_noticed() -> None:
    with pytest.raises(AssertionError, match="never closed"):
        blocks("```python\nprint(1)\n")
