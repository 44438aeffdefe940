"""Run the cells of a table, keep every value as it comes, go on where an earlier run stopped."""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphens.errors import FileError, GraphensWarning

from ..provenance import provenance
from .columns import COLUMNS, ONCE, Case
from .data import SOURCES, load
from .published import TABLES

RESULTS = Path(__file__).parent / "results"
Values = dict[str, dict[str, list[float]]]  # data → column → one error per run
Fresh = dict[str, dict[int, float]]  # column → run → error


def kept(name: str) -> Any:
    """Return what is kept under a name, or nothing."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def keep(name: str, values: Any) -> None:
    """Write values so that a reader never sees half of them."""
    RESULTS.mkdir(exist_ok=True)
    part = RESULTS / f"{name}.part"
    part.write_text(json.dumps(values, indent=1) + "\n", "utf-8")
    part.replace(RESULTS / f"{name}.json")


def case(table: str, data: str, run: int, **changes: Any) -> Case:
    """Return the case of one run of a row."""
    told, (X, truth) = TABLES[table], load(data)
    options = {"clusters": told.rows[data].clusters, "partitions": told.partitions, **changes}
    return Case(X, truth, SOURCES[data].k, seed=run, window=SOURCES[data].window, **options)


@contextmanager
def left_out(what: str) -> Iterator[None]:
    """Go on without something whose file is absent, with a word on it."""
    try:
        yield
    except FileError as error:
        print(f"{what} left out. {error}", file=sys.stderr)


def run_table(name: str, runs: int, only: str | None = None, *, afresh: bool = False, replace: bool = False) -> int:
    """Fill the rows of a table up to this many runs, and return how many rows were run.

    `afresh`, every run is made whatever is kept, and what comes out is shown beside it; what differs replaces what is
    kept only if `replace`. A set whose file is absent is left out with a word on it.
    """
    done = 0
    for data in (data for data in TABLES[name].rows if only in (None, data)):
        have = kept(name).get(data, {})
        wanted = [
            (run, column)
            for run in range(runs)
            for column in TABLES[name].measured()
            if not (column in ONCE and (run or (have.get(column) and not afresh)))
            and (afresh or len(have.get(column, [])) <= run)
        ]
        if not wanted:
            print(f"{name}: {data}, all {runs} runs are kept; nothing to do (--again runs them afresh)")
            continue
        with left_out(f"{name}: {data}"):
            print(f"{name}: {data}, {TABLES[name].title}, {'afresh' if afresh else 'what is missing'}", flush=True)
            _run_row(name, data, wanted, replace=replace)
            done += 1
    return done


def _run_row(name: str, data: str, wanted: list[tuple[int, str]], *, replace: bool) -> None:
    """Make some runs of some columns, keep each as it comes, and print them beside what was kept and published."""
    before, fresh, differ, new = kept(name).get(data, {}), {}, 0, 0
    for run in sorted({run for run, _ in wanted}):
        this, start, stored = case(name, data, run), time.process_time(), {}
        for column in (column for at, column in wanted if at == run):
            value, had = round(measured(column, this), 5), before.get(column, [])[run : run + 1]
            fresh.setdefault(column, {})[run] = value
            differ += bool(had) and had != [value]
            if not had or (replace and had != [value]):
                stored[column] = value
        new += len(stored)
        if stored:
            _store(name, data, run, stored)
        print(f"{name}: {data}, run {run + 1}, {time.process_time() - start:.1f} CPU s", flush=True)
    print(*compared(name, data, before, fresh), sep="\n")
    told = f", {differ} differ from kept ones" + ("" if replace else ", which stay (--again replaces them)")
    print(f"{new} values were kept{told * bool(differ)}." if new or differ else "Everything came out as it is kept.")


def compared(name: str, data: str, before: dict[str, list[float]], fresh: Fresh) -> list[str]:
    """Return a line for each column: the published figure, the kept mean and what came out now, in percent."""
    table = TABLES[name]
    published = {
        ours: table.rows[data].figures.get(column)
        for column in table.columns
        for ours in table.scans.get(column, (column,))
    }
    width = max(map(len, fresh))
    lines = [f"{'':{width}}  published  kept, runs   now, runs"]
    for column, values in fresh.items():
        kept_ones, figure = before.get(column, []), published[column]
        theirs = figure[0] if isinstance(figure, tuple) else figure
        ours = {run: value for run, value in values.items() if run < len(kept_ones)}
        same = sum(value == kept_ones[run] for run, value in ours.items())
        told = f"{same} of {len(ours)} as kept" if ours else "new"
        lines.append(
            f"{column:{width}}  {_percent(theirs, 1):>9}  {_mean(kept_ones):>10}  {_mean(list(values.values())):>10}"
            f"  {told}"
        )
    return lines


def _percent(value: float | None, scale: float = 100) -> str:
    return "-" if value is None else f"{scale * value:.1f}"


def _mean(values: list[float]) -> str:
    return f"{_percent(sum(values) / len(values))} ({len(values)})" if values else "-"


def _store(name: str, data: str, run: int, fresh: dict[str, float]) -> None:
    """Put the values of a run into the kept table, and note in `provenance.jsonl` where they come from."""
    values: Values = kept(name)
    for column, value in fresh.items():
        values.setdefault(data, {}).setdefault(column, [])[run : run + 1] = [value]
    keep(name, values)
    note_origin(name, {"data": data, "columns": list(fresh), "runs": [run]})


def note_origin(name: str, what: dict[str, Any]) -> None:
    """Write down what was kept now, and from which commit, machine and load."""
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / "provenance.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"table": name, **what, "measured": provenance()}) + "\n")


def measured(column: str, this: Case) -> float:
    """Return the error of one column; what methods warn of (fewer clusters, no edge left) shows in the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphensWarning)
        return COLUMNS[column](this)
