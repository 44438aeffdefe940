"""The reliability of clusters: how far the ensemble agrees with each of its own clusters."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, IntArray, divide, number
from ..errors import InputError
from ..labels.ensemble import Ensemble
from ..labels.value import recall
from .counts import cooccurrence, few_overlaps, mean_entropies, sample_details, sampled_partitions

_TRACE = 1e-9  # decides only for objects without other evidence
_ROUNDING = 1e-12
_TINY = np.finfo(np.float64).tiny  # shares that underflow count for nothing: 0 log 0 = 0


_CHANCE = 0.1  # of the largest agreement: a partition below agrees by chance only (ordinary ones have 0.4 and more)


def shared_pairs(e: Ensemble, counts: sparse.csr_array | None = None) -> FloatArray:
    """Return for every two partitions how far they put the same pairs of objects together, beyond chance; B × B.

    (P_st − P_s P_t) / (min(P_s, P_t) − P_s P_t), where P is the share of pairs that are together in s, in t or in both,
    among the pairs that both have. It is 1 if one partition refines the other, and 0 for independent partitions,
    however fine they are, or if one puts no pair or every pair together. O(nB²), or less if the `counts` of
    `cooccurrence` are given.
    """
    # All of it follows from n_ab = |a ∩ b|. Among the objects that both partitions have, Σ n_ab² counts the ordered
    # pairs together in both, Σ (Σ_b n_ab)² those together in s alone: `margin` is the row sum of each table, and
    # `inside` its squares. An object is together with itself everywhere, so n of them are taken out of each count.
    shared, b = (cooccurrence(e) if counts is None else counts).tocoo(), e.n_partitions
    owner = np.repeat(np.arange(b), e.n_clusters)
    margin = np.bincount(shared.row.astype(np.int64) * b + owner[shared.col], shared.data, len(owner) * b)
    place = (owner[:, None] * b + np.arange(b)).ravel()
    both, inside = _table(place, margin, b), _table(place, margin * margin, b)
    together = _table(owner[shared.row] * b + owner[shared.col], shared.data**2, b)
    pairs = both * both - both  # weights are counts: each pair of different occurrences
    share = divide(inside - both, pairs, above=_ROUNDING)
    # Independent partitions put P_s P_t of the pairs together in both. At most min(P_s, P_t) are possible, which is
    # reached if one partition refines the other: a fine partition is no worse for being fine.
    chance = share * share.T
    excess = divide(together - both, pairs, above=_ROUNDING) - chance
    excess = divide(excess, np.minimum(share, share.T) - chance, above=_ROUNDING)
    return excess * (1.0 - np.eye(b))


def _table(place: AnyArray, values: AnyArray, b: int) -> FloatArray:
    """Sums by pair of partitions, B × B."""
    return np.bincount(place, values, b * b).reshape(b, b).astype(np.float64)


def first_copies(e: Ensemble, counts: sparse.csr_array | None = None) -> IntArray:
    """Return for every partition the first one that is equal up to renaming: itself, if there is none before. O(nB).

    Labels on disk are compared by their `counts`: copies have as many overlaps as clusters.
    """
    return recall(e, "copies", lambda: _copies_by_labels(e)) if counts is None else _copies_by_counts(e, counts)


def _copies_by_labels(e: Ensemble) -> IntArray:
    from ..kernels.counting import rename

    sizes, ends = e.cluster_sizes(), e.offsets
    kinds = [np.sort(sizes[a:b]).tobytes() for a, b in pairwise(ends)]
    first, first_of = np.arange(e.n_partitions), dict[tuple[bytes, bytes], int]()
    several = {kind for kind, count in Counter(kinds).items() if count > 1}
    for t, kind in enumerate(kinds):
        if kind in several:
            row = np.array(e.codes[t : t + 1])
            rename(row, e.absent, e.n_clusters[t : t + 1])
            first[t] = first_of.setdefault((kind, hashlib.blake2b(row.tobytes(), digest_size=16).digest()), t)
    return first


def _copies_by_counts(e: Ensemble, counts: sparse.csr_array) -> IntArray:
    cells, b = counts.tocoo(), e.n_partitions
    owner = np.repeat(np.arange(b), e.n_clusters)
    pair = owner[cells.row] * b + owner[cells.col]
    overlaps, objects = _table(pair, np.ones(len(pair)), b), _table(pair, cells.data, b)
    # Equal partitions overlap in exactly as many cells as each has clusters, and share all objects that they have.
    most = objects.max(axis=1)
    same = (overlaps == e.n_clusters) & (overlaps == e.n_clusters[:, None])
    same &= (objects == most) & (objects == most[:, None])
    return np.argmax(same | np.eye(b, dtype=bool), axis=1)


@dataclass(frozen=True, eq=False)
class Distinct:
    """An ensemble with copies of partitions merged and their weights added, since copies agree in any case."""

    ensemble: Ensemble  #: the distinct partitions, and their overlaps if those of all were given
    counts: sparse.csr_array | None
    partitions: IntArray  #: the place of every partition and every cluster among them
    clusters: IntArray

    @classmethod
    def of(cls, e: Ensemble, counts: sparse.csr_array | None) -> Distinct | None:
        """Merge copies; None if there are none."""
        first = first_copies(e, counts)
        alone = first == np.arange(e.n_partitions)
        if alone.all():
            return None
        place = (np.cumsum(alone) - 1)[first]
        merged = e.take(partitions=alone).reweight(np.bincount(place, e.weights))
        clusters = np.empty(int(e.offsets[-1]), dtype=np.int64)
        for t, s in enumerate(first.tolist()):
            places = slice(e.offsets[t], e.offsets[t + 1])
            clusters[places] = np.arange(e.n_clusters[t])
            if s != t and counts is not None:
                clusters[places] = counts[places, e.offsets[s] : e.offsets[s + 1]].toarray().argmax(axis=1)
            elif s != t:
                there = e.codes[t] != e.absent
                clusters[places][e.codes[t][there]] = e.codes[s][there]
            clusters[places] += merged.offsets[place[t]]
        clusters_kept = np.repeat(alone, e.n_clusters)
        return cls(merged, None if counts is None else counts[clusters_kept][:, clusters_kept], place, clusters)


def _distinct(e: Ensemble, counts: sparse.csr_array | None) -> Distinct | None:
    return Distinct.of(e, counts) if counts is not None else recall(e, "distinct", lambda: Distinct.of(e, None))


def informative(e: Ensemble, counts: sparse.csr_array | None = None) -> AnyArray:
    """Return which partitions agree with the others by more than chance, among those of positive weight.

    A partition does not if its mean of `shared_pairs` with the others is below a tenth of the largest mean. If the
    largest mean is itself below a tenth, there is nothing to compare with, and all count as informative. Copies of a
    partition are compared with the others only.
    """
    once = _distinct(e, counts)
    if once is not None:
        return informative(once.ensemble, once.counts)[once.partitions]

    def agree() -> AnyArray:
        others = np.maximum(e.weights.sum() - e.weights, _TINY)
        if counts is None and not few_overlaps(e):
            mean = _sampled_entropies(e, e.weights)[0]
        else:
            mean = shared_pairs(e, counts) @ e.weights / others
        agreement = np.where(e.weights > 0, mean, -np.inf)
        return (agreement >= _CHANCE * agreement.max()) | (agreement.max() < _CHANCE)

    return recall(e, "informative", agree) if counts is None else agree()


def uncertainty(e: Ensemble, counts: sparse.csr_array | None = None, compared: AnyArray | None = None) -> FloatArray:
    """Return the entropy of every cluster with respect to the ensemble, or to the partitions `compared`, in bits.

    H(C) = −Σ_t Σ_j p log₂ p with p = |C ∩ C_j^t| / |C|: 0 if every partition keeps the cluster together. Objects absent
    from a partition are left out of that partition's |C|, and partitions count by weight (mean weight 1). O(nB²), or
    O(nB) with so many partitions that a sample is used (`sampled_partitions`); objects are not used at all if the
    `counts` of `cooccurrence` are given.
    """
    weights = e.weights if compared is None else np.where(compared, e.weights, 0.0)
    scaled = weights / weights.mean(where=True if compared is None else compared)
    if counts is None and not few_overlaps(e):
        return _sampled_entropies(e, weights)[1] * np.repeat(scaled.sum() - scaled, e.n_clusters)
    shared = (cooccurrence(e) if counts is None else counts).tocoo()
    owner = np.repeat(np.arange(e.n_partitions), e.n_clusters)
    weight = scaled[owner[shared.col]]
    cell = shared.row.astype(np.int64) * e.n_partitions + owner[shared.col]
    total = np.bincount(cell, weights=shared.data, minlength=len(owner) * e.n_partitions)
    p = shared.data / total[cell]
    bits = np.bincount(shared.row, weights=-weight * p * np.log2(np.maximum(p, _TINY)), minlength=len(owner))
    return np.asarray(bits, dtype=np.float64)


def reliability_details(e: Ensemble) -> dict[str, int]:
    """Return the number of partitions that `cluster_reliability` uses, for ``details``; nothing if it uses all."""
    return {} if few_overlaps(e) else sample_details(e)


def _sampled_entropies(e: Ensemble, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Agreement and entropies of all partitions and clusters with those in the sample, without storing overlaps."""
    others = sampled_partitions(e)
    return recall(e, ("entropies", weights.tobytes()), lambda: mean_entropies(e, others, weights[others]))


