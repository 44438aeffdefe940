"""What the values of this library have in common: once made, they do not change."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from scipy import sparse

from .._arrays import freeze


def frozen(value: Any) -> Any:
    """Return the value with its arrays marked read-only: an array, a sparse matrix, or a tuple of arrays."""
    if isinstance(value, np.ndarray):
        return freeze(value)
    if sparse.issparse(value):
        for array in (value.data, value.indices, value.indptr):
            freeze(array)
    if isinstance(value, tuple):
        for part in value:
            frozen(part)
    return value


class Value:
    """A value whose attributes are set once, when it is made."""

    def _set(self, **fields: Any) -> None:
        """Set attributes of a value that is being made, or keep something it has worked out."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over what a copy or a pickle holds; its arrays come back writable, and must not stay so."""
        self._set(**{name: frozen(value) for name, value in state.items()})

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(
            f"{type(self).__name__} is a value and cannot change; make a new one with another {name}."
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is a value and cannot lose its {name}.")
