"""The co-association graph of objects that occur more than once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._arrays import FloatArray, LabelArray
from ..core.graph import Distinct, Graph
from ..core.matrices import membership, row_of
from .coassociation import CoassociationGraph


class RepeatedGraph(Graph):
    """The co-association graph of objects that occur c times, an edge for every pair of their copies: S_ij c_i c_j.

    Merging the equal rows of an ensemble into weighted ones leaves its cuts as they are: the copies of one object are
    joined by edges of its own, which no cut crosses and `distinct` returns as loops.

    Parameters
    ----------
    base
        A co-association graph; its vertex weights are the numbers of copies c.
    """

    base: CoassociationGraph

    def __init__(self, base: CoassociationGraph) -> None:
        kept = {name: getattr(base, name) for name in ("vertex_weights", "roles", "names", "kind")}
        self._set_fields(base=base, _adjacency=None, **kept)

    def _explicit(self) -> sparse.csr_array:
        s, c = self.base.adjacency, self.vertex_weights
        return sparse.csr_array((s.data * (c[row_of(s)] * c[s.indices]), s.indices, s.indptr), shape=s.shape)

    @property
    def n_edges(self) -> int:
        """Number of pairs of distinct rows that share at least one cluster."""
        return self.base.n_edges

    def components(self) -> LabelArray:
        """Return the components, which copies do not change. O(nB)."""
        return self.base.components()

    def product(self) -> Callable[[FloatArray], FloatArray]:
        """Return the function v ↦ c∘S(c∘v)."""
        once, c = self.base.product(), self.vertex_weights
        return lambda v: (c * once((c * np.asarray(v).T).T).T).T

    def degree(self) -> FloatArray:
        """Sum of the edge weights at each vertex."""
        return self.product()(np.ones(self.n_vertices))

    def cut(self, labels: ArrayLike) -> float:
        """Similarity between the copies in different parts; unassigned vertices do not count. O(nBk)."""
        given, size = self._parts(labels)
        inside = membership(given, size).toarray()
        return (
            float((inside.sum(axis=1, keepdims=True) - inside).ravel() @ self.product()(inside).ravel()) / 2
        )

    def _distinct(self) -> Distinct:
        """Merge equal label rows; loops are the edges among the copies of each."""
        micro, index = self.base.collapse()
        c = micro.vertex_weights
        return Distinct(RepeatedGraph(micro), index, np.maximum(c * (c - 1), 0.0) * micro.likeness())

    def __repr__(self) -> str:
        return repr(self.base)
