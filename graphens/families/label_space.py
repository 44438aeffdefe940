"""Label space: every object is the vector of its labels, and models or centers are fitted to these vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._lib.arrays import FloatArray, Seed, as_int, generator, number, one_of
from .._lib.memory import require
from ..labels.ensemble import Ensemble
from ..result.consensus import Consensus
from .centers import Space, Update, best_of
from .contract import alias, consensus_function
from .method import Cost
from .outcome import Outcome, required
from .standard_form import standard

_BLUR = 0.5  # how much of a start comes from the whole ensemble: no label is impossible at the beginning


@consensus_function(
    family="label space",
    graph="none",
    needs_k=False,
    membership="posterior probabilities",
    missing="the factor of a missing label is left out",
    cost=Cost("nBk", per="iteration"),
    reference="Topchy, Jain and Punch 2004",
)
def mixture(
    e: Ensemble,
    k: int | None = None,
    *,
    n_init: int = 5,
    max_iter: int = 100,
    tol: float = 1e-6,
    k_max: int | None = None,
    seed: Seed = None,
) -> Outcome:
    """Fit a mixture of multinomials to the label vectors by EM.

    Object i comes from component j with probability r_ij ∝ α_j Π_t θ_tj(y_it)^w_t over the partitions that have it. In
    turn, α is the mean of r, and θ_tj(c) is the share of label c among the objects of component j, weighted by r. Each
    object is assigned to its most likely component. Weights are scaled to mean 1, so their unit does not matter.

    Parameters
    ----------
    k
        Number of components. By default, the one with the best Bayesian information criterion 2 log L − p log n, p = k
        − 1 + k Σ_t w_t (k_t − 1), among 1 … `k_max`.
    n_init
        Number of starts: the first from objects that are furthest apart, the others from k-means++ draws. The most
        likely fit is kept.
    max_iter
        Maximum number of iterations per start.
    tol
        Stop when an iteration raises the mean log-likelihood per object by less than this.
    k_max
        Maximum number of components to try if k is not given; by default, the largest number of clusters in a
        partition.
    seed
        Seed of the starts.

    Returns
    -------
    Consensus
        ``membership`` are the posteriors. ``details``: "log_likelihood", "bic" and "iterations" of the fit and, when k
        was chosen, "bic_by_k", that of every k tried.

    Notes
    -----
    Computed on distinct label rows in blocks: O(ñBk) per iteration, O(ñk) memory at the end. Logarithms are summed, so
    long products do not underflow.

    References
    ----------
    Topchy, Jain and Punch, A mixture model for clustering ensembles, SDM 2004.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions(
    ...     [[1, 1, 1, 2, 2, 3, 3], [2, 2, 2, 3, 3, 1, 1], [3, 3, 2, 2, 1, 1, 1]]
    ... )
    >>> ge.mixture(e, 3, seed=0).labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
    s, rng = standard(e), generator(seed)
    space = Space(s.ensemble.reweight(s.ensemble.weights * s.mean_one()))
    starts = as_int("n_init", n_init, 1)
    limit = as_int("max_iter", max_iter, 1)
    top = min(int(s.ensemble.n_clusters.max()) if k_max is None else as_int("k_max", k_max, 1), len(s.index))
    fits = [
        fit_mixture(space, tried, n_init=starts, max_iter=limit, tol=number("tol", tol), rng=rng)
        for tried in ([k] if k is not None else range(1, top + 1))
    ]
    fit: Fit = max(fits, key=lambda found: found.bic)
    posteriors = fit.posteriors(space)
    details: dict[str, Any] = {"log_likelihood": fit.log_likelihood, "bic": fit.bic, "iterations": fit.iterations}
    if k is None:
        details["bic_by_k"] = {tried: found.bic for tried, found in enumerate(fits, 1)}
    found = posteriors.argmax(axis=1)
    return s.outcome(found, posteriors, details=details)


