"""Clusters at given numbers of differing partitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._lib.arrays import IntArray, LabelArray, as_int, one_of
from ..errors import DegenerateWarning, InputError, warn
from ..graphs.coassociation import coassociation, strong_forest
from ..graphs.graph import SLACK, Graph
from ..graphs.matrices import tidy
from ..labels.ensemble import Ensemble
from .agglomerate import merges_of
from .dendrogram import Dendrogram

RULES = ("share", "count")
_COMPLETE = 0.5  # share of the labels below which an object is said to be incomplete
_ROUNDING = 1e-12  # heights are quotients of numbers of partitions, which differ by more


def level_labels(tree: Dendrogram, at: int | Sequence[int], missing: str) -> dict[int, LabelArray]:
    """Return the labels at each level, see `Dendrogram.levels`."""
    e = tree._ensemble
    if e is None:
        raise InputError(
            "The heights of this dendrogram are not shares of differing partitions, so it has no levels; expected "
            "one of link(coassociation(labels), 'single'), 'average' or 'complete', without cluster weights."
        )
    if (e.weights != e.weights[0]).any():
        raise InputError(
            f"The partitions have weights from {e.weights.min():g} to {e.weights.max():g}; levels count partitions and "
            "expect equal weights. Use cut_at(height), or give every partition the weight 1."
        )
    levels: Any = [at] if np.ndim(at) == 0 else at
    wanted = [as_int("at", level, 0, e.n_partitions) for level in levels]
    if not wanted or len(set(wanted)) < len(wanted):
        raise InputError.about("at", at, "one or more different numbers of partitions")
    if one_of("missing", missing, RULES) == "count" and e.has_missing:
        if tree._linkage != "single":
            raise InputError.about(
                "missing", missing, "'share'", because=f" for {tree._linkage} link", advice="Use single link."
            )
        tree = single_link_up_to(e, max(wanted), missing)
    elif tree._theta is not None and max(wanted) > (most := (1 - tree._theta - SLACK) * e.n_partitions):
        because = f" for a tree of similarities above theta = {tree._theta:g}"
        advice = "Link with a smaller theta, or without one."
        raise InputError.about("at", max(wanted), f"levels up to {int(most)}", because=because, advice=advice)
    return labels_at(tree, e, wanted)


def labels_at(tree: Dendrogram, e: Ensemble, levels: Sequence[int]) -> dict[int, LabelArray]:
    """Return the clusters formed by all merges up to each number of differing partitions."""
    shares = [level / e.n_partitions + _ROUNDING for level in levels]
    merges = np.searchsorted(tree.heights, shares, side="right").tolist()
    labels = {level: tree._labels(number) for level, number in zip(levels, merges, strict=True)}
    if e.has_missing:
        n_labels = np.zeros(e.n_objects, dtype=np.int64)
        for codes in e.codes:
            n_labels += codes != e.absent
        few = np.flatnonzero((n_labels > 0) & (n_labels < _COMPLETE * e.n_partitions))
        if few.size:
            has = "object has" if few.size == 1 else "objects have"
            _warn_incomplete(e, f"{few.size} {has} fewer than half of the labels.", few, n_labels, most=5)
        elif 0 in labels:
            _warn_chained(e, labels[0], n_labels)
    return labels


def _warn_chained(e: Ensemble, labels: LabelArray, n_labels: IntArray) -> None:
    """Say that objects with few labels are equal to others that differ, and so put them into one cluster. O(nB)."""
    inside = np.flatnonzero(labels >= 0)
    order = inside[np.argsort(labels[inside], kind="stable")]
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    chained = np.zeros(len(starts), dtype=bool)
    for codes in e.codes:
        there = codes[order] != e.absent
        high = np.maximum.reduceat(np.where(there, codes[order], 0), starts)
        chained |= high > np.minimum.reduceat(np.where(there, codes[order], high.max()), starts)
    objects = np.flatnonzero(np.isin(labels, labels[order][starts[chained]]) & (labels >= 0))
    if not objects.size:
        return
    groups = int(chained.sum())
    clusters = f"{groups} cluster{'s' * (groups > 1)}"
    alike = f"{objects.size} objects are in {clusters} at level 0 although some of them differ."
    _warn_incomplete(e, alike, objects, n_labels, most=1)


def _warn_incomplete(e: Ensemble, why: str, objects: IntArray, n_labels: IntArray, *, most: int) -> None:
    least = objects[np.argsort(n_labels[objects], kind="stable")[:most]].tolist()
    named = ", ".join(f"{e.vertex_names()[i]} ({n_labels[i]} of {e.n_partitions})" for i in least)
    warn(
        f"{why} An object with few labels, such as {named}, can be close to several that differ from "
        "each other, and connects them. Leave incomplete objects out.",
        DegenerateWarning,
    )


def single_link_up_to(e: Ensemble, most: int, missing: str) -> Dendrogram:
    """Return single link of objects up to a number of differing partitions; all other groups join at 1."""
    from ..kernels.similarity import LENIENT

    leaves, index = coassociation(e)._leaves()
    if not leaves.n_vertices:
        return Dendrogram([], index=index, names=e.vertex_names())
    ev: Any = leaves._evidence
    limit = 1.0 - most / e.n_partitions - _ROUNDING
    half = strong_forest(ev._replace(mode=LENIENT) if missing == "count" and e.has_missing else ev, limit)
    merges = merges_of(Graph._trusted(tidy(half + half.T), leaves))
    return Dendrogram(merges, index=index, names=e.vertex_names())
