"""`consensus`: from labels to one clustering, by a given method or the automatic choice."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .._arrays import Seed, as_int, reported_seed
from .._compat import accepts_old
from ..choose.choice import Choice
from ..choose.rules import Rule, apply_rule
from ..core.dendrogram import TIE
from ..core.ensemble import Ensemble, Labels
from ..core.result import Consensus
from ..errors import DegenerateWarning, InputError, warn
from ..families.registry import find_method
from ..families.trials import CRITERIA, Trial, attempt, call, compete, has_small_cluster
from ..measures.agreement import pairwise
from ..measures.silhouettes import PathSilhouettes
from ..steps.outcome import Outcome
from ..steps.policy import POLICY
from ..steps.prepared import Prepared, finished
from ..views.affinity import Affinity
from ..views.doubts import doubts, most_clusters, warn_of

if TYPE_CHECKING:
    from ..steps.constraints import Pairs


PIECES = "islands"  # the method that finds connected pieces


@dataclass(frozen=True)
class Remedy:
    """What was tried about an answer: the one to take instead (None: keep it), why in words, and the trials."""

    result: Consensus | None = None
    why: str = ""
    trials: tuple[Trial, ...] = ()


def settle(best: Consensus, e: Ensemble) -> Remedy:
    """Move the objects of an answer that contradicts itself to where they are together most.

    Where at least a tenth of the objects is together more with another cluster on the mean, all of those move, again
    and again until fewer than one in a hundred do. Nothing is done where fewer would move at first, where they do not
    come to rest, or where a cluster would vanish. ``details["moved"]`` has the first share. O(nBk) a round.
    """
    labels, shares = np.array(best.labels), list[float]()
    while not shares or (
        shares[0] >= POLICY.contradiction and shares[-1] >= POLICY.rest and len(shares) < POLICY.rounds
    ):
        near = labels.copy()
        near[labels >= 0] = Affinity(e, labels, best.k).nearest(np.flatnonzero(labels >= 0))
        shares.append(float(np.average(near != labels, weights=e.object_weights)))
        labels = near
    first, last = shares[0], shares[-1]
    if first < POLICY.contradiction or last >= POLICY.rest or len(np.unique(labels[labels >= 0])) < best.k:
        return Remedy()
    details = {**best.details, "moved": first}
    outcome = Outcome(labels, graph=best.graph, index=best.vertices, details=details)
    said = f"{first:.0%} of its objects moved to the cluster they are most often together with"
    return Remedy(finished(best.method, Prepared.of(e), outcome, best.options), said)


def connect(e: Ensemble, k: int, seed: Seed, best: Consensus, panel: Sequence[Trial]) -> Remedy:
    """Find the connected pieces to be preferred to the panel's best answer: clusters may have any shape.

    Where the methods of the panel, which work differently, give the same clusters, these are believed. Where they do
    not, it may be the shape of the clusters. The k large pieces of `islands`, where they live long enough; where they
    do not, single link at k, if none of its clusters has fewer than three objects. Either must be better connected
    inside than the panel's answer: a path silhouette larger by a twentieth, and at least one half where a cluster holds
    less than a tenth of the mean size: single link also splits off a few odd objects of overlapping clusters. Large
    pieces are always preferred to an answer with a cluster of a few objects.
    """
    odd, alike = has_small_cluster(best, e), agreement(panel, e)
    if not odd and alike >= POLICY.same:
        return Remedy()
    large = _by_lifetime(attempt(PIECES, e, k, seed))
    trials: tuple[Trial, ...] = (large,)
    found = large.result
    if found is not None and found.k == k and odd and not has_small_cluster(found, e):
        because = f"{best.method} has a cluster of less than a tenth of the mean size"
        return Remedy(found, f"{found.method} is preferred to {best.method}: {because}", trials)
    if alike >= POLICY.same:
        return Remedy(trials=trials)
    differ = f"{' and '.join(t.method for t in panel)} differ (ARI {alike:.2f})"
    no_better = f"{differ}, but connected pieces are no better"
    if found is None or found.k != k or not _lives_long(large, e):
        single = _by_lifetime(attempt(PIECES, e, k, seed, share=0.0))
        single = replace(single, note=f"Single link: no small piece set aside. {single.note}".strip())
        trials, found = (large, single), single.result
        if found is None or found.k != k or found.details["smallest"] < POLICY.group:
            return Remedy(None, no_better, trials)
    paths = PathSilhouettes(e)
    inside, before = paths(found.labels), paths(best.labels)
    if inside - before < POLICY.gain or (has_small_cluster(found, e) and inside < POLICY.reasonable):
        return Remedy(None, no_better, trials)
    why = (
        f"{found.method} is preferred to {best.method}: its clusters are better connected inside than across "
        f"(path silhouette), {inside:.3f} against {before:.3f}, and {differ}"
    )
    return Remedy(found, why, trials)


def agreement(panel: Sequence[Trial], e: Ensemble) -> float:
    """The smallest adjusted Rand index of two answers of a panel, by the weights of the objects; 0 where one failed."""
    answers = [t.result.labels for t in panel if t.result is not None]
    if len(answers) < len(panel):
        return 0.0
    return float(pairwise(Ensemble.from_partitions(answers, object_weights=e.object_weights), "ari").min())


def _lives_long(pieces: Trial, e: Ensemble) -> bool:
    """Whether pieces live for a share of the partitions that is evidence, and for two of them at least."""
    counted = max(int(np.count_nonzero(e.weights > 0)), 1)
    return (pieces.value or 0.0) >= max(POLICY.lifetime, POLICY.votes / counted) - TIE


def _by_lifetime(trial: Trial) -> Trial:
    return (
        trial
        if trial.result is None
        else replace(trial, criterion="lifetime", value=trial.result.details["lifetime"])
    )


def auto(
    e: Ensemble,
    k: int | None,
    seed: int,
    rule: str | Rule,
    *,
    panel: Sequence[str] = POLICY.panel,
    by: str = "both",
    **more: Any,
) -> Consensus:
    """Return the best answer of a panel, as `consensus` describes it."""
    if more:
        raise InputError(
            f"method = 'auto' has no option {', '.join(sorted(more))}; its options are panel, by and rule. "
            "Name a method to give it options."
        )
    choice = choose(e, k, seed, rule)
    warn_of(doubts(e, k))
    best, said, trials = _mended(e, choice.k, seed, panel, by)
    if "placed_last" in best.details:
        said.append(_placed_last(best.details["placed_last"], int((best.labels[e.present] < 0).sum())))
    if 0 < best.k < choice.k:
        said.append(f"no method of the panel gave {choice.k} clusters, {best.method} gave {best.k}")
        warn(f"k = {choice.k}: {said[-1]}; the others hold no object.", DegenerateWarning)
    return _told(best, choice, "; ".join(filter(None, [choice.why, *said])), trials)


def _mended(
    e: Ensemble, k: int, seed: int, panel: Sequence[str], by: str
) -> tuple[Consensus, list[str], list[Trial]]:
    """The best answer of the panel, mended where it has to be; what decided, in words, and what was tried."""
    best, trials = compete(tuple(panel), e, k, seed, by)
    said = [_comparison(best, trials)]
    moved = settle(best, e)
    if moved.result is not None:
        best = moved.result
        said.append(moved.why)
    if tuple(panel) == POLICY.panel and by == "both" and k > 1:
        pieces = connect(e, k, seed, best, trials)
        trials += pieces.trials
        if pieces.result is None:
            said.append(pieces.why)
        elif not np.array_equal(pieces.result.labels, best.labels):
            best, said = pieces.result, [pieces.why]
    return best, said, trials


def choose(e: Ensemble, k: int | None, seed: int, rule: str | Rule) -> Choice:
    """Return the number of clusters that was asked for, or the rule's."""
    ready = Prepared.of(e)
    if k is not None:
        k = as_int("k", k, 1, max(int(ready.present.sum()), 1))
        asked = f"{k} clusters were asked for" if k > 1 else "one cluster was asked for"
        most = most_clusters(e, k)
        return Choice(most, asked if most == k else f"{asked}, but the labels distinguish only {most}")
    if not ready.anyone:
        return Choice(1, "no object has a label")
    choice = replace(apply_rule(rule, ready.ensemble, seed), _backend=e._backend)
    if choice.k == 1 and choice.optional:
        warn(
            f"{choice.why[0].upper()}{choice.why[1:]}: one cluster is the answer. Give k.", DegenerateWarning
        )
    return choice