@consensus_function(
    family="label space",
    graph="incidence as features",
    missing="distances over the partitions that have the object",
    cost=Cost("nBk", per="iteration"),
    reference="Topchy, Jain and Punch 2003",
)
def qmi(e: Ensemble, k: int | None = None, *, n_init: int = 5, max_iter: int = 100, seed: Seed = None) -> Outcome:
    """Maximize the quadratic mutual information with the partitions: k-means on the incidence H.

    The consensus of k clusters that shares the most generalized (quadratic) information with the partitions is the one
    with the smallest squared error among the 0/1 rows of H, with the columns of each partition weighted by its weight.
    Distances are Σ_t w_t (1 − 2 μ_t(y_it) + ‖μ_t‖²) where μ_t is the distribution of a center's labels in partition t;
    H is never built.

    Parameters
    ----------
    n_init
        Number of starts: the first from objects that are furthest apart, the others from k-means++ draws. The fit with
        the smallest error is kept.
    max_iter
        Maximum number of iterations per start.
    seed
        Seed of the starts.

    Returns
    -------
    Consensus
        ``details``: "cost", the squared error; "iterations" of the best start, and "run", the number of that start.

    References
    ----------
    Topchy, Jain and Punch, Combining multiple weak clusterings, ICDM 2003.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions(
    ...     [[1, 1, 1, 2, 2, 3, 3], [2, 2, 2, 3, 3, 1, 1], [3, 3, 2, 2, 1, 1, 1]]
    ... )
    >>> ge.qmi(e, 3, seed=0).labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
    return _centered(e, k, squared, n_init=n_init, max_iter=max_iter, seed=seed)


neace: Callable[..., Consensus] = alias(
    "neace",
    qmi,
    "New efficient approach: one run of k-means on the labels as features, from seeds as far apart as possible.",
    facts={"reference": "Azimi et al. 2007"},
    n_init=1,
)


@consensus_function(
    family="label space",
    graph="none",
    missing="mismatches over the partitions that have the object",
    cost=Cost("nBk", per="iteration"),
    reference="Nguyen and Caruana 2007",
)
def ivc(
    e: Ensemble, k: int | None = None, *, voting: str = "mode", n_init: int = 5, max_iter: int = 100, seed: Seed = None
) -> Outcome:
    """Iterative voting consensus: clusters vote for their label in each partition, and objects join the nearest.

    Parameters
    ----------
    voting
        ``"mode"`` (IVC, k-modes): distance = Σ_t w_t [y_it is not the most common label of the cluster in t].
        ``"shares"`` (IPVC): distance = Σ_t w_t (1 − |C ∩ c_t(i)| / |C|), objects of C present in t.
    n_init
        Number of starts: the first from objects that are furthest apart, the others from k-means++ draws. The fit with
        the smallest distance is kept.
    max_iter
        Maximum number of iterations per start.
    seed
        Seed of the starts.

    Returns
    -------
    Consensus
        ``details``: "cost", the weighted distance; "iterations" of the best start, and "run", the number of that start.

    References
    ----------
    Nguyen and Caruana, Consensus clusterings, ICDM 2007.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions(
    ...     [[1, 1, 1, 2, 2, 3, 3], [2, 2, 2, 3, 3, 1, 1], [3, 3, 2, 2, 1, 1, 1]]
    ... )
    >>> (
    ...     ge.ivc(e, 3, seed=0).labels.tolist(),
    ...     ge.ivc(e, 3, voting="shares", seed=0).labels.tolist(),
    ... )
    ([0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2, 2])
    """
    one_of("voting", voting, VOTING)
    return _centered(e, k, VOTING[voting], n_init=n_init, max_iter=max_iter, seed=seed)


def _centered(e: Any, k: int | None, update: Update, *, n_init: int, max_iter: int, seed: Seed) -> Outcome:
    """Place k centers in label space, with an update that gives their distances."""
    s = standard(e)
    starts, limit = as_int("n_init", n_init, 1), as_int("max_iter", max_iter, 1)
    labels, details = best_of(
        Space(s.ensemble), required(k), update, n_init=starts, max_iter=limit, rng=generator(seed)
    )
    return s.outcome(labels, details=details, sums=("cost",))


def _weight(space: Space) -> FloatArray:
    return space.ensemble.weights[space.owner][:, None]


def squared(space: Space, counts: FloatArray) -> FloatArray:
    """Squared distance between the 0/1 row of a label and a center: 1 − 2 μ(c) + ‖μ‖², by partition."""
    mean = space.shares(counts)
    return _weight(space) * (1.0 - 2.0 * mean + space.per_partition(mean**2))


def by_mode(space: Space, counts: FloatArray) -> FloatArray:
    """0 if a label is the most common one of the center in its partition (the first one in a tie), otherwise 1."""
    share, starts = space.shares(counts), space.ensemble.offsets[:-1]
    top: FloatArray = np.maximum.reduceat(share, starts, axis=0)
    place = np.where(share >= top[space.owner] - 1e-12, np.arange(len(share))[:, None], len(share))
    table = np.ones_like(share)
    np.put_along_axis(table, np.minimum.reduceat(place, starts, axis=0), 0.0, axis=0)
    return _weight(space) * table


def by_share(space: Space, counts: FloatArray) -> FloatArray:
    """1 − the share of a center's objects with the label."""
    return _weight(space) * (1.0 - space.shares(counts))


VOTING: dict[str, Update] = {"mode": by_mode, "shares": by_share}


# EM for a mixture of multinomials over labels -----------------------------------------------------------------------


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
        from ..kernels.likelihoods import posterior

        e = space.ensemble
        require(32.0 * e.n_objects * len(self.prior), "The posterior probabilities", "Use fewer components")
        out = np.empty((e.n_objects, len(self.prior)))
        space.map(posterior, self.table, self.prior, out)
        return out


def fit_mixture(space: Space, k: int, *, n_init: int, max_iter: int, tol: float, rng: np.random.Generator) -> Fit:
    """Return the most likely of several fits of k components."""
    fits = [
        _em(space, space.counts_of(space.seeds(k, rng if run else None)), max_iter, tol)
        for run in range(n_init if k > 1 else 1)
    ]
    top = max(fit.log_likelihood for fit in fits)
    return next(fit for fit in fits if fit.log_likelihood >= top - 1e-9 * max(abs(top), 1.0))


def _em(space: Space, start: FloatArray, max_iter: int, tol: float) -> Fit:
    from ..kernels.likelihoods import expectation

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
