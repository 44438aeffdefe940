"""Explain why an object is in its cluster.

The consensus is computed as `graphens consensus` does it, or read from a file saved with --save. The table has a row
for each clustering: the object's label there, the consensus cluster of most objects with that label, and the share of
them in the object's own cluster.

example:
  graphens explain labels.csv AAACATACAACCAC --id cell -k 5
"""

from __future__ import annotations

import argparse
import shlex

from ..core.ensemble import Ensemble
from ..errors import InputError, meant
from ._options import add_consensus, add_labels, add_output
from ._tables import check_output, read_labels, show
from .consensus import saved_or_combined


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add_labels(parser)
    about = "the object: its name, or its row number (from 0) if names are not numbers"
    add("object", nargs="?", metavar="object", help=about)
    add("--object", dest="named", metavar="NAME", help="the object, given as an option")
    add_consensus(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Read the labels, combine them, explain one object."""
    check_output(args.output, args.labels)
    which = [given for given in (args.object, args.named) if given is not None]
    if len(which) != 1:
        given = " and ".join(which) or "no object"
        raise InputError(
            f"{given} was given; expected one object to explain, such as: graphens explain {args.labels} 0."
        )
    e = read_labels(args)
    found = saved_or_combined(e, args).explain(position=_position(which[0], e, args))
    show(found.columns(), args, above=repr(found))


def _position(given: str, e: Ensemble, args: argparse.Namespace) -> int:
    """The row of the object whose name reads so; a row number where no name reads like a number."""
    names = e.vertex_names().texts()
    rows = [i for i, name in enumerate(names) if name == given]
    if len(rows) == 1:
        return rows[0]
    if not rows and given.isdigit() and not any(map(str.isdigit, names)) and int(given) < len(names):
        return int(given)
    wrong = f"{len(rows)} objects have that name" if rows else "no object has that name"
    last = "" if rows or e.object_names is not None else f", 0 to {len(names) - 1}"
    column = next((name for name, cells in args.table.items() if given in map(str, cells)), None)
    advice = f" If the column {column!r} names the objects, add --id {shlex.quote(column)}." if column else ""
    raise InputError(
        f"{given} was given, but {wrong}; expected the name of one object, or its row number (from 0{last}) if names "
        f"are not numbers.{advice if e.object_names is None else meant(given, names)}"
    )
