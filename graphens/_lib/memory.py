"""The memory budget: large results are estimated and compared with it before they are built."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from ..errors import InputError, SizeError, quote

_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
_FLOOR = 256 * 10**6  # bytes that are there on any machine, whatever other programs take
_chosen: ContextVar[int | None] = ContextVar("graphens_memory_budget", default=None)


def parse_size(text: str | int | float) -> int:
    """Return a number of bytes from a number or from text such as "2 GB".

    >>> parse_size("1.5 GB")
    1500000000
    """
    match = re.fullmatch(r"\s*([0-9.]+(?:e\+?[0-9]+)?)\s*([A-Za-z]*)\s*", str(text))
    try:
        if match is None or match[2].upper() not in _UNITS:
            raise ValueError
        return int(float(match[1]) * _UNITS[match[2].upper()])
    except (ValueError, OverflowError):  # the latter: 1e400 bytes
        raise InputError(
            f"A memory budget of {quote(text)} was given; expected bytes, or text such as '2 GB'."
        ) from None


def readable(n_bytes: float) -> str:
    """Return a number of bytes in readable form.

    >>> readable(3_200_000_000)
    '3.2 GB'
    """
    for unit in ("B", "kB", "MB", "GB"):
        if n_bytes < 1000:
            return f"{n_bytes:.3g} {unit}"
        n_bytes /= 1000
    return f"{n_bytes:.3g} TB"


def _available() -> int:
    """Memory that this process may still use: what the system reports as free (4 GB if nothing), less under a limit."""
    rooms = [4 * 10**9]
    with suppress(AttributeError, OSError, ValueError):
        rooms = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2]
    with suppress(OSError), open("/proc/meminfo") as lines:
        rooms = [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")] or rooms
    with suppress(ImportError, OSError):  # only Linux tells what is taken of `ulimit -v` and `ulimit -d`
        import resource

        pages = Path("/proc/self/statm").read_text().split()
        for limit, taken in ((resource.RLIMIT_AS, pages[0]), (resource.RLIMIT_DATA, pages[5])):
            allowed = resource.getrlimit(limit)[0]
            rooms += [allowed - int(taken) * resource.getpagesize()] if allowed != resource.RLIM_INFINITY else []
    with suppress(OSError, ValueError):  # of a container; a ValueError: the limit is "max"
        allowed, held = (int(Path(f"/sys/fs/cgroup/memory.{name}").read_text()) for name in ("max", "current"))
        rooms.append(allowed - held)
    return max(0, min(rooms))


def budget() -> int:
    """Return the budget in bytes: the one set by `memory_budget`, by GRAPHENS_MEMORY, or half of what is free.

    The last is at least 256 MB: other programs may fill the machine for a moment, and the system swaps what they hold.
    """
    chosen = _chosen.get()
    if chosen is not None:
        return chosen
    named = os.environ.get("GRAPHENS_MEMORY")
    return parse_size(named) if named else max(_available() // 2, _FLOOR)


@contextmanager
def memory_budget(size: str | int | float) -> Iterator[None]:
    """Set the memory budget for the calls inside a `with` block.

    Parameters
    ----------
    size
        Bytes, or text such as ``"2 GB"``.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble([[0, 0], [0, 1], [1, 1]])
    >>> with ge.memory_budget("10 B"):
    ...     ge.coassociation(e).to_scipy()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    graphens.errors.SizeError: The explicit co-association matrix of 3 objects needs about 80 B, but the memory ...
    """
    token = _chosen.set(parse_size(size))
    try:
        yield
    finally:
        _chosen.reset(token)


def require(n_bytes: float, what: str, instead: str) -> None:
    """Raise `SizeError` when something would not fit the budget."""
    allowed = budget()
    if n_bytes > allowed:
        raise SizeError(
            f"{what} needs about {readable(n_bytes)}, but the memory budget is {readable(allowed)}. {instead}, or "
            "raise the budget with graphens.memory_budget()."
        )


_LESS = (
    "Provide more memory, use fewer objects or a method with a lower cost (see graphens.methods()), or work on files "
    "with graphens.scale."
)


@contextmanager
def within_memory(what: str, advice: str = _LESS) -> Iterator[None]:
    """Turn a MemoryError that no estimate had foreseen into a `SizeError` that says what ran out, and what to do."""
    try:
        yield
    except MemoryError as error:
        if isinstance(error, SizeError):
            raise
        reason = str(error).rstrip(".") or "the requested size is unknown"
        there = f"{readable(_available())} were available"
        raise SizeError(f"{what} ran out of memory: {reason}; {there}. {advice}") from error
