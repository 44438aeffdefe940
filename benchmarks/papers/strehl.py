"""Strehl and Ghosh 2002: 8D5K clustered by five clusterers that see two of the eight features each, then combined."""

from collections.abc import Callable
from typing import Any

import numpy as np

import graphens as ge
from graphens.errors import FileError
from graphens.measures import nmi

from ..parts import LeftOut, Part, Row
from .data import load

COMBINED: dict[str, Callable[..., Any]] = {"supra": ge.supra, "CSPA": ge.cspa, "HGPA": ge.hgpa, "MCLA": ge.mcla}
#: NMI with the classes of the paper's one draw of features; its consensus is the best of the three methods by ANMI
PUBLISHED = {"all features": 1.000, "lowest": 0.621, "mean": 0.698, "highest": 0.766, "supra": 0.989}


def distributed(runs: int) -> dict[str, Any]:
    """Return NMI with the classes, for every draw of features."""
    try:
        X, truth = load("8D5K")
    except FileError as error:
        raise LeftOut(str(error)) from None
    draws = [_draw(X, truth, seed) for seed in range(runs)]
    return {"nmi": {name: [round(float(draw[name]), 5) for draw in draws] for name in draws[0]}}


def _draw(X: Any, truth: Any, seed: int) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    partitions = [_cut(X[:, rng.choice(X.shape[1], 2, replace=False)], seed) for _ in range(5)]
    singles, e = [nmi(truth, labels) for labels in partitions], ge.Ensemble.from_partitions(partitions)
    return {
        "all features": nmi(truth, _cut(X, seed)),
        "lowest": min(singles),
        "mean": float(np.mean(singles)),
        "highest": max(singles),
        **{name: nmi(truth, method(e, 5, seed=seed).labels) for name, method in COMBINED.items()},
    }


def _cut(X: Any, seed: int) -> Any:
    """Five parts of the graph with weights exp(−d²), as in the paper."""
    weights = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    np.fill_diagonal(weights, 0.0)
    return ge.partition(ge.Graph(weights), 5, seed=seed, n_init=1).labels


def _lines(rows: list[Row]) -> list[Row]:
    """A line for each kind of clustering."""
    return [{"clustering": name, "values": values} for row in rows for name, values in row["nmi"].items()]


def _of(function: Callable[[Any], Any]) -> Callable[[Row], str]:
    return lambda row: f"{function(row['values']):.3f}"


PARTS = (
    Part(
        "papers-strehl-ghosh",
        "Published again: Strehl and Ghosh 2002, feature-distributed clustering of 8D5K",
        distributed,
        cases=[{"runs": 20}],
        quick=[{"runs": 1}],
        columns={
            "clustering": "clustering",
            "published": lambda row: f"{PUBLISHED[name]:.3f}" if (name := row["clustering"]) in PUBLISHED else "",
            "ours, mean": _of(np.mean),
            "lowest draw": _of(np.min),
            "highest draw": _of(np.max),
        },
        note="NMI with the classes. The paper shows one draw of the features, we show 20.",
        gather=lambda rows: _lines(list(rows)),
    ),
)
