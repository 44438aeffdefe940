"""Spectral cuts: leading eigenvectors of a graph, or of the smaller side of a bipartite one, then k-means."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, LabelArray, Seed, as_weights, canonical, divide, generator, on_one_scale
from .._lib.memory import require
from .._lib.threads import one_pool_thread
from ..errors import DegenerateWarning, unheard, warn
from ..graphs.counts import LabelSide, MatrixSide, Side
from ..graphs.graph import OBJECT, Graph
from ..graphs.matrices import as_matrix
from ..labels.ensemble import Ensemble
from .lanczos import lanczos
from .mending import counted, exactly, n_parts, pack

_DENSE = 1500  # up to here LAPACK is quicker than Lanczos, and never misses a multiple eigenvalue
_SAMPLE = 1 << 15  # restarts of k-means look at this many rows; the winner sees them all
_NO_MORE = 20


def leading(
    matrix: Any, k: int, degree: FloatArray, parts: AnyArray, dense: int = _DENSE
) -> tuple[FloatArray, FloatArray]:
    """Return the k largest eigenvalues of a normalized adjacency matrix or operator, in decreasing order, and vectors.

    The eigenvalue 1 has one vector per component, √degree on it. These are known, and only the others are computed,
    because Lanczos from one start can miss a multiple eigenvalue. LAPACK is used up to `dense` rows, otherwise Lanczos;
    signs are fixed, so results are reproducible.

    Parameters
    ----------
    matrix
        D^-½ A D^-½, n × n: any object with `shape`, products ``@`` with vectors and `toarray`.
    k
        Number of vectors, more than there are components.
    degree, parts
        Degree and component of every vertex.
    """
    n = matrix.shape[0]
    k = min(k, n)
    if n <= dense or k >= n // 3:
        require(32.0 * n * n, f"Eigenvectors of {n} vertices", "Use a smaller k, or fewer vertices")
        full = matrix.toarray()
        with one_pool_thread(few=n <= _DENSE, clustering=False):
            values, vectors = _dense_leading((full + full.T) / 2, k)
        return values[::-1], _signed(vectors[:, ::-1])
    known = _known(degree, parts)[:, :k]
    if known.shape[1] == k:
        return np.ones(k), known
    values, vectors = _beside(matrix, k - known.shape[1], known)
    return np.append(np.ones(known.shape[1]), values), np.column_stack([known, _signed(vectors)])


def _dense_leading(matrix: FloatArray, k: int) -> tuple[FloatArray, FloatArray]:
    """The k largest eigenvalues, in increasing order, and their vectors.

    LAPACK's driver for some eigenvalues fails if an eigenvalue has a high multiplicity, as in complete graphs; the
    driver for all eigenvalues does not.
    """
    from scipy.linalg import LinAlgError, eigh

    n = len(matrix)
    try:
        return eigh(matrix, subset_by_index=[n - k, n - 1])
    except LinAlgError:
        values, vectors = eigh(matrix, driver="evd")
        return values[n - k :], vectors[:, n - k :]


def _known(degree: FloatArray, parts: AnyArray) -> FloatArray:
    """One unit vector per component with an edge: the square roots of the degrees on it."""
    volume = np.bincount(parts, weights=degree)
    linked = np.flatnonzero(volume > 0)
    rank = np.full(len(volume), -1)
    rank[linked] = np.arange(len(linked))
    known = np.zeros((len(degree), len(linked)))
    inside = np.flatnonzero(rank[parts] >= 0)
    known[inside, rank[parts[inside]]] = np.sqrt(degree[inside] / volume[parts[inside]])
    return known


def _beside(matrix: Any, k: int, known: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The k leading vectors except for the known ones, whose eigenvalue is moved from 1 to −1."""

    def apply(x: FloatArray) -> FloatArray:
        return np.asarray(matrix @ x - 2 * (known @ (known.T @ x)))

    return lanczos(apply, matrix.shape[0], k)


def _signed(vectors: FloatArray) -> FloatArray:
    """Give every vector the sign that makes its largest entry positive."""
    top = np.abs(vectors).argmax(axis=0)
    return np.asarray(vectors * np.where(vectors[top, np.arange(vectors.shape[1])] < 0, -1.0, 1.0))


