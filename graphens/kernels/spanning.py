"""The maximum spanning forest of the co-association graph: Prim's algorithm, similarities counted when needed."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import freeze
from .._work import run
from ._jit import kernel
from .similarity import TILE, Evidence, count_matches, narrow, scratch, similarities

_STRETCH = 256  # objects that are looked at together for an improvement


@kernel
def _improve(matches: Any, strength: Any, key: Any, link: Any, v: int) -> None:
    """Link objects to v where that is stronger; a closed object has a strength that no count reaches."""
    width = matches.shape[0]
    for start in range(0, width, _STRETCH):
        stop = min(width, start + _STRETCH)
        some = False
        for j in range(start, stop):
            some |= matches[j] > strength[j]
        if some:
            for j in range(start, stop):
                if matches[j] > strength[j]:
                    strength[j] = matches[j]
                    key[j] = matches[j] + 1
                    link[j] = v


@kernel
def _largest(key: Any) -> Any:
    best = key[0]
    for j in range(key.shape[0]):
        best = max(best, key[j])
    return best


@kernel(work=lambda codes, ids, strength, key, link, parent, value, at, steps: codes.size * steps)
def grow_counted(
    codes: Any, ids: Any, strength: Any, key: Any, link: Any, parent: Any, value: Any, at: Any, steps: int
) -> int:
    """Take up to `steps` objects into the forest, comparing matches counted in bytes.

    `at` holds the place of the object to take next, or −1 when the forest is complete. `key` is strength + 1 and
    0 for a closed object, whose strength is 255.
    """
    n_partitions, n = codes.shape
    counter = np.empty(TILE, dtype=np.uint8)
    top = np.zeros((n + TILE - 1) // TILE, dtype=np.uint8)
    made = 0
    while made < steps and at[0] >= 0:
        place = at[0]
        parent[ids[place]] = link[place]
        value[ids[place]] = strength[place]
        key[place] = 0
        strength[place] = 255
        made += 1
        for start in range(0, n, TILE):
            stop = min(n, start + TILE)
            matches, near = counter[: stop - start], key[start:stop]
            matches[:] = 0
            count_matches(codes, place, start, 0, n_partitions, matches)
            _improve(matches, strength[start:stop], near, link[start:stop], ids[place])
            top[start // TILE] = _largest(near)
        best = _largest(top)
        at[0] = -1
        if best > 0:
            tile = 0
            while top[tile] != best:
                tile += 1
            place = tile * TILE
            while key[place] != best:
                place += 1
            at[0] = place
    return made


@kernel(work=lambda ev, ids, strength, link, parent, value, at, steps: ev.codes.size * steps)
def grow_weighted(
    ev: Any, ids: Any, strength: Any, link: Any, parent: Any, value: Any, at: Any, steps: int
) -> int:
    """Take up to `steps` objects into the forest, comparing similarities; a closed object has strength −1."""
    n = ev.codes.shape[1]
    room = scratch()
    made = 0
    while made < steps and at[0] >= 0:
        place = at[0]
        parent[ids[place]] = link[place]
        value[ids[place]] = strength[place]
        strength[place] = -1.0
        made += 1
        best = -1.0
        at[0] = -1
        for start in range(0, n, TILE):
            stop = min(n, start + TILE)
            found = similarities(ev, place, start, stop, room)
            near, chosen = strength[start:stop], link[start:stop]
            for j in range(stop - start):
                if near[j] >= 0.0:
                    if found[j] > near[j]:
                        near[j] = found[j]
                        chosen[j] = ids[place]
                    if near[j] > best:
                        best = near[j]
                        at[0] = start + j
    return made


def spanning_forest(ev: Evidence) -> tuple[Any, Any]:
    """Return for every object the one that it is linked to (−1 at a tree's root) and the similarity of the link.

    O(n²B) comparisons, half of them saved by leaving out objects already taken; O(nB) memory.
    """
    n = ev.codes.shape[1]
    parent, value = np.full(n, -1, dtype=np.int64), np.zeros(n)
    counted = narrow(ev)
    ids, link, at = np.arange(n), np.full(n, -1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    strength = np.zeros(n, dtype=np.uint8 if counted else np.float64)
    key = np.ones_like(strength)

    def advance(steps: int) -> int:
        nonlocal ev, ids, link, strength, key
        if counted:
            made = grow_counted(ev.codes, ids, strength, key, link, parent, value, at, steps)
            left = key > 0
        else:
            made = grow_weighted(ev, ids, strength, link, parent, value, at, steps)
            left = strength >= 0
        if at[0] >= 0 and np.count_nonzero(left) < 0.85 * len(left):
            at[0] = np.count_nonzero(left[: at[0]])
            ev = ev._replace(
                codes=freeze(np.ascontiguousarray(ev.codes[:, left]))
            )  # the type it was compiled for
            ids, link, strength, key = ids[left], link[left], strength[left], key[left]
        return int(made)

    run("spanning forest", n, advance)
    return parent, value / ev.codes.shape[0] if counted else value
