"""Measure calls in processes of their own, print a table, keep the figures for docs/benchmarks.md."""

from __future__ import annotations

import ctypes
import gc
import json
import multiprocessing
import platform
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
Case = TypeVar("Case", bound=Any)
Answers = TypeVar("Answers", bound=dict[str, Any])


@dataclass(frozen=True)
class Measured:
    """Seconds of the fastest repeat, the largest memory above what was there before, and the value of the call."""

    seconds: float
    peak: float
    value: Any


def _resident(field: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return float(line.split()[1]) * 1024
    return float("nan")


def _child(
    pipe: Any, function: Callable[..., Any], args: tuple[Any, ...], repeats: int, warm: tuple[Any, ...] | None
) -> None:
    try:
        if warm is not None:
            function(*warm)  # load compiled code, so that the figure is the work itself
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)  # memory freed before must not hide what the call takes
        Path("/proc/self/clear_refs").write_text("5")  # forget the highest memory so far
        before, best, value = _resident("VmRSS"), float("inf"), None
        for _ in range(repeats):
            start = time.perf_counter()
            value = function(*args)
            best = min(best, time.perf_counter() - start)
        pipe.send((best, max(_resident("VmHWM") - before, 1e6), value))  # less than 1 MB is not told apart
    except BaseException as error:  # noqa: BLE001 - reported to the parent, which raises
        pipe.send(error)


def measure(
    function: Callable[..., Any],
    *args: Any,
    repeats: int = 1,
    warm: tuple[Any, ...] | None = None,
    limit: float = 1800,
) -> Measured:
    """Run a call in a forked process; arguments are shared with it, and its memory is its own.

    `warm` are small arguments for a first, unmeasured call. The function's value is sent back: return small things.
    """
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    process = context.Process(target=_child, args=(there, function, args, repeats, warm))
    process.start()
    there.close()
    try:
        if not here.poll(limit):
            raise TimeoutError(f"no answer within {limit:.0f} s")
        answer = here.recv()
    finally:
        process.terminate()
        process.join()
    if isinstance(answer, BaseException):
        raise answer
    return Measured(*answer)


def report(
    section: str, title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], note: str = ""
) -> None:
    """Print a table and keep it for the page; `section` names the file, so a later run replaces it."""
    cells = [[_shown(value) for value in row] for row in rows]
    print(f"\n{title}")
    widths = [max(len(str(line[i])) for line in [list(columns), *cells]) for i in range(len(columns))]
    for line in [list(columns), *cells]:
        print("  " + "  ".join(str(value).ljust(width) for value, width in zip(line, widths, strict=True)))
    if note:
        print(f"  {note}")
    RESULTS.mkdir(exist_ok=True)
    kept = {"title": title, "columns": list(columns), "rows": cells, "note": note}
    (RESULTS / f"{section}.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


def kept(name: str, ask: Callable[[Case], Answers], cases: Sequence[Case]) -> dict[Case, Answers]:
    """Ask about every case (a dataclass); answers are kept in a file, so that a run that was stopped goes on."""
    path = RESULTS / f"{name}.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    known = {json.dumps(line["case"]): line["answers"] for line in lines}
    found = {}
    for case in cases:
        key = json.dumps(asdict(case))
        if key not in known:
            known[key] = ask(case)
            with path.open("a") as file:
                file.write(json.dumps({"case": asdict(case), "answers": known[key]}) + "\n")
        found[case] = known[key]
    return found


def write_page() -> None:
    """Write docs/benchmarks.md from the kept figures."""
    import os

    lines = [
        "# Benchmarks",
        "",
        (
            "Made by `python -m benchmarks`; every ratio compares calls of the same run on the same machine "
            f"({os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}). "
            "Seconds depend on the machine and its neighbors; read the ratios."
        ),
    ]
    for path in sorted(RESULTS.glob("*.json")):
        title, note = (json.loads(path.read_text())[key] for key in ("title", "note"))
        lines += ["", f"## {title}", "", table(path.stem)]
        lines += ["", note] if note else []
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text("\n".join(lines) + "\n")
    for other in PAGE.parent.glob("*.md"):
        other.write_text(filled(other.read_text()))


def table(section: str) -> str:
    """Return kept figures as a Markdown table."""
    found = json.loads((RESULTS / f"{section}.json").read_text())
    head, *rows = ("| " + " | ".join(line) + " |" for line in [found["columns"], *found["rows"]])
    return "\n".join([head, "|---" * len(found["columns"]) + "|", *rows])


def filled(text: str) -> str:
    """Renew the tables of a page that stand between ``<!-- figures: name -->`` and ``<!-- end of figures -->``."""
    mark = r"(<!-- figures: (\S+) -->\n).*?(<!-- end of figures -->)"
    known = {path.stem for path in RESULTS.glob("*.json")}
    return re.sub(
        mark, lambda m: f"{m[1]}\n{table(m[2])}\n\n{m[3]}" if m[2] in known else m[0], text, flags=re.DOTALL
    )


def _shown(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def megabytes(n_bytes: float) -> str:
    """Show bytes as MB."""
    return f"{n_bytes / 1e6:.0f} MB"
