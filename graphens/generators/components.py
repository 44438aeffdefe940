"""The number of Gaussian components of the data, by a mixture that drops the components it does not need."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._lib.arrays import FloatArray, Seed, as_int, generator
from .._lib.features import as_features

_MOST = 2000  # objects that a fit looks at; more hardly change the number
_FLOOR = 0.005  # added to every variance of standardized features: a few points close together are no component


def mixture_components(X: Any, most: int = 25, *, seed: Seed = None) -> int:
    """Return the number of Gaussian components with the shortest message length, a lower bound on k for `generate`.

    To follow the shape of the data, k-means needs at least as many clusters as there are Gaussian components (Fred and
    Jain 2005, section 5.3); ``generate(X, k="mixture")`` starts there.

    Parameters
    ----------
    X
        Features, objects in rows; if there are more than 2,000 objects, 2,000 are drawn at random.
    most
        Number of components to start with.
    seed
        Seed for the start and the sample.

    Notes
    -----
    The message length is ½N Σ_m log(n α_m / 12) + ½c log(n / 12) + ½c(N + 1) − log p(X), where N is the number of
    parameters of one component with a full covariance, and c is the number of components. Component-wise EM updates one
    component after another: its share α_m ∝ max(0, n_m − N/2), its mean and its covariance. A component whose share is
    0 is dropped, and the others take over its points before the next one can be dropped. After convergence, the weakest
    component is removed, down to one, and the shortest length wins. Features are standardized, and 0.005 is added to
    their variances. O(n c (c + d²)) per round.

    References
    ----------
    Figueiredo and Jain, Unsupervised learning of finite mixture models, IEEE TPAMI 24(3), 2002.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(c, 1, size=(100, 2)) for c in (0, 8, 16)])
    >>> mixture_components(X, seed=0)
    3
    """
    lengths = message_lengths(X, most, seed)
    return min(lengths, key=lengths.__getitem__)


def message_lengths(X: Any, most: int = 25, seed: Seed = None) -> dict[int, float]:
    """Return the message length for every number of components at which the fit converged; parameters as above."""
    points, rng = as_features(X), generator(seed)
    if len(points) > _MOST:
        points = points[np.sort(rng.choice(len(points), _MOST, replace=False))]
    spread = points.std(axis=0)
    points = (points - points.mean(axis=0))[:, spread > 0] / spread[spread > 0]
    n, d = points.shape
    if d == 0 or n < 4:
        return {1: 0.0}
    mixture = _Mixture(points, min(as_int("most", most, 1), n), rng)
    lengths: dict[int, float] = {}
    while True:
        length = mixture.settle()
        lengths[mixture.size] = length
        if mixture.size == 1:
            return lengths
        mixture.remove(int(np.argmin(mixture.share)))


class _Mixture:
    """Gaussians with shares, means and covariances, started from some of the points."""

    def __init__(self, points: FloatArray, size: int, rng: np.random.Generator) -> None:
        n, d = points.shape
        self.points, self.floor = points, _FLOOR * np.eye(d)
        self.numbers = d + d * (d + 1) / 2  # of one component
        self.share = np.full(size, 1.0 / size)
        means = points[rng.choice(n, size, replace=False)]
        self.density = np.array([self._density(mean, 0.1 * np.eye(d)) for mean in means])

    @property
    def size(self) -> int:
        """Number of remaining components."""
        return len(self.share)

    def remove(self, m: int) -> None:
        """Remove a component; its share is divided among the others."""
        self.share = np.delete(self.share, m) / np.delete(self.share, m).sum()
        self.density = np.delete(self.density, m, axis=0)

    def settle(self, tolerance: float = 1e-5, most: int = 200) -> float:
        """Improve one component after another until the message length hardly changes; return it."""
        before = now = self.length()
        for _ in range(most):
            m = 0
            while m < self.size:
                m += self._improve(m)  # where one vanished, the next has its number
            before, now = now, self.length()
            if abs(before - now) < tolerance * abs(now):
                break
        return now

    def _joint(self) -> FloatArray:
        """Logarithm of share × density, components × points."""
        return np.asarray(self.density + np.log(self.share)[:, None])

    def _improve(self, m: int) -> bool:
        """Update the share, mean and covariance of a component; False if it was dropped.

        It is dropped if it has fewer points than half the number of its parameters, unless it is the last one.
        """
        joint = self._joint()
        weight = np.exp(joint[m] - np.logaddexp.reduce(joint, axis=0))
        held = weight.sum()
        share = (held - self.numbers / 2) / len(self.points)
        if self.size > 1 and share <= 0:
            self.remove(m)
            return False
        if self.size > 1:
            self.share[m] = share
            self.share /= self.share.sum()
        mean = weight @ self.points / held
        off = self.points - mean
        self.density[m] = self._density(mean, (off * weight[:, None]).T @ off / held + self.floor)
        return True

    def _density(self, mean: FloatArray, covariance: FloatArray) -> FloatArray:
        """Logarithm of a Gaussian density at every point."""
        lower = np.linalg.cholesky(covariance)
        off = np.linalg.solve(lower, (self.points - mean).T)
        scale = np.log(np.diagonal(lower)).sum() + 0.5 * len(mean) * np.log(2 * np.pi)
        return np.asarray(-0.5 * (off**2).sum(axis=0) - scale)

    def length(self) -> float:
        """The message length of the data and the mixture."""
        n, c = len(self.points), self.size
        shares = 0.5 * self.numbers * np.log(n * self.share / 12).sum()
        fit = np.logaddexp.reduce(self._joint(), axis=0).sum()
        return float(shares + 0.5 * c * np.log(n / 12) + 0.5 * c * (self.numbers + 1) - fit)
