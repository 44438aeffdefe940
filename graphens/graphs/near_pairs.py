"""Pairs of objects that are together in nearly all partitions, found exactly without comparing all pairs.

S_ij ≥ 1 − t/B means that i and j differ in at most t partitions. If the partitions are divided into t + 1 groups, they
have the same labels in at least one group, and therefore the same hash of these labels. Every pair with a common hash
is compared completely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, IntArray
from .._lib.memory import require
from .._lib.threads import map_threads
from .matrices import heaviest_forest, tidy

if TYPE_CHECKING:
    from ..kernels.similarity import Evidence

#: two objects each, the first before the second, and their similarities
Pairs: TypeAlias = tuple[AnyArray, AnyArray, FloatArray]
_ROOM = 1 << 20  # pairs that are handed on at a time
_SAMPLE = 2000  # objects whose missing labels decide how many groups there are
_HEAVY = 0.002  # share of the objects that may be compared with all others
_ASKED = 64  # objects of which it is counted how many others they meet
_FEWEST = 4  # partitions in a group: with fewer of them too many objects meet


@dataclass(frozen=True, eq=False)
class NearPairs:
    """The pairs of objects whose similarity is above a limit."""

    ev: Evidence  #: the labels
    limit: float  #: only similarities above it are found
    most: int  #: maximum number of partitions in which such objects may differ
    hashes: AnyArray  #: objects × groups of partitions, 0 if an object lacks a label in the group
    #: objects that lack labels in too many groups to be found by hashes; they are compared with all others
    heavy: IntArray

    @classmethod
    def of(cls, ev: Evidence, limit: float) -> NearPairs | None:
        """Hash the labels in the cheapest way; None if groups would be too small to distinguish objects."""
        most = most_differing(ev, limit)
        ways = [cls._hashed(ev, limit, most, groups) for groups in _groups(ev, most)]
        return min(ways, key=lambda way: way.steps(), default=None)

    @classmethod
    def _hashed(cls, ev: Evidence, limit: float, most: int, groups: IntArray) -> NearPairs:
        """Hash each group; objects that lack labels in more than half of the spare groups are heavy."""
        from ..kernels.group_hashes import hash_groups

        hashes = np.empty((ev.codes.shape[1], len(groups)), dtype=np.uint32)
        hash_groups(ev.codes, ev.absent, groups, hashes)
        heavy = np.flatnonzero(2 * np.count_nonzero(hashes == 0, axis=1) > len(groups) - 1 - most)
        hashes[heavy] = 0
        return cls(ev, limit, most, hashes, heavy)

    @classmethod
    def if_cheaper(cls, ev: Evidence, limit: float, steps: float) -> NearPairs | None:
        """Return them if they take clearly fewer steps than the alternative, otherwise None."""
        pairs = cls.of(ev, limit)
        return pairs if pairs is not None and pairs.steps() < steps / 2 else None

    def steps(self) -> float:
        """Approximate number of labels that are compared; detecting a repeated pair counts as 20."""
        n_partitions, n = self.ev.codes.shape
        shared = [np.unique(column[column > 0], return_counts=True)[1].astype(float) for column in self.hashes.T]
        meetings = sum(float(sizes @ (sizes - 1)) / 2 for sizes in shared)
        some = self.hashes[np.linspace(0, n - 1, min(n, _ASKED)).astype(np.int64)]
        others = np.mean([((row == self.hashes) & (row > 0)).any(axis=1).sum() for row in some])
        return 20 * meetings + n_partitions * n * (1 + 0.75 * float(others) + len(self.heavy))

    # the pairs -------------------------------------------------------------------------------------------

    def matrix(self) -> sparse.csr_array:
        """Return the similarities above the limit as a symmetric matrix."""
        n_edges = 0

        def count(some: Pairs) -> Pairs:
            nonlocal n_edges
            n_edges += len(some[0])
            require(56 * n_edges, f"A graph with {n_edges} edges or more", "Use a larger theta, or neighbors(p)")
            return some

        left, right, value = concatenate_pairs(self._map(lambda pieces: concatenate_pairs([*map(count, pieces)])))
        n = self.ev.codes.shape[1]
        half = sparse.csr_array((value, (left, right)), shape=(n, n))
        return tidy(half + half.T)

    def forest(self) -> sparse.csr_array:
        """Return the maximum spanning forest of the pairs, each edge in one direction. O(n) memory."""
        n = self.ev.codes.shape[1]

        def strongest(pieces: Iterator[Pairs]) -> Pairs:
            tree_edges = concatenate_pairs([])
            for some in pieces:
                left, right, value = concatenate_pairs([tree_edges, some])
                tree = heaviest_forest(sparse.csr_array((value, (left, right)), shape=(n, n))).tocoo()
                tree_edges = tree.row, tree.col, tree.data
            return tree_edges

        left, right, value = strongest(iter(self._map(strongest)))
        return sparse.csr_array((value, (left, right)), shape=(n, n))

    def _map(self, reduce: Callable[[Iterator[Pairs]], Pairs]) -> list[Pairs]:
        """Find every pair once, in portions; `reduce` decides what is kept of each portion."""
        rows = np.ascontiguousarray(self._ordered.codes.T)
        pieces: list[Callable[[], Iterator[Pairs]]] = [self._compared]
        pieces += [partial(self._met, rows, group) for group in range(self.hashes.shape[1])]
        return map_threads(lambda piece: reduce(piece()), pieces, "finding similar objects")

    @cached_property
    def _ordered(self) -> Evidence:
        """The labels, with partitions of many clusters first, where objects that differ are recognized early.

        Sums of weights keep their order, so that they are the same to the last bit.
        """
        from ..kernels.similarity import WEIGHTED

        ev = self.ev
        if ev.mode == WEIGHTED:
            order = np.flatnonzero(ev.weights > 0)
        else:
            order = np.argsort(-np.diff(ev.offsets), kind="stable")
        return ev._replace(codes=ev.codes[order], weights=ev.weights[order], offsets=ev.offsets[order])

    def _runs(self, group: int) -> tuple[IntArray, IntArray]:
        """The objects that share a hash with others in a group, sorted by hash, and how many share each.

        Among them, those that have the same hash in the first group are adjacent, so that their pairs can be skipped.
        """
        column = self.hashes[:, group].astype(np.uint64)
        # One sort by two 32-bit hashes at once.
        order = np.argsort(column << np.uint64(32) | self.hashes[:, 0])[np.count_nonzero(column == 0) :]
        sizes = np.diff(np.flatnonzero(np.diff(column[order], prepend=np.uint64(0))), append=len(order))
        return order[np.repeat(sizes > 1, sizes)], sizes[sizes > 1]

    def _met(self, rows: AnyArray, group: int) -> Iterator[Pairs]:
        """The pairs with the same hash in a group, and in no earlier group."""
        from ..kernels.group_hashes import meet

        order, sizes = self._runs(group)
        ends, at = np.concatenate(([0], np.cumsum(sizes))), np.zeros(3, dtype=np.int64)
        out = np.empty(_ROOM, np.int32), np.empty(_ROOM, np.int32), np.empty(_ROOM)
        how = self._ordered, rows, self.hashes, group, order, ends, self.most, self.limit
        while at[0] < len(sizes):
            size = meet(*how, at, out)
            yield out[0][:size].copy(), out[1][:size].copy(), out[2][:size].copy()

    def _compared(self) -> Iterator[Pairs]:
        """The pairs of heavy objects with all others; pairs of heavy objects once."""
        from ..kernels.similarity import similarity_block

        for v in self.heavy.tolist():
            value = similarity_block(self.ev, v, v + 1)[0]
            value[self.heavy[self.heavy < v]] = 0.0
            other = np.flatnonzero(value > self.limit).astype(np.int32)
            yield np.minimum(other, v), np.maximum(other, v), value[other]


def concatenate_pairs(pieces: list[Pairs]) -> Pairs:
    """Join several lists of pairs."""
    none = np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0)
    left, right, value = (np.concatenate(part) for part in zip(none, *pieces, strict=True))
    return left, right, value


def most_differing(ev: Evidence, limit: float) -> int:
    """Maximum number of partitions in which two objects can differ if their similarity is above a limit.

    The weight of the partitions in which they differ is below 1 − limit of the weight of those that have both, which
    is at most the total weight. The number is largest for the lightest partitions. Cluster weights only lower
    similarities.
    """
    lightest = np.cumsum(np.sort(ev.weights[ev.weights > 0]))
    return int(np.searchsorted(lightest, (1.0 - limit) * lightest[-1] * (1 + 1e-9), side="right"))


def _groups(ev: Evidence, most: int) -> Iterator[IntArray]:
    """Ways to divide partitions into groups, each groups × partitions, such that near objects share a hash.

    Objects with missing labels in b groups each share a hash in one of most + 1 + 2b groups. Large groups distinguish
    more objects, small ones lack fewer labels. The partitions that distinguish most objects and lack fewest labels come
    first, and into different groups.
    """
    n = ev.codes.shape[1]
    lost = np.array([np.count_nonzero(row == ev.absent) for row in ev.codes])
    order = np.lexsort((lost - np.diff(ev.offsets), ev.weights == 0))[: np.count_nonzero(ev.weights > 0)]
    absent = ev.codes[:, np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.int64)] == ev.absent
    size = len(order) // (most + 1)
    while size >= _FEWEST:
        for spare in range(0, len(order) // size - most, 2):
            groups = order[: (most + 1 + spare) * size].reshape(size, -1).T
            gaps = absent[groups].any(axis=1).sum(axis=0)
            if np.mean(2 * gaps > spare) <= _HEAVY:
                yield groups
                break
        if not lost.any():
            return
        size //= 2
