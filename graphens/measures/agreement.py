"""Agreement of two labelings, and of a labeling with an ensemble; objects that either leaves unassigned are ignored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import ArrayLike
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, canonical, divide, freeze, number, one_of
from .._lib.memory import require
from .._lib.threads import map_threads
from ..errors import InputError
from ..graphs.counts import overlaps, sampled_partitions, shared_clusters
from ..labels.ensemble import Ensemble, Labels
from ..labels.names import Names, align, attached_names


class Table:
    """The contingency table of two labelings, as its non-zero cells, for one or several pairs at once.

    Cells of pair g have ``group == g``; measures need only sums over the cells, rows and columns of a pair.
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

    def __init__(self, group: AnyArray, row: AnyArray, column: AnyArray, count: AnyArray, n_groups: int) -> None:
        self.n_groups, self.group, self.count = n_groups, group, count
        self.total = self._sum(count)
        self.row_group, self.row_sum, self.row_of = _margin(group, row, count)
        self.column_group, self.column_sum, self.column_of = _margin(group, column, count)

    def _sum(self, values: AnyArray, group: AnyArray | None = None) -> FloatArray:
        where = self.group if group is None else group
        return np.asarray(np.bincount(where, weights=values, minlength=self.n_groups), dtype=np.float64)

    def n_rows(self) -> FloatArray:
        """Number of clusters of the first labeling among the objects of each pair, at least 1."""
        return np.maximum(self._sum(np.ones(len(self.row_group)), self.row_group), 1.0)

    def n_columns(self) -> FloatArray:
        """Number of clusters of the second labeling among the objects of each pair, at least 1."""
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
    """The group and the sum of every row or column that occurs, and for every cell the place of its line in them."""
    width = int(line.max(initial=0)) + 1
    keys = group.astype(np.int64) * width + line
    if keys.max(initial=0) > 8 * len(keys):  # most lines do not occur
        lines, place = np.unique(keys, return_inverse=True)
        return lines // width, np.bincount(place, count, len(lines)), place
    sums = np.bincount(keys, count)
    there = sums > 0
    return np.flatnonzero(there) // width, sums[there], (np.cumsum(there) - 1)[keys]


def against(labels: AnyArray, e: Ensemble) -> Table:
    """Return the contingency tables of a canonical labeling with every partition, one group per partition."""
    k = int(labels.max(initial=-1)) + 1
    return counted_tables(e, overlaps(e, labels, max(k, 1)))


def counted_tables(e: Ensemble, shared: sparse.csr_array) -> Table:
    """Return the same from the overlaps of the base clusters with those of the labeling."""
    cells = shared.tocoo()
    owner = np.repeat(np.arange(e.n_partitions), e.n_clusters)
    return Table(owner[cells.row], cells.row, cells.col, cells.data, e.n_partitions)


def _columns(e: Ensemble, others: IntArray, value: Callable[[Table], FloatArray], *, half: bool = False) -> FloatArray:
    """A measure of every partition with some others, B × m, or by `half` of all with all where it is symmetric. O(nBm).

    No table is stored.
    """
    found, every = np.empty((e.n_partitions, len(others))), np.arange(e.n_partitions)

    def fill(place: int) -> None:
        t = int(others[place])
        for some, pair, column, row, shared in shared_clusters(e, t, every[t:] if half else every):
            found[some, place] = value(Table(pair, row, column, shared, len(some)))
            if half:
                found[place, some] = found[some, place]

    map_threads(fill, range(len(others)), "comparing partitions", each=float(e.codes.size))
    return found


AVERAGES: dict[str, Callable[[AnyArray, AnyArray], AnyArray]] = {
    "geometric": lambda a, b: np.sqrt(a * b),
    "arithmetic": lambda a, b: (a + b) / 2,
    "min": np.minimum,
    "max": np.maximum,
}
NORMS = (*AVERAGES, "joint", "log")  # what mutual information can be divided by


