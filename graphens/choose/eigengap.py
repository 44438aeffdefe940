"""The number of clusters with the largest relative eigengap of the walk between objects and base clusters."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from .._arrays import FloatArray, Seed, draw
from ..core.ensemble import Ensemble
from ..cutting.spectral import transfer_spectrum
from ..linkage import link
from ..steps.policy import POLICY
from ..steps.prepared import without_repeats
from ..views.coassociation import coassociation
from ..views.reliability import cluster_reliability, informative
from .choice import Choice

_SAMPLE = 4000  # objects whose single-link tree is asked where there are more
_FEW = 1000  # and whose average-link tree


def eigengap(e: Ensemble, rng: Seed = 0, ks: Collection[int] | None = None) -> Choice:
    """Choose the k with the largest relative eigengap of the object-cluster walk; 1 if none stands out.

    λ₁ = 1 ≥ λ₂ ≥ … are the eigenvalues of D^-½ (Aᵀ D_X⁻¹ A) D^-½, where A is the incidence H, once unchanged and once
    with its columns weighted by reliability. 1 − λ is how fast a walk object → base cluster → object leaves a group,
    and g(k) = ln[(1 − λ_{k+1} + ε) / (1 − λ_k + ε)] with ε = 1/(4B) is the relative gap after k groups.
    Data along a line without clusters have 1 − λ_k ∝ (k − 1)², hence gaps l(k) = 2 ln(k / (k − 1)). The k with the
    largest strength(k) = max(g(k) / max(l(k), 1), g_reliable(k) / max(l(k), 0.75)) is chosen if that is above 1.
    If a larger number also has a strength above 1, and the longest lifetime of all in the average-link dendrogram, it
    is chosen instead: if clusters overlap in groups, the gap after these groups can be larger than after all clusters.
    Elongated clusters have weak gaps: below a strength of 1.2, the k > 1 with the longest single-link lifetime is
    chosen instead, if that lifetime is at least 0.25.

    The gaps cost O(nB²) and use no sample. The trees are computed only if the gap alone does not decide, on at most
    4,000 objects (single link) and 1,000 (average link).
    """
    strength = within(gap_strengths(e), ks)
    figures: dict[str, Any] = {"strengths": strength}
    if not strength:
        return Choice(1, "no partition has enough clusters to compare", figures, "eigengap")
    order = sorted(strength, key=lambda k: -strength[k])
    first, rest = order[0], order[1:3]
    if strength[first] < POLICY.clear_gap:
        k, length, said = _longest_single_link(e, rng, ks)
        figures["single_link"] = {"k": k, "lifetime": length}
        if length >= POLICY.long_life:
            why = (
                f"{k} clusters are connected inside and apart from each other (lifetime {length:.2f} of 1 {said}), "
                f"and no number of compact clusters stands out (strength at most {strength[first]:.2f})"
            )
            return Choice(k, why, figures, "eigengap", optional=_others(k, first, *rest))
    if strength[first] > 1:
        clear = [k for k in order if strength[k] > 1 and k >= first]
        k, also = first, ""
        if len(clear) > 1:
            lives, of = average_lifetimes(e, rng, ks)
            figures["lifetimes"] = within(lives, clear)
            longest = max((k for k in lives if k > 1), key=lambda k: lives[k], default=first)
            if longest in clear and longest != first:
                k = longest
                also = (
                    f"; {first} clusters also stand out, but {k} have the longest lifetime in the average-linkage "
                    f"dendrogram of {of}"
                )
        why = (
            f"{k} clusters stand out: dividing one of them further would separate objects that are often together "
            f"(strength {strength[k]:.2f}; above 1 counts as clear{also})"
        )
        return Choice(k, why, figures, "eigengap", optional=_others(k, *order)[:1])
    named = " and ".join(f"{k} (strength {strength[k]:.2f})" for k in (first, *rest[:1]))
    why = f"no number of clusters stands out with a strength above 1; the best candidates are {named}"
    return Choice(1, why, figures, "eigengap", optional=(first, *rest[:1]))


def gap_strengths(e: Ensemble) -> dict[int, float]:
    """Return the strength of every k from 2 to the largest number of clusters of a partition, at most 35."""
    told = (e.weights > 0) & informative(e)
    e = e if told.all() else e.take(partitions=told)
    e = e if e.present.all() else e.take(objects=e.present)
    most = min(int(e.n_clusters.max()), POLICY.largest_k, e.n_objects - 1)
    if most < 2:
        return {}
    slack = 1.0 / (4.0 * e.n_partitions)  # by all partitions, also where equal ones are counted once
    e = without_repeats(e)
    size = np.arange(2, most + 1)
    line = 2 * np.log(
        size / (size - 1)
    )  # the gaps of a strip without clusters, where 1 − λ_k grows as (k − 1)²
    plain = _gaps(e, None, most, slack) / np.maximum(line, POLICY.plain_gap)
    reliable = _gaps(e, cluster_reliability(e), most, slack) / np.maximum(line, POLICY.reliable_gap)
    return {k: float(max(a, b)) for k, a, b in zip(range(2, most + 1), plain, reliable, strict=True)}


def _gaps(e: Ensemble, cluster_weights: FloatArray | None, most: int, slack: float) -> FloatArray:
    """g(2), …, g(most)."""
    values = transfer_spectrum(e, most + 1, cluster_weights=cluster_weights)
    leaving = np.log(1.0 - values + slack)
    return leaving[2:] - leaving[1:-1]


def _longest_single_link(e: Ensemble, rng: Seed, ks: Collection[int] | None) -> tuple[int, float, str]:
    """The k > 1 with the longest lifetime in the single-link tree, the lifetime, and the tree in words."""
    seen, of = some_objects(e, rng)
    lengths = link(coassociation(seen), "single").lifetimes()
    most = min(int(e.n_clusters.max()), max(lengths) - 1)
    known = within({k: lengths[k] for k in range(2, most + 1)}, ks)
    k = max(known, key=lambda k: known[k], default=1)
    return k, known.get(k, 0.0), f"in the single-linkage dendrogram of {of}"


def average_lifetimes(e: Ensemble, rng: Seed, ks: Collection[int] | None) -> tuple[dict[int, float], str]:
    """Return the lifetimes in the average-link dendrogram, that of 1 included, and its objects in words."""
    seen, of = some_objects(e, rng, _FEW)
    most = int(e.n_clusters.max())
    lengths = {
        k: length for k, length in link(coassociation(seen), "average").lifetimes().items() if k <= most
    }
    return within(lengths, None if ks is None else {1, *ks}), of


def within(curve: dict[int, float], ks: Collection[int] | None) -> dict[int, float]:
    """Keep the numbers of clusters that may be chosen."""
    return curve if ks is None else {k: value for k, value in curve.items() if k in ks}


def some_objects(e: Ensemble, rng: Seed, most: int = _SAMPLE) -> tuple[Ensemble, str]:
    """Return all objects, or a random sample if there are more than `most`, and a phrase for them."""
    if e.n_objects <= most:
        return e, "all objects"
    return e.take(objects=draw(e.n_objects, most, rng)), f"a sample of {most} objects"


def _others(k: int, *candidates: int) -> tuple[int, ...]:
    return tuple(c for c in candidates if c != k)[:2]
