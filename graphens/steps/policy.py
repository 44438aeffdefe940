"""Every threshold of the automatic choice in one place: what it means, and how it was chosen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Policy:
    """What ``method="auto"`` goes by.

    docs/which.md says on which data gaps, lifetimes and pieces were chosen, and on which they were checked.

    Attributes
    ----------
    panel
        Methods that are always tried: the two best on that page that grow with n no faster than O(nB²), one spectral,
        one by a dendrogram; neither prefers clusters of even size.
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
    contradiction
        An answer contradicts itself where this share of its objects is together more with another cluster. No answer
        that won on 65 ensembles of that page does (at most .03); where a column that says little ruins an answer it
        is .2 to .7.
    rest, rounds
        Moving objects ends when fewer than this share moves, and fails after so many rounds.
    same
        Two answers whose adjusted Rand index is above this are the same but for a few objects (a convention).
    lifetime, votes
        Pieces that live for this share of the partitions, and at least for so many of them, are evidence.
    gain
        By how much the path silhouette of pieces must be larger than that of the panel's answer.
    group
        Objects that are a cluster; fewer are outliers (the least that has an inside).
    reasonable
        A silhouette that is called reasonable (Kaufman and Rousseeuw 1990), asked for where a piece is small.
    """

    panel: tuple[str, ...] = ("lwgp", "lwea")
    starts: tuple[str, ...] = ("mcla", "lwgp", "vote")
    largest_k: int = 35
    plain_gap: float = 1.0
    reliable_gap: float = 0.75
    clear_gap: float = 1.2
    long_life: float = 0.25
    small: float = 0.1
    contradiction: float = 0.1
    rest: float = 0.01
    rounds: int = 10
    same: float = 0.95
    lifetime: float = 0.04
    votes: int = 2
    gain: float = 0.05
    group: int = 3
    reasonable: float = 0.5


POLICY = Policy()
