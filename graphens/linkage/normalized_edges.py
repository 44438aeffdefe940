"""Merging by normalized edges (CA-HNE)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._arrays import FloatArray, number
from .._memory import require
from .._work import run
from ..core.dendrogram import Dendrogram, sorted_merges
from ..core.graph import Graph
from ..errors import InputError

_DIGITS = 2.0**20  # similarities that break ties are whole multiples of 2⁻²⁰, so that their sums are exact
_BYTES = 20  # per stored neighbor


def merge_edges(graph: Graph, theta: float = 0.3) -> tuple[Dendrogram, FloatArray]:
    """Merge the two groups with the most normalized edges, again and again, while an edge is left.

    NE(A, B) = edges(A, B) / ((n_A + n_B)^(1+f) − n_A^(1+f) − n_B^(1+f)) with f = (1 − θ) / (1 + θ): edges over the
    number expected between groups of that size. An edge between vertices of weights c and d stands for c·d edges.

    Parameters
    ----------
    graph
        A threshold graph: its edges are counted, its weights only break ties.
    theta
        The threshold that the graph was made with, 0 ≤ θ < 1.

    Returns
    -------
    dendrogram
        Merges in order. NE may grow along the way, so the height of a merge is its number over the number of leaves;
        groups with no edge between them join at 1.
    values
        NE of every merge before those at 1.

    Notes
    -----
    Ties go to the larger mean similarity over the edges between two groups (compared in steps of 2⁻²⁰), then to the
    pair with the smaller vertices. O(E log n) time for E edges and their descendants, 20 bytes per neighbor.

    References
    ----------
    Li, Yu, Hao and Li, Clustering ensembles based on normalized edges, 2007.

    Examples
    --------
    >>> import graphens as ge
    >>> g = ge.coassociation([[0, 0], [0, 0], [0, 1], [1, 2], [1, 2]]).threshold(0.3)
    >>> tree, values = merge_edges(g, 0.3)
    >>> tree.cut(2).tolist(), len(values)
    ([0, 0, 0, 1, 1], 3)
    """
    from ..kernels.edge_merging import MERGED, build_winners, choose_all, groups, merge_edges as merge

    power = 1.0 + growth(theta)
    a, n = graph.adjacency, graph.n_vertices
    require(
        _BYTES * a.nnz,
        f"Merging a graph with {a.nnz // 2} edges",
        "Take a larger theta, neighbors=p, or collapsed objects",
    )
    weight = np.maximum(graph.vertex_weights, 1e-300)
    edges = np.repeat(weight, np.diff(a.indptr)) * weight[a.indices]
    strength = np.rint(a.data * _DIGITS) * edges
    g = groups(a.indptr.astype(np.int64), a.indices.copy(), edges, strength, weight, power)
    run("strongest partners", n, _counting(lambda first, last: choose_all(g, power, first, last)))
    build_winners(g)
    run("normalized edges", n, lambda steps: merge(g, power, steps))
    made = int(g.cursor[MERGED])
    roots = np.flatnonzero(g.parent == np.arange(n))
    left = np.concatenate([g.left[:made], np.full(len(roots) - 1, roots[0])])
    right = np.concatenate([g.right[:made], roots[1:]])
    heights = np.concatenate([np.arange(1, made + 1) / n, np.ones(len(roots) - 1)])
    merges = sorted_merges(left, right, heights, n)
    return Dendrogram(merges, leaf_weights=weight, names=graph.names), g.value[:made].copy()


def growth(theta: float) -> float:
    """Exponent f(θ) = (1 − θ) / (1 + θ) by which a member's expected edges grow with its group's size."""
    if not 0 <= number("theta", theta) < 1:
        raise InputError.about("theta", theta, "a number from 0 to below 1, usually 0.1 to 0.4")
    return (1.0 - theta) / (1.0 + theta)


def _counting(work: Callable[[int, int], object]) -> Callable[[int], int]:
    """Turn work on a stretch into work on the next so many."""
    done = 0

    def advance(steps: int) -> int:
        nonlocal done
        work(done, done + steps)
        done += steps
        return steps

    return advance
