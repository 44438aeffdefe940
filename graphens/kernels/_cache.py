"""Compiled code on disk: read back only if it is whole and neither a kernel nor what compiled it has changed.

numba's own cache goes by the time of one file: a copy of the package is compiled again, and a kernel that was compiled
into one of another file is not noticed to have changed. It also believes what it reads: a damaged file makes every
call fail.
"""

from __future__ import annotations

import logging
import pickle
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.event import trigger_event
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

from .._lib.threads import keep_through_forks, report_progress
from . import _store

keep_through_forks(global_compiler_lock)


@cache
def folder() -> str:
    """Return the name of the folder for code from these sources, by this compiler, for this processor."""
    settings = [getattr(numba.config, name, None) for name in ("OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT")]
    versions = [sys.version_info[:2], getattr(sys, "abiflags", ""), numba.__version__, llvmlite.__version__]
    processor = cpu_target.target_context.codegen().magic_tuple()
    return f"{_store.sources()}-{_store.digest(*versions, np.__version__, *settings, *processor)}"


class DiskCache(_Cache):  # type: ignore[misc]
    """One file per kernel and types of arguments, so that processes that write at once never meet in one."""

    def __init__(self, name: str) -> None:
        self._name, self._enabled = name, True

    @property
    def cache_path(self) -> str:
        """The first place, as numba's statistics show it."""
        return str(next(iter(_store.places()), ""))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return compiled code for the types of the arguments; None where it has to be compiled, which is said once."""
        found = None
        try:
            with trigger_event("numba:compile"):  # where compiling is left out of a time, so is reading back
                target_context.refresh()
                data = _store.read(folder(), self._file(sig)) if self._enabled else None
                if data is not None:
                    known, payload = pickle.loads(data)
                    found = CompileResult._rebuild(target_context, *payload) if known == sig else None
        except Exception:  # noqa: BLE001 - whole, and still not readable here: compile anew
            found = None
        if found is None:
            _say_compiling()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code, where a folder can be written."""
        if self._enabled:
            _store.write(folder(), self._file(sig), dumps((sig, data._reduce())))

    def _file(self, sig: Any) -> str:
        return f"{self._name}-{_store.digest(*sig)}.bin"

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Nothing is kept back."""


@cache
def _say_compiling() -> None:
    report_progress("compiling", 0.0)
    if sys.stderr is not None and sys.stderr.isatty():
        logging.getLogger("graphens").warning(
            "graphens compiles code for large inputs; this takes a few seconds the first time on a machine."
        )


def to_compile(name: str, function: Callable[..., Any]) -> Any:
    """Have numba compile a function when it is called, through the disk cache."""
    compiled = numba.njit(nogil=True)(function)
    if hasattr(compiled, "_cache"):  # else NUMBA_DISABLE_JIT is set
        compiled._cache = DiskCache(name)
    return compiled
