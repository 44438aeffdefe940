"""Files of compiled code, known without loading numba.

``<place>/<sources>-<compiler>/<module>.<kernel>-<types>.bin``: what is compiled depends on the text of all kernels, on
what compiled it and for which processor, and on the types of the arguments. Nothing depends on times or on where the
package lies, so reinstalling, copying and moving leave compiled code valid.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

from .._lib.files import atomic
from .._lib.stored import digest

_HERE = Path(__file__).parent
_DIGEST = sha256().digest_size
_MOST = 8  # folders in a place: several versions, each for several processors
compile_seconds = 0.0  # processor time that compiling, or reading compiled code, has taken in this process


@cache
def sources() -> str:
    """Return the name of the text of all kernels: one may be compiled into another, of whatever module."""
    return digest(*(part for path in sorted(_HERE.glob("*.py")) for part in (path.name, path.read_bytes())))


def places() -> list[Path]:
    """Return the folders for compiled code, the one to write to first: the user's, and the package's own."""
    beside = _HERE / "__pycache__"  # read by every user of this installation
    of_user = "LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME"
    folder = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get(of_user)
    with suppress(RuntimeError):  # no home
        home = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
        return [Path(folder or Path(home).expanduser()) / "graphens", beside]
    return [beside]


def writable(place: Path) -> bool:
    """Return whether files can be written there, or the folder can be made."""
    nearest = next(one for one in (place, *place.parents) if one.exists())
    return nearest.is_dir() and os.access(nearest, os.W_OK)


def on_disk(kernel: str) -> bool:
    """Return whether there is compiled code of a kernel (``module.name``), for whatever arguments and processor."""
    return kernel in _list_kernels(*places())


@cache
def _list_kernels(*folders: Path) -> frozenset[str]:
    """Names of all kernels on disk; looked up once, since small inputs call kernels thousands of times."""
    files = (path.name for place in folders for path in place.glob(f"{sources()}-*/*.bin"))
    return frozenset(name.rpartition("-")[0] for name in files)


def read_code(folder: str, name: str) -> bytes | None:
    """Return the content of a file from the first place that has it whole."""
    for place in places():
        with suppress(OSError):
            data = (place / folder / name).read_bytes()
            if sha256(data[_DIGEST:]).digest() == data[:_DIGEST]:
                return data[_DIGEST:]
    return None


def write_code(folder: str, name: str, data: bytes) -> None:
    """Write a file, which appears whole or not at all, into the first place that takes it."""
    for place in places():
        with suppress(OSError):
            if not (place / folder).exists():
                (place / folder).mkdir(parents=True)
                # Only what is named like ours goes: the oldest folders, of versions that are hardly used any more.
                ours = [one for one in place.glob("*-*/") if len(one.name) == len(folder)]
                for old in sorted(ours, key=lambda one: one.stat().st_mtime)[:-_MOST]:
                    shutil.rmtree(old, ignore_errors=True)
            with atomic(place / folder / name) as file:
                file.write(sha256(data).digest() + data)
            return
