"""What the values of this library have in common: once made, they do not change."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from inspect import get_annotations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Self, TypeVar, cast, overload

import numpy as np
from scipy import sparse

from .._arrays import freeze
from ..errors import InputError

T = TypeVar("T")
_KEPT = 1 << 26  # bytes of what is worth keeping
_RECALLED = "_recalled"  # the attribute it is kept in


class ReadOnly(dict[str, Any]):
    """A dict that cannot change."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("This mapping is read-only; dict(…) makes a copy that you can change.")

    if not TYPE_CHECKING:  # to a checker it is the dict it derives from
        __setitem__ = __delitem__ = __ior__ = _refuse
        update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return ReadOnly, (dict(self),)


def _read_only(part: Any) -> Any:
    """Part of a dict as nobody can change it; an array of the user's stays as it is, and is only seen read-only."""
    if isinstance(part, np.ndarray):
        return freeze(part.view())
    return ReadOnly({name: _read_only(one) for name, one in part.items()}) if type(part) is dict else part


def frozen(value: Any) -> Any:
    """Return the value read-only: an array, a sparse matrix, a tuple of arrays, or a dict."""
    if type(value) is dict:
        return _read_only(value)
    if isinstance(value, np.ndarray):
        return freeze(value)
    if sparse.issparse(value):
        for array in (value.data, value.indices, value.indptr):
            freeze(array)
    if isinstance(value, tuple):
        for part in value:
            frozen(part)
    return value


class remembered(Generic[T]):
    """A property worked out once and kept beside the fields: no part of equality, copies or pickles.

    Unlike `functools.cached_property` it has no lock, which in Python 3.11 all instances share and a fork may inherit
    taken: two threads may both work it out, and both get what the first one kept.
    """

    function: Callable[[Any], T]
    __doc__: str | None

    def __init__(self, function: Callable[[Any], T]) -> None:
        self.function, self.__doc__ = function, function.__doc__

    @overload
    def __get__(self, value: None, owner: type) -> Self: ...
    @overload
    def __get__(self, value: object, owner: type) -> T: ...
    def __get__(self, value: object | None, owner: type) -> Self | T:
        if value is None:
            return self
        made: T = vars(value).setdefault(self.function.__name__, frozen(self.function(value)))
        return made


def recall(value: Value, key: Hashable, work_out: Callable[[], T]) -> T:
    """Return what was worked out for a value before, by whoever asked with the same key; else do it now and keep it.

    Unlike what is `remembered`, the value's class need not know of it: what is counted on an ensemble, other modules
    count. Large results are not kept, and none may hold the value itself, which would then never be let go.
    """
    known: dict[Hashable, Any] = vars(value).setdefault(_RECALLED, {})
    if key not in known:
        made = frozen(work_out())
        if _bytes(made) > _KEPT:
            return cast(T, made)
        known.setdefault(key, made)  # another thread may have been sooner
    return cast(T, known[key])


def _bytes(value: Any) -> int:
    """What the arrays of a value take."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, tuple):
        return sum(map(_bytes, value))
    return sum(_bytes(part) for part in vars(value).values()) if hasattr(value, "__dict__") else 0


class Saved:
    """What can be kept in a file."""

    def save(self, path: str | Path) -> None:
        """Write it to one file (a NumPy archive without pickled objects), either completely or not at all.

        ``graphens.load(path)`` reads it back, also in later versions. An existing file is replaced only after
        everything is written. A function among the options is restored as its name, with a warning.

        Examples
        --------
        >>> import tempfile
        >>> import graphens as ge
        >>> path = tempfile.mkdtemp() + "/graph.npz"
        >>> ge.coassociation([[0, 0], [0, 1], [1, 1]]).save(path)
        >>> ge.load(path).threshold(0.4)
        Graph(coassociation > 0.4, 3 vertices, 2 edges)
        """
        from ..export.archive import save

        save(self, path)

    def _repr_html_(self) -> str | None:
        """What a notebook shows; None where a line of text says it all."""
        from ..report.notebook import shown

        return shown(self)


class Value(Saved):
    """A value whose fields are set once, when it is made; copies and pickles are as read-only as the value itself."""

    @classmethod
    def _from_fields(cls, **fields: Any) -> Self:
        """Make a value from fields that keep its promises; checked by whoever calls."""
        made = object.__new__(cls)
        made._set_fields(**fields)
        return made

    def _replace(self, **changes: Any) -> Self:
        """Return the value with some fields exchanged for others that fit; only their names are checked."""
        known = {name for base in type(self).__mro__ for name in get_annotations(base)}
        if not changes.keys() <= known:
            raise InputError(
                f"{type(self).__name__} has no field {', '.join(sorted(changes.keys() - known))}; "
                f"expected some of {', '.join(sorted(name for name in known if name[0] != '_'))}."
            )
        return self._from_fields(**(self.__getstate__() | changes))

    def _set_fields(self, **fields: Any) -> None:
        """Set fields of a value that is being made, arrays read-only; or keep something it has worked out."""
        for name, value in fields.items():
            object.__setattr__(self, name, frozen(value))

    def __getstate__(self) -> dict[str, Any]:
        """The fields, without what is only remembered or recalled."""
        kind = type(self)
        return {
            name: value
            for name, value in vars(self).items()
            if name != _RECALLED and not isinstance(getattr(kind, name, None), remembered)
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over what a copy or a pickle holds; its arrays come back writable, and must not stay so."""
        self._set_fields(**state)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable; make a new one with another {name}.")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable; its {name} cannot be deleted.")
