"""Trees of many objects: of some of them."""

from __future__ import annotations

from .._arrays import IntArray, Seed, draw
from ..core.ensemble import Ensemble


def objects_of_tree(e: Ensemble, most: int, seed: Seed) -> IntArray | None:
    """Return so many random objects for a tree; None where it can have all, because few label rows are distinct."""
    if e.n_objects <= most or e.collapse()[0].n_objects <= most:
        return None
    return draw(e.n_objects, most, seed)
