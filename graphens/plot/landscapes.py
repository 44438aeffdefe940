"""Communities over resolutions: where their number stays the same, and how they split."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, of_kind
from ..graphs.clustree import clustree
from ..networks.resolutions import Landscape
from .colors import PALETTE
from .display import Display, pyplot, quiet, tint, title
from .strips import ClusterTreeDisplay


@dataclass(eq=False, repr=False)
class LandscapeDisplay(Display):
    """Number of communities and agreement of the runs over the resolution, plateaus shaded; the tree of communities.

    Attributes
    ----------
    resolutions, k, structure
        The resolutions, the number of communities at each, and the agreement of the runs there (1: on every edge).
    plateaus
        (first, last, k) of the ranges in which the communities do not change, the longest first.
    tree
        The picture of how the communities of one resolution split at the next; None for a single one.
    tree_ax_
        The axes on which the tree was drawn; None if only the curves were drawn.
    """

    resolutions: AnyArray
    k: AnyArray
    structure: AnyArray
    plateaus: tuple[tuple[float, float, int], ...]
    tree: ClusterTreeDisplay | None = None
    tree_ax_: Any = field(default=None, init=False, repr=False)

    @classmethod
    def from_landscape(cls, landscape: Landscape) -> LandscapeDisplay:
        """Take the statistics of a landscape and the tree of its communities."""
        several = len(of_kind("landscape", landscape, Landscape).resolutions) > 1
        tree = ClusterTreeDisplay.from_tree(clustree(landscape.ensemble)) if several else None
        k = np.array([r.k for r in landscape.consensus])
        structure = np.array([r.details["structure"] for r in landscape.consensus])
        return cls(np.asarray(landscape.resolutions), k, structure, landscape.plateaus, tree)

    def _draw(self, ax: Any) -> Any:
        """Draw the tree and the curves side by side; on given axes, only the curves."""
        if ax is None and self.tree is not None:
            tall = max(3.8, 0.8 + 0.45 * len(self.resolutions))
            _, (left, ax) = pyplot().subplots(1, 2, figsize=(11.5, tall), layout="constrained")
            self.tree.plot(left)
            left.set_ylabel("resolution")
            title(left, "How communities split", self.tree.how)
            self.tree_ax_ = left
        ax = self._on(ax, (6.0, 3.8))
        return self._curves(ax)

    def _curves(self, ax: Any) -> Any:
        from matplotlib import ticker

        for low, high, k in self.plateaus:
            ax.axvspan(low, high, color=tint(ax), linewidth=0, zorder=0)
            at = (np.sqrt(low * high), 0.98)
            ax.annotate(str(k), at, xycoords=("data", "axes fraction"), ha="center", va="top", fontsize=9)
        (curve,) = ax.plot(self.resolutions, self.k, "o-", color=PALETTE[0], markersize=4)
        ax.set_xscale("log")
        ax.xaxis.set_major_locator(ticker.LogLocator(base=2))
        ax.xaxis.set_major_formatter("{x:g}")
        ax.xaxis.set_minor_locator(ticker.NullLocator())
        ax.margins(y=0.12)
        if self.k.max() >= 20 * self.k.min():
            ax.set_yscale("log")
            ax.yaxis.set_major_formatter("{x:g}")
        quiet(ax)
        ax.set_xlabel("resolution")
        ax.set_ylabel("communities", color=PALETTE[0])
        beside = ax.twinx()
        beside.plot(self.resolutions, self.structure, "s--", color=PALETTE[1], markersize=3.5, linewidth=1.2)
        beside.set_ylim(0, 1.12)
        beside.set_ylabel("agreement of the runs", color=PALETTE[1])
        beside.spines["top"].set_visible(False)
        self._headline(
            "Communities over the resolution",
            "shaded: ranges in which the communities stay the same, with their number",
        )
        return curve
