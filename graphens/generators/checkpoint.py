"""Checkpoints: finished partitions in one SQLite file, each in its own transaction.

SQLite keeps the file intact if a process is killed during a write, and locks it against a second writer. Every row has
a checksum that also covers the arguments of the call, so damaged rows and rows of other calls are refused.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, as_path, sentinel
from .._lib.stored import digest, dumped, loaded
from ..errors import FileError, InputError
from .features import Matrix
from .recipe import PartitionCodes


def describe_argument(value: Any) -> Any:
    """Describe an argument so that changes are detected: estimators by parameters, functions by code."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple, range, np.ndarray)):
        return [describe_argument(one) for one in value]
    if isinstance(value, dict):
        return {str(name): describe_argument(one) for name, one in value.items()}
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "get_params"):
        options = {name: describe_argument(one) for name, one in sorted(value.get_params(deep=False).items())}
        return {type(value).__qualname__: options}
    if hasattr(value, "func") and hasattr(value, "args"):  # functools.partial
        return [
            describe_argument(value.func),
            describe_argument(value.args),
            {k: describe_argument(v) for k, v in value.keywords.items()},
        ]
    if hasattr(value, "__code__"):
        return [f"{value.__module__}.{value.__qualname__} {_hash(_code(value.__code__))}", *_bound(value)]
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    state = getattr(value, "__dict__", {})
    return [kind, {name: describe_argument(one) for name, one in sorted(state.items())}] if state else kind


def _code(code: CodeType) -> str:
    """The code of a function: instructions, names and constants, including those of nested functions."""
    constants = [
        _code(one) if isinstance(one, CodeType) else repr(sorted(map(repr, one)) if isinstance(one, frozenset) else one)
        for one in code.co_consts
    ]
    return repr((code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants))


def _bound(function: Any) -> list[Any]:
    """The values bound to a function: its defaults, and simple values from its closure."""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    around = [one for one in cells if one is not function and not callable(one)]
    return [describe_argument(one) for one in (function.__defaults__, function.__kwdefaults__, around) if one]


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def fingerprint(matrices: Sequence[Matrix]) -> list[str]:
    """Shape, type and hash of every matrix. O(size)."""
    return [
        m.fingerprint() if hasattr(m, "fingerprint") else f"{m.shape[0]} × {m.shape[1]} {m.dtype} {_digest(m)}"
        for m in matrices
    ]


def _digest(matrix: Matrix) -> str:
    return digest(matrix.data, matrix.indices, matrix.indptr) if sparse.issparse(matrix) else digest(matrix)


_MARK, _VERSION = 0x67726570, 2  # how SQLite's own header says that the file is ours
_TABLES = {
    "arguments": "name TEXT PRIMARY KEY, value TEXT, checksum TEXT",
    "partitions": "t INTEGER PRIMARY KEY, codes BLOB, categories BLOB, weight REAL, checksum TEXT",
    "state": "name TEXT PRIMARY KEY, value BLOB, checksum TEXT",
}


