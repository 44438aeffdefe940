"""The errors and warnings of graphens.

::

    GraphensError
    ├── InputError        (ValueError)    labels, weights, seeds or k that are not valid
    │   └── UnknownName   (KeyError)      a method or partitioner that the registry does not have
    ├── TypeMismatch      (TypeError)     the wrong kind of object altogether
    ├── SizeError         (MemoryError)   a result that would not fit the memory budget
    ├── FileError         (OSError)       a file that cannot be read or written as requested
    ├── MissingDependency (ImportError)   an optional package that is not installed
    ├── PluginError       (RuntimeError)  an external method, partitioner or base that raised an exception
    └── ClusterError      (ConnectionError) workers or a scheduler that can no longer be reached

    GraphensWarning       (UserWarning)
    ├── OrientationWarning                labels that look transposed
    ├── DegenerateWarning                 a result with fewer clusters or parts than requested
    ├── DoubtWarning                      labels without the information that is needed
    └── FallbackWarning                   a substitute was used for what was requested

    Interrupted           (KeyboardInterrupt)  Ctrl-C during long work; carries what is done

Every message says what was given, what was expected and what to do; errors about a single parameter also have these as
attributes.
"""

from __future__ import annotations

import os
import reprlib
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from difflib import get_close_matches
from threading import Lock
from types import FrameType
from typing import Any, NamedTuple, Self

__all__ = [
    "ClusterError", "DegenerateWarning", "DoubtWarning", "FallbackWarning", "FileError", "GraphensError",
    "GraphensWarning", "InputError", "Interrupted", "MissingDependency", "OrientationWarning", "PluginError",
    "SizeError", "TypeMismatch", "UnknownName",
]  # fmt: skip


def without_middle(text: str, most: int = 1000) -> str:
    """Return a long text without its middle: the beginning of a message says what is wrong, the end what to do."""
    return text if len(text) <= most else f"{text[: most * 2 // 3]} […] {text[-most // 3 :]}"


_SHORT = reprlib.Repr()
_SHORT.maxlevel, _SHORT.maxlist, _SHORT.maxtuple, _SHORT.maxdict = 3, 6, 6, 4
_SHORT.maxset = _SHORT.maxarray = 6
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 80


def quote(value: Any) -> str:
    """Return a value as messages show it: in one short line, with arrays and tables by their kind and shape.

    >>> import numpy as np
    >>> quote(list(range(1000))), quote(np.zeros((40, 3))), quote("x")
    ('[0, 1, 2, 3, 4, 5, ...]', '<ndarray of shape (40, 3)>', "'x'")
    """
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        if not shape:
            value = value.item() if hasattr(value, "item") else value  # np.float64(2.0) is 2.0
        elif len(shape) > 1 or shape[0] > 6 or not hasattr(value, "dtype"):
            return f"<{type(value).__name__} of shape {shape}>"
    text = " ".join(_SHORT.repr(value).split()) if not isinstance(value, str) else _SHORT.repr(value)
    return text if len(text) <= 120 else f"{text[:80]}...{text[-30:]}"


class GraphensError(Exception):
    """Base of every error that graphens raises on purpose; very long messages are cut short.

    Attributes
    ----------
    parameter
        The parameter that the error is about, or None.
    given, expected, advice
        Its value, what was expected, and what to do; may be empty.
    """

    parameter: str | None = None
    given: Any = None
    expected: str = ""
    advice: str = ""

    def __init__(self, *args: Any) -> None:
        super().__init__(*(without_middle(part) if isinstance(part, str) else part for part in args))

    @classmethod
    def about(cls, parameter: str, given: Any, expected: str = "", *, because: str = "", advice: str = "") -> Self:
        """Return the error for a parameter with an unexpected value.

        `because` continues the sentence after "was given".

        >>> InputError.about(
        ...     "k", 0, "a number from 1 to 7", advice="Leave it out to have it chosen."
        ... )
        InputError('k = 0 was given; expected a number from 1 to 7. Leave it out to have it chosen.')
        """
        wanted = f"; expected {expected}" if expected else ""
        error = cls(f"{parameter} = {quote(given)} was given{because}{wanted}. {advice.strip()}".rstrip())
        error.parameter, error.given, error.expected, error.advice = (parameter, given, expected, advice.strip())
        return error

    def named(self, option: str) -> Self:
        """Return the same error, naming the command-line option instead of the parameter."""
        error = type(self)(f"{option}{str(self).removeprefix(f'{self.parameter} =')}")
        error.__dict__ |= {**self.__dict__, "parameter": option}
        return error


class InputError(GraphensError, ValueError):
    """An invalid value."""


class UnknownName(InputError, KeyError):
    """An unknown name of a method or partitioner."""

    def __str__(self) -> str:
        return Exception.__str__(self)  # KeyError would put the sentence in quotation marks


