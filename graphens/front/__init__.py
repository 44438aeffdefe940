"""One call from labels to a consensus, which says what it tried and why."""

from .door import consensus

__all__ = ["consensus"]
