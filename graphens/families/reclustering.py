"""Consensus on the edges of a network: the agreement of partitions gives the weights that are clustered again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, canonical
from .._lib.threads import tell
from ..graphs.coassociation import coassociation, on_edges
from ..graphs.counts import once, overlaps
from ..graphs.graph import SLACK, Graph
from ..graphs.matrices import tidy
from ..labels.ensemble import Ensemble

#: (graph, weights of loops at its vertices or None) -> a function that gives the communities of one run for its seed
Prepare = Callable[[Graph, FloatArray | None], Callable[[int], LabelArray]]

_PART = 0.25  # a smaller part than that of every community that partitions put it in is a fragment


@dataclass(frozen=True)
class Reclustered:
    """Communities, the number of rounds, and the share of edges on which the last runs disagree."""

    labels: LabelArray
    rounds: int
    undecided: float


def shares(e: Ensemble, graph: Graph) -> Graph:
    """How often the ends of each edge are together; edges with share 0 are absent. O(mB)."""
    return on_edges(coassociation(e), graph)


def kept(graph: Graph, tau: float, size: FloatArray) -> Graph:
    """Drop edges below tau; a vertex left alone keeps its strongest edge (Lancichinetti and Fortunato 2012)."""
    strong = graph.adjacency.copy()
    strong.data[strong.data < tau - SLACK] = 0
    strong.eliminate_zeros()
    alone = (np.diff(strong.indptr) == 0) & (size == 1)
    rescue = sparse.diags_array(alone.astype(float)) @ graph.neighbors(1).adjacency
    return Graph._trusted(tidy(strong.maximum(rescue).maximum(rescue.T)), graph)


def wedges(graph: Graph, count: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Draw pairs of neighbors of the same vertex, by random ends of random edges. O(count)."""
    a = graph.adjacency
    degree = np.diff(a.indptr)
    if not a.nnz:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    middle = np.repeat(np.arange(graph.n_vertices), degree)[rng.integers(a.nnz, size=count)]
    one, other = (a.indptr[middle] + (rng.random(count) * degree[middle]).astype(np.int64) for _ in "ab")
    return a.indices[one].astype(np.int64), a.indices[other].astype(np.int64)


def with_edges(graph: Graph, left: IntArray, right: IntArray) -> Graph:
    """The graph with additional edges of weight 1 between given pairs that had none."""
    apart = left != right
    left, right = left[apart], right[apart]
    more = sparse.csr_array((np.ones(left.size), (left, right)), shape=graph.adjacency.shape)
    more.data[:] = 1.0
    return Graph._trusted(tidy(graph.adjacency.maximum(more).maximum(more.T)), graph)


def reclustered(
    e: Ensemble,
    graph: Graph,
    prepare: Prepare,
    *,
    tau: float,
    n_runs: int,
    rounds: int,
    tolerance: float,
    whole: bool,
    rng: np.random.Generator,
) -> Reclustered:
    """Cluster the graph of agreement again and again until the runs agree (Tandon et al. 2019).

    Each round drops weak edges, adds as many closed wedges as the graph has edges, runs the algorithm `n_runs` times
    on the shares, and takes the shares of those runs as the next weights. It ends when at most `tolerance` of the
    weights lie strictly between 0 and 1. A round costs O(m n_runs) in addition to the runs.

    With `whole`, vertices that every partition keeps together are always one vertex: in the full matrix they are a
    clique that no algorithm separates, but with only the edges of the graph they may be a path.
    """
    unit = np.arange(e.n_objects)
    if whole:
        e, unit = e.take(partitions=e.weights > 0).collapse()
        graph = graph.contract(unit)
    size = np.bincount(unit).astype(float)
    agreed = shares(e, graph)
    undecided, done = undecided_share(agreed, size), 0
    while undecided > tolerance and done < rounds:
        strong = kept(agreed, tau, size)
        wide = shares(e, with_edges(strong, *wedges(strong, graph.n_edges, rng)))
        run = prepare(*pairs(wide, size))
        e = Ensemble.from_partitions([run(int(rng.integers(2**31))) for _ in range(n_runs)])
        agreed = shares(e, wide)
        undecided, done = undecided_share(agreed, size), done + 1
        tell("finding communities", done / rounds)
    final = prepare(*pairs(kept(agreed, tau, size), size))(int(rng.integers(2**31)))
    return Reclustered(final[unit], done, undecided)


def pairs(graph: Graph, size: FloatArray) -> tuple[Graph, FloatArray]:
    """Weight every edge by the pairs of vertices that it represents, and count the pairs inside each vertex."""
    by = sparse.diags_array(size)
    return Graph._trusted(tidy(sparse.csr_array(by @ graph.adjacency @ by)), graph), size * (size - 1) / 2


def undecided_share(graph: Graph, size: FloatArray) -> float:
    """Share of the pairs on which partitions disagree: weight strictly between 0 and 1."""
    source, target, weight = graph.edges()
    stands = size[source] * size[target]
    open_ = stands[(weight > SLACK) & (weight < 1 - SLACK)].sum()
    return float(open_ / max(stands.sum() + (size * (size - 1) / 2).sum(), 1.0))


# fragments, which no partition takes for communities ------------------------------------------------------------------


def fragments(e: Ensemble, labels: LabelArray) -> AnyArray:
    """Which communities are less than a quarter of a community in every partition. O(nB)."""
    alike = once(e)
    parts = sparse.diags_array(1.0 / alike.cluster_sizes()) @ overlaps(alike, labels, int(labels.max()) + 1)
    return np.asarray(sparse.csc_array(parts).max(axis=0).todense()).ravel() < _PART


def gathered(e: Ensemble, agreed: Graph, network: Graph, labels: LabelArray, least: float) -> LabelArray:
    """Let each fragment join the community with which its edges have the largest mean share, if that is large enough.

    A fragment joins only one neighbor, so that communities that are not fragments are never merged. O(mB) per sweep.
    """
    found = canonical(labels)
    even = Graph._trusted(tidy((network.adjacency > 0).astype(float)), network)
    while (loose := np.flatnonzero(fragments(e, found))).size:
        count = even.contract(found).adjacency
        mean = (agreed.contract(found).adjacency.multiply(count.power(-1.0))).tocsr()[loose]
        best = np.asarray(mean.max(axis=1).todense()).ravel() >= least - SLACK
        if not best.any():
            break
        follows = (loose[best], mean[best].argmax(axis=1))
        joined = sparse.csr_array((np.ones(best.sum()), follows), shape=count.shape)
        found = canonical(sparse.csgraph.connected_components(joined, directed=False)[1][found])
    return found
