"""Count tables of a labeling and an ensemble, for moving single objects."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .._lib.arrays import MISSING, AnyArray, FloatArray, LabelArray, canonical
from ..graphs.counts import overlaps
from ..labels.ensemble import Ensemble


class Counts(NamedTuple):
    """|C ∩ c| for base clusters c and clusters C (K × k), and |C present in t| (B × k), by object weight."""

    shared: FloatArray
    seen: FloatArray

    @classmethod
    def of(cls, e: Ensemble, labels: LabelArray, k: int) -> Counts:
        """Count a labeling 0 … k − 1 (−1 unassigned). O(nB) time, O(Kk) memory."""
        shared = overlaps(e, labels, max(k, 1)).toarray()
        seen = [shared[a:b].sum(axis=0) for a, b in pairwise(e.offsets.tolist())]
        return cls(shared, np.stack(seen))


def base_clusters(e: Ensemble) -> AnyArray:
    """Return for every object its base clusters (n × B, numbered over all partitions), −1 if absent."""
    rows = e.codes + e.offsets[:-1, None].astype(np.int32)
    rows[e.codes == e.absent] = MISSING
    return np.ascontiguousarray(rows.T, dtype=np.int32)


def disagreement(e: Ensemble, labels: AnyArray) -> float:
    """Return the cost of correlation clustering: the mean Mirkin distance of a labeling to the partitions.

    Σ over pairs of objects of (p − a) if the labeling joins them and of a if it separates them, divided by Σ w; a is
    the weight of the partitions that join the pair, and p of those that have both. If nothing is missing, this is
    Σ_same (1 − S) + Σ_apart S; with missing labels, every pair is weighted by its evidence. Unassigned objects are
    alone. Pairs are weighted by the product of their object weights. O(nB + Kk).
    """
    cluster = canonical(labels)
    k = int(cluster.max(initial=-1)) + 1
    counts = Counts.of(e, cluster, k)
    base = np.repeat(e.weights, e.n_clusters)
    alone = np.where(cluster < 0, e.object_weights, 0.0)
    joined = e.weights @ (counts.seen**2).sum(axis=1) + _lonely(e, alone)
    both = base @ (counts.shared**2).sum(axis=1) + _lonely(e, alone)
    base_pairs = base @ e.cluster_sizes() ** 2
    return float(max(joined + base_pairs - 2 * both, 0.0) / 2 / e.weights.sum())


def _lonely(e: Ensemble, masses: FloatArray) -> float:
    """Σ w m² over the partitions that have an object: its contribution to both sums if it is alone in a cluster."""
    if not masses.any():
        return 0.0
    return float(sum(w * (masses[row != e.absent] ** 2).sum() for w, row in zip(e.weights, e.codes, strict=True)))


def information(e: Ensemble) -> tuple[FloatArray, FloatArray]:
    """Return the shares w n_t / Σ w n_t and the entropies (nats) of the partitions, which ANMI needs."""
    sizes = [sizes[sizes > 0] for sizes in np.split(e.cluster_sizes(), e.offsets[1:-1])]
    present = np.array([part.sum() for part in sizes])
    entropy = [float(-(p / p.sum()) @ np.log(p / p.sum())) if p.size else 0.0 for p in sizes]
    return e.weights * present / (e.weights @ present), np.maximum(entropy, 0.0)
