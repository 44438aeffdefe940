"""Many data sets in two halves: on one a rule of `auto` is found, on the other it is checked.

``python -m benchmarks.quality halves`` measures what is not known yet. Real sets are scikit-learn's, those of the
folder GRAPHENS_DATA, and those of the folder GRAPHENS_POOLS (or ``--folder DIR``): CSV files with the columns f0, f1,
…, label (`benchmarks.quality_folder` makes one), or pools of base clusterings with a truth (.npz with the arrays
`labels`, objects in rows, and `truth`). From features a pool of 100 k-means partitions is made, k uniform from 2 to √n;
of each pool several draws of 5, 10, 20 and 50 partitions are looked at, rows in a random order. Beside them are the
made sets of docs/which.md, their ensembles cut to the first 5, 10 and 20 partitions, and random families with new
seeds. Which half a set is in is kept in results/which/halves_sets.json; sets that are not named there are new ones.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import graphens as ge

from .quality_pool import drawn
from .quality_sets import Points, given, made

SETS = Path(__file__).parent / "results" / "which" / "halves_sets.json"
SIZES = (5, 10, 20, 50)  # partitions of an ensemble
DRAWS = 4
POOL = 100
MOST = 800  # objects of a set
NEW_SEEDS = (10, 11)  # of the random families
JUDGED: dict[str, dict[str, Any]] = {
    "lwgp": {"method": "lwgp"},
    "lwea": {"method": "lwea"},
    "hbgf": {"method": "hbgf", "partitioner": "spectral"},
    "islands": {"method": "islands"},
    "auto": {},
}
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


@cache
def _halves() -> dict[str, str]:
    return {name: half for half, names in json.loads(SETS.read_text()).items() for name in names}


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
    def family(self) -> str:
        """Half, kind and size."""
        return f"{_halves().get(self.name, 'new')}, {self.kind}, {self.size}"


@cache
def pools() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """By name of a real set the labels of its pool, objects in rows, and the truth; rows in a random order."""
    found = {p.name: _pool(p.name, p.make()) for p in given() if p.name not in GENERATED}
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
    """The ensembles of docs/which.md and of random families, their first partitions."""
    from .quality import ensembles

    first = np.arange(size)
    for problem in [*made(), *(p for p in given() if p.name in GENERATED)]:
        for kind, e, truth in ensembles(problem):
            name = f"{problem.family}: {problem.name}"
            yield Drawn(kind, name, size, problem.seed, e.take(partitions=first), truth)
    for name, seed, X, truth in drawn(NEW_SEEDS):
        e = ge.generate(X, 50, seed=seed).take(partitions=first)
        yield Drawn("random families", name, size, seed, e, truth)


def halves(kept: Any) -> None:
    """What `auto` gets, and what it chooses among, with the true number of clusters."""
    from .quality import attempt

    for size in SIZES:
        for ensembles in (real, ours):
            for d in ensembles(size):
                row = kept.of(d.family, f"{d.name} {d.draw}")
                k = len(set(d.truth[d.truth >= 0].tolist()))
                row.update(
                    {
                        name: attempt(d.ensemble, k, d.truth, **options)
                        for name, options in JUDGED.items()
                        if name not in row
                    }
                )
            kept.save()
