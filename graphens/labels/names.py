"""Names of objects and vertices as they were given; default names take no memory until they are used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import AnyArray, IntArray, freeze
from .._lib.frames import Frame, as_frame, as_series, take_rows
from ..errors import InputError, quote, warn
from .value import Value

#: names as an array, default names by prefix and numbers, or the numbers of a frame's default index
Part: TypeAlias = "AnyArray | tuple[str, range | IntArray] | range"
#: what a frame's index calls the names: one text, or one entry for each of several levels
Title: TypeAlias = str | tuple[Hashable, ...] | None


class Names(Value, Sequence[Any]):
    """A read-only sequence of names, made of parts: given names, unchanged, and numbered default names.

    Parameters
    ----------
    *parts
        Each an array of names as `as_names` makes them; a ``(prefix, numbers)`` pair for ``x0, x1, …``, with a count
        or the numbers themselves; or ``range(count)`` for the numbers that a frame's default index counts.
    title
        What the names are called, such as the name of a frame's index (``customer_id``); a tuple for several levels.
    backend
        The package of the frame that the objects came in; tables of them are made with the same package.

    Examples
    --------
    >>> names = Names(("x", 3), np.array([7, 8]))
    >>> list(names), list(Names(("x", 3)).take([0, 2]))
    (['x0', 'x1', 'x2', 7, 8], ['x0', 'x2'])
    """

    parts: tuple[Part, ...]
    title: Title
    backend: str | None = None
    _size: int

    def __init__(self, *parts: Part | tuple[str, int], title: Title = None, backend: str | None = None) -> None:
        counted = tuple(
            (part[0], range(part[1])) if isinstance(part, tuple) and isinstance(part[1], int) else part
            for part in parts
        )
        size = sum(len(part[1] if isinstance(part, tuple) else part) for part in counted)
        self._set_fields(parts=counted, title=title, backend=backend, _size=size)

    @classmethod
    def given(cls, names: Names | ArrayLike | None, size: int, prefix: str = "x") -> Names:
        """Check names given by the user, or make default names."""
        if names is None:
            return cls((prefix, size))
        checked = names if isinstance(names, Names) else cls(as_names(names))
        if len(checked) != size:
            raise InputError(f"{len(checked)} names were given for {size} items; expected one name each.")
        return checked

    def __len__(self) -> int:
        return self._size

    def __add__(self, more: Names) -> Names:
        return Names(*self.parts, *more.parts)

    @property
    def numbered(self) -> bool:
        """Whether all names are default names that count from 0, so that they say no more than positions."""
        return all(isinstance(part[1] if isinstance(part, tuple) else part, range) for part in self.parts)

    def array(self) -> AnyArray:
        """Return all names as one array: of whole numbers if all names are, otherwise of objects."""
        pieces = [
            np.array([f"{part[0]}{i}" for i in np.asarray(part[1]).tolist()], dtype=object)
            if isinstance(part, tuple)
            else np.asarray(part)
            for part in self.parts
        ]
        if len({part.dtype.kind for part in pieces}) > 1:
            pieces = [part.astype(object) for part in pieces]
        return freeze(pieces[0] if len(pieces) == 1 else np.concatenate(pieces or [np.empty(0, dtype=object)]))

    def texts(self) -> list[str]:
        """Return all names as text, which is how files and pictures show them."""
        return list(map(str, self.array().tolist()))

    def column(self) -> list[Any]:
        """Return all names for a column of a table: whole numbers if all names are, otherwise text."""
        names = self.array()
        return names.tolist() if names.dtype.kind == "i" else self.texts()

    def agree(self, other: Names) -> bool:
        """Whether the others are the same names, or the same as text, since files keep only text."""
        return self == other or (len(self) == len(other) and self.texts() == other.texts())

    def places(self, wanted: Iterable[Any]) -> list[int | None]:
        """Return the position of each wanted name, found by value or by its text; None if it is not there."""
        place_of = {name: i for i, name in enumerate(self)}
        places = [place_of.get(name) if hashable(name) else None for name in wanted]
        if None in places:
            texts = {text: i for i, text in enumerate(self.texts())}
            places = [texts.get(str(name)) if i is None else i for name, i in zip(wanted, places, strict=True)]
        return places

    def take(self, index: ArrayLike | slice) -> Names:
        """Return some of the names; default names keep their numbers."""
        at = index if isinstance(index, slice) else np.asarray(index)
        (part,) = self.parts if len(self.parts) == 1 else (self.array(),)
        numbers = part[1] if isinstance(part, tuple) else part
        if isinstance(numbers, range) and not isinstance(at, slice) and at.dtype != bool:
            chosen = freeze(at.astype(np.int64))  # without counting all of them
        else:
            chosen = freeze(np.asarray(numbers)[at])
        if not isinstance(part, tuple):
            return Names(chosen, title=self.title, backend=self.backend)
        again = range(len(chosen)) if np.array_equal(chosen, np.arange(len(chosen))) else chosen
        return Names((part[0], again), title=self.title, backend=self.backend)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return self.take(index)
        place = range(self._size)[index]
        for part in self.parts:
            each = part[1] if isinstance(part, tuple) else part
            if place < len(each):
                return f"{part[0]}{each[place]}" if isinstance(part, tuple) else _plain(each[place])
            place -= len(each)
        raise IndexError(index)  # not reached: range has checked

    def __iter__(self) -> Iterator[Any]:
        return iter(self.array().tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Names) and (self.parts is other.parts or list(self) == list(other))

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(repr(name) for name in list(self)[:3]) if self._size <= 1000 else "…"
        return f"Names({self._size}: {shown}{', …' if 3 < self._size <= 1000 else ''})"


def as_names(names: Any) -> AnyArray:
    """Return names unchanged, as an array of whole numbers if all are, otherwise of objects.

    Text is not kept in NumPy's fixed width, in which one long name would make all of them as long. Numbers and text of
    NumPy become Python values. A list, which cannot be hashed, or text with half of a character, which cannot be
    written, is an error.
    """
    many = isinstance(names, Iterable) and not isinstance(names, (str, bytes))
    if not many or getattr(names, "ndim", 1) != 1:
        shape = getattr(names, "shape", ())
        raise InputError(f"Names of shape {shape} were given; expected a list with one name each.")
    values = [_plain(name) for name in names]
    kinds = set(map(type, values))
    if kinds == {int} and min(values) >= -(2**63) and max(values) < 2**63:
        return freeze(np.array(values, dtype=np.int64))
    try:
        set() if kinds <= {str} else set(values)
    except TypeError:
        odd = next(name for name in values if not hashable(name))
        raise InputError(
            f"There is the name {quote(odd)}, a {type(odd).__name__}; expected one name each: text, a number, a date, "
            "or a tuple of these."
        ) from None
    check_text(values if kinds <= {str} else map(str, values), "There is the name")
    return freeze(np.fromiter(values, dtype=object, count=len(values)))


def hashable(name: Any) -> bool:
    """Whether a value can be in a set or a dict."""
    try:
        hash(name)
    except TypeError:
        return False
    return True


def _plain(name: Any) -> Any:
    """A NumPy number, text or date as a Python value; NA of pandas as None; any other value unchanged."""
    if isinstance(name, np.generic):
        value = name.item()
        return name if isinstance(name, (np.datetime64, np.timedelta64)) and isinstance(value, int) else value
    return None if type(name).__name__ == "NAType" else name


def question_names(names: Names) -> None:
    """Warn if several objects have the same name, with an example."""
    values = [] if names.numbered else list(names)
    if len(set(values)) < len(values):
        name, times = Counter(values).most_common(1)[0]
        warn(
            f"{times} objects have the name {quote(name)}: there are {len(values)} objects, and {len(set(values))} "
            "different names. They stay different objects, but only an object with a unique name can be looked up by "
            "its name (on the command line, --duplicates first or --duplicates number makes names unique)."
        )


def check_text(texts: Iterable[str], what: str) -> None:
    """Refuse text with a lone surrogate, which cannot be written."""
    try:
        "".join(listed := list(texts)).encode()
    except UnicodeEncodeError:
        wrong = next(text for text in listed if any("\ud800" <= letter <= "\udfff" for letter in text))
        raise InputError(
            f"{what} {wrong!r}, which contains half of a surrogate pair and cannot be written as UTF-8; expected "
            "text. Repair it, e.g. with name.encode('utf-8', 'replace').decode()."
        ) from None


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


# what is given for each object -----------------------------------------------------------------------------


def row_names(frame: Frame) -> Names:
    """Return the names of a frame's rows: those of its index, if that does more than count, otherwise default names."""
    return index_names(frame.table, frame.backend)


