"""The papers' figures, redrawn with the library's pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import graphens as ge
from graphens.plot import CoassociationDisplay, DendrogramDisplay, ScatterDisplay

from .data import load

FOLDER = Path(__file__).parents[2] / "docs" / "images"
Drawing = Callable[[Any], None]


def _tree(name: str, partitions: int, k: Any) -> Drawing:
    def draw(ax: Any) -> None:
        r = ge.eac(ge.generate(load(name)[0], partitions, k, seed=0))
        DendrogramDisplay.from_dendrogram(r.dendrogram, r.k).plot(ax=ax)
        ax.set_xlabel(f"k = {k}: {r.k} clusters")

    return draw


def _points(name: str, k: int, clusters: Any, title: str) -> Drawing:
    def draw(ax: Any) -> None:
        X, _ = load(name)
        r = ge.hne(ge.generate(X, 30, clusters, seed=0), k)
        ScatterDisplay.from_consensus(r, X).plot(ax=ax)
        ax.set_xlabel(title)

    return draw


def _lives(ax: Any) -> None:
    X, _ = load("complex image, 8")
    r = ge.eac(ge.generate(X, 50, (10, 40), seed=0))
    ScatterDisplay.from_consensus(r, X).plot(ax=ax)
    ax.set_xlabel(f"single link, longest lifetime: {r.k} clusters")


def _rings() -> tuple[Any, ge.Consensus]:
    X, _ = ge.datasets.load("ring-bar-gaussian", seed=0)
    return X, ge.eac(ge.generate(X, 30, (10, 30), seed=0))


def _ring_points(ax: Any) -> None:
    X, r = _rings()
    ScatterDisplay.from_consensus(r, X).plot(ax=ax)


def _ring_matrix(ax: Any) -> None:
    CoassociationDisplay.from_consensus(_rings()[1]).plot(ax=ax)


def _ring_tree(ax: Any) -> None:
    r = _rings()[1]
    DendrogramDisplay.from_dendrogram(r.dendrogram, r.k).plot(ax=ax)


#: file, caption and its drawings side by side
PICTURES: dict[str, tuple[str, tuple[Drawing, ...]]] = {
    "papers_rings": (
        "Fred and Jain, Figs. 2 and 3: ring, bar and Gaussian, 30 partitions, k in [10, 30]",
        (_ring_points, _ring_matrix, _ring_tree),
    ),
    "papers_half_rings": (
        "Fred and Jain, Figs. 9 and 10: half-rings, 50 partitions instead of 200, single link",
        tuple(_tree("half-rings", 50, k) for k in (5, 15, 80, (2, 80))),
    ),
    "papers_shapes": (
        "Fred and Jain, Fig. 12, and Li et al., Fig. 2: complex image and 3-paths, CA-HNE of 30 partitions",
        (
            _lives,
            _points("complex image", 7, 20, "CA-HNE, k = 20"),
            _points("3-paths", 3, 20, "CA-HNE, k = 20"),
        ),
    ),
}


def draw_pictures() -> None:
    """Draw what is not there yet."""
    import matplotlib.pyplot as plt

    for name, (_, drawings) in PICTURES.items():
        path = FOLDER / f"{name}.png"
        if path.exists():
            continue
        figure, axes = plt.subplots(
            1, len(drawings), figsize=(4.2 * len(drawings), 3.8), layout="constrained"
        )
        for draw, ax in zip(drawings, axes, strict=True):
            draw(ax)
        figure.savefig(path, dpi=80)
        plt.close(figure)
