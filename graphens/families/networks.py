"""Consensus communities of a network: the agreement of partitions gives the weights that are clustered again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, Seed, canonical, generator, percent
from .._lib.progress import report_progress
from ..cutting.community import Finder, Runs, find_finder
from ..cutting.entry import runs_of
from ..cutting.partitioner_registry import Partitioner, PartitionerFunction
from ..errors import DegenerateWarning, warn
from ..graphs.coassociation import coassociation, on_edges
from ..graphs.counts import overlaps, unweighted
from ..graphs.graph import SLACK, Graph
from ..graphs.matrices import tidy
from ..labels.ensemble import Ensemble
from .contract import consensus_function
from .method import NONE, Symmetry
from .outcome import Outcome


@consensus_function(
    family="networks",
    graph="shares on the edges of a network",
    needs_k=False,
    missing="the share of an edge counts the partitions that have both its ends",
    cost="O(mB) and the cost of the runs",
    reference="Lancichinetti and Fortunato 2012; Tandon et al. 2019",
    networks=("G",),
    symmetry=Symmetry(repeating=NONE),  # copies of one object are a community of their own
)
def recluster(
    e: Ensemble,
    *,
    G: Any = None,
    base: str | PartitionerFunction = "leiden",
    tau: float | None = None,
    resolution: float = 1.0,
    n_runs: int = 20,
    rounds: int = 25,
    tolerance: float = 0.02,
    seed: Seed = None,
) -> Outcome:
    """Cluster the agreement of the partitions again until all runs agree (consensus clustering of networks).

    The weight of every edge of the network is the share of partitions that keep its ends together. Edges below `tau`
    are dropped (a vertex left alone keeps its strongest edge), and about as many closed wedges as the network has edges
    are added. The algorithm then runs `n_runs` times on these weights, and the shares of those runs are the next
    weights. The rounds end when at most `tolerance` of the weights lie strictly between 0 and 1; a warning says if
    `rounds` did not suffice. Finally, fragments (communities that are never a quarter of a community of any partition)
    join the neighbor with the largest mean share, if that is at least tau / 2. Vertices that all partitions keep
    together are not separated, except by algorithms whose runs may all merge two communities (Leiden, Louvain,
    fast-greedy: resolution limit).

    Parameters
    ----------
    tau
        Shares below tau are dropped; by default 0.2, with 0.5 for infomap and your own functions, 0.7 for label
        propagation and 0.8 for Leiden (whose errors are merged communities: communities that not all runs merge stay
        apart). If the runs disagree on almost every edge, a large tau leaves many small communities.
    n_runs
        Number of runs per round.
    rounds
        Maximum number of rounds.
    tolerance
        Share of undecided edges at or below which the rounds end.

    Returns
    -------
    Consensus
        ``r.graph`` has the shares of the given partitions on the network's edges. ``r.details``: "rounds",
        "converged", "undecided" (share of edges on which the last runs disagree), "tau".

    Examples
    --------
    >>> import networkx as nx
    >>> import graphens as ge
    >>> G = nx.barbell_graph(5, 0)
    >>> e = ge.generate(G, 10, base="louvain", seed=0)
    >>> ge.recluster(e, G=G, seed=0).labels.tolist()
    [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    """
    graph, finder = _network(e, G), find_finder(base)
    agreed = edge_shares(e, graph)
    # Algorithms of ours have a threshold that suits them; of a user's function nothing is known.
    usual, merges = (_TAU, True) if isinstance(finder, Partitioner) else (finder.tau, finder.merges)
    limit = usual if tau is None else tau
    prepare, rng = _algorithm(finder, base, resolution), generator(seed)
    found, done, undecided = reclustered(e, graph, prepare, limit, n_runs, rounds, tolerance, rng, whole=not merges)
    labels, converged = gather_scattered(e, agreed, graph, found, limit / 2), undecided <= tolerance
    if not converged:
        warn(
            f"After {done} rounds the runs still disagree on {percent(undecided)} of the edges; the result comes from "
            "one more run. Use more rounds, a larger tau, or another resolution.",
            DegenerateWarning,
        )
    details = {"rounds": done, "converged": converged, "undecided": undecided, "tau": limit}
    return Outcome(labels, graph=agreed, details=details)


@consensus_function(
    family="networks",
    graph="shares on the edges of a network",
    needs_k=False,
    missing="the share of an edge counts the partitions that have both its ends",
    cost="O(mB) and the cost of one run",
    reference="Poulin and Théberge 2019",
    networks=("G",),
)
def ecg(
    e: Ensemble,
    *,
    G: Any = None,
    base: str | PartitionerFunction = "leiden",
    w_min: float = 0.05,
    resolution: float = 1.0,
    seed: Seed = None,
) -> Outcome:
    """Weight every edge by the partitions that keep its ends together, and cluster once more (ensemble clustering).

    The weight of an edge is w_min + (1 − w_min) · share inside the network's 2-core and w_min elsewhere. The paper uses
    16 runs of the first level of Louvain: ``generate(G, 16, base="louvain-1")``.

    Parameters
    ----------
    w_min
        Weight of an edge that no partition keeps.

    Returns
    -------
    Consensus
        ``r.graph`` has the shares of the partitions on the network's edges. ``r.details``: "structure",
        1 − 2 · mean min(w, 1 − w) over the edges: 1 if the partitions agree on all of them; 0 for one community.

    Examples
    --------
    >>> import networkx as nx
    >>> import graphens as ge
    >>> G = nx.barbell_graph(5, 0)
    >>> r = ge.ecg(ge.generate(G, 16, base="louvain-1", seed=0), G=G, seed=0)
    >>> r.labels.tolist()
    [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    """
    graph = _network(e, G)
    agreed = edge_shares(e, graph)
    weighted, weight = ecg_weights(graph, agreed, w_min)
    labels = _algorithm(find_finder(base), base, resolution)(weighted, None)(int(generator(seed).integers(2**31)))
    real = weight.size and labels.any()  # one community is no structure, however steady
    structure = 1.0 - 2.0 * float(np.minimum(weight, 1.0 - weight).mean()) if real else 0.0
    return Outcome(labels, graph=agreed, details={"structure": structure})


def ecg_weights(graph: Graph, agreed: Graph, w_min: float) -> tuple[Graph, FloatArray]:
    """The network with its edges weighted by agreement, and the weight of each edge."""
    source, target, _ = graph.edges()
    # Edges outside the 2-core (in trees that hang on the network) are always cut alike, so agreement says nothing.
    core = np.array(graph.to_igraph().coreness()) >= 2
    share = np.asarray(agreed.adjacency[source, target]).ravel() if source.size else np.empty(0)
    weight = np.where(core[source] & core[target], w_min + (1.0 - w_min) * share, w_min)
    both = sparse.csr_array((weight, (source, target)), shape=graph.adjacency.shape)
    return Graph._trusted(tidy(both + both.T), graph), weight


def _algorithm(finder: Finder | Partitioner, base: Any, resolution: float) -> Prepare:
    """Prepare a graph for several runs of an algorithm with different seeds."""

    def prepare(graph: Graph, loops: FloatArray | None) -> Any:
        if isinstance(finder, Partitioner):
            return runs_of(finder, graph, None, {}, "base")[0]
        return partial(Runs(graph, loops).find, base, resolution=resolution)

    return prepare


def _network(e: Ensemble, G: Graph | None) -> Graph:
    return coassociation(e).threshold(0.0) if G is None else G


#: (graph, weights of loops at its vertices or None) -> a function that gives the communities of one run for its seed
Prepare = Callable[[Graph, FloatArray | None], Callable[[int], LabelArray]]

_TAU = 0.5  # for functions of the user: an edge counts if most runs keep it
_PART = 0.25  # a smaller part than that of every community that partitions put it in is a fragment


def edge_shares(e: Ensemble, graph: Graph) -> Graph:
    """How often the ends of each edge are together; edges with share 0 are absent. O(mB)."""
    return on_edges(coassociation(e), graph)


def keep_edges(graph: Graph, tau: float, size: FloatArray) -> Graph:
    """Drop edges below tau; a vertex left alone keeps its strongest edge (Lancichinetti and Fortunato 2012)."""
    strong = graph.adjacency.copy()
    strong.data[strong.data < tau - SLACK] = 0
    strong.eliminate_zeros()
    # Merged rows are communities already, and may stay alone.
    alone = (np.diff(strong.indptr) == 0) & (size == 1)
    rescue = sparse.diags_array(alone.astype(float)) @ graph.neighbors(1).adjacency
    return Graph._trusted(tidy(strong.maximum(rescue).maximum(rescue.T)), graph)


def wedges(graph: Graph, count: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Draw pairs of neighbors of the same vertex, by random ends of random edges. O(count)."""
    a = graph.adjacency
    degree = np.diff(a.indptr)
    if not a.nnz:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    # A random end of a random edge is a vertex by degree; two of its edges are a wedge. Closing wedges, as Tandon et
    # al. do, keeps the graph of agreement sparse.
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
    tau: float,
    n_runs: int,
    rounds: int,
    tolerance: float,
    rng: np.random.Generator,
    *,
    whole: bool,
) -> tuple[LabelArray, int, float]:
    """Cluster the graph of agreement again and again until the runs agree (Tandon et al. 2019).

    Returns communities, the number of rounds, and the share of edges on which the last runs disagree.

    Each round drops weak edges, adds as many closed wedges as the graph has edges, runs the algorithm `n_runs` times
    on the shares, and takes the shares of those runs as the next weights. It ends when at most `tolerance` of the
    weights lie strictly between 0 and 1. A round costs O(m n_runs) in addition to the runs.

    With `whole`, vertices that every partition keeps together are always one vertex: in the full matrix they are a
    clique that no algorithm separates, but with only the edges of the graph they may be a path.
    """
    # Algorithms that never split equal rows can work on the merged ones, which are far fewer.
    unit = np.arange(e.n_objects)
    if whole:
        e, unit = e.take(partitions=e.weights > 0).collapse()
        graph = graph.contract(unit)
    size = np.bincount(unit).astype(float)
    agreed = edge_shares(e, graph)
    undecided, done = undecided_share(agreed, size), 0
    while undecided > tolerance and done < rounds:
        strong = keep_edges(agreed, tau, size)
        wide = edge_shares(e, with_edges(strong, *wedges(strong, graph.n_edges, rng)))
        run = prepare(*pairs(wide, size))
        e = Ensemble.from_partitions([run(int(rng.integers(2**31))) for _ in range(n_runs)])
        agreed = edge_shares(e, wide)
        undecided, done = undecided_share(agreed, size), done + 1
        report_progress("finding communities", done / rounds)
    final = prepare(*pairs(keep_edges(agreed, tau, size), size))(int(rng.integers(2**31)))
    return final[unit], done, undecided


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
    alike = unweighted(e)
    parts = sparse.diags_array(1.0 / alike.cluster_sizes()) @ overlaps(alike, labels, int(labels.max()) + 1)
    return np.asarray(sparse.csc_array(parts).max(axis=0).todense()).ravel() < _PART


def gather_scattered(e: Ensemble, agreed: Graph, network: Graph, labels: LabelArray, least: float) -> LabelArray:
    """Let each fragment join the community with which its edges have the largest mean share, if that is large enough.

    A fragment joins only one neighbor, so that communities that are not fragments are never merged. O(mB) per sweep.
    """
    community = canonical(labels)
    even = Graph._trusted(tidy((network.adjacency > 0).astype(float)), network)
    while (loose := np.flatnonzero(fragments(e, community))).size:
        count = even.contract(community).adjacency
        mean = (agreed.contract(community).adjacency.multiply(count.power(-1.0))).tocsr()[loose]
        best = np.asarray(mean.max(axis=1).todense()).ravel() >= least - SLACK
        if not best.any():
            break
        follows = (loose[best], mean[best].argmax(axis=1))
        joined = sparse.csr_array((np.ones(best.sum()), follows), shape=count.shape)
        community = canonical(sparse.csgraph.connected_components(joined, directed=False)[1][community])
    return community
