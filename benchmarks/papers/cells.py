"""What a cell says: mean and deviation of our runs beside the published figure, and a verdict."""

from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np

from ..parts import rows
from .fitted import fitted
from .published import TABLES, Figure
from .tables import PARTS

SAME, CLOSE = 0.5, 5.0  # points that agree and are near, where no deviation is published
SHARE = 0.25  # of a published figure that is still near, where that is less
RUNS = 20  # of a published mean that has a deviation
ROUNDING = 0.05  # points, of a printed figure


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
    def fitted(self) -> str:
        """How the cell was fitted or selected; empty where it was not."""
        return fitted(self.table, self.data, self.column)

    @property
    def room(self) -> float:
        """How far from the published figure is still near: three standard errors.

        Without a deviation: 5 points or a quarter of the figure, whichever is less.
        """
        if isinstance(self.published, tuple):
            return self._errors(3)
        return max(SAME, min(CLOSE, SHARE * (self.published or 0.0)))

    def _errors(self, number: int) -> float:
        """So many standard errors of both means, and never more than two published deviations.

        The second bound: a wide spread of ours must not make a cell agree.
        """
        deviation = self.published[1] if isinstance(self.published, tuple) else 0.0
        runs = len(self.values)
        own = 100 * float(np.std(self.values, ddof=1)) / sqrt(runs) if runs > 1 else 0.0
        return min(number * hypot(deviation / sqrt(RUNS), own) + ROUNDING, max(2 * deviation, SAME))

    @property
    def verdict(self) -> str:
        """How ours stands to theirs: agrees (two standard errors, or half a point), near, lower or higher."""
        if self.theirs is None:
            return "-"
        distance = round(abs(self.mean - self.theirs), 6)
        if distance <= (self._errors(2) if isinstance(self.published, tuple) else SAME):
            return "agrees"
        if distance <= self.room:
            return "near"
        return "lower" if self.mean < self.theirs else "higher"

    @property
    def differs(self) -> bool:
        """Whether ours lies outside the room around theirs."""
        return self.verdict in {"lower", "higher"}


def cells(table: str) -> list[Cell]:
    """Return the cells of a table that have been run, row by row."""
    told = TABLES[table]
    return [
        Cell(table, row["data"], column, best, tuple(row["errors"][best]), told.rows[row["data"]].figures.get(column))
        for row in rows(PARTS[list(TABLES).index(table)])
        for column in told.columns
        for best in [min(told.scans.get(column, (column,)), key=lambda name: float(np.mean(row["errors"][name])))]
    ]
