"""Agreement of two labelings, and of a labeling with an ensemble; objects that either leaves unassigned are ignored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import ArrayLike
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, canonical, divide, number, one_of
from .._lib.memory import require
from .._lib.threads import map_threads
from ..errors import InputError
from ..graphs.counts import overlaps, sampled_partitions, shared_clusters, unweighted
from ..labels.ensemble import Ensemble, Labels
from ..labels.names import Names, align, attached_names


class Lines(NamedTuple):
    """The rows, columns or cells of contingency tables: the table and the sum of each; for every cell, its line."""

    table: AnyArray
    sums: AnyArray
    of_cell: AnyArray


class Contingency:
    """The contingency table of two labelings, or one for each of several pairs, as its non-zero cells.

    Measures need only sums over the cells, rows and columns of a table.
    """

    total: FloatArray
    rows: Lines
    columns: Lines
    cells: Lines

    def __init__(self, table: AnyArray, row: AnyArray, column: AnyArray, count: AnyArray, n_tables: int) -> None:
        self.total = np.bincount(table, count, n_tables).astype(np.float64, copy=False)
        self.rows, self.columns = _lines(table, row, count), _lines(table, column, count)
        self.cells = Lines(table, count, table[:0])

    @classmethod
    def of(cls, e: Ensemble, shared: sparse.csr_array) -> Contingency:
        """Return the tables of every partition with a labeling, from the overlaps of their clusters."""
        cells = shared.tocoo()
        owner = np.repeat(np.arange(e.n_partitions), e.n_clusters)
        return cls(owner[cells.row], cells.row, cells.col, cells.data, e.n_partitions)

    def sums(self, phi: Callable[[AnyArray, AnyArray], AnyArray]) -> list[FloatArray]:
        """Sums of a function of count and total: over the rows, over the columns and over the cells of each table."""
        parts = (self.rows, self.columns, self.cells)
        each = [np.bincount(p.table, phi(p.sums, self.total[p.table]), len(self.total)) for p in parts]
        return [values.astype(np.float64, copy=False) for values in each]

    def entropies(self) -> list[FloatArray]:
        """Entropy of the rows, of the columns and of the cells, in nats."""
        return [np.maximum(-values, 0.0) for values in self.sums(lambda count, n: count / n * np.log(count / n))]

    def pairs(self) -> list[FloatArray]:
        """Pairs of objects together in the first labeling, in the second, in both, and all pairs."""
        return [*self.sums(lambda count, _: count * (count - 1) / 2), self.total * (self.total - 1) / 2]


def _lines(table: AnyArray, line: AnyArray, count: AnyArray) -> Lines:
    width = int(line.max(initial=0)) + 1
    keys = table.astype(np.int64) * width + line
    if keys.max(initial=0) > 8 * len(keys):  # most lines do not occur
        lines, place = np.unique(keys, return_inverse=True)
        return Lines(lines // width, np.bincount(place, count, len(lines)), place)
    sums = np.bincount(keys, count)
    there = sums > 0
    return Lines(np.flatnonzero(there) // width, sums[there], (np.cumsum(there) - 1)[keys])


def against(labels: AnyArray, e: Ensemble) -> Contingency:
    """Return the contingency tables of every partition with a labeling 0 … k − 1 or −1. O(nB)."""
    return Contingency.of(e, overlaps(e, labels, int(labels.max(initial=0)) + 1))


AVERAGES: dict[str, Callable[[AnyArray, AnyArray], AnyArray]] = {
    "geometric": lambda a, b: np.sqrt(a * b),
    "arithmetic": lambda a, b: (a + b) / 2,
    "min": np.minimum,
    "max": np.maximum,
}
NORMS = (*AVERAGES, "joint", "log")  # what mutual information can be divided by
_ZERO = 1e-15  # entropies up to this are those of one cluster


def labeling_table(a: ArrayLike, b: ArrayLike) -> Contingency:
    """Return the contingency table of two labelings of the same objects."""
    first, second = two_labelings(a, b)
    both = (first >= 0) & (second >= 0)
    width = int(second.max(initial=0)) + 1
    keys, counts = np.unique(first[both].astype(np.int64) * width + second[both], return_counts=True)
    return Contingency(np.zeros(keys.size, dtype=np.int64), keys // width, keys % width, counts.astype(float), 1)


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


def _nmi(table: Contingency, average: str) -> FloatArray:
    rows, columns, cells = table.entropies()
    if average == "joint":
        mean = cells
    elif average == "log":
        k_a, k_b, _ = table.sums(lambda count, _: np.ones(len(count)))
        mean = (np.log(np.maximum(k_a, 1.0)) + np.log(np.maximum(k_b, 1.0))) / 2
    else:
        mean = AVERAGES[average](rows, columns)
    value = np.clip(divide(rows + columns - cells, mean, above=_ZERO), 0.0, 1.0)
    # Without a common object there is no evidence of agreement.
    return np.where(table.total > 0, np.where((rows <= _ZERO) & (columns <= _ZERO), 1.0, value), 0.0)


def _ari(table: Contingency) -> FloatArray:
    rows, columns, both, total = table.pairs()
    expected = divide(rows * columns, total)
    spread = (rows + columns) / 2 - expected
    value = np.divide(both - expected, spread, out=np.ones_like(total), where=np.abs(spread) > 1e-12)
    return np.where(table.total > 0, value, 0.0)


def _rand(table: Contingency) -> FloatArray:
    rows, columns, both, total = table.pairs()
    return np.where(table.total > 0, divide(total + 2 * both - rows - columns, total, otherwise=1.0), 0.0)


def _mirkin(table: Contingency) -> FloatArray:
    rows, columns, both, _ = table.pairs()
    return rows + columns - 2 * both


def _vi(table: Contingency) -> FloatArray:
    rows, columns, cells = table.entropies()
    return np.maximum(2 * cells - rows - columns, 0.0)


def _ami(table: Contingency) -> FloatArray:
    """Adjusted for chance with the arithmetic mean, as scikit-learn does by default."""
    rows, columns, cells = table.entropies()
    expected = np.array([_chance_information(table, g) for g in range(len(table.total))])
    spread = (rows + columns) / 2 - expected
    value = np.divide(rows + columns - cells - expected, spread, out=np.ones_like(spread), where=np.abs(spread) > _ZERO)
    return np.where(table.total > 0, np.where((rows <= _ZERO) & (columns <= _ZERO), 1.0, value), 0.0)


def _chance_information(table: Contingency, g: int) -> float:
    """Mutual information of random labelings with the same cluster sizes; sizes must be whole numbers."""
    from sklearn.metrics.cluster import expected_mutual_information

    given = [part.sums[part.table == g] for part in (table.rows, table.columns)]
    rows, columns = (np.rint(sizes).astype(np.int64) for sizes in given)
    if not (np.allclose(rows, given[0]) and np.allclose(columns, given[1])):
        raise InputError("AMI counts objects, but the object weights are not whole numbers; use nmi or ari.")
    return float(expected_mutual_information(_with_margins(rows, columns), int(rows.sum()))) if rows.size else 0.0


def _with_margins(rows: IntArray, columns: IntArray) -> sparse.csr_matrix:
    """Any table with these margins: the north-west corner rule, at most rows + columns cells."""
    ends = np.union1d(np.cumsum(rows), np.cumsum(columns))
    starts = np.concatenate(([0], ends[:-1]))
    row = np.searchsorted(np.cumsum(rows), starts, side="right")
    column = np.searchsorted(np.cumsum(columns), starts, side="right")
    return sparse.csr_matrix((ends - starts, (row, column)), shape=(len(rows), len(columns)))


def _purity(table: Contingency) -> FloatArray:
    largest = np.zeros(len(table.columns.sums))
    np.maximum.at(largest, table.columns.of_cell, table.cells.sums)
    return divide(np.bincount(table.columns.table, largest, len(table.total)), table.total)


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
    return float(_nmi(labeling_table(a, b), one_of("average", average, NORMS))[0])


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
    wanted, labels = two_labelings(truth, labels)
    n = int(np.count_nonzero(wanted >= 0))
    if not n:
        raise InputError("The true labeling assigns no object; there is nothing to compare with.")
    both = (wanted >= 0) & (labels >= 0)
    table = np.zeros((int(wanted.max()) + 1, int(labels.max(initial=-1)) + 1))
    np.add.at(table, (wanted[both], labels[both]), 1)
    return float((n - table[best_pairs(table)].sum()) / n)


def anmi(labels: ArrayLike, ensemble: Labels, average: str = "geometric") -> float:
    """Average normalized mutual information of a labeling with the partitions of an ensemble.

    Each NMI uses the objects present in that partition, and is weighted by their weight times the partition's. O(nB).

    Examples
    --------
    >>> anmi([0, 0, 1, 1], [[0, 0], [0, 0], [1, 1], [1, 1]])
    1.0
    """
    e = Ensemble.of(ensemble)
    return score(labeling_of(labels, e), e, one_of("average", average, NORMS))


def score(labels: LabelArray, e: Ensemble, average: str = "geometric") -> float:
    """Return the ANMI of labels that are 0 … k − 1 or −1, one for each object of an ensemble. O(nB)."""
    return mean_nmi(against(labels, e), e.weights, average)


def agreement_with_each(labels: LabelArray, e: Ensemble) -> FloatArray:
    """Return the ARI of labels 0 … k − 1 or −1 with every partition, NaN without a common object. O(nB)."""
    table = against(labels, unweighted(e))
    return np.where(table.total > 0, _ari(table), np.nan)


def mean_nmi(table: Contingency, weights: FloatArray, average: str = "geometric") -> float:
    """Return the ANMI of a labeling from its contingency tables with every partition."""
    share = weights * table.total
    return float(share @ _nmi(table, average) / share.sum()) if share.sum() > 0 else 0.0


MEASURES: dict[str, Callable[[Contingency], FloatArray]] = {
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
    values = some_agreements(e, np.arange(b), measure, average, half=measure not in ("ami", "purity"))
    values.flags.writeable = False
    return PairMatrix(values, e.partition_names, e._names.backend)


def agreements(e: Ensemble, measure: str = "nmi", average: str = "geometric") -> tuple[FloatArray, IntArray]:
    """Return a measure between every partition and some partitions, B × m, and the numbers of these.

    These are all partitions, as in `pairwise`, or a random sample if comparing all would take long
    (`sampled_partitions`).
    """
    others = sampled_partitions(e)
    if len(others) == np.count_nonzero(e.weights):
        return np.asarray(pairwise(e, measure, average)), np.arange(e.n_partitions)
    return some_agreements(e, others, measure, average), others


def some_agreements(
    e: Ensemble, others: IntArray, measure: str = "nmi", average: str = "geometric", *, half: bool = False
) -> FloatArray:
    """Return a measure of every partition with some others, B × m, without storing a table. O(nBm).

    A symmetric measure of all with all takes `half` the time.
    """
    one_of("average", average, NORMS)
    values, every = np.empty((e.n_partitions, len(others))), np.arange(e.n_partitions)

    def fill(place: int) -> None:
        t = int(others[place])
        for some, pair, column, row, shared in shared_clusters(e, t, every[t:] if half else every):
            table = Contingency(pair, row, column, shared, len(some))
            values[some, place] = _nmi(table, average) if measure == "nmi" else MEASURES[measure](table)
            if half:
                values[place, some] = values[some, place]

    map_threads(fill, range(len(others)), "comparing partitions", each=float(e.codes.size))
    return values


def mean_agreements(e: Ensemble, measure: str = "nmi") -> FloatArray:
    """Return the mean agreement of every partition with the others, by their weights; 1 for a partition alone.

    O(nB²), or O(nB) if a sample of the others is used (`sampled_partitions`).
    """
    between, others = agreements(e, measure)
    voices = np.where(np.arange(e.n_partitions)[:, None] == others, 0.0, e.weights[others])
    return divide((between * voices).sum(axis=1), voices.sum(axis=1), otherwise=1.0)