def point_clusters(
    rows: AnyArray, k: int, seed: Seed, weight: FloatArray | None, n_init: int | None = None
) -> LabelArray:
    """Scale rows to length one and cluster them by k-means.

    With more than 32,768 rows, restarts use a sample of that size, and the best centers are then refined on all rows.
    """
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    if k >= len(rows):
        return np.arange(len(rows), dtype=np.int32)
    rng = generator(seed)
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    unit = divide(rows, length, above=1e-12)
    if weight is not None and (weight == weight[0]).all():
        weight = None
    restarts = n_init or (10 if len(unit) <= 5000 else 3)
    start: Any = "k-means++"
    # fewer distinct rows than k: reported by the caller
    with unheard(ConvergenceWarning), one_pool_thread(few=len(unit) * k < 1 << 20):
        if len(unit) > 2 * _SAMPLE:
            picked = np.sort(rng.choice(len(unit), _SAMPLE, replace=False))
            some = None if weight is None else weight[picked]
            first = KMeans(k, n_init=restarts, random_state=int(rng.integers(2**31)))
            start, restarts = first.fit(unit[picked], sample_weight=some).cluster_centers_, 1
        last = KMeans(
            k,
            init=start,
            n_init=restarts,
            random_state=int(rng.integers(2**31)),
            max_iter=_NO_MORE if restarts == 1 else 300,
        )
        return last.fit(unit, sample_weight=weight).labels_.astype(np.int32)


_NOTHING = 1e-12  # eigenvalues below are 0


def spectral(graph: Graph, k: int, *, seed: Seed = 0, n_init: int | None = None) -> LabelArray:
    """Cut any graph by its normalized cut; this is the partitioner ``"spectral"``.

    Bipartite graphs use the transfer cut; cluster vertices get the part of most of their objects. Vertices that the
    eigenvectors do not distinguish are separated only to make k parts, with a warning.
    """
    labels = _spectral(graph, k, seed, n_init)
    found = n_parts(labels, counted(graph))
    if found == k:
        return labels
    warn(
        f"Only {found} parts of the graph can be distinguished, but {k} were requested; loosely attached vertices were "
        f"split off to make {k}.",
        DegenerateWarning,
    )
    return exactly(graph, labels, k)


def _spectral(graph: Graph, k: int, seed: Seed, n_init: int | None) -> LabelArray:
    objects = graph.roles == OBJECT
    if objects.all() or not objects.any():
        return normalized_cut(graph, k, seed=seed, n_init=n_init)
    labels = np.full(graph.n_vertices, k, dtype=np.int32)
    labels[objects] = side_cut(graph._side(), k, seed, n_init)
    return exactly(graph, labels, None)  # clusters go where most of their objects went


def transfer_cut(
    incidence: Any,
    k: int,
    *,
    cluster_weights: FloatArray | None = None,
    seed: Seed = None,
    sample_weight: FloatArray | None = None,
    n_init: int | None = None,
) -> LabelArray:
    """Cut the bipartite graph of objects and clusters into k parts; return the objects' labels.

    With A the n × K weighted incidence, D_X = diag(A1) and W = Aᵀ D_X⁻¹ A, objects are embedded by the leading
    eigenvectors v of D^-½ W D^-½ as D_X⁻¹ A D^-½ v, rows are normalized and clustered by k-means.

    Parameters
    ----------
    incidence
        An Ensemble (each partition counts by its weight), or any non-negative n × K matrix A, sparse or dense.
    k
        Number of parts.
    cluster_weights
        K additional weights by which the columns of A are multiplied.
    seed
        Seed of k-means.
    sample_weight
        How often each object counts; by default the ensemble's object weights, or 1.
    n_init
        Restarts of k-means, by default 10 for small and 3 for large ones.

    Returns
    -------
    labels
        Labels of the objects in order of first appearance; fewer than k only if fewer objects are distinct.

    Notes
    -----
    O(nB² + K³ + nkB) time. Nothing n × n and, for an ensemble, no incidence matrix: 4 n k bytes beyond the labels.
    Objects with equal labels are embedded once.

    References
    ----------
    Li, Wu and Chang, Segmentation using superpixels: a bipartite graph partitioning approach, 2012.

    Examples
    --------
    >>> import graphens as ge
    >>> from graphens.cutting.spectral import transfer_cut
    >>> transfer_cut(ge.Ensemble([[0, 0], [0, 0], [0, 1], [1, 1]]), 2, seed=0).tolist()
    [0, 0, 1, 1]
    """
    return side_cut(_side(incidence, cluster_weights, sample_weight), k, seed, n_init)


def side_cut(side: Side, k: int, seed: Seed, n_init: int | None) -> LabelArray:
    """Cut a graph of objects and clusters, given by its objects' side, into k parts; return the objects' labels."""
    return SideCuts(side, k).cut(k, seed, n_init)


