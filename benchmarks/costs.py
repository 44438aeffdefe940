"""What every method takes, and how that grows: the tables of expected costs in graphens are written from these rows.

Objects, then partitions, then clusters are raised. Each method is measured up to the size that takes `ENOUGH` seconds.
"""

from collections.abc import Callable
from functools import cache
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
ENOUGH, ROOM = 4.0, 1e9  # seconds and bytes after which a method gets no larger ensemble
_, B, K = AT
UNKNOWN = ("ecg", "recluster", "exact_median")  # of a network; refuses more than 60 rows
MORE = 4  # times as many partitions, and clusters


def growth(method: str, largest: int) -> dict[str, Any]:
    """Measure one method: (distinct rows, partitions, clusters of a partition, seconds, bytes) of every call."""
    points: list[tuple[float, ...]] = []
    for n in (n for n in SIZES if n <= largest):
        points.append(_call(method, _ensemble(n, B, K)))
        if points[-1][3] > ENOUGH or points[-1][4] > ROOM:
            break
    at = max((i for i, point in enumerate(points) if point[3] * MORE < 2 * ENOUGH), default=0)
    return {
        "points": points,
        "at": at,
        "more": [_call(method, _ensemble(SIZES[at], *more)) for more in ((B * MORE, K), (B, K * MORE))],
    }


def _call(method: str, e: ge.Ensemble) -> tuple[float, ...]:
    one = measure(_run, method, e, repeats=1, warm=(method, _ensemble(150, B, K)))
    return int(np.unique(e.codes, axis=1).shape[1]), e.n_partitions, float(e.n_clusters.mean()), one.seconds, one.peak


@cache
def _ensemble(n: int, b: int, k: int) -> ge.Ensemble:
    return grouped(n, b, (k // 2, k + k // 2), dimensions=8, groups=10, spread=1.5).ensemble


def _run(method: str, e: ge.Ensemble) -> None:
    row = find_method(method)
    with ge.errors.collect_warnings():
        call_method(row, e, 10 if row.needs_k else None, 0)


def exponents(row: Row, column: int) -> tuple[float, float, float, float]:
    """Fit value · (n/10,000)^a (B/20)^b (k/20)^c: the largest sizes decide, smaller ones have a constant part."""
    points = np.array(row["points"])
    largest = np.log(points[-3:, [0, column]])
    a = max(float(np.polyfit(largest[:, 0], largest[:, 1], 1)[0]), 0.0) if len(largest) > 1 else 1.0
    growths = []
    for place, more in enumerate(np.log(np.array(row["more"]) / points[row["at"]]), start=1):
        growths.append(max(float((more[column] - a * more[0]) / more[place]), 0.0))  # other rows may be distinct
    b, c = growths
    n, _, k, *_ = points[-1]
    return float(points[-1, column] * (AT[0] / n) ** a * (AT[2] / k) ** c), a, b, c


def write() -> None:
    """Write the expected costs beside the registry rows, once all are measured."""
    if len(rows(PARTS[0])) < len(cases()):
        return
    head = ("method", "seconds", "n", "B", "k", "bytes", "n", "B", "k")
    lines = [
        [row["method"], *(f"{value:.3g}" for column in (3, 4) for value in exponents(row, column))]
        for row in rows(PARTS[0])
    ]
    write_csv(FILE, [head, *sorted(lines)])


def _power(column: int) -> Callable[[Row], str]:
    def shown(row: Row) -> str:
        _, *powers = exponents(row, column)
        return " ".join(f"{name}^{power:.1f}" for name, power in zip("nBk", powers, strict=True) if power >= 0.05)

    return shown


def cases() -> list[Case]:
    """The methods that need only labels."""
    return [{"method": name, "largest": LARGEST} for name in sorted(ge.methods) if name not in UNKNOWN]


PARTS = (
    Part(
        "costs",
        "Costs and their growth",
        growth,
        cases=cases(),
        quick=[{"method": "vote", "largest": SIZES[1]}],
        columns={
            "method": lambda row: f"`{row['method']}`",
            "CPU seconds": lambda row: exponents(row, 3)[0],
            "time grows as": _power(3),
            "memory": lambda row: megabytes("x")({"x": exponents(row, 4)[0]}),
            "memory grows as": _power(4),
            "largest n measured": lambda row: int(row["points"][-1][0]),
        },
        note="Seconds and memory are those of 10,000 distinct rows of labels in 20 partitions of about 20 clusters, "
        "extrapolated where the largest n measured is smaller. By these figures, `compare` leaves out what would take "
        "too long, and calls that would take half a minute or more warn.",
        chart="CPU seconds | by: method | log",
    ),
)
