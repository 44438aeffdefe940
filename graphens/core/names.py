"""Names of objects and vertices as they were given; default names take no memory until they are used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import AnyArray, freeze
from ..errors import InputError, warn
from .value import Value

#: what a frame's index calls the names: one text, or one entry for each of several levels
Title: TypeAlias = str | tuple[Hashable, ...] | None


class Names(Value, Sequence[Any]):
    """A read-only sequence of names, made of parts: given names, unchanged, and numbered default names.

    Parameters
    ----------
    *parts
        Each an array of names as `as_names` makes them, a ``(prefix, count)`` pair for ``prefix0, prefix1, …``, or
        ``range(count)`` for the numbers that a frame's default index counts.
    title
        What the names are called, such as the name of a frame's index (``customer_id``); a tuple for several levels.
    backend
        The package of the frame that the objects came in; tables of them are made with the same package.

    Examples
    --------
    >>> list(Names(("x", 2), np.array(["a:0", "a:1"]), np.array([7, 8])))
    ['x0', 'x1', 'a:0', 'a:1', 7, 8]
    """

    parts: tuple[AnyArray | tuple[str, int] | range, ...]
    title: Title
    backend: str | None = None
    _size: int

    def __init__(
        self,
        *parts: AnyArray | tuple[str, int] | range,
        title: Title = None,
        backend: str | None = None,
    ) -> None:
        size = sum(part[1] if isinstance(part, tuple) else len(part) for part in parts)
        self._set_fields(parts=parts, title=title, backend=backend, _size=size)

    @classmethod
    def given(cls, names: Names | ArrayLike | None, size: int, prefix: str = "x") -> Names:
        """Check names given by the user, or make default names."""
        if isinstance(names, Names):
            made = names
        else:
            made = cls((prefix, size) if names is None else as_names(names))
        if len(made) != size:
            raise InputError(f"{len(made)} names were given for {size} items; expected one name each.")
        return made

    def __len__(self) -> int:
        return self._size

    def __add__(self, more: Names) -> Names:
        return Names(*self.parts, *more.parts)

    @property
    def numbered(self) -> bool:
        """Whether all names are default names."""
        return all(isinstance(part, (tuple, range)) for part in self.parts)

    def array(self) -> AnyArray:
        """Return all names as one array: of text or whole numbers if all names are, otherwise of objects."""
        made = [_in_full(part) for part in self.parts]
        if len({part.dtype.kind for part in made}) > 1:
            made = [part.astype(object) for part in made]
        return np.concatenate(made) if made else np.empty(0, dtype=str)

    def texts(self) -> list[str]:
        """Return all names as text, which is how files and pictures show them."""
        return [str(name) for name in self]

    def column(self) -> list[Any]:
        """Return all names for a column of a table: whole numbers if all names are, otherwise text."""
        return self.array().tolist() if self.array().dtype.kind == "i" else self.texts()

    def agree(self, other: Names) -> bool:
        """Whether the others are the same names, or the same as text, since files keep only text."""
        return self == other or (len(self) == len(other) and self.texts() == other.texts())

    def places(self, wanted: Iterable[Any]) -> list[int | None]:
        """Return the position of each wanted name, found by value or by its text; None if it is not there."""
        known = {name: i for i, name in enumerate(self)}
        places = [known.get(name) for name in wanted]
        if None in places:
            texts = {text: i for i, text in enumerate(self.texts())}
            places = [
                texts.get(str(name)) if i is None else i for name, i in zip(wanted, places, strict=True)
            ]
        return places

    def take(self, index: AnyArray) -> Names:
        """Return some of the names."""
        return Names(freeze(self.array()[index]), title=self.title, backend=self.backend)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return Names(freeze(self.array()[index]), title=self.title, backend=self.backend)
        place = range(self._size)[index]
        for part in self.parts:
            length = part[1] if isinstance(part, tuple) else len(part)
            if place < length:
                return (
                    f"{part[0]}{place}"
                    if isinstance(part, tuple)
                    else _in_full(part[place : place + 1]).tolist()[0]
                )
            place -= length
        raise IndexError(index)  # not reached: range has checked

    def __iter__(self) -> Iterator[Any]:
        return iter(self.array().tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Names) and (self.parts is other.parts or list(self) == list(other))

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(repr(name) for name in list(self)[:3]) if self._size <= 1000 else "…"
        return f"Names({self._size}: {shown}{', …' if 3 < self._size <= 1000 else ''})"


def _in_full(part: AnyArray | tuple[str, int] | range) -> AnyArray:
    if isinstance(part, tuple):
        return np.char.add(part[0], np.arange(part[1]).astype(str))
    return np.arange(part.start, part.stop) if isinstance(part, range) else part


def as_names(names: Any, what: str = "There is the name") -> AnyArray:
    """Return names unchanged, as an array of text, of whole numbers, or otherwise of objects.

    Numbers and text of NumPy become Python values. A name that cannot be hashed (a list) or written as text (a lone
    surrogate) is an error.
    """
    values = _listed(names)
    kinds = set(map(type, values))
    if kinds <= {str}:
        return as_text(values, what)
    if kinds == {int} and min(values) >= -(2**63) and max(values) < 2**63:
        return freeze(np.array(values, dtype=np.int64))
    try:
        set(values)
    except TypeError:
        odd = next(name for name in values if not _hashable(name))
        raise InputError(
            f"{what} {odd!r}, a {type(odd).__name__}; expected one name each: text, a number, a date, or a tuple of "
            "these."
        ) from None
    as_text(values, what)
    return freeze(np.fromiter(values, dtype=object, count=len(values)))


def _listed(names: Any) -> list[Any]:
    """Names as a list of Python values."""
    many = hasattr(names, "__iter__") and not isinstance(names, (str, bytes))
    if not many or getattr(names, "ndim", 1) != 1:
        shape = getattr(names, "shape", ())
        raise InputError(f"Names of shape {shape} were given; expected a list with one name each.")
    return [_plain(name) for name in names]


def _hashable(name: Any) -> bool:
    try:
        hash(name)
    except TypeError:
        return False
    return True


def _plain(name: Any) -> Any:
    """A NumPy number, text or date as a Python value; NA of pandas as None; any other value unchanged."""
    if isinstance(name, np.generic):
        own = name.item()
        return name if isinstance(name, (np.datetime64, np.timedelta64)) and isinstance(own, int) else own
    return None if type(name).__name__ == "NAType" else name


def question_names(names: AnyArray | None) -> None:
    """Warn if several objects have the same name, with an example."""
    values = [] if names is None else names.tolist()
    if len(set(values)) < len(values):
        name, times = Counter(values).most_common(1)[0]
        warn(
            f"{times} objects have the name {name!r}; all {len(values)} together have {len(set(values))} different "
            "names. They stay different objects, but only an object with a unique name can be looked up by its name."
        )


def as_text(names: Iterable[Any], what: str) -> AnyArray:
    """Return an array of texts; a lone surrogate or a NUL at the end, which cannot be written or kept, is an error."""
    texts = [str(name) for name in names]
    if cut := next((text for text in texts if text.endswith("\0")), None):
        raise InputError(
            f"{what} {cut!r}, whose last character cannot be stored in a NumPy string; remove it."
        )
    made = np.array(texts, dtype=str)
    points = np.ascontiguousarray(made).view(np.uint32) if made.size and made.dtype.itemsize else np.empty(0)
    if ((points >= 0xD800) & (points <= 0xDFFF)).any():
        wrong = next(name for name in made.tolist() if any("\ud800" <= letter <= "\udfff" for letter in name))
        raise InputError(
            f"{what} {wrong!r}, which contains half of a surrogate pair and cannot be written as UTF-8; expected "
            "text. Repair it, "
            "e.g. with name.encode('utf-8', 'replace').decode()."
        )
    return freeze(made)


def joined_names(names: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    """Join partition names; a name that is already in use becomes the first free P… from its position on."""
    joined, taken = list(names), set(names)
    for name in more:
        place = len(joined)
        while name in taken:
            name, place = f"P{place}", place + 1
        joined.append(name)
        taken.add(name)
    return tuple(joined)
