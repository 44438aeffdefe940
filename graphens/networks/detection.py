"""`communities`: from a network to the communities that many runs agree on."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np

from .._arrays import MISSING, FloatArray, LabelArray, Seed, reported_seed
from .._compat import accepts_old
from ..core.ensemble import Ensemble
from ..core.graph import Graph
from ..core.result import Consensus
from ..cutting.entry import modularity
from ..errors import InputError, notes
from ..families.registry import find_method
from ..families.trials import call
from ..generators.ensembles import generate
from ..generators.work import Progress
from ..views.coassociation import coassociation


@accepts_old("base", "method")
def communities(
    G: Any,
    n_partitions: int = 50,
    *,
    base: Any = "leiden",
    method: str = "recluster",
    k: int | None = None,
    resolution: Any = 1.0,
    symmetrize: bool = False,
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
        A networkx or igraph graph, or a `Graph`, with finite weights that are not negative.
    n_partitions, base, resolution, symmetrize, n_jobs, progress, checkpoint
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
        edges: 1 if the runs agree on every edge, 0 if every edge is a toss-up. ``r.to_networkx()`` and
        ``r.to_igraph()`` return G with `cluster`, `confidence` and `share`.

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
    known = inspect.signature(row.function).parameters
    if k is not None and "k" not in known:
        raise InputError.about(
            "k",
            k,
            because=f", and {row.name} finds the number of communities itself",
            advice="Leave k out and change the resolution, or use a method that accepts k, such as leiden or lwgp.",
        )
    with notes():  # what there is to say about the graph is said when it is read for the runs
        graph = Graph.of(G, symmetrize=symmetrize)
    e = generate(
        G,
        n_partitions,
        base=base,
        resolution=resolution,
        symmetrize=symmetrize,
        seed=number,
        n_jobs=n_jobs,
        progress=progress,
        checkpoint=checkpoint,
    )
    offered = {"G": graph, "base": base, "resolution": resolution}
    taken = {name: value for name, value in offered.items() if name in known and _fits(name, value)}
    r = call(row, e, k, number, **(taken | options))
    return describe(r, e, graph, G)


def _fits(name: str, value: Any) -> bool:
    """Whether an argument of the runs can be passed to the method: a single base or a single resolution."""
    return name == "G" or (isinstance(value, str) if name == "base" else np.ndim(value) == 0)


def describe(r: Consensus, e: Ensemble, graph: Graph, G: Any) -> Consensus:
    """The result with the shares of runs on the edges of G, and statistics of these shares."""
    shares = coassociation(e, on=graph)
    more = {
        "modularity": modularity(graph, apart(r.labels)),
        "runs_modularity": runs_modularity(e, graph),
        "structure": structure(shares, graph),
        "network": G,
    }
    return r._replace(
        graph=shares,
        network=G,
        vertices=np.arange(graph.n_vertices),
        vertex_labels=r.labels,
        details={**more, **r.details},  # what the method says itself stands
    )


def runs_modularity(e: Ensemble, graph: Graph) -> FloatArray:
    """Modularity of every run, read one at a time. O(m) each."""
    runs = (np.where(codes == e.absent, MISSING, codes.astype(np.int32)) for codes in e.codes)
    return np.array([modularity(graph, apart(labels)) for labels in runs])


def apart(labels: LabelArray) -> LabelArray:
    """Labels in which every vertex without a label is its own community."""
    alone = np.flatnonzero(labels < 0)
    found = labels.copy()
    found[alone] = labels.max(initial=-1) + 1 + np.arange(alone.size)
    return found


def structure(shares: Graph, graph: Graph) -> float:
    """1 − 2 · mean min(s, 1 − s) over the edges of the network (Poulin and Théberge 2019)."""
    share = shares.edges()[2]
    return 1.0 - 2.0 * float(np.minimum(share, 1.0 - share).sum()) / max(graph.n_edges, 1)
