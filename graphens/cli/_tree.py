"""A dendrogram as text, with leaves on the left and distances to the right."""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray
from ..core.dendrogram import Dendrogram

_LEFT, _RIGHT, _UP, _DOWN = 1, 2, 4, 8
_LINES = np.array(list(" ───│┘└┴│┐┌┬│┤├┼"))  # by the sides that a line leaves a cell to
_STEM = 2  # columns before distance 0


def draw(d: Dendrogram, *, width: int = 48, cut: float | None = None) -> list[str]:
    """Return the lines of the tree with a dotted line at a cut, and a scale below, up to distance 1 or more."""
    merges, n = d.to_scipy(), d.n_objects
    top = max(1.0, d.heights.max(initial=0.0))
    canvas = np.zeros((n, _STEM + width + 1), dtype=np.int64)
    order = _leaf_order(merges, n)
    row, column = np.argsort(order).tolist(), [0] * n  # where each node's line starts
    for a, b, height, _ in merges.tolist():
        end = _STEM + round(height / top * width)
        ends = [row[int(a)], row[int(b)]]
        for child in (int(a), int(b)):
            canvas[row[child], column[child] : end] |= _RIGHT
            canvas[row[child], column[child] + 1 : end + 1] |= _LEFT
        canvas[min(ends) : max(ends), end] |= _DOWN
        canvas[min(ends) + 1 : max(ends) + 1, end] |= _UP
        row.append(sum(ends) // 2)
        column.append(end)
    canvas[row[-1], column[-1] : -1] |= _RIGHT
    canvas[row[-1], column[-1] + 1 :] |= _LEFT
    drawn = _LINES[canvas]
    if cut is not None:
        at = _STEM + round(cut / top * width)
        drawn[canvas[:, at] == 0, at] = "┊"
    given = d.names.texts()
    names = [given[leaf] for leaf in order]
    margin = max(map(len, names)) + 1
    lines = [name.ljust(margin) + "".join(cells).rstrip() for name, cells in zip(names, drawn, strict=True)]
    return [*lines, " " * (margin + _STEM) + _scale(width, top)]


def _leaf_order(merges: FloatArray, n: int) -> list[int]:
    """The leaves from top to bottom without crossing lines; within a merge, the group with the earliest leaf first."""
    first = list(range(n))
    for a, b in merges[:, :2].astype(np.int64).tolist():
        first.append(min(first[a], first[b]))
    order, waiting = [], [n + len(merges) - 1]
    while waiting:
        node = waiting.pop()
        if node < n:
            order.append(node)
        else:
            waiting += sorted(
                merges[node - n, :2].astype(np.int64).tolist(), key=first.__getitem__, reverse=True
            )
    return order


def _scale(width: int, top: float) -> str:
    """Numbers under their columns."""
    text = ""
    for mark in (0.0, 0.25, 0.5, 0.75):
        text = text.ljust(round(mark * width)) + f"{mark * top:.3g}"
    return text.ljust(width) + f"{top:.3g}"
