"""The rules that choose a number of clusters from labels, by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from .._lib.arrays import FloatArray, Seed, as_int, generator, one_of
from ..errors import DegenerateWarning, GraphensError, InputError, collect_warnings, named_failure, warn
from ..graphs.coassociation import coassociation
from ..labels.ensemble import Ensemble
from ..trees import link
from .choice import Choice
from .eigengap import eigengap, some_objects, within
from .rule_input import RuleInput

#: (ensemble, generator) -> a Choice, or just k
Rule: TypeAlias = Callable[[Ensemble, np.random.Generator], "Choice | int"]

_TIE = 0.005  # PACs this close are tied
_SHORT = 0.1  # a longest lifetime below this says little


def lifetime(e: Ensemble, rng: Seed = 0, ks: Collection[int] | None = None) -> Choice:
    """Choose the k with the longest lifetime in the average-link dendrogram of the co-association graph, 1 included.

    Candidates go up to the largest number of clusters of a partition, because finer clusterings only reflect
    differences of single partitions. With more than 4,000 objects, a random sample decides. O(ñ²B) for the ñ distinct
    rows of at most 4,000 objects. A warning is issued if even the longest lifetime is short.
    """
    sample, of = some_objects(e, rng)
    tree = link(coassociation(sample), "average")
    most = int(e.n_clusters.max())
    lengths = within(tree.lifetimes(), None if ks is None else {1, *ks})
    k = tree.longest_lifetime(most) if ks is None else max(lengths, key=lambda k: (lengths[k], -k))
    if lengths[k] < _SHORT:
        warn(
            f"No number of clusters stands out: the longest lifetime, that of k = {k}, is only {lengths[k]:.2g} (at "
            "most 1 is possible). Give k, or look at r.choice.figures['lifetimes'].",
            DegenerateWarning,
        )
    why = f"{k} clusters have the longest lifetime ({lengths[k]:.3g}) in the average-linkage dendrogram of {of}."
    longest = sorted(lengths, key=lambda size: -lengths[size])
    longest = longest if ks is not None else longest[:10]
    other = tuple(size for size in longest if 1 < size != k)[:1]
    return Choice(k, why, {"lifetimes": {size: lengths[size] for size in sorted(longest)}}, "lifetime", optional=other)


def _eigengap(q: RuleInput) -> Choice:
    """The eigengap, or what fits best if none is clear."""
    found = eigengap(q.ensemble, q.seed, q.ks, X=q.X, parameter=q.parameter)
    return replace(found, curves={"eigengap": found.figures["strengths"]})


def _lifetime(q: RuleInput) -> Choice:
    found = lifetime(q.ensemble, q.seed, q.ks)
    return replace(found, curves={"lifetime": within(dict(found.figures["lifetimes"]), q.ks)})


def _stability(q: RuleInput) -> Choice:
    """The k at which bootstrap ensembles agree most evenly with their own consensus; 1 if no k is stable."""
    s = q.bootstraps
    curve = dict(zip(s.ks, s.std.tolist(), strict=True))
    figures = {"std": curve, "mean": dict(zip(s.ks, s.mean.tolist(), strict=True)), "limit": s.limit}
    order = sorted(curve, key=lambda k: curve[k])
    if s.k == 1:
        why = (
            "No structure: at every k the consensus varies more than the partitions do (standard deviation of NMI "
            f"above {s.limit:.2g})."
        )
        return Choice(1, why, figures, "stability", {"stability": curve}, optional=tuple(order[:2]))
    of = f"bootstrap ensembles{_of_some(q)}"
    why = f"The consensus of {of} varies least at {s.k} clusters (standard deviation of NMI {curve[s.k]:.2g})."
    return Choice(
        s.k, why, figures, "stability", {"stability": curve}, optional=tuple(k for k in order if k != s.k)[:1]
    )


def _of_some(q: RuleInput) -> str:
    seen = next(iter(q.bootstraps.answers.values())).n_objects
    return f" of {seen} random objects" if seen < q.ensemble.n_objects else ""


def _pac(q: RuleInput) -> Choice:
    """The k with the fewest ambiguous pairs; ties within .005 go to the largest."""
    if q.X is None:
        ks, values, of = q.bootstraps.ks, q.bootstraps.pac(), f"bootstrap consensuses{_of_some(q)}"
    else:
        ks, values, of = q.resampled.ks, np.array(q.resampled.columns()["pac"]), "resampled partitions"
    curve = dict(zip(ks, values.tolist(), strict=True))
    best = max(k for k in ks if curve[k] <= values.min() + _TIE)
    why = (
        f"With {best} clusters, the fewest pairs of objects are together in between 10% and 90% of the {of} "
        f"(PAC {curve[best]:.3f})."
    )
    other = tuple(sorted((k for k in ks if k != best), key=lambda k: curve[k]))[:1]
    null = {} if q.X is None or q.null is None else {"pac": q.null.moments("pac")}
    return Choice(best, why, {"pac": curve}, "pac", {"pac": curve}, optional=other, null=null)


def _silhouette(q: RuleInput) -> Choice:
    """The k with the largest difference between its silhouette on 1 − S and that of reference data without clusters."""
    panel = q.resampled
    values = np.array(panel.columns()["silhouette"])
    null = {} if q.null is None else q.null.moments("silhouette")
    level = {k: null.get(k, (0.0, 0.0))[0] for k in panel.ks}
    curve = {k: value - level[k] for k, value in zip(panel.ks, values.tolist(), strict=True)}
    best = max(curve, key=lambda k: curve[k])
    beyond = "" if q.null is None else f", {curve[best]:+.3f} compared with reference data without clusters"
    value = f"silhouette {values[panel.ks.index(best)]:.3f}{beyond}"
    why = f"Pairs of objects are most clearly together or apart with {best} clusters ({value})."
    other = tuple(sorted((k for k in curve if k != best), key=lambda k: -curve[k]))[:1]
    around = {"silhouette": {k: (0.0, spread) for k, (_, spread) in null.items()}} if null else {}
    return Choice(best, why, {"silhouette": curve}, "silhouette", {"silhouette": curve}, optional=other, null=around)


def _mixture(q: RuleInput) -> Choice:
    """The number of Gaussian components of least message length, among the numbers to choose from and 1."""
    lengths = within(q.message_lengths, None if q.ks is None else {1, *q.ks})
    best, *other = sorted(lengths, key=lengths.__getitem__)
    why = f"A mixture of {best} Gaussian component{'s' * (best > 1)} has the shortest message length."
    optional = tuple(k for k in other if k > 1)[:1]
    return Choice(best, why, {"message_length": lengths}, "mixture", {"mixture": lengths}, optional=optional)


def every(q: RuleInput, known: Mapping[str, Choice] = MappingProxyType({})) -> dict[str, Choice | str]:
    """Evaluate every rule that was not evaluated yet; a rule that cannot choose gives its reason instead."""
    choices: dict[str, Choice | str] = {}
    with collect_warnings():
        for name, rule in SINGLE.items():
            try:
                choices[name] = known[name] if name in known else rule(q)
            except GraphensError as error:
                choices[name] = str(error)
    return choices


def majority_of_rules(q: RuleInput, results: Mapping[str, Choice | str]) -> Choice:
    """The choice of most rules; ties go to the eigengap (the first rule), then to the smaller number."""
    voters = {name: choice for name, choice in results.items() if isinstance(choice, Choice) and name not in _SILENT}
    if not voters:
        raise InputError(f"No rule can choose a number: {'; '.join(f'{name}: {why}' for name, why in results.items())}")
    votes = Counter(choice.k for choice in voters.values())
    first = next(iter(voters.values())).k
    best = max(votes, key=lambda k: (votes[k], k == first, -k))
    named = ", ".join(name for name, choice in voters.items() if choice.k == best)
    why = (
        f"{votes[best]} of {len(voters)} rules choose {best} ({named})."
        if votes[best] > 1
        else f"No two rules agree, and {named} chooses {best}."
    )
    curves = {name: choice.curves[name] for name, choice in voters.items()}
    curves["agreement"] = {k: votes.get(k, 0) / len(voters) for k in (1, *q.candidates)}
    answers = {name: choice.k for name, choice in voters.items()}
    other = tuple(k for k, _ in votes.most_common() if 1 < k != best)
    return Choice(best, why, {"votes": dict(votes)}, "agreement", curves, answers, other)


SINGLE: dict[str, Callable[[RuleInput], Choice]] = {
    "eigengap": _eigengap,
    "silhouette": _silhouette,
    "stability": _stability,
    "pac": _pac,
    "lifetime": _lifetime,
    "mixture": _mixture,
}
_SILENT = {"mixture"}  # shown but without a vote: a cluster that is not Gaussian has several components
#: by name what takes the input of a rule and chooses
RULES: dict[str, Callable[[RuleInput], Choice]] = {**SINGLE, "agreement": lambda q: majority_of_rules(q, every(q))}


def check_rule(rule: str | Rule) -> str | Rule:
    """Return a rule; the name of a rule that does not exist is refused, whether or not the rule is needed."""
    return rule if callable(rule) else one_of("rule", rule, RULES, more=", or a function")


def apply_rule(rule: str | Rule, e: Ensemble, seed: int, X: FloatArray | None = None, parameter: str = "k") -> Choice:
    """Choose by a rule given by name or as a function of the ensemble and a random generator."""
    if isinstance(rule, str):
        check_rule(rule)
        choice, name = RULES[rule](RuleInput(e, seed, X=X, parameter=parameter)), rule
    else:
        if not callable(rule):
            check_rule(rule)
        name = getattr(rule, "__name__", "the given rule")
        with named_failure(f"The rule {name}"):
            answer = rule(e, generator(seed))
        choice = answer if isinstance(answer, Choice) else Choice(answer, f"{answer} clusters by {name}.")
    return replace(choice, k=as_int("k", choice.k, 1, e.n_objects), rule=name)
