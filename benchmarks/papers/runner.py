"""Run the cells of a table, keep every value as it comes, go on where an earlier run stopped."""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from graphens.errors import FileError, GraphensWarning

from .columns import COLUMNS, ONCE, Case
from .data import SOURCES, load
from .published import TABLES

RESULTS = Path(__file__).parent / "results"
Values = dict[str, dict[str, list[float]]]  # data → column → one error per run


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
    return Case(X, truth, SOURCES[data].k, seed=run, **options)


def run_table(name: str, runs: int, only: str | None = None) -> None:
    """Fill a table up to this many runs; a set whose file is absent is left out with a word on it."""
    values: Values = kept(name)
    for data in TABLES[name].rows:
        if only is not None and data != only:
            continue
        try:
            _run_row(name, data, runs, values)
        except FileError as error:
            print(f"{name}: {data} left out. {error}", file=sys.stderr)


def _run_row(name: str, data: str, runs: int, values: Values) -> None:
    row = values.setdefault(data, {})
    for run in range(runs):
        this, start = None, time.perf_counter()
        for column in TABLES[name].measured():
            have = row.setdefault(column, [])
            if len(have) > run or (column in ONCE and have):
                continue
            this = case(name, data, run) if this is None else this
            have.append(round(measured(column, this), 5))
        if this is not None:
            keep(name, values)
            print(
                f"{name}: {data}, run {run + 1} of {runs}, {time.perf_counter() - start:.1f} s",
                file=sys.stderr,
            )


def measured(column: str, this: Case) -> float:
    """Return the error of one column; what methods warn of (fewer clusters, no edge left) shows in the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphensWarning)
        return COLUMNS[column](this)
