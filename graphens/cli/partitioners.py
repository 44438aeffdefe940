"""List the partitioners that graph methods can use.

example:
  graphens partitioners
"""

from __future__ import annotations

import argparse

from ..cutting import partitioners
from ._screen import say, table


def configure(parser: argparse.ArgumentParser) -> None:
    """There are no arguments."""


def run(args: argparse.Namespace) -> None:
    """Show the registry of partitioners, and which of them can be used here."""
    rows = [
        [
            row.name,
            row.takes,
            "found or given" if row.finds_k else "given",
            "yes" if row.available else f"needs {row.requires}",
            row.about,
        ]
        for row in partitioners()
    ]
    say(*table(["partitioner", "takes", "k", "available", "what it does"], rows))
