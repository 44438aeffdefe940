"""Several consensus functions on one ensemble, side by side."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import numpy as np

from .._lib.arrays import Seed, as_int, as_list, number, of_kind, reported_seed
from .._lib.progress import report_progress
from ..errors import InputError, TypeMismatch, quote
from ..families.costs import duration, expected_seconds
from ..families.method import Method
from ..families.registry import AnyMethod, find_method, methods as registry, variant
from ..families.trials import Trial, attempt
from ..graphs.doubts import doubts, warn_of
from ..graphs.reliability import cluster_reliability
from ..labels.ensemble import Ensemble, Labels
from ..labels.names import align
from ..labels.ready import Ready
from ..labels.value import Value
from ..measures.agreement import ari, error_rate, nmi, pairwise
from ..measures.silhouettes import weighted_silhouette
from ..result.consensus import Consensus
from .auto import AUTO

if TYPE_CHECKING:
    from ..plot.display import Display

_LIMIT = 10.0  # expected seconds up to which methods are run unasked
_WIDE = 100  # characters of a line that is printed
_ARGUMENTS = {"labels", "k", "seed"}


class Comparison(Value):
    """How several methods did on one ensemble, the best score first.

    It can be used like the frame ``.table``: ``c["score"]``, ``c.set_index("method")``, ``len(c)``.

    Attributes
    ----------
    figures
        The columns of the table, by name.
    answers
        The result of each method that returned one, in the order of the table.
    options
        k and the seed that the methods were given.
    left_out
        The processor seconds that methods were expected to take that were not run for this reason.
    """

    figures: Mapping[str, list[Any]]
    answers: Mapping[str, Consensus]
    options: Mapping[str, Any]
    left_out: Mapping[str, float]

    def __init__(
        self,
        figures: Mapping[str, list[Any]],
        answers: Mapping[str, Consensus],
        options: Mapping[str, Any] | None = None,
        left_out: Mapping[str, float] | None = None,
    ) -> None:
        self._set_fields(
            figures=dict(figures), answers=dict(answers), options=dict(options or {}), left_out=dict(left_out or {})
        )

    @property
    def table(self) -> Any:
        """The figures as a new frame, with a row for each method."""
        from ..export.frames import frame

        first = next(iter(self.answers.values()), None)
        return frame(self.figures, None if first is None else first.ensemble._names.backend)

    def to_latex(self, digits: int = 3) -> str:
        """Return the table as a LaTeX tabular that needs no package; empty columns are left out."""
        from ..export.text_tables import tabular

        return tabular(self.figures, digits)

    def plot(self, ax: Any = None, **style: Any) -> Display:
        """Draw a dot for each different result at its score, with the methods that gave it.

        A star marks the result of `graphens.consensus`, which is run once for this. See `graphens.plot.MethodsDisplay`.
        """
        from ..plot.method_maps import MethodsDisplay

        return MethodsDisplay.from_comparison(self).plot(ax, **style)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "figures" not in vars(self):  # what copies and pickles look for
            raise AttributeError(name)
        return getattr(self.table, name)

    def __getitem__(self, key: Any) -> Any:
        return self.table[key]

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeMismatch("A Comparison is read-only; `.table` returns a frame that you can change.")

    def __contains__(self, key: object) -> bool:
        return key in self.figures

    def __iter__(self) -> Iterator[Any]:
        return iter(self.table)

    def __len__(self) -> int:
        return len(self.figures["method"])

    def __repr__(self) -> str:
        from ..export.text_tables import cell_text, table_lines

        answers = self.different()
        notes = [
            f"{method}: {note}" for method, note in zip(answers["method"], answers.pop("note"), strict=True) if note
        ]
        rows = [[cell_text(cell) for cell in row] for row in zip(*answers.values(), strict=True)]
        return "\n".join([*table_lines(list(answers), rows, _WIDE), *notes, *filter(None, [self.omission()])])

    def different(self) -> dict[str, list[Any]]:
        """Return the figures with one row for each different answer, named after all methods that gave it."""
        kin: dict[str, list[int]] = {}
        for i, (method, first) in enumerate(zip(self.figures["method"], self.figures["same_as"], strict=True)):
            kin.setdefault(first or method, []).append(i)
        columns = {
            name: [column[rows[0]] for rows in kin.values()]
            for name, column in self.figures.items()
            if name != "same_as"
        }
        for name, mark in (("method", ", "), ("note", "; ")):
            column = self.figures[name]
            columns[name] = [mark.join(dict.fromkeys(column[i] for i in rows if column[i])) for rows in kin.values()]
        return columns

    def omission(self) -> str:
        """Say in a sentence which methods were left out; empty if all were run."""
        slow = sorted(self.left_out, key=lambda name: self.left_out[name])
        named = ", ".join(f"{name} ({duration(self.left_out[name])})" for name in slow)
        return f"Left out for the time that they are expected to take (see time_limit): {named}." if slow else ""


#: methods to compare: a list, or a mapping from their names in the table; each can be a pair (method, options)
Variants: TypeAlias = (
    Sequence[AnyMethod | tuple[AnyMethod, Mapping[str, Any]]]
    | Mapping[str, AnyMethod | tuple[AnyMethod, Mapping[str, Any]]]
)


def compare(
    labels: Labels,
    k: int | None = None,
    *,
    methods: Variants | None = None,
    truth: Any = None,
    seed: Seed = None,
    time_limit: float | None = None,
) -> Comparison:
    """Run several methods and return a table with a row for each; for several ensembles or seeds, see `benchmark`.

    Parameters
    ----------
    labels
        An Ensemble, or anything that Ensemble accepts.
    k
        Number of clusters; by default, every method uses its own default.
    methods
        A list of methods, or a dict from names to methods. A method is a name from `graphens.methods`, ``"auto"``, a
        function ``(ensemble, k, *, seed)`` as for `register_method`, a `functools.partial`, or a pair (method,
        options). By default, all methods that need only labels and keep to the time limit.
    truth
        The true labels, if they are known.
    seed
        Seed for every method.
    time_limit
        Processor seconds that a method may be expected to take. Those that would take longer are left out, and a line
        below the table names them. Default: 10, and no limit for methods that you name. Nothing is expected of your own
        functions, and of methods with options.

    Returns
    -------
    Comparison
        It can be used like its frame ``.table``, whose columns are method, k, score (ANMI), silhouette
        (`measures.reliable_silhouette`), balance (largest cluster divided by the mean), agreement (mean NMI with the
        other results), seconds (of processor time; short runs are repeated, so that loading and compiling are not
        counted), same_as (the first method above with the same clusters) and note (its warnings); with truth also ari,
        nmi and error_rate. The best score comes first; if k is given, results with another number of clusters come
        after all others, since more clusters share more information. A method that fails comes last, with the reason as
        its note. `graphens.progress` reports the progress.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble(
    ...     [[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]]
    ... )
    >>> ge.compare(e, 3, methods=["lwgp", "vote"], seed=0)[
    ...     ["method", "k", "agreement"]
    ... ].values.tolist()
    [['lwgp', 3, 1.0], ['vote', 3, 1.0]]
    """
    e, seed = Ensemble.of(labels), reported_seed(seed)
    rows = variants(default_methods() if methods is None else methods)
    limit = np.inf if methods is not None else _LIMIT
    if time_limit is not None and (limit := number("time_limit", time_limit)) <= 0:
        raise InputError.about("time_limit", time_limit, "processor seconds, such as 60")
    known = {row.function: row.name for row in registry()}
    expected = {name: expected_seconds(known.get(row.function, ""), e) for name, row in rows.items()}
    left_out = {name: seconds for name, seconds in expected.items() if seconds > limit}
    if rows and len(left_out) == len(rows):
        raise InputError(f"Each method is expected to take longer than {limit:g} s; expected a longer time_limit.")
    rows = {name: row for name, row in rows.items() if name not in left_out}
    k = None if k is None else as_int("k", k, 1, max(int(e.present.sum()), 1))
    warn_of(doubts(e, k))
    ready, tried = Ready.of(e), []
    for done, (name, row) in enumerate(rows.items()):
        report_progress(f"comparing methods: {name}", done / len(rows))
        tried.append(attempt(row, ready, k, seed, thorough=True))
    tried.sort(key=lambda t: (2, 0.0) if t.result is None else (k not in (None, t.result.k), -t.result.score))
    answers = {t.method: t.result for t in tried if t.result is not None}
    return Comparison(_columns(e, tried, answers, truth), answers, {"k": k, "seed": seed}, left_out)


def variants(methods: Variants) -> dict[str, Method]:
    """Return methods by the names that they have in a table."""
    named: Iterable[tuple[Any, Any]] = (
        methods.items()
        if isinstance(methods, Mapping)
        else ((None, one) for one in as_list("methods", methods, "names of methods, or functions"))
    )
    rows: dict[str, Method] = {}
    for name, one in named:
        method, options = one if isinstance(one, tuple) and len(one) == 2 else (one, {})
        row = AUTO if isinstance(method, str) and method == "auto" else find_method(method)
        row = variant(row, of_kind("options", options, Mapping, "a dict such as {'n_init': 10}")) if options else row
        label = row.name if name is None else str(name)
        if label in rows:
            raise InputError(f"Two methods called {quote(label)} were given; expected a dict with a name for each.")
        rows[label] = replace(row, name=label)
    return rows


def default_methods() -> tuple[str, ...]:
    """The methods that need only labels."""
    parameters = {row.name: list(inspect.signature(row.function).parameters.values())[1:] for row in registry()}
    return tuple(
        name for name, own in parameters.items() if {p.name for p in own if p.default is p.empty} <= _ARGUMENTS
    )


def _columns(e: Ensemble, tried: list[Trial], answers: dict[str, Consensus], truth: Any) -> dict[str, list[Any]]:
    weights = cluster_reliability(e) if e.present.any() else np.zeros(int(e.offsets[-1]))
    near = _agreement([r.labels for r in answers.values()])
    agreement = dict(zip(answers, near, strict=True))

    def each(value: Callable[[Consensus], float]) -> list[Any]:
        return [value(answers[t.method]) if t.method in answers else None for t in tried]

    columns: dict[str, list[Any]] = {
        "method": [t.method for t in tried],
        "k": [t.k for t in tried],
        "score": [t.score for t in tried],
        "silhouette": each(lambda r: weighted_silhouette(r.labels, e, weights)),
        "balance": each(lambda r: float(r.sizes().max() / r.sizes().mean()) if r.k else np.nan),
        "agreement": [agreement.get(t.method) for t in tried],
        "seconds": [t.seconds for t in tried],
        "same_as": _repeated(answers, [t.method for t in tried]),
        "note": [t.note for t in tried],
    }
    if truth is not None:
        truth = align(truth, e.vertex_names(), "truth")
        for name, measure in (("ari", ari), ("nmi", nmi), ("error_rate", error_rate)):
            labels = {method: r.labels for method, r in answers.items()}
            columns[name] = [measure(truth, labels[t.method]) if t.method in labels else None for t in tried]
    return columns


def _repeated(answers: dict[str, Any], names: Sequence[str]) -> list[str]:
    """For every method the first one before it with the same clusters, "" if there is none."""
    first: dict[bytes, str] = {}
    same = {name: first.setdefault(np.asarray(r.labels).tobytes(), name) for name, r in answers.items()}
    return ["" if same.get(name, name) == name else same[name] for name in names]


def _agreement(labels: list[Any]) -> list[float | None]:
    """Mean NMI of every result with the others."""
    if len(labels) < 2:
        return [None] * len(labels)
    between = np.asarray(pairwise(Ensemble._of_labels(labels), "nmi"))
    return ((between.sum(axis=1) - 1.0) / (len(labels) - 1)).tolist()
