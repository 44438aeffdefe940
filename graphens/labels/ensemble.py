"""The ensemble: several partitions of the same objects, stored once, checked once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import (
    MISSING,
    AnyArray,
    FloatArray,
    IntArray,
    LabelArray,
    as_list,
    as_weights,
    freeze,
    narrowest,
    one_of,
    sentinel,
)
from .._lib.frames import as_series
from ..errors import InputError, TypeMismatch, did_you_mean, quote
from .encoding import (
    count_members,
    distinct_label_rows,
    index_type,
    indicators,
    narrowed,
    positions,
    widened,
    without_empty,
)
from .inputs import are_memberships, encoded_fields, from_partitions, label_fields, scaled, strongest_columns
from .names import Names, Title, align, as_names, joined_names, named_partitions
from .value import Savable, Value, remembered

if TYPE_CHECKING:
    from ..plot.display import Display

_SMALL = 1 << 24  # bytes of distinct rows that are cached in any case


class Ensemble(Value, Savable):
    """Several partitions of the same n objects.

    Parameters
    ----------
    labels
        Table of labels with objects in rows and partitions in columns: an array, a list of rows, or a pandas or polars
        frame. A dict of label vectors by name, or a list of Series, one for each partition, also works. Labels are
        whole numbers, text or categories; −1, NaN, None and NA mean that an object is absent from a partition.
    weights
        One weight per partition, 1 by default.
    object_weights
        One positive weight per object (how often it occurs), 1 by default.
    partition_names, object_names
        Names for display and export; by default, those of a frame's columns and index.

    Attributes
    ----------
    codes
        Labels by partition (n_partitions × n_objects) in the smallest unsigned integer type: 0, 1, … in the order of
        the sorted labels, and the largest number of the type for an absent object.
    n_clusters
        Number of clusters of each partition.
    memberships
        For soft partitions, one table for each, objects × clusters, with rows that sum to 1 (0 if absent); otherwise
        None.

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
    _names: Names
    categories: tuple[AnyArray, ...]
    memberships: tuple[FloatArray, ...] | None = None
    # Made by `generate`: equal runs are no doubt, and this is the `separation` of the features.
    _runs: bool = False
    _separation: float | None = None
    _loci: bool = False  # whether partitions are loci, so that exports count those that differ

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
            raise TypeMismatch("An Ensemble was given where labels are expected; use Ensemble.of(x) to accept both.")
        self._set_fields(**label_fields(labels, weights, object_weights, partition_names, object_names))
        _question_columns(self)

    @classmethod
    def from_partitions(
        cls,
        partitions: Iterable[Any] | Mapping[str, Any],
        *,
        weights: ArrayLike | None = None,
        object_weights: ArrayLike | None = None,
        partition_names: Sequence[str] | None = None,
        object_names: ArrayLike | None = None,
    ) -> Ensemble:
        """Make an ensemble from separate partitions: label vectors, lists of communities, or node dicts.

        Parameters
        ----------
        partitions
            One entry per partition, or a mapping of names to entries. An entry is a label vector (a list, an array, a
            Series), communities (a list of sets or lists of nodes, as networkx returns them), or a dict from node to
            label. Nodes that a partition does not mention are absent from it.
        weights, object_weights, partition_names
            As for `Ensemble`; if all partitions are Series with names, those names are used.
        object_names
            One name per object. With communities and node dicts, these are all nodes in order; by default, the nodes
            that occur, in the order of the dicts, or sorted if there are communities.

        Examples
        --------
        >>> import graphens as ge
        >>> ge.Ensemble.from_partitions([[0, 0, 1], [1, 0, 0]]).labels.tolist()
        [[0, 1], [0, 0], [1, 0]]
        >>> e = ge.Ensemble.from_partitions([[{"ann", "bob"}, {"cid"}], {"bob": 2, "cid": 1}])
        >>> e.object_names.tolist(), e.labels.tolist()
        (['ann', 'bob', 'cid'], [[0, -1], [0, 1], [1, 0]])
        """
        columns = from_partitions(partitions, object_names)
        e = cls._from_fields(**encoded_fields(columns, weights, object_weights, partition_names, object_names))
        if isinstance(partitions, Mapping):
            _question_columns(e)
        return e

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
        """Make an ensemble from soft partitions, each a table of memberships, objects × clusters.

        Rows are scaled to sum to 1; a row of zeros or NaN means that the object is absent. Each object is labeled with
        its strongest cluster (the first one in a tie), named by its column. The memberships are kept for `combine`; all
        other methods use the labels.

        Examples
        --------
        >>> import graphens as ge
        >>> e = ge.Ensemble.from_memberships([[[0.9, 0.1], [0.4, 0.6]], [[0, 1], [3, 1]]])
        >>> e.labels.tolist(), e.memberships[1].tolist()
        ([[0, 1], [1, 0]], [[0.0, 1.0], [0.75, 0.25]])
        """
        if isinstance(memberships, Mapping):
            partition_names = [str(name) for name in memberships] if partition_names is None else partition_names
            memberships = memberships.values()
        tables = as_list("memberships", memberships, "a table of objects × clusters for each partition")
        soft = [scaled(table, f"Partition {t}") for t, table in enumerate(tables)]
        e = cls.from_partitions(
            [strongest_columns(table) for table in soft],
            weights=weights,
            object_weights=object_weights,
            partition_names=partition_names,
            object_names=object_names,
        )
        return e._replace(memberships=tuple(freeze(table) for table in soft))

    @classmethod
    def from_draws(
        cls,
        draws: Any,
        axis: int | tuple[int, int] = 0,
        *,
        variable: str | None = None,
        weights: ArrayLike | None = None,
        object_names: ArrayLike | None = None,
    ) -> Ensemble:
        """Make an ensemble from draws of cluster labels, as returned by the sampler of a Bayesian clustering model.

        Parameters
        ----------
        draws
            An array; an xarray DataArray or Dataset, or ArviZ InferenceData, with the dimension ``draw`` and optionally
            ``chain``; a frame; a .csv, .tsv or .parquet file; or a list of such files, one for each chain.
        axis
            Position of the draws in an array or a file: 0 for one draw in each row, as written by R packages, 1 for one
            in each column, and (0, 1) for an array of chains × draws × objects. Ignored if dimensions have names.
        variable
            The variable that holds the labels, if there are several; in a frame or a file, ``"z"`` selects the columns
            z[1], z[2], … or z.1, z.2, …
        weights
            One weight per draw, 1 by default.
        object_names
            Names of the objects; by default, those of the columns or coordinates.

        Examples
        --------
        >>> import numpy as np
        >>> import graphens as ge
        >>> chains = np.array([[[0, 0, 1], [0, 1, 1]], [[2, 2, 2], [1, 1, 0]]])
        >>> e = ge.Ensemble.from_draws(chains, axis=(0, 1))
        >>> e.labels.tolist(), e.partition_names[1]
        ([[0, 0, 0, 1], [0, 1, 0, 1], [1, 1, 0, 0]], 'chain 0 draw 1')
        """
        from .inputs import read_draws

        read = read_draws(draws, axis, variable)
        return cls.from_partitions(
            list(read.table),
            weights=weights,
            partition_names=read.names,
            object_names=read.objects if object_names is None else object_names,
        )._replace(_runs=True)

    @classmethod
    def from_profiles(
        cls,
        path: str | Path,
        *,
        id_column: str | None = None,
        without: Collection[str] = (),
        missing: Collection[str] = (),
        delimiter: str = "\t",
    ) -> Ensemble:
        r"""Read a table of allele profiles (MLST, cgMLST, wgMLST), with genomes as objects and loci as partitions.

        Parameters
        ----------
        path
            A tab-separated text file, optionally compressed with gzip, or ``-`` for standard input: a header, then one
            row per genome with its id and its allele number at every locus, as in chewBBACA, BIGSdb, EnteroBase,
            GrapeTree and pHierCC.
        id_column
            The column of ids; by default, the first. Ids are kept as text.
        without
            Columns that are not loci. Columns whose names begin with # are always left out; those called ST, cgST, rST,
            wgST, id, isolate, strain, name, species, clonal_complex, LINcode, Barcode or Uberstrain are left out with a
            warning.
        missing
            Additional codes for a missing allele. The known codes are 0, negative numbers, -, ?, N, LNF, NIPH, NIPHEM,
            ASM, ALM, PLOT3, PLOT5, LOTSC, PAMA, NA and empty cells.
        delimiter
            Column separator; by default a tab, or a comma or semicolon if the header has no tab.

        Returns
        -------
        Ensemble
            Loci by name and alleles by number; ``INF-`` and ``*`` before a number are dropped. Trees and co-association
            graphs of it are exported in numbers of differing loci.

        Raises
        ------
        FileError
            If a cell is neither an allele nor a known code for a missing one; the message has its line and column.

        Notes
        -----
        The file is read line by line. Memory use is that of the allele numbers, usually one or two bytes each.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> import graphens as ge
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "profiles.tsv"
        >>> _ = file.write_text("FILE\tabcZ\tadk\nA\t1\tINF-7\nB\t1\tLNF\nC\t2\t7\n")
        >>> e = ge.Ensemble.from_profiles(file)
        >>> e, e.partition_names, e.labels.tolist()
        (Ensemble(3 objects × 2 partitions, 3 clusters, 1 label missing), ('abcZ', 'adk'), [[0, 0], [0, -1], [1, 0]])
        """
        from ..export.profile_files import read_profiles

        profiles = read_profiles(path, id_column=id_column, without=without, missing=missing, delimiter=delimiter)
        return cls.from_partitions(
            list(profiles.alleles),
            partition_names=profiles.loci,
            object_names=Names(as_names(profiles.genomes), title=profiles.title or None),
        )._replace(_loci=True)

    @classmethod
    def of(cls, labels: Any) -> Ensemble:
        """Return the ensemble itself, or the ensemble of whatever labels or lists of memberships were given.

        This does not warn about columns without information; the functions that call it do.
        """
        if isinstance(labels, cls):
            return labels
        return cls.from_memberships(labels) if are_memberships(labels) else cls._from_fields(**label_fields(labels))

    # looking --------------------------------------------------------------------------------------------

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
        """Labels as n_objects × n_partitions int32, −1 if missing; a new array on every call."""
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
        """Whether each object has a label in at least one partition of positive weight."""
        labeled = np.zeros(self.n_objects, dtype=bool)
        for row in self.codes[self.weights > 0]:
            labeled |= row != self.absent
            if labeled.all():
                break
        return labeled

    @remembered
    def _unweighted(self) -> bool:
        """Whether every object weighs 1."""
        return bool((self.object_weights == 1).all())

    @remembered
    def n_missing(self) -> int:
        """Number of missing labels."""
        absent = self.absent
        return sum(int(np.count_nonzero(row == absent)) for row in self.codes)

    @remembered
    def has_missing(self) -> bool:
        """Whether any label is missing."""
        return any(bool((row == self.absent).any()) for row in self.codes)

    @remembered
    def chains(self) -> LabelArray | None:
        """The chain of each draw, 0, 1, …, if the names of the partitions say so ("chain 0 draw 1"); otherwise None."""
        starts = [name.partition(" draw ")[0] for name in self.partition_names]
        if not all(start.startswith("chain ") for start in starts):
            return None
        number = {start: c for c, start in enumerate(dict.fromkeys(starts))}
        return np.array([number[start] for start in starts], dtype=np.int32)

    @property
    def cluster_names(self) -> Names:
        """Names of all clusters, "partition:label", in the order of the hyperedges."""
        texts = [
            f"{name}:{label}"
            for name, labels in zip(self.partition_names, self.categories, strict=True)
            for label in labels
        ]
        return Names(np.array(texts, dtype=object))

    def vertex_names(self) -> Names:
        """Names of the objects: 0, 1, … from a frame with a default index, and x0, x1, … if there are none."""
        return self._names

    @property
    def object_names(self) -> AnyArray | None:
        """The same as an array, also of default names in an ensemble of some objects; None if they only count."""
        return None if self._names.numbered else self._names.array()

    @property
    def index_name(self) -> Title:
        """Name of the index of the frame that the labels came from, or None."""
        return self._names.title

    def cluster_sizes(self) -> FloatArray:
        """Weight of each cluster, all K of them in the order of the hyperedges. O(nB)."""
        weights = None if self._unweighted else self.object_weights
        every = zip(self.codes, self.n_clusters, strict=True)
        return np.concatenate([count_members(row, int(k), weights) for row, k in every]).astype(np.float64)

    def _replace(self, **changes: Any) -> Self:
        """Return a copy with some fields replaced by others that fit; only the names of the fields are checked."""
        e = super()._replace(**changes)
        if "codes" not in changes:  # what follows from the codes alone need not be found again
            cached = ("_rows", "has_missing", "n_missing")
            e._set_fields(**{name: vars(self)[name] for name in cached if name in vars(self)})
        return e

    @classmethod
    def _of_labels(cls, columns: Sequence[AnyArray] | AnyArray, object_weights: FloatArray | None = None) -> Ensemble:
        """Return the ensemble of labels that are 0 … k − 1 or −1, as our own results are; nothing is checked."""
        table = np.asarray(columns)
        n_clusters = table.max(axis=1, initial=MISSING).astype(np.int64) + 1
        n = table.shape[1]
        return cls._from_fields(
            codes=table.astype(narrowest(max(int(n_clusters.max()) - 1, 0))),  # −1 wraps to the sentinel
            n_clusters=n_clusters,
            weights=np.ones(len(table)),
            object_weights=np.ones(n) if object_weights is None else object_weights,
            partition_names=tuple(f"P{t}" for t in range(len(table))),
            _names=Names(("x", n)),
            categories=tuple(np.arange(k) for k in n_clusters),
        )

    # other ensembles -------------------------------------------------------------------------------------

    def append(
        self, labels: Any, *, weights: ArrayLike | None = None, partition_names: Sequence[str] | None = None
    ) -> Ensemble:
        """Return an ensemble with more partitions of the same objects, added after the existing ones.

        Parameters
        ----------
        labels
            One label vector (a list, an array, a Series, a dict from objects to labels), an Ensemble, or anything that
            Ensemble accepts. If both have object names, labels are matched by name, and an object without a row is
            absent from the new partitions; otherwise rows must be in the order of the objects.
        weights
            Weights of the new partitions; by default, those of the Ensemble that was given, otherwise 1.
        partition_names
            Names of the new partitions; by default, those that come with them. A name that is already in use is
            replaced by the first free P….

        Examples
        --------
        >>> import pandas as pd
        >>> import graphens as ge
        >>> e = ge.Ensemble([[0, 1], [0, 1], [1, 0]], object_names=["ann", "bob", "cid"])
        >>> more = e.append(pd.Series({"cid": "x", "ann": "y"}, name="new"))
        >>> more.labels[:, 2].tolist(), more.partition_names
        ([1, -1, 0], ('P0', 'P1', 'new'))
        """
        each = labels.values() if isinstance(labels, Mapping) else labels
        vector = (
            getattr(labels, "ndim", 0) == 1
            or as_series(labels) is not None
            or (isinstance(labels, (list, tuple, Mapping)) and all(one is None or np.isscalar(one) for one in each))
        )
        more = Ensemble.from_partitions([labels]) if vector else Ensemble.of(labels)
        more = more if weights is None else more.reweight(weights)
        if partition_names is not None:
            more = more._replace(partition_names=tuple(Names.given(partition_names, more.n_partitions, "P").texts()))
        return _join(self, self._align(more))

    def _align(self, more: Ensemble) -> Ensemble:
        """Other partitions, with objects in the order of this ensemble: matched by name if both have names."""
        e = self
        matches = [] if more.object_names is None else e.vertex_names().places(more.vertex_names())
        # default names are names only for what has the same ones
        named = bool(matches) and (e.object_names is not None or None not in matches)
        if not named and more.n_objects != e.n_objects:
            raise InputError(
                f"Partitions of {more.n_objects} objects cannot join an ensemble of {e.n_objects} objects; expected a "
                "label for each of them, or names on both sides."
            )
        if not named or more.vertex_names().agree(e.vertex_names()):
            return more
        places = [i for i in matches if i is not None]
        if len(places) < more.n_objects:
            odd = [name for name, place in zip(more.vertex_names(), matches, strict=True) if place is None]
            raise InputError(
                f"The new partitions have {len(odd)} object{'s' * (len(odd) > 1)} that the ensemble does not have, "
                f"such as {quote(odd[0])}; expected the same. Add them first with r.update(objects=…) (on the command "
                "line: add them first with --add-objects)."
            )
        if len(set(places)) < len(places) or len(set(e.vertex_names())) < e.n_objects:
            every = [name for part in (e, more) for name, times in Counter(part.vertex_names()).items() if times > 1]
            raise InputError(
                f"Several objects have the same name, such as {quote(every[0])}; labels can be added by name only if "
                "all names are different. Rename these objects, or give the new labels in the same order without names."
            )
        codes = np.full((more.n_partitions, e.n_objects), more.absent, dtype=more.codes.dtype)
        codes[:, places] = more.codes
        soft = more.memberships and tuple(np.zeros((e.n_objects, table.shape[1])) for table in more.memberships)
        for table, table_of_more in zip(soft or (), more.memberships or (), strict=True):
            table[places] = table_of_more
        return more._replace(codes=codes, _names=e._names, object_weights=e.object_weights, memberships=soft)

    def drop(self, partitions: str | Sequence[str] = (), *, objects: Iterable[Any] = ()) -> Ensemble:
        """Return the ensemble without some of its partitions, or without some objects, by name.

        Parameters
        ----------
        partitions
            Name or names of partitions to remove; all partitions with such a name are removed.
        objects
            Names of objects to remove; all objects with such a name are removed, and clusters that become empty.

        Examples
        --------
        >>> import graphens as ge
        >>> e = ge.Ensemble({"ann": [0, 0, 1], "bob": [1, 1, 0]})
        >>> e.drop("bob").partition_names, e.drop(objects=["x0"]).n_objects
        (('ann',), 2)
        """
        remaining, stay = self._without(partitions, objects)
        if not remaining.any() or not stay.any():
            raise InputError(
                f"This would remove all {'objects' if remaining.any() else 'partitions'}; keep at least one."
            )
        return self.take(objects=stay, partitions=remaining)

    def _without(self, partitions: str | Sequence[str], objects: Iterable[Any]) -> tuple[AnyArray, AnyArray]:
        """Masks of the partitions and objects that remain when some are removed by name."""
        named = [partitions] if isinstance(partitions, str) else partitions
        leaving = {*map(str, as_list("partitions", named, "names of partitions"))}
        if unknown := sorted(leaving - set(self.partition_names), key=str):
            raise InputError(
                f"There is no partition called {quote(unknown[0])}; the ensemble has "
                f"{', '.join(self.partition_names[:20])}.{did_you_mean(str(unknown[0]), self.partition_names)}"
            )
        gone = [objects] if isinstance(objects, str) else as_list("objects", objects, "names of objects")
        matches = self.vertex_names().places(gone)
        places = [i for i in matches if i is not None]
        if len(places) < len(gone):
            raise InputError(
                f"There is no object called {quote(gone[matches.index(None)])}; expected names of objects."
            )
        remaining = np.array([name not in leaving for name in self.partition_names])
        objects_leaving = {self.vertex_names()[i] for i in places}
        return remaining, np.array([name not in objects_leaving for name in self.vertex_names()])

    def take(self, objects: ArrayLike | slice | None = None, partitions: ArrayLike | slice | None = None) -> Ensemble:
        """Return the ensemble of some objects and some partitions, by index, slice or mask; empty clusters are dropped.

        Partitions may be repeated, as needed for a bootstrap of an ensemble. For burn-in and thinning of draws, use
        ``e.take(partitions=slice(500, None, 10))``. A mask that selects everything returns the ensemble itself.
        """
        e, soft = self, self.memberships
        if partitions is not None and (rows := positions(partitions, e.n_partitions, "partition")) is not None:
            soft = None if soft is None else tuple(soft[t] for t in rows)
            e = e._replace(
                codes=narrowed(e.codes[rows], e.n_clusters[rows]),
                n_clusters=e.n_clusters[rows],
                weights=as_weights(e.weights[rows], len(rows), "partitions"),
                partition_names=tuple(e.partition_names[t] for t in rows),
                categories=tuple(e.categories[t] for t in rows),
                memberships=soft,
            )
        if objects is not None and (index := positions(objects, e.n_objects, "object")) is not None:
            codes, n_clusters, categories = without_empty(np.ascontiguousarray(e.codes[:, index]), e.categories)
            e = e._replace(
                codes=codes,
                n_clusters=n_clusters,
                object_weights=e.object_weights[index],
                _names=e._names.take(index),
                categories=categories,
                memberships=None if soft is None else tuple(table[index] for table in soft),
                _separation=None,
            )
        return e

    def reweight(self, weights: ArrayLike) -> Ensemble:
        """Return the same partitions with other weights."""
        if not isinstance(weights, np.ndarray):
            weights = align(weights, named_partitions(self.partition_names), "weights")
        return self._replace(weights=as_weights(weights, self.n_partitions, "partitions"))

    def collapse(self) -> tuple[Ensemble, IntArray]:
        """Merge objects with the same labels in every partition into one weighted object, losing nothing.

        Returns
        -------
        micro
            The ensemble of the distinct label rows, in order of first appearance; ``object_weights`` add up.
        index
            Row of each object in `micro`: ``micro.labels[index]`` equals ``labels``.

        Notes
        -----
        Only labels are compared; memberships, which can differ between objects with the same labels, are dropped. Rows
        are grouped by a 64-bit hash and then compared label by label, so the result is exact. O(nB) time and O(n)
        memory beyond the labels; the result is cached (`micro` only if it is small, or at most half as large).

        Examples
        --------
        >>> import graphens as ge
        >>> micro, index = ge.Ensemble([[0, 1], [0, 1], [1, 1], [0, 1]]).collapse()
        >>> micro.object_weights.tolist(), index.tolist()
        ([3.0, 1.0], [0, 0, 1, 0])
        """
        if self._rows is None:
            everyone = np.arange(self.n_objects, dtype=index_type(self.n_objects))
            return (self if self.memberships is None else self._replace(memberships=None)), freeze(everyone)
        return self._micro or self._of_rows(*self._rows), self._rows[1]

    @remembered
    def _rows(self) -> tuple[IntArray, AnyArray] | None:
        """The first object of each distinct label row and the row of each object; None if all rows differ."""
        first, index = distinct_label_rows(self.codes)
        return (first, index) if len(first) < self.n_objects else None

    @remembered
    def _micro(self) -> Ensemble | None:
        """The ensemble of the distinct rows, cached only if it is at most half as large, or small, to save memory."""
        if self._rows is None:
            return None
        size = len(self._rows[0])
        few = 2 * size <= self.n_objects or size * self.codes.itemsize * self.n_partitions <= _SMALL
        return self._of_rows(*self._rows) if few else None

    def _of_rows(self, first: IntArray, index: AnyArray) -> Ensemble:
        micro = self._replace(
            codes=np.take(self.codes, first, axis=1),
            object_weights=np.bincount(index, weights=self.object_weights, minlength=len(first)),
            _names=self._names.take(first),
            memberships=None,
        )
        micro._set_fields(_rows=None)  # they differ, as is known already
        return micro

    @classmethod
    def load(cls, path: str | Path) -> Ensemble:
        """Read an ensemble written by `save`, or the partitions of a consensus that was saved."""
        from ..export.archive import load_ensemble

        return load_ensemble(path)

    def to_frame(self) -> Any:
        """Return a frame with one column per partition: the original labels, NA if missing."""
        from ..export.frames import ensemble_frame

        return ensemble_frame(self)

    def plot(
        self,
        kind: str = "agreement",
        ax: Any = None,
        *,
        measure: str = "nmi",
        camps: ArrayLike | None = None,
        columns: Sequence[int | str] | None = None,
        **style: Any,
    ) -> Display:
        """Draw the agreement of all pairs of partitions, or how objects flow through some of them.

        Parameters
        ----------
        kind
            ``"agreement"``, see `graphens.plot.PartitionsDisplay`, or ``"flow"``, see `graphens.plot.FlowDisplay`.
        ax
            Axes to draw on; by default, a new figure.
        measure, camps
            For ``"agreement"``: the measure, and the group of each partition.
        columns
            For ``"flow"``: partitions, by name or number; by default, the first eight.
        **style
            Properties of the matrix or of the bands, such as `cmap`.
        """
        from ..plot.flows import FlowDisplay, partition_numbers
        from ..plot.partitions import PartitionsDisplay

        if one_of("kind", kind, ("agreement", "flow")) == "flow":
            return FlowDisplay.from_ensemble(self, columns).plot(ax, **style)
        e = self if columns is None else self.take(partitions=partition_numbers(self, columns))
        return PartitionsDisplay.from_ensemble(e, measure, camps).plot(ax, **style)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ensemble):
            return NotImplemented
        arrays = ("codes", "weights", "object_weights")
        return (
            all(np.array_equal(getattr(self, name), getattr(other, name)) for name in arrays)
            and (self.object_names is None) == (other.object_names is None)
            and (self.object_names is None or self._names == other._names)
            and (self.partition_names, self.index_name) == (other.partition_names, other.index_name)
            and all(map(np.array_equal, self.categories, other.categories))
            and (self.memberships is None) == (other.memberships is None)
            and all(map(np.array_equal, self.memberships or (), other.memberships or ()))
        )

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        missing = self.n_missing
        lost = f", {missing} label{'s' if missing > 1 else ''} missing" if missing else ""
        size = f"{self.n_objects} objects × {self.n_partitions} partitions"
        return f"Ensemble({size}, {self.n_clusters.sum()} clusters{lost})"