def _comparison(best: Consensus, trials: list[Trial]) -> str:
    """Why this answer of the panel, in words."""
    if best.k == 1:
        return "all objects are together"
    if len(trials) == 1:
        return f"{best.method} is the only method of the panel"
    answers = [t for t in trials if t.result is not None]
    if len(answers) > 1 and all(np.array_equal(t.result.labels, best.labels) for t in answers if t.result):
        return f"{' and '.join(t.method for t in answers)} give the same clusters"
    own = next(t for t in answers if t.result is best)
    rest = ", ".join(f"{t.value:.3f} for {t.method}" for t in answers if t is not own)
    against = f" against {rest}" if rest else ""
    return f"{best.method} is preferred: {CRITERIA[own.criterion].meaning}, {own.value:.3f}{against}"


def _placed_last(number: int, none: int) -> str:
    """What became of the objects that only worthless partitions know, in words."""
    unplaced = f", {none} of them in no cluster" if none else ""
    return f"objects that only partitions agreeing with the others by chance know were placed last: {number}{unplaced}"


def _told(best: Consensus, choice: Choice, why: str, trials: list[Trial]) -> Consensus:
    """The answer with what decided it; ``details["auto"]`` has the same under its old name."""
    figures = ({"rule": choice.rule} if choice.rule else {}) | dict(choice.figures)
    report = {"why": why, "k": choice.k, "optional": choice.optional, **figures}
    kept = tuple(replace(t, result=None) for t in trials)
    return best._replace(
        why=why,
        trials=kept,
        choice=choice if choice.rule else None,
        details={**best.details, "auto": report | {"tried": [t.row() for t in kept]}},
    )


