"""A million objects in 20 partitions: every method that is meant for such sizes, beside one run of k-means."""

import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

import graphens as ge

from .data import Grouped, grouped
from .measuring import measure
from .parts import Part, Row, megabytes, ratio

K, B = 20, 20
METHODS: dict[str, Callable[[ge.Ensemble], Any]] = {
    "auto": partial(ge.consensus, k=K, seed=0),
    **{
        name: partial(ge.consensus, k=K, method=name, seed=0)
        for name in ("lwgp", "lwea", "mcla", "cbgf", "ibgf", "eac", "vote", "cumulative", "neace", "islands")
    },
    "hbgf, spectral": partial(ge.consensus, k=K, method="hbgf", partitioner="spectral", seed=0),
    "qmi, 3 starts": partial(ge.consensus, k=K, method="qmi", n_init=3, seed=0),
    "mixture, 1 start, 20 iterations": partial(
        ge.consensus, k=K, method="mixture", n_init=1, max_iter=20, tol=0, seed=0
    ),
    "aggregate": partial(ge.consensus, method="aggregate", seed=0),
}
FEW_ROWS = "few distinct rows"  # methods whose time grows with the square of the distinct rows
DISTINCT = "most rows distinct"
SQUARE = {"eac", "aggregate"}


@lru_cache(maxsize=1)  # measured calls run in forks, so what an ensemble remembers is not seen by the next
def data(n: int, rows: str) -> Grouped:
    """Points in 2 dimensions share many of their label rows, points in 16 few."""
    return grouped(n, B, (20, 100), dimensions=2 if rows == FEW_ROWS else 16)


def kmeans(points: np.ndarray) -> None:
    """What one partition costs: 20 steps of scikit-learn's k-means from random centers."""
    from sklearn.cluster import KMeans

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        KMeans(K, init="random", n_init=1, max_iter=20, tol=0, random_state=0).fit(points)


def combined(method: str, e: ge.Ensemble) -> float:
    """One consensus, its score included."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(METHODS[method](e).score)


def _distinct(e: ge.Ensemble) -> int:
    return e.collapse()[0].n_objects


def one(method: str, rows: str, n: int) -> dict[str, Any]:
    """A method and k-means on the same points, in turn."""
    g, small = data(n, rows), data.__wrapped__(3000, rows)
    base = measure(kmeans, g.points, warm=(small.points,), repeats=1)
    found = measure(combined, method, g.ensemble, warm=(method, small.ensemble))
    return {
        "distinct": measure(_distinct, g.ensemble, repeats=1).value,
        "seconds": found.seconds,
        "seconds of k-means": base.seconds,
        "peak": found.peak,
        "anmi": found.value,
    }


def by_method(rows: Sequence[Row]) -> list[Row]:
    """One row for each method, with what was measured on each kind of label rows."""
    return [
        {"method": name} | {row["rows"]: row for row in rows if row["method"] == name}
        for name in dict.fromkeys(row["method"] for row in rows)
    ]


SHOWN: dict[str, Callable[[Row], Any]] = {
    "CPU s": lambda row: row["seconds"],
    "runs of k-means": ratio("seconds", "seconds of k-means"),
    "memory": megabytes("peak"),
    "ANMI": lambda row: f"{row['anmi']:.3f}",
}


def _cases(n: int) -> list[dict[str, Any]]:
    return [
        {"method": name, "rows": rows, "n": n}
        for rows in (FEW_ROWS, DISTINCT)
        for name in METHODS
        if rows == FEW_ROWS or name not in SQUARE
    ]


PARTS = (
    Part(
        "million-methods",
        f"A million objects in {B} partitions of 20 to 100 clusters, k = {K}",
        one,
        cases=_cases(1_000_000),
        quick=[case for case in _cases(20_000) if case["method"] in ("auto", "lwgp", "vote")],
        columns={
            "method": lambda row: f"`{row['method'].partition(',')[0]}`" + "".join(row["method"].partition(",")[1:]),
            **{
                f"{rows}, {title}": (lambda row, rows=rows, shown=shown: shown(row[rows]) if rows in row else "")
                for title, shown in SHOWN.items()
                for rows in (FEW_ROWS, DISTINCT)
            },
        },
        chart=f"{FEW_ROWS}, CPU s; {DISTINCT}, CPU s | by: method | log",
        note="2% or 66% of the label rows are distinct. Times include the score (ANMI). One run of k-means is 20 steps "
        "of scikit-learn's KMeans (2 or 16 dimensions), k = 20. `eac` and `aggregate` compare distinct rows with each "
        "other and are measured where those are few.",
        gather=by_method,
    ),
)
