"""A part of the benchmarks is one table: cases, what is asked about each, and columns made from the raw answers.

Answers are kept as they come, one line of JSON for each case with raw numbers, commit, machine, load and date, so that
a run that was stopped goes on where it was. Tables, charts and pages are made from these lines, never the reverse.
"""

import csv
import importlib
import inspect
import json
import os
import re
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .measuring import processor_seconds
from .provenance import ROOT, provenance

RESULTS = Path(__file__).parent / "results"
#: the modules that measure, in the order in which they run: what people look for first comes first
MODULES = (
    "peers",
    "million",
    "wide",
    "costs",
    "core",
    "posterior",
    "profiles",
    "scale",
    "shapes",
    "features",
    "networks",
    "generation",
    "real",
    "camps",
    "quality",
    "calibration",
    "even_sizes",
    "papers.tables",
    "papers.strehl",
)
Case = Mapping[str, Any]
Row = dict[str, Any]
Column = str | Callable[[Row], Any]


class LeftOut(Exception):
    """A case that cannot be measured here: a package or a file is absent."""


@dataclass(frozen=True)
class Part:
    """One table: a case is passed to `ask` by keywords, a column shows one value of case and answers together."""

    name: str
    title: str
    ask: Callable[..., dict[str, Any]]
    cases: Sequence[Case]
    quick: Sequence[Case]
    columns: Mapping[str, Column]
    note: str = ""
    large: Sequence[Case] = ()
    chart: str = ""  # which columns the site draws as bars, as docs/charts.py reads it
    gather: Callable[[Sequence[Row]], list[Row]] = list  # rows of the table from those that are kept

    @property
    def script(self) -> str:
        """The file that measures, from the root."""
        return str(Path(inspect.getfile(self.ask)).relative_to(ROOT))

    @property
    def module(self) -> str:
        """The module or folder of benchmarks that it belongs to."""
        return self.ask.__module__.split(".")[1]


@cache
def parts() -> dict[str, Part]:
    """Return all parts by name, in the order in which they run."""
    modules = [importlib.import_module(f"benchmarks.{name}") for name in MODULES]
    return {part.name: part for module in modules for part in module.PARTS}


def chosen(words: Sequence[str]) -> list[Part]:
    """Return the parts that words name: a part, or a module with all of its parts; none name all."""
    known = parts()
    wanted = [part for part in known.values() if not words or {part.name, part.module} & set(words)]
    names = {name for part in known.values() for name in (part.name, part.module)}
    if unknown := sorted(set(words) - names):
        raise ValueError(f"there is no part called {', '.join(unknown)}; the parts are {', '.join(known)}")
    return wanted


def records(name: str) -> list[dict[str, Any]]:
    """Return the kept lines of a part: case, answers, and where they were measured."""
    path = RESULTS / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def kept(part: Part) -> list[dict[str, Any]]:
    """Return the kept lines of the cases that a part has, in its order."""
    known = {_key(line["case"]): line for line in records(part.name)}
    return [known[_key(case)] for case in (*part.cases, *part.large) if _key(case) in known]


def minutes(some: Iterable[Part]) -> float:
    """Return what the kept rows of parts took of the processor, without those of `large`."""
    return sum(line["measured"]["cpu"] for part in some for line in kept(part) if line["case"] in part.cases) / 60


def rows(part: Part) -> list[Row]:
    """Return case and answers of every kept line together."""
    return [line["case"] | line["answers"] for line in kept(part)]


def run(part: Part, cases: Sequence[Case], *, again: bool = False, keep: bool = True) -> bool:
    """Ask about every case that is not kept yet, and say whether all ended; one that fails does not stop the rest."""
    known = set() if again or not keep else {_key(line["case"]) for line in records(part.name)}
    fine, made = True, []
    for case in cases:
        said = ", ".join(f"{name}={value}" for name, value in case.items())
        if _key(case) in known:
            print(f"{part.name}: {said}: kept", flush=True)
            continue
        try:
            line = ask(part, case)
        except LeftOut as reason:
            print(f"{part.name}: {said}: left out, {reason}", flush=True)
        except Exception:  # noqa: BLE001 - said, and the next case is asked
            traceback.print_exc()
            print(f"{part.name}: {said}: FAILED", flush=True)
            fine = False
        else:
            print(f"{part.name}: {said}: {line['measured']['cpu']:.1f} CPU s", flush=True)
            made.append(line["case"] | line["answers"])
            if keep:
                _keep(part.name, line)
    if made:
        print(table(part, made), flush=True)
    return fine


