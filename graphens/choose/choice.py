"""A chosen number of clusters, with the reason, and the values of every rule for all numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

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
        from .rule_table import rule_table

        return (choice_curves(self) if as_flag("curves", curves) else ChoiceDisplay(rule_table(self))).plot(ax, **style)

    def __repr__(self) -> str:
        from .rule_table import rule_table

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
