"""A page or a picture about a consensus: single files that open anywhere."""

from .cards import card
from .page import report

__all__ = ["card", "report"]
