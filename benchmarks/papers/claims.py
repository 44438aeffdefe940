"""The papers' figures and worked examples, checked once and kept."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

from graphens.errors import GraphensWarning

from . import claims_evidence as evidence, claims_examples as examples, claims_prototypes
from .claim import Claim, stands
from .curves import forget_curves
from .runner import keep, kept, left_out, note_origin

CLAIMS: dict[str, Callable[[], list[Claim]]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        examples.worked_example,
        examples.all_partitions,
        evidence.ring_bar_gaussian,
        evidence.distances_and_coassociation,
        evidence.uniform_cloud,
        evidence.biased_agreement,
        evidence.longest_lifetimes,
        evidence.least_variance,
        evidence.convergence,
        evidence.influence_of_k,
        evidence.gaussian_components,
        evidence.larger_ensembles,
        evidence.complex_image,
        claims_prototypes.prototypes,
        examples.ensemble_size,
        examples.spread_over_c,
        examples.few_partitions,
        examples.thresholds,
        examples.weighted_example,
        examples.time_series,
    )
}


def run_claims(names: list[str], *, again: bool = False) -> None:
    """Check the claims that have not been checked yet (or all of them again), and say what came out."""
    found: dict[str, list[Claim]] = kept("claims")
    if again:
        forget_curves()
    for name in names:
        if name in found and not again:
            print(f"{name}: checked before, kept (--again checks it afresh)")
            continue
        start, before = time.process_time(), {one["what"]: one for one in found.get(name, [])}
        made: list[Claim] = []
        with warnings.catch_warnings(), left_out(name):
            # one cluster, an early end: they show in the claim
            warnings.simplefilter("ignore", GraphensWarning)
            made = CLAIMS[name]()
        if not made:
            continue
        found[name] = made
        print(f"{name}: checked afresh, {time.process_time() - start:.1f} CPU s")
        for one in found[name]:
            print(f"  {one['what']}: published {one['published']}, now {one['ours']}, {_beside(before, one)}")
        if list(before.values()) != found[name]:
            keep("claims", found)
            note_origin("claims", {"claim": name})


def _beside(before: dict[str, Claim], one: Claim) -> str:
    """How a claim stands, and what was kept."""
    old, verdict = before.get(one["what"]), stands(one)
    if old is None:
        return f"{verdict}; new"
    return f"{verdict}; as kept" if old["ours"] == one["ours"] else f"{verdict}; kept was {old['ours']}"
