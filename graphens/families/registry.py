"""The registry of consensus functions: one row each, found by name."""

from __future__ import annotations

from ..errors import InputError, meant
from .rows import ROWS, Method

__all__ = ["Method", "find_method", "methods"]


def methods() -> list[Method]:
    """Return the registry: one row per consensus function.

    Examples
    --------
    >>> import graphens as ge
    >>> all(row.reference for row in ge.methods())
    True
    """
    return list(ROWS.values())


def find_method(name: str) -> Method:
    """Return the row of a method by its name."""
    if not isinstance(name, str) or name not in ROWS:
        raise InputError(
            f"method = {name!r} was given; expected one of {', '.join(sorted(ROWS))}.{meant(name, ROWS)}"
        )
    return ROWS[name]
