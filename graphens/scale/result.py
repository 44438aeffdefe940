"""A consensus whose labels stay on disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .._arrays import AnyArray, FloatArray, IntArray, LabelArray
from .._memory import require
from ..core.graph import Graph
from ..core.value import Value, remembered
from .sources import open_parquet


class ScaledConsensus(Value):
    """One clustering of objects that were read block by block; labels and confidence are Parquet files.

    Attributes
    ----------
    path
        The folder with part-000000.parquet, …: the columns `cluster` (−1 for an object absent from every partition)
        and `confidence`, objects in the order of the input.
    k, score, sizes
        Number of clusters, mean normalized mutual information with the partitions (ANMI), objects of each cluster.
    method, options
        Enough to repeat it.
    graph, vertex_labels
        The K × K graph of the base clusters in which it was decided, and the cluster of each of them (−1 for none).
    vertex_confidence
        The share of each base cluster's objects that are together in one cluster.
    timings
        Seconds spent in each pass, over all calls that it took.
    details
        Further findings, by name: "rows", the number of distinct label rows where these were found.
    """

    path: Path
    n_objects: int
    k: int
    score: float
    sizes: IntArray
    method: str
    options: Mapping[str, Any]
    graph: Graph
    vertex_labels: LabelArray
    vertex_confidence: FloatArray
    timings: Mapping[str, float]
    details: Mapping[str, Any]

    @property
    def files(self) -> list[Path]:
        """The finished blocks in the order of the input."""
        return sorted(self.path.glob("part-*.parquet"))

    def blocks(self) -> Iterator[tuple[LabelArray, FloatArray]]:
        """Read labels and confidence back, block by block."""
        for path in self.files:
            table = open_parquet(str(path)).read()
            yield table.column("cluster").to_numpy(), table.column("confidence").to_numpy()

    @remembered
    def labels(self) -> LabelArray:
        """Cluster of every object, read into memory when asked for."""
        return np.concatenate([np.empty(0, dtype=np.int32), *self._column(0, 4.0)])

    @remembered
    def confidence(self) -> FloatArray:
        """How sure every object's cluster is, as `Consensus.confidence`, read into memory when asked for."""
        return np.concatenate([np.empty(0), *self._column(1, 8.0)])

    def _column(self, place: int, width: float) -> list[AnyArray]:
        require(2 * width * self.n_objects, f"A column of {self.n_objects} objects", "Use blocks()")
        return [block[place] for block in self.blocks()]

    def to_networkx(self) -> Any:
        """Return the graph that decided as a networkx graph, vertices with `cluster` and `confidence`."""
        return self.graph.to_networkx(consensus=self)

    def to_igraph(self) -> Any:
        """Return the same as an igraph Graph."""
        return self.graph.to_igraph(consensus=self)

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the graph that decided, base clusters in the color of their cluster; see `Graph.plot`."""
        return self.graph.plot(ax, labels=self.vertex_labels, **options)

    def __len__(self) -> int:
        return self.k

    def __repr__(self) -> str:
        shown = ", ".join(str(size) for size in self.sizes[:8]) + (", …" if self.k > 8 else "")
        lost = self.n_objects - int(self.sizes.sum())
        seconds = sum(self.timings.values())
        return "\n".join(
            [
                f"Consensus by {self.method}: {self.n_objects} objects in {self.k} cluster{'s' if self.k != 1 else ''}",
                f"  sizes       {shown}" + (f" ({lost} unassigned)" if lost else ""),
                f"  score       {self.score:.3f} (ANMI)",
                f"  files       {len(self.files)} in {self.path}",
                f"  seconds     {seconds:.3g} ({', '.join(f'{name} {t:.3g}' for name, t in self.timings.items())})",
            ]
        )
