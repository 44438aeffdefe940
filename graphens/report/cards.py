"""A consensus on one picture to send around: the sentence, the map, the heat map, the tree, a line of code."""

from __future__ import annotations

import io
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

from ..core.graph import Graph
from ..core.result import Consensus
from ..errors import InputError
from ..export._atomic import atomic, checked_target
from ..linkage import link
from ..plot.colors import INK
from ..plot.display import Display, pyplot, shown
from ..plot.heatmap import CoassociationDisplay
from ..plot.object_pictures import ScatterDisplay
from ..plot.of_consensus import draw_consensus
from ..plot.trees import DendrogramDisplay
from ..views.affinity import Affinity
from ..views.overlaps import once
from .findings import code_line, findings

_FORMATS = (".png", ".svg", ".pdf", ".jpg", ".webp")


def card(
    r: Consensus, path: str | Path, *, X: Any = None, classes: Any = None, title: str | None = None
) -> Path:
    """Write a picture of 1200 × 630 pixels about a consensus; see `Consensus.card`."""
    kind = Path(path).suffix.lower()
    if kind not in _FORMATS:
        raise InputError(f"{path} was given; expected a file that ends in {', '.join(_FORMATS)}.")
    checked_target(path)
    figure = pyplot().figure(figsize=(12, 6.3), dpi=100)
    figure.text(
        0.03, 0.93, shown(title or _head(r), 70), fontsize=21, fontweight="bold", color=INK, va="center"
    )
    figure.text(0.03, 0.88, shown_lines(findings(r).verdict(), 150), fontsize=11.5, color=INK, va="top")
    places = ([0.035, 0.13, 0.29, 0.58], [0.40, 0.13, 0.25, 0.58], [0.745, 0.13, 0.235, 0.58])
    for (name, draw), place in zip(head_pictures(r, X, classes).items(), places, strict=True):
        ax = figure.add_axes(place)
        draw.plot(ax=ax)  # type: ignore[attr-defined]
        for words in [text for text in ax.texts if text.get_gid() == "caption"]:
            words.remove()
        ax.set_title(name, loc="left", fontsize=11, color=INK, pad=5)
    line = f"ge.{code_line(r)}"
    figure.text(0.03, 0.045, shown(line, 110), fontsize=12, family="monospace", color="#0072b2", va="center")
    figure.text(0.97, 0.045, "graphens", fontsize=12, color="#666666", ha="right", va="center")
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind[1:], dpi=100, facecolor="white")
    pyplot().close(figure)
    with atomic(path) as file:
        file.write(buffer.getvalue())
    return Path(path)


def _head(r: Consensus) -> str:
    return f"{r.ensemble.n_partitions:,} clusterings, one answer: {r.k} cluster{'s' if r.k != 1 else ''}"


def shown_lines(words: str, width: int) -> str:
    """Return somebody's text on lines of some width, drawn letter by letter."""
    return "\n".join(shown(line) for line in fill(words, width).split("\n"))


def head_pictures(r: Consensus, X: Any = None, classes: Any = None) -> dict[str, Display]:
    """Return the three pictures that show an answer at a glance, by what they show: the map, the heat map, the tree."""
    map_ = ScatterDisplay.from_coassociation(r) if X is None else ScatterDisplay.from_consensus(r, X)
    where = "Objects often together lie close" if X is None else "The objects"
    heat = CoassociationDisplay.from_consensus(r, classes, most=300)
    return {where: map_, "How often they are together": heat, "How clusters merge": _tree(r)}


def _tree(r: Consensus) -> DendrogramDisplay:
    """The tree that decided; of a method without one, how its clusters would merge by their mean co-association."""
    if r.dendrogram is not None and r.dendrogram.n_objects == len(r.labels):
        return DendrogramDisplay.from_dendrogram(r.dendrogram, r.k, labels=np.asarray(r.labels), most=24)
    alike = np.nan_to_num(Affinity(once(r.ensemble), r.labels, r.k).between())
    np.fill_diagonal(alike, 0.0)
    tree = link(Graph(np.clip((alike + alike.T) / 2, 0, 1), vertex_weights=r.sizes()), "average")
    return DendrogramDisplay.from_dendrogram(tree, r.k, labels=np.arange(r.k))