class SideCuts:
    """Cuts of one graph of objects and clusters into up to `most` parts, from one decomposition."""

    side: Side
    parts: LabelArray
    n_parts: int
    rows: AnyArray | None

    def __init__(self, side: Side, most: int, walk: Walk | None = None) -> None:
        walk = walk_of(side) if walk is None else walk
        self.side, self.parts = side, side.parts(walk.linked)
        self.n_parts = int(self.parts.max(initial=-1)) + 1
        self.rows = None if self.n_parts >= most else side.rows(walk.table(most))

    def cut(self, k: int, seed: Seed, n_init: int | None = None) -> LabelArray:
        """Return the objects' labels; components are packed if there are k or more."""
        side = self.side
        if self.rows is None or self.n_parts >= k:
            weight = np.bincount(self.parts, weights=side.weight).astype(float)
            return canonical(side.expand(pack(weight, k)[self.parts]))
        rows = np.ascontiguousarray(self.rows[:, :k])
        return canonical(side.expand(point_clusters(rows, k, seed, side.weight, n_init)))


def transfer_embedding(
    incidence: Any, k: int, *, cluster_weights: FloatArray | None = None, sample_weight: FloatArray | None = None
) -> AnyArray:
    """Return the n × k rows that `transfer_cut` clusters; parameters as there."""
    side = _side(incidence, cluster_weights, sample_weight)
    return side.expand(side.rows(walk_of(side).table(k)))


def transfer_spectrum(incidence: Any, count: int, *, cluster_weights: FloatArray | None = None) -> FloatArray:
    """Return the largest eigenvalues of the K × K matrix D^-½ W D^-½ of `transfer_cut`, decreasing from 1.

    1 − λ is how fast a random walk object → cluster → object leaves a group. If the matrix has fewer than `count`
    eigenvalues, the rest are 0. O(nB²) for W and a few products with it; with fewer objects than clusters O(n²B), or
    O(nB) for each product.
    """
    found = walk_of(_side(incidence, cluster_weights, None)).values(count)
    return np.clip(np.append(found, np.zeros(max(count - len(found), 0))), 0.0, 1.0)


class Walk(Protocol):
    """The walk object → cluster → object; `linked` is the component of every cluster."""

    linked: AnyArray

    def values(self, count: int) -> FloatArray:
        """Return its largest eigenvalues, decreasing from 1."""

    def table(self, k: int) -> FloatArray:
        """Return the K × k table T that embeds objects as D_X⁻¹ A T by the leading eigenvectors."""


def walk_of(side: Side) -> Walk:
    """Return the walk on the side with fewer vertices, or on the objects if W would be too large."""
    return ClusterWalk(side.transfer_matrix()) if side.by_clusters else ObjectWalk(side)


class ClusterWalk:
    """The walk on the clusters, which needs only W = Aᵀ D_X⁻¹ A, a sum over objects.

    If objects come in blocks, W is summed over the blocks, and objects are embedded block by block.
    """

    meet: sparse.csr_array
    linked: AnyArray
    degree: FloatArray
    root: FloatArray
    _known: tuple[FloatArray, FloatArray] | None = None  # the largest decomposition so far

    def __init__(self, meet: sparse.csr_array) -> None:
        from scipy.sparse.csgraph import connected_components

        self.meet = meet
        self.linked = np.asarray(connected_components(meet, directed=False)[1])
        self.degree = np.asarray(meet.sum(axis=1)).ravel()
        self.root = divide(1.0, np.sqrt(self.degree))  # not the root of the inverse, which overflows

    def _leading(self, k: int) -> tuple[FloatArray, FloatArray]:
        if self._known is None or len(self._known[0]) < k:
            scaled = sparse.csr_array((self.meet * self.root) * self.root[:, None])
            self._known = leading(scaled, k, self.degree, self.linked)
        return self._known[0][:k], self._known[1][:, :k]

    def values(self, count: int) -> FloatArray:
        """Return the largest eigenvalues of D^-½ W D^-½."""
        return self._leading(count)[0]

    def table(self, k: int) -> FloatArray:
        """Return D^-½ v for the leading eigenvectors v."""
        return self._leading(k)[1] * self.root[:, None]


