"""Median partitions: large ensembles, and how often the local search finds the exact median of small ones."""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np

import graphens as ge
from graphens.families.correlation import best_partition
from graphens.steps.counts import disagreement

from .data import random_projections
from .harness import measure, megabytes, report


def _call(method: str, e: ge.Ensemble, options: dict[str, Any]) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ge.GraphensWarning)
        begin = time.process_time()
        r = getattr(ge, method)(e, seed=0, **options)
        cpu = time.process_time() - begin
    keep = {key: r.details[key] for key in ("cost", "start", "winner", "tried", "moves") if key in r.details}
    return {"k": r.k, "score": r.score, "cpu": cpu, **keep}


def scattered(e: ge.Ensemble, share: float, seed: int = 0) -> ge.Ensemble:
    """Draw a share of the labels anew: hardly any two objects keep the same label row."""
    rng = np.random.default_rng(seed)
    columns = []
    for code, k in zip(e.codes, e.n_clusters, strict=True):
        column = code.astype(np.int16)
        moved = rng.random(e.n_objects) < share
        column[moved] = rng.integers(int(k), size=int(moved.sum()))
        columns.append(column)
    return ge.Ensemble.from_partitions(columns)


def large() -> None:
    """1M × 20 labels with 20 clusters each, where rows collapse and where they do not; a quarter gives the growth.

    Each figure is a first call: a second one on the same labels can be quicker.
    """
    warm = random_projections(500, 20, (20, 20), dimensions=16)
    rows = []
    for kind, share in (("as made", 0.0), ("10 % of the labels drawn anew", 0.1)):
        sizes = [random_projections(n, 20, (20, 20), dimensions=16) for n in (250_000, 1_000_000)]
        quarter, full = [scattered(e, share) if share else e for e in sizes]
        distinct = full.collapse()[0].n_objects / full.n_objects
        for name, method, options in (
            ("LOCALSEARCH", "aggregate", {"algorithm": "localsearch"}),
            ("supra over mcla, lwgp, vote", "supra", {"k": 20}),
        ):
            less, more = (
                measure(_call, method, e, options, warm=(method, warm, options)) for e in (quarter, full)
            )
            growth = float(np.log(more.value["cpu"] / less.value["cpu"]) / np.log(4))
            found = more.value
            said = (
                f"cost {found['cost'] / _start_cost(full):.3f} of its start"
                if "cost" in found
                else f"winner {found['winner']}"
            )
            rows.append(
                [
                    name,
                    kind,
                    distinct,
                    more.seconds,
                    megabytes(more.peak),
                    growth,
                    found["k"],
                    found["score"],
                    said,
                ]
            )
    report(
        "median_large",
        "Median partitions of 1,000,000 × 20 labels",
        [
            "method",
            "ensemble",
            "distinct rows / n",
            "seconds",
            "memory",
            "growth (exponent)",
            "k",
            "ANMI",
            "remark",
        ],
        rows,
        "First calls. Growth is that of CPU time from 250,000 to 1,000,000 objects; where rows collapse it follows the "
        "number of distinct rows, so the second ensemble is the one that tells about n.",
    )


def _start_cost(e: ge.Ensemble) -> float:
    return disagreement(e, best_partition(e))


def greedy_rise() -> None:
    """Greedy moves from the best of the panel."""
    rows = []
    for dimensions in (2, 16):
        e = random_projections(20_000, 20, (5, 15), dimensions=dimensions)
        found = measure(
            _call,
            "greedy",
            e,
            {"k": 10},
            warm=("greedy", random_projections(300, 4, (3, 4), dimensions=2), {"k": 3}),
        )
        value = found.value
        rows.append(
            [
                f"{dimensions}-D",
                value["start"],
                value["score"],
                sum(value["moves"]),
                len(value["moves"]),
                found.seconds,
            ]
        )
    report(
        "median_greedy",
        "greedy on 20,000 × 20 labels, k = 10",
        [
            "ensemble",
            "ANMI of the start (best of mcla, lwgp, vote)",
            "ANMI after",
            "moves",
            "sweeps",
            "seconds",
        ],
        rows,
        "Every move raises ANMI; the answer never scores below its start.",
    )


def tiny(n_instances: int = 100) -> tuple[dict[str, int], int]:
    """Count how often each algorithm reaches the exact median of random ensembles of 8 to 12 objects."""
    rng = np.random.default_rng(0)
    hits = dict.fromkeys([*_ALGORITHMS, "localsearch, one start"], 0)
    for i in range(n_instances):
        n, b = int(rng.integers(8, 13)), int(rng.integers(3, 8))
        labels = rng.integers(int(rng.integers(2, 5)), size=(n, b))
        if i % 2:
            labels[rng.random(labels.shape) < 0.2] = -1
            labels[(labels < 0).all(axis=1), 0] = 0
        e = ge.Ensemble(labels)
        best = ge.exact_median(e).details["cost"]
        for name in _ALGORITHMS:
            hits[name] += ge.aggregate(e, algorithm=name, seed=i).details["cost"] <= best + 1e-9
        hits["localsearch, one start"] += ge.aggregate(e, n_init=1, seed=i).details["cost"] <= best + 1e-9
    return hits, n_instances


_ALGORITHMS = ("localsearch", "agglomerative", "furthest", "balls", "pivot")


def small() -> None:
    """Share of tiny instances solved exactly."""
    hits, total = measure(tiny).value
    report(
        "median_exact",
        f"Exact medians reached on {total} random ensembles of 8 to 12 objects, half with missing labels",
        ["algorithm", "reached"],
        [[name, f"{count} of {total}"] for name, count in hits.items()],
        "Random labels without structure are the hardest case; the exact median comes from integer programming.",
    )


def run() -> None:
    """Measure all of it."""
    small()
    greedy_rise()
    large()
