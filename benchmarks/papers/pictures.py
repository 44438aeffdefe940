"""The papers' figures, redrawn with the library's pictures from kept values."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import graphens as ge
from graphens.plot import (
    CoassociationDisplay,
    CurveDisplay,
    DendrogramDisplay,
    FrequencyDisplay as Frequencies,
    ScatterDisplay,
    colors,
)

from .columns import HEADS
from .curves import Curve, curve
from .data import load, shown
from .runner import kept
from .single import anywhere

FOLDER = Path(__file__).parents[2] / "docs" / "images"
Drawing = Callable[[Any], None]


@cache
def _rings(partitions: int, k: Any) -> tuple[Any, ge.Consensus]:
    X, _ = ge.datasets.load("ring-bar-gaussian", seed=0)
    return X, ge.eac(ge.generate(X, partitions, k=k, seed=0), None if partitions > 1 else k)


def _points(found: Callable[[], tuple[Any, ge.Consensus]], told: str, ax: Any) -> None:
    X, r = found()
    ScatterDisplay.from_consensus(r, X).plot(ax=ax)
    ax.set_xlabel(told.format(k=r.k))


def _matrix(found: Callable[[], tuple[Any, ge.Consensus]], told: str, ax: Any) -> None:
    CoassociationDisplay.from_consensus(found()[1]).plot(ax=ax)
    ax.set_xlabel(told)


def _embedded(ax: Any) -> None:
    ScatterDisplay.from_coassociation(_rings(30, (10, 30))[1]).plot(ax=ax)
    ax.set_xlabel("two dimensions of the co-association")


def _ring_tree(ax: Any) -> None:
    r = _rings(30, (10, 30))[1]
    DendrogramDisplay.from_dendrogram(r.dendrogram, r.k).plot(ax=ax)


def _tree(k: Any, ax: Any) -> None:
    r = ge.eac(ge.generate(load("half-rings")[0], 200, k=k, seed=0))
    DendrogramDisplay.from_dendrogram(r.dendrogram, r.k).plot(ax=ax)
    ax.set_xlabel(f"k = {k}: {r.k} clusters")


def _edges(name: str, k: int, clusters: int) -> tuple[Any, ge.Consensus]:
    X, _ = load(name)
    return X, ge.hne(ge.generate(X, 30, k=clusters, seed=0), k)


def _lives() -> tuple[Any, ge.Consensus]:
    X, _ = load("complex image, 8", 1)
    return X, ge.eac(ge.generate(X, 50, k=(60, 90), base=anywhere, seed=0), neighbors=20, X=X)


def _several(curves: dict[str, Curve], x: str, y: str, told: str, ax: Any) -> None:
    """Several curves in one picture, each in its color."""
    for shade, (name, drawn) in zip(colors(range(len(curves))), curves.items(), strict=True):
        CurveDisplay(drawn["x"], drawn["y"], name, error=drawn.get("deviation"), what=told).plot(ax=ax)
        for part in ax.containers[-1].get_children():
            part.set_color(shade)
            if hasattr(part, "set_markeredgecolor"):  # the caps of error bars are markers
                part.set_markeredgecolor(shade)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.legend(frameon=False, fontsize=7)


def _four() -> tuple[Any, ge.Consensus]:
    X, _ = load("cigar")
    return X, ge.eac(ge.generate(X, 50, k=15, seed=0), 4)


def _agreement(ax: Any) -> None:
    named = {f"ensemble with k = {name}": drawn for name, drawn in curve("agreement").items()}
    _several(named, "clusters of the reference partition", "mean NMI", "Cigar", ax)


def _variance(name: str, ax: Any) -> None:
    told = curve("variance")
    named = {"with the ensemble": told[name], "with the truth": told[f"{name}: truth"]}
    _several(named, "number of clusters", "NMI of the consensus", name, ax)


def _limits(ax: Any) -> None:
    told = curve("variance")
    names = [name for name in told if ":" not in name and name != "cigar, k = 15"]
    named = {name: {"x": told[name]["x"], "y": told[name]["deviation"]} for name in names}
    _several(named, "number of clusters", "deviation of the NMI", "Dashed: between the partitions", ax)
    for shade, name in zip(colors(range(len(names))), names, strict=True):
        ax.axhline(told[f"{name}: limit"]["y"][0], color=shade, linestyle="--", linewidth=1)


def _settling(k: int, ax: Any) -> None:
    told = {name: drawn for name, drawn in curve("settling").items() if name.startswith(f"k = {k},")}
    named = {name.partition(", ")[2]: drawn for name, drawn in told.items()}
    _several(named, "partitions", "clusters by lifetime", f"Half-rings, k = {k}", ax)


def _over_c(data: str, columns: tuple[str, ...], ax: Any) -> None:
    row = kept("ayad-kamel")[data]
    named = {
        column: {"x": list(HEADS), "y": [float(np.mean(row[f"{column} c=k+{c}"])) for c in HEADS]}
        for column in columns
    }
    named["k-means at k"] = {"x": list(HEADS), "y": [float(np.mean(row["KM mean"]))] * len(HEADS)}
    _several(named, "c − k", "error", shown(data), ax)


def _over_size(data: str, ax: Any) -> None:
    told = {name: drawn for name, drawn in curve("ensemble-sizes").items() if name.startswith(f"{data},")}
    named = {name.partition(", ")[2]: {"x": d["x"], "y": d["y"]} for name, d in told.items()}
    _several(named, "bootstrap partitions", "error", data, ax)
    ax.set_xscale("log")


@cache
def _accumulated() -> ge.Consensus:
    X, _ = load("elongated ellipses")
    return ge.cumulative(ge.generate(X, 100, k=4, sampling="bootstrap", seed=0), 2, seed=0)


def _frequencies(ax: Any) -> None:
    Frequencies.from_consensus(_accumulated()).plot(ax=ax)


def _cumulative_tree(ax: Any) -> None:
    r = _accumulated()
    DendrogramDisplay.from_dendrogram(r.dendrogram, r.k).plot(ax=ax)
    ax.set_xlabel("average link of the 4 cumulative clusters")


_LINKS = ("cumulative", "single link", "complete link", "average link")
_REAL = ("iris", "wine", "breast cancer", "WDBC", "optical digits, 500", "pen digits, 500")
_ARTIFICIAL = ("elongated ellipses", "crescents", "differing ellipses", "8D5K")
_WHOLE = partial(_rings, 30, (10, 30))

#: file; the table or figure it stands under, its caption and its drawings, at most four side by side
PICTURES: dict[str, tuple[str, str, tuple[Drawing, ...]]] = {
    "papers_rings": (
        "ring-bar-gaussian",
        "Fred and Jain, Figs. 2 and 3, the lecture's first example: one partition of 25 and 11 clusters, then 30",
        (
            partial(_points, partial(_rings, 1, 25), "one partition, k = 25"),
            partial(_matrix, partial(_rings, 1, 25), "one partition, k = 25"),
            partial(_points, partial(_rings, 1, 11), "one partition, k = 11"),
            partial(_matrix, partial(_rings, 1, 11), "one partition, k = 11"),
            partial(_points, _WHOLE, "30 partitions: {k} clusters"),
            partial(_matrix, _WHOLE, "30 partitions"),
            _embedded,
            _ring_tree,
        ),
    ),
    "papers_agreement": (
        "biased-agreement",
        "Fred and Jain, Figs. 4 and 5: cigar, and the agreement of reference partitions with three ensembles",
        (partial(_points, _four, "cigar, single link: {k} clusters"), _agreement),
    ),
    "papers_settling": (
        "convergence",
        "Fred and Jain, Fig. 8: clusters by lifetime as partitions are added, mean and deviation of 25 ensembles",
        tuple(partial(_settling, k) for k in (10, 20, 30)),
    ),
    "papers_variance": (
        "least-variance",
        "Fred and Jain, Fig. 7: agreement of 100 bootstrap ensembles with their consensus",
        (
            *(
                partial(_variance, name)
                for name in ("cigar, draw 1, k = 8", "half-rings, k = 15", "half-rings, k = (20, 40)")
            ),
            _limits,
        ),
    ),
    "papers_half_rings": (
        "influence-of-k",
        "Fred and Jain, Figs. 9 and 10: half-rings, 200 partitions, single link",
        tuple(partial(_tree, k) for k in (5, 15, 80, (2, 10), (2, 20), (60, 90), (2, 80))),
    ),
    "papers_shapes": (
        "complex-image",
        "Fred and Jain, Fig. 12, and Li et al., Fig. 2: complex image and 3-paths, CA-HNE of 30 partitions",
        (
            partial(_points, _lives, "single link, longest lifetime: {k} clusters"),
            partial(_points, partial(_edges, "complex image", 7, 40), "CA-HNE, k = 40"),
            partial(_points, partial(_edges, "3-paths", 3, 30), "CA-HNE, k = 30"),
        ),
    ),
    "papers_artificial": (
        "ayad-kamel",
        "Ayad and Kamel, Figs. 3 and 4: error over c on artificial sets; cumulative clusters of the ellipses, c = 4",
        (
            *(partial(_over_c, data, ("cumulative",)) for data in _ARTIFICIAL),
            _frequencies,
            _cumulative_tree,
        ),
    ),
    "papers_real": (
        "ayad-kamel",
        "Ayad and Kamel, Fig. 5: error over c on the real sets",
        tuple(partial(_over_c, data, _LINKS) for data in _REAL),
    ),
    "papers_sizes": (
        "ensemble-size",
        "Ayad and Kamel, Fig. 6: error over the number of bootstrap partitions, 5 runs",
        tuple(partial(_over_size, data) for data in ("iris", "wine", "crescents", "differing ellipses")),
    ),
}


def draw_pictures(*, again: bool = False) -> None:
    """Draw what is not there yet (or all of it again)."""
    for name, (_, _, drawings) in PICTURES.items():
        path = FOLDER / f"{name}.png"
        if again or not path.exists():
            _draw(path, drawings)


def _draw(path: Path, drawings: tuple[Drawing, ...]) -> None:
    import matplotlib.pyplot as plt
    from PIL import Image

    across = min(4, len(drawings)) if len(drawings) != 6 else 3
    down = -(-len(drawings) // across)
    figure, axes = plt.subplots(
        down, across, figsize=(3.9 * across, 3.4 * down), layout="constrained", squeeze=False
    )
    for ax in axes.flat[len(drawings) :]:
        ax.set_axis_off()
    for draw, ax in zip(drawings, axes.flat, strict=False):
        draw(ax)
    figure.savefig(path, dpi=76)
    plt.close(figure)
    with Image.open(path) as picture:  # 64 colors are enough, and a third of the bytes
        small = picture.convert("RGB").quantize(64)
    small.save(path, optimize=True)
