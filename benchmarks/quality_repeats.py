"""Ten ensembles of each of some sets: one ensemble says little about real data, where methods differ by luck."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import graphens as ge
from graphens.measures.silhouettes import PathSilhouettes

from .data import in_random_order
from .quality_pool import FAMILIES
from .quality_sets import MADE, Points, given

REPEATS = 10
JUDGED: dict[str, dict[str, Any]] = {
    "lwgp": {"method": "lwgp"},
    "lwea": {"method": "lwea"},
    "islands": {"method": "islands"},
    "single link": {"method": "islands", "share": 0.0},
}
SHAPES = ("target", "3 in each other", "2 with outliers")
DRAWN = ("moons", "strays", "background", "stretched mixture", "nested rings")


def sets() -> Iterator[tuple[str, str, Callable[[int], Points]]]:
    """Kind, name and how to make it from a seed; of real data only the ensembles differ."""
    for problem in given():
        yield problem.family, problem.name, lambda seed, make=problem.make: make()  # type: ignore[misc]
    for name in SHAPES:
        yield "made", f"rings, {name}", partial(_made, MADE["rings"][name])
    for name in DRAWN:
        yield "made", name, partial(_made, FAMILIES[name])


def _made(make: Callable[[np.random.Generator], Points], seed: int) -> Points:
    return make(np.random.default_rng((41, seed)))


def repeats(kept: Any) -> None:
    """The scores of `auto` and of what it chooses among; what it took and both silhouettes of every answer."""
    for seed in range(REPEATS):
        for family, name, make in sets():
            row = kept.of(family, f"{name} {seed}")
            if "auto" in row and set(JUDGED) <= set(row):
                continue
            X, truth = make(seed)
            e, truth = in_random_order(seed, ge.generate(X, 50, seed=seed), truth)
            k = len(set(truth[truth >= 0].tolist()))
            paths = PathSilhouettes(e)
            for method, options in JUDGED.items():
                if method not in row:
                    row[method] = _figures(ge.consensus(e, k, seed=0, **options), e, truth, paths)
            if "auto" not in row:
                found = ge.consensus(e, k, seed=0)
                row["auto"] = [*_figures(found, e, truth, paths), _taken(found)]
            kept.save()


def _figures(found: ge.Consensus, e: ge.Ensemble, truth: np.ndarray, paths: Any) -> list[float]:
    """NMI, ARI, reliable silhouette, path silhouette, objects in the smallest cluster."""
    from .quality import scores

    reliable = ge.measures.reliable_silhouette(found.labels, e)
    smallest = int(np.bincount(found.labels[found.labels >= 0]).min())
    return [*scores(truth, found.labels, 0.0)[:2], round(reliable, 4), round(paths(found.labels), 4), smallest]


def _taken(found: ge.Consensus) -> str:
    return "single link" if found.options.get("share") == 0 else found.method
