"""Checkpoints: finished partitions in one SQLite file, each in a transaction of its own.

SQLite keeps a file whole when a process is killed in the middle of a write, and locks it against a second writer.
"""

from __future__ import annotations

import hashlib
import io
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import AnyArray
from ..errors import FileError, InputError
from .matrices import Matrix
from .recipe import Made

_FORMAT = "graphens ensemble 1"
_ROWS = 65536  # hashed at a time, so that no copy of X is made


class Checkpoint:
    """Partitions that are done, by number; open only inside the `with` block of `opened`."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.connection, self.path = connection, path

    def done(self) -> Iterator[Made]:
        """The stored partitions, in order."""
        for t, codes, categories, weight in self.connection.execute(
            "SELECT t, codes, categories, weight FROM partitions ORDER BY t"
        ):
            yield Made(int(t), _loaded(codes), _loaded(categories), float(weight))

    def add(self, made: Made, state: Mapping[str, AnyArray] | None = None) -> None:
        """Store a partition, and what the next one of a sequence depends on, in one transaction."""
        with self._failing("write"), self.connection:
            self.connection.execute(
                "INSERT OR REPLACE INTO partitions VALUES (?, ?, ?, ?)",
                (made.t, _dumped(made.codes), _dumped(made.categories), made.weight),
            )
            for name, array in (state or {}).items():
                self.connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, _dumped(array)))

    def state(self) -> dict[str, AnyArray]:
        """What the next partition of a sequence depends on."""
        return {name: _loaded(array) for name, array in self.connection.execute("SELECT * FROM state")}

    def settle(self, arguments: Mapping[str, Any], entropy: int) -> int:
        """Enter the arguments into a new file, or check them against the file's; return the entropy to go on with."""
        with self._failing("read"), self.connection:
            self._create()
            kept = dict(self.connection.execute("SELECT * FROM arguments"))
            if not kept:
                rows = [(name, json.dumps(value)) for name, value in arguments.items()]
                rows.append(("entropy", json.dumps(str(entropy))))
                self.connection.executemany("INSERT INTO arguments VALUES (?, ?)", rows)
                return entropy
        stored = {name: json.loads(value) for name, value in kept.items()}
        for name, value in arguments.items():
            if stored.get(name) != json.loads(json.dumps(value)):
                raise InputError(_refusal(self.path, name, stored.get(name), value))
        return int(stored["entropy"])

    def _create(self) -> None:
        self.connection.execute("CREATE TABLE IF NOT EXISTS arguments (name TEXT PRIMARY KEY, value TEXT)")
        self.connection.execute(
            "CREATE TABLE IF NOT EXISTS partitions (t INTEGER PRIMARY KEY, codes BLOB, categories BLOB, weight REAL)"
        )
        self.connection.execute("CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value BLOB)")

    @contextmanager
    def _failing(self, verb: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise FileError(_reason(self.path, verb, error)) from error


@contextmanager
def opened(path: str | Path) -> Iterator[Checkpoint]:
    """Open a checkpoint, or begin one, for this process alone."""
    where = Path(path)
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


def _refusal(path: Path, name: str, stored: Any, given: Any) -> str:
    if stored is None:
        return f"{path} is not a checkpoint of this kind ({name} is not in it); give another path."
    return (
        f"The checkpoint {path} was begun with {name} = {_shown(stored)}, and this call has {name} = {_shown(given)}. "
        "Use the same arguments to go on, or another path to begin anew."
    )


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 200 else text[:200] + "…"


def _dumped(array: AnyArray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _loaded(stored: bytes) -> AnyArray:
    return np.load(io.BytesIO(stored), allow_pickle=False)


# what the arguments are, in words that can be compared ------------------------------------------------------


def describe(value: Any) -> Any:
    """Describe an argument so that a changed one reads differently: estimators by parameters, functions by code."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple, range, np.ndarray)):
        return [describe(one) for one in value]
    if isinstance(value, dict):
        return {str(name): describe(one) for name, one in value.items()}
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "get_params"):
        options = {name: describe(one) for name, one in sorted(value.get_params(deep=False).items())}
        return {type(value).__qualname__: options}
    if hasattr(value, "func") and hasattr(value, "args"):  # functools.partial
        return [
            describe(value.func),
            describe(value.args),
            {k: describe(v) for k, v in value.keywords.items()},
        ]
    if hasattr(value, "__code__"):
        return [f"{value.__module__}.{value.__qualname__} {_hashed(_code(value.__code__))}", *_bound(value)]
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    state = getattr(value, "__dict__", {})
    return [kind, {name: describe(one) for name, one in sorted(state.items())}] if state else kind


def _code(code: CodeType) -> str:
    """What a function does: instructions, names and constants, those of functions inside it included."""
    constants = [
        _code(one)
        if isinstance(one, CodeType)
        else repr(sorted(map(repr, one)) if isinstance(one, frozenset) else one)
        for one in code.co_consts
    ]
    return repr((code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants))


def _bound(function: Any) -> list[Any]:
    """What a function was made with: default values, and the simple ones among the values around it."""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    around = [one for one in cells if one is not function and not callable(one)]
    return [describe(one) for one in (function.__defaults__, function.__kwdefaults__, around) if one]


def _hashed(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def fingerprint(matrices: Sequence[Matrix]) -> list[str]:
    """Shape, type and hash of every matrix. O(size)."""
    return [f"{m.shape[0]} × {m.shape[1]} {m.dtype} {_digest(m)}" for m in matrices]


def _digest(matrix: Matrix) -> str:
    digest = hashlib.blake2b(digest_size=16)
    parts = [matrix.data, matrix.indices, matrix.indptr] if sparse.issparse(matrix) else [matrix]
    for part in parts:
        for start in range(0, len(part), _ROWS):
            digest.update(np.ascontiguousarray(part[start : start + _ROWS]).view(np.uint8).data)
    return digest.hexdigest()
