"""The input of the rules that choose k, and the work that several of them share.

Reference data without clusters that otherwise resemble the given data are clustered in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._lib.arrays import FloatArray, draw
from ..errors import InputError
from ..generators.separation import reference_data
from ..labels.ensemble import Ensemble
from ..labels.value import remembered
from .resampling import Monti, child, monti
from .stability import Stability, stability

_OBJECTS = 1000  # objects that are resampled where there are more
_SHARE = 0.8


@dataclass(frozen=True, eq=False)
class References:
    """PAC and silhouette of clusterings of reference data, references × ks."""

    ks: tuple[int, ...]
    pac: FloatArray
    silhouette: FloatArray

    def moments(self, name: str) -> dict[int, tuple[float, float]]:
        """Mean and standard deviation over the references of "pac" or "silhouette", by k."""
        values: FloatArray = getattr(self, name)
        spread = values.std(axis=0, ddof=min(1, len(values) - 1))
        return dict(zip(self.ks, zip(values.mean(axis=0).tolist(), spread.tolist(), strict=True), strict=True))

    def p(self, k: int, pac: float) -> float:
        """How often data without clusters look as clear at their own clearest k as these data do at k.

        The k was chosen, so every reference counts with its clearest k: z(r) = max over k of its `clarity` among the
        other references. p is the tail of the data's own clarity in the Student distribution that predicts one more
        z(r). With fewer than 4 references, or if they do not differ, p is found by counting at k.
        """
        from scipy.stats import t

        count, at = len(self.pac), self.ks.index(k)
        others = [np.delete(self.pac, r, axis=0) for r in range(count)] if count > 3 else []
        best = np.array([clarity(own, rest).max() for own, rest in zip(self.pac, others, strict=False)])
        spread = float(best.std(ddof=1)) if len(best) else 0.0
        if spread <= 1e-12:
            return float((1 + np.count_nonzero(self.pac[:, at] <= pac)) / (1 + count))
        own = clarity(np.full(len(self.ks), pac), self.pac)[at]
        return float(t.sf((own - best.mean()) / (spread * np.sqrt(1 + 1 / count)), count - 1))


def clarity(pac: FloatArray, null: FloatArray) -> FloatArray:
    """How clear a PAC is at every k compared with references (references × ks), as a normal score; 0 is their average.

    The score comes from the beta distribution with their mean and variance, α = ((1 − μ)/σ² − 1/μ) μ²,
    β = α(1/μ − 1) (John et al. 2020) or, if they do not differ, from counting.
    """
    from scipy.stats import beta, norm

    mean, variance = null.mean(axis=0), null.var(axis=0, ddof=1)
    counted = (1 + (null <= pac).sum(axis=0)) / (2 + len(null))
    fits = (variance > 1e-12) & (variance < mean * (1 - mean))
    mean, variance = np.where(fits, mean, 0.5), np.where(fits, variance, 0.1)
    alpha = ((1 - mean) / variance - 1 / mean) * mean**2
    tail = np.where(fits, beta.cdf(pac, alpha, alpha * (1 / mean - 1)), counted)
    return np.asarray(norm.isf(np.clip(tail, 1e-300, 1 - 1e-15)), dtype=np.float64)


def cluster_references(
    X: FloatArray, like: Monti, count: int, share: float, seed: int, n_jobs: int | None
) -> References:
    """Cluster `count` reference data sets in the same way as the data."""
    panels = []
    for r in range(count):
        own = child(seed, r)
        assert own is not None
        data = reference_data(X, np.random.default_rng(own))
        n_partitions = like.ensemble(like.ks[0]).n_partitions
        panels.append(
            monti(
                data, like.ks, n_partitions=n_partitions, share=share, bounds=like.bounds, seed=own, n_jobs=n_jobs
            ).columns()
        )
    pac, silhouette = (np.array([one[name] for one in panels]) for name in ("pac", "silhouette"))
    return References(like.ks, pac, silhouette)


@dataclass(frozen=True, eq=False)
class RuleInput:
    """The data from which a rule chooses the number of clusters."""

    ensemble: Ensemble  #: the partitions; objects without any label are left out
    seed: int  #: everything random follows from it
    ks: tuple[int, ...] | None = None  #: numbers to choose from, None for all that make sense; 1 is always possible
    X: FloatArray | None = None  #: features, or None
    parameter: str = "k"  #: how the reader sets the number, for sentences
    n_resamples: int = 30  #: partitions for each k of the resampled ensembles, and reference data sets
    n_references: int = 20
    n_jobs: int | None = None

    @remembered
    def candidates(self) -> tuple[int, ...]:
        """The numbers above 1 to consider, at most the number of objects."""
        e = self.ensemble
        most = min(int(e.n_clusters.max()), 20) if self.ks is None else max(self.ks)
        ks = tuple(k for k in self.ks or range(2, most + 1) if 2 <= k < e.n_objects)
        return ks

    @remembered
    def bootstraps(self) -> Stability:
        """The consensus of bootstrap ensembles at every k."""
        if not self.candidates:
            raise InputError(
                "There is no number of clusters to choose from; expected ks between 2 and the number of objects."
            )
        return stability(self.ensemble, self.candidates, n_bootstraps=30, seed=self.seed)

    @remembered
    def features(self) -> FloatArray:
        """Features of the objects that are resampled."""
        if self.X is None:
            raise InputError("This rule needs features: give X= instead of labels.")
        if len(self.X) <= _OBJECTS:
            return self.X
        return self.X[draw(len(self.X), _OBJECTS, self.seed)]

    @remembered
    def message_lengths(self) -> dict[int, float]:
        """The message lengths of Gaussian mixtures of the features, by their number of components."""
        from ..generators.components import message_lengths

        return message_lengths(self.features, max(25, *self.ks or ()), self.seed)

    @remembered
    def resampled(self) -> Monti:
        """Monti's panel of the features."""
        most = int(_SHARE * len(self.features))
        ks = [k for k in self.candidates if k <= most]
        if not ks:
            raise InputError.about("ks", self.ks, f"smaller numbers, since there are {len(self.features)} objects")
        return monti(self.features, ks, n_partitions=self.n_resamples, share=_SHARE, seed=self.seed, n_jobs=self.n_jobs)

    @remembered
    def null(self) -> References | None:
        """The same for reference data; None if there are none."""
        if self.n_references < 1:
            return None
        seed = child(self.seed, 1)
        assert seed is not None
        return cluster_references(self.features, self.resampled, self.n_references, _SHARE, seed, self.n_jobs)
