"""An ensemble prepared for consensus functions, and the way back to all of its objects.

Weights are rescaled, objects without any label are set aside, and repeated partitions are merged. This is done once for
an ensemble and cached, so that all methods of a panel use the same one and share its counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray
from .._lib.frames import take_rows, unframed
from ..errors import InputError
from .ensemble import Ensemble
from .names import align
from .value import recall

_LARGEST = 1000  # ratios of larger whole numbers are no longer taken for counts
_FAINTEST = 1e-30  # smallest weight relative to the largest, instead of 0 by underflow
_COUNTS = 1e6  # how often an object may occur before its weight is only a weight
_FEWER = 32  # fewer repetitions are not merged: that saves little and hides clusters of the graph


@dataclass(frozen=True, eq=False)
class Ready:
    """An ensemble, and which of its objects have a label in a partition of positive weight."""

    whole: Ensemble  #: all objects, with rescaled weights
    present: AnyArray  #: whether each object takes part
    unit: float = 1.0  #: the original weight of a partition that has weight 1 here

    @classmethod
    def of(cls, e: Ensemble) -> Ready:
        """Rescale the weights, and find the objects that take part."""
        scaled = recall(e, "on one scale", lambda: _rescale(e)) or e
        unit = 1.0 if scaled is e else float(e.weights.max() / scaled.weights.max())
        return cls(scaled, scaled.present, unit)

    @property
    def anyone(self) -> bool:
        """Whether any object takes part."""
        return bool(self.present.any())

    @property
    def ensemble(self) -> Ensemble:
        """The objects that take part, or all if none does; they keep their names."""
        if self.present.all() or not self.anyone:
            return self.whole
        return recall(self.whole, "objects with a label", lambda: self.whole.take(objects=self.present))

    @property
    def distinct_partitions(self) -> Ensemble:
        """The same objects, with partitions that are equal up to renaming merged if that saves much."""
        e = self.ensemble
        return recall(e, "distinct partitions", lambda: _distinct_partitions(e)) or e

    def taking_part(self, labels: LabelArray) -> LabelArray:
        """Return those of the labels that belong to objects that take part."""
        return labels[self.present] if self.anyone else labels

    def argument(self, name: str, value: Any, per_object: tuple[str, ...], neighbor_lists: tuple[str, ...]) -> Any:
        """Return an argument restricted to the objects that take part."""
        if value is None or name not in (*per_object, *neighbor_lists):
            return value
        if np.ndim(getattr(value, "labels", value) if name in per_object else value) == 0:
            return value
        if name in neighbor_lists:
            return self.neighbors(value, name)
        return self.rows(value, name)

    def rows(self, x: Any, name: str = "X") -> Any:
        """Return the rows of the objects that take part."""
        table = unframed(align(x, self.whole.vertex_names(), name))
        table = table if hasattr(table, "shape") else np.asarray(table)
        self._fits(table, name)
        return table if table.shape[0] == self.ensemble.n_objects else take_rows(table, np.flatnonzero(self.present))

    def neighbors(self, x: Any, name: str = "neighbors") -> Any:
        """Return lists of neighbors, renumbered for the objects that take part, −1 for one that does not."""
        lists = np.asarray(x)
        self._fits(lists, name)
        n = len(self.present)
        if self.present.all() or lists.ndim != 2 or not np.issubdtype(lists.dtype, np.integer):
            return lists
        if lists.min(initial=0) < MISSING or lists.max(initial=MISSING) >= n:
            raise InputError(
                f"{name} names the objects {lists.min()} to {lists.max()}; expected numbers from 0 to {n - 1}, or −1."
            )
        number = np.append(np.where(self.present, np.cumsum(self.present) - 1, MISSING), MISSING)
        return number[lists[self.present]]

    def _fits(self, x: Any, name: str) -> None:
        if x.shape[0] != len(self.present):
            raise InputError(
                f"{name} has {x.shape[0]} rows; expected one for each of the {len(self.present)} objects, "
                "those without any label included."
            )

    def spread(self, values: AnyArray) -> IntArray:
        """Return values of the objects that take part for all objects, −1 for the others."""
        wide = np.full(len(self.present), MISSING, dtype=np.int64)
        wide[self.present] = values
        return wide


def _rescale(e: Ensemble) -> Ensemble | None:
    """The ensemble with the weights that methods use, which depend only on ratios; None if they are the same.

    Partitions: the smallest whole numbers with the same ratios, if they are at most 1000 (two equal partitions are one
    of weight two), otherwise shares of the largest. Objects: the same, but whole numbers up to a million stay as they
    are, since they are numbers of occurrences.
    """
    objects = e.object_weights
    if not (objects == np.rint(objects)).all() or objects.max(initial=0.0) > _COUNTS:
        objects = simplest(objects)
    partitions = simplest(e.weights)
    if partitions is e.weights and objects is e.object_weights:
        return None
    return e._replace(weights=partitions, object_weights=objects)


def simplest(weights: FloatArray) -> FloatArray:
    """Return weights with the same ratios: small whole numbers if possible, otherwise at most 1.

    >>> (
    ...     simplest(np.array([0.5, 0.5, 1.5])).tolist(),
    ...     simplest(np.array([1e200, 1e199])).tolist(),
    ... )
    ([1.0, 1.0, 3.0], [10.0, 1.0])
    """
    if (weights == 1).all():
        return weights
    share = weights / weights.max(initial=0.0)
    values = np.unique(share)
    simple = share
    if len(values) <= _LARGEST + 1:
        unit = np.arange(1.0, _LARGEST + 1)[:, None]
        off = np.abs(values * unit - np.rint(values * unit)).max(axis=1) + (values[values > 0].min() * unit[:, 0] < 0.5)
        if off.min() < 1e-9:
            simple = np.rint(share * unit[int(np.argmax(off < 1e-9)), 0])
    return weights if np.array_equal(simple, weights) else np.maximum(simple, np.where(weights > 0, _FAINTEST, 0.0))


def _distinct_partitions(e: Ensemble) -> Ensemble | None:
    """The first of all partitions that are equal up to renaming, with their total weight; None if few are. O(nB)."""
    if e.n_partitions <= _FEWER or e.memberships is not None:
        return None
    from ..kernels.counting import rename

    codes = np.array(e.codes)
    rename(codes, e.absent, e.n_clusters)
    first, place = np.unique(equal_rows(codes), return_index=True, return_inverse=True)[1:]
    if e.n_partitions - len(first) < _FEWER:
        return None
    return e.take(partitions=first).reweight(np.bincount(place, weights=e.weights))


def equal_rows(codes: AnyArray) -> IntArray:
    """Number the rows so that equal ones have the same number, in order of first appearance."""
    number: dict[bytes, int] = {}
    return np.array([number.setdefault(row.tobytes(), len(number)) for row in codes], dtype=np.int64)
