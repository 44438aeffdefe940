"""One color for one cluster, in every picture.

The colors were chosen one after another, each as different as possible from those before in OKLab, for full color
vision and for both kinds of red-green color blindness; the first six are those of Okabe and Ito.
"""

from __future__ import annotations

import colorsys
import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import AnyArray, FloatArray, LabelArray, as_int, as_labels
from ..labels.names import align, attached_names
from ..measures.agreement import best_pairs

PALETTE = [
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#870f2d", "#4bf0c3", "#0000ff", "#4b3c78",
    "#8778ff", "#c3e13c", "#5a00b4", "#964b1e", "#78c387", "#785a78", "#a5d2ff", "#d20fc3", "#f05a69", "#87c3c3",
    "#695af0", "#d2d287", "#d20f4b", "#00a5c3", "#4b694b", "#c32d96", "#87005a", "#7896f0", "#d2872d", "#ff9669",
    "#4b78d2", "#693c96", "#7800d2", "#d2c32d", "#690f96", "#961e00", "#f0a5a5", "#96874b", "#c30069", "#4bc35a",
]  # fmt: skip
#: objects without a cluster, and everything that belongs to no cluster
NOBODY = "#b8b8b8"
INK, PAPER, FAINT = "#333333", "#ffffff", "#dddddd"


def color(number: int) -> str:
    """Return the color of a cluster; beyond 40, the same hues are repeated in lighter and darker shades."""
    if (number := as_int("number", number, -(2**31))) < 0:
        return NOBODY
    round_, place = divmod(number, len(PALETTE))
    if not round_:
        return PALETTE[place]
    red, green, blue = (int(PALETTE[place][i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, light, strength = colorsys.rgb_to_hls(red, green, blue)
    light = min(0.9, max(0.15, light + (0.14 if round_ % 2 else -0.14) * ((round_ + 1) // 2)))
    return "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb(hue, light, strength))


def colors(labels: ArrayLike) -> list[str]:
    """Return the color of every label; −1 is gray.

    Examples
    --------
    >>> from graphens.plot.colors import colors
    >>> colors([0, 1, -1])
    ['#0072b2', '#e69f00', '#b8b8b8']
    """
    return [color(label) for label in as_labels(labels, np.size(labels)).tolist()]


def rgb(labels: ArrayLike) -> FloatArray:
    """Return the colors of labels as numbers from 0 to 1, shape of the labels × 3."""
    numbers = np.asarray(labels)
    table = np.array(
        [[int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)] for c in colors(range(-1, numbers.max(initial=-1) + 1))]
    )
    return np.asarray(table[numbers + 1])


def legible(shade: str) -> str:
    """Return a text color that can be read on a color: nearly white on dark ones, nearly black on light ones.

    Pages do not exchange these two in dark mode, since the color below the text stays the same.
    """
    red, green, blue = (int(shade[i : i + 2], 16) / 255 for i in (1, 3, 5))
    dark = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 < 0.25
    return "#fdfdfd" if dark else "#303030"


def inherited(before: ArrayLike, after: ArrayLike, numbers: ArrayLike | None = None) -> LabelArray:
    """Return color numbers for the clusters of a labeling, taken from another labeling by best overlap.

    Parameters
    ----------
    before, after
        Two labelings of the same objects.
    numbers
        Color numbers of the clusters of `before`; 0, 1, … by default.

    Returns
    -------
    numpy.ndarray
        One color number per cluster of `after`: that of its match if it has one (by the matching with the largest total
        overlap), otherwise the smallest free number.

    Examples
    --------
    >>> from graphens.plot.colors import inherited
    >>> inherited([0, 0, 1, 1], [1, 1, 0, 2]).tolist()
    [1, 0, 2]
    """
    old = as_labels(align(before, None, "the labels"), np.size(before))
    new = as_labels(align(after, attached_names(before), "the labels"), old.size)
    k_old, k_new = int(old.max(initial=-1)) + 1, int(new.max(initial=-1)) + 1
    before_numbers = np.arange(k_old) if numbers is None else np.asarray(numbers)
    both = (old >= 0) & (new >= 0)
    shared = np.bincount(old[both] * max(k_new, 1) + new[both], minlength=k_old * k_new).reshape(k_old, k_new)
    after_numbers = np.full(k_new, -1, dtype=np.int32)
    partners, clusters = best_pairs(shared)
    after_numbers[clusters] = before_numbers[partners]
    taken = set(before_numbers.tolist())
    fresh = (number for number in itertools.count() if number not in taken)
    for j in np.flatnonzero(after_numbers < 0):  # a new cluster gets a color that no cluster before it had
        after_numbers[j] = next(fresh)
    return after_numbers


def through(labelings: Sequence[AnyArray], first: int = 0) -> list[LabelArray]:
    """Return color numbers for the clusters of several labelings, passed on from each labeling to its neighbors."""
    numbers = {first: np.arange(int(np.max(labelings[first], initial=-1)) + 1, dtype=np.int32)}
    for t in [*range(first + 1, len(labelings)), *range(first - 1, -1, -1)]:
        before = t - 1 if t > first else t + 1
        numbers[t] = inherited(labelings[before], labelings[t], numbers[before])
    return [numbers[t] for t in range(len(labelings))]


def spread(k: int) -> list[str]:
    """Return k shades from light to dark for ordered values, such as numbers of clusters."""
    import matplotlib as mpl

    return [mpl.colors.to_hex(mpl.colormaps["viridis"](x)) for x in np.linspace(0.9, 0.05, k)]
