"""Groups of partitions: how often their number is found, on ensembles made with one, two and three of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import graphens as ge
from graphens.choose.camps import camps

from .parts import Part, Row

N, SETS = 200, 5


@dataclass(frozen=True)
class Kind:
    """Groups of partitions of the same objects, each group around a random partition of its own."""

    name: str
    shares: tuple[float, ...]
    common: float = 0.0  # share of the objects on which all camps agree

    def ensemble(self, noise: float, b: int, seed: int) -> ge.Ensemble:
        """B partitions; a share of the labels of each is drawn anew."""
        rng = np.random.default_rng(seed)
        centers = [rng.integers(0, int(k), size=N) for k in rng.integers(3, 7, size=len(self.shares))]
        same = np.arange(N) < self.common * N
        centers = [np.where(same, centers[0], center) for center in centers]
        sizes = np.maximum(2, np.round(np.array(self.shares) * b).astype(int))
        return ge.Ensemble.from_partitions(
            [noisy(center, noise, rng) for center, size in zip(centers, sizes, strict=True) for _ in range(size)]
        )


def noisy(labels: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """A share of the labels drawn anew."""
    return np.where(rng.random(len(labels)) < share, rng.integers(0, labels.max() + 1, size=len(labels)), labels)


KINDS = (
    Kind("one group", (1.0,)),
    Kind("two groups, even", (0.5, 0.5)),
    Kind("two groups, 4 : 1", (0.8, 0.2)),
    Kind("two groups, the same on half of the objects", (0.5, 0.5), common=0.5),
    Kind("three groups", (0.4, 0.3, 0.3)),
)
NOISE = (0.1, 0.3, 0.5, 0.6)


def blobs(b: int, seed: int) -> ge.Ensemble:
    """k-means with many clusters on four blobs."""
    return ge.generate(ge.datasets.load("blobs", seed=seed)[0], b, seed=seed)


def few(b: int, seed: int) -> ge.Ensemble:
    """k-means with 2 to 6 clusters on three blobs."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, 2)) + np.array([[0, 0], [6, 0], [0, 6]])[rng.integers(3, size=N)]
    return ge.generate(X, b, k=(2, 6), seed=seed)


def cloud(b: int, seed: int) -> ge.Ensemble:
    """k-means with 2 to 30 clusters on one blob."""
    return ge.generate(np.random.default_rng(seed).normal(size=(N, 5)), b, k=(2, 30), seed=seed)


def levels(b: int, seed: int) -> ge.Ensemble:
    """Three levels of one hierarchy."""
    rng = np.random.default_rng(seed)
    fine = rng.integers(0, 12, size=N)
    return ge.Ensemble.from_partitions([noisy(fine // d, 0.1, rng) for d in rng.choice([1, 2, 4], size=b)])


def chance(b: int, seed: int) -> ge.Ensemble:
    """Random labels."""
    return ge.Ensemble(np.random.default_rng(seed).integers(0, 4, size=(N, b)))


WITHOUT = {(make.__doc__ or "").lower().rstrip("."): make for make in (blobs, few, cloud, levels, chance)}


def found(kind: str, noise: float | None, b: int, sets: int) -> dict[str, Any]:
    """The numbers of groups that are found in ensembles of one kind, and the true one."""
    known = {one.name: one for one in KINDS}
    make = partial(known[kind].ensemble, noise) if kind in known else WITHOUT[kind]
    numbers = [int(camps(make(b, seed), np.random.default_rng(seed)).max()) + 1 for seed in range(sets)]
    return {"found": numbers, "true": len(known[kind].shares) if kind in known else 1}


def _cases(kinds: Iterable[str], noises: Iterable[float], sets: int) -> list[dict[str, Any]]:
    made = [(kind, noise) for kind in kinds for noise in noises] + [(kind, None) for kind in WITHOUT]
    return [{"kind": kind, "noise": noise, "b": b, "sets": sets} for kind, noise in made for b in (10, 30)]


def by_kind(rows: Sequence[Row]) -> list[Row]:
    """One row for each kind: how often the number is right at each noise, by the number of partitions."""
    made: dict[str, Row] = {}
    for row in rows:
        cell = made.setdefault(row["kind"], {"kind": row["kind"]}).setdefault(f"b{row['b']}", [])
        cell.append(f"{np.mean(np.array(row['found']) == row['true']):.0%}")
    return [
        {name: value if name == "kind" else ", ".join(value) for name, value in row.items()} for row in made.values()
    ]


PARTS = (
    Part(
        "camps-number",
        "Groups of partitions: how often their number is found",
        found,
        cases=_cases([kind.name for kind in KINDS], NOISE, SETS),
        quick=_cases([KINDS[1].name], NOISE[:1], 2),
        columns={"ensemble": "kind", "10 partitions": "b10", "30 partitions": "b30"},
        note=f"{SETS} ensembles of {N} objects for each figure; every group is around a random partition of 3 to 6 "
        "clusters. Ensembles without a share of labels drawn anew have one group.",
        gather=by_kind,
    ),
)
