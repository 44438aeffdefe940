"""The input of the rules that choose k, and the work that several of them share."""

from __future__ import annotations

from dataclasses import dataclass

from .._lib.arrays import FloatArray, draw
from ..errors import InputError
from ..labels.ensemble import Ensemble
from ..labels.value import remembered
from .reference import References, cluster_references
from .resampling import Monti, child, monti
from .stability import Stability, stability

_OBJECTS = 1000  # objects that are resampled where there are more
_SHARE = 0.8


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
