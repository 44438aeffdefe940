"""Consensus by graph partitioning: cut one of the graphs of an ensemble, or its hypergraph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import AnyArray, FloatArray, LabelArray, freeze, generator, whole
from .._work import map_threads
from ..core.ensemble import Ensemble
from ..core.graph import Graph
from ..core.hypergraph import Hypergraph, hypergraph
from ..core.result import Partition
from ..cutting import partition
from ..cutting.registry import PartitionerFunction, find_partitioner
from ..errors import InputError
from ..steps.outcome import Outcome
from ..views.bipartite import BipartiteGraph
from ..views.coassociation import CoassociationGraph, coassociation
from ..views.metagraph import metagraph
from ..views.reliability import cluster_reliability
from .registry import consensus_function

#: co-association graphs with more edges are thinned to the strongest neighbours
_EDGES = 4_000_000
_NEIGHBORS = 100
#: objectives that do not see the edges inside a part: only they cut merged vertices as they would the single ones
_MERGEABLE = ("cut", "km1")
_ROWS = 1 << 15

Options = Mapping[str, Any] | None
AnyPartitioner = str | PartitionerFunction


@consensus_function(
    family="partitioning",
    graph="co-association",
    balanced=True,
    missing="similarity over partitions that have both objects",
    cost="O(ñ²B), O(nB) memory beyond the graph",
    reference="Strehl and Ghosh 2002",
)
def cspa(
    labels: Any,
    k: int | None = None,
    *,
    partitioner: AnyPartitioner = "metis",
    neighbors: int | str | None = "auto",
    collapse: bool = True,
    n_init: int | None = None,
    partitioner_options: Options = None,
    seed: int | None = None,
) -> Outcome:
    """Cut the co-association graph into k parts (cluster-based similarity partitioning).

    Parameters
    ----------
    labels
        An Ensemble, or anything Ensemble takes.
    k
        Number of clusters; by default the largest k_t.
    partitioner
        A name from `graphens.partitioners`, or a function ``(graph, k, *, seed)``.
    neighbors
        Keep each vertex's p strongest edges; None keeps all; ``"auto"`` keeps all up to four million edges and 100
        per vertex beyond. ``r.details["graph"]`` says what was done.
    collapse
        Cut the graph of the distinct label rows, with vertex weights c and edge weights S·c_i·c_j: identical objects
        stay together. False cuts the graph of all objects, as do partitioners that look at the edges inside a part
        (communities).
    n_init, partitioner_options
        Restarts, and further options of the partitioner such as ``{"imbalance": 0.1}``.
    seed
        The same seed gives the same answer.

    References
    ----------
    Strehl and Ghosh, Cluster ensembles, a knowledge reuse framework for combining multiple partitions, 2002.

    Examples
    --------
    >>> import graphens as ge
    >>> r = ge.cspa(
    ...     ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")]), 3, seed=0
    ... )
    >>> r.labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
    return _by_similarity(labels, k, partitioner, neighbors, collapse, n_init, partitioner_options, seed)


