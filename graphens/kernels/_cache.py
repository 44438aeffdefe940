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
from time import process_time
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from .._lib.progress import report_progress
from .._lib.stored import digest
from .._lib.threads import keep_through_forks
from . import _store

keep_through_forks(global_compiler_lock)
_begins: list[float] = []  # of kernels that are being compiled, each into the one before


@cache
def folder() -> str:
    """Return the name of the folder for code from these sources, by this compiler, for this processor."""
    settings = [getattr(numba.config, name, None) for name in ("OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT")]
    versions = [sys.version_info[:2], getattr(sys, "abiflags", ""), numba.__version__, llvmlite.__version__]
    processor = cpu_target.target_context.codegen().magic_tuple()
    return f"{_store.sources()}-{digest(*versions, np.__version__, *settings, *processor)}"


class DiskCache:
    """One file per kernel and types of arguments, so that processes that write at once never meet in one.

    numba calls it under its lock: before it compiles, and after.
    """

    cache_path = ""  # what numba's statistics show

    def __init__(self, name: str) -> None:
        self._name = name

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return compiled code for the types of the arguments; None where it has to be compiled, which is said once."""
        _begins.append(process_time())
        try:
            # numba's own cache has all that compiling needs loaded here, which takes longer than loading numba itself.
            # What is compiled needs its memory management only; compiling loads the rest by itself.
            rtsys.initialize(target_context)
            types, payload = pickle.loads(_store.read_code(folder(), self._file(sig)) or b"")
            if types == sig:
                code = CompileResult._rebuild(target_context, *payload)
                _add_seconds()
                return code
        except Exception:  # noqa: BLE001 - not there, or whole and still not readable here: compile anew
            pass
        _say_compiling()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code, where a folder can be written."""
        _add_seconds()
        _store.write_code(folder(), self._file(sig), dumps((sig, data._reduce())))

    def _file(self, sig: Any) -> str:
        return f"{self._name}-{digest(*sig)}.bin"


def _add_seconds() -> None:
    begin = _begins.pop()
    if not _begins:  # what is compiled into another kernel is part of that one's time
        _store.compile_seconds += process_time() - begin


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
        from ._vectors import BY_HAND

        if name in BY_HAND:
            return BY_HAND[name]
        compiled._cache = DiskCache(name)
    return compiled
