"""Run several consensus functions on one ensemble, report the result of each, and keep the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._lib.arrays import Seed, as_list, one_of
from ..errors import DoubtWarning, FallbackWarning, GraphensError, InputError, collect_warnings, warn
from ..graphs.reliability import cluster_reliability, informative
from ..kernels._jit import stopwatch
from ..labels.ensemble import Ensemble
from ..labels.ready import Ready
from ..measures.agreement import score
from ..measures.silhouettes import PathSilhouettes, weighted_silhouette
from ..result.consensus import Consensus
from .registry import AnyMethod, Method, find_method, known_options

_BRIEF = 2.0  # seconds below which loading would be most of a first run


@dataclass(frozen=True)
class Trial:
    """One method that was tried."""

    method: str  #: its name
    k: int | None = None  #: number of clusters and ANMI of its result; None if it failed
    score: float | None = None
    seconds: float = 0.0  #: processor seconds, without those of compiling
    note: str = ""  #: its warnings, or the reason why it failed
    #: the criterion by which the results were compared, and its value; larger is better. None if it failed.
    criterion: str = "anmi"
    value: float | None = None
    #: for the default of `ConsensusClustering`: the mean share of neighbor links that leave a cluster, and the entropy
    #: of the sizes divided by ln k
    cut: float | None = None
    evenness: float | None = None
    #: the result itself while methods are compared; None in ``r.trials``
    result: Consensus | None = field(default=None, repr=False, compare=False)

    def row(self) -> dict[str, Any]:
        """Return it as a row of a table; `score` is the ANMI, whatever decided."""
        compared = {} if self.criterion == "anmi" else {self.criterion: self.value}
        first = {"method": self.method, "k": self.k, "score": self.score}
        return first | compared | {"seconds": self.seconds, "note": self.note}


@dataclass(frozen=True)
class Criterion:
    """A criterion for comparing results: `of` a ready ensemble returns a function of a result; larger is better."""

    meaning: str
    of: Callable[[Ready], Callable[[Consensus], float]]


def _silhouette(ready: Ready) -> Callable[[Consensus], float]:
    e = ready.distinct_partitions
    weights = cluster_reliability(e)
    return lambda result: weighted_silhouette(ready.taking_part(result.labels), e, weights)


def _both(ready: Ready) -> Callable[[Consensus], float]:
    reliable, paths = _silhouette(ready), PathSilhouettes(ready.whole)
    return lambda result: reliable(result) + paths(result.labels)


def _fit(ready: Ready) -> Callable[[Consensus], float]:
    """ANMI × (1 + path silhouette); partitions that agree with the others only by chance are left out."""
    e = ready.distinct_partitions
    useful = informative(e)
    some = e if useful.all() else e.take(partitions=useful)
    paths = PathSilhouettes(some)

    def value(result: Consensus) -> float:
        labels = ready.taking_part(result.labels)
        shared = result.score if some is e else score(labels, some)
        return shared * (1.0 + paths(labels))

    return value


#: what a panel can be decided by
CRITERIA: dict[str, Criterion] = {
    "anmi": Criterion("ANMI (information shared with the partitions)", lambda ready: lambda result: result.score),
    "silhouette": Criterion("reliable silhouette (how clearly objects belong to their own cluster)", _silhouette),
    "both": Criterion(
        "sum of the reliable and the path silhouette (how clearly objects belong to their own cluster, and how well "
        "they are connected in it)",
        _both,
    ),
    "fit": Criterion(
        "ANMI × (1 + path silhouette) (information shared with the partitions, in connected clusters)", _fit
    ),
}


def call_method(row: Method, e: Ensemble | Ready, k: int | None, seed: Seed, /, **options: Any) -> Consensus:
    """Call a consensus function with k and the seed if it takes them; warn if it does not take k.

    What a `functools.partial` fixes stays as it is.
    """
    parameters, fixed = known_options(row, options), getattr(row.function, "keywords", {})
    if k is not None and "k" not in parameters:
        warn(f"k = {k} is ignored: {row.name} finds the number of clusters itself.", FallbackWarning)
    arguments = {"k": k, "seed": seed}
    taken = {name: value for name, value in arguments.items() if name in parameters and name not in fixed}
    return row.function(e, **options, **taken)


def attempt(
    method: AnyMethod, e: Ensemble | Ready, k: int | None, seed: Seed, *, thorough: bool = False, **options: Any
) -> Trial:
    """Run one method; its errors and warnings become a note, except for doubts about labels, which the caller reports.

    With `thorough`, errors of any kind become notes, and the seconds are those of a second run, or of a third one
    if the second loaded compiled code; what takes long is run once, with compilation left out of the seconds.
    """
    row, refusals = find_method(method), Exception if thorough else GraphensError
    # Warnings of a trial are notes in its row; only those of the answer that wins are said.
    with collect_warnings() as warnings:
        seconds = stopwatch()
        try:
            result, notes_of_run = call_method(row, e, k, seed, **options), []
        except refusals as error:
            kind = "" if isinstance(error, GraphensError) else f"{type(error).__name__}: "
            result, notes_of_run = None, [f"{kind}{error}"]
        taken = seconds()
    # A first run pays for loading and counting: short runs are timed again, or the first method would look slow.
    for _ in range(2 if thorough and result is not None and taken < _BRIEF else 0):
        again = (e.whole if isinstance(e, Ready) else e)._replace()  # without what the first run has counted
        with collect_warnings():
            seconds = stopwatch()
            call_method(row, again, k, seed, **options)
            before, taken = taken, seconds()
        if taken < before:  # otherwise this was the run for which compiled code was loaded
            break
    notes_of_run += [note.message for note in warnings if not issubclass(note.category, DoubtWarning)]
    failed = Trial(row.name, seconds=taken, note=" ".join(notes_of_run))
    return failed if result is None else replace(failed, result=result, k=result.k, score=result.score)


@dataclass(frozen=True)
class Trials:
    """Results for one k, compared by one criterion."""

    ready: Ready  #: what every method gets
    k: int | None
    seed: Seed
    by: str  #: the name of the criterion
    value: Callable[[Consensus], float]  #: the value of a result by this criterion; larger is better
    entries: list[Trial] = field(default_factory=list)  #: the trials so far

    @classmethod
    def of(cls, ready: Ready, k: int | None, seed: Seed, by: str) -> Trials:
        """Prepare what the criterion needs from the ensemble."""
        return cls(ready, k, seed, by, CRITERIA[one_of("by", by, CRITERIA)].of(ready))

    def enter(self, method: AnyMethod, note: str = "", /, **options: Any) -> Trial:
        """Run a method and evaluate its result; `note` comes before its warnings."""
        trial = attempt(method, self.ready, self.k, self.seed, **options)
        value = None if trial.result is None else self.value(trial.result)
        trial = replace(trial, criterion=self.by, value=value, note=f"{note} {trial.note}".strip())
        self.entries.append(trial)
        return trial

    def rank(self, trial: Trial) -> tuple[bool, float]:
        """Return the sort key of trials: exactly k clusters, and the value."""
        if trial.result is None or trial.value is None:
            return False, -np.inf
        return trial.result.k == self.k, trial.value

    def best(self) -> Trial:
        """Return the best trial, the earlier one in a tie; results with more than k clusters do not compete."""
        # More clusters than requested is not an answer, but fewer may be all that there are.
        able = [t for t in self.entries if t.result is not None and (self.k is None or t.result.k <= self.k)]
        if not able:
            reasons = "; ".join(f"{t.method}: {t.note or 'more than k clusters'}" for t in self.entries)
            raise InputError(
                f"No method of the panel gave at most {self.k} clusters ({reasons}). Choose other methods."
            )
        return max(able, key=self.rank)


def run_panel(
    panel: Sequence[AnyMethod], e: Ensemble, k: int | None, seed: Seed, by: str = "anmi", average: str = "geometric"
) -> tuple[Consensus, list[Trial]]:
    """Run a panel and return the best result (the earlier one in a tie) and all trials.

    `by` is the criterion: ``"anmi"`` (divided by `average`), ``"silhouette"`` for the reliable silhouette, ``"both"``
    for its sum with the path silhouette, or ``"fit"`` for ANMI × (1 + path silhouette). With a given k, only results
    with exactly k clusters compete or, if there are none, those with fewer, because all criteria depend on the number
    of clusters.
    """
    ready = Ready.of(e)
    trials = Trials.of(ready, k, seed, by)
    if by == "anmi" and average != "geometric":  # the score of a result uses the geometric mean
        trials = replace(trials, value=lambda result: score(result.labels, ready.whole, average))
    for method in checked_panel(panel):
        trials.enter(method)
    best = trials.best().result
    assert best is not None  # a trial without a result is never the best
    return best, trials.entries


def checked_panel(panel: Sequence[AnyMethod]) -> tuple[AnyMethod, ...]:
    """Refuse an empty panel, and unknown names of methods."""
    methods = tuple(as_list("panel", panel, "names of methods, or functions"))
    if not methods:
        raise InputError("An empty panel was given; expected the names of some methods.")
    for method in methods:
        find_method(method)
    return methods
