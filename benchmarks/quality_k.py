"""How often the rules find the number of clusters: mixtures of Gaussians, and data without clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import graphens as ge
from graphens.choose.question import Question
from graphens.choose.rules import RULES

from .quality_sets import blobs

RULES_SHOWN = ("eigengap", "lifetime")
NOISE: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "Gaussian": lambda rng, d: rng.normal(size=(400, d)),
    "uniform": lambda rng, d: rng.uniform(size=(400, d)),
    "strip": lambda rng, d: rng.uniform(size=(400, d)) * np.r_[8.0, np.ones(d - 1)],
    "ellipse": lambda rng, d: rng.normal(size=(400, d)) * np.linspace(1, 4, d),
}


def mixtures() -> Iterator[tuple[str, int, np.ndarray]]:
    """40 mixtures: family, true k, data."""
    for seed in range(40):
        rng = np.random.default_rng((7, seed))
        k = int((1, 2, 3, 4, 5, 6, 8, 10, 12, 15)[seed % 10])
        dimensions = int(rng.choice([2, 3, 5, 10, 20]))
        separation = (3, 4, 5, 7)[seed // 10]
        unequal = bool(seed % 2)
        share = rng.dirichlet(np.full(k, 3.0)) if unequal else np.full(k, 1 / k)
        sizes = [int(s) for s in np.maximum(np.round(share * max(400, 60 * k)), 25)]
        spreads = [1.0, 1.5] if unequal else [1.0]
        yield _family(k, separation), k, blobs(rng, sizes, dimensions, separation, spreads)[0]


def _family(k: int, separation: int) -> str:
    if separation < 4:
        return "separation 3"
    return "separation ≥ 4, up to 8 clusters" if k <= 8 else "separation ≥ 4, 10 to 15 clusters"


def nothing() -> Iterator[tuple[str, int, np.ndarray]]:
    """20 sets without clusters, and 20 whose seeds the rules were never looked at with."""
    for group, entropy in (("noise", 8), ("noise, fresh seeds", 2601)):
        for name, make in NOISE.items():
            for seed, d in enumerate((2, 2, 3, 5, 10)):
                yield f"{group}: {name}", 1, make(np.random.default_rng((entropy, seed)), d)


def hits(kept: Any) -> None:
    """Every rule's answer on every set; kept as the true k and the answer."""
    for i, (family, k, X) in enumerate([*mixtures(), *nothing()]):
        row = kept.of(family, f"{i}")
        if set(RULES_SHOWN) <= set(row):
            continue
        e = ge.generate(X, 50, seed=i)
        for name in RULES_SHOWN:
            if name not in row:
                row[name] = [k, int(RULES[name](Question(e, 0)).k)]
        kept.save()
