"""How well clusterings agree."""

from .agreement import anmi, ari, error_rate, mirkin, nmi, pairwise, rand, vi

__all__ = ["anmi", "ari", "error_rate", "mirkin", "nmi", "pairwise", "rand", "vi"]
