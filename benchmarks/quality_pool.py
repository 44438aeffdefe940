"""A pool of random data sets. Every seed of a family draws its own sizes, distances and noise.

−1 are objects that belong nowhere.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .quality_sets import Points, Rng

SEEDS = range(6)  # of two halves


def _joined(parts: list[np.ndarray]) -> Points:
    return np.concatenate(parts), np.repeat(np.arange(len(parts)), [len(p) for p in parts])


def _shaken(rng: Rng, points: Points, low: float, high: float) -> Points:
    X, truth = points
    return X + rng.normal(scale=rng.uniform(low, high) if high > low else low, size=X.shape), truth


def _ring(rng: Rng, n: int, radius: float) -> np.ndarray:
    angle = rng.uniform(0, 2 * np.pi, n)
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _with_strangers(points: Points, strangers: np.ndarray) -> Points:
    return np.concatenate([points[0], strangers]), np.concatenate([points[1], np.full(len(strangers), -1)])


def spirals(rng: Rng) -> Points:
    """Two or three arms."""
    arms, n, turn = int(rng.integers(2, 4)), int(rng.integers(100, 200)), rng.uniform(1, 1.8)
    found = []
    for arm in range(arms):
        r = 3 * np.sqrt(rng.uniform(0.05, 1, n))
        angle = turn * r + arm * 2 * np.pi / arms
        found.append(np.stack([r * np.cos(angle), r * np.sin(angle)], axis=1))
    return _shaken(rng, _joined(found), 0.02, 0.12)


def nested(rng: Rng) -> Points:
    """Two or three rings around one middle."""
    number, gap = int(rng.integers(2, 4)), rng.uniform(0.8, 1.5)
    rings = [_ring(rng, int(rng.integers(60, 120) * (i + 1)), 0.6 + gap * i) for i in range(number)]
    return _shaken(rng, _joined(rings), 0.05, 0.2)


def moons(rng: Rng) -> Points:
    """Two half circles of unequal size."""
    sizes = rng.integers(60, 350, 2)
    a, b = (rng.uniform(0, np.pi, n) for n in sizes)
    upper, lower = (np.stack([np.cos(a), np.sin(a)], axis=1), np.stack([1 - np.cos(b), 0.5 - np.sin(b)], axis=1))
    return _shaken(rng, _joined([upper, lower]), 0.05, 0.18)


def bars(rng: Rng) -> Points:
    """Two to five bars above each other."""
    found = []
    for row in range(int(rng.integers(2, 6))):
        n, length = int(rng.integers(50, 150)), rng.uniform(3, 8)
        along = rng.uniform(-length / 2, length / 2, n)
        found.append(np.stack([along, row + rng.uniform(-0.3, 0.3) * along / length], axis=1))
    return _shaken(rng, _joined(found), 0.08, 0.2)


def chain(rng: Rng) -> Points:
    """Two links of a chain in space."""
    t, flat = rng.uniform(0, 2 * np.pi, (2, int(rng.integers(120, 250)))), 0.0
    one = np.stack([np.cos(t[0]), np.sin(t[0]), flat * t[0]], axis=1)
    other = np.stack([1 + np.cos(t[1]), flat * t[1], np.sin(t[1])], axis=1)
    return _shaken(rng, _joined([one, other]), 0.04, 0.12)


def atom(rng: Rng) -> Points:
    """A ball in a sphere."""
    d = rng.normal(size=(250, 3))
    d /= np.linalg.norm(d, axis=1)[:, None]
    ball = rng.normal(scale=0.4, size=(int(rng.integers(80, 250)), 3))
    return _shaken(rng, _joined([ball, rng.uniform(2, 3) * d]), 0.1, 0.1)


def smile(rng: Rng) -> Points:
    """A face."""
    angle, eyes = rng.uniform(np.pi * 1.15, np.pi * 1.85, 120), rng.integers(20, 60, 2)
    face, mouth = _ring(rng, 250, 1), 0.6 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    sides = [[x, 0.3] + 0.05 * rng.normal(size=(n, 2)) for x, n in zip((-0.3, 0.3), eyes, strict=True)]
    return _shaken(rng, _joined([face, mouth, *sides]), 0.02, 0.05)


def waves(rng: Rng) -> Points:
    """Two or three waves above each other."""
    found = []
    for row in range(int(rng.integers(2, 4))):
        t = rng.uniform(0, 4 * np.pi, int(rng.integers(120, 220)))
        found.append(np.stack([t, 1.5 * np.sin(t) + 1.6 * row], axis=1))
    return _shaken(rng, _joined(found), 0.08, 0.2)


def ring_and_outliers(rng: Rng) -> Points:
    """A ring around a blob, and objects far outside."""
    points = _shaken(rng, _joined([rng.normal(scale=0.3, size=(120, 2)), _ring(rng, 200, 2)]), 0.1, 0.1)
    m = int(rng.integers(1, 15))
    return _with_strangers(points, _ring(rng, m, 1) * rng.uniform(3, 6, (m, 1)))


def target(rng: Rng) -> Points:
    """A ring around a blob, and two to four groups of 3 to 11 objects in the corners."""
    groups, size = int(rng.integers(2, 5)), int(rng.integers(3, 12))
    blob = rng.normal(scale=0.3, size=(200, 2))
    parts = [blob + rng.normal(scale=0.1, size=(200, 2))]
    parts.append(_ring(rng, 250, 2.5))
    parts[1] = parts[1] + rng.normal(scale=0.15, size=(250, 2))
    corners = np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)])[:groups]
    return _joined(parts + [4 * c + rng.normal(scale=0.06, size=(size, 2)) for c in corners])


def mixture(
    rng: Rng,
    dimensions: int | None = None,
    separation: float | None = None,
    *,
    tails: bool = False,
    stretched: bool = False,
    even: bool = False,
) -> Points:
    """Two to eight Gaussians, or with heavy tails, or stretched and turned."""
    k = int(rng.integers(2, 9))
    d = dimensions or int(rng.choice([2, 3, 5, 10, 20]))
    apart = separation or rng.uniform(2.2, 4.5)
    centers: list[np.ndarray] = []
    room = apart
    while len(centers) < k:
        room *= 1.02
        center = rng.uniform(-room, room, d)
        if all(np.linalg.norm(center - other) >= apart for other in centers):
            centers.append(center)
    sizes = np.maximum(15, (rng.dirichlet(np.full(k, 1e4 if even else 4.0)) * 450).astype(int))
    parts = []
    for center, m in zip(centers, sizes, strict=True):
        z = rng.standard_t(2.5, size=(m, d)) if tails else rng.normal(size=(m, d)) * rng.choice([0.6, 1])
        if stretched:
            turn = np.linalg.qr
            z = z @ np.diag(np.r_[rng.uniform(2, 4), np.full(d - 1, 0.5)]) @ turn(rng.normal(size=(d, d)))[0]
        parts.append(center + z)
    return _joined(parts)


def background(rng: Rng) -> Points:
    """A mixture in the plane and a tenth as many objects anywhere."""
    points = mixture(rng, 2, rng.uniform(4, 7))
    low, high = points[0].min(axis=0), points[0].max(axis=0)
    return _with_strangers(points, rng.uniform(low - 1, high + 1, (int(0.1 * len(points[0])), 2)))


def strays(rng: Rng) -> Points:
    """A mixture and up to five groups of one to three objects far away that are no clusters."""
    d = int(rng.choice([2, 3]))
    X, truth = mixture(rng, d, rng.uniform(2.5, 5))
    m, size = int(rng.integers(1, 6)), int(rng.integers(1, 4))
    far = rng.normal(size=(m, d))
    far = X.mean(axis=0) + far / np.linalg.norm(far, axis=1)[:, None] * X.std() * rng.uniform(5, 9, (m, 1))
    return _with_strangers((X, truth), np.repeat(far, size, axis=0) + 0.05 * rng.normal(size=(m * size, d)))


def touching(rng: Rng) -> Points:
    """Two to four rectangles with a narrow gap between them."""
    k = int(rng.integers(2, 5))
    sizes = rng.integers(60, 200, k)
    return _joined(
        [
            np.stack([rng.uniform(0, 1, n) + 1.15 * i, rng.uniform(0, rng.uniform(1, 3), n)], axis=1)
            for i, n in enumerate(sizes)
        ]
    )


def big_and_small(rng: Rng) -> Points:
    """A wide blob and one to three small ones around it."""
    wide = rng.uniform(1.5, 3)
    parts, k = [wide * rng.normal(size=(300, 2))], int(rng.integers(1, 4))
    for i in range(k):
        angle = 2 * np.pi * i / k + rng.uniform(0, 1)
        place = (wide * 3 + rng.uniform(0.5, 2)) * np.array([np.cos(angle), np.sin(angle)])
        parts.append(place + 0.4 * rng.normal(size=(int(rng.integers(15, 60)), 2)))
    return _joined(parts)


FAMILIES: dict[str, Callable[[Rng], Points]] = {
    "spirals": spirals,
    "nested rings": nested,
    "moons": moons,
    "bars": bars,
    "links of a chain": chain,
    "ball in a sphere": atom,
    "face": smile,
    "waves": waves,
    "ring and outliers": ring_and_outliers,
    "target": target,
    "mixture": mixture,
    "even mixture": lambda rng: mixture(rng, even=True),
    "stretched mixture": lambda rng: mixture(rng, int(rng.choice([2, 3, 5])), rng.uniform(3, 6), stretched=True),
    "heavy tails": lambda rng: mixture(rng, 2, rng.uniform(5, 9), tails=True),
    "background": background,
    "strays": strays,
    "touching": touching,
    "big and small": big_and_small,
}
