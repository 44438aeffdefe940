"""Pictures of several methods: a row for each different result, and a scale of mean ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._lib.arrays import FloatArray, IntArray, of_kind
from ..choose.auto import consensus
from ..choose.comparison import Comparison
from ..choose.study import Ranking
from ..errors import InputError, collect_warnings
from ..measures.agreement import ari
from .colors import INK
from .display import Display, amount, bare, ink, label_text, quiet

_NAMED = 4  # methods with the same answer whose names stand in full


@dataclass(eq=False, repr=False)
class MethodsDisplay(Display):
    """Methods by their results: a dot for each different result at its score, with the methods that gave it.

    Area is processor time, and color is the similarity to the result of `graphens.consensus`, which has a star.

    Attributes
    ----------
    methods
        Their names.
    score, seconds
        The ANMI of the result, and processor seconds.
    answer
        One number for each different result; methods with the same clusters have the same number.
    alike
        The adjusted Rand index with the result of `graphens.consensus`, 1 for the same clusters.
    """

    methods: list[str]
    score: FloatArray
    seconds: FloatArray
    answer: IntArray
    alike: FloatArray

    @classmethod
    def from_comparison(cls, c: Comparison) -> MethodsDisplay:
        """Group the methods by their results; `graphens.consensus` is run once for the star."""
        if not of_kind("c", c, Comparison).answers:
            raise InputError("No method returned a result to draw; the notes in the table say why.")
        names, results = list(c.answers), list(c.answers.values())
        with collect_warnings():  # what is doubtful about the labels was said by compare
            auto = consensus(results[0].ensemble, c.options.get("k"), seed=c.options.get("seed"))
        seconds = dict(zip(c.figures["method"], c.figures["seconds"], strict=True))
        answer = np.unique(np.stack([r.labels for r in results]), axis=0, return_inverse=True)[1].reshape(-1)
        return cls(
            names,
            np.array([r.score for r in results]),
            np.array([seconds[name] for name in names]),
            answer,
            np.array([ari(r.labels, auto.labels) for r in results]),
        )

    def _draw(self, ax: Any) -> Any:
        """Draw one row for each result, the best score at the top."""
        first = np.unique(self.answer, return_index=True)[1]
        order = first[np.argsort(self.score[first], kind="stable")]
        ax = self._on(ax, (7.2, 1.5 + 0.28 * len(order)))
        y, same = np.arange(len(order)), self.alike[order] == 1
        slowest = np.array([self.seconds[self.answer == self.answer[i]].max() for i in order])
        area = 25 + 250 * slowest / max(float(slowest.max()), 1e-12)
        dots = ax.scatter(
            self.score[order], y, c=self.alike[order], cmap="Blues", vmin=-0.3, vmax=1, s=area,
            edgecolors=ink(ax), linewidths=0.6, zorder=2,
        )  # fmt: skip
        ax.scatter(self.score[order][same], y[same], marker="*", s=140, facecolors="white", edgecolors=INK, zorder=3)
        ax.set_yticks(y, [self._words(int(self.answer[i])) for i in order], fontsize=8)
        ax.set_ylim(-0.7, len(order) - 0.3)
        ax.margins(x=0.08)
        quiet(ax)
        ax.set_xlabel("score (ANMI)")
        slow = self.methods[int(self.seconds.argmax())]
        how = "star: the result of auto" if same.any() else "auto gives another result"
        how += f"; darker: more like it; area: processor seconds, up to {self.seconds.max():.2g} ({slow})"
        self._headline(f"{amount(len(self.methods), 'method')}, {amount(len(order), 'different result')}", how)
        return dots

    def _words(self, answer: int) -> str:
        """The methods that gave a result, the first few by name."""
        members = np.flatnonzero(self.answer == answer)
        more = f" +{len(members) - _NAMED}" if len(members) > _NAMED else ""
        return ", ".join(label_text(self.methods[i], 16) for i in members[:_NAMED]) + more


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
