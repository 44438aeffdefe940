"""Weighted evidence accumulation, with more weight on better partitions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from .._lib.arrays import FloatArray, Seed, divide
from ..errors import FallbackWarning, InputError, TypeMismatch, named_failure, quote, warn
from ..graphs.coassociation import coassociation
from ..graphs.reliability import Distinct
from ..labels.ensemble import Ensemble
from ..measures.agreement import agreements
from ..measures.internal import INDICES, internal_weights
from ..trees import link
from .contract import consensus_function
from .method import Cost
from .outcome import Outcome, cut_tree

Index: TypeAlias = str | Callable[..., Any]
_TRACE = 1e-9  # of the largest weight


@consensus_function(
    family="evidence accumulation",
    graph="co-association weighted by partition",
    needs_k=False,
    missing="similarity over the partitions that have both objects; indices over the objects a partition has",
    cost=Cost("ñ²B + nB²", "with 500·B instead of B² beyond half a billion steps"),
    reference="Yang and Chen 2011",
    per_object=("X",),
)
def wce(
    e: Ensemble,
    k: int | None = None,
    *,
    X: Any = None,
    indices: Sequence[Index] | Index | None = None,
    linkage: str = "average",
    reconcile: bool = False,
    sample: int = 2000,
    seed: Seed = None,
) -> Outcome:
    """Weighted clustering ensemble: evidence accumulation with partitions weighted by their validity.

    w_t is the mean of several indices, each in [0, 1]: an internal index g(P_t) on the features, or an external one,
    the mean agreement Σ_{s≠t} g(P_t, P_s) / (B − 1) with the other partitions. S_ij = Σ_t w_t [together] / Σ_t w_t
    [both present], then evidence accumulation as usual.

    Parameters
    ----------
    labels
        An Ensemble, or anything that Ensemble accepts. Its own weights are multiplied by those found here.
    k
        Number of clusters; by default, the one with the longest lifetime.
    X
        Features, for internal indices.
    indices
        Names or callables. Internal: see `measures.internal`, ``"stochastic_complexity"`` among them. External:
        ``"nmi"``, ``"ari"``, ``"rand"``, ``"vi"``, ``"mirkin"``, ``"purity"`` (set matching). A callable receives the
        arguments that its signature names among `labels` (one vector, −1 for missing), `X` and `ensemble`; if it names
        none of these, it receives the vector (and X, if given). It returns a number from 0 to 1. The default is Γ,
        Dunn's index and NMI, as in the paper; without X, it is NMI alone.
    linkage
        ``"single"``, ``"average"`` or ``"complete"``.
    reconcile
        Whether to compute one consensus per index and combine those by evidence accumulation, instead of averaging the
        weights.
    sample
        Maximum number of objects for internal indices, drawn with the seed.

    Returns
    -------
    Consensus
        ``details``: "weights", one row per index and one column per partition, and "indices", their names.

    Notes
    -----
    The lecture divides S by B instead of the weights, which only rescales it unless labels are missing.
    O(ñ²B) per consensus, O(nB²) for external and O(s²B) for internal indices on s sampled objects. Yang and Chen,
    Temporal data clustering via weighted clustering ensemble with different representations, 2011.

    Examples
    --------
    >>> import graphens as ge
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> labels = [[0, 0, 0], [0, 0, 1], [0, 0, 0], [1, 1, 1], [1, 1, 0], [1, 1, 1]]
    >>> r = ge.wce(labels, X=X, indices=["silhouette", "nmi"])
    >>> r.labels.tolist(), bool(r.details["weights"][0, 0] > r.details["weights"][0, 2])
    ([0, 0, 0, 1, 1, 1], True)
    """
    chosen = _chosen(indices, X)
    weights = np.stack([_weights(index, e, X, sample, seed) for index in chosen])
    details = {"weights": weights, "indices": tuple(_name(index) for index in chosen)}
    if not reconcile:
        graph = coassociation(_weighted(e, weights.mean(axis=0)))
    else:
        each = [link(coassociation(_weighted(e, row)), linkage) for row in weights]
        found = [tree.cut_longest_lifetime() if k is None else tree.cut(k) for tree in each]
        graph = coassociation(Ensemble._of_labels(found, e.object_weights))
    return cut_tree(graph, link(graph, linkage), k, **details)


def _chosen(indices: Sequence[Index] | Index | None, X: Any) -> Sequence[Index]:
    if indices is None:
        return ("nmi",) if X is None else ("huber_gamma", "dunn", "nmi")
    if not (isinstance(indices, (str, Sequence)) or callable(indices)):
        raise TypeMismatch.about("indices", indices, "names such as ['silhouette', 'nmi']")
    many = [indices] if isinstance(indices, str) or callable(indices) else list(indices)
    if not many:
        raise InputError("No index was given; expected at least one, such as 'nmi' or 'silhouette'.")
    return many


def _name(index: Index) -> str:
    return index if isinstance(index, str) else getattr(index, "__name__", repr(index))


def _weights(index: Index, e: Ensemble, X: Any, sample: int, seed: Seed) -> FloatArray:
    """One index for every partition, from 0 to 1."""
    if callable(index):
        return _called(index, e, X)
    if index in INDICES:
        if X is None:
            raise InputError(f"The index {quote(index)} needs the features; give X, or indices such as 'nmi'.")
        return internal_weights(X, e, index, sample=sample, seed=seed)
    if index in EXTERNAL:
        return agreement_weights(e, index)
    known = ", ".join([*INDICES, *EXTERNAL])
    raise InputError(f"The index {quote(index)} was given; expected a callable or one of {known}.")


def _called(index: Callable[..., Any], e: Ensemble, X: Any) -> FloatArray:
    extra = () if X is None else (X,)
    labels, names = e.labels, _asked(index)
    with named_failure(f"The index {_name(index)}"):
        try:
            values = np.array(
                [
                    float(
                        index(**{name: {"labels": labels[:, t], "X": X, "ensemble": e}[name] for name in names})
                        if names
                        else index(labels[:, t], *extra)
                    )
                    for t in range(e.n_partitions)
                ]
            )
        except TypeError as error:
            takes = f"a label vector{' and X' if extra else ''}"
            raise TypeMismatch(f"The index {_name(index)} must take {takes} and return a number: {error}.") from error
    if not ((values >= 0) & (values <= 1)).all():
        raise InputError(f"The index {_name(index)} gave {values.min():g} to {values.max():g}; expected 0 to 1.")
    return values


def _asked(index: Callable[..., Any]) -> tuple[str, ...]:
    """Which of labels, X and ensemble are named in a function's signature; none if it takes them by position only."""
    try:
        named = inspect.signature(index).parameters
    except (TypeError, ValueError):  # written in C
        return ()
    asked = tuple(name for name in ("labels", "X", "ensemble") if name in named)
    return asked if "labels" in asked else ()


