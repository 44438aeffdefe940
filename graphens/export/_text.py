"""Text in files and messages: distinct names, warnings if something is lost, errors while a file is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .._lib.arrays import as_path
from ..errors import FileError, GraphensError, GraphensWarning, warn
from ..labels.names import Names

#: what XML 1.0 has no way to write, not even escaped
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def identifiers(names: Names) -> list[str] | list[int]:
    """Return the names as text if they are all different, otherwise numbers from 0."""
    texts = names.texts()
    return texts if len(set(texts)) == len(texts) else list(range(len(texts)))


def without(
    pattern: re.Pattern[str], replacement: str | Callable[[re.Match[str]], str], names: Sequence[str], where: str
) -> list[str]:
    """Return the names with characters replaced that a format cannot hold, and warn if there are any."""
    cleaned = [pattern.sub(replacement, name) for name in names]
    changed = sum(a != b for a, b in zip(names, cleaned, strict=True))
    if changed:
        loss(f"{changed} of {len(cleaned)} names have characters that {where} cannot hold; they are replaced.")
    return cleaned


def loss(message: str) -> None:
    """Warn that the exported form has less information than the value."""
    warn(message, GraphensWarning)


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
