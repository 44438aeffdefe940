"""Median partitions: how often the algorithms find the exact median of small ensembles."""

from __future__ import annotations

from typing import Any

import numpy as np

import graphens as ge

from .parts import Part

ALGORITHMS = ("localsearch", "agglomerative", "furthest", "balls", "pivot")


def exact(count: int) -> dict[str, Any]:
    """How often each algorithm reaches the exact median of random ensembles of 8 to 12 objects."""
    rng = np.random.default_rng(0)
    hits = dict.fromkeys([*ALGORITHMS, "localsearch, one start"], 0)
    for i in range(count):
        n, b = int(rng.integers(8, 13)), int(rng.integers(3, 8))
        labels = rng.integers(int(rng.integers(2, 5)), size=(n, b))
        if i % 2:
            labels[rng.random(labels.shape) < 0.2] = -1
            labels[(labels < 0).all(axis=1), 0] = 0
        e = ge.Ensemble(labels)
        best = ge.exact_median(e).details["cost"]
        for name in ALGORITHMS:
            hits[name] += int(ge.aggregate(e, algorithm=name, seed=i).details["cost"] <= best + 1e-9)
        hits["localsearch, one start"] += int(ge.aggregate(e, n_init=1, seed=i).details["cost"] <= best + 1e-9)
    return {"hits": hits}


PARTS = (
    Part(
        "median-exact",
        "Median partitions: how often `aggregate` finds the exact median",
        exact,
        cases=[{"count": 100}],
        quick=[{"count": 10}],
        columns={
            "ensembles": "count",
            **{name: (lambda row, name=name: row["hits"][name]) for name in (*ALGORITHMS, "localsearch, one start")},
        },
        note="Random labels without structure, the hardest case; 8 to 12 objects, half of the ensembles with missing "
        "labels. The exact median comes from integer programming.",
    ),
)
