"""What a call will take, before it starts: figures that `python -m benchmarks costs` has measured, in costs.csv."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from types import MappingProxyType

from .._lib.memory import readable
from ..errors import warn
from ..labels.ensemble import Ensemble
from .method import ROWS

FILE = Path(__file__).with_name("costs.csv")
AT = (10_000, 20, 20)  # the objects, partitions and clusters of a partition to which the figures apply
_LONG = 30.0  # expected seconds from which a call warns: it may take twice as long, or less where clusterings agree
_LIMITS = {"generations", "max_iter", "n_init", "n_runs", "population", "rounds", "sample", "steps", "sweeps"}
_Power = tuple[float, ...]  # a figure, and its exponents of the three


@cache
def _costs() -> MappingProxyType[str, tuple[_Power, _Power]]:
    with FILE.open(encoding="utf-8", newline="") as file:
        _, *lines = csv.reader(file)
    rows = {name: tuple(map(float, numbers)) for name, *numbers in lines}
    return MappingProxyType({name: (numbers[:4], numbers[4:]) for name, numbers in rows.items()})


def _extrapolate(power: _Power, sizes: tuple[float, ...]) -> float:
    value, *exponents = power
    for size, at, exponent in zip(sizes, AT, exponents, strict=True):
        value *= (max(size, 1.0) / at) ** exponent
    return value


def expected_cost(method: str, e: Ensemble) -> tuple[float, float]:
    """Return the processor seconds and bytes that a method will take with its defaults; 0 where nothing is known.

    Distinct label rows are counted only if this could matter, since that takes longer than quick methods do.
    """
    if method not in _costs():
        return 0.0, 0.0
    seconds, memory = _costs()[method]
    sizes = e.n_objects, e.n_partitions, float(e.n_clusters.mean())
    if _extrapolate(seconds, sizes) > 1.0:
        sizes = e.collapse()[0].n_objects, *sizes[1:]
    return _extrapolate(seconds, sizes), _extrapolate(memory, sizes)


def expected_seconds(method: str, e: Ensemble) -> float:
    """Return the processor seconds that a method will take with its defaults; 0 where nothing is known."""
    return expected_cost(method, e)[0]


def warn_of_time(method: str, e: Ensemble, changed: set[str]) -> None:
    """Warn of a call that will take minutes, and name a quick method; no warning where an option limits the work."""
    seconds, memory = expected_cost(method, e)
    if seconds < _LONG or _LIMITS & changed:
        return
    family = {row.name: expected_seconds(row.name, e) for row in ROWS.values() if row.family == ROWS[method].family}
    other = min((name for name in family if family[name]), key=lambda name: family[name])
    quick = f"{other}, of the same family, may take {duration(family[other])}"
    warn(
        f"{method} may take {duration(seconds)} of processor time and {readable(memory)} of memory on "
        f"{e.collapse()[0].n_objects:,} distinct rows of labels. "
        f"{quick if 10 * family[other] < seconds else 'graphens.consensus(labels, k) takes seconds'}."
    )


def duration(seconds: float) -> str:
    """Such as "about 4 minutes"."""
    for unit, length in (("hour", 3600.0), ("minute", 60.0)):
        if seconds >= 2 * length:
            return f"about {seconds / length:,.0f} {unit}s"
    return f"about {seconds:.0f} seconds" if seconds >= 2 else "a second or two"
