"""Compare methods over several ensembles or seeds, as in a paper: means, ranks, critical difference."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

import numpy as np

from .._lib.arrays import FloatArray, as_int, as_list, divide, number, one_of
from ..errors import InputError, collect_warnings, named_failure, quote, warn
from ..labels.ensemble import Ensemble, Labels
from ..labels.value import Value
from .comparison import Comparison, Variants, compare

if TYPE_CHECKING:
    import pandas as pd

    from ..plot.display import Display

_MEASURES = ("score", "silhouette", "ari", "nmi", "error_rate")
_SMALLER = {"error_rate", "seconds"}  # is better
_TIE = 9  # digits to which values are equal
_MOST_SEEDS = 10_000
_BOLD = "the best mean of a column, or a rank that is not significantly worse than the best"


#: an ensemble, or a function that makes one from a seed
Source: TypeAlias = Ensemble | Callable[[int], Labels]


class Cell(NamedTuple):
    """A cell of a printed table: text, a standard deviation (or nothing), and whether it is the best of its column."""

    text: str
    spread: str = ""
    best: bool = False


class Ranking(NamedTuple):
    """Methods by their mean rank over blocks (ensembles, or the seeds of a single one), 1 for the best.

    `p` is the p-value of Friedman's test that all methods perform equally, NaN for fewer than three methods or two
    blocks. Two methods differ significantly if their mean ranks differ by more than the `critical_difference`
    (Nemenyi), which is infinite for a single block. `unit` is what a block is, "ensemble" or "seed".
    """

    measure: str
    ranks: dict[str, float]
    blocks: int
    statistic: float
    p: float
    critical_difference: float
    alpha: float
    unit: str = "ensemble"

    @property
    def said(self) -> str:
        """The test in one line."""
        parts = [f"Ranks by {self.measure} over {self.blocks} {self.unit}{'s' * (self.blocks != 1)}"]
        if not np.isnan(self.p):  # NaN of two methods or one block: there is no such test
            parts.append(f"Friedman: chi-squared {self.statistic:.3g}, p {self.p:.3g}")
        if np.isfinite(self.critical_difference):
            parts.append(f"critical difference (Nemenyi, {self.alpha:g}): {self.critical_difference:.3g}")
        return "; ".join(parts)

    def __repr__(self) -> str:
        from ..export.text_tables import text_table

        order = sorted(self.ranks, key=lambda name: self.ranks[name])
        return f"{text_table({'method': order, 'rank': [self.ranks[name] for name in order]})}\n{self.said}"

    def best(self) -> tuple[str, ...]:
        """Return the methods that are not significantly worse than the best one, which comes first."""
        order = sorted(self.ranks, key=lambda name: self.ranks[name])
        first = self.ranks[order[0]]
        return tuple(name for name in order if self.ranks[name] - first <= self.critical_difference)


class Benchmark(Value):
    """Results of several methods over several ensembles or seeds.

    Attributes
    ----------
    figures
        Columns by name, with a row for each ensemble, seed and method: ensemble, seed, and those of `compare`; `answer`
        is the same number if the clusters are the same.
    measure
        The measure used to rank methods by default: ari if the truth is known, otherwise score.
    """

    figures: Mapping[str, list[Any]]
    measure: str

    def __init__(self, figures: Mapping[str, list[Any]], measure: str) -> None:
        self._set_fields(figures=dict(figures), measure=measure)

    @property
    def runs(self) -> pd.DataFrame:
        """All figures as a pandas frame."""
        from ..export.frames import frame

        made: pd.DataFrame = frame(self.figures)
        return made

    @property
    def table(self) -> pd.DataFrame:
        """A pandas frame with a row for each method, the best mean rank first; see `summary`."""
        from ..export.frames import frame

        made: pd.DataFrame = frame(self.summary())
        return made

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods, in the order in which they were given."""
        return tuple(dict.fromkeys(self.figures["method"]))

    @property
    def ensembles(self) -> tuple[str, ...]:
        """The names of the ensembles."""
        return tuple(dict.fromkeys(self.figures["ensemble"]))

    def measures(self) -> tuple[str, ...]:
        """Return the available measures."""
        return tuple(name for name in _MEASURES if name in self.figures)

    def values(self, measure: str, ensemble: str | None = None) -> dict[str, FloatArray]:
        """Return the value of each method in every run, NaN if it failed; for one ensemble, or for all."""
        one_of("measure", measure, (*self.measures(), "seconds"))
        found: dict[str, list[float]] = {name: [] for name in self.methods}
        rows = zip(self.figures["ensemble"], self.figures["method"], self.figures[measure], strict=True)
        for where, name, value in rows:
            if ensemble in (None, where):
                found[name].append(np.nan if value is None else value)
        return {name: np.array(column, dtype=np.float64) for name, column in found.items()}

    def rank(self, measure: str | None = None, *, alpha: float = 0.05) -> Ranking:
        """Rank the methods, with Friedman's test and the critical difference of the Nemenyi test at level `alpha`.

        The blocks are the ensembles, each represented by its mean over seeds. With only one ensemble, the blocks are
        the seeds, and the ranks say nothing about other ensembles. Equal values share their rank. A method that fails
        gets the last rank of a block.

        References
        ----------
        Demšar, Statistical comparisons of classifiers over multiple data sets, 2006.
        """
        from scipy.stats import friedmanchisquare, rankdata, studentized_range

        measure = self.measure if measure is None else measure
        if not 0 < number("alpha", alpha) < 1:
            raise InputError.about("alpha", alpha, "a level between 0 and 1, such as 0.05")
        table = self._blocks(measure)
        size, count = table.shape
        ranks = rankdata(-table, axis=1).mean(axis=0)
        statistic = p = float("nan")
        if count > 2 and size > 1:
            alike = bool((table == table[:, :1]).all())
            statistic, p = (0.0, 1.0) if alike else map(float, friedmanchisquare(*table.T))
        gap = float("inf")
        if count > 1 and size > 1:
            q = float(studentized_range.ppf(1 - alpha, count, np.inf)) / np.sqrt(2)
            gap = float(q * np.sqrt(count * (count + 1) / (6 * size)))
        named = dict(zip(self.methods, ranks.tolist(), strict=True))
        unit = "ensemble" if len(self.ensembles) > 1 else "seed"
        return Ranking(measure, named, size, statistic, p, gap, float(alpha), unit)

    def _blocks(self, measure: str) -> FloatArray:
        """Values by block and method, larger is better; a failure is below all other values."""
        single = len(self.ensembles) == 1
        parts = [
            np.column_stack(list(self.values(measure, name).values())) for name in self.ensembles
        ]  # seeds × methods
        table = parts[0] if single else np.stack([_mean(part) for part in parts])
        table = np.round(-table if measure in _SMALLER else table, _TIE)
        return np.where(np.isnan(table), np.nanmin(np.append(table, 0.0)) - 1.0, table)

    def summary(self) -> dict[str, list[Any]]:
        """Return the columns of the table: means over all runs, ``…_sd`` beside them, rank, failures, same_as, note.

        `same_as` is the first method above with the same clusters in every run; such methods are equivalent here.
        """
        ranks = self.rank().ranks
        order = sorted(self.methods, key=lambda name: ranks[name])
        columns: dict[str, list[Any]] = {"method": order}
        for measure in (*self.measures(), "seconds"):
            found = self.values(measure)
            columns[measure] = [_plain(_mean(found[name])) for name in order]
            columns[f"{measure}_sd"] = [_plain(_deviation(found[name])) for name in order]
        columns["rank"] = [ranks[name] for name in order]
        columns["failed"] = [int(np.isnan(self.values("score")[name]).sum()) for name in order]
        columns["same_as"], columns["note"] = self._repeated(order), [self._note(name) for name in order]
        return columns

    def _repeated(self, order: Sequence[str]) -> list[str]:
        answers: dict[str, list[str]] = {name: [] for name in order}
        for name, answer in zip(self.figures["method"], self.figures["answer"], strict=True):
            answers[name].append(answer)
        first: dict[tuple[str, ...], str] = {}
        same = {name: first.setdefault(tuple(answers[name]), name) for name in order if any(answers[name])}
        return ["" if same.get(name, name) == name else same[name] for name in order]

    def _note(self, method: str) -> str:
        rows = zip(self.figures["method"], self.figures["note"], strict=True)
        return next((note for name, note in rows if name == method and note), "")

    def to_latex(self, measure: str | None = None, *, alpha: float = 0.05, digits: int = 3) -> str:
        r"""Return a LaTeX tabular that needs no package.

        With several ensembles, there is a column for each with the mean and the standard deviation of the measure over
        seeds; with one ensemble, there is a column for each measure. The best mean of a column is in bold. Then follow
        the mean rank, in bold if it is not significantly worse than the best, and the mean processor seconds. All
        numbers have the same number of digits after the point. A method with the same clusters as another one in every
        run is marked. The first line is a comment with the test.
        """
        from ..export.text_tables import escaped, framed, with_minus

        def latex(cell: Cell) -> str:
            number = with_minus(escaped(cell.text))
            return (f"\\textbf{{{number}}}" if cell.best else number) + (f" $\\pm$ {cell.spread}" * bool(cell.spread))

        found, header, rows = self._shown(measure, alpha, digits)
        places = "l" + "r" * (len(header) - 1)
        return f"% {found.said}\n" + framed(header, [list(map(latex, row)) for row in rows], places)

    def _shown(self, measure: str | None, alpha: float, digits: int) -> tuple[Ranking, list[str], list[list[Cell]]]:
        """The ranking, and the header and the rows of the table described in `to_latex`."""
        found, digits = self.rank(measure, alpha=alpha), as_int("digits", digits, 0, 15)
        order, equals = sorted(self.methods, key=lambda name: found.ranks[name]), set(found.best())
        several, same = len(self.ensembles) > 1, dict(zip(order, self._repeated(order), strict=True))
        names = self.ensembles if several else self.measures()
        columns = {name: self.values(found.measure, name) if several else self.values(name) for name in names}
        seconds = self.values("seconds")

        def fixed(values: FloatArray) -> str:
            return f"{round(float(_mean(values)), digits) + 0.0:.{digits}f}"  # + 0.0 leaves no -0.00

        def cell(label: str, column: dict[str, FloatArray], name: str) -> Cell:
            values, best = column[name], min if (found.measure if several else label) in _SMALLER else max
            if np.isnan(values).all():
                return Cell("–")
            top = best((one for one in column.values() if not np.isnan(one).all()), key=_mean)
            spread = f"{_deviation(values):.{digits}f}" if len(values) > 1 else ""
            return Cell(fixed(values), spread, fixed(values) == fixed(top))

        rows = [
            [
                Cell(f"{name} (as {same[name]})" if same[name] else name),
                *(cell(label, column, name) for label, column in columns.items()),
                Cell(f"{found.ranks[name]:.2f}", best=name in equals),
                cell("seconds", seconds, name)._replace(spread="", best=False),
            ]
            for name in order
        ]
        return found, ["method", *names, "rank", "seconds"], rows

    def plot(self, measure: str | None = None, *, alpha: float = 0.05, ax: Any = None, **style: Any) -> Display:
        """Draw the methods on a scale of mean ranks; a bar joins those that do not differ significantly.

        Parameters as for `rank`. See `graphens.plot.RanksDisplay`.
        """
        from ..plot.method_maps import RanksDisplay

        found = self.rank(measure, alpha=alpha)
        return RanksDisplay(found, found.said.replace("; ", "\n")).plot(ax, **style)

    def __repr__(self) -> str:
        from ..export.text_tables import table_lines

        found, header, rows = self._shown(None, 0.05, 3)
        cells = [[text + (f" ± {spread}" if spread else "") + "*" * best for text, spread, best in row] for row in rows]
        notes = [f"{name}: {note}" for name in self.methods if (note := self._note(name))]
        return "\n".join([*table_lines(header, cells), *notes, found.said, f"* {_BOLD}"])


