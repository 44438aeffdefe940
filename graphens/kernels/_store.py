"""Folders of compiled code, known without loading numba.

``<place>/<sources>-<compiler>/<module>.<kernel>-<types>.bin``: what is compiled depends on the text of all kernels, on
what compiled it and for which processor, and on the types of the arguments. Nothing depends on times or on where the
package lies, so reinstalling, copying and moving leave compiled code valid.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from secrets import token_hex

from .._lib.files import atomic

_HERE = Path(__file__).parent
_DIGEST = hashlib.sha256().digest_size
_MOST = 400 << 20  # bytes of all folders in a place together: several versions, each for several processors


def digest(*parts: object) -> str:
    """Return a short name of what is given, by its text."""
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:16]


@cache
def sources() -> str:
    """Return the name of the text of all kernels: one may be compiled into another, of whatever module."""
    return digest(*(f"{path.name}\0{path.read_text('utf-8')}" for path in sorted(_HERE.glob("*.py"))))


def places() -> list[Path]:
    """Return the folders for compiled code, the one to write to first: the user's, and beside the package."""
    given = _given()
    found = [Path(given, "graphens") if given else _of_user(), beside_package()]
    return [place for place in found if place is not None]


def beside_package() -> Path:
    """Return the folder that every user of this installation reads."""
    return _HERE / "__pycache__"


def _given() -> str | None:
    config = getattr(sys.modules.get("numba"), "config", None)  # a program may have changed its setting
    return getattr(config, "CACHE_DIR", os.environ.get("NUMBA_CACHE_DIR"))


def _of_user() -> Path | None:
    folder = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_CACHE_HOME")
    with suppress(RuntimeError):  # no home
        home = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
        return Path(folder or Path(home).expanduser()) / "graphens"
    return None


def writable(place: Path) -> bool:
    """Return whether a folder can be made there and written to."""
    trial = place / f"{token_hex(8)}.tmp"
    try:
        place.mkdir(parents=True, exist_ok=True)
        trial.write_bytes(b"")
        trial.unlink()
    except OSError:
        return False
    return True


def on_disk(kernel: str) -> bool:
    """Return whether there is compiled code of a kernel (``module.name``), for whatever arguments and processor."""
    return kernel in _listed(_given())


@cache
def _listed(*_: object) -> frozenset[str]:
    """Names of all kernels on disk; looked up once per setting, since small inputs call kernels thousands of times."""
    files = (path.name for place in places() for path in place.glob(f"{sources()}-*/*.bin"))
    return frozenset(name.rpartition("-")[0] for name in files)


def read(folder: str, name: str) -> bytes | None:
    """Return the content of a file from the first place that has it whole."""
    for place in places():
        with suppress(OSError):
            data = (place / folder / name).read_bytes()
            if hashlib.sha256(data[_DIGEST:]).digest() == data[:_DIGEST]:
                _mark_used(place / folder)
                return data[_DIGEST:]
    return None


@cache
def _mark_used(folder: Path) -> None:
    with suppress(OSError):
        os.utime(folder)


def write(folder: str, name: str, data: bytes) -> None:
    """Write a file, which appears whole or not at all, into the first place that takes it."""
    for place in places():
        with suppress(OSError):
            if not (place / folder).exists():
                (place / folder).mkdir(parents=True, exist_ok=True)
                _make_room(place / folder)
            with atomic(place / folder / name) as file:
                file.write(hashlib.sha256(data).digest() + data)
            return


def _make_room(folder: Path) -> None:
    """Remove the folders that were not used for longest where all together have grown too large."""
    room = _MOST
    others = [other for other in folder.parent.glob("*-*/") if len(other.name) == len(folder.name)]
    with suppress(OSError):  # another process may do the same
        for other in sorted(others, key=lambda other: -other.stat().st_mtime):
            room -= sum(file.stat().st_size for file in other.iterdir())
            if room < 0 and other != folder:
                shutil.rmtree(other, ignore_errors=True)
