"""Agreement of two labellings, and of one with an ensemble. Objects that either leaves unassigned do not count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import AnyArray, FloatArray, canonical
from ..core.ensemble import Ensemble
from ..errors import InputError
from ..views.membership import overlaps

AVERAGES: dict[str, Callable[[AnyArray, AnyArray], AnyArray]] = {
    "geometric": lambda a, b: np.sqrt(a * b),
    "arithmetic": lambda a, b: (a + b) / 2,
    "min": np.minimum,
    "max": np.maximum,
}


class Table:
    """The contingency table of two labellings, as its non-zero cells, for one or several pairs at once.

    Cells of pair g carry ``group == g``; sums over a pair's cells, rows and columns are all that any measure needs.
    """

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


def _table(a: ArrayLike, b: ArrayLike) -> Table:
    first, second = (as_labelling(x) for x in (a, b))
    if len(first) != len(second):
        raise InputError(
            f"Labellings of {len(first)} and {len(second)} objects were given; expected the same objects."
        )
    both = (first >= 0) & (second >= 0)
    width = int(second.max(initial=0)) + 1
    keys, counts = np.unique(first[both].astype(np.int64) * width + second[both], return_counts=True)
    return Table(np.zeros(keys.size, dtype=np.int64), keys // width, keys % width, counts.astype(float), 1)


def as_labelling(labels: ArrayLike) -> AnyArray:
    """Whatever Ensemble takes as a label vector, as canonical codes with −1 for missing."""
    return Ensemble.from_partitions([labels]).labels[:, 0]


def _nmi(table: Table, average: str) -> FloatArray:
    if average not in AVERAGES:
        raise InputError(f"average = {average!r} was given; expected one of {', '.join(AVERAGES)}.")
    rows, columns, cells = table.entropies()
    mean = AVERAGES[average](rows, columns)
    both_constant = (rows <= 1e-15) & (columns <= 1e-15)
    value = np.divide(rows + columns - cells, mean, out=np.zeros_like(mean), where=mean > 1e-15)
    return _evident(table, np.where(both_constant, 1.0, np.clip(value, 0.0, 1.0)))


def _evident(table: Table, similarity: FloatArray) -> FloatArray:
    """Two labellings without a common object have no evidence of agreement: 0."""
    return np.where(table.total > 0, similarity, 0.0)


def _ari(table: Table) -> FloatArray:
    both, rows, columns, total = table.pairs()
    expected = np.divide(rows * columns, total, out=np.zeros_like(total), where=total > 0)
    spread = (rows + columns) / 2 - expected
    value = np.divide(both - expected, spread, out=np.ones_like(total), where=np.abs(spread) > 1e-12)
    return _evident(table, value)


def _rand(table: Table) -> FloatArray:
    both, rows, columns, total = table.pairs()
    agreed = total + 2 * both - rows - columns
    return _evident(table, np.divide(agreed, total, out=np.ones_like(total), where=total > 0))


def _mirkin(table: Table) -> FloatArray:
    both, rows, columns, _ = table.pairs()
    return rows + columns - 2 * both


def _vi(table: Table) -> FloatArray:
    rows, columns, cells = table.entropies()
    return np.maximum(2 * cells - rows - columns, 0.0)


def nmi(a: ArrayLike, b: ArrayLike, average: str = "geometric") -> float:
    """Normalised mutual information I(a; b) / mean(H(a), H(b)); 1 if both are constant, 0 without common objects.

    Parameters
    ----------
    a, b
        Label vectors of the same objects; objects missing in either do not count.
    average
        ``"geometric"`` (Strehl and Ghosh), ``"arithmetic"`` (Fred and Jain), ``"min"`` or ``"max"``.

    Examples
    --------
    >>> nmi([0, 0, 1, 1], ["b", "b", "a", "a"])
    1.0
    """
    return float(_nmi(_table(a, b), average)[0])


def ari(a: ArrayLike, b: ArrayLike) -> float:
    """Adjusted Rand index: 1 for equal partitions, about 0 for unrelated ones (Hubert and Arabie, 1985)."""
    return float(_ari(_table(a, b))[0])


def rand(a: ArrayLike, b: ArrayLike) -> float:
    """Rand index: share of pairs of objects on which the two agree."""
    return float(_rand(_table(a, b))[0])


def mirkin(a: ArrayLike, b: ArrayLike) -> float:
    """Mirkin distance: number of pairs of objects together in one labelling and apart in the other."""
    return float(_mirkin(_table(a, b))[0])


def vi(a: ArrayLike, b: ArrayLike) -> float:
    """Variation of information H(a | b) + H(b | a), in nats (Meilă, 2007)."""
    return float(_vi(_table(a, b))[0])


def error_rate(truth: ArrayLike, labels: ArrayLike) -> float:
    """Share of objects outside the best one-to-one matching of clusters to classes; unassigned objects are errors.

    Examples
    --------
    >>> error_rate([0, 0, 0, 1, 1], [1, 1, 0, 0, 0])
    0.2
    """
    from scipy.optimize import linear_sum_assignment

    wanted, given = as_labelling(truth), as_labelling(labels)
    if len(wanted) != len(given):
        raise InputError(
            f"Labellings of {len(wanted)} and {len(given)} objects were given; expected the same objects."
        )
    known = wanted >= 0
    if not known.any():
        raise InputError("The true labelling assigns no object; there is nothing to compare with.")
    both = known & (given >= 0)
    table = np.zeros((int(wanted.max()) + 1, max(int(given.max(initial=0)), 0) + 1))
    np.add.at(table, (wanted[both], given[both]), 1)
    matched = table[linear_sum_assignment(table, maximize=True)].sum()
    n = int(np.count_nonzero(known))
    return float((n - matched) / n)


def anmi(labels: ArrayLike, ensemble: Any, average: str = "geometric") -> float:
    """Average normalised mutual information of a labelling with the partitions of an ensemble.

    Each NMI is over the objects present in that partition and counts by their weight times the partition's. O(nB).

    Examples
    --------
    >>> anmi([0, 0, 1, 1], [[0, 0], [0, 0], [1, 1], [1, 1]])
    1.0
    """
    e = Ensemble.of(ensemble)
    table = against(canonical(as_labelling(labels)), e)
    share = e.weights * table.total
    return float(share @ _nmi(table, average) / share.sum()) if share.sum() > 0 else 0.0


def against(labels: AnyArray, e: Ensemble) -> Table:
    """Return the contingency tables of a canonical labelling with every partition, one group per partition."""
    k = int(labels.max(initial=-1)) + 1
    cells = overlaps(e, labels, max(k, 1)).tocoo()
    owner = np.repeat(np.arange(e.n_partitions), e.n_clusters)
    return Table(owner[cells.row], cells.row, cells.col, cells.data, e.n_partitions)


MEASURES: dict[str, Callable[[Table], FloatArray]] = {
    "nmi": lambda table: _nmi(table, "geometric"),
    "ari": _ari,
    "rand": _rand,
    "mirkin": _mirkin,
    "vi": _vi,
}


def pairwise(ensemble: Any, measure: str = "nmi") -> FloatArray:
    """Return the B × B matrix of a measure between all pairs of partitions: nmi, ari, rand, mirkin or vi. O(nB²).

    Examples
    --------
    >>> pairwise([[0, 0], [0, 1], [1, 0], [1, 1]], "nmi").tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    if measure not in MEASURES:
        raise InputError(f"measure = {measure!r} was given; expected one of {', '.join(MEASURES)}.")
    e = Ensemble.of(ensemble)
    plain = e.reweight(
        np.ones(e.n_partitions)
    )  # weights do not matter here, and zero ones cannot be taken alone
    rows = [
        MEASURES[measure](against(plain.take(partitions=[t]).labels[:, 0], e)) for t in range(e.n_partitions)
    ]
    return np.stack(rows)
