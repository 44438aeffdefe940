"""Consensus by graph partitioning: cut one of the graphs of an ensemble, or its hypergraph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import Seed, as_int
from ..cutting.entry import Cutter
from ..cutting.partitioner_registry import PartitionerFunction
from ..errors import InputError
from ..graphs.coassociation import CoassociationGraph, RepeatedGraph, coassociation
from ..graphs.graph import Graph
from ..graphs.hypergraph import Hypergraph, hypergraph
from ..labels.ensemble import Ensemble
from ..labels.ready import distinct_rows
from ..result.consensus import Consensus
from .contract import alias, consensus_function
from .method import Cost
from .outcome import Outcome, graph_text, stranded_last
from .rows import Nearest, Objects

#: co-association graphs with more edges are thinned to the strongest neighbors
_EDGES = 4_000_000
_NEIGHBORS = 100
#: objectives that do not see the edges inside a part: only they cut merged vertices as they would the single ones
_MERGEABLE = ("cut", "km1")

Options = Mapping[str, Any] | None
AnyPartitioner = str | PartitionerFunction


@consensus_function(
    family="partitioning",
    graph="co-association",
    balanced=True,
    missing="similarity over partitions that have both objects",
    cost=Cost("ñ²B", "O(nB) memory beyond the graph"),
    reference="Strehl and Ghosh 2002",
)
def cspa(
    e: Ensemble,
    k: int | None = None,
    *,
    partitioner: AnyPartitioner = "metis",
    neighbors: int | str | None = "auto",
    collapse: bool = True,
    n_init: int | None = None,
    partitioner_options: Options = None,
    seed: Seed = None,
) -> Outcome:
    """Cut the co-association graph into k parts (cluster-based similarity partitioning).

    The weight of the edge between two objects is S_ij, the share of partitions that put them together. If label rows
    repeat, the graph of distinct rows is cut, with vertex weights c and edge weights S·c_i·c_j, so equal objects stay
    together.

    Returns
    -------
    Consensus
        ``details``: "cut" and "balance" of the parts, "partitioner", on small graphs "search" (see `Partition`), and
        "graph", a description of the graph.

    References
    ----------
    Strehl and Ghosh, Cluster ensembles, a knowledge reuse framework for combining multiple partitions, 2002.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
    >>> ge.cspa(e, 3, seed=0).labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
    cutter = Cutter(partitioner, n_init, partitioner_options, seed)
    return _by_similarity(e, k, cutter, neighbors, collapse=collapse)


ibgf: Callable[..., Consensus] = alias(
    "ibgf",
    cspa,
    "Cut the co-association graph by its normalized cut (instance-based graph formulation).",
    facts={
        "reference": "Fern and Brodley 2004",
        "balanced": False,
        "cost": Cost("nBk", per="eigenvector step"),
        "merges": True,
    },
    partitioner="spectral",
)


@consensus_function(
    family="partitioning",
    graph="hypergraph",
    balanced=True,
    missing="an absent object is in none of a partition's hyperedges",
    cost=Cost("nBk"),
    reference="Strehl and Ghosh 2002",
)
def hgpa(
    e: Ensemble,
    k: int | None = None,
    *,
    partitioner: AnyPartitioner = "metis-km1",
    collapse: bool = True,
    n_init: int | None = None,
    partitioner_options: Options = None,
    seed: Seed = None,
) -> Outcome:
    """Cut the hypergraph into k balanced parts that touch as few hyperedges as possible (hypergraph partitioning).

    Parameters
    ----------
    partitioner
        ``"metis-km1"``: METIS on the star expansion, then moves of single objects that lower the connectivity;
        ``"metis"`` without these moves; ``"mtkahypar"`` if it is installed; or a function of a hypergraph.

    Returns
    -------
    Consensus
        ``details``: "cut", the weight of the hyperedges cut; "km1", the connectivity Σ w (parts touched − 1);
        "balance", "partitioner", on small graphs "search" (see `Partition`), and "graph", a description of the
        hypergraph.

    References
    ----------
    Strehl and Ghosh, Cluster ensembles, a knowledge reuse framework for combining multiple partitions, 2002.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
    >>> r = ge.hgpa(e, 3, seed=0)
    >>> r.labels.tolist(), r.details["cut"], r.details["km1"]
    ([0, 0, 0, 1, 1, 2, 2], 2.0, 2.0)
    """
    micro, index = distinct_rows(e, k, collapse=collapse)
    h = _counted_hypergraph(micro)
    found = Cutter(partitioner, n_init, partitioner_options, seed).cut(h, k)
    more = {"km1": h.km1(found.labels), "graph": graph_text(micro, e, "hypergraph")}
    return Outcome(found.labels[index], graph=h, index=index, details=found.details() | more, sums=("cut", "km1"))


