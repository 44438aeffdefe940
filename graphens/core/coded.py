"""The fields of an ensemble, and what follows from them without asking where they came from."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from .._arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray, freeze, sentinel
from .codes import sizes
from .names import Names, Title
from .value import Value, remembered


class Coded(Value):
    """Labels of n objects in several partitions as codes, with weights and names; see `Ensemble`."""

    codes: AnyArray
    n_clusters: IntArray
    weights: FloatArray
    object_weights: FloatArray
    partition_names: tuple[str, ...]
    object_names: AnyArray | None
    categories: tuple[AnyArray, ...]
    memberships: tuple[FloatArray, ...] | None = None
    index_name: Title = None
    _counted: bool = False

    @property
    def n_objects(self) -> int:
        """Number of objects."""
        return int(self.codes.shape[1])

    @property
    def n_partitions(self) -> int:
        """Number of partitions."""
        return int(self.codes.shape[0])

    @property
    def labels(self) -> LabelArray:
        """Labels as n_objects × n_partitions int32, −1 where missing; made anew on every call."""
        shown = self.codes.T.astype(np.int32, order="C")
        if self.codes.dtype.itemsize < 4:  # the 4-byte sentinel already reads −1
            shown[shown == self.absent] = MISSING
        return freeze(shown)

    @property
    def absent(self) -> int:
        """The code of an absent label."""
        return sentinel(self.codes.dtype)

    @remembered
    def offsets(self) -> IntArray:
        """Number of clusters before each partition's first, and K at the end: cluster (t, c) is offsets[t] + c."""
        return np.concatenate(([0], np.cumsum(self.n_clusters)))

    @remembered
    def present(self) -> AnyArray:
        """Whether each object has a label in at least one partition that weighs anything."""
        seen = np.zeros(self.n_objects, dtype=bool)
        for row in self.codes[self.weights > 0]:
            seen |= row != self.absent
            if seen.all():
                break
        return seen

    @remembered
    def _unweighted(self) -> bool:
        """Whether every object weighs 1."""
        return bool((self.object_weights == 1).all())

    @remembered
    def n_missing(self) -> int:
        """Number of missing labels."""
        return sum(int(np.count_nonzero(row == self.absent)) for row in self.codes)

    @property
    def has_missing(self) -> bool:
        """Whether any label is missing."""
        return self.n_missing > 0

    @property
    def cluster_names(self) -> Names:
        """Names of all clusters, "partition:label", in the order of the hyperedges."""
        made = [
            f"{name}:{label}"
            for name, labels in zip(self.partition_names, self.categories, strict=True)
            for label in labels
        ]
        return Names(np.array(made, dtype=str))

    def vertex_names(self) -> Names:
        """Names of the objects; 0, 1, … from a frame whose index only counts, x0, x1, … where there are none."""
        counted = range(self.n_objects) if self._counted else ("x", self.n_objects)
        return Names(counted if self.object_names is None else self.object_names, title=self.index_name)

    def _names_of(self, objects: IntArray) -> AnyArray | None:
        """Names of some of the objects; None where they have none."""
        return (
            None
            if self.object_names is None and not self._counted
            else self.vertex_names().take(objects).array()
        )

    def cluster_sizes(self) -> FloatArray:
        """Weight of each cluster, all K of them in the order of the hyperedges. O(nB)."""
        weights = None if self._unweighted else self.object_weights
        every = zip(self.codes, self.n_clusters, strict=True)
        return np.concatenate([sizes(row, int(k), weights) for row, k in every]).astype(np.float64)

    def _replace(self, **changes: Any) -> Self:
        """Return the same with some fields exchanged for others that fit; only their names are checked."""
        made = super()._replace(**changes)
        if "codes" not in changes:  # what follows from the codes alone need not be found again
            made._set_fields(
                **{name: vars(self)[name] for name in ("_rows", "n_missing") if name in vars(self)}
            )
        return made
