"""Meta-clustering: group the clusters of all partitions, then let the groups compete for the objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import FloatArray, LabelArray, Seed, as_int, reported_seed
from ..cutting.entry import Cutter
from ..cutting.partitioner_registry import PartitionerFunction
from ..cutting.parts import Partition
from ..errors import InputError
from ..graphs.graph import Graph
from ..graphs.metagraph import Similarity, metagraph
from ..labels.ensemble import Ensemble
from ..labels.ready import counted_partitions
from .contract import consensus_function
from .metaclusters import alike, compete, gather, group_table
from .method import Cost
from .outcome import Outcome
from .rows import Objects, Strongest
from .trajectories import average_link, room_for_walks, trajectory_similarity


@consensus_function(
    family="partitioning",
    graph="meta-graph",
    balanced=True,
    membership="association with the meta-clusters",
    missing="an absent object is in none of a partition's clusters",
    cost=Cost("nB²", "with 500·B instead of B² beyond half a billion steps"),
    reference="Strehl and Ghosh 2002",
    scalable=True,
)
def mcla(
    objects: Objects,
    k: int | None = None,
    *,
    partitioner: str | PartitionerFunction = "metis",
    similarity: str | Similarity = "jaccard",
    n_init: int | None = None,
    partitioner_options: Mapping[str, Any] | None = None,
    seed: Seed = None,
) -> Outcome:
    """Group the clusters into k meta-clusters and let them compete for the objects (meta-clustering).

    The association of an object with a meta-cluster is the weighted mean of the indicators of its clusters; the
    strongest wins, and ties are broken at random with the seed. A missing label is an indicator of 0, so all objects
    are compared with the same clusters. Memberships are shares of an object's associations with all meta-clusters, so a
    missing label does not reduce them. If a meta-cluster wins no object, there are fewer than k clusters, with a
    warning, and rows of memberships sum to less than 1.

    Parameters
    ----------
    similarity
        Weight of the edges between clusters: ``"jaccard"``, ``"overlap"``, ``"dice"``, ``"count"``, or a function
        ``(shared, sizes_a, sizes_b)`` of arrays, one entry per pair of clusters, see `graphens.metagraph`.

    Returns
    -------
    Consensus
        ``details``: "cut" and "balance" of the groups of clusters, "partitioner" and, on small graphs, "search" (see
        `Partition`); if the meta-graph would be too large, also "graph", a description of its edges, and "asked", the
        number of partitions whose clusters they lead to.

    References
    ----------
    Strehl and Ghosh, Cluster ensembles, a knowledge reuse framework for combining multiple partitions, 2002.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
    >>> r = ge.mcla(e, 3, seed=0)
    >>> r.labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    >>> r.membership.max(axis=1).round(2).tolist()
    [1.0, 1.0, 0.67, 1.0, 0.67, 1.0, 1.0]
    """
    graph = objects.metagraph(similarity)
    found = _grouped(graph, k, Cutter(partitioner, n_init, partitioner_options, seed))
    details = found.details() | objects.thinned(graph)
    return _competition(objects, found.labels, seed, mean=True, graph=graph, details=details)


@consensus_function(
    family="partitioning",
    graph="meta-graph",
    balanced=True,
    missing="an absent object has no vote in that partition",
    cost=Cost("nB²", "with 500·B instead of B² beyond half a billion steps"),
    reference="Fern and Brodley 2004",
    scalable=True,
)
def cbgf(
    objects: Objects,
    k: int | None = None,
    *,
    partitioner: str | PartitionerFunction = "metis",
    n_init: int | None = None,
    partitioner_options: Mapping[str, Any] | None = None,
    seed: Seed = None,
) -> Outcome:
    """Group the clusters, and assign each object to the group of most of its clusters (cluster-based formulation).

    The cluster-based graph formulation is like `mcla`, but every cluster has the same weight when clusters are grouped,
    and objects are assigned by the majority of their own clusters. Ties are broken at random with the seed.

    Returns
    -------
    Consensus
        ``details``: "cut" and "balance" of the groups of clusters, "partitioner" and, on small graphs, "search" (see
        `Partition`); if the meta-graph would be too large, also "graph", a description of its edges, and "asked", the
        number of partitions whose clusters they lead to.

    References
    ----------
    Fern and Brodley, Solving cluster ensemble problems by bipartite graph partitioning, 2004.

    Examples
    --------
    >>> import graphens as ge
    >>> ge.cbgf([[0, 0], [0, 0], [1, 1], [1, 1]], 2, seed=0).labels.tolist()
    [0, 0, 1, 1]
    """
    graph = alike(objects.metagraph())
    found = _grouped(graph, k, Cutter(partitioner, n_init, partitioner_options, seed))
    details = found.details() | objects.thinned(graph)
    outcome = _competition(objects, found.labels, seed, graph=graph, details=details)
    return replace(outcome, membership=None)


@consensus_function(
    family="walks and links",
    graph="meta-graph",
    missing="an absent object has no vote in that partition",
    cost=Cost("nB² + K³·steps", "variant hc also O(ñ²B)"),
    reference="Huang, Wang, Peng, Lai and Kwoh 2021",
    membership="share of an object's clusters (variant mc)",
    merges=True,
)
def ecpcs(e: Ensemble, k: int | None = None, *, variant: str = "mc", steps: int = 20, seed: Seed = None) -> Outcome:
    """Compare clusters by the random walks that start from them on the meta-graph (enhanced co-association).

    A walk steps from cluster a to b with probability proportional to Jaccard(a, b) times the weight of b's partition.
    It may stay where it is, since Jaccard(a, a) is 1; with many partitions this changes little, and with two it keeps
    walks from alternating. The similarity Z of two clusters is the cosine of their trajectories, the distributions of
    the walks after 1, …, `steps` steps.

    Parameters
    ----------
    variant
        ``"mc"``: the normalized cut of Z gives k meta-clusters, and an object joins the one with most of its clusters
        (ties are broken at random with the seed). ``"hc"``: average linkage on the mean over partitions of Z between
        the clusters of two objects.
    steps
        Length of the walks.

    Returns
    -------
    Consensus
        ``graph`` has the similarities Z of the clusters (``"mc"``) or of the distinct label rows (``"hc"``).

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
        raise InputError.about("variant", variant, "'mc' or 'hc'")
    e = counted_partitions(e)
    graph = metagraph(e)
    room_for_walks(graph.n_vertices, "clusters", per_pair=80.0)
    steps_to = (graph.adjacency + sparse.eye_array(graph.n_vertices)) * np.repeat(e.weights, e.n_clusters)
    z = trajectory_similarity(sparse.csr_array(steps_to), as_int("steps", steps, 1))
    del steps_to
    if variant == "hc":
        return average_link(e, lambda micro: _mean_between_clusters(micro, z), k)
    similar = Graph(
        z - np.diag(z.diagonal()),
        vertex_weights=graph.vertex_weights,
        roles=graph.roles,
        names=graph.names,
        kind="walks",
    )
    groups = _grouped(similar, k, Cutter("spectral", seed=seed)).labels
    return _competition(Objects(e), groups, seed, graph=similar)


