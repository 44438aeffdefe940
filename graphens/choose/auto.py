"""`consensus`: from labels to one clustering, by a given method or the automatic choice."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .._lib.arrays import Seed, as_int, reported_seed
from ..errors import DegenerateWarning, InputError, warn
from ..families.method import Method
from ..families.policy import POLICY
from ..families.registry import AnyMethod, find_method
from ..families.trials import Trial, Trials, call_method, checked_panel
from ..graphs.doubts import comparison_doubts, doubts, most_clusters, warn_of
from ..labels.ensemble import Ensemble, Labels
from ..labels.ready import Ready
from ..measures.agreement import pairwise
from ..result.consensus import Consensus
from .choice import Choice
from .rules import Rule, apply_rule, check_rule

if TYPE_CHECKING:
    from ..result.constraints import Pairs


def least_agreement(trials: Sequence[Trial], ready: Ready) -> float:
    """The smallest adjusted Rand index between results, with weighted objects; 0 if a method failed."""
    answers = [t.result.labels for t in trials if t.result is not None]
    if len(answers) < len(trials):
        return 0.0
    return float(pairwise(Ensemble._of_labels(answers, ready.whole.object_weights), "ari").values.min())


def auto(
    e: Ensemble,
    k: int | None,
    seed: int,
    rule: str | Rule,
    X: Any,
    parameter: str,
    /,
    *,
    panel: Sequence[AnyMethod] = POLICY.panel,
    by: str = "fit",
    **more: Any,
) -> Consensus:
    """Return the best result of a panel, as described in `consensus`."""
    if more:
        raise InputError(
            f"method = 'auto' has no option {', '.join(sorted(more))}; its options are panel, by and rule. "
            "Name a method to give it options."
        )
    ready = Ready.of(e)
    choice = resolve_k(ready, k, seed, rule, X=X, parameter=parameter)
    warn_of((*doubts(e, k), *comparison_doubts(ready.ensemble)))
    trials = Trials.of(ready, choice.k, seed, by)
    best, why = _best(trials, checked_panel(panel))
    reasons = [why]
    if "placed_last" in best._details:
        none = int((best.labels[e.present] < 0).sum())
        unplaced = f", {none} of them in no cluster" if none else ""
        why = "Objects with labels only in partitions that agree with the others by chance were placed last"
        reasons.append(f"{why}: {best._details['placed_last']}{unplaced}.")
    if 0 < best.k < choice.k:
        reasons.append(f"No method of the panel gave {choice.k} clusters; {best.method} gave {best.k}.")
        warn(f"k = {choice.k} was requested, but n{reasons[-1][1:]}", DegenerateWarning)
    return best._replace(
        why=" ".join(filter(None, [choice.why, *reasons])),
        trials=tuple(replace(t, result=None) for t in trials.entries),
        choice=choice if choice.rule else None,
    )


def _best(trials: Trials, panel: Sequence[AnyMethod]) -> tuple[Consensus, str]:
    """The best result of a panel, and the reason in words."""
    usual = panel == POLICY.panel and trials.by == "fit"
    for method in panel:
        trials.enter(method, **(POLICY.options.get(str(method), {}) if usual else {}))
    best, why = trials.best(), ""
    witnesses = [t for t in trials.entries if t.method in POLICY.witnesses]
    if usual and (trials.k or 0) > 1 and least_agreement(witnesses, trials.ready) < POLICY.same:
        # Large pieces and, if small ones were set aside, those of single link: clusters may have any shape.
        pieces = [trials.enter(POLICY.pieces)]
        if pieces[0].result is None or pieces[0].result.details["set_aside"]:
            note = "No small piece was set aside, as in single linkage."
            pieces.append(trials.enter(POLICY.pieces, note, share=0.0))
        best = trials.best()
        if _confirm(pieces, trials):
            best = pieces[0]
            why = (
                f"{' and '.join(t.method for t in witnesses)} differ, so islands is preferred: its connected pieces "
                "have similar sizes, and are the same whether small ones are set aside or not."
            )
    assert best.result is not None  # a trial without a result is never the best
    return best.result, why or comparison(best, trials.entries)


def _confirm(pieces: list[Trial], trials: Trials) -> bool:
    """Whether the k large pieces are the same with small pieces set aside and without, and similar in size.

    Noise cuts off pieces of any size, which both ways of linking may share; that they are even would be a coincidence.
    """
    large = pieces[0].result
    if large is None or large.k != trials.k or least_agreement(pieces, trials.ready) < POLICY.same:
        return False
    sizes = np.bincount(large.labels[large.labels >= 0])
    return bool(sizes.min() >= max(POLICY.even * sizes.mean(), 2))


def resolve_k(
    ready: Ready, k: int | None, seed: int, rule: str | Rule, *, X: Any = None, parameter: str = "k"
) -> Choice:
    """Return the number of clusters that was requested, or the one that the rule chooses; warn if it is not clear.

    X has features of the objects, if known; `parameter` is what the reader sets the number with.
    """
    if not ready.anyone:
        return Choice(1, "No object has a label.")
    if k is not None:
        k = as_int("k", k, 1, int(ready.present.sum()))
        most = most_clusters(ready.whole, k)
        limit = "" if most == k else f", but the labels distinguish only {most}"
        return Choice(most, f"{k} clusters were requested{limit}." if k > 1 else "One cluster was requested.")
    features = None if X is None else ready.rows(X)
    choice = replace(apply_rule(rule, ready.ensemble, seed, features, parameter), _backend=ready.whole._names.backend)
    if choice.kind == "ambiguous" or (choice.kind == "none" and choice.optional):
        warn(choice.why, DegenerateWarning)
    return choice


_NUMBERS = ("No", "One", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def comparison(best: Trial, trials: Sequence[Trial]) -> str:
    """Say why this result of the panel was kept; the numbers are in the trials."""
    answers = [t for t in trials if t.result is not None and t.value is not None]
    if not best.k or best.k == 1:
        return ""
    if len(trials) == 1:
        return f"{best.method} is the only method of the panel."
    rest = [t for t in answers if not agree_fully(t, best)]
    if not rest and len(answers) > 1:
        return f"{_list([t.method for t in answers])} give the same clusters."
    count = len({t.method for t in trials})
    sentences = [
        f"Of {_NUMBERS[count] if count < len(_NUMBERS) else count} methods, {_name_of(best)} fits the clusterings best"
    ]
    value = best.value or 0.0
    tied = dict.fromkeys(_name_of(t) for t in rest if f"{t.value:.3f}" == f"{value:.3f}")
    sentences += [f"{_list(list(tied))} {'is' if len(tied) == 1 else 'are'} as good"] if tied else []
    sentences += [
        f"{_name_of(t)} fits better but has {t.k} cluster{'s' * (t.k != 1)}"
        for t in rest
        if (t.value or 0.0) > value and _name_of(t) not in tied
    ]
    return "; ".join(sentences) + "."


def agree_fully(one: Trial, other: Trial) -> bool:
    """Whether two results are equal."""
    found, wanted = one.result, other.result
    return found is not None and wanted is not None and np.array_equal(found.labels, wanted.labels)


def _list(names: list[str]) -> str:
    """Names joined for a sentence, each once."""
    *first, last = dict.fromkeys(names)
    return f"{', '.join(first)} and {last}" if first else last


def _name_of(trial: Trial) -> str:
    """The name of the method; connected pieces are called single link if no small ones are set aside."""
    return "single link" if trial.note.startswith("Single link") else trial.method


_ELSEWHERE = {"n_clusters": "k", "random_state": "seed", "rng": "seed", "n_components": "k"}


def consensus(
    labels: Labels,
    k: int | None = None,
    method: AnyMethod = "auto",
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
        A name from `graphens.methods`, a function ``(ensemble, k, *, seed)`` as for `register_method`, a
        `functools.partial`, or ``"auto"``: run lwgp, lwea and hbgf (spectral), and keep the result that shares the most
        information with the partitions and has connected clusters: the largest ANMI × (1 + `measures.path_silhouette`).
        If lwgp and lwea differ, the k connected pieces of `islands` and those of single linkage also compete, and are
        preferred if both are the same and none is very small.
    seed
        The same seed gives the same result.
    rule
        How to choose k if it is not given: ``"eigengap"`` (the default of ``"auto"``), ``"lifetime"``, ``"stability"``,
        ``"pac"``, ``"agreement"`` (see `choose_k`), or a function ``(ensemble, generator) -> k``.
    must_link, cannot_link
        Pairs of object names that must be together, or apart, in the result. They are applied after the method, by
        moving the objects that lose the least; see `Consensus.constrained`.
    **options
        Options of the named method. For ``"auto"``: `panel`, the methods to try, and `by`, the criterion:
        ``"fit"`` (the default, as above), ``"anmi"``, ``"silhouette"`` for `measures.reliable_silhouette`, or
        ``"both"`` for its sum with the path silhouette.

    Returns
    -------
    Consensus
        The result of the winner: calling ``r.method`` with ``r.options`` gives the same. ``r.why`` explains how k and
        the result were chosen, ``r.choice`` is the `Choice` of k if it was not given, and ``r.trials`` has one entry
        for each method that was tried.

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
    >>> print(r.choice.why)
    3 clusters, clearly supported (strength 1.69; above 1 is clear). Next best: 2.
    >>> [trial.method for trial in r.trials]
    ['lwgp', 'lwea', 'hbgf']
    """
    e = Ensemble.of(labels)
    number = reported_seed(seed)
    for name in set(options) & set(_ELSEWHERE):
        raise InputError(f"{name} was given; in graphens it is called {_ELSEWHERE[name]}.")
    asked_for = {"method": method, "k": k, "seed": number, "rule": rule, **options}
    if must_link is None and cannot_link is None:
        return run_method(e, k, method, number, rule, options)._replace(_call=asked_for)
    from ..result.constraints import Constraints

    pairs = Constraints.of(e.vertex_names(), must_link, cannot_link)
    r = pairs.hold(run_method(e, k, method, number, rule, options)._replace(_call=asked_for))
    return r._renumbered(np.argsort(np.unique(r.labels[r.labels >= 0], return_index=True)[1]))


