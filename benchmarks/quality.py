"""How good the answers of all methods are.

``python -m benchmarks.quality`` continues where it stopped and writes docs/which.md; ``page`` only rewrites the page,
``pool``, ``repeats``, ``methods`` and ``slow`` run a part, ``again=auto,mcla`` forgets the figures of
those first. The files of GRAPHENS_DATA join where it is set. Figures are kept in benchmarks/results/which/, and where
they were measured in measured.json.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import graphens as ge

from .data import in_random_order
from .provenance import provenance
from .quality_pool import pool
from .quality_repeats import repeats
from .quality_sets import Problem, given, made

FOLDER = Path(__file__).parent / "results" / "which"
B = 50  # partitions of every ensemble
SKIPPED = {"exact_median", "recluster", "ecg"}  # for a few dozen objects; for networks
SLOW = {"aggregate", "semidefinite", "genetic", "mixture", "greedy", "hne", "pta", "ptgp", "ecpcs"}  # run last
#: methods × families of ensembles: name -> what becomes of the labels
SPOILED: dict[str, Callable[[np.ndarray, np.random.Generator], np.ndarray]] = {
    "noisy labels": lambda labels, rng: np.where(rng.random(labels.shape) < 0.2, rng.permuted(labels, axis=0), labels),
    "missing labels": lambda labels, rng: np.where(rng.random(labels.shape) < 0.3, -1, labels),
}
PARTS = ("pool", "repeats", "methods", "slow")
Figures = dict[str, dict[str, dict[str, list[float]]]]


def scores(truth: np.ndarray, labels: np.ndarray, seconds: float) -> list[float]:
    """NMI, ARI and seconds; objects that belong nowhere do not count."""
    inside = truth >= 0
    pair = truth[inside], np.asarray(labels)[inside]
    return [round(float(x), 4) for x in (ge.measures.nmi(*pair), ge.measures.ari(*pair), seconds)]


class Kept:
    """Figures in a file: family -> set -> method -> NMI, ARI, seconds. Written as it grows."""

    def __init__(self, name: str) -> None:
        self.path = FOLDER / f"{name}.json"
        self.figures: Figures = json.loads(self.path.read_text()) if self.path.exists() else {}

    def of(self, family: str, name: str) -> dict[str, list[float]]:
        """What is known of one set."""
        return self.figures.setdefault(family, {}).setdefault(name, {})

    def forget(self, again: Collection[str]) -> None:
        """Drop the figures of these methods."""
        for rows in self.figures.values():
            for row in rows.values():
                for name in again:
                    row.pop(name, None)

    def save(self) -> None:
        """Write all of it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = json.dumps(self.figures, ensure_ascii=False).replace('}, "', '},\n "')
        if not self.path.exists() or self.path.read_text() != lines + "\n":
            self.path.write_text(lines + "\n")
            self._sign()

    def _sign(self) -> None:
        """Say when, at which commit and on what the last figures were measured."""
        path = FOLDER / "measured.json"
        known = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps(known | {self.path.stem: provenance()}, indent=1, ensure_ascii=False) + "\n")


def names() -> list[str]:
    """All methods, the front door first."""
    return ["auto", *(row.name for row in ge.methods() if row.name not in SKIPPED)]


def families(problem: Problem) -> list[str]:
    """The families of the ensembles of a set: of blobs and moons there are more."""
    return [problem.family, *(SPOILED if problem.family in ("uneven blobs", "moons") else ())]


def ensembles(problem: Problem) -> Iterator[tuple[str, ge.Ensemble, np.ndarray]]:
    """The ensemble of a set and its truth; of blobs and moons also with labels moved at random, and missing."""
    X, truth = problem.make()
    e = ge.generate(X, B, seed=problem.seed)
    for family in families(problem):
        spoil = SPOILED.get(family, lambda labels, _: labels)
        labels = spoil(np.array(e.labels), np.random.default_rng(problem.seed))
        yield family, *in_random_order(problem.seed, ge.Ensemble(labels), truth)


def methods(kept: Kept) -> None:
    """The quick methods on every set, k given: one ensemble for all of them, the first seed of all sets first."""
    quick = [name for name in names() if name not in SLOW]
    _methods(kept, quick, _in_turn())


def slow(kept: Kept) -> None:
    """The slow methods, the same way."""
    _methods(kept, sorted(SLOW), _in_turn())


def _in_turn() -> list[Problem]:
    return sorted([*made(), *given()], key=lambda p: p.seed)


def _methods(kept: Kept, wanted: list[str], problems: list[Problem]) -> None:
    for problem in problems:
        if all(set(wanted) <= set(kept.of(family, problem.key)) for family in families(problem)):
            continue
        for family, e, truth in ensembles(problem):
            row, k = kept.of(family, problem.key), len(set(truth[truth >= 0].tolist()))
            row.update({name: attempt(e, k, truth, name) for name in wanted if name not in row})
        kept.save()


def attempt(e: ge.Ensemble, k: int, truth: np.ndarray, method: str = "auto", **options: Any) -> list[float]:
    """The scores of one method; none where it refuses."""
    begin = time.process_time()
    try:
        found = ge.consensus(e, k, method=method, seed=0, **options).labels
    except ge.GraphensError:
        return []
    return scores(truth, found, time.process_time() - begin)


def run(parts: Collection[str] = PARTS, again: Collection[str] = ()) -> None:
    """Measure what is not known yet, and write the page."""
    from .quality_page import write

    warnings.simplefilter("ignore")
    work: dict[str, Callable[[Kept], None]] = {"pool": pool, "repeats": repeats, "methods": methods, "slow": slow}
    warm = ge.Ensemble(np.random.default_rng(0).integers(0, 3, (40, 5)))
    for name in names() if {"methods", "slow"} & set(parts) else ():  # compile first
        attempt(warm, 3, np.zeros(40, dtype=int), name)
    for part in parts:
        kept = Kept("methods" if part == "slow" else part)
        kept.forget(again)
        work[part](kept)
    write()


def quick() -> None:
    """One set through the quick methods, kept nowhere."""
    warnings.simplefilter("ignore")
    problem = min((one for one in made() if one.seed == 0), key=lambda one: len(one.make()[0]))
    for family, e, truth in ensembles(problem):
        found = {name: attempt(e, len(set(truth.tolist())), truth, name) for name in names() if name not in SLOW}
        print(family, {name: figures[:1] for name, figures in found.items()})


if __name__ == "__main__":
    words = sys.argv[1:]
    if words == ["quick"]:
        sys.exit(quick())
    asked = [word for word in words if "=" not in word]
    forget = [word.removeprefix("again=") for word in words if "=" in word]
    run([] if asked == ["page"] else asked or PARTS, [name for word in forget for name in word.split(",")])
