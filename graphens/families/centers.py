"""k-means in label space: an object is the vector of its labels, and a center is a distribution of labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from .._lib.arrays import MISSING, FloatArray, IntArray, LabelArray
from .._lib.memory import require
from .._lib.threads import map_threads
from ..labels.ensemble import Ensemble
from ..labels.value import remembered

#: turns counts |c ∩ C| (base clusters × centers) into the distance that a label c means to center C, by partition
Update: TypeAlias = Callable[["Space", FloatArray], FloatArray]


_REVIVALS = 10  # rounds in which a center without objects may restart


@dataclass(frozen=True, eq=False)
class Space:
    """The labels of an ensemble, in a fixed number of blocks, so that sums do not depend on the number of threads."""

    ensemble: Ensemble

    @remembered
    def owner(self) -> IntArray:
        """The partition of every base cluster."""
        return np.repeat(np.arange(self.ensemble.n_partitions), self.ensemble.n_clusters)

    def blocks(self) -> list[tuple[int, int]]:
        """Return at most 32 blocks of consecutive objects."""
        n = self.ensemble.n_objects
        step = max(1 << 14, -(-n // 32))
        return [(start, min(start + step, n)) for start in range(0, n, step)]

    def map(self, function: Callable[..., Any], *extra: Any) -> list[Any]:
        """Apply a kernel to every block, in threads; results in order."""
        e = self.ensemble
        return map_threads(lambda block: function(e.codes, e.absent, e.offsets, *extra, *block), self.blocks())

    def shares(self, counts: FloatArray) -> FloatArray:
        """The distribution of the labels of each partition within every center.

        A center without a label in a partition gets the distribution of the whole ensemble there.
        """
        total = self.per_partition(counts)
        return np.where(total > 0, counts / np.where(total > 0, total, 1.0), self.overall)

    @remembered
    def overall(self) -> FloatArray:
        """The distribution of the labels of each partition, as one column."""
        sizes = self.ensemble.cluster_sizes()[:, None]
        return sizes / self.per_partition(sizes)

    def per_partition(self, values: FloatArray) -> FloatArray:
        """Sum over the clusters of each partition, repeated for each of them."""
        sums: FloatArray = np.add.reduceat(values, self.ensemble.offsets[:-1], axis=0)
        return sums[self.owner]

    def seeds(self, k: int, rng: np.random.Generator | None) -> IntArray:
        """Pick k rows far from each other.

        With a generator each is drawn with probability proportional to its weight and its distance from the nearest
        so far (k-means++); without, each is the furthest, the first such row in the standard order, which starts with
        the objects in large clusters. Fewer than k where all others equal one of them.
        """
        from ..kernels.likelihoods import mismatches

        e = self.ensemble
        away, apart = np.empty(e.n_objects), np.full(e.n_objects, np.inf)
        v = 0 if rng is None else _draw(e.object_weights, rng)
        chosen = [v]
        while len(chosen) < k:
            mismatches(e.codes, e.absent, e.weights, v, away)
            np.minimum(apart, away, out=apart)
            if apart.max() <= 0:
                break
            v = int(apart.argmax()) if rng is None else _draw(e.object_weights * apart, rng)
            chosen.append(v)
        return np.array(chosen)

    def counts_of(self, rows: IntArray) -> FloatArray:
        """Counts of centers that consist of one row each."""
        e = self.ensemble
        counts = np.zeros((int(e.offsets[-1]), len(rows)))
        for t, row in enumerate(e.codes[:, rows]):
            there = np.flatnonzero(row != e.absent)
            counts[e.offsets[t] + row[there].astype(np.int64), there] = 1
        return counts


def _draw(weights: FloatArray, rng: np.random.Generator) -> int:
    ladder = np.cumsum(weights)
    return min(int(np.searchsorted(ladder, rng.random() * ladder[-1], side="right")), len(weights) - 1)


def lloyd(space: Space, start: FloatArray, update: Update, max_iter: int) -> tuple[float, LabelArray, int]:
    """Assign objects to the nearest center and move the centers, until nothing changes.

    Returns the cost, the labels and the number of rounds. A center that lost all objects restarts at the object
    furthest from its own. O(nBk) per round.
    """
    from ..kernels.likelihoods import nearest

    e = space.ensemble
    require(8.0 * 34 * start.size, f"Tables of {start.shape[0]} clusters × {start.shape[1]} centers", "Lower k")
    slack = 1e-12 * e.weights.sum()
    labels, distance = np.empty(e.n_objects, dtype=np.int32), np.empty(e.n_objects)
    before, counts, last = np.inf, start, np.full(e.n_objects, MISSING, dtype=np.int32)
    for rounds in range(1, max_iter + 1):
        parts = space.map(nearest, update(space, counts), slack, e.object_weights, labels, distance)
        counts = sum(parts[1:], start=parts[0])
        cost = float(e.object_weights @ distance)
        # at the same cost other labels may still make better centers; a change of rounding size will not
        if np.array_equal(labels, last) or 0 < abs(before - cost) <= 1e-9 * cost:
            break
        revived = rounds <= _REVIVALS and _revive(space, counts, labels, distance)
        before, last = np.inf if revived else cost, labels.copy()  # the cost counts from the new centers on
    return cost, labels, rounds


def _revive(space: Space, counts: FloatArray, labels: LabelArray, distance: FloatArray) -> bool:
    """Restart empty centers at the objects furthest from their centers; return whether there were any."""
    empty = np.flatnonzero(np.bincount(labels, minlength=counts.shape[1]) == 0)
    far = np.argsort(-distance, kind="stable")[: len(empty)] if empty.size else empty
    far = far[distance[far] > 1e-12]
    counts[:, empty[: len(far)]] = space.counts_of(far)
    return bool(far.size)


def best_of(
    space: Space, k: int, update: Update, *, n_init: int, max_iter: int, rng: np.random.Generator | None
) -> tuple[LabelArray, dict[str, Any]]:
    """Run `lloyd` from several seedings and keep the lowest cost; the first seeding is the furthest-first one."""
    found = []
    for run in range(n_init):
        seeds = space.seeds(k, rng if run else None)
        found.append(lloyd(space, space.counts_of(seeds), update, max_iter))
    costs = np.array([cost for cost, _, _ in found])
    chosen = int(np.argmax(costs <= costs.min() + 1e-9 * max(float(costs.min()), 1e-300)))
    return found[chosen][1], {"cost": float(costs[chosen]), "iterations": found[chosen][2], "run": chosen}
