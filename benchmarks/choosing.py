"""Choosing: Monti's panel beside the clusterings it needs, and how often rules find the number of clusters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import graphens as ge
from graphens.choose.rules import apply_rule

from .measuring import measure
from .parts import Part, Row, beside, megabytes

_KS = range(2, 11)
_REFERENCES = 10


def _blobs(n: int, d: int, k: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + (rng.normal(size=(k, d)) * 1.5)[rng.integers(0, k, size=n)]


def _panel(X: np.ndarray, last: int, b: int) -> None:
    ge.monti(X, range(2, last + 1), b, seed=0).columns()


def _bare(X: np.ndarray, last: int, b: int) -> None:
    """The k-means runs alone."""
    from sklearn.cluster import KMeans

    rng = np.random.default_rng(0)
    for k in range(2, last + 1):
        for seed in range(b):
            rows = np.sort(rng.choice(len(X), int(0.8 * len(X)), replace=False))
            KMeans(k, n_init=1, random_state=seed).fit(X[rows])


def panel(n: int, d: int, last: int, b: int) -> dict[str, Any]:
    """Monti's panel beside its k-means runs alone."""
    X = _blobs(n, d, 5)
    ours, bare = (measure(way, X, last, b, warm=(X[:200], 3, 4)) for way in (_panel, _bare))
    return {
        "seconds": ours.seconds,
        "seconds of k-means": bare.seconds,
        "peak": ours.peak,
        "peak of k-means": bare.peak,
    }


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


def from_labels(**case: Any) -> dict[str, Any]:
    """What the rules that read one ensemble say, and a Gaussian mixture by BIC."""
    one = Case(**case)
    X = one.features()
    e = ge.generate(X, 50, seed=one.seed)
    with ge.errors.notes():  # that no number stands out is what is counted here
        found = {rule: apply_rule(rule, e, one.seed).k for rule in ("eigengap", "lifetime")}
    return {"answers": {**found, "mixture by BIC": _mixture_by_bic(X, _KS)}}


def from_features(**case: Any) -> dict[str, Any]:
    """What all rules say with resampling and references: the default with its p-value, and each rule alone."""
    one = Case(**case)
    c = ge.choose_k(X=one.features(), ks=_KS, n_references=_REFERENCES, seed=one.seed)
    answers = {rule: int(k) for rule, k in c.answers.items()}
    return {"answers": {"eigengap and p-value": int(c.k), **answers}}


COLUMNS: dict[str, Callable[[Case], bool]] = {
    "2 sd": lambda case: case.k > 1 and case.separation == 2,
    "3 sd": lambda case: case.k > 1 and case.separation == 3,
    "4 sd and more": lambda case: case.k > 1 and case.separation >= 4 and not case.uneven,
    "4 sd and more, uneven": lambda case: case.k > 1 and case.separation >= 4 and case.uneven,
    "one Gaussian": lambda case: case.kind == "one Gaussian",
    "uniform": lambda case: case.kind == "uniform",
}


def by_rule(rows: Sequence[Row]) -> list[Row]:
    """One row for each rule: how often it is right on every kind of set."""
    found = [
        (Case(*(row[name] for name in ("k", "separation", "uneven", "seed"))), row["answers"]) for row in rows
    ]
    rules = found[0][1] if found else {}
    return [
        {"rule": rule}
        | {
            name: f"{sum(a[rule] == c.k for c, a in found if wanted(c))} of {sum(wanted(c) for c, _ in found)}"
            for name, wanted in COLUMNS.items()
        }
        for rule in rules
    ]


PARTS = (
    Part(
        "choosing-panel",
        "Monti's panel: 2,000 objects × 50 features, 100 resamples, k = 2 to 8",
        panel,
        cases=[{"n": 2000, "d": 50, "last": 8, "b": 100}],
        quick=[{"n": 200, "d": 5, "last": 3, "b": 5}],
        columns=beside(
            lambda row: (
                f"`monti(X)`, {row['n']:,} × {row['d']} features, {row['b']} resamples, k = 2 to {row['last']}"
            ),
            lambda row: "its runs of scikit-learn's `KMeans` alone",
            "seconds of k-means",
            their_memory=megabytes("peak of k-means"),
        ),
    ),
    Part(
        "choosing-labels",
        "The number of clusters: how often each rule is right",
        from_labels,
        cases=[asdict(case) for case in _cases()],
        quick=[asdict(case) for case in _cases()[:2]],
        columns={"rule": "rule", **{name: name for name in COLUMNS}},
        note="`eigengap` and `lifetime` see labels alone, scikit-learn's mixture by BIC sees the features. 100 sets: "
        "mixtures of 2, 3, 5 and 8 Gaussians, and sets without clusters. sd: the least distance of two centers in "
        "standard deviations.",
        gather=by_rule,
    ),
    Part(
        "choosing-features",
        "The number of clusters from features: how often each rule is right, 30 sets",
        from_features,
        cases=[asdict(case) for case in _cases()[:30]],
        quick=[asdict(case) for case in _cases()[:1]],
        columns={
            "rule": lambda row: f"{row['rule']}, from features",
            **{name: name for name in COLUMNS},
        },
        note=f"Rules from features see the first 30 of the same sets, with resampling and {_REFERENCES} references.",
        gather=by_rule,
    ),
)
