"""Run the cells of a table, keep every value as it comes, go on where an earlier run stopped."""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
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


def run_table(name: str, runs: int, only: str | None = None) -> None:
    """Fill a table up to this many runs; a set whose file is absent is left out with a word on it."""
    for data in _rows(name, only):
        have = kept(name).get(data, {})
        missing = [
            (run, column)
            for run in range(runs)
            for column in TABLES[name].measured()
            if len(have.get(column, [])) <= run and not (column in ONCE and have.get(column))
        ]
        if not missing:
            print(f"{name}: {data}, all {runs} runs are kept; nothing to do (--again runs them afresh)")
        else:
            _tell_absent(name, data, _fill, missing)


def _rows(name: str, only: str | None) -> list[str]:
    return [data for data in TABLES[name].rows if only in (None, data)]


def _tell_absent(name: str, data: str, work: Callable[..., bool], *more: Any) -> bool:
    """Do the work on a row; False where its file is absent, with a word on it."""
    with left_out(f"{name}: {data}"):
        return work(name, data, *more)
    return False


@contextmanager
def left_out(what: str) -> Iterator[None]:
    """Go on without something whose file is absent, with a word on it."""
    try:
        yield
    except FileError as error:
        print(f"{what} left out. {error}", file=sys.stderr)


def _fill(name: str, data: str, missing: list[tuple[int, str]]) -> bool:
    for run in sorted({run for run, _ in missing}):
        this, start = case(name, data, run), time.process_time()
        fresh = {column: round(measured(column, this), 5) for at, column in missing if at == run}
        _store(name, data, {column: {run: value} for column, value in fresh.items()})
        print(f"{name}: {data}, run {run + 1}, {time.process_time() - start:.1f} CPU s", flush=True)
    return True


def run_afresh(name: str, runs: int, only: str | None = None, *, replace: bool = False) -> int:
    """Run rows of a table whatever is kept, and print what came out beside it; how many rows were run.

    Values of runs that were not kept are kept now; those that differ replace the kept ones only if `replace`.
    """
    return sum(_tell_absent(name, data, partial(_afresh, replace=replace), runs) for data in _rows(name, only))


def _afresh(name: str, data: str, runs: int, *, replace: bool) -> bool:
    before, start = kept(name).get(data, {}), time.process_time()
    print(f"{name}: {data}, {TABLES[name].title}, running {runs} run{'s' * (runs > 1)} afresh", flush=True)
    fresh: Fresh = {}
    for run in range(runs):
        this = case(name, data, run)
        for column in TABLES[name].measured():
            if run == 0 or column not in ONCE:
                fresh.setdefault(column, {})[run] = round(measured(column, this), 5)
    for line in compared(name, data, before, fresh):
        print(f"  {line}")
    print(
        f"  {_stored(name, data, before, fresh, replace=replace)} {time.process_time() - start:.1f} CPU s", flush=True
    )
    return True


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


def _stored(name: str, data: str, before: dict[str, list[float]], fresh: Fresh, *, replace: bool) -> str:
    """Keep what may be kept, and say what was done."""
    other = {
        column: {run: value for run, value in values.items() if value != _at(before.get(column, []), run)}
        for column, values in fresh.items()
    }
    differing = sum(_at(before.get(c, []), run) is not None for c, runs in other.items() for run in runs)
    if differing and not replace:
        other = {c: {r: v for r, v in runs.items() if _at(before.get(c, []), r) is None} for c, runs in other.items()}
    count = sum(map(len, other.values()))
    if count:
        _store(name, data, other)
    if differing and not replace:
        return f"{count} new values were kept; {differing} differ from kept ones, which stay (--again replaces them)."
    instead = f", {differing} of them instead of others" if differing else ""
    return f"{count} new values were kept{instead}." if count else "Everything came out as it is kept."


def _at(values: list[float], run: int) -> float | None:
    return values[run] if run < len(values) else None


def _store(name: str, data: str, fresh: Fresh) -> None:
    """Put values into the kept table, and note in `provenance.jsonl` where they come from."""
    values: Values = kept(name)
    row = values.setdefault(data, {})
    for column, found in fresh.items():
        have = row.setdefault(column, [])
        for run, value in sorted(found.items()):
            have[run : run + 1] = [value]
    keep(name, values)
    runs = sorted({run for found in fresh.values() for run in found})
    note_origin(name, {"data": data, "columns": [c for c, found in fresh.items() if found], "runs": runs})


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
