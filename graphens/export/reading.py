"""Errors while reading graph files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .._lib.arrays import as_path
from ..errors import FileError, GraphensError

_LONGEST = 200


@contextmanager
def parsing(path: str | Path, what: str) -> Iterator[None]:
    """Turn any exception of a parser into a `FileError`."""
    try:
        if str(path) != "-":  # standard input is open
            with open(as_path(path), "rb"):
                pass
        yield
    except GraphensError as error:
        raise FileError(f"{path} cannot be used: {error}") from error
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror or error}.") from error
    except Exception as error:
        raise FileError(f"{path} cannot be read as {what}: {clipped(str(error))}") from error


def clipped(text: str) -> str:
    """Return text on one line and short enough for a message."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"
