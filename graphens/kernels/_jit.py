"""The one decorator of every compiled loop.

Compiled code is cached on disk and runs without the interpreter lock, so that threads of a pool can share the
work. numba's own ``parallel=True`` is never used: two callers at once abort the process under its default layer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile on first call, from the disk cache where there is one; without a cache where no folder can be written."""
    try:
        return numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # numba found no folder it may write its cache to
        return numba.njit(nogil=True)(function)
