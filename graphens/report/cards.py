"""A consensus in one picture for sharing: a summary, the map, the heat map, the tree, a line of code."""

from __future__ import annotations

import io
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

from .._lib.arrays import as_path, of_kind
from .._lib.files import atomic, checked_target
from ..errors import InputError
from ..plot.colors import INK
from ..plot.display import amount, bare, in_plain_style, label_text, pyplot
from ..plot.heatmap import CoassociationDisplay
from ..plot.object_pictures import MapDisplay, ScatterDisplay
from ..plot.of_consensus import average_link_tree, graph_of, with_names
from ..plot.trees import DendrogramDisplay
from ..result.consensus import Consensus
from .findings import Findings, code_line

_FORMATS = (".png", ".svg", ".pdf", ".jpg", ".webp")


@in_plain_style
def card(r: Consensus, path: str | Path, *, X: Any = None, classes: Any = None, title: str | None = None) -> Path:
    """Write a picture of 1200 × 630 pixels about a consensus; see `Consensus.card`."""
    path = as_path(path)
    kind = path.suffix.lower()
    if kind not in _FORMATS:
        raise InputError(f"{path} was given; expected a file that ends in {', '.join(_FORMATS)}.")
    checked_target(path)
    found = Findings(r)
    head = f"{amount(r.ensemble.n_partitions, r._nouns[2])}, one consensus: {amount(r.k, r._nouns[1])}"
    figure = pyplot().figure(figsize=(12, 6.3), dpi=100)
    figure.text(
        0.03,
        0.93,
        label_text(head if title is None else of_kind("title", title, str, "text"), 70),
        fontsize=21,
        fontweight="bold",
        color=INK,
        va="center",
    )
    figure.text(0.03, 0.88, shown_lines(found.summary(), 150), fontsize=11.5, color=INK, va="top")
    places = ([0.03, 0.17, 0.28, 0.58], [0.365, 0.17, 0.29, 0.58], [0.725, 0.17, 0.205, 0.58])
    for (name, draw), place in zip(head_pictures(r, X, classes).items(), places, strict=True):
        ax = figure.add_axes(place)
        with_names(draw, r).plot(ax=ax, **({"plain": True} if isinstance(draw, CoassociationDisplay) else {}))
        if isinstance(draw, ScatterDisplay):  # what a reader needs is which objects are neighbors
            bare(ax)
        ax.set_title(name, loc="left", fontsize=11, color=INK, pad=5)
    line = f"ge.{code_line(r)}" if code_line(r) else ""
    figure.text(0.03, 0.045, label_text(line, 110), fontsize=12, family="monospace", color="#0072b2", va="center")
    figure.text(0.97, 0.045, "graphens", fontsize=12, color="#666666", ha="right", va="center")
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind[1:], dpi=100, facecolor="white")
    pyplot().close(figure)
    with atomic(path) as file:
        file.write(buffer.getvalue())
    return path


def shown_lines(words: str, width: int) -> str:
    """Return a text from the user, wrapped to a width and without mathematics."""
    return "\n".join(label_text(line) for line in fill(words, width).split("\n"))


def head_pictures(r: Consensus, X: Any = None, classes: Any = None) -> dict[str, Any]:
    """Return the three pictures that summarize a result, by caption: the map or network, the heat map, the tree.

    Objects with two features are drawn where these are.
    """
    pictures: dict[str, Any] = {}
    if X is not None and np.shape(X)[1:] == (2,):
        pictures["The objects"] = ScatterDisplay.from_consensus(r, X)
    elif r.network is not None:
        pictures["The network"] = graph_of(r, edges=500)
    else:
        pictures["Objects that are often together are close"] = MapDisplay.from_consensus(r)
    pictures["How often objects are together"] = CoassociationDisplay.from_consensus(r, classes, most=300)
    tree, most = r.dendrogram, min(max(24, 2 * r.k), 80)
    if tree is not None and tree.n_objects == len(r.labels):
        shown_tree = DendrogramDisplay.from_dendrogram(tree, r.k, labels=np.asarray(r.labels), most=most)
    else:
        shown_tree = average_link_tree(r, most=most)
    return pictures | {"How clusters merge": shown_tree}
