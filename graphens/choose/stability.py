"""Bootstrap ensembles: how much the consensus at every k varies when partitions are resampled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, Seed, as_int, generator
from .._lib.progress import report_progress
from ..errors import InputError
from ..graphs.coassociation import coassociation
from ..labels.ensemble import Ensemble, Labels
from ..labels.value import Viewable
from ..measures.agreement import agreements, score
from ..trees import link
from .distribution import linked
from .eigengap import some_objects
from .resampling import check_ks

if TYPE_CHECKING:
    from ..plot.display import Display

_SAMPLE = 500  # objects that stand for all


@dataclass(frozen=True, eq=False)
class Stability(Viewable):
    """Stability of every number of clusters over bootstrap ensembles.

    Attributes
    ----------
    ks
        The numbers of clusters.
    mean, std
        Mean and standard deviation over the bootstraps of the NMI between a bootstrap ensemble and its own consensus at
        k.
    limit
        Standard deviation of the mean NMI between the partitions of a bootstrap ensemble.
    answers
        For each k, the ensemble of the consensus results, one partition per bootstrap.
    """

    ks: tuple[int, ...]
    mean: FloatArray
    std: FloatArray
    limit: float
    answers: Mapping[int, Ensemble]

    @property
    def stable(self) -> AnyArray:
        """The values of k that satisfy inequality (12), std ≤ limit."""
        return self.std <= self.limit + 1e-12

    @property
    def k(self) -> int:
        """The stable k above 1 with the smallest variance; 1 if none is stable. A single cluster never varies."""
        candidates = self.stable & (np.array(self.ks) > 1)
        return self.ks[int(np.argmin(np.where(candidates, self.std, np.inf)))] if candidates.any() else 1

    def pac(self, low: float = 0.1, high: float = 0.9) -> FloatArray:
        """For every k, the share of object pairs that the consensus results neither consistently join nor separate."""
        found = [linked(self.answers[k], _SAMPLE).distribution for k in self.ks]
        return np.array([one.pac(low, high) for one in found])

    def columns(self) -> dict[str, list[Any]]:
        """Return the figures as columns, k first."""
        return {"k": list(self.ks)} | {name: getattr(self, name).tolist() for name in ("mean", "std", "stable")}

    @property
    def table(self) -> Any:
        """The figures as a frame, one row per k."""
        from ..export.frames import frame

        return frame(self.columns())

    def plot(self, ax: Any = None, **style: Any) -> Display:
        """Draw the mean NMI over k with its standard deviation."""
        from ..plot.choosing import stability_display

        return stability_display(self).plot(ax, **style)


def stability(
    labels: Labels,
    ks: Iterable[int],
    *,
    n_bootstraps: int = 50,
    linkage: str = "average",
    sample: int = _SAMPLE,
    seed: Seed = None,
) -> Stability:
    """Bootstrap the partitions many times, and find the k at which the consensus agrees with them most evenly.

    For each bootstrap ensemble P^b (B partitions drawn with replacement) and each k, P*_k is the dendrogram of its
    co-association cut at k, and NMI(P*_k, P^b) is the mean NMI with its partitions. The k with the smallest variance is
    the most robust; if the variance exceeds var NMI(P^b, P^b) for every k (inequality 12), there is no structure.

    Parameters
    ----------
    labels
        An Ensemble of two or more partitions, or anything that Ensemble accepts.
    ks
        Numbers of clusters.
    n_bootstraps
        Number of bootstrap ensembles.
    linkage
        Linkage of their dendrograms.
    sample
        If there are more objects than this, a random sample of this size is used.
    seed
        The same seed gives the same result.

    Notes
    -----
    O(m²B) per bootstrap for m objects. NMI is normalized by the arithmetic mean, as in the paper. NMI(P^b, P^b) is
    the plain mean over pairs of partitions. The inequality is meant for ensembles of one fixed k.

    References
    ----------
    Fred and Jain, Combining multiple clusterings using evidence accumulation, 2005, equations 8 to 12.

    Examples
    --------
    >>> import graphens as ge
    >>> X, _ = ge.datasets.load("blobs", seed=0)
    >>> s = ge.stability(
    ...     ge.generate(X, 20, k=8, seed=0), range(2, 7), n_bootstraps=10, seed=0
    ... )
    >>> s.table.columns.tolist()
    ['k', 'mean', 'std', 'stable']
    """
    e, rng = Ensemble.of(labels), generator(seed)
    if e.n_partitions < 2:
        raise InputError("One partition was given; expected two or more to draw bootstrap ensembles from.")
    if not e.present.any():
        raise InputError("No object has a label; there is nothing to draw bootstrap ensembles from.")
    draws = rng.integers(e.n_partitions, size=(as_int("n_bootstraps", n_bootstraps, 2), e.n_partitions))
    e = some_objects(e.take(objects=e.present), rng, as_int("sample", sample, 2))[0]
    wanted = tuple(k for k in check_ks(ks, 1) if k <= e.n_objects)
    if not wanted:
        raise InputError(f"All ks are larger than the number of objects ({e.n_objects}); give smaller ks.")
    limit = _limit(e, draws)
    scores, answers = np.empty((len(draws), len(wanted))), []
    for b, draw in enumerate(draws):
        # A partition that was drawn twice has twice its weight.
        times = np.bincount(draw, minlength=e.n_partitions)
        part = e.reweight(times * e.weights if (times * e.weights).any() else times)
        tree = link(coassociation(part), linkage)
        answers.append([tree.cut(k) for k in wanted])
        scores[b] = [score(labels, part, "arithmetic") for labels in answers[-1]]
        report_progress("clustering bootstrap samples", (b + 1) / len(draws))
    made = {k: Ensemble._of_labels([row[j] for row in answers]) for j, k in enumerate(wanted)}
    return Stability(wanted, scores.mean(axis=0), scores.std(axis=0, ddof=1), limit, made)


def _limit(e: Ensemble, draws: AnyArray) -> float:
    """Standard deviation of the mean NMI between the partitions of a bootstrap ensemble.

    With a sample of many partitions, it is that of twice their mean agreement with the sample, which is all of the
    variation except for a share of 1/B.
    """
    between, others = agreements(e, "nmi", "arithmetic")
    if len(others) < e.n_partitions:
        return float(np.std(2 * between.mean(axis=1)[draws].mean(axis=1), ddof=1))
    off = ~np.eye(e.n_partitions, dtype=bool)
    return float(np.std([between[np.ix_(draw, draw)][off].mean() for draw in draws], ddof=1))
