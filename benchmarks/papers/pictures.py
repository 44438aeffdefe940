"""The papers' figures, redrawn with the library's pictures from kept values."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import dendrogram, linkage

import graphens as ge
from graphens.plot import (
    CoassociationDisplay,
    CurveDisplay,
    DendrogramDisplay,
    FrequencyDisplay as Frequencies,
    ScatterDisplay,
    colors,
)

from .claims_evidence import by_distance
from .columns import HEADS
from .curves import Curve, curve, reference
from .data import load, shown
from .runner import kept, left_out
from .single import anywhere, kmeans, linked, spectral

FOLDER = Path(__file__).parents[2] / "docs" / "images"
Drawing = Callable[[Any], None]


@cache
def _rings(partitions: int, k: Any) -> tuple[Any, ge.Consensus]:
    X, _ = ge.datasets.load("ring-bar-gaussian", seed=0)
    return X, ge.eac(ge.generate(X, partitions, k=k, seed=0), None if partitions > 1 else k)


def _drawn(value: Any, ax: Any) -> None:
    value.plot(ax=ax)


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


def _similar(matrix: Callable[[], Any], told: str, ax: Any) -> None:
    """A similarity matrix, objects as the data have them."""
    ax.imshow(matrix(), cmap="Blues", vmin=0, vmax=1, interpolation="nearest")
    ax.set_title(told, fontsize=10)


def _shared(name: str, k: Any, rows: slice = slice(None)) -> Any:
    S = ge.coassociation(ge.generate(load(name)[0], 30, k=k, seed=0)).to_scipy().toarray()
    np.fill_diagonal(S, 1.0)
    return S[rows, rows]


def _labeled(found: Callable[[], tuple[Any, Any]], told: str, ax: Any) -> None:
    """Points in the color of given labels."""
    X, labels = found()
    numbers, how = np.unique(labels, return_inverse=True)[1], f"{len(X)} points"
    ScatterDisplay(told, len(X), X[:, :2], numbers, np.ones(len(X)), how=how).plot(ax=ax)


def _alone(algorithm: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Complex image, cut by one algorithm."""
    X, _ = load("complex image, 8")
    return X, algorithm(X)


def _flat(data: str) -> tuple[Any, Any]:
    """Points in the plane, of more dimensions the first two principal components."""
    X, truth = load(data)
    centered = X - X.mean(axis=0)
    return (X if X.shape[1] == 2 else centered @ np.linalg.svd(centered)[2][:2].T), truth


def _seven() -> ge.Ensemble:
    return ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])


def _seven_similar(ax: Any) -> None:
    _similar(lambda: ge.coassociation(_seven()).to_scipy().toarray() + np.eye(7), "HHᵀ / 3", ax)


def _reference(size: int) -> tuple[Any, Any]:
    X, truth = load("cigar")
    return X, reference(X, truth, size)


def _distance_tree(ax: Any) -> None:
    """Single link on distances, not on co-associations."""
    tree = linkage(load("half-rings")[0], "single")
    dendrogram(tree, p=40, truncate_mode="lastp", no_labels=True, color_threshold=0, ax=ax)
    ax.set_title("Single link of the points", fontsize=10)
    ax.set_ylabel("Euclidean distance")


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
        column: {"x": list(HEADS), "y": [float(np.mean(row[f"{column} c=k+{c}"])) for c in HEADS]} for column in columns
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

