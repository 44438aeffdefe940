"""The output folder: finished blocks, intermediate results under `_work`, and a lock."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any
from zipfile import BadZipFile

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, as_path
from .._lib.files import ONE_HEADER, atomic
from ..errors import FileError, InputError
from ..export.table_files import arrow

#: tables by name, arrays or sparse matrices
Tables = dict[str, Any]
VERSION = 2  # of what is kept between passes
_PATIENCE = 1.0  # seconds to wait for another process that may only be reading a finished answer
_PARTS = ("data", "indices", "indptr", "shape")  # of a sparse table


class Folder:
    """The contents of `out`: part-000000.parquet, … in the order of the input; all other names begin with _.

    Files are written completely or not at all: they are written inside `_work` and then moved.
    """

    path: Path
    work: Path

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(os.path.abspath(as_path(path, "out")))
        self.work = self.path / "_work"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Create the folder and lock it against other processes; the system releases the lock when the process ends."""
        if self.path.exists() and not self.path.is_dir():
            raise FileError(f"{self.path} is a file; expected an empty or a new folder.")
        if self.path.suffix.lower() in {".parquet", ".npy", ".csv"} and not self.path.is_dir():
            raise InputError(
                f"{self.path} is the name of a file; expected a folder, since the result is written in parts. The "
                "result's write() joins them in a single file."
            )
        names = sorted(p.name for p in self.path.iterdir()) if self.path.is_dir() else []
        if self.read_json("state") is None and [name for name in names if name != "_work"]:
            raise InputError(f"{self.path} already contains {names[0]}; expected an empty or a new folder.")
        try:
            self.work.mkdir(parents=True, exist_ok=True)
            file = open(self.work / "lock", "a+")  # noqa: SIM115 - closed below
        except OSError as error:
            raise FileError(f"{self.path} cannot be written to: {error.strerror or error}.") from None
        with file:
            end = monotonic() + _PATIENCE
            while not _lock(file):
                if monotonic() > end:
                    owner = ""
                    with suppress(OSError, ValueError):
                        file.seek(0)
                        owner = f" ({int(file.read())})"
                    raise FileError(
                        f"Another process{owner} is working in {self.path}. Wait until it has finished and "
                        "call again, or choose another folder."
                    )
                sleep(0.05)
            with suppress(OSError):
                file.truncate(0)
                file.write(str(os.getpid()))
                file.flush()
            yield

    def begin(self, asked: Mapping[str, Any], **own: Any) -> dict[str, Any]:
        """Start a call in the locked folder, or read its state; the folder of another call is refused."""
        state = self.read_json("state")
        if state is None:
            state = {"version": VERSION, "asked": dict(asked), **own}
            self.write_json("state", state)
        elif self.read_json("result") is None:
            logging.getLogger("graphens").warning("The unfinished work of an earlier call in %s goes on.", self.path)
        other = [name for name, value in asked.items() if state["asked"].get(name) != json.loads(json.dumps(value))]
        if other or state["version"] != VERSION:
            name = (other or ["version"])[0]
            difference = f"{name} is {state['asked'].get(name)!r} there and {asked.get(name)!r} here"
            if name == "files":
                difference = "its files, their modification times, columns or blocks are different"
            raise InputError(
                f"{self.path} holds the work of another call: {difference}. Choose another folder, or delete this one."
            )
        return state

    def write_json(self, name: str, value: Mapping[str, Any]) -> None:
        """Store a value as JSON."""
        self._put(self.work / f"{name}.json", json.dumps(value, indent=1).encode())

    def read_json(self, name: str) -> dict[str, Any] | None:
        """Return the stored value, or None."""
        try:
            value: dict[str, Any] = json.loads((self.work / f"{name}.json").read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            raise self._damage(name, error) from error
        return value

    def write_arrays(self, name: str, tables: Tables) -> None:
        """Store tables, sparse ones as the arrays they consist of."""
        arrays: dict[str, AnyArray] = {}
        for key, table in tables.items():
            whole = not sparse.issparse(table)
            arrays |= {key: table} if whole else {f"{key}.{part}": getattr(table, part) for part in _PARTS}
        buffer = BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]
        self._put(self.work / f"{name}.npz", buffer.getbuffer())

    def read_arrays(self, name: str) -> Tables:
        """Return the stored tables, or none."""
        try:
            return _load(str(self.work / f"{name}.npz"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, EOFError, BadZipFile) as error:
            raise self._damage(name, error) from error

    def shared(self, name: str) -> tuple[str, int]:
        """Return the file of tables that all workers read, and its version; see `shared_tables`."""
        path = self.work / f"{name}.npz"
        return str(path), path.stat().st_mtime_ns

    def require(self, *names: str) -> None:
        """Check that files of an earlier call are still there."""
        for name in names:
            if not (self.work / name).exists():
                raise self._damage(name, "it is gone")

    def drop(self, name: str) -> None:
        """Forget arrays."""
        (self.work / f"{name}.npz").unlink(missing_ok=True)

    def _damage(self, name: str, error: Exception | str) -> FileError:
        return FileError(
            f"The work of an earlier call in {self.work} cannot be read ({name}: {error}). Delete {self.path} and call "
            "again."
        )

    def part(self, number: int) -> Path:
        """The file with the result of one block."""
        return self.path / f"part-{number:06d}.parquet"

    def write_part(self, number: int, columns: Mapping[str, AnyArray]) -> None:
        """Write the result of one block."""
        buffer = BytesIO()
        repeats = [name for name, column in columns.items() if getattr(column, "dtype", np.dtype(float)).kind in "iu"]
        arrow("parquet").write_table(arrow("lib").table(dict(columns)), buffer, use_dictionary=repeats)
        self._put(self.part(number), buffer.getbuffer())

    def _put(self, target: Path, content: Any) -> None:
        temporary = self.work / f"{target.name}.new-{os.getpid()}"
        with atomic(temporary) as file:
            file.write(content)
        os.replace(temporary, target)


def _lock(file: IO[str]) -> bool:
    """Lock a file for as long as it is open, and return whether that worked; True if the system has no locks."""
    try:
        import fcntl
    except ImportError:  # Windows locks bytes: here one after the end of the file
        import msvcrt

        file.seek(1 << 20)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return not isinstance(error, BlockingIOError)
    return True


def _load(path: str) -> Tables:
    with ONE_HEADER, np.load(path, allow_pickle=False) as arrays:
        tables: Tables = {name: arrays[name] for name in arrays.files if "." not in name}
        for key in {name.partition(".")[0] for name in arrays.files if "." in name}:
            data, indices, indptr, shape = (arrays[f"{key}.{part}"] for part in _PARTS)
            tables[key] = sparse.csr_array((data, indices, indptr), shape=tuple(shape.tolist()))
    return tables


@cache
def shared_tables(path: str, version: int) -> Tables:
    """Read tables that all blocks need, once in every process; another version is another file."""
    return _load(path)
