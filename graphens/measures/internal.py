"""How well a partition fits the features: internal validity indices, and their form as weights from 0 to 1.

Every index takes features of objects and a labeling of them; objects with −1 are ignored. An index that is not defined,
as with one cluster, is NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, IntArray, Seed, as_int, canonical, divide, draw, one_of
from .._lib.features import as_features
from .._lib.memory import require
from ..errors import InputError
from ..labels.encoding import labels_of_codes
from ..labels.ensemble import Ensemble, Labels
from ..labels.names import align, attached_names
from ..labels.value import remembered


class SampledFeatures:
    """Features of some objects, with distances that are computed once for all partitions."""

    def __init__(self, points: FloatArray) -> None:
        self.points = points

    @remembered
    def distances(self) -> FloatArray:
        """Euclidean distances of all pairs."""
        from scipy.spatial.distance import cdist

        n = len(self.points)
        require(48.0 * n * n, f"An index that needs the distances of {n} objects", "Use a smaller sample")
        return np.asarray(cdist(self.points, self.points))


@dataclass(frozen=True)
class _Clusters:
    """One labeling of a sample: the objects it assigns, their clusters' sizes and centers."""

    sample: SampledFeatures
    labels: AnyArray

    @remembered
    def there(self) -> IntArray:
        return np.flatnonzero(self.labels >= 0)

    @remembered
    def own(self) -> AnyArray:
        return canonical(self.labels[self.there])

    @remembered
    def k(self) -> int:
        return int(self.own.max(initial=-1)) + 1

    @remembered
    def member(self) -> FloatArray:
        return np.eye(self.k)[self.own]

    @remembered
    def sizes(self) -> FloatArray:
        return np.bincount(self.own, minlength=self.k).astype(np.float64)

    @remembered
    def points(self) -> FloatArray:
        return self.sample.points[self.there]

    @remembered
    def centers(self) -> FloatArray:
        return (self.member.T @ self.points) / self.sizes[:, None]

    @remembered
    def distances(self) -> FloatArray:
        return self.sample.distances[np.ix_(self.there, self.there)]

    @remembered
    def gaps(self) -> FloatArray:
        """Distances of the centers."""
        from scipy.spatial.distance import cdist

        return np.asarray(cdist(self.centers, self.centers))

    @remembered
    def error(self) -> FloatArray:
        """Squared distance of each object to its center."""
        return ((self.points - self.centers[self.own]) ** 2).sum(axis=1)

    @remembered
    def proper(self) -> bool:
        """Whether there is something to compare: several clusters, and fewer than objects."""
        return 1 < self.k < len(self.own)


_Function = Callable[[_Clusters], float]
INDICES: dict[str, _Function] = {}


def _index(defined: Callable[[_Clusters], bool]) -> Callable[[_Function], _Function]:
    """Enter an index under its name; where it is not defined, it is NaN."""

    def enter(function: _Function) -> _Function:
        INDICES[function.__name__[1:]] = lambda c: function(c) if defined(c) else float("nan")
        return function

    return enter


@_index(lambda c: c.proper)
def _silhouette(c: _Clusters) -> float:
    sums = c.distances @ c.member
    rows = np.arange(len(c.own))
    inside = sums[rows, c.own] / np.maximum(c.sizes[c.own] - 1, 1)
    mean = sums / c.sizes
    mean[rows, c.own] = np.inf
    outside = mean.min(axis=1)
    top = np.maximum(inside, outside)
    score = divide(outside - inside, top)
    return float(np.where(c.sizes[c.own] > 1, score, 0.0).mean())


@_index(lambda c: c.proper)
def _davies_bouldin(c: _Clusters) -> float:
    spread = np.bincount(c.own, weights=np.sqrt(c.error)) / c.sizes
    gap = c.gaps + np.diag(np.full(c.k, np.inf))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (spread[:, None] + spread) / gap
    return float(np.nan_to_num(ratio, nan=0.0, posinf=np.inf).max(axis=1).mean())


@_index(lambda c: c.proper)
def _calinski_harabasz(c: _Clusters) -> float:
    between = float(c.sizes @ ((c.centers - c.points.mean(axis=0)) ** 2).sum(axis=1))
    within = float(c.error.sum())
    return between * (len(c.own) - c.k) / (max(within, 1e-300) * (c.k - 1))


@_index(lambda c: c.proper)
def _dunn(c: _Clusters) -> float:
    together = c.own[:, None] == c.own
    widest = c.distances[together].max()
    return float(c.distances[~together].min() / widest) if widest > 0 else float("inf")


@_index(lambda c: len(c.own) > 1)
def _huber_gamma(c: _Clusters) -> float:
    n = len(c.own)
    return float((c.distances * c.gaps[np.ix_(c.own, c.own)]).sum() / (n * (n - 1)))


@_index(lambda c: c.k < len(c.own))
def _bic(c: _Clusters) -> float:
    """Of spherical Gaussians with one variance around the centers, as k-means implies."""
    n, d = c.points.shape
    variance = max(float(c.error.sum()) / max(d * (n - c.k), 1), 1e-300)
    likelihood = float(c.sizes @ np.log(c.sizes / n)) - n * d / 2 * np.log(2 * np.pi * variance) - (n - c.k) * d / 2
    return likelihood - c.k * (d + 1) / 2 * np.log(n)


@_index(lambda c: c.k < len(c.own))
def _mdl(c: _Clusters) -> float:
    """Negative number of bits for the labels, the centers (with the precision that n allows), and the residuals."""
    n, d = c.points.shape
    variance = max(float(c.error.sum()) / (n * d), 1e-300)
    return -(n * np.log(c.k) + c.k * d / 2 * np.log(n) + n * d / 2 * np.log(variance)) / np.log(2)