def leave_out(e: Ensemble, t: int) -> Ensemble:
    """Return the ensemble without partition t, with the counts of the whole ensemble minus those of t. O(nB)."""
    rest = np.arange(e.n_partitions) != t
    less, clusters = e.take(partitions=rest), np.repeat(rest, e.n_clusters)
    if few_overlaps(e):
        recall(less, "cooccurrence", lambda: cooccurrence(e)[clusters][:, clusters])
    elif not few_overlaps(less) and (entropies := _entropies_without(e, t)):
        recall(less, ("entropies", less.weights.tobytes()), lambda: (entropies[0][rest], entropies[1][clusters]))
    return less


def _entropies_without(e: Ensemble, t: int) -> tuple[FloatArray, FloatArray] | None:
    """The mean agreement and entropies without t; None if t outweighs the others, where rounding would matter."""
    others, whole = sampled_partitions(e), _sampled_entropies(e, e.weights)
    voice = e.weights[t] * (t in others)
    left = e.weights[others].sum() - np.bincount(others, e.weights[others], e.n_partitions) - voice
    if (np.delete(left, t) < voice).any():
        return None
    share = voice / np.maximum(left, _TINY)
    share[t] = 0.0
    agreement, bits = mean_entropies(e, np.array([t]), np.array([voice])) if voice else whole
    return whole[0] + (whole[0] - agreement) * share, whole[1] + (whole[1] - bits) * np.repeat(share, e.n_clusters)


