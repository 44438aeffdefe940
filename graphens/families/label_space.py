"""Label space: every object is the vector of its labels, and models or centers are fitted to these vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from .._lib.arrays import MISSING, FloatArray, IntArray, LabelArray, Seed, as_int, canonical, generator, number, one_of
from .._lib.memory import require
from .._lib.threads import map_threads
from ..graphs.hypergraph import hypergraph
from ..kernels.centers import draw_by_weight
from ..labels.ensemble import Ensemble
from ..labels.value import remembered
from ..result.consensus import Consensus
from .contract import alias, consensus_function
from .outcome import Outcome, Sketch, required
from .standard_form import standard

COMPONENTS = "clusters and components"  # the kind of graph of a mixture
_BLUR = 0.5  # how much of a start comes from the whole ensemble: no label is impossible at the beginning


@consensus_function(
    family="label space",
    graph=COMPONENTS,
    needs_k=False,
    membership="posterior probabilities",
    missing="the factor of a missing label is left out",
    cost="O(nBk) per iteration",
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
    tol
        Stop when an iteration raises the mean log-likelihood per object by less than this.
    k_max
        Maximum number of components to try if k is not given; by default, the largest number of clusters in a
        partition.

    Returns
    -------
    Consensus
        ``membership`` are the posteriors, and ``graph`` joins clusters to components, with θ as weights. ``details``:
        "log_likelihood", "bic" and "iterations" of the fit and, when k was chosen, "bic_by_k", that of every k tried.

    Notes
    -----
    Computed on distinct label rows in blocks: O(ñBk) per iteration, O(ñk) memory at the end. Logarithms are summed, so
    long products do not underflow.
    """
    s, rng = standard(e), generator(seed)
    # With weights of mean 1, a partition of weight 2 counts as two observations of its label.
    space = Space(s.ensemble.reweight(s.ensemble.weights * s.mean_one()))
    starts = as_int("n_init", n_init, 1)
    limit = as_int("max_iter", max_iter, 1)
    top = min(int(s.ensemble.n_clusters.max()) if k_max is None else as_int("k_max", k_max, 1), len(s.index))
    fits = [
        fit_mixture(space, tried, n_init=starts, max_iter=limit, tol=number("tol", tol), rng=rng)
        for tried in ([k] if k is not None else range(1, top + 1))
    ]
    fit: Fit = max(fits, key=lambda one: one.bic)
    posteriors = fit.posteriors(space)
    details: dict[str, Any] = {"log_likelihood": fit.log_likelihood, "bic": fit.bic, "iterations": fit.iterations}
    if k is None:
        details["bic_by_k"] = {tried: one.bic for tried, one in enumerate(fits, 1)}
    labels = posteriors.argmax(axis=1)

    def graph() -> Sketch:
        shares = np.exp(fit.table / space.weights)
        return s.join(e, labels, shares, "component", COMPONENTS)

    return s.outcome(labels, posteriors, graph=graph, details=details)


@consensus_function(
    family="label space",
    graph="hypergraph with centers",
    missing="distances over the partitions that have the object",
    cost="O(nBk) per iteration",
    reference="Topchy, Jain and Punch 2003",
)
def qmi(e: Ensemble, k: int | None = None, *, n_init: int = 5, max_iter: int = 100, seed: Seed = None) -> Outcome:
    """Maximize the quadratic mutual information with the partitions: k-means on the incidence H.

    The consensus of k clusters that shares the most generalized (quadratic) information with the partitions is the one
    with the smallest squared error among the 0/1 rows of H, with the columns of each partition weighted by its weight.
    Distances are Σ_t w_t (1 − 2 μ_t(y_it) + ‖μ_t‖²) where μ_t is the distribution of a center's labels in partition t;
    H is never built.

    Returns
    -------
    Consensus
        ``graph`` is the hypergraph, with one further hyperedge for the objects of each center. ``details``: "cost", the
        squared error; "iterations" of the best start, and "run", the number of that start.
    """
    return _center(e, k, squared, n_init=n_init, max_iter=max_iter, seed=seed)


neace: Callable[..., Consensus] = alias(
    "neace",
    qmi,
    "New efficient approach: one run of k-means on the labels as features, from seeds as far apart as possible.",
    facts={"reference": "Azimi et al. 2007"},
    n_init=1,
)