class TypeMismatch(GraphensError, TypeError):
    """An object of the wrong kind."""


class SizeError(GraphensError, MemoryError):
    """A result that would not fit the memory budget."""


class FileError(GraphensError, OSError):
    """A file that cannot be read or written as requested."""


class MissingDependency(GraphensError, ImportError):
    """An optional package that is not installed."""


class PluginError(GraphensError, RuntimeError):
    """An external function that raised an exception, which is the cause of this one."""


class ClusterError(GraphensError, ConnectionError):
    """Workers or a scheduler that can no longer be reached."""


class GraphensWarning(UserWarning):
    """Base of every warning that graphens issues."""


class OrientationWarning(GraphensWarning):
    """Labels that look transposed: far more partitions than objects."""


class DegenerateWarning(GraphensWarning):
    """A result with fewer clusters or parts than requested."""


class DoubtWarning(DegenerateWarning):
    """Labels without the information that is needed: a column without information, or too few different rows."""


class FallbackWarning(GraphensWarning):
    """A substitute was used for what was requested."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during long work; the finished part is its `ensemble` or `labels`, None if there is nothing yet."""

    ensemble: Any
    labels: Any

    def __init__(self, message: str, ensemble: Any = None, labels: Any = None) -> None:
        super().__init__(message)
        self.ensemble, self.labels = ensemble, labels


class Note(NamedTuple):
    """A warning that was collected rather than shown."""

    message: str
    category: type[Warning]


_notes: ContextVar[list[Note] | None] = ContextVar("graphens_notes", default=None)
_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
#: what may stand between us and the user
_BETWEEN = {"sklearn", "joblib", "concurrent", "threading", "contextlib", "functools"}
_lock = Lock()
_ignored: Counter[Any] = Counter()


def warn(message: str, category: type[Warning] = GraphensWarning) -> None:
    """Issue a warning that points to the user's line; inside `collect_warnings`, keep it as a note instead."""
    message = without_middle(message)
    notes = _notes.get()
    if notes is not None:
        notes.append(Note(message, category))
        return
    frame = _caller()
    place = frame.f_code.co_filename, frame.f_lineno, frame.f_globals.get("__name__", "__main__")
    warnings.warn_explicit(message, category, *place, frame.f_globals.setdefault("__warningregistry__", {}))


def _caller() -> FrameType:
    """The innermost frame outside graphens and the packages that call it; the outermost if there is none."""
    frame = sys._getframe(2)
    while frame.f_back is not None and (
        frame.f_code.co_filename.startswith(_PACKAGE)
        or frame.f_globals.get("__name__", "").partition(".")[0] in _BETWEEN
    ):
        frame = frame.f_back
    return frame


@contextmanager
def collect_warnings() -> Iterator[list[Note]]:
    """Collect the warnings of this thread's calls inside a `with` block instead of showing them.

    `warnings.catch_warnings` would change what the whole process shows, and two threads that use it can leave the
    warnings of a process switched off for good.
    """
    heard: list[Note] = []
    token = _notes.set(heard)
    try:
        yield heard
    finally:
        _notes.reset(token)


@contextmanager
def named_failure(what: str) -> Iterator[None]:
    """Name the function if one from outside raises; errors of graphens and lack of memory pass unchanged."""
    try:
        yield
    except (GraphensError, MemoryError):
        raise
    except Exception as error:
        said = f": {error}" if str(error) else ""
        raise PluginError(f"{what} raised {type(error).__name__}{said}") from error


@contextmanager
def unheard(category: type[Warning], begins: str = "") -> Iterator[None]:
    """Ignore a warning of another package inside a `with` block.

    The filter is in the list of the process as long as any thread needs it; no other filter is removed. Where every
    thread has a list of its own, as in free-threaded Python, the filter is in that one.
    """
    if getattr(sys.flags, "context_aware_warnings", 0):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", begins, category)
            yield
        return
    with _lock:
        warnings.filterwarnings("ignore", f"(?:{begins})", category)  # in brackets, so that it equals no other filter
        added = warnings.filters[0]
        _ignored[added] += 1
    try:
        yield
    finally:
        with _lock:
            _ignored[added] -= 1
            if not _ignored[added]:
                with suppress(ValueError):  # an older list was restored meanwhile
                    warnings.filters.remove(added)  # type: ignore[attr-defined]


def did_you_mean(given: object, known: Iterable[str]) -> str:
    """Return " Did you mean …?" for the end of a message if a word is close to a known one, otherwise nothing.

    Examples
    --------
    >>> did_you_mean("lwpg", ["eac", "lwgp", "lwea"])
    ' Did you mean lwgp?'
    """
    words = {word.casefold(): word for word in known}
    close = get_close_matches(str(given)[:100].casefold(), words, n=1, cutoff=0.6)
    return f" Did you mean {words[close[0]]}?" if close else ""
