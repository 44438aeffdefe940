"""Evidence accumulation: dendrograms of the co-association graph, plain or weighted."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import MISSING, FloatArray, LabelArray, Seed, as_int, divide, number
from ..errors import FallbackWarning, InputError, TypeMismatch, named_failure, quote, warn
from ..graphs.affinity import join_most_similar
from ..graphs.coassociation import coassociation, neighbor_graph
from ..graphs.graph import Graph
from ..graphs.reliability import Distinct, cluster_reliability, reliability_details
from ..labels.ensemble import Ensemble
from ..measures.agreement import agreements
from ..measures.internal import INDICES, internal_weights
from ..result.consensus import Consensus
from ..trees import link
from ..trees.agglomerate import objects_of_tree
from ..trees.dendrogram import TIE, Dendrogram
from .contract import alias, consensus_function
from .outcome import Outcome, cut_tree, place_weakly_labeled_last, required, tree_of_some

_MISSING = "similarity over the partitions that have both objects"


@consensus_function(
    family="evidence accumulation",
    graph="co-association",
    needs_k=False,
    missing=_MISSING,
    cost="O(ñ²B)",
    reference="Fred and Jain 2005",
    per_object=("X",),
    neighbor_lists=("neighbors",),
    merges=True,
)
def eac(
    e: Ensemble,
    k: int | None = None,
    *,
    linkage: str = "single",
    neighbors: int | ArrayLike | None = None,
    X: Any = None,
    theta: float | None = None,
) -> Outcome:
    """Evidence accumulation: cut the dendrogram of 1 − S at k clusters, or at the longest lifetime.

    S_ij is the share of partitions that put i and j together. Single linkage is the maximum spanning forest of S.

    Parameters
    ----------
    k
        Number of clusters; by default, the k that exists over the longest range of thresholds, which may be 1.
    neighbors
        Use S only between neighbors: lists of neighbors (n × p object numbers), or their number p, to use the nearest
        in `X` or, without X, the objects that are most often together. The paper uses 20 neighbors and single linkage.
    theta
        If k is not given, cut at distance 1 − θ, 0 ≤ θ < 1: with single linkage, the clusters are the connected
        components of the graph of pairs together in more than this share of the partitions.

    Returns
    -------
    Consensus
        With the graph that was linked and its dendrogram; ``details`` is empty.

    Notes
    -----
    O(ñ²B) byte comparisons for ñ distinct label rows and O(ñB) memory with single linkage, O(ñ²) more time with the
    others; with neighbor lists, O(npB). For ties, see `link`. The paper has no missing labels: with them, average
    linkage weights every pair by its evidence.

    Examples
    --------
    >>> import graphens as ge
    >>> r = ge.eac(
    ...     [[0, 0, 1], [0, 0, 1], [0, 0, 2], [1, 1, 0], [1, 1, 0], [1, 2, 0]],
    ...     linkage="average",
    ... )
    >>> r.labels.tolist(), r.k
    ([0, 0, 0, 1, 1, 1], 2)
    """
    if theta is not None and not 0 <= number("theta", theta) < 1:
        raise InputError.about("theta", theta, "a share of the partitions, 0 ≤ θ < 1")
    # The graph stays labels: single link takes its spanning forest from them, the other links their rows. Only
    # neighbors make it a matrix.
    full = coassociation(e)
    graph: Graph = full if neighbors is None else neighbor_graph(full, neighbors, X)
    tree = link(graph, linkage)
    if theta is None or k is not None:
        return cut_tree(graph, tree, k)
    # S > θ by more than rounding is a height below 1 − θ by more than rounding
    return Outcome(tree.cut_at(1.0 - theta - 2 * TIE), graph=graph, dendrogram=tree)


dspa: Callable[..., Consensus] = alias(
    "dspa",
    eac,
    "Dendrogram-based similarity partitioning: average linkage, cut at the longest lifetime (or at k).",
    facts={"reference": "Yang 2006; Fred and Jain 2005"},
    linkage="average",
)

vkm: Callable[..., Consensus] = alias(
    "vkm",
    eac,
    "Voting k-means: the connected components of the graph of pairs together in more than θ of the partitions.",
    facts={"reference": "Fred 2001"},
    theta=0.5,
)


@consensus_function(
    family="evidence accumulation",
    graph="co-association",
    missing=_MISSING,
    cost="O(ñ²B), ñ at most `sample`",
    reference="Gagolewski, Bartoszuk and Cena 2016",
    merges=True,
)
def genie(e: Ensemble, k: int | None = None, *, gini: float = 0.3, sample: int = 3000, seed: Seed = None) -> Outcome:
    """Single linkage that keeps sizes even: a smallest cluster merges first while the Gini index is above a limit.

    The edges of the spanning tree of 1 − S merge clusters, shortest first; see `link`. Outliers join a cluster early,
    and do not become clusters themselves.

    Parameters
    ----------
    gini
        The largest Gini index of the cluster sizes, 0 to 1; 1 is single linkage.

    Returns
    -------
    Consensus
        With the co-association graph and the dendrogram. ``details``: "sampled", the number of objects in the
        dendrogram, if not all.

    Notes
    -----
    O(ñ²B) for the spanning tree of ñ distinct label rows, and O(ñ log ñ) for the rest. Gagolewski, Bartoszuk and Cena,
    Genie: a new, fast, and outlier-resistant hierarchical clustering algorithm, 2016.
    """
    graph, most = coassociation(e), max(as_int("sample", sample, 2), k or 2)
    # Beyond `sample` distinct rows a random sample is linked, and all others join the cluster that they are most
    # often together with.
    chosen = objects_of_tree(e, most, seed)
    if chosen is None:
        return cut_tree(graph, link(graph, "genie", gini=gini), k)
    tree = link(graph.take(objects=chosen), "genie", gini=gini)
    labels = join_most_similar(e, chosen, tree.cut(required(k)))
    return Outcome(labels, graph=graph, dendrogram=tree_of_some(tree, chosen, e), details={"sampled": most})


@consensus_function(
    family="evidence accumulation",
    graph="co-association weighted by cluster",
    missing=_MISSING,
    cost="O(ñ²B + nB²), ñ at most `sample`, with 500·B instead of B² beyond half a billion steps",
    reference="Huang, Wang and Lai 2018",
    merges=True,
)
def lwea(
    e: Ensemble,
    k: int | None = None,
    *,
    entropy_scale: float = 0.4,
    adjusted: bool = True,
    sample: int = 3000,
    seed: Seed = None,
) -> Outcome:
    """Locally weighted evidence accumulation: average linkage with more weight on reliable clusters.

    S_ij = Σ_t ECI(c) [i and j share cluster c of t] / B with ECI(c) = exp(−H(c) / (sB)), where s = `entropy_scale` and
    H(c) is the entropy of cluster c with respect to all partitions.

    Returns
    -------
    Consensus
        With the weighted co-association graph and its dendrogram. ``details``: "sampled", the number of objects in the
        dendrogram, if not all; "sampled_partitions", the number of partitions used for the reliabilities, if not all;
        "placed_last", the number of objects that were assigned last, if any.

    Notes
    -----
    O(nB²) for the reliabilities, which always use all objects, and O(ñ²B + nBk) for the rest. Objects with equal labels
    start together. Huang, Wang and Lai, Locally weighted ensemble clustering, 2018.
    """
    most = max(as_int("sample", sample, 2), k or 2)

    def weighted_link(e: Ensemble) -> Outcome:
        weights, details = cluster_reliability(e, entropy_scale, adjusted=adjusted), reliability_details(e)
        graph, chosen = coassociation(e, cluster_weights=weights), objects_of_tree(e, most, seed)
        if chosen is None:
            return cut_tree(graph, link(graph, "average"), k, **details)
        part = graph.take(objects=chosen)
        tree = link(part, "average")
        spread = join_most_similar(e, chosen, cut_tree(part, tree, k).labels, weights)
        tree, details = tree_of_some(tree, chosen, e), {"sampled": most, **details}
        return Outcome(spread, graph=graph, dendrogram=tree, details=details)

    return place_weakly_labeled_last(e, k, weighted_link) if adjusted else weighted_link(e)


@consensus_function(
    family="evidence accumulation",
    graph="co-association",
    missing="similarity over the partitions that have both objects",
    cost="O(ñ²B + nBk), ñ at most `sample`",
    reference="Fred and Jain 2005; Campello, Moulavi and Sander 2013",
    merges=True,
)
def islands(e: Ensemble, k: int | None = None, *, share: float = 0.2, sample: int = 3000, seed: Seed = None) -> Outcome:
    """Single linkage that sets small pieces aside: the k large pieces at the level where they hold most objects.

    Objects together in more than a share τ of the partitions are connected. As τ decreases, pieces of at least share ·
    n / k objects appear and merge. Among the levels with exactly k such pieces, the one where they hold the most
    objects is used. Every object outside joins the piece with the largest mean co-association.

    Parameters
    ----------
    share
        Size below which a piece is set aside, as a share of the mean size n / k. 0 is plain single linkage.

    Returns
    -------
    Consensus
        With the co-association graph, and the single-linkage dendrogram if it has all objects. ``details``: "lifetime",
        the range of τ over which these k pieces stay the same (0 if no level has k large pieces; the tree is then cut
        at k); "set_aside", the number of objects in the tree that were in no large piece; "smallest", the size of the
        smallest piece; "sampled", the number of objects in the tree, if not all.

    Notes
    -----
    A long lifetime is good evidence for clusters of any shape: no pair of objects from different pieces is together as
    often as neighbors within each piece. Plain single linkage (`eac`) wastes its k clusters on outliers. O(ñ²B) time,
    O(ñB) memory.

    Examples
    --------
    >>> import graphens as ge
    >>> r = ge.islands(
    ...     [[0, 0, 1], [0, 0, 1], [0, 0, 2], [1, 1, 0], [1, 1, 0], [1, 2, 0]], 2
    ... )
    >>> r.labels.tolist(), round(r.details["lifetime"], 3)
    ([0, 0, 0, 1, 1, 1], 0.667)
    """
    k, most = required(k), as_int("sample", sample, 2)
    if not 0 <= number("share", share) <= 1:
        raise InputError.about("share", share, "a share of the mean size, 0 to 1")
    graph = coassociation(e)
    chosen = objects_of_tree(e, max(most, k), seed)
    tree = link(graph if chosen is None else graph.take(objects=chosen), "single")
    piece, lifetime = large_pieces(tree, k, share)
    rows = np.arange(e.n_objects) if chosen is None else chosen
    labels = join_most_similar(e, rows[piece >= 0], piece[piece >= 0])
    sizes = np.bincount(piece[piece >= 0])
    details = {"lifetime": lifetime, "set_aside": int(np.count_nonzero(piece < 0)), "smallest": int(sizes.min())}
    if chosen is not None:
        tree, details = tree_of_some(tree, chosen, e), details | {"sampled": len(chosen)}
    return Outcome(labels, graph=graph, dendrogram=tree, details=details)


def large_pieces(tree: Dendrogram, k: int, share: float) -> tuple[LabelArray, float]:
    """Return the k large pieces at the level where they hold the most objects (−1 for none), and their lifetime."""
    limit = share * float(tree.leaf_weights.sum()) / k * (1 - TIE)
    n, size = tree.n_leaves, _sizes(tree)
    # Along the merges: how many large pieces there are, and the weight that they hold. Two large pieces become one,
    # a large and a small one stay one, and two small ones may become a new one.
    children = tree.merges[:, :2].astype(np.int64)
    large = size >= limit
    change = large[n:].astype(np.int64) - large[children].sum(axis=1)
    moved = np.where(large, size, 0.0)
    count = large[:n].sum() + np.concatenate([[0], np.cumsum(change)])
    held = moved[:n].sum() + np.concatenate([[0.0], np.cumsum(moved[n:] - moved[children].sum(axis=1))])
    # Level i is the tree after i merges. It lasts from one height to the next: levels between equal heights have no
    # length, and are none.
    ends = np.concatenate([[0.0], tree.heights, [max(1.0, tree.heights.max(initial=0.0))]])
    lives = np.diff(ends)
    fit = np.flatnonzero((count == k) & (lives > TIE))
    if not fit.size:
        return tree.cut(k), 0.0
    # The most weight in large pieces decides, then the longest lifetime.
    best = fit[np.lexsort((lives[fit], held[fit]))[-1]]
    component = tree.cut_at(float(ends[best]))
    of_leaf = tree.leaf_weights / np.bincount(tree.index, minlength=tree.n_leaves)  # of one of its objects
    weight = np.bincount(component, minlength=int(component.max()) + 1, weights=of_leaf[tree.index])
    names = np.full(len(weight), MISSING, dtype=np.int32)
    order = np.flatnonzero(weight >= limit)
    names[order[np.argsort(-weight[order], kind="stable")]] = np.arange(len(order))
    return names[component], float(lives[best])


def _sizes(tree: Dendrogram) -> FloatArray:
    """The weight of every leaf and of every merge."""
    size = np.concatenate([tree.leaf_weights, np.zeros(len(tree.merges))])
    for step, (a, b) in enumerate(tree.merges[:, :2].astype(np.int64).tolist(), start=tree.n_leaves):
        size[step] = size[a] + size[b]
    return size


Index: TypeAlias = str | Callable[..., Any]
_TRACE = 1e-9  # of the largest weight


@consensus_function(
    family="evidence accumulation",
    graph="co-association weighted by partition",
    needs_k=False,
    missing="similarity over the partitions that have both objects; indices over the objects a partition has",
    cost="O(ñ²B + nB²), with 500·B instead of B² beyond half a billion steps",
    reference="Yang and Chen 2011",
    per_object=("X",),
)
def wce(
    e: Ensemble,
    k: int | None = None,
    *,
    X: Any = None,
    indices: Sequence[Index] | Index | None = None,
    linkage: str = "average",
    reconcile: bool = False,
    sample: int = 2000,
    seed: Seed = None,
) -> Outcome:
    """Weighted clustering ensemble: evidence accumulation with partitions weighted by their validity.

    w_t is the mean of several indices, each in [0, 1]: an internal index g(P_t) on the features, or an external one,
    the mean agreement Σ_{s≠t} g(P_t, P_s) / (B − 1) with the other partitions. S_ij = Σ_t w_t [together] / Σ_t w_t
    [both present], then evidence accumulation as usual.

    Parameters
    ----------
    labels
        An Ensemble, or anything that Ensemble accepts. Its own weights are multiplied by those found here.
    k
        Number of clusters; by default, the one with the longest lifetime.
    indices
        Names or callables. Internal: see `measures.internal`, ``"stochastic_complexity"`` among them. External:
        ``"nmi"``, ``"ari"``, ``"rand"``, ``"vi"``, ``"mirkin"``, ``"purity"`` (set matching). A callable receives the
        arguments that its signature names among `labels` (one vector, −1 for missing), `X` and `ensemble`; if it names
        none of these, it receives the vector (and X, if given). It returns a number from 0 to 1. The default is Γ,
        Dunn's index and NMI, as in the paper; without X, it is NMI alone.
    reconcile
        Whether to compute one consensus per index and combine those by evidence accumulation, instead of averaging the
        weights.
    sample
        Maximum number of objects for internal indices, drawn with the seed.

    Returns
    -------
    Consensus
        ``details``: "weights", one row per index and one column per partition, and "indices", their names.

    Notes
    -----
    The lecture divides S by B instead of the weights, which only rescales it unless labels are missing.
    O(ñ²B) per consensus, O(nB²) for external and O(s²B) for internal indices on s sampled objects. Yang and Chen,
    Temporal data clustering via weighted clustering ensemble with different representations, 2011.

    Examples
    --------
    >>> import graphens as ge
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> labels = [[0, 0, 0], [0, 0, 1], [0, 0, 0], [1, 1, 1], [1, 1, 0], [1, 1, 1]]
    >>> r = ge.wce(labels, X=X, indices=["silhouette", "nmi"])
    >>> r.labels.tolist(), bool(r.details["weights"][0, 0] > r.details["weights"][0, 2])
    ([0, 0, 0, 1, 1, 1], True)
    """
    chosen = _chosen(indices, X)
    weights = np.stack([_weights(index, e, X, sample, seed) for index in chosen])
    details = {"weights": weights, "indices": tuple(_name(index) for index in chosen)}
    # Either the indices are averaged before one tree is made, or each index makes a tree of its own, and the
    # clusterings of these trees are combined once more.
    if not reconcile:
        graph = coassociation(_weighted(e, weights.mean(axis=0)))
    else:
        each = [link(coassociation(_weighted(e, row)), linkage) for row in weights]
        each_labels = [tree.cut_longest_lifetime() if k is None else tree.cut(k) for tree in each]
        graph = coassociation(Ensemble._of_labels(each_labels, e.object_weights))
    return cut_tree(graph, link(graph, linkage), k, **details)


def _chosen(indices: Sequence[Index] | Index | None, X: Any) -> Sequence[Index]:
    if indices is None:
        return ("nmi",) if X is None else ("huber_gamma", "dunn", "nmi")
    if not (isinstance(indices, (str, Sequence)) or callable(indices)):
        raise TypeMismatch.about("indices", indices, "names such as ['silhouette', 'nmi']")
    many = [indices] if isinstance(indices, str) or callable(indices) else list(indices)
    if not many:
        raise InputError("No index was given; expected at least one, such as 'nmi' or 'silhouette'.")
    return many


def _name(index: Index) -> str:
    return index if isinstance(index, str) else getattr(index, "__name__", repr(index))


def _weights(index: Index, e: Ensemble, X: Any, sample: int, seed: Seed) -> FloatArray:
    """One index for every partition, from 0 to 1."""
    if callable(index):
        return _call(index, e, X)
    if index in INDICES:
        if X is None:
            raise InputError(f"The index {quote(index)} needs the features; give X, or indices such as 'nmi'.")
        return internal_weights(X, e, index, sample=sample, seed=seed)
    if index in EXTERNAL:
        return agreement_weights(e, index)
    names = ", ".join([*INDICES, *EXTERNAL])
    raise InputError(f"The index {quote(index)} was given; expected a callable or one of {names}.")


def _call(index: Callable[..., Any], e: Ensemble, X: Any) -> FloatArray:
    # Arguments go by name if the function names `labels`; others take the labels, and X if there is one, by position.
    extra = () if X is None else (X,)
    try:
        named = list(inspect.signature(index).parameters)
    except (TypeError, ValueError):  # written in C
        named = []
    labels, names = e.labels, [name for name in ("labels", "X", "ensemble") if name in named and "labels" in named]
    with named_failure(f"The index {_name(index)}"):
        try:
            values = np.empty(e.n_partitions)
            for t in range(e.n_partitions):
                known = {"labels": labels[:, t], "X": X, "ensemble": e}
                value = index(**{name: known[name] for name in names}) if names else index(labels[:, t], *extra)
                values[t] = float(value)
        except TypeError as error:
            takes = f"a label vector{' and X' if extra else ''}"
            raise TypeMismatch(f"The index {_name(index)} must take {takes} and return a number: {error}.") from error
    if not ((values >= 0) & (values <= 1)).all():
        raise InputError(f"The index {_name(index)} gave {values.min():g} to {values.max():g}; expected 0 to 1.")
    return values


#: agreement of two partitions as a number from 0 to 1, given the measure and the number of objects
EXTERNAL: dict[str, Callable[[FloatArray, float], FloatArray]] = {
    "nmi": lambda values, n: values,
    "ari": lambda values, n: np.maximum(values, 0.0),
    "rand": lambda values, n: values,
    "vi": lambda values, n: 1.0 - np.minimum(values / max(np.log(n), 1e-300), 1.0),
    "mirkin": lambda values, n: 1.0 - values / max(n * (n - 1) / 2, 1.0),
    "purity": lambda values, n: values,
}


def agreement_weights(e: Ensemble, measure: str = "nmi") -> FloatArray:
    """Weighted mean agreement of every partition with the others, from 0 to 1; 1 if there are none. O(nB²).

    Copies of a partition agree in any case: they do not vouch for each other, and count as one with their weight.
    """
    distinct = Distinct.of(e, None)
    if distinct is not None:
        return agreement_weights(distinct.ensemble, measure)[distinct.partitions]
    if e.n_partitions == 1:
        return np.ones(1)
    between, others = agreements(e, measure)
    # The mean of a partition leaves out what it says about itself: its own column is taken from both sums.
    values = EXTERNAL[measure](between, float(e.object_weights.sum()))
    weight, itself = e.weights[others], np.zeros(e.n_partitions)
    itself[others] = values[others, np.arange(len(others))] * weight
    own_weight = np.bincount(others, weight, e.n_partitions)
    return divide(values @ weight - itself, weight.sum() - own_weight)


def _weighted(e: Ensemble, weights: FloatArray) -> Ensemble:
    """The ensemble with its weights multiplied; unchanged if all weights would be 0.

    If some objects have labels only in partitions of weight 0, these partitions keep a tiny weight. It decides for
    pairs without any other evidence, and is negligible otherwise.
    """
    product = e.weights * weights
    if not product.any():
        warn(
            "The validity indices gave every partition weight 0, so the partitions keep their original weights.",
            FallbackWarning,
        )
        return e
    reweighted = e.reweight(product)
    if not reweighted.present[e.present].all():
        # Objects with labels in worthless partitions only would lose all of them: those keep a trace of weight.
        reweighted = e.reweight(np.where((product > 0) | (e.weights == 0), product, _TRACE * product.max()))
    return reweighted
