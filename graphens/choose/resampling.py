"""Consensus clustering by resampling: one ensemble for every k, and how clear its pairs are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, Seed, as_int, number
from .._lib.progress import Progress, step
from ..errors import InputError, TypeMismatch
from ..families.outcome import Outcome, of_all_objects, to_consensus
from ..generators.ensembles import generate
from ..generators.recipe import entropy
from ..graphs.affinity import Affinity
from ..graphs.coassociation import coassociation
from ..labels.ensemble import Ensemble
from ..labels.ready import Ready
from ..labels.value import Viewable
from ..measures.silhouettes import consensus_silhouette
from ..result.consensus import Consensus
from .distribution import Distribution, Linked, linked

if TYPE_CHECKING:
    from ..plot.display import Display

_SAMPLE = 3000  # distinct label rows up to which every pair of objects is counted


@dataclass(frozen=True, eq=False)
class Panel:
    """The results for one k: its ensemble, tree, clusters and the distribution of its pairs."""

    ensemble: Ensemble
    linked: Linked
    labels: AnyArray
    distribution: Distribution
    silhouette: float

    @property
    def k(self) -> int:
        """Number of clusters found."""
        return int(self.labels.max(initial=-1)) + 1

    def item_consensus(self) -> FloatArray:
        """Mean S of every object with the other objects of every cluster, n × k. O(nBk)."""
        return Affinity(self.ensemble, self.labels, self.k).others(np.arange(len(self.labels)))

    def cluster_consensus(self) -> FloatArray:
        """Mean S within every cluster, NaN for a cluster of one. O(nB)."""
        return Affinity(self.ensemble, self.labels, self.k).within()


@dataclass(frozen=True, eq=False)
class Monti(Viewable):
    """Resampled ensembles for several k, and their statistics.

    Attributes
    ----------
    ks
        The numbers of clusters.
    panels
        The results for each k.
    bounds
        The bounds of PAC.
    sampled
        Number of objects whose pairs were counted and linked; None for all.
    """

    ks: tuple[int, ...]
    panels: Mapping[int, Panel]
    bounds: tuple[float, float]
    sampled: int | None

    def columns(self) -> dict[str, list[Any]]:
        """Return the statistics as columns, k first."""
        areas = [1.0 - self.panels[k].distribution.mean for k in self.ks]
        rises = [areas[0], *(b / a - 1.0 if a > 0 else 0.0 for a, b in pairwise(areas))]
        return {
            "k": list(self.ks),
            "pac": [self.panels[k].distribution.pac(*self.bounds) for k in self.ks],
            "area": areas,
            "delta": rises,
            "silhouette": [self.panels[k].silhouette for k in self.ks],
            "cophenetic": [self.panels[k].distribution.cophenetic for k in self.ks],
            "dispersion": [self.panels[k].distribution.dispersion for k in self.ks],
            "cluster_consensus": [_mean(self.panels[k].cluster_consensus()) for k in self.ks],
        }

    @property
    def table(self) -> Any:
        """The statistics as a frame, one row per k.

        `pac` is the share of pairs with low < S ≤ high, `area` is the area under the CDF (1 − mean S), `delta` is its
        relative increase over the previous k (the first is the area itself), `silhouette` is the silhouette on 1 − S,
        `cophenetic` is the correlation of 1 − S with the tree, `dispersion` is the mean of 4(S − ½)², and
        `cluster_consensus` is the mean S within clusters.
        """
        from ..export.frames import frame

        return frame(self.columns(), self.panels[self.ks[0]].ensemble._names.backend)

    def cdf(self, k: int) -> tuple[FloatArray, FloatArray]:
        """Return x and the share of pairs of objects with S ≤ x."""
        return self._at(k).distribution.cdf()

    def ensemble(self, k: int) -> Ensemble:
        """Return the resampled partitions into k clusters."""
        return self._at(k).ensemble

    def consensus(self, k: int) -> Consensus:
        """Return the k clusters of the average-linkage tree of S, with membership and confidence."""
        at = self._at(k)
        return conclude(at.ensemble, at.labels, at.linked)

    def item_consensus(self, k: int) -> FloatArray:
        """Return the mean S of every object with the other objects of every cluster, n × k."""
        return self._at(k).item_consensus()

    def cluster_consensus(self, k: int) -> FloatArray:
        """Return the mean S within every cluster, NaN for a cluster of one."""
        return self._at(k).cluster_consensus()

    def _at(self, k: int) -> Panel:
        k = as_int("k", k, 1)
        if k not in self.panels:
            raise InputError.about("k", k, f"one of {', '.join(map(str, self.ks))}")
        return self.panels[k]

    def plot(self, ax: Any = None, **style: Any) -> Display:
        """Draw the distributions, the increase of their area, PAC and silhouette; on given axes, only distributions."""
        from ..plot.choosing import monti_display

        return monti_display(self).plot(ax, **style)

    def __repr__(self) -> str:
        n = self.panels[self.ks[0]].ensemble
        found = self.columns()
        of = f"{self.sampled} random objects" if self.sampled else "all objects"
        lines = [
            f"Monti: {n.n_objects} objects, {n.n_partitions} resampled partitions for each k",
            f"  PAC between {self.bounds[0]:g} and {self.bounds[1]:g}; pairs of {of}",
            f"  {'k':<10} " + "  ".join(f"{k:>5}" for k in self.ks),
        ]
        lines += [
            f"  {name:<10} " + "  ".join(f"{value:5.3f}" for value in found[name]) for name in ("pac", "silhouette")
        ]
        return "\n".join(lines)


def monti(
    X: Any,
    ks: Iterable[int],
    *,
    n_partitions: int = 100,
    share: float = 0.8,
    base: Any = "kmeans",
    bounds: tuple[float, float] = (0.1, 0.9),
    sample: int = _SAMPLE,
    seed: Seed = None,
    n_jobs: int | None = None,
    progress: Progress = False,
    checkpoint: str | Path | None = None,
) -> Monti:
    """Cluster many subsamples for every k, and measure how clearly pairs of objects are together or apart.

    S_ij is the share of the partitions with both objects that put them together. If k fits the data, pairs are almost
    always or almost never together: the CDF of S is flat between `bounds`, and PAC is small.

    Parameters
    ----------
    X
        Features, objects in rows.
    ks
        Numbers of clusters.
    n_partitions, share, base
        The number of partitions for each k, the share of the objects in each subsample, and the clustering algorithm;
        see `generate`. Here ``"kmeans"`` starts from k-means++, since every run at a given number of clusters should be
        a good one.
    bounds
        Pairs with low < S ≤ high are ambiguous. PAC depends on these bounds, so report them with it.
    sample
        Maximum number of distinct label rows for which all pairs are used. Beyond that, a random sample of this many
        objects is used for the pairs and the tree (``m.sampled``), and the other objects join the most similar cluster.
    seed, n_jobs, progress
        As in `generate`; the progress covers the partitions of all k.
    checkpoint
        Finished partitions are saved in files with this name and an ending for each k; the same call resumes from them.

    Returns
    -------
    Monti
        ``m.table``, ``m.cdf(k)``, ``m.ensemble(k)``, ``m.consensus(k)``, item and cluster consensus.

    Notes
    -----
    The cost is that of the clusterings, plus O(m²B) for each k, with m objects in the tree (at most `sample`). For up
    to 3,000 objects, their pairs are kept while they are linked (8 m² bytes), never more. The linkage uses the plain
    mean of S. A low PAC alone does not show structure, and PAC falls with k if subsamples agree by chance; `choose_k`
    compares with reference data.

    References
    ----------
    Monti, Tamayo, Mesirov and Golub, Consensus clustering, 2003. Șenbabaoğlu, Michailidis and Li, Critical limitations
    of consensus clustering, 2014 (PAC).

    Examples
    --------
    >>> import numpy as np
    >>> import graphens as ge
    >>> X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat(
    ...     [[0], [9], [18]], 20, axis=0
    ... )
    >>> m = ge.monti(X, [2, 3, 4], n_partitions=20, seed=0)
    >>> m.consensus(3).sizes().tolist(), round(m.columns()["pac"][1], 2) < 0.35
    ([20, 20, 20], True)
    """
    wanted = check_ks(ks, 2)
    low, high = (number("bounds", bound) for bound in bounds)
    if not 0 <= low < high <= 1:
        raise InputError.about("bounds", bounds, "two shares, 0 ≤ low < high ≤ 1")
    limit = as_int("sample", sample, 2)
    root = None if seed is None else entropy(seed)
    panels = {}
    for done, k in enumerate(wanted):
        with step(done + 1, len(wanted)):
            e = generate(
                X,
                n_partitions,
                k=k,
                base=kmeans_plus_plus if isinstance(base, str) and base == "kmeans" else base,
                sampling="subsample",
                share=share,
                seed=child(root, k),
                n_jobs=n_jobs,
                progress=_part(progress, done, len(wanted)) if callable(progress) else progress,
                checkpoint=None if checkpoint is None else f"{checkpoint}.k{k}",
            )
            tree = linked(e, limit, child(root, 0))
            labels = tree.cut(k)
            panels[k] = Panel(e, tree, labels, tree.distribution, consensus_silhouette(labels, e))
    counted = [len(panel.linked.rows) for panel in panels.values() if panel.linked.sampled]
    return Monti(wanted, panels, (low, high), max(counted, default=None))


def kmeans_plus_plus(X: Any, k: int, seed: int) -> AnyArray:
    """One run of k-means from k-means++; a function, because copying an estimator would slow down short runs."""
    from sklearn.cluster import KMeans

    return np.asarray(KMeans(k, n_init=1, random_state=seed).fit(X).labels_)


def _part(report: Callable[[int, int], None], done: int, parts: int) -> Callable[[int, int], None]:
    """Report the progress of one of several equal parts as progress of the whole."""
    return lambda made, total: report(done * total + made, parts * total)


def conclude(e: Ensemble, labels: AnyArray, tree: Linked) -> Consensus:
    """Return the labels of a cut tree as a Consensus."""
    aside = Ready.of(e)
    outcome = Outcome(
        labels[aside.present],
        graph=coassociation(aside.ensemble),
        dendrogram=None if tree.sampled else tree.tree,
        details={"sampled": len(tree.rows)} if tree.sampled else {},
    )
    return to_consensus("dspa", aside, of_all_objects(outcome, aside), {"k": int(labels.max(initial=-1)) + 1})


def child(root: int | None, number: int) -> int | None:
    """A seed derived from a seed and a number, independent of which other numbers are used."""
    if root is None:
        return None
    return int(np.random.SeedSequence(root, spawn_key=(number,)).generate_state(1)[0])


def check_ks(ks: Iterable[int], lowest: int) -> tuple[int, ...]:
    """Return numbers of clusters, sorted and each once."""
    try:
        given = [ks] if isinstance(ks, (int, np.integer)) else list(ks)
    except TypeError:
        raise TypeMismatch.about("ks", ks, "numbers of clusters such as range(2, 9)") from None
    found = tuple(sorted({as_int("k", k, lowest) for k in given}))
    if not found:
        raise InputError("No k was given; expected numbers of clusters such as range(2, 9).")
    return found


def _mean(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else float("nan")
