"""Fragments of communities, which no partition takes for communities, given back to their neighbors."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from .._arrays import AnyArray, LabelArray, canonical
from ..core.ensemble import Ensemble
from ..core.graph import SLACK, Graph
from ..core.matrices import tidy
from ..views.counting import once, overlaps

_PART = 0.25  # a smaller part than that of every community that partitions put it in is a fragment


def fragments(e: Ensemble, labels: LabelArray) -> AnyArray:
    """Which communities are never a quarter of a community of any partition. O(nB)."""
    alike = once(e)
    parts = sparse.diags_array(1.0 / alike.cluster_sizes()) @ overlaps(alike, labels, int(labels.max()) + 1)
    return np.asarray(sparse.csc_array(parts).max(axis=0).todense()).ravel() < _PART


def gathered(e: Ensemble, agreed: Graph, network: Graph, labels: LabelArray, least: float) -> LabelArray:
    """Give each fragment to the community with which its edges have the largest mean share, where that is enough.

    A fragment follows one neighbor, so that communities that are none never come together. O(mB) a sweep.
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
