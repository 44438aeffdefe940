"""Run several consensus functions on one ensemble, say how each did, and keep the best."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._arrays import Seed, one_of
from ..core.ensemble import Ensemble
from ..core.result import Consensus
from ..errors import DoubtWarning, FallbackWarning, GraphensError, InputError, meant, notes, warn
from ..kernels._jit import stopwatch
from ..measures.agreement import anmi
from ..measures.silhouettes import PathSilhouettes, reliable_silhouette
from ..steps.policy import POLICY
from ..steps.prepared import Prepared, without_repeats
from ..views.reliability import cluster_reliability
from .registry import Method, find_method


@dataclass(frozen=True)
class Trial:
    """One method that was tried.

    Attributes
    ----------
    method
        Its name.
    k, score
        Number of clusters and ANMI of its result; None if it failed.
    seconds
        Processor seconds.
    note
        Its warnings, or the reason why it failed.
    criterion, value
        The criterion by which the results were compared, and its value; larger is better. None if it failed.
    result
        The result itself while methods are compared; None in ``r.trials``.
    """

    method: str
    k: int | None = None
    score: float | None = None
    seconds: float = 0.0
    note: str = ""
    criterion: str = "anmi"
    value: float | None = None
    result: Consensus | None = field(default=None, repr=False, compare=False)

    def row(self) -> dict[str, Any]:
        """Return it as a row of a table; `score` is the ANMI, whatever decided."""
        compared = {} if self.criterion == "anmi" else {self.criterion: self.value}
        told = {"method": self.method, "k": self.k, "score": self.score}
        return told | compared | {"seconds": self.seconds, "note": self.note}


@dataclass(frozen=True)
class Criterion:
    """What answers are compared by: `of` an ensemble a function of an answer, larger is better.

    Where it is `wary`, answers with a cluster of a few objects stand behind all others. `meaning` says in words what
    the best has.
    """

    meaning: str
    of: Callable[[Ensemble], Callable[[Consensus], float]]
    wary: bool = False


def _score(e: Ensemble) -> Callable[[Consensus], float]:
    return lambda result: result.score


def _silhouette(e: Ensemble) -> Callable[[Consensus], float]:
    ready = Prepared.of(e)
    seen = without_repeats(ready.ensemble)  # what the methods work on, and have counted
    worth = cluster_reliability(seen)
    return lambda result: reliable_silhouette(ready.rows(result), seen, reliability=worth)


def _both(e: Ensemble) -> Callable[[Consensus], float]:
    reliable, paths = _silhouette(e), PathSilhouettes(e)
    return lambda result: reliable(result) + paths(result.labels)


#: what a panel can be decided by
CRITERIA: dict[str, Criterion] = {
    "anmi": Criterion("it shares most information with the partitions (ANMI)", _score),
    "silhouette": Criterion(
        "its objects are most clearly together with their own cluster (reliable silhouette)", _silhouette
    ),
    "both": Criterion(
        "its objects are most clearly with their own cluster and best connected in it (reliable + path silhouette)",
        _both,
        wary=True,
    ),
}


def has_small_cluster(result: Consensus, e: Ensemble) -> bool:
    """Whether a cluster holds less than a tenth of the mean weight of a cluster."""
    inside = result.labels >= 0
    sizes = np.bincount(result.labels[inside], weights=e.object_weights[inside])
    return bool(sizes.size) and bool(sizes.min() < POLICY.small * sizes.mean())


def call(row: Method, e: Ensemble, k: int | None, seed: Seed, **options: Any) -> Consensus:
    """Call a consensus function with k and the seed where it takes them; a k that it does not take is said."""
    asked = known_options(row, options)
    if k is not None and "k" not in asked:
        warn(f"k = {k} is ignored: {row.name} finds the number of clusters itself.", FallbackWarning)
    given = {"k": k, "seed": seed}
    return row.function(e, **options, **{name: value for name, value in given.items() if name in asked})


def known_options(row: Method, options: Iterable[str]) -> tuple[str, ...]:
    """Return the parameters of a consensus function; options that are none of them are refused."""
    asked = tuple(inspect.signature(row.function).parameters)
    unknown = sorted(set(options) - set(asked) - set(row.renamed))
    if unknown:
        known = ", ".join(name for name in asked[1:] if name not in ("k", "seed")) or "none"
        hint = meant(unknown[0], asked)
        raise InputError(f"{row.name} has no option {', '.join(unknown)}; its options are {known}.{hint}")
    return asked


def attempt(
    name: str,
    e: Ensemble,
    k: int | None,
    seed: Seed,
    *,
    thorough: bool = False,
    **options: Any,
) -> Trial:
    """Run one method; what it refuses or warns of becomes a note; doubts about labels are the caller's to say.

    With `thorough`, an error of any kind is a note, and the seconds leave compiling out.
    """
    refusals = Exception if thorough else GraphensError
    with notes() as heard, stopwatch(compiling_too=not thorough) as seconds:
        try:
            result, said = call(find_method(name), e, k, seed, **options), []
        except refusals as error:
            kind = "" if isinstance(error, GraphensError) else f"{type(error).__name__}: "
            result, said = None, [f"{kind}{error}"]
        taken = seconds()
    said += [note.message for note in heard if not issubclass(note.category, DoubtWarning)]
    failed = Trial(name, seconds=taken, note=" ".join(said))
    return failed if result is None else replace(failed, result=result, k=result.k, score=result.score)


def compete(
    names: Sequence[str],
    e: Ensemble,
    k: int | None,
    seed: Seed,
    by: str = "anmi",
    average: str = "geometric",
) -> tuple[Consensus, list[Trial]]:
    """Run a panel and return the best result (the earlier one where tied) and all trials.

    `by` is what decides: ``"anmi"`` (divided by `average`), ``"silhouette"`` for the reliable silhouette, or ``"both"``
    for its sum with the path silhouette, answers without a cluster of less than a tenth of the mean size first. With a
    given k only results with exactly k clusters compete or, where there is none, those with fewer: all criteria depend
    on the number.
    """
    if not names:
        raise InputError("An empty panel was given; expected the names of some methods.")
    criterion = CRITERIA[one_of("by", by, CRITERIA)]
    for name in names:
        find_method(name)
    value = criterion.of(e)
    if by == "anmi" and average != "geometric":  # the score of an answer is the geometric one
        value = lambda result: anmi(result.labels, e, average)  # noqa: E731
    trials = [attempt(name, e, k, seed) for name in names]
    trials = [replace(t, criterion=by, value=None if t.result is None else value(t.result)) for t in trials]
    fit = [(t.result, t.value) for t in trials if t.result is not None and (k is None or t.result.k <= k)]
    if not fit:
        said = "; ".join(f"{t.method}: {t.note or 'more than k clusters'}" for t in trials)
        raise InputError(f"No method of the panel gave at most {k} clusters ({said}). Choose other methods.")

    def rank(one: tuple[Consensus, float | None]) -> tuple[bool, bool, float | None]:
        small = criterion.wary and has_small_cluster(one[0], e)
        return one[0].k == k, not small, one[1]

    return max(fit, key=rank)[0], trials
