"""How good the answers of all methods are on the same ensembles; `quality_page` makes docs/which.md of it."""

import time
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

import graphens as ge

from .data import in_random_order
from .parts import Part, Row, records
from .quality_sets import Problem, given, made

B = 50  # partitions of every ensemble
SKIPPED = {"exact_median", "recluster", "ecg"}  # for a few dozen objects; for networks
#: what becomes of the labels of blobs and moons
SPOILED: dict[str, Callable[[np.ndarray, np.random.Generator], np.ndarray]] = {
    "noisy labels": lambda labels, rng: np.where(rng.random(labels.shape) < 0.2, rng.permuted(labels, axis=0), labels),
    "missing labels": lambda labels, rng: np.where(rng.random(labels.shape) < 0.3, -1, labels),
}
Options = dict[str, dict[str, Any]]


@cache
def methods() -> Options:
    """All methods, the front door first, each called once so that its code is compiled."""
    names = (row.name for row in ge.methods())
    known: Options = {name: {"method": name} for name in ("auto", *names) if name not in SKIPPED}
    attempts(ge.Ensemble(np.random.default_rng(0).integers(0, 3, (40, 5))), np.arange(40) % 3, known)
    return known


def attempts(e: ge.Ensemble, truth: np.ndarray, calls: Options) -> dict[str, list[float]]:
    """NMI, ARI and seconds of each call, k given; nothing where it refuses. Objects of no class do not count."""
    inside = truth >= 0
    k, found = len(np.unique(truth[inside])), {}
    for name, options in calls.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            begin = time.process_time()
            try:
                labels = np.asarray(ge.consensus(e, k, seed=0, **options).labels)
            except ge.GraphensError:
                found[name] = []
                continue
            spent = time.process_time() - begin
        pair = truth[inside], labels[inside]
        found[name] = [round(float(x), 4) for x in (ge.measures.nmi(*pair), ge.measures.ari(*pair), spent)]
    return found


def _key(problem: Problem) -> dict[str, Any]:
    return {"family": problem.family, "name": problem.name, "seed": problem.seed}


def on_set(family: str, name: str, seed: int) -> dict[str, Any]:
    """All methods on the ensemble of a set; of blobs and moons also with labels moved at random, and missing."""
    wanted = {"family": family, "name": name, "seed": seed}
    problem = next(problem for problem in (*made(), *given()) if _key(problem) == wanted)
    X, truth = problem.make()
    labels, found = np.array(ge.generate(X, B, seed=seed).labels), {}
    for kind in (family, *(SPOILED if family in ("uneven blobs", "moons") else ())):
        spoiled = SPOILED[kind](labels, np.random.default_rng(seed)) if kind in SPOILED else labels
        found[kind] = attempts(*in_random_order(seed, ge.Ensemble(spoiled), truth), methods())
    return {"scores": found}


def means(rows: Sequence[Row]) -> list[Row]:
    """One row for each method: means over the sets."""
    scores = [one for row in rows for one in row["scores"].values()]
    names = dict.fromkeys(name for one in scores for name in one if one[name])
    table = {name: np.mean([one[name] for one in scores if one.get(name)], axis=0).tolist() for name in names}
    return [
        dict(zip(("method", "NMI", "ARI", "CPU seconds"), (name, *row), strict=True)) for name, row in table.items()
    ]


PARTS = (
    Part(
        "which-methods",
        "All methods on data sets whose clusters are known",
        on_set,
        [line["case"] for line in records("which-methods")] or [_key(problem) for problem in (*made(), *given())],
        [{"family": "scikit-learn's sets", "name": "iris", "seed": 0}],
        {column: column for column in ("method", "NMI", "ARI", "CPU seconds")},
        gather=means,
    ),
)
