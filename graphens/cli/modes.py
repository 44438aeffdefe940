"""Find groups of clusterings that agree within a group but not between groups.

The table has a row for each group, the largest first: its share of the clusterings, the number of clusters in its own
consensus, the number of objects it places differently than the largest group, and the names of its clusterings. With
--answers, the consensus of every group is written as well, with a row for each object and a column for each group.

example:
  graphens modes labels.csv --id customer --seed 0 --answers groups.csv
"""

from __future__ import annotations

import argparse
from typing import Any

from ._options import add_k, add_labels, add_output, add_seed
from ._tables import check_output, read_labels, show, write


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_labels(parser)
    add_k(parser)
    add_seed(parser)
    parser.add_argument("--answers", metavar="FILE", help="write the consensus of every group to this file")
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Read the labels, find the groups, show them."""
    from .. import modes

    check_output(args.output, args.labels)
    check_output(args.answers, args.labels, option="--answers")
    e = read_labels(args)
    found = modes(e, args.k, seed=args.seed)
    if args.answers is not None:
        answers = {
            f"group_{j}": [None if c < 0 else c for c in mode.consensus.labels.tolist()]
            for j, mode in enumerate(found)
        }
        named = {str(e.index_name or "object"): e.vertex_names().column()}
        write(named | answers, args, args.answers)
    columns: dict[str, list[Any]] = {
        "group": list(range(len(found))),
        "share": [mode.share for mode in found],
        "clusterings": [len(mode.members) for mode in found],
        "clusters": [mode.consensus.k for mode in found],
        "elsewhere": [len(mode.contested) for mode in found],
        "names": [", ".join(mode.names) for mode in found],
    }
    show(columns, args, below="names")
