"""Why a cell differs: its experiments, kept as they come, and which of them decides."""

from __future__ import annotations

import sys
from typing import NamedTuple

from .causes import EXPERIMENTS, bearing
from .cells import Cell, cells
from .experiments import Found
from .published import TABLES
from .runner import keep, kept, left_out, note_origin


class Trial(NamedTuple):
    """One thing changed in an experiment, and the error it gave."""

    experiment: str
    what: str
    error: float


class Reason(NamedTuple):
    """How a cell stands (explained or open), and the trial that came nearest, of how many."""

    how: str
    trial: Trial | None
    tried: int


def key(cell: Cell) -> str:
    """Return the name under which the experiments of a cell are kept."""
    return f"{cell.table}: {cell.data}, {cell.column}"


def run_reasons(tables: list[str], only: str | None = None) -> None:
    """Make the experiments of all differing cells that have not been made yet, or only those of one name."""
    found: dict[str, dict[str, Found]] = kept("reasons")
    for differing in (cell for table in tables for cell in cells(table) if cell.differs):
        for name in (name for name in bearing(differing) if only in (None, name)):
            for cell in peers(differing) if EXPERIMENTS[name].whole else [differing]:
                made = found.setdefault(key(cell), {})
                if name not in made:
                    print(f"why {key(cell)}: {name}", file=sys.stderr)
                    with left_out(key(cell)):
                        made[name] = EXPERIMENTS[name].function(cell)
                        keep("reasons", found)
                        note_origin("reasons", {"cell": key(cell), "experiment": name})


def peers(cell: Cell) -> list[Cell]:
    """Return the cell and all of its algorithm in the paper's tables that have a figure and were not fitted."""
    told = (other for table in TABLES if _paper(table) == _paper(cell.table) for other in cells(table))
    same = (other for other in told if _algorithm(other) == _algorithm(cell))
    return [other for other in same if other == cell or (other.theirs is not None and not other.fitted)]


def _paper(table: str) -> str:
    return TABLES[table].title.partition(",")[0]


def _algorithm(cell: Cell) -> str:
    """The column without what is shown of it: "KM" for "KM best"."""
    return cell.column.partition(" ")[0]


def trials(cell: Cell) -> list[Trial]:
    """Return everything that was tried for a cell."""
    found: dict[str, Found] = kept("reasons").get(key(cell), {})
    return [Trial(name, what, error) for name in EXPERIMENTS for what, error in found.get(name, {}).items()]


def reason(cell: Cell) -> Reason:
    """Whether a cell is explained (one change gives the published figures of all its peers, all runs) or open."""
    tried = [trial for trial in trials(cell) if EXPERIMENTS[trial.experiment].says_why]
    tried.sort(key=lambda trial: abs(trial.error - (cell.theirs or 0.0)))
    for trial in tried:
        if EXPERIMENTS[trial.experiment].whole and all(_gives(trial, other) for other in peers(cell)):
            return Reason("explained", trial, len(tried))
    return Reason("open", tried[0] if tried else None, len(tried))


def _gives(trial: Trial, cell: Cell) -> bool:
    """Whether the same change was made in this cell, and came near its published figure."""
    made: dict[str, Found] = kept("reasons").get(key(cell), {})
    error = made.get(trial.experiment, {}).get(trial.what)
    return error is not None and cell.theirs is not None and abs(error - cell.theirs) <= cell.room
