"""The partitioning family: quality over seeds, connectivity against Mt-KaHyPar, scale, and a dense plain CSPA."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

import graphens as ge

from .data import random_projections
from .harness import measure, megabytes, report

SEEDS = range(10)
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "cspa": ("cspa", {}),
    "hgpa": ("hgpa", {}),
    "mcla": ("mcla", {}),
    "hbgf (METIS)": ("hbgf", {}),
    "hbgf (spectral)": ("hbgf", {"partitioner": "spectral"}),
    "ibgf": ("ibgf", {}),
    "cbgf": ("cbgf", {}),
    "lwgp": ("lwgp", {}),
}


def call(name: str, e: ge.Ensemble, k: int, seed: int = 0) -> ge.Consensus:
    method, options = METHODS[name]
    return getattr(ge, method)(e, k, seed=seed, **options)


def score(name: str, e: ge.Ensemble, k: int) -> float:
    return call(name, e, k).score


def kmeans_ensemble(points: np.ndarray, seed: int, b: int = 50, k: tuple[int, int] = (10, 30)) -> ge.Ensemble:
    from sklearn.cluster import KMeans

    rng = np.random.default_rng(seed)
    runs = []
    for _ in range(b):
        run = KMeans(
            int(rng.integers(k[0], k[1] + 1)),
            n_init=1,
            init="random",
            max_iter=20,
            random_state=int(rng.integers(2**31)),
        )
        runs.append(run.fit(points).labels_)
    return ge.Ensemble.from_partitions(runs)


def data_sets() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    from sklearn.datasets import load_digits, load_iris, make_blobs

    digits, iris = load_digits(), load_iris()
    return {
        "blobs": make_blobs(1000, 2, centers=10, random_state=0),
        "digits": (digits.data, digits.target),
        "iris": (iris.data, iris.target),
    }


def quality() -> None:
    """Median and worst ARI over ten ensembles and seeds, and km1 of HGPA against Mt-KaHyPar."""
    rows, km1 = [], []
    for name, (points, truth) in data_sets().items():
        k = len(np.unique(truth))
        ensembles = [kmeans_ensemble(points, seed) for seed in SEEDS]
        for method in ("mcla", "hbgf (METIS)", "cspa", "hgpa", "lwgp"):
            one = [ge.measures.ari(truth, call(method, ensembles[0], k, seed).labels) for seed in SEEDS]
            other = [
                ge.measures.ari(truth, call(method, e, k, seed).labels)
                for seed, e in zip(SEEDS, ensembles, strict=True)
            ]
            middle = statistics.median(one)
            rows.append(
                [name, method, middle, min(one), middle - min(one), statistics.median(other), min(other)]
            )
        if name != "iris":
            ours = statistics.mean(ge.hgpa(e, k, seed=0).details["km1"] for e in ensembles[:3])
            plain = statistics.mean(
                ge.hgpa(e, k, partitioner="metis", seed=0).details["km1"] for e in ensembles[:3]
            )
            theirs = statistics.mean(
                ge.hgpa(
                    e, k, partitioner="mtkahypar", seed=0, partitioner_options={"preset": "default"}
                ).details["km1"]
                for e in ensembles[:3]
            )
            km1.append([name, theirs, plain / theirs, ours / theirs])
    report(
        "partitioning-quality",
        "Partitioning: agreement with the truth over ten seeds (B = 50 k-means partitions, k in [10, 30])",
        [
            "data",
            "method",
            "ARI, median of 10 seeds",
            "worst",
            "median − worst",
            "median of 10 ensembles",
            "worst of those",
        ],
        rows,
    )
    report(
        "partitioning-km1",
        "HGPA: connectivity (km1) over that of Mt-KaHyPar, mean of three ensembles",
        ["data", "Mt-KaHyPar km1", "METIS", "METIS, refined"],
        km1,
    )


def plain_lwgp(e: ge.Ensemble, k: int) -> float:
    """The same method with sparse matrix products and k-means on all rows."""
    from scipy.sparse.linalg import eigsh
    from sklearn.cluster import KMeans

    h = ge.hypergraph(e).incidence
    shared = (h.T @ h).tocsr()
    owner = np.repeat(np.arange(e.n_partitions), e.n_clusters)
    size = shared.diagonal()
    cells = shared.tocoo()
    p = cells.data / size[cells.row]
    entropy = np.bincount(cells.row, weights=-p * np.log2(p), minlength=len(owner))
    a = sparse.csr_array(h * np.exp(-entropy / (0.4 * e.n_partitions)))
    degree = a.sum(axis=1)
    w = (a.T @ sparse.csr_array(a / degree[:, None])).tocsr()
    root = 1 / np.sqrt(w.sum(axis=1))
    v = eigsh(sparse.csr_array((w * root) * root[:, None]), k=k, v0=np.ones(len(root)))[1]
    u = (a @ (root[:, None] * v)) / degree[:, None]
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    labels = KMeans(k, n_init=3, random_state=0).fit(u).labels_
    return ge.measures.anmi(labels, e)


def scale() -> None:
    """One million objects and 40,000 × 100."""
    few, many = (random_projections(n, 20, (20, 100), dimensions=16) for n in (100_000, 1_000_000))
    small = few.take(objects=np.arange(3000))
    base = measure(plain_lwgp, many, 20, warm=(small, 20))
    rows = [["plain SciPy LWGP", "", base.seconds, megabytes(base.peak), 1.0, "", base.value]]
    for name in ("lwgp", "mcla", "hbgf (spectral)"):
        one = measure(score, name, few, 20, warm=(name, small, 20), repeats=2)
        ten = measure(score, name, many, 20, warm=(name, small, 20))
        growth = math.log10(ten.seconds / one.seconds)
        ratio = base.seconds / ten.seconds
        rows.append([name, one.seconds, ten.seconds, megabytes(ten.peak), ratio, growth, ten.value])
    for name in ("hbgf (METIS)", "hgpa"):
        one = measure(score, name, few, 20, warm=(name, small, 20))
        rows.append([name, one.seconds, "", megabytes(one.peak), "", "", one.value])
    report(
        "partitioning-scale",
        "Partitioning: 20 partitions with 20 to 100 clusters, consensus k = 20, rows mostly distinct",
        ["method", "100k: s", "1M: s", "memory", "plain ÷ this", "growth exponent", "ANMI"],
        rows,
    )
    wide = random_projections(40_000, 100, (20, 100), dimensions=16)
    small = wide.take(objects=np.arange(3000))
    rows = []
    for name in METHODS:
        found = measure(score, name, wide, 20, warm=(name, small, 20))
        rows.append([name, found.seconds, megabytes(found.peak), found.value])
    report(
        "partitioning-wide",
        "Partitioning: 40,000 objects × 100 partitions, all rows distinct, consensus k = 20",
        ["method", "s", "memory", "ANMI"],
        rows,
    )


def dense_cspa(e: ge.Ensemble, k: int) -> float:
    """CSPA as its definition reads: all pairs, integer weights, one run of METIS."""
    import pymetis

    labels = e.labels
    s = np.zeros((len(labels), len(labels)), dtype=np.float32)
    for column in labels.T:
        s += column[:, None] == column
    np.fill_diagonal(s, 0)
    graph = sparse.csr_array(s)
    wide = pymetis.zero_copy_dtype()
    adjacency = pymetis.CSRAdjacency(graph.indptr.astype(wide), graph.indices.astype(wide))
    parts = pymetis.part_graph(k, adjacency=adjacency, eweights=graph.data.astype(wide)).vertex_part
    return ge.measures.anmi(np.array(parts), e)


def sparse_mcla(e: ge.Ensemble, k: int) -> float:
    """MCLA by sparse matrix products, one run of METIS."""
    import pymetis

    h = ge.hypergraph(e).incidence
    both = (h.T @ h).tocoo()
    size = np.asarray(h.sum(axis=0)).ravel()
    apart = both.row != both.col
    row, col, value = both.row[apart], both.col[apart], both.data[apart]
    jaccard = value / (size[row] + size[col] - value)
    g = sparse.csr_array((np.maximum(jaccard * 1e4, 1).astype(np.int64), (row, col)), shape=both.shape)
    g.sort_indices()
    wide = pymetis.zero_copy_dtype()
    adjacency = pymetis.CSRAdjacency(g.indptr.astype(wide), g.indices.astype(wide))
    meta = np.array(pymetis.part_graph(k, adjacency=adjacency, eweights=g.data.astype(wide)).vertex_part)
    member = sparse.csr_array((np.ones(len(meta)), (np.arange(len(meta)), meta)), shape=(len(meta), k))
    labels = np.asarray((h @ member).toarray() / np.maximum(member.sum(axis=0), 1)).argmax(axis=1)
    return ge.measures.anmi(labels, e)


def blobs() -> None:
    """10,000 points in the plane, beside plain versions and the seconds other packages took elsewhere."""
    from sklearn.datasets import make_blobs

    points, truth = make_blobs(10_000, 2, centers=10, random_state=0)
    e = kmeans_ensemble(points, 0)
    small = e.take(objects=np.arange(300))
    elsewhere = {"cspa": (19.0, 20), "mcla": (0.53, 3), "hbgf (METIS)": (3.7, 10), "hgpa": (2.0, 3)}
    plain: dict[str, Callable[..., float]] = {"cspa": dense_cspa, "mcla": sparse_mcla}
    rows = []
    for name, (seconds, wanted) in elsewhere.items():
        ours = measure(score, name, e, 10, warm=(name, small, 5), repeats=3)
        ari = ge.measures.ari(truth, call(name, e, 10).labels)
        ratio: Any = ""
        if name in plain:
            base = measure(plain[name], e, 10, warm=(small, 5))
            ratio = base.seconds / ours.seconds
        rows.append([name, ours.seconds, megabytes(ours.peak), ari, ratio, seconds / ours.seconds, wanted])
    report(
        "partitioning-blobs",
        "Partitioning: 10,000 points in 2-D, B = 50, k in [10, 30], consensus k = 10",
        ["method", "s", "memory", "ARI", "plain ÷ this", "other packages' seconds ÷ this", "wanted"],
        rows,
        note="Plain: the definition with dense or sparse matrices and one run of METIS, in the same run. Other "
        "packages' seconds (19, 0.53, 3.7, 2.0) were taken on another machine.",
    )


def run() -> None:
    """Run every part; about five minutes."""
    scale()  # first: processes forked after scikit-learn has started its threads may wait for them for ever
    blobs()
    quality()
