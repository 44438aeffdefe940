"""What a consensus function found, before it is put into its final form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .._arrays import AnyArray, FloatArray
from ..core.dendrogram import Dendrogram
from ..core.graph import Graph
from ..core.hypergraph import Hypergraph


@dataclass(frozen=True)
class Outcome:
    """What a consensus function found, before it is put into its final form.

    `labels` number clusters as the method likes; column j of `membership` belongs to label j.
    """

    labels: AnyArray
    membership: FloatArray | None = None
    graph: Graph | Hypergraph | None = None
    dendrogram: Dendrogram | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
