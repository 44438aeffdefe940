"""Compile everything in advance, so that no later call has to wait for it.

This takes one to two minutes for each version of graphens and each kind of processor. The
compiled code is stored in NUMBA_CACHE_DIR if that is set; otherwise next to the package,
where every user finds it, or in your own cache folder if the package folder is read-only.

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

    say(f"Everything is compiled; the code is in {warm(check=args.check)}")
