"""Commands that list what there is: methods, partitioners, versions."""

from __future__ import annotations

import inspect
import sys

from .. import cutting
from ..environment import show_versions
from ..families import registry
from ..families.references import bibtex as entry, doi
from ._screen import filled, say, table


def methods(name: str | None = None, *, bibtex: bool = False) -> None:
    """List the consensus methods, or describe one of them.

    for example:
      graphens methods mcla
      graphens methods --bibtex > papers.bib

    Options
    -------
    name: method to describe
    bibtex: print the papers as BibTeX entries
    """
    rows = registry.methods() if name is None else [registry.find_method(name)]
    if bibtex:
        papers = dict.fromkeys(paper for row in rows for paper in row.reference.split("; "))
        say("\n\n".join(map(entry, papers)))
        return
    if name is None:
        rows = sorted(rows, key=lambda row: (row.family, row.name))
        say(*table(["family", "method", "what it does"], [[row.family, row.name, row.about] for row in rows]), "")
        say("graphens methods NAME describes one of them.")
        return
    (row,) = rows
    signature = inspect.signature(row.function)
    bare = [one.replace(annotation=one.empty) for one in signature.parameters.values()]
    call = signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)
    say(*filled(f"{row.name}{call}", sys.stdout), "", *filled(inspect.getdoc(row.function) or "", sys.stdout), "")
    say(f"DOI: {', '.join(doi(row.reference)) or '-'}")


def partitioners() -> None:
    """List the partitioners that graph methods can use.

    example:
      graphens partitioners
    """
    rows = []
    for row in cutting.partitioners():
        k, there = "found or given" if row.finds_k else "given", "yes" if row.available else f"needs {row.requires}"
        rows.append([row.name, row.takes, k, there, row.about])
    say(*table(["partitioner", "takes", "k", "available", "what it does"], rows))


def versions() -> None:
    """Show the versions of graphens and its packages, for a bug report.

    example:
      graphens versions
    """
    say(str(show_versions()))
