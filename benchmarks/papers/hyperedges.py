"""A partitioner that counts cut hyperedges, as hMETIS does: what HGPA had in the papers.

Multilevel recursive bisection after Karypis, Aggarwal, Kumar and Shekhar 1999: objects that share hyperedges are joined
until few are left, the best of ten random bisections of these is refined by moves of single ones (Fiduccia and
Mattheyses). hMETIS itself is not to be had as a package, so this stands for it.
"""

import numpy as np

STARTS = 10
ROOM = 0.05  # how far a bisection may be from its shares, as hMETIS' smallest balance factors
PASSES = 4


def hyperedge_parts(H: np.ndarray, k: int, rng: np.random.Generator, coarse: int) -> np.ndarray:
    """Labels of k parts; H says which object (row) is in which hyperedge."""
    if k == 1:
        return np.zeros(len(H), dtype=int)
    side = _bisected(H, (k // 2) / k, rng, coarse)
    labels = np.empty(len(H), dtype=int)
    for s, parts, first in ((0, k // 2, 0), (1, k - k // 2, k // 2)):
        labels[side == s] = hyperedge_parts(H[side == s], parts, rng, coarse) + first
    return labels


def _bisected(H: np.ndarray, share: float, rng: np.random.Generator, coarse: int) -> np.ndarray:
    group = _joined(H, rng, coarse)
    mass = np.bincount(group).astype(float)
    few = _summed(H, group)
    limit = (np.array([share, 1 - share]) + ROOM) * len(H)
    tried = [_refined(few, mass, _drawn(mass, share, rng), limit, rng) for _ in range(STARTS)]
    return min(tried, key=lambda side: _cut(few, side))[group]


def _summed(H: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Which group is in which hyperedge, as 0 and 1."""
    few = np.zeros((int(group.max()) + 1, H.shape[1]), dtype=np.float32)
    np.maximum.at(few, group, H.astype(np.float32))
    return few


def _drawn(mass: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """A random bisection with this share on side 0."""
    side, order = np.ones(len(mass), dtype=int), rng.permutation(len(mass))
    side[order[np.cumsum(mass[order]) <= share * mass.sum() + 1e-9]] = 0
    return side


def _cut(H: np.ndarray, side: np.ndarray) -> int:
    return int((H[side == 0].any(axis=0) & H[side == 1].any(axis=0)).sum())


def _joined(H: np.ndarray, rng: np.random.Generator, coarse: int) -> np.ndarray:
    """Groups of objects that share hyperedges, pair by pair until so few are left."""
    n = len(H)
    group, heaviest = np.arange(n), 1.5 * n / coarse + 1
    while (m := int(group.max()) + 1) > coarse:
        mass = np.bincount(group).astype(float)
        few = _summed(H, group).astype(np.float64)  # so that ties are drawn, not left to rounding
        shared = (few / np.maximum(few.sum(axis=0) - 1, 1)) @ few.T
        new = _matched(shared, mass, heaviest, m - coarse, rng)
        if int(new.max()) + 1 == m:
            break
        group = new[group]
    return group


def _matched(shared: np.ndarray, mass: np.ndarray, heaviest: float, most: int, rng: np.random.Generator) -> np.ndarray:
    """Each, in random order, with the free one it shares most with; at most so many pairs."""
    own, free = np.arange(len(mass)), np.ones(len(mass), dtype=bool)
    ties = rng.random(shared.shape) * 1e-9
    for v in rng.permutation(len(mass)):
        fits = free & (mass + mass[v] <= heaviest) & (shared[v] > 0)
        fits[v] = False
        if free[v] and most and fits.any():
            u = int(np.argmax(np.where(fits, shared[v] + ties[v], -1)))
            own[u], most = v, most - 1
            free[[u, v]] = False
    return np.unique(own, return_inverse=True)[1]


def _refined(
    H: np.ndarray, mass: np.ndarray, side: np.ndarray, limit: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Passes in which each is moved once, the best first; a pass ends where the cut was least."""
    for _ in range(PASSES):
        moved = _moved(H, mass, side, limit, rng)
        if _cut(H, moved) >= _cut(H, side):
            break
        side = moved
    return side


def _moved(
    H: np.ndarray, mass: np.ndarray, start: np.ndarray, limit: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    side, best, total, most = start.copy(), start, 0, 0
    pins = np.stack([H[side == s].sum(axis=0) for s in (0, 1)])
    free, ties = np.ones(len(side), dtype=bool), rng.random(len(side)) / 2
    for _ in range(len(side)):
        load = np.bincount(side, weights=mass, minlength=2)
        fits = free & (load[1 - side] + mass <= limit[1 - side])
        if not fits.any():
            break
        # a move frees the hyperedges it leaves empty behind it, and cuts those that were whole on its side
        gains = [H @ ((pins[s] == 1) * np.float32(1) - (pins[1 - s] == 0)) for s in (0, 1)]
        gain = np.where(side == 0, *gains)
        v = int(np.argmax(np.where(fits, gain + ties, -np.inf)))
        total += int(gain[v])
        pins[side[v]] -= H[v]
        pins[1 - side[v]] += H[v]
        side[v], free[v] = 1 - side[v], False
        if total > most:
            most, best = total, side.copy()
    return best
