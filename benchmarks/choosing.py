"""Choosing: all pairs of partitions at once, Monti beside the clusterings it needs, how often rules are right."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import graphens as ge

from .harness import measure, megabytes, report


def _labels(n: int, b: int, seed: int = 0) -> ge.Ensemble:
    rng = np.random.default_rng(seed)
    return ge.Ensemble.from_partitions([rng.integers(0, int(k), size=n) for k in rng.integers(5, 30, size=b)])


def _pairs(e: ge.Ensemble) -> float:
    return float(np.asarray(ge.measures.pairwise(e, "nmi")).sum())


def _loop(e: ge.Ensemble, count: int) -> float:
    from sklearn.metrics import normalized_mutual_info_score

    labels = e.labels
    return sum(
        normalized_mutual_info_score(labels[:, s], labels[:, s + 1], average_method="geometric")
        for s in range(count)
    )


def pairs() -> None:
    """All-pairs NMI, B = 200, n = 100,000, against a loop over scikit-learn's (20 of its 19,900 pairs, scaled)."""
    e, small = _labels(100_000, 200), _labels(1000, 4)
    ours = measure(_pairs, e, warm=(small,))
    theirs = measure(_loop, e, 20, warm=(small, 2)).seconds * (200 * 199 / 2) / 20
    rows = [["graphens", ours.seconds, 1.0], ["loop over scikit-learn", theirs, theirs / ours.seconds]]
    report(
        "choosing_pairs",
        "NMI of all pairs: 200 partitions of 100,000 objects",
        ["", "seconds", "times"],
        rows,
    )


def _blobs(n: int, d: int, k: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + (rng.normal(size=(k, d)) * 1.5)[rng.integers(0, k, size=n)]


def _panel(X: np.ndarray, ks: range, b: int) -> float:
    start = time.process_time()
    ge.monti(X, ks, b, seed=0).columns()
    return time.process_time() - start


def _bare(X: np.ndarray, ks: range, b: int) -> float:
    """The k-means runs alone, on one thread as in the panel."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    start, rng = time.process_time(), np.random.default_rng(0)
    with threadpool_limits(1):
        for k in ks:
            for seed in range(b):
                rows = np.sort(rng.choice(len(X), int(0.8 * len(X)), replace=False))
                KMeans(k, n_init=1, random_state=seed).fit(X[rows])
    return time.process_time() - start


def panel(n: int = 2000, d: int = 50, ks: range = range(2, 9), b: int = 100) -> None:
    """Monti's panel against its k-means runs alone; ConsensusClusterPlus took 140 s of processor time and 1.06 GB."""
    X, few = _blobs(n, d, 5), range(2, 4)
    ours = measure(_panel, X, ks, b, warm=(X, few, 4))
    bare = measure(_bare, X, ks, b, warm=(X, few, 4))
    rows = [
        ["monti", ours.value, megabytes(ours.peak), ours.value / bare.value],
        ["its k-means runs alone", bare.value, megabytes(bare.peak), 1.0],
    ]
    title = f"Monti's panel: {n} objects × {d} features, {b} resamples, k = {ks[0]} to {ks[-1]}"
    report("choosing_monti", title, ["", "processor seconds", "memory", "times"], rows, panel.__doc__ or "")


def _mixture(k: int, separation: float, n: int, seed: int, *, uneven: bool) -> np.ndarray:
    """Unit Gaussians whose centres are at least `separation` apart, in three dimensions."""
    rng = np.random.default_rng(seed)
    centers: list[Any] = []
    while len(centers) < k:
        point = rng.normal(size=3) * separation * max(k, 2) ** (1 / 3)
        if all(np.linalg.norm(point - other) >= separation for other in centers):
            centers.append(point)
    share = rng.dirichlet(np.full(k, 3.0)) * 0.8 + 0.2 / k if uneven else np.full(k, 1 / k)
    return np.array(centers)[rng.choice(k, size=n, p=share)] + rng.normal(size=(n, 3))


def _mixture_by_bic(X: np.ndarray, ks: range) -> int:
    from sklearn.mixture import GaussianMixture

    found = {k: GaussianMixture(k, n_init=2, random_state=0).fit(X).bic(X) for k in (1, *ks)}
    return min(found, key=lambda k: found[k])


def hits(seeds: int = 5) -> None:
    """How often each rule finds the number of clusters, beside a Gaussian mixture chosen by BIC."""
    ks, right, total = range(2, 11), {}, {}
    sets = [
        (k, s, uneven, seed)
        for k in (2, 3, 5, 8)
        for s in (3, 4, 6)
        for uneven in (False, True)
        for seed in range(seeds)
    ]
    sets += [(1, s, False, seed) for s in (0, 1) for seed in range(2 * seeds)]
    for k, s, uneven, seed in sets:
        rng = np.random.default_rng(seed)
        X = (
            rng.random((300, 3))
            if k == 1 and s
            else _mixture(k, max(s, 1), 60 * max(k, 4), seed, uneven=uneven)
        )
        kind = "no structure" if k == 1 else f"{s} sd" + (", uneven" if uneven else "")
        c = ge.choose_k(ge.generate(X, 50, seed=seed), ks, seed=seed)
        answers = {**c.answers, "mixture by BIC": _mixture_by_bic(X, ks)}
        total[kind] = total.get(kind, 0) + 1
        for rule, answer in answers.items():
            right[rule, kind] = right.get((rule, kind), 0) + (answer == k)
    rules = list(dict.fromkeys(rule for rule, _ in right))
    rows = [[rule, *(right[rule, kind] / total[kind] for kind in total)] for rule in rules]
    report(
        "choosing_hits",
        f"Right number of clusters, {len(sets)} sets",
        ["rule", *total],
        rows,
        hits.__doc__ or "",
    )


def run() -> None:
    """Measure everything."""
    pairs()
    panel()
    hits()
