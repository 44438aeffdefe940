"""Co-association on chosen pairs only: each object with its nearest neighbors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._arrays import AnyArray, FloatArray, IntArray, as_int
from .._features import as_features, feature_neighbors
from .._memory import require
from .._work import run
from ..core.graph import Graph
from ..core.matrices import tidy
from ..errors import InputError
from .coassociation import CoassociationGraph


def as_neighbors(neighbors: ArrayLike, n: int) -> IntArray:
    """Check neighbor lists from outside: n rows of object numbers, −1 where there are fewer."""
    given = np.asarray(neighbors)
    if given.ndim != 2 or len(given) != n or not np.issubdtype(given.dtype, np.integer):
        raise InputError(
            f"Neighbors of shape {given.shape} and type {given.dtype} were given; expected whole numbers, "
            f"{n} rows, one per object."
        )
    if given.size and (given.min() < -1 or given.max() >= n):
        raise InputError(
            f"Neighbors from {given.min()} to {given.max()} were given; expected objects 0 to {n - 1}, "
            "and −1 where there are fewer."
        )
    return given.astype(np.int64, copy=False)


def neighbor_graph(graph: CoassociationGraph, neighbors: int | ArrayLike, X: Any = None) -> Graph:
    """Keep co-association only between neighbors; an edge stays if either end names the other.

    Parameters
    ----------
    graph
        A co-association graph.
    neighbors
        Neighbor lists (n × p object numbers, −1 where there are fewer), or their length p.
    X
        Features in which the p nearest neighbors are looked for. Without them, p alone means the p most often
        co-associated objects.

    Notes
    -----
    O(npB) time and O(np) memory from lists; finding them costs what `feature_neighbors` says, or O(n²B) without X.
    References: Fred and Jain, Combining multiple clusterings using evidence accumulation, 2005, section 3.3.

    Examples
    --------
    >>> import graphens as ge
    >>> g = ge.coassociation([[0, 0], [0, 0], [0, 1], [1, 1]])
    >>> neighbor_graph(g, [[1], [2], [3], [2]]).edges()[2].tolist()
    [1.0, 0.5, 0.5]
    """
    n = graph.n_vertices
    if np.ndim(neighbors) == 0:
        p = as_int("neighbors", neighbors, 1)
        if X is None:
            return graph.neighbors(p)
        lists = feature_neighbors(as_features(X, n), p)
    else:
        lists = as_neighbors(neighbors, n)
    return Graph._trusted(_matrix(graph, lists), graph, kind=f"{graph.kind}, {lists.shape[1]} neighbors")


def _matrix(graph: CoassociationGraph, lists: IntArray) -> sparse.csr_array:
    n, p = lists.shape
    require(60.0 * n * p, f"The graph of {n} objects and {p} neighbors each", "Take fewer neighbors")
    rows = np.repeat(np.arange(n), p)
    there = (lists.ravel() >= 0) & (lists.ravel() != rows)
    left, right = rows[there], lists.ravel()[there]
    low, high = np.minimum(left, right), np.maximum(left, right)
    key = np.sort(low * n + high)  # NumPy's unique goes by hashes, which takes ten times as long here
    key = key[np.append(True, key[1:] != key[:-1])] if key.size else key
    return tidy(mirrored(key // n, key % n, pair_similarities(graph, key // n, key % n), n))


def mirrored(low: IntArray, high: IntArray, values: FloatArray, n: int) -> sparse.csr_array:
    """Return the symmetric matrix of values given for pairs, each once."""
    half = sparse.csr_array((values, (low, high)), shape=(n, n))
    return sparse.csr_array(half + half.T)


def pair_similarities(graph: CoassociationGraph, left: AnyArray, right: AnyArray) -> FloatArray:
    """Return the co-association of given pairs. O(B) each."""
    from ..kernels.similarity import similarity_of_pairs

    ev = graph._evidence
    by_object = np.ascontiguousarray(ev.codes.T)  # a pair is two rows, read along memory
    found, done = np.empty(len(left)), 0

    def advance(steps: int) -> int:
        nonlocal done
        part = slice(done, done + steps)
        similarity_of_pairs(ev, by_object, left[part], right[part], found[part])
        done += steps
        return steps

    run("pairs of neighbors", len(left), advance)
    return found
