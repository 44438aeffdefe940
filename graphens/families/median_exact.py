"""Median partitions of small ensembles: the exact one by integer programming, and a semidefinite relaxation."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, Seed, as_int, canonical, generator
from .._lib.memory import require
from .._lib.threads import one_pool_thread
from ..cutting.spectral import point_clusters
from ..errors import DegenerateWarning, InputError, SizeError, warn
from ..graphs.coassociation import coassociation
from ..labels.ensemble import Ensemble
from .contract import consensus_function
from .move_counts import disagreement
from .outcome import Outcome, required
from .standard_form import standard

_LARGEST = 60
_FEW = 500  # label rows up to which the steps of the search are too small to share
_SCALE = 1e4  # the largest saving as the solver sees it, whose tolerances are absolute


@consensus_function(
    family="median partition",
    graph="co-association",
    needs_k=False,
    missing="each pair is weighted by the partitions that have both objects",
    cost="O(ñ³), exponential in the worst case",
    reference="Grötschel and Wakabayashi 1989",
)
def exact_median(e: Ensemble, k: int | None = None, *, time_limit: float = 60.0) -> Outcome:
    """Find the partition with the provably fewest disagreements, for a few dozen distinct label rows.

    Minimizes Σ_{i<j} m_i m_j (p_ij − 2 a_ij) x_ij over x_ij in {0, 1} ("together") with x_ij + x_jl − x_il ≤ 1, the
    cost of `aggregate`, by SciPy's mixed-integer solver.

    Parameters
    ----------
    k
        The median determines its own number of clusters; a given k is ignored with a warning.
    time_limit
        Time limit for the solver in seconds. If it is reached, the best partition so far is returned with a warning.

    Returns
    -------
    Consensus
        ``details``: "cost", the disagreements with the ensemble, and "optimal", whether the partition is proven to be
        optimal.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble(
    ...     [[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]]
    ... )
    >>> r = ge.exact_median(e)
    >>> r.labels.tolist(), r.details["optimal"]
    ([0, 0, 0, 1, 1, 2, 2], True)
    """
    form = standard(e)
    micro = form.ensemble
    if micro.n_objects > _LARGEST:
        raise SizeError(
            f"The exact median of {micro.n_objects} distinct label rows was requested; at most {_LARGEST} rows are "
            "feasible. Use aggregate(), whose local search comes close."
        )
    labels, optimal = _solve(micro, time_limit)
    wide = form.spread(labels)
    return Outcome(
        wide,
        graph=coassociation(e),
        details={"cost": disagreement(e, wide), "optimal": optimal},
        k_ignored="the median partition has its own number of clusters.",
    )


def pair_gains(e: Ensemble) -> FloatArray:
    """Return the gain of joining two objects, m_i m_j (2 a_ij − p_ij), for all pairs. n × n."""
    total = np.zeros((e.n_objects, e.n_objects))
    for row, weight in zip(e.codes, e.weights, strict=True):
        there = row != e.absent
        both = there[:, None] & there[None, :]
        total += weight * both * (2.0 * (row[:, None] == row[None, :]) - 1.0)
    return total * np.outer(e.object_weights, e.object_weights)


def _solve(e: Ensemble, time_limit: float) -> tuple[AnyArray, bool]:
    from scipy.optimize import Bounds, LinearConstraint, milp

    n = e.n_objects
    if n < 2:
        return np.zeros(n, dtype=np.int64), True
    upper = np.triu_indices(n, 1)
    number = np.zeros((n, n), dtype=np.int64)
    number[upper] = np.arange(len(upper[0]))
    options: dict[str, Any] = {}
    if n > 2:
        options["constraints"] = LinearConstraint(_triangles(number, n), -np.inf, 1.0)
    options["options"] = {"time_limit": float(time_limit), "mip_rel_gap": 0.0}
    gains = pair_gains(e)[upper]
    largest = np.abs(gains).max()
    cost = -gains * (_SCALE / largest if largest > 0 else 1.0)
    answer = milp(cost, integrality=np.ones(len(cost)), bounds=Bounds(0, 1), **options)
    if answer.x is None:
        raise InputError(f"No median was found within {time_limit:g} s; allow more time or use aggregate().")
    if answer.status:
        warn(
            f"The solver stopped after {time_limit:g} s without a proof of optimality; the partition may not be "
            "optimal.",
            DegenerateWarning,
        )
    joined = answer.x > 0.5
    together = sparse.coo_array((joined[joined], (upper[0][joined], upper[1][joined])), shape=(n, n))
    return sparse.csgraph.connected_components(together, directed=False)[1], answer.status == 0


def _triangles(number: AnyArray, n: int) -> sparse.csr_array:
    """The constraints x_ij + x_jl − x_il ≤ 1, and the two with i, j and l exchanged, for all i < j < l."""
    i, j, m = np.array(list(combinations(range(n), 3))).T
    sides = np.stack([number[i, j], number[j, m], number[i, m]], axis=1)
    columns = np.concatenate([sides, np.roll(sides, 1, axis=1), np.roll(sides, 2, axis=1)]).ravel()
    rows = np.repeat(np.arange(3 * len(i)), 3)
    values = np.tile([1.0, 1.0, -1.0], 3 * len(i))
    return sparse.csr_array((values, (rows, columns)), shape=(3 * len(i), number.max() + 1))


@consensus_function(
    family="median partition",
    graph="co-association",
    missing="similarity over partitions that have both objects",
    cost="O(ñ²r) per step, ñ × ñ memory",
    reference="Singh, Mukherjee, Peng and Xu 2010",
)
def semidefinite(e: Ensemble, k: int | None = None, *, rank: int | None = None, seed: Seed = None) -> Outcome:
    """Relax the partition to a positive semidefinite matrix of low rank, and round it.

    Partitions into k clusters are the matrices Z with Z_ij = 1/|C| inside clusters. Maximize ⟨S, Z⟩ over Z = UUᵀ with
    U ≥ 0, Z1 = 1, tr Z = k, by an augmented Lagrangian and L-BFGS-B from the leading eigenvectors; k-means on the rows
    of U gives the clusters.

    Parameters
    ----------
    rank
        Number of columns of U, at least k; 2k by default. At k, the relaxation is tightest and the search is hardest.

    Returns
    -------
    Consensus
        ``details``: "relaxed" and "value", ⟨S, Z⟩ of the relaxation and of the partition it was rounded to, and
        "violation", how far the constraints of the relaxation are from being satisfied.

    References
    ----------
    Singh, Mukherjee, Peng and Xu, Ensemble clustering using semidefinite programming with applications, 2010. Kulis,
    Surendran and Platt, Fast low-rank semidefinite programming for embedding and clustering, 2007.
    """
    k = required(k)
    form = standard(e)
    micro = form.ensemble
    n = micro.n_objects
    if k == 1 or k >= n:
        return form.outcome(np.zeros(n, dtype=np.int64) if k == 1 else np.arange(n), graph=coassociation(e))
    require(
        24.0 * n * n, f"The relaxation over {n} distinct label rows", "Use lwgp() or aggregate(), which need no n × n"
    )
    similarity = coassociation(micro).to_scipy().toarray() + np.eye(n)
    width = min(n, 2 * k if rank is None else as_int("rank", rank, k))
    rng = generator(seed)
    with one_pool_thread(few=n <= _FEW, clustering=False):
        u, gap = _relax(similarity, micro.object_weights, k, width, rng)
    masses = micro.object_weights
    labels = point_clusters(u * np.sqrt(masses.mean()), k, rng, masses)
    # ⟨S, Z⟩ of the partition: the similarity inside every cluster divided by its weight.
    weighted = similarity * np.outer(masses, masses)
    members = (canonical(labels)[:, None] == np.arange(labels.max() + 1)).astype(float)
    size = members.T @ masses
    inside = np.einsum("ic,ij,jc->c", members, weighted, members)[size > 0] / size[size > 0]
    details = {"relaxed": float(np.sum(weighted * (u @ u.T))), "value": float(np.sum(inside)), "violation": gap}
    return form.outcome(labels, graph=coassociation(e), details=details)


def _relax(
    similarity: FloatArray, masses: FloatArray, k: int, width: int, rng: np.random.Generator
) -> tuple[FloatArray, float]:
    """Augmented Lagrangian for the low-rank relaxation of weighted objects; returns U and the largest violation."""
    from scipy.optimize import minimize

    unit = masses.mean()  # only shares matter: tolerances and steps of the search are made for weights around 1
    masses = masses / unit
    n, total = len(masses), masses.sum()
    inner = similarity * masses[None, :]
    u = _beginning(similarity, masses, width, rng)
    rows, trace, penalty, gap = np.zeros(n), 0.0, 10.0, np.inf

    def lagrangian(flat: FloatArray) -> tuple[float, FloatArray]:
        x = flat.reshape(n, width)
        mean = masses @ x
        off, size = x @ mean - 1.0, (masses @ (x * x).sum(axis=1) - k) / k
        product = inner @ x
        fine, force = rows + penalty * off, trace + penalty * size
        value = -masses @ (x * product).sum(axis=1) / total
        value += masses @ (off * (rows + penalty / 2 * off)) / total + size * (trace + penalty / 2 * size)
        slope = -2 * product + fine[:, None] * mean + (masses * fine) @ x
        return value, (masses[:, None] * (slope / total + 2 * force / k * x)).ravel()

    for _ in range(25):
        u = minimize(
            lagrangian, u.ravel(), jac=True, method="L-BFGS-B", bounds=[(0, None)] * u.size, options={"maxiter": 100}
        ).x.reshape(n, width)
        off, size = u @ (masses @ u) - 1.0, float(masses @ (u * u).sum(axis=1) - k) / k
        worst = max(float(np.abs(off).max()), abs(size))
        rows, trace = rows + penalty * off, trace + penalty * size
        if worst < 1e-3:
            return u / np.sqrt(unit), worst
        penalty = penalty * 2 if worst > gap / 4 else penalty
        gap = worst
    return u / np.sqrt(unit), gap


def _beginning(similarity: FloatArray, masses: FloatArray, width: int, rng: np.random.Generator) -> FloatArray:
    """Leading eigenvectors of the weighted similarity, made non-negative, with a little noise."""
    from scipy.linalg import eigh

    root = np.sqrt(masses)
    n = len(root)
    vectors = eigh(similarity * np.outer(root, root), subset_by_index=[n - min(width, n), n - 1])[1][:, ::-1]
    return np.abs(vectors) / root[:, None] + 0.01 * rng.random(vectors.shape) / np.sqrt(masses.sum())
