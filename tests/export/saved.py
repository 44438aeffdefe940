"""One value of every kind that can be saved."""

from typing import Any

import numpy as np
import pandas as pd

import graphens as ge

RNG = np.random.default_rng(0)
TRUTH = np.arange(40) % 2
LABELS = pd.DataFrame(
    {f"team {t}": np.where(RNG.random(40) < 0.15, 1 - TRUTH, TRUTH) for t in range(4)}
    | {"words": np.where(TRUTH == 1, "yes", "no"), "gaps": [None, *TRUTH[1:].tolist()]},
    index=pd.Index(range(100, 140), name="customer"),
)


def values() -> dict[str, Any]:
    """Return one of each kind, by its name."""
    e = ge.Ensemble(LABELS)
    return {
        "Ensemble": e,
        "Hypergraph": ge.hypergraph(e),
        "Graph": ge.metagraph(e),
        "CoassociationGraph": ge.coassociation(e),
        "BipartiteGraph": ge.bipartite(e),
        "ClusterTree": ge.clustree(e),
        "Dendrogram": ge.link(ge.coassociation(e), "average"),
        "Consensus": ge.consensus(e, 2, seed=0),
    }
