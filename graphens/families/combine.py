"""Combining soft memberships: linear, product and majority."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._lib.arrays import FloatArray, one_of
from .._lib.memory import require
from ..errors import InputError
from ..labels.ensemble import Ensemble
from ..labels.inputs import strongest
from ..measures.matching import choose, correspondences, numbered, shared_with
from .contract import consensus_function
from .method import Cost
from .outcome import Outcome
from .standard_form import signed, standard
from .vote_tables import ballots, cast, winners

_FLOOR = 1e-12  # a membership of 0 in one partition must not decide alone


def _log(p: FloatArray) -> FloatArray:
    return np.log(np.maximum(p, _FLOOR))


def _one(p: FloatArray) -> FloatArray:
    best = strongest(p)
    return np.where(best[:, None] == np.arange(p.shape[1]), 1.0, 0.0)


def _shares(scores: FloatArray) -> FloatArray:
    return scores


def _exponentials(scores: FloatArray) -> FloatArray:
    return np.exp(scores - scores.max(axis=1, keepdims=True))


#: what a partition's probabilities add to the scores, and what the scores are in the end
RULES: dict[str, tuple[Callable[[FloatArray], FloatArray], Callable[[FloatArray], FloatArray]]] = {
    "linear": (_shares, _shares),
    "product": (_log, _exponentials),
    "majority": (_one, _shares),
}


@consensus_function(
    family="voting",
    graph="label matching",
    needs_k=False,
    membership="combined memberships",
    missing="an absent object adds nothing",
    cost=Cost("nBk²"),
    reference="Brown 2009; Yang 2017",
)
def combine(
    e: Ensemble, k: int | None = None, *, rule: str = "linear", reference: int | str = "medoid", align: bool = True
) -> Outcome:
    """Combine soft partitions: the mean, the product or the majority of the memberships p_t(y | x).

    Linear: p = Σ_t w_t p_t / Σ_t w_t. Product: p ∝ Π_t p_t^w_t, with weights of mean 1, where memberships below 1e-12
    count as 1e-12. Majority: p is the weighted share of the partitions in which the cluster is the strongest one. Sums
    and products run over the partitions that have the object.

    Parameters
    ----------
    labels
        A list of memberships, one table n_objects × n_clusters per partition (with rows of zeros or NaN for absent
        objects), or an Ensemble; hard partitions count as memberships of 0 and 1.
    k
        Number of clusters; by default, that of the reference. If the reference has more, its clusters are merged.
    rule
        ``"linear"``, ``"product"`` or ``"majority"``.
    reference
        Partition whose clusters the others are matched to: its number, ``"medoid"`` (largest mean NMI of the strongest
        clusters) or ``"most"`` (most clusters).
    align
        Whether to match clusters, by the Hungarian method on Σ_i p_t(a | i) p_ref(b | i). Use ``False`` if column j, or
        the same label of hard partitions, means the same cluster in every partition.

    Returns
    -------
    Consensus
        ``membership`` are the combined memberships; ``details`` is empty.

    Notes
    -----
    Linear suits partitions of similar data, and product suits partitions from independent features. O(nBk²) time for
    tables with k columns, O(nk) memory beyond them; hard partitions O(nBk).

    References
    ----------
    Yang, Temporal data mining via unsupervised ensemble learning, 2017, section 4.3.

    Examples
    --------
    >>> import graphens as ge
    >>> r = ge.combine(
    ...     [[[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]], [[0.3, 0.7], [0.9, 0.1], [1, 0]]]
    ... )
    >>> r.labels.tolist(), r.membership.round(2).tolist()
    ([0, 1, 1], [[0.8, 0.2], [0.35, 0.65], [0.1, 0.9]])
    """
    one_of("rule", rule, RULES)
    if e.memberships is None and align:
        return _hard(e, k, rule, reference)
    if e.memberships is None:
        e = e._replace(memberships=_by_name(e))
    return _soft(e.take(partitions=e.weights > 0), k, rule, _place(e, k, reference), align=align)


def _place(e: Ensemble, k: int | None, reference: Any) -> int:
    """Position of the reference among the partitions that count."""
    alive = np.where(e.weights > 0, np.cumsum(e.weights > 0) - 1, -1)
    if not isinstance(reference, str):
        return numbered(reference, alive)
    kept = e.take(partitions=e.weights > 0)
    return choose(kept, np.array([table.shape[1] for table in kept.memberships or ()]), k, reference)


def _soft(e: Ensemble, k: int | None, rule: str, t: int, *, align: bool) -> Outcome:
    soft = e.memberships or ()
    every = _aligned([table.T @ (e.object_weights[:, None] * soft[t]) for table in soft], e, k, align=align)
    add, finish = RULES[rule]
    scores = ballots(e.n_objects, every[0].shape[1])
    for table, names, weight in zip(soft, every, e.weights, strict=True):
        renamed = table @ names
        there = renamed.any(axis=1)
        scores[there] += weight * add(renamed[there])
    own = strongest(soft[t]) if soft[t].shape[1] <= scores.shape[1] else None
    return Outcome(*winners(e, _finished(scores / e.weights.mean(), finish), own), k_from="the reference")


def _finished(scores: FloatArray, finish: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """What the scores, with weights of mean 1, are in the end; an object without any score keeps its zeros."""
    done = scores.any(axis=1)
    scores[done] = finish(scores[done])
    return scores


def _by_name(e: Ensemble) -> tuple[FloatArray, ...]:
    """Hard partitions as tables of 0 and 1 with a column for every label that any of them uses."""
    names = np.unique(np.concatenate(e.categories))
    require(8.0 * e.codes.size * len(names), "Hard partitions as tables", "Use align=True, or vote()")
    found = []
    for row, labels in zip(e.codes, e.categories, strict=True):
        table = np.zeros((e.n_objects, len(names)))
        there = np.flatnonzero(row != e.absent)
        table[there, np.searchsorted(names, labels.astype(names.dtype))[row[there]]] = 1.0
        found.append(table)
    return tuple(found)


def _hard(e: Ensemble, k: int | None, rule: str, reference: Any) -> Outcome:
    s = standard(e)
    add, finish = RULES[rule]
    named = isinstance(reference, str)
    t = choose(s.ensemble, s.ensemble.n_clusters, k, reference) if named else numbered(reference, s.origin)
    row, size = signed(s.ensemble.codes[t]), int(s.ensemble.n_clusters[t])
    every = _aligned(shared_with(s.ensemble, row, size), s.ensemble, k, align=True)
    votes = [np.where(names.any(axis=1, keepdims=True), add(names), 0.0) for names in every]
    scores = cast(s.ensemble, votes, ballots(s.ensemble.n_objects, every[0].shape[1]))
    merged = size > every[0].shape[1]
    decided = winners(s.ensemble, _finished(scores * s.mean_one(), finish), None if merged else row)
    return s.outcome(*decided, k_from="the reference")


def _aligned(blocks: list[FloatArray], e: Ensemble, k: int | None, *, align: bool) -> list[FloatArray]:
    """For each cluster of every partition, the matching cluster of the result."""
    if align:
        return correspondences(blocks, e.weights, k)
    widths = sorted({len(block) for block in blocks})
    if len(widths) > 1:
        raise InputError(
            f"align=False was given for partitions with {', '.join(map(str, widths))} clusters; expected the "
            "same columns in every partition. Use align=True."
        )
    return [np.eye(widths[0]) for _ in blocks]
