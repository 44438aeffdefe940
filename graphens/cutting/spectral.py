"""Spectral cuts: leading eigenvectors of a graph, or of the smaller side of a bipartite one, then k-means.

All of them solve one eigenproblem, D^-½ A D^-½ v = λ v, where A holds the edge weights and D = diag(A1) the degrees:

- `Normalized` is that matrix, for any A that can be multiplied with vectors, and finds the k largest λ;
- of a graph, A is its adjacency (`normalized_cut`);
- of a bipartite graph, A is W = Aᵀ D_X⁻¹ A between clusters or its counterpart between objects, whichever is smaller: a
  walk object → cluster → object has the same eigenvalues on both sides (`Walk`), so n × n is never needed for K < n;
- rows of the eigenvectors are scaled to length one and clustered (`point_clusters`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, LabelArray, Seed, canonical, divide, generator
from .._lib.memory import require
from .._lib.threads import one_pool_thread
from ..errors import DegenerateWarning, warn
from ..graphs.bipartite import Biadjacency, LabelBiadjacency
from ..graphs.graph import OBJECT, Graph
from ..kernels.centers import k_means
from ..labels.ensemble import Ensemble
from ..labels.value import remembered
from .lanczos import lanczos
from .mending import counted, exactly, n_parts, pack

_DENSE = 1500  # up to here LAPACK is quicker than Lanczos, and never misses a multiple eigenvalue


@dataclass(eq=False)
class Normalized:
    """D^-½ A D^-½ of a symmetric matrix A with degrees D, which may be given only by its products with vectors."""

    product: Callable[[FloatArray], FloatArray]  #: the function v ↦ Av
    full: Callable[[], FloatArray]  #: returns A itself as an array; called only for few vertices
    degree: FloatArray  #: degree and connected component of every vertex
    parts: AnyArray

    @remembered
    def root(self) -> FloatArray:
        """The diagonal of D^-½: not the root of the inverse, which overflows."""
        return divide(1.0, np.sqrt(self.degree))

    @classmethod
    def of(cls, a: sparse.csr_array) -> Normalized:
        """Normalize a stored matrix."""
        from scipy.sparse.csgraph import connected_components

        parts = np.asarray(connected_components(a, directed=False)[1])
        return cls(lambda v: np.asarray(a @ v), a.toarray, np.asarray(a.sum(axis=1)).ravel(), parts)

    def __matmul__(self, y: FloatArray) -> FloatArray:
        return self.root * self.product(self.root * y)

    def leading(self, k: int, dense: int = _DENSE) -> tuple[FloatArray, FloatArray]:
        """Return the k largest eigenvalues, in decreasing order, and their vectors; the largest answer is kept.

        The eigenvalue 1 has one vector per component, √degree on it. These are known, and only the others are computed,
        because Lanczos from one start can miss a multiple eigenvalue. LAPACK is used up to `dense` rows, otherwise
        Lanczos; signs are fixed, so results are reproducible.
        """
        values, vectors = vars(self).get("_largest", (self.degree[:0], self.degree[:0]))
        if len(values) < k:
            values, vectors = self._largest = self._decompose(min(k, len(self.degree)), dense)
        return values[:k], vectors[:, :k]

    def _decompose(self, k: int, dense: int) -> tuple[FloatArray, FloatArray]:
        from scipy.linalg import LinAlgError, eigh

        n = len(self.degree)
        if n <= dense or k >= n // 3:
            require(32.0 * n * n, f"Eigenvectors of {n} vertices", "Use a smaller k, or fewer vertices")
            full = self.full() * self.root * self.root[:, None]
            full = (full + full.T) / 2
            with one_pool_thread(few=n <= _DENSE, clustering=False):
                try:
                    values, vectors = eigh(full, subset_by_index=[n - k, n - 1])
                except LinAlgError:
                    # LAPACK's driver for some eigenvalues fails if one has a high multiplicity, as in complete graphs;
                    # the driver for all of them does not.
                    values, vectors = eigh(full, driver="evd")
            return values[: -k - 1 : -1], _fix_signs(vectors[:, : -k - 1 : -1])
        known = _component_vectors(self.degree, self.parts)[:, :k]
        if known.shape[1] == k:
            return np.ones(k), known
        # the known eigenvalues are moved from 1 to −1, the far end, so that Lanczos looks for the others
        values, vectors = lanczos(lambda x: self @ x - 2 * (known @ (known.T @ x)), n, k - known.shape[1])
        return np.append(np.ones(known.shape[1]), values), np.column_stack([known, _fix_signs(vectors)])


def _component_vectors(degree: FloatArray, parts: AnyArray) -> FloatArray:
    """One unit vector per component with an edge: the square roots of the degrees on it."""
    volume = np.bincount(parts, weights=degree)
    linked = np.flatnonzero(volume > 0)
    rank = np.full(len(volume), -1)
    rank[linked] = np.arange(len(linked))
    vectors = np.zeros((len(degree), len(linked)))
    inside = np.flatnonzero(rank[parts] >= 0)
    vectors[inside, rank[parts[inside]]] = np.sqrt(degree[inside] / volume[parts[inside]])
    return vectors


def _fix_signs(vectors: FloatArray) -> FloatArray:
    """Give every vector the sign that makes its largest entry positive."""
    top = np.abs(vectors).argmax(axis=0)
    return np.asarray(vectors * np.where(vectors[top, np.arange(vectors.shape[1])] < 0, -1.0, 1.0))


def point_clusters(
    rows: AnyArray, k: int, seed: Seed, weight: FloatArray | None, n_init: int | None = None
) -> LabelArray:
    """Scale rows to length one and cluster them by k-means."""
    if k >= len(rows):
        return np.arange(len(rows), dtype=np.int32)
    columns = divide(rows.T, np.sqrt(np.einsum("ij,ij->i", rows, rows)), above=1e-12)
    # Ten restarts cost little for few rows; for many, k-means++ hardly varies.
    restarts = n_init or (10 if len(rows) <= 5000 else 3)
    return k_means(columns, k, np.ones(len(rows)) if weight is None else weight, generator(seed), restarts)


_NOTHING = 1e-12  # eigenvalues below are 0


def spectral(graph: Graph, k: int, *, seed: Seed = 0, n_init: int | None = None) -> LabelArray:
    """Cut any graph by its normalized cut; this is the partitioner ``"spectral"``.

    Bipartite graphs use the transfer cut; cluster vertices get the part of most of their objects. Vertices that the
    eigenvectors do not distinguish are separated only to make k parts, with a warning.
    """
    objects = graph.roles == OBJECT
    if objects.all() or not objects.any():
        labels = normalized_cut(graph, k, seed=seed, n_init=n_init)
    else:
        labels = np.full(graph.n_vertices, k, dtype=np.int32)
        labels[objects] = BipartiteCuts(graph._biadjacency(), k).cut(k, seed, n_init)
        labels = exactly(graph, labels, None)  # clusters go where most of their objects went
    size = n_parts(labels, counted(graph))
    if size == k:
        return labels
    warn(
        f"Only {size} parts of the graph can be distinguished, but {k} were requested; loosely attached vertices were "
        f"split off to make {k}.",
        DegenerateWarning,
    )
    return exactly(graph, labels, k)


class BipartiteCuts:
    """Cuts of one graph of objects and clusters into up to `most` parts, from one decomposition.

    With A the n × K weighted incidence, D_X = diag(A1) and W = Aᵀ D_X⁻¹ A, objects are embedded by the leading
    eigenvectors v of D^-½ W D^-½ as D_X⁻¹ A D^-½ v; rows are scaled to length one and clustered by k-means. O(nB² + K³
    + nkB) time. Nothing n × n and, for an ensemble, no incidence matrix: 4 n k bytes beyond the labels. Objects with
    equal labels are embedded once.

    References
    ----------
    Li, Wu and Chang, Segmentation using superpixels: a bipartite graph partitioning approach, 2012.
    """

    a: Biadjacency
    parts: LabelArray
    n_parts: int
    rows: AnyArray | None

    def __init__(self, a: Biadjacency, most: int, walk: Walk | None = None) -> None:
        walk = walk_of(a) if walk is None else walk
        self.a, self.parts = a, a.row_components(walk.components)
        self.n_parts = int(self.parts.max(initial=-1)) + 1
        self.rows = None if self.n_parts >= most else a.mean_rows(walk.table(most))

    def cut(self, k: int, seed: Seed, n_init: int | None = None) -> LabelArray:
        """Return the objects' labels; components are packed if there are k or more."""
        a = self.a
        if self.rows is None or self.n_parts >= k:
            weight = np.bincount(self.parts, weights=a.weight).astype(float)
            return canonical(a.expand(pack(weight, k)[self.parts]))
        return canonical(a.expand(point_clusters(self.rows[:, :k], k, seed, a.weight, n_init)))


