"""How well clusterings agree."""

from .agreement import anmi, ari, error_rate, mirkin, nmi, pairwise, rand, vi
from .internal import internal, internal_weights

__all__ = [
    "anmi",
    "ari",
    "error_rate",
    "internal",
    "internal_weights",
    "mirkin",
    "nmi",
    "pairwise",
    "rand",
    "vi",
]