@consensus_function(
    family="partitioning",
    graph="bipartite",
    balanced=True,
    missing="an absent object has no edge to a partition's clusters",
    cost=Cost("nB", "spectral O(nB·s + s³ + nBk), s the smaller of ñ and K", per="run of METIS"),
    reference="Fern and Brodley 2004",
    scalable=True,
)
def hbgf(
    objects: Objects,
    k: int | None = None,
    *,
    partitioner: AnyPartitioner = "metis",
    collapse: bool = True,
    n_init: int | None = None,
    partitioner_options: Options = None,
    seed: Seed = None,
) -> Outcome:
    """Cut the bipartite graph of objects and clusters; the objects' side is the consensus (hybrid formulation).

    Parameters
    ----------
    partitioner
        ``"metis"`` (clusters have weight 0, so objects are balanced), ``"spectral"`` (the transfer cut: eigenvectors of
        the smaller side only, no balance), any other name from `graphens.partitioners`, or a function ``(graph, k, *,
        seed)``.

    Returns
    -------
    Consensus
        ``details``: "cut" and "balance" of the parts, "partitioner", on small graphs "search" (see `Partition`), and
        "graph", a description of the graph.

    References
    ----------
    Fern and Brodley, Solving cluster ensemble problems by bipartite graph partitioning, 2004.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
    >>> (
    ...     ge.hbgf(e, 3, seed=0).labels.tolist(),
    ...     ge.hbgf(e, 3, partitioner="spectral", seed=0).labels.tolist(),
    ... )
    ([0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2, 2])
    """
    return _by_star(objects, k, Cutter(partitioner, n_init, partitioner_options, seed), collapse=collapse)


