"""Networks: consensus communities of a graph the user already has."""

from .communities import communities
from .landscape import Landscape, landscape

__all__ = ["Landscape", "communities", "landscape"]
