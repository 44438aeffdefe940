"""Every consensus function is one short function and one registry row.

The decorator `consensus_function` is the row. It also does, once for all methods, what each of them would otherwise
repeat: read the labels, set objects without any label aside, check k and the seed, and turn what the function found
into a `Consensus` with canonical labels, membership, confidence and score.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ParamSpec

import numpy as np

from .._arrays import MISSING, AnyArray, FloatArray, canonical, reported_seed, whole
from ..core.dendrogram import Dendrogram
from ..core.ensemble import Ensemble
from ..core.result import Consensus
from ..cutting.registry import find_partitioner
from ..errors import DegenerateWarning, InputError, meant, warn
from ..measures.agreement import anmi
from ..steps.outcome import Outcome
from ..views.membership import Overlap
from .references import bibtex

P = ParamSpec("P")


@dataclass(frozen=True)
class Method:
    """A row of the registry.

    Attributes
    ----------
    name, family
        What it is called, and whose kin it is.
    graph
        The graph it works on.
    needs_k
        Whether it needs the number of clusters; otherwise ``k=None`` lets it choose.
    balanced
        Whether its partitioner prefers parts of equal size.
    membership
        Where the membership comes from: its own model or co-association with the clusters.
    missing
        What it does with missing labels.
    cost
        Time in n objects, B partitions, K base clusters and k clusters.
    reference
        The paper.
    function
        The consensus function itself.
    """

    name: str
    family: str
    graph: str
    needs_k: bool
    balanced: bool
    membership: str
    missing: str
    cost: str
    reference: str
    function: Callable[..., Consensus]

    def cite(self) -> str:
        """Return the BibTeX of its papers, with DOI where there is one."""
        return bibtex(self.reference)


_METHODS: dict[str, Method] = {}


def methods() -> list[Method]:
    """Return the registry: one row per consensus function.

    Examples
    --------
    >>> import graphens as ge
    >>> all(row.reference for row in ge.methods())
    True
    """
    return list(_METHODS.values())


def find_method(name: str) -> Method:
    """Return the row of a method by its name."""
    if name not in _METHODS:
        raise InputError(
            f"method = {name!r} was given; expected one of {', '.join(sorted(_METHODS))}.{meant(name, _METHODS)}"
        )
    return _METHODS[name]


def consensus_function(
    *,
    family: str,
    graph: str,
    missing: str,
    cost: str,
    reference: str,
    needs_k: bool = True,
    balanced: bool = False,
    membership: str = "co-association",
    per_object: tuple[str, ...] = (),
    neighbor_lists: tuple[str, ...] = (),
) -> Callable[[Callable[P, Outcome]], Callable[P, Consensus]]:
    """Enter a function into the registry and give it the common beginning and end.

    Parameters
    ----------
    family, graph, missing, cost, reference, needs_k, balanced, membership
        The registry row, see `Method`.
    per_object
        Names of parameters with one row per object, such as features: objects without any label leave them too.
    neighbor_lists
        Names of parameters with one row of object numbers per object: rows of objects without any label are taken out,
        and the others renumbered, −1 where they named one of those.
    """

    def decorate(function: Callable[P, Outcome]) -> Callable[P, Consensus]:
        signature = inspect.signature(function)
        name = function.__name__

        @functools.wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> Consensus:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = bound.arguments
            first = next(iter(given))
            e = Ensemble.of(given.pop(first))
            asked = given.get("k") if needs_k else None
            present = e.present
            whole_e, inside = e, bool(present.all())
            _settle(given, e, int(np.count_nonzero(present)), needs_k=needs_k)
            if not present.any():
                return _finished(name, e, Outcome(np.full(e.n_objects, MISSING)), present, given)
            if not inside:
                named = e.replace(object_names=e.vertex_names().array())  # x7 stays x7 where x0 is set aside
                e = named.take(objects=present)
            call = {
                key: _renumbered(value, present)
                if key in neighbor_lists
                else _rows(key, value, per_object, present)
                for key, value in given.items()
            }
            outcome = function(e, **call)  # type: ignore[arg-type]
            found = _finished(name, whole_e, outcome, present, given)
            if asked is not None and found.k < asked:
                warn(
                    f"k = {asked} was asked for and {found.k} clusters were found: the others hold no object.",
                    DegenerateWarning,
                )
            return found

        row = Method(name, family, graph, needs_k, balanced, membership, missing, cost, reference, run)
        _METHODS[name] = row
        run.__signature__ = signature.replace(return_annotation=Consensus)  # type: ignore[attr-defined]
        return run

    return decorate


def _settle(given: dict[str, Any], e: Ensemble, n_present: int, *, needs_k: bool) -> None:
    """Check k and the seed; fill in the default k of a method that needs one, and a seed that can be reported."""
    if "k" in given:
        if given["k"] is None and needs_k and not _finds_k(given.get("partitioner")):
            given["k"] = max(1, min(int(e.n_clusters.max()), n_present))
        elif given["k"] is not None:
            given["k"] = whole("k", given["k"], 1, max(n_present, 1))
    if "seed" in given:
        given["seed"] = reported_seed(given["seed"])


def _finds_k(partitioner: Any) -> bool:
    """Whether the partitioner that a method was given chooses the number of parts itself."""
    return partitioner is not None and find_partitioner(partitioner).finds_k


def _rows(key: str, value: Any, per_object: tuple[str, ...], present: AnyArray) -> Any:
    if key not in per_object or value is None or present.all():
        return value
    value = value.labels if isinstance(value, Consensus) else value
    if np.ndim(value) == 0:
        return value
    return (
        value.iloc[present]
        if hasattr(value, "iloc")
        else value[present]
        if hasattr(value, "shape")
        else np.asarray(value)[present]
    )


def _renumbered(neighbors: Any, present: AnyArray) -> Any:
    """Neighbour lists of the objects that have labels, in their own numbers."""
    given = np.asarray(neighbors)
    if neighbors is None or given.ndim != 2 or len(given) != len(present) or present.all():
        return neighbors
    if (
        not np.issubdtype(given.dtype, np.integer)
        or given.min(initial=0) < -1
        or given.max(initial=-1) >= len(present)
    ):
        return neighbors  # for the method to refuse
    number = np.append(np.where(present, np.cumsum(present) - 1, MISSING), MISSING)
    return number[given[present]]


def _finished(
    name: str, e: Ensemble, outcome: Outcome, present: AnyArray, options: Mapping[str, Any]
) -> Consensus:
    """Canonical labels for all objects, membership and confidence, score."""
    raw = np.full(e.n_objects, MISSING, dtype=np.int64)
    raw[present] = (
        outcome.labels if len(outcome.labels) == np.count_nonzero(present) else outcome.labels[present]
    )
    labels = canonical(raw)
    k = int(labels.max(initial=-1)) + 1
    source: Overlap | FloatArray = Overlap(e, labels, k)
    if outcome.membership is not None:
        source = _arranged(outcome.membership, raw, labels, k, present)
    tree = outcome.dendrogram
    if (
        tree is not None and tree.n_objects == np.count_nonzero(present) < e.n_objects
    ):  # else a tree of clusters
        index = np.full(e.n_objects, MISSING, dtype=np.int64)
        index[present] = tree.index
        tree = Dendrogram(tree.merges, leaf_weights=tree.leaf_weights, index=index, names=e.vertex_names())
    return Consensus(
        labels=labels,
        k=k,
        source=source,
        score=anmi(labels, e),
        method=name,
        options=dict(options),
        graph=outcome.graph,
        dendrogram=tree,
        details=dict(outcome.details),
        names=e.vertex_names(),
    )


def _arranged(
    membership: FloatArray, raw: AnyArray, labels: AnyArray, k: int, present: AnyArray
) -> FloatArray:
    """Put the columns of a method's own membership in the order of the final labels; rows sum to 1."""
    first = np.unique(labels, return_index=True)[1][-k:] if k else np.empty(0, dtype=np.int64)
    arranged = np.zeros((len(labels), k))
    arranged[present] = (
        membership[:, raw[first]] if len(membership) < len(labels) else membership[present][:, raw[first]]
    )
    arranged[labels < 0] = 0
    total = arranged.sum(axis=1, keepdims=True)
    return np.divide(arranged, total, out=arranged, where=total > 0)
