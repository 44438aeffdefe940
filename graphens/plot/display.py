"""What all pictures have in common: they hold their data, and draw it on a new figure or on given axes."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from ..errors import MissingDependency, TypeMismatch
from .colors import FAINT, INK

SOFT = "#666666"
_WIDE = 4.0  # points that a character of the small print takes
_DARK = 1.0  # red + green + blue, each at most 1, below which a figure is dark
_SMALL = 190  # points of width below which there is no small print


class Display:
    """A picture: its data as attributes, drawn by `plot`.

    Attributes
    ----------
    ax_, figure_
        The axes and the figure on which it was last drawn.
    cluster_names
        Names of the clusters; if empty, their numbers are shown.
    """

    ax_: Any
    figure_: Any
    cluster_names: Sequence[str] = ()

    def __init_subclass__(cls) -> None:
        """Let every kind of picture be readable in dark styles."""
        super().__init_subclass__()
        if "plot" in vars(cls):
            setattr(cls, "plot", _legible(vars(cls)["plot"]))  # noqa: B010 - an assignment would need a type

    def on(self, ax: Any, size: tuple[float, float] = (6.4, 4.8)) -> Any:
        """Take the given axes, or make a figure; return the axes."""
        if ax is None:
            _, ax = pyplot().subplots(figsize=size, layout="constrained")
        elif not hasattr(ax, "transAxes"):
            raise TypeMismatch.about("ax", ax, "axes of matplotlib, or None for a new figure")
        self._place(ax, ax.figure)
        return ax

    def _place(self, axes: Any, figure: Any) -> None:
        """Say on what it was drawn."""
        self.ax_, self.figure_ = axes, figure

    def called(self, cluster: int) -> str:
        """Return the text for a cluster: its name, or its number."""
        has_name = 0 <= cluster < len(self.cluster_names)
        return label_text(self.cluster_names[cluster], 16) if has_name else str(cluster)

    def room(self, least: float) -> float:
        """Return the width of the longest cluster name in points, at least that of a number."""
        longest = max((len(self.called(c)) for c in range(len(self.cluster_names))), default=0)
        return max(least, 5.0 * longest)


def _legible(plot: Callable[..., Any]) -> Callable[..., Any]:
    """Let a method draw, and then give dark text on a dark figure the color of text of the current style."""

    @wraps(plot)
    def drawn(self: Any, *args: Any, **options: Any) -> Any:
        display = plot(self, *args, **options)
        from matplotlib import rcParams
        from matplotlib.colors import to_hex, to_rgb

        ground = to_rgb(self.figure_.get_facecolor())
        if sum(ground) < _DARK:
            for text in self.figure_.findobj(lambda artist: hasattr(artist, "get_fontsize")):
                if to_hex(text.get_color()) in (INK, SOFT, "#000000"):
                    text.set_color(rcParams["text.color"])
                    text.set_path_effects([])
            for spine in self.figure_.findobj(lambda artist: hasattr(artist, "spine_type")):
                spine.set_color(rcParams["text.color"])
        return display

    return drawn


def pyplot() -> Any:
    """Return matplotlib's pyplot, or say how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise MissingDependency(
            "Pictures need matplotlib, which is not installed; pip install 'graphens[plot]'."
        ) from None
    return plt


def bare(ax: Any) -> None:
    """Remove the frame and the ticks, for pictures in which positions have no meaning."""
    ax.set_xticks([])
    ax.set_yticks([])
    for side in ax.spines.values():
        side.set_visible(False)


def quiet(ax: Any) -> None:
    """Leave two thin axes, ticks outside, and a faint grid."""
    for name, side in ax.spines.items():
        side.set_visible(name in ("left", "bottom"))
        side.set_color(INK)
    ax.grid(color=FAINT, linewidth=0.6)
    ax.set_axisbelow(True)


def title(ax: Any, what: str, how: str = "") -> None:
    """Write a title and, below it in small print no wider than the picture, what was summarized or left out."""
    wide = ax.get_window_extent().width / ax.figure.dpi * 72
    if wide < _SMALL:  # one of many: its neighbors begin where it ends
        ax.set_title(label_text(what, max(14, int(wide / 4.5))), loc="left", fontsize=9)
        return
    if not how:
        ax.set_title(label_text(what), loc="left", fontsize=11)
        return
    room = max(30, int(wide / _WIDE))
    lines = [line for part in how.split("\n") for line in textwrap.wrap(label_text(part), room)]
    ax.set_title(
        label_text(what), loc="left", fontsize=11, pad=7 + 10 * len(lines)
    )  # text alternatives are made of titles
    ax.annotate(
        "\n".join(lines),
        xy=(0, 1),
        xycoords="axes fraction",
        xytext=(0, 4),
        textcoords="offset points",
        fontsize=8,
        color=SOFT,
        va="bottom",
        annotation_clip=False,
        gid="caption",
    )


