"""One graph for everything: objects, clusters or both as vertices, similarities as edge weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._arrays import (
    AnyArray,
    FloatArray,
    IntArray,
    LabelArray,
    as_parts,
    as_weights,
    canonical,
    freeze,
    matrix_of_numbers,
    number,
    whole,
)
from ..errors import InputError, TypeMismatch
from .names import Names
from .value import Value, frozen

OBJECT, CLUSTER = 0, 1
ROLES = ("object", "cluster")
#: similarities are sums of w/Σw; this much is rounding, never evidence
SLACK = 1e-9


class Graph(Value):
    """An undirected weighted graph whose vertices know whether they are objects or clusters.

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
        What the graph is, for display.

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

    def __init__(
        self,
        adjacency: Any,
        *,
        vertex_weights: ArrayLike | None = None,
        roles: ArrayLike | None = None,
        names: Names | ArrayLike | None = None,
        kind: str = "graph",
    ) -> None:
        matrix = _checked(adjacency)
        n = matrix.shape[0]
        self._set(
            _adjacency=frozen(matrix),
            vertex_weights=as_weights(vertex_weights, n, "vertices"),
            roles=_checked_roles(roles, n),
            names=Names.given(names, n),
            kind=kind,
        )

    @classmethod
    def _trusted(cls, adjacency: sparse.csr_array | None, like: Graph | None = None, **fields: Any) -> Graph:
        """Make a graph from a matrix that already keeps the promises; other fields as in `like` unless given."""
        made = object.__new__(Graph if like is not None else cls)
        kept = (
            {}
            if like is None
            else {name: getattr(like, name) for name in ("vertex_weights", "roles", "names", "kind")}
        )
        made._set(_adjacency=None if adjacency is None else frozen(adjacency), **(kept | fields))
        return made

    # looking ---------------------------------------------------------------------------------------------

    @property
    def adjacency(self) -> sparse.csr_array:
        """The symmetric weight matrix: zero diagonal, sorted, no stored zeros, read-only."""
        if self._adjacency is None:
            self._set(_adjacency=frozen(self._explicit()))
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

    def degree(self) -> FloatArray:
        """Sum of the edge weights at each vertex."""
        return np.asarray(self.adjacency.sum(axis=1)).ravel()

    # other graphs ----------------------------------------------------------------------------------------

    def threshold(self, theta: float) -> Graph:
        """Keep the edges whose weight is above theta (by more than rounding), with their weights. O(E)."""
        kept = self.adjacency.copy()
        kept.data[kept.data <= _checked_theta(theta) + SLACK] = 0
        kept.eliminate_zeros()
        return Graph._trusted(kept, self, kind=f"{self.kind} > {theta:g}")

    def neighbors(self, p: int) -> Graph:
        """Keep each vertex's p strongest edges (ties to the smaller index); an edge stays if either end keeps it."""
        p = whole("p", p, 1)
        a = self.adjacency
        rank = np.lexsort((a.indices, -a.data, _row_of(a)))
        place = np.empty(a.nnz, dtype=np.int64)
        place[rank] = np.arange(a.nnz)
        kept = a.copy()
        kept.data[place - np.repeat(a.indptr[:-1], np.diff(a.indptr)) >= p] = 0
        kept.eliminate_zeros()
        return Graph._trusted(_tidy(kept.maximum(kept.T)), self, kind=f"{self.kind}, {p} neighbours")

    def spanning_forest(self) -> Graph:
        """Return the maximum spanning forest: the strongest edges that close no cycle. O(E log n)."""
        from scipy.sparse import csgraph  # takes as long to import as everything else together

        a = self.adjacency
        values, rank = np.unique(a.data, return_inverse=True)
        falling = sparse.csr_array(
            (len(values) - rank.astype(np.float64), a.indices, a.indptr), shape=a.shape
        )
        tree = csgraph.minimum_spanning_tree(
            falling
        ).tocsr()  # ranks from 1 upwards: exact, and no edge reads as absent
        tree.data = values[(len(values) - tree.data).astype(np.int64)]
        return Graph._trusted(_tidy(tree + tree.T), self, kind=f"spanning forest of {self.kind}")

    def contract(self, labels: ArrayLike) -> Graph:
        """Merge the vertices of each part into one: MᵀAM without its diagonal; vertex weights add up.

        Unassigned vertices (−1) are left out. A merged vertex is an object where it holds one, and is named by
        its only member or by its part's number.
        """
        given, size = self._parts(labels)
        member = _membership(given, size)
        merged = _symmetric(member.T @ self.adjacency @ member)
        return self._merged(merged, given, size)

    def _merged(self, adjacency: sparse.csr_array, given: LabelArray, size: int) -> Graph:
        """The contracted graph with its vertices' weights, roles and names."""
        member = _membership(given, size)
        objects = np.asarray(member.T @ (self.roles == OBJECT))
        count = np.bincount(given[given >= 0], minlength=size)
        names = np.array([f"part {j}" for j in range(size)], dtype=object)
        if (count == 1).any():
            kept = np.flatnonzero(given >= 0)
            alone = kept[count[given[kept]] == 1]
            names[given[alone]] = self.names.take(alone).array()
        return Graph._trusted(
            adjacency,
            self,
            vertex_weights=freeze(np.asarray(member.T @ self.vertex_weights)),
            roles=freeze(np.where(objects > 0, OBJECT, CLUSTER).astype(np.uint8)),
            names=Names.given(names, size),
            kind=f"contracted {self.kind}",
        )

    def subgraph(self, vertices: ArrayLike) -> Graph:
        """Return the graph on some of the vertices, by index or mask."""
        index = self._index(vertices)
        return Graph._trusted(
            _tidy(sparse.csr_array(self.adjacency[index][:, index])),
            self,
            vertex_weights=freeze(self.vertex_weights[index]),
            roles=freeze(self.roles[index]),
            names=self.names.take(index),
        )

    def _index(self, vertices: ArrayLike) -> IntArray:
        given = np.asarray(vertices) if np.size(vertices) else np.empty(0, dtype=np.int64)
        if given.dtype == bool and given.shape == (self.n_vertices,):
            return np.flatnonzero(given)
        fits = given.ndim == 1 and np.issubdtype(given.dtype, np.integer)
        if not fits or (given.size and (given.min() < 0 or given.max() >= self.n_vertices)):
            fits = False
        if not fits or len(np.unique(given)) < len(given):
            raise InputError(
                f"Expected distinct vertices between 0 and {self.n_vertices - 1}, or a mask of length "
                f"{self.n_vertices}; got {vertices!r}."
            )
        return given.astype(np.int64)

    # labellings ------------------------------------------------------------------------------------------

    def components(self) -> LabelArray:
        """Return the connected component of every vertex, numbered in order of first appearance. O(n + E)."""
        from scipy.sparse import csgraph

        return canonical(csgraph.connected_components(self.adjacency, directed=False)[1])

    def cut(self, labels: ArrayLike) -> float:
        """Weight of the edges between different parts; edges of unassigned vertices (−1) do not count. O(E)."""
        from ..kernels.edges import cut_weight

        a = self.adjacency
        return float(cut_weight(a.indptr, a.indices, a.data, self._parts(labels)[0])) / 2

    def balance(self, labels: ArrayLike) -> float:
        """Weight of the heaviest part over the mean weight of the parts: 1 is perfect balance."""
        given, size = self._parts(labels)
        weight = np.bincount(given[given >= 0], weights=self.vertex_weights[given >= 0], minlength=size)
        mean = weight.mean() if size else 0.0
        return float(weight.max() / mean) if mean > 0 else 1.0

    def _parts(self, labels: ArrayLike) -> tuple[LabelArray, int]:
        """Check a labelling of the vertices; return it and its number of parts."""
        return as_parts(labels, self.n_vertices)

    # leaving ---------------------------------------------------------------------------------------------

    def to_scipy(self) -> sparse.csr_array:
        """Return the adjacency matrix as a copy."""
        return self.adjacency.copy()

    def to_networkx(self, *, names: bool = False, consensus: Any = None) -> Any:
        """Return a networkx Graph: vertices with name, role, weight and `bipartite` (0 object, 1 cluster).

        Nodes are 0 … n − 1, or the names with ``names=True``; with a consensus they have `cluster` and `confidence`.
        """
        from ..export.networkx import to_networkx

        return to_networkx(self, names=names, consensus=consensus)

    def to_igraph(self, *, consensus: Any = None) -> Any:
        """Return an igraph Graph with the same vertex attributes and the edge attribute `weight`."""
        from ..export.igraph import to_igraph

        return to_igraph(self, consensus=consensus)

    def write(self, path: str | Path, *, consensus: Any = None) -> None:
        """Write to a file, whole or not at all; the ending chooses the format.

        Parameters
        ----------
        path
            A file ending in .graphml, .gexf, .gml, .net (Pajek), .graph (METIS), .csv, .tsv or .parquet (edge list).
        consensus
            A Consensus, or one label per object: vertices get its `cluster` and `confidence`. Clusters of the
            ensemble go where most of their objects go, and their confidence is those objects' share.
        """
        from ..export import write

        write(self, path, consensus=consensus)

    # entering --------------------------------------------------------------------------------------------

    @classmethod
    def of(cls, graph: Any) -> Graph:
        """Return a Graph as it is, and a networkx or igraph graph as a Graph."""
        if isinstance(graph, Graph):
            return graph
        origin = {base.__module__.split(".")[0] for base in type(graph).__mro__}
        if "networkx" in origin:
            return cls.from_networkx(graph)
        if "igraph" in origin:
            return cls.from_igraph(graph)
        raise TypeMismatch(
            f"A {type(graph).__name__} was given; expected a Graph, or a networkx or igraph graph. "
            "Graph(matrix) makes one of an adjacency matrix."
        )

    @classmethod
    def from_networkx(cls, graph: Any, *, weight: str = "weight") -> Graph:
        """Make a graph of an undirected networkx graph.

        Parameters
        ----------
        graph
            A networkx graph. Parallel edges add up; loops and edges of weight 0 are left out, with a warning.
        weight
            The edge attribute with the weights; edges without it weigh 1.

        Returns
        -------
        Graph
            Vertices in the order of the nodes, named by their `name`, else `label`, else by the nodes themselves; with
            `role` (or `bipartite`) and `weight` where all nodes have them.

        Examples
        --------
        >>> import graphens as ge
        >>> import networkx as nx
        >>> g = ge.Graph.from_networkx(nx.karate_club_graph())
        >>> g
        Graph(graph, 34 vertices, 78 edges)
        >>> ge.partition(g, 2, seed=0).k
        2
        """
        from ..export.networkx import from_networkx

        return from_networkx(graph, weight=weight)

    @classmethod
    def from_igraph(cls, graph: Any, *, weight: str = "weight") -> Graph:
        """Make a graph of an undirected igraph graph; attributes are read as in `from_networkx`."""
        from ..export.igraph import from_igraph

        return from_igraph(graph, weight=weight)

    @classmethod
    def read(cls, path: str | Path) -> Graph:
        """Read a graph from a file: .graphml, .gexf, .gml, .net, .graph, .csv, .tsv or .parquet.

        What `write` wrote comes back: names, roles and all weights from .graphml, .gexf, .gml and .net (the kind from
        .graphml and .gml), weights as whole numbers over a power of ten from .graph, the edges with their ends' names
        and roles from tables. Attributes of other programs' files are read as in `from_networkx`.
        """
        from ..export import read_graph

        return read_graph(path)

    def __repr__(self) -> str:
        return f"Graph({self.kind}, {self.n_vertices} vertices, {self.n_edges} edges)"


