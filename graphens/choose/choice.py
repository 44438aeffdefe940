"""A chosen number of clusters, with the reason, and what every rule says about every number.

The latter is one table for pictures, pages, notebooks and the terminal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from .._lib.arrays import as_flag
from ..labels.value import Viewable

if TYPE_CHECKING:
    from ..plot.display import Display


@dataclass(frozen=True)
class Choice(Viewable):
    """A number of clusters and the figures behind it.

    Attributes
    ----------
    k
        The chosen number; 1 if there is no structure.
    why
        The reason, in a sentence.
    figures
        What the rule measured, by name.
    rule
        The rule that decided.
    curves
        For every rule that was evaluated, its value at every number of clusters.
    answers
        For every rule that was evaluated, the number it would choose.
    optional
        Other candidates, best first.
    kind
        ``"clear"``, ``"ambiguous"`` (the best candidate, an order of magnitude) or ``"none"`` (one cluster).
    levels
        If clusters nest, every number at which they are clear, ascending.
    p
        p-value: how often reference data without clusters do as well at their own clearest k; None without features.
    null
        For rules that were compared with reference data, the mean and standard deviation of the references' value at
        every number of clusters.
    """

    k: int
    why: str
    figures: Mapping[str, Any] = field(default_factory=dict)
    rule: str = ""
    curves: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    answers: Mapping[str, int] = field(default_factory=dict)
    optional: tuple[int, ...] = ()
    p: float | None = None
    null: Mapping[str, Mapping[int, tuple[float, float]]] = field(default_factory=dict)
    kind: str = ""
    levels: tuple[int, ...] = ()
    _backend: str | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Other rules choose a number or none."""
        if not self.kind:
            object.__setattr__(self, "kind", "clear" if self.k > 1 else "none")

    @property
    def agreed(self) -> bool:
        """Whether all rules that were evaluated choose the same number."""
        return len({self.k, *self.answers.values()}) == 1

    def columns(self) -> dict[str, list[Any]]:
        """Return the curves as columns, k first; None if a rule has no value."""
        ks = sorted({k for curve in self.curves.values() for k in curve})
        return {"k": list(ks)} | {name: [curve.get(k) for k in ks] for name, curve in self.curves.items()}

    @property
    def table(self) -> Any:
        """The curves as a frame: one row per number of clusters, one column per rule."""
        from ..export.frames import frame

        return frame(self.columns(), self._backend)

    def plot(self, ax: Any = None, *, curves: bool = False, **style: Any) -> Display:
        """Draw a table: a row for each rule, a column for each number of clusters, a ring at the choice of each rule.

        With `curves`, draw the values of every rule; on given axes, only those of the rule that decided. If features
        were given, PAC is shown with that of reference data without clusters, and the silhouette is the difference
        from theirs; bars cover 95 % of the references.
        """
        from ..plot.choosing import ChoiceDisplay, choice_curves

        return (choice_curves(self) if as_flag("curves", curves) else ChoiceDisplay(rule_table(self))).plot(ax, **style)

    def __repr__(self) -> str:
        lines = [f"Choice: k = {self.k} by {self.rule or 'the given rule'}", f"  {self.why}"]
        if self.answers and not self.agreed:
            rows = rule_table(self).rows
            lines += ["  rules disagree:", *(f"    {row.k:>3}  {row.words} ({row.rule})" for row in rows)]
        if len(self.levels) > 1:
            lines.append("  nested levels: " + ", ".join(map(str, self.levels)))
        if self.optional:
            lines.append("  other candidates: " + ", ".join(map(str, self.optional)))
        if self.p is not None:
            lines.append(f"  p = {self.p:.3g} compared with reference data without clusters")
        return "\n".join(lines)


_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class RuleRow(NamedTuple):
    """One rule: what it looks for, the number that it would choose, and how good every number is for it, 0 to 1."""

    rule: str
    words: str
    k: int
    shades: Mapping[int, float]


