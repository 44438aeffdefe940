"""Do the data have gaps? How slowly a walk between neighbors leaves a group, compared with a normal cloud."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import FloatArray, draw
from .._lib.features import feature_neighbors
from ..cutting.lanczos import lanczos

_ROWS = 1000  # rows that are looked at
_CELLS = 1 << 24  # numbers in these rows: wider tables are not looked at
_NEIGHBORS = 10
_REFERENCES = 4
_PRECISION = 1e-5  # of λ₂
_SLACK = 1.01  # instead of 1, so that graphs in several pieces have a finite value


def separation(X: Any, seed: int = 0) -> float | None:
    """Return ln(1.01 − λ₂ of reference data) − ln(1.01 − λ₂ of the data); None if they are too few or too wide.

    λ₂ is the second eigenvalue of the walk between the ten nearest neighbors of at most 1,000 distinct rows. It is near
    1 if the walk rarely crosses from one part of the data to another. The references are four normal clouds with the
    same covariance. Values around 0 mean that neighbors are connected as in one cloud; with gaps, they are above 0.3.
    """
    if X.shape[0] > _ROWS:
        X = X[draw(X.shape[0], _ROWS, seed)]
    if X.shape[0] * X.shape[1] > _CELLS:
        return None
    points = np.unique(X.toarray() if sparse.issparse(X) else X, axis=0).astype(np.float64)
    if len(points) <= 2 * _NEIGHBORS or not np.isfinite(points).all():
        return None
    rng = np.random.default_rng(seed)
    references = [_leaving(reference_data(points, rng)) for _ in range(_REFERENCES)]
    return float(np.mean(references) - _leaving(points))


def _leaving(points: FloatArray) -> float:
    """ln(1.01 − λ₂) of the walk between neighbors."""
    near = feature_neighbors(points, _NEIGHBORS)
    n = len(points)
    ones = np.ones(near.size)
    directed = sparse.csr_array((ones, (np.repeat(np.arange(n), near.shape[1]), near.ravel())), shape=(n, n))
    graph = directed.maximum(directed.T)
    parts = sparse.csgraph.connected_components(graph, directed=False)[1]
    if parts.max():
        return float(np.log(_SLACK - 1.0))
    degree = np.asarray(graph.sum(axis=1)).ravel()
    first = np.sqrt(degree / degree.sum())  # the vector of λ₁ = 1, which is moved to −1
    walk = sparse.csr_array((graph / np.sqrt(degree)) / np.sqrt(degree)[:, None])
    second, _ = lanczos(lambda x: walk @ x - 2 * first * (first @ x), n, 1, tol=_PRECISION)
    return float(np.log(_SLACK - second[0]))


def reference_data(X: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Draw one Gaussian cloud with the means and correlations of X.

    With more objects than features, the covariance is shrunk (Ledoit and Wolf) and its Cholesky factor turns noise into
    data. Otherwise principal component scores are redrawn as N(0, sd_j) and rotated back (John et al., M3C, 2020).
    """
    n, d = X.shape
    center = X.mean(axis=0)
    if n > d:
        from sklearn.covariance import ledoit_wolf

        covariance = ledoit_wolf(X)[0] + 1e-12 * np.eye(d) * max(float(X.var()), 1e-300)
        return center + rng.normal(size=(n, d)) @ np.linalg.cholesky(covariance).T
    _, scale, axes = np.linalg.svd(X - center, full_matrices=False)
    return center + rng.normal(size=(n, len(scale))) * (scale / np.sqrt(max(n - 1, 1))) @ axes
