"""What stands in the columns of the papers' tables: from a case to labels."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

import graphens as ge
from graphens.errors import InputError
from graphens.measures import error_rate

from . import single
from .hyperedges import hyperedge_parts

CONSTANTS = (10, 20, 30, 40, 60)  # k of k-means tried for CA-HNE, where the paper prints none
#: clusters of a bootstrap partition above the true number, for cumulative ensembles
HEADS = (0, 1, 2, 4, 8, 16)
NEIGHBORS = 20  # Fred and Jain link these only


@dataclass(frozen=True)
class Case:
    """One run on one data set; the ensemble is made once for all columns that use it."""

    X: np.ndarray
    truth: np.ndarray
    k: int
    clusters: Any
    partitions: int
    seed: int
    sampling: str | None = None
    window: int = 1
    made: dict[Any, ge.Ensemble] = field(default_factory=dict)  # shared with cases that differ in their partitions

    @property
    def ensemble(self) -> ge.Ensemble:
        """The partitions."""
        recipe = (self.clusters, self.partitions, self.sampling)
        if recipe not in self.made:
            self.made[recipe] = ge.generate(
                self.X, self.partitions, k=self.clusters, sampling=self.sampling, seed=self.seed, n_jobs=1
            )
        return self.made[recipe]

    def error(self, labels: Any) -> float:
        """Share of objects outside the best matching; noise does not count."""
        return error_rate(self.truth, labels)


Column = Callable[[Case], float]


def _consensus(function: Any, case: Case, **options: Any) -> float:
    return case.error(function(case.ensemble, case.k, **options).labels)


def _seeded(function: Any, case: Case, **options: Any) -> float:
    return _consensus(function, case, seed=case.seed, **options)


def _linked_near(case: Case) -> float:
    return _consensus(ge.eac, case, linkage="single", neighbors=NEIGHBORS, X=case.X)


def _mean(case: Case) -> float:
    return case.error(single.kmeans(case.X, case.k, case.seed))


def _fifty(of: Callable[[list[float]], float], case: Case) -> float:
    return float(of([case.error(single.kmeans(case.X, case.k, seed)) for seed in range(50)]))


def _linked(method: str, case: Case) -> float:
    return case.error(single.linked(case.X, case.k, method))


def _spectral(case: Case) -> float:
    return case.error(single.spectral(case.X, case.k, case.seed, window=case.window))


def _own(case: Case, clusters: int, partitions: int, sampling: str | None = None) -> Case:
    return replace(case, clusters=clusters, partitions=partitions, sampling=sampling)


def _boosted(case: Case) -> float:
    try:
        return case.error(ge.vote(_own(case, case.k, 50, "boosting").ensemble).labels)
    except InputError:  # the first error is above one half already: what is left is that one k-means run
        return _mean(case)


def _latent(case: Case) -> float:
    return _seeded(ge.mixture, _own(case, case.k, 50))


def _edges(clusters: int, case: Case) -> float:
    return _consensus(ge.hne, _own(case, clusters, 30), theta=0.3)


def _bagged(more: int, function: Any, case: Case, **options: Any) -> float:
    return _consensus(function, replace(case, clusters=case.k + more, sampling="bootstrap"), **options)


def _bagged_cumulative(more: int, case: Case) -> float:
    return _bagged(more, ge.cumulative, case, seed=case.seed)


def _joined(case: Case) -> float:
    """The stand-in for hMETIS, which joins objects until a fifth of them is left."""
    H = ge.hypergraph(case.ensemble).incidence.toarray() > 0
    return case.error(hyperedge_parts(H, case.k, np.random.default_rng(case.seed), len(H) // 5))


COLUMNS: dict[str, Column] = {
    "KM": _mean,
    "KM best": partial(_fifty, min),
    "KM mean": partial(_fifty, np.mean),
    "SL": partial(_linked, "single"),
    "AL": partial(_linked, "average"),
    "SC": _spectral,
    "EAC-SL": _linked_near,
    "EAC-AL": partial(_consensus, ge.eac, linkage="average"),
    "CSPA": partial(_seeded, ge.cspa, collapse=False),  # every object by itself, as in the papers
    "HGPA": partial(_seeded, ge.hgpa, collapse=False),
    "HGPA joined to n/5": _joined,
    "MCLA": partial(_seeded, ge.mcla),
    "Boost-KM": _boosted,
    "Latent-EM": _latent,
    **{f"CA-HNE k={c}": partial(_edges, c) for c in CONSTANTS},
    **{f"cumulative c=k+{c}": partial(_bagged_cumulative, c) for c in HEADS},
    **{
        f"{link} link c=k+{c}": partial(_bagged, c, ge.eac, linkage=link)
        for link in ("single", "complete", "average")
        for c in HEADS
    },
}
ONCE = {"KM best", "KM mean", "SL", "AL", "SC"}  # the same, or nearly, on every run