#: agreement of two partitions as a number from 0 to 1, given the measure and the number of objects
EXTERNAL: dict[str, Callable[[FloatArray, float], FloatArray]] = {
    "nmi": lambda values, n: values,
    "ari": lambda values, n: np.maximum(values, 0.0),
    "rand": lambda values, n: values,
    "vi": lambda values, n: 1.0 - np.minimum(values / max(np.log(n), 1e-300), 1.0),
    "mirkin": lambda values, n: 1.0 - values / max(n * (n - 1) / 2, 1.0),
    "purity": lambda values, n: values,
}


def agreement_weights(e: Ensemble, measure: str = "nmi") -> FloatArray:
    """Weighted mean agreement of every partition with the others, from 0 to 1; 1 if there are none. O(nB²).

    Copies of a partition agree in any case: they do not vouch for each other, and count as one with their weight.
    """
    distinct = Distinct.of(e, None)
    if distinct is not None:
        return agreement_weights(distinct.ensemble, measure)[distinct.partitions]
    if e.n_partitions == 1:
        return np.ones(1)
    between, others = agreements(e, measure)
    values, weight, itself = (
        EXTERNAL[measure](between, float(e.object_weights.sum())),
        e.weights[others],
        np.zeros(e.n_partitions),
    )
    itself[others] = values[others, np.arange(len(others))] * weight
    own = np.bincount(others, weight, e.n_partitions)
    return divide(values @ weight - itself, weight.sum() - own)


def _weighted(e: Ensemble, weights: FloatArray) -> Ensemble:
    """The ensemble with its weights multiplied; unchanged if all weights would be 0.

    If some objects have labels only in partitions of weight 0, these partitions keep a tiny weight. It decides for
    pairs without any other evidence, and is negligible otherwise.
    """
    product = e.weights * weights
    if not product.any():
        warn(
            "The validity indices gave every partition weight 0, so the partitions keep their original weights.",
            FallbackWarning,
        )
        return e
    kept = e.reweight(product)
    if not kept.present[e.present].all():
        kept = e.reweight(np.where((product > 0) | (e.weights == 0), product, _TRACE * product.max()))
    return kept
