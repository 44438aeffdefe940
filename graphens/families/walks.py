"""Similarities beyond shared members: walks and links on the graphs of clusters and of objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import FloatArray, IntArray, Seed, as_int, divide
from .._lib.memory import require
from ..cutting.entry import AnyPartitioner, Cutter, Options
from ..errors import InputError
from ..graphs.bipartite import bipartite
from ..graphs.coassociation import coassociation
from ..graphs.graph import Graph
from ..graphs.hypergraph import Hypergraph, hypergraph, incidence_of
from ..graphs.metagraph import metagraph
from ..labels.ensemble import Ensemble
from ..trees import link
from ..trees.dendrogram import Dendrogram
from .contract import consensus_function
from .metaclusters import collapse, compete, group_clusters
from .outcome import Outcome, cut_tree
from .rows import rows_to_cut


def _object_walks(e: Ensemble, neighbors: int | None, steps: int | None) -> FloatArray:
    """Cosine of random-walk trajectories between distinct rows on their graph of co-association neighbors."""
    # As in the paper: √n / 2 neighbors and steps, at most 20.
    usual = max(1, min(20, int(np.sqrt(e.n_objects) / 2)))
    p = usual if neighbors is None else as_int("neighbors", neighbors, 1)
    n_steps = usual if steps is None else as_int("steps", steps, 1)
    near = coassociation(e).neighbors(p).adjacency + sparse.eye_array(e.n_objects)
    return trajectory_similarity(sparse.csr_array(near * e.object_weights), n_steps)


@consensus_function(
    family="walks and links",
    graph="walks between objects",
    needs_k=False,
    missing="similarity over partitions that have both objects",
    cost="O(ñ²B + ñ³·steps)",
    reference="Huang, Lai and Wang 2016",
    merges=True,
)
def pta(e: Ensemble, k: int | None = None, *, neighbors: int | None = None, steps: int | None = None) -> Outcome:
    """Link objects by the random walks that start from them (probability trajectory accumulation).

    Walks run over the distinct label rows. Each row keeps its strongest co-association neighbors (an edge stays if
    either end keeps it), and steps are proportional to the similarity times the number of objects with the neighbor's
    row; a walk may stay where it is, since a row is similar to itself. The similarity of two rows is the cosine of
    their trajectories, and average linkage merges them.

    Parameters
    ----------
    k
        Number of clusters; by default, the one with the longest lifetime.
    neighbors, steps
        Number of neighbors kept and length of the walks; by default, both are ⌊√ñ/2⌋, from 1 to 20.

    Returns
    -------
    Consensus
        ``graph`` has the similarities of the distinct rows, and ``dendrogram`` is their tree.

    Notes
    -----
    Up to a few thousand distinct rows are feasible, since matrices are ñ × ñ.
    """
    e = e.take(partitions=e.weights > 0)
    return average_link(e, lambda micro: _object_walks(micro, neighbors, steps), k)


@consensus_function(
    family="walks and links",
    graph="bipartite, edges from walks",
    missing="similarity over partitions that have both objects",
    cost="O(ñ²B + ñ³·steps)",
    reference="Huang, Lai and Wang 2016",
    merges=True,
)
def ptgp(
    e: Ensemble,
    k: int | None = None,
    *,
    neighbors: int | None = None,
    steps: int | None = None,
    partitioner: AnyPartitioner = "spectral",
    n_init: int | None = None,
    partitioner_options: Options = None,
    seed: Seed = None,
) -> Outcome:
    """Cut the bipartite graph whose edges are mean trajectory similarities (probability trajectory graph partitioning).

    The similarity of two distinct label rows is the cosine of the trajectories of random walks from them, on the graph
    of each row's strongest co-association neighbors. The weight of the edge between an object and a cluster is the
    object's mean similarity to the members of the cluster, times the weight of the partition. The default partitioner
    is the transfer cut.

    Parameters
    ----------
    neighbors, steps
        Number of neighbors kept and length of the walks; by default, both are ⌊√ñ/2⌋, from 1 to 20.

    """
    e = e.take(partitions=e.weights > 0)
    micro, index = rows_to_cut(e, k, collapse=True)
    room_for_walks(micro.n_objects)
    h = hypergraph(micro)
    members = h.incidence * micro.object_weights[:, None]
    near = _object_walks(micro, neighbors, steps) @ members / np.maximum(h.sizes(), 1e-300)
    return _cut_star(micro, index, sparse.csr_array(near), k, Cutter(partitioner, n_init, partitioner_options, seed))


def _cut_star(micro: Ensemble, index: IntArray, edges: sparse.csr_array, k: int | None, cutter: Cutter) -> Outcome:
    """Cut the bipartite graph with given edges from distinct rows to clusters, times the weights of both."""
    star = bipartite(
        Hypergraph(
            edges * micro.object_weights[:, None],
            vertex_weights=micro.object_weights,
            hyperedge_weights=np.repeat(micro.weights, micro.n_clusters),
            vertex_names=micro.vertex_names(),
            hyperedge_names=micro.cluster_names,
        )
    )
    parts = cutter.cut(star, k)
    labels = parts.labels
    return Outcome(
        labels[: micro.n_objects][index], graph=star, index=index, vertex_labels=labels, details=parts.details()
    )


@consensus_function(
    family="walks and links",
    graph="bipartite, edges from links",
    missing="an absent object has no similarity to that partition's clusters",
    cost="O(nB² + K²·k_t + ñK²)",
    reference="Iam-On, Boongoen, Garrett and Price 2011",
    merges=True,
)
def lce(
    e: Ensemble,
    k: int | None = None,
    *,
    decay: float = 0.9,
    partitioner: AnyPartitioner = "spectral",
    n_init: int | None = None,
    partitioner_options: Options = None,
    seed: Seed = None,
) -> Outcome:
    """Soften the incidence by links between clusters, then cut it (link-based cluster ensemble).

    Clusters x and y of one partition are similar if they overlap the same clusters z of other partitions: WCT(x, y) =
    Σ_z min(J_xz, J_yz) over the meta-graph, weighted by partition. An object has similarity 1 to its own cluster and
    decay · WCT / max WCT to the other clusters of that partition. These are the edges of a bipartite graph, which is
    cut; the default partitioner is the transfer cut.

    Parameters
    ----------
    decay
        Weight of links relative to membership, from 0 to 1; values from 0.8 to 0.9 are common.

    """
    if not 0 <= decay <= 1:
        raise InputError.about("decay", decay, "a number from 0 to 1 (0.8 to 0.9 are common)")
    e = e.take(partitions=e.weights > 0)
    micro, index = rows_to_cut(e, k, collapse=True)
    width = int(e.offsets[-1])
    require(
        24.0 * micro.n_objects * width,
        f"The refined matrix of {micro.n_objects} distinct label rows and {width} clusters",
        "Use lwgp(), which works on the labels",
    )
    edges = sparse.csr_array(incidence_of(micro) @ shared_links(e, metagraph(e), decay))
    return _cut_star(micro, index, edges, k, Cutter(partitioner, n_init, partitioner_options, seed))


def shared_links(e: Ensemble, graph: Graph, decay: float) -> sparse.csr_array:
    """Return decay · WCT / max WCT between clusters of the same partition, 1 on the diagonal."""
    weights = np.repeat(e.weights, e.n_clusters)
    blocks = []
    for start, stop in zip(e.offsets[:-1], e.offsets[1:], strict=True):
        # Two clusters of a partition share no object; what they share are neighbors in the meta-graph (weighted
        # connected triples).
        rows = graph.adjacency[start:stop].toarray()
        block = np.array([np.minimum(row, rows) @ weights for row in rows]).reshape(stop - start, stop - start)
        np.fill_diagonal(block, 0.0)
        blocks.append(block)
    largest = max((block.max(initial=0.0) for block in blocks), default=0.0)
    scale = decay / largest if largest > 0 else 0.0
    softened = [sparse.csr_array(block * scale + np.eye(len(block))) for block in blocks if len(block)]
    return sparse.csr_array(sparse.block_diag(softened, format="csr"))


@consensus_function(
    family="walks and links",
    graph="walks between clusters",
    missing="an absent object has no vote in that partition",
    cost="O(nB² + K³·steps), variant hc also O(ñ²B)",
    reference="Huang, Wang, Peng, Lai and Kwoh 2021",
    membership="share of an object's clusters (variant mc)",
    merges=True,
)
def ecpcs(
    e: Ensemble,
    k: int | None = None,
    *,
    variant: str = "mc",
    steps: int = 20,
    partitioner: AnyPartitioner = "spectral",
    n_init: int | None = None,
    partitioner_options: Options = None,
    seed: Seed = None,
) -> Outcome:
    """Compare clusters by the random walks that start from them on the meta-graph (enhanced co-association).

    A walk steps from cluster a to b with probability proportional to Jaccard(a, b) times the weight of b's partition.
    It may stay where it is, since Jaccard(a, a) is 1; with many partitions this changes little, and with two it keeps
    walks from alternating. The similarity Z of two clusters is the cosine of their trajectories, the distributions of
    the walks after 1, …, `steps` steps.

    Parameters
    ----------
    variant
        ``"mc"``: Z is cut into k meta-clusters, by default by its normalized cut, and an object joins the one with most
        of its clusters (ties are broken at random with the seed). ``"hc"``: average linkage on the mean over partitions
        of Z between the clusters of two objects; no partitioner is used.
    steps
        Length of the walks.

    Returns
    -------
    Consensus
        ``graph`` has the similarities Z of the clusters (``"mc"``) or of the distinct label rows (``"hc"``).
        ``details`` of ``"mc"``: "cut" and "balance" of the groups of clusters, "partitioner", on small graphs "search".
    """
    if variant not in ("mc", "hc"):
        raise InputError.about("variant", variant, "'mc' or 'hc'")
    e = e.take(partitions=e.weights > 0)
    graph = metagraph(e)
    room_for_walks(graph.n_vertices, "clusters", per_pair=80.0)
    steps_to = (graph.adjacency + sparse.eye_array(graph.n_vertices)) * np.repeat(e.weights, e.n_clusters)
    z = trajectory_similarity(sparse.csr_array(steps_to), as_int("steps", steps, 1))
    del steps_to
    if variant == "hc":
        return average_link(e, lambda micro: _mean_between_clusters(micro, z), k)
    like: Any = {"vertex_weights": graph.vertex_weights, "roles": graph.roles, "names": graph.names}
    similar = Graph(z - np.diag(z.diagonal()), kind="walks", **like)
    parts = group_clusters(similar, k, Cutter(partitioner, n_init, partitioner_options, seed))
    return compete(collapse(e, parts.labels), seed, graph=similar, details=parts.details())


def _mean_between_clusters(e: Ensemble, z: FloatArray) -> FloatArray:
    """Mean over the partitions that have both objects of the similarity of their clusters, n × n."""
    # Divided by the partitions that have both objects, so a missing label neither joins nor separates.
    total, weight = np.zeros((e.n_objects,) * 2), np.zeros((e.n_objects,) * 2)
    for t, row in enumerate(e.codes):
        there = np.flatnonzero(row != e.absent)
        block = e.offsets[t] + row[there].astype(np.int64)
        total[np.ix_(there, there)] += e.weights[t] * z[np.ix_(block, block)]
        weight[np.ix_(there, there)] += e.weights[t]
    return divide(total, weight)


def trajectory_similarity(step: sparse.csr_array, n_steps: int) -> FloatArray:
    """Cosine of the trajectories P¹ … P^T of each vertex, where P has the row-normalized steps; 1 on the diagonal.

    A walk from a vertex without edges stays there. O(n³T) time, n × n memory: Σ_s P^s P^sᵀ is summed step by step.
    """
    # A vertex without any step rests where it is, so that its trajectory has a length.
    total = np.asarray(step.sum(axis=1)).ravel()
    resting = sparse.diags_array((total <= 0).astype(float))
    walk = sparse.csr_array(step / np.where(total > 0, total, 1.0)[:, None] + resting)
    # The products of whole trajectories are the sum of those of single steps: no trajectory of T·n numbers is kept.
    at = walk.toarray()
    gram = at @ at.T
    for _ in range(n_steps - 1):
        at = walk @ at
        gram += at @ at.T
    length = np.sqrt(gram.diagonal())
    cosine = np.clip(gram / length[:, None] / length[None, :], 0.0, 1.0)
    np.fill_diagonal(cosine, 1.0)
    return np.asarray((cosine + cosine.T) / 2)


def room_for_walks(n: int, what: str = "distinct label rows", per_pair: float = 60.0) -> None:
    """Refuse walks whose n × n matrices, with a given number of bytes per pair, exceed the memory budget."""
    require(per_pair * n * n, f"Walks between {n} {what}", "Use lwgp(), which needs no n × n")


def average_link(e: Ensemble, similarity: Callable[[Ensemble], FloatArray], k: int | None) -> Outcome:
    """Average link of a similarity of the distinct rows, cut at k or at the longest lifetime."""
    micro, index = e.collapse()
    room_for_walks(micro.n_objects)
    matrix = similarity(micro)
    np.fill_diagonal(matrix, 0.0)
    graph = Graph(matrix, vertex_weights=micro.object_weights, names=micro.vertex_names(), kind="walks")
    tree = link(graph, "average")
    tree = Dendrogram(tree.merges, leaf_weights=micro.object_weights, index=index, names=e.vertex_names())
    return replace(cut_tree(graph, tree, k), index=index)
