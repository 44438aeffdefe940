"""Synthetic shapes in the plane, made from the descriptions in the papers: points and true clusters (−1 for noise)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._arrays import AnyArray, FloatArray, LabelArray

Points = tuple[FloatArray, LabelArray]
Rng = np.random.Generator


def _together(*groups: FloatArray, noise: FloatArray | None = None) -> Points:
    """One cluster per group of points, and noise behind them."""
    points = [*groups] if noise is None else [*groups, noise]
    labels = [np.full(len(group), c) for c, group in enumerate(groups)]
    labels += [] if noise is None else [np.full(len(noise), -1)]
    return np.concatenate(points), np.concatenate(labels).astype(np.int32)


def _arc(
    rng: Rng,
    n: int,
    radius: float,
    *,
    spread: float = 0.0,
    centre: tuple[float, float] = (0, 0),
    span: tuple[float, float] = (0, 2 * np.pi),
) -> FloatArray:
    """Points along an arc, evenly spaced with a little play, so that the arc has no gap of its own."""
    step = (span[1] - span[0]) / n
    angle = span[0] + step * (np.arange(n) + rng.uniform(0.2, 0.8, n))
    r = radius + rng.uniform(-spread, spread, n)
    return np.stack([r * np.cos(angle), r * np.sin(angle)], axis=1) + centre


def _curve(rng: Rng, line: Callable[[AnyArray], AnyArray], n: int, spread: float) -> FloatArray:
    """Points along a curve given over [0, 1], with Gaussian spread."""
    along = (np.arange(n) + rng.uniform(0.2, 0.8, n)) / n
    return np.asarray(line(along)) + rng.normal(scale=spread, size=(n, 2))


def _gauss(rng: Rng, n: int, centre: tuple[float, float], deviation: tuple[float, float]) -> FloatArray:
    """A Gaussian cloud, cut off at two deviations so that clouds keep their distance."""
    drawn = rng.normal(size=(4 * n + 40, 2))
    return drawn[(drawn**2).sum(axis=1) < 4][:n] * deviation + centre


def half_rings(rng: Rng) -> Points:
    """Two half rings that reach into each other, 100 above and 300 below (Fred and Jain 2005, Fig. 6b)."""
    upper = _arc(rng, 100, 1.0, spread=0.18, span=(0, np.pi))
    lower = _arc(rng, 300, 1.0, spread=0.18, centre=(1.0, 0.15), span=(np.pi, 2 * np.pi))
    return _together(upper, lower)


def rings(rng: Rng) -> Points:
    """Three concentric rings of 200, 200 and 50 points, from the outside in (Fred and Jain 2005, Fig. 6c)."""
    return _together(
        _arc(rng, 200, 3.0, spread=0.2), _arc(rng, 200, 2.0, spread=0.2), _arc(rng, 50, 0.8, spread=0.15)
    )


def cigar(rng: Rng) -> Points:
    """Four Gaussians: two long ones side by side and two small round ones beside their ends (Fred and Jain 2005)."""
    return _together(
        _gauss(rng, 100, (0, 0), (0.12, 1.2)),
        _gauss(rng, 100, (1.0, 0), (0.12, 1.2)),
        _gauss(rng, 25, (-1.0, 1.6), (0.15, 0.15)),
        _gauss(rng, 25, (2.0, -1.6), (0.15, 0.15)),
    )


def spirals(rng: Rng) -> Points:
    """Two spirals wound into each other, 100 points each (Li, Yu, Hao and Li 2007, Table 1)."""

    def arm(turn: float) -> FloatArray:
        angle = np.sqrt(np.linspace(0.08, 1.0, 100)) * 3.75 * np.pi + rng.normal(scale=0.015, size=100)
        return np.stack([angle * np.cos(angle + turn), angle * np.sin(angle + turn)], axis=1) / 10

    return _together(arm(0.0), arm(np.pi))


def paths(rng: Rng) -> Points:
    """Three curved paths of 200 points each among 200 points of noise (Li, Yu, Hao and Li 2007, Table 1)."""

    def wave(s: AnyArray) -> AnyArray:
        return np.stack([6 * s, 0.9 * np.sin(2 * np.pi * s)], axis=1)

    groups = [_curve(rng, wave, 200, 0.07) + np.array([0.0, level]) for level in (0.0, 2.5, 5.0)]
    return _together(*groups, noise=rng.uniform((-0.5, -1.8), (6.5, 6.8), size=(200, 2)))


def complex_image(rng: Rng) -> Points:
    """Seven clusters of different shapes inside a circle of 10 noise points, 743 in all (Li, Yu, Hao and Li 2007).

    Sizes 200-200-100-100-50-50-33. Fred and Jain 2005 count the circle as an eighth cluster.
    """
    return _together(
        _arc(rng, 200, 2.0, spread=0.1, centre=(-3, 2)),
        _gauss(rng, 200, (-3, 2), (0.5, 0.5)),
        _curve(rng, lambda s: np.stack([1 + 4 * s, 3.2 + np.sin(2 * np.pi * s)], axis=1), 100, 0.06),
        _curve(rng, lambda s: np.stack([1 + 4 * s, 1.2 + np.sin(2 * np.pi * s)], axis=1), 100, 0.06),
        _gauss(rng, 50, (1.6, -2.6), (0.3, 0.3)),
        _gauss(rng, 50, (4.0, -2.2), (0.2, 0.6)),
        _gauss(rng, 33, (-3.0, -2.8), (0.9, 0.12)),
        noise=_arc(rng, 10, 7.5),
    )


def ring_bar_gauss(rng: Rng) -> Points:
    """A ring of 200 points around a bar of 50 and a Gaussian of 150 (Fred and Jain 2005, Fig. 2a)."""
    bar = rng.uniform((-2.0, -1.0), (-1.4, 1.0), size=(50, 2))
    return _together(_arc(rng, 200, 4.0, spread=0.25), bar, _gauss(rng, 150, (0.9, 0.0), (0.6, 0.6)))


def uniform(rng: Rng) -> Points:
    """300 points spread evenly over a cube of five dimensions: no clusters (Fred and Jain 2005, Fig. 6a)."""
    return _together(rng.uniform(size=(300, 5)))


def blobs(rng: Rng) -> Points:
    """Four well separated round clouds of 100 points."""
    centres = [(0.0, 0.0), (6.0, 0.0), (0.0, 6.0), (6.0, 6.0)]
    return _together(*(_gauss(rng, 100, centre, (1.0, 1.0)) for centre in centres))


def ellipses(rng: Rng) -> Points:
    """Two long ellipses side by side, 500 points each (Ayad and Kamel 2005, Fig. 2)."""
    return _together(_gauss(rng, 500, (0, 0), (3.0, 0.5)), _gauss(rng, 500, (0, 2.6), (3.0, 0.5)))


def crescents(rng: Rng) -> Points:
    """Two crescents that reach into each other, 500 points each (Ayad and Kamel 2005, Fig. 2)."""
    upper = _arc(rng, 500, 1.0, spread=0.15, span=(0, np.pi))
    return _together(upper, _arc(rng, 500, 1.0, spread=0.15, centre=(1.0, 0.2), span=(np.pi, 2 * np.pi)))


def unequal_ellipses(rng: Rng) -> Points:
    """A small ellipse of 50 points beside a large one of 200 (Ayad and Kamel 2005, Fig. 2)."""
    return _together(_gauss(rng, 50, (0, 3.2), (1.0, 0.3)), _gauss(rng, 200, (0, 0), (3.0, 1.0)))


SHAPES: dict[str, Callable[[Rng], Points]] = {
    "half-rings": half_rings,
    "3-rings": rings,
    "cigar": cigar,
    "2-spirals": spirals,
    "3-paths": paths,
    "complex-image": complex_image,
    "ring-bar-gauss": ring_bar_gauss,
    "uniform": uniform,
    "blobs": blobs,
    "elongated-ellipses": ellipses,
    "crescents": crescents,
    "differing-ellipses": unequal_ellipses,
}
