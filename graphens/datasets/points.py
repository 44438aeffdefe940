"""The elements of the shapes: arcs, curves and clouds, with their true clusters (−1 for noise)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, LabelArray

Points: TypeAlias = tuple[FloatArray, LabelArray]
Rng: TypeAlias = np.random.Generator


def together(*groups: FloatArray, noise: FloatArray | None = None) -> Points:
    """One cluster per group of points, followed by noise."""
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
    """Points along an arc, evenly spaced with a little noise, so that the arc has no gaps."""
    step = (span[1] - span[0]) / n
    angle = span[0] + step * (np.arange(n) + rng.uniform(0.2, 0.8, n))
    return circular(radius + rng.uniform(-spread, spread, n), angle) + center


def curve(rng: Rng, line: Callable[[AnyArray], AnyArray], n: int, spread: float) -> FloatArray:
    """Points along a curve given over [0, 1], with Gaussian spread."""
    along = (np.arange(n) + rng.uniform(0.2, 0.8, n)) / n
    return np.asarray(line(along)) + rng.normal(scale=spread, size=(n, 2))


def gauss(rng: Rng, n: int, center: tuple[float, float], deviation: tuple[float, float]) -> FloatArray:
    """A Gaussian cloud, cut off at two deviations so that clouds keep their distance."""
    cloud = rng.normal(size=(4 * n + 40, 2))
    return cloud[(cloud**2).sum(axis=1) < 4][:n] * deviation + center


def shares(n: int, parts: Sequence[float]) -> list[int]:
    """Split n objects in these proportions; the last part takes what rounding leaves."""
    ends = np.rint(np.cumsum(parts) / np.sum(parts) * n).astype(int)
    return [int(size) for size in np.diff(ends, prepend=0)]


def _around(rng: Rng, n: int, radius: float, spread: float, span: tuple[float, float] = (0, 2 * np.pi)) -> FloatArray:
    """Points around an arc, uniform along it and Gaussian across it."""
    return circular(rng.normal(radius, spread, n), rng.uniform(*span, n))


def bananas(rng: Rng, n: int) -> Points:
    """Two interlocking bananas (TB-1M)."""
    first, second = shares(n, (1, 1))
    upper = _around(rng, first, 1.0, 0.1, (0, np.pi))
    return together(upper, np.add(_around(rng, second, 1.0, 0.1, (np.pi, 2 * np.pi)), (1.0, 0.5)))


def smiling_face(rng: Rng, n: int) -> Points:
    """A round face with two eyes and a mouth: four clusters (SF-2M)."""
    face, left, right, mouth = shares(n, (5, 1, 1, 2))
    return together(
        _around(rng, face, 4.0, 0.12),
        rng.normal((-1.4, 1.3), 0.25, (left, 2)),
        rng.normal((1.4, 1.3), 0.25, (right, 2)),
        _around(rng, mouth, 2.2, 0.12, (1.15 * np.pi, 1.85 * np.pi)),
    )


def concentric_circles(rng: Rng, n: int) -> Points:
    """Three concentric circles, with points in proportion to their length (CC-5M)."""
    radii = (1.0, 2.0, 3.0)
    return together(*(_around(rng, size, radius, 0.1) for size, radius in zip(shares(n, radii), radii, strict=True)))


def circles_and_gaussians(rng: Rng, n: int) -> Points:
    """Two groups of three concentric circles, and five Gaussians between them: 11 clusters (CG-10M)."""
    radii = (1.0, 2.0, 3.0)
    sizes = iter(shares(n, [*radii, *radii, 1, 1, 1, 1, 1]))
    circles = [np.add(_around(rng, next(sizes), radius, 0.1), (x, 0.0)) for x in (-5.0, 5.0) for radius in radii]
    places = ((-9.0, 5.0), (-3.0, 6.0), (0.0, -5.0), (3.0, 6.0), (9.0, 5.0))
    return together(*circles, *(rng.normal(place, 0.35, (next(sizes), 2)) for place in places))


def flower(rng: Rng, n: int) -> Points:
    """Twelve petals around a round center: 13 clusters (Flower-20M)."""
    heart, *petals = shares(n, [1.0] * 13)
    groups = [circular(1.2 * np.sqrt(rng.uniform(size=heart)), rng.uniform(0, 2 * np.pi, heart))]
    for p, size in enumerate(petals):
        inside = circular(np.sqrt(rng.uniform(size=size)), rng.uniform(0, 2 * np.pi, size)) * (1.5, 0.45)
        turn = 2 * np.pi * p / 12
        turned = np.add(inside, (4.0, 0.0)) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        groups.append(turned)
    return together(*groups)


LARGE: dict[str, Callable[[Rng, int], Points]] = {
    "bananas": bananas, "smiling-face": smiling_face, "concentric-circles": concentric_circles,
    "circles-and-gaussians": circles_and_gaussians, "flower": flower,
}  # fmt: skip
