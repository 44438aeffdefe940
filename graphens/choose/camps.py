"""Groups of partitions that agree within a group but not between groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, Seed, percent, reported_seed
from ..errors import collect_warnings
from ..graphs.counts import sampled_partitions
from ..graphs.graph import Graph
from ..labels.ensemble import Ensemble, Labels
from ..labels.value import Viewable
from ..measures.agreement import pairwise, some_agreements
from ..result.consensus import Consensus
from ..trees import link
from .correspondence import match

_MOST = 8  # groups
_WIDE = 60  # characters of names in a table
_HALVINGS = 3  # of the objects, each half judged by the other
_OBJECTS = 4000  # that stand for all where there are more
_PARTITIONS = 500  # that stand for all where there are more
_CLEAR = 0.5  # groups are told apart where partitions agree with their own at least twice as much as with the next


@dataclass(frozen=True, eq=False)
class Mode(Viewable):
    """One group of partitions."""

    share: float  #: share of the weight of all partitions
    members: IntArray  #: numbers of its partitions
    names: tuple[str, ...]  #: their names
    consensus: Consensus  #: what they agree on
    #: objects that the largest group places in another cluster, after the clusters are matched; empty for the largest
    #: group itself
    contested: IntArray

    def __repr__(self) -> str:
        apart = f", places {len(self.contested)} objects elsewhere" if len(self.contested) else ""
        partitions = f"{len(self.members)} partition{'s' * (len(self.members) != 1)}"
        clusters = f"{self.consensus.k} cluster{'s' * (self.consensus.k != 1)}"
        return f"Mode({percent(self.share)}, {partitions}, {clusters}{apart})"


class Modes(list[Mode]):
    """Groups of partitions, the largest first: a list that is displayed as a table."""

    def columns(self) -> dict[str, list[Any]]:
        """Return a row for each group; `elsewhere` is the number of contested objects."""
        return {
            "group": list(range(len(self))),
            "share": [mode.share for mode in self],
            "clusterings": [len(mode.members) for mode in self],
            "clusters": [mode.consensus.k for mode in self],
            "elsewhere": [len(mode.contested) for mode in self],
            "names": [", ".join(mode.names) for mode in self],
        }

    def _show(self) -> dict[str, list[Any]]:
        columns = self.columns()
        return columns | {
            "share": [percent(share) for share in columns["share"]],
            "names": [name if len(name) <= _WIDE else name[: _WIDE - 1] + "…" for name in columns["names"]],
        }

    def __repr__(self) -> str:
        from ..export.text_tables import text_table

        return text_table(self._show())

    def _repr_html_(self) -> str:
        from ..report.notebook import grid

        return grid(self._show())


def modes(labels: Labels, k: int | None = None, *, seed: Seed = None) -> Modes:
    """Return groups of partitions that agree with each other, the largest first; one group if all belong together.

    Partitions are merged by average linkage on their NMI, corrected for chance. Groups are found on one half of the
    objects and evaluated on the other: there, a is the mean agreement of a partition with its own group, and b is that
    with the next group. The number of groups is the one with the largest mean of a − b over several random halves. Two
    or more groups are accepted only if a > b on average in every half, and Σ(a − b) > ½ Σ max(a, b) overall. A single
    partition is not a group; it joins the group it agrees with most.

    Parameters
    ----------
    labels
        An Ensemble, or anything that Ensemble accepts.
    k
        Number of clusters in the consensus of every group; by default, chosen by the eigengap.
    seed
        The same seed gives the same result.

    Notes
    -----
    O(nB²) and one consensus per group. At most 4,000 objects and 500 partitions, drawn at random, determine the groups,
    and the other partitions join the group they agree with most (adjusted Rand index). Chance agreement is the
    agreement of the same partitions after their labels are permuted over the objects. Partitions that differ only in
    how fine they are, such as levels of one hierarchy, form one group. Hit rates on ensembles with one, two and three
    groups are in docs/choosing.md.

    Examples
    --------
    >>> import graphens as ge
    >>> rows, columns = [0, 0, 0, 1, 1, 1] * 5, [0, 1, 2, 0, 1, 2] * 5
    >>> ge.modes(ge.Ensemble.from_partitions([rows, rows, columns, rows, columns]), seed=0)
    group  share  clusterings  clusters  elsewhere  names
        0  60%              3         2          0  P0, P1, P3
        1  40%              2         3         20  P2, P4
    """
    from .auto import consensus  # above this layer: it chooses k and method

    e, number = Ensemble.of(labels), reported_seed(seed)
    camp = camps(e, np.random.default_rng(number))
    share = np.bincount(camp, weights=e.weights) / e.weights.sum()
    groups = Modes()
    for c in np.argsort(-share, kind="stable"):
        inside = np.flatnonzero(camp == c)
        part = e.take(partitions=inside)
        with collect_warnings():
            answer = consensus(part, k, seed=number)
        first = groups[0].consensus.labels if groups else answer.labels
        same: AnyArray = match(first, answer.labels).relabel(answer.labels) == first
        groups.append(Mode(float(share[c]), inside, part.partition_names, answer, np.flatnonzero(~same)))
    return groups


def camps(e: Ensemble, rng: np.random.Generator) -> LabelArray:
    """Return the group of every partition; one group if no larger number is confirmed on the other half of the objects.

    With more than 500 partitions, a sample decides, and the others join the group they agree with most.
    """
    some = sampled_partitions(e, _PARTITIONS)
    if len(some) == _PARTITIONS < e.n_partitions:
        return _join(e, some, camps(e.take(partitions=some), rng))
    one = np.zeros(e.n_partitions, dtype=np.int32)
    if np.count_nonzero(e.weights) < 4:  # two groups of two are the least that can be told apart from chance
        return one
    tallies: dict[int, list[tuple[float, float]]] = {}
    for _ in range(_HALVINGS):
        drawn = rng.permutation(e.n_objects)[:_OBJECTS]
        left, right = (agreement_beyond_chance(e.take(objects=half), rng) for half in np.array_split(drawn, 2))
        for seen, judge in ((left, right), (right, left)):
            for count, labels in _cuts(seen).items():
                tallies.setdefault(count, []).append(_nearer(judge, labels))
    confirmed = {  # found on every half and, on every other half, nearer to the own group than to the next
        count: gains
        for count, gains in tallies.items()
        if len(gains) == 2 * _HALVINGS and min(gain for gain, _ in gains) > 0
    }
    sums = {count: np.sum(gains, axis=0) for count, gains in confirmed.items()}
    best = max(sums, key=lambda count: sums[count][0], default=1)
    if best == 1 or sums[best][0] <= _CLEAR * sums[best][1]:
        return one
    return _cuts(agreement_beyond_chance(e, rng)).get(best, one)


def _join(e: Ensemble, some: IntArray, camp: LabelArray) -> LabelArray:
    """Extend the groups of some partitions to all: each joins the group with the largest mean adjusted Rand index."""
    member = camp[:, None] == np.arange(camp.max() + 1)
    groups = (some_agreements(e, some, "ari") @ member / member.sum(axis=0)).argmax(axis=1).astype(np.int32)
    groups[some] = camp
    return groups


def agreement_beyond_chance(e: Ensemble, rng: np.random.Generator) -> FloatArray:
    """NMI of all pairs of partitions, scaled so that 0 is their NMI after permuting the labels, and 1 means equal."""
    with collect_warnings():  # a part of the objects, whose columns have no names
        mixed = Ensemble(rng.permuted(e.labels, axis=0), object_weights=e.object_weights)
    observed, chance = (np.asarray(pairwise(one, "nmi")) for one in (e, mixed))
    scaled = (observed - chance) / np.maximum(1.0 - chance, 1e-9)
    np.fill_diagonal(scaled, 0.0)
    return (scaled + scaled.T) / 2


def _cuts(agreement: FloatArray) -> dict[int, LabelArray]:
    """The groups for every number of groups, from cuts of the average-link tree of the partitions."""
    n = len(agreement)
    tree = link(Graph(agreement.clip(0.0, 1.0)), "average")
    groups: dict[int, LabelArray] = {}
    for c in range(2, min(n // 2 + 2, _MOST + 3, n)):
        labels = _without_lonely(agreement, tree.cut(c))
        groups.setdefault(int(labels.max()) + 1, labels)
    return {count: labels for count, labels in groups.items() if count > 1}


def _nearer(agreement: FloatArray, labels: LabelArray) -> tuple[float, float]:
    """Sums over the partitions of a − b and of max(a, b), the mean agreements with the own and with the next group."""
    member = labels[:, None] == np.arange(labels.max() + 1)
    mean = agreement @ member / np.maximum(member.sum(axis=0) - member, 1)
    own = mean[member]
    rival = np.where(member, -np.inf, mean).max(axis=1)
    return float((own - rival).sum()), float(np.maximum(own, rival).clip(min=0.0).sum())


def _without_lonely(near: FloatArray, labels: LabelArray) -> LabelArray:
    """Let a partition that is alone in its group join the group it agrees with most."""
    size = np.bincount(labels)
    if not (size > 1).any():
        return np.zeros_like(labels)
    big = np.flatnonzero(size > 1)
    mean = np.stack([near[:, labels == c].mean(axis=1) for c in big], axis=1)
    number = np.searchsorted(big, labels).clip(max=len(big) - 1)
    return np.where(size[labels] > 1, number, mean.argmax(axis=1)).astype(np.int32)
