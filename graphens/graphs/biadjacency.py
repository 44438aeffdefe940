"""The biadjacency matrix A between objects and clusters, and what the cuts of a bipartite graph need of it."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, LabelArray, divide, on_one_scale
from .._lib.threads import map_threads
from ..labels.ensemble import Ensemble
from .counts import cooccurrence, fewer_rows, sum_by_cluster, sum_cluster_rows, sum_pairs

_CELLS = 1 << 25  # of W: beyond, products with the labels are cheaper than the matrix
_ROWS = 16  # rows of a square of rows per piece of threaded work


class Biadjacency:
    """The n × K matrix A of edge weights between objects (rows) and clusters (columns), with D_X = diag(A1)."""

    matrix: sparse.csr_array
    weight: FloatArray  #: how often each row counts when rows are grouped
    shape: tuple[int, int]
    inverse: FloatArray  #: d_X⁻¹, without that weight

    def __init__(self, matrix: sparse.csr_array, weight: FloatArray) -> None:
        self.matrix, self.weight, self.shape = sparse.csr_array(matrix), weight, matrix.shape
        self.inverse = divide(1.0, np.asarray(self.matrix.sum(axis=1)).ravel())

    @property
    def by_clusters(self) -> bool:
        """Whether W is the cheaper way to look at the graph: no more clusters than rows, and W is not too large.

        The eigenvectors of W, K × K, say the same as those of its counterpart between rows, n × n: the smaller one is
        decomposed. If both are large, products with A need no matrix at all.
        """
        n, k = self.shape
        return k <= n and k * k <= _CELLS

    def matvec(self, x: FloatArray) -> FloatArray:
        """Return A x, one number for each row."""
        return np.asarray(self.matrix @ x)

    def rmatvec(self, y: FloatArray) -> FloatArray:
        """Return Aᵀ y, one number for each cluster, or one row if y has columns."""
        return np.asarray(self.matrix.T @ y)

    def gram(self, gains: FloatArray) -> FloatArray:
        """Return A diag(gains) Aᵀ, rows × rows."""
        return np.asarray(((self.matrix * gains) @ self.matrix.T).toarray())

    def transfer_matrix(self) -> sparse.csr_array:
        """Return W = Aᵀ D_X⁻¹ A, K × K: how strongly clusters overlap."""
        return sparse.csr_array(self.matrix.T @ (self.matrix * self.inverse[:, None]))

    def components(self) -> AnyArray:
        """Return the component of every cluster, from the graph of rows and clusters."""
        from scipy.sparse.csgraph import connected_components

        # Objects come first, so the components of the clusters are the last K.
        star = sparse.block_array([[None, self.matrix], [self.matrix.T, None]], format="csr")
        return np.asarray(connected_components(star, directed=False)[1][self.shape[0] :])

    def row_components(self, of_clusters: AnyArray) -> LabelArray:
        """Return the component of every row: that of its first cluster. Rows without a cluster share one."""
        linked = np.diff(self.matrix.indptr) > 0
        part = np.full(len(linked), -1)
        part[linked] = of_clusters[self.matrix.indices[self.matrix.indptr[:-1][linked]]]
        return np.unique(part, return_inverse=True)[1].astype(np.int32)

    def mean_rows(self, table: FloatArray) -> AnyArray:
        """Return D_X⁻¹ A T: for every row the mean of the rows of T that belong to its clusters."""
        return np.asarray(self.matrix @ table) * self.inverse[:, None]

    def expand(self, rows: AnyArray) -> AnyArray:
        """Return rows, or labels of rows, for all objects."""
        return rows


class LabelBiadjacency(Biadjacency):
    """The same from labels, on their distinct rows, without a matrix; edges count as often as objects.

    Parameters
    ----------
    e
        The labels.
    edge_weights
        The weight of the edges of each cluster.
    merge
        Without it, equal rows are merged only where that makes W cheaper, and `expand` is of no use.
    whole
        W of more objects than these, if they are a sample.
    """

    e: Ensemble
    index: AnyArray
    values: FloatArray
    weight: FloatArray
    inverse: FloatArray
    shape: tuple[int, int]
    whole: sparse.csr_array | None

    def __init__(
        self, e: Ensemble, edge_weights: FloatArray, *, merge: bool = True, whole: sparse.csr_array | None = None
    ) -> None:
        if merge and e._rows is not None:
            self.e, self.index = e.collapse()
        else:  # W needs no way back to the objects, and distinct rows are the objects
            self.e, self.index = e if merge else fewer_rows(e), np.arange(e.n_objects)
        # Objects and clusters have weights apart: A = diag(weight) H diag(values). D_X⁻¹ A needs no object weights,
        # since copies of a row have the same mean.
        self.weight, self.values = on_one_scale(self.e.object_weights), on_one_scale(edge_weights)
        self.shape, self.whole = (self.e.n_objects, len(self.values)), whole
        # of what one copy's edges weigh
        self.inverse = divide(1.0, sum_cluster_rows(self.e, self.values[:, None])[:, 0])

    @property
    def by_clusters(self) -> bool:
        """Whether W is the cheaper way to look at the graph."""
        return self.whole is not None or super().by_clusters

    def matvec(self, x: FloatArray) -> FloatArray:
        """Return A x. O(nB)."""
        return self.weight * sum_cluster_rows(self.e, (self.values * x)[:, None])[:, 0]

    def rmatvec(self, y: FloatArray) -> FloatArray:
        """Return Aᵀ y. O(nB) for each column."""
        return (self.values * sum_by_cluster(self.e, (self.weight * y.T).T).T).T

    def gram(self, gains: FloatArray) -> FloatArray:
        """Return A diag(gains) Aᵀ. O(n²B), n × n memory."""
        from ..kernels.counting import gain_rows

        e, n = self.e, self.e.n_objects
        square, gain = np.zeros((n, n)), self.values**2 * gains
        map_threads(
            lambda start: gain_rows(e.codes, e.offsets, e.absent, gain, start, min(n, start + _ROWS), square),
            range(0, n, _ROWS),
            each=_ROWS * float(e.codes.size),
        )
        lower = np.tril(square, -1)
        return (square + lower.T) * self.weight * self.weight[:, None]

    def transfer_matrix(self) -> sparse.csr_array:
        """Return W = Aᵀ D_X⁻¹ A from the weight of the objects in each pair of clusters.

        If all objects have the same degree, as without missing labels and cluster weights, W is the plain overlaps
        times a constant, and these may have been counted already.
        """
        if self.whole is not None:
            return self.whole
        e = self.e
        if (self.inverse == self.inverse[0]).all() and self.weight is e.object_weights:
            w = (cooccurrence(e) + sparse.diags_array(e.cluster_sizes())) * self.inverse[0]
        else:
            w = sum_pairs(e, self.weight * self.inverse)
        w = sparse.csr_array((w * self.values) * self.values[:, None])
        w.eliminate_zeros()  # clusters without weight connect nothing
        return w

    def components(self) -> AnyArray:
        """Return the component of every cluster. O(nB)."""
        from ..kernels.counting import connect_clusters

        parent = np.arange(len(self.values))
        connect_clusters(self.e.codes, self.e.offsets, self.e.absent, self.values > 0, parent)
        return parent

    def row_components(self, of_clusters: AnyArray) -> LabelArray:
        """Return the component of every row: that of its first cluster with positive weight."""
        e = self.e
        part, place = np.full(e.n_objects, -1), np.where(self.values > 0, of_clusters, -1)
        for t, row in enumerate(e.codes):
            rest = np.flatnonzero((part < 0) & (row != e.absent))
            part[rest] = place[e.offsets[t] + row[rest].astype(np.int64)]
            if (part >= 0).all():
                break
        return np.unique(part, return_inverse=True)[1].astype(np.int32)

    def mean_rows(self, table: FloatArray) -> AnyArray:
        """Return D_X⁻¹ A T, one row per distinct label row, in single precision."""
        out = sum_cluster_rows(self.e, (table * self.values[:, None]).astype(np.float32))
        out *= self.inverse[:, None].astype(np.float32)
        return out

    def expand(self, rows: AnyArray) -> AnyArray:
        """Return the rows, or labels of rows, of all objects."""
        return rows[self.index]
