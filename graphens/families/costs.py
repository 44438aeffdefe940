"""What a call will take, before it starts: figures that `python -m benchmarks costs` has measured, in costs.csv."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from types import MappingProxyType

from ..labels.ensemble import Ensemble

FILE = Path(__file__).with_name("costs.csv")
AT = (10_000, 20, 20)  # the objects, partitions and clusters of a partition to which the figures apply
_Power = tuple[float, ...]  # a figure, and its exponents of the three


@cache
def _costs() -> MappingProxyType[str, tuple[_Power, _Power]]:
    with FILE.open(encoding="utf-8", newline="") as file:
        _, *lines = csv.reader(file)
    rows = {name: tuple(map(float, numbers)) for name, *numbers in lines}
    return MappingProxyType({name: (numbers[:4], numbers[4:]) for name, numbers in rows.items()})


def _grown(power: _Power, sizes: tuple[float, ...]) -> float:
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
    if _grown(seconds, sizes) > 1.0:
        sizes = e.collapse()[0].n_objects, *sizes[1:]
    return _grown(seconds, sizes), _grown(memory, sizes)


def expected_seconds(method: str, e: Ensemble) -> float:
    """Return the processor seconds that a method will take with its defaults; 0 where nothing is known."""
    return expected_cost(method, e)[0]
