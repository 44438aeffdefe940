"""A table of rows by name: those of graphens, those of installed packages, and those registered in a session."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any, TypeVar

from .errors import GraphensError, InputError, meant, warn

Row = TypeVar("Row")


class Registry(dict[str, Row]):
    """Rows of one kind by name.

    Parameters
    ----------
    kind
        What a row is, in one word, "method" for example. Packages add rows through the entry points graphens.methods.
    error
        What an unknown name raises.
    """

    kind: str
    error: type[GraphensError]

    def __init__(self, kind: str, error: type[GraphensError] = InputError) -> None:
        super().__init__()
        self.kind, self.error = kind, error
        self._own: set[str] = set()
        self._met: set[str] = set()

    def provide(self, name: str, row: Row) -> None:
        """Add a row that comes with graphens; no other row can have its name."""
        self._own.add(name)
        self[name] = row

    def register(self, name: str, row: Row) -> None:
        """Add a row of the user, replacing an earlier one of the same name."""
        if name in self._own:
            raise InputError(
                f"The name {name!r} is already used by a built-in {self.kind}; choose another one."
            )
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
            raise self.error.about(self.kind, name, known, advice=meant(name, self))
        return self[name]