#: file; its caption and its drawings, at most four side by side
PICTURES: dict[str, tuple[str, tuple[Drawing, ...]]] = {
    "papers_rings": (
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
    "papers_seven": (
        "Chapter, Figs. 4.1 to 4.3: similarities of the seven objects, their hypergraph, the dendrogram of DSPA",
        (
            _seven_similar,
            lambda ax: _drawn(ge.hypergraph(_seven()), ax),
            lambda ax: _drawn(ge.dspa(_seven()).dendrogram, ax),
        ),
    ),
    "papers_sets": (
        "Fred and Jain, Fig. 6, and Ayad and Kamel, Fig. 2: the artificial sets",
        tuple(
            partial(_labeled, partial(_flat, data), data)
            for data in ("uniform-5d", "half-rings", "3-rings", "cigar", *_ARTIFICIAL)
        ),
    ),
    "papers_similarities": (
        "Li et al., Fig. 1, and Fred and Jain, Fig. 2d: similarity by distance and by co-association",
        (
            partial(_labeled, partial(load, "2-spirals"), "2-spirals"),
            partial(_similar, lambda: by_distance(load("2-spirals")[0]), "by distance"),
            partial(_similar, partial(_shared, "2-spirals", 60), "by 30 partitions, k = 60"),
            partial(_similar, partial(_shared, "2-spirals", 60, slice(60, 140)), "the middle of it"),
            partial(_labeled, partial(load, "ring-bar-gaussian"), "ring, bar and Gaussian"),
            partial(_similar, lambda: by_distance(load("ring-bar-gaussian")[0]), "by distance"),
            partial(_similar, partial(_shared, "ring-bar-gaussian", (10, 30)), "by 30 partitions, k in [10, 30]"),
        ),
    ),
    "papers_algorithms": (
        "Fred and Jain, Figs. 1 and 12b: complex image by single algorithms, as many clusters as in the paper",
        (
            partial(_labeled, partial(_alone, lambda X: kmeans(X, 8, 0)), "k-means, 8 clusters"),
            partial(_labeled, partial(_alone, lambda X: linked(X, 27, "single")), "single link, 27 clusters"),
            partial(_labeled, partial(_alone, lambda X: linked(X, 8, "single")), "single link, 8 clusters"),
            partial(_labeled, partial(_alone, lambda X: linked(X, 22, "complete")), "complete link, 22 clusters"),
            partial(_labeled, partial(_alone, lambda X: linked(X, 8, "complete")), "complete link, 8 clusters"),
            partial(_labeled, partial(_alone, lambda X: spectral(X, 8, 0)), "spectral, 8 clusters"),
        ),
    ),
    "papers_agreement": (
        "Fred and Jain, Figs. 4 and 5: reference partitions of cigar, and their agreement with three ensembles",
        (
            *(partial(_labeled, partial(_reference, size), f"cigar, {size} clusters") for size in (2, 3, 4, 5, 10)),
            _agreement,
        ),
    ),
    "papers_settling": (
        "Fred and Jain, Fig. 8: clusters by lifetime as partitions are added, mean and deviation of 25 ensembles",
        tuple(partial(_settling, k) for k in (10, 20, 30)),
    ),
    "papers_variance": (
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
        "Fred and Jain, Figs. 9 and 10: half-rings, 200 partitions, single link; last on the points themselves",
        (*(partial(_tree, k) for k in (5, 15, 80, (2, 10), (2, 20), (60, 90), (2, 80))), _distance_tree),
    ),
    "papers_shapes": (
        "Fred and Jain, Fig. 12, and Li et al., Fig. 2: complex image and 3-paths, CA-HNE of 30 partitions",
        (
            partial(_points, _lives, "single link, longest lifetime: {k} clusters"),
            partial(_points, partial(_edges, "complex image", 7, 40), "CA-HNE, k = 40"),
            partial(_points, partial(_edges, "3-paths", 3, 30), "CA-HNE, k = 30"),
        ),
    ),
    "papers_artificial": (
        "Ayad and Kamel, Figs. 3 and 4: error over c on artificial sets; cumulative clusters of the ellipses, c = 4",
        (*(partial(_over_c, data, ("cumulative",)) for data in _ARTIFICIAL), _frequencies, _cumulative_tree),
    ),
    "papers_real": (
        "Ayad and Kamel, Fig. 5: error over c on the real sets",
        tuple(partial(_over_c, data, _LINKS) for data in _REAL),
    ),
    "papers_sizes": (
        "Ayad and Kamel, Fig. 6: error over the number of bootstrap partitions, 5 runs",
        tuple(partial(_over_size, data) for data in ("iris", "wine", "crescents", "differing ellipses")),
    ),
}


def draw_pictures(*, again: bool = False) -> None:
    """Draw what is not there yet (or all of it again)."""
    for name, (_, drawings) in PICTURES.items():
        path = FOLDER / f"{name}.png"
        if again or not path.exists():
            with left_out(name):
                _draw(path, drawings)


def _draw(path: Path, drawings: tuple[Drawing, ...]) -> None:
    import matplotlib.pyplot as plt
    from PIL import Image

    across = min(4, len(drawings)) if len(drawings) != 6 else 3
    down = -(-len(drawings) // across)
    figure, axes = plt.subplots(down, across, figsize=(3.9 * across, 3.4 * down), layout="constrained", squeeze=False)
    for ax in axes.flat[len(drawings) :]:
        ax.set_axis_off()
    for draw, ax in zip(drawings, axes.flat, strict=False):
        draw(ax)
    figure.savefig(path, dpi=76)
    plt.close(figure)
    with Image.open(path) as picture:  # 64 colors are enough, and a third of the bytes
        small = picture.convert("RGB").quantize(64)
    small.save(path, optimize=True)
