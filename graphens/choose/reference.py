"""Data without clusters that look like the given ones otherwise, clustered again the same way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._arrays import FloatArray
from .monti import Monti, child, monti


def reference_data(X: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Draw one Gaussian cloud with the means and correlations of X.

    Where objects outnumber features the covariance is shrunk (Ledoit and Wolf) and its Cholesky factor turns noise
    into data; elsewhere principal component scores are redrawn as N(0, sd_j) and rotated back (John et al., M3C, 2020).
    """
    n, d = X.shape
    center = X.mean(axis=0)
    if n > d:
        from sklearn.covariance import ledoit_wolf

        covariance = ledoit_wolf(X)[0] + 1e-12 * np.eye(d) * max(float(X.var()), 1e-300)
        return center + rng.normal(size=(n, d)) @ np.linalg.cholesky(covariance).T
    _, scale, axes = np.linalg.svd(X - center, full_matrices=False)
    return center + rng.normal(size=(n, len(scale))) * (scale / np.sqrt(max(n - 1, 1))) @ axes


@dataclass(frozen=True, eq=False)
class References:
    """PAC and silhouette of clusterings of reference data, references × ks."""

    ks: tuple[int, ...]
    pac: FloatArray
    silhouette: FloatArray

    def p(self, k: int, pac: float) -> float:
        """How often a reference has a PAC as small, by the beta distribution with the references' mean and variance.

        α = ((1 − μ)/σ² − 1/μ) μ², β = α(1/μ − 1); where the references have no spread, by counting.
        """
        from scipy.stats import beta

        null = self.pac[:, self.ks.index(k)]
        mean, variance = float(null.mean()), float(null.var(ddof=1)) if len(null) > 1 else 0.0
        alpha = ((1 - mean) / variance - 1 / mean) * mean**2 if variance > 1e-12 and 0 < mean < 1 else 0.0
        if alpha <= 0:
            return float((1 + np.count_nonzero(null <= pac)) / (1 + len(null)))
        return float(beta.cdf(pac, alpha, alpha * (1 / mean - 1)))


def references(
    X: FloatArray, like: Monti, count: int, share: float, seed: int, n_jobs: int | None
) -> References:
    """Cluster `count` references as the data were clustered."""
    found = []
    for r in range(count):
        own = child(seed, r)
        assert own is not None
        data = reference_data(X, np.random.default_rng(own))
        n_partitions = like.ensemble(like.ks[0]).n_partitions
        found.append(
            monti(data, like.ks, n_partitions, share, bounds=like.bounds, seed=own, n_jobs=n_jobs).columns()
        )
    pac, silhouette = (np.array([one[name] for one in found]) for name in ("pac", "silhouette"))
    return References(like.ks, pac, silhouette)
