"""Samplings: the part of the data that each partition uses, so that partitions differ."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, IntArray
from ..errors import InputError, TypeMismatch
from .bases import Base
from .features import Matrix


@dataclass(frozen=True)
class Features:
    """Some of the features."""

    columns: IntArray

    def __call__(self, X: Matrix) -> Matrix:
        """Return X with these features only."""
        return X[:, self.columns]


@dataclass(frozen=True)
class Projection:
    """The features along random directions, measured from an origin."""

    directions: AnyArray
    origin: AnyArray | float = 0.0

    def __call__(self, X: Matrix) -> AnyArray:
        """Return X in the new coordinates; dense also for sparse X."""
        return np.asarray(X @ self.directions) - self.origin


class Signs:
    """Cells between hyperplanes: the label is the pattern of the sides on which an object lies."""

    def predict(self, X: AnyArray) -> AnyArray:
        """Label every row by the signs of its coordinates."""
        return (X > 0) @ (1 << np.arange(X.shape[1]))

    fit_predict = predict


@dataclass(frozen=True)
class Subset:
    """The data of one partition: its objects (repeats allowed, None for all) and features, and its base."""

    rows: IntArray | None = None
    change: Features | Projection | None = None
    base: Base | None = None

    def seen(self, X: Matrix) -> Matrix:
        """Return the data that the base clusters."""
        return self.changed(X if self.rows is None else X[self.rows])

    def changed(self, X: Matrix) -> Matrix:
        """Return any objects with the features that the base uses."""
        return X if self.change is None else self.change(X)


#: (X, k, share, random generator) -> what the partition sees
Draw = Callable[[Matrix, int, float, np.random.Generator], Subset]


@dataclass(frozen=True)
class Sampling:
    """A row of the registry of samplings.

    How to draw, the default share, and whether objects may be left out, a base is needed, and data become dense.
    """

    name: str
    draw: Draw
    share: float | None = None  # None: it has no share to choose
    leaves_out: bool = False
    uses_base: bool = True
    dense: bool = False
    assigns: bool = False  # labels all objects, whatever it drew
    step: Callable[..., Any] | None = None  # partitions that depend on those before: see adaptive.py


def _nothing(X: Matrix, k: int, share: float, rng: np.random.Generator) -> Subset:
    return Subset()


def _bootstrap(X: Matrix, k: int, share: float, rng: np.random.Generator) -> Subset:
    n = X.shape[0]
    return Subset(rows=rng.integers(n, size=share_size(n, share)))


def _subsample(X: Matrix, k: int, share: float, rng: np.random.Generator) -> Subset:
    n = X.shape[0]
    return Subset(rows=np.sort(rng.choice(n, size=share_size(n, share), replace=False, shuffle=False)))


def _features(X: Matrix, k: int, share: float, rng: np.random.Generator) -> Subset:
    d = X.shape[1]
    return Subset(change=Features(np.sort(rng.choice(d, size=share_size(d, share), replace=False))))


def _projection(X: Matrix, k: int, share: float, rng: np.random.Generator) -> Subset:
    return Subset(change=Projection(_directions(X, share_size(X.shape[1], share), rng)))


def _cuts(X: Matrix, k: int, share: float, rng: np.random.Generator) -> Subset:
    return Subset(change=Projection(_directions(X, 1, rng)))


def _hyperplanes(X: Matrix, k: int, share: float, rng: np.random.Generator) -> Subset:
    """Enough hyperplanes for k cells, each through an object, so that there are objects on both sides."""
    number = max(1, math.ceil(math.log2(k)))
    directions = _directions(X, number, rng)
    through = X[rng.integers(X.shape[0], size=number)]
    origin = np.einsum("ij,ji->i", through.toarray() if hasattr(through, "toarray") else through, directions)
    return Subset(change=Projection(directions, origin), base=Base("hyperplanes", lambda *_: Signs()))


def _directions(X: Matrix, number: int, rng: np.random.Generator) -> FloatArray:
    directions = rng.standard_normal((X.shape[1], number)) / math.sqrt(number)
    return directions.astype(X.dtype)


def share_size(size: int, share: float) -> int:
    """Number of objects or features to draw, at least one."""
    return max(1, round(share * size))


SAMPLINGS: dict[str | None, Sampling] = {
    None: Sampling("none", _nothing),
    "bootstrap": Sampling("bootstrap", _bootstrap, share=1.0, leaves_out=True),
    "subsample": Sampling("subsample", _subsample, share=0.8, leaves_out=True),
    "features": Sampling("features", _features, share=0.5),
    "projection": Sampling("projection", _projection, share=0.5, dense=True),
    "cuts": Sampling("cuts", _cuts, dense=True),
    "hyperplanes": Sampling("hyperplanes", _hyperplanes, uses_base=False, dense=True),
}


def as_share(share: float | None, sampling: Sampling) -> float:
    """Check the share that is drawn."""
    if share is None:
        return 1.0 if sampling.share is None else sampling.share
    if sampling.share is None:
        because = f" with sampling = {sampling.name!r}, which draws no share"
        advice = "Use share with bootstrap, subsample, features or projection."
        raise InputError.about("share", share, because=because, advice=advice)
    able = "a number above 0 and up to 1"
    if isinstance(share, bool) or not isinstance(share, (int, float, np.number)):
        raise TypeMismatch.about("share", share, able)
    if not 0 < share <= 1:
        raise InputError.about("share", share, able)
    return float(share)
