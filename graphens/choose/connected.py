"""Clusters of any shape: when to believe the connected pieces of the co-association rather than the panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .._arrays import Seed
from ..core.dendrogram import TIE
from ..core.ensemble import Ensemble
from ..core.result import Consensus
from ..families.panel import Tried, attempt, has_crumbs
from ..measures.agreement import pairwise
from ..measures.silhouettes import PathSilhouettes

PIECES = "islands"
_SAME = 0.95  # an adjusted Rand index above which two answers are the same but for a few objects
_LONG, _VOTES = 0.04, 2  # a lifetime that is evidence: this share of the partitions, and at least so many
_GAIN = 0.05  # by how much its path silhouette must be larger
_GROUP = 3  # objects that are a cluster; fewer are outliers
_CLEAR = 0.5  # a silhouette that is called reasonable, asked for where a cluster has few objects


def connected(
    e: Ensemble, k: int, seed: Seed, best: Consensus, panel: Sequence[Tried]
) -> tuple[Consensus | None, list[Tried], str]:
    """Return the pieces to be preferred to the panel's best answer, or None; what was tried; and why, in words.

    Where the methods of the panel, which work differently, give the same clusters, these are believed. Where they do
    not, it may be the shape of the clusters. The k large pieces of `islands`, where they live long enough; where they
    do not, single link at k, if none of its clusters has fewer than three objects. Either must be better connected
    inside than the panel's answer: a path silhouette larger by a twentieth, and at least one half where a cluster holds
    less than a tenth of the mean size: single link also splits off a few odd objects of overlapping clusters. Large
    pieces are always preferred to an answer with a cluster of a few objects.
    """
    odd, alike = has_crumbs(best, e), agreement(panel, e)
    if not odd and alike >= _SAME:
        return None, [], ""
    large = _by_lifetime(attempt(PIECES, e, k, seed))
    tried, found = [large], large.result
    if found is not None and found.k == k and odd and not has_crumbs(found, e):
        return found, tried, f"{best.method} has a cluster of less than a tenth of the mean size"
    if alike >= _SAME:
        return None, tried, ""
    differ = f"{' and '.join(t.method for t in panel)} differ (ARI {alike:.2f})"
    enough = max(_LONG, _VOTES / max(int(np.count_nonzero(e.weights > 0)), 1))
    if found is None or found.k != k or large.value < enough - TIE:
        single = _by_lifetime(attempt(PIECES, e, k, seed, share=0.0))
        tried.append(replace(single, note=f"share = 0: plain single link. {single.note}".strip()))
        found = single.result
        if found is None or found.k != k or found.details["smallest"] < _GROUP:
            return None, tried, differ
    paths = PathSilhouettes(e)
    inside, before = paths(found.labels), paths(best.labels)
    if inside - before < _GAIN or (has_crumbs(found, e) and inside < _CLEAR):
        return None, tried, differ
    said = f"its clusters are better connected inside than across (path silhouette), {inside:.3f} against {before:.3f}"
    return found, tried, f"{said}, and {differ}"


def agreement(panel: Sequence[Tried], e: Ensemble) -> float:
    """The smallest adjusted Rand index of two answers of a panel, by the weights of the objects; 0 where one failed."""
    answers = [t.result.labels for t in panel if t.result is not None]
    if len(answers) < len(panel):
        return 0.0
    return float(pairwise(Ensemble.from_partitions(answers, object_weights=e.object_weights), "ari").min())


def _by_lifetime(tried: Tried) -> Tried:
    return (
        tried
        if tried.result is None
        else replace(tried, by="lifetime", value=tried.result.details["lifetime"])
    )