def benchmark(
    labels: Labels | Source | Sequence[Source] | Mapping[str, Source],
    k: int | Sequence[int] | Mapping[str, int] | None = None,
    *,
    methods: Variants | None = None,
    truth: Any = None,
    seeds: int | Iterable[int] = 10,
    time_limit: float | None = None,
) -> Benchmark:
    """Run several methods on one or several ensembles with several seeds, and summarize the results.

    Parameters
    ----------
    labels
        A list of Ensembles, a mapping of names to Ensembles, or the labels of one ensemble, as for `compare`. In place
        of an Ensemble, give a function of the seed that returns one (``lambda seed: ge.generate(X, seed=seed)``): then
        each seed has its own ensemble. Otherwise only the methods vary with the seed, and most of them hardly do.
    k
        Number of clusters, or one number for each ensemble, in a list or by name; by default, every method uses its own
        default.
    methods
        A list of methods, or a dict from names to methods; see `compare`. By default, those that `compare` would run on
        every ensemble.
    truth
        The true labels, if they are known; with several ensembles, one entry for each.
    seeds
        Number of seeds (0, 1, …), or a list of seeds.
    time_limit
        Processor seconds that one run of a method may be expected to take; see `compare`.

    Returns
    -------
    Benchmark
        ``.table`` (means, deviations, ranks, processor seconds without compilation), ``.rank()`` (Friedman's test and
        the critical difference), ``.to_latex()``, ``.runs`` (all figures).

    Examples
    --------
    >>> import graphens as ge
    >>> X, truth = ge.datasets.load("half-rings", seed=0)
    >>> e = ge.generate(X, 10, k=(10, 20), seed=0)
    >>> b = ge.benchmark(e, 2, methods=["eac", "lwgp", "vote"], truth=truth, seeds=2)
    >>> b.table["method"].tolist(), b.rank().blocks
    (['eac', 'lwgp', 'vote'], 2)
    """
    given, numbers = named_ensembles(labels), _seeds(seeds)
    several, each = len(given) > 1, list(given)
    ks = _each("k", k, each, is_one=not isinstance(k, Mapping) and np.ndim(cast(Any, k)) == 0)
    truths = _each("truth", truth, each, is_one=truth is None or not several)
    figures: dict[str, list[Any]] = {}
    for name, source in given.items():
        for seed in numbers:
            e = source if isinstance(source, Ensemble) else _draw_ensemble(name, source, seed)
            with collect_warnings() as heard:
                found = compare(e, ks[name], methods=methods, truth=truths[name], seed=seed, time_limit=time_limit)
            if seed == numbers[0]:
                for note in heard:
                    warn(note.message, note.category)
            extend_rows(figures, name, seed, found)
    counts = {name: figures["method"].count(name) for name in figures["method"]}
    wanted = [name for name, count in counts.items() if count == len(given) * len(numbers)]
    if not wanted:
        raise InputError("No method was run on every ensemble; expected some names in methods.")
    kept = [i for i, name in enumerate(figures["method"]) if name in wanted]
    figures = {name: [column[i] for i in kept] for name, column in figures.items()}
    return Benchmark(figures, "score" if truth is None else "ari")


