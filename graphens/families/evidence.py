"""Evidence accumulation: dendrograms of the co-association graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from .._lib.arrays import Seed, as_int, draw, number
from ..errors import InputError
from ..graphs.affinity import join_most_similar
from ..graphs.coassociation import coassociation, neighbor_graph
from ..graphs.graph import Graph
from ..graphs.reliability import cluster_reliability, reliability_details
from ..labels.ensemble import Ensemble
from ..result.consensus import Consensus
from ..trees import link
from ..trees.agglomerate import objects_of_tree
from ..trees.dendrogram import TIE
from .contract import alias, consensus_function
from .method import Cost
from .outcome import Outcome, cut_tree, required, stranded_last, tree_of_some

_MISSING = "similarity over the partitions that have both objects"


@consensus_function(
    family="evidence accumulation",
    graph="co-association",
    needs_k=False,
    missing=_MISSING,
    cost=Cost("ñ²B"),
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
) -> Outcome:
    """Evidence accumulation: cut the dendrogram of 1 − S at k clusters, or at the longest lifetime.

    S_ij is the share of partitions that put i and j together. Single linkage is the maximum spanning forest of S.

    Parameters
    ----------
    k
        Number of clusters; by default, the k that exists over the longest range of thresholds, which may be 1.
    linkage
        ``"single"``, ``"average"`` or ``"complete"``.
    neighbors
        Use S only between neighbors: lists of neighbors (n × p object numbers), or their number p, to use the nearest
        in `X` or, without X, the objects that are most often together. The paper uses 20 neighbors and single linkage.
    X
        Features for `neighbors`.

    Returns
    -------
    Consensus
        With the graph that was linked and its dendrogram; ``details`` is empty.

    Notes
    -----
    O(ñ²B) byte comparisons for ñ distinct label rows and O(ñB) memory with single linkage, O(ñ²) more time with the
    others; with neighbor lists, O(npB). For ties, see `link`. The paper has no missing labels: with them, average
    linkage weights every pair by its evidence.

    References
    ----------
    Fred and Jain, Combining multiple clusterings using evidence accumulation, 2005.

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
    full = coassociation(e)
    graph: Graph = full if neighbors is None else neighbor_graph(full, neighbors, X)
    return cut_tree(graph, link(graph, linkage), k)


dspa: Callable[..., Consensus] = alias(
    "dspa",
    eac,
    "Dendrogram-based similarity partitioning: average linkage, cut at the longest lifetime (or at k).",
    facts={"reference": "Yang 2006; Fred and Jain 2005"},
    linkage="average",
)


