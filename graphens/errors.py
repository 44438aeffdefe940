"""What can go wrong, and what can be worth a warning.

::

    GraphensError
    ├── InputError        (ValueError)    labels, weights, seeds or k that make no sense
    ├── TypeMismatch      (TypeError)     the wrong kind of object altogether
    ├── SizeError         (MemoryError)   a result that would not fit the memory budget
    ├── FileError         (OSError)       a file that cannot be read or written as asked
    └── MissingDependency (ImportError)   an optional package that is not installed

    GraphensWarning       (UserWarning)
    ├── OrientationWarning                labels that look transposed
    ├── DegenerateWarning                 an answer with fewer clusters or parts than asked for
    └── FallbackWarning                   another way was taken than the one asked for

    Interrupted           (KeyboardInterrupt)  Ctrl-C during long work; carries what is done

Every message says what was given, what was expected and what to do.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "DegenerateWarning",
    "FallbackWarning",
    "FileError",
    "GraphensError",
    "GraphensWarning",
    "InputError",
    "Interrupted",
    "MissingDependency",
    "OrientationWarning",
    "SizeError",
    "TypeMismatch",
]


class GraphensError(Exception):
    """Base of every error that graphens raises on purpose."""


class InputError(GraphensError, ValueError):
    """A value that makes no sense here."""


class TypeMismatch(GraphensError, TypeError):
    """An object of the wrong kind."""


class SizeError(GraphensError, MemoryError):
    """A result that would not fit the memory budget."""


class FileError(GraphensError, OSError):
    """A file that cannot be read or written as asked."""


class MissingDependency(GraphensError, ImportError):
    """An optional package that is not installed."""


class GraphensWarning(UserWarning):
    """Base of every warning that graphens issues."""


class OrientationWarning(GraphensWarning):
    """Labels that look transposed: far more partitions than objects."""


class DegenerateWarning(GraphensWarning):
    """An answer with fewer clusters or parts than asked for."""


class FallbackWarning(GraphensWarning):
    """Another way was taken than the one asked for."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during long work; what is done by then is its `ensemble`, None when there is nothing yet."""

    def __init__(self, message: str, ensemble: Any = None) -> None:
        super().__init__(message)
        self.ensemble = ensemble