@consensus_function(
    family="partitioning",
    graph="co-association",
    missing="similarity over partitions that have both objects",
    cost="O(nBk) per eigenvector step",
    reference="Fern and Brodley 2004",
)
def ibgf(
    labels: Any,
    k: int | None = None,
    *,
    partitioner: AnyPartitioner = "spectral",
    neighbors: int | str | None = "auto",
    collapse: bool = True,
    n_init: int | None = None,
    partitioner_options: Options = None,
    seed: int | None = None,
) -> Outcome:
    """Cut the co-association graph by its normalised cut (instance-based graph formulation).

    The graph of `cspa`, cut without its preference for clusters of equal size; parameters as there. Where nothing is
    missing the graph is never built: its products with vectors come from the labels.

    References
    ----------
    Fern and Brodley, Solving cluster ensemble problems by bipartite graph partitioning, 2004.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
    >>> ge.ibgf(e, 3, seed=0).labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
    return _by_similarity(labels, k, partitioner, neighbors, collapse, n_init, partitioner_options, seed)


@consensus_function(
    family="partitioning",
    graph="hypergraph",
    balanced=True,
    missing="an absent object is in none of a partition's hyperedges",
    cost="O(nBk)",
    reference="Strehl and Ghosh 2002",
)
def hgpa(
    labels: Any,
    k: int | None = None,
    *,
    partitioner: AnyPartitioner = "metis-km1",
    collapse: bool = True,
    n_init: int | None = None,
    partitioner_options: Options = None,
    seed: int | None = None,
) -> Outcome:
    """Cut the hypergraph into k balanced parts that touch as few hyperedges as possible (hypergraph partitioning).

    ``r.details`` has the weight of the hyperedges cut and the connectivity ``km1`` = Σ w (parts touched − 1).

    Parameters
    ----------
    labels, k, collapse, n_init, partitioner_options, seed
        As for `cspa`.
    partitioner
        ``"metis-km1"``: METIS on the star expansion, then moves of single objects that lower the connectivity;
        ``"metis"`` without those; ``"mtkahypar"`` where it is installed; or a function.

    References
    ----------
    Strehl and Ghosh, Cluster ensembles, a knowledge reuse framework for combining multiple partitions, 2002.

    Examples
    --------
    >>> import graphens as ge
    >>> r = ge.hgpa(
    ...     ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")]), 3, seed=0
    ... )
    >>> r.labels.tolist(), r.details["cut"], r.details["km1"]
    ([0, 0, 0, 1, 1, 2, 2], 2.0, 2.0)
    """
    micro, index = _distinct(labels, k, collapse)
    h = _counted_hypergraph(micro)
    found = partition(h, k, partitioner, seed=seed, n_init=n_init, **(partitioner_options or {}))
    more = {"km1": h.km1(found.labels), "graph": _said(micro, labels, "hypergraph")}
    return Outcome(found.labels[index], graph=h, details=_details(found) | more)


@consensus_function(
    family="partitioning",
    graph="meta-graph",
    balanced=True,
    membership="association with the meta-clusters",
    missing="an absent object is in none of a partition's clusters",
    cost="O(nB²)",
    reference="Strehl and Ghosh 2002",
)
def mcla(
    labels: Any,
    k: int | None = None,
    *,
    partitioner: AnyPartitioner = "metis",
    similarity: str = "jaccard",
    n_init: int | None = None,
    partitioner_options: Options = None,
    seed: int | None = None,
) -> Outcome:
    """Group the clusters into k meta-clusters and let them compete for the objects (meta-clustering).

    The association of an object with a meta-cluster is the weighted mean of the indicators of its clusters; the
    strongest wins, ties at random under the seed. An absent label is an indicator of 0: all objects are measured
    against the same clusters, and since memberships are associations scaled to sum to 1, a missing label shrinks none
    of them. A meta-cluster may win nothing: then there are fewer than k clusters, and a warning.

    Parameters
    ----------
    labels, k, partitioner, n_init, partitioner_options, seed
        As for `cspa`.
    similarity
        Weight of the edges between clusters, see `graphens.metagraph`.

    References
    ----------
    Strehl and Ghosh, Cluster ensembles, a knowledge reuse framework for combining multiple partitions, 2002.

    Examples
    --------
    >>> import graphens as ge
    >>> r = ge.mcla(
    ...     ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")]), 3, seed=0
    ... )
    >>> r.labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    >>> r.confidence.round(2).tolist()
    [1.0, 1.0, 0.67, 1.0, 0.67, 1.0, 1.0]
    """
    graph = metagraph(labels, similarity)
    found = _meta_clusters(graph, k, partitioner, n_init, partitioner_options, seed)
    weight = np.repeat(labels.weights, labels.n_clusters)
    total = np.bincount(found.labels, weights=weight)
    share = np.divide(weight, total[found.labels], out=np.zeros_like(weight), where=weight > 0)
    association, index = _gathered(labels, found, share)
    winner = _compete(association, seed)
    return Outcome(winner[index], membership=association[index], graph=graph, details=_details(found))


@consensus_function(
    family="partitioning",
    graph="meta-graph",
    balanced=True,
    missing="an absent object has no vote in that partition",
    cost="O(nB²)",
    reference="Fern and Brodley 2004",
)
def cbgf(
    labels: Any,
    k: int | None = None,
    *,
    partitioner: AnyPartitioner = "metis",
    n_init: int | None = None,
    partitioner_options: Options = None,
    seed: int | None = None,
) -> Outcome:
    """Group the clusters into k meta-clusters and give each object to the one that holds most of its clusters.

    The cluster-based graph formulation: like `mcla`, but every cluster weighs the same when they are grouped, and
    objects are given by the majority of their own clusters. Ties go at random under the seed.

    Parameters
    ----------
    labels, k, partitioner, n_init, partitioner_options, seed
        As for `cspa`.

    References
    ----------
    Fern and Brodley, Solving cluster ensemble problems by bipartite graph partitioning, 2004.

    Examples
    --------
    >>> import graphens as ge
    >>> ge.cbgf([[0, 0], [0, 0], [1, 1], [1, 1]], 2, seed=0).labels.tolist()
    [0, 0, 1, 1]
    """
    graph = metagraph(labels)
    alike = Graph._trusted(graph.adjacency, graph, vertex_weights=freeze(np.ones(graph.n_vertices)))
    found = _meta_clusters(alike, k, partitioner, n_init, partitioner_options, seed)
    votes, index = _gathered(labels, found, np.repeat(labels.weights, labels.n_clusters))
    winner = _compete(votes, seed)
    return Outcome(winner[index], graph=alike, details=_details(found))


@consensus_function(
    family="partitioning",
    graph="bipartite",
    balanced=True,
    missing="an absent object has no edge to a partition's clusters",
    cost="O(nB) per run of METIS; O(nB² + K³ + nBk) spectral",
    reference="Fern and Brodley 2004",
)
def hbgf(
    labels: Any,
    k: int | None = None,
    *,
    partitioner: AnyPartitioner = "metis",
    collapse: bool = True,
    n_init: int | None = None,
    partitioner_options: Options = None,
    seed: int | None = None,
) -> Outcome:
    """Cut the bipartite graph of objects and clusters; the objects' side is the consensus (hybrid formulation).

    Parameters
    ----------
    labels, k, collapse, n_init, partitioner_options, seed
        As for `cspa`.
    partitioner
        ``"metis"`` (clusters weigh nothing, objects are balanced), ``"spectral"`` (the transfer cut: K × K
        eigenvectors only, no balance), any other name, or a function.

    References
    ----------
    Fern and Brodley, Solving cluster ensemble problems by bipartite graph partitioning, 2004.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
    >>> ge.hbgf(e, 3, seed=0).labels.tolist(), ge.hbgf(e, 3, partitioner="spectral", seed=0).labels.tolist()
    ([0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2, 2])
    """
    return _by_star(labels, k, None, partitioner, collapse, n_init, partitioner_options, seed)


@consensus_function(
    family="partitioning",
    graph="bipartite",
    missing="an absent object has no edge to a partition's clusters",
    cost="O(nB² + K³ + nBk)",
    reference="Huang, Wang and Lai 2018",
)
def lwgp(
    labels: Any,
    k: int | None = None,
    *,
    theta: float = 0.4,
    partitioner: AnyPartitioner = "spectral",
    collapse: bool = True,
    n_init: int | None = None,
    partitioner_options: Options = None,
    seed: int | None = None,
) -> Outcome:
    """Cut the bipartite graph whose edges weigh what their clusters are worth (locally weighted graph partitioning).

    A cluster's worth is exp(−H/(θB)) with H the entropy of the ensemble on its objects: 1 where all partitions keep it
    together. ``r.details["reliability"]`` has it for all clusters.

    Parameters
    ----------
    labels, k, collapse, n_init, partitioner_options, seed
        As for `cspa`.
    theta
        How fast worth falls with entropy; 0.2 to 1 are usual.
    partitioner
        The transfer cut by default; any other name, or a function.

    References
    ----------
    Huang, Wang and Lai, Locally weighted ensemble clustering, 2018.

    Examples
    --------
    >>> import graphens as ge
    >>> ge.lwgp(
    ...     ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")]), 3, seed=0
    ... ).labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
    worth = cluster_reliability(labels, theta)
    found = _by_star(labels, k, worth, partitioner, collapse, n_init, partitioner_options, seed)
    return Outcome(found.labels, graph=found.graph, details={**found.details, "reliability": worth})


