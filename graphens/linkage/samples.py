"""Trees of many objects: of some of them."""

from __future__ import annotations

import numpy as np

from .._arrays import IntArray, Seed, generator
from ..core.ensemble import Ensemble


def objects_of_tree(e: Ensemble, most: int, seed: Seed) -> IntArray | None:
    """Return so many random objects for a tree; None where it can have all, because few label rows are distinct."""
    if e.n_objects <= most or e.collapse()[0].n_objects <= most:
        return None
    return np.sort(generator(seed).choice(e.n_objects, most, replace=False))
