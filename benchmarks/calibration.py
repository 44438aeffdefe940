"""What a confidence means: ``python -m benchmarks.calibration`` counts how often objects are right at each confidence.

Ensembles of ten kinds whose classes are known, three data sets of each. An object is right where the class that its
cluster is matched to (one to one, with as many objects as possible) is its own. The figures and the picture go to
docs/confidence.md. ``python -m benchmarks.calibration real`` counts the same on the real sets of `benchmarks.real`,
without drawing anything.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import graphens as ge

from .data import in_random_order
from .harness import filled, report
from .quality_sets import Points, Rng, blobs, moons, rings
from .real import KEEL, keel

DOCS = Path(__file__).parent.parent / "docs"
METHODS = ("auto", "lwgp", "mcla", "vote")
EDGES = np.array([0.0, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 1.0])
HEADS = ["below ½", *(f"{a:g} to {b:g}" for a, b in pairwise(EDGES[1:]))]
B, SEEDS, FEW = 20, 3, 5  # partitions, data sets of a kind, objects below which a bin says nothing
POOLED, SAMPLE = 30, 500  # partitions, and objects at most, of a real set
Answers = dict[tuple[str, str], tuple[np.ndarray, np.ndarray]]  # kind and method: confidences, right ones


def _kmeans(make: Callable[[Rng], Points], k: Any = None) -> Callable[[Rng, int], tuple[ge.Ensemble, Any]]:
    """Partitions of features by k-means, by default with many clusters."""

    def ensemble(rng: Rng, seed: int) -> tuple[ge.Ensemble, Any]:
        X, truth = make(rng)
        return ge.generate(X, B, k=k, seed=seed), truth

    return ensemble


def _labels(wrong: Any, missing: float = 0.0) -> Callable[[Rng, int], tuple[ge.Ensemble, Any]]:
    """Partitions that are the classes but for a share of random labels, each partition with mistakes of its own."""

    def ensemble(rng: Rng, seed: int) -> tuple[ge.Ensemble, Any]:
        truth, shape = np.repeat(np.arange(4), [200, 100, 60, 40]), (400, B)
        share = np.linspace(*wrong, B) if isinstance(wrong, tuple) else wrong
        labels = np.where(rng.random(shape) < share, rng.integers(0, 4, shape), truth[:, None])
        labels[rng.random(shape) < missing] = -1
        return ge.Ensemble(labels), truth

    return ensemble


def _loaded(name: str) -> Callable[[Rng], Points]:
    def make(rng: Rng) -> Points:
        X, truth = ge.datasets.load(name)
        rows = rng.permutation(len(X))[:400]
        X, truth = X[rows], truth[rows]
        return (X if name == "digits" else X / X.std(axis=0)), truth

    return make


KINDS: dict[str, Callable[[Rng, int], tuple[ge.Ensemble, Any]]] = {
    "even blobs": _kmeans(lambda rng: blobs(rng, [100] * 4, 2, 4, [1])),
    "uneven blobs": _kmeans(lambda rng: blobs(rng, [240, 100, 40, 20], 2, 4, [1, 2])),
    "overlapping blobs": _kmeans(lambda rng: blobs(rng, [100] * 4, 3, 2.5, [1])),
    "overlapping blobs, true k": _kmeans(lambda rng: blobs(rng, [100] * 4, 3, 2.5, [1]), 4),
    "moons": _kmeans(lambda rng: moons(rng, (200, 200), 0.15)),
    "a ring around a blob": _kmeans(lambda rng: rings(rng, [150, 250], [0, 2], 0.2)),
    "wine": _kmeans(_loaded("wine")),
    "digits": _kmeans(_loaded("digits")),
    "noisy labels": _labels((0.4, 0.9)),
    "missing labels": _labels(0.5, 0.5),
}


def measured() -> Answers:
    """For each kind and method the confidences, and which objects are right."""
    found: dict[tuple[str, str], list[tuple[np.ndarray, np.ndarray]]] = {}
    for place, (kind, make) in enumerate(KINDS.items()):
        for seed in range(SEEDS):
            e, truth = in_random_order(seed, *make(np.random.default_rng((place, seed)), seed))
            for method in METHODS:
                r = ge.consensus(e, len(np.unique(truth)), method=method, seed=0)
                right = ge.match(truth, r.labels).relabel(r.labels) == truth
                found.setdefault((kind, method), []).append((r.confidence, right))
    return {
        key: (np.concatenate([c for c, _ in some]), np.concatenate([right for _, right in some]))
        for key, some in found.items()
    }


def auc(confidence: np.ndarray, right: np.ndarray) -> float:
    """Share of pairs, one right and one wrong, in which the right one is more confident; ties count half."""
    from scipy.stats import rankdata

    good, bad = int(right.sum()), int((~right).sum())
    if not good or not bad:
        return float("nan")
    return float((rankdata(confidence)[right].sum() - good * (good + 1) / 2) / (good * bad))


def bins(confidence: np.ndarray, right: np.ndarray) -> Iterator[tuple[float, float, int]]:
    """For each bin the mean confidence, the share of right objects, and how many objects it has."""
    place = np.digitize(confidence, EDGES[1:-1])
    for i in range(len(EDGES) - 1):
        here = place == i
        yield (*(float(x[here].mean()) if here.any() else np.nan for x in (confidence, right)), int(here.sum()))


def cells(confidence: np.ndarray, right: np.ndarray) -> list[str]:
    """One cell for each bin: the share of right objects and their number."""
    return [f"{share:.2f} ({n:,})" if n >= FEW else "–" for _, share, n in bins(confidence, right)]


def draw(found: Answers) -> None:
    """Draw the share of right objects against confidence, a panel for each kind."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 5, figsize=(12, 5.4), sharex=True, sharey=True, layout="constrained")
    for kind, ax in zip(KINDS, axes.flat, strict=True):
        for method in METHODS:
            points = np.array([(x, y) for x, y, n in bins(*found[kind, method]) if n >= FEW])
            ax.plot(*points.T, marker="o", markersize=4, linewidth=1.5, label=method, alpha=0.8)
        ax.set(title=kind, xlim=(0.38, 1.02), ylim=(-0.03, 1.03))
        ax.grid(alpha=0.3)
    axes[0, 0].legend(frameon=False)
    figure.supxlabel("confidence")
    figure.supylabel("share of objects that are right")
    figure.savefig(DOCS / "images" / "calibration.png", dpi=76)
    plt.close(figure)


