"""`consensus`: from labels to one clustering, by a given method or the automatic choice."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .._arrays import Seed, as_int, reported_seed
from .._compat import accepts_old
from ..choose.choice import Choice
from ..choose.rules import Rule, apply_rule
from ..core.ensemble import Ensemble, Labels
from ..core.result import Consensus
from ..errors import DegenerateWarning, InputError, warn
from ..families.registry import find_method
from ..families.trials import CRITERIA, Contest, Trial, call, checked_panel
from ..measures.agreement import pairwise
from ..measures.silhouettes import PathSilhouettes
from ..steps.outcome import Outcome
from ..steps.policy import POLICY
from ..steps.prepared import Prepared, finished
from ..views.affinity import Affinity
from ..views.doubts import doubts, most_clusters, warn_of

if TYPE_CHECKING:
    from ..steps.constraints import Pairs


def settle(best: Consensus, e: Ensemble) -> Consensus | None:
    """Move objects to the cluster with which they are together most, if a result contradicts itself; otherwise None.

    If at least a tenth of the objects have a larger mean co-association with another cluster, all of these move, round
    after round until fewer than one in a hundred move. Nothing is done if this does not end, or if a cluster would
    become empty. ``details["moved"]`` has the share of the first round. O(nBk) per round.
    """
    first = best.contradiction
    if first < POLICY.contradiction:
        return None
    labels, share, rounds = np.array(best.labels), first, 0
    while share >= POLICY.rest and rounds < POLICY.rounds:
        near = labels.copy()
        near[labels >= 0] = Affinity(e, labels, best.k).nearest(np.flatnonzero(labels >= 0))
        share, rounds = float(np.average(near != labels, weights=e.object_weights)), rounds + 1
        labels = near
    if share >= POLICY.rest or len(np.unique(labels[labels >= 0])) < best.k:
        return None
    details = {**best.details, "moved": first}
    outcome = Outcome(labels, graph=best.graph, index=best.vertices, details=details)
    return finished(best.method, Prepared.of(e), outcome, best.options)


def confirmed(large: Trial, single: Trial, best: Trial, contest: Contest) -> bool:
    """Whether to accept connected pieces: they are the same with small pieces set aside and without.

    They must also have k clusters, none of them small, be better connected inside than the best result so far, and not
    contradict themselves.
    """
    if large.result is None or best.result is None or contest.rank(large)[:2] != (True, True):
        return False
    if agreement([large, single], contest.ensemble) < POLICY.same:
        return False
    paths = PathSilhouettes(contest.ensemble)
    better = paths(large.result.labels) > paths(best.result.labels)
    return better and large.result.contradiction < POLICY.contradiction


def agreement(trials: Sequence[Trial], e: Ensemble) -> float:
    """The smallest adjusted Rand index between results, with weighted objects; 0 if a method failed."""
    answers = [t.result.labels for t in trials if t.result is not None]
    if len(answers) < len(trials):
        return 0.0
    weights = Prepared.of(e).whole.object_weights
    return float(pairwise(Ensemble.from_partitions(answers, object_weights=weights), "ari").min())


def auto(
    e: Ensemble,
    k: int | None,
    seed: int,
    rule: str | Rule,
    *,
    panel: Sequence[str] = POLICY.panel,
    by: str = "fit",
    **more: Any,
) -> Consensus:
    """Return the best result of a panel, as described in `consensus`."""
    if more:
        raise InputError(
            f"method = 'auto' has no option {', '.join(sorted(more))}; its options are panel, by and rule. "
            "Name a method to give it options."
        )
    choice = choose(e, k, seed, rule)
    warn_of(doubts(e, k))
    best, said, trials = _best(Contest.of(e, choice.k, seed, by), checked_panel(tuple(panel)))
    if "placed_last" in best.details:
        none = int((best.labels[e.present] < 0).sum())
        unplaced = f", {none} of them in no cluster" if none else ""
        why = "objects with labels only in partitions that agree with the others by chance were placed last"
        said.append(f"{why}: {best.details['placed_last']}{unplaced}")
    if 0 < best.k < choice.k:
        said.append(f"no method of the panel gave {choice.k} clusters; {best.method} gave {best.k}")
        warn(f"k = {choice.k} was requested, but {said[-1]}.", DegenerateWarning)
    return _told(best, choice, "; ".join(filter(None, [choice.why, *said])), trials)


def _best(contest: Contest, panel: Sequence[str]) -> tuple[Consensus, list[str], list[Trial]]:
    """The best result, with objects moved if it contradicts itself; the reasons in words, and all trials."""
    usual = panel == POLICY.panel and contest.by == "fit"
    trials = [contest.enter(name, **(POLICY.options.get(name, {}) if usual else {})) for name in panel]
    best = contest.best(trials)
    said = [comparison(best, trials)]
    if usual and (contest.k or 0) > 1:
        best, said, pieces = _connect(contest, best, trials)
        trials += pieces
    assert best.result is not None  # a trial without a result is never the best
    moved = settle(best.result, contest.ensemble)
    if moved is None:
        return best.result, said, trials
    share = f"{best.result.contradiction:.0%} of its objects are more often together with another cluster"
    other = replace(best, result=moved, value=contest.value(moved))
    if contest.rank(other) > contest.rank(best):
        return moved, [*said, f"{share}, and were moved there"], trials
    return best.result, [*said, f"{share}, but the result is worse if they are moved there"], trials


def _connect(contest: Contest, best: Trial, trials: list[Trial]) -> tuple[Trial, list[str], list[Trial]]:
    """Let connected pieces compete, because clusters may have any shape.

    If methods that work differently give the same clusters, none of them small, these are accepted. If they differ, the
    shape of the clusters may be the reason: large pieces (`islands`) and single link compete with the others, and if
    both find the same pieces, these are preferred.
    """
    witnesses = [t for t in trials if t.method in POLICY.witnesses]
    alike = agreement(witnesses, contest.ensemble)
    if alike >= POLICY.same and contest.rank(best)[1]:
        return best, [comparison(best, trials)], []
    large = single = contest.enter(POLICY.pieces)
    if large.result is None or large.result.details["set_aside"]:
        single = contest.enter(POLICY.pieces, share=0.0)
        single = replace(single, note=f"Single link: no small piece set aside. {single.note}".strip())
    pieces = [large] if single is large else [large, single]
    if confirmed(large, single, best, contest):
        why = (
            f"{large.method} is preferred to {best.method}: the connected pieces are the same with and without small "
            f"pieces, while {' and '.join(t.method for t in witnesses)} differ (ARI {alike:.2f})"
        )
        return large, [why], pieces
    winner = contest.best([*trials, *pieces])
    return winner, [comparison(winner, [*trials, *pieces])], pieces


def choose(e: Ensemble, k: int | None, seed: int, rule: str | Rule) -> Choice:
    """Return the number of clusters that was requested, or the one that the rule chooses."""
    ready = Prepared.of(e)
    if k is not None:
        k = as_int("k", k, 1, max(int(ready.present.sum()), 1))
        asked = f"{k} clusters were requested" if k > 1 else "one cluster was requested"
        most = most_clusters(e, k)
        return Choice(most, asked if most == k else f"{asked}, but the labels distinguish only {most}")
    if not ready.anyone:
        return Choice(1, "no object has a label")
    choice = replace(apply_rule(rule, ready.ensemble, seed), _backend=e._backend)
    if choice.k == 1 and choice.optional:
        warn(
            f"{choice.why[0].upper()}{choice.why[1:]}, so there is one cluster. Give k to get more.",
            DegenerateWarning,
        )
    return choice


def comparison(best: Trial, trials: Sequence[Trial]) -> str:
    """Say why this result of the panel was kept."""
    if best.k == 1:
        return "all objects are in one cluster"
    if len(trials) == 1:
        return f"{best.method} is the only method of the panel"
    answers = [t for t in trials if t.result is not None and t.value is not None]
    equal = [t for t in answers if agree_fully(t, best)]
    if len(equal) == len(answers) > 1:
        return f"{_listed([t.method for t in answers])} give the same clusters"
    value, rest = f"{best.value:.3f}", [t for t in answers if t not in equal]
    tied = [_called(t) for t in rest if f"{t.value:.3f}" == value]
    others = [f"{t.value:.3f} for {_called(t)}" for t in rest if f"{t.value:.3f}" != value]
    said = [f"{_called(best)} is preferred: its {CRITERIA[best.criterion].meaning} is {value}"]
    said[0] += f", compared with {_listed(others)}" if others else ""
    said += [f"{_listed(tied)} tie{'s' * (len(tied) == 1)} at three decimals"] if tied else []
    for other in answers:
        if (other.value or 0.0) > (best.value or 0.0) and _called(other) not in tied:
            has = "it has a very small cluster" if other.k == best.k else f"it has k = {other.k}"
            said.append(f"{_called(other)} is ranked lower because {has}")
    return "; ".join(said)


def agree_fully(one: Trial, other: Trial) -> bool:
    """Whether two results are equal."""
    return bool(one.result and other.result and np.array_equal(one.result.labels, other.result.labels))


def _listed(names: list[str]) -> str:
    """Names joined for a sentence, each once."""
    *first, last = dict.fromkeys(names)
    return f"{', '.join(first)} and {last}" if first else last


def _called(trial: Trial) -> str:
    """The name of the method; connected pieces are called single link if no small ones are set aside."""
    return "single link" if trial.note.startswith("Single link") else trial.method


def _told(best: Consensus, choice: Choice, why: str, trials: list[Trial]) -> Consensus:
    """The result with the reasons for it; ``details["auto"]`` has the same under its old name."""
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
        An Ensemble, or anything that Ensemble accepts: objects in rows, partitions in columns.
    k
        Number of clusters. By default, ``"auto"`` chooses it by `rule`; a named method uses its own default, unless a
        rule is given.
    method
        A name from `graphens.methods`, or ``"auto"``: run lwgp, lwea and hbgf (spectral), and keep the result that
        shares the most information with the partitions and has connected clusters: the largest ANMI × (1 +
        `measures.path_silhouette`)², with results without very small clusters first. If lwgp and lwea differ, the k
        connected pieces of `islands` and those of single linkage also compete, and are preferred if both are the same.
        If at least a tenth of the objects are more often together with another cluster, the result in which these
        objects are moved also competes.
    seed
        The same seed gives the same result.
    rule
        How to choose k if it is not given: ``"eigengap"`` (the default of ``"auto"``), ``"lifetime"``, ``"stability"``,
        ``"pac"``, ``"agreement"`` (see `choose_k`), or a function ``(ensemble, generator) -> k``.
    must_link, cannot_link
        Pairs of object names that must be together, or apart, in the result. They are applied after the method, by
        moving the objects that lose the least; see `Consensus.constrained`.
    **options
        Options of the named method. For ``"auto"``: `panel`, the names of the methods to try, and `by`, the criterion:
        ``"fit"`` (the default, as above), ``"anmi"``, ``"silhouette"`` for `measures.reliable_silhouette`, or
        ``"both"`` for its sum with the path silhouette.

    Returns
    -------
    Consensus
        The result of the winner: calling ``r.method`` with ``r.options`` gives the same. ``r.why`` explains how k and
        the result were chosen, ``r.choice`` is the `Choice` of k if it was not given, and ``r.trials`` has one entry
        for each method that was tried. ``r.details["moved"]`` exists if objects of the winner were moved; then only
        ``"auto"`` gives the same result again.

    Notes
    -----
    O(nB²) in total. Results with exactly k clusters are preferred to results with fewer. Such a score cannot choose k,
    so there is a separate rule.

    References
    ----------
    Huang, Wang and Lai, Locally weighted ensemble clustering, 2018. Strehl and Ghosh, Cluster ensembles, 2002 (keeping
    the best of several).

    Examples
    --------
    >>> import graphens as ge
    >>> r = ge.consensus(
    ...     [[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]],
    ...     seed=0,
    ... )
    >>> r.labels.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    >>> print(r.why.partition(":")[0], r.why.partition("(")[2].partition(")")[0])
    3 clusters stand out strength 1.69; above 1 counts as clear
    >>> [trial.method for trial in r.trials]
    ['lwgp', 'lwea', 'hbgf']
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
    """The result of a method, or of the automatic choice."""
    if method == "auto":
        return auto(e, k, number, "eigengap" if rule is None else rule, **options)
    row = find_method(method)
    if rule is not None and "rule" in inspect.signature(row.function).parameters:
        options, rule = {**options, "rule": rule}, None  # the method's own option of that name
    if k is None and rule is not None:
        choice = choose(e, None, number, rule)
        found = call(row, e, choice.k, number, **options)
        why = f"{choice.why}; {row.name} was requested"
        return found._replace(why=why, choice=choice, details={**found.details, "choice": choice})
    return call(row, e, k, number, **options)


def _check_names(options: dict[str, Any]) -> None:
    for name in options:
        if name in _ELSEWHERE:
            raise InputError(f"{name} was given; in graphens it is called {_ELSEWHERE[name]}.")
