"""The figures of the README, the home page and the pages that explain: ``python docs/build.py figures [name …]``.

Each function here draws one figure, and its name is the file's in docs/images. Those of several panels have a file for
each, counted from 1, so that pages can place them side by side or below each other. They are kept there, reduced to
128 colors, because the README shows them as well.
"""

import io
import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from sklearn.datasets import load_digits, load_wine
from sklearn.preprocessing import scale

import graphens as ge

IMAGES = Path(__file__).resolve().parent / "images"
FIGURES: dict[str, Callable[[], Any]] = {}


def figure(draw: Callable[[], Any]) -> Callable[[], Any]:
    """Register a function that returns a figure of Matplotlib, a list of them, or an image of Pillow."""
    FIGURES[draw.__name__] = draw
    return draw


def write(names: Sequence[str], folder: Path = IMAGES) -> None:
    """Draw the named figures, all by default, and keep them as small PNG files."""
    for name in names or FIGURES:
        with plt.rc_context({"font.size": 10, "figure.dpi": 100, "savefig.facecolor": "white"}):
            drawn = FIGURES[name]()
            for number, one in enumerate(drawn, 1) if isinstance(drawn, list) else [("", drawn)]:
                image = one if isinstance(one, Image.Image) else rendered(one)
                small(image, folder / f"{name}{number and f'_{number}'}.png")
        plt.close("all")


def rendered(drawn: Any) -> Image.Image:
    """Return a figure of Matplotlib as an image."""
    buffer = io.BytesIO()
    drawn.savefig(buffer, format="png", facecolor=drawn.get_facecolor())
    return Image.open(buffer).convert("RGB")


def small(image: Image.Image, path: Path) -> None:
    """Write an image with at most 128 colors."""
    image.quantize(128, kmeans=2, dither=Image.Dither.NONE).save(path, optimize=True)


@cache
def wine() -> tuple[Any, Any, Any]:
    """Return features of 178 wines, their cultivars, and the consensus of fifty clusterings of them."""
    data = load_wine()
    X = scale(data.data)
    r = ge.consensus(ge.generate(X, 50, k=(3, 12), seed=0), 3, seed=0)
    return X, np.array(["Barolo", "Grignolino", "Barbera"])[data.target], r


def _axes(wide: float = 4.8, high: float = 3.6, dpi: int = 150) -> Any:
    """Return axes of a figure of its own; with the default dots per inch, words in it are large."""
    return plt.subplots(figsize=(wide, high), dpi=dpi, layout="constrained")[1]


@figure
def readme_answer() -> Any:
    """The co-association of the wines in the order of their clusters, with the cultivars beside it."""
    _, cultivar, r = wine()
    return r.plot("heatmap", _axes(), classes=cultivar).figure_


@figure
def readme_flow() -> Any:
    """The flow of the wines from some of the clusterings to the consensus."""
    return wine()[2].plot("flow", _axes()).figure_


@figure
def readme_report() -> Any:
    """The head of the report, as a browser shows it."""
    _, cultivar, r = wine()
    return shot(lambda path: r.report(path, classes=cultivar), 960, 720)


