"""From an outcome over all objects to a `Consensus`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._arrays import MISSING, AnyArray, FloatArray, LabelArray, canonical
from ..core.graph import CLUSTER, Graph
from ..core.result import Consensus
from ..measures.agreement import anmi
from ..views.affinity import Affinity
from ..views.overlaps import majority
from .outcome import Outcome
from .prepared import Prepared


def finished(name: str, ready: Prepared, outcome: Outcome, options: Mapping[str, Any]) -> Consensus:
    """Canonical labels for all objects, membership and confidence, score, and where each vertex belongs."""
    e, raw = ready.whole, outcome.labels
    labels = canonical(raw)
    k = int(labels.max(initial=MISSING)) + 1
    own = outcome.membership
    return Consensus(
        labels=labels,
        k=k,
        evidence=Affinity(e, labels, k),
        membership=None if own is None else _arranged(own, raw, labels, k),
        score=anmi(labels, e),
        method=name,
        options=dict(options),
        graph=outcome.graph,
        dendrogram=outcome.dendrogram,
        details=dict(outcome.details),
        names=e.vertex_names(),
        vertices=outcome.index,
        vertex_labels=_vertex_labels(outcome, ready, labels),
        tree_of_clusters=outcome.tree_of_clusters,
        why=f"{k} cluster{'' if k == 1 else 's'} by {name}",
    )


def _arranged(membership: FloatArray, raw: AnyArray, labels: LabelArray, k: int) -> FloatArray:
    """Put the columns of a method's own membership in the order of the final labels; rows sum to 1."""
    first = np.unique(labels, return_index=True)[1][-k:] if k else np.empty(0, dtype=np.int64)
    arranged = np.asarray(membership[:, raw[first]], dtype=np.float64)
    arranged[labels < 0] = 0
    total = arranged.sum(axis=1, keepdims=True)
    return np.divide(arranged, total, out=arranged, where=total > 0)


def _vertex_labels(outcome: Outcome, ready: Prepared, labels: LabelArray) -> LabelArray | None:
    """One label per vertex of the graph, in the numbers of the final labels."""
    graph, index = outcome.graph, outcome.index
    if graph is None:
        return None
    found = np.full(graph.n_vertices, MISSING, dtype=np.int32)
    if outcome.vertex_labels is not None:
        return _renamed(outcome.vertex_labels, outcome.labels, labels)
    if index is not None:
        inside = index >= 0
        found[index[inside]] = labels[inside]
    clusters = (
        np.flatnonzero(graph.roles == CLUSTER) if isinstance(graph, Graph) else np.empty(0, dtype=np.int64)
    )
    if clusters.size:
        found[clusters] = majority(ready.ensemble, labels[ready.present])
    return found


def _renamed(given: AnyArray, raw: AnyArray, labels: LabelArray) -> LabelArray:
    """Labels in the method's numbers as final ones; −1 for those that no object has."""
    size = int(max(np.max(given, initial=MISSING), np.max(raw, initial=MISSING))) + 1
    name = np.full(size + 1, MISSING, dtype=np.int32)  # the last place serves −1
    name[raw[raw >= 0]] = labels[raw >= 0]
    return name[given]
