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
_BOUNDS = {"equal_parts", "dealt"}  # always on one side: they say nothing of what lies between


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


def deciding(cell: Cell) -> tuple[str, Trial | None]:
    """Whether a cell is explained (a trial gives the published figure), bracketed (one lies beyond it) or open."""
    tried, theirs = trials(cell), cell.theirs or 0.0
    near = min(tried, key=lambda trial: abs(trial.error - theirs), default=None)
    if near is None or abs(near.error - theirs) <= cell.room:
        return ("open" if near is None else "explained"), near
    moved = [trial for trial in tried if trial.experiment not in _BOUNDS]
    beyond = [trial for trial in moved if (trial.error - theirs) * (cell.mean - theirs) < 0]
    return (
        ("bracketed", min(beyond, key=lambda trial: abs(trial.error - theirs))) if beyond else ("open", near)
    )


def sentence(cell: Cell, notes: dict[str, str]) -> str:
    """Say why a cell differs: what gives the published figure, or how near it anything comes; and what is known."""
    known = notes.get(key(cell), "")
    how, trial = deciding(cell)
    if trial is None:
        return known or "No experiment yet."
    cause = CAUSES[EXPERIMENTS[trial.experiment]]
    told = {
        "explained": f"{trial.error:.1f} with {trial.what}. What decides is {cause}.",
        "bracketed": f"between ours and {trial.error:.1f} with {trial.what}. What moves it is {cause}.",
        "open": f"not explained; nearest is {trial.error:.1f} with {trial.what}.",
    }[how]
    others = ", ".join(f"{other.error:.1f} {other.what}" for other in trials(cell) if other != trial)
    return " ".join(part for part in (told, known, f"(Also: {others}.)" if others else "") if part)