def cluster_reliability(
    e: Ensemble, entropy_scale: float = 0.4, counts: sparse.csr_array | None = None, *, adjusted: bool = True
) -> FloatArray:
    """Return the ensemble-driven cluster index of every cluster, exp(−H(C) / (θB)), in (0, 1].

    Entropies favor small clusters: one or two objects cannot be uncertain, and a partition of hundreds of small
    clusters makes all others uncertain. With `adjusted`, partitions that agree with the others only by chance (see
    `informative`) are therefore left out, and their clusters get almost no weight; without it, this is the form of the
    paper. O(nB²); of more than 500 partitions, a random sample is used if all take too long (`sampled_partitions`).

    References
    ----------
    Huang, Wang and Lai, Locally weighted ensemble clustering, 2018.
    """
    if not number("entropy_scale", entropy_scale) > 0:
        raise InputError.about("entropy_scale", entropy_scale, "a positive number (0.2 to 1 are common)")
    once = _distinct(e, counts) if adjusted else None  # the form of the paper takes partitions as they are
    if once is not None:
        return cluster_reliability(once.ensemble, entropy_scale, once.counts)[once.clusters]

    def work_out() -> FloatArray:
        useful = informative(e, counts) if adjusted else np.ones(e.n_partitions, dtype=bool)
        index = np.exp(-uncertainty(e, counts, useful) / (entropy_scale * np.count_nonzero(useful)))
        return np.where(np.repeat(useful, e.n_clusters), index, _TRACE * index)

    return recall(e, ("reliability", entropy_scale, adjusted), work_out) if counts is None else work_out()
