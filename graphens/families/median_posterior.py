"""The partition with the smallest mean loss over many draws: the point estimate of Bayesian clustering."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._lib.arrays import (
    MISSING,
    AnyArray,
    FloatArray,
    IntArray,
    LabelArray,
    Seed,
    as_int,
    canonical,
    generator,
    narrowest,
)
from .._lib.memory import budget, require
from .._lib.threads import map_threads, thread_number
from ..errors import Interrupted
from ..graphs.coassociation import CoassociationGraph, coassociation
from ..labels.ensemble import Ensemble
from ..labels.ready import Ready
from ..labels.value import remembered
from ..measures.losses import Loss, chain_losses, find_loss
from ..result.consensus import OVERLAPS
from ..trees import link
from .contract import consensus_function
from .move_counts import base_clusters
from .outcome import Outcome

if TYPE_CHECKING:
    from ..kernels.allocation import Draws, Tables


_TREE = 3000  # objects up to which average link is one of the starts
_LEVELS = 5  # numbers of clusters that the search goes on with
_DRAWS = 400, 1000  # in a sample, at least and at most
_SAMPLES = 3  # that are searched where there are more draws
_FINAL = 5  # estimates that all draws decide between
_ROUNDS = 8  # of going on
_MORE = 4  # times as many starts and steps for few objects


@consensus_function(
    family="median partition",
    graph=f"{OVERLAPS}; co-association for Binder's loss",
    needs_k=False,
    missing="the loss of a draw counts only the objects it has",
    cost="O(ñkB) per sweep, for Binder's loss up to 2,000 rows O(ñ²B), then O(ñk)",
    reference="Wade and Ghahramani 2018; Dahl, Johnson and Müller 2022",
    draws=True,
)
def median(
    e: Ensemble,
    k: int | None = None,
    *,
    loss: str = "vi",
    a: float = 1.0,
    max_k: int | None = None,
    n_init: int = 16,
    n_jobs: int | None = None,
    seed: Seed = None,
) -> Outcome:
    """Find the partition with the smallest expected loss, for partitions that are draws from a posterior.

    With p, q, r the shares of objects in the clusters of a draw, of the estimate and in both, H their entropies to base
    2 and I = H(draw) + H(estimate) − H(both): ``"vi"`` a Σ p log p + b Σ q log q − 2 Σ r log r, the variation of
    information for a = b = 1; ``"binder"`` a Σ p² + b Σ q² − 2 Σ r²; ``"omari"`` 1 − adjusted Rand index; ``"nvi"``
    1 − I / H(both); ``"id"`` max H − I; ``"nid"`` 1 − I / max H.

    Parameters
    ----------
    k
        Number of clusters; by default, the number with the smallest loss.
    loss
        The loss to minimize.
    a
        For ``"vi"`` and ``"binder"``: the weight, between 0 and 2, of separating objects that belong together;
        b = 2 − a is the weight of joining objects that do not. Less than 1 gives more clusters.
    max_k
        Maximum number of clusters; by default, as many as the memory budget allows.
    n_init
        Number of starts, and of steps in every later round; four times as many for up to 15 objects.
    n_jobs
        Number of threads, −1 for one per core; 1 by default. The result does not depend on it.

    Returns
    -------
    Consensus
        ``details``: "expected_loss"; "starts", the number of starts; "from", the source of the best estimate: a start,
        merges, a tree or a step of a later round; with several chains of draws, "chains", the mean loss between draws
        of each two chains (on the diagonal, of one chain).

    Notes
    -----
    Each start places the objects one after another in random order, each in the existing or new cluster with the
    smallest loss, and then moves single objects until nothing changes. From the best start, clusters are merged one by
    one. Then, starting from the best estimates with several numbers of clusters, one to three clusters are dissolved
    and their objects placed again, as long as that helps; with up to 15 objects, half of these steps instead place a
    few objects of any cluster again. Average linkage of the co-association is one of the starts. With more than 400
    draws, the search uses three samples of them, and the best estimates are then improved with all draws. Objects with
    the same labels everywhere move together, and equal draws are combined into one with their total weight. An
    interrupt raises an error that reports the best loss so far and has its `labels`.

    Examples
    --------
    >>> import graphens as ge
    >>> draws = [[0, 0, 1, 1, 1], [0, 0, 1, 1, 2], [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]]
    >>> r = ge.median(ge.Ensemble.from_partitions(draws), loss="vi", seed=0)
    >>> r.labels.tolist(), round(r.details["expected_loss"], 4)
    ([0, 0, 1, 1, 1], 0.4132)
    """
    # Chains are compared by all their draws: a chain that is stuck has only equal ones.
    between = chain_losses(e, loss, a)
    e = Ready(e, e.present).distinct_partitions
    micro, index = e.collapse()
    posterior = Posterior.of(micro, loss, a)
    most = posterior.limit if max_k is None else as_int("max_k", max_k, 1 if k is None else k)
    bounds = (1, most) if k is None else (min(k, micro.n_objects),) * 2
    search = MedianSearch(posterior, bounds, generator(seed), n_jobs)
    try:
        search.run(n_init)
    except KeyboardInterrupt as stop:
        raise search.interrupted(index) from stop
    best = search.found.best()[0]
    details: dict[str, Any] = {"expected_loss": best.loss, "starts": n_init, "from": best.origin}
    if between is not None:
        details["chains"] = between
    graph = coassociation(e) if posterior.loss.name == "binder" else None
    return Outcome(best.estimate.labels[index], graph=graph, details=details)


class MedianSearch:
    """A search for the median partition: starts, merges from the best start, and rounds that dissolve clusters."""

    posterior: Posterior
    bounds: tuple[int, int]
    rng: np.random.Generator
    threads: int
    found: Found

    def __init__(
        self, posterior: Posterior, bounds: tuple[int, int], rng: np.random.Generator, n_jobs: int | None
    ) -> None:
        self.posterior, self.bounds, self.rng = posterior, bounds, rng
        self.threads = thread_number(n_jobs)
        self.found = Found()
        self.kept: dict[bytes, Best] = {}  # the best with samples of the draws, and their loss with all

    def run(self, n_init: int) -> None:
        """Search with all draws or, if there are many, with several samples of them, and then from the best."""
        every, count = self.posterior, self.posterior.ensemble.n_partitions
        n_init *= _MORE if every.ensemble.n_objects <= FEW else 1
        if count <= _DRAWS[0] or every.draws.pairs.size:
            self._search(n_init, n_init)
            return
        size = min(max(count // 4, _DRAWS[0]), _DRAWS[1])
        for _ in range(_SAMPLES):
            self.posterior = every.some(np.sort(self.rng.choice(count, size, replace=False)))
            self.found = Found()
            self._search(n_init, -(-3 * n_init // 4))
            for level in self.found.best(_LEVELS):
                labels = level.estimate.labels
                again = Estimate(every, labels, *self.bounds)
                self.kept.setdefault(labels.tobytes(), Best(again.loss, again, level.origin))
        self.posterior, self.found = every, Found()
        for best in sorted(self.kept.values(), key=lambda one: one.loss)[:_FINAL]:
            self.found.add(best.estimate.improve(self.rng), best.origin)
        self._all(self._trees(), "tree")
        self._shake(-(-n_init // 4), "last step")

    def _search(self, n_init: int, starts: int) -> None:
        """Make some starts, merge clusters from the best one, and go on in rounds while that helps."""
        self._all((self._trees() + [self._random] * starts)[:starts], "start")
        self._down(self.found.best()[0].estimate)
        for turn in range(_ROUNDS):
            best = self.found.best(_LEVELS)
            self._shake(n_init, f"round {turn + 1}, step")
            if [level.loss for level in self.found.best(_LEVELS)] == [level.loss for level in best]:
                break

    def _shake(self, steps: int, what: str) -> None:
        best = self.found.best(_LEVELS)
        self._all([best[i % len(best)].estimate.shaken for i in range(steps)], what)

    def _all(self, jobs: Sequence[Callable[[np.random.Generator], Estimate]], what: str) -> None:
        """Do every job with its own random generator, in threads; after an interrupt, finished jobs are kept."""
        rngs = self.rng.spawn(len(jobs))
        done: dict[int, Estimate] = {}

        def work(i: int) -> None:
            done[i] = jobs[i](rngs[i])

        try:
            map_threads(work, range(len(jobs)), f"searching for the median: {what}s", threads=self.threads)
        finally:
            for i in sorted(done):
                self.found.add(done[i], f"{what} {i + 1}")

    def _estimate(self, labels: AnyArray) -> Estimate:
        return Estimate(self.posterior, labels, *self.bounds)

    def _random(self, rng: np.random.Generator) -> Estimate:
        """Place all objects in random order, with the number of clusters of some draw, or with any number."""
        e = self.posterior.ensemble
        most = int(rng.choice(e.n_clusters)) if rng.random() < 0.5 else self.bounds[1]
        return self._estimate(np.full(e.n_objects, MISSING)).improve(rng, most)

    def _trees(self) -> list[Callable[[np.random.Generator], Estimate]]:
        return [self._tree] * (self.posterior.ensemble.n_objects <= _TREE)

    def _tree(self, rng: np.random.Generator) -> Estimate:
        """Cut the average-link tree where the loss is smallest."""
        e = self.posterior.ensemble
        tree = link(coassociation(e), "average")
        most = max(self.bounds[0], min(self.bounds[1], int(e.n_clusters.max())))
        cuts = [self._estimate(tree.cut(k)) for k in range(self.bounds[0], most + 1)]
        return min(cuts, key=lambda cut: cut.loss).improve(rng)

    def _down(self, best: Estimate) -> None:
        """Merge two clusters at a time, and improve every result by single moves."""
        step: Estimate | None = best
        while step is not None and len(step.clusters) > self.bounds[0]:
            step = step.merged()
            if step is not None:
                self.found.add(step.improve(self.rng, len(step.clusters)), "merges")

    def interrupted(self, index: AnyArray) -> Interrupted:
        """Return the error of an interrupt, with the best labels so far."""
        if not self.kept and not self.found.levels:
            return Interrupted("The search for the median was interrupted before its first start was done.")
        best = min(self.kept.values(), key=lambda one: one.loss) if self.kept else self.found.best()[0]
        return Interrupted(
            f"The search for the median was interrupted. The best partition so far ({best.origin}) has "
            f"{len(best.estimate.clusters)} clusters and an expected {self.posterior.loss.name} loss of "
            f"{best.loss:.6g}; it is in this error's `labels`.",
            labels=best.estimate.labels[index],
        )


TIE = 1e-12  # expected losses closer than this are equal
_PAIRS = 2000  # objects up to which Binder's loss is worked out from all pairs of them
_MERGES = 10_000_000  # cells that one step down may look at
FEW = 15  # objects up to which single ones are worth placing anew
_SWEEPS = 100  # after which nothing moves any more, or only back and forth


@dataclass(frozen=True, eq=False)
class Posterior:
    """Draws prepared for one loss."""

    ensemble: Ensemble  #: the draws; objects with the same labels everywhere are one
    loss: Loss
    a: float  #: the weight of separating objects that belong together
    shares: FloatArray  #: the weight of each draw; they sum to 1
    draws: Draws  #: the same as arrays for the kernels
    parts: FloatArray  #: P of every draw
    totals: FloatArray  #: n of every draw
    base: float = 0.0  #: expected Binder loss of clusters of one object, if the kernels work on pairs of objects

    @classmethod
    def of(cls, e: Ensemble, loss: str, a: float) -> Posterior:
        """Prepare the draws of an ensemble. O(nB), and O(n²B) for Binder's loss of few objects."""
        from ..kernels.allocation import ADDITIVE, LOSS_NUMBERS, Draws

        chosen, a = find_loss(loss, a)
        rows, masses, empty = base_clusters(e), e.object_weights, np.empty(0)
        inside, sizes = rows >= 0, e.cluster_sizes()
        owner = np.repeat(np.arange(e.n_partitions, dtype=np.int32), e.n_clusters)
        totals = np.bincount(owner, weights=sizes, minlength=e.n_partitions)
        parts = np.bincount(owner, weights=chosen.phi(sizes), minlength=e.n_partitions)
        shares = e.weights * (totals > 0) / (e.weights @ (totals > 0))
        whole = bool((masses == np.rint(masses)).all())
        number, form, power = LOSS_NUMBERS[chosen.name]
        weights = shares / np.maximum(totals, 1e-300) ** power if number == ADDITIVE else shares
        alone = (weights @ inside.T) * -a * chosen.phi(masses) if number == ADDITIVE else empty
        phi = chosen.phi(np.arange(masses.sum() + 1.0)) if whole else empty
        counts = masses.astype(np.int64) if whole else masses
        draws = Draws(rows, weights, counts, owner, phi, form, alone, np.empty((0, 0)))
        posterior = cls(e, chosen, a, shares, draws, parts.astype(float), totals.astype(float))
        return posterior._in_pairs() if chosen.name == "binder" and posterior._few() else posterior

    def _few(self) -> bool:
        e = self.ensemble
        return e.n_objects <= _PAIRS and not e.has_missing and 64 * e.n_objects**2 < budget()

    def _in_pairs(self) -> Posterior:
        """The same from the n × n co-association alone."""
        from ..kernels.similarity import similarity_block

        e, d = self.ensemble, self.draws
        n = e.n_objects
        similarity = similarity_block(CoassociationGraph(e)._evidence, 0, n)
        pairs = 2 * d.weights.sum() * np.outer(e.object_weights, e.object_weights)
        pairs *= 2 - self.a - 2 * similarity
        np.fill_diagonal(pairs, 0.0)
        base = float(d.weights @ self.parts * self.a + d.alone.sum())
        none: dict[str, Any] = {"rows": d.rows[:, :0], "weights": d.weights[:0], "owner": d.owner[:0]}
        return replace(self, draws=d._replace(alone=np.zeros(n), pairs=pairs, **none), base=base)

    def some(self, draws: AnyArray) -> Posterior:
        """Return the same for some of the draws."""
        return Posterior.of(self.ensemble.take(partitions=draws), self.loss.name, self.a)

    @remembered
    def limit(self) -> int:
        """Maximum number of clusters within the memory budget."""
        e = self.ensemble
        each = self.draws.owner.size * self._kind.itemsize + 12 * e.n_objects + 8 * e.n_partitions
        most = int(budget() / 4 / each)
        if most < 2:
            require(16.0 * each, "The count tables of the search", "Use fewer draws")
        return min(most, e.n_objects)

    @property
    def _kind(self) -> np.dtype[Any]:
        d = self.draws
        return narrowest(int(d.phi.size)) if d.phi.size else np.dtype(np.float64)

    def tables(self, labels: AnyArray, slots: int) -> Tables:
        """Return the count tables of a labeling with room for some clusters."""
        from ..kernels.allocation import Tables, count, sum_cells

        d, e = self.draws, self.ensemble
        lines = e.n_partitions if e.has_missing and d.owner.size else 1
        tables = Tables(
            np.zeros((slots, d.owner.size), dtype=self._kind),
            labels.astype(np.int32),
            np.zeros(slots, dtype=np.int32),
            np.zeros((slots, lines), dtype=d.masses.dtype),
            np.zeros(d.weights.size),
            np.zeros(lines),
            np.zeros(d.owner.size, dtype=d.masses.dtype),
            np.zeros(d.weights.size),
            np.zeros(d.weights.size),
            np.zeros((e.n_objects, slots)),
            np.full((e.n_objects, slots), -1, dtype=np.int32),
            np.zeros(slots, dtype=np.int32),
        )
        count(d, tables)
        if self.loss.name not in ("vi", "binder"):  # sums over clusters need no J
            sum_cells(d, tables)
        return tables

    def expected(self, tables: Tables, cells: FloatArray | None = None, lines: FloatArray | None = None) -> float:
        """Return the expected loss of counted labels, or of other sums J and Q than theirs."""
        from ..kernels.allocation import sum_cells

        d = self.draws
        if d.pairs.size:
            inside = tables.costs[np.arange(len(tables.labels)), tables.labels]
            return float(self.base + inside.sum() / 2)
        if cells is None or lines is None:
            sum_cells(d, tables)
            cells, lines = tables.cells, tables.lines
        return float(self.shares @ self.loss(self.parts, lines, cells, self.totals, self.a))


