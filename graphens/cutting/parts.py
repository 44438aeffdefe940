"""What a partitioner returns: a graph or hypergraph cut into parts."""

from __future__ import annotations

from typing import Any

from .._lib.arrays import LabelArray
from ..labels.value import Value


class Partition(Value):
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
        Heaviest part divided by the mean part; 1 is perfect.
    partitioner, seed
        The partitioner and seed that were used.
    search
        With "metis" on a graph of at most 60 vertices (METIS is made for large ones), the search by graphens that found
        the parts: "all cuts", or "moves and swaps from METIS and other starts"; otherwise empty.
    """

    labels: LabelArray
    k: int
    cut: float
    balance: float
    partitioner: str
    seed: int | None
    search: str = ""

    def __init__(
        self,
        labels: LabelArray,
        k: int,
        cut: float,
        balance: float,
        partitioner: str,
        seed: int | None = None,
        search: str = "",
    ) -> None:
        self._set_fields(labels=labels, k=k, cut=cut, balance=balance, partitioner=partitioner, seed=seed)
        self._set_fields(search=search)

    def details(self) -> dict[str, Any]:
        """What a consensus function reports about the partition behind its result: how it was cut, and how well."""
        facts = {"cut": self.cut, "balance": self.balance, "partitioner": self.partitioner}
        return facts | ({"search": self.search} if self.search else {})

    def __len__(self) -> int:
        return self.k

    def __repr__(self) -> str:
        size = f"{len(self.labels)} vertices in {self.k} parts by {self.partitioner}"
        return f"Partition({size}, cut {self.cut:.6g}, balance {self.balance:.3f})"
