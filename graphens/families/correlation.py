"""Correlation clustering: the partition that disagrees with the ensemble on as few pairs as possible."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .._lib.arrays import MISSING, AnyArray, LabelArray, Seed, as_int, as_labels, canonical, divide, generator, one_of
from .._lib.memory import budget, require
from ..errors import DegenerateWarning, InputError, warn
from ..graphs.coassociation import CoassociationGraph, coassociation
from ..labels.ensemble import Ensemble
from ..measures.matching import merge_clusters, shared_with
from ..trees import link
from ..trees.dendrogram import TIE, Dendrogram
from .contract import consensus_function
from .method import Cost
from .move_counts import Counts, base_clusters, disagreement
from .outcome import Outcome
from .standard_form import signed, standard


@consensus_function(
    family="median partition",
    graph="co-association",
    needs_k=False,
    missing="each pair is weighted by the partitions that have both objects",
    cost=Cost("nkB", "balls, furthest and pivot O(ñkB), agglomerative O(ñ²B)", per="sweep"),
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
    sweeps
        Maximum number of passes of the local search over all objects.
    seed
        Seed for the order of the objects in ``"localsearch"`` and ``"pivot"``.

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

    References
    ----------
    Gionis, Mannila and Tsaparas, Clustering aggregation, 2007. Ailon, Charikar and Newman, Aggregating inconsistent
    information: ranking and clustering, 2008.

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
    found, tree = ALGORITHMS[algorithm](e, generator(seed), options)
    if k is not None:
        found = _merged_to(e, found, k)
    return Outcome(found, graph=coassociation(e), dendrogram=tree, details={"cost": disagreement(e, found)})


def _merged_to(e: Ensemble, found: AnyArray, k: int) -> AnyArray:
    """Merge clusters, the most similar on average first, until k are left."""
    own = canonical(found)
    size = int(own.max(initial=-1)) + 1
    if size <= k:
        return found
    require(40.0 * size * size, f"Merging {size} clusters", "Use algorithm='agglomerative', or leave k out")
    group = merge_clusters(shared_with(e, own, size), e.weights, k)
    return np.append(group, MISSING)[own]


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
    found = np.full(micro.n_objects, -1, dtype=np.int32)
    order = np.argsort(-_mean_similarity(micro), kind="stable")
    balls(CoassociationGraph(micro)._evidence, micro.object_weights, order, float(alpha), found)
    return form.spread(found), None


def _mean_similarity(e: Ensemble) -> AnyArray:
    """Evidence-weighted mean similarity of every object to all, Σ_t w |c_t| / Σ_t w n_t over its partitions. O(nB)."""
    sizes = e.cluster_sizes()
    together, seen = np.zeros(e.n_objects), np.zeros(e.n_objects)
    for t, row in enumerate(e.codes):
        there = row != e.absent
        own = sizes[e.offsets[t] : e.offsets[t + 1]]
        together[there] += e.weights[t] * own[row[there]]
        seen[there] += e.weights[t] * own.sum()
    return divide(together, seen)


def _agglomerative(e: Ensemble, rng: np.random.Generator, options: dict[str, Any]) -> Found:
    tree = link(coassociation(e), "average")
    return (tree.cut_at(0.5 - 3 * TIE) if options["k"] is None else tree.cut(options["k"])), tree


def _furthest(e: Ensemble, rng: np.random.Generator, options: dict[str, Any]) -> Found:
    form = standard(e)
    micro = form.ensemble
    first = int(np.argmin(_similarity(micro, int(np.argmin(_mean_similarity(micro))))))
    found = np.zeros(micro.n_objects, dtype=np.int32)
    nearest = _similarity(micro, first)
    cost = disagreement(micro, found)
    for center in range(1, micro.n_objects):
        far = int(np.argmin(nearest))
        similarity = _similarity(micro, far)
        tried = np.where(similarity > nearest + TIE, center, found).astype(np.int32)
        lower = disagreement(micro, tried)
        if lower >= cost - TIE:
            break
        found, cost, nearest = tried, lower, np.maximum(nearest, similarity)
    return form.spread(found), None


def _similarity(e: Ensemble, v: int) -> AnyArray:
    """Similarity of one object to all, itself included."""
    from ..kernels.similarity import similarity_block

    row = similarity_block(CoassociationGraph(e)._evidence, v, v + 1)[0]
    row[v] = 1.0
    return np.asarray(row)


def _pivot(e: Ensemble, rng: np.random.Generator, options: dict[str, Any]) -> Found:
    from ..kernels.moves import pivots

    form = standard(e)
    micro = form.ensemble
    ev = CoassociationGraph(micro)._evidence

    def run() -> AnyArray:
        found = np.full(micro.n_objects, -1, dtype=np.int32)
        pivots(ev, _random_order(micro, rng), found)
        return found

    return form.spread(_cheapest(micro, [run() for _ in range(_runs(micro, options))])), None


def _random_order(e: Ensemble, rng: np.random.Generator) -> AnyArray:
    """A random order of the objects, drawn one by one by weight (exponential clocks)."""
    return np.argsort(rng.exponential(size=e.n_objects) / e.object_weights, kind="stable")


def _cheapest(e: Ensemble, found: list[AnyArray]) -> AnyArray:
    return min(found, key=lambda labels: disagreement(e, labels))


def _runs(micro: Ensemble, options: dict[str, Any]) -> int:
    """Number of runs of a random algorithm."""
    return int(options["n_init"] or (5 if micro.n_objects <= _FEW else 1))


def _localsearch(e: Ensemble, rng: np.random.Generator, options: dict[str, Any]) -> Found:
    start = options["start"]
    given = None if isinstance(start, str) else as_labels(getattr(start, "labels", start), e.n_objects)
    form = standard(e, beside=given)
    micro = form.ensemble
    starts = [_named(micro, start, rng, options) if form.beside is None else form.beside]
    starts += [_pivot(micro, rng, {"n_init": 1})[0] for _ in range(_runs(micro, options) - 1)]
    found = _cheapest(micro, [improve(micro, begin, rng, options["sweeps"]) for begin in starts])
    return form.spread(found), None


def _named(e: Ensemble, start: str, rng: np.random.Generator, options: dict[str, Any]) -> AnyArray:
    if start == "best":
        return best_partition(e)
    if start not in ALGORITHMS or start == "localsearch":
        known = ", ".join(["best", *(name for name in ALGORITHMS if name != "localsearch")])
        raise InputError.about("start", start, f"one of {known}, or labels")
    return ALGORITHMS[start](e, rng, options | {"k": None})[0]


def best_partition(e: Ensemble) -> LabelArray:
    """Return the base partition with the fewest disagreements; objects it lacks are −1. O(nB²).

    O(n²B) by the co-association of few objects in many partitions.
    """
    candidates = [t for t in range(e.n_partitions) if e.n_clusters[t] and e.weights[t] > 0]
    by_pairs = e.n_partitions > _MANY and e.n_objects <= _FEW and not e.has_missing
    cost = _pair_cost(e) if by_pairs else partial(disagreement, e)
    best = min(candidates, key=lambda t: cost(signed(e.codes[t])))
    return signed(e.codes[best])


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
    micro, found = form.ensemble, form.beside
    assert found is not None
    rows = base_clusters(micro)
    limit = max(1, min(micro.n_objects, int(budget() / (32.0 * max(int(e.offsets[-1]), 1)))))
    moves = 1
    for _ in range(sweeps):
        found = _largest_first(found, micro.object_weights)
        k = int(found.max(initial=-1)) + 1
        shared, seen = Counts.of(micro, found, k)
        shared *= np.repeat(micro.weights, micro.n_clusters)[:, None]
        seen *= micro.weights[:, None]
        order = rng.permutation(micro.n_objects)
        moves = search_sweep(rows, micro.weights, micro.object_weights, order, found, shared, seen, limit)
        if not moves:
            break
    if moves:
        warn(
            f"The local search still moved {moves} objects in sweep {sweeps}; the result is not a local optimum. "
            "Allow more sweeps.",
            DegenerateWarning,
        )
    return form.spread(found)


def _largest_first(labels: AnyArray, masses: AnyArray) -> LabelArray:
    """Number clusters by decreasing weight, the earlier one first in a tie; −1 stays."""
    own = canonical(labels)
    inside = own >= 0
    order = np.argsort(-np.bincount(own[inside], weights=masses[inside]), kind="stable")
    rank = np.append(np.argsort(order, kind="stable"), -1).astype(np.int32)
    return rank[own]


#: what `aggregate` offers by name: (ensemble, generator, options) -> labels and, where there is one, the tree
ALGORITHMS: dict[str, Callable[[Ensemble, np.random.Generator, dict[str, Any]], Found]] = {
    "balls": _balls,
    "agglomerative": _agglomerative,
    "furthest": _furthest,
    "localsearch": _localsearch,
    "pivot": _pivot,
}
