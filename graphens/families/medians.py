"""The search for a median partition: objects are placed one by one and moved; clusters are dissolved and merged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, canonical, narrowest
from .._lib.memory import budget, require
from ..graphs.coassociation import CoassociationGraph
from ..labels.ensemble import Ensemble
from ..measures.losses import Loss, find_loss
from .move_counts import base_clusters

if TYPE_CHECKING:
    from ..kernels.allocation import Draws, Tables

TIE = 1e-12  # expected losses closer than this are equal
_PAIRS = 2000  # objects up to which Binder's loss is worked out from all pairs of them
_MERGES = 10_000_000  # cells that one step down may look at
FEW = 15  # objects up to which single ones are worth placing anew
_SWEEPS = 100  # after which nothing moves any more, or only back and forth


@dataclass(frozen=True, eq=False)
class Posterior:
    """Draws prepared for one loss.

    Attributes
    ----------
    ensemble
        The draws; objects with the same labels everywhere are one.
    loss, a
        The loss, and the weight of separating objects that belong together.
    shares
        The weight of each draw; they sum to 1.
    draws
        The same as arrays for the kernels.
    parts, totals
        P and n of every draw.
    base
        Expected Binder loss of clusters of one object, if the kernels work on pairs of objects.
    """

    ensemble: Ensemble
    loss: Loss
    a: float
    shares: FloatArray
    draws: Draws
    parts: FloatArray
    totals: FloatArray
    base: float = 0.0

    @classmethod
    def of(cls, e: Ensemble, loss: str, a: float) -> Posterior:
        """Prepare the draws of an ensemble. O(nB), and O(n²B) for Binder's loss of few objects."""
        from ..kernels.allocation import ADDITIVE, LOSS_NUMBERS, Draws

        found, a = find_loss(loss, a)
        rows, masses, empty = base_clusters(e), e.object_weights, np.empty(0)
        inside = rows >= 0
        present = np.broadcast_to(masses[:, None], rows.shape)[inside]
        sizes = np.bincount(rows[inside], weights=present, minlength=int(e.offsets[-1]))
        owner = np.repeat(np.arange(e.n_partitions, dtype=np.int32), e.n_clusters)
        totals = np.bincount(owner, weights=sizes, minlength=e.n_partitions)
        parts = np.bincount(owner, weights=found.phi(sizes), minlength=e.n_partitions)
        shares = e.weights * (totals > 0) / (e.weights @ (totals > 0))
        whole = bool((masses == np.rint(masses)).all())
        number, form, power = LOSS_NUMBERS[found.name]
        weights = shares / np.maximum(totals, 1e-300) ** power if number == ADDITIVE else shares
        alone = (weights @ inside.T) * -a * found.phi(masses) if number == ADDITIVE else empty
        draws = Draws(
            rows,
            weights,
            masses.astype(np.int64) if whole else masses,
            owner,
            found.phi(np.arange(masses.sum() + 1.0)) if whole else empty,
            form,
            alone,
            np.empty((0, 0)),
        )
        made = cls(e, found, a, shares, draws, parts.astype(float), totals.astype(float))
        return made._in_pairs() if found.name == "binder" and made._few() else made

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

    @property
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
        made = Tables(
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
        count(d, made)
        sum_cells(d, made)
        return made

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
        made = object.__new__(Estimate)
        vars(made).update(vars(self))
        made.tables = type(self.tables)(*(part.copy() for part in self.tables))
        return made

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
            made, place = allocate(
                self.posterior.draws, self.tables, order, place, self.number, b, self.least, self.most
            )
            moves += made
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

        while len(self.clusters) < self.least:
            if self.tables.sizes.all():
                self._widen()
            free = int(np.argmin(self.tables.sizes))
            part(self.posterior.draws, self.tables, self.number, 2.0 - self.posterior.a, free)

    def settle(self, rng: np.random.Generator, most: int | None = None) -> Estimate:
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
        return other.settle(rng, most)

    def _some(self, rng: np.random.Generator) -> IntArray:
        """The objects of one to three clusters; with few objects, every other time any two or more objects."""
        labels, clusters = self.tables.labels, self.clusters
        n = len(labels)
        if 2 < n <= FEW and rng.random() < 0.5:
            return rng.choice(n, int(rng.integers(2, max(3, n // 3) + 1)), replace=False)
        gone = rng.choice(clusters, min(len(clusters), int(rng.integers(1, 4))), replace=False)
        return rng.permutation(np.flatnonzero(np.isin(labels, gone)))

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
            losses = np.array([self._joined(*pair) for pair in clusters[np.stack([first, second], 1)]])
        best = int(np.argmin(losses))
        i, j = clusters[first[best]], clusters[second[best]]
        labels = canonical(np.where(self.tables.labels == j, i, self.tables.labels))
        return Estimate(self.posterior, labels, self.least, self.most)

    def _joined(self, i: int, j: int) -> float:
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
