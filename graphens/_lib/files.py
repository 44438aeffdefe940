"""Write files either completely or not at all."""

from __future__ import annotations

import os
import secrets
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from ..errors import FileError, InputError
from .arrays import as_path

#: held while the header of an .npy file is read, which may fail in two threads at once on Python 3.11 (gh-106905)
ONE_HEADER = threading.Lock()


@contextmanager
def atomic(path: str | os.PathLike[str], *, text: bool = False) -> Iterator[IO[Any]]:
    """Open a file next to the target for writing; it replaces the target only if everything was written.

    The directory of the target must exist; a link keeps pointing where it points. With `text`, text is written (UTF-8,
    line ends as given) instead of bytes. If anything fails, including an interrupt, the target is unchanged and no
    other file is left behind.
    """
    target = checked_target(path)
    temporary = target.with_name(f".graphens-{secrets.token_hex(6)}.tmp")
    how: dict[str, Any] = {"mode": "x", "encoding": "utf-8", "newline": ""} if text else {"mode": "xb"}
    try:
        with open(temporary, **how) as file:  # "x" makes it with the permissions any new file would get
            if target.exists():
                os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))  # what was private stays private
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, UnicodeEncodeError):
            raise FileError(f"{path} cannot be written: a name has a character that is not valid text.") from error
        if isinstance(error, OSError) and not isinstance(error, FileError):
            raise FileError(f"{path} cannot be written: {error.strerror or error}.") from error
        raise


def checked_page(path: str | os.PathLike[str]) -> Path:
    """Return the path to which a page will be written, or raise an error if it cannot be, or has another ending."""
    page = as_path(path)
    if page.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{path} was given; expected a file that ends in .html.")
    checked_target(page)
    return page


def checked_target(path: str | os.PathLike[str]) -> Path:
    """Return the path to which a file will be written, or raise an error if it cannot be."""
    path = as_path(path)
    try:
        target = Path(os.path.realpath(path))
        if not target.parent.is_dir():
            raise FileError(f"{path} cannot be written: there is no directory {target.parent}. Create it first.")
        if target.exists() and not target.is_file():
            raise FileError(f"{path} cannot be written: it is not a file. Name a file inside it, or another place.")
    except OSError as error:  # names that are too long
        if isinstance(error, FileError):
            raise
        raise FileError(f"{str(path)!r} cannot be written: {error.strerror or error}.") from error
    return target
