"""The base of all values of this library: once made, they do not change."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from inspect import get_annotations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Self, TypeVar, cast, overload

import numpy as np

from .._lib.arrays import freeze
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


def frozen(value: Any) -> Any:
    """Return the value read-only: an array, a sparse matrix, a tuple of arrays, or a dict."""
    if type(value) is dict:  # the user's own arrays stay writable and are only viewed as read-only
        parts = {name: one.view() if isinstance(one, np.ndarray) else one for name, one in value.items()}
        return ReadOnly({n: frozen(one) if isinstance(one, np.ndarray | dict) else one for n, one in parts.items()})
    if isinstance(value, np.ndarray):
        return freeze(value)
    if isinstance(value, tuple):
        for part in value:
            frozen(part)
    elif hasattr(value, "indptr"):  # a sparse matrix; asking for its type is slow the first time
        for array in (value.data, value.indices, value.indptr):
            freeze(array)
    return value


class remembered(Generic[T]):
    """A property that is computed once and cached beside the fields; not part of equality, copies or pickles.

    Unlike `functools.cached_property`, it has no lock. In Python 3.11 that lock is shared by all instances, and a fork
    may inherit it locked. Two threads may both compute the value; both get the one that was cached first.
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
        result: T = vars(value).setdefault(self.function.__name__, frozen(self.function(value)))
        return result


class Lazy(Generic[T]):
    """A value that is computed when it is first needed, once for all copies; pickles and files hold the value."""

    _value: T

    def __init__(self, compute: Callable[[], T]) -> None:
        self._compute: Callable[[], T] | None = compute

    @classmethod
    def of(cls, value: T) -> Lazy[T]:
        """Return a value that needs no computation."""
        lazy = cls(lambda: value)
        lazy()
        return lazy

    @property
    def computed(self) -> bool:
        """Whether the value has been needed."""
        return self._compute is None

    def __call__(self) -> T:
        """Return the value."""
        if self._compute is not None:
            self._value = frozen(self._compute())
            self._compute = None  # it may refer to much
        return self._value

    def then(self, function: Callable[[T], T]) -> Lazy[T]:
        """Return the value of a function of it, which is as lazy."""
        return Lazy(lambda: function(self()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Lazy.of, (self(),)


def recall(value: Value, key: Hashable, work_out: Callable[[], T]) -> T:
    """Return what was computed for a value under the same key before; otherwise compute it now and cache it.

    Unlike `remembered`, this needs nothing in the class of the value: other modules cache what they count on an
    ensemble. Large results are not cached, and none may refer to the value itself, which would never be freed.
    """
    cache: dict[Hashable, Any] = vars(value).setdefault(_RECALLED, {})
    if key not in cache:
        result = frozen(work_out())
        if _bytes(result) > _KEPT:
            return cast(T, result)
        cache.setdefault(key, result)  # another thread may have been sooner
    return cast(T, cache[key])


def _bytes(value: Any) -> int:
    """The number of bytes in the arrays of a value."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, tuple):
        return sum(map(_bytes, value))
    return sum(_bytes(part) for part in vars(value).values()) if hasattr(value, "__dict__") else 0


class Savable:
    """A value that can be saved in a file."""

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


class Viewable:
    """A value that a notebook can show."""

    def _repr_html_(self) -> str | None:
        """What a notebook shows; None if a line of text is enough."""
        from ..report.notebook import notebook_view

        return notebook_view(self)


class Value(Viewable):
    """A value whose fields are set once, when it is made; copies and pickles are read-only, too."""

    @classmethod
    def _from_fields(cls, **fields: Any) -> Self:
        """Make a value from fields that the caller has checked."""
        value = object.__new__(cls)
        value._set_fields(**fields)
        return value

    def _replace(self, **changes: Any) -> Self:
        """Return the value with some fields replaced by others that fit; only the names of the fields are checked."""
        fields = {name for base in type(self).__mro__ for name in get_annotations(base)}
        if not changes.keys() <= fields:
            raise InputError(
                f"{type(self).__name__} has no field {', '.join(sorted(changes.keys() - fields))}; "
                f"expected some of {', '.join(sorted(name for name in fields if name[0] != '_'))}."
            )
        return self._from_fields(**(self.__getstate__() | changes))

    def _set_fields(self, **fields: Any) -> None:
        """Set fields of a value that is being made, with read-only arrays; or cache something it has computed."""
        for name, value in fields.items():
            object.__setattr__(self, name, frozen(value))

    def __getstate__(self) -> dict[str, Any]:
        """The fields, without cached results."""
        kind = type(self)
        return {
            name: value
            for name, value in vars(self).items()
            if name != _RECALLED and not isinstance(getattr(kind, name, None), remembered)
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Set the fields of a copy or a pickle, and make its arrays read-only again."""
        self._set_fields(**state)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable; make a new one with another {name}.")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable; its {name} cannot be deleted.")