def shot(write: Callable[[Path], Any], wide: int, high: int) -> Image.Image:
    """Return what a browser of a size shows of a page that is written for it, three quarters as large."""
    with TemporaryDirectory() as folder:
        page, image = Path(folder) / "page.html", Path(folder) / "page.png"
        write(page)
        subprocess.run(
            [shutil.which("chromium") or "google-chrome", "--headless", "--no-sandbox", "--disable-gpu",
             "--hide-scrollbars", f"--window-size={wide},{high}", "--timeout=4000",
             f"--screenshot={image}", page.as_uri()],
            check=True,
            capture_output=True,
        )  # fmt: skip
        return Image.open(image).convert("RGB").resize((wide * 3 // 4, high * 3 // 4), Image.Resampling.LANCZOS)


@figure
def home_explore() -> Any:
    """The page to explore ten clusters of handwritten digits."""
    X = load_digits().data
    return shot(ge.consensus(ge.generate(X, 30, k=(10, 30), seed=0), 10, seed=0).explore, 960, 720)


def _panels(n: int, wide: float = 4.4, high: float = 3.4) -> list[Any]:
    """Return axes of figures that stand side by side on a page, or below each other where there is little room."""
    return [_axes(wide, high) for _ in range(n)]


OBJECTS, PEOPLE = list("abcdefg"), ["ann", "bob", "cal"]


@cache
def seven() -> Any:
    """Return three clusterings of seven objects."""
    labels = {"ann": "1112233", "bob": "2223311", "cal": "3322111"}
    return ge.Ensemble.from_partitions({name: list(said) for name, said in labels.items()}, object_names=OBJECTS)


@cache
def rings() -> tuple[Any, Any, Any]:
    """Return two half rings, fifty k-means clusterings of them, and their consensus."""
    X, _ = ge.datasets.load("half-rings", seed=0)
    e = ge.generate(X, n_partitions=50, k=(10, 30), seed=0)
    return X, e, ge.eac(e)


@cache
def blobs() -> tuple[Any, Any, Any]:
    """Return four groups of points, thirty k-means clusterings of them, and the true groups."""
    X, truth = ge.datasets.load("blobs", seed=0)
    return X, ge.generate(X, 30, k=(4, 8), seed=0), truth


def _table(ax: Any, labels: Any, title: str, rows: Sequence[str], columns: Sequence[str], first: int = 0) -> None:
    """Draw labels as colored cells with their numbers, counted from the first."""
    for (i, j), label in np.ndenumerate(np.asarray(labels)):
        if label >= 0:
            ax.add_patch(plt.Rectangle((j, i), 0.94, 0.9, color=ge.plot.color(int(label))))
            ax.text(j + 0.47, i + 0.45, str(first + int(label)), ha="center", va="center", color="white", weight="bold")
    ax.set(xlim=(0, len(columns)), ylim=(len(rows), 0))
    ax.set_xticks(np.arange(len(columns)) + 0.47, columns)
    ax.set_yticks(np.arange(len(rows)) + 0.45, rows)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title(title, loc="left", fontsize=11)


#: places of the vertices: objects, and clusters in the order of the people
_OBJECTS = np.array([(0, 0.9), (0, 0.1), (0.26, 0.5), (0.47, 0.5), (0.74, 0.5), (1, 0.9), (1, 0.1)])
_CLUSTERS = np.array(
    [(0.2, 0.9), (0.63, 0.9), (1, 0.9), (1, 0.1), (0.2, 0.1), (0.63, 0.1), (0.81, 0.5), (0.42, 0.5), (0, 0.5)]
)
_SIDES = np.array([(0.1, 1 - i / 6) for i in range(7)] + [(0.75, 1 - i / 8) for i in (0, 3, 7, 6, 1, 4, 8, 5, 2)])


def _views() -> list[tuple[Any, ...]]:
    """Return the three graphs: title, kind, what makes it and what cuts it, the graph, its cut, places of vertices."""
    e = seven()
    h = ge.hypergraph(e)
    cspa, hbgf, mcla = (cut(e, 3, seed=0) for cut in (ge.cspa, ge.hbgf, ge.mcla))
    both = np.append(hbgf.labels, hbgf.vertex_labels[-h.n_hyperedges :])
    return [
        ("Co-association", "clique expansion", "s = ge.coassociation(h)", "r = ge.cspa(e, 3)",
         ge.coassociation(h), cspa.labels, _OBJECTS),
        ("Bipartite graph", "star expansion", "b = ge.bipartite(h)", "r = ge.hbgf(e, 3)",
         ge.bipartite(h), both, _SIDES),
        ("Meta-graph", "line graph", "m = ge.metagraph(h)", "r = ge.mcla(e, 3)",
         ge.metagraph(h), mcla.vertex_labels, _CLUSTERS),
    ]  # fmt: skip


class _Sheet:
    """A figure whose places are pixels from the upper left, in the colors of light or dark pages."""

    def __init__(self, wide: int, high: int, *, dark: bool) -> None:
        self.drawn, self.wide, self.high = plt.figure(figsize=(wide / 100, high / 100), dpi=200), wide, high
        self.ink, self.faint, self.cell, self.page = (
            ("#e8eaed", "#8f98a3", "#39414d", "#14181e") if dark else ("#1f2328", "#868e96", "#e4e7eb", "#ffffff")
        )
        self.drawn.set_facecolor(self.page)

    def axes(self, x: float, y: float, wide: float, high: float) -> Any:
        """Return axes without frame; their unit square leaves room for the vertices at its border."""
        ax = self.drawn.add_axes((x / self.wide, 1 - (y + high) / self.high, wide / self.wide, high / self.high))
        ax.set(xlim=(-0.09, 1.09), ylim=(-0.09, 1.09))
        ax.set_axis_off()
        return ax

    def text(self, x: float, y: float, words: str, **style: Any) -> None:
        """Write words, in the middle of a place unless the style says otherwise."""
        look = {"color": self.ink, "ha": "center", "va": "center", "size": 9} | style
        self.drawn.text(x / self.wide, 1 - y / self.high, words, **look)

    def code(self, x: float, y: float, line: str, **style: Any) -> None:
        """Write a line of code in a box."""
        box = {"boxstyle": "round,pad=.35", "facecolor": self.cell, "edgecolor": "none"}
        self.text(x, y, line, **{"family": "monospace", "size": 8, "bbox": box} | style)

    def arrow(self, *places: tuple[float, float]) -> None:
        """Draw a line from place to place that ends with a head."""
        x, y = np.array(places).T / np.array([[self.wide], [self.high]])
        self.drawn.add_artist(plt.Line2D(x, 1 - y, color=self.faint, linewidth=1.2, zorder=-1))
        style = {"arrowstyle": "-|>", "color": self.faint, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 10}
        ends = ((x[-2], 1 - y[-2]), (x[-1], 1 - y[-1]))
        self.drawn.add_artist(plt.matplotlib.patches.FancyArrowPatch(*ends, zorder=-1, **style))

    def table(self, x: float, y: float, rows: Any, titles: Sequence[str], wide: float, high: float) -> None:
        """Draw cells with text, empty ones for none, with the objects on their left and titles above."""
        for i, row in enumerate(rows):
            self.text(x - 12, y + (i + 0.5) * high, OBJECTS[i], size=8)
            for j, (words, shade) in enumerate(row):
                corner = ((x + j * wide) / self.wide, 1 - (y + (i + 1) * high - 2) / self.high)
                size = (wide - 2) / self.wide, (high - 2) / self.high
                self.drawn.add_artist(plt.Rectangle(corner, *size, color=shade or self.cell, zorder=-1))
                self.text(x + (j + 0.5) * wide - 1, y + (i + 0.5) * high, words, size=8)
        for j, title in enumerate(titles):
            self.text(x + (j + 0.5) * wide - 1, y - 9, title, size=7.5, color=self.faint)

    def graph(self, ax: Any, graph: Any, place: Any, labels: Any = None) -> None:
        """Draw a graph; with labels in their colors, and edges between parts as dots."""
        for a, b, weight in zip(*graph.edges(), strict=True):
            apart = labels is not None and labels[a] != labels[b]
            style: dict[str, Any] = {"linestyle": ":", "linewidth": 1.2} if apart else {"linewidth": 0.7 + 2.3 * weight}
            style |= {"linewidth": 1.0} if len(place) > 9 else {}
            ax.plot(*place[[a, b]].T, color=self.faint, zorder=1, **style)
        for v, (x, y) in enumerate(place):
            shade, cluster = self.cell if labels is None else ge.plot.color(int(labels[v])), graph.roles[v] == 1
            size = 70 if cluster else 150 if len(place) < 9 else 90
            edge = self.faint if labels is None else shade
            ax.scatter(x, y, s=size, c=shade, marker="s" if cluster else "o", edgecolors=edge, linewidths=0.8, zorder=2)
            words, ink = str(graph.names[v]).replace(":", " "), self.ink if labels is None else "white"
            if not cluster:
                ax.annotate(words, (x, y), ha="center", va="center", size=7.5, color=ink, zorder=3)
            else:
                away = (9, 0) if len(place) > 9 else (0, 11 if y > 0.5 else -11)
                side = {"ha": "left" if away[0] else "center", "va": "center", "size": 6.5, "color": self.ink}
                behind = {"facecolor": self.page, "edgecolor": "none", "pad": 0.8}
                ax.annotate(words, (x, y), away, textcoords="offset points", bbox=behind, zorder=1.5, **side)

    def first(self, x: float, y: float) -> None:
        """Draw the labels."""
        self.text(x + 45, y, "Labels", weight="bold")
        cells = [[(str(said), "") for said in row] for row in seven().labels + 1]
        self.table(x, y + 38, cells, PEOPLE, 30, 22)

    def second(self, x: float, y: float) -> None:
        """Draw the hypergraph as the table of its incidences."""
        h = ge.hypergraph(seven())
        self.text(x + 117, y, "Hypergraph", weight="bold")
        inside = h.incidence.toarray()
        names = [str(name).split(":")[1] for name in h.hyperedge_names]
        self.table(x, y + 38, [[("", self.faint if one else "") for one in row] for row in inside], names, 26, 22)
        for t, name in enumerate(PEOPLE):
            self.text(x + (3 * t + 1.5) * 26 - 1, y + 17, name, size=7.5, color=self.faint)

    def last(self, x: float, y: float) -> None:
        """Draw the result."""
        labels = ge.mcla(seven(), 3, seed=0).labels
        for i, c in enumerate(labels):
            corner = ((x + 34 * i) / self.wide, 1 - (y + 26) / self.high)
            shade = ge.plot.color(int(c))
            self.drawn.add_artist(plt.Rectangle(corner, 32 / self.wide, 26 / self.high, color=shade, zorder=-1))
            self.text(x + 34 * i + 16, y + 13, str(c), color="white", weight="bold")
            self.text(x + 34 * i + 16, y - 10, OBJECTS[i], size=8)


def _wide(*, dark: bool) -> Any:
    """Draw the way from labels to the result with the three graphs side by side."""
    sheet = _Sheet(800, 940, dark=dark)
    sheet.first(90, 16)
    sheet.code(135, 233, "e = ge.Ensemble(labels)")
    sheet.second(400, 16)
    sheet.arrow((195, 131), (378, 131))
    sheet.code(280, 131, "h = ge.hypergraph(e)")
    for column, (title, kind, make, cut, graph, labels, place) in enumerate(_views()):
        x, middle = 12 + 265 * column, 135 + 265 * column
        sheet.arrow((517, 214), (517, 258), (middle, 258), (middle, 304))
        sheet.code(middle, 280, make)
        sheet.text(middle, 317, title, weight="bold")
        sheet.text(middle, 333, kind, size=8, color=sheet.faint)
        sheet.graph(sheet.axes(x, 346, 246, 190), graph, place)
        sheet.arrow((middle, 542), (middle, 606))
        sheet.code(middle, 571, cut)
        sheet.graph(sheet.axes(x, 612, 246, 190), graph, place, labels)
        sheet.arrow((middle, 810), (middle, 832), (400, 832), (400, 874))
    sheet.code(400, 850, "r.labels")
    sheet.last(282, 898)
    return sheet.drawn


def _tall(*, dark: bool) -> Any:
    """Draw the same for narrow screens: one graph below the other."""
    sheet = _Sheet(370, 1357, dark=dark)
    sheet.first(140, 14)
    sheet.code(185, 226, "e = ge.Ensemble(labels)")
    sheet.arrow((185, 242), (185, 286))
    sheet.code(185, 262, "h = ge.hypergraph(e)")
    sheet.second(70, 299)
    for row, (title, kind, make, cut, graph, labels, place) in enumerate(_views()):
        y = 530 + 245 * row
        sheet.arrow((185, 496), (185, 506), (8, 506), (8, y), (22, y))
        sheet.code(28, y, make, ha="left")
        sheet.code(280, y, cut)
        sheet.text(100, y + 25, title, weight="bold")
        sheet.text(100, y + 40, kind, size=8, color=sheet.faint)
        sheet.graph(sheet.axes(22, y + 48, 150, 170), graph, place)
        sheet.arrow((180, y + 133), (203, y + 133))
        sheet.graph(sheet.axes(206, y + 48, 150, 170), graph, place, labels)
        sheet.arrow((350, y), (364, y), (364, 1265), (185, 1265), (185, 1296))
    sheet.code(185, 1265, "r.labels")
    sheet.last(67, 1317)
    return sheet.drawn


FIGURES |= {
    f"graphs_{name}_{scheme}": partial(draw, dark=scheme == "dark")
    for name, draw in {"wide": _wide, "tall": _tall}.items()
    for scheme in ("light", "dark")
}


@figure
def explain_evidence() -> Any:
    """One clustering of the half rings, what most clusterings join, the dendrogram, and the answer."""
    X, e, r = rings()
    axes = _panels(4)
    axes[0].scatter(*X.T, c=ge.plot.colors(e.labels[:, 0]), s=10)
    axes[0].set_title("One of 50 clusterings", loc="left", fontsize=11)
    ge.plot.IslandsDisplay.from_consensus(r, X, theta=(1.0, 0.8), frames=2).plot(axes[1])
    r.plot("tree", axes[2])
    ge.plot.ScatterDisplay.from_consensus(r, X).plot(axes[3])
    for ax in (axes[0], axes[1], axes[3]):
        ax.set(aspect="equal", xlim=axes[3].get_xlim(), ylim=axes[3].get_ylim())
        ax.set_axis_off()
    return [ax.figure for ax in axes]


@figure
def explain_voting() -> Any:
    """Labels before and after clusters got common names, and what most partitions say."""
    e = seven()
    r = ge.vote(e, reference=0)
    named = np.stack([ge.match(r, e.labels[:, t]).relabel(e.labels[:, t]) for t in range(3)], axis=1)
    axes = _panels(3, 3.4, 3.2)
    _table(axes[0], e.labels, "Every clustering has its names", OBJECTS, PEOPLE)
    _table(axes[1], named, "Renamed after the first", OBJECTS, PEOPLE)
    _table(axes[2], r.labels[:, None], "Majority", OBJECTS, ["answer"])
    return [ax.figure for ax in axes]


@figure
def explain_partitioning() -> Any:
    """The same ensemble as three graphs, each cut into four parts, and the last answer on the points."""
    X, e, _ = blobs()
    axes = _panels(4, high=3.6)
    for ax, cut in zip(axes[:3], (ge.cspa, ge.hbgf, ge.mcla), strict=True):
        r = cut(e, 4, seed=0)
        r.plot("graph", ax)
        ax.text(0.5, -0.04, r.method, transform=ax.transAxes, ha="center", fontsize=13, weight="bold")
    r.plot("scatter", axes[3], X=X)
    return [ax.figure for ax in axes]


def _noisy(n_partitions: int, share: float) -> Any:
    """Return clusterings of 60 objects in four groups, each with a share of its labels drawn at random."""
    rng, truth = np.random.default_rng(0), np.repeat(range(4), 15)
    return ge.Ensemble.from_partitions(
        [np.where(rng.random(60) < share, rng.integers(0, 4, 60), truth) for _ in range(n_partitions)]
    )


@figure
def explain_label_space() -> Any:
    """The table of labels in the order of the clusters of a mixture, and the memberships."""
    e = _noisy(5, 0.45)
    r = ge.mixture(e, 4, seed=0)
    numbers = ge.plot.inherited(np.repeat(range(4), 15), r.labels)
    order = np.lexsort((-r.membership.max(axis=1), r.labels))
    drawn, axes = plt.subplots(
        2, 1, figsize=(9, 4.2), dpi=100, height_ratios=(1.6, 1), layout="constrained", sharex=True
    )
    shades = np.array([[plt.matplotlib.colors.to_rgb(ge.plot.color(int(c))) for c in row] for row in e.labels[order].T])
    axes[0].imshow(shades, aspect="auto", interpolation="nearest")
    axes[0].set(ylabel="clusterings", yticks=[])
    axes[0].set_title("The features of an object are its labels: 60 objects, 5 clusterings", loc="left", fontsize=11)
    bottom = np.zeros(len(order))
    for cluster in range(r.k):
        share = r.membership[order, cluster]
        axes[1].bar(np.arange(len(order)), share, 1.0, bottom, color=ge.plot.color(int(numbers[cluster])))
        bottom = bottom + share
    axes[1].set(xlim=(-0.5, len(order) - 0.5), ylim=(0, 1), xlabel="objects, in the order of the answer", xticks=[])
    axes[1].set_title("Memberships by the mixture of four clusters", loc="left", fontsize=11)
    return drawn


@figure
def explain_median() -> Any:
    """Clusterings as points, similar ones close, and the median in their middle."""
    e = _noisy(60, 0.35)
    answer, every = ge.aggregate(e, seed=0).labels, e.labels.T
    squared = (1 - np.array([[ge.measures.rand(a, b) for a in every] for b in every])) ** 2
    centered = -0.5 * (squared - squared.mean(0) - squared.mean(1)[:, None] + squared.mean())
    _, vectors = np.linalg.eigh(centered)
    angle = np.arctan2(*vectors[:, -2:].T)
    far = np.array([1 - ge.measures.rand(answer, one) for one in every])
    place = np.vstack([far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1), [[0.0, 0.0]]])
    ax = _one(6.4, 3.8)
    for x, y in place[:-1]:
        ax.plot([x, place[-1, 0]], [y, place[-1, 1]], color="#d8d8d8", lw=0.8, zorder=1)
    ax.scatter(*place[:-1].T, s=30, color=ge.plot.color(0), label="a clustering", zorder=2)
    ax.scatter(*place[-1], marker="*", s=380, color=ge.plot.color(1), label="the median partition", zorder=3)
    ax.set_title("60 clusterings; lines are as long as the share of pairs that differ", loc="left", fontsize=11)
    ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax.figure


@figure
def explain_networks() -> Any:
    """One run, another run, and what fifty runs agree on."""
    import networkx as nx

    G = nx.les_miserables_graph()
    r = ge.communities(G, 50, base="label-propagation", seed=0)
    place = np.array(list(nx.kamada_kawai_layout(G, weight=None).values()))
    axes = _panels(3, 3.4, 3.2)
    runs = r.ensemble.labels
    titles = ["One run of label propagation", "Another run", f"What 50 runs agree on: {r.k} groups"]
    for ax, labels, title in zip(axes, (runs[:, 0], runs[:, 1], r.labels), titles, strict=True):
        sure = r.confidence if labels is r.labels else np.ones(len(labels))
        for u, v in G.edges:
            i, j = r.names.index(u), r.names.index(v)
            ax.plot(*place[[i, j]].T, color="#c8c8c8", lw=0.6, zorder=1)
        numbers = r.labels if labels is r.labels else ge.plot.inherited(r.labels, labels)[labels]
        ax.scatter(*place.T, c=ge.plot.colors(numbers), alpha=np.clip(sure, 0.25, 1), s=42, lw=0, zorder=2)
        ax.set_title(title, loc="left", fontsize=11)
        ax.set_axis_off()
    return [ax.figure for ax in axes]


@figure
def explain_resolutions() -> Any:
    """A network of nine groups in three, the tree of its communities, and the ranges in which they stay."""
    group, rng = np.repeat(np.arange(9), 12), np.random.default_rng(0)
    within = group[:, None] // 3 == group // 3
    chance = np.where(group[:, None] == group, 0.9, np.where(within, 0.2, 0.01))
    upper = np.triu(rng.random(chance.shape) < chance, 1)
    network = ge.Graph((upper | upper.T).astype(float))
    found = ge.landscape(network, np.geomspace(0.25, 4, 9), n_partitions=10, seed=0)
    axes = _panels(3, 4.4, 3.8)
    network.plot(axes[0], labels=found.consensus[-1].labels, seed=0)
    axes[0].set_title(f"A network of {found.consensus[-1].k} small communities", loc="left", fontsize=11)
    shown = ge.plot.LandscapeDisplay.from_landscape(found)
    shown.tree.plot(axes[1])
    shown.plot(axes[2])
    return [ax.figure for ax in axes]


def _one(wide: float = 5.6, high: float = 3.8) -> Any:
    return _axes(wide, high, 100)


@cache
def four() -> Any:
    """Return the consensus of thirty clusterings of four groups of points, by average link."""
    return ge.eac(blobs()[1], 4, linkage="average")


def _resolutions() -> Any:
    import networkx as nx

    return ge.landscape(nx.les_miserables_graph(), n_partitions=20, seed=0).plot(_one())


def _ball() -> Any:
    e = _noisy(60, 0.12)
    return ge.credible_ball(ge.median(e, seed=0), e)


def _levels() -> dict[str, Any]:
    """Return clusterings of the four groups into 2 to 6 clusters."""
    return {f"k = {k}": ge.lwgp(blobs()[1], k, seed=0).labels for k in range(2, 7)}


def _study() -> Any:
    """Return seven methods on six data sets."""
    sets, truths = {}, {}
    for name in ("half-rings", "iris", "wine", "cigar", "3-rings", "blobs"):
        X, truths[name] = ge.datasets.load(name, seed=0)
        sets[name] = ge.generate(X, 20, k=(5, 15), seed=0)
    names = ["lwgp", "eac", "vote", "mcla", "islands", "dspa", "ivc"]
    return ge.benchmark(sets, [len(set(y)) for y in truths.values()], methods=names, truth=truths, seeds=3)


def _palette() -> Any:
    """Return the first forty colors, each with its number."""
    ax = _one(5.6, 2.4)
    for i in range(40):
        x, y = i % 10, -(i // 10)
        ax.add_patch(plt.Rectangle((x, y), 0.92, 0.9, color=ge.plot.color(i)))
        ax.text(x + 0.46, y + 0.45, str(i), ha="center", va="center", color="white", fontsize=9)
    ax.set(xlim=(0, 10), ylim=(-3, 1))
    ax.set_axis_off()
    return ax.figure


DISPLAYS: dict[str, Callable[[], Any]] = {
    "CdfDisplay": lambda: ge.monti(wine()[0], range(2, 6), n_partitions=30, seed=0).plot(_one()),
    "ChoiceDisplay": lambda: ge.choose_k(blobs()[1], range(2, 8), seed=0).plot(),
    "ClusterMapDisplay": lambda: four().plot("graph", _one(), what="clusters"),
    "ClusterTreeDisplay": lambda: ge.clustree(_levels()).plot(_one()),
    "TrackingDisplay": lambda: ge.plot.TrackingDisplay.from_labelings(_levels()).plot(_one(5.6, 2.4)),
    "CoassociationDisplay": lambda: four().plot("heatmap", _one(), classes=blobs()[2]),
    "ConfidenceDisplay": lambda: wine()[2].plot("confidence", _one()),
    "CurveDisplay": lambda: ge.stability(blobs()[1], range(2, 8), seed=0).plot(_one()),
    "DendrogramDisplay": lambda: four().plot("tree", _one()),
    "ExplanationDisplay": lambda: ge.consensus(seven(), 3, seed=0).explain("c").plot(),
    "FlowDisplay": lambda: wine()[2].plot("flow", classes=wine()[1]),
    "FrequencyDisplay": lambda: ge.cumulative(blobs()[1], 4).plot("frequencies", _one()),
    "GraphDisplay": lambda: ge.coassociation(seven()).plot(_one()),
    "HypergraphDisplay": lambda: ge.hypergraph(seven()).plot(_one()),
    "IslandsDisplay": lambda: ge.plot.IslandsDisplay.from_consensus(rings()[2], rings()[0], theta=(1.0, 0.72)).plot(
        _one()
    ),
    "LandscapeDisplay": _resolutions,
    "MapDisplay": lambda: rings()[2].plot("map", _one()),
    "MethodsDisplay": lambda: ge.compare(
        rings()[1], 2, methods=["eac", "lwgp", "lwea", "mcla", "cspa", "vote", "hne"], seed=0
    ).plot(_one()),
    "PanelDisplay": lambda: ge.choose_k(blobs()[1], range(2, 8), seed=0).plot(curves=True),
    "PartitionsDisplay": lambda: blobs()[1].plot(ax=_one()),
    "RanksDisplay": lambda: _study().plot(),
    "ScatterDisplay": lambda: four().plot("scatter", _one(), X=blobs()[0]),
}
FIGURES |= {"plot_color": _palette, "plot_bounds": lambda: _ball().plot().figure_} | {
    f"plot_{name}": lambda draw=draw: draw().figure_ for name, draw in DISPLAYS.items()
}
