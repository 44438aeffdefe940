"""What a pull towards even sizes does: `even` with several balances, beside lwgp and the methods that use METIS."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import graphens as ge

from .data import in_random_order
from .harness import filled, report
from .quality_sets import MADE, Points, Rng, blobs

PAGE = Path(__file__).parent.parent / "docs" / "partitioning.md"
B, SEEDS = 20, 3
ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "`lwgp`": ("lwgp", {}),
    **{f"`even`, balance {x:g}": ("even", {"balance": x}) for x in (0, 1, 2, 5, 100)},
    **{f"`{name}`": (name, {}) for name in ("mcla", "hbgf", "cspa")},
}


def _digits(rng: Rng) -> Points:
    X, truth = ge.datasets.load("digits")
    rows = rng.permutation(len(X))[:600]
    return X[rows], truth[rows]


SETS: dict[str, Callable[[Rng], Points]] = {
    "even blobs that overlap": lambda rng: blobs(rng, [100] * 5, 3, 2.5, [1]),
    "digits": _digits,
    "uneven blobs, 25 to 300": MADE["uneven blobs"]["sizes 25 to 300"],
    "moons, 75 and 375": MADE["moons"]["1 to 5"],
}


def measured(make: Callable[[Rng], Points]) -> list[str]:
    """For each method the mean NMI, and the largest cluster over the mean."""
    found = np.zeros((len(ASKED), 2))
    for seed in range(SEEDS):
        X, classes = make(np.random.default_rng(seed))
        e, truth = in_random_order(seed, ge.generate(X, B, seed=seed), classes)
        for i, (method, options) in enumerate(ASKED.values()):
            r = ge.consensus(e, len(np.unique(truth)), method=method, seed=0, **options)
            found[i] += ge.measures.nmi(truth, r.labels), r.sizes().max() / r.sizes().mean()
    return [f"{nmi:.2f} ({largest:.2f})" for nmi, largest in found / SEEDS]


def run() -> None:
    """Measure, keep the table and renew the page."""
    warnings.simplefilter("ignore")
    columns = [measured(make) for make in SETS.values()]
    report(
        "partitioning-even",
        "Even sizes: NMI, and the largest cluster over the mean size",
        ["method", *SETS],
        [[name, *cells] for name, *cells in zip(ASKED, *columns, strict=True)],
        f"Mean of {SEEDS} data sets, {B} k-means partitions each, the true k.",
    )
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    run()
