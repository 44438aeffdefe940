"""Losses between a partition and an estimate of it, and their mean over many draws.

For clusters S of the draw, clusters T of the estimate and a function φ, all losses follow from P = Σ φ(|S|),
Q = Σ φ(|T|), J = Σ φ(|S ∩ T|), the number n of objects that both have, and φ(n). Logarithms have base 2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import AnyArray, FloatArray, divide, number, one_of
from ..errors import InputError
from ..labels.ensemble import Ensemble
from .agreement import Contingency, against, labeling_of, labeling_table

Phi = Callable[[AnyArray], FloatArray]


def entropy_term(x: AnyArray) -> FloatArray:
    """Return x log₂ x, 0 for 0."""
    return np.asarray(x * np.log2(np.maximum(x, 1e-300)), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Loss:
    """A loss: its φ, its formula from the sums P, Q, J, n, φ(n) and a, and whether it is a sum over clusters."""

    name: str
    phi: Phi
    formula: Callable[..., tuple[Any, Any]]
    weighs: bool = False

    def __call__(
        self, p: AnyArray, q: AnyArray, j: AnyArray, n: AnyArray, a: float = 1.0, top: AnyArray | None = None
    ) -> FloatArray:
        """Return the loss of each draw; 0 if both have one cluster, or no object in common."""
        size = np.where(np.asarray(n) > 0, n, 1.0)
        over, under = self.formula(p, q, j, size, self.phi(n) if top is None else top, a)
        return np.maximum(divide(over, under, above=1e-12), 0.0)


def _weigh(p: Any, q: Any, j: Any, a: float) -> Any:
    return a * p + (2 - a) * q - 2 * j


#: numerator and denominator of every loss by its name
LOSSES = {
    loss.name: loss
    for loss in (
        Loss("vi", entropy_term, lambda p, q, j, n, top, a: (_weigh(p, q, j, a) / n, 1.0), weighs=True),
        Loss(
            "binder",
            lambda x: np.square(x, dtype=np.float64),
            lambda p, q, j, n, top, a: (_weigh(p, q, j, a) / n**2, 1.0),
            weighs=True,
        ),
        Loss(
            "omari",
            lambda x: x * (x - 1.0) / 2,
            lambda p, q, j, n, top, a: ((p + q) / 2 - j, (p + q) / 2 - divide(p * q, top)),
        ),
        Loss("nvi", entropy_term, lambda p, q, j, n, top, a: ((p + q - 2 * j) / n, (top - j) / n)),
        Loss("id", entropy_term, lambda p, q, j, n, top, a: ((np.maximum(p, q) - j) / n, 1.0)),
        Loss(
            "nid", entropy_term, lambda p, q, j, n, top, a: ((np.maximum(p, q) - j) / n, (top - np.minimum(p, q)) / n)
        ),
    )
}


def find_loss(name: str, a: float = 1.0) -> tuple[Loss, float]:
    """Return a loss by its name, in any case, and its checked weight a."""
    loss = LOSSES[one_of("loss", name.lower() if isinstance(name, str) else name, LOSSES)]
    weight = number("a", a)
    if not 0 < weight < 2:
        raise InputError.about("a", a, "a number above 0 and below 2")
    if weight != 1 and not loss.weighs:
        raise InputError.about("a", a, "1, since only binder and vi weight the two kinds of errors")
    return loss, weight


def table_losses(table: Contingency, name: str, a: float = 1.0) -> FloatArray:
    """Return a loss for every pair of labelings in a contingency table, draws in its rows."""
    loss, a = find_loss(name, a)
    p, q, j = table.sums(lambda count, _: loss.phi(count))
    return loss(p, q, j, table.total, a)


def expected_loss(labels: ArrayLike, ensemble: Any, loss: str = "vi", a: float = 1.0) -> float:
    """Return the mean loss of an estimate over the partitions of an ensemble, by their weights.

    Parameters
    ----------
    labels
        The estimate: a label vector, or a result that has `labels`.
    ensemble
        An Ensemble, or anything that Ensemble accepts: the draws.
    loss
        ``"vi"``, ``"binder"``, ``"omari"`` (1 − adjusted Rand index), ``"nvi"``, ``"id"`` or ``"nid"``, in bits if it
        has a unit.
    a
        For ``"binder"`` and ``"vi"``: the weight, between 0 and 2, of separating objects that belong together;
        joining objects that do not belong together has the weight 2 − a.

    Notes
    -----
    The loss of a draw uses the objects that both it and the estimate have, by their weights. Draws without any such
    object are ignored. O(nB).

    Examples
    --------
    >>> expected_loss([0, 0, 1, 1], [[0, 0], [0, 0], [1, 1], [1, 2]], "vi")
    0.25
    """
    e = Ensemble.of(ensemble)
    losses = draw_losses(labels, e, loss, a)
    there = e.weights * ~np.isnan(losses)
    return float(there @ np.nan_to_num(losses) / there.sum()) if there.any() else 0.0


def draw_losses(labels: Any, e: Ensemble, loss: str = "vi", a: float = 1.0) -> FloatArray:
    """Return the loss of an estimate for every partition of an ensemble, NaN if they share no object."""
    table = against(labeling_of(labels, e), e)
    return np.where(table.total > 0, table_losses(table, loss, a), np.nan)


_DRAWS, _EACH = 100, 25  # that are compared in all chains together, and in each of many chains


def chain_losses(e: Ensemble, loss: str = "vi", a: float = 1.0) -> FloatArray | None:
    """Return the mean loss between draws of two chains, chains × chains, with that inside the chains on the diagonal.

    About 100 draws, at least 25 of each chain, are compared, evenly spaced in time. None if there are not several
    chains of several draws.
    """
    if e.chains is None or e.chains.max(initial=0) == 0:
        return None
    members = [np.flatnonzero(e.chains == c) for c in range(e.chains.max() + 1)]
    each = min(max(_EACH, _DRAWS // len(members)), *map(len, members))
    if each < 2:
        return None
    some = np.concatenate([m[np.linspace(0, len(m) - 1, each).astype(int)] for m in members])
    draws = e.take(partitions=some)
    blocks = np.stack([draw_losses(column, draws, loss, a) for column in draws.labels.T])
    np.fill_diagonal(blocks, np.nan)  # a draw and itself
    return np.nanmean(blocks.reshape(len(members), each, len(members), each), axis=(1, 3))


def binder(draw: ArrayLike, estimate: ArrayLike, a: float = 1.0) -> float:
    """Binder's loss a Σ p² + (2 − a) Σ q² − 2 Σ r² (Binder, 1978): with a = 1 the share of ordered pairs that differ.

    p, q, r are the shares of objects in the clusters of the draw, of the estimate, and in both. a, between 0 and 2, is
    the weight of separating two objects that belong together, and 2 − a is the weight of joining two that do not.

    Examples
    --------
    >>> binder([0, 0, 1, 1], [0, 0, 0, 0])
    0.5
    """
    return float(table_losses(labeling_table(draw, estimate), "binder", a)[0])


def omari(draw: ArrayLike, estimate: ArrayLike) -> float:
    """One minus the adjusted Rand index; 0 if both have one cluster, or only clusters of one object."""
    return float(table_losses(labeling_table(draw, estimate), "omari")[0])


def nvi(draw: ArrayLike, estimate: ArrayLike) -> float:
    """Normalized variation of information, 1 − I / H(draw, estimate) (Vinh, Epps and Bailey, 2010).

    Examples
    --------
    >>> nvi([0, 0, 1, 1], [0, 1, 0, 1])
    1.0
    """
    return float(table_losses(labeling_table(draw, estimate), "nvi")[0])


def information_distance(draw: ArrayLike, estimate: ArrayLike) -> float:
    """Information distance max(H(draw), H(estimate)) − I, in bits (Vinh, Epps and Bailey, 2010).

    Examples
    --------
    >>> information_distance([0, 0, 1, 1], [0, 0, 0, 0])
    1.0
    """
    return float(table_losses(labeling_table(draw, estimate), "id")[0])


def nid(draw: ArrayLike, estimate: ArrayLike) -> float:
    """Normalized information distance 1 − I / max(H(draw), H(estimate)) (Vinh, Epps and Bailey, 2010)."""
    return float(table_losses(labeling_table(draw, estimate), "nid")[0])
