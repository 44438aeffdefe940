"""Similarities that look further than shared members: walks and links on the graphs of clusters and of objects."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import FloatArray, whole
from .._memory import require
from ..core.dendrogram import Dendrogram
from ..core.ensemble import Ensemble
from ..core.graph import Graph
from ..core.hypergraph import hypergraph
from ..cutting import partition
from ..cutting.spectral import transfer_cut
from ..errors import InputError
from ..linkage import link
from ..steps.outcome import Outcome
from ..views.coassociation import coassociation
from ..views.metagraph import metagraph
from .partitioning import _compete, _gathered
from .registry import consensus_function


@consensus_function(
    family="walks and links",
    graph="meta-graph",
    missing="an absent object has no vote in that partition",
    cost="O(nB² + K³·steps); variant hc also O(ñ²B)",
    reference="Huang, Wang, Peng, Lai and Kwoh 2021",
    membership="share of an object's clusters (variant mc)",
)
def ecpcs(
    labels: Any, k: int | None = None, *, variant: str = "mc", steps: int = 20, seed: Any = None
) -> Outcome:
    """Compare clusters by where random walks from them go on the meta-graph (enhanced co-association).

    A walk steps from cluster a to b with probability proportional to Jaccard(a, b) times the weight of b's partition.
    It may rest, Jaccard(a, a) being 1: with many partitions this changes little, with two it keeps walks from taking
    turns. Two clusters are as similar as the cosine Z of their trajectories, where walks are after 1, …, `steps` steps.

    Parameters
    ----------
    labels
        An Ensemble, or anything Ensemble takes.
    k
        Number of clusters; the largest k_t by default.
    variant
        ``"mc"``: the normalised cut of Z gives k meta-clusters, an object goes to the one with most of its clusters
        (ties at random under the seed). ``"hc"``: average link on the mean over partitions of Z between two objects'
        clusters.
    steps
        Length of the walks.
    seed
        For the cut and for ties.

    References
    ----------
    Huang, Wang, Peng, Lai and Kwoh, Enhanced ensemble clustering via fast propagation of cluster-wise similarities,
    2021.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
    >>> ge.ecpcs(e, 3, seed=0).labels.tolist(), ge.ecpcs(e, 3, variant="hc").labels.tolist()
    ([0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2, 2])
    """
    if variant not in ("mc", "hc"):
        raise InputError(f"variant = {variant!r} was given; expected 'mc' or 'hc'.")
    e = counted_partitions(labels)
    graph = metagraph(e)
    weights = np.repeat(e.weights, e.n_clusters)
    require(
        32.0 * len(weights) ** 2, f"Walks between {len(weights)} clusters", "Use lwgp() or fewer clusters"
    )
    step = sparse.csr_array((graph.adjacency + sparse.eye_array(len(weights))) * weights)
    z = trajectory_similarity(step, whole("steps", steps, 1))
    if variant == "hc":
        return _linked(e, _mean_between_clusters, z, k)
    similar = Graph(
        z - np.diag(z.diagonal()), vertex_weights=graph.vertex_weights, names=graph.names, kind="walks"
    )
    found = partition(similar, None if k is None else min(k, len(z)), "spectral", seed=seed)
    votes, index = _gathered(e, found, weights)
    return Outcome(_compete(votes, seed)[index], membership=votes[index], graph=similar)


def counted_partitions(e: Ensemble) -> Ensemble:
    """Leave out the partitions of weight zero."""
    return e if (e.weights > 0).all() else e.take(partitions=e.weights > 0)


def trajectory_similarity(step: sparse.csr_array, n_steps: int) -> FloatArray:
    """Cosine of the trajectories P¹ … P^T stacked per vertex, P the row-normalised steps; 1 on the diagonal.

    A vertex without edges stays where it is. O(n³T) time, n × n memory: Σ_s P^s P^sᵀ is summed, never stacked.
    """
    total = np.asarray(step.sum(axis=1)).ravel()
    resting = sparse.diags_array((total <= 0).astype(float))
    walk = sparse.csr_array(step / np.where(total > 0, total, 1.0)[:, None] + resting)
    at = walk.toarray()
    gram = at @ at.T
    for _ in range(n_steps - 1):
        at = walk @ at
        gram += at @ at.T
    length = np.sqrt(gram.diagonal())
    cosine = np.clip(gram / length[:, None] / length[None, :], 0.0, 1.0)
    np.fill_diagonal(cosine, 1.0)
    return np.asarray((cosine + cosine.T) / 2)


def _mean_between_clusters(e: Ensemble, z: FloatArray) -> FloatArray:
    """Mean over the partitions that have both objects of the similarity of their clusters, n × n."""
    total, seen = np.zeros((e.n_objects,) * 2), np.zeros((e.n_objects,) * 2)
    for t, row in enumerate(e.codes):
        there = np.flatnonzero(row != e.absent)
        block = e.offsets[t] + row[there].astype(np.int64)
        total[np.ix_(there, there)] += e.weights[t] * z[np.ix_(block, block)]
        seen[np.ix_(there, there)] += e.weights[t]
    return np.divide(total, seen, out=total, where=seen > 0)


def _linked(e: Ensemble, similarity: Any, given: Any, k: int | None) -> Outcome:
    """Average link of a similarity of the distinct rows, cut at k or where a clustering lives longest."""
    micro, index = e.collapse()
    n = micro.n_objects
    require(32.0 * n * n, f"A similarity of {n} distinct label rows", "Use lwgp(), which needs no n × n")
    matrix = similarity(micro, given)
    np.fill_diagonal(matrix, 0.0)
    graph = Graph(matrix, vertex_weights=micro.object_weights, kind="walks")
    tree = link(graph, "average")
    tree = Dendrogram(tree.merges, leaf_weights=micro.object_weights, index=index, names=e.vertex_names())
    return Outcome(tree.cut_longest_lifetime() if k is None else tree.cut(k), graph=graph, dendrogram=tree)


def _object_walks(e: Ensemble, given: tuple[int | None, int | None]) -> FloatArray:
    """Cosine of random-walk trajectories between distinct rows on their graph of co-association neighbours."""
    usual = max(1, min(20, int(np.sqrt(e.n_objects) / 2)))
    p, n_steps = (usual if value is None else whole("neighbors and steps", value, 1) for value in given)
    near = coassociation(e).neighbors(p).adjacency + sparse.eye_array(e.n_objects)
    return trajectory_similarity(sparse.csr_array(near * e.object_weights), n_steps)


@consensus_function(
    family="walks and links",
    graph="co-association neighbours",
    needs_k=False,
    missing="similarity over partitions that have both objects",
    cost="O(ñ²B + ñ³·steps)",
    reference="Huang, Lai and Wang 2016",
)
def pta(
    labels: Any, k: int | None = None, *, neighbors: int | None = None, steps: int | None = None
) -> Outcome:
    """Link objects by where random walks from them go (probability trajectory accumulation).

    Walks run over the distinct label rows: each keeps its strongest co-association neighbours (an edge stays where
    either end keeps it) and steps are proportional to similarity times how often the neighbour's row occurs; a walk may
    rest, a row being similar to itself. Two rows are as similar as the cosine of their trajectories; average link
    merges them.

    Parameters
    ----------
    labels
        An Ensemble, or anything Ensemble takes.
    k
        Number of clusters; by default the one that lives longest.
    neighbors, steps
        Neighbours kept and length of the walks; both ⌊√ñ/2⌋, from 1 to 20, by default.

    Notes
    -----
    A few thousand distinct rows are feasible: matrices are ñ × ñ.

    References
    ----------
    Huang, Lai and Wang, Robust ensemble clustering using probability trajectories, 2016.

    Examples
    --------
    >>> import graphens as ge
    >>> ge.pta([[0, 0, 1], [0, 0, 1], [0, 1, 1], [1, 1, 0], [1, 1, 0]], 2).labels.tolist()
    [0, 0, 0, 1, 1]
    """
    return _linked(counted_partitions(labels), _object_walks, (neighbors, steps), k)


@consensus_function(
    family="walks and links",
    graph="bipartite, edges from walks",
    missing="similarity over partitions that have both objects",
    cost="O(ñ²B + ñ³·steps)",
    reference="Huang, Lai and Wang 2016",
)
def ptgp(
    labels: Any,
    k: int | None = None,
    *,
    neighbors: int | None = None,
    steps: int | None = None,
    seed: Any = None,
) -> Outcome:
    """Cut the bipartite graph whose edges are mean trajectory similarities (probability trajectory graph partitioning).

    The edge between an object and a cluster weighs the object's mean similarity, as in `pta`, to the cluster's
    members, times the partition's weight; the transfer cut gives k clusters.

    Parameters
    ----------
    labels, k, neighbors, steps
        As for `pta`; k is the largest k_t by default.
    seed
        For the cut.

    References
    ----------
    Huang, Lai and Wang, Robust ensemble clustering using probability trajectories, 2016.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
    >>> ge.ptgp(e, 3, seed=0).labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
    assert k is not None
    micro, index = counted_partitions(labels).collapse()
    n = micro.n_objects
    require(32.0 * n * n, f"Walks between {n} distinct label rows", "Use lwgp(), which needs no n × n")
    h = hypergraph(micro)
    members = h.incidence * micro.object_weights[:, None]
    near = _object_walks(micro, (neighbors, steps)) @ members / np.maximum(h.sizes(), 1e-300)
    found = transfer_cut(near * h.hyperedge_weights, k, seed=seed, sample_weight=micro.object_weights)
    return Outcome(found[index])