class Estimate:
    """A labeling that the search improves, between `least` and `most` clusters."""

    least: int
    most: int
    number: int
    tables: Tables

    def __init__(self, posterior: Posterior, labels: AnyArray, least: int, most: int) -> None:
        from ..kernels.allocation import LOSS_NUMBERS

        self.posterior = posterior
        self.least, self.most = least, min(most, posterior.limit)
        self.number = LOSS_NUMBERS[posterior.loss.name][0]
        used = int(labels.max(initial=-1)) + 1
        self.tables = posterior.tables(labels, min(self.most, max(2 * used, 8)))

    def copy(self) -> Estimate:
        """Return a copy that can be changed."""
        other = object.__new__(Estimate)
        vars(other).update(vars(self))
        other.tables = type(self.tables)(*(part.copy() for part in self.tables))
        return other

    @property
    def labels(self) -> LabelArray:
        """The labeling."""
        return canonical(self.tables.labels)

    @property
    def loss(self) -> float:
        """Its expected loss."""
        return self.posterior.expected(self.tables)

    @property
    def clusters(self) -> IntArray:
        """The slots that hold objects."""
        return np.flatnonzero(self.tables.sizes)

    def place(self, order: AnyArray) -> int:
        """Place objects in this order, each where it costs least; return how many moved."""
        from ..kernels.allocation import allocate

        moves, place, b = 0, 0, 2.0 - self.posterior.a
        while True:
            moved, place = allocate(
                self.posterior.draws, self.tables, order, place, self.number, b, self.least, self.most
            )
            moves += moved
            if place == len(order):
                break
            self._widen()
        self._part()
        return moves

    def _widen(self) -> None:
        slots = min(self.most, 2 * self.tables.sizes.size)
        self.tables = self.posterior.tables(self.tables.labels, slots)

    def _part(self) -> None:
        """Give single objects their own clusters while there are fewer clusters than required."""
        from ..kernels.allocation import part

        while self.least > 1 and len(self.clusters) < self.least:
            if self.tables.sizes.all():
                self._widen()
            free = int(np.argmin(self.tables.sizes))
            part(self.posterior.draws, self.tables, self.number, 2.0 - self.posterior.a, free)

    def improve(self, rng: np.random.Generator, most: int | None = None) -> Estimate:
        """Move objects one by one until nothing moves, with at most a given number of clusters."""
        free, n = self.most, len(self.tables.labels)
        self.most = free if most is None else min(max(most, self.least), free)
        for _ in range(_SWEEPS):
            if not self.place(rng.permutation(n)):
                break
        self.most = free
        return self

    def shaken(self, rng: np.random.Generator) -> Estimate:
        """Return another estimate, in which some objects are placed again, in about as many clusters."""
        from ..kernels.allocation import release

        other, clusters = self.copy(), self.clusters
        members = self._some(rng)
        release(self.posterior.draws, other.tables, members, self.number)
        most = len(clusters) + int(rng.integers(-1, 2))
        other.most = min(max(most, self.least, 1), self.most)
        other.place(members)
        other.most = self.most
        return other.improve(rng, most)

    def _some(self, rng: np.random.Generator) -> IntArray:
        """The objects of one to three clusters; with few objects, every other time any two or more objects."""
        labels, clusters = self.tables.labels, self.clusters
        n = len(labels)
        if 2 < n <= FEW and rng.random() < 0.5:
            return rng.choice(n, int(rng.integers(2, max(3, n // 3) + 1)), replace=False)
        gone = rng.choice(clusters, min(len(clusters), int(rng.integers(1, 4))), replace=False)
        dissolved = np.zeros(len(self.tables.sizes), dtype=bool)
        dissolved[gone] = True
        return rng.permutation(np.flatnonzero(dissolved[labels]))

    def merged(self) -> Estimate | None:
        """Return the estimate with the two clusters merged that lose least; None if there are too many clusters."""
        clusters = self.clusters
        first, second = np.triu_indices(len(clusters), 1)
        cells = self.posterior.draws.owner.size or len(self.tables.labels)
        if not first.size or len(first) * cells > _MERGES:
            return None
        self.posterior.expected(self.tables)  # brings the sums up to date
        if self.posterior.draws.pairs.size:
            order = np.argsort(self.tables.labels, kind="stable")
            begins = np.searchsorted(self.tables.labels[order], clusters)
            losses = np.add.reduceat(self.tables.costs[order], begins)[:, clusters][first, second]
        else:
            losses = np.array([self._join(*pair) for pair in clusters[np.stack([first, second], 1)]])
        best = int(np.argmin(losses))
        i, j = clusters[first[best]], clusters[second[best]]
        labels = canonical(np.where(self.tables.labels == j, i, self.tables.labels))
        return Estimate(self.posterior, labels, self.least, self.most)

    def _join(self, i: int, j: int) -> float:
        """The loss after merging two clusters."""
        from ..kernels.allocation import sum_joined

        p, t = self.posterior, self.tables
        cells, phi = t.cells.copy(), p.loss.phi
        sum_joined(p.draws, t, i, j, cells)
        lines = t.lines + phi(t.seen[i] + t.seen[j]) - phi(t.seen[i]) - phi(t.seen[j])
        return p.expected(t, cells, lines)


class Best(NamedTuple):
    """An estimate with its expected loss and its origin."""

    loss: float
    estimate: Estimate
    origin: str


class Found:
    """The best estimate so far for every number of clusters."""

    def __init__(self) -> None:
        self.levels: dict[int, Best] = {}

    def add(self, estimate: Estimate, origin: str) -> None:
        """Keep an estimate if it is the best with its number of clusters."""
        k, loss = len(estimate.clusters), estimate.loss
        if k not in self.levels or loss < self.levels[k].loss - TIE:
            self.levels[k] = Best(loss, estimate, origin)

    def best(self, count: int = 1) -> list[Best]:
        """Return the best estimates of different numbers of clusters; in a tie, the one with fewer clusters first."""
        order = sorted(self.levels, key=lambda k: (round(self.levels[k].loss, 11), k))
        return [self.levels[k] for k in order[:count]]
