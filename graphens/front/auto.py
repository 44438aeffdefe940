"""The rule of ``method="auto"``: choose k, try the panel, mend its answer where it has to be, and say why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .._arrays import LabelArray, as_int
from ..choose.choice import Choice
from ..choose.rules import Rule, apply_rule
from ..core.ensemble import Ensemble
from ..core.result import Consensus
from ..errors import DegenerateWarning, InputError, warn
from ..families.trials import CRITERIA, Trial, compete, has_small_cluster
from ..steps.policy import POLICY
from ..steps.prepared import Prepared
from ..views.doubts import doubts, most_clusters, warn_of
from .remedies import connect, follow, settle, stranded


def auto(
    e: Ensemble,
    k: int | None,
    seed: int,
    rule: str | Rule,
    *,
    panel: Sequence[str] = POLICY.panel,
    by: str = "both",
    **more: Any,
) -> Consensus:
    """Return the best answer of a panel, as `consensus` describes it."""
    if more:
        raise InputError(
            f"method = 'auto' has no option {', '.join(sorted(more))}; its options are panel, by and rule. "
            "Name a method to give it options."
        )
    choice = choose(e, k, seed, rule)
    warn_of(doubts(e, k))
    best, said, trials = _mended(e, choice.k, seed, panel, by)
    if has_small_cluster(best, e) and (lone := stranded(e)).any():
        known = e.take(objects=~lone)
        rest, why, tried = _mended(known, choice.k, seed, panel, by)
        if rest.k == best.k and not has_small_cluster(rest, known):
            best, trials = follow(rest, e, lone), tried
            said = [*why, _placed_last(best.labels[lone])]
    if 0 < best.k < choice.k:
        said.append(f"no method of the panel gave {choice.k} clusters, {best.method} gave {best.k}")
        warn(f"k = {choice.k}: {said[-1]}; the others hold no object.", DegenerateWarning)
    return _told(best, choice, "; ".join(filter(None, [choice.why, *said])), trials)


def _mended(
    e: Ensemble, k: int, seed: int, panel: Sequence[str], by: str
) -> tuple[Consensus, list[str], list[Trial]]:
    """The best answer of the panel, mended where it has to be; what decided, in words, and what was tried."""
    best, trials = compete(tuple(panel), e, k, seed, by)
    said = [_comparison(best, trials)]
    moved = settle(best, e)
    if moved.result is not None:
        best = moved.result
        said.append(moved.why)
    if tuple(panel) == POLICY.panel and by == "both" and k > 1:
        pieces = connect(e, k, seed, best, trials)
        trials += pieces.trials
        if pieces.result is None:
            said.append(pieces.why)
        elif not np.array_equal(pieces.result.labels, best.labels):
            best, said = pieces.result, [pieces.why]
    return best, said, trials


def choose(e: Ensemble, k: int | None, seed: int, rule: str | Rule) -> Choice:
    """Return the number of clusters that was asked for, or the rule's."""
    ready = Prepared.of(e)
    if k is not None:
        k = as_int("k", k, 1, max(int(ready.present.sum()), 1))
        asked = f"{k} clusters were asked for" if k > 1 else "one cluster was asked for"
        most = most_clusters(e, k)
        return Choice(most, asked if most == k else f"{asked}, but the labels distinguish only {most}")
    if not ready.anyone:
        return Choice(1, "no object has a label")
    choice = apply_rule(rule, ready.ensemble, seed)
    if choice.k == 1 and choice.optional:
        warn(
            f"{choice.why[0].upper()}{choice.why[1:]}: one cluster is the answer. Give k.", DegenerateWarning
        )
    return choice


def _comparison(best: Consensus, trials: list[Trial]) -> str:
    """Why this answer of the panel, in words."""
    if best.k == 1:
        return "all objects are together"
    if len(trials) == 1:
        return f"{best.method} is the only method of the panel"
    answers = [t for t in trials if t.result is not None]
    if len(answers) > 1 and all(np.array_equal(t.result.labels, best.labels) for t in answers if t.result):
        return f"{' and '.join(t.method for t in answers)} give the same clusters"
    own = next(t for t in answers if t.result is best)
    rest = ", ".join(f"{t.value:.3f} for {t.method}" for t in answers if t is not own)
    against = f" against {rest}" if rest else ""
    return f"{best.method} is preferred: {CRITERIA[own.criterion].meaning}, {own.value:.3f}{against}"


def _placed_last(labels: LabelArray) -> str:
    """What became of the objects that only worthless partitions know, in words."""
    none = int((labels < 0).sum())
    return (
        f"objects that only partitions agreeing with the others by chance know were placed last: {len(labels)}"
        + (f", {none} of them in no cluster" if none else "")
    )


def _told(best: Consensus, choice: Choice, why: str, trials: list[Trial]) -> Consensus:
    """The answer with what decided it; ``details["auto"]`` has the same under its old name."""
    figures = ({"rule": choice.rule} if choice.rule else {}) | dict(choice.figures)
    report = {"why": why, "k": choice.k, "optional": choice.optional, **figures}
    kept = tuple(replace(t, result=None) for t in trials)
    return best._replace(
        why=why,
        trials=kept,
        choice=choice if choice.rule else None,
        details={**best.details, "auto": report | {"tried": [t.row() for t in kept]}},
    )
