"""Why a cell differs: its experiments, kept as they come, and which of them decides."""

from __future__ import annotations

import sys
from typing import NamedTuple

from .causes import EXPERIMENTS, bearing
from .cells import Cell, cells
from .experiments import Found
from .runner import keep, kept


class Trial(NamedTuple):
    """One thing changed in an experiment, and the error it gave."""

    experiment: str
    what: str
    error: float


class Reason(NamedTuple):
    """How a cell stands (explained, bracketed, open), the trial that says so, and what decides."""

    how: str
    trial: Trial | None
    cause: str


def key(cell: Cell) -> str:
    """Return the name under which the experiments of a cell are kept."""
    return f"{cell.table}: {cell.data}, {cell.column}"


def run_reasons(tables: list[str]) -> None:
    """Make the experiments of all differing cells that have not been made yet."""
    found: dict[str, dict[str, Found]] = kept("reasons")
    for cell in (cell for table in tables for cell in cells(table) if cell.differs):
        made = found.setdefault(key(cell), {})
        for name in bearing(cell):
            if name not in made:
                print(f"why {key(cell)}: {name}", file=sys.stderr)
                made[name] = EXPERIMENTS[name].function(cell)
                keep("reasons", found)


def trials(cell: Cell) -> list[Trial]:
    """Return everything that was tried for a cell."""
    found: dict[str, Found] = kept("reasons").get(key(cell), {})
    return [Trial(name, what, error) for name in EXPERIMENTS for what, error in found.get(name, {}).items()]


def reason(cell: Cell) -> Reason:
    """Whether a cell is explained (a trial gives the published figure), bracketed (one lies beyond it) or open."""
    theirs = cell.theirs or 0.0
    tried = [trial for trial in trials(cell) if EXPERIMENTS[trial.experiment].says_why]
    tried.sort(key=lambda trial: abs(trial.error - theirs))
    beyond = [trial for trial in tried if (trial.error - theirs) * (cell.mean - theirs) < 0]
    if not tried:
        return Reason("open", None, "")
    if abs(tried[0].error - theirs) <= cell.room:
        return Reason("explained", tried[0], EXPERIMENTS[tried[0].experiment].cause)
    if beyond:
        return Reason("bracketed", beyond[0], EXPERIMENTS[beyond[0].experiment].cause)
    return Reason("open", tried[0], "")
