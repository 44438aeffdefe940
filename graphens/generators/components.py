"""How many Gaussians the data are made of: a mixture that loses the components it does not need."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import FloatArray, Seed, as_int, generator
from .._compat import accepts_old
from .._features import as_features

_MOST = 2000  # objects that a fit looks at; more hardly change the number
_FLOOR = (
    0.02  # added to every variance of standardized features: a few points close together are no component
)


@accepts_old()
def mixture_components(X: Any, most: int = 25, *, seed: Seed = None) -> int:
    """Return the number of Gaussian components of least message length, a lower bound on k for base clusterings.

    k-means needs at least as many clusters as there are Gaussian components to follow the shape of the data (Fred and
    Jain 2005, section 5.3): ``generate(X, k="mixture")`` begins there.

    Parameters
    ----------
    X
        Features, objects in rows; 2,000 of them are drawn where there are more.
    most
        Components to begin with.
    seed
        For the start and the sample.

    Notes
    -----
    The message length is ½N Σ_m log(n α_m / 12) + ½c log(n / 12) + ½c(N + 1) − log p(X), N the numbers of one component
    with a full covariance, c the number of components. EM with α_m ∝ max(0, n_m − N/2) lets weak components vanish
    (here all are updated together, in the paper one after another); after convergence the weakest is removed, down to
    one, and the least length wins. O(n d² c) per step.

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
    points, rng = as_features(X), generator(seed)
    if len(points) > _MOST:
        points = points[np.sort(rng.choice(len(points), _MOST, replace=False))]
    spread = points.std(axis=0)
    points = (points - points.mean(axis=0))[:, spread > 0] / spread[spread > 0]
    n, d = points.shape
    if d == 0 or n < 4:
        return 1
    mixture = _Mixture(points, min(as_int("most", most, 1), n), rng)
    best, found = np.inf, 1
    while True:
        length = mixture.settle()
        if length < best:
            best, found = length, mixture.size
        if mixture.size == 1:
            return found
        mixture.remove(int(np.argmin(mixture.share)))


class _Mixture:
    """Gaussians with shares, means and covariances, started from some of the points."""

    def __init__(self, points: FloatArray, size: int, rng: np.random.Generator) -> None:
        n, d = points.shape
        self.points, self.floor = points, _FLOOR * np.eye(d)
        self.numbers = d + d * (d + 1) / 2  # of one component
        size = max(
            1, min(size, int(n / (2 * self.numbers)))
        )  # with fewer points each, all would vanish at once
        self.share = np.full(size, 1.0 / size)
        self.mean = points[rng.choice(n, size, replace=False)]
        self.covariance = np.repeat((0.1 * np.eye(d))[None], size, axis=0)

    @property
    def size(self) -> int:
        """Components that are left."""
        return len(self.share)

    def remove(self, m: int) -> None:
        """Take components out; the others share what they had."""
        kept = np.ones(self.size, dtype=bool)
        kept[m] = False
        self.share = self.share[kept] / self.share[kept].sum()
        self.mean, self.covariance = self.mean[kept], self.covariance[kept]

    def settle(self, tolerance: float = 1e-5, most: int = 200) -> float:
        """Improve until the message length hardly changes; return it."""
        before = np.inf
        for _ in range(most):
            joint = self._joint()
            now = self.length(joint)
            if abs(before - now) < tolerance * abs(now):
                break
            before = now
            self._improve(np.exp(joint - np.logaddexp.reduce(joint, axis=0)))
        return before

    def _joint(self) -> FloatArray:
        """Logarithm of share × density, components × points."""
        lower = np.linalg.cholesky(self.covariance)
        off = np.linalg.solve(lower, np.swapaxes(self.points[None] - self.mean[:, None], 1, 2))
        scale = np.log(np.diagonal(lower, axis1=1, axis2=2)).sum(axis=1)
        constant = scale + 0.5 * self.points.shape[1] * np.log(2 * np.pi) - np.log(self.share)
        return np.asarray(-0.5 * (off**2).sum(axis=1) - constant[:, None])

    def _improve(self, weight: FloatArray) -> None:
        """New shares, means and covariances; components with fewer points than half their numbers vanish."""
        held = weight.sum(axis=1)
        worth = np.maximum(held - self.numbers / 2, 0.0)
        if not worth.any():
            worth[np.argmax(held)] = 1.0
        alive = worth > 0
        weight, held = weight[alive], held[alive]
        self.share = worth[alive] / worth.sum()
        self.mean = weight @ self.points / held[:, None]
        off = self.points[None] - self.mean[:, None]
        spread = np.einsum("cn,cni,cnj->cij", weight, off, off, optimize=True)
        self.covariance = spread / held[:, None, None] + self.floor

    def length(self, joint: FloatArray) -> float:
        """The message length of the data and the mixture."""
        n, c = len(self.points), self.size
        shares = 0.5 * self.numbers * np.log(n * self.share / 12).sum()
        fit = np.logaddexp.reduce(joint, axis=0).sum()
        return float(shares + 0.5 * c * np.log(n / 12) + 0.5 * c * (self.numbers + 1) - fit)
