"""Pictures of choosing: the curves behind a number of clusters, resampled distributions, the votes on an object."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..choose.choice import Choice
from ..choose.explain import Explanation
from ..choose.monti import Monti
from ..choose.stability import Stability
from .colors import color
from .curves import CdfDisplay, CurveDisplay
from .display import Display, pyplot, quiet, shown, title


class PanelDisplay(Display):
    """Several pictures side by side; on given axes only the first.

    Attributes
    ----------
    parts
        The displays.
    """

    def __init__(self, parts: list[Any], what: str = "") -> None:
        self.parts, self.what = parts, what

    def plot(self, ax: Any = None) -> PanelDisplay:
        """Draw them in rows of three, four of them in two rows of two."""
        if ax is not None or len(self.parts) == 1:
            first = self.parts[0].plot(ax=ax)
            self.ax_, self.figure_ = first.ax_, first.figure_
            return self
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
            figure.suptitle(shown(self.what), fontsize=11)
        self.ax_, self.figure_ = axes, figure
        return self


def choice_display(choice: Choice) -> PanelDisplay:
    """Return the curve of every rule that was asked, the deciding one first, its answer ringed."""
    names = sorted(choice.curves, key=lambda name: name != choice.rule)
    parts = [_rule_display(choice, name) for name in names if choice.curves[name]]
    return PanelDisplay(parts or [CurveDisplay([choice.k], [1.0], choice.rule or "rule", chosen=choice.k)])


def _rule_display(choice: Choice, name: str) -> CurveDisplay:
    """One rule's curve; where references were clustered too, with their mean and the band that holds 95 % of them."""
    ks = sorted(choice.curves[name])
    null = choice.null.get(name)
    mean, spread = (None, None) if null is None else np.array([null[k] for k in ks]).T
    minus = mean is not None and not mean.any()  # the curve is what the data exceed the references by
    bars = None if spread is None else np.tile(1.96 * spread, (2, 1))
    if bars is not None and mean is not None and not minus:
        bars = np.minimum(bars, [mean, 1.0 - mean])  # a share stays between 0 and 1
    return CurveDisplay(
        ks,
        [choice.curves[name][k] for k in ks],
        f"{name} minus references" if minus else name,
        null=mean,
        null_error=bars,
        chosen=choice.answers.get(name, choice.k if name == choice.rule else None),
        what=f"{name}: {choice.answers.get(name, choice.k)}" + (" (decides)" if name == choice.rule else ""),
        how="" if null is None else "dashed: references without clusters, bars hold 95 %",
    )


def monti_display(m: Monti) -> PanelDisplay:
    """Return the consensus distributions, the rise of their area, and silhouette and PAC over k."""
    found = m.columns()
    low, high = m.bounds
    first = m.panels[m.ks[0]].ensemble
    pairs = f"pairs of {m.sampled:,} random objects" if m.sampled else "all pairs"
    how = f"B = {first.n_partitions}; ambiguous between {low:g} and {high:g}; {pairs}"
    pac = dict(zip(m.ks, found["pac"], strict=True))
    return PanelDisplay(
        [
            CdfDisplay({k: m.cdf(k) for k in m.ks}, m.bounds, pac, how),
            CurveDisplay(m.ks, found["delta"], "relative rise of the area", what="Δ area"),
            CurveDisplay(m.ks, found["pac"], "PAC", what=f"Ambiguous pairs ({low:g} to {high:g})"),
            CurveDisplay(m.ks, found["silhouette"], "silhouette", what="Silhouette on 1 − S"),
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
    """The votes of the partitions on one object: how many of its companions there are in its own cluster.

    Attributes
    ----------
    explanation
        What is shown.
    shares
        For each partition that has the object the share of its base cluster that is in the object's own cluster.
    clusters
        The cluster most of that base cluster is in.
    names
        The partitions.
    """

    def __init__(self, explanation: Explanation) -> None:
        here = sorted((v for v in explanation.votes if v.label is not None), key=lambda v: v.share)
        self.explanation, self.names = explanation, [v.partition for v in here]
        self.shares, self.clusters = np.array([v.share for v in here]), [v.cluster for v in here]

    def plot(self, ax: Any = None) -> ExplanationDisplay:
        """Draw one bar per partition in the color of the cluster it votes for."""
        n = len(self.names)
        ax = self.on(ax, (6.0, float(np.clip(1.2 + 0.22 * n, 2.0, 9.0))))
        ax.barh(range(n), np.nan_to_num(self.shares), color=[color(c) for c in self.clusters], height=0.85)
        quiet(ax)
        ax.set_xlim(0, 1)
        ax.set_ylim(-0.6, n - 0.4)
        ax.set_yticks(
            range(n) if n <= 40 else [],
            [shown(name, 16) for name in self.names] if n <= 40 else [],
            fontsize=8,
        )
        ax.set_xlabel(f"share of its companions there that are in cluster {self.explanation.cluster}")
        seen = self.explanation
        title(
            ax,
            f"{seen.name[:24]}: cluster {seen.cluster}",
            f"confidence {seen.confidence:.2f}; colors: the cluster that each partition votes for",
        )
        return self
