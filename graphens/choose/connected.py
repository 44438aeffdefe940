"""Clusters of any shape: when to believe the connected pieces of the co-association rather than the panel."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._arrays import Seed
from ..core.dendrogram import TIE
from ..core.ensemble import Ensemble
from ..core.result import Consensus
from ..families.panel import Tried, attempt, has_crumbs
from ..measures.silhouettes import PathSilhouettes

PIECES = "islands"
_LONG, _VOTES = 0.04, 2  # a lifetime that is evidence: this share of the partitions, and at least so many
_GAIN = 0.05  # by how much its path silhouette must be larger
_GROUP = 3  # objects that are a cluster; fewer are outliers
_CLEAR = 0.5  # a silhouette that is called reasonable, asked for where a cluster has few objects


def connected(e: Ensemble, k: int, seed: Seed, best: Consensus) -> tuple[Consensus | None, list[Tried], str]:
    """Return the pieces to be preferred to the panel's best answer, or None; what was tried; and why, in words.

    The k large pieces of `islands`, where they live long enough; where they do not, single link at k, if none of its
    clusters has fewer than three objects. Either must be better connected inside than the panel's answer: a path
    silhouette larger by a twentieth, and at least one half where a cluster holds less than a tenth of the mean size:
    single link also splits off a few odd objects of overlapping clusters. Large pieces are also preferred to an answer
    with a cluster of a few objects.
    """
    large = _by_lifetime(attempt(PIECES, e, k, seed))
    tried, found = [large], large.result
    if found is not None and found.k == k and has_crumbs(best, e) and not has_crumbs(found, e):
        return found, tried, f"{best.method} has a cluster of less than a tenth of the mean size"
    enough = max(_LONG, _VOTES / max(int(np.count_nonzero(e.weights > 0)), 1))
    if found is None or found.k != k or large.value < enough - TIE:
        single = _by_lifetime(attempt(PIECES, e, k, seed, share=0.0))
        tried.append(replace(single, note=f"share = 0: plain single link. {single.note}".strip()))
        found = single.result
        if found is None or found.k != k or found.details["smallest"] < _GROUP:
            return None, tried, ""
    paths = PathSilhouettes(e)
    inside, before = paths(found.labels), paths(best.labels)
    if inside - before < _GAIN or (has_crumbs(found, e) and inside < _CLEAR):
        return None, tried, ""
    said = f"its clusters are better connected inside than across (path silhouette), {inside:.3f} against {before:.3f}"
    return found, tried, said


def _by_lifetime(tried: Tried) -> Tried:
    return (
        tried
        if tried.result is None
        else replace(tried, by="lifetime", value=tried.result.details["lifetime"])
    )
