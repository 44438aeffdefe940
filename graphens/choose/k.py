"""Choose the number of clusters: one rule decides, and the values of all rules are shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from .._lib.arrays import FloatArray, Seed, as_int, one_of, reported_seed
from .._lib.features import as_features
from ..errors import InputError
from ..generators.ensembles import generate
from ..graphs.doubts import doubts, warn_of
from ..labels.ensemble import Ensemble
from ..labels.ready import Ready
from .choice import Choice
from .resampling import check_ks
from .rule_input import RuleInput
from .rules import RULES, SINGLE, every, majority_of_rules

_LEVEL = 0.05  # a p-value above says that references without clusters do as well


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
    """Choose the number of clusters, and show the result of every rule.

    Parameters
    ----------
    labels
        An Ensemble, or anything that Ensemble accepts: objects in rows, partitions in columns.
    ks
        Numbers of clusters to choose from. 1 is always possible.
    rule
        ``"eigengap"``: the largest relative eigengap of the random walk between objects and base clusters; if no gap
        is clear, the number that fits the partitions best, or 1 if they do not agree on any groups.
        ``"silhouette"`` (needs X): the silhouette on 1 − S of resampled ensembles minus that of reference data without
        clusters. ``"stability"``: the smallest variance of the consensus of bootstrap ensembles. ``"pac"``: the fewest
        ambiguous pairs (ties within .005 go to the largest k). ``"lifetime"``: the longest lifetime in the
        average-linkage dendrogram. ``"mixture"`` (needs X): the shortest message length of a Gaussian mixture that
        drops the components it does not need (`generators.mixture_components`). ``"agreement"``: the choice of most of
        these rules, with ties going to the eigengap; the mixture has no vote, since a cluster that is not Gaussian has
        several components.
    X
        Features (objects in rows), given instead of labels: they are clustered, and the result is compared with data
        without clusters.
    n_partitions
        Number of partitions in the ensemble that is generated from X.
    n_references
        With X, the number of reference data sets without clusters (Gaussian clouds with the same correlations) that are
        clustered the same way, as the null model for the silhouette and the p-value; 0 for neither.
    seed, n_jobs
        The same seed gives the same result, for any number of threads.

    Returns
    -------
    Choice
        ``c.k``; ``c.why``, the reason in a sentence; ``c.kind``: "clear", "ambiguous" or "none"; ``c.table`` with the
        curve of every rule; ``c.answers`` with the k of every rule; ``c.optional``, other candidates; and ``c.p``.

    Notes
    -----
    With X, the p-value is how often reference data look as clear by their PAC. Each reference is taken at its own
    clearest k, since the k of the data was chosen too (at most 1,000 objects are resampled). If p > .05, the result of
    all rules but the eigengap, which compares the data with normal clouds itself, is 1, `why` says so, and `optional`
    contains the rule's own k. Without X there is no p-value: agreement beyond that of permuted labels does not prove
    structure. No rule is safe on its own, so look at the table.

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
    one_of("rule", rule, RULES)
    wanted, number = check_ks(ks, 1), reported_seed(seed)
    e, features = _read(labels, X, n_partitions, number, n_jobs)
    ready = Ready.of(e)
    if not ready.anyone:
        raise InputError("No object has a label; there is nothing to choose from.")
    warn_of(doubts(ready.ensemble))
    n_nulls = as_int("n_references", n_references, 0)
    q = RuleInput(ready.ensemble, number, wanted, features, n_references=n_nulls, n_jobs=n_jobs)
    choices = {rule: SINGLE[rule](q)} if rule in SINGLE else {}
    results = every(q, choices)
    chosen = choices.get(rule) or majority_of_rules(q, results)
    rules = {name: found for name, found in results.items() if isinstance(found, Choice)}
    refused = {name: found for name, found in results.items() if isinstance(found, str)}
    chosen = replace(
        chosen,
        curves={**{name: found.curves[name] for name, found in rules.items()}, **chosen.curves},
        answers={name: found.k for name, found in rules.items()},
        null={name: found.null[name] for name, found in rules.items() if found.null},
        figures={**chosen.figures, **({"refused": refused} if refused else {})},
        _backend=e._names.backend,
    )
    return _test(chosen, q)


def _read(labels: Any, X: Any, n_partitions: int, seed: int, n_jobs: int | None) -> tuple[Ensemble, FloatArray | None]:
    if (labels is None) == (X is None):
        which = "Neither labels nor X" if X is None else "Both labels and X"
        raise InputError(f"{which} were given; expected labels, or the features as X=.")
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


def _test(choice: Choice, q: RuleInput) -> Choice:
    """Add the p-value if there are features; if it is above .05, k is 1."""
    k = choice.k if choice.k > 1 else next(iter(choice.optional), 1)
    if q.X is None or k == 1 or q.null is None or k not in q.null.ks:
        return choice
    p = q.null.p(k, float(q.resampled.columns()["pac"][q.resampled.ks.index(k)]))
    if choice.k == 1 or p <= _LEVEL or np.isnan(p) or choice.rule == "eigengap":  # which knows noise itself
        return replace(choice, p=p)
    chance = f"Reference data without clusters look as clear (p = {p:.2g}), so k = 1."
    why = f"{chance} Alone, the rule gives {k}: {choice.why}"
    return replace(choice, k=1, kind="none", why=why, p=p, optional=(k, *(o for o in choice.optional if o != k)))
