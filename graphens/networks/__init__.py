"""Networks: consensus communities of a given graph."""

from .detection import communities
from .resolutions import Landscape, landscape

__all__ = ["Landscape", "communities", "landscape"]


def __dir__() -> list[str]:
    return sorted(__all__)
