"""One page about a consensus: a single file that opens anywhere."""

from .page import report

__all__ = ["report"]
