"""Pictures for choosing and explaining: curves over the number of clusters, distributions, votes about an object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import AnyArray, FloatArray
from ..choose.choice import Choice, RuleTable
from ..choose.resampling import Monti
from ..choose.stability import Stability
from ..result.explanation import Explanation
from .colors import PALETTE, color, spread
from .display import Display, amount, bare, ink, label_text, pyplot, quiet, tint

_NAMED = 8  # curves that all stand in the legend; of more the first, the best and the last


@dataclass(eq=False, repr=False)
class CdfDisplay(Display):
    """Distribution of the co-association over pairs, one curve per k; the band between its bounds is ambiguous.

    Attributes
    ----------
    curves
        The thresholds and the share of pairs at or below them, for each k.
    bounds
        Where the ambiguous band begins and ends.
    pac
        The share of pairs inside the band, for each k.
    """

    curves: Mapping[int, tuple[FloatArray, FloatArray]]
    bounds: tuple[float, float]
    pac: Mapping[int, float]
    how: str = ""

    def _draw(self, ax: Any) -> Any:
        """Draw the curves; a curve that is flat across the band means a clear k."""
        ax = self._on(ax, (6.2, 4.2))
        ax.axvspan(*self.bounds, color=tint(ax), zorder=0)
        curves: list[Any] = []
        best = min(self.pac, key=lambda k: self.pac[k]) if self.pac else None
        for shade, (k, (x, y)) in zip(spread(len(self.curves)), self.curves.items(), strict=True):
            pac = f", PAC {self.pac[k]:.3f}" if k in self.pac else ""
            named = len(self.curves) <= _NAMED or k in (min(self.curves), best, max(self.curves))
            name = f"k = {k}{pac}" if named else None
            curves += ax.step(x, y, where="post", color=shade, linewidth=2.6 if k == best else 1.3, label=name)
        quiet(ax)
        ax.set_xlim(0, 1)
        ax.set_ylim(0, 1.01)
        ax.set_xlabel("co-association")
        ax.set_ylabel("share of pairs at or below")
        if len(self.curves) <= _NAMED:
            ax.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
        else:
            ax.legend(
                frameon=False, fontsize=8, loc="lower right", title="smallest, best and largest k", title_fontsize=8
            )
        low, high = self.bounds
        self._headline("Consensus distribution", self.how or f"ambiguous between {low:g} and {high:g}")
        return curves


@dataclass(eq=False, repr=False)
class CurveDisplay(Display):
    """A statistic over the number of clusters, with its spread, its null model and the chosen k.

    Attributes
    ----------
    k, value
        The numbers of clusters and the statistic.
    error
        Its standard deviation (or half-width), if any.
    null, null_error
        The same for data without structure; `null_error` may have a row for each side.
    chosen
        The k to mark.
    limit
        A threshold, drawn as a line.
    """

    k: ArrayLike
    value: ArrayLike
    name: str
    error: ArrayLike | None = None
    null: ArrayLike | None = None
    null_error: ArrayLike | None = None
    chosen: int | None = None
    limit: float | None = None
    what: str = ""
    how: str = ""

    def _draw(self, ax: Any) -> Any:
        """Draw the statistic with error bars, a dashed line for the null model, and a ring around the chosen k."""
        ax = self._on(ax, (5.6, 3.6))
        k, value = np.asarray(self.k), np.asarray(self.value, dtype=float)
        style = {"capsize": 3, "elinewidth": 1, "markersize": 4}
        line = {"color": PALETTE[0], "marker": "o", "linewidth": 1.6, "label": label_text(self.name)}
        curve = ax.errorbar(k, value, self.error, **line, **style).lines[0]
        if self.null is not None:
            line = {"color": "#888888", "marker": "s", "linestyle": "--", "linewidth": 1.2}
            ax.errorbar(k, self.null, self.null_error, label="without structure", **line, **style)
            if not self.how:
                ax.legend(frameon=False, fontsize=8)
        quiet(ax)
        if not k.size:
            ax.set_xticks([])
            ax.set_yticks([])
        else:
            ax.xaxis.get_major_locator().set_params(integer=True)
            if self.limit is not None:
                ax.axhline(self.limit, color=ink(ax), linewidth=0.8, linestyle=(0, (4, 3)))
        at = np.flatnonzero(k == (-1 if self.chosen is None else self.chosen))
        if at.size:
            ax.plot(k[at], value[at], "o", markersize=12, markerfacecolor="none", markeredgecolor=ink(ax))
        ax.set_xlabel("number of clusters")
        ax.set_ylabel(label_text(self.name))
        self._headline(self.what or f"{self.name[:1].upper()}{self.name[1:]} over the number of clusters", self.how)
        return curve


@dataclass(eq=False, repr=False)
class PanelDisplay(Display):
    """Several pictures side by side; on given axes, only the first.

    Attributes
    ----------
    parts
        The displays.
    """

    parts: list[Any]
    what: str = ""

    def _draw(self, ax: Any) -> Any:
        """Draw them in rows of three, four of them in two rows of two."""
        if ax is not None or len(self.parts) == 1:
            first = self.parts[0].plot(ax)
            self._place(first.ax_, first.figure_)
            return first.artist_
        columns = 2 if len(self.parts) == 4 else min(3, len(self.parts))
        rows = -(-len(self.parts) // columns)
        figure, axes = pyplot().subplots(
            rows, columns, figsize=(4.3 * columns, 3.3 * rows), layout="constrained", squeeze=False
        )
        for spare in axes.ravel()[len(self.parts) :]:
            spare.set_axis_off()
        for part, place in zip(self.parts, axes.ravel(), strict=False):
            part.plot(ax=place)
        if self.what:
            figure.suptitle(label_text(self.what), fontsize=11)
        self._place(axes, figure)
        return [artist for part in self.parts for artist in np.ravel(part.artist_)]


class _Scale(NamedTuple):
    """The name of a rule's statistic, whether larger is better, the value it must exceed, and a remark."""

    name: str
    up: bool = True
    limit: float | None = None
    note: str = ""


