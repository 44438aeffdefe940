"""Votes, cumulative clusters and label-space models: a million objects, growth with n, and plain baselines."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import graphens as ge

from .data import random_projections
from .harness import measure, megabytes, report

K = 20
METHODS: dict[str, Callable[[ge.Ensemble], ge.Consensus]] = {
    "vote (medoid)": lambda e: ge.vote(e, K),
    "cumulative": lambda e: ge.cumulative(e, K, seed=0),
    "mlmap": lambda e: ge.mlmap(e, K),
    "qmi (3 starts)": lambda e: ge.qmi(e, K, n_init=3, seed=0),
    "neace": lambda e: ge.neace(e, K),
    "ivc (3 starts)": lambda e: ge.ivc(e, K, n_init=3, seed=0),
    "mixture (3 starts, 50 iterations)": lambda e: ge.mixture(e, K, n_init=3, max_iter=50, tol=0, seed=0),
}


def noisy(n: int, n_partitions: int, k: int, seed: int = 0) -> ge.Ensemble:
    """Partitions that each give a fifth of the objects a wrong label: hardly two label rows are equal."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=n).astype(np.int16)
    return ge.Ensemble.from_partitions(
        [
            np.where(rng.random(n) < 0.2, rng.integers(k, size=n, dtype=np.int16), rng.permutation(k)[truth])
            for _ in range(n_partitions)
        ]
    )


def _run(method: Callable[[ge.Ensemble], ge.Consensus], e: ge.Ensemble) -> tuple[float, float]:
    """Return the score and the processor time of all threads, which neighbors on the machine disturb less."""
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ge.GraphensWarning)
        score = method(e).score
    return score, time.process_time() - start


def _score(e: ge.Ensemble) -> float:
    return ge.measures.anmi(e.codes[0].astype(np.int32), e)


def million() -> None:
    """Seconds, memory and growth at 1M × 20, with and without rows that can be collapsed."""
    rows = []
    small = noisy(2000, 4, 20)
    kinds = {
        "16-D": lambda n: random_projections(n, 20, (K, K), dimensions=16),
        "distinct": lambda n: noisy(n, 20, K),
    }
    for kind, make in kinds.items():
        quarter, full = make(250_000), make(1_000_000)
        share = full.collapse()[0].n_objects / full.n_objects
        base = measure(_score, full, warm=(small,)).seconds
        for name, method in METHODS.items():
            less = measure(_run, method, quarter, warm=(method, small))
            all_ = measure(_run, method, full, warm=(method, small))
            growth = math.log(all_.value[1] / less.value[1]) / math.log(4)
            rows.append(
                [
                    name,
                    f"{kind} ({share:.2f})",
                    all_.seconds,
                    all_.seconds / base,
                    megabytes(all_.peak),
                    growth,
                    all_.value[0],
                ]
            )
    report(
        "voting_million",
        "Voting and label space: 1,000,000 objects × 20 partitions, k = 20",
        ["method", "labels (distinct rows)", "seconds", "times one ANMI", "memory", "growth n^", "ANMI"],
        rows,
        "Growth of the processor time between 250,000 and 1,000,000 objects.",
    )


def _plain_vote(labels: np.ndarray) -> Any:
    from scipy.optimize import linear_sum_assignment

    scores = np.zeros((len(labels), K))
    for column in labels.T:
        table = np.zeros((K, K))
        np.add.at(table, (column, labels[:, 0]), 1)
        name = linear_sum_assignment(table, maximize=True)[1]
        scores[np.arange(len(labels)), name[column]] += 1
    return float(scores.argmax(axis=1)[0])


def _plain_kmeans(h: Any) -> Any:
    from sklearn.cluster import KMeans

    return float(KMeans(K, n_init=1, random_state=0).fit(h).inertia_)


def _plain_em(h: Any, iterations: int) -> Any:
    rng = np.random.default_rng(0)
    r = rng.dirichlet(np.ones(K), size=h.shape[0])
    for _ in range(iterations):
        theta = (h.T @ r + 1) / (r.sum(axis=0) + K)
        log = h @ np.log(theta) + np.log(r.mean(axis=0))
        log -= log.max(axis=1, keepdims=True)
        r = np.exp(log)
        r /= r.sum(axis=1, keepdims=True)
    return float(r[0, 0])


def plain() -> None:
    """The same work in plain NumPy, SciPy and scikit-learn, at a size where those can still be waited for."""
    e = noisy(200_000, 20, K)
    labels, h, small = e.labels, ge.hypergraph(e).incidence, noisy(2000, 4, 20)
    pairs: list[
        tuple[str, Callable[[ge.Ensemble], ge.Consensus], str, Callable[..., Any], tuple[Any, ...]]
    ] = [
        ("vote", lambda e: ge.vote(e, reference=0), "NumPy tables, SciPy assignment", _plain_vote, (labels,)),
        (
            "qmi, 1 start",
            lambda e: ge.qmi(e, K, n_init=1, seed=0),
            "scikit-learn KMeans on sparse H",
            _plain_kmeans,
            (h,),
        ),
        (
            "mixture, 20 iterations",
            lambda e: ge.mixture(e, K, n_init=1, max_iter=20, tol=0, seed=0),
            "EM with SciPy sparse products",
            _plain_em,
            (h, 20),
        ),
    ]
    rows = []
    for name, method, other, function, args in pairs:
        ours, theirs = measure(_run, method, e, warm=(method, small)), measure(function, *args)
        rows.append(
            [
                name,
                ours.seconds,
                megabytes(ours.peak),
                other,
                theirs.seconds,
                megabytes(theirs.peak),
                theirs.seconds / ours.seconds,
            ]
        )
    report(
        "voting_plain",
        "Voting and label space against plain programs: 200,000 × 20 labels, nearly all rows distinct",
        ["method", "seconds", "memory", "baseline", "seconds", "memory", "times faster"],
        rows,
        "Ours include standard form, score and membership; the baselines only the labels.",
    )


def run() -> None:
    """Measure everything."""
    million()
    plain()
