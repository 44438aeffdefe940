"""Run several consensus functions on one ensemble and say how each did."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._arrays import Seed, one_of
from .._compat import current_options
from ..core.ensemble import Ensemble
from ..core.result import Consensus
from ..errors import DoubtWarning, FallbackWarning, GraphensError, InputError, meant, notes, warn
from ..kernels._jit import stopwatch
from ..measures.silhouettes import PathSilhouettes, reliable_silhouette
from ..steps.finish import finished
from ..steps.outcome import Outcome
from ..steps.prepared import Prepared, without_repeats
from ..views.affinity import Affinity
from ..views.reliability import cluster_reliability
from .registry import Method, find_method

#: scalable methods of different families: meta-clusters, spectral, votes
PANEL = ("mcla", "lwgp", "vote")
_CONTRADICTION = 0.1  # of the objects would move: no answer of ordinary ensembles that won did that
_REST, _ROUNDS = 0.01, 10  # moving ends when this share moves, or does not end
_CRUMB = 0.1  # of the mean size: an answer with a cluster below stands behind all others


@dataclass(frozen=True)
class Tried:
    """One attempt: the method, what it gave (None where it failed) and what there is to say about it."""

    method: str
    result: Consensus | None
    seconds: float
    note: str = ""
    by: str = "anmi"
    value: float = -np.inf

    def row(self) -> dict[str, Any]:
        """What to keep in a result's details; `score` is the ANMI, whatever decided."""
        k = None if self.result is None else self.result.k
        score = None if self.result is None else self.result.score
        more = {} if self.by == "anmi" else {self.by: None if self.result is None else self.value}
        return (
            {"method": self.method, "k": k, "score": score}
            | more
            | {"seconds": self.seconds, "note": self.note}
        )


def _by_anmi(e: Ensemble) -> Callable[[Consensus], float]:
    return lambda result: result.score


def _by_silhouette(e: Ensemble) -> Callable[[Consensus], float]:
    ready = Prepared.of(e)
    seen = without_repeats(ready.ensemble)  # what the methods work on, and have counted
    worth = cluster_reliability(seen)
    return lambda result: reliable_silhouette(ready.rows(result), seen, reliability=worth)


def _by_both(e: Ensemble) -> Callable[[Consensus], float]:
    reliable, paths = _by_silhouette(e), PathSilhouettes(e)
    return lambda result: reliable(result) + paths(result.labels) - (2.0 if has_crumbs(result, e) else 0.0)


def has_crumbs(result: Consensus, e: Ensemble) -> bool:
    """Whether a cluster holds less than a tenth of the mean weight of a cluster."""
    inside = result.labels >= 0
    sizes = np.bincount(result.labels[inside], weights=e.object_weights[inside])
    return bool(sizes.size) and bool(sizes.min() < _CRUMB * sizes.mean())


def settle(result: Consensus, e: Ensemble) -> Consensus:
    """Return an answer that contradicts itself with its objects moved to where they are together most.

    Where at least a tenth of the objects is together more with another cluster on the mean, all of those move, again
    and again until fewer than one in a hundred do. The answer is returned as it is where fewer would move at first,
    where they do not come to rest, or where a cluster would vanish. ``details["moved"]`` has the first share. O(nBk) a
    round.
    """
    labels, shares = np.array(result.labels), list[float]()
    while not shares or (shares[0] >= _CONTRADICTION and shares[-1] >= _REST and len(shares) < _ROUNDS):
        near = labels.copy()
        near[labels >= 0] = Affinity(e, labels, result.k).nearest(np.flatnonzero(labels >= 0))
        shares.append(float(np.average(near != labels, weights=e.object_weights)))
        labels = near
    if shares[0] < _CONTRADICTION or shares[-1] >= _REST or len(np.unique(labels[labels >= 0])) < result.k:
        return result
    found = Outcome(
        labels, graph=result.graph, index=result.vertices, details={**result.details, "moved": shares[0]}
    )
    return finished(result.method, Prepared.of(e), found, result.options)


#: what a panel can be decided by: larger is better
CRITERIA: dict[str, Callable[[Ensemble], Callable[[Consensus], float]]] = {
    "anmi": _by_anmi,
    "silhouette": _by_silhouette,
    "both": _by_both,
}


def call(row: Method, e: Ensemble, k: int | None, seed: Seed, **options: Any) -> Consensus:
    """Call a consensus function with k and the seed where it takes them; a k that it does not take is said."""
    options = current_options(row.name, options, row.renamed)
    asked = known_options(row, options)
    if k is not None and "k" not in asked:
        warn(f"k = {k} is ignored: {row.name} finds the number of clusters itself.", FallbackWarning)
    given = {"k": k, "seed": seed}
    return row.function(e, **options, **{name: value for name, value in given.items() if name in asked})


def known_options(row: Method, options: Iterable[str]) -> tuple[str, ...]:
    """Return the parameters of a consensus function; options that are none of them are refused."""
    asked = tuple(inspect.signature(row.function).parameters)
    unknown = sorted(set(options) - set(asked))
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
    refusals: type[Exception] = GraphensError,
    **options: Any,
) -> Tried:
    """Run one method; what it refuses or warns of becomes a note; doubts about labels are the caller's to say."""
    with notes() as heard, stopwatch() as seconds:
        try:
            result, said = call(find_method(name), e, k, seed, **options), []
        except refusals as error:
            kind = "" if isinstance(error, GraphensError) else f"{type(error).__name__}: "
            result, said = None, [f"{kind}{error}"]
        taken = seconds()
    said += [note.message for note in heard if not issubclass(note.category, DoubtWarning)]
    return Tried(name, result, taken, " ".join(said))


def compete(
    names: Sequence[str], e: Ensemble, k: int | None, seed: Seed, by: str = "anmi"
) -> tuple[Consensus, list[Tried]]:
    """Run a panel and return the best result (the earlier one where tied) and all attempts.

    `by` is what decides: ``"anmi"``, ``"silhouette"`` for the reliable silhouette, or ``"both"`` for its sum with the
    path silhouette, 2 less where a cluster holds less than a tenth of the mean size. With a given k only results with
    exactly k clusters compete or, where there is none, those with fewer: all criteria depend on the number.
    """
    if not names:
        raise InputError("An empty panel was given; expected the names of some methods.")
    one_of("by", by, CRITERIA)
    for name in names:
        find_method(name)
    value = CRITERIA[by](e)
    tried = [attempt(name, e, k, seed) for name in names]
    tried = [replace(t, by=by, value=-np.inf if t.result is None else value(t.result)) for t in tried]
    fit = [t for t in tried if t.result is not None and (k is None or t.result.k <= k)]
    if not fit:
        said = "; ".join(f"{t.method}: {t.note or 'more than k clusters'}" for t in tried)
        raise InputError(f"No method of the panel gave at most {k} clusters ({said}). Name other methods.")
    best = max([t for t in fit if t.result is not None and t.result.k == k] or fit, key=lambda t: t.value)
    assert best.result is not None
    return best.result, tried
