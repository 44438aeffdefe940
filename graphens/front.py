"""The front door: one call from labels to a consensus, which says what it tried and why."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._arrays import Seed, reported_seed, whole
from ._compat import accepts_old
from .choose.choice import Choice
from .choose.connected import connected
from .choose.rules import Rule, apply_rule
from .core.ensemble import Ensemble, Labels
from .core.result import Consensus
from .errors import DegenerateWarning, InputError, warn
from .families.panel import Tried, call, compete, settle
from .families.registry import find_method
from .steps.prepared import Prepared
from .views.doubts import doubts, most_clusters, warn_of

PANEL = ("lwgp", "lwea")  # both grow with n no faster than O(nB²), and neither prefers clusters of even size
_ELSEWHERE = {"n_clusters": "k", "random_state": "seed", "n_components": "k"}


@accepts_old()
def consensus(
    labels: Labels,
    k: int | None = None,
    method: str = "auto",
    seed: Seed = None,
    *,
    rule: str | Rule | None = None,
    **options: Any,
) -> Consensus:
    """Turn many clusterings of the same objects into one.

    Parameters
    ----------
    labels
        An Ensemble, or anything Ensemble takes: objects in rows, partitions in columns.
    k
        Number of clusters. By default ``"auto"`` chooses it by `rule`; a named method does as it does without k,
        unless a rule is given.
    method
        A name from `graphens.methods`, or ``"auto"``: run lwgp and lwea and keep the answer in which objects are most
        clearly together with their own cluster and best connected inside it (the larger sum of
        `measures.reliable_silhouette` and `measures.path_silhouette`, answers without a cluster of a few objects
        first); but where the two differ, the k connected pieces of `islands`, or of single link, if they are better
        connected.
    seed
        The same seed gives the same answer.
    rule
        How to choose k where it is not given: ``"eigengap"`` (the default of ``"auto"``), ``"lifetime"``,
        ``"stability"``, ``"pac"``, ``"agreement"``, see `choose_k`; or a function ``(ensemble, generator) -> k``.
    **options
        Options of the named method. For ``"auto"``: `panel`, the names of the methods to try, and `by`, ``"both"``
        silhouettes (the default), the reliable ``"silhouette"`` or ``"anmi"``.

    Returns
    -------
    Consensus
        The winner's own result: ``r.method`` and ``r.options`` repeat it. With ``"auto"``, ``r.details["auto"]`` has
        `why` in words, the `rule` and its figures, and `tried`: method, k, score, seconds and notes of each attempt.

    Notes
    -----
    O(nB²) in all. Answers with exactly k clusters are preferred to answers with fewer. Neither score can choose k,
    hence the separate rule.

    References
    ----------
    Huang, Wang and Lai, Locally weighted ensemble clustering, 2018. Strehl and Ghosh, Cluster ensembles, 2002 (keeping
    the best of several).

    Examples
    --------
    >>> import graphens as ge
    >>> r = ge.consensus(
    ...     [[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]], seed=0
    ... )
    >>> r.labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    >>> r.details["auto"]["why"].split("; ")[0]
    'after 3 clusters leaving a group suddenly becomes easy (strength 1.69, 1 is enough)'
    """
    e = Ensemble.of(labels)
    number = reported_seed(seed)
    _check_names(options)
    if method == "auto":
        return _auto(e, k, number, "eigengap" if rule is None else rule, **options)
    row = find_method(method)
    if rule is not None and "rule" in inspect.signature(row.function).parameters:
        options, rule = {**options, "rule": rule}, None  # the method's own option of that name
    if k is None and rule is not None:
        choice = _choice(e, None, number, rule)
        found = call(row, e, choice.k, number, **options)
        return found._with_details(choice=choice)
    return call(row, e, k, number, **options)


def _check_names(options: dict[str, Any]) -> None:
    for name in options:
        if name in _ELSEWHERE:
            raise InputError(f"{name} was given; here it is called {_ELSEWHERE[name]}.")


def _auto(
    e: Ensemble,
    k: int | None,
    seed: int,
    rule: str | Rule,
    *,
    panel: Sequence[str] = PANEL,
    by: str = "both",
    **more: Any,
) -> Consensus:
    if more:
        raise InputError(
            f"method = 'auto' has no option {', '.join(sorted(more))}; its options are panel, by and rule. "
            "Name a method to give it options."
        )
    choice = _choice(e, k, seed, rule)
    warn_of(doubts(e, k))
    best, tried = compete(tuple(panel), e, choice.k, seed, by)
    said = _comparison(best, tried)
    rest = settle(best, e)
    if rest is not best:
        said, best = (
            f"{said}; {rest.details['moved']:.0%} of its objects moved to where they are together most",
            rest,
        )
    if tuple(panel) == PANEL and by == "both" and choice.k > 1:
        pieces, others, because = connected(e, choice.k, seed, best, tried)
        tried = [*tried, *others]
        if pieces is not None and not np.array_equal(pieces.labels, best.labels):
            best, said = pieces, f"{pieces.method} is preferred to {best.method}: {because}"
        elif pieces is None and because:
            said = f"{said}; {because}, but connected pieces are no better"
    why = f"{choice.why}; {said}"
    if 0 < best.k < choice.k:
        short = f"no method of the panel gave {choice.k} clusters, {best.method} gave {best.k}"
        warn(f"k = {choice.k}: {short}; the others hold no object.", DegenerateWarning)
        why = f"{why}; {short}"
    figures = ({"rule": choice.rule} if choice.rule else {}) | dict(choice.figures)
    report = {
        "why": why,
        "k": choice.k,
        "optional": choice.optional,
        **figures,
        "tried": [t.row() for t in tried],
    }
    return best._with_details(auto=report)


def _choice(e: Ensemble, k: int | None, seed: int, rule: str | Rule) -> Choice:
    """The number of clusters that was asked for, or the rule's."""
    aside = Prepared.of(e)
    if k is not None:
        k = whole("k", k, 1, max(int(aside.present.sum()), 1))
        asked = f"{k} clusters were asked for" if k > 1 else "one cluster was asked for"
        most = most_clusters(e, k)
        return Choice(most, asked if most == k else f"{asked} and the labels tell {most} apart")
    if not aside.anyone:
        return Choice(1, "no object has a label")
    choice = apply_rule(rule, aside.ensemble, seed)
    if choice.k == 1 and choice.optional:
        warn(
            f"{choice.why[0].upper()}{choice.why[1:]}: one cluster is the answer. Give k.", DegenerateWarning
        )
    return choice


def _comparison(best: Consensus, tried: list[Tried]) -> str:
    """Why this answer, in words."""
    if best.k == 1:
        return "all objects are together"
    if len(tried) == 1:
        return f"{best.method} is the only method of the panel"
    answers = [t for t in tried if t.result is not None]
    if len(answers) > 1 and all(np.array_equal(t.result.labels, best.labels) for t in answers if t.result):
        return f"{' and '.join(t.method for t in answers)} give the same clusters"
    values = {t.method: t.value for t in answers}
    rest = ", ".join(f"{value:.3f} for {name}" for name, value in values.items() if name != best.method)
    meant = _MEANING.get(tried[0].by, "")
    against = f" against {rest}" if rest else ""
    return f"{best.method} is preferred: {meant}, {values[best.method]:.3f}{against}"


_MEANING = {
    "both": "its objects are most clearly with their own cluster and best connected in it (reliable + path silhouette)",
    "silhouette": "its objects are most clearly together with their own cluster (reliable silhouette)",
    "anmi": "it shares most information with the partitions (ANMI)",
}
