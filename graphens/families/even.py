"""Clusters of similar size without a balanced partitioner: agreement with the ensemble minus a penalty on sizes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._lib.arrays import FloatArray, IntArray, LabelArray, Seed, as_int, divide, number
from ..errors import InputError
from ..labels.ensemble import Ensemble
from .contract import consensus_function
from .method import NONE, Cost, Symmetry
from .move_counts import Counts, base_clusters
from .outcome import Outcome, required
from .standard_form import standard
from .trials import compete

_LEAST = 1e-300  # a base cluster of weightless objects has no size to divide by


@consensus_function(
    family="partitioning",
    graph="count tables",
    missing="an absent object does not count in that partition's table",
    cost=Cost("nBk", "and the cost of `lwgp`", per="sweep"),
    reference="Fern and Brodley 2004; Huang, Wang and Lai 2018",
    balanced=True,
    symmetry=Symmetry(repeating=NONE),
)
def even(e: Ensemble, k: int | None = None, *, balance: float = 1.0, sweeps: int = 50, seed: Seed = None) -> Outcome:
    """Move objects between the clusters of `lwgp` until agreement and even sizes are in balance.

    Maximizes fit − balance · g · unevenness, by single moves:

    fit = Σ_C Σ_t w_t Σ_{c in t} |C ∩ c|² / (|c| |C_t|) / Σ_t w_t, unevenness = k Σ_C (|C| / n)²,

    where C_t are the objects of C that partition t has. The fit is 1 if all objects are in one cluster, and k if every
    cluster is a union of base clusters in every partition; the unevenness ranges from 1 (equal sizes) to k (all objects
    in one cluster). With g = (fit of `lwgp` − 1) / (k − 1), a `balance` of 1 makes even sizes worth as much as the
    agreement that `lwgp` found.

    Parameters
    ----------
    balance
        How strongly clusters are pulled toward the same size. 0 means not at all. 1 (the default) gives even sizes the
        same weight as agreement, which moves undecided objects and keeps clear clusters. From about 5 on, sizes become
        similar whatever the ensemble says, and a very large value makes them equal.
    sweeps
        Maximum number of passes over all objects.

    Returns
    -------
    Consensus
        ``details``: "fit" and "unevenness" of the result, "scale", the g above, and "moves", the number of moves in
        every sweep.

    Notes
    -----
    The least certain objects are visited first, so objects at a border move before others. METIS (`mcla`, `hbgf`,
    `cspa`) keeps sizes within a few percent whatever the ensemble says; here the pull is gradual. The fit is the
    association in HBGF's graph, normalized by the sizes of both sides; a penalty on squared sizes is
    also part of the objective of a method called CDEC.

    References
    ----------
    Fern and Brodley, Solving cluster ensemble problems by bipartite graph partitioning, 2004; Huang, Wang and Lai,
    Locally weighted ensemble clustering, 2018.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
    >>> ge.even(e, 3, seed=0).labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
    pull = number("balance", balance)
    if pull < 0:
        raise InputError.about("balance", balance, "a number of at least 0")
    begin = compete(["lwgp"], e, required(k), seed)[0]
    scale = (_Tables.of(e, begin.labels).fit(e) - 1) / max(begin.k - 1, 1)
    order = np.lexsort((standard(e).index, begin.confidence))
    labels, moves = improved(e, begin.labels, order, pull * max(scale, 0.0), as_int("sweeps", sweeps, 1))
    tables = _Tables.of(e, labels)
    return Outcome(
        labels, details={"fit": tables.fit(e), "unevenness": tables.unevenness(), "scale": scale, "moves": moves}
    )


def improved(
    e: Ensemble, start: LabelArray, order: IntArray, balance: float, sweeps: int
) -> tuple[LabelArray, list[int]]:
    """Move single objects until no move gains; return the labeling with the number of moves in every sweep."""
    from ..kernels.moves import even_sweep

    labels, moves, n = np.array(start), [1], e.object_weights.sum()
    rows, rates = base_clusters(e), 1.0 / np.maximum(e.cluster_sizes(), _LEAST)
    pull = balance * (labels.max() + 1) / n**2
    known = rows, rates, e.weights / e.weights.sum(), e.object_weights, order, pull
    while moves[-1] and len(moves) <= sweeps:
        moves.append(int(even_sweep(*known, labels, *_Tables.of(e, labels))))
    return labels, moves[1:]


class _Tables(NamedTuple):
    """The counts that moves need: |C|, the number of objects, |C ∩ c|, Σ_c |C ∩ c|² / |c|, and |C_t|."""

    sizes: FloatArray
    numbers: IntArray
    counts: FloatArray
    squares: FloatArray
    seen: FloatArray

    @classmethod
    def of(cls, e: Ensemble, labels: LabelArray) -> _Tables:
        """Count a labeling 0 … k − 1 (−1 unassigned). O(nB + Kk)."""
        k, there = int(labels.max()) + 1, labels >= 0
        counts, seen = Counts.of(e, labels, k)
        rates = 1.0 / np.maximum(e.cluster_sizes(), _LEAST)
        parts = np.split(counts**2 * rates[:, None], e.offsets[1:-1])
        squares = np.stack([part.sum(axis=0) for part in parts])
        sizes = np.bincount(labels[there], e.object_weights[there], k).astype(np.float64)
        return cls(sizes, np.bincount(labels[there], minlength=k), counts, squares, seen)

    def fit(self, e: Ensemble) -> float:
        """Return the agreement with the ensemble, between 1 and k."""
        shares = e.weights / e.weights.sum()
        return float(shares @ divide(self.squares, self.seen).sum(axis=1))

    def unevenness(self) -> float:
        """Return k Σ (|C| / n)², which is 1 if all clusters have the same size."""
        return float(len(self.sizes) * (self.sizes**2).sum() / self.sizes.sum() ** 2)