_SCALES = {
    "eigengap": _Scale("strength of the eigengap", limit=1.0, note="above the dashed line, a gap counts as clear"),
    "silhouette": _Scale("silhouette"),
    "stability": _Scale("standard deviation of NMI", up=False),
    "pac": _Scale("ambiguous pairs (PAC)", up=False, note="the largest k within 0.005 of the lowest is chosen"),
    "lifetime": _Scale("lifetime in the dendrogram"),
    "mixture": _Scale("message length", up=False, note="counts Gaussian components and does not vote"),
    "agreement": _Scale("share of the rules"),
}


@dataclass(eq=False, repr=False)
class ChoiceDisplay(Display):
    """What every rule says about every number of clusters, as a shaded table; rings are the choices of the rules.

    Attributes
    ----------
    table
        The rows, the columns and the choice in a sentence.
    """

    table: RuleTable

    def _draw(self, ax: Any) -> Any:
        """Draw a row for each rule, the one that decided first, and a column for each number, darker if it is better.

        The chosen number is bold.
        """
        table = self.table
        rows, ks = len(table.rows), list(table.ks)
        wide = max(3.0 + min(0.36 * max(len(ks), 5), 9), 2.3 + 0.075 * len(table.sentence))  # room for the sentence
        ax = self._on(ax, (wide, 1.1 + 0.42 * rows))
        shades = np.array([[row.shades.get(k, np.nan) for k in ks] for row in table.rows]).reshape(rows, len(ks))
        image = ax.imshow(np.ma.masked_invalid(shades), cmap="Blues", vmin=0, vmax=1.25, aspect="auto")
        image.set_gid("shade-rules")
        ax.hlines(np.arange(rows - 1) + 0.5, -0.5, len(ks) - 0.5, color=ax.get_facecolor(), linewidth=2)
        ax.vlines(np.arange(len(ks) - 1) + 0.5, -0.5, rows - 0.5, color=ax.get_facecolor(), linewidth=2)
        ring = [ks.index(row.k) for row in table.rows]
        ax.scatter(ring, range(rows), s=170, facecolors="none", edgecolors=PALETTE[5], linewidths=2)
        bare(ax)
        ax.tick_params(length=0)
        ax.set_yticks(range(rows), [label_text(row.words, 34) for row in table.rows], fontsize=9)
        ax.set_xticks(range(len(ks)), [str(k) for k in ks], fontsize=9)
        ax.get_xticklabels()[ks.index(table.k)].set_fontweight("bold")
        ax.set_xlabel("number of clusters")
        self._headline(table.sentence, "darker: better for this rule; ring: its choice")
        return image


def choice_curves(choice: Choice) -> PanelDisplay:
    """Return the curve of every rule that was evaluated, the deciding one first, with its choice ringed."""
    names = sorted(choice.curves, key=lambda name: name != choice.rule)
    parts = [_rule_display(choice, name) for name in names if choice.curves[name]]
    return PanelDisplay(parts or [CurveDisplay([choice.k], [1.0], choice.rule or "rule", chosen=choice.k)])


