"""Objects that are not vectors: ensembles from the distances between them, or from a kernel.

Distances replace the features. They are one view, and a bootstrap or a subsample selects rows and columns of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, as_numbers
from .._lib.frames import unframed
from .._lib.memory import require
from .._lib.stored import digest
from ..errors import InputError, TypeMismatch, did_you_mean, named_failure
from .bases import Base, FunctionModel, Spectral, base_name, call_own, tightest_cut
from .features import Views, frame_names
from .minimax_paths import path_based

#: a number for every pair of objects, or how to get there
Metric = str | Callable[[Any, Any], float]
_SAMPLINGS = (None, "bootstrap", "subsample")


@dataclass(frozen=True, eq=False)
class Distances:
    """The distances of n objects, used like a matrix of features; ``distances[rows]`` are those of some objects."""

    matrix: FloatArray

    @property
    def shape(self) -> tuple[int, int]:
        """Objects by objects."""
        return len(self.matrix), len(self.matrix)

    @property
    def nbytes(self) -> int:
        """Memory of the matrix, for backends that send it to workers."""
        return int(self.matrix.nbytes)

    def __getitem__(self, rows: AnyArray) -> Distances:
        return Distances(self.matrix[np.ix_(rows, rows)])

    def fingerprint(self) -> str:
        """Size and hash, for a checkpoint."""
        return f"{len(self.matrix)} distances {digest(self.matrix)}"


def read_distances(X: Any, metric: Metric) -> Views:
    """Read distances, a kernel, or objects of any kind with a function for the distance of two of them."""
    if callable(metric):
        matrix = _between(list(X), metric)
    elif isinstance(metric, str) and metric in ("precomputed", "kernel"):
        matrix = _square(X, metric)
    else:
        able = "'precomputed' for a matrix of distances, 'kernel' for one of similarities, or a function of two objects"
        raise InputError.about("metric", metric, able, advice=did_you_mean(metric, ["precomputed", "kernel"]))
    return Views(("distances",), (Distances(matrix),), None, frame_names(X))


def _between(objects: Sequence[Any], metric: Callable[[Any, Any], float]) -> FloatArray:
    """All pairs: O(n²) calls."""
    n = len(objects)
    if not n:
        raise InputError("No object was given; expected at least one.")
    require(8.0 * n * n, f"The distances of {n} objects", "Use a sample of them")
    matrix = np.zeros((n, n))
    for i in range(n):
        with named_failure(f"The distance {base_name(metric)}"):
            row = [metric(objects[i], objects[j]) for j in range(i)]
        matrix[i, :i] = matrix[:i, i] = as_numbers(row, f"The distances of {base_name(metric)}") if row else []
    return _check(matrix, f"The function {base_name(metric)}")


def _square(X: Any, metric: str) -> FloatArray:
    what = "A matrix of distances" if metric == "precomputed" else "A kernel"
    matrix = as_numbers(unframed(X), f"The entries of X with metric={metric!r}")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not len(matrix):
        raise InputError(f"X of shape {matrix.shape} was given; expected n × n numbers with metric={metric!r}.")
    if not np.isfinite(matrix).all() or not np.allclose(matrix, matrix.T, rtol=1e-8, atol=1e-12 * np.abs(matrix).max()):
        raise InputError(f"{what} must be symmetric and finite; X is not. (X + X.T) / 2 makes it symmetric.")
    if metric == "kernel":
        diagonal = np.diag(matrix)
        matrix = np.sqrt(np.maximum(diagonal[:, None] + diagonal[None, :] - 2 * matrix, 0.0))
    return _check(np.ascontiguousarray(matrix), what)


def _check(matrix: FloatArray, what: str) -> FloatArray:
    if not np.isfinite(matrix).all() or matrix.min() < 0:
        raise InputError(f"{what} gives a distance of {matrix.min():g}; expected finite numbers of zero or more.")
    if np.diag(matrix).any():
        raise InputError(
            f"{what} gives a distance of {np.diag(matrix).max():g} from an object to itself; expected 0 on the "
            "diagonal. For similarities, use metric='kernel'."
        )
    return matrix


def distance_bases(base: Any, sampling: str | None, sigma: Any) -> tuple[Base, ...]:
    """Return the bases that work on distances."""
    if sampling not in _SAMPLINGS:
        able = "None, 'bootstrap' or 'subsample', the others need features"
        raise InputError.about("sampling", sampling, able, because=" with distances")
    wanted = base if isinstance(base, Sequence) and not isinstance(base, str) else [base]
    if not wanted:
        raise InputError("An empty list of bases was given; expected at least one.")
    return tuple(_base(one, sigma) for one in wanted)


def _base(base: Any, sigma: Any) -> Base:
    if isinstance(base, str):
        if base not in _BASES:
            able = f"one of {', '.join(_BASES)}, or a function of (distances, k, seed)"
            raise InputError.about("base", base, able, because=" with distances", advice=did_you_mean(base, _BASES))
        cluster = partial(_BASES[base], sigma=sigma) if base == "njw" else _BASES[base]
        return Base(base, FunctionModel(partial(_on_matrix, cluster)), predicts=False, least=2)
    if callable(base) and not isinstance(base, type):
        own = FunctionModel(partial(_on_matrix, partial(call_own, base)))
        return Base(base_name(base), own, predicts=False)
    raise TypeMismatch(
        f"A {type(base).__name__} was given as base with distances; expected a name or a function of "
        "(distances, k, seed), or a list of them."
    )


def _on_matrix(cluster: Callable[..., AnyArray], distances: Distances, k: int, seed: int) -> AnyArray:
    return cluster(distances.matrix, k, seed)


def _medoids(distances: FloatArray, k: int, seed: int) -> AnyArray:
    """k-medoids by alternation from random medoids, as the base of features does it."""
    centers = np.random.default_rng(seed).choice(len(distances), size=k, replace=False)
    for _ in range(30):
        labels = distances[:, centers].argmin(axis=1)
        moved = centers.copy()
        for c in range(k):
            group = np.flatnonzero(labels == c)
            if group.size:
                moved[c] = group[distances[np.ix_(group, group)].sum(axis=1).argmin()]
        if np.array_equal(moved, centers):
            break
        centers = moved
    return distances[:, centers].argmin(axis=1)


def _link(distances: FloatArray, k: int, seed: int, *, linkage: str) -> AnyArray:
    from sklearn.cluster import AgglomerativeClustering

    return AgglomerativeClustering(k, metric="precomputed", linkage=linkage).fit_predict(distances)


def _spectral(distances: FloatArray, k: int, seed: int) -> AnyArray:
    return Spectral(k, seed).fit_predict(distances)


def _path(distances: FloatArray, k: int, seed: int) -> AnyArray:
    return path_based(distances, k, metric="precomputed")


#: (distances, k, seed) -> labels, and sigma for the one that has it
_BASES: dict[str, Callable[..., AnyArray]] = {
    "medoids": _medoids,
    **{linkage: partial(_link, linkage=linkage) for linkage in ("average", "single", "complete")},
    "spectral": _spectral,
    "njw": tightest_cut,
    "path": _path,
}
