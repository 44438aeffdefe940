"""EM for a mixture of multinomials over labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._arrays import FloatArray
from .._memory import require
from .centers import Space

_BLUR = 0.5  # how much of a start comes from the whole ensemble: no label is impossible at the beginning


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted mixture: log α, w_t log θ (base clusters × components), and how good it is."""

    prior: FloatArray
    table: FloatArray
    log_likelihood: float
    bic: float
    iterations: int

    def posteriors(self, space: Space) -> FloatArray:
        """Return the probability of every component for every object."""
        from ..kernels.label_space import posterior

        e = space.ensemble
        require(32.0 * e.n_objects * len(self.prior), "The posterior probabilities", "Take fewer components")
        out = np.empty((e.n_objects, len(self.prior)))
        space.map(posterior, self.table, self.prior, out)
        return out


def fit_mixture(
    space: Space, k: int, *, n_init: int, max_iter: int, tol: float, rng: np.random.Generator
) -> Fit:
    """Return the likeliest of several fits of k components."""
    fits = [
        _em(space, space.counts_of(space.seeds(k, rng if run else None)), max_iter, tol)
        for run in range(n_init if k > 1 else 1)
    ]
    top = max(fit.log_likelihood for fit in fits)
    return next(fit for fit in fits if fit.log_likelihood >= top - 1e-9 * max(abs(top), 1.0))


def _em(space: Space, start: FloatArray, max_iter: int, tol: float) -> Fit:
    from ..kernels.label_space import expectation

    e, k = space.ensemble, start.shape[1]
    require(8.0 * 34 * start.size, f"Tables of {start.shape[0]} clusters × {k} components", "Lower k")
    n = float(e.object_weights.sum())
    prior = np.full(k, -np.log(k))
    table = _logs(space, (1 - _BLUR) * space.shares(start) + _BLUR * space.overall)
    before, likelihood = -np.inf, -np.inf
    for iterations in range(1, max_iter + 1):
        parts = space.map(expectation, table, prior, e.object_weights)
        likelihood = float(sum(part[2] for part in parts))
        if likelihood - before <= tol * n and iterations > 1:
            break
        counts, mass = sum(part[0] for part in parts), sum(part[1] for part in parts)
        before, prior, table = likelihood, _log(mass / n), _logs(space, space.shares(counts))
    free = k - 1 + k * float(e.weights @ (e.n_clusters - 1))
    return Fit(prior, table, likelihood, 2 * likelihood - free * np.log(n), iterations)


def _logs(space: Space, shares: FloatArray) -> FloatArray:
    return space.ensemble.weights[space.owner][:, None] * _log(shares)


def _log(p: FloatArray) -> FloatArray:
    """Logarithm with −∞ at 0."""
    return np.log(p, out=np.full_like(p, -np.inf), where=p > 0)