def run() -> None:
    """Measure, keep the tables, draw the picture, and renew the page."""
    warnings.simplefilter("ignore")
    found = measured()
    note = (
        f"{len(KINDS)} kinds of ensembles, {SEEDS} of each with {B} partitions and the true k. Each cell has the share "
        f"of right objects and the number of objects; – stands for fewer than {FEW}."
    )
    report(
        "calibration_kinds",
        "Share of right objects by confidence, answers of `auto`",
        ["ensembles", *HEADS, "AUC"],
        [[kind, *cells(*found[kind, "auto"]), f"{auc(*found[kind, 'auto']):.2f}"] for kind in KINDS],
        note,
    )
    draw(found)
    page = DOCS / "confidence.md"
    page.write_text(filled(page.read_text("utf-8")), "utf-8")


def run_real() -> None:
    """The same on real sets: k-means partitions with 2 to √n clusters, and as many clusters as there are classes."""
    warnings.simplefilter("ignore")
    found: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {method: [] for method in METHODS}
    for seed, name in enumerate(KEEL):
        X, classes = keel(name, SAMPLE)
        e = ge.generate(X, POOLED, base="kmeans", k=(2, int(len(X) ** 0.5)), seed=seed)
        e, truth = in_random_order(seed, e, np.unique(classes, return_inverse=True)[1])
        for method, answers in found.items():
            r = ge.consensus(e, len(np.unique(truth)), method=method, seed=0)
            answers.append((r.confidence, ge.match(truth, r.labels).relabel(r.labels) == truth))
    rows = []
    for method, answers in found.items():
        areas = np.array([auc(*one) for one in answers])
        confidence, right = (np.concatenate(column) for column in zip(*answers, strict=True))
        below = f"{np.count_nonzero(areas < 0.5)} of {np.isfinite(areas).sum()}"
        rows.append([f"`{method}`", *cells(confidence, right), f"{np.nanmean(areas):.2f}", below])
    report(
        "calibration_pools",
        "Share of right objects by confidence, real sets",
        ["method", *HEADS, "mean AUC", "AUC below ½"],
        rows,
        f"{len(areas)} real sets of at most {SAMPLE} objects, {POOLED} k-means partitions of each and the true k.",
    )
    page = DOCS / "confidence.md"
    page.write_text(filled(page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    run_real() if sys.argv[1:] == ["real"] else run()