def _question_columns(e: Ensemble) -> None:
    """Warn about columns that were probably meant as the index."""
    from ..graphs.doubts import doubts, warn_of

    warn_of(doubt for doubt in doubts(e) if doubt.kind == "identifier")


def _join(e: Ensemble, more: Ensemble) -> Ensemble:
    """Join the partitions of two ensembles of the same objects."""
    soft = e.memberships is not None or more.memberships is not None
    dtype = np.result_type(e.codes, more.codes)
    return e._replace(
        codes=np.concatenate([widened(e.codes, dtype), widened(more.codes, dtype)]),
        n_clusters=np.concatenate([e.n_clusters, more.n_clusters]),
        weights=np.concatenate([e.weights, more.weights]),
        partition_names=joined_names(e.partition_names, more.partition_names),
        categories=e.categories + more.categories,
        memberships=_soften(e) + _soften(more) if soft else None,
        _separation=None,
    )


def _soften(e: Ensemble) -> tuple[FloatArray, ...]:
    """Memberships, those of hard partitions as 0 and 1."""
    if e.memberships is not None:
        return e.memberships
    return tuple(indicators(row, int(k)) for row, k in zip(e.codes, e.n_clusters, strict=True))


#: what every function that works on labels takes: an Ensemble, or anything that Ensemble accepts
Labels: TypeAlias = Ensemble | ArrayLike | Mapping[str, ArrayLike]