class RuleTable(NamedTuple):
    """The rules, the one that decided first, over all numbers of clusters, with the choice in a sentence."""

    sentence: str
    k: int
    ks: tuple[int, ...]
    rows: tuple[RuleRow, ...]


class _Scale(NamedTuple):
    """What a rule looks for, whether larger values are better, and the least difference that is worth a full shade."""

    words: str
    up: bool
    least: float


_SCALES = {
    "eigengap": _Scale("gap after k groups", up=True, least=1.0),
    "silhouette": _Scale("pairs clearly together or apart", up=True, least=0.1),
    "stability": _Scale("same under resampling", up=False, least=0.01),
    "pac": _Scale("few ambiguous pairs", up=False, least=0.02),
    "lifetime": _Scale("long life in the tree", up=True, least=0.1),
    "mixture": _Scale("Gaussian components, no vote", up=False, least=1.0),
}


def rule_table(choice: Choice) -> RuleTable:
    """Return the table of a choice; it has a column for every number with a value or an answer."""
    if choice.curves:
        curves = {name: curve for name, curve in choice.curves.items() if name in _SCALES}
    else:  # of a single rule
        curves = {choice.rule: choice.figures.get("strengths") or choice.figures.get("lifetimes") or {}}
    answers = choice.answers or {choice.rule: choice.k}
    rows = tuple(
        RuleRow(name, _scale(name).words, answers[name], _shades(name, curves[name], answers[name]))
        for name in sorted(curves, key=lambda name: name != choice.rule)
        if name in answers
    )
    ks = sorted({choice.k}.union(*({row.k, *row.shades} for row in rows)))
    sentence, fit = _sentence(choice, rows), choice.figures.get("fit", {})
    if len(rows) == 1 and choice.k in fit and rows[0].shades:  # no gap is clear: among the largest, the fit decided
        largest = max(rows[0].shades, key=lambda k: rows[0].shades[k])
        rows = (
            RuleRow("fit", "best fit of the candidates", choice.k, _shades("fit", fit, choice.k)),
            rows[0]._replace(k=largest),
        )
    return RuleTable(sentence, choice.k, tuple(ks), rows)


def _scale(name: str) -> _Scale:
    return _SCALES.get(name, _Scale(name, up=True, least=0.0))


def _shades(name: str, curve: Mapping[int, float], k: int) -> dict[int, float]:
    """How good every number is for a rule; none is better than 0.4 if the rule finds none good enough."""
    up, values = _scale(name).up, curve.values()
    low, high = min(values, default=0.0), max(values, default=0.0)
    span = max(high if up else high - low, _scale(name).least, 1e-12)
    most = 1.0 if k in curve else 0.4
    return {j: most * min(max(v / span if up else 1 - (v - low) / span, 0.0), 1.0) for j, v in curve.items()}


def _sentence(choice: Choice, rows: tuple[RuleRow, ...]) -> str:
    """The choice, and how many rules agree with it."""
    head = "One cluster" if choice.k == 1 else f"{choice.k} clusters{' at best' * (choice.kind == 'ambiguous')}"
    votes = [row.k for row in rows if row.rule != "mixture"]
    many = _WORDS[len(votes)] if len(votes) < len(_WORDS) else str(len(votes))
    same = votes.count(choice.k)
    if rows and rows[0].rule == choice.rule and rows[0].k != choice.k:
        return f"{head}: data without clusters look as clear"
    if len(votes) < 2:
        stands = {"clear": "stand out", "ambiguous": "fit best, and no number stands out"}
        return f"{choice.k} clusters {stands[choice.kind]}" if choice.k > 1 else "No groups stand out"
    if same == len(votes):
        return f"{head}: all {many} rules agree"
    if same > 1:
        return f"{head}: {_WORDS[same]} of {many} rules agree"
    return f"{head}: {'no two rules agree' if len(set(votes)) == len(votes) else f'one of {many} rules'}"
