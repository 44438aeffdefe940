"""The papers' figures and worked examples: what they say, what comes out here."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TypedDict

import numpy as np

import graphens as ge
from graphens.measures import anmi, error_rate, nmi

from . import single
from .data import SOURCES, load
from .runner import keep, kept


class Claim(TypedDict):
    """One statement of a paper, and ours."""

    what: str
    published: str
    ours: str
    holds: bool


def claim(what: str, published: str, ours: str, holds: object) -> Claim:
    """Return a claim, its truth as a plain bool."""
    return {"what": what, "published": published, "ours": ours, "holds": bool(holds)}


def worked_example() -> list[Claim]:
    """Seven objects, three partitions (chapter, Tables 4.2 to 4.4)."""
    e = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
    wanted = [0, 0, 0, 1, 1, 2, 2]
    functions = {
        "MCLA": lambda: ge.mcla(e, 3, seed=0),
        "CSPA": lambda: ge.cspa(e, 3, seed=0),
        "HGPA": lambda: ge.hgpa(e, 3, seed=0),
        "HBGF": lambda: ge.hbgf(e, 3, seed=0),
        "voting": lambda: ge.vote(e),
        "EAC": lambda: ge.eac(e, 3),
        "cumulative": lambda: ge.cumulative(e, 3),
    }
    told = "x1 x2 x3 | x4 x5 | x6 x7"
    found = {name: function().labels.tolist() for name, function in functions.items()}
    lives = ge.link(ge.coassociation(e), "average").lifetimes()
    cut = ge.hypergraph(e).cut(wanted)
    return [
        *(
            claim(name, told, told if labels == wanted else str(labels), labels == wanted)
            for name, labels in found.items()
        ),
        claim(
            "average-link lifetimes of 2, 3, 5",
            "0.1, 0.5, 0.3",
            ", ".join(f"{lives[k]:.3f}" for k in (2, 3, 5)),
            np.allclose([lives[k] for k in (2, 3, 5)], (0.139, 0.5, 1 / 3), atol=0.001),
        ),
        claim("DSPA's number of clusters", "3", str(ge.dspa(e).k), ge.dspa(e).k == 3),
        claim("hyperedges cut", "2", f"{cut:g}", cut == 2),
    ]


def ring_bar_gaussian() -> list[Claim]:
    """30 partitions, k in [10, 30], single link (Fred and Jain, Figs. 2 and 3; the lecture's first example)."""
    X, truth = ge.datasets.load("ring-bar-gaussian", seed=0)
    lives = [
        ge.link(ge.coassociation(ge.generate(X, 30, (10, 30), seed=run)), "single").lifetimes()
        for run in range(5)
    ]
    mean = {k: float(np.mean([life.get(k, 0.0) for life in lives])) for k in (2, 3, 4)}
    errors = [error_rate(truth, ge.eac(ge.generate(X, 30, (10, 30), seed=run), 3).labels) for run in range(5)]
    return [
        claim(
            "lifetimes of 2, 3, 4 clusters, mean of 5 runs",
            "0.18, 0.36, 0.14",
            ", ".join(f"{mean[k]:.2f}" for k in (2, 3, 4)),
            max(mean, key=mean.__getitem__) == 3,
        ),
        claim("error at three clusters", "0", f"{np.mean(errors):.3f}", max(errors) == 0),
    ]


def uniform_cloud() -> list[Claim]:
    """Random points in five dimensions are one cluster, whatever k (Fred and Jain, section 5.1)."""
    X, _ = ge.datasets.load("uniform-5d", seed=0)
    found = {str(k): ge.eac(ge.generate(X, 50, k, seed=0)).k for k in (10, 20, (10, 30))}
    return [
        claim(f"clusters by lifetime, k = {k}", "1", str(number), number == 1) for k, number in found.items()
    ]


def biased_agreement() -> list[Claim]:
    """Mean NMI with an ensemble is largest near its own k (Fred and Jain, Fig. 5)."""
    X, truth = load("cigar")
    sizes = (2, 3, 4, 5, 10, 15, 20, 50)
    references = [_reference(X, truth, size) for size in sizes]
    peaks = {}
    for name, k in (("10", 10), ("20", 20), ("[4, 20]", (4, 20))):
        e = ge.generate(X, 50, k, seed=0)
        curve = [anmi(labels, e, "arithmetic") for labels in references]
        peaks[name] = sizes[int(np.argmax(curve))]
    wanted = {"10": (10, 15), "20": (15, 20), "[4, 20]": (10, 15)}
    return [
        claim(
            f"reference partition nearest to the ensemble with k = {name}",
            f"about {wanted[name][0]}",
            str(peak),
            peak in wanted[name],
        )
        for name, peak in peaks.items()
    ]


def _reference(X: np.ndarray, truth: np.ndarray, size: int) -> np.ndarray:
    """The dense clusters as they are, the sparse ones joined, or split by k-means into what is left of `size`."""
    labels = np.where(truth < 2, 0, truth - 1)
    if size < 4:
        return np.minimum(labels, size - 1)
    for number, c in enumerate((0, 1)):
        share = (size - 2 + number) // 2
        labels = np.where(truth == c, 100 * (c + 1), labels)
        labels[truth == c] += single.kmeans(X[truth == c], share, 0)
    return labels


def least_variance() -> list[Claim]:
    """The k of least variance over bootstrap ensembles is the natural one (Fred and Jain, Fig. 7)."""
    found = []
    for data, k, wanted in (("cigar", 15, 4), ("half-rings", 15, 2), ("half-rings", (20, 40), 2)):
        e = ge.generate(load(data)[0], 50, k, seed=0)
        told = ge.stability(e, range(2, 11), n_bootstraps=30, linkage="single", seed=0)
        best = told.ks[int(np.argmin(told.std))]
        lives = ge.eac(e).k
        found.append(
            claim(
                f"{data}, k = {k}: least variance; longest lifetime",
                f"{wanted}; {wanted}",
                f"{best}; {lives}",
                best == wanted and lives == wanted,
            )
        )
    cloud = ge.generate(ge.datasets.load("uniform-5d", seed=0)[0], 50, 15, seed=0)
    none = not ge.stability(cloud, range(2, 11), n_bootstraps=30, linkage="single", seed=0).stable.any()
    return [
        *found,
        claim("inequality 12 fails for every k on random data", "yes", "yes" if none else "no", none),
    ]


def convergence() -> list[Claim]:
    """The number of clusters settles as partitions are added, sooner with larger k (Fred and Jain, Fig. 8)."""
    X, _ = load("half-rings")
    found = []
    for k in (10, 20, 30):
        told = []
        for size in (5, 10, 25, 50, 100):
            numbers = [ge.eac(ge.generate(X, size, k, seed=run)).k for run in range(5)]
            told.append((size, float(np.mean(numbers)), float(np.std(numbers))))
        shown = "; ".join(f"N = {size}: {mean:.1f} ± {std:.1f}" for size, mean, std in told)
        found.append(
            claim(
                f"half-rings, k = {k}: clusters by lifetime",
                "settles at 2 near N = 50",
                shown,
                told[-1][1] == 2,
            )
        )
    return found


def influence_of_k() -> list[Claim]:
    """Too small k misses the half rings, too large k breaks them; wide intervals find them (Figs. 9 and 10)."""
    X, truth = load("half-rings")
    found = []
    for k, says in (
        (5, ""),
        (15, "2"),
        (80, "more than 2"),
        ((2, 10), ""),
        ((2, 20), ""),
        ((60, 90), ""),
        ((2, 80), "2"),
    ):
        r = ge.eac(ge.generate(X, 200, k, seed=0))
        error = error_rate(truth, r.labels)
        holds = {"": True, "2": r.k == 2 and error == 0, "more than 2": r.k > 2}[says]
        found.append(
            claim(
                f"200 partitions, k = {k}",
                says or "(picture only)",
                f"{r.k} clusters, error {error:.3f}",
                holds,
            )
        )
    return found


def complex_image() -> list[Claim]:
    """By lifetime instead of a forced k (Fred and Jain, Fig. 12)."""
    X, truth = load("complex image, 8")
    r = ge.eac(ge.generate(X, 50, (10, 40), seed=0))
    error = error_rate(truth, r.labels)
    return [
        claim(
            "single link, longest lifetime",
            "13 clusters, error 0.012",
            f"{r.k} clusters, error {error:.3f}",
            error <= 0.03,
        )
    ]


def ensemble_size() -> list[Claim]:
    """More bootstrap partitions, fewer errors, most of it by 25 to 50 (Ayad and Kamel, Fig. 6)."""
    found = []
    for data in ("iris", "elongated ellipses", "crescents", "differing ellipses"):
        X, truth = load(data)
        k = SOURCES[data].k
        curve = {}
        for size in (5, 10, 25, 50, 100):
            runs = [ge.generate(X, size, k + 4, sampling="bootstrap", seed=run) for run in range(3)]
            curve[size] = float(
                np.mean([error_rate(truth, ge.cumulative(e, k, seed=0).labels) for e in runs])
            )
        shown = ", ".join(f"B = {size}: {error:.3f}" for size, error in curve.items())
        found.append(claim(f"{data}, c = k + 4", "falls as B grows", shown, curve[100] <= curve[5] + 0.01))
    return found


def weighted_example() -> list[Claim]:
    """20 k-means partitions and single link, plain and weighted by validity (the lecture's second example)."""
    X, truth = ge.datasets.load("5-clusters", seed=0)
    found = []
    for run in range(3):
        e = ge.generate(X, 20, (2, 10), seed=run)
        plain, weighted = ge.eac(e), ge.wce(e, X, linkage="single", seed=0)
        told = [f"{r.k} clusters, error {error_rate(truth, r.labels):.3f}" for r in (plain, weighted)]
        right = weighted.k == 5 and error_rate(truth, weighted.labels) < 0.01
        found.append(
            claim(f"run {run + 1}: plain; weighted", "5 clusters where weighted", "; ".join(told), right)
        )
    return found


def time_series() -> list[Claim]:
    """Four representations × 80 partitions, K in [4, 20], group average (the lecture's protocol on other data)."""
    found = []
    views = ("pcf", "dcf", "pls", "pdwt")
    for data in ("synthetic control", "cylinder-bell-funnel"):
        X, truth = load(data)
        e = ge.generate(X, 320, (4, 20), representations=views, seed=0)
        r, k = ge.wce(e, k=None, seed=0), SOURCES[data].k
        told = nmi(truth, ge.wce(e, k=k, seed=0).labels)
        alone = nmi(truth, single.kmeans(X, k, 0))
        shown = f"{r.k} clusters by lifetime; NMI at k = {k}: {told:.3f}, k-means {alone:.3f}"
        found.append(claim(data, "better than one k-means", shown, told >= alone))
    return found


def prototypes() -> list[Claim]:
    """Cores by shared neighbours, then the ensemble (Fred and Jain, Table 4; the textures are not to be had)."""
    found = []
    published = {"EAC-SL": 10.0, "EAC-AL": 10.0, "CSPA": 8.7, "HGPA": 14.7, "MCLA": 16.0}
    for data, figures, interval, alpha in (
        ("iris", published, (3, 20), 1.0),
        ("breast cancer", {"EAC-SL": 3.1}, (3, 20), 0.5),
    ):
        X, truth = load(data)
        cores = ge.snn_prototypes(X, len(X) if data == "iris" else 300, alpha=alpha, seed=0)
        k, e = SOURCES[data].k, ge.generate(cores.points, 50, interval, seed=0)
        functions = {
            "EAC-SL": lambda e=e, k=k: ge.eac(e, k),
            "EAC-AL": lambda e=e, k=k: ge.eac(e, k, linkage="average"),
            "CSPA": lambda e=e, k=k: ge.cspa(e, k, seed=0),
            "HGPA": lambda e=e, k=k: ge.hgpa(e, k, seed=0),
            "MCLA": lambda e=e, k=k: ge.mcla(e, k, seed=0),
        }
        for name, figure in figures.items():
            error = 100 * error_rate(truth, cores.expand(functions[name]()))
            what = f"{data}, {len(cores)} prototypes, {name}: error in percent"
            found.append(claim(what, f"{figure:.1f}", f"{error:.1f}", error <= figure + 5))
    return found


CLAIMS: dict[str, Callable[[], list[Claim]]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        worked_example,
        ring_bar_gaussian,
        uniform_cloud,
        biased_agreement,
        least_variance,
        convergence,
        influence_of_k,
        complex_image,
        prototypes,
        ensemble_size,
        weighted_example,
        time_series,
    )
}


def run_claims(names: list[str], *, again: bool = False) -> None:
    """Check the claims that have not been checked yet (or all of them again)."""
    found: dict[str, list[Claim]] = kept("claims")
    for name in names:
        if name not in found or again:
            start = time.perf_counter()
            found[name] = CLAIMS[name]()
            keep("claims", found)
            print(f"{name}: {time.perf_counter() - start:.1f} s", file=sys.stderr)
