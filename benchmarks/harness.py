"""Measure calls in processes of their own, print a table, keep the figures for docs/benchmarks.md."""

from __future__ import annotations

import ctypes
import gc
import json
import multiprocessing
import re
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from .provenance import provenance, shown_provenance

RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
#: columns by the clock that 0.2 kept beside processor times
CLOCK = {
    "seconds",
    "of the other",
    "ratio of times",
    "seconds in all",
    "per million rows",
    "first call, s",
    "second call, s",
    "difference, s",
}
BEFORE = "Measured with 0.2, which did not record commit and load."
Case = TypeVar("Case", bound=Any)
Answers = TypeVar("Answers", bound=dict[str, Any])


@dataclass(frozen=True)
class Measured:
    """Processor seconds of the fastest repeat, the most memory above what was there before, and the value."""

    seconds: float
    peak: float
    value: Any


def _resident(field: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return float(line.split()[1]) * 1024
    return float("nan")


def processor_seconds() -> float:
    """Return what this process and its ended children took of the processor, whoever else uses it."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


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
            start = processor_seconds()
            value = function(*args)
            best = min(best, processor_seconds() - start)
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
    section: str,
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    note: str = "",
    measured: dict[str, Any] | None = None,
) -> None:
    """Print a table and keep it for the page; `section` names the file, so a later run replaces it.

    Commit, machine and load are those of now, unless the rows were measured earlier (`measured`).
    """
    cells = [[_shown(value) for value in row] for row in rows]
    print(f"\n{title}")
    widths = [max(len(str(line[i])) for line in [list(columns), *cells]) for i in range(len(columns))]
    for line in [list(columns), *cells]:
        print("  " + "  ".join(str(value).ljust(width) for value, width in zip(line, widths, strict=True)))
    if note:
        print(f"  {note}")
    RESULTS.mkdir(exist_ok=True)
    kept = {
        "title": title,
        "columns": list(columns),
        "rows": cells,
        "note": note,
        "measured": provenance() if measured is None else measured,
    }
    (RESULTS / f"{section}.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


def records(name: str) -> list[dict[str, Any]]:
    """Return the kept answers under a name: case, answers, and since 0.3 where they were measured."""
    path = RESULTS / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def origin(*names: str) -> dict[str, Any]:
    """Return where kept answers were measured: that of the last, and nothing where one of them does not say."""
    known = [record.get("measured", {}) for name in names for record in records(name)]
    return known[-1] if all(known) else {}


def kept(name: str, ask: Callable[[Case], Answers], cases: Sequence[Case]) -> dict[Case, Answers]:
    """Ask about every case (a dataclass); answers are kept in a file, so that a run that was stopped goes on."""
    path = RESULTS / f"{name}.jsonl"
    known = {json.dumps(line["case"]): line["answers"] for line in records(name)}
    found = {}
    for case in cases:
        key = json.dumps(asdict(case))
        if key not in known:
            known[key] = ask(case)
            with path.open("a") as file:
                line = {"case": asdict(case), "answers": known[key], "measured": provenance()}
                file.write(json.dumps(line) + "\n")
        found[case] = known[key]
    return found


def write_page() -> None:
    """Write docs/benchmarks.md from the kept figures."""
    lines = [
        "# Benchmarks",
        "",
        (
            "Made by `python -m benchmarks`. Times are processor seconds unless a table says otherwise, and every "
            "ratio compares calls of the same run on the same machine. Below each table: when it was measured, at "
            "which commit, on what, and how busy the machine was."
        ),
    ]
    for path in sorted(RESULTS.glob("*.json")):
        record = json.loads(path.read_text())
        lines += ["", f"## {record['title']}", "", table(path.stem)]
        lines += ["", record["note"]] if record["note"] else []
        lines += ["", f"*{shown_provenance(record.get('measured')) or _before(record)}*"]
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text("\n".join(lines) + "\n")
    for other in PAGE.parent.glob("*.md"):
        other.write_text(filled(other.read_text()))


def _before(record: dict[str, Any]) -> str:
    """What is known of a table of 0.2: times are by the clock where nothing speaks of the processor."""
    said = " ".join([record["title"], record["note"][:9], *record["columns"]])
    timed = re.search(r"\bseconds\b|\bs\b", " ".join([*record["columns"], *record["rows"][0]]))
    clock = timed and not re.search("CPU|[Pp]rocessor", said)
    return f"{BEFORE} Times are by the clock." if clock else BEFORE


def table(section: str) -> str:
    """Return kept figures as a Markdown table; clock times stay out where processor times stand beside them."""
    record = json.loads((RESULTS / f"{section}.json").read_text())
    columns = record["columns"]
    both = any("CPU" in name or "processor" in name for name in columns)
    shown = [i for i, name in enumerate(columns) if not (both and name in CLOCK)]
    lines = [[line[i] for i in shown] for line in (columns, *record["rows"])]
    head, *rows = ("| " + " | ".join(line) + " |" for line in lines)
    return "\n".join([head, "|---" * len(shown) + "|", *rows])


def filled(text: str) -> str:
    """Renew the tables of a page that stand between ``<!-- figures: name -->`` and ``<!-- end of figures -->``."""
    mark = r"(<!-- figures: (\S+) -->\n).*?(<!-- end of figures -->)"
    known = {path.stem for path in RESULTS.glob("*.json")}
    return re.sub(
        mark,
        lambda m: f"{m[1]}\n{_with_origin(m[2])}\n\n{m[3]}" if m[2] in known else m[0],
        text,
        flags=re.DOTALL,
    )


def _with_origin(section: str) -> str:
    """Return a kept table, with a line that says where its figures were measured if that is known."""
    said = shown_provenance(json.loads((RESULTS / f"{section}.json").read_text()).get("measured"))
    return f"{table(section)}\n\n*{said}*" if said else table(section)


def _shown(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def megabytes(n_bytes: float) -> str:
    """Show bytes as MB."""
    return f"{n_bytes / 1e6:.0f} MB"
