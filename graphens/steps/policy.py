"""Every threshold of the automatic choice in one place: what it means, and how it was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True)
class Policy:
    """What ``method="auto"`` goes by.

    docs/which.md says on which data these were chosen, and on which they were checked.

    Attributes
    ----------
    panel
        Methods that are always tried: three cuts that grow with n no faster than O(nB²), one spectral, one by a
        dendrogram, one that prefers clusters of even size.
    options
        Options of these methods where they are not the default ones: by name.
    witnesses
        Methods of the panel that work differently and prefer no sizes: where they agree, their clusters are believed.
    pieces
        The method that finds connected pieces, tried where the witnesses differ.
    starts
        Methods that searches for a median begin from: scalable ones of different families (meta-clusters, spectral,
        votes).
    largest_k
        Numbers of clusters beyond are not looked at by the eigengap.
    plain_gap, reliable_gap
        Relative gaps that count as a strength of 1, without and with reliabilities: above those of data without
        clusters.
    clear_gap
        A gap of this strength decides alone; below, single link is asked.
    long_life
        A lifetime in the single-link dendrogram, of 1, that speaks for elongated clusters where the gap is not clear.
    small
        A cluster below this share of the mean size is small: answers with one stand behind all others.
    same
        Two answers whose adjusted Rand index is above this are the same but for a few objects (a convention).
    contradiction
        An answer contradicts itself where this share of its objects is together more with another cluster. Few answers
        that win on the sets of that page do; where a column that says little ruins an answer it is .2 to .7.
    rest, rounds
        Moving objects ends when fewer than this share moves, and fails after so many rounds.
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
