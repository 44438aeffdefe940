"""Median partitions: the best of a panel or of the base partitions, improved object by object or by evolution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from .._lib.arrays import (
    MISSING,
    AnyArray,
    FloatArray,
    LabelArray,
    Seed,
    as_int,
    as_labels,
    canonical,
    divide,
    generator,
    one_of,
)
from .._lib.memory import budget, require
from ..errors import DegenerateWarning, InputError, warn
from ..graphs.coassociation import CoassociationGraph, coassociation
from ..labels.encoding import labels_of_codes
from ..labels.ensemble import Ensemble
from ..measures.agreement import NORMS, agreements, score
from ..measures.matching import match_clusters, merge_clusters, overlaps_with
from ..result.consensus import OVERLAPS
from ..trees import link
from ..trees.agglomerate import ties_by_mean
from ..trees.dendrogram import TIE, Dendrogram
from .contract import consensus_function
from .move_counts import Counts, base_clusters, disagreement, information
from .outcome import Outcome, cut_tree, required
from .policy import POLICY
from .registry import AnyMethod
from .standard_form import standard
from .trials import run_panel


@consensus_function(
    family="median partition",
    graph="co-association",
    needs_k=False,
    missing="each pair is weighted by the partitions that have both objects",
    cost="O(nkB) per sweep, balls, furthest and pivot O(ñkB), agglomerative O(ñ²B)",
    reference="Gionis, Mannila and Tsaparas 2007; Ailon, Charikar and Newman 2008",
    per_object=("start",),
    merges=True,
)
def aggregate(
    e: Ensemble,
    k: int | None = None,
    *,
    algorithm: str = "localsearch",
    alpha: float = 0.4,
    start: Any = "best",
    n_init: int | None = None,
    sweeps: int = 100,
    seed: Seed = None,
) -> Outcome:
    """Minimize the disagreements with the ensemble, which also determines the number of clusters.

    The cost of a partition is Σ_same (1 − S) + Σ_apart S over pairs of objects, which is its mean Mirkin distance to
    the base partitions. With missing labels, each pair is weighted by its evidence: Σ_same (p − a) + Σ_apart a over Σ
    w, where a is the weight of the partitions that join the pair and p is the weight of those that have both objects.

    Parameters
    ----------
    k
        By default, the number with the lowest cost. With ``"agglomerative"``, the tree is cut at a given k. With the
        other algorithms, the most similar clusters are merged until k are left. They never split clusters: if they find
        fewer than k, the result has fewer, with a warning.
    algorithm
        ``"balls"``: in order of decreasing mean similarity, each object forms a cluster with the unclustered objects
        with S ≥ ½ if their mean distance is at most `alpha`, or stays alone. ``"agglomerative"``: average linkage while
        the mean distance of two groups is below ½. ``"furthest"``: furthest-first centers, with every object assigned
        to its nearest center, while the cost decreases; the first two centers come from two sweeps, not from all pairs.
        ``"localsearch"``: objects move one by one to the cluster with the lowest cost, computed from count tables |C ∩
        c|, until no move lowers the cost. ``"pivot"``: a random object forms a cluster with all unclustered objects
        with S > ½, and so on; the best of `n_init` runs is kept.
    alpha
        For ``"balls"``: ¼ guarantees an approximation factor of 3, but 0.4 works better in practice.
    start
        For ``"localsearch"``: ``"best"`` (the base partition with the lowest cost), the name of another algorithm, or
        labels. The cost of the result is never higher than that of the start.
    n_init
        Number of runs of ``"pivot"`` and ``"localsearch"``, of which the best is kept; by default, 5 for up to 1,000
        distinct label rows, otherwise 1. Later runs of the local search start from pivots.

    Returns
    -------
    Consensus
        ``details``: "cost", the disagreements with the ensemble. ``dendrogram`` for ``"agglomerative"`` only.

    Notes
    -----
    Objects with the same labels everywhere move together; an optimal partition never separates them. No n × n matrix is
    built, except over the distinct rows by ``"agglomerative"`` and, for up to 1,000 rows in more than 100 partitions,
    to find the best base partition. `median` with ``loss="binder"`` minimizes the same cost with a longer search; this
    function can start from any labels and treats missing labels pair by pair.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble(
    ...     [[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]]
    ... )
    >>> r = ge.aggregate(e, algorithm="agglomerative")
    >>> r.labels.tolist(), round(r.details["cost"], 3)
    ([0, 0, 0, 1, 1, 2, 2], 2.0)
    """
    one_of("algorithm", algorithm, ALGORITHMS)
    options = {"k": k, "alpha": alpha, "start": start, "sweeps": as_int("sweeps", sweeps, 1)}
    options["n_init"] = None if n_init is None else as_int("n_init", n_init, 1)
    labels, tree = ALGORITHMS[algorithm](e, generator(seed), options)
    if k is not None:
        labels = _merge_to(e, labels, k)
    return Outcome(labels, graph=coassociation(e), dendrogram=tree, details={"cost": disagreement(e, labels)})


def _merge_to(e: Ensemble, labels: AnyArray, k: int) -> AnyArray:
    """Merge clusters, the most similar on average first, until k are left."""
    cluster = canonical(labels)
    size = int(cluster.max(initial=-1)) + 1
    if size <= k:
        return labels
    require(40.0 * size * size, f"Merging {size} clusters", "Use algorithm='agglomerative', or leave k out")
    group = merge_clusters(overlaps_with(e, cluster, size), e.weights, k)
    return np.append(group, MISSING)[cluster]


Found = tuple[AnyArray, Dendrogram | None]
_FEW = 1000  # distinct rows up to which several runs cost next to nothing
_MANY = 100  # partitions from which on few objects are compared by their pairs


def _balls(e: Ensemble, rng: np.random.Generator, options: dict[str, Any]) -> Found:
    from ..kernels.moves import balls

    alpha = options["alpha"]
    if not 0 <= alpha <= 1:
        raise InputError.about("alpha", alpha, "a number from 0 to 1 (0.25 to 0.4 are common)")
    form = standard(e)
    micro = form.ensemble
    labels = np.full(micro.n_objects, -1, dtype=np.int32)
    order = np.argsort(-_mean_similarity(micro), kind="stable")
    balls(CoassociationGraph(micro)._evidence, micro.object_weights, order, 0.5 - TIE, float(alpha), labels)
    return form.spread(labels), None


def _mean_similarity(e: Ensemble) -> AnyArray:
    """Evidence-weighted mean similarity of every object to all, Σ_t w |c_t| / Σ_t w n_t over its partitions. O(nB)."""
    sizes = e.cluster_sizes()
    together, present = np.zeros(e.n_objects), np.zeros(e.n_objects)
    for t, row in enumerate(e.codes):
        there = row != e.absent
        own_sizes = sizes[e.offsets[t] : e.offsets[t + 1]]
        together[there] += e.weights[t] * own_sizes[row[there]]
        present[there] += e.weights[t] * own_sizes.sum()
    return divide(together, present)


def _agglomerative(e: Ensemble, rng: np.random.Generator, options: dict[str, Any]) -> Found:
    tree = link(coassociation(e), "average")
    return (tree.cut_at(0.5 - 3 * TIE) if options["k"] is None else tree.cut(options["k"])), tree


def _furthest(e: Ensemble, rng: np.random.Generator, options: dict[str, Any]) -> Found:
    form = standard(e)
    micro = form.ensemble
    first = int(np.argmin(_similarity(micro, int(np.argmin(_mean_similarity(micro))))))
    labels = np.zeros(micro.n_objects, dtype=np.int32)
    nearest = _similarity(micro, first)
    cost = disagreement(micro, labels)
    for center in range(1, micro.n_objects):
        far = int(np.argmin(nearest))
        similarity = _similarity(micro, far)
        tried = np.where(similarity > nearest + TIE, center, labels).astype(np.int32)
        lower = disagreement(micro, tried)
        if lower >= cost - TIE:
            break
        labels, cost, nearest = tried, lower, np.maximum(nearest, similarity)
    return form.spread(labels), None


def _similarity(e: Ensemble, v: int) -> AnyArray:
    """Similarity of one object to all, itself included."""
    from ..kernels.similarity import similarity_block

    row = similarity_block(CoassociationGraph(e)._evidence, v, v + 1)[0]
    row[v] = 1.0
    return np.asarray(row)


def _pivot(e: Ensemble, rng: np.random.Generator, options: dict[str, Any]) -> Found:
    from ..kernels.moves import balls

    form = standard(e)
    micro = form.ensemble
    ev = CoassociationGraph(micro)._evidence

    def run() -> AnyArray:
        found = np.full(micro.n_objects, -1, dtype=np.int32)
        clocks = rng.exponential(size=micro.n_objects) / micro.object_weights  # draws objects one by one by weight
        # All with S > ½ join, however far they are on average.
        balls(ev, micro.object_weights, np.argsort(clocks, kind="stable"), 0.5 + TIE, 1.0, found)
        return found

    return form.spread(_cheapest(micro, [run() for _ in range(_runs(micro, options))])), None


def _cheapest(e: Ensemble, candidates: list[AnyArray]) -> AnyArray:
    return min(candidates, key=lambda labels: disagreement(e, labels))


def _runs(micro: Ensemble, options: dict[str, Any]) -> int:
    """Number of runs of a random algorithm."""
    return int(options["n_init"] or (5 if micro.n_objects <= _FEW else 1))


def _localsearch(e: Ensemble, rng: np.random.Generator, options: dict[str, Any]) -> Found:
    start = options["start"]
    start_labels = None if isinstance(start, str) else as_labels(getattr(start, "labels", start), e.n_objects)
    form = standard(e, beside=start_labels)
    micro = form.ensemble
    starts = [_named(micro, start, rng, options) if form.beside is None else form.beside]
    starts += [_pivot(micro, rng, {"n_init": 1})[0] for _ in range(_runs(micro, options) - 1)]
    labels = _cheapest(micro, [improve(micro, begin, rng, options["sweeps"]) for begin in starts])
    return form.spread(labels), None


def _named(e: Ensemble, start: str, rng: np.random.Generator, options: dict[str, Any]) -> AnyArray:
    if start == "best":
        return best_partition(e)
    if start not in ALGORITHMS or start == "localsearch":
        names = ", ".join(["best", *(name for name in ALGORITHMS if name != "localsearch")])
        raise InputError.about("start", start, f"one of {names}, or labels")
    return ALGORITHMS[start](e, rng, options | {"k": None})[0]


def best_partition(e: Ensemble) -> LabelArray:
    """Return the base partition with the fewest disagreements; objects it lacks are −1. O(nB²).

    O(n²B) by the co-association of few objects in many partitions.
    """
    candidates = [t for t in range(e.n_partitions) if e.n_clusters[t] and e.weights[t] > 0]
    by_pairs = e.n_partitions > _MANY and e.n_objects <= _FEW and not e.has_missing
    cost = _pair_cost(e) if by_pairs else partial(disagreement, e)
    best = min(candidates, key=lambda t: cost(labels_of_codes(e.codes[t])))
    return labels_of_codes(e.codes[best])


def _pair_cost(e: Ensemble) -> Callable[[AnyArray], float]:
    """The disagreements of a labeling up to a constant, Σ_same (1 − 2S), from the n × n co-association."""
    from ..kernels.similarity import similarity_block

    similarity = similarity_block(CoassociationGraph(e)._evidence, 0, e.n_objects)
    joined = np.outer(e.object_weights, e.object_weights) * (1 - 2 * similarity)
    np.fill_diagonal(joined, 0.0)

    def cost(labels: AnyArray) -> float:
        members = labels[:, None] == np.arange(labels.max() + 1)
        return float(((joined @ members) * members).sum() / 2)

    return cost


def improve(e: Ensemble, start: AnyArray, rng: np.random.Generator, sweeps: int = 100) -> AnyArray:
    """Move objects one by one while the disagreements decrease; an object with −1 is placed where it fits best."""
    from ..kernels.moves import search_sweep

    form = standard(e, beside=start)
    micro, labels = form.ensemble, form.beside
    assert labels is not None
    rows = base_clusters(micro)
    limit = max(1, min(micro.n_objects, int(budget() / (32.0 * max(int(e.offsets[-1]), 1)))))
    moves = 1
    for _ in range(sweeps):
        labels = _largest_first(labels, micro.object_weights)
        k = int(labels.max(initial=-1)) + 1
        shared, present = Counts.of(micro, labels, k)
        shared *= np.repeat(micro.weights, micro.n_clusters)[:, None]
        present *= micro.weights[:, None]
        order = rng.permutation(micro.n_objects)
        moves = search_sweep(rows, micro.weights, micro.object_weights, order, labels, shared, present, limit)
        if not moves:
            break
    if moves:
        warn(
            f"The local search still moved {moves} objects in sweep {sweeps}; the result is not a local optimum. "
            "Allow more sweeps.",
            DegenerateWarning,
        )
    return form.spread(labels)


def _largest_first(labels: AnyArray, masses: AnyArray) -> LabelArray:
    """Number clusters by decreasing weight, the earlier one first in a tie; −1 stays."""
    cluster = canonical(labels)
    inside = cluster >= 0
    order = np.argsort(-np.bincount(cluster[inside], weights=masses[inside]), kind="stable")
    rank = np.append(np.argsort(order, kind="stable"), -1).astype(np.int32)
    return rank[cluster]


#: what `aggregate` offers by name: (ensemble, generator, options) -> labels and, where there is one, the tree
ALGORITHMS: dict[str, Callable[[Ensemble, np.random.Generator, dict[str, Any]], Found]] = {
    "balls": _balls,
    "agglomerative": _agglomerative,
    "furthest": _furthest,
    "localsearch": _localsearch,
    "pivot": _pivot,
}


@consensus_function(
    family="median partition",
    graph="that of the winning method",
    missing="like the methods of the panel",
    cost="that of all methods of the panel",
    reference="Strehl and Ghosh 2002",
    membership="the winner's",
)
def supra(
    e: Ensemble,
    k: int | None = None,
    *,
    methods: Sequence[AnyMethod] = POLICY.starts,
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

    Returns
    -------
    Consensus
        The result of the winner, with its graph and dendrogram. ``details``: "winner", its name, and "tried", every
        method with its k, score, seconds, and warnings or error.
    """
    best, tried = run_panel(methods, e, k, seed, by, one_of("average", average, NORMS))
    return Outcome(
        best.labels,
        membership=best.membership if best.models_membership else None,
        graph=best._view,
        dendrogram=best.dendrogram,
        tree_of_clusters=best.tree_of_clusters,
        details={"winner": best.method, "tried": [t.row() for t in tried]},
    )