@_index(lambda c: c.proper)
def _rate_distortion(c: _Clusters) -> float:
    """Share of the squared error that the clusters save, per bit of label entropy that they cost."""
    total = float(((c.points - c.points.mean(axis=0)) ** 2).sum())
    share = c.sizes / c.sizes.sum()
    bits = -float(share @ np.log2(share))
    return (1.0 - float(c.error.sum()) / total) / bits if total > 0 else float("nan")


@_index(lambda c: c.k < len(c.own))
def _stochastic_complexity(c: _Clusters) -> float:
    """Negative length of the shortest description in nats: labels, centers and residuals, with their complexities.

    Labels are described by the normalized maximum likelihood of a multinomial (with the recurrence of Kontkanen and
    Myllymäki 2007), k centers in d dimensions by ½ log(n / 2π) per coordinate, residuals by one spherical variance.
    """
    n, d = c.points.shape
    variance = max(float(c.error.sum()) / (n * d), 1e-300)
    labels = -float(c.sizes @ np.log(c.sizes / n)) + _multinomial_complexity(c.k, n)
    residuals = n * d / 2 * (np.log(2 * np.pi * variance) + 1)
    return -(labels + c.k * d / 2 * np.log(n / (2 * np.pi)) + residuals)


def _multinomial_complexity(k: int, n: int) -> float:
    """Log C(k, n): C(1) = 1, C(2) = Σ_h (n over h) (h/n)^h ((n − h)/n)^(n − h), C(k + 2) = C(k + 1) + n C(k) / k."""
    from scipy.special import gammaln, xlogy

    h = np.arange(n + 1.0)
    terms = gammaln(n + 1) - gammaln(h + 1) - gammaln(n - h + 1) + xlogy(h, h / n) + xlogy(n - h, (n - h) / n)
    before, now = 1.0, float(np.exp(terms).sum())
    scale = 0.0  # logarithms of what was divided out, as C grows beyond all numbers
    if k == 1:
        return 0.0
    for j in range(1, k - 1):
        before, now = now, now + n * before / j
        if now > 1e200:
            before, now, scale = before / now, 1.0, scale + float(np.log(now))
    return scale + float(np.log(now))


#: indices with bounds of their own; the others are scaled over the ensemble
_BOUNDED: Mapping[str, Callable[[FloatArray], FloatArray]] = {
    "silhouette": lambda values: (values + 1) / 2,
    "davies_bouldin": lambda values: 1 / (1 + values),
    "dunn": lambda values: np.divide(values, 1 + values, out=np.ones(len(values)), where=~np.isinf(values)),
}


def internal(X: Any, labels: Any, index: str = "silhouette") -> float:
    """Return an internal validity index of one labeling.

    Parameters
    ----------
    X
        Features, one row per object.
    labels
        A label vector; objects without a label are left out.
    index
        ``"silhouette"``, ``"davies_bouldin"`` (smaller is better), ``"calinski_harabasz"``, ``"dunn"``,
        ``"huber_gamma"`` (modified Γ = 2/(n(n−1)) Σ d(i, j) d(center of i, center of j)), ``"bic"``, ``"mdl"`` (the
        negative description length in bits), ``"stochastic_complexity"`` (the negative stochastic complexity in nats)
        or ``"rate_distortion"`` (share of the squared error saved, per bit of label entropy).

    Returns
    -------
    float
        NaN if the index is undefined, as with one cluster.

    Notes
    -----
    O(nkd), or O(n²d) for indices that need all distances (silhouette, Dunn, Γ).

    Examples
    --------
    >>> round(internal([[0.0], [1.0], [9.0], [10.0]], [0, 0, 1, 1]), 3)
    0.889
    """
    points = as_features(X)
    e = Ensemble.from_partitions([align(labels, attached_names(X), "the labels")])
    if e.n_objects != len(points):
        raise InputError(f"{e.n_objects} labels were given for {len(points)} objects; expected one each.")
    return _measure(index)(_Clusters(SampledFeatures(points), e.labels[:, 0]))


def internal_weights(
    X: Any, ensemble: Labels, index: str = "silhouette", *, sample: int = 2000, seed: Seed = 0
) -> FloatArray:
    """Return an internal index of every partition as a weight from 0 to 1; larger is better.

    (silhouette + 1)/2, 1/(1 + Davies-Bouldin), Dunn/(1 + Dunn); unbounded indices are scaled from the worst partition
    (0) to the best (1). A partition for which the index is undefined gets 0.

    Parameters
    ----------
    X
        Features, one row per object.
    ensemble
        An Ensemble, or anything that Ensemble accepts.
    index
        A name, see `internal`.
    sample
        Maximum number of objects to use, drawn with the seed.
    """
    e = Ensemble.of(ensemble)
    points = as_features(align(X, e.vertex_names(), "X"), e.n_objects)
    rows, measure = draw(e.n_objects, as_int("sample", sample, 2), seed), _measure(index)
    some = SampledFeatures(points[rows])
    values = np.array([measure(_Clusters(some, row)) for row in labels_of_codes(e.codes[:, rows])])
    if index in _BOUNDED:
        return np.nan_to_num(_BOUNDED[index](values), nan=0.0)
    finite = np.isfinite(values)
    low, high = (values[finite].min(), values[finite].max()) if finite.any() else (0.0, 0.0)
    return np.where(finite, (values - low) / (high - low), 0.0) if high > low else finite.astype(np.float64)


def _measure(index: str) -> _Function:
    one_of("index", index, INDICES)
    return INDICES[index]
