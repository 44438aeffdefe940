"""The objects of a graph as they see its clusters, which is all that a transfer cut needs."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from scipy import sparse

from .._arrays import AnyArray, FloatArray, IntArray, LabelArray, on_one_scale
from .._work import map_threads
from ..core.ensemble import Ensemble
from .overlaps import cooccurrence
from .sums import sum_members, sum_rows

_CELLS = 1 << 25  # of W: beyond, products with the labels are cheaper than the matrix
_ROWS = 16  # rows of a square of rows per piece of threaded work


class Side(Protocol):
    """The n × K matrix A of edge weights between objects and clusters, with D_X = diag(A1), however it is kept."""

    weight: FloatArray  #: how often each row counts when rows are grouped
    shape: tuple[int, int]  #: number of rows and of clusters
    by_clusters: bool  #: whether W is the cheaper way to look at the graph

    def forth(self, x: FloatArray) -> FloatArray:
        """Return A x, one number for each row."""

    def back(self, y: FloatArray) -> FloatArray:
        """Return Aᵀ y, one number for each cluster, or one row for each where y has columns."""

    def gram(self, gains: FloatArray) -> FloatArray:
        """Return A diag(gains) Aᵀ, as many rows and columns as there are rows."""

    def linked(self) -> AnyArray:
        """Return the component of every cluster."""

    def transfer_matrix(self) -> sparse.csr_array:
        """Return W = Aᵀ D_X⁻¹ A, K × K: how strongly clusters meet in objects."""

    def parts(self, of_clusters: AnyArray) -> LabelArray:
        """Return the components of the rows from those of the clusters."""

    def rows(self, table: FloatArray) -> AnyArray:
        """Return D_X⁻¹ A T, one row each."""

    def expand(self, rows: AnyArray) -> AnyArray:
        """Return rows, or labels of rows, for all objects."""


class MatrixSide:
    """The side of a graph whose edges are stored."""

    matrix: sparse.csr_array
    weight: FloatArray
    shape: tuple[int, int]
    by_clusters: bool
    inverse: FloatArray

    def __init__(self, matrix: sparse.csr_array, weight: FloatArray) -> None:
        self.matrix, self.weight = sparse.csr_array(matrix), weight
        self.shape, self.by_clusters = self.matrix.shape, _fewer_clusters(self.matrix.shape)
        self.inverse = inverse(np.asarray(self.matrix.sum(axis=1)).ravel())

    def forth(self, x: FloatArray) -> FloatArray:
        """Return A x."""
        return np.asarray(self.matrix @ x)

    def back(self, y: FloatArray) -> FloatArray:
        """Return Aᵀ y."""
        return np.asarray(self.matrix.T @ y)

    def gram(self, gains: FloatArray) -> FloatArray:
        """Return A diag(gains) Aᵀ."""
        return np.asarray(((self.matrix * gains) @ self.matrix.T).toarray())

    def linked(self) -> AnyArray:
        """Return the component of every cluster, from the graph of rows and clusters."""
        from scipy.sparse.csgraph import connected_components

        n = self.shape[0]
        star = sparse.block_array([[None, self.matrix], [self.matrix.T, None]], format="csr")
        return np.asarray(connected_components(star, directed=False)[1][n:])

    def transfer_matrix(self) -> sparse.csr_array:
        """Return W = Aᵀ D_X⁻¹ A."""
        return sparse.csr_array(self.matrix.T @ (self.matrix * self.inverse[:, None]))

    def parts(self, of_clusters: AnyArray) -> LabelArray:
        """Return the components of the objects: that of the first cluster each."""
        linked = np.diff(self.matrix.indptr) > 0
        found = np.full(len(linked), -1)
        found[linked] = of_clusters[self.matrix.indices[self.matrix.indptr[:-1][linked]]]
        return np.unique(found, return_inverse=True)[1].astype(np.int32)

    def rows(self, table: FloatArray) -> AnyArray:
        """Return D_X⁻¹ A T."""
        return np.asarray(self.matrix @ table) * self.inverse[:, None]

    def expand(self, rows: AnyArray) -> AnyArray:
        """Return the rows themselves."""
        return rows


def _fewer_clusters(shape: tuple[int, int]) -> bool:
    """Whether there are no more clusters than rows, and W is not too large."""
    n, k = shape
    return k <= n and k * k <= _CELLS


def inverse(degree: FloatArray) -> FloatArray:
    """Return one over each degree, 0 where there is none."""
    return np.divide(1.0, degree, out=np.zeros_like(degree), where=degree > 0)


class LabelSide:
    """The side of the bipartite graph of an ensemble on its distinct label rows; edges count as often as objects do.

    With ``merge=False`` on all rows: for who only wants them to meet, and knows that most differ.
    """

    index: IntArray
    e: Ensemble
    weight: FloatArray
    values: FloatArray
    shape: tuple[int, int]
    by_clusters: bool
    inverse: FloatArray

    def __init__(self, e: Ensemble, edge_weights: FloatArray, *, merge: bool = True) -> None:
        micro, self.index = e.collapse() if merge else (e, np.arange(e.n_objects))
        self.e, self.weight, self.values = (
            micro,
            on_one_scale(micro.object_weights),
            on_one_scale(edge_weights),
        )
        self.shape = micro.n_objects, len(self.values)
        self.by_clusters = _fewer_clusters(self.shape)
        self.inverse = inverse(sum_rows(micro, self.values[:, None])[:, 0])  # of what one copy's edges weigh

    def forth(self, x: FloatArray) -> FloatArray:
        """Return A x. O(nB)."""
        return self.weight * sum_rows(self.e, (self.values * x)[:, None])[:, 0]

    def back(self, y: FloatArray) -> FloatArray:
        """Return Aᵀ y. O(nB) for each column."""
        return (self.values * sum_members(self.e, (self.weight * y.T).T).T).T

    def gram(self, gains: FloatArray) -> FloatArray:
        """Return A diag(gains) Aᵀ. O(n²B), n × n memory."""
        from ..kernels.products import gain_rows

        e, n = self.e, self.e.n_objects
        found, worth = np.zeros((n, n)), self.values**2 * gains
        map_threads(
            lambda start: gain_rows(e.codes, e.offsets, e.absent, worth, start, min(n, start + _ROWS), found),
            range(0, n, _ROWS),
        )
        lower = np.tril(found, -1)
        return (found + lower.T) * self.weight * self.weight[:, None]

    def linked(self) -> AnyArray:
        """Return the component of every cluster. O(nB)."""
        from ..kernels.products import connect_clusters

        e, parent = self.e, np.arange(len(self.values))
        connect_clusters(e.codes, e.offsets, e.absent, self.values > 0, parent)
        return parent

    def transfer_matrix(self) -> sparse.csr_array:
        """Return W = Aᵀ D_X⁻¹ A from the weight of the objects in each pair of clusters."""
        scaled = self.e._replace(object_weights=self.weight * self.inverse)
        w = cooccurrence(scaled) + sparse.diags_array(scaled.cluster_sizes())
        found = sparse.csr_array((w * self.values) * self.values[:, None])
        found.eliminate_zeros()  # clusters without weight connect nothing
        return found

    def parts(self, of_clusters: AnyArray) -> LabelArray:
        """Return the components of the rows: that of the first cluster of weight each."""
        e = self.e
        found, offsets = np.full(e.n_objects, -1), e.offsets
        for t, row in enumerate(e.codes):
            own = slice(offsets[t], offsets[t + 1])
            place = np.where(self.values[own] > 0, of_clusters[own], -1)
            open_ = np.flatnonzero((found < 0) & (row != e.absent))
            found[open_] = place[row[open_]]
            if not open_.size:
                break
        return np.unique(found, return_inverse=True)[1].astype(np.int32)

    def rows(self, table: FloatArray) -> AnyArray:
        """Return D_X⁻¹ A T, one row per distinct label row, in single precision."""
        out = sum_rows(self.e, (table * self.values[:, None]).astype(np.float32))
        out *= self.inverse[:, None].astype(np.float32)
        return out

    def expand(self, rows: AnyArray) -> AnyArray:
        """Return the rows, or labels of rows, of all objects."""
        return rows[self.index]