_ELSEWHERE = {"n_clusters": "k", "random_state": "seed", "n_components": "k"}


@accepts_old()
def consensus(
    labels: Labels,
    k: int | None = None,
    method: str = "auto",
    seed: Seed = None,
    *,
    rule: str | Rule | None = None,
    must_link: Pairs | None = None,
    cannot_link: Pairs | None = None,
    **options: Any,
) -> Consensus:
    """Turn many clusterings of the same objects into one.

    Parameters
    ----------
    labels
        An Ensemble, or anything Ensemble takes: objects in rows, partitions in columns.
    k
        Number of clusters. By default ``"auto"`` chooses it by `rule`; a named method behaves as it does
        without k, unless a rule is given.
    method
        A name from `graphens.methods`, or ``"auto"``: run lwgp and lwea and keep the answer in which objects are most
        clearly together with their own cluster and best connected inside it (the larger sum of
        `measures.reliable_silhouette` and `measures.path_silhouette`, answers without a cluster of a few objects
        first). If at least a tenth of the objects are together more often with another cluster, they move there.
        Where the two methods differ, the k connected pieces of `islands`, or of single link, are taken if they are
        better connected.
    seed
        The same seed gives the same answer.
    rule
        How to choose k where it is not given: ``"eigengap"`` (the default of ``"auto"``), ``"lifetime"``,
        ``"stability"``, ``"pac"``, ``"agreement"``, see `choose_k`; or a function ``(ensemble, generator) -> k``.
    must_link, cannot_link
        Pairs of objects' names that have to be together, or apart, in the answer: a step after any method, which moves
        what loses least by it; see `Consensus.constrained`.
    **options
        Options of the named method. For ``"auto"``: `panel`, the names of the methods to try, and `by`, ``"both"``
        silhouettes (the default), the reliable ``"silhouette"`` or ``"anmi"``.

    Returns
    -------
    Consensus
        The winner's own result: ``r.method`` and ``r.options`` repeat it. ``r.why`` says what decided k and the answer,
        ``r.choice`` is the `Choice` of k where it was not given, ``r.trials`` has one entry for each method that was
        tried. ``r.details["moved"]`` exists if objects of the winner's answer were moved; then only ``"auto"`` repeats
        it.

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
    >>> print(r.why.partition(")")[0] + ")")
    largest relative eigengap at k = 3 (strength 1.69; above 1 counts as clear)
    >>> [trial.method for trial in r.trials]
    ['lwgp', 'lwea']
    """
    e = Ensemble.of(labels)
    number = reported_seed(seed)
    _check_names(options)
    asked_for = {"method": method, "k": k, "seed": number, "rule": rule, **options}
    if must_link is None and cannot_link is None:
        return _found(e, k, method, number, rule, options)._replace(_call=asked_for)
    from ..steps.constraints import Constraints

    pairs = Constraints.of(e.vertex_names(), must_link, cannot_link)
    r = pairs.hold(_found(e, k, method, number, rule, options)._replace(_call=asked_for))
    return r._renumbered(np.argsort(np.unique(r.labels[r.labels >= 0], return_index=True)[1]))


def _found(
    e: Ensemble,
    k: int | None,
    method: str,
    number: int,
    rule: str | Rule | None,
    options: dict[str, Any],
) -> Consensus:
    """The answer of a method, or of the automatic choice."""
    if method == "auto":
        return auto(e, k, number, "eigengap" if rule is None else rule, **options)
    row = find_method(method)
    if rule is not None and "rule" in inspect.signature(row.function).parameters:
        options, rule = {**options, "rule": rule}, None  # the method's own option of that name
    if k is None and rule is not None:
        choice = choose(e, None, number, rule)
        found = call(row, e, choice.k, number, **options)
        why = f"{choice.why}; {row.name} was asked for"
        return found._replace(why=why, choice=choice, details={**found.details, "choice": choice})
    return call(row, e, k, number, **options)


def _check_names(options: dict[str, Any]) -> None:
    for name in options:
        if name in _ELSEWHERE:
            raise InputError(f"{name} was given; here it is called {_ELSEWHERE[name]}.")
