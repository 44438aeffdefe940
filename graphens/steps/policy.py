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
        Methods that are always tried: three cuts with a cost of at most O(nB²) in n, one spectral, one by a
        dendrogram, and one that prefers clusters of even size.
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
        A cluster is small if it is below this share of the mean size. Results with a small cluster are ranked last.
    same
        Two results are considered the same if their adjusted Rand index is above this (a convention).
    contradiction
        A result contradicts itself if at least this share of its objects are together more with another cluster. Few
        of the results that win on the data of that page do. If a column without information ruins a result, the share
        is .2 to .7.
    rest, rounds
        Moving objects ends when fewer than this share move, and fails after this number of rounds.
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
    same: float = 0.95
    contradiction: float = 0.1
    rest: float = 0.01
    rounds: int = 10


POLICY = Policy()
