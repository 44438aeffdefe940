"""Combine three clusterings of seven objects, show every step and write the graphs.

The labels and everything made from them are written to a directory: a table for `graphens export`, graphs for Gephi,
Cytoscape, networkx or igraph, the hypergraph for XGI or HyperNetX, and the dendrogram for tree viewers. Existing files
with other contents are not overwritten unless --overwrite is given.

example:
  graphens demo -o somewhere
"""

from __future__ import annotations

import argparse
import os
import shlex
import string
import sys
from collections.abc import Sequence
from filecmp import cmp
from pathlib import Path
from tempfile import TemporaryDirectory

from .. import Consensus, Dendrogram, Ensemble, bipartite, coassociation, eac, hypergraph, metagraph
from ..errors import FileError
from ..export import write
from ..export.annotate import Answer
from ..export.table_files import write_table
from ._screen import bar, command, paragraph, say, shell_lines, table
from ._tree import draw

PARTITIONS = {"P1": "1112233", "P2": "2223311", "P3": "3322111"}
FILES = {
    "labels.csv": "the three clusterings",
    "clusters.csv": "the consensus, with the confidence of every object",
    "hypergraph.hif.json": "Hypergraph Interchange Format, for XGI and HyperNetX",
    "coassociation.graphml": "GraphML, for Gephi, Cytoscape, networkx and igraph",
    "bipartite.graphml": "GraphML",
    "meta.graphml": "GraphML",
    "dendrogram.nwk": "Newick, for tree viewers",
    "report.html": "a report with pictures, for a browser",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add(
        "-o",
        "--output",
        metavar="DIR",
        default="graphens-demo",
        type=Path,
        help="folder for the files (default: %(default)s)",
    )
    add("--overwrite", action="store_true", help="replace existing files that have other contents")


def run(args: argparse.Namespace) -> None:
    """Run the example, write its graphs, show all of it."""
    e = Ensemble.from_partitions(
        {name: [int(label) for label in row] for name, row in PARTITIONS.items()},
        object_names=[f"x{i}" for i in range(1, 8)],
    )
    r = eac(e, linkage="average")
    assert r.dendrogram is not None
    _write(e, r, r.dendrogram, args.output, overwrite=args.overwrite)
    _tell("Three clusterings of the same seven objects, and their consensus.")
    say(*_objects(e, r), "")
    _tell("Together they form one hypergraph, which can be turned into three graphs.")
    say(*_graphs(e), "")
    _tell(
        "Average linkage on the co-association graph: objects that share clusters more often merge further left."
    )
    say(*_tree(r.dendrogram, r.k), "")
    _tell(
        f"{r.k} clusters persist over the longest range of heights, so the consensus has {r.k} clusters. Its "
        f"agreement with the three clusterings is {r.score:.2f} (mean normalized mutual information, at most 1)."
    )
    say(f"Written to {args.output}:", *(f"  {name:22}  {what}" for name, what in FILES.items()), "")
    labels, clusters = (shlex.quote(str(args.output / name)) for name in ("labels.csv", "clusters.csv"))
    _tell("Next, try another method, and export a graph with its vertices colored by cluster:", after=())
    for words in (
        f"consensus {labels} --id object -k 3 --method mcla --seed 0",
        f"export {labels} --id object --graph meta --clusters {clusters} -o meta.gexf",
    ):
        say(*shell_lines(f"{command()} {words}", sys.stdout))


def _tell(text: str, after: Sequence[str] = ("",)) -> None:
    say(*paragraph(text, sys.stdout), *after)


def _objects(e: Ensemble, r: Consensus) -> list[str]:
    """Each object with its labels, its consensus cluster and the confidence in it."""
    given = [names[row].astype(str) for row, names in zip(e.codes, e.categories, strict=True)]
    rows = []
    for i, (name, cluster) in enumerate(zip(e.vertex_names(), r.labels, strict=True)):
        sure = float(r.confidence[i])
        shown = f"{sure:.2f} {bar(sure, 12)}"
        rows.append([name, *(labels[i] for labels in given), string.ascii_uppercase[cluster], shown])
    return table(["object", *e.partition_names, "consensus", "confidence"], rows)


def _graphs(e: Ensemble) -> list[str]:
    h = hypergraph(e)
    rows = [["hypergraph: every cluster is a set of objects", str(h.n_vertices), str(h.n_hyperedges)]]
    graphs = {
        "co-association: how often two objects are together": coassociation(e),
        "bipartite: objects joined to their clusters": bipartite(e),
        "meta-graph: how much two clusters overlap": metagraph(e),
    }
    rows += [[name, str(g.n_vertices), str(g.n_edges)] for name, g in graphs.items()]
    return table(["graph", "vertices", "edges"], rows)


def _tree(d: Dendrogram, k: int) -> list[str]:
    """The dendrogram with its cut, and how long each number of clusters lives."""
    lifetimes = d.lifetimes()
    cut = 1 - sum(length for fewer, length in lifetimes.items() if fewer < k) - lifetimes[k] / 2
    rows = [
        [str(j), f"{length:.3f}", bar(length, 40) + " ← the longest" * (j == k)]
        for j, length in lifetimes.items()
    ]
    dotted = "The dotted line is the cut, in the middle of the longest range without a merge."
    return [
        *draw(d, cut=cut),
        "",
        *paragraph(dotted, sys.stdout),
        "",
        *table(["clusters", "lifetime", ""], rows),
    ]


def _write(e: Ensemble, r: Consensus, d: Dendrogram, folder: Path, *, overwrite: bool) -> None:
    """Make everything in a temporary folder first, so that it is written completely or not at all."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".graphens-", dir=folder) as made:
            _make(e, r, d, Path(made))
            _check_others(Path(made), folder, overwrite=overwrite)
            for name in FILES:
                os.replace(Path(made) / name, folder / name)
    except (OSError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"The directory {folder} cannot be created or written to: {reason}.") from None


def _check_others(made: Path, folder: Path, *, overwrite: bool) -> None:
    """Refuse to replace files with other contents."""
    taken = [
        name for name in FILES if (folder / name).exists() and not cmp(made / name, folder / name, False)
    ]
    if taken and not overwrite:
        raise FileError(
            f"{folder} already contains a different {', '.join(taken)}, which would be overwritten; give --overwrite, "
            "or another directory with -o."
        )


def _make(e: Ensemble, r: Consensus, d: Dendrogram, folder: Path) -> None:
    named = {"object": list(e.vertex_names())}
    labels = {p: names[row] for p, names, row in zip(e.partition_names, e.categories, e.codes, strict=True)}
    write_table(named | labels, folder / "labels.csv")
    write_table(named | {"cluster": r.labels, "confidence": r.confidence.round(6)}, folder / "clusters.csv")
    answer = Answer(r.labels, r.confidence, e.vertex_names(), e)
    write(hypergraph(e), folder / "hypergraph.hif.json", consensus=answer)
    write(coassociation(e), folder / "coassociation.graphml", consensus=answer)
    write(bipartite(e), folder / "bipartite.graphml", consensus=answer)
    write(metagraph(e), folder / "meta.graphml", consensus=answer)
    write(d, folder / "dendrogram.nwk")
    r.report(folder / "report.html", title="Three clusterings of seven objects")
