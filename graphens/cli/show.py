"""Commands that draw or write graphs and pages: plot, report, explore, export."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from .. import Consensus, Ensemble, Graph, Hypergraph, bipartite, coassociation, hypergraph, metagraph
from .._lib.files import atomic
from ..errors import InputError
from ..export import writer
from ..export.table_files import to_standard_output
from ..graphs.metagraph import SIMILARITIES
from ._command import Arg, ClassesIn, InFile, Ks, MethodNames, PageOut
from ._screen import note, say
from ._tables import LabelTable, read_answer
from .from_labels import Recipe

KINDS = ("heatmap", "confidence", "graph", "tree", "map", "scatter", "frequencies", "flow")
ENDINGS = (".png", ".svg", ".pdf", ".jpg")
GRAPHS: dict[str, Callable[[Ensemble, str], Graph | Hypergraph]] = {
    "coassociation": lambda e, _: coassociation(e),
    "bipartite": lambda e, _: bipartite(e),
    "metagraph": metagraph,
    "hypergraph": lambda e, _: hypergraph(e),
}


@dataclass(kw_only=True)
class Beside:
    """What is known of the objects besides labels.

    Options
    -------
    classes: known classes to compare with and to color by: a column of the table, or a file
    features: table of features, such as UMAP coordinates, used as positions of the objects
    """

    classes: ClassesIn | None = None
    features: InFile | None = None

    def answer(self, table: LabelTable, recipe: Recipe) -> tuple[Consensus, dict[str, Any]]:
        """Return the consensus, and what is known by the names of parameters."""
        e = table.read(self.classes)
        facts = {"classes": table.classes(self.classes, e), "X": table.features(self.features, e)}
        return recipe.answer(table, e), {name: value for name, value in facts.items() if value is not None}


def plot(
    table: LabelTable,
    *,
    kind: Annotated[str, Arg(words=KINDS)] = KINDS[0],
    beside: Beside,
    dpi: int = 150,
    recipe: Recipe,
    output: Annotated[str, Arg("-o --output", "FILE", file="out", endings=ENDINGS)] = "consensus.png",
) -> None:
    """Draw a consensus as a heat map, graph, tree, or another picture.

    The consensus is computed as `graphens consensus` does it, or read from a file saved with --save.

    for example:
      graphens plot labels.csv -k 5 --seed 0 -o heatmap.png
      graphens plot labels.csv -k 5 --kind graph --method cspa -o graph.svg
      graphens plot labels.csv --id cell --kind scatter --features cells.csv

    Options
    -------
    kind: kind of picture
    dpi: dots per inch
    output: output file: .png, .svg, .pdf, .jpg
    """
    if not 10 <= dpi <= 2000:
        raise InputError(f"--dpi {dpi} was given; expected a number from 10 to 2000.")
    import matplotlib as mpl

    mpl.use("Agg")  # a file is drawn where there is no screen, too
    r, facts = beside.answer(table, recipe)
    display = r.plot(kind, **facts)
    ending = output.rpartition(".")[2].lower()
    dated = {"metadata": {"Date": None}} if ending == "svg" else {}
    with atomic(output) as file:
        display.figure_.savefig(file, format=ending, dpi=dpi, **dated)
    note(f"{r!r}\n  picture     {output}")


def report(
    table: LabelTable,
    *,
    recipe: Recipe,
    ks: Ks | None = None,
    methods: MethodNames | None = None,
    beside: Beside,
    title: str | None = None,
    output: PageOut = "report.html",
    open: bool = False,
) -> None:
    """Write a report about a consensus: the result, warnings, pictures, tables, and how to reproduce it.

    The consensus is computed as `graphens consensus` does it, or read from a file saved with --save. The report is a
    single HTML file that works offline.

    for example:
      graphens report labels.csv -k 5 -o report.html --ks 2:8 --open
      graphens report labels.csv --id cell --classes type --features cells.csv

    Options
    -------
    ks: numbers of clusters to try and show (default: none)
    methods: methods to run and compare (default: none)
    title: title of the page
    output: output file
    open: open the page in a browser
    """
    r, facts = beside.answer(table, recipe)
    page = r.report(output, title=title, ks=None if ks is None else list(ks), methods=methods, **facts)
    _finish(r, page, show=open)


def explore(
    table: LabelTable,
    *,
    recipe: Recipe,
    beside: Beside,
    title: str | None = None,
    output: PageOut = "explore.html",
    open: bool = False,
) -> None:
    """Write a page to explore a consensus: map, tree, heat map and table, linked by a threshold.

    The consensus is computed as `graphens consensus` does it, or read from a file saved with --save. The page is a
    single HTML file that works offline.

    example:
      graphens explore labels.csv -k 5 -o explore.html --open

    Options
    -------
    title: title of the page
    output: output file
    open: open the page in a browser
    """
    r, facts = beside.answer(table, recipe)
    _finish(r, r.explore(output, title=title, **facts), show=open)


def _finish(r: Consensus, page: Path, *, show: bool) -> None:
    """Say what a page is about, and open it in a browser."""
    import webbrowser

    note(f"{r!r}\n  page        {page}")
    if show:
        webbrowser.open(page.resolve().as_uri())


# graphs -----------------------------------------------------------------------------------------------------


def export(
    table: LabelTable,
    *,
    graph: Annotated[str, Arg(metavar="GRAPH", words=GRAPHS)] | None = None,
    output: Annotated[str, Arg("-o --output", "FILE", file="out", screen=True)],
    format: Annotated[str, Arg(metavar="ENDING")] | None = None,
    clusters: InFile | None = None,
    threshold: Annotated[float, Arg(metavar="T", parameter="theta")] | None = None,
    neighbors: Annotated[int, Arg(metavar="P", parameter="p")] | None = None,
    similarity: Annotated[str, Arg(words=SIMILARITIES)] | None = None,
) -> None:
    r"""Write a graph of the clusterings in a table to a file.

    The table has a row for each object and a column for each clustering: .csv, .tsv, .txt, .parquet, .xlsx, - for
    standard input, or an ensemble saved as .npz. The first line is a header unless it holds only numbers. A first
    column that is different in every row names the objects. Empty cells, NA, NaN, None, null and -1 are missing labels.

    graphs and the endings they can be written to:
      coassociation, bipartite, metagraph   .graphml .gexf .gml .net .graph .csv
                                            .tsv .parquet
      hypergraph                            .hgr .hif.json

    for example:
      graphens export labels.csv -o labels.graphml
      graphens export labels.csv --graph coassociation --threshold 0.5 \
          -o together.graphml
      graphens export labels.csv --graph bipartite --clusters clusters.csv \
          -o colored.gexf
      graphens export labels.csv --graph metagraph -o - --format csv | head

    Options
    -------
    graph: graph to write (default: bipartite; coassociation with --threshold or --neighbors, metagraph with
        --similarity, hypergraph for .hgr and .hif.json)
    output: output file, or - for standard output
    format: file format, such as graphml (default: from the file name; csv or hif.json for -)
    clusters: result of graphens consensus or cluster, used to color the vertices
    threshold: keep only edges with a weight above T
    neighbors: keep only the P strongest edges of every vertex
    similarity: similarity of clusters, for --graph metagraph (default: jaccard)
    """
    thinned = threshold is not None or neighbors is not None
    if graph is None:
        hyper = str(format or output).lower().endswith(("hgr", "hif.json"))
        plain = "coassociation" if thinned else "bipartite"
        graph = "hypergraph" if hyper else plain if similarity is None else "metagraph"
    if graph != "metagraph" and similarity is not None:
        raise InputError(f"--similarity was given with --graph {graph}; only the meta-graph compares clusters.")
    if graph == "hypergraph" and thinned:
        raise InputError(
            "--threshold and --neighbors select weighted edges, but a hypergraph has none; leave them out."
        )
    usual = (".hif.json" if graph == "hypergraph" else ".csv") if output == "-" else output
    ending = usual if format is None else f".{format.lstrip('.')}"
    write = writer(Hypergraph if graph == "hypergraph" else Graph, ending, answers=clusters is not None)
    e = table.read()
    how = {} if clusters is None else {"consensus": read_answer(clusters, e, table)}
    view = GRAPHS[graph](e, similarity or "jaccard")
    if isinstance(view, Graph):
        view = view if threshold is None else view.threshold(threshold)
        view = view if neighbors is None else view.neighbors(neighbors)
    if output != "-":
        write(view, output, **how)
        say(f"{output}: {view!r}")
        return
    with TemporaryDirectory() as folder:  # the writers of other packages want a place on disk
        path = Path(folder) / f"graph{ending}"
        write(view, path, **how)
        to_standard_output(path.read_bytes())
    note(repr(view))
