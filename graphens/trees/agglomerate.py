"""Dendrograms of graphs and points: single, average, complete and Genie linkage, and merging by normalized edges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import FloatArray, IntArray, Seed, draw, freeze, number, on_one_scale, one_of
from .._lib.features import as_features, distinct_rows
from .._lib.memory import budget, require
from .._lib.threads import run
from ..errors import InputError
from ..graphs.coassociation import CoassociationGraph
from ..graphs.graph import Graph
from ..graphs.matrices import tidy
from ..labels.ensemble import Ensemble
from ..labels.value import recall
from .dendrogram import TIE, Dendrogram, sorted_merges

_DIGITS = 2.0**20  # similarities that break ties are whole multiples of 2⁻²⁰, so that their sums are exact
_BYTES = 20  # per stored neighbor


def _merge_by_edges(graph: Graph, theta: float) -> tuple[FloatArray, FloatArray]:
    """The merges of the two groups with the most normalized edges, and the NE of each while edges are left.

    Ties go to the larger mean similarity over the edges between two groups (compared in steps of 2⁻²⁰), then to the
    pair of vertices that comes first. O(E log n) time for E edges and their descendants.
    """
    from ..kernels.edge_merging import MERGED, build_winners, choose_all, groups, merge_edges

    power = 1.0 + growth(theta)
    a, n = graph.adjacency, graph.n_vertices
    require(
        _BYTES * a.nnz,
        f"Merging a graph with {a.nnz // 2} edges",
        "Use a larger theta, neighbors=p, or collapsed objects",
    )
    weight = np.maximum(graph.vertex_weights, 1e-300)
    edges = np.repeat(weight, np.diff(a.indptr)) * weight[a.indices]
    strength = np.rint(a.data * _DIGITS) * edges
    g = groups(a.indptr.astype(np.int64), a.indices.copy(), edges, strength, weight, power)
    done = 0

    def choose(steps: int) -> int:
        nonlocal done
        choose_all(g, power, done, done + steps)
        done += steps
        return steps

    run("comparing objects", n, choose)
    build_winners(g)
    run("merging objects", n, lambda steps: merge_edges(g, power, steps))
    n_merges, roots = int(g.cursor[MERGED]), np.flatnonzero(g.parent == np.arange(n))
    merges = _join_roots(g.left[:n_merges], g.right[:n_merges], np.arange(1, n_merges + 1) / n, roots)
    return merges, g.value[:n_merges].copy()


def growth(theta: float) -> float:
    """Exponent f(θ) = (1 − θ) / (1 + θ) with which the expected edges of a member grow with the size of its group."""
    if not 0 <= number("theta", theta) < 1:
        raise InputError.about("theta", theta, "a number from 0 to below 1, usually 0.1 to 0.4")
    return (1.0 - theta) / (1.0 + theta)


_LIGHTEST = 1e-100  # of the heaviest: lighter vertices would vanish from products
_EDGES = "normalized-edges"
_ROWS = 640  # of similarities that are kept; more would hardly save counting


def link(graph: Any, linkage: str = "average", *, theta: float | None = None, gini: float | None = None) -> Dendrogram:
    """Return the dendrogram of a similarity graph; the distance of two vertices is 1 − weight, 1 without an edge.

    Parameters
    ----------
    graph
        Any graph: a co-association graph, meta-graph, threshold graph, or your own, also of networkx or igraph. Weights
        are similarities up to 1, except for normalized edges, which accept any weights. Single and Genie linkage also
        take distances: a graph with ``kind="distances"``, or points, as an array with one row each.
    linkage
        ``"single"`` (the maximum spanning forest), ``"average"`` (weighted by vertices, and by evidence if labels are
        missing), ``"complete"``, ``"genie"``: the edges of the spanning forest, strongest first, but while sizes are
        more uneven than `gini`, the next edge is the strongest of those at a smallest cluster; or
        ``"normalized-edges"``: merge the two groups with the most edges above θ relative
        to their sizes, NE(A, B) = edges(A, B) / ((n_A + n_B)^(1+f) − n_A^(1+f) − n_B^(1+f)), f = (1 − θ)/(1 + θ). Edges
        are counted; their weights only break ties. A vertex of weight c counts as c objects, and an edge between
        vertices of weights c and d as c·d edges.
    theta
        With single linkage, only edges above theta are used, and groups that they do not connect join at distance 1; if
        labels agree in almost all of many partitions, these edges are found without comparing all pairs. With
        normalized edges, the threshold; by default, that of a threshold graph, otherwise 0.3.
    gini
        For Genie linkage, the largest Gini index of the sizes, Σ_{i<j} |c_i − c_j| / ((c − 1) Σ c_i) for c clusters;
        from 0 to 1, by default 0.3. 1 is single linkage.

    Returns
    -------
    Dendrogram
        Parts of the graph with no edge between them join at distance 1. Objects that are absent from every partition
        have no leaf, and −1 in every cut. With normalized edges, the height is the number of the merge divided by the
        number of leaves, since NE may increase along the way; merges at height 1 join groups without an edge between
        them. With Genie linkage, the height is the largest distance of the merges so far.

    Notes
    -----
    Single and Genie linkage need only the edges: O(E log n), or O(n²d) for points. Average and complete linkage of an
    explicit graph take O(n²) time and memory, and normalized edges take O(E log n) and 20 bytes per neighbor.
    Co-association graphs are linked on their distinct label rows.

    References
    ----------
    Li, Yu, Hao and Li, Clustering ensembles based on normalized edges, 2007. Gagolewski, Bartoszuk and Cena, Genie: a
    new, fast, and outlier-resistant hierarchical clustering algorithm, 2016.

    Examples
    --------
    >>> import graphens as ge
    >>> g = ge.coassociation([[0, 0], [0, 0], [0, 1], [1, 1]])
    >>> ge.link(g, "single").cut(2).tolist()
    [0, 0, 0, 1]
    >>> points = np.array([[0.0], [1.0], [2.0], [5.0], [6.0], [11.0]])
    >>> [ge.link(points, linkage).cut(2).tolist() for linkage in ("single", "genie")]
    [[0, 0, 0, 0, 0, 1], [0, 0, 0, 1, 1, 1]]
    """
    one_of("linkage", linkage, [*_METHODS, _EDGES])
    if gini is not None and (linkage != "genie" or not 0 <= number("gini", gini) <= 1):
        because = "" if linkage == "genie" else f" with linkage = {linkage!r}; only 'genie' has one"
        raise InputError.about("gini", gini, "a number from 0 to 1", because=because)
    gini = 0.3 if gini is None else gini
    if theta is not None and linkage not in (_EDGES, "single"):
        raise InputError.about(
            "theta", theta, because=f" with linkage = {linkage!r}; only 'single' and {_EDGES!r} have a threshold"
        )
    graph, copies = spanning_tree(graph) if isinstance(graph, np.ndarray) else (Graph.of(graph), None)
    if not graph.n_vertices:
        raise InputError("A graph without vertices was given; expected one such as coassociation(labels).")
    leaves, index = graph._leaves() if copies is None else (graph, copies)
    if graph.kind == DISTANCES:
        if linkage not in ("single", "genie"):
            advice = "For a matrix of similarities, link(Graph(matrix))."
            raise InputError.about("linkage", linkage, "'single' or 'genie'", because=" with distances", advice=advice)
        merges = merges_of(shortest_forest(graph), gini if linkage == "genie" else None)
        names = graph.names if copies is None else None
        return Dendrogram(merges, leaf_weights=graph.vertex_weights, index=index, names=names)
    if not leaves.n_vertices:
        return Dendrogram([], index=index, names=graph.names)
    weights = np.maximum(leaves.vertex_weights, 1e-300)
    if linkage == _EDGES:
        level = next(value for value in (theta, graph.theta, 0.3) if value is not None)
        merges, values = _merge_by_edges(leaves if leaves.theta == level else leaves.threshold(level), level)
        tree = Dendrogram(merges, leaf_weights=weights, index=index, names=graph.names)
        return tree._replace(_normalized_edges=values)
    if leaves._evidence is None and leaves.adjacency.nnz and leaves.adjacency.data.max() > 1 + 1e-9:
        raise InputError(
            f"The largest weight is {leaves.adjacency.data.max():g}; link needs similarities up to 1. Scale them first."
        )
    # Edge weights are shares of partitions, unless some clusters count more than others.
    counted = None
    if isinstance(graph, CoassociationGraph) and graph.cluster_weights is None:
        counted = graph.ensemble
    if theta is not None:
        merges = merges_of(leaves.spanning_forest(theta))
    elif counted is None:
        merges = _METHODS[linkage](leaves, gini)
    else:  # several steps of a consensus ask for the same tree
        merges = recall(counted, ("merges", linkage, gini), lambda: _METHODS[linkage](leaves, gini))
    tree = Dendrogram(merges, leaf_weights=weights, index=index, names=graph.names)
    return tree._replace(_ensemble=counted, _linkage=linkage, _theta=theta)


DISTANCES = "distances"  # the kind of graphs whose weights are distances
_UNITS = 1 << 22  # of which weights are multiples in Genie linkage where they are not whole numbers


def merges_of(forest: Graph, gini: float | None = None) -> FloatArray:
    """Return the merges of single link, the edges of a spanning forest, strongest first; of Genie link with `gini`."""
    source, target, weight = forest.edges()
    far = forest.kind == DISTANCES
    length = weight if far else 1.0 - weight
    order = np.lexsort((target, source, weight if far else -weight))  # 1 − w may round differences away
    source, target, length = source[order], target[order], np.maximum(length[order], 0.0)
    if gini is not None:
        from ..kernels.genie import genie_order

        weights, total = forest.vertex_weights, forest.vertex_weights.sum()
        whole = total < 16 * _UNITS and np.array_equal(weights, np.rint(weights))
        units = np.maximum(weights if whole else np.rint(weights * (_UNITS / total)), 1.0).astype(np.int64)
        order = genie_order(source.astype(np.int64), target.astype(np.int64), units, float(gini))
        source, target, length = source[order], target[order], np.maximum.accumulate(length[order])
    roots = np.unique(forest.components(), return_index=True)[1]
    return _join_roots(source, target, length, roots, length.max(initial=0.0) if far else 1.0)


def spanning_tree(X: Any) -> tuple[Graph, IntArray]:
    """Return the minimum spanning tree of the distinct points, as a graph of distances, and the vertex of each point.

    The weight of a vertex is the number of its copies. O(n²d) for n distinct points.
    """
    from ..kernels.genie import euclidean_tree

    points, index, counts = distinct_rows(as_features(X))
    scale = 2.0 ** int(np.frexp(np.abs(points).max())[1])  # squares neither overflow nor vanish
    columns = np.ascontiguousarray((points / scale).T)
    ends, lengths = euclidean_tree(columns)
    m = len(counts)
    half = sparse.csr_array((np.sqrt(np.maximum(lengths, 1e-300)) * scale, ends.T), shape=(m, m))
    weights = freeze(counts.astype(float))
    tree = Graph(half + half.T, vertex_weights=weights, kind=DISTANCES)
    return tree, index


def ties_by_mean(tree: Dendrogram, graph: Graph) -> Dendrogram:
    """Return the tree with its tied merges at distance 1 in the order of average link between the groups.

    Complete link has many such ties, and the order of the objects must not decide them.
    """
    n_merges = int(np.searchsorted(tree.heights, 1.0 - TIE))
    groups = tree._labels(n_merges)
    leaf = tree.index[np.unique(groups, return_index=True)[1][-(tree.n_leaves - n_merges) :]]
    size = np.bincount(groups[groups >= 0])
    sums = graph.contract(groups).adjacency.toarray()
    means = link(Graph(sums / np.outer(size, size), vertex_weights=size), "average")
    left, right = _members(tree.merges[:n_merges], tree.n_leaves)
    beyond = leaf[np.stack(_members(means.merges, len(leaf)))]
    heights = np.append(tree.heights[:n_merges], np.ones(len(means.merges)))
    ends = np.append(left, beyond[0]), np.append(right, beyond[1])
    return tree._replace(merges=freeze(sorted_merges(*ends, heights, tree.n_leaves)))


def _members(merges: FloatArray, n: int) -> tuple[IntArray, IntArray]:
    """A leaf of each of the two groups of every merge."""
    one_of_each = np.arange(n + len(merges))
    for step, (first, _) in enumerate(merges[:, :2].astype(np.int64)):
        one_of_each[n + step] = one_of_each[first]
    left, right = one_of_each[merges[:, :2].astype(np.int64)].T
    return left, right


def _join_roots(
    left: IntArray, right: IntArray, heights: FloatArray, roots: IntArray, apart: float = 1.0
) -> FloatArray:
    """The tree of merges; groups that share nothing join the first group at distance `apart`."""
    alone = len(roots) - 1
    ends = np.append(left, np.full(alone, roots[0])), np.append(right, roots[1:])
    heights = np.append(np.maximum(heights, 0.0), np.full(alone, apart))
    return sorted_merges(*ends, heights, len(left) + len(roots))


def _link_chains(graph: Graph, *, complete: bool) -> FloatArray:
    """Nearest-neighbor chains, on labels if similarities are counted from them, otherwise on the matrix.

    On labels, they take O(n²) time besides the counting, and as many rows of n numbers as fit.
    """
    from ..kernels.linking import MERGED, ROOTS, chain, chains, grow_chains

    ev, n = graph._evidence, graph.n_vertices
    mass = np.maximum(on_one_scale(graph.vertex_weights), _LIGHTEST)
    if ev is None:
        require(16.0 * n * n, f"Linking {n} vertices", "Use link(graph, 'single'), or contract the graph first")
        left, right, heights = np.zeros(n - 1, dtype=np.int64), np.zeros(n - 1, dtype=np.int64), np.zeros(n - 1)
        chain(graph.adjacency.toarray(), mass[:, None], complete, left, right, heights)
        return sorted_merges(left, right, np.maximum(heights, 0.0), n)
    missing = not complete and bool((ev.codes == ev.absent).any())
    n_rows = min(_ROWS, int(budget() // (16 * n * (1 + missing))))
    state = chains(mass, n_rows, missing)
    total = float(ev.weights.sum())
    kind = "complete" if complete else "average"
    run(f"linking objects ({kind} linkage)", n, lambda steps: grow_chains(ev, state, complete, total, steps))
    n_merges, roots = state.at[MERGED], np.sort(state.roots[: state.at[ROOTS]])
    left, right = state.left[:n_merges], state.right[:n_merges]
    return _join_roots(left, right, 1.0 - state.similarity[:n_merges], roots)


def shortest_forest(graph: Graph) -> Graph:
    """The minimum spanning forest of a graph of distances."""
    from scipy.sparse import csgraph

    a = graph.adjacency
    places = a.indices.astype(np.int32), a.indptr.astype(np.int32)  # SciPy 1.15 takes no wider ones here
    tree = sparse.csr_array(csgraph.minimum_spanning_tree(sparse.csr_array((a.data, *places), shape=a.shape)))
    return Graph._trusted(tidy(tree + tree.T), graph)


_METHODS: dict[str, Callable[[Graph, float], FloatArray]] = {
    "single": lambda graph, _: merges_of(graph.spanning_forest()),
    "average": lambda graph, _: _link_chains(graph, complete=False),
    "complete": lambda graph, _: _link_chains(graph, complete=True),
    "genie": lambda graph, gini: merges_of(graph.spanning_forest(), gini),
}


def objects_of_tree(e: Ensemble, most: int, seed: Seed) -> IntArray | None:
    """Return a random sample of objects for a tree; None if all fit, because few label rows are distinct."""
    fits = e.n_objects <= most or e.collapse()[0].n_objects <= most
    return None if fits else draw(e.n_objects, most, seed)
