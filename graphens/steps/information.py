"""What the partitions of an ensemble weigh in average mutual information."""

from __future__ import annotations

import numpy as np

from .._arrays import FloatArray
from ..core.ensemble import Ensemble


def information(e: Ensemble) -> tuple[FloatArray, FloatArray]:
    """Return what ANMI needs of the partitions: their shares w n_t / Σ w n_t and entropies (nats)."""
    sizes = [sizes[sizes > 0] for sizes in np.split(e.cluster_sizes(), e.offsets[1:-1])]
    present = np.array([part.sum() for part in sizes])
    entropy = [float(-(p / p.sum()) @ np.log(p / p.sum())) if p.size else 0.0 for p in sizes]
    return e.weights * present / (e.weights @ present), np.maximum(entropy, 0.0)
