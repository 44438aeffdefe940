"""The rules that choose a number of clusters from labels, by name."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TypeAlias

from .._arrays import Seed, generator, whole
from ..core.ensemble import Ensemble
from ..errors import DegenerateWarning, InputError, warn
from ..linkage import link
from ..views.coassociation import coassociation
from .choice import Choice
from .eigengap import eigengap, some_objects, within

#: (ensemble, generator) -> a Choice, or just k; the rules here also take the numbers to choose from
Rule: TypeAlias = Callable[..., "Choice | int"]

_SHORT = 0.1  # a longest lifetime below this says little


def lifetime(e: Ensemble, rng: Seed = 0, ks: Collection[int] | None = None) -> Choice:
    """Choose the k that lives longest in the average-link dendrogram of the co-association graph, 1 included.

    Candidates go up to the largest number of clusters of a partition: finer clusterings live on the differences of
    single partitions. Of more than 4,000 objects a random sample decides. O(ñ²B) for the ñ distinct rows of at most
    4,000 objects. A warning says when even the longest lifetime is short.
    """
    seen, of = some_objects(e, rng)
    tree = link(coassociation(seen), "average")
    most = int(e.n_clusters.max())
    lengths = within(tree.lifetimes(), None if ks is None else {1, *ks})
    k = tree.longest_lifetime(most) if ks is None else max(lengths, key=lambda k: (lengths[k], -k))
    if lengths[k] < _SHORT:
        warn(
            f"No number of clusters stands out: k = {k} lives longest, and only for {lengths[k]:.2g} of 1. "
            "Give k, or look at r.details['auto']['lifetimes'].",
            DegenerateWarning,
        )
    why = f"{k} clusters live longest ({lengths[k]:.3g}) in the average-link dendrogram of {of}"
    longest = sorted(lengths, key=lambda size: -lengths[size])[:10]
    other = tuple(size for size in longest if 1 < size != k)[:1]
    return Choice(
        k, why, {"lifetimes": {size: lengths[size] for size in sorted(longest)}}, "lifetime", optional=other
    )


RULES: dict[str, Rule] = {"eigengap": eigengap, "lifetime": lifetime}


def apply_rule(rule: str | Rule, e: Ensemble, seed: Seed) -> Choice:
    """Choose by a rule given by name or as a function of the ensemble and a random generator."""
    if isinstance(rule, str) and rule not in RULES:
        raise InputError(f"rule = {rule!r} was given; expected one of {', '.join(RULES)}, or a function.")
    name = rule if isinstance(rule, str) else getattr(rule, "__name__", "the given rule")
    found = (RULES[rule] if isinstance(rule, str) else rule)(e, generator(seed))
    choice = found if isinstance(found, Choice) else Choice(found, f"{found} clusters by {name}")
    return replace(choice, k=whole("k", choice.k, 1, e.n_objects), rule=name)
