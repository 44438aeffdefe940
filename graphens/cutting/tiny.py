"""Balanced cuts of tiny graphs, which are too small for a multilevel partitioner: by trying all cuts, or by moves.

Only vertices that count are balanced; the others (clusters in a graph of objects and clusters) have weight 0 and join
the part with most of their edges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, LabelArray, on_one_scale
from ..graphs.graph import Graph
from ..labels.value import remembered
from .mending import average_part, counted, pack

Run = Callable[[int], LabelArray]  # of the seed
_ALL = 20_000  # labelings that are tried one and all
_NUMBERS = 1 << 22  # numbers that this may take
_FEW = 60  # vertices to balance up to which moves and swaps cost next to nothing
_SIZE = 600  # vertices in all
_GAIN = 1e-9  # of all edges: less is rounding


class Tiny(NamedTuple):
    """A tiny graph as plain arrays."""

    edges: FloatArray  #: n × n
    weights: FloatArray  #: 0 for vertices that do not count
    inside: AnyArray  #: which vertices count
    limit: float  #: what a part may weigh: its share with the imbalance, or what the vertices allow
    spread: float  #: what the squared weights of the parts may add up to: where one is full, the others stay even


def as_tiny(graph: Graph, k: int, imbalance: float) -> Tiny | None:
    """Return a graph as a tiny one, or None if it is too large."""
    inside = counted(graph)
    n = int(np.count_nonzero(inside))
    if n > _FEW or graph.n_vertices > _SIZE:
        return None
    weights = np.where(inside, on_one_scale(graph.vertex_weights), 0.0)
    if weights.any():  # a vertex that outweighs a part counts as a whole one
        weights = np.minimum(weights, average_part(weights[inside], k))
    packed = np.bincount(pack(weights[inside], k), weights=weights[inside])
    share = float(weights.sum()) / k * (1 + imbalance)
    limit, spread = max(share, float(packed.max())), max(k * share**2, float((packed**2).sum()))
    return Tiny(graph.adjacency.toarray(), weights, inside, limit * (1 + _GAIN), spread * (1 + _GAIN))


def smallest_cut(tiny: Tiny, k: int) -> LabelArray | None:
    """Return the smallest cut into k parts within the limit by trying all; in a tie, the most balanced one.

    None if there are too many of the k^(n − 1) labelings of n vertices.
    """
    inside = tiny.inside
    n, free = int(np.count_nonzero(inside)), int(np.count_nonzero(~inside))
    tries = float(k) ** (n - 1)
    if tries > _ALL or tries * (n + free) * k > _NUMBERS or tiny.edges[~inside][:, ~inside].any():
        return None
    codes = np.arange(k ** (n - 1))[:, None] // k ** np.arange(n - 1) % k
    codes = np.column_stack([np.zeros(len(codes), dtype=np.int64), codes])  # parts have no order: the first is 0
    member = np.eye(k)[codes]
    load = np.einsum("mnk,n->mk", member, tiny.weights[inside])
    even = (load.max(axis=1) <= tiny.limit) & ((load**2).sum(axis=1) <= tiny.spread)
    fits = np.flatnonzero((member.sum(axis=1).min(axis=1) > 0) & even)
    member, load = member[fits], load[fits]
    # For all labelings at once: edges inside parts, and for each free vertex its edges into each part. Free vertices
    # have no edges among themselves (checked above), so each takes its best part whatever the others do.
    within = np.einsum("mnk,no,mok->m", member, tiny.edges[inside][:, inside], member, optimize=True) / 2
    ties = np.einsum("fn,mnk->mfk", tiny.edges[~inside][:, inside], member, optimize=True)
    weight = within + ties.max(axis=2, initial=0.0).sum(axis=1)
    # Sums that differ by rounding are ties, which balance decides.
    steps = np.rint(weight / max(_GAIN * tiny.edges.sum(), 1e-300))
    best = np.lexsort(((load**2).sum(axis=1), -steps))[0]
    labels = np.zeros(len(inside), dtype=np.int32)
    labels[inside] = codes[fits[best]]
    labels[~inside] = ties[best].argmax(axis=1)
    return labels


def polish(tiny: Tiny, labels: LabelArray, k: int) -> LabelArray:
    """Lower the cut by moves and swaps of single vertices within the limit, the best one first, until none helps."""
    parts, least = labels.copy(), _GAIN * tiny.edges.sum()
    for _ in range(10 * len(parts)):  # each lowers the cut, so this is never reached
        ties = tiny.edges @ np.eye(k)[parts]
        gain = ties - ties[np.arange(len(parts)), parts][:, None]
        move, swap = _best_move(tiny, parts, gain, k), _best_swap(tiny, parts, gain)
        if max(move[0], swap[0]) <= least:
            break
        if move[0] >= swap[0]:
            parts[move[1]] = move[2]
        else:
            parts[[swap[1], swap[2]]] = parts[[swap[2], swap[1]]]
    return parts


def _best_move(tiny: Tiny, labels: LabelArray, gain: FloatArray, k: int) -> tuple[float, int, int]:
    """Gain, vertex and part of the best move that neither empties a part nor overfills one."""
    load, weight = np.bincount(labels, weights=tiny.weights, minlength=k), tiny.weights[:, None]
    alone = np.bincount(labels[tiny.inside], minlength=k)[labels] == 1
    wider = 2 * weight * (load + weight - load[labels][:, None])  # how the squares of the loads change
    allowed = (load + weight <= tiny.limit) & ~(alone & tiny.inside)[:, None]
    allowed &= (wider <= 0) | ((load**2).sum() + wider <= tiny.spread)
    allowed |= ~tiny.inside[:, None]
    value = np.where(allowed, gain, -np.inf)
    v, part = np.unravel_index(int(value.argmax()), value.shape)
    return float(value[v, part]), int(v), int(part)


def _best_swap(tiny: Tiny, labels: LabelArray, gain: FloatArray) -> tuple[float, int, int]:
    """Gain and vertices of the best swap of two vertices that count."""
    counting = np.flatnonzero(tiny.inside)
    parts = np.bincount(labels, weights=tiny.weights)
    load = parts[labels[counting]]
    # The edge between the two vertices counts in both gains, but stays cut when they change places.
    toward = gain[counting][:, labels[counting]]
    value = toward + toward.T - 2 * tiny.edges[np.ix_(counting, counting)]
    weight = tiny.weights[counting]
    more = weight - weight[:, None]  # what the part of u weighs more, once it has v instead
    wider = 2 * more * (load[:, None] - load + more)
    fits = (load[:, None] + more <= tiny.limit) & (load - more <= tiny.limit)
    fits &= ((wider <= 0) | ((parts**2).sum() + wider <= tiny.spread)) & (labels[counting][:, None] != labels[counting])
    value = np.where(fits, value, -np.inf)
    u, v = np.unravel_index(int(value.argmax()), value.shape)
    return float(value[u, v]), int(counting[u]), int(counting[v])


@dataclass(eq=False)
class TinySearch:
    """The search that replaces METIS on a tiny graph: all cuts or, if these are too many, moves and swaps.

    It starts from the result of METIS, which also says what a part may weigh, so that no result is rejected for balance
    alone, and from other starts. What another seed cannot change is computed once.
    """

    tiny: Tiny
    k: int
    run: Run
    starts: Callable[[], list[LabelArray]]

    def __post_init__(self) -> None:
        self._others: list[LabelArray] = []
        self._polished: dict[tuple[float, float, bytes], LabelArray] = {}

    @remembered
    def exact(self) -> LabelArray | None:
        """The smallest cut of all that are as balanced as the first result of METIS; None if there are too many."""
        return smallest_cut(self._within(self.run(0)), self.k)

    @property
    def search(self) -> str:
        """What is searched, in words."""
        return "all cuts" if self.exact is not None else "moves and swaps from METIS and other starts"

    def __call__(self, seed: int) -> LabelArray:
        """Return the best cut that was found."""
        if self.exact is not None:
            return self.exact
        raw = self.run(seed)
        self._others = self._others or self.starts()
        within = self._within(raw)

        def rank(labels: LabelArray) -> tuple[float, float]:
            """Excess over the limit, then the cut."""
            load = np.bincount(labels, weights=within.weights)
            cut = float(within.edges[labels[:, None] != labels].sum())
            return max(float(load.max()) - within.limit, 0.0), float(f"{cut:.9g}")

        return min((self._polish(within, labels) for labels in (raw, *self._others)), key=rank)

    def _within(self, raw: LabelArray) -> Tiny:
        """The graph, with parts as heavy as those of METIS allowed."""
        load = np.bincount(raw, weights=self.tiny.weights)
        limit = max(self.tiny.limit, float(load.max()) * (1 + _GAIN))
        return self.tiny._replace(limit=limit, spread=max(self.tiny.spread, float((load**2).sum()) * (1 + _GAIN)))

    def _polish(self, within: Tiny, labels: LabelArray) -> LabelArray:
        key = (within.limit, within.spread, labels.tobytes())
        if key not in self._polished:
            self._polished[key] = polish(within, labels, self.k)
        return self._polished[key]
