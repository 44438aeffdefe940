"""Pictures of graphs: meta-graphs, bipartite graphs, hypergraphs, forests over data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, as_int, as_labels, of_kind
from ..errors import InputError
from ..graphs.coassociation import CoassociationGraph
from ..graphs.graph import CLUSTER, OBJECT, ROLES, Graph
from ..graphs.hypergraph import Hypergraph
from ..labels.names import align
from .colors import color, colors, legible
from .display import Display, amount, bare, ink, label_text, mark_cluster, number_at, paper
from .layouts import (
    backbone,
    centers,
    heaviest_edges,
    in_two_columns,
    lines,
    springs,
    two_features,
    unit_square,
    with_room,
)

_VERTICES, _EDGES, _NAMED = 300, 1500, 60
HYPEREDGES = 60  # columns that a table can have
_STARTS = 6  # neighborhoods of a sample
_PULL = 0.1  # of an edge of the network, beside one in every run


@dataclass(eq=False, repr=False)
class GraphDisplay(Display):
    """A graph: circles are objects, squares are clusters, area = weight, line width = edge weight.

    Where clusters were matched, edges of matches are thick and all others thin.

    Attributes
    ----------
    graph
        The graph that is drawn, or a subgraph if there are too many vertices.
    labels
        Part of every vertex, −1 (gray) without one.
    position
        Positions of the vertices.
    edges
        Sources, targets and weights of the edges drawn.
    how
        Description of what was left out; the title has the number of vertices.
    below
        Sources and targets of edges drawn faintly below, such as those of a network that lead out of communities.
    whole
        Number of vertices of the whole graph.
    beside
        Whether names are beside the vertices, as on the two sides of a bipartite graph, or inside or below them if
        there is room.
    scale
        Whether positions are features and keep their proportions.
    numbered
        Whether the parts are numbered, which is the case if they were given and there is no room for the names of
        vertices.
    objects
        Number of objects that every vertex stands for, or None.
    """

    graph: Graph
    labels: LabelArray
    position: FloatArray
    edges: tuple[AnyArray, AnyArray, FloatArray]
    how: str = ""
    below: tuple[AnyArray, AnyArray] | None = None
    whole: int = 0
    beside: bool = False
    scale: bool = False
    numbered: bool = False
    objects: IntArray | None = None

    @classmethod
    def from_graph(
        cls,
        graph: Graph,
        labels: ArrayLike | None = None,
        X: Any = None,
        *,
        network: Graph | None = None,
        objects: IntArray | None = None,
        most: int = _VERTICES,
        edges: int = _EDGES,
        seed: int = 0,
    ) -> GraphDisplay:
        """Lay a graph out.

        Parameters
        ----------
        graph
            Any graph. If it has more than `most` vertices, some of them are drawn: the heaviest clusters, and objects
            at random or, in a graph with stored edges, around a few random ones.
        labels
            Part of every vertex, such as ``r.vertex_labels``; by default, its component, or its role if the graph is
            connected.
        X
            Two features of every vertex, used as its position; otherwise a force-directed layout is used.
        network
            A graph of the same vertices whose edges are drawn faintly below and are also used for the layout.
        objects
            Number of objects that every vertex stands for; one for several is written as "x0 +1".
        most, edges, seed
            Maximum numbers of vertices and edges (the spanning forest first, then the strongest), and the seed of the
            sample and the layout.
        """
        n = of_kind("graph", graph, Graph).n_vertices
        if network is not None:
            of_kind("network", network, Graph)
        aligned = align(labels, graph.names, "labels")
        parts = _own_labels(graph) if labels is None else as_labels(aligned, n, "vertices, such as r.vertex_labels")
        most, edges, seed = (as_int(*one, 0) for one in (("most", most), ("edges", edges), ("seed", seed)))
        points = None if X is None else unit_square(two_features(X, graph.names, n))
        limit = most if X is None else max(most, 3000)
        chosen = _sample(graph if network is None else network, limit, seed)
        small, under = graph, network
        if chosen is not None:
            small, under = graph.subgraph(chosen), None if network is None else network.subgraph(chosen)
            parts, points = parts[chosen], None if points is None else points[chosen]
            objects = None if objects is None else objects[chosen]
        shown_edges = backbone(small, edges if X is None else 20_000)
        beside = points is None and len(np.unique(small.roles)) == 2 and small.n_vertices <= 80
        if points is None:
            pulled = small
            if under is not None:  # with a weak pull along the edges of the network
                pull = under.adjacency.astype(bool).astype(float) * _PULL * float(small.adjacency.max() or 1.0)
                pulled = Graph(small.adjacency + pull)
            points = in_two_columns(small) if beside else springs(pulled, seed)
        how = [] if chosen is None else [_left_out(graph, small)]
        if len(shown_edges[0]) < small.n_edges:
            how.append(f"spanning forest and strongest edges, {len(shown_edges[0]):,} of {small.n_edges:,}")
        below = None if under is None else heaviest_edges(under, edges)[:2]
        return cls(
            small, parts, points, shown_edges, "\n".join(how),
            below=below, whole=graph.n_vertices, beside=beside, scale=X is not None, objects=objects,
            numbered=labels is not None and len(np.unique(parts)) <= _NAMED,
        )  # fmt: skip

    def _draw(self, ax: Any) -> Any:
        """Draw edges, vertices and, if there is room, names."""
        ax = self._on(ax, (6.4, 5.6))
        if self.below is not None:
            lines(ax, self.position, self.below, np.full(len(self.below[0]), 0.5), alpha=0.35)
        source, target, weight = self.edges
        share = weight / max(float(weight.max(initial=0.0)), 1e-300)
        widest = float(np.clip(40 / np.sqrt(max(len(weight), 1)), 0.7, 3.0))
        chosen = self.graph._chosen(source, target)  # where clusters were matched
        width = widest / 5 + widest * share**2 if chosen is None else np.where(chosen, 1.5 + widest, 0.6)
        lines(ax, self.position, (source, target), width, alpha=0.4)
        n, mass = self.graph.n_vertices, self.graph.vertex_weights
        base, middle = 5200 / max(n, 20), float(mass[mass > 0].mean()) if (mass > 0).any() else 1.0
        area = np.clip(base * mass / middle, 0.25 * base, 5 * base)  # none too small to see, none too large to see past
        artists = []
        for label, role in np.unique(np.column_stack([self.labels, self.graph.roles]), axis=0):
            members = (self.labels == label) & (self.graph.roles == role)
            dots = ax.scatter(
                *self.position[members].T,
                s=area[members],
                c=color(int(label)),
                marker="s" if role == CLUSTER else "o",
                edgecolors=paper(ax),
                linewidths=0.7,
                zorder=2,
            )
            mark_cluster(dots, int(label), f"graph{role}")
            artists.append(dots)
        ax.set_aspect("equal" if self.scale else "auto", adjustable="datalim")
        ax.margins(0.08)
        if n <= _NAMED:
            self._names(ax, area)
        elif self.numbered:
            for c, place in centers(self.position, self.labels).items():
                number_at(ax, c, self._called(c), place)
        bare(ax)
        self._headline(self._what(), "" if self.below is None else "faint: edges of the network")
        return artists

    def _what(self) -> str:
        """The kind of the graph and its true size; edges are counted if all vertices are drawn."""
        n, kind = self.graph.n_vertices, self.graph.kind
        if kind == "bipartite" and self.objects is not None and n >= self.whole:  # equal objects are one vertex
            many = int(self.objects[self.graph.roles == OBJECT].sum())
            clusters = int(np.count_nonzero(self.graph.roles == CLUSTER))
            return f"Bipartite: {amount(many, 'object')} and {amount(clusters, 'base cluster')}"
        size = f"{n:,} of {self.whole:,} vertices" if n < self.whole else amount(n, "vertex")
        edges = f", {amount(self.graph.n_edges, 'edge')}" if n >= self.whole else ""
        kind = kind.replace("coassociation", "co-association")
        return f"{kind[:1].upper()}{kind[1:]}: {size}{edges}"

    def _names(self, ax: Any, area: FloatArray) -> None:
        """Write names inside the vertices that are large enough, otherwise beside or below if there is room."""
        font, side = 8 if self.graph.n_vertices <= 30 else 6.5, np.sqrt(area)
        names = [label_text(name, 14) for name in self.graph.names]
        if self.objects is not None:
            more = np.where(self.graph.roles == OBJECT, self.objects - 1, 0).tolist()
            names = [f"{name} +{m}" if m > 0 else name for name, m in zip(names, more, strict=True)]
        wide, high = 0.62 * font * np.array([len(name) for name in names]), np.full(len(names), 1.15 * font)
        inside = np.zeros(len(names), dtype=bool) if self.beside else wide < side
        right = np.where(self.graph.roles == CLUSTER, 1, -1) if self.beside else np.zeros(len(names))
        away = np.column_stack([right, np.where(self.beside, 0, -1) * np.ones(len(names))])
        offset = np.where(inside[:, None], 0.0, away * (side / 2 + 2)[:, None])
        middle = offset + np.where(inside[:, None], 0.0, away * np.column_stack([wide, high]) / 2)
        place = ax.transData.transform(self.position) * 72 / ax.figure.dpi  # in points, as the sizes
        text = _boxes(place + middle, wide, high)
        for i in with_room(text, _boxes(place, side, side)):
            shade = legible(color(int(self.labels[i]))) if inside[i] else ink(ax)
            ax.annotate(
                names[i], self.position[i], xytext=middle[i], textcoords="offset points",
                ha="center", va="center", fontsize=font, color=shade, zorder=3,
            )  # fmt: skip


def _own_labels(graph: Graph) -> LabelArray:
    """Colors of a graph without labels: by component if there are several, otherwise by role."""
    if isinstance(graph, CoassociationGraph):  # whose edges are not built for a color
        return np.zeros(graph.n_vertices, dtype=np.int32)
    parts = graph.components()
    return parts if 0 < parts.max(initial=0) < _NAMED else graph.roles.astype(np.int32)


def _boxes(middle: FloatArray, wide: FloatArray, high: FloatArray) -> FloatArray:
    half = np.column_stack([wide, high]) / 2
    return np.hstack([middle - half, middle + half])


def _left_out(graph: Graph, small: Graph) -> str:
    """Which vertices are drawn, in words: clusters by weight, objects at random or around random ones."""
    where = f"around {_STARTS} random ones" if _hangs_together(graph) else "drawn at random"
    parts = [
        f"{np.count_nonzero(small.roles == role):,} of {whole:,} {name}s, "
        + (where if role == OBJECT else "the heaviest")
        for role, name in enumerate(ROLES)
        if (whole := int(np.count_nonzero(graph.roles == role))) > np.count_nonzero(small.roles == role)
    ]
    return "; ".join(parts)


def _hangs_together(graph: Graph) -> bool:
    """Whether edges are so few that a random sample of the graph would fall apart."""
    return not isinstance(graph, CoassociationGraph) and not (graph.roles == CLUSTER).any()


def _sample(graph: Graph, most: int, seed: int) -> Any:
    """Vertices to draw, None for all: the heaviest clusters, then objects."""
    if graph.n_vertices <= most:
        return None
    rng = np.random.default_rng(seed)
    clusters, objects = np.flatnonzero(graph.roles == CLUSTER), np.flatnonzero(graph.roles != CLUSTER)
    room = most // 2 if objects.size else most
    heavy = clusters[np.argsort(-graph.vertex_weights[clusters], kind="stable")][:room]
    if _hangs_together(graph):
        return _neighborhoods(graph, most, rng)
    others = rng.choice(objects, min(most - len(heavy), len(objects)), replace=False)
    return np.sort(np.concatenate([heavy, others]))


def _neighborhoods(graph: Graph, most: int, rng: np.random.Generator) -> AnyArray:
    """Vertices around a few random ones, so that the drawn part is connected."""
    from scipy.sparse.csgraph import breadth_first_order

    reached = np.zeros(graph.n_vertices, dtype=bool)
    for start in rng.permutation(graph.n_vertices).tolist():
        room = min(most // _STARTS, most - int(reached.sum()))
        if room <= 0:
            break
        near = breadth_first_order(graph.adjacency, start, directed=False, return_predecessors=False)
        reached[near[~reached[near]][:room]] = True
    return np.flatnonzero(reached)


@dataclass(eq=False, repr=False)
class HypergraphDisplay(Display):
    """The hyperedges of a small ensemble, at most 60, as columns of a table, one column of boxes per cluster.

    Attributes
    ----------
    incidence
        Objects × hyperedges, the objects in the order of their clusters.
    labels
        Consensus cluster of the objects in that order, −1 without one.
    rows, columns
        Their names.
    partition
        Partition of each hyperedge.
    labeled
        Whether boxes have the colors of clusters; otherwise they have those of partitions.
    """

    incidence: FloatArray
    labels: LabelArray
    rows: list[str]
    columns: list[str]
    partition: AnyArray
    how: str
    labeled: bool = True

    @classmethod
    def from_hypergraph(cls, h: Hypergraph, labels: ArrayLike | None = None, most: int = 40) -> HypergraphDisplay:
        """Take the incidence of a hypergraph; of more than `most` objects, some that are evenly spaced."""
        if of_kind("h", h, Hypergraph).n_hyperedges > HYPEREDGES:
            raise InputError(
                f"A hypergraph of {h.n_hyperedges:,} hyperedges was given; expected at most {HYPEREDGES} to draw. "
                "ge.metagraph(e).plot() draws more clusters, and r.plot('map') the objects of a result."
            )
        most = as_int("most", most, 1)
        clusters = (
            np.full(h.n_vertices, -1, dtype=np.int32)
            if labels is None
            else as_labels(align(labels, h.vertex_names, "labels"), h.n_vertices, "vertices")
        )
        by = np.where(clusters < 0, clusters.max(initial=0) + 1, clusters)
        if labels is None:  # by the clusters of the first partition
            first = h.incidence[:, h.partition == h.partition[:1]].toarray()
            by = np.where(first.any(axis=1), first.argmax(axis=1), first.shape[1])
        order = np.argsort(by, kind="stable")
        rows = order[np.unique(np.linspace(0, h.n_vertices - 1, min(most, h.n_vertices)).astype(int))]
        how = f"{len(rows)} of {h.n_vertices:,} objects" if len(rows) < h.n_vertices else ""
        names = [str(h.vertex_names[int(i)]) for i in rows], [str(name) for name in h.hyperedge_names]
        table = h.incidence[rows].toarray()
        return cls(table, clusters[rows], *names, h.partition, how, labeled=labels is not None)

    def _draw(self, ax: Any) -> Any:
        """Draw a box for each object in a hyperedge; lines separate the partitions."""
        n, m = self.incidence.shape
        ax = self._on(ax, (max(3.2, 0.9 + 0.26 * m), max(2.4, 1.2 + 0.22 * n)))
        row, column = np.nonzero(self.incidence)
        shade = colors(self.labels[row] if self.labeled else self.partition[column])
        boxes = ax.scatter(column, row, s=6500 / max(n, m, 12) ** 1.35, c=shade, marker="s")
        for at in np.flatnonzero(np.diff(self.partition)):
            ax.axvline(at + 0.5, color="#bbbbbb", linewidth=0.8)
        ax.set_xlim(-0.6, m - 0.4)
        ax.set_ylim(n - 0.4, -0.6)
        small = 8 if max(n, m) <= 30 else 6
        ax.set_xticks(range(m), [label_text(name, 12) for name in self.columns], rotation=90, fontsize=small)
        ax.set_yticks(range(n), [label_text(name, 12) for name in self.rows], fontsize=small)
        ax.tick_params(length=0)
        for side in ax.spines.values():
            side.set_visible(False)
        what = f"Hypergraph: {self.how or amount(n, 'object')}, {amount(m, 'hyperedge')}"
        self._headline(what, "" if self.labeled else "colors: partitions")
        return boxes
