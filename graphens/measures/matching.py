"""Label correspondence: matching the clusters of a partition to those of a reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, as_int, divide
from .._lib.memory import require
from ..errors import InputError
from ..graphs.counts import overlaps
from ..graphs.graph import Graph
from ..labels.ensemble import Ensemble
from ..trees import link
from .agreement import agreements, best_pairs


def match_clusters(overlap: FloatArray, free: AnyArray | None = None) -> FloatArray:
    """Return the 0/1 table of matches, from the overlaps of clusters (rows) with reference clusters (columns).

    Clusters are matched one to one for the largest total overlap (Hungarian method); the remaining ones are matched to
    the column they overlap most. A cluster without any overlap is not matched, unless a `free` column is left for it.
    """
    unused = np.zeros(overlap.shape[1], dtype=bool) if free is None else free
    hint = 1e-9 * max(float(overlap.max(initial=0)), 1e-300) * unused  # a free column rather than a foreign one
    rows, columns = best_pairs(overlap + hint, empty=True)
    target = overlap.argmax(axis=1)
    target[rows] = columns
    known: AnyArray = overlap.max(axis=1) > 0
    known[rows] |= unused[columns]
    table = np.zeros_like(overlap)
    table[known, target[known]] = 1
    return table


def correspondences(
    blocks: Sequence[FloatArray], weights: FloatArray, k: int | None
) -> tuple[list[FloatArray], list[FloatArray]]:
    """Match every partition with the reference, whose clusters are first merged to k if it has more.

    `blocks` has for every partition the overlaps of its clusters with those of the reference. Returned after merging,
    with the tables of matches.
    """
    if k is not None and blocks[0].shape[1] > k:
        group = merge_clusters(blocks, weights, k)
        blocks = [block @ np.eye(k)[group] for block in blocks]
    return list(blocks), [match_clusters(block) for block in blocks]


def merge_clusters(blocks: Sequence[FloatArray], weights: FloatArray, k: int) -> LabelArray:
    """Group the clusters of a labeling into k: average link by mean co-association.

    `blocks` has for every partition the overlaps of its clusters with those of the labeling.
    """
    evidence = sum(w * block.T @ block for w, block in zip(weights, blocks, strict=True))
    present = sum(w * np.outer(*[block.sum(axis=0)] * 2) for w, block in zip(weights, blocks, strict=True))
    mean = divide(evidence, present)
    size = np.maximum(np.asarray(present).diagonal(), 1e-300) ** 0.5
    return link(Graph((mean + mean.T) / 2, vertex_weights=size), "average").cut(k)


def overlaps_with(e: Ensemble, reference: LabelArray, n_clusters: int) -> list[FloatArray]:
    """Overlaps of the clusters of every partition with those of a reference labeling, one table each."""
    require(
        # the tables, those of the matches, and four copies of the largest while it is matched
        8.0 * n_clusters * (2 * e.n_clusters.sum() + 4 * e.n_clusters.max(initial=0)),
        f"Matching {e.n_clusters.sum()} clusters to the {n_clusters} of a reference",
        "Use partitions with fewer clusters",
    )
    return np.split(overlaps(e, reference, n_clusters).toarray(), e.offsets[1:-1])


def reference_partition(
    e: Ensemble,
    sizes: AnyArray,
    k: int | None,
    reference: Any,
    origin: IntArray,
    nmi: Callable[[], FloatArray] | None = None,
) -> int:
    """Return the partition to use as the reference, given the number of clusters of each.

    A number is the position among the partitions given; `origin` has the place of each in `e`, −1 if it does not count.
    ``"medoid"`` has the largest mean NMI with all (or with a sample of many) by weight, ``"most"`` the most clusters.
    With k, partitions with exactly k clusters are considered if there are any, otherwise those with the fewest above k,
    otherwise those with the most. `nmi` returns the NMI of all pairs; by default, it is counted from the labels.
    """
    if not isinstance(reference, str):
        t = as_int("reference", reference, -len(origin), len(origin) - 1)
        if origin[t] < 0:
            raise InputError.about(
                "reference", t, "a partition that counts", because=", a partition of weight 0 or without labels"
            )
        return int(origin[t])
    if reference not in REFERENCES:
        raise InputError.about(
            "reference", reference, f"{', '.join(REFERENCES)}, a partition's number, or a label vector"
        )
    above = sizes[sizes >= k] if k is not None and reference == "medoid" else sizes[:0]
    wanted = above.min() if above.size else sizes.max()
    free = k is None and reference == "medoid"
    candidates = np.arange(len(sizes)) if free else np.flatnonzero(sizes == wanted)
    if len(candidates) == 1:
        return int(candidates[0])
    between, others = agreements(e, "nmi") if nmi is None else (nmi(), np.arange(len(sizes)))
    weights = e.weights[others]
    agreement = between[candidates] @ weights
    return int(candidates[np.argmax(agreement > agreement.max() - 1e-9 * weights.sum())])


REFERENCES = ("medoid", "most")
