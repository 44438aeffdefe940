"""The papers' shapes, made anew from their descriptions: points and true clusters (−1 for noise).

Where the papers' files are not to be had, what the descriptions leave open (gaps, widths, turns) was set so that
k-means, single link, average link and spectral clustering by themselves err as often as the papers say.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._arrays import AnyArray, FloatArray
from .points import Points, Rng, arc, circular, curve, gauss, together


def half_rings(rng: Rng) -> Points:
    """Two half rings that reach into each other, 100 above and 300 below (Fred and Jain 2005, Fig. 6b)."""
    upper = arc(rng, 100, 1.0, spread=0.18, span=(0, np.pi))
    lower = arc(rng, 300, 1.0, spread=0.18, centre=(1.0, 0.15), span=(np.pi, 2 * np.pi))
    return together(upper, lower)


def rings(rng: Rng) -> Points:
    """Three concentric rings of 200, 200 and 50 points, from the outside in (Fred and Jain 2005, Fig. 6c).

    Thin rings, twice as far apart as their neighbours along a ring at k = 30: k-means at k = 3 errs on .665 of the
    points (published .591 for the best of 50, .650 on average), single link on none (0), average link on .56 to .63
    (.564).
    """
    return together(
        arc(rng, 200, 4.75, spread=0.06), arc(rng, 200, 3.0, spread=0.06), arc(rng, 50, 1.0, spread=0.06)
    )


def cigar(rng: Rng) -> Points:
    """Two long sparse Gaussians side by side and a small dense one outside each (Fred and Jain 2005, Fig. 4c).

    100, 100, 25 and 25 points. One point of the first lies a good way beyond its end: single link makes it a cluster
    of its own and joins the long ones, 99 of 250 wrong, the published 39.6 %. k-means errs on .376 of the points on
    average (published .376), average link on .10 to .26 (.128).
    """
    return together(
        np.concatenate([gauss(rng, 99, (0, 0), (1.0, 0.27)), [(3.0, 0.0)]]),
        gauss(rng, 100, (0, 1.5), (1.0, 0.27)),
        gauss(rng, 25, (-0.6, -1.3), (0.07, 0.07)),
        gauss(rng, 25, (0.6, 2.8), (0.07, 0.07)),
    )


def spirals(rng: Rng) -> Points:
    """Two spirals wound into each other, 100 points each, evenly spaced (Li, Yu, Hao and Li 2007, Table 1).

    k-means errs on .39 of the points (published .399), single link on none (0), average link on .41 to .48 (.480).
    """
    angle = np.sqrt(np.linspace(0.032, 1.0, 100)) * 3.13 * np.pi
    arm = circular(angle, angle) / 10
    X, truth = together(arm, -arm)
    return X + rng.normal(scale=0.007, size=X.shape), truth


def paths(rng: Rng) -> Points:
    """Three curved paths of 200 points each among 200 points of noise (Li, Yu, Hao and Li 2007, Table 1).

    Arms that turn by 2.8 about a common middle on their way from radius .334 to 1: k-means errs on .32 of the path
    points (published .327), single link on .667 (.667), average link on .26 to .49 (.350).
    """
    inner, turn = 0.334, 2.8

    def arm(s: AnyArray) -> FloatArray:
        radius = np.sqrt(inner**2 + s * (1 - inner**2))  # about even along the path
        return circular(radius, turn * (radius - inner) / (1 - inner))

    thirds = [np.array([[c, s], [-s, c]]) for c, s in circular(np.ones(3), 2 * np.pi * np.arange(3) / 3)]
    groups = [curve(rng, arm, 200, 0.011) @ third for third in thirds]
    noise = circular(1.15 * np.sqrt(rng.uniform(size=200)), rng.uniform(0, 2 * np.pi, 200))
    return together(*groups, noise=noise)


def complex_image(rng: Rng) -> Points:
    """Seven clusters of different shapes inside a circle of 10 noise points, 743 in all (Li, Yu, Hao and Li 2007).

    Sizes 200-200-100-100-50-50-33. Fred and Jain 2005 count the circle as an eighth cluster.
    """
    return together(
        arc(rng, 200, 2.0, spread=0.1, centre=(-3, 2)),
        gauss(rng, 200, (-3, 2), (0.5, 0.5)),
        curve(rng, lambda s: np.stack([1 + 4 * s, 3.2 + np.sin(2 * np.pi * s)], axis=1), 100, 0.06),
        curve(rng, lambda s: np.stack([1 + 4 * s, 1.2 + np.sin(2 * np.pi * s)], axis=1), 100, 0.06),
        gauss(rng, 50, (1.6, -2.6), (0.3, 0.3)),
        gauss(rng, 50, (4.0, -2.2), (0.2, 0.6)),
        gauss(rng, 33, (-3.0, -2.8), (0.9, 0.12)),
        noise=arc(rng, 10, 7.5),
    )


def ring_bar_gauss(rng: Rng) -> Points:
    """A ring of 200 points around a bar of 50 and a Gaussian of 150 (Fred and Jain 2005, Fig. 2a)."""
    bar = rng.uniform((-2.0, -1.0), (-1.4, 1.0), size=(50, 2))
    return together(arc(rng, 200, 4.0, spread=0.25), bar, gauss(rng, 150, (0.9, 0.0), (0.6, 0.6)))


def uniform(rng: Rng) -> Points:
    """300 points spread evenly over a cube of five dimensions: no clusters (Fred and Jain 2005, Fig. 6a)."""
    return together(rng.uniform(size=(300, 5)))


def blobs(rng: Rng) -> Points:
    """Four well separated round clouds of 100 points."""
    centres = [(0.0, 0.0), (6.0, 0.0), (0.0, 6.0), (6.0, 6.0)]
    return together(*(gauss(rng, 100, centre, (1.0, 1.0)) for centre in centres))


def ellipses(rng: Rng) -> Points:
    """Two long ellipses side by side, 500 points each (Ayad and Kamel 2005, Fig. 2)."""
    return together(gauss(rng, 500, (0, 0), (3.0, 0.5)), gauss(rng, 500, (0, 2.6), (3.0, 0.5)))


def crescents(rng: Rng) -> Points:
    """Two crescents that reach into each other, 500 points each (Ayad and Kamel 2005, Fig. 2)."""
    upper = arc(rng, 500, 1.0, spread=0.15, span=(0, np.pi))
    return together(upper, arc(rng, 500, 1.0, spread=0.15, centre=(1.0, 0.2), span=(np.pi, 2 * np.pi)))


def unequal_ellipses(rng: Rng) -> Points:
    """A small ellipse of 50 points beside a large one of 200 (Ayad and Kamel 2005, Fig. 2)."""
    return together(gauss(rng, 50, (0, 3.2), (1.0, 0.3)), gauss(rng, 200, (0, 0), (3.0, 1.0)))


def gaussians_8d(rng: Rng) -> Points:
    """8D5K: five Gaussians of 200 points and deviation 0.1 in eight dimensions (Strehl and Ghosh 2002).

    Means are drawn evenly from the cube [−½, ½]⁸, again until no two are nearer than 0.8, as in the published file.
    """
    while True:
        means = rng.uniform(-0.5, 0.5, size=(5, 8))
        apart = np.linalg.norm(means[:, None] - means[None, :], axis=2) + np.eye(5)
        if apart.min() > 0.8:
            return together(*(rng.normal(mean, 0.1, size=(200, 8)) for mean in means))


def five_clusters(rng: Rng) -> Points:
    """Five Gaussian clouds of unequal size and width, two pairs of them near each other, 500 points.

    Stands for the five clusters of the weighted example in Chen's lecture, of which only the picture is known.
    """
    return together(
        gauss(rng, 150, (0.0, 0.0), (0.8, 0.8)),
        gauss(rng, 100, (3.6, 0.4), (0.7, 0.5)),
        gauss(rng, 100, (1.0, 5.6), (0.5, 1.0)),
        gauss(rng, 80, (3.4, 5.8), (0.4, 0.9)),
        gauss(rng, 70, (8.0, 3.0), (0.5, 0.5)),
    )


SHAPES: dict[str, Callable[[Rng], Points]] = {
    "half-rings": half_rings,
    "3-rings": rings,
    "cigar": cigar,
    "2-spirals": spirals,
    "3-paths": paths,
    "complex-image": complex_image,
    "ring-bar-gaussian": ring_bar_gauss,
    "uniform-5d": uniform,
    "blobs": blobs,
    "elongated-ellipses": ellipses,
    "crescents": crescents,
    "differing-ellipses": unequal_ellipses,
    "8d5k": gaussians_8d,
    "5-clusters": five_clusters,
}
ALIASES = {"ring-bar-gauss": "ring-bar-gaussian", "uniform": "uniform-5d"}
