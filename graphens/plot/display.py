"""What all pictures have in common: they hold their data, and draw it on a new figure or on given axes."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec, Self, TypeVar

import numpy as np

from ..errors import InputError, MissingDependency, TypeMismatch, did_you_mean
from .colors import INK, PAPER

_WIDE = 4.0  # points that a character of the small print takes
_DARK = 1.0  # red + green + blue, each at most 1, below which a figure is dark


class Display:
    """A picture: its data as attributes, drawn by `plot`.

    Attributes
    ----------
    ax_, figure_
        The axes and the figure on which it was last drawn.
    artist_
        What was drawn, to change it further: the main artist of Matplotlib, or a list with one for each cluster.
    cluster_names
        Names of the clusters; if empty, their numbers are shown.
    """

    ax_: Any
    figure_: Any
    artist_: Any = None
    cluster_names: Sequence[str] = ()
    _alone: bool = True
    _options: Sequence[str] = ()

    def plot(self, ax: Any = None, **style: Any) -> Self:
        """Draw the picture and return it.

        Parameters
        ----------
        ax
            Axes to draw on, with a title of one line; by default, a new figure.
        **style
            Properties of `artist_`, such as `cmap`, `alpha` or `linewidth`; `vmin`, `vmax` and `s` are understood, too.
        """
        self._alone = ax is None
        self.artist_ = self._draw(ax)
        self._restyle(style)
        return self

    def _draw(self, ax: Any) -> Any:
        """Draw on axes, or on a new figure; return the main artist, or a list of them."""
        raise NotImplementedError

    def _restyle(self, style: dict[str, Any]) -> None:
        """Set properties of the artists; unknown ones are refused."""
        artists = self.artist_ if isinstance(self.artist_, list) else [self.artist_]
        if not style or not artists:
            return
        from matplotlib.artist import ArtistInspector

        limits = {name: style.pop(name) for name in ("vmin", "vmax") if name in style}
        style |= {"sizes": np.atleast_1d(style.pop("s"))} if "s" in style else {}
        known = ArtistInspector(artists[0])
        names = [*self._options, *known.get_setters(), *(alias for some in known.aliasd.values() for alias in some)]
        unknown = [name for name in style if name not in names]
        unknown += [] if hasattr(artists[0], "set_clim") else limits
        if unknown:
            if self._alone:
                pyplot().close(self.figure_)
            kind, hint = type(artists[0]).__name__, did_you_mean(unknown[0], names)
            takes = f"{', '.join(self._options)}, ax, and" if self._options else "ax and"
            takes += f" the properties of {kind} (Matplotlib)"
            raise TypeMismatch(f"plot has no option {', '.join(unknown)}; it takes {takes}.{hint}")
        try:
            for artist in artists:
                artist.set(**style)
                if limits:
                    artist.set_clim(**limits)
        except (TypeError, ValueError, AttributeError) as error:  # of Matplotlib, about a value
            raise InputError(f"plot cannot use {', '.join([*style, *limits])} as given: {error}.") from None

    def _headline(self, what: str, how: str = "") -> None:
        """Write the title and, if the picture has a figure of its own, a caption below it."""
        title(self.ax_, what, how if self._alone else None)

    def _on(self, ax: Any, size: tuple[float, float] = (6.4, 4.8)) -> Any:
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

    def _called(self, cluster: int) -> str:
        """Return the text for a cluster: its name, or its number."""
        has_name = 0 <= cluster < len(self.cluster_names)
        return label_text(self.cluster_names[cluster], 16) if has_name else str(cluster)

    def _room(self, least: float) -> float:
        """Return the width of the longest cluster name in points, at least that of a number."""
        longest = max((len(self._called(c)) for c in range(len(self.cluster_names))), default=0)
        return max(least, 5.0 * longest)


D = TypeVar("D", bound=Display)
T = TypeVar("T")
P = ParamSpec("P")


def draw_display(make: Callable[..., D], *args: Any, ax: Any, cluster_names: Sequence[str] = (), **options: Any) -> D:
    """Make a display with the options that it takes, and draw it in the style of the others."""
    takes = list(inspect.signature(make).parameters)[len(args) :]
    display = make(*args, **{name: options.pop(name) for name in list(options) if name in takes})
    display._options, display.cluster_names = takes, cluster_names
    return display.plot(ax, **options)


def ink(ax: Any) -> str:
    """Return the color of text and thin lines: that of the style, if it can be read on the figure."""
    from matplotlib import rcParams
    from matplotlib.colors import to_hex, to_rgb, to_rgba

    text = INK if to_hex(rcParams["text.color"]) == "#000000" else to_hex(rcParams["text.color"])
    *ground, solid = to_rgba(ax.figure.figure.get_facecolor())
    dark, light = sum(ground) < _DARK, sum(to_rgb(text)) > 2 * _DARK - 0.5
    return text if not solid or dark == light else PAPER if dark else INK


def paper(ax: Any) -> str:
    """Return the color of what is around text and dots, the opposite of `ink`."""
    return PAPER if ink(ax) == INK else INK


def tint(ax: Any) -> str:
    """Return the color of a band behind a picture."""
    return "#f3e6c4" if ink(ax) == INK else "#4d4430"


def in_plain_style(make: Callable[P, T]) -> Callable[P, T]:
    """Let a function draw in the style of Matplotlib as it comes, for pages that are white by day."""

    @wraps(make)
    def made(*args: P.args, **options: P.kwargs) -> T:
        pyplot()
        from matplotlib import style

        with style.context("default", after_reset=True):
            return make(*args, **options)

    return made


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
        side.set_color(ink(ax))
    ax.grid(color=ink(ax), alpha=0.15, linewidth=0.6)
    ax.set_axisbelow(True)


def title(ax: Any, what: str, how: str | None = "") -> None:
    """Write a title and what it shows below it in small print; if that is None, shorten the title to the picture."""
    wide = ax.get_window_extent().width / ax.figure.dpi * 72
    size = 11 if 6.4 * len(what) <= wide else 9
    if how is None:
        most = max(14, int(wide / (0.6 * size)))
        shorter = [what, *(re.split(end, what)[0] for end in (" to ", " in ", "[:,] ", " (?:of|on|through) "))]
        fits = next((words for words in shorter if len(words) <= most), shorter[-1])
        ax.set_title(label_text(fits, most), loc="left", fontsize=size, color=ink(ax))
        return
    lines = textwrap.wrap(label_text(how), max(30, int(wide / _WIDE)))
    pad = 6 + 11.2 * len(lines)
    ax.set_title(label_text(what), loc="left", fontsize=11, pad=pad, color=ink(ax))  # text alternatives are of titles
    if lines:
        ax.annotate(
            "\n".join(lines), xy=(0, 1), xycoords="axes fraction", xytext=(0, 4), textcoords="offset points",
            fontsize=8, color=ink(ax), alpha=0.75, va="bottom", annotation_clip=False, gid="caption",
        )  # fmt: skip


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
        fontsize=9, fontweight="bold", color=ink(ax),
        path_effects=[withStroke(linewidth=2.5, foreground=paper(ax))], zorder=4, gid=f"cluster-{cluster}-number",
    )  # fmt: skip


def amount(n: int, what: str) -> str:
    """Return "1 object", "1,000 objects"."""
    return f"{n:,} {what if n == 1 else plural(what)}"


def plural(what: str) -> str:
    """Return "objects" for "object"."""
    return {"vertex": "vertices", "community": "communities"}.get(what, f"{what}s")


def roomy(places: Sequence[float], apart: float) -> list[int]:
    """Return which of increasing positions can have a text that does not touch the previous one."""
    chosen: list[int] = []
    for i, place in enumerate(places):
        if not chosen or place - places[chosen[-1]] >= apart:
            chosen.append(i)
    return chosen
