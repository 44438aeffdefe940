"""Whether methods read the classes from the order of the rows: ``python -m benchmarks.order`` renews docs/order.md.

Every method gets the same ensembles twice, with the objects class by class and in random order.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import graphens as ge

from .data import in_random_order
from .harness import filled, report
from .quality import names
from .quality_sets import blobs

PAGE = Path(__file__).parent.parent / "docs" / "order.md"
MOST, B, ORDERS = 300, 20, 3  # objects of a set, partitions, random orders
SHOWN = ("smoothed", "lwgp", "lwea")


def smoothed(ensemble: ge.Ensemble, k: int, *, seed: int) -> np.ndarray:
    """k-means of the label rows after a filter along the table that makes slow changes four times as strong."""
    from sklearn.cluster import KMeans

    waves = np.fft.rfft(ge.hypergraph(ensemble).incidence.toarray(), axis=0)
    waves[: 2 * k] *= 4
    rows = np.fft.irfft(waves, ensemble.n_objects, axis=0)
    return np.asarray(KMeans(k, n_init=10, random_state=seed).fit_predict(rows))


def sets() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Name, features and truth, sorted by class."""
    overlap = blobs(np.random.default_rng(0), [60] * 5, 5, 2, [1])
    drawn = {name: ge.datasets.load(name) for name in ("iris", "wine", "wdbc", "digits")}
    for name, (X, truth) in {**drawn, "overlapping blobs": overlap}.items():
        rows = np.random.default_rng(0).permutation(len(X))[:MOST]
        rows = rows[np.argsort(truth[rows], kind="stable")]
        spread = X[rows].std(axis=0)
        yield name, X[rows] / np.where((spread > 0) & (name != "digits"), spread, 1), truth[rows]


def measured(run: Callable[..., Any], e: ge.Ensemble, truth: np.ndarray) -> tuple[float, float]:
    """NMI with the objects class by class, and its mean over random orders."""
    k = len(np.unique(truth))
    tables = [(e, truth), *(in_random_order(i, e, truth) for i in range(ORDERS))]
    first, *others = (ge.measures.nmi(y, run(some, k, seed=0)) for some, y in tables)
    return float(first), float(np.mean(others))


def run() -> None:
    """Compare all methods, and renew the page."""
    warnings.simplefilter("ignore")
    runs: dict[str, Callable[..., Any]] = {"smoothed": smoothed}
    for name in names():
        runs[name] = lambda e, k, seed, name=name: ge.consensus(e, k, method=name, seed=seed).labels
    found = {
        title: {name: measured(one, e, truth) for name, one in runs.items()}
        for title, X, truth in sets()
        for e in [ge.generate(X, B, seed=0)]
    }
    what = f"{B} k-means partitions, at most {MOST} objects; random order: mean of {ORDERS} orders"
    report(
        "order_sets",
        "NMI with the objects sorted by class and in random order, by data set",
        ["data set", *(f"`{name}`, {order}" for name in SHOWN for order in ("sorted", "random"))],
        [[title, *(f"{x:.2f}" for name in SHOWN for x in row[name])] for title, row in found.items()],
        what + ". `smoothed` filters the label rows along the table; it is written for this comparison only.",
    )
    means = {name: np.mean([row[name] for row in found.values()], axis=0) for name in runs}
    ordered = sorted(means, key=lambda name: -(means[name][0] - means[name][1]))
    report(
        "order_methods",
        "NMI with the objects sorted by class and in random order, every method",
        ["method", "sorted", "random", "sorted − random"],
        [[f"`{n}`", *(f"{x:.3f}" for x in means[n]), f"{means[n][0] - means[n][1]:+.3f}"] for n in ordered],
        f"{what}. Mean over {len(found)} data sets.",
    )
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    run()
