"""What a pull towards even sizes does: `even` with several balances, beside lwgp and the methods that use METIS."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import graphens as ge

from .data import in_random_order
from .parts import Column, Part, Row
from .quality_sets import MADE, Points, Rng, blobs

B, SEEDS = 20, 3
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
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


def on_set(name: str, seed: int) -> dict[str, Any]:
    """For each method the NMI, and the largest cluster over the mean."""
    X, classes = SETS[name](np.random.default_rng(seed))
    e, truth = in_random_order(seed, ge.generate(X, B, seed=seed), classes)
    found = {}
    for call, (method, options) in CALLS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            r = ge.consensus(e, len(np.unique(truth)), method=method, seed=0, **options)
        found[call] = [float(ge.measures.nmi(truth, r.labels)), float(r.sizes().max() / r.sizes().mean())]
    return {"scores": found}


def _means(rows: Sequence[Row]) -> list[Row]:
    """One row for each method, with the means of every set."""
    of = {name: [row["scores"] for row in rows if row["name"] == name] for name in SETS}
    return [
        {"method": call, **{name: np.mean([one[call] for one in some], axis=0) for name, some in of.items() if some}}
        for call in CALLS
    ]


def _both(name: str) -> Column:
    return lambda row: "{:.2f} ({:.2f})".format(*row[name]) if name in row else ""


PARTS = (
    Part(
        "even-sizes",
        "Even sizes: NMI, and the largest cluster over the mean size",
        on_set,
        [{"name": name, "seed": seed} for name in SETS for seed in range(SEEDS)],
        [{"name": "moons, 75 and 375", "seed": 0}],
        {"method": "method", **{name: _both(name) for name in SETS}},
        gather=_means,
    ),
)