class ObjectWalk:
    """The walk on the objects: D_X^-½ A D_Y⁻¹ Aᵀ D_X^-½, which has the same eigenvalues.

    For few objects it is a matrix; otherwise only its products with vectors are computed, O(nB) each.
    """

    side: Side
    shape: tuple[int, int]
    linked: AnyArray
    degree: FloatArray
    root: FloatArray
    share: FloatArray
    _known: tuple[FloatArray, FloatArray] | None = None

    def __init__(self, side: Side) -> None:
        n, k = side.shape
        self.side, self.shape, self.linked = side, (n, n), side.linked()
        self.degree, volume = side.forth(np.ones(k)), side.back(np.ones(n))
        self.root, self.share = divide(1.0, np.sqrt(self.degree)), divide(1.0, volume)

    def __matmul__(self, y: FloatArray) -> FloatArray:
        return self.root * self.side.forth(self.share * self.side.back(self.root * y))

    def toarray(self) -> FloatArray:
        """Return the matrix itself."""
        return self.side.gram(self.share) * self.root * self.root[:, None]

    def _leading(self, k: int) -> tuple[FloatArray, FloatArray]:
        if self._known is None or len(self._known[0]) < k:
            self._known = leading(self, k, self.degree, self.side.parts(self.linked))
        return self._known[0][:k], self._known[1][:, :k]

    def values(self, count: int) -> FloatArray:
        """Return the largest eigenvalues."""
        return self._leading(count)[0]

    def table(self, k: int) -> FloatArray:
        """Return D_Y⁻¹ Aᵀ D_X^-½ u / √λ for the leading eigenvectors u; 0 if λ is 0."""
        values, vectors = self._leading(k)
        scale = np.where(values > _NOTHING, divide(1.0, np.sqrt(np.maximum(values, 0.0))), 0.0)
        return self.side.back(vectors * self.root[:, None]) * self.share[:, None] * scale


def _side(incidence: Any, cluster_weights: FloatArray | None, sample_weight: FloatArray | None) -> Side:
    """The objects' side of a bipartite graph given by its labels, or by its matrix of edge weights."""
    if isinstance(incidence, Ensemble):
        e = incidence
        if sample_weight is not None:
            e = e._replace(object_weights=as_weights(sample_weight, e.n_objects, "objects", positive=True))
        values = np.repeat(e.weights, e.n_clusters) * _worth(cluster_weights, int(e.offsets[-1]))
        return LabelSide(e, values)
    matrix = as_matrix(incidence, "the incidence")
    weight = on_one_scale(as_weights(sample_weight, matrix.shape[0], "objects", positive=True))
    matrix = sparse.csr_array((matrix * _worth(cluster_weights, matrix.shape[1])) * weight[:, None])
    matrix.eliminate_zeros()
    return MatrixSide(matrix, weight)


def _worth(cluster_weights: FloatArray | None, k: int) -> FloatArray:
    return as_weights(cluster_weights, k, "clusters")


def normalized_cut(graph: Graph, k: int, *, seed: Seed = None, n_init: int | None = None) -> LabelArray:
    """Cut a graph into k parts by its normalized cut; return the labels of its vertices.

    The rows of the k leading eigenvectors of D^-½ A D^-½, scaled to length one, are clustered by k-means. If there are
    k or more components, they are packed into k parts of similar weight.

    Parameters
    ----------
    graph
        Any graph. Only its products with vectors are needed, on its distinct vertices. The matrix of a co-association
        graph without missing labels is therefore never built, and a product takes O(ñB).
    k
        Number of parts.
    seed, n_init
        Seed and restarts of k-means.

    References
    ----------
    Ng, Jordan and Weiss, On spectral clustering, 2001. Shi and Malik, Normalized cuts and image segmentation, 2000.

    Examples
    --------
    >>> import graphens as ge
    >>> from graphens.cutting.spectral import normalized_cut
    >>> g = ge.Graph([[0, 1, 0.1, 0], [1, 0, 0, 0], [0.1, 0, 0, 1], [0, 0, 1, 0]])
    >>> normalized_cut(g, 2, seed=0).tolist()
    [0, 0, 1, 1]
    """
    parts = graph.components()
    if parts.max(initial=-1) + 1 >= k:
        return canonical(pack(np.bincount(parts, weights=graph.vertex_weights).astype(float), k)[parts])
    small, index, loops = graph._distinct()
    matrix = _Normalized(small, loops)
    vectors = leading(matrix, k, matrix.degree, small.components())[1]
    return canonical(point_clusters(vectors, k, seed, small.vertex_weights, n_init)[index])


class _Normalized:
    """D^-½ A D^-½ of a graph with loops: its products with vectors, and the matrix if it is small."""

    def __init__(self, graph: Graph, loops: FloatArray) -> None:
        self.graph, self.loops, self.product = graph, loops, graph.product()
        self.shape = (graph.n_vertices, graph.n_vertices)
        self.degree = self.product(np.ones(graph.n_vertices)) + loops
        self.root = divide(1.0, np.sqrt(self.degree))  # not the root of the inverse, which overflows

    def __matmul__(self, y: FloatArray) -> FloatArray:
        scaled = self.root * y
        return self.root * (self.product(scaled) + self.loops * scaled)

    def toarray(self) -> FloatArray:
        """Return the matrix itself."""
        dense = self.graph.adjacency.toarray()
        np.fill_diagonal(dense, self.loops)
        return dense * self.root * self.root[:, None]


__all__ = ["normalized_cut", "spectral", "transfer_cut", "transfer_embedding", "transfer_spectrum"]
