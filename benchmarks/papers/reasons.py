"""Why a cell differs: which experiments bear on it, and the sentence they give."""

from __future__ import annotations

import sys
from typing import NamedTuple

from .cells import Cell, cells
from .data import SOURCES, is_made
from .experiments import BALANCED, CAUSES, EXPERIMENTS, Found
from .published import TABLES
from .runner import keep, kept

_SINGLE = {"SC": "sigmas", "KM": "starts", "KM best": "starts"}
_OWN = {*_SINGLE, "SL", "AL", "Boost-KM", "Latent-EM", "CA-HNE"}  # these do not follow the row's interval


class Trial(NamedTuple):
    """One thing changed in an experiment, and the error it gave."""

    experiment: str
    what: str
    error: float


def bearing(cell: Cell) -> list[str]:
    """Return the names of the experiments that bear on a cell: what the paper leaves open there."""
    fixed = TABLES[cell.table].rows[cell.data].clusters == SOURCES[cell.data].k
    bears = {
        _SINGLE.get(cell.column, ""): True,
        "halved": cell.column == "Boost-KM",
        "neighbors": cell.column == "EAC-SL",
        "apart": cell.column in BALANCED,
        "equal_parts": cell.column in BALANCED,
        "dealt": fixed and cell.column in BALANCED,
        "three": fixed and cell.data.endswith("yeast"),
        "intervals": not fixed and cell.column not in _OWN,
        "draws": is_made(cell.data),
    }
    return [name for name, does in bears.items() if name and does]


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
                made[name] = EXPERIMENTS[name](cell)
                keep("reasons", found)


def trials(cell: Cell) -> list[Trial]:
    """Return everything that was tried for a cell."""
    found: dict[str, Found] = kept("reasons").get(key(cell), {})
    return [Trial(name, what, error) for name, tried in found.items() for what, error in tried.items()]


def is_explained(cell: Cell) -> bool:
    """Whether something that was tried gives the published figure, or moves ours from one side of it to the other."""
    errors = [cell.mean, *(trial.error for trial in trials(cell))]
    theirs = cell.theirs or 0.0
    return min(errors) - cell.room <= theirs <= max(errors) + cell.room


def sentence(cell: Cell, notes: dict[tuple[str, str], str]) -> str:
    """Say why a cell differs: what gives the published figure, or how near it anything comes; and what is known."""
    tried, known = trials(cell), notes.get((cell.data, cell.column), "")
    if not tried:
        return known or "No experiment yet."
    theirs = cell.theirs or 0.0
    near = min(tried, key=lambda trial: abs(trial.error - theirs))
    cause = CAUSES[EXPERIMENTS[near.experiment]]
    if abs(near.error - theirs) <= cell.room:
        told = f"{near.error:.1f} with {near.what}. What decides is {cause}."
    elif is_explained(cell):
        told = f"between ours and {near.error:.1f} with {near.what}. What decides is {cause}."
    else:
        told = f"not explained; nearest is {near.error:.1f} with {near.what}."
    others = ", ".join(f"{trial.error:.1f} {trial.what}" for trial in tried if trial != near)
    return " ".join(part for part in (told, known, f"(Also: {others}.)" if others else "") if part)
