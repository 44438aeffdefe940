"""Commands that begin here: demo, with a dendrogram as text."""

from __future__ import annotations

import os
import shlex
import string
import sys
from filecmp import cmp
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import numpy as np

from .. import Consensus, Dendrogram, Ensemble, bipartite, coassociation, eac, hypergraph, metagraph
from ..errors import FileError
from ..export import write
from ..export.annotate import Answer
from ..export.table_files import write_table
from ._command import Arg
from ._screen import bar, command, paragraph, say, shell_lines, table

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

_LEFT, _RIGHT, _UP, _DOWN = 1, 2, 4, 8
_LINES = np.array(list(" ───│┘└┴│┐┌┬│┤├┼"))  # by the sides that a line leaves a cell to
_STEM = 2  # columns before distance 0


def demo(*, output: Annotated[str, Arg("-o --output", "DIR")] = "graphens-demo", overwrite: bool = False) -> None:
    """Combine three clusterings of seven objects, show every step and write the graphs.

    The labels and everything made from them are written to a directory: a table for `graphens export`, graphs for
    Gephi, Cytoscape, networkx or igraph, the hypergraph for XGI or HyperNetX, and the dendrogram for tree viewers.
    Existing files with other contents are not overwritten unless --overwrite is given.

    example:
      graphens demo -o somewhere

    Options
    -------
    output: folder for the files
    overwrite: replace existing files that have other contents
    """
    folder = Path(output)
    e = Ensemble.from_partitions(
        {name: [int(label) for label in row] for name, row in PARTITIONS.items()},
        object_names=[f"x{i}" for i in range(1, 8)],
    )
    r = eac(e, linkage="average")
    assert r.dendrogram is not None
    _write(e, r, r.dendrogram, folder, overwrite=overwrite)
    _tell("Three clusterings of the same seven objects, and their consensus.")
    say(*_objects(e, r), "")
    _tell("Together they form one hypergraph, which can be turned into three graphs.")
    say(*_graphs(e), "")
    _tell("Average linkage on the co-association graph: objects that share clusters more often merge further left.")
    say(*_tree(r.dendrogram, r.k), "")
    _tell(
        f"{r.k} clusters persist over the longest range of heights, so the consensus has {r.k} clusters. Its "
        f"agreement with the three clusterings is {r.score:.2f} (mean normalized mutual information, at most 1)."
    )
    say(f"Written to {folder}:", *(f"  {name:22}  {what}" for name, what in FILES.items()), "")
    labels, clusters = (shlex.quote(str(folder / name)) for name in ("labels.csv", "clusters.csv"))
    say(*paragraph("Next, try another method, and export a graph with its vertices colored by cluster:", sys.stdout))
    for words in (
        f"consensus {labels} --id object -k 3 --method mcla --seed 0",
        f"export {labels} --id object --graph metagraph --clusters {clusters} -o meta.gexf",
    ):
        say(*shell_lines(f"{command()} {words}", sys.stdout))


def _tell(text: str) -> None:
    say(*paragraph(text, sys.stdout), "")


def _objects(e: Ensemble, r: Consensus) -> list[str]:
    """Each object with its labels, its consensus cluster and the confidence in it."""
    columns = [names[row].astype(str) for row, names in zip(e.codes, e.categories, strict=True)]
    rows = []
    for i, (name, cluster) in enumerate(zip(e.vertex_names(), r.labels, strict=True)):
        sure = float(r.confidence[i])
        shown = f"{sure:.2f} {bar(sure, 12)}"
        rows.append([name, *(labels[i] for labels in columns), string.ascii_uppercase[cluster], shown])
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
    rows = [[str(j), f"{length:.3f}", bar(length, 40) + " ← the longest" * (j == k)] for j, length in lifetimes.items()]
    dotted = "The dotted line is the cut, in the middle of the longest range without a merge."
    return [*draw(d, cut=cut), "", *paragraph(dotted, sys.stdout), "", *table(["clusters", "lifetime", ""], rows)]


def _write(e: Ensemble, r: Consensus, d: Dendrogram, folder: Path, *, overwrite: bool) -> None:
    """Make everything in a temporary folder first, so that it is written completely or not at all."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".graphens-", dir=folder) as draft:
            _make(e, r, d, Path(draft))
            there = [name for name in FILES if (folder / name).exists()]
            others = [name for name in there if not cmp(f"{draft}/{name}", folder / name, shallow=False)]
            if others and not overwrite:
                raise FileError(
                    f"{folder} already contains a different {', '.join(others)}, which would be overwritten; give "
                    "--overwrite, or another directory with -o."
                )
            for name in FILES:
                os.replace(Path(draft) / name, folder / name)
    except (OSError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"The directory {folder} cannot be created or written to: {reason}.") from None


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


# a dendrogram as text, with leaves on the left and distances to the right ------------------------------------


def draw(d: Dendrogram, *, width: int = 48, cut: float | None = None) -> list[str]:
    """Return the lines of the tree with a dotted line at a cut, and a scale below, up to distance 1 or more."""
    merges, n = d.to_scipy(), d.n_objects
    top = max(1.0, d.heights.max(initial=0.0))
    canvas = np.zeros((n, _STEM + width + 1), dtype=np.int64)
    groups = [[leaf] for leaf in range(n)]  # the leaves of each node from top to bottom, the earliest first
    for a, b in merges[:, :2].astype(np.int64).tolist():
        first, second = sorted((groups[a], groups[b]))
        groups.append(first + second)
    order = groups[-1]
    row, column = np.argsort(order).tolist(), [0] * n  # where each node's line starts
    for a, b, height, _ in merges.tolist():
        end = _STEM + round(height / top * width)
        ends = [row[int(a)], row[int(b)]]
        for child in (int(a), int(b)):
            canvas[row[child], column[child] : end] |= _RIGHT
            canvas[row[child], column[child] + 1 : end + 1] |= _LEFT
        canvas[min(ends) : max(ends), end] |= _DOWN
        canvas[min(ends) + 1 : max(ends) + 1, end] |= _UP
        row.append(sum(ends) // 2)
        column.append(end)
    canvas[row[-1], column[-1] : -1] |= _RIGHT
    canvas[row[-1], column[-1] + 1 :] |= _LEFT
    signs = _LINES[canvas]
    if cut is not None:
        at = _STEM + round(cut / top * width)
        signs[canvas[:, at] == 0, at] = "┊"
    texts = d.names.texts()
    names = [texts[leaf] for leaf in order]
    margin = max(map(len, names)) + 1
    lines = [name.ljust(margin) + "".join(cells).rstrip() for name, cells in zip(names, signs, strict=True)]
    scale = ""
    for mark in (0.0, 0.25, 0.5, 0.75, 1.0):
        scale = scale.ljust(round(mark * width)) + f"{mark * top:.3g}"
    return [*lines, " " * (margin + _STEM) + scale]
