"""Evidence accumulation and normalized edges: on labels, against the dense matrix and SciPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

import graphens as ge

from .data import random_projections
from .harness import measure, megabytes, processor_seconds, report

SMALL = random_projections(300, 20, (3, 6), dimensions=4)


def dense(e: ge.Ensemble, method: str) -> float:
    """The usual way: all distances, counted in bytes row by row, then SciPy's linkage; return the sum of heights."""
    codes, n = e.codes, e.n_objects
    distances, place = np.empty(n * (n - 1) // 2), 0
    for i in range(n - 1):
        matches = (codes[:, i + 1 :] == codes[:, i : i + 1]).sum(axis=0, dtype=np.uint8)
        distances[place : place + n - 1 - i] = 1.0 - matches / e.n_partitions
        place += n - 1 - i
    return float(linkage(distances, method)[:, 2].sum())


def on_labels(e: ge.Ensemble, method: str) -> float:
    return float(ge.link(ge.coassociation(e), method).heights.sum())


def equality() -> None:
    """What equals what, on random ensembles; the tests assert it, this shows by how much."""
    rng = np.random.default_rng(0)
    rows = []
    for method in ("single", "average", "complete"):
        worst = collapsed = 0.0
        for _ in range(20):
            labels = rng.integers(0, 4, size=(300, 100))
            labels[rng.integers(0, 300, 60)] = labels[rng.integers(0, 300, 60)]
            e = ge.Ensemble(labels, weights=rng.random(100) + 0.5)  # such weights leave no ties
            s = ge.coassociation(e).to_scipy().toarray()
            z = linkage(squareform(1 - s - np.eye(300), checks=False), method)
            tree = ge.link(ge.coassociation(e), method)
            whole = ge.link(ge.Graph(s), method)
            worst = max(worst, float(np.abs(tree.to_scipy()[:, 2] - z[:, 2]).max()))
            collapsed = max(collapsed, float(np.abs(tree.to_scipy()[:, 2] - whole.to_scipy()[:, 2]).max()))
        rows.append([f"{method} link, 20 ensembles, n = 300", f"{worst:.1e}", f"{collapsed:.1e}"])
    same = sum(_same_merges(seed) for seed in range(200))
    rows.append(["normalized edges against all pairs, 200 ensembles", f"{same} of 200 equal", ""])
    report(
        "evidence-equality",
        "Linkage on labels: largest difference of a merge height",
        ["what", "from SciPy on the matrix", "collapsed from uncollapsed"],
        rows,
    )


def _same_merges(seed: int) -> bool:
    from graphens.linkage.agglomerate import merge_edges
    from tests.plain_evidence import normalized_edges, random_ensemble

    rng = np.random.default_rng(seed)
    e = random_ensemble(rng, n=int(rng.integers(2, 25)), missing=bool(seed % 2), weighted=bool(seed % 3 == 0))
    theta = float(rng.choice([0.1, 0.3, 0.5]))
    g = ge.coassociation(e)
    tree, values = merge_edges(g.threshold(theta), theta)
    merges, expected = normalized_edges(g.to_scipy().toarray(), e.object_weights, theta)
    first, found = list(range(e.n_objects)), []
    for a, b in tree.merges[: len(values), :2].astype(int):
        found.append((min(first[a], first[b]), max(first[a], first[b])))
        first.append(found[-1][0])
    return found == merges and np.allclose(values, expected, rtol=1e-12)


def against_scipy() -> None:
    e = random_projections(20_000, 50, (10, 30), dimensions=16)
    rows = []
    for method in ("single", "average"):
        ours = measure(on_labels, e, method, warm=(SMALL, method))
        theirs = measure(dense, e, method)
        rows.append(
            [
                f"{method} link",
                f"{ours.seconds:.2f} s",
                f"{theirs.seconds:.1f} s",
                f"{theirs.seconds / ours.seconds:.1f}",
                megabytes(ours.peak),
                megabytes(theirs.peak),
                f"{theirs.peak / ours.peak:.0f}",
            ]
        )
    ours = measure(on_labels, e, "complete", warm=(SMALL, "complete"))
    rows.append(["complete link", f"{ours.seconds:.2f} s", "", "", megabytes(ours.peak), "", ""])
    report(
        "evidence-scipy",
        f"n = 20,000 ({e.collapse()[0].n_objects} distinct rows), B = 50, 16-D groups: dense matrix and SciPy",
        ["", "graphens", "SciPy", "times faster", "memory", "SciPy's", "times smaller"],
        rows,
        "Ties make several dendrograms right, so sums of average heights differ a little.",
    )


def merging(e: ge.Ensemble, neighbors: int | None = None) -> tuple[int, float, float]:
    """Return the number of edges, seconds to make the threshold graph and seconds to merge it."""
    from graphens.linkage.agglomerate import merge_edges

    start = processor_seconds()
    g: Any = ge.coassociation(e).collapse()[0]
    g = (g if neighbors is None else g.neighbors(neighbors)).threshold(0.3)
    middle = processor_seconds()
    merge_edges(g, 0.3)
    return g.n_edges, middle - start, processor_seconds() - middle


def edges() -> None:
    rows = []
    for n, neighbors in ((20_000, None), (100_000, 20)):
        e = random_projections(n, 50, (10, 30), dimensions=16)
        found = measure(merging, e, neighbors, warm=(SMALL, neighbors))
        count, building, merged = found.value
        rows.append(
            [
                f"{n:,}" + (f", neighbors={neighbors}" if neighbors else ""),
                f"{count:,}",
                f"{building:.1f} s",
                f"{merged:.1f} s",
                f"{merged / count * 1e6:.2f}",
                megabytes(found.peak),
            ]
        )
    report(
        "evidence-edges",
        "Normalized edges (θ = 0.3, B = 50, 16-D groups)",
        ["n", "edges", "threshold graph", "merging", "µs per edge", "memory"],
        rows,
    )


def large() -> None:
    rows = []
    for n, method in ((100_000, "single"), (50_000, "average")):
        e = random_projections(n, 50, (10, 30), dimensions=16)
        found = measure(on_labels, e, method, warm=(SMALL, method))
        rows.append([f"{method} link, n = {n:,}", f"{found.seconds:.1f} s", megabytes(found.peak)])
    e = random_projections(10_000, 50, (10, 30), dimensions=2)
    ours = measure(on_labels, e, "average", warm=(SMALL, "average"))
    theirs = measure(dense, e, "average")
    rows.append(["average link, n = 10,000, 2-D", f"{ours.seconds:.3f} s", megabytes(ours.peak)])
    rows.append(["the same, dense matrix and SciPy", f"{theirs.seconds:.2f} s", megabytes(theirs.peak)])
    report("evidence-large", "Linkage at size (B = 50)", ["", "seconds", "memory"], rows)


def million() -> None:
    rng = np.random.default_rng(0)
    e = random_projections(1_000_000, 30, (10, 30), dimensions=2)
    X = rng.normal(size=(1_000_000, 2))  # the indices' and neighbors' cost does not depend on what X says
    calls: dict[str, Callable[[ge.Ensemble, Any], Any]] = {
        "eac single": lambda e, X: ge.eac(e, 10),
        "eac average": lambda e, X: ge.eac(e, 10, linkage="average"),
        "eac complete": lambda e, X: ge.eac(e, 10, linkage="complete"),
        "eac, 20 neighbors in X": lambda e, X: ge.eac(e, 10, neighbors=20, X=X),
        "dspa": lambda e, X: ge.dspa(e),
        "vkm": lambda e, X: ge.vkm(e),
        "wce": lambda e, X: ge.wce(e, X, seed=0),
        "lwea": lambda e, X: ge.lwea(e, 10),
        "hne": lambda e, X: ge.hne(e, 10),
        "snn_prototypes": lambda e, X: ge.snn_prototypes(X, seed=0),
    }
    rows = []
    for name, call in calls.items():
        found = measure(_done, call, e, X, warm=(call, SMALL, rng.normal(size=(300, 2))))
        rows.append([name, f"{found.seconds:.1f} s", megabytes(found.peak)])
    report(
        "evidence-million",
        f"1,000,000 objects in 2-D, B = 30 ({e.collapse()[0].n_objects} distinct rows)",
        ["method", "seconds", "memory"],
        rows,
    )


def _done(call: Callable[[ge.Ensemble, Any], Any], e: ge.Ensemble, X: Any) -> None:
    call(e, X)


def run() -> None:
    equality()
    against_scipy()
    edges()
    large()
    million()
