"""A table of rows by name: those of graphens, those of installed packages, and those registered in a session."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import InputError, UnknownName, did_you_mean, quote, warn

if TYPE_CHECKING:
    import pandas as pd

Row = TypeVar("Row")


class Registry(dict[str, Row]):
    """Rows of one kind by name.

    Parameters
    ----------
    kind
        What a row is, in one word, "method" for example. Packages add rows through the entry points graphens.methods.
    """

    kind: str

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self._own: set[str] = set()
        self._met: set[str] = set()

    def provide(self, name: str, row: Row) -> None:
        """Add a row that comes with graphens; no other row can have its name."""
        self._own.add(name)
        self[name] = row

    def register(self, name: str, row: Row) -> None:
        """Add a row of the user, replacing an earlier one of the same name."""
        if name in self._own:
            raise InputError(f"The name {quote(name)} is already used by a built-in {self.kind}; choose another one.")
        self[name] = row

    def discover(self, adopt: Callable[[str, Any], Row]) -> None:
        """Add the plug-ins of installed packages; one that fails is reported and left out."""
        for point in entry_points(group=f"graphens.{self.kind}s"):
            if point.value in self._met:
                continue
            self._met.add(point.value)
            try:
                if point.name not in self or point.name in self._own:
                    self.register(point.name, adopt(point.name, point.load()))
            except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a plug-in does must not stop others
                warn(
                    f"The {self.kind} plug-in {point.name!r} ({point.value}) could not be loaded and is ignored: "
                    f"{error!r}."
                )

    def find(self, name: Any, adopt: Callable[[str, Any], Row], otherwise: str = "") -> Row:
        """Return the row with this name; `otherwise` says what else is allowed, for the error message."""
        if not isinstance(name, str) or name not in self:
            self.discover(adopt)
        if not isinstance(name, str) or name not in self:
            known = f"one of {', '.join(sorted(self))}{otherwise}"
            raise UnknownName.about(self.kind, name, known, advice=did_you_mean(name, self))
        return self[name]


class RowList(list[Row]):
    """Rows of a registry: a list that is displayed as a short table."""

    shown: tuple[str, ...]
    columns: tuple[str, ...]

    def __init__(self, rows: Iterable[Row], shown: tuple[str, ...], more: tuple[str, ...]) -> None:
        super().__init__(rows)
        self.shown, self.columns = shown, shown + more

    def _figures(self, columns: tuple[str, ...]) -> dict[str, list[Any]]:
        cells = {column: [getattr(row, column) for row in self] for column in columns}
        return {name: [v if isinstance(v, bool) else str(v) for v in column] for name, column in cells.items()}

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas frame, one row for each."""
        from ..export.frames import frame

        return frame(self._figures(self.columns))

    def __repr__(self) -> str:
        from ..export.text_tables import text_table

        lines = text_table(self._figures(self.shown)).splitlines()
        return "\n".join(line if len(line) < 80 else f"{line[:78].rpartition(' ')[0]} …" for line in lines)

    def _repr_html_(self) -> str:
        from ..report.notebook import grid

        return grid(self._figures(self.shown))


class Catalog(Mapping[str, Row]):
    """What is in a registry: a read-only mapping by name, with plug-ins and what was registered in this session.

    Calling it gives the rows as a list that is displayed as a table.
    """

    _rows: Registry[Row]
    _adopt: Callable[[str, Any], Row]
    _columns: tuple[tuple[str, ...], tuple[str, ...]]

    def __init__(
        self, rows: Registry[Row], adopt: Callable[[str, Any], Row], shown: tuple[str, ...], more: tuple[str, ...]
    ) -> None:
        self._rows, self._adopt, self._columns = rows, adopt, (shown, more)

    def __call__(self) -> RowList[Row]:
        """Return all rows."""
        return RowList(self.values(), *self._columns)

    def __getitem__(self, name: str) -> Row:
        return self._rows.find(name, self._adopt)

    def __iter__(self) -> Iterator[str]:
        self._rows.discover(self._adopt)
        return iter(self._rows)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"{len(self)} {self._rows.kind}s: {', '.join(self)}"

    def _repr_html_(self) -> str:
        return self()._repr_html_()
