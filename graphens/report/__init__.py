"""A page or a picture about a consensus, each a single self-contained file."""

from .cards import card
from .page import report

__all__ = ["card", "report"]
