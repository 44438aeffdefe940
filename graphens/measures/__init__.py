"""How well clusterings agree."""

from .agreement import agreement, ami, anmi, ari, error_rate, mirkin, nmi, pairwise, purity, rand, vi
from .criteria import consistency, element_centric, element_similarities, novelty, robustness
from .diversity import diversity
from .internal import internal, internal_weights
from .silhouettes import consensus_silhouette, path_silhouette, reliable_silhouette

__all__ = [
    "agreement",
    "ami",
    "anmi",
    "ari",
    "consensus_silhouette",
    "consistency",
    "diversity",
    "element_centric",
    "element_similarities",
    "error_rate",
    "internal",
    "internal_weights",
    "mirkin",
    "nmi",
    "novelty",
    "pairwise",
    "path_silhouette",
    "purity",
    "rand",
    "reliable_silhouette",
    "robustness",
    "vi",
]


def __dir__() -> list[str]:
    return sorted(__all__)
