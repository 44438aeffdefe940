"""One value of every kind that can be saved."""

from __future__ import annotations

import warnings
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

import graphens as ge

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2)) + 4 * (np.arange(40) % 2)[:, None]
TRUTH = np.arange(40) % 2
LABELS = pd.DataFrame(
    {f"team {t}": np.where(RNG.random(40) < 0.15, 1 - TRUTH, TRUTH) for t in range(4)}
    | {"words": np.where(TRUTH == 1, "yes", "no"), "gaps": [None, *TRUTH[1:].tolist()]},
    index=pd.Index(range(100, 140), name="customer"),
)


def values() -> dict[str, Any]:
    """Return one of each kind, by its name."""
    e = ge.Ensemble(LABELS)
    r = ge.consensus(e, 2, seed=0)
    karate = nx.karate_club_graph()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        landscape = ge.landscape(karate, [0.5, 1.0], n_partitions=4, seed=0)
        return {
            "Ensemble": e,
            "Hypergraph": ge.hypergraph(e),
            "Graph": ge.metagraph(e),
            "CoassociationGraph": ge.coassociation(e),
            "BipartiteGraph": ge.bipartite(e),
            "ClusterTree": ge.clustree(e),
            "Dendrogram": ge.link(ge.coassociation(e), "average"),
            "Partition": ge.partition(ge.bipartite(e), 2, seed=0),
            "Consensus": r,
            "Choice": ge.choose_k(e, range(2, 5), seed=0),
            "Explanation": r.explain(100),
            "Assigned": r.assign(LABELS.iloc[:3]),
            "Comparison": ge.compare(e, 2, methods=["vote", "mcla"], seed=0),
            "Benchmark": ge.benchmark(e, 2, methods=["vote", "mcla"], seeds=2),
            "Match": ge.match(TRUTH, r.labels),
            "CredibleBall": ge.credible_ball(r, e),
            "Mode": ge.modes(e, seed=0)[0],
            "Monti": ge.monti(X, [2, 3], n_partitions=5, seed=0),
            "Stability": ge.stability(e, range(2, 4), seed=0),
            "Prototypes": ge.snn_prototypes(X, q=5),
            "Landscape": landscape,
            "Names": r.names,
        }
