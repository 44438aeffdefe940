r"""Write a graph of the clusterings in a table to a file.

The table has a row for each object and a column for each clustering: .csv, .tsv, .txt, .parquet, .xlsx, - for standard
input, or an ensemble saved as .npz. The first line is a header unless it holds only numbers. A first
column that is different in every row names the objects. Empty cells, NA, NaN, None, null and -1 are missing labels.

graphs and the endings they can be written to:
  coassociation, bipartite, meta   .graphml .gexf .gml .net .graph .csv .tsv
                                   .parquet
  hypergraph                       .hgr .hif.json

for example:
  graphens export labels.csv -o labels.graphml
  graphens export labels.csv --graph coassociation --threshold 0.5 \
      -o together.graphml
  graphens export labels.csv --graph bipartite --clusters clusters.csv \
      -o colored.gexf
  graphens export labels.csv --graph meta -o - --format csv | head
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from .. import Ensemble, Graph, Hypergraph, bipartite, coassociation, hypergraph, metagraph
from ..errors import InputError
from ..export import writer
from ..export.annotate import Answer
from ..export.table_files import to_standard_output
from ..views.metagraph import SIMILARITIES
from ._options import OneOf, add_labels
from ._screen import note, say
from ._tables import check_place, read_answer, read_labels

GRAPHS: dict[str, Callable[[Ensemble, str], Graph | Hypergraph]] = {
    "coassociation": lambda e, _: coassociation(e),
    "bipartite": lambda e, _: bipartite(e),
    "meta": metagraph,
    "hypergraph": lambda e, _: hypergraph(e),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add_labels(parser)
    graphs, similarities = ", ".join(GRAPHS), ", ".join(SIMILARITIES)
    about = (
        f"graph to write: {graphs} (default: bipartite; coassociation with --threshold or --neighbors, meta with "
        "--similarity, "
        "hypergraph for .hgr and .hif.json)"
    )
    add("--graph", metavar="GRAPH", type=OneOf(GRAPHS), help=about)
    add("-o", "--output", required=True, metavar="FILE", help="output file, or - for standard output")
    add(
        "--format",
        metavar="ENDING",
        help="file format, such as graphml (default: from the file name; csv or hif.json for -)",
    )
    add(
        "--clusters",
        metavar="FILE",
        help="result of graphens consensus or cluster, used to color the vertices",
    )
    add("--threshold", dest="theta", metavar="T", type=float, help="keep only edges with a weight above T")
    add(
        "--neighbors", dest="p", metavar="P", type=int, help="keep only the P strongest edges of every vertex"
    )
    add(
        "--similarity",
        metavar="NAME",
        type=OneOf(SIMILARITIES),
        help=f"similarity of clusters, for --graph meta: {similarities} (default: jaccard)",
    )


def run(args: argparse.Namespace) -> None:
    """Read the labels, build the graph, write it."""
    args.graph = args.graph or _wanted(args)
    _check(args)
    ending = _ending(args)
    writer(Hypergraph if args.graph == "hypergraph" else Graph, ending, answers=args.clusters is not None)
    check_place(args.output, args.labels)  # before the work, not after it
    e = read_labels(args)
    answer = None if args.clusters is None else read_answer(args.clusters, e, args)
    made = GRAPHS[args.graph](e, args.similarity or "jaccard")
    made = _thinned(made, args)
    if args.output == "-":
        to_standard_output(_as_bytes(made, ending, answer))
        note(repr(made))
    else:
        _put(made, ending, args.output, answer)
        say(f"{args.output}: {made!r}")


def _wanted(args: argparse.Namespace) -> str:
    """The graph that the other arguments apply to."""
    if str(args.format or args.output).lower().endswith(("hgr", "hif.json")):
        return "hypergraph"
    if args.similarity is not None:
        return "meta"
    return "bipartite" if args.theta is None and args.p is None else "coassociation"


def _ending(args: argparse.Namespace) -> str:
    """The ending that chooses the format."""
    if args.format is not None:
        return f".{args.format.lstrip('.')}"
    if args.output == "-":
        return ".hif.json" if args.graph == "hypergraph" else ".csv"
    return str(args.output)


def _put(made: Graph | Hypergraph, ending: str, path: str | Path, answer: Answer | None) -> None:
    """Write in the format of an ending, whatever the file is called."""
    put = writer(type(made), ending, answers=answer is not None)
    put(made, path) if answer is None else put(made, path, consensus=answer)


def _as_bytes(made: Graph | Hypergraph, ending: str, answer: Answer | None) -> bytes:
    """What a file of that format holds: the writers of other packages want a place on disk."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"graph{ending}"
        _put(made, ending, path, answer)
        return path.read_bytes()


def _check(args: argparse.Namespace) -> None:
    if args.graph != "meta" and args.similarity is not None:
        raise InputError(
            f"--similarity was given with --graph {args.graph}; only the meta-graph compares clusters."
        )
    if args.graph == "hypergraph" and (args.theta is not None or args.p is not None):
        raise InputError(
            "--threshold and --neighbors select weighted edges, but a hypergraph has none; leave them out."
        )


def _thinned(made: Graph | Hypergraph, args: argparse.Namespace) -> Graph | Hypergraph:
    """Keep only the edges asked for."""
    if isinstance(made, Graph) and args.theta is not None:
        made = made.threshold(args.theta)
    if isinstance(made, Graph) and args.p is not None:
        made = made.neighbors(args.p)
    return made