def transfer_spectrum(e: Ensemble, count: int) -> FloatArray:
    """Return the largest eigenvalues of the K × K matrix D^-½ W D^-½ of an ensemble's clusters, decreasing from 1.

    1 − λ is how fast a random walk object → cluster → object leaves a group. If the matrix has fewer than `count`
    eigenvalues, the rest are 0. O(nB²) for W and a few products with it; with fewer objects than clusters O(n²B), or
    O(nB) for each product.
    """
    values = walk_of(LabelBiadjacency(e, np.repeat(e.weights, e.n_clusters))).values(count)
    return np.clip(np.append(values, np.zeros(max(count - len(values), 0))), 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Walk:
    """The walk object → cluster → object, decomposed on one side of the graph."""

    components: AnyArray  #: the component of every cluster
    matrix: Normalized  #: the normalized matrix of one side
    #: turns D^-½ u of that side into a row for each cluster, given the eigenvalues
    to_clusters: Callable[[FloatArray, FloatArray], FloatArray]

    def values(self, count: int) -> FloatArray:
        """Return the largest eigenvalues, decreasing from 1."""
        return self.matrix.leading(count)[0]

    def table(self, k: int) -> FloatArray:
        """Return the K × k table T that embeds objects as D_X⁻¹ A T by the leading eigenvectors."""
        values, vectors = self.matrix.leading(k)
        return self.to_clusters(vectors * self.matrix.root[:, None], values)


def walk_of(a: Biadjacency) -> Walk:
    """Return the walk on the side with fewer vertices, or on the objects if W would be too large."""
    return walk_on_clusters(a.transfer_matrix()) if a.by_clusters else walk_on_objects(a)


def walk_on_clusters(w: sparse.csr_array) -> Walk:
    """Return the walk on the clusters, which needs only W = Aᵀ D_X⁻¹ A, a sum over objects.

    If objects come in blocks, W is summed over the blocks, and objects are embedded block by block by T = D^-½ v.
    """
    matrix = Normalized.of(w)
    return Walk(matrix.parts, matrix, lambda table, values: table)


def walk_on_objects(a: Biadjacency) -> Walk:
    """Return the walk on the objects, D_X^-½ A D_Y⁻¹ Aᵀ D_X^-½, which has the same eigenvalues.

    For few objects it is a matrix; otherwise only its products with vectors are computed, O(nB) each. Its vectors u
    become those of the clusters as T = D_Y⁻¹ Aᵀ D_X^-½ u / √λ, and 0 if λ is 0.
    """
    n, k = a.shape
    share, parts = divide(1.0, a.rmatvec(np.ones(n))), a.components()

    def to_clusters(table: FloatArray, values: FloatArray) -> FloatArray:
        scale = np.where(values > _NOTHING, divide(1.0, np.sqrt(np.maximum(values, 0.0))), 0.0)
        return a.rmatvec(table) * share[:, None] * scale

    matrix = Normalized(
        lambda v: a.matvec(share * a.rmatvec(v)), lambda: a.gram(share), a.matvec(np.ones(k)), a.row_components(parts)
    )
    return Walk(parts, matrix, to_clusters)


def normalized_cut(graph: Graph, k: int, *, seed: Seed = None, n_init: int | None = None) -> LabelArray:
    """Cut a graph into k parts by its normalized cut; return the labels of its vertices.

    The rows of the k leading eigenvectors of D^-½ A D^-½, scaled to length one, are clustered by k-means. If there are
    k or more components, they are packed into k parts of similar weight. Only products of the graph with vectors are
    needed, on its distinct vertices: the matrix of a co-association graph without missing labels is never built, and a
    product takes O(ñB).

    References
    ----------
    Ng, Jordan and Weiss, On spectral clustering, 2001. Shi and Malik, Normalized cuts and image segmentation, 2000.
    """
    parts = graph.components()
    if parts.max(initial=-1) + 1 >= k:
        return canonical(pack(np.bincount(parts, weights=graph.vertex_weights).astype(float), k)[parts])
    small, index, loops = graph._distinct()
    times = small.product()

    def full() -> FloatArray:
        square = small.adjacency.toarray()
        np.fill_diagonal(square, loops)
        return square

    degree = times(np.ones(small.n_vertices)) + loops
    matrix = Normalized(lambda v: times(v) + loops * v, full, degree, small.components())
    return canonical(point_clusters(matrix.leading(k)[1], k, seed, small.vertex_weights, n_init)[index])


__all__ = ["normalized_cut", "spectral", "transfer_spectrum"]
