"""An animation in which the threshold on the co-association falls and islands of objects merge."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np

from .._lib.arrays import FloatArray, IntArray, LabelArray, as_int, as_numbers, as_path, draw, of_kind
from .._lib.files import atomic, checked_target
from ..errors import InputError, quote
from ..graphs.coassociation import coassociation
from ..graphs.graph import Graph
from ..result.consensus import Consensus
from .colors import NOBODY, color, through
from .display import Display, amount, bare, ink, plural, pyplot
from .layouts import classical_scaling, lines, two_features

_OBJECTS = 1500  # drawn; of more a random sample
_BYTES = 1_500_000
_SHARE = 0.01  # of the objects that an island needs for a color of its own


@dataclass(eq=False, repr=False)
class IslandsDisplay(Display):
    """The components of the co-association graph at one threshold after another.

    Attributes
    ----------
    theta
        The thresholds, in decreasing order.
    islands
        Number of components of the graph of all pairs above each threshold.
    numbers
        Color number of every object at each threshold, −1 in an island that is too small for a color.
    position
        Positions of the objects.
    forest
        The spanning forest, whose edges above a threshold connect the islands.
    n
        Number of all objects, of which a sample may be drawn.
    clusterings
        The clusterings that the evidence comes from: labels of the drawn objects, −1 where missing.
    """

    theta: FloatArray
    islands: IntArray
    numbers: list[LabelArray]
    position: FloatArray
    forest: Graph
    n: int
    clusterings: LabelArray
    _frame: int = field(default=-1, init=False)

    @classmethod
    def from_consensus(
        cls, r: Consensus, X: Any = None, *, theta: tuple[float, float] | None = None, frames: int = 50, seed: int = 0
    ) -> IslandsDisplay:
        """Find the islands of a consensus at every threshold, see `animate`. O(m²B) for m ≤ 1,500 objects."""
        if theta is not None and not (
            np.shape(as_numbers(theta, "The thresholds")) == (2,) and 0 <= theta[1] < theta[0] <= 1
        ):
            raise InputError(
                f"theta = {quote(theta)} was given; expected two thresholds between 1 and 0, the larger one first."
            )
        objects = np.flatnonzero(of_kind("r", r, Consensus).labels >= 0)
        objects = objects[draw(len(objects), _OBJECTS, seed)]
        sample = r.ensemble.take(objects=objects)
        graph = coassociation(sample)
        if X is not None:
            place = two_features(X, r.ensemble.vertex_names(), len(r.labels))[objects]
        else:
            s = graph.to_scipy().toarray()
            np.fill_diagonal(s, 1.0)
            place = classical_scaling(1 - s)[0]
        forest = graph.spanning_forest()
        steps = np.linspace(*(theta or (1.0, cls._end(forest, r.k))), as_int("frames", frames, 2, 400))
        islands_at = [forest.threshold(float(step)).components() for step in steps]
        large = []
        for parts in islands_at:
            big = np.bincount(parts) >= max(2, int(_SHARE * len(objects)))
            large.append(np.where(big, np.cumsum(big) - 1, -1)[parts].astype(np.int32))
        numbers = through([*large, r.labels[objects]], len(large))[:-1]
        painted = [np.append(paint, -1)[labels] for paint, labels in zip(numbers, large, strict=True)]
        islands = np.array([int(parts.max(initial=-1)) + 1 for parts in islands_at])
        return cls(steps, islands, painted, place, forest, len(r.labels), sample.labels)

    @staticmethod
    def _end(forest: Graph, k: int) -> float:
        """A threshold inside the lifetime of k islands, after 0.15 or two thirds of it; 0 if there are never k."""
        weight = np.sort(np.append(np.zeros(forest.n_vertices - 1 - forest.n_edges), forest.edges()[2]))
        if not 1 < k <= len(weight):
            return 0.0
        low, high = weight[k - 2], weight[k - 1]  # k islands where the threshold is between them
        return float(max(high - 0.15, high - (high - low) * 2 / 3)) if high > low else 0.0

    def plot(self, ax: Any = None, frame: int = -1, **style: Any) -> Self:
        """Draw one of the frames, by default the last; options are those of `Display.plot`."""
        self._frame = range(len(self.theta))[frame]
        return super().plot(ax, **style)

    def _draw(self, ax: Any) -> Any:
        ax, frame = self._on(ax, (5.0, 4.2)), self._frame
        edges = self.forest.threshold(float(self.theta[frame])).edges()
        lines(ax, self.position, edges[:2], np.full(len(edges[0]), 0.8), alpha=0.6)
        self._headline(f"Together in more than {self.theta[frame]:.0%} of the clusterings")
        return self._draw_objects(ax, self.numbers[frame])

    def _draw_objects(self, ax: Any, numbers: LabelArray) -> Any:
        shade = [color(int(c)) if c >= 0 else NOBODY for c in numbers]
        size = float(np.clip(6000 / len(self.position), 5, 40))
        dots = ax.scatter(*self.position.T, c=shade, s=size, linewidths=0, zorder=2)
        bare(ax)
        ax.margins(0.05)
        return dots

    def _image(self, frame: int, clustering: int | None = None) -> Any:
        """Return a frame or a clustering, with its number of islands or clusters beside it, as an image of Pillow."""
        from PIL import Image

        figure, (left, right) = pyplot().subplots(
            1, 2, figsize=(8, 4.2), dpi=100, width_ratios=(1.7, 1), layout="constrained"
        )
        right.set_axis_off()
        if clustering is None:
            self.plot(left, frame)
            left.set_title("", loc="left")
            many, what = int(self.islands[frame]), "island"
            how = f"ties in more than {self.theta[frame]:.0%}\nof {amount(self.clusterings.shape[1], 'clustering')}"
        else:
            labels = self.clusterings[:, clustering]
            self._draw_objects(left, labels)
            many, what = len(np.unique(labels[labels >= 0])), "cluster"
            how = f"clustering {clustering + 1}\nof {self.clusterings.shape[1]}"
        what = what if many == 1 else plural(what)
        for words, high, size in ((f"{many:,}", 0.62, 80), (what, 0.38, 22), (how, 0.2, 14)):
            right.text(0.5, high, words, ha="center", va="center", fontsize=size, color=ink(right))
        figure.canvas.draw()
        image = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())[:, :, :3].copy())
        pyplot().close(figure)
        return image


def animate(
    r: Consensus,
    path: str | Path,
    X: Any = None,
    *,
    theta: tuple[float, float] | None = None,
    frames: int = 50,
    clusterings: int = 0,
    seed: int = 0,
) -> Path:
    """Write a GIF in which the threshold on the co-association falls and islands of objects merge.

    Parameters
    ----------
    r
        A consensus; its clusters define the colors.
    path
        File to write, ending in .gif, either completely or not at all. It has at most 1.5 MB; if necessary, the number
        of frames is reduced.
    X
        Two features used as positions of the objects; by default, positions come from the co-association.
    theta
        First and last threshold; by default, from 1 until there have been as many islands as clusters for a while, or
        to 0 if that never happens.
    frames
        Number of thresholds.
    clusterings
        Number of clusterings to show first, one after the other.
    seed
        Seed of the sample that is drawn if there are more than 1,500 objects.

    Returns
    -------
    pathlib.Path
        The file.

    Examples
    --------
    >>> import graphens as ge
    >>> r = ge.eac([[0, 0, 1], [0, 0, 1], [1, 1, 1], [1, 0, 0]], 2)
    >>> ge.plot.animate(r, "four.gif", frames=5)  # doctest: +SKIP
    PosixPath('four.gif')
    """
    path = as_path(path)
    if path.suffix.lower() != ".gif":
        raise InputError(f"{path} was given; expected a file that ends in .gif.")
    checked_target(path)
    display = IslandsDisplay.from_consensus(r, X, theta=theta, frames=frames, seed=seed)
    first = as_int("clusterings", clusterings, 0, display.clusterings.shape[1])
    opening = [display._image(0, clustering) for clustering in range(first)]
    pictures = [display._image(frame) for frame in range(len(display.theta))]
    gif = _gif(opening, pictures)
    while len(gif) > _BYTES and len(pictures) > 2:
        pictures = pictures[::-2][::-1]
        gif = _gif(opening, pictures)
    with atomic(path) as file:
        file.write(gif)
    return path


def _gif(opening: Sequence[Any], moving: Sequence[Any]) -> bytes:
    """Images as one endless GIF with a common palette; the last one is shown for three seconds."""
    from PIL import Image

    pictures = [*opening, *moving]
    wide, high = pictures[0].size
    some = Image.new("RGB", (wide, 3 * high))
    for place, at in enumerate((0, len(pictures) // 2, len(pictures) - 1)):
        some.paste(pictures[at], (0, place * high))
    palette = some.quantize(96, kmeans=1, dither=Image.Dither.NONE)
    mixed = np.reshape(palette.getpalette() or [], (-1, 3))
    mixed[mixed.min(axis=1) >= 248] = 255  # white stays white
    palette.putpalette(mixed.ravel().tolist())
    flat = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    pause = max(40, 5000 // len(moving))
    buffer = io.BytesIO()
    flat[0].save(
        buffer, format="GIF", save_all=True, append_images=flat[1:], loop=0, optimize=False,
        duration=[600] * len(opening) + [pause] * (len(moving) - 1) + [3000],
    )  # fmt: skip
    return buffer.getvalue()
