"""What partitioners and consensus functions return: values that know how they came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from .._arrays import AnyArray, FloatArray, LabelArray, freeze
from .dendrogram import Dendrogram
from .graph import Graph
from .hypergraph import Hypergraph
from .names import Names


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Partition:
    """A graph cut into parts.

    Attributes
    ----------
    labels
        Part of every vertex, 0 … k − 1 in order of first appearance.
    k
        Number of parts.
    cut
        Weight of the cut edges, or of the cut hyperedges; recomputed from the labels.
    balance
        Heaviest part over the mean part; 1 is perfect.
    partitioner, seed
        What made it.
    """

    labels: LabelArray
    k: int
    cut: float
    balance: float
    partitioner: str
    seed: int | None = None

    def details(self) -> dict[str, Any]:
        """What a consensus function tells of the partition its answer comes from: cut, balance and partitioner."""
        return {"cut": self.cut, "balance": self.balance, "partitioner": self.partitioner}

    def __len__(self) -> int:
        return self.k

    def __repr__(self) -> str:
        size = f"{len(self.labels)} vertices in {self.k} parts by {self.partitioner}"
        return f"Partition({size}, cut {self.cut:.6g}, balance {self.balance:.3f})"


class MembershipSource(Protocol):
    """Something that can work out memberships when they are asked for."""

    def membership(self) -> FloatArray:
        """Return the n × k memberships."""

    def confidence(self) -> FloatArray:
        """Return every object's membership in its own cluster."""


@dataclass(frozen=True, repr=False, eq=False)
class Consensus:
    """One clustering of the objects, with the evidence that led to it.

    Attributes
    ----------
    labels
        Cluster of every object, 0 … k − 1 in order of first appearance, −1 for an object absent from every partition.
    k
        Number of clusters.
    score
        Mean normalised mutual information with the partitions (ANMI).
    method, options
        Enough to repeat it.
    graph, dendrogram
        What decided, where the method has them.
    details
        Further findings of the method, by name.
    """

    labels: LabelArray
    k: int
    source: MembershipSource | FloatArray
    score: float
    method: str
    options: Mapping[str, Any] = field(default_factory=dict)
    graph: Graph | Hypergraph | None = None
    dendrogram: Dendrogram | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    names: Names | None = None

    def __post_init__(self) -> None:
        freeze(self.labels)

    @cached_property
    def membership(self) -> FloatArray:
        """Membership of every object in every cluster, n × k; rows sum to 1, and to 0 for an unassigned object."""
        return freeze(self.source if isinstance(self.source, np.ndarray) else self.source.membership())

    @cached_property
    def confidence(self) -> FloatArray:
        """Membership of every object in its own cluster, 0 for an unassigned object."""
        if not isinstance(self.source, np.ndarray):
            return freeze(self.source.confidence())
        own = np.zeros(len(self.labels))
        kept = np.flatnonzero(self.labels >= 0)
        own[kept] = self.source[kept, self.labels[kept]]
        return freeze(own)

    def __len__(self) -> int:
        return self.k

    def sizes(self) -> AnyArray:
        """Return the number of objects in each cluster."""
        return np.bincount(self.labels[self.labels >= 0], minlength=self.k)

    def to_frame(self) -> Any:
        """Return a pandas frame with one row per object: cluster, confidence and the membership in every cluster."""
        from ..export.frames import consensus_frame

        return consensus_frame(self)

    def __repr__(self) -> str:
        sizes = self.sizes()
        shown = ", ".join(str(size) for size in sizes[:8]) + (", …" if self.k > 8 else "")
        lost = int(np.count_nonzero(self.labels < 0))
        kept = self.confidence[self.labels >= 0]
        lines = [
            f"Consensus by {self.method}: {len(self.labels)} objects in {self.k} cluster{'s' if self.k != 1 else ''}",
            f"  sizes       {shown}" + (f" ({lost} unassigned)" if lost else ""),
            f"  confidence  mean {kept.mean():.2f}, lowest {kept.min():.2f}"
            if kept.size
            else "  confidence  -",
            f"  score       {self.score:.3f} (ANMI)",
        ]
        return "\n".join(lines)
