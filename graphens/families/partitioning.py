"""Consensus by partitioning: cut a graph or the hypergraph of objects and clusters, or group the clusters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from .._lib.arrays import FloatArray, IntArray, LabelArray, Seed, as_int, divide, number
from ..cutting.entry import AnyPartitioner, Cutter, Options
from ..cutting.partitioner_registry import Partitioner
from ..errors import InputError
from ..graphs.coassociation import RepeatedGraph, coassociation
from ..graphs.graph import Graph
from ..graphs.hypergraph import hypergraph
from ..graphs.metagraph import Similarity
from ..graphs.reliability import reliability_details
from ..labels.ensemble import Ensemble
from ..result.consensus import OVERLAPS, Consensus
from .contract import alias, consensus_function
from .metaclusters import alike, collapse, compete, group_clusters
from .method import NONE, Symmetry
from .move_counts import Counts, base_clusters
from .outcome import Outcome, place_weakly_labeled_last, required
from .rows import Nearest, Rows, rows_to_cut
from .standard_form import standard
from .trials import run_panel

#: co-association graphs with more edges are thinned to the strongest neighbors
_EDGES = 4_000_000
_NEIGHBORS = 100


@consensus_function(
    family="partitioning",
    graph="co-association",
    balanced=True,
    missing="similarity over partitions that have both objects",
    cost="O(ñ²B), O(nB) memory beyond the graph",
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

    """
    cutter = Cutter(partitioner, n_init, partitioner_options, seed)
    graph, index = _similarities(e, k, cutter.row, neighbors, collapse=collapse)
    parts = cutter.cut(graph, k)
    return Outcome(parts.labels[index], graph=graph, index=index, details=parts.details())


def _similarities(
    e: Ensemble, k: int | None, row: Partitioner, neighbors: int | str | None, *, collapse: bool
) -> tuple[Graph, IntArray]:
    """The co-association of the distinct rows, or of the objects, and the vertex of each object."""
    by_cut = row.objective in ("cut", "km1")
    if by_cut and row.on_labels and neighbors in (None, "auto"):  # trees merge equal rows, and count them, themselves
        return coassociation(e), np.arange(e.n_objects)
    # Only the cut does not see the edges inside a part, so only it is the same for merged vertices.
    micro, index = rows_to_cut(e, k, collapse=collapse and by_cut)
    s = coassociation(micro)
    graph: Graph = s if (micro.object_weights == 1).all() else RepeatedGraph(s)
    if neighbors == "auto":
        # Explicit edges are bounded; products with labels take O(nB) instead, unless some are missing.
        n, by_products = s.n_vertices, row.on_labels and not e.has_missing
        many = not by_products and n * (n - 1) // 2 > _EDGES and (n > 20_000 or s.n_edges > _EDGES)
        neighbors = _NEIGHBORS if many else None
    elif isinstance(neighbors, str):
        raise InputError.about("neighbors", neighbors, "a number, None or 'auto'")
    return graph if neighbors is None else graph.neighbors(as_int("neighbors", neighbors, 1)), index


ibgf: Callable[..., Consensus] = alias(
    "ibgf",
    cspa,
    "Cut the co-association graph by its normalized cut (instance-based graph formulation).",
    facts={
        "reference": "Fern and Brodley 2004",
        "balanced": False,
        "symmetry": Symmetry(),
        "cost": "O(nBk) per eigenvector step",
        "merges": True,
    },
    partitioner="spectral",
)


