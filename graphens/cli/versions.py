"""Show the versions of graphens and its packages, for a bug report.

example:
  graphens versions
"""

from __future__ import annotations

import argparse

from ..environment import show_versions
from ._screen import say


def configure(parser: argparse.ArgumentParser) -> None:
    """There are no arguments."""


def run(args: argparse.Namespace) -> None:
    """Show what is installed, and what is known of the machine."""
    say(str(show_versions()))
