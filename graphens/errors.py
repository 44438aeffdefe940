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

Every message says what was given, what was expected and what to do.
"""

from __future__ import annotations

__all__ = [
    "DegenerateWarning",
    "FallbackWarning",
    "FileError",
    "GraphensError",
    "GraphensWarning",
    "InputError",
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