@consensus_function(
    family="evidence accumulation",
    graph="co-association",
    missing=_MISSING,
    cost=Cost("ñ²B", sample="sample"),
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
    sample
        Maximum number of distinct label rows for which the tree has all objects. Beyond that, it has a random sample of
        this many objects, and every other object joins the cluster with the largest mean S.
    seed
        Seed of the sample.

    Returns
    -------
    Consensus
        With the co-association graph and the dendrogram. ``details``: "sampled", the number of objects in the
        dendrogram, if not all.

    Notes
    -----
    O(ñ²B) for the spanning tree of ñ distinct label rows, and O(ñ log ñ) for the rest. Gagolewski, Bartoszuk and Cena,
    Genie: a new, fast, and outlier-resistant hierarchical clustering algorithm, 2016.

    Examples
    --------
    >>> import graphens as ge
    >>> ge.genie(
    ...     [[0, 0, 1], [0, 0, 1], [0, 0, 2], [1, 1, 0], [1, 1, 0], [1, 2, 0]], 2
    ... ).labels.tolist()
    [0, 0, 0, 1, 1, 1]
    """
    graph, most = coassociation(e), max(as_int("sample", sample, 2), k or 2)
    drawn = objects_of_tree(e, most, seed)
    if drawn is None:
        return cut_tree(graph, link(graph, "genie", gini=gini), k)
    tree = link(graph.take(objects=drawn), "genie", gini=gini)
    labels = join_most_similar(e, drawn, tree.cut(required(k)))
    return Outcome(labels, graph=graph, dendrogram=tree_of_some(tree, drawn, e), details={"sampled": most})


@consensus_function(
    family="evidence accumulation",
    graph="threshold graph of co-association",
    needs_k=False,
    missing=_MISSING,
    cost=Cost("ñ²B"),
    reference="Fred 2001",
    merges=True,
)
def vkm(e: Ensemble, k: int | None = None, *, theta: float = 0.5) -> Outcome:
    """Voting k-means: the connected components of the graph of pairs together in more than θ of the partitions.

    Parameters
    ----------
    k
        Number of clusters, by cutting the single-linkage dendrogram; by default, the components are the clusters.
    theta
        Share of partitions above which two objects are connected, 0 ≤ θ < 1.

    Returns
    -------
    Consensus
        With the co-association graph and its single-link dendrogram; ``details`` is empty.

    Notes
    -----
    The components of a threshold graph are those of its spanning forest, so no edge list is needed: O(ñ²B) time and
    O(ñB) memory. Fred, Finding consistent clusters in data partitions, 2001.

    Examples
    --------
    >>> import graphens as ge
    >>> ge.vkm([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 2]]).labels.tolist()
    [0, 0, 0, 1]
    """
    if not 0 <= number("theta", theta) < 1:
        raise InputError.about("theta", theta, "a share of the partitions, 0 ≤ θ < 1")
    graph = coassociation(e)
    tree = link(graph, "single")
    if k is None:  # S > θ by more than rounding is a height below 1 − θ by more than rounding
        return Outcome(tree.cut_at(1.0 - theta - 2 * TIE), graph=graph, dendrogram=tree)
    return cut_tree(graph, tree, k)


@consensus_function(
    family="evidence accumulation",
    graph="co-association weighted by cluster",
    missing=_MISSING,
    cost=Cost("ñ²B + nB²", "with 500·B instead of B² beyond half a billion steps", sample="sample"),
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

    Parameters
    ----------
    adjusted
        Whether to leave out partitions that agree with the others only by chance, since entropies favor small clusters.
        Objects with labels only in such partitions are assigned last, to the cluster they are most often together with,
        or get −1 if nothing links them to a cluster. False gives the form of the paper.
    sample
        Maximum number of distinct label rows for which the tree has all objects. Beyond that, the tree has a random
        sample of this many objects, and every other object joins the cluster with the largest mean S.
    seed
        Seed of the sample.

    Returns
    -------
    Consensus
        With the weighted co-association graph and its dendrogram. ``details``: "sampled", the number of objects in the
        dendrogram, if not all; "asked", the number of partitions used for the reliabilities, if not all; "placed_last",
        the number of objects that were assigned last, if any.

    Notes
    -----
    O(nB²) for the reliabilities, which always use all objects, and O(ñ²B + nBk) for the rest. Objects with equal labels
    start together. Huang, Wang and Lai, Locally weighted ensemble clustering, 2018.

    Examples
    --------
    >>> import graphens as ge
    >>> ge.lwea(
    ...     [[0, 0, 1], [0, 0, 1], [0, 0, 2], [1, 1, 0], [1, 1, 0], [1, 2, 0]], 2
    ... ).labels.tolist()
    [0, 0, 0, 1, 1, 1]
    """
    most = max(as_int("sample", sample, 2), k or 2)
    if adjusted:
        return stranded_last(e, k, lambda known: _weighted_link(known, k, entropy_scale, most, seed, adjusted=True))
    return _weighted_link(e, k, entropy_scale, most, seed, adjusted=False)


def _weighted_link(
    e: Ensemble, k: int | None, entropy_scale: float, most: int, seed: Seed, *, adjusted: bool
) -> Outcome:
    """Average link with more weight on reliable clusters, of at most `sample` distinct rows."""
    graph = coassociation(e, cluster_weights=cluster_reliability(e, entropy_scale, adjusted=adjusted))
    if e.n_objects <= most or graph.collapse()[0].n_vertices <= most:
        return cut_tree(graph, link(graph, "average"), k, **reliability_details(e))
    drawn = draw(e.n_objects, most, seed)
    part = graph.take(objects=drawn)
    found = cut_tree(part, link(part, "average"), k)
    assert graph.cluster_weights is not None
    spread = join_most_similar(e, drawn, found.labels, graph.cluster_weights)
    assert found.dendrogram is not None
    details = {"sampled": most, **reliability_details(e)}
    return Outcome(spread, graph=graph, dendrogram=tree_of_some(found.dendrogram, drawn, e), details=details)
