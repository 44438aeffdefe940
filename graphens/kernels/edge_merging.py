"""Merging by normalized edges: always the pair with the most edges for its size.

Every group keeps its strongest partner, and a tree of winners finds the strongest of all. Lists of neighbors are the
rows of the graph, chained when groups merge; a neighbor that was merged away is found through its representative and
folded in when its list is next read. A group whose partner was merged keeps its old strength as an upper bound and is
looked at again only when it comes up as the winner.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._jit import kernel
from .linking import find_root

MERGED, STAMP = 0, 1


class Groups(NamedTuple):
    """Everything that lasts between two calls. A group is known by its smallest vertex."""

    indptr: Any  # where each vertex's list begins
    indices: Any  # neighbors
    edges: Any  # number of edges to each
    strength: Any  # summed similarity of those edges
    length: Any  # how much of each list is in use
    following: Any  # next list of the same group, −1 at the end
    tail: Any  # last list of a group
    parent: Any  # representative of a vertex, found step by step
    size: Any
    power: Any  # size to the power 1 + f
    ratio: Any  # normalized edges with the strongest partner, −1 without one
    mean: Any  # mean similarity with it
    partner: Any
    stale: Any  # ratio is an upper bound only
    place: Any  # where a neighbor was written in the list being read
    stamp: Any
    winner: Any  # tree of winners: group at each leaf, winner of the two below elsewhere
    left: Any
    right: Any
    value: Any
    cursor: Any


@kernel
def _better(ratio: float, mean: float, a: int, b: int, ratio2: float, mean2: float, a2: int, b2: int) -> bool:
    """Whether pair a, b comes before pair a2, b2: more normalized edges, larger mean similarity, smaller vertices."""
    if ratio != ratio2:
        return ratio > ratio2
    if mean != mean2:
        return mean > mean2
    first, first2 = min(a, b), min(a2, b2)
    if first != first2:
        return first < first2
    return max(a, b) < max(a2, b2)


@kernel
def _beats(g: Any, a: int, b: int) -> bool:
    """Whether group a goes before group b; −1 stands for nobody."""
    if a < 0 or b < 0:
        return b < 0
    return _better(g.ratio[a], g.mean[a], a, g.partner[a], g.ratio[b], g.mean[b], b, g.partner[b])


@kernel
def _replay(g: Any, group: int) -> None:
    """Let a group's new strength go up the tree of winners."""
    at = (group + g.winner.shape[0] // 2) // 2
    while at >= 1:
        one, other = g.winner[2 * at], g.winner[2 * at + 1]
        g.winner[at] = one if _beats(g, one, other) else other
        at //= 2


@kernel
def _fold(g: Any, group: int) -> None:
    """Rewrite a group's lists: every living neighbor once, none of its own members."""
    # A new stamp for every reading says which neighbors were met in it, without clearing an array before.
    g.cursor[STAMP] += 1
    stamp = g.cursor[STAMP]
    out, offset = group, 0
    read = group
    while read >= 0:
        begin = g.indptr[read]
        for p in range(begin, begin + g.length[read]):
            other = find_root(g.parent, g.indices[p])
            if other == group:
                continue
            if g.stamp[other] == stamp:
                at = g.place[other]
                g.edges[at] += g.edges[p]
                g.strength[at] += g.strength[p]
                continue
            # The group's lists are written from the first on; each is as long as the row of the vertex that it was.
            while offset == g.indptr[out + 1] - g.indptr[out]:
                g.length[out] = offset
                out = g.following[out]
                offset = 0
            at = g.indptr[out] + offset
            offset += 1
            g.indices[at] = other
            g.edges[at] = g.edges[p]
            g.strength[at] = g.strength[p]
            g.stamp[other] = stamp
            g.place[other] = at
        read = g.following[read]
    g.length[out] = offset
    g.following[out] = -1
    g.tail[group] = out


@kernel
def _choose(g: Any, power: float, group: int, spread: bool, gone: int) -> None:
    """Find a group's strongest partner in its folded list; with `spread`, tell the neighbors of its new strength.

    `gone` is the group that was merged into this one, or the group itself.
    """
    best, best_mean = -1.0, 0.0
    chosen: Any = np.int64(-1)
    read = group
    while read >= 0:
        begin = g.indptr[read]
        for p in range(begin, begin + g.length[read]):
            other: Any = np.int64(g.indices[p])
            expected = (g.size[group] + g.size[other]) ** power - (g.power[group] + g.power[other])
            ratio = g.edges[p] / expected
            mean = g.strength[p] / g.edges[p]
            if chosen < 0 or _better(ratio, mean, group, other, best, best_mean, group, chosen):
                best, best_mean, chosen = ratio, mean, other
            if spread:
                known = g.partner[other]
                # The neighbor's partner may be this group now. If it was this group or the one merged into it and is no
                # longer stronger, its strength is an upper bound until it is looked at.
                if _better(ratio, mean, group, other, g.ratio[other], g.mean[other], other, known):
                    g.ratio[other] = ratio
                    g.mean[other] = mean
                    g.partner[other] = group
                    g.stale[other] = False
                    _replay(g, other)
                elif known == group or known == gone:
                    g.stale[other] = True
        read = g.following[read]
    g.ratio[group] = best
    g.mean[group] = best_mean
    g.partner[group] = chosen
    g.stale[group] = False


@kernel(work=lambda g, power, first, last: 8 * (g.indptr[last] - g.indptr[first]))
def choose_all(g: Any, power: float, first: int, last: int) -> None:
    """Find the strongest partner of vertices first … last − 1, before anything is merged."""
    for group in range(first, last):
        _choose(g, power, group, False, group)


@kernel(work=lambda g: 4 * g.winner.size)
def build_winners(g: Any) -> None:
    """Fill the tree of winners."""
    half = g.winner.shape[0] // 2
    for group in range(g.size.shape[0]):
        g.winner[half + group] = group
    for at in range(half - 1, 0, -1):
        one, other = g.winner[2 * at], g.winner[2 * at + 1]
        g.winner[at] = one if _beats(g, one, other) else other


@kernel(work=lambda g, power, steps: 20 * steps * (10 + g.indices.size // g.size.size))
def merge_edges(g: Any, power: float, steps: int) -> int:
    """Merge up to `steps` pairs, the strongest first, while there is an edge left; return how many."""
    made = 0
    while made < steps:
        top = g.winner[1]
        if g.ratio[top] <= 0.0:
            break
        # An upper bound came up as the winner: only now it is worth finding what is true.
        if g.stale[top]:
            _fold(g, top)
            _choose(g, power, top, False, top)
            _replay(g, top)
            continue
        a, b = min(top, g.partner[top]), max(top, g.partner[top])
        step = g.cursor[MERGED]
        g.left[step] = a
        g.right[step] = b
        g.value[step] = g.ratio[top]
        g.cursor[MERGED] = step + 1
        # The lists of b are appended to those of a. Neighbors that both have, and edges inside, are folded when the
        # lists are next read.
        g.parent[b] = a
        g.following[g.tail[a]] = b
        g.tail[a] = g.tail[b]
        g.size[a] += g.size[b]
        g.power[a] = g.size[a] ** power
        g.ratio[b] = -1.0
        g.stale[b] = False
        _replay(g, b)
        _fold(g, a)
        _choose(g, power, a, True, b)
        _replay(g, a)
        made += 1
    return made


def groups(indptr: Any, indices: Any, edges: Any, strength: Any, size: Any, power: float) -> Groups:
    """Every vertex a group of its own; `indices`, `edges` and `strength` are overwritten by the merging."""
    n = len(size)
    # A power of two of leaves: the two below place `at` of the tree are 2 · at and 2 · at + 1.
    half = 1 << max(int(np.ceil(np.log2(max(n, 1)))), 0)
    none, zero = np.full(n, -1, dtype=np.int64), np.zeros(n, dtype=np.int64)
    return Groups(
        indptr=indptr,
        indices=indices,
        edges=edges,
        strength=strength,
        length=np.diff(indptr).astype(np.int64),
        following=none.copy(),
        tail=np.arange(n),
        parent=np.arange(n),
        size=size.copy(),
        power=np.array([float(s) ** power for s in size.tolist()]),
        ratio=np.full(n, -1.0),
        mean=np.zeros(n),
        partner=none.copy(),
        stale=np.zeros(n, dtype=np.bool_),
        place=zero.copy(),
        stamp=zero.copy(),
        winner=np.full(2 * half, -1, dtype=np.int64),
        left=zero.copy(),
        right=zero.copy(),
        value=np.zeros(n),
        cursor=np.zeros(2, dtype=np.int64),
    )