@consensus_function(
    family="partitioning",
    graph="bipartite",
    missing="an absent object has no edge to a partition's clusters",
    cost=Cost("nB² + s³ + nBk", "s the smaller of ñ and K, with 500·B instead of B² beyond half a billion steps"),
    reference="Huang, Wang and Lai 2018",
    merges=True,
    scalable=True,
)
def lwgp(
    objects: Objects,
    k: int | None = None,
    *,
    entropy_scale: float = 0.4,
    adjusted: bool = True,
    partitioner: AnyPartitioner = "spectral",
    collapse: bool = True,
    n_init: int | None = None,
    partitioner_options: Options = None,
    seed: Seed = None,
) -> Outcome:
    """Cut the bipartite graph with edges weighted by cluster reliability (locally weighted graph partitioning).

    The reliability of a cluster is exp(−H/(sB)), where s = `entropy_scale` and H is the entropy of the ensemble on its
    objects: it is 1 if all partitions keep the cluster together. The default partitioner is the transfer cut, which
    needs only eigenvectors of the smaller side: K × K, or n × n if there are fewer objects than clusters.

    Parameters
    ----------
    adjusted
        Whether to leave out partitions that agree with the others only by chance, since entropies favor small clusters.
        Objects with labels only in such partitions are assigned last, to the cluster they are most often together with,
        or get −1 if nothing links them to a cluster. False gives the form of the paper. With labels on disk, all
        partitions are used.

    Returns
    -------
    Consensus
        ``details``: "reliability" of every cluster; "asked", the number of partitions used to compute it, if not all;
        "cut" and "balance" of the parts, "partitioner", on small graphs "search" (see `Partition`), and "graph", a
        description of the graph.

    References
    ----------
    Huang, Wang and Lai, Locally weighted ensemble clustering, 2018.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
    >>> ge.lwgp(e, 3, seed=0).labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
    cutter = Cutter(partitioner, n_init, partitioner_options, seed)

    def cut(some: Objects) -> Outcome:
        worth = some.reliability(entropy_scale, adjusted=adjusted)
        return _by_star(some, k, cutter, collapse=collapse, reliability=worth, **some.asked())

    if not adjusted or objects.clusters is not objects.ensemble:  # on disk the rule has to place every row
        return cut(objects)
    return stranded_last(objects.ensemble, k, lambda known: cut(Objects(known)))


# the steps they share ---------------------------------------------------------------------------------------------


def _by_similarity(
    e: Ensemble, k: int | None, cutter: Cutter, neighbors: int | str | None, *, collapse: bool
) -> Outcome:
    """Cut the co-association graph in the form that its size and the partitioner allow."""
    row = cutter.row
    micro, index = distinct_rows(e, k, collapse=collapse and row.objective in _MERGEABLE)
    if row.on_labels and neighbors in (None, "auto") and not (e.has_missing and _many_pairs(micro.n_objects)):
        graph: Graph = coassociation(e)
        if row.objective not in _MERGEABLE and not (e.object_weights == 1).all():
            graph = RepeatedGraph(coassociation(e))
        index, said = np.arange(e.n_objects), f"co-association of {e.n_objects} objects, from labels"
    else:
        graph, thinned = _similarity_graph(micro, neighbors)
        said = graph_text(micro, e, f"co-association{thinned}")
    found = cutter.cut(graph, k)
    return Outcome(found.labels[index], graph=graph, index=index, details=found.details() | {"graph": said})


def _similarity_graph(micro: Ensemble, neighbors: int | str | None) -> tuple[Graph, str]:
    """S·c_i·c_j between distinct rows, all edges or the strongest of each row; and a note about those left out."""
    graph = coassociation(micro)
    if neighbors == "auto":
        p = _NEIGHBORS if _too_many_edges(graph) else None
    elif isinstance(neighbors, str):
        raise InputError.about("neighbors", neighbors, "a number, None or 'auto'")
    else:
        p = None if neighbors is None else as_int("neighbors", neighbors, 1)
    base = graph.threshold(0.0) if p is None else graph.neighbors(p)
    count = micro.object_weights
    if not (count == 1).all():
        weighted = sparse.csr_array((base.adjacency * count) * count[:, None])
        base = Graph._trusted(weighted, base)
    return base, "" if p is None else f", {p} neighbors"


def _many_pairs(n: int) -> bool:
    return n * (n - 1) // 2 > _EDGES


def _too_many_edges(graph: CoassociationGraph) -> bool:
    n = graph.n_vertices
    return _many_pairs(n) and (n > 20_000 or graph.n_edges > _EDGES)


def _by_star(objects: Objects, k: int | None, cutter: Cutter, *, collapse: bool, **worth: Any) -> Outcome:
    """Cut the bipartite graph with edges weighted by the number of their objects and the weight of their clusters."""
    cutter = objects.star_cutter(cutter)
    graph, index = objects.bipartite(worth.get("reliability"), k, collapse=collapse)
    found, micro = cutter.cut(graph, k), graph.ensemble
    details: dict[str, Any] = found.details() | {"graph": graph_text(micro, objects.ensemble, "bipartite")}
    return Outcome(
        found.labels[: micro.n_objects][index],
        graph=graph,
        index=index,
        vertex_labels=found.labels,
        details=details | worth,
        sums=("cut",),
        rule=lambda: Nearest.of(graph, found.labels, found.k if k is None else k),
    )


def _counted_hypergraph(e: Ensemble) -> Hypergraph:
    """The hypergraph of distinct rows, with incidences that count how often a row occurs."""
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
