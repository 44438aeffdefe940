"""What the shapes are made of: arcs, curves and clouds, put together with their true clusters (−1 for noise)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from .._arrays import AnyArray, FloatArray, LabelArray

Points: TypeAlias = tuple[FloatArray, LabelArray]
Rng: TypeAlias = np.random.Generator


def together(*groups: FloatArray, noise: FloatArray | None = None) -> Points:
    """One cluster per group of points, and noise behind them."""
    points = [*groups] if noise is None else [*groups, noise]
    labels = [np.full(len(group), c) for c, group in enumerate(groups)]
    labels += [] if noise is None else [np.full(len(noise), -1)]
    return np.concatenate(points), np.concatenate(labels).astype(np.int32)


def circular(radius: AnyArray, angle: AnyArray) -> FloatArray:
    """Points given by their distance from the middle and their angle."""
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def arc(
    rng: Rng,
    n: int,
    radius: float,
    *,
    spread: float = 0.0,
    center: tuple[float, float] = (0, 0),
    span: tuple[float, float] = (0, 2 * np.pi),
) -> FloatArray:
    """Points along an arc, evenly spaced with a little play, so that the arc has no gap of its own."""
    step = (span[1] - span[0]) / n
    angle = span[0] + step * (np.arange(n) + rng.uniform(0.2, 0.8, n))
    return circular(radius + rng.uniform(-spread, spread, n), angle) + center


def curve(rng: Rng, line: Callable[[AnyArray], AnyArray], n: int, spread: float) -> FloatArray:
    """Points along a curve given over [0, 1], with Gaussian spread."""
    along = (np.arange(n) + rng.uniform(0.2, 0.8, n)) / n
    return np.asarray(line(along)) + rng.normal(scale=spread, size=(n, 2))


def gauss(rng: Rng, n: int, center: tuple[float, float], deviation: tuple[float, float]) -> FloatArray:
    """A Gaussian cloud, cut off at two deviations so that clouds keep their distance."""
    drawn = rng.normal(size=(4 * n + 40, 2))
    return drawn[(drawn**2).sum(axis=1) < 4][:n] * deviation + center


def shares(n: int, parts: Sequence[float]) -> list[int]:
    """Split n objects in these proportions; the last part takes what rounding leaves."""
    ends = np.rint(np.cumsum(parts) / np.sum(parts) * n).astype(int)
    return [int(size) for size in np.diff(ends, prepend=0)]