@consensus_function(
    family="walks and links",
    graph="meta-graph",
    missing="an absent object has no similarity to that partition's clusters",
    cost="O(nB² + K² max k_t + ñK²)",
    reference="Iam-On, Boongoen, Garrett and Price 2011",
)
def lce(labels: Any, k: int | None = None, *, decay: float = 0.9, seed: Any = None) -> Outcome:
    """Soften the incidence by links between clusters, then cut it (link-based cluster ensemble).

    Clusters x and y of one partition are similar where they overlap the same clusters z elsewhere:
    WCT(x, y) = Σ_z min(J_xz, J_yz) over the meta-graph, partitions by weight. An object has similarity 1 to its own
    cluster and decay · WCT / max WCT to the other clusters of that partition; the transfer cut of this n × K matrix
    gives k clusters.

    Parameters
    ----------
    labels
        An Ensemble, or anything Ensemble takes.
    k
        Number of clusters; the largest k_t by default.
    decay
        Trust in links against membership, 0 to 1; 0.8 to 0.9 are usual.
    seed
        For the cut.

    References
    ----------
    Iam-On, Boongoen, Garrett and Price, A link-based approach to the cluster ensemble problem, 2011.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
    >>> ge.lce(e, 3, seed=0).labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
    if not 0 <= decay <= 1:
        raise InputError(
            f"decay = {decay!r} was given; expected a number from 0 to 1 (0.8 to 0.9 are usual)."
        )
    assert k is not None
    e = counted_partitions(labels)
    graph = metagraph(e)
    micro, index = e.collapse()
    width = int(e.offsets[-1])
    require(
        24.0 * micro.n_objects * width,
        f"The refined matrix of {micro.n_objects} distinct label rows and {width} clusters",
        "Use lwgp(), which works on the labels",
    )
    links = shared_links(e, graph, decay)
    refined = hypergraph(micro).incidence @ (links * np.repeat(e.weights, e.n_clusters))
    found = transfer_cut(refined, k, seed=seed, sample_weight=micro.object_weights)
    return Outcome(found[index], graph=graph)


def shared_links(e: Ensemble, graph: Graph, decay: float) -> sparse.csr_array:
    """Return decay · WCT / max WCT between clusters of the same partition, 1 on the diagonal."""
    weights = np.repeat(e.weights, e.n_clusters)
    blocks = []
    for start, stop in zip(e.offsets[:-1], e.offsets[1:], strict=True):
        rows = graph.adjacency[start:stop].toarray()
        block = np.array([np.minimum(row, rows) @ weights for row in rows]).reshape(
            stop - start, stop - start
        )
        np.fill_diagonal(block, 0.0)
        blocks.append(block)
    largest = max((block.max(initial=0.0) for block in blocks), default=0.0)
    scale = decay / largest if largest > 0 else 0.0
    softened = [sparse.csr_array(block * scale + np.eye(len(block))) for block in blocks if len(block)]
    return sparse.csr_array(sparse.block_diag(softened, format="csr"))
