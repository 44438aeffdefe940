"""Curves over thresholds and over numbers of clusters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import AnyArray, FloatArray
from .colors import INK, PALETTE, spread
from .display import Display, quiet, shown, title

_NAMED = 8  # curves that all stand in the legend; of more the first, the best and the last


class CdfDisplay(Display):
    """Distribution of the co-association over pairs, one curve per k; the band between its bounds is ambiguous.

    Attributes
    ----------
    curves
        For each k the thresholds and the share of pairs at or below them.
    bounds
        Where the ambiguous band begins and ends.
    pac
        For each k the share of pairs inside the band.
    """

    curves: dict[int, tuple[FloatArray, FloatArray]]
    bounds: tuple[float, float]
    pac: dict[int, float]
    how: str

    def __init__(
        self,
        curves: Mapping[int, tuple[FloatArray, FloatArray]],
        bounds: tuple[float, float],
        pac: Mapping[int, float],
        how: str = "",
    ) -> None:
        self.curves, self.bounds, self.pac, self.how = dict(curves), bounds, dict(pac), how

    def plot(self, ax: Any = None) -> CdfDisplay:
        """Draw the curves; flat across the band is a clear k."""
        ax = self.on(ax, (6.2, 4.2))
        ax.axvspan(*self.bounds, color="#f2efe6", zorder=0)
        best = min(self.pac, key=lambda k: self.pac[k]) if self.pac else None
        for shade, (k, (x, y)) in zip(spread(len(self.curves)), self.curves.items(), strict=True):
            pac = f", PAC {self.pac[k]:.3f}" if k in self.pac else ""
            named = len(self.curves) <= _NAMED or k in (min(self.curves), best, max(self.curves))
            name = f"k = {k}{pac}" if named else None
            ax.step(x, y, where="post", color=shade, linewidth=2.6 if k == best else 1.3, label=name)
        quiet(ax)
        ax.set_xlim(0, 1)
        ax.set_ylim(0, 1.01)
        ax.set_xlabel("co-association")
        ax.set_ylabel("share of pairs at or below")
        if len(self.curves) <= _NAMED:
            ax.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
        else:
            ax.legend(
                frameon=False, fontsize=8, loc="lower right", title="first, best, last", title_fontsize=8
            )
        low, high = self.bounds
        title(ax, "Consensus distribution", self.how or f"ambiguous between {low:g} and {high:g}")
        return self


class CurveDisplay(Display):
    """A figure over the number of clusters, with its spread, its null and the chosen k.

    Attributes
    ----------
    k, value
        The numbers of clusters and the figure.
    error
        Its standard deviation (or half-width), where there is one.
    null, null_error
        The same for data without structure; `null_error` may have a row for each side.
    chosen
        The k to mark.
    limit
        A value that has to be exceeded, drawn as a line.
    """

    limit: float | None

    k: AnyArray
    value: AnyArray
    name: str
    error: AnyArray | None
    null: AnyArray | None
    null_error: AnyArray | None
    chosen: int | None
    what: str
    how: str

    def __init__(
        self,
        k: ArrayLike,
        value: ArrayLike,
        name: str,
        *,
        error: ArrayLike | None = None,
        null: ArrayLike | None = None,
        null_error: ArrayLike | None = None,
        chosen: int | None = None,
        limit: float | None = None,
        what: str = "",
        how: str = "",
    ) -> None:
        self.k, self.value, self.name = np.asarray(k), np.asarray(value, dtype=float), name
        self.error, self.null, self.null_error = (
            None if x is None else np.asarray(x, dtype=float) for x in (error, null, null_error)
        )
        self.chosen, self.limit, self.what, self.how = chosen, limit, what, how

    def plot(self, ax: Any = None) -> CurveDisplay:
        """Draw the figure with bars, its null dashed, the chosen k ringed."""
        ax = self.on(ax, (5.6, 3.6))
        style = {"capsize": 3, "elinewidth": 1, "markersize": 4}
        ax.errorbar(
            self.k,
            self.value,
            self.error,
            color=PALETTE[0],
            marker="o",
            linewidth=1.6,
            label=shown(self.name),
            **style,
        )
        if self.null is not None:
            ax.errorbar(
                self.k,
                self.null,
                self.null_error,
                color="#888888",
                marker="s",
                linestyle="--",
                linewidth=1.2,
                label="without structure",
                **style,
            )
            if not self.how:
                ax.legend(frameon=False, fontsize=8)
        if not self.k.size:
            ax.set_yticks([])
        elif self.limit is not None:
            ax.axhline(self.limit, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
        at = np.flatnonzero(self.k == (-1 if self.chosen is None else self.chosen))
        if at.size:
            ax.plot(
                self.k[at], self.value[at], "o", markersize=12, markerfacecolor="none", markeredgecolor=INK
            )
        quiet(ax)
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.set_xlabel("number of clusters")
        ax.set_ylabel(shown(self.name))
        title(
            ax, self.what or f"{self.name[:1].upper()}{self.name[1:]} over the number of clusters", self.how
        )
        return self
