"""`scan`: labels on disk as an ensemble that is read block by block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, as_int, as_weights, freeze, narrowest, sentinel
from .._lib.memory import require
from .._lib.stored import digest
from .._lib.threads import map_threads
from ..errors import FallbackWarning, InputError, warn
from ..graphs.doubts import Doubt
from ..labels.encoding import encode
from ..labels.ensemble import Ensemble
from ..labels.names import Names, as_names
from ..labels.value import Value, remembered
from .sources import ROWS, Block, DaskFrame, Pathlike, choose_columns, is_dask, open_sources, read_columns, reading

ANSWER = ("cluster", "confidence")  # the columns of the answer
_TEXT = 64  # bytes of a label that is text
_TABLE = 1 << 16  # numbers up to here are looked up in a table


class Scan(Value):
    """Labels in files: like an `Ensemble`, but with labels that are read block by block.

    Attributes
    ----------
    n_objects
        Number of rows in all files.
    partition_names, categories, weights
        As in `Ensemble`.
    occurrences
        Number of objects with a label in each partition.
    blocks
        The rows and files that are read together, in the order of the objects.
    id
        Name of the column that is copied to the result, or None.
    fingerprint
        Hash of the files (names, sizes, modification times), columns, weights and blocks.
    """

    blocks: tuple[Block, ...]
    partition_names: tuple[str, ...]
    categories: tuple[AnyArray, ...]
    weights: FloatArray
    occurrences: IntArray
    n_objects: int
    id: str | None
    fingerprint: str

    @property
    def n_partitions(self) -> int:
        """Number of partitions."""
        return len(self.partition_names)

    @property
    def n_clusters(self) -> IntArray:
        """Number of clusters of each partition."""
        return np.array([len(names) for names in self.categories], dtype=np.int64)

    @remembered
    def clusters(self) -> Ensemble:
        """An ensemble without objects that has the clusters."""
        return self.ensemble_of(np.empty((self.n_partitions, 0), dtype=self.code_type))

    @property
    def code_type(self) -> Any:
        """The type of the codes."""
        return narrowest(max(int(self.n_clusters.max()) - 1, 0))

    def read(self, number: int) -> Ensemble:
        """Return the objects of one block as an ensemble with the clusters of all."""
        block = self.blocks[number]
        dtype = self.code_type
        codes = np.empty((self.n_partitions, len(block)), dtype=dtype)
        with reading(block):
            for t, column in enumerate(read_columns(block, self.partition_names)):
                codes[t] = _coded(column, self.categories[t], dtype)
        return self.ensemble_of(codes)

    def read_ids(self, number: int) -> dict[str, Any]:
        """Return the id column of one block by its name; nothing if there is none."""
        if self.id is None:
            return {}
        block = self.blocks[number]
        with reading(block):
            column = next(read_columns(block, [self.id]))
            return {self.id: column.dictionary_decode() if hasattr(column, "dictionary") else column}

    def take(self, partitions: AnyArray) -> Scan:
        """Return the same objects with some of the partitions."""
        at = np.arange(self.n_partitions)[partitions].tolist()
        names, categories = (tuple(values[t] for t in at) for values in (self.partition_names, self.categories))
        figures = {"weights": self.weights[at], "occurrences": self.occurrences[at]}
        return self._replace(partition_names=names, categories=categories, **figures)

    def sample(self, size: int = 10_000, *, seed: int = 0) -> Ensemble:
        """Return a uniform random sample of the objects as an `Ensemble` in memory, such as to choose k. One pass."""
        return self.take_objects(sample_positions(self.n_objects, as_int("size", size, 1), seed))

    def take_objects(self, rows: IntArray) -> Ensemble:
        """Return the objects in some rows, given in increasing order, with the clusters of all."""
        starts = np.cumsum([0, *map(len, self.blocks)])
        bounds = np.searchsorted(rows, starts)
        some = [i for i in range(len(self.blocks)) if bounds[i] < bounds[i + 1]]

        def read(i: int) -> tuple[AnyArray, list[Any]]:
            mine = rows[bounds[i] : bounds[i + 1]] - starts[i]
            ids = [np.asarray(column.take(mine)) for column in self.read_ids(i).values()]
            return np.take(self.read(i).codes, mine, axis=1), ids

        parts = map_threads(read, some, "reading a sample of rows")
        codes = [np.empty((self.n_partitions, 0), dtype=self.code_type), *(codes_of for codes_of, _ in parts)]
        e = self.ensemble_of(np.concatenate(codes, axis=1))
        if self.id is None or not some:
            return e._replace(_names=Names(("x", self.n_objects)).take(rows))
        names = np.concatenate([ids[0] for _, ids in parts])
        return e._replace(_names=Names(as_names(names), title=self.id))

    def only(self, number: int) -> Scan:
        """Return the scan of one block, which is what a worker needs."""
        return self._replace(blocks=(self.blocks[number],))

    def ensemble_of(self, codes: AnyArray, object_weights: FloatArray | None = None) -> Ensemble:
        """Return an ensemble of some objects with the clusters of all."""
        n = codes.shape[1]
        same = {name: getattr(self, name) for name in ("n_clusters", "weights", "partition_names", "categories")}
        weights = np.ones(n) if object_weights is None else object_weights
        return Ensemble._from_fields(codes=codes, object_weights=weights, _names=Names(("x", n)), **same)

    def ensemble(self) -> Ensemble:
        """Read everything into memory, if it fits."""
        what = f"An ensemble of {self.n_objects} × {self.n_partitions} labels"
        advice = "Use graphens.scale.consensus, which reads it block by block"
        require(2.0 * self.n_objects * self.n_partitions, what, advice)
        parts = [self.read(number).codes for number in range(len(self.blocks))]
        return self.ensemble_of(np.concatenate(parts, axis=1))

    def __repr__(self) -> str:
        files, blocks = len({block.file for block in self.blocks}), len(self.blocks)
        return (
            f"Scan({self.n_objects} objects × {self.n_partitions} partitions, {self.n_clusters.sum()} clusters, "
            f"{files} file{'s' if files > 1 else ''} in {blocks} block{'s' if blocks > 1 else ''})"
        )


def scan(
    paths: Pathlike | Sequence[Pathlike] | DaskFrame,
    columns: Sequence[str] | None = None,
    *,
    id: str | None = None,
    weights: ArrayLike | None = None,
    block_rows: int = ROWS,
) -> Scan:
    """Scan labels on disk: check that the files match each other, and find the clusters of every partition.

    Parameters
    ----------
    paths
        A pattern such as ``"labels/*.parquet"``, a folder, a Parquet or .npy file, or a list of them. Rows are objects,
        in the order of the sorted file names (or of the list); columns are partitions, in any order. Or a Dask frame,
        which is first written to a temporary folder; for a run that can be resumed, write it with ``to_parquet``.
    columns
        Names of the columns that are partitions; by default, all but `id`. The columns of .npy files are P0, P1, …
    id
        Name of a column (or of a Dask frame's index) with the names of the objects, of any type. It is not a partition,
        and is copied to the files of the result, next to `cluster` and `confidence`.
    weights
        One positive weight per partition, 1 by default.
    block_rows
        Maximum number of rows that are read at a time. A larger row group of a Parquet file is read once for each of
        its blocks, so it is best to write row groups of at most this size.

    Returns
    -------
    Scan
        Labels are whole numbers, text or categories; −1, null and NaN are missing, as for `Ensemble`.

    Notes
    -----
    One pass over the files, in threads; each thread needs memory for one column of a block.

    Examples
    --------
    >>> import tempfile, os, numpy as np, graphens as ge
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "labels.npy")
    ...     np.save(path, np.array([[0, 5], [0, 5], [1, 7], [1, -1]]))
    ...     ge.scale.scan(path)
    Scan(4 objects × 2 partitions, 4 clusters, 1 file in 1 block)
    """
    rows = as_int("block_rows", block_rows, 1)
    if is_dask(paths) and id is not None and paths.index.name == id:
        paths = paths.reset_index()
    files = open_sources(paths)
    names = choose_columns(files, columns, id)
    if id in ANSWER:
        raise InputError.about("id", id, because=", and the result has a column of that name; rename it in the files")
    blocks = tuple(block for source in files for block in source.blocks(rows))
    total = sum(map(len, blocks))
    if not total:
        raise InputError(f"{files[0].path} has no row; expected at least one object.")
    partition_weights = as_weights(weights, len(names), "partitions", positive=True)
    size: Counter[str] = Counter()
    parts = map_threads(lambda block: _count_block_labels(block, names, size), blocks, "checking the files")
    every = [np.concatenate(labels) for labels in zip(*(part for part, _ in parts), strict=True)]
    categories = tuple(freeze(encode(one, f"Partition {name}")[1]) for name, one in zip(names, every, strict=True))
    return Scan._from_fields(
        blocks=blocks,
        partition_names=names,
        categories=categories,
        weights=partition_weights,
        occurrences=np.sum([counts for _, counts in parts], axis=0),
        n_objects=total,
        id=id,
        fingerprint=digest(blocks, names, partition_weights, id),
    )


def sample_positions(n: int, size: int, seed: int) -> IntArray:
    """Return `size` of n rows, or all of them, in increasing order."""
    return np.sort(np.random.default_rng(seed).choice(n, min(size, n), replace=False))


def _count_block_labels(block: Block, names: Sequence[str], size: Counter[str]) -> tuple[list[AnyArray], list[int]]:
    """The different labels of each column of a block, and the number of labels; `size` adds up their bytes."""
    with reading(block):
        counted = [_count_labels(column) for column in read_columns(block, names)]
    for name, (labels, _) in zip(names, counted, strict=True):
        size[name] += len(labels) * (_TEXT if labels.dtype.kind == "O" else labels.itemsize)
    most = max(names, key=size.__getitem__)
    require(
        4.0 * size.total(),  # these, and as many again to put them in order
        f"The list of the labels of {most!r}, the column with most different ones,",
        f"If it names the objects, give id={most!r} (on the command line: --id); otherwise leave it out of columns",
    )
    return [labels for labels, _ in counted], [int(counts.sum()) for _, counts in counted]


def _count_labels(column: Any) -> tuple[AnyArray, AnyArray]:
    """The different labels of a column and how often each occurs, missing ones left out."""
    if isinstance(column, np.ndarray):
        labels, counts = np.unique(column, return_counts=True)
    else:
        parts = column.value_counts().flatten()
        there = parts[0].is_valid()
        labels, counts = (one.filter(there) for one in parts)
        if hasattr(labels, "dictionary"):  # without categories that no object has
            labels = labels.dictionary_decode()
        labels = np.asarray(labels.to_numpy(zero_copy_only=False), dtype=None if len(labels) else np.int64)
        counts = counts.to_numpy(zero_copy_only=False)
    there = labels != MISSING if labels.dtype.kind in "if" else slice(None)
    there = there & ~np.isnan(labels) if labels.dtype.kind == "f" else there
    return labels[there], counts[there]


def _coded(column: Any, categories: AnyArray, dtype: Any) -> AnyArray:
    """Codes of a column: positions among the sorted categories, the largest number of the type for missing labels."""
    if isinstance(column, np.ndarray):
        return _positions(column, categories, dtype)
    if hasattr(column, "dictionary"):
        place = _positions(np.asarray(column.dictionary.to_numpy(zero_copy_only=False)), categories, dtype)
        table = np.append(place, np.array([sentinel(np.dtype(dtype))], dtype=dtype))
        return table[column.indices.fill_null(len(place)).to_numpy(zero_copy_only=False)]
    if not column.null_count:
        return _positions(column.to_numpy(zero_copy_only=False), categories, dtype)
    codes = np.full(len(column), sentinel(np.dtype(dtype)), dtype=dtype)
    there = column.is_valid().to_numpy(zero_copy_only=False)
    codes[there] = _positions(column.drop_null().to_numpy(zero_copy_only=False), categories, dtype)
    return codes


def _positions(values: AnyArray, categories: AnyArray, dtype: Any) -> AnyArray:
    absent = sentinel(np.dtype(dtype))
    if not len(categories) or not len(values):
        return np.full(len(values), absent, dtype=dtype)
    if values.dtype.kind == "f":
        values = np.where(np.isnan(values), MISSING, values).astype(np.int64)
    if values.dtype.kind in "biu" and categories[0] >= 0 and categories[-1] < _TABLE:
        table = np.full(int(categories[-1]) + 2, absent, dtype=dtype)
        table[categories.astype(np.int64)] = np.arange(len(categories), dtype=dtype)
        return table[values.astype(np.int8) if values.dtype.kind == "b" else values]  # −1 picks the last place
    keys = categories if values.dtype.kind in "biu" else categories.astype(object)
    place = np.searchsorted(keys, values if keys is categories else values.astype(object))
    place = np.minimum(place, len(keys) - 1)
    return np.where(keys[place] == values, place, absent).astype(dtype)


_PAIR = 48  # bytes of a pair of clusters that meet, while tables are merged


def tables_grow(s: Scan) -> str:
    """Say what takes most memory, for where the system runs out of it although the budget was sufficient."""
    return (
        f"The tables grow with the clusters, and {_largest(s)}; leave such a column out, or name it as id. Blocks of "
        "fewer rows take less: scan(…, block_rows=100_000)."
    )


def without_identifiers(s: Scan, doubts: Sequence[Doubt]) -> Scan:
    """Leave out columns with a cluster for every one or two objects, whose tables would be as large as the labels."""
    gone = [d.partition for d in doubts if d.kind == "identifier" and d.partition in s.partition_names]
    usable = np.array([name not in gone for name in s.partition_names])
    if usable.all() or not usable.any():
        return s
    for name in gone:
        warn(
            f"Column {name!r} is left out: the table of its overlaps with other clusters would be as large as the "
            "labels themselves.",
            FallbackWarning,
        )
    return s.take(usable)


def _largest(s: Scan) -> str:
    most = int(s.n_clusters.argmax())
    return f"{s.n_clusters[most]} of {s.n_clusters.sum()} are clusters of {s.partition_names[most]!r}"


def require_tables(s: Scan) -> None:
    """Check the memory for the table of pairs of clusters: at most one entry per object for each pair of partitions."""
    pairs = np.minimum(np.outer(s.n_clusters, s.n_clusters).astype(np.float64), s.n_objects).sum()
    require(
        _PAIR * float(pairs),
        f"The table of overlapping clusters ({_largest(s)})",
        "Leave the column with most clusters out, or name it as id if it names the objects",
    )