def _rule_display(choice: Choice, name: str) -> CurveDisplay:
    """The curve of one rule; with references, also their mean and the band that holds 95 % of them."""
    ks, scale = sorted(choice.curves[name]), _SCALES.get(name, _Scale(name))
    null = choice.null.get(name)
    mean, spread = (None, None) if null is None else np.array([null[k] for k in ks]).T
    minus = mean is not None and not bool(mean.any())  # the curve is what the data exceed the references by
    bars = None if spread is None else np.tile(1.96 * spread, (2, 1))
    if bars is not None and mean is not None and not minus:
        bars = np.minimum(bars, [mean, 1.0 - mean])  # a share stays between 0 and 1
    k = choice.answers.get(name, choice.k)
    how = [scale.note] if scale.note else []
    how += [] if null is None else ["dashed: reference data without clusters (bars: 95 %)"]
    return CurveDisplay(
        ks,
        [choice.curves[name][k] for k in ks],
        f"{scale.name}{' minus references' * minus}, {'higher' if scale.up else 'lower'} is better",
        null=mean,
        null_error=bars,
        chosen=k,
        limit=scale.limit,
        what=f"{name}: {k if k in ks else 'no number stands out'}",
        how="; ".join(how),
    )


def monti_display(m: Monti) -> PanelDisplay:
    """Return the consensus distributions, the increase of their area, and silhouette and PAC over k."""
    columns = m.columns()
    low, high = m.bounds
    first = m.panels[m.ks[0]].ensemble
    pairs = f"pairs of {m.sampled:,} random objects" if m.sampled else "all pairs"
    how = f"B = {first.n_partitions}; ambiguous between {low:g} and {high:g}; {pairs}"
    pac = dict(zip(m.ks, columns["pac"], strict=True))
    return PanelDisplay(
        [
            CdfDisplay({k: m.cdf(k) for k in m.ks}, m.bounds, pac, how),
            CurveDisplay(m.ks, columns["delta"], "relative increase of the area", what="Δ area"),
            CurveDisplay(m.ks, columns["pac"], "PAC", what=f"Ambiguous pairs ({low:g} to {high:g})"),
            CurveDisplay(m.ks, columns["silhouette"], "silhouette", what="Silhouette on 1 − S"),
        ]
    )


def stability_display(s: Stability) -> CurveDisplay:
    """Return the agreement of bootstrap ensembles with their consensus over k, with standard deviations."""
    return CurveDisplay(
        s.ks,
        s.mean,
        "NMI with the ensemble",
        error=s.std,
        chosen=s.k,
        what="Stability over the number of clusters",
        how=f"bars: standard deviation over bootstrap ensembles; stable up to {s.limit:.2g}",
    )


class ExplanationDisplay(Display):
    """The votes of the partitions on one object: the share of objects with the same label that are in its own cluster.

    Attributes
    ----------
    explanation
        The explanation that is shown.
    shares
        For each partition that has the object, the share of its base cluster that is in the object's own cluster.
    clusters
        The cluster that contains most of that base cluster.
    names
        The partitions.
    """

    explanation: Explanation
    names: list[str]
    shares: AnyArray
    clusters: list[int]

    def __init__(self, explanation: Explanation) -> None:
        here = sorted((v for v in explanation.votes if v.label is not None), key=lambda v: v.share)
        self.explanation, self.names = explanation, [v.partition for v in here]
        self.shares, self.clusters = np.array([v.share for v in here]), [v.cluster for v in here]

    def _draw(self, ax: Any) -> Any:
        """Draw one bar per partition: companions in its own cluster, and the others in the color of their vote.

        Partitions in which all companions are in the object's own cluster share one bar.
        """
        x, shares = self.explanation, np.nan_to_num(self.shares)
        split = int(np.count_nonzero(shares < 1 - 1e-9))  # they come first
        n, agreed = min(len(shares), split + 1), len(shares) - split
        names = [*self.names[:split], amount(agreed, "clustering") if agreed > 1 else self.names[-1]][:n]
        ax = self._on(ax, (6.0, float(np.clip(1.2 + 0.22 * n, 2.0, 9.0))))
        shares, rest = shares[:n], [color(c if c != x.cluster else -1) for c in self.clusters[:n]]
        bars = ax.barh(range(n), shares, color=color(x.cluster), height=0.85)
        ax.barh(range(n), 1 - shares, left=shares, color=rest, alpha=0.55, height=0.85)
        quiet(ax)
        ax.set_xlim(0, 1)
        ax.set_ylim(-0.6, n - 0.4)
        ax.set_yticks(
            range(n) if n <= 40 else [], [label_text(name, 16) for name in names] if n <= 40 else [], fontsize=8
        )
        ax.set_xlabel(f"share in cluster {label_text(x.called(x.cluster), 24)}")
        self._headline(
            f"{str(x.name)[:24]}: cluster {x.called(x.cluster)}",
            f"confidence {x.confidence:.2f}; companions: objects with the same label; "
            "pale: those in other clusters, in color if most are in another one",
        )
        return list(bars)
