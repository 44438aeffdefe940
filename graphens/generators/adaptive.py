"""Sequences in which each partition depends on earlier ones: boosting, and resampling by consistency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, IntArray
from .._lib.threads import one_pool_thread
from ..errors import DegenerateWarning, InputError, warn
from ..measures.agreement import best_pairs
from .features import Matrix
from .recipe import Labeler, PartitionCodes, Recipe, encode_partition, label_sample
from .samplings import Sampling, Subset

#: what the next partition depends on
State: TypeAlias = "Mapping[str, AnyArray]"

_ALPHA = 0.3  # how much of the old probability stays
_TINY = 1e-12


def boost(
    recipe: Recipe, matrices: Sequence[Matrix], t: int, state: State, *, keep: bool
) -> tuple[PartitionCodes | None, State]:
    """Boost-KM: objects between clusters are drawn more often, and partitions with few of them have more weight.

    Objects are drawn by weight w (1/n at first) and clustered; h are the memberships of all objects. With
    q_i = 1 − max_j h_ij + min_j h_ij the error is ε = Σ w_i q_i; above ½ the sequence ends. β = (1 − ε)/ε,
    w_i ← w_i β^{q_i} normalized, and log β is the weight of the partition.

    References
    ----------
    Frossyniotis, Likas and Stafylopatis, A clustering method based on boosting, 2004.
    """
    X, (base, k, rng) = matrices[recipe.view(t)], _draw(recipe, t)
    n = X.shape[0]
    weights = state.get("weights", np.full(n, 1 / n))
    sample = Subset(rows=rng.choice(n, size=n, p=weights))
    with one_pool_thread():
        labels, model = label_sample(X, sample, base, k, int(rng.integers(2**31)), assign=True)
        h = _memberships(model, X, base.name)
    doubt = 1 - h.max(axis=1) + h.min(axis=1)
    error = max(float(weights @ doubt), _TINY)
    if error > 0.5:
        of = f"partition {t} of {recipe.n_partitions}"
        what = f"Boosting stopped at {of}: its error of {error:.2f} is above ½ (k = {k})."
        if t == 0:
            raise InputError(f"{what} Objects lie between clusters; use fewer clusters, or another sampling.")
        warn(f"{what} The ensemble has {t} partitions.", DegenerateWarning)
        return None, state
    beta = (1 - error) / error
    heavier = weights * beta**doubt
    labeler = Labeler(recipe.view(t), Subset(), model) if keep else None
    return encode_partition(t, labels, base, labeler, float(np.log(beta))), {"weights": heavier / heavier.sum()}


def _memberships(model: Any, X: Matrix, name: str) -> FloatArray:
    """Memberships of a mixture, or those of fuzzy c-means (m = 2) from distances: h ∝ 1/d²."""
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X))
    if not hasattr(model, "transform"):
        raise InputError(
            f"Boosting needs the distances from objects to clusters, which {name} does not provide; expected kmeans, "
            "minibatch, medoids, gmm, or a clusterer with transform or predict_proba."
        )
    inverse = 1 / np.maximum(np.asarray(model.transform(X), dtype=np.float64) ** 2, _TINY)
    return inverse / inverse.sum(axis=1, keepdims=True)


def resample(
    recipe: Recipe, matrices: Sequence[Matrix], t: int, state: State, *, keep: bool
) -> tuple[PartitionCodes, State]:
    """Adaptive clustering ensemble: objects whose cluster keeps changing are drawn more often.

    Every partition is aligned with the votes so far (Hungarian method); the consistency of an object is the share of
    its most frequent cluster. Its probability, in multiples of 1/n, becomes 0.3 p + 1 − consistency, normalized;
    objects that were not drawn yet have the mean consistency of the others.

    References
    ----------
    Topchy, Minaei-Bidgoli, Jain and Punch, Adaptive clustering ensembles, 2004.
    """
    X, (base, k, rng) = matrices[recipe.view(t)], _draw(recipe, t)
    n = X.shape[0]
    p = state.get("probabilities", np.ones(n))
    votes = state.get("votes", np.zeros((n, int(recipe.choices.max())), dtype=np.int64))
    sample = Subset(rows=rng.choice(n, size=n, p=p / p.sum()))
    with one_pool_thread():
        labels, model = label_sample(X, sample, base, k, int(rng.integers(2**31)), assign=recipe.assign)
    labeler = Labeler(recipe.view(t), Subset(), model) if keep and hasattr(model, "predict") else None
    partition = encode_partition(t, labels, base, labeler)
    votes = _vote(votes, partition)
    p = _ALPHA * p + 1 - _consistency(votes)
    return partition, {"votes": votes, "probabilities": p / p.mean() if p.any() else np.ones(n)}


def _vote(votes: IntArray, made: PartitionCodes) -> IntArray:
    """Add the votes of a partition, after matching its clusters to the votes so far."""
    k = len(made.categories)
    there = np.flatnonzero(made.codes < k)
    codes = made.codes[there]
    agreement = np.zeros((k, max(votes.shape[1], k)))
    np.add.at(agreement[:, : votes.shape[1]], codes, votes[there])
    _, name = best_pairs(agreement, empty=True)
    added = np.zeros((len(votes), agreement.shape[1]), dtype=np.int64)
    added[:, : votes.shape[1]] = votes
    added[there, name[codes]] += 1
    return added


def _consistency(votes: IntArray) -> FloatArray:
    number = votes.sum(axis=1)
    share = votes.max(axis=1) / np.maximum(number, 1)
    voted = number > 0
    return np.where(voted, share, share[voted].mean() if voted.any() else 1.0)


def _draw(recipe: Recipe, t: int) -> tuple[Any, int, np.random.Generator]:
    rng = recipe.random(t)
    return recipe.base(t), int(rng.choice(recipe.choices)), rng


def _never(*_: Any) -> Subset:
    raise AssertionError("an adaptive sampling draws in its own steps")


ADAPTIVE: dict[str, Sampling] = {
    "boosting": Sampling("boosting", _never, assigns=True, step=boost),
    "consistency": Sampling("consistency", _never, leaves_out=True, step=resample),
}
