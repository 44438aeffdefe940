"""The members of an ensemble: how they agree with the others, how much they matter, and a good, diverse selection."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._lib.arrays import FloatArray, Seed, as_flag, as_int, draw, number, reported_seed
from .._lib.progress import report_progress
from ..errors import FallbackWarning, InputError, collect_warnings, warn
from ..families.registry import AnyMethod, find_method
from ..families.trials import call_method
from ..graphs.doubts import doubts, warn_of
from ..graphs.reliability import leave_out
from ..labels.ensemble import Ensemble, Labels
from ..measures.agreement import ari, mean_agreements, some_agreements
from .rules import apply_rule

_ALL = 200  # partitions up to which each is left out in turn
_SOME = 50  # of more


def members(labels: Labels, k: int | None = None, *, method: AnyMethod = "lwgp", seed: Seed = None) -> Any:
    """Return a frame with a row for each partition: how well it agrees with the others, and how much it matters.

    Parameters
    ----------
    labels
        An Ensemble, or anything that Ensemble accepts.
    k, method, seed
        The consensus used to measure influence. Without k, it has the number of clusters that `consensus` would choose,
        or the best candidate if no number stands out.

    Returns
    -------
    frame
        The columns are partition, clusters, agreement (weighted mean adjusted Rand index with the others: about 0 for
        chance agreement, as with a column that is almost an identifier), influence (1 − ARI between the consensus with
        and without the partition), and weight (its positive agreement, scaled to a mean of 1, which can be passed to
        `Ensemble.reweight`).

    Notes
    -----
    O(nB²), or O(nB) if there are so many partitions that they are compared with a sample, and one consensus per
    partition. With more than 200 partitions, only 50 random ones are left out in turn, and the influence of the others
    is NaN.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble([[0, 0, 0], [0, 0, 1], [0, 0, 0], [1, 1, 1], [1, 1, 0], [1, 1, 1]])
    >>> ge.members(e, 2, seed=0)["agreement"].round(2).tolist()
    [0.44, 0.44, -0.11]
    """
    from ..export.frames import frame

    e = Ensemble.of(labels)
    return frame(member_columns(e, k, method=method, seed=seed), e._names.backend)


def member_columns(e: Ensemble, k: int | None, *, method: AnyMethod, seed: Seed) -> dict[str, list[Any]]:
    """Return the columns of `members`."""
    start = reported_seed(seed)
    k = None if k is None else as_int("k", k, 1, max(int(e.present.sum()), 1))
    warn_of(doubts(e, k))
    near = mean_agreements(e, "ari")
    weight = np.maximum(near, 0.0)
    return {
        "partition": list(e.partition_names),
        "clusters": e.n_clusters.tolist(),
        "agreement": near.tolist(),
        "influence": _influence(e, k, method, start).tolist(),
        "weight": (weight / weight.mean() if weight.any() else np.ones_like(near)).tolist(),
    }


def _influence(e: Ensemble, k: int | None, method: AnyMethod, seed: int) -> FloatArray:
    """1 − ARI between the consensus of all partitions and that of all but one; 0 if there is only one partition."""
    row, influence = find_method(method), np.full(e.n_partitions, np.nan)
    left_out = np.arange(e.n_partitions)
    if e.n_partitions > _ALL:
        left_out = draw(e.n_partitions, _SOME, seed)
        warn(
            f"Influence needs one consensus per partition, so it was measured for {_SOME} of the {e.n_partitions} "
            "partitions, drawn at random, and is NaN for the others.",
            FallbackWarning,
        )
    with collect_warnings():
        if k is None and row.needs_k and e.present.any():
            choice = apply_rule("eigengap", e.take(objects=e.present), seed)
            k = choice.k if choice.k > 1 else next(iter(choice.optional), 1)
        full = call_method(row, e, k, seed)
        for done, t in enumerate(left_out):
            influence[t] = 0.0
            if np.delete(e.weights, t).any():
                less = call_method(row, leave_out(e, int(t)), full.k if k is None else k, seed)
                influence[t] = 1.0 - ari(full.labels, less.labels)
            report_progress("leaving out one partition at a time", (done + 1) / len(left_out))
    return influence


def select(labels: Labels, size: int, *, quality: float = 0.5, weigh: bool = False) -> Ensemble:
    """Return a subset of an ensemble whose partitions are good and diverse.

    Partitions are selected one by one: first the one that agrees most with all, then the one that adds most to q ·
    (mean NMI of the selected with all) + (1 − q) · (mean 1 − NMI between the selected).

    Parameters
    ----------
    labels
        An Ensemble, or anything that Ensemble accepts.
    size
        Number of partitions to keep.
    quality
        q, from 0 (only diversity) to 1 (only agreement).
    weigh
        Whether to multiply the weights of the partitions by their agreement with all.

    Notes
    -----
    O(nB² + nB · size), or O(nB · size) if there are so many partitions that they are compared with a sample. Fern and
    Lin, Cluster ensemble selection, 2008 (joint criterion).

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble([[0, 0, 0], [0, 0, 1], [0, 0, 0], [1, 1, 1], [1, 1, 0], [1, 1, 1]])
    >>> ge.select(e, 2, quality=1).partition_names
    ('P0', 'P1')
    """
    e = Ensemble.of(labels)
    wanted = as_int("size", size, 1, e.n_partitions)
    q = number("quality", quality)
    if not 0 <= q <= 1:
        raise InputError.about("quality", quality, "a number from 0 to 1")
    good = mean_agreements(e)
    chosen, apart = [int(np.argmax(good))], np.zeros(e.n_partitions)
    while len(chosen) < wanted:
        apart += 1.0 - some_agreements(e, np.array(chosen[-1:]))[:, 0]
        joint = q * good + (1 - q) * apart / len(chosen)
        joint[chosen] = -np.inf
        chosen.append(int(np.argmax(joint)))
    picked = np.sort(chosen)
    part = e.take(partitions=picked)
    return part.reweight(part.weights * good[picked]) if as_flag("weigh", weigh) and good[picked].any() else part
