"""List the consensus methods, or describe one of them.

for example:
  graphens methods mcla
  graphens methods --bibtex > papers.bib
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable
from typing import Any

from ..families.references import bibtex, doi
from ..families.registry import Method, find_method, methods
from ._screen import filled, say, table


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("name", nargs="?", help="method to describe")
    parser.add_argument("--bibtex", action="store_true", help="print the papers as BibTeX entries")


def run(args: argparse.Namespace) -> None:
    """Show the registry, one row of it with the function's own description, or the papers."""
    rows = methods() if args.name is None else [find_method(args.name)]
    if args.bibtex:
        papers = dict.fromkeys(paper for row in rows for paper in row.reference.split("; "))
        say("\n\n".join(map(bibtex, papers)))
    elif args.name is None:
        _list(rows)
    else:
        _page(rows[0])


def _list(rows: list[Method]) -> None:
    rows = sorted(rows, key=lambda row: (row.family, row.name))
    cells = [[row.name, row.family, "given" if row.needs_k else "found", row.reference] for row in rows]
    say(*table(["method", "family", "k", "paper"], cells), "")
    say("graphens methods NAME describes one of them.")


def _page(row: Method) -> None:
    say(*filled(f"{row.name}{_call(row.function)}", sys.stdout), "")
    say(*filled(inspect.getdoc(row.function) or "", sys.stdout), "")
    say(f"DOI: {', '.join(doi(row.reference)) or '-'}")


def _call(function: Callable[..., Any]) -> inspect.Signature:
    """How to call it, without the types."""
    signature = inspect.signature(function)
    bare = [
        parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()
    ]
    return signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)
