"""Data sets whose clusters are known, by family: made from a seed, scikit-learn's, and files of a folder."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

import graphens as ge

Points = tuple[np.ndarray, np.ndarray]
Rng = np.random.Generator
SEEDS = (0, 1, 2)
MOST = 600  # objects of a file that are looked at


@dataclass(frozen=True)
class Problem:
    """One data set: its family, its name, the seed it was made from, and how to make it."""

    family: str
    name: str
    seed: int
    make: Callable[[], Points]

    @property
    def key(self) -> str:
        """Name and seed."""
        return f"{self.name} {self.seed}"


def blobs(rng: Rng, sizes: list[int], dimensions: int, separation: float, spreads: list[float]) -> Points:
    """Gaussians whose centers are at least so many standard deviations (of both together, halved) apart."""
    spread = np.resize(spreads, len(sizes))
    centers: list[np.ndarray] = []
    room = separation * max(spreads)
    while len(centers) < len(sizes):
        room *= 1.02  # a box that grows until all of them fit
        center = rng.uniform(-room, room, dimensions)
        own = spread[len(centers)]
        near = [np.linalg.norm(center - c) / ((own + s) / 2) for c, s in zip(centers, spread, strict=False)]
        if min(near, default=np.inf) >= separation:
            centers.append(center)
    drawn = [c + s * rng.normal(size=(n, dimensions)) for c, s, n in zip(centers, spread, sizes, strict=True)]
    return np.concatenate(drawn), np.repeat(np.arange(len(sizes)), sizes)


def moons(rng: Rng, sizes: tuple[int, int], noise: float) -> Points:
    """Two half circles that reach into each other."""
    angle = [rng.uniform(0, np.pi, n) for n in sizes]
    upper = np.stack([np.cos(angle[0]), np.sin(angle[0])], axis=1)
    lower = np.stack([1 - np.cos(angle[1]), 0.5 - np.sin(angle[1])], axis=1)
    return _noisy(rng, [upper, lower], noise)


def lines(rng: Rng, sizes: list[int], lengths: list[float], noise: float, slopes: list[float]) -> Points:
    """Bars above each other, at a distance of 1, each turned a little."""
    found = []
    for row, (n, length, slope) in enumerate(zip(sizes, lengths, np.resize(slopes, len(sizes)), strict=True)):
        along = rng.uniform(-length / 2, length / 2, n)
        found.append(np.stack([along, row + slope * along / length], axis=1))
    return _noisy(rng, found, noise)


def rings(rng: Rng, sizes: list[int], radii: list[float], noise: float, outliers: int = 0) -> Points:
    """Circles around one center (radius 0: a blob), and objects far from all of them that belong nowhere."""
    found = [_circle(rng, n, radius) for n, radius in zip(sizes, radii, strict=True)]
    X, truth = _noisy(rng, found, noise)
    far = _circle(rng, outliers, 1.0) * rng.uniform(1.5, 2.5, (outliers, 1)) * max(radii)
    return np.concatenate([X, far]), np.concatenate([truth, np.full(outliers, -1)])


def target(rng: Rng, corners: int = 3) -> Points:
    """A blob, a ring around it, and four groups of very few objects in the corners: six clusters."""
    X, truth = rings(rng, [300, 300], [0.0, 2.5], 0.15)
    places = 4.0 * np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    far = np.repeat(places, corners, axis=0) + rng.normal(scale=0.05, size=(4 * corners, 2))
    return np.concatenate([X, far]), np.concatenate([truth, 2 + np.repeat(np.arange(4), corners)])


def _circle(rng: Rng, n: int, radius: float) -> np.ndarray:
    angle = rng.uniform(0, 2 * np.pi, n)
    if radius == 0:
        return rng.normal(scale=0.3, size=(n, 2))
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _noisy(rng: Rng, groups: list[np.ndarray], noise: float) -> Points:
    X = np.concatenate(groups)
    return X + rng.normal(scale=noise, size=X.shape), np.repeat(np.arange(len(groups)), [len(g) for g in groups])


#: families made from a seed
MADE: dict[str, dict[str, Callable[[Rng], Points]]] = {
    "balanced blobs": {
        "4 in 2-D": lambda rng: blobs(rng, [120] * 4, 2, 5, [1]),
        "6 in 5-D": lambda rng: blobs(rng, [80] * 6, 5, 5, [1]),
        "8 in 10-D, close": lambda rng: blobs(rng, [60] * 8, 10, 4, [1]),
    },
    "uneven blobs": {
        "sizes 25 to 300": lambda rng: blobs(rng, [300, 120, 50, 25], 2, 6, [1]),
        "spreads 1 to 3": lambda rng: blobs(rng, [100] * 5, 2, 5, [1, 2, 3]),
        "small ones beside a wide one": lambda rng: blobs(rng, [300, 40, 40], 3, 5, [2, 0.5]),
    },
    "moons": {
        "even": lambda rng: moons(rng, (200, 200), 0.08),
        "1 to 5": lambda rng: moons(rng, (75, 375), 0.08),
        "5 to 1, noisy": lambda rng: moons(rng, (375, 75), 0.12),
    },
    "lines": {
        "3 equal": lambda rng: lines(rng, [130] * 3, [6] * 3, 0.12, [0]),
        "4 of unequal length": lambda rng: lines(rng, [40, 80, 160, 160], [2, 3, 6, 8], 0.1, [0.2, -0.2]),
        "2, one dense": lambda rng: lines(rng, [80, 320], [5, 5], 0.15, [0.2, -0.2]),
    },
    "rings": {
        "around a blob": lambda rng: rings(rng, [150, 250], [0, 2], 0.1),
        "3 in each other": lambda rng: rings(rng, [60, 150, 240], [0.8, 2, 3.2], 0.1),
        "2 with outliers": lambda rng: rings(rng, [150, 250], [1, 2.5], 0.1, outliers=12),
        "target": target,
    },
    "shapes of papers": {
        name: partial(lambda name, rng: ge.datasets.load(name, int(rng.integers(2**31))), name)
        for name in ("half-rings", "3-rings", "cigar", "2-spirals", "complex-image", "crescents", "ring-bar-gaussian")
    },
}


def made() -> Iterator[Problem]:
    """Data sets made from seeds."""
    for f, (family, kin) in enumerate(MADE.items()):
        for s, (name, make) in enumerate(kin.items()):
            for seed in SEEDS:
                yield Problem(family, name, seed, partial(_made, make, (f, s, seed)))


def _made(make: Callable[[Rng], Points], entropy: tuple[int, ...]) -> Points:
    return make(np.random.default_rng(entropy))


def given() -> Iterator[Problem]:
    """scikit-learn's sets, and the files of GRAPHENS_DATA where it is set."""
    shipped = ("iris", "wine", "wdbc", "digits")
    for name in shipped:
        yield Problem("scikit-learn's sets", name, 0, partial(_standard, name))
    folder = os.environ.get("GRAPHENS_DATA")
    for path in sorted(Path(folder).glob("*.csv")) if folder else ():
        yield Problem("files", path.stem, 0, partial(_some, path.stem))


def _standard(name: str) -> Points:
    """Features of unit variance, apart from those of images."""
    X, truth = ge.datasets.load(name)
    rows = np.random.default_rng(0).permutation(len(X))[:MOST]
    X, truth = X[rows], truth[rows]
    return (X if name == "digits" else (X - X.mean(axis=0)) / X.std(axis=0)), truth


def _some(name: str) -> Points:
    X, truth = ge.datasets.load(name)
    rows = np.random.default_rng(0).permutation(len(X))[:MOST]
    return X[rows], truth[rows]