def _grouped(graph: Graph, k: int | None, cutter: Cutter) -> Partition:
    """Group the clusters into at most as many groups as there are clusters."""
    return cutter.cut(graph, None if k is None else min(k, graph.n_vertices))


def _competition(objects: Objects, groups: LabelArray, seed: Seed, *, mean: bool = False, **fields: Any) -> Outcome:
    """Let groups of clusters compete for the objects."""
    association = gather(objects.ensemble, groups, mean=mean)
    return Outcome(
        compete(association, ties=seed),
        membership=association.of_objects(),
        vertex_labels=groups,
        rule=lambda: Strongest(group_table(objects.clusters, groups, mean=mean), reported_seed(seed)),
        **fields,
    )


def _mean_between_clusters(e: Ensemble, z: FloatArray) -> FloatArray:
    """Mean over the partitions that have both objects of the similarity of their clusters, n × n."""
    total, seen = np.zeros((e.n_objects,) * 2), np.zeros((e.n_objects,) * 2)
    for t, row in enumerate(e.codes):
        there = np.flatnonzero(row != e.absent)
        block = e.offsets[t] + row[there].astype(np.int64)
        total[np.ix_(there, there)] += e.weights[t] * z[np.ix_(block, block)]
        seen[np.ix_(there, there)] += e.weights[t]
    return np.divide(total, seen, out=total, where=seen > 0)
