"""Every threshold of the automatic choice in one place, with its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True)
class Policy:
    """The settings of ``method="auto"``.

    docs/which.md says on which data they were chosen, and on which they were checked.

    Attributes
    ----------
    panel
        Methods that are always tried: a spectral cut of reliable clusters, average linkage, and a plain spectral cut,
        each at a cost of at most O(nB²).
    options
        Options of these methods that differ from the defaults, by name of the method.
    witnesses
        Methods of the panel that work differently and prefer no sizes. If they agree, their clusters are accepted.
    pieces
        The method that finds connected pieces, tried if the witnesses differ.
    starts
        Methods from which searches for a median begin: scalable ones of different families (meta-clusters, spectral,
        votes).
    largest_k
        The largest number of clusters that the eigengap considers.
    plain_gap, reliable_gap
        Relative gaps that count as a strength of 1, without and with reliabilities. They are larger than the gaps of
        data without clusters.
    clear_gap
        A gap of at least this strength decides alone; otherwise single link is used, too.
    long_life
        A lifetime in the single-link dendrogram, at most 1, that indicates elongated clusters if the gap is not clear.
    small
        A cluster is small if it is below this share of the mean size. Numbers of clusters that give one are skipped.
    candidates, restarts, near
        How many of the strongest numbers are compared if none is clear, with how many restarts of k-means, and the
        share of the best fit at which the smallest number is preferred.
    level
        A strength at which a number can be one of several nested levels.
    gaps
        Data with a smaller `separation` are one cloud.
    silhouette, halves
        If the reliable silhouette and the agreement of two halves of the partitions are below, there are no groups.
    few_partitions, silhouette_of_few
        With fewer partitions than this, only the silhouette is used, with this limit.
    gap
        Cuts of neighbor links below this follow a gap in the data; see `graphens.choose.answers`.
    same
        Two results are considered the same if their adjusted Rand index is above this (a convention).
    """

    panel: tuple[str, ...] = ("lwgp", "lwea", "hbgf")
    options: Mapping[str, Mapping[str, Any]] = field(
        default_factory=lambda: MappingProxyType({"hbgf": {"partitioner": "spectral"}})
    )
    witnesses: tuple[str, ...] = ("lwgp", "lwea")
    pieces: str = "islands"
    starts: tuple[str, ...] = ("mcla", "lwgp", "vote")
    largest_k: int = 35
    plain_gap: float = 1.0
    reliable_gap: float = 0.75
    clear_gap: float = 1.2
    long_life: float = 0.25
    small: float = 0.1
    candidates: int = 5
    restarts: int = 3
    near: float = 0.95
    level: float = 0.5
    gaps: float = 0.3
    silhouette: float = 0.7
    halves: float = 0.8
    few_partitions: int = 10
    silhouette_of_few: float = 0.5
    gap: float = 0.03
    same: float = 0.95


POLICY = Policy()
