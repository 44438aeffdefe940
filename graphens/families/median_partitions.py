"""Median partitions by mutual information: the best of a panel, improved object by object; and fused agreement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, Seed, as_int, as_labels, canonical, generator, one_of
from ..graphs.coassociation import coassociation
from ..labels.ensemble import Ensemble
from ..measures.agreement import NORMS, agreements, score
from ..trees import link
from ..trees.agglomerate import ties_by_mean
from .contract import consensus_function
from .method import Cost
from .move_counts import Counts, base_clusters, information
from .outcome import Outcome, cut_tree, required
from .policy import POLICY
from .standard_form import standard
from .trials import compete


@consensus_function(
    family="median partition",
    graph="that of the winning method",
    missing="like the methods of the panel",
    cost=Cost("", "that of all methods of the panel"),
    reference="Strehl and Ghosh 2002",
    membership="the winner's",
)
def supra(
    e: Ensemble,
    k: int | None = None,
    *,
    methods: Sequence[str] = POLICY.starts,
    by: str = "anmi",
    average: str = "geometric",
    seed: Seed = None,
) -> Outcome:
    """Run several consensus methods and keep the partition that shares the most information with the ensemble.

    The winner maximizes Σ_t NMI(P, P_t) with the geometric mean as norm (ANMI); ties go to the earlier method.

    Parameters
    ----------
    k
        Number of clusters; by default, the largest k_t. Results with more clusters do not compete, and those with fewer
        compete only if none has k.
    by
        Criterion: ``"anmi"``; ``"silhouette"`` for `measures.reliable_silhouette`, which does not prefer clusters of
        equal size; ``"both"`` for its sum with `measures.path_silhouette`, which detects clusters that are cut in two;
        or ``"fit"`` for ANMI × (1 + path silhouette).
    average
        What the mutual information is divided by with ``by="anmi"``: the ``"geometric"``, ``"arithmetic"``, ``"min"``
        or ``"max"`` of the two entropies, their ``"joint"`` entropy, or ``"log"`` for (log k_a + log k_b) / 2.
    seed
        Seed for every method.

    Returns
    -------
    Consensus
        The result of the winner, with its graph and dendrogram. ``details``: "winner", its name, and "tried", every
        method with its k, score, seconds, and warnings or error.

    References
    ----------
    Strehl and Ghosh, Cluster ensembles: a knowledge reuse framework, 2002.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble(
    ...     [[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]]
    ... )
    >>> ge.supra(e, 3, seed=0).labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
    best, tried = compete(methods, e, k, seed, by, one_of("average", average, NORMS))
    return Outcome(
        best.labels,
        membership=best.membership if best.models_membership else None,
        graph=best.graph,
        dendrogram=best.dendrogram,
        index=best.vertices,
        vertex_labels=best.vertex_labels,
        tree_of_clusters=best.tree_of_clusters,
        details={"winner": best.method, "tried": [t.row() for t in tried]},
    )


@consensus_function(
    family="median partition",
    graph="count tables",
    missing="an absent object does not count in that partition's table",
    cost=Cost("ñkB", "and the cost of the start", per="sweep"),
    reference="Strehl and Ghosh 2002",
    per_object=("start",),
)
def greedy(
    e: Ensemble,
    k: int | None = None,
    *,
    start: Any = None,
    methods: Sequence[str] = POLICY.starts,
    average: str = "geometric",
    sweeps: int = 100,
    seed: Seed = None,
) -> Outcome:
    """Move single objects to the label that raises the average NMI most, until a sweep changes nothing.

    The contingency tables with all partitions are kept up to date, so one trial costs O(B). Every move raises ANMI, so
    the result never scores below its start.

    Parameters
    ----------
    k
        Number of clusters; by default, the largest k_t. A cluster that loses all its objects is dropped.
    start
        Labels or a Consensus to start from; by default, the best of the panel (`supra`). Unassigned objects start in
        the first cluster.
    methods
        The panel for the default start.
    average
        What the mutual information is divided by: the ``"geometric"``, ``"arithmetic"``, ``"min"`` or ``"max"`` of the
        two entropies, or their ``"joint"`` entropy.
    sweeps
        Maximum number of passes over all objects.
    seed
        Seed for the panel and for the order of the objects.

    Returns
    -------
    Consensus
        ``details``: "start", the score of the start, and "moves", the number of objects that moved in every sweep.

    Notes
    -----
    Objects with the same labels everywhere and the same start move together.

    References
    ----------
    Strehl and Ghosh, Cluster ensembles: a knowledge reuse framework, 2002.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble(
    ...     [[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]]
    ... )
    >>> r = ge.greedy(e, 3, start=[0, 0, 1, 1, 1, 2, 2], seed=0)
    >>> r.labels.tolist(), r.score > r.details["start"]
    ([0, 0, 0, 1, 1, 2, 2], True)
    """
    k = required(k)
    begin = _begin(e, k, start, methods, seed)
    found, moves = climb(e, begin, k, generator(seed), as_int("sweeps", sweeps, 1), average)
    before = score(begin, e, average)
    kept = found if score(found, e, average) >= before else begin  # rounding must not undo the promise
    return Outcome(kept, details={"start": before, "moves": moves})


