"""How far an ensemble agrees with each of its own clusters."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from .._arrays import FloatArray, number
from ..core.ensemble import Ensemble
from ..errors import InputError
from .counting import cooccurrence

_TINY = np.finfo(np.float64).tiny  # shares that underflow count for nothing: 0 log 0 = 0


def uncertainty(e: Ensemble, counts: sparse.csr_array | None = None) -> FloatArray:
    """Return the entropy of every cluster with respect to the ensemble, in bits.

    H(C) = −Σ_t Σ_j p log₂ p with p = |C ∩ C_j^t| / |C|: 0 where every partition keeps the cluster together. Objects
    absent from a partition are left out of that partition's |C|, and partitions count by weight (mean weight 1).
    O(nB²); nothing of the objects is looked at where the `counts` of `cooccurrence` are given.
    """
    shared = (cooccurrence(e) if counts is None else counts).tocoo()
    owner = np.repeat(np.arange(e.n_partitions), e.n_clusters)
    weight = (e.weights / e.weights.mean())[owner[shared.col]]
    cell = shared.row.astype(np.int64) * e.n_partitions + owner[shared.col]
    total = np.bincount(cell, weights=shared.data, minlength=len(owner) * e.n_partitions)
    p = shared.data / total[cell]
    bits = np.bincount(shared.row, weights=-weight * p * np.log2(np.maximum(p, _TINY)), minlength=len(owner))
    return np.asarray(bits, dtype=np.float64)


def cluster_reliability(
    e: Ensemble, theta: float = 0.4, counts: sparse.csr_array | None = None
) -> FloatArray:
    """Return the ensemble-driven cluster index of every cluster, exp(−H(C) / (θB)), in (0, 1].

    References
    ----------
    Huang, Wang and Lai, Locally weighted ensemble clustering, 2018.
    """
    if not number("theta", theta) > 0:
        raise InputError(f"theta = {theta!r} was given; expected a positive number (0.2 to 1 are usual).")
    return np.exp(-uncertainty(e, counts) / (theta * e.n_partitions))
