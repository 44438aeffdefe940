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
    """

    #: methods that are always tried: a spectral cut of reliable clusters, average linkage, and a plain spectral cut,
    #: each at a cost of at most O(nB²)
    panel: tuple[str, ...] = ("lwgp", "lwea", "hbgf")
    #: options of these methods that differ from the defaults
    options: Mapping[str, Mapping[str, Any]] = field(
        default_factory=lambda: MappingProxyType({"hbgf": {"partitioner": "spectral"}})
    )
    #: methods of the panel that work differently and prefer no sizes; if they agree, their clusters are accepted
    witnesses: tuple[str, ...] = ("lwgp", "lwea")
    pieces: str = "islands"  #: finds connected pieces; tried if the witnesses differ
    #: from which searches for a median begin: scalable ones of different families (meta-clusters, spectral, votes)
    starts: tuple[str, ...] = ("mcla", "lwgp", "vote")
    largest_k: int = 35  #: that the eigengap considers
    #: relative gaps that count as a strength of 1, without and with reliabilities; larger than those of data without
    #: clusters
    plain_gap: float = 1.0
    reliable_gap: float = 0.75
    clear_gap: float = 1.2  #: a gap of at least this strength decides alone; otherwise single link is used, too
    #: a lifetime in the single-link dendrogram, at most 1, that indicates elongated clusters if the gap is not clear
    long_life: float = 0.25
    small: float = 0.1  #: of the mean size; numbers of clusters that give a smaller one are skipped
    #: how many of the strongest numbers are compared if none is clear, with how many restarts of k-means, and the share
    #: of the best fit at which the smallest number is preferred
    candidates: int = 5
    restarts: int = 3
    near: float = 0.95
    level: float = 0.5  #: a strength at which a number can be one of several nested levels
    gaps: float = 0.3  #: data with a smaller `separation` are one cloud
    #: if the reliable silhouette and the agreement of two halves of the partitions are below, there are no groups
    silhouette: float = 0.7
    halves: float = 0.8
    few_partitions: int = 10  #: with fewer, only the silhouette is used, with the next limit
    silhouette_of_few: float = 0.5
    gap: float = 0.03  #: cuts of neighbor links below follow a gap in the data; see `graphens.choose.answers`
    even: float = 0.75  #: of the mean size; connected pieces are preferred to a better fit only if none is smaller
    same: float = 0.95  #: two results are the same if their adjusted Rand index is above (a convention)


POLICY = Policy()