@consensus_function(
    family="median partition",
    graph=OVERLAPS,
    missing="an absent object does not count in that partition's table",
    cost="O(ñkB) per sweep and the cost of the start",
    reference="Strehl and Ghosh 2002",
    per_object=("start",),
)
def greedy(
    e: Ensemble,
    k: int | None = None,
    *,
    start: Any = None,
    methods: Sequence[AnyMethod] = POLICY.starts,
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

    Returns
    -------
    Consensus
        ``details``: "start", the score of the start, and "moves", the number of objects that moved in every sweep.

    Notes
    -----
    Objects with the same labels everywhere and the same start move together.

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
    if start is None:
        begin: AnyArray = run_panel(methods, e, k, seed)[0].labels
    else:
        begin = canonical(as_labels(getattr(start, "labels", start), e.n_objects))
        begin = np.maximum(begin, 0) % k if begin.max() >= k else np.maximum(begin, 0)
    climbed, moves = climb(e, begin, k, generator(seed), as_int("sweeps", sweeps, 1), average)
    before = score(begin, e, average)
    best = climbed if score(climbed, e, average) >= before else begin  # rounding must not undo the promise
    return Outcome(best, details={"start": before, "moves": moves})


def climb(
    e: Ensemble, start: AnyArray, k: int, rng: np.random.Generator, sweeps: int = 100, average: str = "geometric"
) -> tuple[AnyArray, list[int]]:
    """Improve a labeling 0 … k − 1 by single moves; return it with the number of moves in every sweep."""
    from ..kernels.moves import NORMS, greedy_sweep

    one_of("average", average, NORMS)

    form = standard(e, beside=start)
    micro, labels = form.ensemble, form.beside
    assert labels is not None
    rows, history = base_clusters(micro), [1]
    shares, entropies = information(micro)
    while history[-1] and len(history) <= sweeps:
        counts = Counts.of(micro, labels, k)
        order = rng.permutation(micro.n_objects)
        fixed = (rows, shares, entropies, micro.object_weights)
        history.append(greedy_sweep(*fixed, order, NORMS[average], labels, *counts))
    return form.spread(labels), history[1:]


@consensus_function(
    family="median partition",
    graph="co-association, partitions weighted by agreement",
    needs_k=False,
    missing="similarity over partitions that have both objects",
    cost="O(nB² + ñ²B), with 500·B instead of B² beyond half a billion steps",
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


FITNESS = {"nmi": True, "mi": False}


@consensus_function(
    family="median partition",
    graph=OVERLAPS,
    missing="an object absent from a base partition gets the label most partitions give it",
    cost="O(generations·population·ñB + generations·population·k³) and the cost of the panel",
    reference="Luo, Jing and Xie 2006",
)
def genetic(
    e: Ensemble,
    k: int | None = None,
    *,
    fitness: str = "nmi",
    average: str = "geometric",
    population: int = 30,
    generations: int = 60,
    mutation: float = 0.01,
    methods: Sequence[AnyMethod] = POLICY.starts,
    seed: Seed = None,
) -> Outcome:
    """Evolve partitions that exchange clusters; those that share more information with the ensemble survive.

    The first generation is the best result of the panel and the base partitions, with their clusters matched to it
    (Hungarian method; extra clusters go to their largest overlap). A child takes the labels of one parent and some
    complete clusters of the other, after these are matched to the first parent's; then a few objects change their
    label. Parents are chosen by tournaments of two. The two best always survive, so the result is never worse than the
    panel.

    Parameters
    ----------
    k
        Number of clusters; by default, the largest k_t. The result has fewer if a cluster dies out.
    fitness
        ``"nmi"``: the average NMI with the partitions; ``"mi"``: the mutual information itself (apart from the shares
        of the clusters, this ranks like the likelihood of the mixture of multinomials).
    population, generations
        Number of partitions in a generation, and maximum number of generations; the search ends after 15 generations
        without improvement.
    mutation
        Share of the objects whose label changes in a child, from 0 to 1.

    Returns
    -------
    Consensus
        ``details``: "fitness", the best of every generation.
    """
    from ..kernels.moves import NORMS

    one_of("fitness", fitness, FITNESS)
    if not 0 <= mutation <= 1:
        raise InputError.about("mutation", mutation, "a share from 0 to 1")
    k = required(k)
    size = as_int("population", population, 4)
    form = standard(e, beside=run_panel(methods, e, k, seed)[0].labels)
    micro, first = form.ensemble, form.beside
    assert first is not None
    one_of("average", average, NORMS)
    value = valued(micro, k, NORMS[average] if FITNESS[fitness] else -1)
    rng = generator(seed)
    living = _founders(micro, first, k, size, rng)
    best, history = _evolve(living, value, k, as_int("generations", generations, 0), mutation, rng)
    return Outcome(form.spread(best), details={"fitness": history})


def valued(e: Ensemble, k: int, norm: int) -> Callable[[AnyArray], float]:
    """Return the fitness of a labeling: its average NMI or, with norm −1, its mutual information."""
    from ..kernels.moves import shared_information

    rows, (shares, entropies) = base_clusters(e), information(e)
    total = int(e.offsets[-1])
    return lambda own: float(shared_information(rows, shares, entropies, e.object_weights, own, total, k, norm))


def _founders(e: Ensemble, first: AnyArray, k: int, size: int, rng: np.random.Generator) -> list[AnyArray]:
    """The reference, and the base partitions with clusters matched to it; missing labels are filled by majority."""
    chosen = np.arange(e.n_partitions)
    if e.n_partitions >= size:
        chosen = np.sort(rng.choice(e.n_partitions, size - 1, replace=False, p=e.weights / e.weights.sum()))
    named = [first]
    for t in chosen:
        code = e.codes[t].astype(np.int64)
        there = code != e.absent
        if there.any():
            column = np.full(e.n_objects, -1, dtype=np.int32)
            column[there] = _rename(code[there], first[there], k, e.object_weights[there])
            named.append(column)
    votes = np.stack([(np.stack(named) == c).sum(axis=0) for c in range(k)])
    usual = votes.argmax(axis=0).astype(np.int32)
    founders = [np.where(column >= 0, column, usual).astype(np.int32) for column in named]
    while len(founders) < size:
        a, b = rng.integers(len(founders), size=2)
        founders.append(_child(founders[a], founders[b], k, 0.02, rng))
    return founders


def _rename(labels: AnyArray, reference: AnyArray, k: int, masses: FloatArray) -> AnyArray:
    """Rename clusters to the labels 0 … k − 1 of a reference, by overlap."""
    width = int(labels.max(initial=0)) + 1
    cells = np.bincount(labels.astype(np.int64) * k + reference, weights=masses, minlength=width * k).astype(float)
    return match_clusters(cells.reshape(width, k)).argmax(axis=1)[labels].astype(np.int32)


def _child(a: AnyArray, b: AnyArray, k: int, mutation: float, rng: np.random.Generator) -> AnyArray:
    """The labels of one parent, overwritten by some clusters of the other, with a few objects changed."""
    other = _rename(b, a, k, np.ones(len(a)))
    taken = rng.random(k) < 0.5
    child = np.where(taken[other], other, a)
    changed = rng.random(len(a)) < mutation
    child[changed] = rng.integers(k, size=int(changed.sum()))
    return child.astype(np.int32)


def _evolve(
    living: list[AnyArray],
    value: Callable[[AnyArray], float],
    k: int,
    generations: int,
    mutation: float,
    rng: np.random.Generator,
) -> tuple[AnyArray, list[float]]:
    """Tournaments, children and survival of the two best, until there is no improvement for 15 generations."""
    fitness = np.array([value(own) for own in living])
    history = [float(fitness.max())]
    for _ in range(generations):
        elite = np.argsort(-fitness, kind="stable")[:2]
        fights = rng.integers(len(living), size=(len(living) - 2, 2, 2))
        winners = np.take_along_axis(fights, fitness[fights].argmax(axis=2)[..., None], axis=2)[..., 0]
        children = [_child(living[a], living[b], k, mutation, rng) for a, b in winners]
        living = [living[i] for i in elite] + children
        fitness = np.concatenate([fitness[elite], [value(own) for own in children]])
        history.append(float(fitness.max()))
        if len(history) > 15 and history[-1] <= history[-16] + 1e-12:
            break
    return living[int(fitness.argmax())], history