def named_ensembles(labels: Any) -> dict[str, Source]:
    """Return ensembles, or functions that make them, by name."""
    named = []
    if isinstance(labels, Mapping):  # tables of labels are ensembles
        named = [(name, Ensemble.of(e) if len(getattr(e, "shape", ())) == 2 else e) for name, e in labels.items()]
    if isinstance(labels, (list, tuple)):
        named = [(f"ensemble {i}", e) for i, e in enumerate(labels)]
    if named and all(isinstance(e, Ensemble) or callable(e) for _, e in named):
        return {str(name): e for name, e in named}
    return {"ensemble": labels if callable(labels) else Ensemble.of(labels)}


def _seeds(seeds: int | Iterable[int]) -> Sequence[int]:
    """The seeds, not more than could ever be run."""
    if not isinstance(seeds, Iterable):
        return range(as_int("seeds", seeds, 1, _MOST_SEEDS))
    numbers = seeds if isinstance(seeds, range) else as_list("seeds", seeds, "a number of seeds, or a list")
    if not 0 < len(numbers) <= _MOST_SEEDS:
        raise InputError(f"{len(numbers) or 'No'} seeds were given; expected 1 to {_MOST_SEEDS}, such as seeds=10.")
    return [as_int("seeds", seed, 0) for seed in numbers]


