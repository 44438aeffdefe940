"""A few leading eigenvectors of a large symmetric operator, the same in every run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._lib.arrays import FloatArray

_ROUNDS = 300
_EXHAUSTED = 1e-13  # what is left of a product after the basis is taken out of it: rounding


def lanczos(
    apply: Callable[[FloatArray], FloatArray], n: int, k: int, tol: float = 1e-10
) -> tuple[FloatArray, FloatArray]:
    """Return the k largest eigenvalues of a symmetric n × n operator, in decreasing order, and their vectors.

    ARPACK has the same method, but if the operator has few distinct eigenvalues, it continues from random vectors of
    its own, which are different in every call. Here they come from one fixed seed.

    References
    ----------
    Wu and Simon, Thick-restart Lanczos method for large symmetric eigenvalue problems, 2000.
    """
    from scipy.linalg import eigh

    size, start = min(n, max(2 * k + 1, 40)), 0
    basis, inner = np.empty((size, n)), np.zeros((size, size))
    rng = np.random.default_rng(0)
    ahead = rng.normal(size=n)
    for _ in range(_ROUNDS):
        for j in range(start, size):
            basis[j] = ahead / np.linalg.norm(ahead)
            product = apply(basis[j])
            inner[: j + 1, j], ahead = _without(product, basis[: j + 1])
            left = float(np.linalg.norm(ahead))
            if left <= _EXHAUSTED * np.linalg.norm(product):
                left, ahead = 0.0, _without(rng.normal(size=n), basis[: j + 1])[1]
        # In the basis the operator is a small matrix, whose eigenvectors approximate the leading ones; the last row of
        # a vector times what is left of the last product bounds its error.
        values, vectors = eigh(inner, lower=False)
        if size == n or (left * np.abs(vectors[-1, -k:]) <= tol * np.abs(values).max()).all():
            break
        start = (size + k) // 2
        basis[:start] = vectors[:, -start:].T @ basis
        inner[:] = 0.0
        np.fill_diagonal(inner[:start, :start], values[-start:])
    return values[: -k - 1 : -1], basis.T @ vectors[:, : -k - 1 : -1]


def _without(vector: FloatArray, basis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the coordinates of a vector in the basis, and the rest of it; the second pass removes rounding errors."""
    first = basis @ vector
    vector = vector - first @ basis
    second = basis @ vector
    return first + second, vector - second @ basis
