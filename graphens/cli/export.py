"""Write a graph of a table of labels to a file.

The table has a row for each object and a column for each clustering: .csv, .tsv, .parquet, - for standard input, or an
ensemble saved as .npz. The first line is a header unless it holds only numbers. Empty cells, NA, NaN, None, null and
-1 are missing labels.

graphs and the endings they can be written to:
  coassociation, bipartite, meta   .graphml .gexf .gml .net .graph .csv .tsv .parquet
  hypergraph                       .hgr .hif.json

example:
  graphens export labels.csv --graph coassociation --threshold 0.5 -o together.graphml
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from .. import Ensemble, Graph, Hypergraph, bipartite, coassociation, hypergraph, metagraph
from ..errors import InputError
from ..export import writer
from ..export.labels import read_ensemble
from ..views.metagraph import SIMILARITIES
from ._answer import check_place
from ._making import names
from ._screen import say

GRAPHS: dict[str, Callable[[Ensemble, str], Graph | Hypergraph]] = {
    "coassociation": lambda e, _: coassociation(e),
    "bipartite": lambda e, _: bipartite(e),
    "meta": metagraph,
    "hypergraph": lambda e, _: hypergraph(e),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("labels", help="table of labels, or - for standard input")
    add("--graph", required=True, choices=tuple(GRAPHS), help="which graph")
    add("-o", "--output", required=True, metavar="FILE", help="where to; the ending chooses the format")
    add("--columns", metavar="A,B,...", type=names, help="the clusterings (default: all columns)")
    add("--id", metavar="COLUMN", help="the column with the objects' names")
    add("--threshold", metavar="T", type=float, help="keep edges that weigh more than this")
    add("--neighbors", metavar="P", type=int, help="keep the P strongest edges of every vertex")
    add("--similarity", choices=tuple(SIMILARITIES), help="of clusters, for --graph meta (default: jaccard)")


def run(args: argparse.Namespace) -> None:
    """Read the labels, build the graph, write it."""
    _check(args)
    put = writer(Hypergraph if args.graph == "hypergraph" else Graph, args.output)
    check_place(args.output, args.labels)  # before the work, not after it
    e = read_ensemble(args.labels, columns=args.columns, id_column=args.id)
    made = _thinned(GRAPHS[args.graph](e, args.similarity or "jaccard"), args)
    put(made, args.output)
    say(f"{args.output}: {made!r}")


def _check(args: argparse.Namespace) -> None:
    if args.graph != "meta" and args.similarity is not None:
        raise InputError(
            f"--similarity was given with --graph {args.graph}; only the meta-graph compares clusters."
        )
    if args.graph == "hypergraph" and (args.threshold is not None or args.neighbors is not None):
        raise InputError("--threshold and --neighbors choose among weighted edges; a hypergraph has none.")


def _thinned(made: Graph | Hypergraph, args: argparse.Namespace) -> Graph | Hypergraph:
    """Keep only the edges asked for."""
    if isinstance(made, Graph) and args.threshold is not None:
        made = made.threshold(args.threshold)
    if isinstance(made, Graph) and args.neighbors is not None:
        made = made.neighbors(args.neighbors)
    return made
