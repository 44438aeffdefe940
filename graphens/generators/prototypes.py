"""Prototypes: cluster a few dense points instead of all objects; every object gets the label of the nearest one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, as_int, as_labels, freeze, generator, number
from .._lib.features import as_features, distinct_rows, feature_neighbors, nearest
from ..errors import TypeMismatch, named_failure
from ..labels.value import Viewable
from ..result.consensus import Consensus


@dataclass(frozen=True, eq=False)
class Prototypes(Viewable):
    """The dense points of a data set, and which of them is nearest to every object.

    Attributes
    ----------
    points
        The core prototypes, which are clustered instead of the objects.
    index
        The nearest core prototype of every object.
    density
        Link strength of every prototype, noise included.
    core
        Which prototypes are cores.
    """

    points: FloatArray
    index: IntArray
    density: FloatArray
    core: AnyArray

    def __len__(self) -> int:
        return len(self.points)

    def expand(self, labels: Consensus | ArrayLike) -> LabelArray:
        """Return labels of all objects from labels of the core prototypes, or from a consensus of them."""
        core_labels = labels.labels if isinstance(labels, Consensus) else labels
        return as_labels(core_labels, len(self.points), "core prototypes")[self.index]

    def cluster(self, method: Callable[[FloatArray], Consensus | ArrayLike]) -> LabelArray:
        """Cluster the core prototypes with a function from features to labels or a consensus, and expand."""
        if not callable(method):
            raise TypeMismatch.about("method", method, "a function from features to labels")
        with named_failure("The function given as method"):
            labels = method(self.points)
        return self.expand(labels)

    def __repr__(self) -> str:
        return f"Prototypes({len(self.points)} cores of {len(self.core)} prototypes for {len(self.index)} objects)"


def snn_prototypes(
    X: Any, n_prototypes: int | None = None, *, q: int = 20, alpha: float = 1.0, seed: int | None = None
) -> Prototypes:
    """Replace objects by dense prototypes, chosen by shared nearest neighbors.

    k-means gives many small clusters, whose centers are the prototypes. Two prototypes in each other's lists of q
    nearest are linked by w(i, j) = Σ over shared neighbors l of (q + 1 − m_l)(q + 1 − n_l), where m_l and n_l are the
    ranks of l in the two lists. The density of i is the sum of its links; cores have a density of at least mean −
    α·std.

    Parameters
    ----------
    X
        Features, one row per object.
    n_prototypes
        Number of prototypes, at most 300 by default; if there are as many as distinct objects, these are used.
    q
        Length of the lists.
    alpha
        How far below the mean a density may be; smaller values drop more prototypes as noise.
    seed
        Seed for k-means.

    Returns
    -------
    Prototypes
        ``expand(labels)`` turns labels of its ``points`` into labels of all objects; ``cluster(method)`` does both.

    Notes
    -----
    O(p²d) for k-means with p prototypes on at most 100 p objects, and O(nd log p) to find the nearest core. Fred and
    Jain, Combining multiple clusterings using evidence accumulation, 2005, section 6, after Jarvis and Patrick, 1973,
    and Ertöz et al., 2002.

    Examples
    --------
    >>> import graphens as ge
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(size=(60, 2)), rng.normal(size=(60, 2)) + 9])
    >>> p = ge.snn_prototypes(X, 40, q=5, seed=0)
    >>> labels = p.cluster(lambda points: (points[:, 0] > 4.5).astype(int))
    >>> int(labels[:60].max()), int(labels[60:].min())
    (0, 1)
    """
    points, index, counts = distinct_rows(as_features(X))
    most = len(index) if n_prototypes is None else as_int("n_prototypes", n_prototypes, 1, len(index))
    n, size = len(points), min(most, 300 if n_prototypes is None else most, len(points))
    alpha = number("alpha", alpha)
    centers = points if size == n else _centers(points, counts, size, seed)
    density = link_strength(centers, q)
    core = density >= density.mean() - alpha * density.std() - 1e-9
    if not core.any():  # a negative alpha can ask for more than there is
        core = density == density.max()
    cores = centers[core]
    return Prototypes(freeze(cores), freeze(nearest(cores, points, 1)[index, 0]), freeze(density), freeze(core))


def link_strength(points: FloatArray, q: int = 20) -> FloatArray:
    """Sum of the shared-neighbor links of every point. O(mq²), plus finding the neighbors of m points."""
    m = len(points)
    if m == 1:
        return np.zeros(1)
    q = min(as_int("q", q, 1), m - 1)
    lists = feature_neighbors(points, q)
    rows = np.repeat(np.arange(m), q)
    rank = np.tile(np.arange(q, 0, -1.0), m)  # q + 1 − m_l: q for the nearest, 1 for the last
    near = sparse.csr_array((rank, (rows, lists.ravel())), shape=(m, m))
    mutual = (near > 0).multiply((near > 0).T)
    links = sparse.csr_array((near @ near.T).multiply(mutual))
    return np.asarray(links.sum(axis=1)).ravel()


def _centers(points: FloatArray, counts: IntArray, size: int, seed: int | None) -> FloatArray:
    """Centers of many small clusters, by k-means on at most 100 objects per prototype."""
    from sklearn.cluster import KMeans

    rng = generator(seed)
    if len(points) > 100 * size:
        some = np.sort(rng.choice(len(points), size=100 * size, replace=False))
        points, counts = points[some], counts[some]
    means = KMeans(size, n_init=1, random_state=int(rng.integers(2**31))).fit(points, sample_weight=counts)
    return np.asarray(means.cluster_centers_[np.unique(means.labels_)], dtype=np.float64)