@consensus_function(
    family="label space",
    graph="hypergraph with centers",
    missing="mismatches over the partitions that have the object",
    cost="O(nBk) per iteration",
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

    Returns
    -------
    Consensus
        ``graph`` is the hypergraph, with one further hyperedge for the objects of each center. ``details``: "cost", the
        weighted distance; "iterations" of the best start, and "run", the number of that start.
    """
    one_of("voting", voting, VOTING)
    return _center(e, k, VOTING[voting], n_init=n_init, max_iter=max_iter, seed=seed)


def _center(e: Ensemble, k: int | None, update: Update, *, n_init: int, max_iter: int, seed: Seed) -> Outcome:
    """Place k centers in label space, with an update that gives their distances."""
    s = standard(e)
    starts, limit = as_int("n_init", n_init, 1), as_int("max_iter", max_iter, 1)
    labels, details = best_of(
        Space(s.ensemble), required(k), update, n_init=starts, max_iter=limit, rng=generator(seed)
    )

    def graph() -> Sketch:
        own = s.spread(labels)
        return hypergraph(e)._with_parts(canonical(own), "center"), None, own

    return s.outcome(labels, graph=graph, details=details, sums=("cost",))


def squared(space: Space, counts: FloatArray) -> FloatArray:
    """Squared distance between the 0/1 row of a label and a center: 1 − 2 μ(c) + ‖μ‖², by partition."""
    mean = space.shares(counts)
    return space.weights * (1.0 - 2.0 * mean + space.per_partition(mean**2))


def by_mode(space: Space, counts: FloatArray) -> FloatArray:
    """0 if a label is the most common one of the center in its partition (the first one in a tie), otherwise 1."""
    # For each partition and center, the first of the labels with the largest share: its distance is 0.
    share, starts = space.shares(counts), space.ensemble.offsets[:-1]
    top: FloatArray = np.maximum.reduceat(share, starts, axis=0)
    place = np.where(share >= top[space.owner] - 1e-12, np.arange(len(share))[:, None], len(share))
    table = np.ones_like(share)
    np.put_along_axis(table, np.minimum.reduceat(place, starts, axis=0), 0.0, axis=0)
    return space.weights * table


def by_share(space: Space, counts: FloatArray) -> FloatArray:
    """1 − the share of a center's objects with the label."""
    return space.weights * (1.0 - space.shares(counts))


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
    # The first of the fits that are equally likely: rounding must not decide between them.
    top = max(fit.log_likelihood for fit in fits)
    return next(fit for fit in fits if fit.log_likelihood >= top - 1e-9 * max(abs(top), 1.0))


def _em(space: Space, start: FloatArray, max_iter: int, tol: float) -> Fit:
    from ..kernels.likelihoods import expectation

    e, k = space.ensemble, start.shape[1]
    require(8.0 * 34 * start.size, f"Tables of {start.shape[0]} clusters × {k} components", "Lower k")
    n = float(e.object_weights.sum())
    # A label that a component has never seen would stay impossible for it, so starts are mixed with the whole
    # ensemble.
    prior = np.full(k, -np.log(k))
    table = space.weights * _log((1 - _BLUR) * space.shares(start) + _BLUR * space.overall)
    before, likelihood = -np.inf, -np.inf
    for iterations in range(1, max_iter + 1):
        parts = space.map(expectation, table, prior, e.object_weights)
        likelihood = float(sum(part[2] for part in parts))
        if likelihood - before <= tol * n and iterations > 1:
            break
        counts, mass = sum(part[0] for part in parts), sum(part[1] for part in parts)
        before, prior, table = likelihood, _log(mass / n), space.weights * _log(space.shares(counts))
    # Parameters for the BIC: the priors, and for each component the shares of all clusters but one per partition.
    free = k - 1 + k * float(e.weights @ (e.n_clusters - 1))
    return Fit(prior, table, likelihood, 2 * likelihood - free * np.log(n), iterations)


def _log(p: FloatArray) -> FloatArray:
    """Logarithm with −∞ at 0."""
    return np.log(p, out=np.full_like(p, -np.inf), where=p > 0)


#: turns counts |c ∩ C| (base clusters × centers) into the distance that a label c means to center C, by partition
Update: TypeAlias = Callable[["Space", FloatArray], FloatArray]


_REVIVALS = 10  # rounds in which a center without objects may restart


@dataclass(frozen=True, eq=False)
class Space:
    """The labels of an ensemble, in a fixed number of blocks, so that sums do not depend on the number of threads."""

    ensemble: Ensemble

    @remembered
    def owner(self) -> IntArray:
        """The partition of every base cluster."""
        return np.repeat(np.arange(self.ensemble.n_partitions), self.ensemble.n_clusters)

    @remembered
    def weights(self) -> FloatArray:
        """The weight of its partition, for every base cluster, as one column."""
        return self.ensemble.weights[self.owner][:, None]

    def blocks(self) -> list[tuple[int, int]]:
        """Return at most 32 blocks of consecutive objects."""
        # Depends on n alone: sums over blocks are the same for every number of threads.
        n = self.ensemble.n_objects
        step = max(1 << 14, -(-n // 32))
        return [(start, min(start + step, n)) for start in range(0, n, step)]

    def map(self, function: Callable[..., Any], *extra: Any) -> list[Any]:
        """Apply a kernel to every block, in threads; results in order."""
        e = self.ensemble
        return map_threads(lambda block: function(e.codes, e.absent, e.offsets, *extra, *block), self.blocks())

    def shares(self, counts: FloatArray) -> FloatArray:
        """The distribution of the labels of each partition within every center.

        A center without a label in a partition gets the distribution of the whole ensemble there.
        """
        total = self.per_partition(counts)
        return np.where(total > 0, counts / np.where(total > 0, total, 1.0), self.overall)

    @remembered
    def overall(self) -> FloatArray:
        """The distribution of the labels of each partition, as one column."""
        sizes = self.ensemble.cluster_sizes()[:, None]
        return sizes / self.per_partition(sizes)

    def per_partition(self, values: FloatArray) -> FloatArray:
        """Sum over the clusters of each partition, repeated for each of them."""
        sums: FloatArray = np.add.reduceat(values, self.ensemble.offsets[:-1], axis=0)
        return sums[self.owner]

    def seeds(self, k: int, rng: np.random.Generator | None) -> IntArray:
        """Pick k rows far from each other.

        With a generator each is drawn with probability proportional to its weight and its distance from the nearest
        so far (k-means++); without, each is the furthest, the first such row in the standard order, which starts with
        the objects in large clusters. Fewer than k where all others equal one of them.
        """
        from ..kernels.likelihoods import mismatches

        e = self.ensemble
        away, apart = np.empty(e.n_objects), np.full(e.n_objects, np.inf)
        v = 0 if rng is None else int(draw_by_weight(e.object_weights, 1, rng)[0])
        chosen = [v]
        while len(chosen) < k:
            mismatches(e.codes, e.absent, e.weights, v, away)
            np.minimum(apart, away, out=apart)
            if apart.max() <= 0:
                break
            v = int(apart.argmax()) if rng is None else int(draw_by_weight(e.object_weights * apart, 1, rng)[0])
            chosen.append(v)
        return np.array(chosen)

    def counts_of(self, rows: IntArray) -> FloatArray:
        """Counts of centers that consist of one row each."""
        e = self.ensemble
        counts = np.zeros((int(e.offsets[-1]), len(rows)))
        for t, row in enumerate(e.codes[:, rows]):
            there = np.flatnonzero(row != e.absent)
            counts[e.offsets[t] + row[there].astype(np.int64), there] = 1
        return counts


def lloyd(space: Space, start: FloatArray, update: Update, max_iter: int) -> tuple[float, LabelArray, int]:
    """Assign objects to the nearest center and move the centers, until nothing changes.

    Returns the cost, the labels and the number of rounds. A center that lost all objects restarts at the object
    furthest from its own. O(nBk) per round.
    """
    from ..kernels.likelihoods import nearest

    e = space.ensemble
    require(8.0 * 34 * start.size, f"Tables of {start.shape[0]} clusters × {start.shape[1]} centers", "Lower k")
    slack = 1e-12 * e.weights.sum()
    labels, distance = np.empty(e.n_objects, dtype=np.int32), np.empty(e.n_objects)
    before, counts, last = np.inf, start, np.full(e.n_objects, MISSING, dtype=np.int32)
    for rounds in range(1, max_iter + 1):
        parts = space.map(nearest, update(space, counts), slack, e.object_weights, labels, distance)
        counts = sum(parts[1:], start=parts[0])
        cost = float(e.object_weights @ distance)
        # at the same cost other labels may still make better centers; a change of rounding size will not
        if np.array_equal(labels, last) or 0 < abs(before - cost) <= 1e-9 * cost:
            break
        revived = rounds <= _REVIVALS and _revive(space, counts, labels, distance)
        before, last = np.inf if revived else cost, labels.copy()  # the cost counts from the new centers on
    return cost, labels, rounds


def _revive(space: Space, counts: FloatArray, labels: LabelArray, distance: FloatArray) -> bool:
    """Restart empty centers at the objects furthest from their centers; return whether there were any."""
    # Not where all distances are 0: a second center at the same place would stay empty as well.
    empty = np.flatnonzero(np.bincount(labels, minlength=counts.shape[1]) == 0)
    far = np.argsort(-distance, kind="stable")[: len(empty)] if empty.size else empty
    far = far[distance[far] > 1e-12]
    counts[:, empty[: len(far)]] = space.counts_of(far)
    return bool(far.size)


def best_of(
    space: Space, k: int, update: Update, *, n_init: int, max_iter: int, rng: np.random.Generator | None
) -> tuple[LabelArray, dict[str, Any]]:
    """Run `lloyd` from several seedings and keep the lowest cost; the first seeding is the furthest-first one."""
    fits = []
    for run in range(n_init):
        seeds = space.seeds(k, rng if run else None)
        fits.append(lloyd(space, space.counts_of(seeds), update, max_iter))
    # The first run of those that cost the least, up to rounding.
    costs = np.array([cost for cost, _, _ in fits])
    chosen = int(np.argmax(costs <= costs.min() + 1e-9 * max(float(costs.min()), 1e-300)))
    return fits[chosen][1], {"cost": float(costs[chosen]), "iterations": fits[chosen][2], "run": chosen}