def _checked(adjacency: Any) -> sparse.csr_array:
    """Check a matrix from outside and bring it into the form every graph keeps."""
    matrix = matrix_of_numbers(adjacency, "adjacency")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"An adjacency of shape {matrix.shape} was given; expected a square matrix.")
    matrix.sum_duplicates()
    if matrix.nnz and not (np.isfinite(matrix.data).all() and matrix.data.min() >= 0):
        raise InputError(
            f"The adjacency has the weight {matrix.data.min()}; expected finite weights of zero or more."
        )
    matrix = _tidy(matrix)
    gap = abs(matrix - matrix.T)
    if gap.nnz and gap.max() > 1e-12 * max(1.0, matrix.max()):
        raise InputError(
            f"The adjacency is not symmetric (largest difference {gap.max():g}); "
            "symmetrise it first, e.g. (A + A.T) / 2."
        )
    return _symmetric(matrix) if gap.nnz else matrix


def _symmetric(matrix: Any) -> sparse.csr_array:
    """The same matrix with the rounding of its two halves evened out, tidy."""
    made = sparse.csr_array(matrix)
    return _tidy((made + made.T) / 2)


def _tidy(matrix: Any) -> sparse.csr_array:
    """Zero diagonal, no stored zeros, sorted indices."""
    tidy = sparse.csr_array(matrix)
    tidy.data[_row_of(tidy) == tidy.indices] = 0
    tidy.eliminate_zeros()
    tidy.sort_indices()
    return tidy


def _row_of(matrix: sparse.csr_array) -> AnyArray:
    """The row of every stored value."""
    return np.repeat(np.arange(matrix.shape[0], dtype=matrix.indices.dtype), np.diff(matrix.indptr))


def _membership(given: LabelArray, size: int) -> sparse.csr_array:
    """N × parts 0/1 matrix of a labelling; unassigned vertices have an empty row."""
    kept = np.flatnonzero(given >= 0)
    return sparse.csr_array((np.ones(kept.size), (kept, given[kept])), shape=(len(given), size))


def _checked_theta(theta: float) -> float:
    limit = number("theta", theta)
    if limit < 0:
        raise InputError(f"theta = {theta!r} was given; expected zero or more, as weights are.")
    return limit


def _checked_roles(roles: ArrayLike | None, n: int) -> AnyArray:
    given = np.zeros(n, dtype=np.uint8) if roles is None else np.asarray(roles)
    if given.shape != (n,) or not np.isin(given, (OBJECT, CLUSTER)).all():
        raise InputError(
            f"Expected a role (0 object, 1 cluster) for each of the {n} vertices; got {roles!r}."
        )
    return freeze(given.astype(np.uint8))
