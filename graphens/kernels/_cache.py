"""Compiled code on disk: read back only if it is whole and every kernel's source is as it was.

numba's own cache believes what it reads: a damaged file makes every call fail, and a kernel that was compiled into
another one is not noticed to have changed.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.compiler_lock import global_compiler_lock

from .._work import keep_through_forks, tell

_DIGEST = hashlib.sha256().digest_size
keep_through_forks(global_compiler_lock)


@cache
def _stamp() -> tuple[tuple[str, float, int], ...]:
    """Names, times and sizes of the files of all kernels."""
    files = [(path.name, path.stat()) for path in sorted(Path(__file__).parent.glob("*.py"))]
    return tuple((name, found.st_mtime, found.st_size) for name, found in files)


class _Checked(IndexDataCacheFile):  # type: ignore[misc]
    """numba's index and data files with a checksum behind the pickle; a file without the right one is not there."""

    def _dump(self, obj: Any) -> bytes:
        data = super()._dump(obj)
        return data + hashlib.sha256(data).digest()

    def _load_index(self) -> Any:
        begins = len(pickle.dumps(self._version, protocol=-1))
        return super()._load_index() if _whole(self._index_path, begins) else {}

    def _load_data(self, name: str) -> Any:
        if not _whole(self._data_path(name)):
            raise FileNotFoundError(name)  # which numba takes as a reason to compile anew
        return super()._load_data(name)


def _whole(path: str, begins: int = 0) -> bool:
    try:
        data = Path(path).read_bytes()[begins:]
    except OSError:
        return False
    return hashlib.sha256(data[:-_DIGEST]).digest() == data[-_DIGEST:]


class _Cache(FunctionCache):  # type: ignore[misc]
    """Looks for compiled code on disk, and says on a terminal, once, that there is none."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _Checked(self._cache_path, self._impl.filename_base, _stamp())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # noqa: BLE001 - whole, and still not readable here: compile anew
            found = None
        if found is None:
            _say_compiling()
        return found


@cache
def _say_compiling() -> None:
    tell("compiling", 0.0)
    if sys.stderr is not None and sys.stderr.isatty():
        logging.getLogger("graphens").warning(
            "graphens compiles for large inputs; the first time on a machine this takes some seconds."
        )


def to_compile(function: Callable[..., Any]) -> Any:
    """Have numba compile a function when it is called, through the disk cache where a folder can be written."""
    compiled = numba.njit(nogil=True)(function)
    if hasattr(compiled, "_cache"):  # else NUMBA_DISABLE_JIT is set
        try:
            compiled._cache = _Cache(function)
        except RuntimeError:  # numba found no folder it may write its cache to
            pass
    return compiled


def on_disk(compiled: Any) -> bool:
    """Whether the disk cache has code of this function, for whatever arguments."""
    return isinstance(getattr(compiled, "_cache", None), _Cache) and os.path.exists(
        compiled._cache._cache_file._index_path
    )


def folder() -> str | None:
    """Return where compiled code is kept, or None where it is not kept."""
    kept = getattr(to_compile(on_disk), "_cache", None)  # any function of this folder will do
    return str(kept.cache_path) if isinstance(kept, _Cache) else None
