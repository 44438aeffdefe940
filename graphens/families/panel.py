"""Run several consensus functions on one ensemble and say how each did."""

from __future__ import annotations

import inspect
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..core.ensemble import Ensemble
from ..core.result import Consensus
from ..errors import GraphensError, InputError, meant, notes
from .registry import Method, find_method

#: scalable methods of different families: meta-clusters, spectral, votes
PANEL = ("mcla", "lwgp", "vote")


@dataclass(frozen=True)
class Tried:
    """One attempt: the method, what it gave (None where it failed) and what there is to say about it."""

    method: str
    result: Consensus | None
    seconds: float
    note: str = ""

    @property
    def score(self) -> float:
        """ANMI of the result, below every other where there is none."""
        return -1.0 if self.result is None else self.result.score

    def row(self) -> dict[str, Any]:
        """What to keep in a result's details."""
        k = None if self.result is None else self.result.k
        score = None if self.result is None else self.result.score
        return {"method": self.method, "k": k, "score": score, "seconds": self.seconds, "note": self.note}


def call(row: Method, e: Ensemble, k: int | None, seed: int, **options: Any) -> Consensus:
    """Call a consensus function with k and the seed where it takes them."""
    asked = inspect.signature(row.function).parameters
    unknown = sorted(set(options) - set(asked))
    if unknown:
        known = ", ".join(name for name in list(asked)[1:] if name not in ("k", "seed")) or "none"
        hint = meant(unknown[0], asked)
        raise InputError(f"{row.name} has no option {', '.join(unknown)}; its options are {known}.{hint}")
    given = {"k": k, "seed": seed}
    return row.function(e, **options, **{name: value for name, value in given.items() if name in asked})


def attempt(name: str, e: Ensemble, k: int | None, seed: int) -> Tried:
    """Run one method; what it refuses or warns of becomes a note."""
    begin = time.perf_counter()
    with notes() as heard:
        try:
            result, said = call(find_method(name), e, k, seed), []
        except GraphensError as error:
            result, said = None, [str(error)]
    said += [note.message for note in heard]
    return Tried(name, result, time.perf_counter() - begin, " ".join(said))


def compete(names: Sequence[str], e: Ensemble, k: int | None, seed: int) -> tuple[Consensus, list[Tried]]:
    """Run a panel and return the result with the largest ANMI (the earlier one where tied) and all attempts.

    With a given k only results with at most k clusters compete: ANMI grows with their number.
    """
    if not names:
        raise InputError("An empty panel was given; expected the names of some methods.")
    for name in names:
        find_method(name)
    tried = [attempt(name, e, k, seed) for name in names]
    fit = [t for t in tried if t.result is not None and (k is None or t.result.k <= k)]
    if not fit:
        said = "; ".join(f"{t.method}: {t.note or 'more than k clusters'}" for t in tried)
        raise InputError(f"No method of the panel gave at most {k} clusters ({said}). Name other methods.")
    best = max(fit, key=lambda t: t.score)
    assert best.result is not None
    return best.result, tried
