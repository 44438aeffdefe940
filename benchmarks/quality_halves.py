"""Two halves of many data sets: on one the automatic choice was found, at the other it was looked at once.

``python -m benchmarks.quality halves`` measures what is not known yet. Real sets are scikit-learn's, those of the
folder GRAPHENS_DATA, and those of the folder GRAPHENS_POOLS (or ``--folder DIR``): CSV files with the columns f0, f1,
…, label (`benchmarks.quality_folder` makes one), or pools of base clusterings with a truth (.npz with the arrays `labels`,
objects in rows, and `truth`). From features a pool of 100 k-means partitions is made, k uniform from 2 to √n; of each
pool several draws of 5, 10, 20 and 50 partitions are looked at, rows in a random order. Beside them are the made sets
of docs/which.md, their ensembles cut to the first 5, 10 and 20 partitions. Which half a set is in depends on its name
alone.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

import graphens as ge

from .quality_sets import MADE, Points, given, made

SIZES = (20, 10, 5, 50)  # partitions of an ensemble
DRAWS = 4
POOL = 100
MOST = 800  # objects of a set
#: files of GRAPHENS_DATA that were made by a generator
GENERATED = {
    "complex9",
    "compound",
    "halfrings",
    "lines4",
    "rings3",
    "spiral2_topchy",
    "strehl_8d5k",
    "ts_cbf",
    "ts_syntheticcontrol",
}


def half(name: str) -> str:
    """A or B, by the name of a set alone."""
    return "AB"[hashlib.sha256(name.encode()).digest()[0] % 2]


@dataclass(frozen=True)
class Drawn:
    """One ensemble: of which kind and set, how many partitions, which draw."""

    kind: str
    name: str
    size: int
    draw: int
    ensemble: ge.Ensemble
    truth: np.ndarray

    @property
    def key(self) -> str:
        """All of these in words."""
        return f"{self.name}, {self.size} partitions, draw {self.draw}"


@cache
def pools() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """By name of a real set the labels of its pool, objects in rows, and the truth; rows in a random order."""
    found = {}
    for problem in given():
        if problem.name not in GENERATED:
            found[problem.name] = _pool(problem.name, problem.make())
    folder = os.environ.get("GRAPHENS_POOLS")
    for path in sorted(Path(folder).iterdir()) if folder else ():
        if path.suffix == ".csv":
            table = np.genfromtxt(path, delimiter=",", skip_header=1)
            found[path.stem] = _pool(path.stem, (table[:, :-1], table[:, -1].astype(int)))
        elif path.suffix == ".npz":
            with np.load(path) as file:
                found[path.stem] = _some(path.stem, file["labels"], file["truth"])
    return found


def _some(name: str, rows: np.ndarray, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.random.default_rng(_entropy(name)).permutation(len(rows))[:MOST]
    return rows[order], truth[order]


def _entropy(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[1:5], "big")


def _pool(name: str, points: Points) -> tuple[np.ndarray, np.ndarray]:
    X, truth = _some(name, *points)
    most = max(int(np.sqrt(len(X))), 3)
    return np.asarray(ge.generate(X, POOL, k=(2, most), seed=_entropy(name)).labels), truth


def real(size: int) -> Iterator[Drawn]:
    """Draws of so many partitions from the pool of every real set."""
    for name, (labels, truth) in pools().items():
        for draw in range(DRAWS):
            rng = np.random.default_rng((_entropy(name), size, draw))
            some = rng.choice(labels.shape[1], min(size, labels.shape[1]), replace=False)
            yield Drawn("real", name, size, draw, ge.Ensemble(labels[:, some]), truth)


def ours(size: int) -> Iterator[Drawn]:
    """The ensembles of docs/which.md, their first partitions; of real sets those that a generator made."""
    from .quality import ensembles

    files = [p for p in given() if p.name in GENERATED]
    for problem in [*made(), *files]:
        X, truth = problem.make()
        for kind, e in ensembles(problem, X):
            some = e.take(partitions=np.arange(size))
            yield Drawn(kind, f"{problem.family}: {problem.name}", size, problem.seed, some, truth)


assert set(MADE)
