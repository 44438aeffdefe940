"""`consensus`: from labels to one clustering, by a given method or the automatic choice."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np

from .._arrays import Seed, reported_seed
from .._compat import accepts_old
from ..choose.rules import Rule
from ..core.ensemble import Ensemble, Labels
from ..core.result import Consensus
from ..errors import InputError
from ..families.registry import find_method
from ..families.trials import call
from .auto import auto, choose

if TYPE_CHECKING:
    from ..steps.constraints import Pairs

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
