"""Pictures of several methods: a map on which similar results are close, and a scale of mean ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._lib.arrays import FloatArray, IntArray, of_kind, percent
from ..choose.auto import consensus
from ..choose.comparison import Comparison
from ..choose.study import Ranking
from ..errors import InputError, collect_warnings
from ..labels.ensemble import Ensemble
from ..measures import pairwise
from .colors import INK, PALETTE
from .display import Display, amount, bare, ink, label_points, label_text, quiet
from .layouts import classical_scaling, push_apart

_SIDE = 300.0  # points of the page that the unit square takes, about
_MAPPED = 10  # different results from which on they are placed on a map
_NAMED = 4  # methods with the same answer whose names stand in full


@dataclass(eq=False, repr=False)
class MethodsDisplay(Display):
    """Methods by their results: a row for each result; of ten or more results, a map on which similar ones are close.

    On the map, area is processor time and color is score. A star marks the result of `graphens.consensus`.

    Attributes
    ----------
    methods
        Their names.
    position
        Positions of their results: squared distances approximate 1 − adjusted Rand index.
    seconds, score
        Processor seconds, and the ANMI of the result.
    answer
        One number for each different result; methods with the same clusters have the same number.
    auto
        Position of the result of `graphens.consensus`, and its number, −1 if no method gave the same result.
    held
        Share of the variation of the distances that is captured by two dimensions.
    """

    methods: list[str]
    position: FloatArray
    seconds: FloatArray
    score: FloatArray
    answer: IntArray
    auto: tuple[FloatArray, int]
    held: float

    @classmethod
    def from_comparison(cls, c: Comparison) -> MethodsDisplay:
        """Scale √(1 − ARI) between the results to two dimensions; `graphens.consensus` is run once for the star."""
        if not of_kind("c", c, Comparison).answers:
            raise InputError("No method returned a result to draw; the notes in the table say why.")
        names, results = list(c.answers), list(c.answers.values())
        with collect_warnings():  # what is doubtful about the labels was said by compare
            auto = consensus(results[0].ensemble, c.options.get("k"), seed=c.options.get("seed"))
        labels = np.stack([r.labels for r in (*results, auto)])
        _, first, answer = np.unique(labels, axis=0, return_index=True, return_inverse=True)
        answer = np.asarray(answer).reshape(-1)
        alike = pairwise(Ensemble._of_labels(labels[first]), "ari")
        place, held = classical_scaling(np.sqrt(np.clip(1 - np.asarray(alike), 0, None)))
        seconds = dict(zip(c.figures["method"], c.figures["seconds"], strict=True))
        alone = answer[-1] not in answer[:-1]
        return cls(
            names,
            place[answer[:-1]],
            np.array([seconds[name] for name in names]),
            np.array([r.score for r in results]),
            answer[:-1],
            (place[answer[-1]], -1 if alone else int(answer[-1])),
            held,
        )

    def _draw(self, ax: Any) -> Any:
        """Draw a dot per result at its score; of many results, a circle for each method, with one label per result."""
        if len(np.unique(self.answer)) < _MAPPED:
            return self._rows(ax)
        ax = self._on(ax, (7.2, 5.6))
        area = 40 + 560 * self.seconds / max(float(self.seconds.max()), 1e-12)
        order = np.argsort(-area, kind="stable")
        place, same = self._apart(area)
        circles = ax.scatter(
            *place[self.answer[order]].T, s=area[order], c=self.score[order], cmap="viridis",
            edgecolors="white", linewidths=0.8, zorder=2,
        )  # fmt: skip
        ax.scatter(*place[same], marker="*", s=90, facecolors="white", edgecolors=INK, linewidths=1.0, zorder=4)
        ax.set_xlim(-0.12, 1.12)
        ax.set_ylim(-0.12, 1.12)
        bare(ax)
        self._named(ax, area, place)
        bar = self.figure_.colorbar(circles, ax=ax, shrink=0.6, pad=0.02)
        bar.set_label("score (ANMI)", fontsize=8, color=ink(ax))
        bar.ax.tick_params(labelsize=8)
        bar.outline.set_visible(False)
        slow = self.methods[int(self.seconds.argmax())]
        how = [
            f"close together: similar results (√(1 − ARI) in two dimensions, {percent(self.held)} of its variation)",
            f"area: processor seconds, up to {self.seconds.max():.2g} ({slow}); star: the result of auto"
            + ("" if self.auto[1] >= 0 else " (different from all others)"),
            "overlapping circles are drawn side by side",
        ]
        different = amount(len(np.unique(self.answer)), "different result")
        self._headline(f"{amount(len(self.methods), 'method')}, {different}", "\n".join(how))
        return circles

    def _rows(self, ax: Any) -> Any:
        """One row for each result, the best score at the top, with the methods that gave it."""
        _, first = np.unique(self.answer, return_index=True)
        order = first[np.argsort(self.score[first], kind="stable")]
        ax = self._on(ax, (6.4, 1.3 + 0.32 * len(order)))
        y, same = np.arange(len(order)), self.answer[order] == self.auto[1]
        dots = ax.scatter(self.score[order], y, color=PALETTE[0], s=45, zorder=2)
        ax.scatter(self.score[order][same], y[same], marker="*", s=200, facecolors="white", edgecolors=INK, zorder=3)
        ax.set_yticks(y, [self._words(int(self.answer[i])) for i in order], fontsize=8)
        ax.set_ylim(-0.6, len(order) - 0.4)
        ax.margins(x=0.12)
        quiet(ax)
        ax.set_xlabel("score (ANMI)")
        different = amount(len(order), "different result")
        star = "star: the result of auto" if same.any() else "auto gives another result"
        self._headline(f"{amount(len(self.methods), 'method')}, {different}", star)
        return dots

    def _words(self, answer: int) -> str:
        """The methods that gave a result, the first few by name."""
        members = np.flatnonzero(self.answer == answer)
        more = f" +{len(members) - _NAMED}" if len(members) > _NAMED else ""
        return ", ".join(label_text(self.methods[i], 16) for i in members[:_NAMED]) + more

    def _apart(self, area: FloatArray) -> tuple[FloatArray, int]:
        """Positions of the results in the unit square without overlaps, and the number of the result of auto."""
        point, same = self.auto
        same = same if same >= 0 else int(self.answer.max()) + 1
        place = np.zeros((max(same, int(self.answer.max())) + 1, 2))
        wide = np.full(len(place), np.sqrt(90.0))
        place[self.answer], place[same] = self.position, point
        np.maximum.at(wide, self.answer, np.sqrt(area))
        place = (place - place.min(axis=0)) / max(float(np.ptp(place, axis=0).max()), 1e-12)
        return push_apart(place + 0.5 * (1 - np.ptp(place, axis=0)), np.add.outer(wide, wide) / (2 * _SIDE)), same

    def _named(self, ax: Any, area: FloatArray, drawn: FloatArray) -> None:
        """Write the names beside the circles, one text for each result."""
        numbers = np.unique(self.answer)
        size = np.sqrt([area[self.answer == number].max() for number in numbers])
        label_points(ax, drawn[numbers], size, [self._words(int(number)) for number in numbers])


class RanksDisplay(Display):
    """Methods on a scale of mean ranks; a bar joins those that do not differ significantly (Demšar 2006).

    Attributes
    ----------
    methods, ranks
        Their names and mean ranks, the best first.
    bars
        First and last position of each run of methods whose mean ranks differ by at most the critical difference.
        Runs within a longer one, and runs of a single method, are left out.
    critical_difference
        The difference in mean ranks that is significant; infinite for a single block.
    words
        The test in one line.
    """

    methods: list[str]
    ranks: FloatArray
    bars: list[tuple[int, int]]
    critical_difference: float
    words: str

    def __init__(self, ranking: Ranking, words: str) -> None:
        self.methods = sorted(ranking.ranks, key=lambda name: ranking.ranks[name])
        self.ranks = np.array([ranking.ranks[name] for name in self.methods])
        self.critical_difference, self.words = ranking.critical_difference, words
        last = np.searchsorted(self.ranks, self.ranks + self.critical_difference + 1e-9) - 1
        self.bars = [
            (i, int(end))
            for i, end in enumerate(last)
            if end > i and (i == 0 or end > last[i - 1])
        ]  # fmt: skip

    def _draw(self, ax: Any) -> Any:
        """Draw the scale with the best rank on the left, names on both sides, and the bars below the scale."""
        half = (len(self.methods) + 1) // 2
        below = 0.35 + 0.28 * len(self.bars)
        ax = self._on(ax, (7.2, 1.6 + 0.22 * (half + below)))
        first, last = 1.0, float(max(len(self.methods), 2))
        middle = (first + last) / 2
        ax.hlines(0, first, last, color=ink(ax), linewidth=1)
        for rank in range(1, len(self.methods) + 1, max(1, round(len(self.methods) / 12))):
            ax.vlines(rank, -0.12, 0.12, color=ink(ax), linewidth=1)
            ax.text(rank, 0.25, str(rank), ha="center", va="bottom", fontsize=8, color=ink(ax))
        edge = 0.04 * (last - first)
        dots = ax.scatter(self.ranks, np.zeros(len(self.ranks)), s=16, color=ink(ax), zorder=3)
        for i, (name, rank) in enumerate(zip(self.methods, self.ranks, strict=True)):
            left = i < half
            row = -below - (i if left else len(self.methods) - 1 - i) - 1
            end = first - edge if left else last + edge
            ax.plot([rank, rank, end], [0, row, row], color="#999999", linewidth=0.8, zorder=1)
            ax.text(
                end, row, f" {label_text(name, 24)}  {rank:.2f} ", ha="right" if left else "left", va="center",
                fontsize=8, color=ink(ax),
            )  # fmt: skip
        for level, (start, end) in enumerate(self.bars):
            height, reach = -0.5 - 0.28 * level, 0.006 * (last - first)
            ax.hlines(
                height, self.ranks[start] - reach, self.ranks[end] + reach, color="#0072b2", linewidth=3.5, zorder=2
            )
        if np.isfinite(self.critical_difference):
            gap = min(self.critical_difference, last - first)
            ax.errorbar([first + gap / 2], [1.5], xerr=gap / 2, color=ink(ax), capsize=4, linewidth=1)
            ax.text(first, 1.8, f"critical difference {self.critical_difference:.2f}", fontsize=8, color=ink(ax))
        room = 0.32 * (last - first)
        ax.set_xlim(min(first, middle) - room, last + room)
        ax.set_ylim(-below - half - 0.8, 2.6)
        bare(ax)
        self._headline(f"{amount(len(self.methods), 'method')} by mean rank, the best on the left", self.words)
        return dots