@consensus_function(
    family="partitioning",
    graph="hypergraph",
    balanced=True,
    missing="an absent object is in none of a partition's hyperedges",
    cost="O(nBk)",
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
        "balance", "partitioner", and on small graphs "search" (see `Partition`).

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
    >>> r = ge.hgpa(e, 3, seed=0)
    >>> r.labels.tolist(), r.details["cut"], r.details["km1"]
    ([0, 0, 0, 1, 1, 2, 2], 2.0, 2.0)
    """
    micro, index = rows_to_cut(e, k, collapse=collapse)
    h = hypergraph(micro)
    h = h._replace(incidence=csr_array(h.incidence * micro.object_weights[:, None]))  # a row counts for all its objects
    parts = Cutter(partitioner, n_init, partitioner_options, seed).cut(h, k)
    details = parts.details() | {"km1": h.km1(parts.labels)}
    return Outcome(parts.labels[index], graph=h, index=index, details=details, sums=("cut", "km1"))


@consensus_function(
    family="partitioning",
    graph="bipartite",
    balanced=True,
    missing="an absent object has no edge to a partition's clusters",
    cost="O(nB) per run of METIS, spectral O(nB·s + s³ + nBk), s the smaller of ñ and K",
    reference="Fern and Brodley 2004",
    scalable=True,
)
def hbgf(
    rows: Rows,
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
        seed)``. With tens of thousands of objects, METIS may end at cuts far larger than those of ``"spectral"``.

    """
    return _by_star(rows, k, Cutter(partitioner, n_init, partitioner_options, seed), collapse=collapse)


@consensus_function(
    family="partitioning",
    graph="bipartite",
    missing="an absent object has no edge to a partition's clusters",
    cost="O(nB² + s³ + nBk), s the smaller of ñ and K, with 500·B instead of B² beyond half a billion steps",
    reference="Huang, Wang and Lai 2018",
    merges=True,
    scalable=True,
)
def lwgp(
    rows: Rows,
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

    Returns
    -------
    Consensus
        ``details``: "reliability" of every cluster; "sampled_partitions", how many partitions it is from, if not all;
        "cut" and "balance" of the parts, "partitioner", and on small graphs "search" (see `Partition`).
    """
    cutter = Cutter(partitioner, n_init, partitioner_options, seed)

    def cut(some: Rows) -> Outcome:
        facts = reliability_details(some.sample) if some.in_memory else {}
        reliability = some.reliability(entropy_scale, adjusted=adjusted)
        return _by_star(some, k, cutter, collapse=collapse, reliability=reliability, **facts)

    if not adjusted or not rows.in_memory:  # on disk the rule has to place every row
        return cut(rows)
    return place_weakly_labeled_last(rows.sample, k, lambda known: cut(Rows(known)))


def _by_star(rows: Rows, k: int | None, cutter: Cutter, *, collapse: bool, **facts: Any) -> Outcome:
    """Cut the bipartite graph with edges weighted by the number of their objects and the weight of their clusters."""
    graph, index = rows.bipartite(facts.get("reliability"), k, collapse=collapse)
    parts = rows.star_cutter(cutter).cut(graph, k)
    return Outcome(
        parts.labels[: graph.ensemble.n_objects][index],
        graph=graph,
        index=index,
        vertex_labels=parts.labels,
        details=parts.details() | facts,
        sums=("cut",),
        rule=lambda: Nearest.of(graph, parts.labels, parts.k if k is None else k),
    )


@consensus_function(
    family="partitioning",
    graph="meta-graph",
    balanced=True,
    membership="association with the meta-clusters",
    missing="an absent object is in none of a partition's clusters",
    cost="O(nB²), with 500·B instead of B² beyond half a billion steps",
    reference="Strehl and Ghosh 2002",
    scalable=True,
)
def mcla(
    rows: Rows,
    k: int | None = None,
    *,
    partitioner: AnyPartitioner = "metis",
    similarity: str | Similarity = "jaccard",
    n_init: int | None = None,
    partitioner_options: Options = None,
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
        `Partition`); if the meta-graph would be too large, also "sampled_partitions", the number of partitions
        whose clusters its edges lead to.

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
    graph = rows.metagraph(similarity)  # construct the meta-graph of all clusters
    parts = group_clusters(graph, k, Cutter(partitioner, n_init, partitioner_options, seed))  # cluster its vertices
    association = collapse(rows.sample, parts.labels, mean=True)  # collapse each group into one meta-cluster
    details = parts.details() | rows.metagraph_details(graph)
    return compete(association, seed, graph=graph, details=details)  # compete for objects


@consensus_function(
    family="partitioning",
    graph="meta-graph",
    balanced=True,
    missing="an absent object has no vote in that partition",
    cost="O(nB²), with 500·B instead of B² beyond half a billion steps",
    reference="Fern and Brodley 2004",
    scalable=True,
)
def cbgf(
    rows: Rows,
    k: int | None = None,
    *,
    partitioner: AnyPartitioner = "metis",
    n_init: int | None = None,
    partitioner_options: Options = None,
    seed: Seed = None,
) -> Outcome:
    """Group the clusters, and assign each object to the group of most of its clusters (cluster-based formulation).

    The cluster-based graph formulation is like `mcla`, but every cluster has the same weight when clusters are grouped,
    and objects are assigned by the majority of their own clusters. Ties are broken at random with the seed.

    Returns
    -------
    Consensus
        ``details``: "cut" and "balance" of the groups of clusters, "partitioner" and, on small graphs, "search" (see
        `Partition`); if the meta-graph would be too large, also "sampled_partitions", the number of partitions
        whose clusters its edges lead to.
    """
    graph = alike(rows.metagraph())
    parts = group_clusters(graph, k, Cutter(partitioner, n_init, partitioner_options, seed))
    association = collapse(rows.sample, parts.labels)
    outcome = compete(association, seed, graph=graph, details=parts.details() | rows.metagraph_details(graph))
    return replace(outcome, membership=None)


_LEAST = 1e-300  # a base cluster of weightless objects has no size to divide by


@consensus_function(
    family="partitioning",
    graph=OVERLAPS,
    missing="an absent object does not count in that partition's table",
    cost="O(nBk) per sweep and the cost of `lwgp`",
    reference="Fern and Brodley 2004; Huang, Wang and Lai 2018",
    balanced=True,
    symmetry=Symmetry(repeating=NONE),
)
def even(e: Ensemble, k: int | None = None, *, balance: float = 1.0, sweeps: int = 50, seed: Seed = None) -> Outcome:
    """Move objects between the clusters of `lwgp` until agreement and even sizes are in balance.

    Maximizes fit − balance · g · unevenness, by single moves:

    fit = Σ_C Σ_t w_t Σ_{c in t} |C ∩ c|² / (|c| |C_t|) / Σ_t w_t, unevenness = k Σ_C (|C| / n)²,

    where C_t are the objects of C that partition t has. The fit is 1 if all objects are in one cluster, and k if every
    cluster is a union of base clusters in every partition; the unevenness ranges from 1 (equal sizes) to k (all objects
    in one cluster). With g = (fit of `lwgp` − 1) / (k − 1), a `balance` of 1 makes even sizes worth as much as the
    agreement that `lwgp` found.

    Parameters
    ----------
    balance
        How strongly clusters are pulled toward the same size. 0 means not at all. 1 (the default) gives even sizes the
        same weight as agreement, which moves undecided objects and keeps clear clusters. From about 5 on, sizes become
        similar whatever the ensemble says, and a very large value makes them equal.

    Returns
    -------
    Consensus
        ``details``: "fit" and "unevenness" of the result, "scale", the g above, and "moves", the number of moves in
        every sweep.

    Notes
    -----
    The least certain objects are visited first, so objects at a border move before others. METIS (`mcla`, `hbgf`,
    `cspa`) keeps sizes within a few percent whatever the ensemble says; here the pull is gradual. The fit is the
    association in HBGF's graph, normalized by the sizes of both sides; a penalty on squared sizes is
    also part of the objective of a method called CDEC.
    """
    pull = number("balance", balance)
    if pull < 0:
        raise InputError.about("balance", balance, "a number of at least 0")
    begin = run_panel(["lwgp"], e, required(k), seed)[0]
    scale = (_Tables.of(e, begin.labels).fit(e) - 1) / max(begin.k - 1, 1)
    order = np.lexsort((standard(e).index, begin.confidence))
    labels, moves = move_evenly(e, begin.labels, order, pull * max(scale, 0.0), as_int("sweeps", sweeps, 1))
    tables = _Tables.of(e, labels)
    return Outcome(
        labels, details={"fit": tables.fit(e), "unevenness": tables.unevenness(), "scale": scale, "moves": moves}
    )


def move_evenly(
    e: Ensemble, start: LabelArray, order: IntArray, balance: float, sweeps: int
) -> tuple[LabelArray, list[int]]:
    """Move single objects until no move gains; return the labeling with the number of moves in every sweep."""
    from ..kernels.moves import even_sweep

    labels, moves, n = np.array(start), [1], e.object_weights.sum()
    rows, rates = base_clusters(e), 1.0 / np.maximum(e.cluster_sizes(), _LEAST)
    pull = balance * (labels.max() + 1) / n**2
    fixed = rows, rates, e.weights / e.weights.sum(), e.object_weights, order, pull
    while moves[-1] and len(moves) <= sweeps:
        moves.append(int(even_sweep(*fixed, labels, *_Tables.of(e, labels))))
    return labels, moves[1:]


class _Tables(NamedTuple):
    """The counts that moves need: |C|, the number of objects, |C ∩ c|, Σ_c |C ∩ c|² / |c|, and |C_t|."""

    sizes: FloatArray
    numbers: IntArray
    counts: FloatArray
    squares: FloatArray
    seen: FloatArray

    @classmethod
    def of(cls, e: Ensemble, labels: LabelArray) -> _Tables:
        """Count a labeling 0 … k − 1 (−1 unassigned). O(nB + Kk)."""
        k, there = int(labels.max()) + 1, labels >= 0
        counts, seen = Counts.of(e, labels, k)
        rates = 1.0 / np.maximum(e.cluster_sizes(), _LEAST)
        parts = np.split(counts**2 * rates[:, None], e.offsets[1:-1])
        squares = np.stack([part.sum(axis=0) for part in parts])
        sizes = np.bincount(labels[there], e.object_weights[there], k).astype(np.float64)
        return cls(sizes, np.bincount(labels[there], minlength=k), counts, squares, seen)

    def fit(self, e: Ensemble) -> float:
        """Return the agreement with the ensemble, between 1 and k."""
        shares = e.weights / e.weights.sum()
        return float(shares @ divide(self.squares, self.seen).sum(axis=1))

    def unevenness(self) -> float:
        """Return k Σ (|C| / n)², which is 1 if all clusters have the same size."""
        return float(len(self.sizes) * (self.sizes**2).sum() / self.sizes.sum() ** 2)
