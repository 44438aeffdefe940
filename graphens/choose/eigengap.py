"""The number of clusters by the relative eigengap of the walk between objects and base clusters."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import combinations, islice
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, LabelArray, Seed, draw, generator
from ..cutting.spectral import BipartiteCuts, Walk, transfer_spectrum, walk_of
from ..families.policy import POLICY
from ..generators.separation import separation
from ..graphs.bipartite import LabelBiadjacency
from ..graphs.coassociation import coassociation
from ..graphs.reliability import cluster_reliability, informative
from ..labels.ensemble import Ensemble
from ..labels.ready import Ready
from ..labels.value import remembered
from ..measures.agreement import ari, score
from ..measures.internal import internal
from ..measures.silhouettes import weighted_silhouette
from ..trees import link
from .choice import Choice

_SAMPLE = 4000  # objects that are looked at where there are more
_FEW = 1000  # objects of the single-link tree, and of the silhouette on features


class Candidates:
    """The numbers of clusters of an ensemble: the strength of each, and the cut of lwgp from one decomposition.

    λ₁ = 1 ≥ λ₂ ≥ … are the eigenvalues of D^-½ (Aᵀ D_X⁻¹ A) D^-½, where A is the incidence H, once unchanged and once
    with its columns weighted by reliability. 1 − λ is how fast a walk object → base cluster → object leaves a group,
    and g(k) = ln[(1 − λ_{k+1} + ε) / (1 − λ_k + ε)] with ε = 1/(4B) is the relative gap after k groups. Data along a
    line without clusters have 1 − λ_k ∝ (k − 1)², hence gaps l(k) = 2 ln(k / (k − 1)). The strength of k is
    max(g(k) / max(l(k), 1), g_reliable(k) / max(l(k), 0.75)).
    """

    #: partitions that agree with the others by more than chance, each once, and the objects that they label
    ensemble: Ensemble
    rows: AnyArray  #: the objects of the given ensemble that are cut: those, or a sample of 4,000
    sample: Ensemble  #: the ensemble of these objects
    most: int  #: the largest number that is considered: that of a partition, at most 35
    seed: Seed
    n_objects: int
    slack: float

    def __init__(self, e: Ensemble, seed: Seed = 0) -> None:
        self.seed, self.n_objects = seed, e.n_objects
        worth_asking = (e.weights > 0) & informative(e)
        e = e.take(partitions=worth_asking)
        self.rows = np.flatnonzero(e.present)
        e = e.take(objects=e.present)
        self.slack = 1.0 / (4.0 * e.n_partitions)  # by all partitions, also where equal ones are counted once
        self.ensemble = self.sample = Ready(e, e.present).distinct_partitions
        self.most = min(int(e.n_clusters.max()), POLICY.largest_k, e.n_objects - 1)
        if e.n_objects > _SAMPLE:
            drawn = draw(e.n_objects, _SAMPLE, seed)
            self.rows = self.rows[drawn]
            self.sample = self.ensemble._replace(
                codes=np.ascontiguousarray(self.ensemble.codes[:, drawn]),  # clusters keep their numbers
                object_weights=e.object_weights[drawn],
                _names=self.ensemble._names.take(drawn),
                memberships=None,
            )
        self._labels: dict[int, LabelArray] = {}

    @remembered
    def reliability(self) -> FloatArray:
        """The reliability of every cluster."""
        return cluster_reliability(self.ensemble)

    def _biadjacency(self, e: Ensemble) -> LabelBiadjacency:
        return LabelBiadjacency(e, np.repeat(e.weights, e.n_clusters) * self.reliability)

    @remembered
    def walk(self) -> Walk:
        """The walk of lwgp."""
        return walk_of(self._biadjacency(self.ensemble))

    @remembered
    def strengths(self) -> dict[int, float]:
        """The strength of every k from 2 on."""
        if self.most < 2:
            return {}
        size = np.arange(2, self.most + 1)
        line = 2 * np.log(size / (size - 1))
        reliable = self._gaps(self.walk.values(self.most + 1)) / np.maximum(line, POLICY.reliable_gap)
        plain = self._gaps(transfer_spectrum(self.ensemble, self.most + 1)) / np.maximum(line, POLICY.plain_gap)
        return dict(zip(size.tolist(), np.maximum(plain, reliable).tolist(), strict=True))

    def _gaps(self, values: FloatArray) -> FloatArray:
        """g(2), …, g(most)."""
        values = np.clip(np.append(values, np.zeros(max(self.most + 1 - len(values), 0))), 0.0, 1.0)
        leaving = np.log(1.0 - values + self.slack)
        return leaving[2:] - leaving[1:-1]

    @remembered
    def _cuts(self) -> BipartiteCuts:
        return BipartiteCuts(self._biadjacency(self.sample), self.most, self.walk)

    def labels(self, k: int) -> LabelArray:
        """Return the clusters of the sample by lwgp."""
        if k not in self._labels:
            self._labels[k] = self._cuts.cut(k, 0, POLICY.restarts)
        return self._labels[k]

    def is_fair(self, k: int) -> bool:
        """Whether no cluster is smaller than a tenth of the mean size."""
        sizes = np.bincount(self.labels(k), weights=self.sample.object_weights)
        return bool(sizes.min() >= POLICY.small * sizes.sum() / k)

    def silhouette(self, k: int) -> float:
        """Return the reliable silhouette of the clusters."""
        return weighted_silhouette(self.labels(k), self.sample, self.reliability)

    def fit(self, k: int) -> float:
        """Return how well the clusters fit the partitions: ANMI × reliable silhouette."""
        return score(self.labels(k), self.sample) * max(self.silhouette(k), 0.0)

    def lifetimes(self, seed: Seed) -> dict[int, float]:
        """Return the lifetimes in the single-link tree of at most 1,000 objects."""
        few = some_objects(self.sample, seed, _FEW)[0]
        return link(coassociation(few), "single").lifetimes()

    @remembered
    def _halves(self) -> list[tuple[Candidates, Candidates]]:
        """Three random divisions of the partitions into halves."""
        rng, b = generator(self.seed), self.sample.n_partitions
        orders = [rng.permutation(b) for _ in range(3)]
        parts = [(np.sort(order[: b // 2]), np.sort(order[b // 2 :])) for order in orders]
        return [
            (Candidates(self.sample.take(partitions=one)), Candidates(self.sample.take(partitions=other)))
            for one, other in parts
        ]

    def halves_agree(self, k: int) -> float:
        """Return how far the clusters of one half of the partitions agree with those of the other (mean ARI)."""
        return float(np.mean([ari(one._all_labels(k), other._all_labels(k)) for one, other in self._halves]))

    def _all_labels(self, k: int) -> LabelArray:
        """The clusters of all objects of the given ensemble, −1 without a label."""
        labels = np.full(self.n_objects, -1, dtype=np.int32)
        if self.most >= 2:
            labels[self.rows] = self.labels(min(k, self.most))
        return labels

    def levels(self, ks: Collection[int], clear: int | None) -> tuple[int, ...]:
        """Return the numbers, ascending, that are clear or reproduced by halves of the partitions, if clusters nest.

        Numbers count if their strength is above 0.5 and above that of their neighbors; the clear one in any case.
        """
        s = self.strengths
        peaks = {k for k in ks if s[k] > max(POLICY.level, s.get(k - 1, 0.0), s.get(k + 1, 0.0))}
        order = sorted(peaks | ({clear} if clear else set()))
        nests = {(a, b) for a, b in combinations(order, 2) if _nested(self.labels(a), self.labels(b))}
        levels: list[int] = []
        for k in order:
            # Halves cost the most, so they are tried only for numbers that nest.
            nested = any(k in pair and clear in (None, *pair) for pair in nests)
            if k == clear or (nested and (s[k] > 1 or self.halves_agree(k) >= POLICY.halves)):
                levels += [k] if not levels or (levels[-1], k) in nests else []
        return tuple(levels)


def eigengap(
    e: Ensemble, seed: Seed = 0, ks: Collection[int] | None = None, *, X: Any = None, parameter: str = "k"
) -> Choice:
    """Choose the number of clusters by the relative eigengap; if none is clear, by what fits best.

    1. Numbers whose clusters by lwgp include one below a tenth of the mean size are skipped. The five strongest of the
       others are the candidates (or the five strongest of all, if none is left).
    2. If the strongest is below 1.2, the longest single-link lifetime of at least 0.25 decides, because elongated
       clusters have weak gaps. Otherwise, or if there is none, the strongest decides if it is above 1: clear.
    3. Otherwise it is ambiguous: the candidate with the largest ANMI × reliable silhouette, or silhouette on the
       features, is chosen, and the smallest one within 5 %.
    4. There is only one cluster if that silhouette is below 0.7 and the consensus of two halves of the partitions agree
       with an adjusted Rand index below 0.8, or, with fewer than ten partitions, if it is below 0.5. If the
       `separation` of the data is known, it decides instead: below 0.3 only a strength above 1.2 is trusted.

    `ks` are numbers to choose from, besides 1; X has features of the objects, if known; `parameter` is what the reader
    sets the number with.
    """
    gaps = e._separation if X is None else separation(X, 0)
    return _choose(Candidates(e, seed), gaps, ks, X, parameter)


def stable_level(e: Ensemble, seed: Seed = 0) -> Choice:
    """Choose as `eigengap` does, but if clusters nest, the number from the first to the last level that fits best.

    Clusterings at several resolutions support several numbers of clusters. The strongest is often that of most columns,
    which says more about the resolutions that were tried than about the objects.
    """
    several = Candidates(e, seed)
    choice = _choose(several, e._separation)
    if len(choice.levels) > 1:
        ks = range(choice.levels[0], choice.levels[-1] + 1)
        fit = {k: several.fit(k) for k in ks if k in choice.levels or several.is_fair(k)}
        k = max(fit, key=lambda k: (fit[k], -k))
        levels = tuple(sorted({k, *choice.levels}))
        nested = f"{', '.join(map(str, levels[:-1]))} and {levels[-1]}"
        why = f"There are stable levels of {nested} clusters; {k} clusters fit all columns best."
        others, figures = tuple(level for level in levels if level != k), {**choice.figures, "fit": fit}
        choice = replace(choice, k=k, why=why, figures=figures, levels=levels, optional=others)
    return replace(choice, rule="eigengap", curves={"eigengap": choice.figures.get("strengths", {})})


def _choose(
    several: Candidates, gaps: float | None, ks: Collection[int] | None = None, X: Any = None, parameter: str = "k"
) -> Choice:
    """The number of clusters by the four rules of `eigengap`."""
    strength = dict(within(several.strengths, ks))
    figures: dict[str, Any] = {"strengths": strength}
    if not strength:
        return Choice(1, "No clustering has enough clusters to choose a number from.", figures, "eigengap")
    order = sorted(strength, key=lambda k: -strength[k])
    best = list(islice(filter(several.is_fair, order), POLICY.candidates)) or order[: POLICY.candidates]
    figures |= {} if gaps is None else {"separation": gaps}
    cloud = gaps is not None and gaps < POLICY.gaps
    first = best[0]
    if strength[first] < POLICY.clear_gap and not cloud:
        lives = several.lifetimes(several.seed)
        long = sorted((k for k in strength if lives.get(k, 0.0) >= POLICY.long_life), key=lambda k: -lives[k])
        k = next((k for k in long if several.is_fair(k)), None)
        if k is not None:
            figures["lifetime"] = lives[k]
            why = f"lifetime {lives[k]:.2f} in the single-linkage dendrogram; {POLICY.long_life:g} is clear"
            return _clear(k, why, best, several, figures)
    if strength[first] > (POLICY.clear_gap if cloud else 1.0):
        why = f"strength {strength[first]:.2f}; above 1 is clear"
        return _clear(first, why, best, several, figures)
    fit = {k: several.fit(k) if X is None or cloud else _silhouette(X, several, k) for k in best}
    figures["fit"] = fit
    ranked = sorted(best, key=lambda k: (-fit[k], k))
    k = min(k for k in best if fit[k] >= POLICY.near * fit[ranked[0]])
    others = tuple(o for o in ranked if o != k)
    nothing = _no_groups(several, k, gaps, figures)
    if nothing:
        why = f"{nothing}, set {parameter}, for example {k}."
        return Choice(1, why, figures, "eigengap", optional=(k, *others), kind="none")
    too = _list(others[:2])
    if X is None:
        why = f"No number of clusters stands out. {k} fits your clusterings best{too}"
    else:
        why = f"There are groups, but their number is not clear: {k} separates the data best{too}"
    why += f". Set {parameter} if you know how many you need."
    levels = several.levels(best, None)
    return Choice(k, why, figures, "eigengap", optional=others, kind="ambiguous", levels=levels)


def _no_groups(several: Candidates, k: int, gaps: float | None, figures: dict[str, Any]) -> str:
    """Why there is only one cluster, as the beginning of a sentence; nothing if there are several."""
    if gaps is not None:
        return (
            "The data look like one cloud: neighbors are connected as in random data of the same spread. "
            "So there is one cluster; to divide it anyway"
            if gaps < POLICY.gaps
            else ""
        )
    clear, few = several.silhouette(k), several.sample.n_partitions < POLICY.few_partitions
    figures["silhouette"] = clear
    if clear >= (POLICY.silhouette_of_few if few else POLICY.silhouette):
        return ""
    if few:
        reason = f"hardly any object is clearly in a single group (silhouette {clear:.2f})"
    else:
        figures["halves"] = same = several.halves_agree(k)
        if same >= POLICY.halves:
            return ""
        reason = f"two halves of them give different groups (agreement {same:.2f})"
    one = "All objects are in one cluster; to divide them anyway"
    return f"Your clusterings do not agree on any groups: {reason}. {one}"


def _clear(k: int, why: str, best: list[int], several: Candidates, figures: dict[str, Any]) -> Choice:
    """A clear number, with the other candidates and the levels at which the clusters nest."""
    others = tuple(other for other in best if other != k)
    next_best = f" Next best: {others[0]}." if others else ""
    why, levels = f"{k} clusters, clearly supported ({why}).{next_best}", several.levels(best, k)
    return Choice(k, why, figures, "eigengap", optional=others, kind="clear", levels=levels)


def _nested(coarse: LabelArray, fine: LabelArray) -> bool:
    """Whether almost every object is in the coarse cluster that has most of its fine one."""
    table = np.zeros((int(fine.max()) + 1, int(coarse.max()) + 1))
    np.add.at(table, (fine, coarse), 1.0)
    return bool(table.max(axis=1).sum() >= POLICY.same * table.sum())


def _silhouette(X: Any, several: Candidates, k: int) -> float:
    """The silhouette of the clusters on the features of at most 1,000 objects."""
    rows, labels = several.rows, several.labels(k)
    if len(rows) > _FEW:
        drawn = draw(len(rows), _FEW, 0)
        rows, labels = rows[drawn], labels[drawn]
    points = X[rows]
    value = internal(points.toarray() if hasattr(points, "toarray") else points, labels, "silhouette")
    return value if np.isfinite(value) else -1.0


def _list(ks: tuple[int, ...]) -> str:
    """Other candidates as the end of a sentence."""
    names = " and ".join(str(k) for k in sorted(ks))
    return f"; {names} {'are' if len(ks) > 1 else 'is'} possible too" if ks else ""


def within(curve: dict[int, float], ks: Collection[int] | None) -> dict[int, float]:
    """Keep the numbers of clusters that may be chosen."""
    return curve if ks is None else {k: value for k, value in curve.items() if k in ks}


def some_objects(e: Ensemble, rng: Seed, most: int = _SAMPLE) -> tuple[Ensemble, str]:
    """Return all objects, or a random sample if there are more than `most`, and a phrase for them."""
    if e.n_objects <= most:
        return e, "all objects"
    return e.take(objects=draw(e.n_objects, most, rng)), f"a sample of {most} objects"