# the steps they share ---------------------------------------------------------------------------------------------


def _distinct(e: Ensemble, k: int | None, collapse: bool) -> tuple[Ensemble, AnyArray]:  # noqa: FBT001
    """The distinct label rows, or the objects themselves where there are not k of them."""
    if collapse:
        micro, index = e.collapse()
        if k is None or micro.n_objects >= k:
            return micro, index
    return e, np.arange(e.n_objects)


def _by_similarity(
    e: Ensemble,
    k: int | None,
    partitioner: AnyPartitioner,
    neighbors: int | str | None,
    collapse: bool,  # noqa: FBT001
    n_init: int | None,
    options: Options,
    seed: int | None,
) -> Outcome:
    """Cut the co-association graph in the form that its size and the partitioner allow."""
    row = find_partitioner(partitioner)
    micro, index = _distinct(e, k, collapse and row.objective in _MERGEABLE)
    if row.on_labels and neighbors in (None, "auto") and not (e.has_missing and _many_pairs(micro.n_objects)):
        graph: Graph = coassociation(e)
        index, said = np.arange(e.n_objects), f"co-association of {e.n_objects} objects, from labels"
    else:
        graph, thinned = _similarity_graph(micro, neighbors)
        said = _said(micro, e, f"co-association{thinned}")
    found = partition(graph, k, partitioner, seed=seed, n_init=n_init, **(options or {}))
    return Outcome(found.labels[index], graph=graph, details=_details(found) | {"graph": said})


