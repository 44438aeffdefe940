r"""Find the communities of a network that many runs agree on.

The network is a table of edges (.csv, .tsv, .txt, .parquet, - for standard input) or a .graphml, .gexf, .gml, .net
(Pajek) or .graph (METIS) file. A table has the two ends of an edge in the columns source and target, or in its first
two columns, and an optional weight in the column weight, or in the third. A header is optional. The weights of repeated
edges are added. A directed file is refused unless --symmetrize is given. The result has a row for each vertex: its
community and the confidence of the assignment. With --graph, the network is written as well: vertices have their
cluster and confidence, and edges have the share of runs that keep their ends together.

for example:
  graphens communities edges.csv --seed 0 -o communities.csv
  graphens communities net.graphml --base louvain --runs 100 \
      --resolution 0.5:2 --graph out.graphml
"""

from __future__ import annotations

import argparse

from .. import Consensus, Graph, communities
from ..errors import InputError
from ..export.annotate import NETWORK_FILES, write_network
from ..export.edge_list import read_edge_list
from ..export.table_files import as_number
from ._options import (
    add_answer,
    add_jobs,
    add_k,
    add_method,
    add_partitions,
    add_seed,
    fitting_options,
    method_options,
    names,
)
from ._progress import partitions_done
from ._screen import note
from ._tables import check_answer, check_place, write_answer


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("network", help="network: a table of edges, or a graph file")
    add(
        "--base",
        metavar="NAME,...",
        type=names,
        default=["leiden"],
        help="community detection algorithm (default: leiden)",
    )
    add_partitions(parser, 50, "number of runs", "--runs")
    add(
        "--resolution",
        metavar="R|LOW:HIGH",
        type=resolution_of,
        default=1.0,
        help=(
            "larger values give more and smaller communities; with an interval, every run draws its own value "
            "(default: 1)"
        ),
    )
    add(
        "--symmetrize",
        action="store_true",
        help="ignore the directions of a directed network, adding the weights of both directions",
    )
    add_k(parser)
    add_method(parser, "recluster")
    add_answer(parser)
    add("--graph", metavar="FILE", help=f"write the network with its communities: {', '.join(NETWORK_FILES)}")
    add_seed(parser)
    add_jobs(parser, "runs")


def run(args: argparse.Namespace) -> None:
    """Read the network, find its communities, write them."""
    check_answer(args, args.network)
    _check_graph(args)
    graph = (
        read_edge_list("-") if args.network == "-" else Graph.read(args.network, symmetrize=args.symmetrize)
    )
    found = _found(graph, args)
    if found.ensemble is None:
        raise InputError(
            f"--method {args.method} does not keep the runs; expected recluster, ecg or another method."
        )
    write_answer(found, found.ensemble, args, "vertex")
    if args.graph is not None:
        write_network(found, args.graph)
    runs = found.details["runs_modularity"]
    bounds = f"{found.details['modularity']:.3f} (runs: {runs.min():.3f} to {runs.max():.3f})"
    note(f"{found!r}\n  modularity  {bounds}")


def resolution_of(text: str) -> float | tuple[float, float]:
    """Read a resolution, or an interval of them."""
    try:
        ends = [as_number(part) for part in text.split(":")]
    except ValueError:
        ends = []
    if len(ends) not in (1, 2):
        raise argparse.ArgumentTypeError(
            f"{text} was given; expected a number such as 1, or an interval such as 0.5:2"
        )
    return ends[0] if len(ends) == 1 else (ends[0], ends[1])


def _check_graph(args: argparse.Namespace) -> None:
    """Refuse a file that the network cannot be written to, before the work and not after it."""
    if args.graph is None:
        return
    if not args.graph.lower().endswith(tuple(NETWORK_FILES)):
        raise InputError(
            f"--graph {args.graph} was given; expected a file ending in {', '.join(NETWORK_FILES)}."
        )
    check_place(args.graph, args.network)


def _found(graph: Graph, args: argparse.Namespace) -> Consensus:
    with fitting_options(args):
        return communities(
            graph,
            args.n_partitions,
            base=args.base if len(args.base) > 1 else args.base[0],
            method=args.method,
            k=args.k,
            resolution=args.resolution,
            seed=args.seed,
            n_jobs=args.n_jobs,
            progress=partitions_done,
            checkpoint=args.checkpoint,
            **method_options(args),
        )
