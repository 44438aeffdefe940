"""Voting: give the clusters of all partitions common names, then count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, LabelArray, Seed, divide, generator, one_of
from .._lib.memory import require
from ..cutting.mending import read_labels
from ..errors import DegenerateWarning, InputError, named_failure, warn
from ..graphs.bipartite import join_clusters
from ..graphs.coassociation import coassociation
from ..graphs.counts import sample_details
from ..labels.encoding import labels_of_codes
from ..labels.ensemble import Ensemble
from ..labels.inputs import strongest_columns
from ..labels.names import Names
from ..labels.value import Lazy
from ..measures.matching import correspondences, match_clusters, overlaps_with, reference_partition
from ..result.consensus import Consensus
from ..trees import link
from ..trees.dendrogram import Dendrogram
from .contract import alias, consensus_function
from .outcome import Outcome, Sketch, required
from .rows import Majority, Rows
from .standard_form import Standard, standard
from .vote_tables import arrange, ballots, cast_one, count_votes

MATCHES = "label matching"  # the kind of graph between clusters and those of a reference


@consensus_function(
    family="voting",
    graph=MATCHES,
    needs_k=False,
    membership="vote shares",
    missing="an absent object casts no vote",
    cost="O(nBk), medoid O(nB²), with 500·B instead of B² beyond half a billion steps",
    reference="Dudoit and Fridlyand 2003; Yang 2017",
    per_object=("reference",),
    scalable=True,
)
def vote(rows: Rows, k: int | None = None, *, reference: int | str | ArrayLike | None = None) -> Outcome:
    """Match the clusters of every partition to a reference, and assign every object by majority vote.

    Clusters are matched one to one for the largest total overlap Σ |c ∩ C| (Hungarian method); if a partition has more
    clusters than the reference, the remaining ones are matched to the cluster they overlap most. Object i gets argmax_C
    Σ_t w_t [its cluster in t is matched to C], and its membership is its share of votes. Ties go to the reference's own
    label, then to the cluster that comes first, large ones before small ones.

    Parameters
    ----------
    k
        Number of clusters; by default, that of the reference. If the reference has more, its clusters are merged by
        average linkage of their mean co-association. If no partition has that many clusters, the result has fewer, with
        a warning.
    reference
        Number of a partition, ``"medoid"`` (largest mean NMI with all; the default), ``"most"`` (most clusters) or a
        separate label vector, which defines the clusters but does not vote. If k is given, ``"medoid"`` and ``"most"``
        prefer partitions with exactly k clusters.

    Returns
    -------
    Consensus
        ``membership`` has the shares of votes. ``graph`` has the overlaps of all clusters with those of the reference;
        a match without overlap is no edge. ``details``: "matched", for every edge in ``graph.edges()`` whether it was
        chosen; "sampled_partitions", the number of partitions that the medoid was compared with, if not all.

    Notes
    -----
    An object without any vote (because its clusters share no object with the reference) follows the objects it shares
    clusters with. O(nBk) time, O(nk) memory; the medoid takes O(nB²), or O(nB) if there are so many partitions that a
    sample is used.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions(
    ...     [[1, 1, 1, 2, 2, 3, 3], [2, 2, 2, 3, 3, 1, 1], [3, 3, 2, 2, 1, 1, 1]]
    ... )
    >>> r = ge.vote(e, reference=0)
    >>> r.labels.tolist(), r.membership.max(axis=1).round(2).tolist()
    ([0, 0, 0, 1, 1, 2, 2], [1.0, 1.0, 0.67, 1.0, 0.67, 1.0, 1.0])
    """
    reference = "medoid" if reference is None else reference
    outcome = _vote(rows.sample, k, reference)
    details = sample_details(rows.sample) if isinstance(reference, str) else {}
    return replace(outcome, rule=lambda: _majority(rows, k, reference), details={**outcome.details, **details})


bagclust1: Callable[..., Consensus] = alias(
    "bagclust1",
    vote,
    "Combine bootstrap clusterings by voting, with clusters matched to a clustering of all objects.",
    facts={
        "reference": "Dudoit and Fridlyand 2003",
        "cost": "O(nBk)",
        "missing": "an object not drawn into a sample casts no vote",
    },
    reference=0,
)


@consensus_function(
    family="voting",
    graph="co-association",
    missing="similarity over samples that drew both objects",
    cost="O(ñ²B)",
    reference="Dudoit and Fridlyand 2003",
)
def bagclust2(
    e: Ensemble, k: int | None = None, *, clustering: str | Callable[[FloatArray, int], ArrayLike] = "average"
) -> Outcome:
    """Cluster the dissimilarity 1 − (times together) / (times drawn together) of bootstrap clusterings.

    Parameters
    ----------
    clustering
        ``"average"``, ``"single"`` or ``"complete"`` linkage cut at k; ``"pam"``, the k-medoids of the paper; or a
        function of the n × n dissimilarities and k that returns a label for each object.

    Returns
    -------
    Consensus
        With the co-association graph, and a dendrogram if a linkage was chosen; ``details`` is empty.

    Notes
    -----
    Linkages work on the ñ distinct label rows: O(ñ²B) time. k-medoids needs the ñ × ñ matrix, and your own function
    needs the n × n matrix; both are compared with the memory budget first.
    """
    graph, k = coassociation(e), required(k)
    # Functions see the objects as they were given; built-in links see them in standard form, so that neither names
    # nor orders matter.
    if callable(clustering):
        source = "The function given as clustering"
        with named_failure(source):
            labels = clustering(_distances(e), k)
        return Outcome(read_labels(labels, e.n_objects, "objects", source), graph=graph)
    s = standard(e)
    if clustering == "pam":
        return s.outcome(medoids(_distances(s.ensemble), s.ensemble.object_weights, k), graph=graph)
    rows = link(coassociation(s.ensemble), clustering)
    tree = Dendrogram(rows.merges, leaf_weights=rows.leaf_weights, index=s.index, names=graph.names)
    return Outcome(tree.cut(k), graph=graph, dendrogram=tree)


@consensus_function(
    family="voting",
    graph=MATCHES,
    membership="assignment probabilities",
    missing="an absent object keeps its probabilities",
    cost="O(nBk)",
    reference="Fischer and Buhmann 2003",
)
def mlmap(e: Ensemble, k: int | None = None, *, order: str = "given", seed: Seed = None) -> Outcome:
    """Maximum-likelihood mapping: match every partition to the combined result of the partitions before it.

    p_i(ν) is the share of the mapped partitions so far in which object i has label ν. The labels of the next partition
    are mapped one to one so that Σ_i p_i(π(c(i))) is largest (Hungarian method), and the partition is added to the
    shares. No partition is a fixed reference. In the end, object i gets argmax_ν p_i(ν), and p_i is its membership.

    Parameters
    ----------
    k
        Number of labels; by default, the largest number of clusters in a partition. If the first partition has more,
        its clusters are merged by mean co-association; clusters of later partitions without a free label get the most
        likely one.

    Returns
    -------
    Consensus
        ``membership`` has the assignment probabilities p_i. The edges of ``graph`` join every cluster to the labels:
        Σ_i p_i(ν) over its objects when it was mapped, or its size for a new label. ``details``: "matched", for every
        edge in ``graph.edges()`` whether it was chosen.

    Notes
    -----
    Equal partitions count as one partition with their total weight. O(nBk) time, O(nk) memory.
    """
    s, k = standard(e), required(k)
    turns = arrange(s.ensemble, order, generator(seed))
    scores = ballots(s.ensemble.n_objects, k)
    maps = [_map(s.ensemble, int(t), scores, first=step == 0) for step, t in enumerate(turns)]
    steps = [maps[place] for place in np.argsort(turns)]
    labels, shares = count_votes(s.ensemble, scores)
    return s.outcome(labels, shares, **_matching(partial(s.join, e, labels), lambda: zip(*steps, strict=True)))


def _map(e: Ensemble, t: int, scores: FloatArray, *, first: bool) -> tuple[FloatArray, FloatArray]:
    """Map the labels of partition t to the votes so far, and add its own votes.

    Returns the likelihoods of its clusters, which are their sizes for labels that are new, and the table of matches.
    """
    from ..kernels.counting import column_sums

    row, size, k = e.codes[t], int(e.n_clusters[t]), scores.shape[1]
    new = scores.max(axis=0) == 0
    if first and size > k:
        blocks, tables = correspondences(overlaps_with(e, labels_of_codes(row), size), e.weights, k)
        likelihood, table = blocks[t], tables[t]
    else:
        # The likelihood of a name for a cluster: the share of the votes for it so far, over the members. Names that
        # nobody has yet may go to any cluster.
        share = divide(e.object_weights, scores.sum(axis=1))
        likelihood = column_sums(row, e.absent, size, scores, False, share)
        table = np.eye(size, k) if first else match_clusters(likelihood, free=new)
        likelihood = likelihood + table * new * e.cluster_sizes()[e.offsets[t] : e.offsets[t + 1], None]
    cast_one(e, t, table, scores)
    return likelihood, table


def _vote(e: Ensemble, k: int | None, reference: Any, rule: str = "linear") -> Outcome:
    """Match every partition to the reference, and combine the votes of its clusters by a rule."""
    s, row, size = _reference(e, k, reference)
    if k is not None and size < k:
        warn(
            f"k = {k} was requested, but the reference has {size} clusters, and a vote cannot produce more.",
            DegenerateWarning,
        )

    def tables() -> tuple[list[FloatArray], list[FloatArray]]:
        return correspondences(overlaps_with(s.ensemble, row, size), s.ensemble.weights, k)

    every, (add, finish) = tables()[1], RULES[rule]
    # A cluster that shares no object with the reference has no name, and its members no vote.
    votes = [np.where(table.any(axis=1, keepdims=True), add(table), 0.0) for table in every]
    scores = ballots(s.ensemble.n_objects, every[0].shape[1])
    for t, table in enumerate(votes):
        cast_one(s.ensemble, t, table, scores)
    favored = row if size <= scores.shape[1] else None
    labels, shares = count_votes(s.ensemble, _finish(scores, s.mean_one(), finish), favored)
    graph = _matching(partial(s.join, e, labels), tables)
    return s.outcome(labels, shares, k_from="the reference", **graph)


def _matching(join: Callable[..., Sketch], tables: Callable[[], Iterable[Sequence[FloatArray]]]) -> dict[str, Any]:
    """The graph between clusters and those of a reference, and in ``details`` which of its edges were chosen.

    `tables` returns for every partition the weights of the edges, and the matches.
    """

    def graph() -> Sketch:
        weights, matches = map(np.concatenate, tables())
        return join(weights, "reference", MATCHES, matches)

    def matched() -> AnyArray | None:
        seen: Any = lazy()[0]
        return seen._chosen(*seen.edges()[:2])

    lazy = Lazy(graph)
    return {"graph": lazy, "details": {"matched": Lazy(matched)}}


def _majority(rows: Rows, k: int | None, reference: Any) -> Majority:
    """The rule of a vote, from the overlaps of all pairs of clusters; columns in the order of `standard`."""
    e, sizes, shared = rows.all_clusters, rows.sizes(), rows.overlaps()
    if np.ndim(reference) > 0:
        raise InputError("A label vector was given as reference; expected the number of a partition, or a name.")
    t = reference_partition(e, e.n_clusters, k, reference, np.arange(e.n_partitions), rows.nmi)
    columns = slice(int(e.offsets[t]), int(e.offsets[t + 1]))
    # The overlaps of all clusters with those of the reference, the reference with itself included. `standard`
    # numbers clusters by their objects of largest degree, so columns are put in that order: ties then end alike.
    with_own = sparse.csr_array(shared + sparse.diags_array(sizes))[:, columns].toarray()
    order = np.argsort(-rows.largest_degrees(t), kind="stable")
    every = correspondences(np.split(with_own[:, order], e.offsets[1:-1]), e.weights, k)[1]
    table = np.concatenate([w * one for w, one in zip(e.weights, every, strict=True)])
    favored = np.argsort(order).astype(np.int32) if len(order) <= table.shape[1] else np.empty(0, np.int32)
    return Majority(table, favored, t)


def _reference(e: Ensemble, k: int | None, reference: Any) -> tuple[Standard, LabelArray, int]:
    """The standard form, the label of each of its rows in the reference, and how many labels there are."""
    if np.ndim(reference) > 0:
        s = standard(e, beside=reference)
        assert s.beside is not None
        return s, s.beside, int(s.beside.max(initial=0)) + 1
    s = standard(e)
    t = reference_partition(s.ensemble, s.ensemble.n_clusters, k, reference, s.origin)
    return s, labels_of_codes(s.ensemble.codes[t]), int(s.ensemble.n_clusters[t])


def _distances(e: Ensemble) -> FloatArray:
    """1 − co-association as an explicit matrix, 0 on the diagonal."""
    require(24.0 * e.n_objects**2, f"The dissimilarities of {e.n_objects} objects", 'Use clustering="average"')
    apart = 1.0 - coassociation(e).to_scipy().toarray()
    np.fill_diagonal(apart, 0.0)
    return apart


_FLOOR = 1e-12  # a membership of 0 in one partition must not decide alone


def _log(p: FloatArray) -> FloatArray:
    return np.log(np.maximum(p, _FLOOR))


def _same(scores: FloatArray, scale: float = 1.0) -> FloatArray:
    return scores


#: what a partition's probabilities add to the scores, and what the scores, scaled to weights of mean 1, are in the end
RULES: dict[str, tuple[Callable[[FloatArray], FloatArray], Callable[[FloatArray, float], FloatArray]]] = {
    "linear": (_same, _same),
    "product": (_log, lambda scores, scale: np.exp(scale * (scores - scores.max(axis=1, keepdims=True)))),
    "majority": (lambda p: np.where(strongest_columns(p)[:, None] == np.arange(p.shape[1]), 1.0, 0.0), _same),
}


@consensus_function(
    family="voting",
    graph=MATCHES,
    needs_k=False,
    membership="combined memberships",
    missing="an absent object adds nothing",
    cost="O(nBk²)",
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
        ``membership`` are the combined memberships. ``graph`` has the overlaps Σ_i p_t(a | i) p_ref(b | i), and
        ``details`` "matched", for every edge in ``graph.edges()`` whether it was chosen.

    Notes
    -----
    Linear suits partitions of similar data, and product suits partitions from independent features. O(nBk²) time for
    tables with k columns, O(nk) memory beyond them; hard partitions O(nBk).

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
        return _vote(e, k, reference, rule)
    if e.memberships is None:
        e = e._replace(memberships=_by_name(e))
    return _soft(e.take(partitions=e.weights > 0), k, rule, _place(e, k, reference), align=align)


def _place(e: Ensemble, k: int | None, reference: Any) -> int:
    """Position of the reference among the partitions that count."""
    # Partitions without weight do not take part, but the reference is counted among all.
    alive = np.where(e.weights > 0, np.cumsum(e.weights > 0) - 1, -1)
    counted = e.take(partitions=e.weights > 0)
    sizes = np.array([table.shape[1] for table in counted.memberships or ()])
    return reference_partition(counted, sizes, k, reference, alive)


def _soft(e: Ensemble, k: int | None, rule: str, t: int, *, align: bool) -> Outcome:
    soft = e.memberships or ()
    widths = sorted({table.shape[1] for table in soft})
    if not align and len(widths) > 1:
        raise InputError(
            f"align=False was given for partitions with {', '.join(map(str, widths))} clusters; expected the "
            "same columns in every partition. Use align=True."
        )

    def tables() -> tuple[list[FloatArray], list[FloatArray]]:
        """For the clusters of every partition the overlaps with those of the reference, and the matches."""
        blocks = [table.T @ (e.object_weights[:, None] * soft[t]) for table in soft]
        return correspondences(blocks, e.weights, k) if align else (blocks, [np.eye(widths[0]) for _ in blocks])

    every, (add, finish) = tables()[1], RULES[rule]
    scores = ballots(e.n_objects, every[0].shape[1])
    for table, names, weight in zip(soft, every, e.weights, strict=True):
        renamed = table @ names
        there = renamed.any(axis=1)
        scores[there] += weight * add(renamed[there])
    favored = strongest_columns(soft[t]) if soft[t].shape[1] <= scores.shape[1] else None
    labels, shares = count_votes(e, _finish(scores, 1 / e.weights.mean(), finish), favored)

    def join(table: FloatArray, *how: Any) -> Sketch:
        names = [f"{name}:{j}" for name, one in zip(e.partition_names, soft, strict=True) for j in range(one.shape[1])]
        sizes = np.concatenate([e.object_weights @ one for one in soft])
        others = np.bincount(labels, e.object_weights, table.shape[1])
        return join_clusters(Names.given(names, len(names)), sizes, table, others, *how)

    return Outcome(labels, shares, k_from="the reference", **_matching(join, tables))


def _finish(scores: FloatArray, scale: float, finish: Callable[[FloatArray, float], FloatArray]) -> FloatArray:
    """What the scores are in the end; an object without any score keeps its zeros."""
    voted = scores.any(axis=1)
    scores[voted] = finish(scores[voted], scale)
    return scores


def _by_name(e: Ensemble) -> tuple[FloatArray, ...]:
    """Hard partitions as tables of 0 and 1 with a column for every label that any of them uses."""
    names = np.unique(np.concatenate(e.categories))
    require(8.0 * e.codes.size * len(names), "Hard partitions as tables", "Use align=True, or vote()")
    tables = []
    for row, labels in zip(e.codes, e.categories, strict=True):
        table = np.zeros((e.n_objects, len(names)))
        there = np.flatnonzero(row != e.absent)
        table[there, np.searchsorted(names, labels.astype(names.dtype))[row[there]]] = 1.0
        tables.append(table)
    return tuple(tables)


def medoids(distances: FloatArray, weights: FloatArray, k: int) -> LabelArray:
    """Partition weighted points around k medoids: greedy build, then the best swap until none helps.

    O(n²k) to build, O(n²) per round of swaps for all candidates at once, as in FastPAM. Fewer than k distinct
    points give fewer clusters.

    References
    ----------
    Kaufman and Rousseeuw, Finding groups in data, 1990. Schubert and Rousseeuw, Faster k-medoids clustering, 2019.
    """
    centers = _build(distances, weights, k)
    cost = np.inf
    while True:
        to = distances[:, centers]
        now = float(weights @ to.min(axis=1))
        if len(centers) == len(distances) or now >= cost - 1e-12 * weights.sum():
            return to.argmin(axis=1).astype(np.int32)
        cost = now
        # One exchange of a medoid at a time, the best of all, until none lowers the cost.
        change, out = _swaps(distances, weights, to)
        change[centers] = np.inf
        best = int(np.argmin(change))
        if change[best] < -1e-12 * weights.sum():
            centers[out[best]] = best


def _build(distances: FloatArray, weights: FloatArray, k: int) -> list[int]:
    """Add the medoid that lowers the cost most, k times or until no point is left outside."""
    nearest = np.full(len(distances), np.inf)
    centers: list[int] = []
    for _ in range(min(k, len(distances))):
        cost = weights @ np.minimum(nearest[:, None], distances)
        cost[centers] = np.inf
        centers.append(int(np.argmin(cost)))
        nearest = np.minimum(nearest, distances[:, centers[-1]])
    return centers


def _swaps(distances: FloatArray, weights: FloatArray, to: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For every candidate, the change of cost if it replaces the best medoid to give up, and which medoid that is."""
    k = to.shape[1]
    order = np.argsort(to, axis=1)
    first = to[np.arange(len(to)), order[:, 0]]
    second = to[np.arange(len(to)), order[:, 1]] if k > 1 else np.full(len(to), np.inf)
    # After a swap every point is with the candidate, its own medoid or, if that is given up, its second one (the
    # sums of FastPAM: O(n²) for all swaps together instead of O(n²k)).
    gain = weights @ np.minimum(distances - first[:, None], 0.0)  # points that move to the candidate anyway
    change = np.empty((k, len(distances)))
    for j in range(k):  # the members of j need the candidate or their second medoid
        inside = order[:, 0] == j
        near = distances[inside]
        lost = (
            np.minimum(near, second[inside, None]) - first[inside, None] - np.minimum(near - first[inside, None], 0.0)
        )
        change[j] = gain + weights[inside] @ lost
    return change.min(axis=0), change.argmin(axis=0)
