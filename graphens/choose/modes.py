"""Camps: where partitions fall into groups that agree among themselves and not with each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import AnyArray, FloatArray, IntArray, LabelArray, Seed, reported_seed
from ..core.ensemble import Ensemble
from ..core.graph import Graph
from ..core.result import Consensus
from ..errors import notes
from ..linkage import link
from ..measures.agreement import pairwise
from .matching import match

_MOST = 8  # camps
_CLEAR = 0.3  # mean silhouette of the partitions from which camps are told apart


@dataclass(frozen=True, eq=False)
class Mode:
    """One camp of partitions.

    Attributes
    ----------
    share
        Share of the weight of all partitions.
    members
        Numbers of its partitions.
    names
        Their names.
    consensus
        What they agree on.
    contested
        Objects that the largest camp places elsewhere, after matching the clusters; empty for the largest itself.
    """

    share: float
    members: IntArray
    names: tuple[str, ...]
    consensus: Consensus
    contested: IntArray

    def __repr__(self) -> str:
        apart = f", places {len(self.contested)} objects elsewhere" if len(self.contested) else ""
        return f"Mode({self.share:.0%}, {len(self.members)} partitions, {self.consensus.k} clusters{apart})"


def modes(ensemble: Any, k: int | None = None, *, seed: Seed = None) -> list[Mode]:
    """Return the camps that partitions fall into, the largest first; one where they do not.

    Partitions are joined by average link on their NMI. Two camps or more are believed only where partitions are
    clearly nearer to their own than to the next: a mean silhouette on 1 − NMI of at least 0.3. A partition alone is no
    camp; it goes with the camp it agrees with most.

    Parameters
    ----------
    ensemble
        An Ensemble, or anything Ensemble takes.
    k
        Number of clusters of every camp's consensus, chosen by the eigengap by default.
    seed
        The same seed gives the same answer.

    Notes
    -----
    O(nB²) and one consensus per camp.

    Examples
    --------
    >>> import graphens as ge
    >>> rows, columns = [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]
    >>> ge.modes(ge.Ensemble.from_partitions([rows, rows, columns, rows, columns]), seed=0)
    [Mode(60%, 3 partitions, 2 clusters), Mode(40%, 2 partitions, 3 clusters, places 4 objects elsewhere)]
    """
    from ..front import consensus  # above this layer: it chooses k and method

    e, number = Ensemble.of(ensemble), reported_seed(seed)
    camp = camps(np.asarray(pairwise(e, "nmi")), e.weights)
    share = np.bincount(camp, weights=e.weights) / e.weights.sum()
    found: list[Mode] = []
    for c in np.argsort(-share, kind="stable"):
        inside = np.flatnonzero(camp == c)
        part = e.take(partitions=inside)
        with notes():
            answer = consensus(part, k, seed=number)
        contested = (
            _contested(found[0].consensus.labels, answer.labels) if found else np.empty(0, dtype=np.int64)
        )
        found.append(Mode(float(share[c]), inside, part.partition_names, answer, contested))
    return found


def camps(similarity: FloatArray, weights: FloatArray) -> LabelArray:
    """Return the camp of every partition: the clearest of several cuts, or one camp where none is clear."""
    n = len(similarity)
    counts = np.flatnonzero(weights > 0)
    best, camp = _CLEAR, np.zeros(n, dtype=np.int32)
    if len(counts) < 4:  # two camps of two are the least that can be told apart from chance
        return camp
    near = np.clip((similarity + similarity.T) / 2, 0.0, 1.0) * (1 - np.eye(n))
    tree = link(Graph(near), "average")
    for c in range(2, min(len(counts) // 2 + 2, _MOST + 3, n)):
        labels = _without_lonely(near, tree.cut(c))
        score = _silhouette(1.0 - near, labels) if labels.max() else -1.0
        if score > best + 1e-9:
            best, camp = score, labels
    return camp


def _without_lonely(near: FloatArray, labels: LabelArray) -> LabelArray:
    """Let partitions alone in their camp join the camp they agree with most."""
    size = np.bincount(labels)
    if not (size > 1).any():
        return np.zeros_like(labels)
    big = np.flatnonzero(size > 1)
    mean = np.stack([near[:, labels == c].mean(axis=1) for c in big], axis=1)
    kept = np.searchsorted(big, labels).clip(max=len(big) - 1)
    return np.where(size[labels] > 1, kept, mean.argmax(axis=1)).astype(np.int32)


def _silhouette(distance: FloatArray, labels: LabelArray) -> float:
    from sklearn.metrics import silhouette_score

    apart = distance.copy()
    np.fill_diagonal(apart, 0.0)
    return float(silhouette_score(apart, labels, metric="precomputed"))


def _contested(first: LabelArray, other: LabelArray) -> IntArray:
    """Objects whose cluster differs once clusters are matched."""
    same: AnyArray = match(first, other).relabel(other) == first
    return np.flatnonzero(~same)
