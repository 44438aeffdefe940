"""Measures of agreement, diversity and validity of clusterings."""

from .agreement import agreement, ami, anmi, ari, error_rate, mirkin, nmi, pairwise, purity, rand, vi
from .criteria import consistency, element_centric, element_similarities, novelty, robustness
from .diversity import diversity
from .internal import internal, internal_weights
from .losses import binder, expected_loss, information_distance, nid, nvi, omari
from .silhouettes import consensus_silhouette, path_silhouette, reliable_silhouette

__all__ = [
    "agreement", "ami", "anmi", "ari", "binder", "consensus_silhouette", "consistency", "diversity",
    "element_centric", "element_similarities", "error_rate", "expected_loss", "information_distance", "internal",
    "internal_weights", "mirkin", "nid", "nmi", "novelty", "nvi", "omari", "pairwise", "path_silhouette", "purity",
    "rand", "reliable_silhouette", "robustness", "vi",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted(__all__)
