"""Voting: give the clusters of all partitions common names, then count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._lib.arrays import FloatArray, LabelArray, Seed, as_int, divide, generator
from .._lib.memory import require
from ..cutting.mending import read_labels
from ..errors import DegenerateWarning, InputError, named_failure, warn
from ..graphs.coassociation import coassociation
from ..graphs.counts import asked_details
from ..labels.ensemble import Ensemble
from ..measures.matching import choose, correspondences, match, numbered, shared_with
from ..result.consensus import Consensus
from ..trees import link
from ..trees.dendrogram import Dendrogram
from .contract import alias, consensus_function
from .method import Cost
from .outcome import Outcome, required
from .pam import medoids
from .rows import Majority, Objects
from .standard_form import Standard, signed, standard
from .vote_tables import arranged, ballots, cast, cast_one, winners


@consensus_function(
    family="voting",
    graph="label matching",
    needs_k=False,
    membership="vote shares",
    missing="an absent object casts no vote",
    cost=Cost("nBk", "medoid O(nB²), with 500·B instead of B² beyond half a billion steps"),
    reference="Dudoit and Fridlyand 2003; Yang 2017",
    per_object=("reference",),
    scalable=True,
)
def vote(objects: Objects, k: int | None = None, *, reference: int | str | ArrayLike | None = None) -> Outcome:
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
        ``membership`` has the shares of votes. ``details``: "asked", the number of partitions that the medoid was
        compared with, if not all.

    Notes
    -----
    An object without any vote (because its clusters share no object with the reference) follows the objects it shares
    clusters with. O(nBk) time, O(nk) memory; the medoid takes O(nB²), or O(nB) if there are so many partitions that a
    sample is used.

    References
    ----------
    Yang, Temporal data mining via unsupervised ensemble learning, 2017, section 4.5.1.3.

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
    found = _vote(objects.ensemble, k, reference)
    details = asked_details(objects.ensemble) if isinstance(reference, str) else {}
    return replace(found, rule=lambda: _majority(objects, k, reference), details={**found.details, **details})


bagclust1: Callable[..., Consensus] = alias(
    "bagclust1",
    vote,
    "Combine bootstrap clusterings by voting, with clusters matched to a clustering of all objects.",
    facts={
        "reference": "Dudoit and Fridlyand 2003",
        "cost": Cost("nBk"),
        "missing": "an object not drawn into a sample casts no vote",
    },
    reference=0,
)


@consensus_function(
    family="voting",
    graph="co-association",
    missing="similarity over samples that drew both objects",
    cost=Cost("ñ²B"),
    reference="Dudoit and Fridlyand 2003",
)
def bagclust2(
    e: Ensemble, k: int | None = None, *, clustering: str | Callable[[FloatArray, int], ArrayLike] = "average"
) -> Outcome:
    """Cluster the dissimilarity 1 − (times together) / (times drawn together) of bootstrap clusterings.

    Parameters
    ----------
    labels
        The bootstrap clusterings: an Ensemble, or anything that Ensemble accepts.
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

    References
    ----------
    Dudoit and Fridlyand, Bagging to improve the accuracy of a clustering procedure, Bioinformatics 19, 2003.

    Examples
    --------
    >>> import graphens as ge
    >>> ge.bagclust2(
    ...     [[0, 1, 1], [0, 1, -1], [-1, 0, 0], [1, 0, 0]], 2, clustering="pam"
    ... ).labels.tolist()
    [0, 0, 1, 1]
    """
    graph, k = coassociation(e), required(k)
    if callable(clustering):
        source = "The function given as clustering"
        with named_failure(source):
            found = clustering(_distances(e), k)
        return Outcome(read_labels(found, e.n_objects, "objects", source), graph=graph)
    s = standard(e)
    if clustering == "pam":
        return s.outcome(medoids(_distances(s.ensemble), s.ensemble.object_weights, k), graph=graph)
    rows = link(coassociation(s.ensemble), clustering)
    tree = Dendrogram(rows.merges, leaf_weights=rows.leaf_weights, index=s.index, names=graph.names)
    return Outcome(tree.cut(k), graph=graph, dendrogram=tree)


@consensus_function(
    family="voting",
    graph="label matching",
    membership="assignment probabilities",
    missing="an absent object keeps its probabilities",
    cost=Cost("nBk"),
    reference="Fischer and Buhmann 2003",
)
def mlmap(e: Ensemble, k: int | None = None, *, order: str = "given", seed: Seed = None) -> Outcome:
    """Maximum-likelihood mapping: match every partition to the combined result of the partitions before it.

    p_i(ν) is the share of the mapped partitions so far in which object i has label ν. The labels of the next partition
    are mapped one to one so that Σ_i p_i(π(c(i))) is largest (Hungarian method), and the partition is added to the
    shares. No partition is a fixed reference. In the end, object i gets argmax_ν p_i(ν), and p_i is its membership.

    Parameters
    ----------
    labels
        An Ensemble, or anything that Ensemble accepts; usually clusterings of bootstrap samples, such as those of
        `path_based`.
    k
        Number of labels; by default, the largest number of clusters in a partition. If the first partition has more,
        its clusters are merged by mean co-association; clusters of later partitions without a free label get the most
        likely one.
    order
        ``"given"``, ``"shuffled"`` by the seed, or ``"most"`` clusters first.
    seed
        Seed of the shuffle.

    Returns
    -------
    Consensus
        ``membership`` has the assignment probabilities p_i; ``details`` is empty.

    Notes
    -----
    Equal partitions count as one partition with their total weight. O(nBk) time, O(nk) memory.

    References
    ----------
    Fischer and Buhmann, Bagging for path-based clustering, IEEE TPAMI 25(11), 2003.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions([[0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 1, -1]])
    >>> r = ge.mlmap(e, 2)
    >>> r.labels.tolist(), r.membership.max(axis=1).round(2).tolist()
    ([0, 0, 1, 1], [1.0, 0.67, 1.0, 1.0])
    """
    s = standard(e)
    e, k = s.ensemble, required(k)
    scores = ballots(e.n_objects, k)
    for step, t in enumerate(arranged(e, order, generator(seed))):
        _map(e, int(t), scores, first=step == 0)
    return s.outcome(*winners(e, scores))


def _map(e: Ensemble, t: int, scores: FloatArray, *, first: bool) -> None:
    """Map the labels of partition t to the votes so far, and add its own votes."""
    from ..kernels.counting import column_sums

    row, size, k = e.codes[t], int(e.n_clusters[t]), scores.shape[1]
    if first:
        table = np.eye(size, k) if size <= k else correspondences(shared_with(e, signed(row), size), e.weights, k)[t]
    else:
        total = scores.sum(axis=1)
        share = divide(e.object_weights, total)
        likelihood = column_sums(row, e.absent, size, scores, False, share)
        table = match(likelihood, free=scores.max(axis=0) == 0)
    cast_one(e, t, table, scores)


def _vote(e: Ensemble, k: int | None, reference: Any) -> Outcome:
    s, row, size = _reference(e, k, reference)
    if k is not None and size < k:
        warn(
            f"k = {k} was requested, but the reference has {size} clusters, and a vote cannot produce more.",
            DegenerateWarning,
        )
    every = correspondences(shared_with(s.ensemble, row, size), s.ensemble.weights, k)
    scores = cast(s.ensemble, every, ballots(s.ensemble.n_objects, every[0].shape[1]))
    decided = winners(s.ensemble, scores, row if size <= every[0].shape[1] else None)
    return s.outcome(*decided, k_from="the reference")


def _majority(objects: Objects, k: int | None, reference: Any) -> Majority:
    """The rule of a vote, from the overlaps of all pairs of clusters; columns in the order of `standard`."""
    e, sizes, shared = objects.clusters, objects.sizes(), objects.overlaps()
    if np.ndim(reference) > 0:
        raise InputError("A label vector was given as reference; expected the number of a partition, or a name.")
    named = isinstance(reference, str)
    t = choose(e, e.n_clusters, k, reference, objects.nmi()) if named else reference
    t = as_int("reference", t, -e.n_partitions, e.n_partitions - 1) % e.n_partitions
    own = slice(int(e.offsets[t]), int(e.offsets[t + 1]))
    with_own = sparse.csr_array(shared + sparse.diags_array(sizes))[:, own].toarray()
    order = np.argsort(-objects.largest_degrees(t), kind="stable")
    every = correspondences(np.split(with_own[:, order], e.offsets[1:-1]), e.weights, k)
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
    named = isinstance(reference, str)
    t = choose(s.ensemble, s.ensemble.n_clusters, k, reference) if named else numbered(reference, s.origin)
    return s, signed(s.ensemble.codes[t]), int(s.ensemble.n_clusters[t])


def _distances(e: Ensemble) -> FloatArray:
    """1 − co-association as an explicit matrix, 0 on the diagonal."""
    require(24.0 * e.n_objects**2, f"The dissimilarities of {e.n_objects} objects", 'Use clustering="average"')
    apart = 1.0 - coassociation(e).to_scipy().toarray()
    np.fill_diagonal(apart, 0.0)
    return apart
