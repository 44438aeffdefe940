"""The ensemble: several partitions of the same objects, stored once, checked once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import (
    MISSING,
    AnyArray,
    FloatArray,
    IntArray,
    LabelArray,
    as_weights,
    freeze,
    sentinel,
)
from ..errors import InputError, OrientationWarning, TypeMismatch, warn
from .codes import (
    distinct_rows,
    index_type,
    indicators,
    narrowed,
    place,
    positions,
    sizes,
    widened,
    without_empty,
)
from .labels import columns, common_index, encode
from .names import Names
from .soft import are_memberships, scaled, strongest
from .value import Value, remembered


class Ensemble(Value):
    """Several partitions of the same n objects.

    Parameters
    ----------
    labels
        Table of labels, objects in rows and partitions in columns: an array, a list of rows, a pandas or
        polars frame. Whole numbers, text or categories; −1, NaN, None and NA mean that an object is absent
        from a partition.
    weights
        One weight per partition, 1 by default.
    object_weights
        One positive weight per object (how often it occurs), 1 by default.
    partition_names, object_names
        Names for display and export; taken from a frame's columns and index where it has them.

    Attributes
    ----------
    codes
        Labels partition by partition (n_partitions × n_objects) in the narrowest unsigned type: 0, 1, … in the
        order of the sorted labels, and the largest number of the type where an object is absent.
    n_clusters
        Number of clusters of each partition.
    memberships
        For soft partitions one table each, objects × clusters, rows summing to 1 (0 where absent); otherwise None.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble([[1, "a"], [1, "b"], [2, "b"], [2, None]])
    >>> e
    Ensemble(4 objects × 2 partitions, 4 clusters, 1 label missing)
    >>> e.labels.tolist()
    [[0, 0], [0, 1], [1, 1], [1, -1]]
    >>> e.cluster_names.array().tolist()
    ['P0:1', 'P0:2', 'P1:a', 'P1:b']
    """

    codes: AnyArray
    n_clusters: IntArray
    weights: FloatArray
    object_weights: FloatArray
    partition_names: tuple[str, ...]
    object_names: AnyArray | None
    categories: tuple[AnyArray, ...]
    memberships: tuple[FloatArray, ...] | None = None

    def __init__(
        self,
        labels: Any,
        *,
        weights: ArrayLike | None = None,
        object_weights: ArrayLike | None = None,
        partition_names: Sequence[str] | None = None,
        object_names: ArrayLike | None = None,
    ) -> None:
        if isinstance(labels, Ensemble):
            raise TypeMismatch(
                "An Ensemble was given where labels are expected; use Ensemble.of(x) to accept both."
            )
        found, names, index = columns(labels)
        self._encode(
            found,
            weights,
            object_weights,
            names if partition_names is None else partition_names,
            index if object_names is None else object_names,
        )

    @classmethod
    def from_partitions(
        cls,
        partitions: Iterable[ArrayLike] | Mapping[str, ArrayLike],
        *,
        weights: ArrayLike | None = None,
        object_weights: ArrayLike | None = None,
        partition_names: Sequence[str] | None = None,
        object_names: ArrayLike | None = None,
    ) -> Ensemble:
        """Make an ensemble from one label vector per partition, or from a mapping of names to label vectors.

        Examples
        --------
        >>> import graphens as ge
        >>> ge.Ensemble.from_partitions([[0, 0, 1], [1, 0, 0]]).labels.tolist()
        [[0, 1], [0, 0], [1, 0]]
        """
        if isinstance(partitions, Mapping):
            partition_names = (
                [str(name) for name in partitions] if partition_names is None else partition_names
            )
            partitions = partitions.values()
        found = list(partitions)
        index = common_index(found)
        made = cls.__new__(cls)
        made._encode(
            found, weights, object_weights, partition_names, index if object_names is None else object_names
        )
        return made

    @classmethod
    def from_memberships(
        cls,
        memberships: Iterable[ArrayLike] | Mapping[str, ArrayLike],
        *,
        weights: ArrayLike | None = None,
        object_weights: ArrayLike | None = None,
        partition_names: Sequence[str] | None = None,
        object_names: ArrayLike | None = None,
    ) -> Ensemble:
        """Make an ensemble from soft partitions: one table of memberships each, objects × clusters.

        Rows are scaled to sum to 1; a row of zeros or NaN is an absent object. Every object's label is its strongest
        cluster (the first where tied), named by its column. The memberships are kept for `combine`; every other
        method works on the labels.

        Examples
        --------
        >>> import graphens as ge
        >>> e = ge.Ensemble.from_memberships([[[0.9, 0.1], [0.4, 0.6]], [[0, 1], [3, 1]]])
        >>> e.labels.tolist(), e.memberships[1].tolist()
        ([[0, 1], [1, 0]], [[0.0, 1.0], [0.75, 0.25]])
        """
        if isinstance(memberships, Mapping):
            partition_names = (
                [str(name) for name in memberships] if partition_names is None else partition_names
            )
            memberships = memberships.values()
        soft = [scaled(table, f"Partition {t}") for t, table in enumerate(memberships)]
        made = cls.from_partitions(
            [strongest(table) for table in soft],
            weights=weights,
            object_weights=object_weights,
            partition_names=partition_names,
            object_names=object_names,
        )
        return made.replace(memberships=tuple(freeze(table) for table in soft))

    @classmethod
    def of(cls, labels: Any) -> Ensemble:
        """Return the ensemble itself, or the ensemble of whatever labels or lists of memberships were given."""
        if isinstance(labels, cls):
            return labels
        return cls.from_memberships(labels) if are_memberships(labels) else cls(labels)

    def _encode(
        self,
        found: Sequence[Any],
        weights: ArrayLike | None,
        object_weights: ArrayLike | None,
        partition_names: Sequence[str] | None,
        object_names: ArrayLike | None,
    ) -> None:
        """Check the label vectors and everything that goes with them, and fill the fields."""
        n_objects = _common_length(found)
        if len(found) > 10 * n_objects:
            warn(
                f"{len(found)} partitions of {n_objects} objects: the table looks transposed. "
                "Rows are objects, columns are partitions.",
                OrientationWarning,
            )
        codes = np.empty((0, n_objects), dtype=np.uint8)
        categories: list[AnyArray] = []
        named = Names.given(partition_names, len(found), "P")
        for t, (column, name) in enumerate(zip(found, named, strict=True)):
            encoded, names = encode(column, f"Partition {name if partition_names is not None else t}")
            codes = place(codes, t, len(found), encoded, len(names))
            categories.append(freeze(names))
        self._set(
            codes=codes,
            n_clusters=np.array([len(names) for names in categories], dtype=np.int64),
            weights=as_weights(weights, len(found), "partitions"),
            object_weights=as_weights(object_weights, n_objects, "objects", positive=True),
            partition_names=tuple(named),
            object_names=None if object_names is None else Names.given(object_names, n_objects).array(),
            categories=tuple(categories),
        )

    # sizes and labels ------------------------------------------------------------------------------------

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
        """Names of the objects, x0, x1, … where none were given."""
        return Names(("x", self.n_objects)) if self.object_names is None else Names(self.object_names)

    def cluster_sizes(self) -> FloatArray:
        """Weight of each cluster, all K of them in the order of the hyperedges. O(nB)."""
        weights = None if (self.object_weights == 1).all() else self.object_weights
        every = zip(self.codes, self.n_clusters, strict=True)
        return np.concatenate([sizes(row, int(k), weights) for row, k in every]).astype(np.float64)

    # other ensembles -------------------------------------------------------------------------------------

    def append(self, labels: Any, *, weights: ArrayLike | None = None) -> Ensemble:
        """Return an ensemble with further partitions of the same objects behind the present ones.

        Parameters
        ----------
        labels
            An Ensemble, or anything Ensemble takes. Where both name their objects, the names must agree.
        weights
            Weights of the new partitions; by default those of an Ensemble, and otherwise 1.
        """
        more = Ensemble.of(labels)
        more = more if weights is None else more.reweight(weights)
        if more.n_objects != self.n_objects:
            raise InputError(
                f"Partitions of {more.n_objects} objects cannot join an ensemble of {self.n_objects} objects."
            )
        if (
            self.object_names is not None
            and more.object_names is not None
            and more.vertex_names() != self.vertex_names()
        ):
            raise InputError(
                "The objects of the new partitions have other names, or stand in another order; "
                "expected the same objects. Reorder them first, or leave the names out."
            )
        dtype = np.result_type(self.codes, more.codes)
        return self.replace(
            codes=np.concatenate([widened(self.codes, dtype), widened(more.codes, dtype)]),
            n_clusters=np.concatenate([self.n_clusters, more.n_clusters]),
            weights=np.concatenate([self.weights, more.weights]),
            partition_names=_distinct(self.partition_names, more.partition_names),
            categories=self.categories + more.categories,
            memberships=self._softened() + more._softened()
            if self.memberships is not None or more.memberships is not None
            else None,
        )

    def _softened(self) -> tuple[FloatArray, ...]:
        """Memberships, those of hard partitions as 0 and 1."""
        if self.memberships is not None:
            return self.memberships
        return tuple(indicators(row, int(k)) for row, k in zip(self.codes, self.n_clusters, strict=True))

    def take(self, objects: ArrayLike | None = None, partitions: ArrayLike | None = None) -> Ensemble:
        """Return the ensemble of some objects and some partitions, by index or mask; clusters left empty vanish.

        Partitions may be drawn more than once, as a bootstrap of an ensemble needs.
        """
        picked = self if partitions is None else self._take_partitions(partitions)
        return (
            picked if objects is None else picked._take_objects(positions(objects, self.n_objects, "object"))
        )

    def _take_partitions(self, partitions: ArrayLike) -> Ensemble:
        rows = positions(partitions, self.n_partitions, "partition")
        return self.replace(
            codes=narrowed(self.codes[rows], self.n_clusters[rows]),
            n_clusters=self.n_clusters[rows],
            weights=as_weights(self.weights[rows], len(rows), "partitions"),
            partition_names=tuple(self.partition_names[t] for t in rows),
            categories=tuple(self.categories[t] for t in rows),
            memberships=None if self.memberships is None else tuple(self.memberships[t] for t in rows),
        )

    def _take_objects(self, index: IntArray) -> Ensemble:
        codes, n_clusters, categories = without_empty(
            np.ascontiguousarray(self.codes[:, index]), self.categories
        )
        soft = self.memberships
        return self.replace(
            codes=codes,
            n_clusters=n_clusters,
            object_weights=self.object_weights[index],
            object_names=None if self.object_names is None else self.object_names[index],
            categories=categories,
            memberships=None if soft is None else tuple(table[index] for table in soft),
        )

    def reweight(self, weights: ArrayLike) -> Ensemble:
        """Return the same partitions with other weights."""
        return self.replace(weights=as_weights(weights, self.n_partitions, "partitions"))

    def collapse(self) -> tuple[Ensemble, IntArray]:
        """Merge objects with the same labels in every partition into one weighted object, losing nothing.

        Returns
        -------
        micro
            The ensemble of the distinct label rows, in order of first appearance; ``object_weights`` add up.
        index
            For each object its row in `micro`: ``micro.labels[index]`` equals ``labels``.

        Notes
        -----
        Only labels count: memberships, which differ between objects of the same labels, are not carried over.
        Rows are grouped by a 64-bit hash and then compared label by label, so the answer is exact.
        O(nB) time, O(n) memory beyond the labels; found once and remembered (`micro` where at most half as large).

        Examples
        --------
        >>> import graphens as ge
        >>> micro, index = ge.Ensemble([[0, 1], [0, 1], [1, 1], [0, 1]]).collapse()
        >>> micro.object_weights.tolist(), index.tolist()
        ([3.0, 1.0], [0, 0, 1, 0])
        """
        if self._rows is None:
            everyone = np.arange(self.n_objects, dtype=index_type(self.n_objects))
            return (self if self.memberships is None else self.replace(memberships=None)), freeze(everyone)
        return self._micro or self._of_rows(*self._rows), self._rows[1]

    @remembered
    def _rows(self) -> tuple[IntArray, AnyArray] | None:
        """The first object of each distinct label row and the row of each object; None where all rows differ."""
        first, index = distinct_rows(self.codes)
        return (first, index) if len(first) < self.n_objects else None

    @remembered
    def _micro(self) -> Ensemble | None:
        """The ensemble of the distinct rows, kept where it is at most half of this one: memory counts, too."""
        few = self._rows is not None and 2 * len(self._rows[0]) <= self.n_objects
        return self._of_rows(*self._rows) if few else None  # type: ignore[misc]

    def _of_rows(self, first: IntArray, index: AnyArray) -> Ensemble:
        micro = self.replace(
            codes=np.take(self.codes, first, axis=1),
            object_weights=np.bincount(index, weights=self.object_weights, minlength=len(first)),
            object_names=None if self.object_names is None else self.object_names[first],
            memberships=None,
        )
        micro._set(_rows=None)  # they differ, as is known already
        return micro

    def replace(self, **changes: Any) -> Ensemble:
        """Return the ensemble with some fields exchanged for others that fit; only their names are checked."""
        made = super().replace(**changes)
        if "codes" not in changes:  # what follows from the codes alone need not be found again
            made._set(**{name: vars(self)[name] for name in ("_rows", "n_missing") if name in vars(self)})
        return made

    # leaving and entering --------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the ensemble to one file (a NumPy archive without pickled objects), whole or not at all."""
        from ..export.archive import save_ensemble

        save_ensemble(self, path)

    @classmethod
    def load(cls, path: str | Path) -> Ensemble:
        """Read an ensemble written by `save`."""
        from ..export.archive import load_ensemble

        return load_ensemble(path)

    def to_frame(self) -> Any:
        """Return a pandas frame: one column per partition, the labels as they were given, NA where missing."""
        from ..export.frames import ensemble_frame

        return ensemble_frame(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ensemble):
            return NotImplemented
        return (
            self.partition_names == other.partition_names
            and all(
                np.array_equal(getattr(self, name), getattr(other, name))
                for name in ("codes", "weights", "object_weights", "object_names")
            )
            and all(np.array_equal(a, b) for a, b in zip(self.categories, other.categories, strict=True))
            and (self.memberships is None) == (other.memberships is None)
            and all(map(np.array_equal, self.memberships or (), other.memberships or ()))
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        missing = self.n_missing
        lost = f", {missing} label{'s' if missing > 1 else ''} missing" if missing else ""
        size = f"{self.n_objects} objects × {self.n_partitions} partitions"
        return f"Ensemble({size}, {self.n_clusters.sum()} clusters{lost})"


def _common_length(found: Sequence[Any]) -> int:
    """Check that there is something to combine and that all label vectors have the same length."""
    if not found:
        raise InputError("No partition was given; expected at least one column of labels.")
    lengths = [len(column) if hasattr(column, "__len__") else -1 for column in found]
    if min(lengths) < 0:
        raise TypeMismatch(
            f"Partition {lengths.index(-1)} is a {type(found[lengths.index(-1)]).__name__}; expected a label vector."
        )
    if len(set(lengths)) > 1:
        odd = next(t for t, length in enumerate(lengths) if length != lengths[0])
        raise InputError(
            f"Partition {odd} has {lengths[odd]} labels and partition 0 has {lengths[0]}; expected one label for every "
            "object in every partition, −1 or None where an object is absent."
        )
    if lengths[0] == 0:
        raise InputError("No object was given; expected at least one row of labels.")
    return lengths[0]


def _distinct(names: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    """Join partition names; one that is taken already becomes the first free P… from its place on."""
    joined, taken = list(names), set(names)
    for name in more:
        place = len(joined)
        while name in taken:
            name, place = f"P{place}", place + 1
        joined.append(name)
        taken.add(name)
    return tuple(joined)
