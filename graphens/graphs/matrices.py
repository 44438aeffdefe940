"""The sparse matrices of graphs: checked if they come from the user, and always in the same form."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, LabelArray, as_numbers, number, on_one_scale
from ..errors import GraphensError, InputError, TypeMismatch


def as_matrix(given: Any, what: str, shape: str = "a matrix") -> sparse.csr_array:
    """Read a matrix of non-negative numbers from outside, as a copy with duplicates summed.

    Text, complex numbers and masked entries are refused: reading them as numbers would drop something.
    """
    library = type(given).__module__.partition(".")[0]
    if library in ("networkx", "igraph"):
        raise TypeMismatch(f"A {library} graph was given for {what}; use Graph.from_{library}(graph).")
    if np.ma.is_masked(given):
        raise InputError(f"{what.capitalize()} has masked entries; fill them first, e.g. with filled(0).")
    try:
        if not sparse.issparse(given):
            given = as_numbers(given, f"The values of {what}")
        elif given.dtype.kind not in "biuf":
            as_numbers(given.data, f"The values of {what}")
        matrix = sparse.csr_array(given, dtype=np.float64, copy=True)
    except (TypeError, ValueError) as error:
        if isinstance(error, GraphensError):
            raise
        raise InputError(f"{what.capitalize()} cannot be read as a matrix of numbers: {error}.") from None
    if matrix.ndim != 2:
        raise InputError(f"{what.capitalize()} of shape {matrix.shape} was given; expected {shape}.")
    matrix.sum_duplicates()
    data = matrix.data
    if data.size and not (np.isfinite(data).all() and data.min() >= 0):
        worst = data.min() if np.isfinite(data).all() else data[~np.isfinite(data)][0]
        raise InputError(f"{what.capitalize()} has the value {worst}; expected finite values of zero or more.")
    with np.errstate(over="ignore"):
        if not np.isfinite(data.sum()):
            raise InputError(
                f"The values of {what} add up to more than a float can hold; divide them by the largest one first."
            )
    return matrix


def as_adjacency(given: Any) -> sparse.csr_array:
    """Check a symmetric matrix from the user and return it in the form of all graphs."""
    matrix = as_matrix(given, "the adjacency", "a square matrix")
    if matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"An adjacency of shape {matrix.shape} was given; expected a square matrix.")
    matrix = tidy(matrix)
    gap = abs(matrix - matrix.T)
    if gap.nnz and gap.max() > 1e-12 * matrix.max():
        raise InputError(
            f"The adjacency is not symmetric (largest difference {gap.max():g}); "
            "symmetrize it first, e.g. (A + A.T) / 2."
        )
    return symmetric(matrix) if gap.nnz else matrix


def as_theta(theta: float) -> float:
    """Check a threshold of edge weights."""
    limit = number("theta", theta)
    if limit < 0:
        raise InputError.about("theta", theta, "a number of zero or more")
    return limit


def symmetric(matrix: Any) -> sparse.csr_array:
    """Return the mean of a nearly symmetric matrix and its transpose, in tidy form."""
    square = sparse.csr_array(matrix)
    return tidy((square + square.T) / 2)


def tidy(matrix: Any) -> sparse.csr_array:
    """Return the matrix with a zero diagonal, no stored zeros and sorted indices."""
    square = sparse.csr_array(matrix)
    square.data[row_of(square) == square.indices] = 0
    square.eliminate_zeros()
    square.sort_indices()
    return square


def row_of(matrix: sparse.csr_array) -> AnyArray:
    """Return the row of every stored value."""
    return np.repeat(np.arange(matrix.shape[0], dtype=matrix.indices.dtype), np.diff(matrix.indptr))


def membership(labels: LabelArray, size: int) -> sparse.csr_array:
    """Return the n × parts 0/1 matrix of a labeling; unassigned vertices have an empty row."""
    members = np.flatnonzero(labels >= 0)
    return sparse.csr_array((np.ones(members.size), (members, labels[members])), shape=(len(labels), size))


def balance(labels: LabelArray, size: int, weights: FloatArray) -> float:
    """Return the weight of the heaviest part over the mean weight of the parts, unassigned things left out."""
    inside = labels >= 0
    mass = np.bincount(labels[inside], weights=on_one_scale(weights)[inside], minlength=size)
    mean = mass.mean() if size else 0.0
    return float(mass.max() / mean) if mean > 0 else 1.0


def strongest_in_rows(a: sparse.csr_array, p: int) -> sparse.csr_array:
    """Return the p largest entries of each row, ties to the smaller index. O(E log E)."""
    rank = np.lexsort((a.indices, -a.data, row_of(a)))
    place = np.empty(a.nnz, dtype=np.int64)
    place[rank] = np.arange(a.nnz)
    strongest = a.copy()
    strongest.data[place - np.repeat(a.indptr[:-1], np.diff(a.indptr)) >= p] = 0
    strongest.eliminate_zeros()
    return strongest


def heaviest_forest(a: sparse.csr_array) -> sparse.csr_array:
    """Return the maximum spanning forest of a symmetric matrix, each edge in one direction. O(E log n)."""
    from scipy.sparse import csgraph  # takes as long to import as everything else together

    values, rank = np.unique(a.data, return_inverse=True)
    narrow = np.int32 if max(a.nnz, *a.shape) < 2**31 else np.int64  # which not every SciPy takes
    index, begins = (part.astype(narrow, copy=False) for part in (a.indices, a.indptr))
    # SciPy's spanning tree is a minimum, drops edges of weight 0 and rounds 1 − w: ranks avoid all three.
    falling = sparse.csr_array((len(values) - rank.astype(float), index, begins), shape=a.shape)
    # ranks from 1 upwards: exact, and no edge reads as absent
    tree = csgraph.minimum_spanning_tree(falling).tocsr()
    tree.data = values[(len(values) - tree.data).astype(np.int64)]
    return tree
