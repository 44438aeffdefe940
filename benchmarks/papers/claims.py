"""The papers' figures and worked examples, checked once and kept."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable

from graphens.errors import GraphensWarning

from . import claims_evidence as evidence
from . import claims_examples as examples
from . import claims_prototypes
from .claim import Claim
from .runner import keep, kept

CLAIMS: dict[str, Callable[[], list[Claim]]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        examples.worked_example,
        evidence.ring_bar_gaussian,
        evidence.uniform_cloud,
        evidence.biased_agreement,
        evidence.longest_lifetimes,
        evidence.least_variance,
        evidence.convergence,
        evidence.influence_of_k,
        evidence.complex_image,
        claims_prototypes.prototypes,
        examples.ensemble_size,
        examples.weighted_example,
        examples.time_series,
    )
}


def run_claims(names: list[str], *, again: bool = False) -> None:
    """Check the claims that have not been checked yet (or all of them again)."""
    found: dict[str, list[Claim]] = kept("claims")
    for name in names:
        if name not in found or again:
            start = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore", GraphensWarning
                )  # one cluster, an early end: they show in the claim
                found[name] = CLAIMS[name]()
            keep("claims", found)
            print(f"{name}: {time.perf_counter() - start:.1f} s", file=sys.stderr)