def index_names(table: Any, backend: str) -> Names:
    """Return the names of objects in the index of a pandas-like frame or series; default names if there is none."""
    n_objects, index = len(table), getattr(table.to_native(), "index", None)
    if index is None:
        return Names(("x", n_objects), backend=backend)
    index = index.to_pandas() if hasattr(index, "to_pandas") else index  # cuDF's cannot be walked through
    counted = type(index).__name__ == "RangeIndex" and (index.start, index.step) == (0, 1)
    title = tuple(index.names) if index.nlevels > 1 else None if index.name is None else str(index.name)
    return Names(range(n_objects) if counted else as_names(index), title=title, backend=backend)


def attached_names(given: Any) -> Names | None:
    """Return the names that come with labels, weights or features of objects; None for plain arrays and lists."""
    names = getattr(given, "names", None)
    if isinstance(names, Names):  # a Consensus
        return names
    if isinstance(given, Mapping):
        return Names(as_names(given))
    if (frame := as_frame(given)) is not None:
        return row_names(frame)
    series = as_series(given)
    return None if series is None else index_names(series, str(series.implementation.value))


def align(given: Any, names: Names | None, what: str) -> Any:
    """Return what is given for each object in the order of the objects: by name if both sides have names.

    Labels, weights or features come as a Series or a frame, a mapping, a Consensus, or a plain array. Arrays and frames
    with a default index are in the right order already, and so is everything for objects with default names that does
    not have the same names, or if the names are unknown (None). `what` it is called in error messages.
    """
    names_given = attached_names(given)
    values = getattr(given, "labels", given)
    values = np.array([*given.values()], dtype=object) if isinstance(given, Mapping) else values
    if names_given is None or names is None or names_given.numbered or names_given.agree(names):
        return values
    places = names_given.places(names)
    rows = [place for place in places if place is not None]
    if len(rows) == len(names_given) == len(set(rows)) == len(names):
        return take_rows(values, np.array(rows))
    default = all(isinstance(part, tuple) for part in names.parts)
    if names.numbered or (default and not rows):
        return values
    if None in places:
        why = f"none is called {quote(names[places.index(None)])}"
    elif odd := next(
        (name for name, place in zip(names_given, names.places(names_given), strict=True) if place is None), None
    ):
        why = f"{quote(odd)} is not one of them"
    else:
        why = "several have the same name, and they are in another order"
    raise InputError(
        f"The rows of {what} do not have the names of the objects: {why}. Expected one row for each of the "
        f"{len(names)} objects. If the rows are in their order, give {what} without an index, as an array."
    )


def named_partitions(names: Sequence[str]) -> Names:
    """Return the names of partitions to align by; P0, P1, … are default names."""
    every = Names(("P", len(names)))
    return every if list(every) == list(names) else Names(as_names(names))
