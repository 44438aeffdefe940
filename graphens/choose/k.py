"""How many clusters: one rule decides, all rules are shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from .._arrays import FloatArray, Seed, as_int, reported_seed
from .._compat import accepts_old
from .._features import as_features
from ..core.ensemble import Ensemble
from ..errors import InputError
from ..generators.ensembles import generate
from ..steps.prepared import Prepared
from ..views.doubts import doubts, warn_of
from .choice import Choice
from .question import Question
from .resampling import check_ks
from .rules import SINGLE, check_rule, every, vote

_LEVEL = 0.05  # a p-value above says that references without clusters do as well


@accepts_old("rule", data="labels")
def choose_k(
    labels: Any = None,
    ks: Iterable[int] = range(2, 11),
    *,
    rule: str = "eigengap",
    X: Any = None,
    n_partitions: int = 50,
    n_references: int = 20,
    seed: Seed = None,
    n_jobs: int | None = None,
) -> Choice:
    """Choose the number of clusters, and show what every rule says.

    Parameters
    ----------
    labels
        An Ensemble, or anything Ensemble takes: objects in rows, partitions in columns.
    ks
        Numbers to choose from. 1 is always possible.
    rule
        ``"eigengap"``: the largest relative eigengap, after which leaving a group suddenly becomes easy.
        ``"silhouette"`` (needs X): the silhouette on 1 − S of resampled ensembles minus that of references without
        clusters. ``"stability"``: least variance of the consensus of bootstrap ensembles. ``"pac"``: fewest ambiguous
        pairs (ties within .005 go to the largest k). ``"lifetime"``: longest lifetime in the average-link dendrogram.
        ``"mixture"`` (needs X): least message length of a Gaussian mixture that loses the components it does not
        need (`generators.mixture_components`). ``"agreement"``: what most of these say, ties to the eigengap; the
        mixture has no vote, since a cluster that is no Gaussian has several components.
    X
        Features (objects in rows) instead of labels: they are clustered, and compared with data without clusters.
    n_partitions
        Number of partitions of the ensemble that is made from X.
    n_references
        With X, data sets without clusters (a Gaussian cloud with the same correlations) that are clustered the same
        way, for the null of the silhouette and the p-value; 0 for neither.
    seed, n_jobs
        The same seed gives the same answer, for any number of threads.

    Returns
    -------
    Choice
        ``c.k``, ``c.why`` in a sentence, ``c.table`` with every rule's curve, ``c.answers`` with every rule's k,
        ``c.optional`` other numbers worth a look, ``c.p``.

    Notes
    -----
    With X the p-value says how often references look as clear by their PAC, each at its own clearest k, since this k
    was chosen too (at most 1,000 objects are resampled). Where p > .05 the answer is 1, `why` says so, and `optional`
    names the rule's own k. Without X there is no p-value: more agreement than between permuted labels does not
    prove structure. No rule is safe alone; look at the table.

    References
    ----------
    Fred and Jain 2005 (lifetime, stability). Monti et al. 2003 and Șenbabaoğlu et al. 2014 (pac). John et al., M3C,
    2020 (references). Figueiredo and Jain 2002 (mixture).

    Examples
    --------
    >>> import graphens as ge
    >>> X, _ = ge.datasets.load("blobs", seed=0)
    >>> c = ge.choose_k(ge.generate(X, 30, seed=0), range(2, 7), seed=0)
    >>> c.k, c.answers["lifetime"]
    (4, 4)
    """
    check_rule(rule)
    wanted, number = check_ks(ks, 1), reported_seed(seed)
    e, features = _read(labels, X, n_partitions, number, n_jobs)
    aside = Prepared.of(e)
    if not aside.anyone:
        raise InputError("No object has a label; there is nothing to choose from.")
    warn_of(doubts(aside.ensemble))
    drawn = as_int("n_references", n_references, 0)
    q = Question(aside.ensemble, number, wanted, features, n_references=drawn, n_jobs=n_jobs)
    known = {rule: SINGLE[rule](q)} if rule in SINGLE else {}
    asked = every(q, known)
    chosen = known.get(rule) or vote(q, asked)
    answers = {name: found.k for name, found in asked.items() if isinstance(found, Choice)}
    curves = {name: found.curves[name] for name, found in asked.items() if isinstance(found, Choice)}
    null = {
        name: found.null[name] for name, found in asked.items() if isinstance(found, Choice) and found.null
    }
    refused = {name: found for name, found in asked.items() if isinstance(found, str)}
    whole_choice = replace(
        chosen,
        curves={**curves, **chosen.curves},
        answers=answers,
        null=null,
        figures={**chosen.figures, **({"refused": refused} if refused else {})},
    )
    return _tested(whole_choice, q)


def _read(
    labels: Any, X: Any, n_partitions: int, seed: int, n_jobs: int | None
) -> tuple[Ensemble, FloatArray | None]:
    if (labels is None) == (X is None):
        given = "Neither labels nor X" if X is None else "Both labels and X"
        raise InputError(f"{given} were given; expected labels, or the features as X=.")
    if X is not None:
        return generate(X, n_partitions, seed=seed, n_jobs=n_jobs), as_features(X)
    if not isinstance(labels, Ensemble) and _are_fractions(labels):
        raise InputError(
            "Numbers that are not whole were given as labels; they look like features. "
            "Pass features as X: choose_k(X=…)."
        )
    return Ensemble.of(labels), None


def _are_fractions(labels: Any) -> bool:
    try:
        values = np.asarray(labels, dtype=np.float64)
    except (TypeError, ValueError):  # text, sets, columns of unequal length
        return False
    return bool((values != np.rint(values))[np.isfinite(values)].any())


def _tested(choice: Choice, q: Question) -> Choice:
    """Add the p-value where there are features; above .05 the answer is 1."""
    k = choice.k if choice.k > 1 else next(iter(choice.optional), 1)
    if q.X is None or k == 1 or q.null is None or k not in q.null.ks:
        return choice
    p = q.null.p(k, float(q.resampled.columns()["pac"][q.resampled.ks.index(k)]))
    if choice.k == 1 or p <= _LEVEL or np.isnan(p):
        return replace(choice, p=p)
    why = f"reference data without clusters do as well (p = {p:.2g}), so k = 1; the rule alone gives {k}: {choice.why}"
    return replace(choice, k=1, why=why, p=p, optional=(k, *(o for o in choice.optional if o != k)))
