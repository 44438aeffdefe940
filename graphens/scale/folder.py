"""The output folder: finished blocks in front, everything else under `_work`, and whose work it is."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any
from zipfile import BadZipFile

import numpy as np

from .._arrays import AnyArray
from ..errors import FileError, InputError
from ..export._atomic import atomic
from .sources import pyarrow

VERSION = 2  # of what is kept between passes
_PATIENCE = 1.0  # seconds to wait for another process that may only be reading a finished answer


class Folder:
    """What is written to `out`: part-000000.parquet, … in the input's order; the names of all else begin with _.

    Files appear whole or not at all: they are written inside `_work` and then moved.
    """

    path: Path
    work: Path

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(os.path.abspath(path))
        self.work = self.path / "_work"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Make the folder and keep other processes out of it; the system opens the lock when the process ends."""
        if self.path.exists() and not self.path.is_dir():
            raise FileError(f"{self.path} is a file; expected an empty or a new folder.")
        if self.path.suffix.lower() in {".parquet", ".npy", ".csv"} and not self.path.is_dir():
            raise InputError(
                f"{self.path} is the name of a file; expected a folder, since the answer is written in parts. The "
                "result's write() joins them in a single file."
            )
        names = sorted(p.name for p in self.path.iterdir()) if self.path.is_dir() else []
        if self.told("state") is None and [name for name in names if name != "_work"]:
            raise InputError(f"{self.path} holds {names[0]} already; expected an empty or a new folder.")
        try:
            self.work.mkdir(parents=True, exist_ok=True)
            file = open(self.work / "lock", "a+")  # noqa: SIM115 - closed below
        except OSError as error:
            raise FileError(f"{self.path} cannot be written to: {error.strerror or error}.") from None
        with file:
            end = monotonic() + _PATIENCE
            while not _lock(file):
                if monotonic() > end:
                    raise FileError(
                        f"Another process{_owner(file)} works in {self.path}. Wait until it has ended and call again, "
                        "or name another folder."
                    )
                sleep(0.05)
            with suppress(OSError):
                file.truncate(0)
                file.write(str(os.getpid()))
                file.flush()
            yield

    def begin(self, asked: Mapping[str, Any], **own: Any) -> dict[str, Any]:
        """Begin a call in the locked folder, or find its state; the folder of another call is refused."""
        state = self.told("state")
        if state is None:
            state = {"version": VERSION, "asked": dict(asked), **own}
            self.tell("state", state)
        other = [
            name for name, value in asked.items() if state["asked"].get(name) != json.loads(json.dumps(value))
        ]
        if other or state["version"] != VERSION:
            name = (other or ["version"])[0]
            said = f"{name} is {state['asked'].get(name)!r} there and {asked.get(name)!r} here"
            if name == "files":
                said = "its files, their times, columns or blocks are others"
            raise InputError(
                f"{self.path} holds the work of another call: {said}. Name another folder, or delete this one."
            )
        return state

    # small things in words, tables as arrays ---------------------------------------------------------------

    def tell(self, name: str, value: Mapping[str, Any]) -> None:
        """Keep something that can be said in words."""
        self._put(self.work / f"{name}.json", json.dumps(value, indent=1).encode())

    def told(self, name: str) -> dict[str, Any] | None:
        """Return what was kept, or None."""
        try:
            found: dict[str, Any] = json.loads((self.work / f"{name}.json").read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            raise self._damaged(name, error) from error
        return found

    def keep(self, name: str, arrays: Mapping[str, AnyArray]) -> str:
        """Keep arrays; return the file, which a worker can read."""
        buffer = BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]
        self._put(self.work / f"{name}.npz", buffer.getbuffer())
        return str(self.work / f"{name}.npz")

    def kept(self, name: str) -> dict[str, AnyArray] | None:
        """Return arrays that were kept, or None."""
        path = self.work / f"{name}.npz"
        try:
            return read_arrays(str(path)) if path.exists() else None
        except (OSError, ValueError, EOFError, BadZipFile) as error:
            raise self._damaged(name, error) from error

    def _damaged(self, name: str, error: Exception) -> FileError:
        return FileError(
            f"What {self.work} keeps of an earlier call cannot be read ({name}: {error}). Delete {self.path} and call "
            "again."
        )

    def drop(self, name: str) -> None:
        """Forget arrays."""
        (self.work / f"{name}.npz").unlink(missing_ok=True)

    # blocks --------------------------------------------------------------------------------------------------

    def part(self, number: int) -> Path:
        """Where the answer of one block is."""
        return self.path / f"part-{number:06d}.parquet"

    def parts(self) -> list[Path]:
        """Return the finished blocks in the input's order."""
        return sorted(self.path.glob("part-*.parquet"))

    def write_part(self, number: int, columns: Mapping[str, AnyArray]) -> None:
        """Write the answer of one block."""
        import pyarrow as pa

        buffer = BytesIO()
        repeats = [
            name for name, column in columns.items() if getattr(column, "dtype", np.dtype(float)).kind in "iu"
        ]
        pyarrow("parquet").write_table(pa.table(dict(columns)), buffer, use_dictionary=repeats)
        self._put(self.part(number), buffer.getbuffer())

    def _put(self, target: Path, content: Any) -> None:
        temporary = self.work / f"{target.name}.new-{os.getpid()}"
        with atomic(temporary) as file:
            file.write(content)
        os.replace(temporary, target)


def _lock(file: IO[str]) -> bool:
    """Lock a file for as long as it is open; whether that worked. Where locks are unknown, there is nobody to ask."""
    try:
        import fcntl
    except ImportError:  # Windows
        return _lock_byte(file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _lock_byte(file: IO[str]) -> bool:
    """Lock a byte behind all that is written, as Windows does it."""
    import msvcrt

    file.seek(1 << 20)
    try:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except OSError:
        return False
    return True


def _owner(file: IO[str]) -> str:
    with suppress(OSError, ValueError):
        file.seek(0)
        return f" ({int(file.read())})"
    return ""


def read_arrays(path: str) -> dict[str, AnyArray]:
    """Read arrays that a folder keeps."""
    with np.load(path, allow_pickle=False) as found:
        return {name: found[name] for name in found.files}
