"""What a cell says: mean and deviation of our runs beside the published figure, and a verdict."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .published import TABLES, Figure
from .runner import Values, kept

CLOSE = 5.0  # points, where no deviation is published


@dataclass(frozen=True)
class Cell:
    """Ours and theirs, in percent."""

    table: str
    data: str
    column: str
    ours: str  # the measured column, of a scan the best
    values: tuple[float, ...]
    published: Figure

    @property
    def mean(self) -> float:
        """Our mean."""
        return 100 * float(np.mean(self.values))

    @property
    def std(self) -> float:
        """Our deviation."""
        return 100 * float(np.std(self.values))

    @property
    def theirs(self) -> float | None:
        """The published mean."""
        return self.published[0] if isinstance(self.published, tuple) else self.published

    @property
    def room(self) -> float:
        """Two published deviations, 5 points where none is given; half a point where the paper prints ± 0."""
        return max(2 * self.published[1], 0.5) if isinstance(self.published, tuple) else CLOSE

    @property
    def verdict(self) -> str:
        """How ours stands to theirs: agrees, lower or higher."""
        if self.theirs is None:
            return "-"
        if abs(self.mean - self.theirs) <= self.room:
            return "agrees"
        return "lower" if self.mean < self.theirs else "higher"

    @property
    def differs(self) -> bool:
        """Whether ours lies outside the room around theirs."""
        return self.verdict in {"lower", "higher"}

    def ours_shown(self) -> str:
        """Our mean, its deviation and how many runs it is of."""
        several = len(self.values) > 1
        return f"{self.mean:.1f}" + (
            f" ± {self.std:.1f} ({len(self.values)} runs)" if several else " (1 run)"
        )

    def shown(self) -> str:
        """Published → ours, bold where they differ."""
        named = "" if self.ours == self.column else f" ({self.ours.removeprefix(self.column).strip()})"
        theirs = "-" if self.theirs is None else f"{self.theirs:.1f}"
        theirs += f" ± {self.published[1]:.1f}" if isinstance(self.published, tuple) else ""
        ours = f"{self.mean:.1f}" + (f" ± {self.std:.1f}" if len(self.values) > 1 else "")
        marked = f"**{ours}**" if self.differs else ours
        return f"{theirs} → {marked}{named}"


def cells(table: str) -> list[Cell]:
    """Return the cells of a table that have been run, row by row."""
    values: Values = kept(table)
    told = TABLES[table]
    found = []
    for data, row in told.rows.items():
        for column in told.columns:
            tried = {name: values.get(data, {}).get(name) for name in told.scans.get(column, (column,))}
            done = {name: tuple(errors) for name, errors in tried.items() if errors}
            if done:
                best = min(done, key=lambda name: float(np.mean(done[name])))
                found.append(Cell(table, data, column, best, done[best], row.figures.get(column)))
    return found
