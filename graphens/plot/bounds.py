"""An estimate and the bounds of its credible ball, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, IntArray, of_kind, percent
from ..choose.credible import CredibleBall
from .colors import INK, rgb, through
from .display import Display, amount, bare, label_text


@dataclass(eq=False, repr=False)
class BoundsDisplay(Display):
    """One row for the estimate and one for each bound, objects in the order of the estimate.

    Attributes
    ----------
    names
        Names of the rows.
    numbers
        Color number of every object in every row, −1 for one without a cluster.
    elsewhere
        Whether each object is in a different cluster than in the estimate, for each row.
    order
        The objects in the order drawn.
    """

    names: list[str]
    numbers: IntArray
    elsewhere: AnyArray
    order: IntArray
    how: str

    @classmethod
    def from_ball(cls, ball: CredibleBall) -> BoundsDisplay:
        """Take the estimate and the first of each kind of bound."""
        of_kind("ball", ball, CredibleBall)
        bounds = {name: partitions[0] for name, partitions in ball.bounds.items()}
        tables = [ball.labels, *(p.labels for p in bounds.values())]
        numbers = np.stack(
            [np.append(paint, -1)[labels] for paint, labels in zip(through(tables, 0), tables, strict=True)]
        )
        apart = np.stack([np.zeros(len(ball.labels), dtype=bool), *(ball.differs(p) for p in bounds.values())])
        order = np.lexsort((*tables[:0:-1], ball.labels))
        names = [f"estimate, k = {int(ball.labels.max(initial=-1)) + 1}"]
        names += [f"{name}, k = {p.k}" for name, p in bounds.items()]
        how = f"{percent(ball.share)} of the draws within {ball.radius:.3g} ({ball.loss}); dots: in another cluster"
        return cls(names, numbers[:, order], apart[:, order], order, how)

    def _draw(self, ax: Any) -> Any:
        """Draw the rows, with a dot on every object that is in a different cluster than in the estimate."""
        rows, n = self.numbers.shape
        ax = self._on(ax, (7.4, 1.1 + 0.42 * rows))
        image = ax.imshow(rgb(self.numbers), aspect="auto", interpolation="nearest")
        bare(ax)
        ax.set_yticks(range(rows), [label_text(name, 28) for name in self.names], fontsize=9)
        ax.tick_params(length=0)
        ax.hlines(np.arange(rows - 1) + 0.5, -0.5, n - 0.5, color="white", linewidth=2.5)
        y, x = np.nonzero(self.elsewhere)
        ax.scatter(x, y, s=float(np.clip(900 / n, 2, 14)), c="white", edgecolors=INK, linewidths=0.5, zorder=3)
        self._headline(f"{amount(n, 'object')}: the estimate and the bounds of its ball", self.how)
        return image
