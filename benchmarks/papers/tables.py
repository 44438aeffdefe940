"""The published tables as parts: a case is a row of a table, its answers are the errors of every run."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from graphens.errors import FileError, GraphensWarning

from ..parts import LeftOut, Part, Row
from .columns import COLUMNS, ONCE, Case
from .data import SOURCES, load
from .published import TABLES


def errors(table: str, data: str, runs: int) -> dict[str, Any]:
    """Return the error of every column in every run; the number of a run is its seed."""
    columns = TABLES[table].measured()
    try:
        cases = [case(table, data, run) for run in range(runs)]
    except FileError as error:
        raise LeftOut(str(error)) from None
    return {"errors": {name: [measured(name, one) for one in cases[: 1 if name in ONCE else runs]] for name in columns}}


def case(table: str, data: str, run: int) -> Case:
    """Return the case of one run of a row."""
    published, (X, truth), source = TABLES[table], load(data), SOURCES[data]
    return Case(X, truth, source.k, published.rows[data].clusters, published.partitions, run, window=source.window)


def measured(column: str, this: Case) -> float:
    """Return the error of one column; what methods warn of (fewer clusters, no edge left) shows in the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphensWarning)
        return round(COLUMNS[column](this), 5)


def _percent(column: str) -> Callable[[Row], str]:
    return lambda row: f"{100 * np.mean(row['errors'][column]):.1f}"


def _part(name: str) -> Part:
    table = TABLES[name]
    return Part(
        f"papers-{name}",
        f"Published again: {table.title}",
        errors,
        cases=[{"table": name, "data": data, "runs": table.runs} for data in table.rows],
        quick=[{"table": name, "data": "iris" if "iris" in table.rows else "std yeast", "runs": 1}],
        columns={"data": "data", "runs": "runs", **{column: _percent(column) for column in table.measured()}},
        note="Error rates in percent.",
    )


PARTS = tuple(map(_part, TABLES))