def _draw_ensemble(name: str, source: Callable[[int], Any], seed: int) -> Ensemble:
    with named_failure(f"The function of {name}"):
        made = source(seed)
    return Ensemble.of(made)


def _each(what: str, given: Any, names: list[str], *, is_one: bool) -> dict[str, Any]:
    """One entry for each ensemble."""
    if is_one and not (isinstance(given, Mapping) and set(names) <= set(given)):
        return dict.fromkeys(names, given)
    if isinstance(given, Mapping) and (absent := [name for name in names if name not in given]):
        raise InputError(f"{what} has no entry for {quote(absent[0])}; expected one for each ensemble, by name.")
    entries = (
        [given[name] for name in names] if isinstance(given, Mapping) else as_list(what, given, "one for each ensemble")
    )
    if len(entries) != len(names):
        raise InputError(f"{what} has {len(entries)} entries for {len(names)} ensembles; expected one for each.")
    return dict(zip(names, entries, strict=True))


def extend_rows(figures: dict[str, list[Any]], name: str, seed: int, found: Comparison) -> None:
    """Add the rows of one comparison."""
    methods = found.figures["method"]
    answers = [
        hashlib.blake2b(found.answers[m].labels.tobytes(), digest_size=8).hexdigest() if m in found.answers else ""
        for m in methods
    ]
    columns: dict[str, list[Any]] = {"ensemble": [name] * len(methods), "seed": [seed] * len(methods)}
    columns |= {**found.figures, "answer": answers}
    for key, column in columns.items():
        figures.setdefault(key, []).extend(column)


def _mean(values: FloatArray) -> Any:
    """Means over runs without failures; NaN if all failed."""
    there = ~np.isnan(values)
    return divide(np.where(there, values, 0.0).sum(axis=0), there.sum(axis=0), otherwise=np.nan)


def _deviation(values: FloatArray) -> float:
    there = values[~np.isnan(values)]
    return round(float(there.std(ddof=1)), _TIE) if len(there) > 1 else 0.0


def _plain(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)
