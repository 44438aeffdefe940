"""What partitions say of each other, one contingency table after another: O(K) memory, never K × K or B × B."""

from __future__ import annotations

import numpy as np

from .._arrays import AnyArray, FloatArray, IntArray, draw
from .._work import map_threads
from ..core.ensemble import Ensemble
from .incidence import TABLE, pair_table

_ASKED = 500  # partitions that all are compared with in any case
_STEPS = 1 << 29  # labels that are looked at before some partitions stand for all
_LONG = 1 << 16  # objects of a partition from which on a table takes longer than asking for it
_LOGS = 1 << 16  # whole numbers up to which x log x is looked up


def asked_partitions(e: Ensemble, most: int | None = None) -> IntArray:
    """Return the partitions that every partition is compared with: all that count, or a random sample of them.

    Comparing all takes nB² steps. Beyond 500 partitions and half a billion steps, as many of them stand for all as
    take so many steps, at least 500, or `most`: always the same ones for the same ensemble.
    """
    counting = np.flatnonzero(e.weights > 0)
    most = most or max(_ASKED, int(_STEPS / (max(e.n_objects, 1) * e.n_partitions)))
    return counting if len(counting) <= most else counting[draw(len(counting), most, 0)]


def mean_opinions(e: Ensemble, others: IntArray, voices: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what partitions `others` say of every partition and of every cluster: means by their voices, itself out.

    Of a partition how far they put the same pairs of objects together, beyond chance (`reliability.shared_pairs`);
    of a cluster its entropy over their clusters, in bits. O(n) for each pair of partitions, O(K) memory.
    """
    from ..kernels.counting import judge_clusters, room_for

    said, bits, offsets = np.zeros(e.n_partitions), np.zeros(int(e.offsets[-1])), e.offsets
    most, logs = int(e.n_clusters.max()), _times_log(e)
    own = np.bincount(others, voices, e.n_partitions)
    total = np.maximum(voices.sum() - own, np.finfo(np.float64).tiny)

    def judge(s: int) -> None:
        found = bits[offsets[s] : offsets[s + 1]]
        room = room_for(e.n_objects, most)
        said[s] = judge_clusters(
            e.codes, e.absent, e.n_clusters, _masses(e), s, others, voices, logs, room, found
        )

    map_threads(judge, range(e.n_partitions), "partitions", each=float(e.n_objects) * len(others))
    return said / total, bits / np.repeat(total, e.n_clusters)


def sums_with(e: Ensemble, s: int, others: IntArray) -> FloatArray:
    """Return for partition s with others what measures of agreement are made of: seven sums over each table, O(n)."""
    from ..kernels.counting import pair_sums, room_for, table_sums

    found, k = np.empty((len(others), 7)), e.n_clusters
    few = int(k.max() + 1) ** 2 <= max(TABLE, 8 * e.n_objects)
    if e.n_objects >= _LONG and few:  # tables one by one: for some long partitions nothing new is compiled
        for t, sums in zip(others.tolist(), found, strict=True):
            table = pair_table(e, e.codes[s], e.codes[t], int(k[s]), int(k[t]))
            table_sums(table, int(k[s]), int(k[t]), sums)
        return found
    room = room_for(e.n_objects, int(k.max()))
    pair_sums(e.codes, e.absent, e.n_clusters, _masses(e), s, others, room, found)
    return found


def shared_with(e: Ensemble, s: int, others: IntArray) -> tuple[AnyArray, AnyArray, FloatArray]:
    """Return what clusters of s share with those of other partitions: number in s, number among all, and the weight."""
    from ..kernels.counting import room_for, shared_cells

    k = int(e.n_clusters[s])
    size = int(np.minimum(e.n_objects, k * e.n_clusters[others]).sum())
    cells, counts, room = (
        np.empty((2, size), dtype=np.int64),
        np.empty(size),
        room_for(e.n_objects, int(e.n_clusters.max())),
    )
    found = shared_cells(
        e.codes, e.absent, e.n_clusters, e.offsets, _masses(e), s, others, room, cells, counts
    )
    return cells[0, :found], cells[1, :found], counts[:found]


def asked_details(e: Ensemble) -> dict[str, int]:
    """Return for the details how many partitions are asked; nothing where it is all of them."""
    asked = len(asked_partitions(e))
    return {} if asked == np.count_nonzero(e.weights) else {"asked": asked}


def _masses(e: Ensemble) -> FloatArray:
    """What objects count, nothing where each counts once."""
    return e.object_weights[:0] if e._unweighted else e.object_weights


def _times_log(e: Ensemble) -> FloatArray:
    """Return x log₂ x of the whole numbers that can be counted, as far as they are worth a table."""
    x = np.arange(min(int(e.object_weights.sum()), _LOGS) + 1.0)
    return x * np.log2(np.maximum(x, 1.0))
