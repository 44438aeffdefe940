"""How well clusterings agree."""

from .agreement import anmi, ari, error_rate, mirkin, nmi, pairwise, rand, vi
from .internal import internal, internal_weights
from .silhouettes import consensus_silhouette, reliable_silhouette

__all__ = [
    "anmi",
    "ari",
    "consensus_silhouette",
    "error_rate",
    "internal",
    "internal_weights",
    "mirkin",
    "nmi",
    "pairwise",
    "rand",
    "reliable_silhouette",
    "vi",
]
