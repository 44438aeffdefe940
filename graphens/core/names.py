"""Names of vertices, made only when somebody reads them: a million default names cost nothing until then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import AnyArray, freeze
from ..errors import InputError
from .value import Value


class Names(Value, Sequence[str]):
    """A read-only sequence of names: stretches of given names and of numbered default names.

    Parameters
    ----------
    *parts
        Each an array of names, or a ``(prefix, count)`` pair for ``prefix0, prefix1, …``.

    Examples
    --------
    >>> list(Names(("x", 2), np.array(["a:0", "a:1"])))
    ['x0', 'x1', 'a:0', 'a:1']
    """

    parts: tuple[AnyArray | tuple[str, int], ...]
    _size: int

    def __init__(self, *parts: AnyArray | tuple[str, int]) -> None:
        self._set(parts=parts, _size=sum(part[1] if isinstance(part, tuple) else len(part) for part in parts))

    @classmethod
    def given(cls, names: Names | ArrayLike | None, size: int, prefix: str = "x") -> Names:
        """Check names given from outside, or number the things where there are none."""
        if isinstance(names, Names):
            made = names
        else:
            made = cls((prefix, size) if names is None else _as_text(names))
        if len(made) != size:
            raise InputError(f"{len(made)} names were given for {size} things; expected one name each.")
        return made

    def __len__(self) -> int:
        return self._size

    def array(self) -> AnyArray:
        """Return all names as one array of strings."""
        made = [
            np.char.add(part[0], np.arange(part[1]).astype(str)) if isinstance(part, tuple) else part
            for part in self.parts
        ]
        return np.concatenate(made) if made else np.empty(0, dtype=str)

    def take(self, index: AnyArray) -> Names:
        """Return the names of some of the things."""
        return Names(freeze(self.array()[index]))

    def __getitem__(self, index: int | slice) -> str | Sequence[str]:  # type: ignore[override]
        if isinstance(index, slice):
            return Names(freeze(self.array()[index]))
        place = range(self._size)[index]
        for part in self.parts:
            length = part[1] if isinstance(part, tuple) else len(part)
            if place < length:
                return f"{part[0]}{place}" if isinstance(part, tuple) else str(part[place])
            place -= length
        raise IndexError(index)  # not reached: range has checked

    def __iter__(self) -> Iterator[str]:
        return iter(self.array().tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Names) and (
            self.parts is other.parts or bool(np.array_equal(self.array(), other.array()))
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(repr(name) for name in list(self)[:3]) if self._size <= 1000 else "…"
        return f"Names({self._size}: {shown}{', …' if 3 < self._size <= 1000 else ''})"


def _as_text(names: ArrayLike) -> AnyArray:
    given = np.asarray(names)
    if given.ndim != 1:
        raise InputError(f"Names of shape {given.shape} were given; expected a list with one name each.")
    return freeze(np.array([str(x) for x in given], dtype=str))