def _similarity_graph(micro: Ensemble, neighbors: int | str | None) -> tuple[Graph, str]:
    """S·c_i·c_j between distinct rows, all of it or each row's strongest neighbours; and how it was thinned."""
    graph = coassociation(micro)
    if neighbors == "auto":
        p = _NEIGHBORS if _too_many_edges(graph) else None
    elif isinstance(neighbors, str):
        raise InputError(f"neighbors = {neighbors!r} was given; expected a number, None or 'auto'.")
    else:
        p = None if neighbors is None else whole("neighbors", neighbors, 1)
    base = graph.threshold(0.0) if p is None else graph.neighbors(p)
    count = micro.object_weights
    if not (count == 1).all():
        weighted = sparse.csr_array((base.adjacency * count) * count[:, None])
        base = Graph._trusted(weighted, base)
    return base, "" if p is None else f", {p} neighbours"


def _many_pairs(n: int) -> bool:
    return n * (n - 1) // 2 > _EDGES


def _too_many_edges(graph: CoassociationGraph) -> bool:
    n = graph.n_vertices
    return _many_pairs(n) and (n > 20_000 or graph.n_edges > _EDGES)


def _by_star(
    e: Ensemble,
    k: int | None,
    cluster_weights: FloatArray | None,
    partitioner: AnyPartitioner,
    collapse: bool,  # noqa: FBT001
    n_init: int | None,
    options: Options,
    seed: int | None,
) -> Outcome:
    """Cut the bipartite graph; its edges count as often as their objects."""
    micro, index = _distinct(e, k, collapse)
    graph = BipartiteGraph(micro, cluster_weights=cluster_weights, repeated=True)
    found = partition(graph, k, partitioner, seed=seed, n_init=n_init, **(options or {}))
    said = {"graph": _said(micro, e, "bipartite")}
    return Outcome(found.labels[: micro.n_objects][index], graph=graph, details=_details(found) | said)


def _counted_hypergraph(e: Ensemble) -> Hypergraph:
    """The hypergraph of distinct rows, incidences counting how often a row occurs."""
    h = hypergraph(e)
    if (e.object_weights == 1).all():
        return h
    return Hypergraph(
        h.incidence * e.object_weights[:, None],
        vertex_weights=h.vertex_weights,
        hyperedge_weights=h.hyperedge_weights,
        partition=h.partition,
        vertex_names=h.vertex_names,
        hyperedge_names=h.hyperedge_names,
    )


def _meta_clusters(
    graph: Graph,
    k: int | None,
    partitioner: AnyPartitioner,
    n_init: int | None,
    options: Options,
    seed: int | None,
) -> Partition:
    """Group the clusters; no more groups than there are clusters."""
    size = None if k is None else min(k, graph.n_vertices)
    return partition(graph, size, partitioner, seed=seed, n_init=n_init, **(options or {}))


def _gathered(e: Ensemble, found: Partition, value: FloatArray) -> tuple[FloatArray, AnyArray]:
    """Sum of the values of an object's clusters per meta-cluster, for the distinct rows; and the row of each object."""
    from ..kernels.embedding import add_rows

    micro, index = e.collapse()
    table = np.zeros((len(value), found.k))
    table[np.arange(len(value)), found.labels] = value
    out, n = np.empty((micro.n_objects, found.k)), micro.n_objects
    map_threads(
        lambda start: add_rows(
            micro.codes, micro.offsets, micro.absent, table, start, min(n, start + _ROWS), out
        ),
        range(0, n, _ROWS),
    )
    return out, index


def _compete(strength: FloatArray, seed: int | None) -> LabelArray:
    """The strongest column of each row; ties go at random."""
    best = strength.max(axis=1, keepdims=True)
    tied = strength >= best - 1e-9
    winner = strength.argmax(axis=1).astype(np.int32)
    open_ = np.flatnonzero(np.count_nonzero(tied, axis=1) > 1)
    if open_.size:
        draw = generator(seed).random((open_.size, strength.shape[1]))
        winner[open_] = np.where(tied[open_], draw, -1.0).argmax(axis=1)
    return winner


def _details(found: Partition) -> dict[str, Any]:
    return {"cut": found.cut, "balance": found.balance, "partitioner": found.partitioner}


def _said(micro: Ensemble, e: Ensemble, kind: str) -> str:
    """How the graph was made, for a person to read."""
    if micro is e:
        return f"{kind} of {e.n_objects} objects"
    return f"{kind} of {micro.n_objects} distinct rows of {e.n_objects} objects"
