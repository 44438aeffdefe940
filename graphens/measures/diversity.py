"""How much the partitions of an ensemble differ, pair by pair or all together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import FloatArray, canonical, divide, one_of
from ..errors import DegenerateWarning, warn
from ..graphs.counts import overlaps
from ..labels.ensemble import Ensemble, Labels
from .agreement import agreements, labeling_of


@dataclass(frozen=True)
class _Votes:
    """For every object, how many partitions have it, and how many of these agree with the reference."""

    right: FloatArray
    seen: FloatArray
    weight: FloatArray

    def mean(self, values: FloatArray) -> float:
        """Mean over objects, by weight."""
        return float(np.average(values, weights=self.weight))

    @property
    def correct(self) -> float:
        """The mean share of partitions that agree with the reference."""
        return self.mean(self.right / self.seen)

    @property
    def wrong(self) -> FloatArray:
        """How many disagree with the reference."""
        return self.seen - self.right

    @property
    def split(self) -> FloatArray:
        """Share of the pairs of partitions of which exactly one is right."""
        return 2 * self.right * self.wrong / (self.seen * (self.seen - 1))


def _double_fault(v: _Votes) -> float:
    return v.mean(v.wrong * (v.wrong - 1) / (v.seen * (v.seen - 1)))


#: from how many partitions place each object as a reference does
_BY_VOTES: dict[str, Callable[[_Votes], float]] = {
    "disagreement": lambda v: v.mean(v.split),
    "double_fault": _double_fault,
    "entropy": lambda v: v.mean(np.minimum(v.right, v.wrong) / (v.seen - np.ceil(v.seen / 2))),
    "kohavi_wolpert": lambda v: v.mean(v.right * v.wrong / v.seen**2),
    "difficulty": lambda v: v.mean((v.right / v.seen - v.correct) ** 2),
    "interrater": lambda v: 1.0 - float(divide(v.mean(v.split), 2 * v.correct * (1 - v.correct))),
    "generalized": lambda v: 1.0 - float(divide(_double_fault(v), 1.0 - v.correct, otherwise=1.0)),
}
DIVERSITIES = ("nmi", *_BY_VOTES)


def diversity(labels: Labels, measure: str = "nmi", reference: ArrayLike | None = None) -> float:
    """Return how much the partitions of an ensemble differ.

    Parameters
    ----------
    labels
        An Ensemble, or anything that Ensemble accepts.
    measure
        Pairwise measures: ``"nmi"`` (mean 1 − NMI over pairs of partitions), ``"disagreement"`` (share of objects that
        exactly one of two partitions places correctly) and ``"double_fault"`` (share that both place incorrectly).
        Measures over all partitions, where l of L partitions are correct about an object: ``"entropy"`` (mean of min(l,
        L − l)/(L − ⌈L/2⌉)), ``"kohavi_wolpert"`` (mean of l(L − l)/L²), ``"difficulty"`` (variance of l/L, small if
        partitions fail on different objects), ``"interrater"`` (Fleiss' kappa, small for diverse partitions) and
        ``"generalized"`` (1 − p(2)/p(1), where p(m) is the probability that m random partitions all fail).
    reference
        The labeling that counts as correct, such as the truth or a consensus; by default, the partition with the
        largest mean NMI with all. Each base cluster is matched to the reference cluster with which it shares the most
        objects.

    Returns
    -------
    float
        NaN, with a warning, if no object is in two partitions.

    Notes
    -----
    O(nB), or O(nB²) for nmi and the default reference; if there are many partitions, they are compared with a sample.
    For each object, only the partitions that have it are used.

    References
    ----------
    Kuncheva and Whitaker, Measures of diversity in classifier ensembles, 2003, which cites the paper of each measure.

    Examples
    --------
    >>> e = [[0, 0, 1], [0, 0, 1], [0, 0, 2], [1, 1, 0], [1, 1, 0], [1, 2, 0]]
    >>> round(diversity(e), 3), diversity(e, "disagreement", reference=[0, 0, 0, 1, 1, 1])
    (0.22, 0.0)
    """
    one_of("measure", measure, DIVERSITIES)
    e = Ensemble.of(labels)
    if measure == "nmi":
        between, others = agreements(e)
        off = np.arange(e.n_partitions)[:, None] != others
        if off.any():
            return float(1.0 - between[off].mean())
    else:
        votes = _votes(e, reference)
        if votes.right.size:
            return _BY_VOTES[measure](votes)
    few = "There is only one partition" if e.n_partitions == 1 else "No object is in two partitions"
    warn(f"{few}, so diversity is NaN: it says how much partitions of the same objects differ.", DegenerateWarning)
    return float("nan")


def _votes(e: Ensemble, reference: ArrayLike | None) -> _Votes:
    """Count the partitions that are right about each object that at least two of them have."""
    if reference is None:
        between, others = agreements(e)
        truth = canonical(e.labels[:, int(np.argmax(between @ e.weights[others]))])
    else:
        truth = labeling_of(reference, e)
    stands_for = np.asarray(overlaps(e, truth, int(truth.max(initial=0)) + 1).argmax(axis=1)).ravel()
    right, seen = np.zeros(e.n_objects), np.zeros(e.n_objects)
    for t, row in enumerate(e.codes):
        there = np.flatnonzero(row != e.absent)
        seen[there] += 1
        right[there] += stands_for[e.offsets[t] + row[there].astype(np.int64)] == truth[there]
    counted = (seen >= 2) & (truth >= 0)
    return _Votes(right[counted], seen[counted], e.object_weights[counted])
