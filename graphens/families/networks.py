"""Consensus communities of a network: partitions of its vertices, restricted to its own edges."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import FloatArray, Seed, generator, percent
from ..cutting.community import Runs, find_finder
from ..errors import DegenerateWarning, warn
from ..graphs.coassociation import coassociation
from ..graphs.graph import Graph
from ..graphs.matrices import tidy
from ..labels.ensemble import Ensemble
from .contract import consensus_function
from .method import NONE, Cost, Symmetry
from .outcome import Outcome
from .reclustering import Prepare, gathered, reclustered, shares


@consensus_function(
    family="networks",
    graph="shares on the edges of a network",
    needs_k=False,
    missing="the share of an edge counts the partitions that have both its ends",
    cost=Cost("mB", "and the cost of the runs"),
    reference="Lancichinetti and Fortunato 2012; Tandon et al. 2019",
    networks=("G",),
    symmetry=Symmetry(repeating=NONE),  # copies of one object are a community of their own
)
def recluster(
    e: Ensemble,
    *,
    G: Any = None,
    base: str = "leiden",
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
    labels
        The partitions of the vertices: an Ensemble, or anything that Ensemble accepts.
    G
        The network: a networkx or igraph graph, or a `Graph`, with its vertices in the order of the objects or matched
        by name. Without a network, all pairs of objects that are ever together are its edges.
    base
        The community algorithm of the rounds: "leiden", "louvain", "louvain-1" (its first level),
        "label-propagation", "infomap", "walktrap" or "fast-greedy".
    tau
        Shares below tau are dropped; by default 0.2, with 0.5 for infomap, 0.7 for label propagation and 0.8 for Leiden
        (whose errors are merged communities: communities that not all runs merge stay apart). If the runs disagree on
        almost every edge, a large tau leaves many small communities.
    resolution
        Resolution of Leiden and Louvain: larger values give more and smaller communities.
    n_runs
        Number of runs per round.
    rounds
        Maximum number of rounds.
    tolerance
        Share of undecided edges at or below which the rounds end.
    seed
        The same seed gives the same communities.

    Returns
    -------
    Consensus
        ``r.graph`` has the shares of the given partitions on the network's edges. ``r.details``: "rounds",
        "converged", "undecided" (share of edges on which the last runs disagree), "tau".

    References
    ----------
    Lancichinetti and Fortunato, Consensus clustering in complex networks, Scientific Reports 2, 2012. Tandon et al.,
    Fast consensus clustering in complex networks, Physical Review E 99, 2019.

    Examples
    --------
    >>> import networkx as nx
    >>> import graphens as ge
    >>> G = nx.barbell_graph(5, 0)
    >>> e = ge.generate(G, 10, base="louvain", seed=0)
    >>> ge.recluster(e, G=G, seed=0).labels.tolist()
    [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    """
    graph = _network(e, G)
    finder, agreed = find_finder(base), shares(e, graph)
    limit = finder.tau if tau is None else tau
    found = reclustered(
        e,
        graph,
        _algorithm(base, resolution),
        tau=limit,
        n_runs=n_runs,
        rounds=rounds,
        tolerance=tolerance,
        whole=not finder.merges,
        rng=generator(seed),
    )
    labels = gathered(e, agreed, graph, found.labels, limit / 2)
    converged = found.undecided <= tolerance
    if not converged:
        warn(
            f"After {found.rounds} rounds the runs still disagree on {percent(found.undecided)} of the edges; the "
            "result "
            "comes from one more run. Use more rounds, a larger tau, or another resolution.",
            DegenerateWarning,
        )
    details = {"rounds": found.rounds, "converged": converged, "undecided": found.undecided, "tau": limit}
    return Outcome(labels, graph=agreed, details=details)


@consensus_function(
    family="networks",
    graph="shares on the edges of a network",
    needs_k=False,
    missing="the share of an edge counts the partitions that have both its ends",
    cost=Cost("mB", "and the cost of one run"),
    reference="Poulin and Théberge 2019",
    networks=("G",),
)
def ecg(
    e: Ensemble, *, G: Any = None, base: str = "leiden", w_min: float = 0.05, resolution: float = 1.0, seed: Seed = None
) -> Outcome:
    """Weight every edge by the partitions that keep its ends together, and cluster once more (ensemble clustering).

    The weight of an edge is w_min + (1 − w_min) · share inside the network's 2-core and w_min elsewhere. The paper uses
    16 runs of the first level of Louvain: ``generate(G, 16, base="louvain-1")``.

    Parameters
    ----------
    labels
        The partitions of the vertices: an Ensemble, or anything that Ensemble accepts.
    G
        The network: a networkx or igraph graph, or a `Graph`, with its vertices in the order of the objects or matched
        by name. Without a network, all pairs of objects that are ever together are its edges.
    base
        The community algorithm of the last run: "leiden", "louvain", "louvain-1", "label-propagation", "infomap",
        "walktrap" or "fast-greedy".
    w_min
        Weight of an edge that no partition keeps.
    resolution
        Resolution of Leiden and Louvain: larger values give more and smaller communities.
    seed
        The same seed gives the same communities.

    Returns
    -------
    Consensus
        ``r.graph`` has the shares of the partitions on the network's edges. ``r.details``: "structure",
        1 − 2 · mean min(w, 1 − w) over the edges: 1 if the partitions agree on all of them; 0 for one community.

    References
    ----------
    Poulin and Théberge, Ensemble clustering for graphs, 2019.

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
    agreed = shares(e, graph)
    weighted, weight = ecg_weights(graph, agreed, w_min)
    found = _algorithm(base, resolution)(weighted, None)(int(generator(seed).integers(2**31)))
    real = weight.size and found.any()  # one community is no structure, however steady
    structure = 1.0 - 2.0 * float(np.minimum(weight, 1.0 - weight).mean()) if real else 0.0
    return Outcome(found, graph=agreed, details={"structure": structure})


def ecg_weights(graph: Graph, agreed: Graph, w_min: float) -> tuple[Graph, FloatArray]:
    """The network with its edges weighted by agreement, and the weight of each edge."""
    source, target, _ = graph.edges()
    core = np.array(graph.to_igraph().coreness()) >= 2
    share = np.asarray(agreed.adjacency[source, target]).ravel() if source.size else np.empty(0)
    weight = np.where(core[source] & core[target], w_min + (1.0 - w_min) * share, w_min)
    both = sparse.csr_array((weight, (source, target)), shape=graph.adjacency.shape)
    return Graph._trusted(tidy(both + both.T), graph), weight


def _algorithm(base: str, resolution: float) -> Prepare:
    """Prepare a graph for several runs of an algorithm with different seeds."""

    def prepare(graph: Graph, loops: FloatArray | None) -> Any:
        runs = Runs(graph, loops)
        return lambda seed: runs.find(base, seed, resolution)

    return prepare


def _network(e: Ensemble, G: Graph | None) -> Graph:
    return coassociation(e).threshold(0.0) if G is None else G
