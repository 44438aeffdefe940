"""One graph for everything: objects, clusters or both as vertices, similarities as edge weights."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._lib.arrays import (
    MISSING,
    AnyArray,
    FloatArray,
    IntArray,
    LabelArray,
    as_int,
    as_parts,
    as_weights,
    canonical,
    even_array,
    freeze,
    on_one_scale,
)
from ..errors import InputError, TypeMismatch, quote
from ..labels.names import Names, align
from ..labels.value import Savable, Value, frozen, remembered
from .matrices import as_adjacency, as_theta, balance, heaviest_forest, membership, strongest_in_rows, symmetric, tidy

if TYPE_CHECKING:
    import igraph as ig
    import networkx as nx

    from ..explore import Explorer
    from ..kernels.similarity import Evidence
    from ..plot.graphs import GraphDisplay
    from .bipartite import Biadjacency

OBJECT, CLUSTER = 0, 1
ROLES = ("object", "cluster")
#: similarities are sums of w/Σw; this much is rounding, never evidence
SLACK = 1e-9
_KEPT = ("vertex_weights", "roles", "names", "kind", "theta", "_loci", "_matched")  # what graphs with other edges keep


class Graph(Value, Savable):
    """An undirected weighted graph whose vertices are objects, clusters, or both.

    Parameters
    ----------
    adjacency
        Symmetric, non-negative, n × n, sparse or dense. The diagonal and stored zeros are dropped.
    vertex_weights
        One weight per vertex, 1 by default.
    roles
        0 (object) or 1 (cluster) per vertex; all objects by default.
    names
        One name per vertex; x0, x1, … by default.
    kind
        Kind of graph, for display.

    Attributes
    ----------
    theta
        The threshold that was applied to the graph, or None.

    Examples
    --------
    >>> import graphens as ge
    >>> g = ge.Graph([[0, 0.9, 0.2], [0.9, 0, 0], [0.2, 0, 0]])
    >>> g
    Graph(graph, 3 vertices, 2 edges)
    >>> g.threshold(0.5).components().tolist()
    [0, 0, 1]
    >>> g.cut([0, 0, 1])
    0.2
    """

    _adjacency: sparse.csr_array | None
    vertex_weights: FloatArray
    roles: AnyArray
    names: Names
    kind: str
    theta: float | None = None
    _loci: int = 0  # of the allele profiles whose shares of equal loci the weights are, 0 for other graphs
    _matched: IntArray | None = None  # where clusters were matched: the vertex that each was matched to, −1 for none

    def __init__(
        self,
        adjacency: Any,
        *,
        vertex_weights: ArrayLike | None = None,
        roles: ArrayLike | None = None,
        names: Names | ArrayLike | None = None,
        kind: str = "graph",
    ) -> None:
        matrix = as_adjacency(adjacency)
        n = matrix.shape[0]
        kinds = np.zeros(n, dtype=np.uint8) if roles is None else np.asarray(roles)  # 0 object, 1 cluster
        if kinds.shape != (n,) or not np.isin(kinds, (0, 1)).all():
            raise InputError(f"Expected a role (0 object, 1 cluster) for each of the {n} vertices; got {quote(roles)}.")
        self._set_fields(
            _adjacency=frozen(matrix),
            vertex_weights=as_weights(vertex_weights, n, "vertices"),
            roles=freeze(kinds.astype(np.uint8)),
            names=Names.given(names, n),
            kind=kind,
        )

    @classmethod
    def _trusted(cls, adjacency: sparse.csr_array | None, like: Graph | None = None, **fields: Any) -> Graph:
        """Make a graph without any check, from a matrix in the form of `adjacency`, or from None to build it later.

        Other fields are those of `like` unless given; their arrays must be read-only.
        """
        graph = object.__new__(Graph if like is not None else cls)
        shared = {} if like is None else {name: getattr(like, name) for name in _KEPT}
        graph._set_fields(_adjacency=None if adjacency is None else frozen(adjacency), **(shared | fields))
        return graph

    # looking ---------------------------------------------------------------------------------------------

    @property
    def adjacency(self) -> sparse.csr_array:
        """The symmetric weight matrix: zero diagonal, sorted, no stored zeros, read-only."""
        if self._adjacency is None:
            self._set_fields(_adjacency=frozen(self._explicit()))
        return self._adjacency

    def _explicit(self) -> sparse.csr_array:
        raise NotImplementedError  # graphs that carry something else than a matrix build it here

    @property
    def n_vertices(self) -> int:
        """Number of vertices."""
        return len(self.roles)

    @property
    def n_edges(self) -> int:
        """Number of edges, each counted once."""
        return int(self.adjacency.nnz) // 2

    def edges(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Return sources, targets and weights of all edges, each once with source < target."""
        upper = sparse.triu(self.adjacency, k=1, format="coo")
        return upper.row, upper.col, upper.data

    def _chosen(self, source: IntArray, target: IntArray) -> AnyArray | None:
        """Whether each edge was chosen when clusters were matched; None if the graph does not come from a matching."""
        matched = self._matched
        return None if matched is None else (matched[source] == target) | (matched[target] == source)

    def degree(self) -> FloatArray:
        """Sum of the edge weights at each vertex."""
        return np.asarray(self.adjacency.sum(axis=1)).ravel()

    # what algorithms ask, so that they need not know how a graph is kept ----------------------------------

    @remembered
    def _evidence(self) -> Evidence | None:
        """Labels from which similarities are counted row by row; None if the graph has only its matrix."""
        return None

    def product(self) -> Callable[[FloatArray], FloatArray]:
        """Return the function v ↦ Av, for vectors and for tall matrices. O(E) each.

        Examples
        --------
        >>> import graphens as ge
        >>> ge.Graph([[0, 2], [2, 0]]).product()([1.0, 3.0]).tolist()
        [6.0, 2.0]
        """
        a = self.adjacency
        return lambda v: np.asarray(a @ np.asarray(v))

    # Equal rows are merged in four ways, for different questions. `Ensemble.collapse` merges labels, and
    # `CoassociationGraph.collapse` is the graph of the merged rows, whose vertex weights are their numbers. `_leaves`
    # is what `link` builds a tree on: the same, without objects that have no label. `_distinct` is for eigenvectors:
    # edges count for all copies, and the edges inside a row become loops.
    def _distinct(self) -> tuple[Graph, AnyArray, FloatArray]:
        """Return the graph of distinct vertices, the index from all vertices to these, and the loops.

        Edge weights between merged vertices are summed, and vertex weights say how many were merged. Loops are the
        weight of the edges inside each, in both directions: what its degree lacks. Vertices are merged only if they are
        known to be equal without examining the edges: graphs of labels merge equal rows, other graphs nothing.
        Eigenvectors of D^-½AD^-½ that are equal on merged vertices are those of the merged graph.
        """
        n = self.n_vertices
        alike = Graph._trusted(self.adjacency, self, vertex_weights=freeze(np.ones(n)))
        return alike, np.arange(n), np.zeros(n)

    def _leaves(self) -> tuple[Graph, AnyArray]:
        """Return the graph whose vertices are the leaves of dendrograms, and the leaf of each vertex (−1 in none)."""
        return self, np.arange(self.n_vertices)

    def _ties(self, vertices: AnyArray, labels: LabelArray, size: int) -> sparse.csr_array:
        """Return for some of the vertices the weight of their edges into each part of a labeling. O(E)."""
        return sparse.csr_array(self.adjacency[vertices] @ membership(labels, size))

    def _biadjacency(self) -> Biadjacency:
        """Return the edges from objects to clusters, for graphs that have both.

        A vertex weight is how often the object counts when objects are grouped.
        """
        from .bipartite import Biadjacency

        objects = np.flatnonzero(self.roles == OBJECT)
        weight = np.maximum(on_one_scale(self.vertex_weights[objects]), 1e-100)
        return Biadjacency(self.adjacency[objects][:, self.roles == CLUSTER], weight)

    # other graphs ----------------------------------------------------------------------------------------

    def threshold(self, theta: float) -> Graph:
        """Keep the edges whose weight is above theta (by more than rounding), with their weights. O(E)."""
        edges = self.adjacency.copy()
        edges.data[edges.data <= as_theta(theta) + SLACK] = 0
        edges.eliminate_zeros()
        return Graph._trusted(edges, self, kind=f"{self.kind} > {theta:g}", theta=float(theta))

    def neighbors(self, p: int) -> Graph:
        """Keep the p strongest edges of each vertex (ties: smaller index); an edge stays if either end keeps it."""
        edges = strongest_in_rows(self.adjacency, as_int("p", p, 1))
        return Graph._trusted(tidy(edges.maximum(edges.T)), self, kind=f"{self.kind}, {p} neighbors")

    def spanning_forest(self, theta: float | None = None) -> Graph:
        """Return the maximum spanning forest: the strongest edges that do not close a cycle. O(E log n).

        With theta, only edges above it are used, as in `threshold`.
        """
        tree = heaviest_forest((self if theta is None else self.threshold(theta)).adjacency)
        return Graph._trusted(tidy(tree + tree.T), self, kind=f"spanning forest of {self.kind}")

    def contract(self, labels: ArrayLike) -> Graph:
        """Merge the vertices of each part into one: MᵀAM without its diagonal; vertex weights add up.

        Unassigned vertices (−1) are left out. A merged vertex is an object if it contains one, and it is named after
        its only member or after the number of its part.
        """
        parts, size = self._parts(labels)
        member = membership(parts, size)
        return self._merged(symmetric(member.T @ self.adjacency @ member), parts, size)

    def _merged(self, adjacency: sparse.csr_array, parts: LabelArray, size: int) -> Graph:
        """The contracted graph with its vertices' weights, roles and names."""
        member = membership(parts, size)
        objects = np.asarray(member.T @ (self.roles == OBJECT))
        return Graph._trusted(
            adjacency,
            self,
            vertex_weights=freeze(np.asarray(member.T @ self.vertex_weights)),
            roles=freeze(np.where(objects > 0, OBJECT, CLUSTER).astype(np.uint8)),
            names=_names_of_parts(self.names, parts, size),
            kind=f"contracted {self.kind}",
            _loci=0,
            _matched=None,
        )

    def subgraph(self, vertices: ArrayLike) -> Graph:
        """Return the graph on some of the vertices, by index or mask."""
        index, matched = as_vertices(vertices, self.n_vertices), self._matched
        if matched is not None:
            place = np.full(self.n_vertices + 1, MISSING)  # the last place serves −1
            place[index] = np.arange(len(index))
            matched = freeze(place[matched[index]])
        return Graph._trusted(
            tidy(sparse.csr_array(self.adjacency[index][:, index])),
            self,
            _matched=matched,
            vertex_weights=freeze(self.vertex_weights[index]),
            roles=freeze(self.roles[index]),
            names=self.names.take(index),
        )

    # labelings ------------------------------------------------------------------------------------------

    def components(self) -> LabelArray:
        """Return the connected component of every vertex, numbered in order of first appearance. O(n + E)."""
        from scipy.sparse import csgraph

        return canonical(csgraph.connected_components(self.adjacency, directed=False)[1])

    def cut(self, labels: ArrayLike) -> float:
        """Weight of the edges between different parts; edges of unassigned vertices (−1) are ignored. O(E)."""
        from ..kernels.linking import cut_weight

        a = self.adjacency
        # Each edge is stored in both directions.
        return float(cut_weight(a.indptr, a.indices, a.data, self._parts(labels)[0])) / 2

    def balance(self, labels: ArrayLike) -> float:
        """Weight of the heaviest part divided by the mean weight of the parts; 1 is perfect balance."""
        return balance(*self._parts(labels), self.vertex_weights)

    def _parts(self, labels: ArrayLike) -> tuple[LabelArray, int]:
        """Check a labeling of the vertices; return it and its number of parts."""
        return as_parts(align(labels, self.names, "labels"), self.n_vertices)

    # leaving ---------------------------------------------------------------------------------------------

    def to_scipy(self) -> sparse.csr_array:
        """Return the adjacency matrix as a copy."""
        return self.adjacency.copy()

    def to_networkx(self, *, consensus: Any = None) -> nx.Graph[Any]:
        """Return a networkx Graph: vertices with name, role, weight and `bipartite` (0 object, 1 cluster).

        The nodes are the names, or 0 … n − 1 if two vertices have the same name; with a consensus they have `cluster`
        and `confidence`. Edges have `weight` (and `differing_loci` for allele profiles), and the graph has `kind`.

        Examples
        --------
        >>> import graphens as ge
        >>> g = ge.bipartite([[0, 0], [0, 1]]).to_networkx()
        >>> list(g), g.edges["x0", "P0:0"]
        (['x0', 'x1', 'P0:0', 'P1:0', 'P1:1'], {'weight': 1.0})
        """
        from ..export.packages import to_networkx

        return to_networkx(self, consensus=consensus)

    def to_igraph(self, *, consensus: Any = None) -> ig.Graph:
        """Return an igraph Graph with the vertices 0 … n − 1 and the same attributes.

        If it has objects and clusters, `type` is `bipartite` as a boolean, for igraph's bipartite functions.
        """
        from ..export.packages import to_igraph

        return to_igraph(self, consensus=consensus)

    def write(self, path: str | Path, *, consensus: Any = None) -> None:
        """Write to a file, either completely or not at all; the file ending determines the format.

        Parameters
        ----------
        path
            A file ending in .graphml, .gexf, .gml, .net (Pajek), .graph (METIS), .csv, .tsv or .parquet (edge list).
        consensus
            A Consensus, or one label per object: vertices get its `cluster` and `confidence`. Vertices that are
            clusters of the ensemble get the cluster of most of their objects, and the share of those objects as their
            confidence.
        """
        from ..export import write

        write(self, path, consensus=consensus)

    # entering --------------------------------------------------------------------------------------------

    @classmethod
    def of(cls, graph: Any, *, weight: str | None = "weight", symmetrize: bool = False) -> Graph:
        """Return a Graph unchanged, or convert a networkx or igraph graph, a sparse matrix or a file.

        See `from_networkx` for the parameters.
        """
        if isinstance(graph, (str, os.PathLike)):
            return cls.read(graph, weight=weight, symmetrize=symmetrize)
        origin = {base.__module__.split(".")[0] for base in type(graph).__mro__}
        if "networkx" in origin:
            return cls.from_networkx(graph, weight=weight, symmetrize=symmetrize)
        if "igraph" in origin:
            return cls.from_igraph(graph, weight=weight, symmetrize=symmetrize)
        if not isinstance(graph, Graph) and not sparse.issparse(graph):
            raise TypeMismatch(
                f"A {type(graph).__name__} was given; expected a Graph, a networkx or igraph graph, the adjacency "
                "matrix as a SciPy sparse matrix, or the path of a file. Graph(array) takes a dense adjacency matrix."
            )
        if not isinstance(weight, str) or weight != "weight":
            raise InputError.about(
                "weight", weight, because=" for a matrix, whose values are the weights", advice="Leave weight out."
            )
        if isinstance(graph, Graph):
            return graph
        return cls(graph + graph.T if symmetrize and (graph != graph.T).nnz else graph)

    @classmethod
    def from_networkx(cls, graph: Any, *, weight: str | None = "weight", symmetrize: bool = False) -> Graph:
        """Convert a networkx graph.

        Parameters
        ----------
        graph
            A networkx graph. The weights of parallel edges are added; self-loops and edges of weight 0 are dropped with
            a warning.
        weight
            The edge attribute that holds the weights; edges without it have weight 1. A warning says if no edge has
            it, but they have other numbers. With None, all edges have weight 1.
        symmetrize
            Whether to ignore the directions of a directed graph, adding the weights of both directions. Otherwise a
            directed graph is an error.

        Returns
        -------
        Graph
            Vertices in the order of the nodes, named by their attribute `name`, otherwise by `label` if all labels
            differ (it may be a class), otherwise by the nodes themselves; with `role` (or `bipartite`) and `weight` if
            all nodes have them.

        Examples
        --------
        >>> import graphens as ge
        >>> import networkx as nx
        >>> g = ge.Graph.from_networkx(nx.karate_club_graph())
        >>> g
        Graph(graph, 34 vertices, 78 edges)
        """
        from ..export.packages import from_networkx

        return from_networkx(graph, weight=weight, symmetrize=symmetrize)

    @classmethod
    def from_igraph(cls, graph: Any, *, weight: str | None = "weight", symmetrize: bool = False) -> Graph:
        """Convert an igraph graph; parameters and attributes are those of `from_networkx`."""
        from ..export.packages import from_igraph

        return from_igraph(graph, weight=weight, symmetrize=symmetrize)

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, weight: str | None = "weight", symmetrize: bool = False) -> Graph:
        """Read a graph from a file: .graphml, .gexf, .gml, .net, .graph, .csv, .tsv, .txt or .parquet.

        Files written by `write` are read back with names, roles and all weights from .graphml, .gexf, .gml and .net
        (and the kind from .graphml and .gml), with weights divided by a power of ten from .graph, and with edges and
        the names and roles of their ends from tables. Other tables must have the ends of the edges in the first two
        columns. Attributes, weights and directions are treated as in `from_networkx`.
        """
        from ..export import read_graph

        return read_graph(path, weight=weight, symmetrize=symmetrize)

    def plot(self, ax: Any = None, *, labels: ArrayLike | None = None, X: Any = None, **options: Any) -> GraphDisplay:
        """Draw the graph with vertices in the colors of their labels; see `graphens.plot.GraphDisplay`.

        Parameters
        ----------
        ax
            Axes to draw on; by default, a new figure.
        labels
            Part of every vertex, such as ``r.vertex_labels``.
        X
            Two features of every vertex, used as its position; otherwise a force-directed layout is used.
        **options
            `most`, the maximum number of vertices (300), and `seed`, the seed of the layout.
        """
        from ..plot.display import draw_display
        from ..plot.graphs import GraphDisplay

        return draw_display(GraphDisplay.from_graph, self, labels, X, ax=ax, **options)

    @overload
    def explore(
        self, path: None = None, *, labels: ArrayLike | None = None, X: Any = None, title: str | None = None
    ) -> Explorer: ...
    @overload
    def explore(
        self, path: str | Path, *, labels: ArrayLike | None = None, X: Any = None, title: str | None = None
    ) -> Path: ...
    def explore(
        self,
        path: str | Path | None = None,
        *,
        labels: ArrayLike | None = None,
        X: Any = None,
        title: str | None = None,
    ) -> Explorer | Path:
        """Make an HTML page to explore the graph by moving a threshold through its edge weights.

        Parameters
        ----------
        path
            File to write, either completely or not at all; the page is self-contained. Without a path, the page is
            returned as an `Explorer`, which a notebook displays.
        labels
            Part of every vertex, such as ``r.vertex_labels``; by default, communities that are detected for the first
            view.
        X
            Two features of every vertex, used as its position.
        title
            Title of the page.

        Examples
        --------
        >>> import graphens as ge
        >>> ge.Graph([[0, 0.9, 0.2], [0.9, 0, 0], [0.2, 0, 0]]).explore()
        Explorer(0.1 MB; write(path) saves it to a file)
        """
        from ..explore import explore

        return explore(self, path, labels=labels, X=X, title=title)

    def __repr__(self) -> str:
        return f"Graph({self.kind}, {self.n_vertices} vertices, {self.n_edges} edges)"


def as_vertices(vertices: ArrayLike, n: int) -> IntArray:
    """Check some of n vertices, given by index or mask; return their indices."""
    index = even_array(vertices, "vertices")
    index = index if index.size else np.empty(0, dtype=np.int64)
    if index.dtype == bool and index.shape == (n,):
        return np.flatnonzero(index)
    fits = index.ndim == 1 and np.issubdtype(index.dtype, np.integer)
    if not fits or (index.size and (index.min() < 0 or index.max() >= n)) or len(np.unique(index)) < len(index):
        raise InputError(
            f"Expected distinct vertices between 0 and {n - 1}, or a mask of length {n}; got {quote(vertices)}."
        )
    return index.astype(np.int64)


def _names_of_parts(names: Names, labels: LabelArray, size: int) -> Names:
    """Return a name for each part of the vertices: its only member's, or "part" and its number."""
    count = np.bincount(labels[labels >= 0], minlength=size)
    texts = np.array([f"part {j}" for j in range(size)], dtype=object)
    if (count == 1).any():
        members = np.flatnonzero(labels >= 0)
        alone = members[count[labels[members]] == 1]
        for part, name in zip(labels[alone].tolist(), names.take(alone), strict=True):
            texts[part] = name
    return Names.given(texts, size)