class Checkpoint:
    """Partitions that are done, by number; open only inside the `with` block of `opened`."""

    connection: sqlite3.Connection
    path: Path
    key: str

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.connection, self.path, self.key = connection, path, ""

    def done(self, n_objects: int, n_partitions: int) -> Iterator[PartitionCodes]:
        """The stored partitions, in order, each of them checked."""
        with self._failing("read"):
            for t, codes, categories, weight, checksum in self.connection.execute(
                "SELECT * FROM partitions ORDER BY t"
            ):
                self._check(checksum, t, codes, categories, weight)
                yield _restore(t, loaded(codes), loaded(categories), weight, n_objects, n_partitions)

    def add(self, made: PartitionCodes, state: Mapping[str, AnyArray] | None = None) -> None:
        """Store a partition, and what the next one of a sequence depends on, in one transaction."""
        row = (made.t, dumped(made.codes), dumped(made.categories), float(made.weight))
        with self._failing("write"), self.connection:
            self._put("partitions", *row)
            for name, array in (state or {}).items():
                self._put("state", name, dumped(array))

    def state(self) -> dict[str, AnyArray]:
        """What the next partition of a sequence depends on."""
        arrays = {}
        with self._failing("read"):
            for name, value, checksum in self.connection.execute("SELECT * FROM state"):
                self._check(checksum, name, value)
                arrays[name] = loaded(value)
        return arrays

    def settle(self, arguments: Mapping[str, Any], entropy: int) -> int:
        """Write the arguments to a new file, or compare them with those of the file; return its entropy."""
        texts = {name: json.dumps(value) for name, value in arguments.items()}
        with self._failing("read"), self.connection:
            self._create()
            stored = dict(self._arguments())
            if not stored:
                stored = texts | {"entropy": json.dumps(str(entropy))}
                for name, value in stored.items():
                    self._put("arguments", name, value)
            for name in texts:
                if stored.get(name) != texts[name]:
                    was = None if name not in stored else json.loads(stored[name])
                    if was is None:
                        raise InputError(
                            f"{self.path} is not a checkpoint of this kind ({name} is not in it); give another path."
                        )
                    raise InputError(
                        f"The checkpoint {self.path} was started with {name} = {_show(was)}, but this call has {name} "
                        f"= {_show(json.loads(texts[name]))}. Use the same arguments to continue, or another path to "
                        "start over."
                    )
            if set(stored) != {*texts, "entropy"}:
                raise ValueError("its arguments have the wrong type")
            number = int(json.loads(stored["entropy"]))
        self.key = digest(*sorted(stored.items()))
        return number

    def _arguments(self) -> Iterator[tuple[str, str]]:
        for name, value, checksum in self.connection.execute("SELECT * FROM arguments"):
            self._check(checksum, name, value)
            yield name, value

    def _put(self, table: str, *row: Any) -> None:
        marks = ", ".join("?" * (len(row) + 1))
        self.connection.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", (*row, digest(self.key, *row)))

    def _check(self, kept: Any, *row: Any) -> None:
        if kept != digest(self.key, *row):
            raise ValueError(f"the checksum of {row[0]!r} does not match")

    def _create(self) -> None:
        """Create the tables in an empty file; refuse a file with other contents."""
        rows = self.connection.execute("SELECT type, name FROM sqlite_master").fetchall()
        there = {(kind, name) for kind, name in rows if not name.startswith("sqlite_autoindex_")}
        if not there:
            self.connection.execute(f"PRAGMA application_id = {_MARK}")
            self.connection.execute(f"PRAGMA user_version = {_VERSION}")
            for name, columns in _TABLES.items():
                self.connection.execute(f"CREATE TABLE {name} ({columns})")
            return
        mark, version = (
            self.connection.execute(f"PRAGMA {what}").fetchone()[0] for what in ("application_id", "user_version")
        )
        if mark != _MARK or there != {("table", name) for name in _TABLES}:
            raise FileError(f"{self.path} exists and is not a checkpoint of this graphens; give another path.")
        if version != _VERSION:
            raise FileError(
                f"The checkpoint {self.path} was written by another version of graphens (format {version}); give "
                "another path."
            )

    @contextmanager
    def _failing(self, verb: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise FileError(_reason(self.path, verb, error)) from error
        except InputError:
            raise
        except (ValueError, TypeError, OverflowError) as error:
            raise FileError(
                f"The checkpoint {self.path} is damaged: {error}. Delete it, or give another path, and start over."
            ) from error


def _restore(
    t: Any, codes: AnyArray, categories: AnyArray, weight: Any, n_objects: int, n_partitions: int
) -> PartitionCodes:
    """One partition, checked against this call."""
    if not (isinstance(t, int) and 0 <= t < n_partitions and codes.shape == (n_objects,)):
        raise ValueError(f"partition {t!r} with codes of shape {codes.shape} does not belong here")
    if codes.dtype.kind != "u" or codes.dtype.itemsize > 4 or not codes.dtype.isnative:
        raise ValueError(f"partition {t} has codes of type {codes.dtype}")
    if categories.ndim != 1 or categories.dtype.kind not in "iuU" or len(np.unique(categories)) < len(categories):
        raise ValueError(f"partition {t} has labels of type {categories.dtype}")
    if ((codes >= len(categories)) & (codes != sentinel(codes.dtype))).any():
        raise ValueError(f"partition {t} has codes beyond its {len(categories)} labels")
    if not (isinstance(weight, float) and math.isfinite(weight) and weight >= 0):
        raise ValueError(f"partition {t} weighs {weight!r}")
    return PartitionCodes(t, codes, categories, weight)


@contextmanager
def open_checkpoint(path: str | Path) -> Iterator[Checkpoint]:
    """Open or create a checkpoint, for this process alone."""
    where = as_path(path, "checkpoint")
    if not where.parent.is_dir():
        raise FileError(f"The folder {where.parent} of the checkpoint does not exist; create it first.")
    try:
        connection = sqlite3.connect(where, timeout=2.0)
    except sqlite3.Error as error:
        raise FileError(_reason(where, "open", error)) from error
    try:
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            with connection:
                connection.execute("BEGIN EXCLUSIVE")  # a second process is refused here
        except sqlite3.Error as error:
            raise FileError(_reason(where, "open", error)) from error
        yield Checkpoint(connection, where)
    finally:
        connection.close()


def _reason(path: Path, verb: str, error: sqlite3.Error) -> str:
    if "locked" in str(error):
        return f"The checkpoint {path} is in use by another process; wait for it, or give another path."
    if "not a database" in str(error):
        return f"{path} exists and is not a checkpoint of graphens; give another path."
    return f"Could not {verb} the checkpoint {path}: {error}."


def _show(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 200 else text[:200] + "…"
