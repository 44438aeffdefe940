"""The base of the estimator, chosen on one half of the data sets and looked at once on the other.

``python -m benchmarks.estimator_halves`` makes the figures of k-means and pieces again; what was tried to choose them
is kept in benchmarks/results/which/estimator_tried.json. The files of GRAPHENS_DATA join where it is set.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

import graphens as ge

from .provenance import provenance
from .quality import scores
from .quality_pool import FAMILIES
from .quality_sets import Points, given, made

KEPT = Path(__file__).parent / "results" / "which" / "estimator_halves.json"
SEEDS = {"chosen on": (0, 1), "looked at once": (3, 4)}  # of the random families


def sets(half: str) -> Iterator[tuple[str, str, Callable[[], Points]]]:
    """Family, name and how to make it: the first seeds and every second real set are one half."""
    first = half == "chosen on"
    for problem in made():
        if (problem.seed == 0) == first:
            yield problem.family, problem.key, problem.make
    for place, problem in enumerate(given()):
        if (place % 2 == 0) == first:
            yield problem.family, problem.key, problem.make
    for seed in SEEDS[half]:
        for f, (name, make) in enumerate(FAMILIES.items()):
            yield "random families", f"{name} {seed}", partial(_drawn, make, (99, f, seed))


def _drawn(make: Callable[[np.random.Generator], Points], entropy: tuple[int, ...]) -> Points:
    return make(np.random.default_rng(entropy))


def run() -> None:
    """Measure the estimator with both bases, objects in random order."""
    warnings.simplefilter("ignore")
    found: dict[str, dict[str, dict[str, dict[str, list[float]]]]] = {}
    for half in SEEDS:
        for family, name, make in sets(half):
            X, truth = make()
            rows = np.random.default_rng(len(truth)).permutation(len(truth))
            X, truth = X[rows], truth[rows]
            row = found.setdefault(half, {}).setdefault(family, {}).setdefault(name, {})
            for base in ("kmeans", "pieces"):
                model = ge.ConsensusClustering(len(np.unique(truth[truth >= 0])), base=base, random_state=0)
                begin = time.process_time()
                labels = model.fit_predict(X)
                row[base] = scores(truth, labels, time.process_time() - begin)
        means = {
            base: np.mean(
                [np.mean([r[base] for r in kin.values()], axis=0) for kin in found[half].values()], axis=0
            )
            for base in ("kmeans", "pieces")
        }
        print(half, {base: [round(float(x), 3) for x in mean] for base, mean in means.items()})
    KEPT.write_text(json.dumps({"measured": provenance(), "figures": found}, indent=1) + "\n")


if __name__ == "__main__":
    run()