def label_text(words: object, most: int | None = None) -> str:
    """Return a text from the user for Matplotlib: on one line, without mathematics, and not too long."""
    line = printable(" ".join(str(words).split("\n")))
    short = line if most is None or len(line) <= most else line[: most - 1] + "…"
    return short.replace("$", r"\$")


def printable(words: object) -> str:
    """Return text in which characters that cannot be drawn or written are replaced."""
    characters = (ch if ch.isprintable() or ch == "\n" else "\N{REPLACEMENT CHARACTER}" for ch in str(words))
    return "".join(characters).encode("utf-8", "replace").decode()


def mark_cluster(artist: Any, cluster: int, part: str) -> None:
    """Name an artist after its cluster, so that a page can highlight it."""
    artist.set_gid(f"cluster-{cluster}-{part}")


def page_points(ax: Any, points: float) -> float:
    """Return the length on the x axis of a number of points of the page, with the current limits."""
    low, high = ax.get_xlim()
    return points * abs(high - low) / max(ax.get_window_extent().width * 72 / ax.figure.dpi, 1.0)


def number_at(ax: Any, cluster: int, called: str, place: Any, offset: tuple[float, float] = (0, 0)) -> None:
    """Write the number or the name of a cluster where its objects are, legible on any color."""
    from matplotlib.patheffects import withStroke

    ax.annotate(
        called, place, xytext=offset, textcoords="offset points", ha="center", va="center",
        fontsize=9, fontweight="bold", color=INK,
        path_effects=[withStroke(linewidth=2.5, foreground="white")], zorder=4, gid=f"cluster-{cluster}-number",
    )  # fmt: skip


def amount(n: int, what: str) -> str:
    """Return "1 object", "1,000 objects"."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def roomy(places: Sequence[float], apart: float) -> list[int]:
    """Return which of increasing positions can have a text that does not touch the previous one."""
    chosen: list[int] = []
    for i, place in enumerate(places):
        if not chosen or place - places[chosen[-1]] >= apart:
            chosen.append(i)
    return chosen


def label_points(ax: Any, points: Any, sizes: Any, words: Sequence[str], font: float = 8) -> None:
    """Write words beside points without touching each other or the points; a thin line leads to distant ones.

    `sizes` are the diameters of the points, in points of the page. Call it when the limits of the axes are set.
    """
    import numpy as np

    ax.figure.draw_without_rendering()  # the layout decides how far the points are apart
    place = ax.transData.transform(points) * 72 / ax.figure.dpi
    taken = np.hstack([place - np.asarray(sizes)[:, None] / 2, place + np.asarray(sizes)[:, None] / 2])
    frame = ax.get_window_extent().extents * 72 / ax.figure.dpi
    turns = np.deg2rad([0, 180, 90, 270, 45, 135, 225, 315])
    for i in np.argsort(-np.asarray(sizes), kind="stable"):
        box = np.array([0.58 * font * len(words[i]), 1.25 * font])
        best = None
        for away in (3.0, 12.0, 24.0, 40.0, 60.0):
            for turn in turns:
                way = np.array([np.cos(turn), np.sin(turn)])
                middle = place[i] + way * (sizes[i] / 2 + away) + way * box / 2
                spot = np.concatenate([middle - box / 2, middle + box / 2])
                clear = (spot[2:] <= taken[:, :2]).any(axis=1) | (spot[:2] >= taken[:, 2:]).any(axis=1)
                inside = (spot[:2] >= frame[:2] - 2).all() and (spot[2:] <= frame[2:] + 2).all()
                if clear.all() and inside:
                    best = middle, spot, away
                    break
            if best is not None:
                break
        if best is None:
            continue
        middle, spot, away = best
        taken = np.vstack([taken, spot])
        line = {"arrowstyle": "-", "color": "#999999", "linewidth": 0.6, "shrinkA": 0, "shrinkB": sizes[i] / 2}
        ax.annotate(
            words[i], points[i], xytext=middle - place[i], textcoords="offset points", ha="center", va="center",
            fontsize=font, color=INK, zorder=5, arrowprops=line if away > 3 else None,
        )  # fmt: skip
