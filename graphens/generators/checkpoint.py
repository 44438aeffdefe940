"""Checkpoints: finished partitions in one SQLite file, each in its own transaction.

SQLite keeps the file intact if a process is killed during a write, and locks it against a second writer. Every row has
a checksum that also covers the arguments of the call, so damaged rows and rows of other calls are refused.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
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
        return [describe_argument(one) for one in (value.func, value.args, value.keywords)]
    if hasattr(value, "__code__"):
        return [f"{value.__module__}.{value.__qualname__} {digest(_code(value.__code__))}", *_bound(value)]
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


def fingerprint(matrices: Sequence[Matrix]) -> list[str]:
    """Shape, type and hash of every matrix. O(size)."""
    texts = []
    for m in matrices:
        parts = (m.data, m.indices, m.indptr) if sparse.issparse(m) else (m,)
        plain = f"{m.shape[0]} × {m.shape[1]}"
        texts.append(m.fingerprint() if hasattr(m, "fingerprint") else f"{plain} {m.dtype} {digest(*parts)}")
    return texts


_MARK, _VERSION = 0x67726570, 2  # how SQLite's own header says that the file is ours
_TABLES = {
    "arguments": "name TEXT PRIMARY KEY, value TEXT, checksum TEXT",
    "partitions": "t INTEGER PRIMARY KEY, codes BLOB, categories BLOB, weight REAL, checksum TEXT",
    "state": "name TEXT PRIMARY KEY, value BLOB, checksum TEXT",
}


@dataclass(eq=False)
class Checkpoint:
    """Partitions that are done, by number; open only inside the `with` block of `opened`."""

    connection: sqlite3.Connection
    path: Path
    key: str = ""

    def done(self, n_objects: int, n_partitions: int) -> Iterator[PartitionCodes]:
        """The stored partitions, in order, each of them checked."""
        with self._failing("read"):
            for t, codes, names, weight, checksum in self.connection.execute("SELECT * FROM partitions ORDER BY t"):
                self._check(checksum, t, codes, names, weight)
                yield _restore(t, loaded(codes), loaded(names), weight, n_objects, n_partitions)

    def add(self, made: PartitionCodes, state: Mapping[str, AnyArray] | None = None) -> None:
        """Store a partition, and what the next one of a sequence depends on, in one transaction."""
        row = (made.t, dumped(made.codes), dumped(made.categories), float(made.weight))
        with self._failing("write"), self.connection:
            self._put("partitions", *row)
            for name, array in (state or {}).items():
                self._put("state", name, dumped(array))

    def state(self) -> dict[str, AnyArray]:
        """What the next partition of a sequence depends on."""
        with self._failing("read"):
            return {name: loaded(value) for name, value in self._named("state")}

    def settle(self, arguments: Mapping[str, Any], entropy: int) -> int:
        """Write the arguments to a new file, or compare them with those of the file; return its entropy."""
        texts = {name: json.dumps(value) for name, value in arguments.items()}
        with self._failing("read"), self.connection:
            self._create()
            stored = dict(self._named("arguments"))
            if not stored:
                stored = texts | {"entropy": json.dumps(str(entropy))}
                for name, value in stored.items():
                    self._put("arguments", name, value)
            for name, text in texts.items():
                if name not in stored:
                    raise InputError(
                        f"{self.path} is not a checkpoint of this kind ({name} is not in it); give another path."
                    )
                if stored[name] != text:
                    raise InputError(
                        f"The checkpoint {self.path} was started with {name} = {_show(stored[name])}, but this call "
                        f"has {name} = {_show(text)}. Use the same arguments to continue, or another path to start "
                        "over."
                    )
            if set(stored) != {*texts, "entropy"}:
                raise ValueError("its arguments have the wrong type")
            number = int(json.loads(stored["entropy"]))
        self.key = digest(*sorted(stored.items()))
        return number

    def _named(self, table: str) -> Iterator[tuple[str, Any]]:
        for name, value, checksum in self.connection.execute(f"SELECT * FROM {table}"):
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
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(closing(sqlite3.connect(where, timeout=2.0)))
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            with connection:
                connection.execute("BEGIN EXCLUSIVE")  # a second process is refused here
        except sqlite3.Error as error:
            raise FileError(_reason(where, "open", error)) from error
        yield Checkpoint(connection, where)


def _reason(path: Path, verb: str, error: sqlite3.Error) -> str:
    if "locked" in str(error):
        return f"The checkpoint {path} is in use by another process; wait for it, or give another path."
    if "not a database" in str(error):
        return f"{path} exists and is not a checkpoint of graphens; give another path."
    return f"Could not {verb} the checkpoint {path}: {error}."


def _show(text: str) -> str:
    value = json.loads(text)
    shown = value if isinstance(value, str) else "None" if value is None else text
    return shown if len(shown) <= 200 else shown[:200] + "…"
