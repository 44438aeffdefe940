"""Pictures of an ensemble: the agreement of its partitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import FloatArray, IntArray, LabelArray, as_labels, draw, of_kind
from ..graphs.graph import Graph
from ..labels.ensemble import Ensemble
from ..labels.names import align, named_partitions
from ..measures import pairwise
from ..trees import link
from .colors import rgb
from .display import Display, amount, bare, ink, label_text
from .trees import in_leaf_order

_PARTITIONS = 400


@dataclass(eq=False, repr=False)
class PartitionsDisplay(Display):
    """Agreement of all pairs of partitions, with similar ones next to each other and groups marked.

    Attributes
    ----------
    agreement
        Partitions × partitions, in the order in which they are drawn.
    order
        The partitions in that order.
    camps
        The group of each of them, if groups are known (see `modes`); chains of draws are groups.
    names
        Their names.
    measure
        The measure of agreement.
    """

    agreement: FloatArray
    order: IntArray
    names: list[str]
    measure: str
    camps: LabelArray | None
    how: str

    @classmethod
    def from_ensemble(
        cls, e: Ensemble, measure: str = "nmi", camps: ArrayLike | None = None, seed: int = 0
    ) -> PartitionsDisplay:
        """Compare all pairs of partitions, or of a random sample if there are more than 400."""
        chosen, how = np.arange(of_kind("e", e, Ensemble).n_partitions), ""
        aligned = align(camps, named_partitions(e.partition_names), "camps")
        camp_of = e.chains if camps is None else as_labels(aligned, e.n_partitions, "partitions")
        if len(chosen) > _PARTITIONS:
            chosen = draw(len(chosen), _PARTITIONS, seed)
            how = f"{_PARTITIONS} of {e.n_partitions:,} partitions, drawn at random"
            e = e.take(partitions=chosen)
        table = np.nan_to_num(np.asarray(pairwise(e, measure), dtype=float))
        camp_of = None if camp_of is None else camp_of[chosen]
        alike = 1 - table / max(table.max(), 1e-300) if measure in ("vi", "mirkin") else np.clip(table, 0, 1)
        np.fill_diagonal(alike, 0)
        order = np.arange(len(chosen))
        if len(chosen) > 1 and (e.chains is None or camps is not None):  # draws of a chain stay in their order
            order = in_leaf_order(link(Graph((alike + alike.T) / 2), "average"))
        if camp_of is not None:
            order = order[np.argsort(camp_of[order], kind="stable")]
        return cls(
            table[np.ix_(order, order)],
            chosen[order],
            [e.partition_names[i] for i in order],
            measure,
            None if camp_of is None else camp_of[order],
            how,
        )

    def _draw(self, ax: Any) -> Any:
        """Draw the matrix, with groups as colored squares around their blocks."""
        from matplotlib.patches import Rectangle

        m = len(self.order)
        ax = self._on(ax, (6.2, 5.4))
        apart = self.agreement[~np.eye(m, dtype=bool)]
        low, high = (np.floor(20 * apart.min()) / 20, np.ceil(20 * apart.max()) / 20) if apart.size else (0, 1)
        low, high = (low, high) if high - low > 0.04 else (min(low, 0.0), 1.0)  # colors are where values differ
        image = ax.imshow(self.agreement, cmap="Blues", vmin=low, vmax=high, interpolation="nearest")
        image.set_gid("shade-agreement")
        bare(ax)
        chains = self.names[0].startswith("chain ")
        if m <= 40:
            size = 8 if m <= 20 else 6
            ax.set_xticks(range(m), [label_text(name, 14) for name in self.names], rotation=90, fontsize=size)
            ax.set_yticks(range(m), [label_text(name, 14) for name in self.names], fontsize=size)
            ax.tick_params(length=0)
        elif chains and self.camps is not None:
            middle = [float(np.flatnonzero(self.camps == c).mean()) for c in np.unique(self.camps)]
            ax.set_yticks(middle, list(dict.fromkeys(name.partition(" draw ")[0] for name in self.names)), fontsize=8)
        for camp in np.unique(self.camps) if self.camps is not None else []:
            members = np.flatnonzero(self.camps == camp)
            ax.add_patch(
                Rectangle(
                    (members[0] - 0.5, members[0] - 0.5),
                    len(members),
                    len(members),
                    fill=False,
                    edgecolor=rgb([int(camp)])[0],
                    linewidth=2.2,
                    clip_on=False,
                )
            )
        bar = self.figure_.colorbar(image, ax=ax, shrink=0.7, pad=0.03)
        bar.ax.set_gid("shade-bar")
        bar.set_label(label_text(self.measure.upper()), fontsize=8, color=ink(ax))
        bar.outline.set_visible(False)
        mean = f", mean {float(apart.mean()):.2f}" if apart.size else ""
        if self.camps is not None and m > len(np.unique(self.camps)) > 1:
            same = (self.camps[:, None] == self.camps)[~np.eye(m, dtype=bool)]
            within = "within chains" if chains else "within groups"
            mean = f": {apart[same].mean():.2f} {within}, {apart[~same].mean():.2f} between"
        self._headline(f"Agreement of {amount(m, 'partition')}{mean}", f"colors from {low:g} to {high:g}")
        return image