def run_method(
    e: Ensemble,
    k: int | None,
    method: AnyMethod,
    number: int,
    rule: str | Rule | None,
    options: dict[str, Any],
    *,
    X: Any = None,
    parameter: str = "k",
) -> Consensus:
    """Return the result of a method, or of the automatic choice; features and `parameter` help to choose k."""
    if isinstance(method, str) and method == "auto":
        return auto(e, k, number, "eigengap" if rule is None else check_rule(rule), X, parameter, **options)
    row = find_method(method)
    if rule is not None and "rule" in inspect.signature(row.function).parameters:
        options, rule = {**options, "rule": rule}, None  # the method's own option of that name
    elif rule is not None:
        check_rule(rule)
    if k is None and rule is not None:
        choice = resolve_k(Ready.of(e), None, number, rule, X=X, parameter=parameter)
        result = call_method(row, e, choice.k, number, **options)
        return result._replace(why=f"{choice.why} {row.name} was requested.", choice=choice)
    return call_method(row, e, k, number, **options)


def _automatic(
    labels: Labels | Ready,
    k: int | None = None,
    *,
    seed: Seed = None,
    rule: str | Rule = "eigengap",
    panel: Sequence[AnyMethod] = POLICY.panel,
    by: str = "fit",
) -> Consensus:
    e = labels.whole if isinstance(labels, Ready) else Ensemble.of(labels)
    return auto(e, k, reported_seed(seed), check_rule(rule), None, "k", panel=panel, by=by)


#: the automatic choice as a method that can be compared with others
AUTO = Method("auto", _automatic, "automatic choice", needs_k=False)
