"""The front door: one call from labels to a consensus, which says what it tried and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from ._arrays import Seed, generator, reported_seed, whole
from .core.ensemble import Ensemble
from .core.result import Consensus
from .errors import DegenerateWarning, InputError, warn
from .families.panel import Tried, call, compete
from .families.registry import find_method
from .linkage import link
from .views.coassociation import coassociation

_SMALL = 3000  # distinct label rows up to which the panel may take quadratic time
_SHORT = 0.1  # a longest lifetime below this says little
_SAMPLE = 4000  # objects whose dendrogram decides on k where there are more


@dataclass(frozen=True)
class Choice:
    """A number of clusters, why it was chosen, and the figures behind it."""

    k: int
    why: str
    figures: Mapping[str, Any] = field(default_factory=dict)


#: (ensemble, generator) -> a Choice, or just k
Rule: TypeAlias = Callable[[Ensemble, np.random.Generator], "Choice | int"]


def longest_lifetime(e: Ensemble, rng: np.random.Generator) -> Choice:
    """Choose the k that lives longest in the average-link dendrogram of the co-association graph.

    Candidates go up to the largest number of clusters of a partition: finer clusterings live on the differences of
    single partitions. Of more than 4,000 objects a random sample decides. O(ñ²B) for the ñ distinct rows of at most
    4,000 objects. A warning says when even the longest lifetime is short.
    """
    drawn = e.n_objects > _SAMPLE
    seen = e.take(objects=np.sort(rng.choice(e.n_objects, _SAMPLE, replace=False))) if drawn else e
    tree = link(coassociation(seen), "average")
    lengths = tree.lifetimes()
    k = tree.longest_lifetime(int(e.n_clusters.max()))
    if lengths[k] < _SHORT:
        warn(
            f"No number of clusters stands out: k = {k} lives longest, and only for {lengths[k]:.2g} of 1. "
            "Give k, or look at r.details['auto']['lifetimes'].",
            DegenerateWarning,
        )
    of = f"a sample of {_SAMPLE} objects" if drawn else "all objects"
    why = f"{k} clusters live longest ({lengths[k]:.3g}) in the average-link dendrogram of {of}"
    longest = sorted(lengths, key=lambda size: -lengths[size])[:10]
    return Choice(k, why, {"lifetimes": {size: lengths[size] for size in sorted(longest)}})


RULES: dict[str, Rule] = {"lifetime": longest_lifetime}


def consensus(
    labels: Any, k: int | None = None, method: str = "auto", seed: Seed = None, **options: Any
) -> Consensus:
    """Turn many clusterings of the same objects into one.

    Parameters
    ----------
    labels
        An Ensemble, or anything Ensemble takes: objects in rows, partitions in columns.
    k
        Number of clusters. By default ``"auto"`` chooses it by `rule`; a named method does as it does without k.
    method
        A name from `graphens.methods`, or ``"auto"``: run a small panel of scalable methods and keep the answer that
        shares most information with the ensemble (the largest ANMI).
    seed
        The same seed gives the same answer.
    **options
        Options of the named method. For ``"auto"``: `panel`, the names of the methods to try; `rule`, how to choose k:
        ``"lifetime"`` (the k that lives longest in the average-link dendrogram, up to the largest number of clusters of
        a partition, of a sample of 4,000 objects where there are more) or a function ``(ensemble, generator) -> k``.

    Returns
    -------
    Consensus
        The winner's own result: ``r.method`` and ``r.options`` repeat it. With ``"auto"``, ``r.details["auto"]`` has
        `why` in words, the `rule` and its figures, and `tried`: method, k, score, seconds and notes of each attempt.

    Notes
    -----
    The panel is lwgp, mcla and vote, which grow with n no faster than O(nB²), and lwea, which is quadratic, up to 3,000
    distinct label rows. ANMI compares answers with the same k; it cannot choose k, because it grows with the number of
    clusters. Hence the separate rule.

    References
    ----------
    Strehl and Ghosh, Cluster ensembles, 2002 (choosing by ANMI). Fred and Jain, Combining multiple clusterings using
    evidence accumulation, 2005 (lifetimes).

    Examples
    --------
    >>> import graphens as ge
    >>> r = ge.consensus(
    ...     [[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]], seed=0
    ... )
    >>> r.labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    >>> r.details["auto"]["why"].split("; ")[0]
    '3 clusters live longest (0.5) in the average-link dendrogram of all objects'
    """
    e = Ensemble.of(labels)
    number = reported_seed(seed)
    if method == "auto":
        return _auto(e, k, number, **options)
    return call(find_method(method), e, k, number, **options)


def _auto(
    e: Ensemble,
    k: int | None,
    seed: int,
    *,
    panel: Sequence[str] | None = None,
    rule: str | Rule = "lifetime",
    **more: Any,
) -> Consensus:
    if more:
        raise InputError(
            f"method = 'auto' has no option {', '.join(sorted(more))}; its options are panel and rule. "
            "Name a method to give it options."
        )
    present = e.present
    inside = e if present.all() or not present.any() else e.take(objects=present)
    if k is not None:
        choice = Choice(whole("k", k, 1, max(int(present.sum()), 1)), f"{k} clusters were asked for")
    elif present.any():
        choice = _chosen(inside, rule, seed)
    else:
        choice = Choice(1, "no object has a label")
    names = tuple(panel) if panel is not None else scalable(inside)
    best, tried = compete(names, e, choice.k, seed)
    why = f"{choice.why}; {_comparison(best, tried)}"
    said = {"why": why, "k": choice.k, **choice.figures, "tried": [t.row() for t in tried]}
    return replace(best, details={**best.details, "auto": said})


def _chosen(e: Ensemble, rule: str | Rule, seed: int) -> Choice:
    if isinstance(rule, str) and rule not in RULES:
        raise InputError(f"rule = {rule!r} was given; expected one of {', '.join(RULES)}, or a function.")
    name = rule if isinstance(rule, str) else getattr(rule, "__name__", "the given rule")
    found = (RULES[rule] if isinstance(rule, str) else rule)(e, generator(seed))
    choice = found if isinstance(found, Choice) else Choice(found, f"{found} clusters by {name}")
    return replace(choice, k=whole("k", choice.k, 1, e.n_objects), figures={"rule": name, **choice.figures})


def scalable(e: Ensemble) -> tuple[str, ...]:
    """Return the panel for an ensemble: methods linear in n, and quadratic ones where few label rows are distinct."""
    few = e.n_objects <= _SMALL or e.collapse()[0].n_objects <= _SMALL
    return ("lwgp", "mcla", "vote", *(("lwea",) if few else ()))


def _comparison(best: Consensus, tried: list[Tried]) -> str:
    if len(tried) == 1:
        return f"{best.method} is the only method of the panel"
    return f"{best.method} has the largest ANMI, {best.score:.3f}, of {', '.join(t.method for t in tried)}"
