"""Objects in an order, summed up into blocks, so that a million of them fit on a page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._arrays import AnyArray, FloatArray, IntArray, LabelArray
from ..core.ensemble import Ensemble
from ..core.result import Consensus
from ..linkage import link
from ..views.coassociation import coassociation
from .trees import in_leaf_order

_LINKED = 1500  # objects up to which those of a cluster are ordered by a tree of their own


@dataclass(frozen=True, eq=False)
class Blocks:
    """Stretches of objects that follow each other, all of one cluster.

    Attributes
    ----------
    block
        For each object its block, −1 for objects without a cluster.
    label
        For each block its cluster.
    size
        For each block its number of objects.
    """

    block: IntArray
    label: LabelArray
    size: IntArray

    @property
    def single(self) -> bool:
        """Whether every block is one object."""
        return bool((self.size <= 1).all())

    def mean(self, values: AnyArray) -> FloatArray:
        """Mean of something given per object, for each block."""
        kept = self.block >= 0
        total = np.bincount(self.block[kept], weights=values[kept], minlength=len(self.size))
        return np.asarray(total / np.maximum(self.size, 1))


def ordered(r: Consensus) -> IntArray:
    """Return the objects cluster by cluster; inside a cluster by its tree where there are few, else surest first."""
    assigned = np.flatnonzero(r.labels >= 0)
    order = assigned[np.lexsort((-r.confidence[assigned], r.labels[assigned]))]
    if len(assigned) > _LINKED:
        return order
    groups = np.split(order, np.cumsum(r.sizes())[:-1])
    return np.concatenate([_by_tree(r.ensemble, group) for group in groups] or [order])


def _by_tree(e: Ensemble, group: IntArray) -> IntArray:
    if len(group) < 3:
        return group
    return np.asarray(group[in_leaf_order(link(coassociation(e.take(objects=group)), "average"))])


def blocks(r: Consensus, most: int = 400) -> Blocks:
    """Cut the ordered objects into at most about `most` blocks; every cluster has at least one of its own."""
    order, sizes = ordered(r), r.sizes()
    share = np.minimum(np.maximum(1, np.rint(most * sizes / max(sizes.sum(), 1)).astype(np.int64)), sizes)
    parts = sizes if len(order) <= most else share
    place = np.full(len(r.labels), -1, dtype=np.int64)
    before = 0
    for group, count in zip(np.split(order, np.cumsum(sizes)[:-1]), parts.tolist(), strict=True):
        place[group] = before + np.arange(len(group)) * count // max(len(group), 1)
        before += count
    label = np.repeat(np.arange(r.k), parts).astype(np.int32)
    return Blocks(place, label, np.bincount(place[place >= 0], minlength=before))
