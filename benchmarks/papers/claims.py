"""The papers' figures and worked examples: what they say, what comes out here."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TypedDict

import numpy as np

import graphens as ge
from graphens.measures import error_rate, nmi

from . import single
from .curves import curve
from .data import SOURCES, is_made, load
from .runner import keep, kept

VIEWS = ("pcf", "dcf", "pls", "pdwt")


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
    wanted = {"10": (10, 15), "20": (15, 20), "[4, 20]": (10, 15)}
    peaks = {name: told["x"][int(np.argmax(told["y"]))] for name, told in curve("agreement").items()}
    return [
        claim(
            f"reference partition nearest to the ensemble with k = {name}",
            f"about {wanted[name][0]}",
            f"{peak:.0f}",
            peak in wanted[name],
        )
        for name, peak in peaks.items()
    ]


def least_variance() -> list[Claim]:
    """The k of least variance over bootstrap ensembles is the natural one (Fred and Jain, Fig. 7)."""
    told = curve("variance")
    found = []
    for data, k, wanted in (("cigar", 15, 4), ("half-rings", 15, 2), ("half-rings", (20, 40), 2)):
        here = told[f"{data}, k = {k}"]
        best = here["x"][int(np.argmin(here["deviation"]))]
        lives = {seed: ge.eac(ge.generate(load(data, seed)[0], 50, k, seed=0)).k for seed in _draws(data)}
        shown = ", ".join(f"{number} (draw {seed})" for seed, number in lives.items())
        found += [
            claim(f"{data}, k = {k}: least variance", str(wanted), f"{best:.0f}", best == wanted),
            claim(f"{data}, k = {k}: longest lifetime", str(wanted), shown, wanted in lives.values()),
        ]
    name = "uniform-5d, k = 15"
    none = min(told[name]["deviation"]) > told[f"{name}: limit"]["y"][0]
    return [
        *found,
        claim("inequality 12 fails for every k on random data", "yes", "yes" if none else "no", none),
    ]


def _draws(data: str) -> range:
    return range(3) if is_made(data) else range(1)


def convergence() -> list[Claim]:
    """The number of clusters settles as partitions are added, sooner with larger k (Fred and Jain, Fig. 8)."""
    found = []
    for name, told in curve("settling").items():
        points = zip(told["x"], told["y"], told["deviation"], strict=True)
        shown = "; ".join(f"N = {size:.0f}: {mean:.1f} ± {std:.1f}" for size, mean, std in points)
        found.append(
            claim(
                f"half-rings, {name}: clusters by lifetime",
                "settles at 2 near N = 50",
                shown,
                abs(told["y"][-1] - 2) <= 0.1,
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
    found = []
    for k in ((10, 40), (20, 60), (40, 80)):
        r = ge.eac(ge.generate(X, 50, k, seed=0))
        error = error_rate(truth, r.labels)
        told = f"{r.k} clusters, error {error:.3f}"
        what = f"single link, longest lifetime, k in [{k[0]}, {k[1]}]"
        found.append(claim(what, "13 clusters, error 0.012", told, error <= 0.03))
    return found


def ensemble_size() -> list[Claim]:
    """More bootstrap partitions, fewer errors, most of it by 25 to 50 (Ayad and Kamel, Fig. 6)."""
    found = []
    for name, told in curve("ensemble-sizes").items():
        points = zip(told["x"], told["y"], strict=True)
        shown = ", ".join(f"B = {size:.0f}: {error:.3f}" for size, error in points)
        found.append(claim(name, "falls as B grows", shown, told["y"][-1] <= told["y"][0] + 0.01))
    return found


def weighted_example() -> list[Claim]:
    """20 k-means partitions and single link, plain and weighted by validity (the lecture's second example)."""
    X, truth = ge.datasets.load("5-clusters", seed=0)
    made = [ge.generate(X, 20, (2, 10), seed=run) for run in range(10)]
    indices = {"Γ, Dunn and NMI": None, "Calinski and Harabasz": ["calinski_harabasz"], "Dunn": ["dunn"]}
    answers = {
        f"weighted by {name}": [ge.wce(e, X, linkage="single", indices=of, sample=150, seed=0) for e in made]
        for name, of in indices.items()
    }
    plain = _right(truth, [ge.eac(e) for e in made])
    numbers = {name: _right(truth, given) for name, given in answers.items()}
    return [
        claim("plain: runs of 10 that find the five clusters", "not the five", str(plain), plain < 10),
        *(claim(f"{name}: the same", "the five", str(n), n > plain) for name, n in numbers.items()),
    ]


def _right(truth: np.ndarray, answers: list[ge.Consensus]) -> int:
    return sum(r.k == truth.max() + 1 and error_rate(truth, r.labels) < 0.01 for r in answers)


def time_series() -> list[Claim]:
    """Four representations × 80 partitions, K in [4, 20], group average (the lecture's protocol on other data)."""
    found = []
    for data in ("synthetic control", "cylinder-bell-funnel"):
        (X, truth), k = load(data), SOURCES[data].k
        e = ge.generate(X, 320, (4, 20), representations=VIEWS, seed=0)
        told = nmi(truth, ge.wce(e, k=k, seed=0).labels)
        alone = [nmi(truth, single.kmeans(X, k, seed)) for seed in range(20)]
        mean, std, best = np.mean(alone), np.std(alone), max(alone)
        shown = f"{told:.3f}; k-means {mean:.3f} ± {std:.3f} over 20 runs, {best:.3f} at best"
        found.append(claim(f"{data}: NMI at k = {k}", "better than k-means", shown, told >= mean))
        views = {  # partition t sees representation t modulo 4
            view: nmi(truth, ge.wce(e.take(partitions=range(v, 320, 4)), k=k, seed=0).labels)
            for v, view in enumerate(VIEWS)
        }
        raw = nmi(truth, ge.wce(ge.generate(X, 80, (4, 20), seed=0), k=k, seed=0).labels)
        each = ", ".join(f"{view} {value:.3f}" for view, value in views.items())
        found.append(
            claim(
                f"{data}: 80 partitions of each representation, of the series",
                "-",
                f"{each}; {raw:.3f}",
                True,
            )
        )
    return found


def prototypes() -> list[Claim]:
    """Cores by shared neighbours, then the ensemble (Fred and Jain, Table 4; the textures are not to be had)."""
    found = []
    for data, centres, figures, interval, others in (
        (
            "iris",
            150,
            {"EAC-AL": 10.0, "CSPA": 8.7, "HGPA": 14.7, "MCLA": 16.0},
            (3, 20),
            (3, (2, 10), (3, 20)),
        ),
        ("breast cancer", 220, {}, (10, 30), (2, (2, 5), (2, 10), (2, 20), (10, 30))),
    ):
        X, truth = load(data)
        cores = ge.snn_prototypes(X, centres, alpha=1.0, seed=0)
        k, e = SOURCES[data].k, ge.generate(cores.points, 50, interval, seed=0)
        functions = {
            "EAC-AL": lambda e=e, k=k: ge.eac(e, k, linkage="average"),
            "CSPA": lambda e=e, k=k: ge.cspa(e, k, seed=0),
            "HGPA": lambda e=e, k=k: ge.hgpa(e, k, seed=0),
            "MCLA": lambda e=e, k=k: ge.mcla(e, k, seed=0),
        }
        tried = {
            str(told): 100
            * error_rate(truth, cores.expand(ge.eac(ge.generate(cores.points, 50, told, seed=0), k)))
            for told in others
        }
        figure = {"iris": 10.0, "breast cancer": 3.1}[data]
        shown = ", ".join(f"{error:.1f} with k = {told}" for told, error in tried.items())
        found.append(
            claim(
                f"{data}, {len(cores)} prototypes, EAC-SL: error in percent, by k of the partitions",
                f"{figure:.1f}",
                shown,
                min(tried.values()) <= figure + 1,
            )
        )
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
