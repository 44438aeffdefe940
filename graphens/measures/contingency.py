"""Contingency tables of labelings, and the sums over them that measures of agreement are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from scipy import sparse

from .._arrays import AnyArray, FloatArray, IntArray
from .._memory import require
from .._work import map_threads
from ..core.ensemble import Ensemble
from ..views.overlaps import TABLE, overlaps, pair_table

_PAIR = 350.0  # bytes that a pair of partitions takes on its way into the matrix


class Table:
    """The contingency table of two labelings, as its non-zero cells, for one or several pairs at once.

    Cells of pair g carry ``group == g``; sums over a pair's cells, rows and columns are all that any measure needs.
    """

    n_groups: int
    group: AnyArray
    count: AnyArray
    total: FloatArray
    row_group: AnyArray
    row_sum: AnyArray
    row_of: AnyArray
    column_group: AnyArray
    column_sum: AnyArray
    column_of: AnyArray

    def __init__(
        self, group: AnyArray, row: AnyArray, column: AnyArray, count: AnyArray, n_groups: int
    ) -> None:
        self.n_groups, self.group, self.count = n_groups, group, count
        self.total = self._sum(count)
        self.row_group, self.row_sum, self.row_of = _margin(group, row, count)
        self.column_group, self.column_sum, self.column_of = _margin(group, column, count)

    def _sum(self, values: AnyArray, group: AnyArray | None = None) -> FloatArray:
        where = self.group if group is None else group
        return np.asarray(np.bincount(where, weights=values, minlength=self.n_groups), dtype=np.float64)

    def n_rows(self) -> FloatArray:
        """How many clusters the first labeling has among the objects of each pair, at least 1."""
        return np.maximum(self._sum(np.ones(len(self.row_group)), self.row_group), 1.0)

    def n_columns(self) -> FloatArray:
        """How many clusters the second labeling has among the objects of each pair, at least 1."""
        return np.maximum(self._sum(np.ones(len(self.column_group)), self.column_group), 1.0)

    def entropies(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Entropy of the rows, of the columns and of the cells, in nats."""
        total = np.where(self.total > 0, self.total, 1.0)

        def entropy(values: AnyArray, group: AnyArray) -> FloatArray:
            share = values / total[group]
            return np.maximum(-self._sum(share * np.log(share), group), 0.0)

        return (
            entropy(self.row_sum, self.row_group),
            entropy(self.column_sum, self.column_group),
            entropy(self.count, self.group),
        )

    def sums(self, phi: Callable[[AnyArray], FloatArray]) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Sums of a function of the counts: over the rows, over the columns and over the cells."""
        return (
            self._sum(phi(self.row_sum), self.row_group),
            self._sum(phi(self.column_sum), self.column_group),
            self._sum(phi(self.count)),
        )

    def pairs(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Pairs of objects together in both, in the first, in the second, and all pairs."""

        def together(values: AnyArray, group: AnyArray) -> FloatArray:
            return self._sum(values * (values - 1) / 2, group)

        total = self.total * (self.total - 1) / 2
        return (
            together(self.count, self.group),
            together(self.row_sum, self.row_group),
            together(self.column_sum, self.column_group),
            total,
        )


def _margin(group: AnyArray, line: AnyArray, count: AnyArray) -> tuple[AnyArray, AnyArray, AnyArray]:
    width = int(line.max(initial=0)) + 1
    keys, inverse = np.unique(group.astype(np.int64) * width + line, return_inverse=True)
    return keys // width, np.bincount(inverse, weights=count, minlength=len(keys)), inverse


@dataclass(frozen=True, eq=False)
class Sums:
    """The same sums as a `Table` has, for many pairs of partitions, without the tables."""

    values: FloatArray

    @property
    def total(self) -> FloatArray:
        """Objects that both have."""
        return self.values[:, 0]

    def entropies(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Entropy of the rows, of the columns and of the cells, in nats."""
        rows, columns, cells = (np.maximum(self.values[:, j], 0.0) for j in (1, 2, 3))
        return rows, columns, cells

    def pairs(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Pairs of objects together in both, in the first, in the second, and all pairs."""
        both, rows, columns = (self.values[:, j] for j in (4, 5, 6))
        return both, rows, columns, self.total * (self.total - 1) / 2


def against(labels: AnyArray, e: Ensemble) -> Table:
    """Return the contingency tables of a canonical labeling with every partition, one group per partition."""
    k = int(labels.max(initial=-1)) + 1
    return counted_tables(e, overlaps(e, labels, max(k, 1)))


def counted_tables(e: Ensemble, shared: sparse.csr_array) -> Table:
    """Return the same from what the base clusters share with those of the labeling."""
    cells = shared.tocoo()
    owner = np.repeat(np.arange(e.n_partitions), e.n_clusters)
    return Table(owner[cells.row], cells.row, cells.col, cells.data, e.n_partitions)


def all_pairs(e: Ensemble) -> tuple[IntArray, IntArray, Sums] | None:
    """Return the sums of every pair of partitions (s ≤ t), or nothing where tables would be mostly empty. O(nB²)."""
    from ..kernels.tables import table_sums

    most = int(e.n_clusters.max())
    if (most + 1) ** 2 > max(TABLE, 8 * e.n_objects):
        return None

    b = e.n_partitions
    require(_PAIR * b * (b + 1) / 2, f"The agreement of all pairs of {b} partitions", "Take fewer partitions")

    def sums(pair: tuple[int, int]) -> FloatArray:
        s, t = pair
        k_s, k_t = int(e.n_clusters[s]), int(e.n_clusters[t])
        found = np.empty(7)
        table_sums(pair_table(e, e.codes[s], e.codes[t], k_s, k_t), k_s, k_t, found)
        return found

    pairs = list(combinations_with_replacement(range(e.n_partitions), 2))
    values = map_threads(sums, pairs, "pairs of partitions", each=e.n_objects)
    first, second = np.array(pairs).T
    return first, second, Sums(np.stack(values))
