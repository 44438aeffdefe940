"""`communities`: from a network to the communities that many runs agree on."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np

from .._lib.arrays import FloatArray, LabelArray, Seed, reported_seed
from .._lib.progress import Progress
from ..cutting.community import takes_resolution
from ..cutting.entry import modularity
from ..errors import DegenerateWarning, DoubtWarning, InputError, unheard, warn
from ..families.registry import AnyMethod, find_method
from ..families.trials import call_method
from ..generators.ensembles import run_network
from ..generators.network_runs import is_network
from ..graphs.coassociation import coassociation
from ..graphs.graph import Graph
from ..labels.encoding import labels_of_codes
from ..labels.ensemble import Ensemble
from ..labels.value import Lazy
from ..result.consensus import Consensus, View, structure_doubt

_RUNS = 50
_AGREED = 0.99  # agreement of the first runs from which on more would tell nothing new


def communities(
    G: Any,
    n_partitions: int | None = None,
    *,
    base: Any = "leiden",
    method: AnyMethod = "recluster",
    k: int | None = None,
    resolution: Any = 1.0,
    symmetrize: bool = False,
    weight: str | None = "weight",
    seed: Seed = None,
    n_jobs: int | None = None,
    progress: Progress = False,
    checkpoint: str | Path | None = None,
    **options: Any,
) -> Consensus:
    """Find the communities of a network that many runs of an algorithm agree on.

    Parameters
    ----------
    G
        A networkx or igraph graph, a `Graph`, the adjacency matrix as a SciPy sparse matrix, or the path of a file that
        `Graph.read` reads; with finite weights that are not negative.
    n_partitions
        Number of runs; by default 50, or 10 if these agree on nearly every edge (`structure` of 0.99 or more).
    base, resolution, symmetrize, weight, n_jobs, progress, checkpoint
        Parameters of the runs; see `generate`.
    method
        ``"recluster"``, ``"ecg"``, or the name of any other consensus method.
    k
        Number of communities, for methods that need it.
    seed
        The same seed gives the same communities.
    **options
        Options of the method, such as ``tau=0.5``.

    Returns
    -------
    Consensus
        Labels and confidence of the vertices (`r.names`). ``r.graph`` has, on every edge of G, the share of runs that
        keep its ends together (edges with share 0 are absent). In addition to those of the method, ``r.details`` has
        `modularity` of the result, `runs_modularity` of every run, and `structure`, 1 − 2 · mean min(s, 1 − s) over the
        edges: 1 if the runs agree on every edge, 0 if every edge is a toss-up. Both it and the score are 0 if
        there is only one community, or no edge.
        ``r.to_networkx()`` and ``r.to_igraph()`` return G with `cluster`, `confidence` and `share`.

    Notes
    -----
    O(mB) in addition to the runs and the method.

    References
    ----------
    Lancichinetti and Fortunato, Consensus clustering in complex networks, 2012. Tandon et al., Fast consensus
    clustering in complex networks, 2019.

    Examples
    --------
    >>> import networkx as nx
    >>> import graphens as ge
    >>> r = ge.communities(nx.karate_club_graph(), seed=0)
    >>> r.k, round(r.details["modularity"], 2)
    (4, 0.44)
    """
    number, row = reported_seed(seed), find_method(method)
    parameters = inspect.signature(row.function).parameters
    if k is not None and "k" not in parameters:
        because = f", and {row.name} finds the number of communities itself"
        advice = "Leave k out and change the resolution, or use a method that accepts k, such as leiden or lwgp."
        raise InputError.about("k", k, because=because, advice=advice)
    graph = Graph.of(G, weight=weight, symmetrize=symmetrize)
    G = G if is_network(G) else graph

    def agree(runs: Ensemble) -> bool:
        return structure(coassociation(runs, on=graph), graph) >= _AGREED

    many, enough = (_RUNS, agree) if n_partitions is None else (n_partitions, None)
    how: dict[str, Any] = {"n_jobs": n_jobs, "progress": progress, "checkpoint": checkpoint, "enough": enough}
    e = run_network(graph, many, base=base, resolution=resolution, seed=number, **how)
    offered = {"G": graph, "base": base, "resolution": resolution}
    taken = {name: value for name, value in offered.items() if name in parameters and _fits(name, value)}
    with unheard(DoubtWarning):  # about columns of a table, which runs are not
        r = call_method(row, e, k, number, **(taken | options))
    if graph.n_edges and (e.n_clusters == 1).all():
        advice = "A larger resolution gives" if takes_resolution(base) else "Another base, such as leiden, may find"
        warn(f"Every run found a single community. {advice} smaller ones.", DegenerateWarning)
    runs = {"n_partitions": n_partitions, "base": base, "method": method, "k": k, "resolution": resolution}
    runs |= {"symmetrize": symmetrize, "weight": weight, **options, "seed": number}
    result = describe(r, e, graph, G)._replace(_runs=runs)
    if result.details["structure"] == 1 and (doubt := structure_doubt(result)):
        warn(doubt, DoubtWarning)
    return result


def _fits(name: str, value: Any) -> bool:
    """Whether an argument of the runs can be passed to the method: a single base or a single resolution."""
    return name == "G" or (isinstance(value, str) or callable(value) if name == "base" else np.ndim(value) == 0)


def describe(r: Consensus, e: Ensemble, graph: Graph, G: Any) -> Consensus:
    """The result with the shares of runs on the edges of G, and statistics of these shares."""
    shares = coassociation(e, on=graph)
    more = {
        "modularity": modularity(graph, as_singletons(r.labels)),
        "runs_modularity": runs_modularity(e, graph),
        "structure": structure(shares, graph),
    }
    details = {**more, **r._details}  # what the method says itself stands
    details.pop("matched", None)  # which edges of another graph were chosen
    nothing = r.k == 1 or not graph.n_edges  # agreement that there is nothing to find
    if nothing:
        details["structure"] = 0.0
    view = Lazy.of(View(shares, np.arange(graph.n_vertices), r.labels))
    return r._replace(network=G, score=0.0 if nothing else r.score, _details=details, _view=view)


def runs_modularity(e: Ensemble, graph: Graph) -> FloatArray:
    """Modularity of every run, read one at a time. O(m) each."""
    (source, target, weight), degree = graph.edges(), graph.degree()
    total = max(degree.sum(), 1e-300)

    def of_run(labels: LabelArray) -> float:
        volume = np.bincount(labels, weights=degree)
        return float(2 * weight[labels[source] == labels[target]].sum() / total - ((volume / total) ** 2).sum())

    return np.array([of_run(as_singletons(labels_of_codes(codes))) for codes in e.codes])


def as_singletons(labels: LabelArray) -> LabelArray:
    """Labels in which every vertex without a label is its own community."""
    alone = np.flatnonzero(labels < 0)
    communities = labels.copy()
    communities[alone] = labels.max(initial=-1) + 1 + np.arange(alone.size)
    return communities


def structure(shares: Graph, graph: Graph) -> float:
    """1 − 2 · mean min(s, 1 − s) over the edges of the network (Poulin and Théberge 2019)."""
    share = shares.edges()[2]
    return 1.0 - 2.0 * float(np.minimum(share, 1.0 - share).sum()) / graph.n_edges if graph.n_edges else 0.0
