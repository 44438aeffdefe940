"""Compile everything now that the first large inputs would otherwise wait for.

Takes one to two minutes, once for a version of graphens and a kind of processor. Compiled
code goes to NUMBA_CACHE_DIR where that is set; otherwise beside the package, where
every user finds it, or to your own cache where the package cannot be written to.

for example:
  graphens warm
  graphens warm --check
"""

from __future__ import annotations

import argparse

from ._screen import say


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--check", action="store_true", help="compile nothing; exit code 2 if something is missing"
    )


def run(args: argparse.Namespace) -> None:
    """Compile, and say where the compiled code is."""
    from ..warming import warm

    say(f"Everything is compiled, in {warm(check=args.check)}")
