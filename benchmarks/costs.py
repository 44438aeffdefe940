"""What every method takes, and how that grows: the tables of expected costs in graphens are written from these rows.

Objects, then partitions, then clusters are raised. Each method is measured up to the size that takes `ENOUGH` seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import graphens as ge
from graphens.families.costs import AT, FILE
from graphens.families.registry import find_method
from graphens.families.trials import call_method

from .data import grouped
from .measuring import measure
from .parts import Case, Part, Row, megabytes, rows, write_csv

SIZES = (150, 400, 1_000, 2_500, 6_000, 15_000, 40_000, 100_000)
LARGEST = SIZES[-1]
ENOUGH = 4.0  # seconds after which a method gets no larger ensemble
_, B, K = AT
UNKNOWN = ("ecg", "recluster", "exact_median")  # of a network; refuses more than 60 rows
MORE = 4  # times as many partitions, and clusters


def growth(method: str, largest: int) -> dict[str, Any]:
    """Measure one method: (objects, partitions, clusters of a partition, seconds, bytes) of every call."""
    points: list[tuple[float, ...]] = []
    for n in (n for n in SIZES if n <= largest):
        points.append(_call(method, n, B, K))
        if points[-1][3] > ENOUGH:
            break
    n = max((n for n, *_, seconds, _ in points if seconds * MORE < 2 * ENOUGH), default=SIZES[0])
    return {"points": [*points, _call(method, int(n), B * MORE, K), _call(method, int(n), B, K * MORE)]}


def _call(method: str, n: int, b: int, k: int) -> tuple[float, ...]:
    e, small = (
        grouped(size, b, (k // 2, k + k // 2), dimensions=8, groups=10, spread=1.5).ensemble for size in (n, 150)
    )
    one = measure(_run, method, e, repeats=1, warm=(method, small))
    return n, b, float(e.n_clusters.mean()), one.seconds, one.peak


def _run(method: str, e: ge.Ensemble) -> None:
    row = find_method(method)
    call_method(row, e, 10 if row.needs_k else None, 0)


def exponents(points: Sequence[Sequence[float]], column: int) -> tuple[float, float, float, float]:
    """Fit value · (n/10,000)^a (B/20)^b (k/20)^c: the largest sizes decide, smaller ones have a constant part."""
    *alone, partitions, clusters = points
    largest = np.log([[point[0], point[column]] for point in alone[-3:]])
    a = max(float(np.polyfit(*largest.T, 1)[0]), 0.0) if len(largest) > 1 else 1.0
    base = next(point for point in alone if point[0] == partitions[0])
    b, c = (
        max(float(np.log(more[column] / base[column]) / np.log(more[place] / base[place])), 0.0)
        for place, more in ((1, partitions), (2, clusters))
    )
    n, _, k, *_ = alone[-1]
    return alone[-1][column] * (AT[0] / n) ** a * (AT[2] / k) ** c, a, b, c


def write() -> None:
    """Write the expected costs beside the registry rows."""
    lines = [
        [f"{value:.3g}" for column in (3, 4) for value in exponents(row["points"], column)] for row in rows(PARTS[0])
    ]
    named = sorted([row["method"], *line] for row, line in zip(rows(PARTS[0]), lines, strict=True))
    head = ("method", "seconds", "n", "B", "k", "bytes", "n", "B", "k")
    write_csv(FILE, [head, *named])


def _power(column: int) -> Callable[[Row], str]:
    def shown(row: Row) -> str:
        _, *powers = exponents(row["points"], column)
        return " ".join(f"{name}^{power:.1f}" for name, power in zip("nBk", powers, strict=True) if power >= 0.05)

    return shown


def cases() -> list[Case]:
    """The methods that need only labels."""
    return [{"method": name, "largest": LARGEST} for name in sorted(ge.methods.keys()) if name not in UNKNOWN]


PARTS = (
    Part(
        "costs",
        "Costs and their growth",
        growth,
        cases=cases(),
        quick=[{"method": "vote", "largest": SIZES[1]}],
        columns={
            "method": lambda row: f"`{row['method']}`",
            "CPU seconds": lambda row: exponents(row["points"], 3)[0],
            "time grows as": _power(3),
            "memory": lambda row: megabytes("x")({"x": exponents(row["points"], 4)[0]}),
            "memory grows as": _power(4),
            "largest n measured": lambda row: max(int(point[0]) for point in row["points"]),
        },
        note="Seconds and memory are those of 10,000 objects in 20 partitions of about 20 clusters, extrapolated where "
        "the largest n measured is smaller. `compare` leaves out what would take too long by these figures, and calls "
        "that would take more than a minute warn.",
        chart="CPU seconds | by: method | log",
    ),
)
