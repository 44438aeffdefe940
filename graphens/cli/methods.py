"""List the consensus functions.

example:
  graphens methods mcla
"""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable
from typing import Any

from ..families.registry import find_method, methods
from ._screen import say, table


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("name", nargs="?", help="say all about one of them")


def run(args: argparse.Namespace) -> None:
    """Show the registry, or one row of it with the function's own description."""
    if args.name is None:
        rows = [
            [row.name, row.family, "given" if row.needs_k else "found", row.reference] for row in methods()
        ]
        say(
            *table(["method", "family", "k", "paper"], rows, align="left"),
            "",
            "graphens methods NAME says more about one of them.",
        )
        return
    row = find_method(args.name)
    facts = ("family", "graph", "needs_k", "balanced", "membership", "missing", "cost", "reference")
    say(f"{row.name}{_call(row.function)}", "", inspect.getdoc(row.function) or "", "")
    say(*table(["", ""], [[fact, str(getattr(row, fact))] for fact in facts], align="left")[1:])


def _call(function: Callable[..., Any]) -> inspect.Signature:
    """How to call it, without the types."""
    signature = inspect.signature(function)
    bare = [
        parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()
    ]
    return signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)