def _begin(e: Ensemble, k: int, start: Any, methods: Sequence[str], seed: Any) -> AnyArray:
    if start is None:
        return compete(methods, e, k, seed)[0].labels
    given = canonical(as_labels(getattr(start, "labels", start), e.n_objects))
    return np.maximum(given, 0) % k if given.max() >= k else np.maximum(given, 0)


def climb(
    e: Ensemble, start: AnyArray, k: int, rng: np.random.Generator, sweeps: int = 100, average: str = "geometric"
) -> tuple[AnyArray, list[int]]:
    """Improve a labeling 0 … k − 1 by single moves; return it with the number of moves in every sweep."""
    from ..kernels.moves import NORMS, greedy_sweep

    one_of("average", average, NORMS)

    form = standard(e, beside=start)
    micro, found = form.ensemble, form.beside
    assert found is not None
    rows, history = base_clusters(micro), [1]
    shares, entropies = information(micro)
    while history[-1] and len(history) <= sweeps:
        counts = Counts.of(micro, found, k)
        order = rng.permutation(micro.n_objects)
        known = (rows, shares, entropies, micro.object_weights)
        history.append(greedy_sweep(*known, order, NORMS[average], found, *counts))
    return form.spread(found), history[1:]


@consensus_function(
    family="median partition",
    graph="co-association, partitions weighted by agreement",
    needs_k=False,
    missing="similarity over partitions that have both objects",
    cost=Cost("nB² + ñ²B", "with 500·B instead of B² beyond half a billion steps"),
    reference="Kellam et al. 2001",
    merges=True,
)
def fusion(e: Ensemble, k: int | None = None) -> Outcome:
    """Grow clusters from cores on which all partitions agree, with more weight on partitions that agree with others.

    Kappa between two partitions is their agreement on pairs of objects, together or apart, beyond chance (for two
    such categories it is the adjusted Rand index). The weight of a partition is its mean kappa with the ensemble,
    itself included, and at least 0. Cores are groups in which every pair is together everywhere. They are joined by
    lowering the agreement required of every pair, which gives the complete-linkage tree of the weighted co-association
    graph. Groups in which some pair is never together all join at distance 1, the most similar on average first.

    Parameters
    ----------
    k
        Number of clusters; by default, the one with the longest lifetime as the agreement is lowered.

    Returns
    -------
    Consensus
        ``details``: "kappa", the mean agreement of every partition, and "cores", the number of groups with full
        agreement.

    Notes
    -----
    If no partition agrees with any other beyond chance, all keep their original weights.

    References
    ----------
    Kellam, Liu, Martin, Orengo, Swift and Tucker, Comparing, contrasting and combining clusters in viral gene
    expression data, 2001.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble(
    ...     [[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]]
    ... )
    >>> r = ge.fusion(e)
    >>> r.labels.tolist(), r.details["cores"]
    ([0, 0, 0, 1, 1, 2, 2], 5)
    """
    between, others = agreements(e, "ari")
    kappa = np.maximum(between @ e.weights[others] / e.weights[others].sum(), 0.0)
    agreed = e.reweight(e.weights * kappa) if (e.weights * kappa).any() else e
    graph = coassociation(agreed)
    tree = ties_by_mean(link(graph, "complete"), graph)
    cores = int(tree.cut_at(0.0).max()) + 1
    return cut_tree(graph, tree, k, kappa=kappa, cores=cores)
