"""Choosing: all pairs of partitions at once, Monti beside the clusterings it needs, how often rules are right."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import graphens as ge
from graphens.choose.rules import apply_rule

from .harness import kept, measure, megabytes, origin, report

_KS = range(2, 11)
_REFERENCES = 10


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


def panel(
    n: int = 2000, d: int = 50, ks: range = range(2, 9), b: int = 100, name: str = "choosing_monti"
) -> None:
    """Monti's panel against its k-means runs alone; ConsensusClusterPlus took 140 s of processor time and 1.06 GB."""
    X, few = _blobs(n, d, 5), range(2, 4)
    ours = measure(_panel, X, ks, b, warm=(X, few, 4), limit=7200)
    bare = measure(_bare, X, ks, b, warm=(X, few, 4), limit=7200)
    rows = [
        ["monti", ours.value, megabytes(ours.peak), ours.value / bare.value],
        ["its k-means runs alone", bare.value, megabytes(bare.peak), 1.0],
    ]
    title = f"Monti's panel: {n} objects × {d} features, {b} resamples, k = {ks[0]} to {ks[-1]}"
    report(name, title, ["", "processor seconds", "memory", "times"], rows, panel.__doc__ or "")


def large_panel() -> None:
    """40,000 objects: the tree is that of a sample, and the k-means runs are most of the work."""
    panel(40_000, 30, range(2, 16), 100, "choosing_monti_large")


def _mixture(k: int, separation: float, n: int, seed: int, *, uneven: bool) -> np.ndarray:
    """Unit Gaussians whose centers are at least `separation` apart, in three dimensions."""
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


@dataclass(frozen=True)
class Case:
    """One set: k clusters whose centers are `separation` apart; k = 1 is one Gaussian, or uniform noise."""

    k: int
    separation: float
    uneven: bool
    seed: int

    @property
    def kind(self) -> str:
        """What the set is counted under."""
        if self.k == 1:
            return "uniform" if self.uneven else "one Gaussian"
        return f"{self.separation:g} sd" + (", uneven" if self.uneven else "")

    def features(self) -> np.ndarray:
        """50 objects per cluster, at least 200, in three dimensions."""
        if self.kind == "uniform":
            return np.random.default_rng(self.seed).random((200, 3))
        return _mixture(self.k, self.separation, 50 * max(self.k, 4), self.seed, uneven=self.uneven)


def _cases() -> list[Case]:
    """100 sets, mixed so that any first part of them has every kind."""
    cases = [
        Case(k, separation, uneven, seed)
        for k in (2, 3, 5, 8)
        for separation in (2, 3, 4, 5, 6)
        for uneven in (False, True)
        for seed in range(2)
    ]
    cases += [Case(1, 1, uneven, seed) for uneven in (False, True) for seed in range(10)]
    return [cases[i] for i in np.random.default_rng(0).permutation(len(cases))]


def _from_labels(case: Case) -> dict[str, int]:
    """What the rules that read one ensemble say, and a Gaussian mixture by BIC."""
    X = case.features()
    e = ge.generate(X, 50, seed=case.seed)
    found = {rule: apply_rule(rule, e, case.seed).k for rule in ("eigengap", "lifetime")}
    return {**found, "mixture by BIC": _mixture_by_bic(X, _KS)}


def _from_features(case: Case) -> dict[str, int]:
    """What all rules say with resampling and references: the default with its p-value, and each rule alone."""
    c = ge.choose_k(X=case.features(), ks=_KS, n_references=_REFERENCES, seed=case.seed)
    return {"eigengap and p-value": c.k, **{f"{rule} (X)": k for rule, k in c.answers.items()}}


def _share(found: dict[Case, dict[str, int]], rule: str, wanted: Callable[[Case], bool]) -> str:
    of = [case for case in found if wanted(case)]
    return f"{sum(found[case][rule] == case.k for case in of)} of {len(of)}"


def hits(labels: int = 100, features: int = 30) -> None:
    """How often each rule finds the number of clusters (k = 1, 2, 3, 5, 8), beside a Gaussian mixture by BIC.

    sd: least distance of two centers in standard deviations. Rows with (X) and the p-value: resampling, 10 references.
    """
    cases = _cases()
    columns: dict[str, Callable[[Case], bool]] = {
        "2 sd": lambda case: case.k > 1 and case.separation == 2,
        "3 sd": lambda case: case.k > 1 and case.separation == 3,
        "4 sd and more": lambda case: case.k > 1 and case.separation >= 4 and not case.uneven,
        "4 sd and more, uneven": lambda case: case.k > 1 and case.separation >= 4 and case.uneven,
        "one Gaussian": lambda case: case.kind == "one Gaussian",
        "uniform": lambda case: case.kind == "uniform",
    }
    rows: list[list[str]] = []
    for name, ask, count in (("labels", _from_labels, labels), ("features", _from_features, features)):
        found = kept(f"choosing_{name}", ask, cases[:count])
        rules = next(iter(found.values()), {})
        rows += [[rule, *(_share(found, rule, wanted) for wanted in columns.values())] for rule in rules]
    title = f"Right number of clusters: {labels} sets, {features} of them with references"
    report(
        "choosing_hits",
        title,
        ["rule", *columns],
        rows,
        " ".join((hits.__doc__ or "").split()),
        origin("choosing_labels", "choosing_features"),
    )


def run() -> None:
    """Measure everything."""
    pairs()
    panel()
    large_panel()
    hits()