def labeling_table(a: ArrayLike, b: ArrayLike) -> Table:
    """Return the contingency table of two labelings of the same objects."""
    first, second = two_labelings(a, b)
    both = (first >= 0) & (second >= 0)
    width = int(second.max(initial=0)) + 1
    keys, counts = np.unique(first[both].astype(np.int64) * width + second[both], return_counts=True)
    return Table(np.zeros(keys.size, dtype=np.int64), keys // width, keys % width, counts.astype(float), 1)


def two_labelings(a: ArrayLike, b: ArrayLike) -> tuple[AnyArray, AnyArray]:
    """Two labelings of the same objects, matched by name if both have names."""
    first, second = as_labeling(a), as_labeling(b, attached_names(a))
    if len(first) != len(second):
        raise InputError(f"Labelings of {len(first)} and {len(second)} objects were given; expected the same objects.")
    return first, second


def as_labeling(labels: ArrayLike, names: Names | None = None) -> AnyArray:
    """Anything that Ensemble accepts as a label vector, as codes with −1 for missing labels, in the objects' order."""
    labels = align(labels, names, "the labels")
    single = isinstance(labels, (list, tuple)) and all(isinstance(x, (list, tuple)) and len(x) == 1 for x in labels)
    column = [x[0] for x in labels] if single else labels  # type: ignore[index, union-attr]
    return Ensemble.from_partitions([column]).labels[:, 0]


def labeling_of(labels: ArrayLike, e: Ensemble) -> LabelArray:
    """A labeling of the objects of an ensemble, in canonical form."""
    own = canonical(as_labeling(labels, e.vertex_names()))
    if len(own) != e.n_objects:
        raise InputError(f"{len(own)} labels were given for {e.n_objects} objects; expected one each.")
    return own


def _nmi(table: Table, average: str) -> FloatArray:
    one_of("average", average, NORMS)
    rows, columns, cells = table.entropies()
    if average == "joint":
        mean = cells
    elif average == "log":
        assert isinstance(table, Table)  # sums do not know how many clusters there are
        mean = (np.log(table.n_rows()) + np.log(table.n_columns())) / 2
    else:
        mean = AVERAGES[average](rows, columns)
    both_constant = (rows <= 1e-15) & (columns <= 1e-15)
    value = divide(rows + columns - cells, mean, above=1e-15)
    return _evident(table, np.where(both_constant, 1.0, np.clip(value, 0.0, 1.0)))


def _evident(table: Table, similarity: FloatArray) -> FloatArray:
    """0 for two labelings without a common object, because there is no evidence of agreement."""
    return np.where(table.total > 0, similarity, 0.0)


def _ari(table: Table) -> FloatArray:
    both, rows, columns, total = table.pairs()
    expected = divide(rows * columns, total)
    spread = (rows + columns) / 2 - expected
    value = np.divide(both - expected, spread, out=np.ones_like(total), where=np.abs(spread) > 1e-12)
    return _evident(table, value)


def _rand(table: Table) -> FloatArray:
    both, rows, columns, total = table.pairs()
    agreed = total + 2 * both - rows - columns
    return _evident(table, divide(agreed, total, otherwise=1.0))


def _mirkin(table: Table) -> FloatArray:
    both, rows, columns, _ = table.pairs()
    return rows + columns - 2 * both


def _vi(table: Table) -> FloatArray:
    rows, columns, cells = table.entropies()
    return np.maximum(2 * cells - rows - columns, 0.0)


def _ami(table: Table) -> FloatArray:
    """Adjusted for chance with the arithmetic mean, as scikit-learn does by default."""
    rows, columns, cells = table.entropies()
    expected = np.array([_expected(table, g) for g in range(table.n_groups)])
    spread = (rows + columns) / 2 - expected
    information = rows + columns - cells
    value = np.divide(information - expected, spread, out=np.ones_like(spread), where=np.abs(spread) > 1e-15)
    same = (rows <= 1e-15) & (columns <= 1e-15)
    return _evident(table, np.where(same, 1.0, value))


def _expected(table: Table, g: int) -> float:
    """Mutual information of random labelings with the same cluster sizes; sizes must be whole numbers."""
    from sklearn.metrics.cluster import expected_mutual_information

    rows, columns = (
        sums[group == g] for sums, group in ((table.row_sum, table.row_group), (table.column_sum, table.column_group))
    )
    sizes = np.rint(rows), np.rint(columns)
    if not (np.allclose(sizes[0], rows) and np.allclose(sizes[1], columns)):
        raise InputError("AMI counts objects, but the object weights are not whole numbers; use nmi or ari.")
    if not rows.size:
        return 0.0
    margins = _with_margins(*(size.astype(np.int64) for size in sizes))
    return float(expected_mutual_information(margins, int(sizes[0].sum())))


def _with_margins(rows: IntArray, columns: IntArray) -> sparse.csr_matrix:
    """Any table with these margins: the north-west corner rule, at most rows + columns cells."""
    ends = np.union1d(np.cumsum(rows), np.cumsum(columns))
    starts = np.concatenate(([0], ends[:-1]))
    row = np.searchsorted(np.cumsum(rows), starts, side="right")
    column = np.searchsorted(np.cumsum(columns), starts, side="right")
    return sparse.csr_matrix((ends - starts, (row, column)), shape=(len(rows), len(columns)))


def _purity(table: Table) -> FloatArray:
    largest = np.zeros(len(table.column_sum))
    np.maximum.at(largest, table.column_of, table.count)
    found = np.bincount(table.column_group, weights=largest, minlength=table.n_groups)
    return divide(found, table.total)


def nmi(a: ArrayLike, b: ArrayLike, average: str = "geometric") -> float:
    """Normalized mutual information I(a; b) / mean(H(a), H(b)); 1 if both are constant, 0 without common objects.

    Parameters
    ----------
    a, b
        Label vectors of the same objects; objects that are missing in either are ignored.
    average
        What I is divided by: the ``"geometric"`` (Strehl and Ghosh) or ``"arithmetic"`` (Fred and Jain) mean of the
        entropies, their ``"min"`` or ``"max"``, the ``"joint"`` entropy, or ``"log"``: (log k_a + log k_b) / 2, the
        largest possible entropies of k_a and k_b clusters.

    Examples
    --------
    >>> nmi([0, 0, 1, 1], ["b", "b", "a", "a"])
    1.0
    """
    return float(_nmi(labeling_table(a, b), average)[0])


def ari(a: ArrayLike, b: ArrayLike) -> float:
    """Adjusted Rand index: 1 for equal partitions, about 0 for unrelated ones (Hubert and Arabie, 1985)."""
    return float(_ari(labeling_table(a, b))[0])


def rand(a: ArrayLike, b: ArrayLike) -> float:
    """Rand index: share of object pairs on which the two labelings agree."""
    return float(_rand(labeling_table(a, b))[0])


def mirkin(a: ArrayLike, b: ArrayLike) -> float:
    """Mirkin distance: number of object pairs that are together in one labeling and apart in the other."""
    return float(_mirkin(labeling_table(a, b))[0])


def vi(a: ArrayLike, b: ArrayLike, *, base: float = np.e) -> float:
    """Variation of information H(a | b) + H(b | a) (Meilă, 2007), in nats; with ``base=2`` in bits, as `expected_loss`.

    Examples
    --------
    >>> vi([0, 0, 1, 1], [0, 0, 0, 0], base=2)
    1.0
    """
    if not number("base", base) > 1:
        raise InputError.about("base", base, "a number above 1")
    return float(_vi(labeling_table(a, b))[0] / np.log(base))


def ami(a: ArrayLike, b: ArrayLike) -> float:
    """Adjusted mutual information (I − E[I]) / (mean(H(a), H(b)) − E[I]): about 0 for unrelated labelings.

    Unlike NMI it does not grow with the number of clusters (Vinh, Epps and Bailey, 2010).

    Examples
    --------
    >>> ami([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    return float(_ami(labeling_table(a, b))[0])


def purity(truth: ArrayLike, labels: ArrayLike) -> float:
    """Share of objects in the class that is most frequent in their cluster; unassigned objects are ignored.

    Examples
    --------
    >>> purity([0, 0, 0, 1, 1], [1, 1, 0, 0, 0])
    0.8
    """
    return float(_purity(labeling_table(truth, labels))[0])


def best_pairs(overlap: AnyArray, *, empty: bool = False) -> tuple[IntArray, IntArray]:
    """Pair rows with columns one to one for the largest total (Hungarian method); return the rows and the columns.

    Pairs that share nothing are left out, unless `empty` is set.
    """
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(overlap, maximize=True)
    useful = slice(None) if empty else overlap[rows, columns] > 0
    return rows[useful], columns[useful]


def error_rate(truth: ArrayLike, labels: ArrayLike) -> float:
    """Share of objects outside the best one-to-one matching of clusters to classes; unassigned objects are errors.

    Examples
    --------
    >>> error_rate([0, 0, 0, 1, 1], [1, 1, 0, 0, 0])
    0.2
    """
    wanted, given = two_labelings(truth, labels)
    known = wanted >= 0
    if not known.any():
        raise InputError("The true labeling assigns no object; there is nothing to compare with.")
    both = known & (given >= 0)
    table = np.zeros((int(wanted.max()) + 1, max(int(given.max(initial=0)), 0) + 1))
    np.add.at(table, (wanted[both], given[both]), 1)
    matched = table[best_pairs(table)].sum()
    n = int(np.count_nonzero(known))
    return float((n - matched) / n)


def anmi(labels: ArrayLike, ensemble: Labels, average: str = "geometric") -> float:
    """Average normalized mutual information of a labeling with the partitions of an ensemble.

    Each NMI uses the objects present in that partition, and is weighted by their weight times the partition's. O(nB).

    Examples
    --------
    >>> anmi([0, 0, 1, 1], [[0, 0], [0, 0], [1, 1], [1, 1]])
    1.0
    """
    e = Ensemble.of(ensemble)
    return score(labeling_of(labels, e), e, average)


def score(labels: LabelArray, e: Ensemble, average: str = "geometric") -> float:
    """Return the ANMI of labels that are 0 … k − 1 or −1, one for each object of an ensemble. O(nB)."""
    return counted_anmi(against(labels, e), e.weights, average)


def counted_anmi(table: Table, weights: FloatArray, average: str = "geometric") -> float:
    """Return the same from the contingency tables of a labeling with every partition."""
    share = weights * table.total
    return float(share @ _nmi(table, average) / share.sum()) if share.sum() > 0 else 0.0


MEASURES: dict[str, Callable[[Table], FloatArray]] = {
    "nmi": lambda table: _nmi(table, "geometric"),
    "ari": _ari,
    "rand": _rand,
    "mirkin": _mirkin,
    "vi": _vi,
    "ami": _ami,
    "purity": _purity,
}


def agreement(a: ArrayLike, b: ArrayLike, measure: str = "nmi") -> float:
    """Return the agreement of two labelings by a named measure; for all pairs of partitions, see `pairwise`.

    Parameters
    ----------
    a, b
        Label vectors of the same objects; objects that are missing in either are ignored.
    measure
        ``"nmi"``, ``"ami"``, ``"ari"``, ``"rand"`` or ``"purity"`` (of b with respect to a), where more is better;
        ``"mirkin"`` or ``"vi"``, which are distances.

    Notes
    -----
    O(n log n).

    Examples
    --------
    >>> agreement([0, 0, 1, 1], [1, 1, 0, 0]), agreement([0, 0, 1, 1], [0, 1, 1, 1], "rand")
    (1.0, 0.5)
    """
    one_of("measure", measure, MEASURES)
    return float(MEASURES[measure](labeling_table(a, b))[0])


@dataclass(frozen=True, eq=False, repr=False)
class PairMatrix(NDArrayOperatorsMixin):
    """Numbers between all pairs of partitions: a read-only B × B array with the names of the partitions.

    It can be indexed, computed with and used as an array; results are plain arrays and numbers.
    """

    values: FloatArray
    names: tuple[str, ...]
    backend: str | None = None

    def to_frame(self) -> Any:
        """Return a frame with the partitions' names as rows and columns."""
        from ..export.frames import matrix_frame

        return matrix_frame(self.values, self.names, self.names, "partition", self.backend)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:  # noqa: FBT001 - as NumPy calls it
        return np.array(self.values, dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        arrays = [x.values if isinstance(x, PairMatrix) else x for x in inputs]
        return getattr(ufunc, method)(*arrays, **options)

    def __getitem__(self, index: Any) -> Any:
        return self.values[index]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # pickle asks before there are values
            raise AttributeError(name)
        return getattr(self.values, name)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"PairMatrix of {len(self)} partitions\n{self.values}"


def pairwise(labels: Labels, measure: str = "nmi", average: str = "geometric") -> PairMatrix:
    """Return the B × B matrix of a measure between all pairs of partitions.

    Parameters
    ----------
    labels
        An Ensemble, or anything that Ensemble accepts. Object weights are used; partition weights are not.
    measure
        ``"nmi"``, ``"ami"``, ``"ari"``, ``"rand"``, ``"mirkin"``, ``"vi"`` or ``"purity"`` (of the column partition
        with respect to the row partition).
    average
        For ``"nmi"``, see `nmi`.

    Returns
    -------
    PairMatrix
        Usable as an array; ``.names`` are the names of the partitions, which ``.to_frame()`` uses for rows and columns.

    Notes
    -----
    O(nB²); all pairs are computed from counts.

    Examples
    --------
    >>> found = pairwise([[0, 0], [0, 1], [1, 0], [1, 1]], "nmi")
    >>> found.tolist(), found.names
    ([[1.0, 0.0], [0.0, 1.0]], ('P0', 'P1'))
    """
    one_of("measure", measure, MEASURES)
    e = Ensemble.of(labels)
    b = e.n_partitions
    require(8.0 * b * b, f"The agreement of all pairs of {b} partitions", "Use fewer partitions")
    found = _columns(e, np.arange(b), _value(measure, average), half=measure not in ("ami", "purity"))
    return PairMatrix(freeze(found), e.partition_names, e._backend)


def agreements(e: Ensemble, measure: str = "nmi", average: str = "geometric") -> tuple[FloatArray, IntArray]:
    """Return a measure between every partition and some partitions, B × m, and the numbers of these.

    These are all partitions, as in `pairwise`, or a random sample if comparing all would take long
    (`sampled_partitions`).
    """
    others = sampled_partitions(e)
    if len(others) == np.count_nonzero(e.weights):
        return np.asarray(pairwise(e, measure, average)), np.arange(e.n_partitions)
    return some_agreements(e, others, measure, average), others


def some_agreements(e: Ensemble, others: IntArray, measure: str = "nmi", average: str = "geometric") -> FloatArray:
    """Return a measure between every partition and some others: columns of `pairwise`. O(nBm)."""
    return _columns(e, others, _value(measure, average))


def _value(measure: str, average: str) -> Callable[[Table], FloatArray]:
    """The value of a measure as a function of a table."""
    one_of("average", average, NORMS)
    return (lambda table: _nmi(table, average)) if measure == "nmi" else MEASURES[measure]


def mean_agreements(e: Ensemble, measure: str = "nmi") -> FloatArray:
    """Return the mean agreement of every partition with the others, by their weights; 1 for a partition alone.

    O(nB²), or O(nB) if a sample of the others is used (`sampled_partitions`).
    """
    between, others = agreements(e, measure)
    between, weights, own = np.array(between), e.weights[others], np.zeros(e.n_partitions)
    between[others, np.arange(len(others))] = 0.0
    own[others] = weights
    rest = weights.sum() - own
    return divide(between @ weights, rest, otherwise=1.0)
