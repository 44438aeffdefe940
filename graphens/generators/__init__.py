"""Ensembles from data: many different clusterings of the same objects."""

from .components import mixture_components
from .ensembles import generate
from .minimax_paths import path_based
from .prototypes import Prototypes, snn_prototypes
from .recipe import default_k
from .representations import dcf, pcf, pdwt, pls

__all__ = [
    "Prototypes", "dcf", "default_k", "generate", "mixture_components", "path_based", "pcf", "pdwt", "pls",
    "snn_prototypes",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted(__all__)