def ask(part: Part, case: Case) -> dict[str, Any]:
    """Measure one case: its raw answers, and where they were measured."""
    begin = processor_seconds()
    measured = provenance(part.script)  # before it runs: the load is that of the others
    answers = part.ask(**case)
    measured["cpu"] = round(processor_seconds() - begin, 2)
    return {"case": dict(case), "answers": answers, "measured": measured}


def _keep(name: str, line: dict[str, Any]) -> None:
    """Write a line in place of an older one of the same case; a run that is killed leaves the old file or the new."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.jsonl"
    others = [other for other in records(name) if _key(other["case"]) != _key(line["case"])]
    new = path.with_suffix(".new")
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in (*others, line))
    new.write_text(text, "utf-8")
    os.replace(new, path)


def _key(case: Case) -> str:
    return json.dumps(dict(case), sort_keys=True)


def table(part: Part, of: Sequence[Row] | None = None) -> str:
    """Return kept rows, or these, as a Markdown table."""
    return markdown([list(part.columns), *cells(part, of)])


def cells(part: Part, of: Sequence[Row] | None = None) -> list[list[str]]:
    """Return the cells of kept rows, or of these."""
    columns = part.columns.values()
    return [[shown(_cell(column, row)) for column in columns] for row in part.gather(of or rows(part))]


def markdown(lines: Sequence[Sequence[str]]) -> str:
    """Return lines of cells, the head first, as a Markdown table."""
    head, *body = ("| " + " | ".join(line) + " |" for line in lines)
    return "\n".join([head, "|---" * len(lines[0]) + "|", *body])


def write_csv(path: Path, lines: Iterable[Sequence[object]]) -> None:
    """Write lines of cells, the head first, for a page that links to them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)


def origin(*group: Part) -> str:
    """Say when and where the rows of some parts were measured, in one sentence."""
    known = [line["measured"] for part in group for line in kept(part)]
    if not known:
        return ""
    dates, commits, machines = (list(dict.fromkeys(one[key] for one in known)) for key in ("date", "commit", "machine"))
    first, last = min(dates), max(dates)
    days = first if first == last else f"{first} to {last}"
    places = f"{days} at commit{'s' * (len(commits) > 1)} {', '.join(commits)}"
    loads = sorted(one["load"] for one in known)
    load = f"{loads[0]:g}" if loads[0] == loads[-1] else f"{loads[0]:g} to {loads[-1]:g}"
    return f"Measured on {places}; {'; '.join(machines)}; load {load}."


def filled(text: str) -> str:
    """Renew the tables of a page that stand between ``<!-- figures: part -->`` and ``<!-- end of figures -->``."""

    def renewed(mark: re.Match[str]) -> str:
        part = parts()[mark[2]]
        return f"{mark[1]}\n{table(part)}\n\n*{origin(part)}*\n\n{mark[3]}" if rows(part) else mark[0]

    return re.sub(r"(<!-- figures: (\S+) -->\n).*?(<!-- end of figures -->)", renewed, text, flags=re.DOTALL)


def _cell(column: Column, row: Row) -> Any:
    return row.get(column, "") if isinstance(column, str) else column(row)


def shown(value: Any) -> str:
    """Show a value in a table: three digits of a number that is not whole."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: ""}[value]
    if isinstance(value, int):
        return f"{value:,}"
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def megabytes(field: str) -> Callable[[Row], Any]:
    """A column that shows bytes as MB."""
    return lambda row: f"{row[field] / 1e6:,.0f} MB" if row.get(field) is not None else ""


def beside(
    work: Column,
    other: Column,
    theirs: Column,
    *,
    ours: Column = "seconds",
    memory: Column | None = None,
    their_memory: Column = "",
) -> dict[str, Column]:
    """Columns of a comparison with one other call, the same for many parts, which a page shows as one table."""
    return {
        "work": work,
        "compared with": other,
        "CPU seconds": ours,
        "CPU seconds of the other": theirs,
        "times faster": lambda row: ratio("b", "a")({"a": _cell(ours, row), "b": _cell(theirs, row)}),
        "memory": memory or megabytes("peak"),
        "memory of the other": their_memory,
    }


def ratio(one: str, other: str) -> Callable[[Row], Any]:
    """A column that shows how many times one value is another."""
    return lambda row: times(row[one] / row[other]) if row.get(one) and row.get(other) else ""


def times(value: float) -> str:
    """Show a ratio, to two digits."""
    return f"{value:,.0f} ×" if value >= 10 else f"{value:.2g} ×"
