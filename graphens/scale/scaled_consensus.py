"""A consensus whose labels stay on disk."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, as_int
from .._lib.files import atomic
from .._lib.memory import require
from ..errors import InputError, quote
from ..export.table_files import arrow
from ..graphs.affinity import Affinity, Counted
from ..graphs.graph import Graph
from ..labels.ensemble import Ensemble
from ..labels.value import Value, remembered
from ..result.consensus import Consensus, shown_cohesion, shown_sizes, view_overlaps
from .scanning import Scan, sample_positions
from .sources import open_parquet

if TYPE_CHECKING:
    import igraph as ig
    import networkx as nx
    import pandas as pd

    from ..families.trials import Trial
    from ..plot.display import Display
    from ..result.explanation import Assigned, Explanation

_SAMPLE = 10_000  # objects that a report and the companions in an explanation are made from


class ScaledConsensus(Value):
    """One clustering of objects that were read block by block; labels and confidence are Parquet files.

    Attributes
    ----------
    path
        The folder with part-000000.parquet, …: the id column given to `scan`, `cluster` (−1 for an object that is
        absent from every partition) and `confidence`, with objects in the order of the input.
    k, score
        Number of clusters, and mean normalized mutual information with the partitions (ANMI).
    scan
        The labels that were combined, on disk.
    method, options
        The method and its options, enough to repeat the call.
    why, trials
        How the method was chosen, in a sentence, and one entry for each that was tried; see `graphens.consensus`.
    graph, vertex_labels
        The K × K graph of the base clusters that was cut, and the cluster of each base cluster (−1 for none).
    vertex_confidence
        The share of each base cluster's objects that are together in one cluster.
    timings
        Seconds spent in each pass, summed over all calls.
    details
        Additional results, by name: "rows", the number of distinct label rows, if known.
    """

    path: Path
    n_objects: int
    k: int
    score: float
    scan: Scan
    method: str
    why: str
    trials: tuple[Trial, ...]
    options: Mapping[str, Any]
    graph: Graph
    vertex_labels: LabelArray
    vertex_confidence: FloatArray
    timings: Mapping[str, float]
    details: Mapping[str, Any]
    _sizes: IntArray
    _counted: Counted

    @property
    def files(self) -> list[Path]:
        """The finished blocks in the order of the input, or the single file."""
        return [self.path] if self.path.is_file() else sorted(self.path.glob("part-*.parquet"))

    def sizes(self) -> IntArray:
        """Return the number of objects in each cluster."""
        return self._sizes

    def blocks(self) -> Iterator[tuple[LabelArray, FloatArray]]:
        """Read labels and confidence back, block by block."""
        for table in self._tables("cluster", "confidence"):
            yield table.column("cluster").to_numpy(), table.column("confidence").to_numpy()

    def _tables(self, *columns: str) -> Iterator[Any]:
        for path in self.files:
            file = open_parquet(str(path))
            for group in range(file.num_row_groups):
                yield file.read_row_group(group, columns=list(columns) or None)

    def write(self, path: str | os.PathLike[str]) -> ScaledConsensus:
        """Write the result to a single Parquet file, block by block; return the consensus with labels in that file."""
        with atomic(path) as file:
            writer = None
            for table in self._tables():
                writer = writer or arrow("parquet").ParquetWriter(file, table.schema)
                writer.write_table(table, row_group_size=len(table))
            if writer is not None:
                writer.close()
        return self._replace(path=Path(os.path.abspath(path)))

    @remembered
    def labels(self) -> LabelArray:
        """Cluster of every object, read into memory when used."""
        return np.concatenate([np.empty(0, dtype=np.int32), *self._column(0, 4.0)])

    @remembered
    def confidence(self) -> FloatArray:
        """Confidence of every object's assignment, as in `Consensus.confidence`, read into memory when used."""
        return np.concatenate([np.empty(0), *self._column(1, 8.0)])

    @remembered
    def cohesion(self) -> FloatArray:
        """Mean co-association with the object's own cluster, as in `Consensus.cohesion`; one pass over the labels."""
        blocks = zip(range(len(self.scan.blocks)), self._column(0, 8.0), strict=True)
        parts = [Affinity(self.scan.read(i), labels, self.k, counted=self._counted).cohesion() for i, labels in blocks]
        return np.concatenate([np.empty(0), *parts])

    def _column(self, place: int, width: float) -> list[AnyArray]:
        require(2 * width * self.n_objects, f"A column of {self.n_objects} objects", "Use blocks()")
        return [block[place] for block in self.blocks()]

    def to_frame(self, head: int | None = None) -> pd.DataFrame:
        """Return a pandas frame with the cluster and the confidence of all objects, or of the first `head`.

        The index has the ids if `scan` was given an id column, otherwise the row numbers.
        """
        import pandas as pd

        n = self.n_objects if head is None else as_int("head", head, 0)
        require(64.0 * min(n, self.n_objects), f"A frame of {n} objects", "Give head=, or use blocks()")
        parts, left = [], n
        for table in self._tables():
            parts.append(table.slice(0, left).to_pandas())
            left -= len(table)
            if left <= 0:
                break
        frame = pd.concat(parts, ignore_index=True)
        return frame.rename_axis("object") if self.scan.id is None else frame.set_index(self.scan.id)

    def sample(self, size: int = _SAMPLE, *, seed: int = 0) -> Consensus:
        """Return a uniform random sample of the objects as a `Consensus` in memory, for pictures, reports and details.

        Labels and confidence are those on disk; counts in a picture or report refer to the sample. One pass.
        """
        return self.take(sample_positions(self.n_objects, as_int("size", size, 1), seed))

    def take(self, rows: AnyArray) -> Consensus:
        """Return the objects in some rows, given in increasing order, as a `Consensus` in memory; see `sample`."""
        e = self.scan.take_objects(np.asarray(rows, dtype=np.int64))
        return self._answer(e, np.concatenate([np.empty(0, np.int32), *self._pick("cluster", rows)]))

    def _answer(self, e: Ensemble, labels: LabelArray) -> Consensus:
        """Some objects as a consensus in memory, with the evidence of all objects."""
        same = {name: getattr(self, name) for name in ("k", "score", "method", "why", "trials", "options")}
        same |= {"_details": self.details, "names": e.vertex_names()}
        evidence = Affinity(e, labels, self.k, counted=self._counted)
        return Consensus._from_fields(labels=labels, _evidence=evidence, _view=view_overlaps(e, labels, self.k), **same)

    def _pick(self, column: str, rows: AnyArray) -> Iterator[AnyArray]:
        start = 0
        for table in self._tables(column):
            mine = rows[np.searchsorted(rows, start) : np.searchsorted(rows, start + len(table))]
            yield table.column(column).to_numpy()[mine - start]
            start += len(table)

    def explain(self, which: Any = None, *, position: int | None = None) -> Explanation:
        """Explain why an object is in its cluster, given its id, or its row if there is no id.

        See `Consensus.explain`. Votes, margin and confidence use all objects; companions come from a sample.
        """
        if position is not None or self.scan.id is None:
            n = self.n_objects
            row = as_int("object", which if position is None else position, -n, n - 1) % n
        else:
            row = self._row(which)
        rows = np.union1d(sample_positions(self.n_objects, _SAMPLE, 0), [row])
        return self.take(rows).explain(position=int(np.searchsorted(rows, row)))

    def _row(self, which: Any) -> int:
        """The row of an object given by its id."""
        compute, start, rows = arrow("compute"), 0, []
        for table in self._tables(str(self.scan.id)):
            same = compute.equal(compute.cast(table.column(0), "string"), str(which))
            rows += (np.flatnonzero(same.fill_null(False).to_numpy()) + start).tolist()
            start += len(table)
        if len(rows) != 1:
            wrong = "no object has that id" if not rows else f"{len(rows)} objects have that id"
            able = "one object's id, or its row as position="
            raise InputError(f"{quote(which)} was given, but {wrong}; expected {able}.")
        return int(rows[0])

    def assign(self, rows: Any) -> Assigned:
        """Return the cluster, membership and confidence of new objects, given their rows of labels.

        See `Consensus.assign`. All objects are used, but none of them need to be in memory.
        """
        return self._without_objects().assign(rows)

    def _without_objects(self) -> Consensus:
        """The clusters, as a consensus of no objects."""
        return self._answer(self.scan.clusters, np.empty(0, dtype=np.int32))

    def report(self, path: str | Path, *, size: int = _SAMPLE, seed: int = 0, **options: Any) -> Path:
        """Write an HTML report about a sample of the objects; see `Consensus.report` and `sample`."""
        some = self.sample(size, seed=seed)
        n = len(some.labels)
        title = f"{n:,} of {self.n_objects:,} objects in {self.k} clusters"
        return some.report(path, **({"title": title if n < self.n_objects else None} | options))

    def to_networkx(self) -> nx.Graph[Any]:
        """Return the graph that was cut as a networkx graph whose vertices have `cluster` and `confidence`."""
        return self.graph.to_networkx(consensus=self)

    def to_igraph(self) -> ig.Graph:
        """Return the same as an igraph Graph."""
        return self.graph.to_igraph(consensus=self)

    def plot(self, ax: Any = None, **options: Any) -> Display:
        """Draw the graph that was cut, with base clusters in the colors of their clusters; see `Graph.plot`."""
        return self.graph.plot(ax, labels=self.vertex_labels, **options)

    def __len__(self) -> int:
        return self.k

    def __repr__(self) -> str:
        lost, each = self.n_objects - int(self._sizes.sum()), self.timings.items()
        lines = [
            f"Consensus by {self.method}: {self.n_objects} objects in {self.k} cluster{'s' if self.k != 1 else ''}",
            f"  sizes       {shown_sizes(self._sizes, ())}" + (f" ({lost} unassigned)" if lost else ""),
            *shown_cohesion(self._without_objects()._evidence, ()),
            f"  score       {self.score:.3f} (ANMI)",
            *wrap(self.why, 79, initial_indent="  why         ", subsequent_indent=" " * 14),
            f"  files       {len(self.files)} in {self.path}",
            f"  seconds     {sum(t for _, t in each):.3g} ({', '.join(f'{name} {t:.3g}' for name, t in each)})",
        ]
        return "\n".join(lines)
