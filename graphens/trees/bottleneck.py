"""Agglomerative information bottleneck: merge the hyperedges that lose the least information about the vertices."""

from __future__ import annotations

import numpy as np

from .._lib.arrays import AnyArray, FloatArray
from ..graphs.hypergraph import Hypergraph
from .dendrogram import Dendrogram


def bottleneck(h: Hypergraph) -> Dendrogram:
    """Return the tree of hyperedges by the mutual information I(hyperedge; vertex) of the joint distribution of counts.

    Merging a and b loses (p_a + p_b) · JS(p(x | a), p(x | b)); the pair that loses least is merged. The height of a
    merge is the share of the information lost so far, which never decreases. O(c²n) for c hyperedges.

    References
    ----------
    Slonim and Tishby, Agglomerative information bottleneck, NIPS 1999.
    """
    joint = h.incidence * h.vertex_weights[:, None]
    z = joint.tocsc() / joint.sum()
    # copies of a vertex share its distribution, so the weighted vertex counts as one of its total weight
    columns = [z[:, [r]].toarray().ravel() for r in range(h.n_hyperedges)]
    mass = np.array([column.sum() for column in columns])
    loss = np.full((len(columns), len(columns)), np.inf)
    for a in range(len(columns)):
        for b in range(a):
            loss[a, b] = _loss(columns[a], columns[b], mass[a], mass[b])
    return Dendrogram(_agglomerate(columns, mass, loss), names=h.hyperedge_names)


def _agglomerate(columns: list[AnyArray], mass: FloatArray, loss: FloatArray) -> FloatArray:
    c = len(columns)
    number, size = np.arange(c), np.ones(c)
    merges, lost = np.empty((c - 1, 4)), 0.0
    for step in range(c - 1):
        a, b = np.unravel_index(np.argmin(loss), loss.shape)
        lost += max(float(loss[a, b]), 0.0)
        merges[step] = (*sorted((number[a], number[b])), lost, size[a] + size[b])
        columns[b] = columns[a] + columns[b]
        mass[b] += mass[a]
        number[b], size[b] = c + step, size[a] + size[b]
        loss[a, :] = loss[:, a] = np.inf
        for other in np.flatnonzero(np.isfinite(loss[b]) | np.isfinite(loss[:, b])):
            high, low = max(b, other), min(b, other)
            loss[high, low] = _loss(columns[b], columns[other], mass[b], mass[other])
    merges[:, 2] /= max(lost, 1e-300)
    return merges


def _loss(a: AnyArray, b: AnyArray, mass_a: float, mass_b: float) -> float:
    """Information lost by merging: Σ φ(a) + φ(b) − φ(a + b), less the same of the masses; φ(z) = z log z."""
    both = np.flatnonzero((a > 0) & (b > 0))  # elsewhere φ(a + b) = φ(a) + φ(b)
    a, b = a[both], b[both]
    entropy = float(_phi(a).sum() + _phi(b).sum() - _phi(a + b).sum())
    of_mass = float(_phi(np.array([mass_a, mass_b])).sum() - _phi(np.array([mass_a + mass_b])).sum())
    return entropy - of_mass


def _phi(z: AnyArray) -> AnyArray:
    return z * np.log(z)
