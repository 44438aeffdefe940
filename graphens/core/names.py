"""Names of vertices, made only when somebody reads them: a million default names cost nothing until then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

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
    title
        What the names are, such as a frame's index says (``customer_id``).

    Examples
    --------
    >>> list(Names(("x", 2), np.array(["a:0", "a:1"])))
    ['x0', 'x1', 'a:0', 'a:1']
    """

    parts: tuple[AnyArray | tuple[str, int], ...]
    title: str | None
    _size: int

    def __init__(self, *parts: AnyArray | tuple[str, int], title: str | None = None) -> None:
        size = sum(part[1] if isinstance(part, tuple) else len(part) for part in parts)
        self._set_fields(parts=parts, title=title, _size=size)

    @classmethod
    def given(cls, names: Names | ArrayLike | None, size: int, prefix: str = "x") -> Names:
        """Check names given from outside, or number the things where there are none."""
        if isinstance(names, Names):
            made = names
        else:
            made = cls((prefix, size) if names is None else _one_each(names))
        if len(made) != size:
            raise InputError(f"{len(made)} names were given for {size} things; expected one name each.")
        return made

    def __len__(self) -> int:
        return self._size

    def __add__(self, more: Names) -> Names:
        return Names(*self.parts, *more.parts)

    @property
    def numbered(self) -> bool:
        """Whether nobody gave any of the names."""
        return all(isinstance(part, tuple) for part in self.parts)

    def array(self) -> AnyArray:
        """Return all names as one array of strings."""
        made = [
            np.char.add(part[0], np.arange(part[1]).astype(str)) if isinstance(part, tuple) else part
            for part in self.parts
        ]
        return np.concatenate(made) if made else np.empty(0, dtype=str)

    def take(self, index: AnyArray) -> Names:
        """Return the names of some of the things."""
        return Names(freeze(self.array()[index]), title=self.title)

    def __getitem__(self, index: int | slice) -> str | Sequence[str]:  # type: ignore[override]
        if isinstance(index, slice):
            return Names(freeze(self.array()[index]), title=self.title)
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

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(repr(name) for name in list(self)[:3]) if self._size <= 1000 else "…"
        return f"Names({self._size}: {shown}{', …' if 3 < self._size <= 1000 else ''})"


def as_text(names: Iterable[Any], what: str) -> AnyArray:
    """Return an array of texts; a lone surrogate or a NUL at the end, which cannot be written or kept, is an error."""
    texts = [str(name) for name in names]
    if cut := next((text for text in texts if text.endswith("\0")), None):
        raise InputError(f"{what} {cut!r}, whose last character NumPy's texts cannot hold; leave it out.")
    made = np.array(texts, dtype=str)
    points = np.ascontiguousarray(made).view(np.uint32) if made.size and made.dtype.itemsize else np.empty(0)
    if ((points >= 0xD800) & (points <= 0xDFFF)).any():
        wrong = next(name for name in made.tolist() if any("\ud800" <= letter <= "\udfff" for letter in name))
        raise InputError(
            f"{what} {wrong!r}, which is half of a character and cannot be written as UTF-8; expected text. Repair it, "
            "e.g. with name.encode('utf-8', 'replace').decode()."
        )
    return freeze(made)


def _one_each(names: ArrayLike) -> AnyArray:
    try:
        given = np.asarray(names)
    except ValueError:
        raise InputError("Lists of different lengths were given as names; expected one name each.") from None
    if given.ndim != 1:
        raise InputError(f"Names of shape {given.shape} were given; expected a list with one name each.")
    return as_text(names if isinstance(names, (list, tuple)) else given, "There is the name")


def joined_names(names: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    """Join partition names; one that is taken already becomes the first free P… from its place on."""
    joined, taken = list(names), set(names)
    for name in more:
        place = len(joined)
        while name in taken:
            name, place = f"P{place}", place + 1
        joined.append(name)
        taken.add(name)
    return tuple(joined)
