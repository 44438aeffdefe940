"""Base clusterers: by name, a scikit-learn clusterer, or a function.

Every base makes a new model for a number of clusters and a seed. The model has `fit_predict`, and `predict` if it can
label new objects.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, IntArray, as_numbers
from .._lib.features import unrounded
from .._lib.memory import require
from ..cutting.mending import plain_answer
from ..cutting.spectral import Normalized
from ..errors import DegenerateWarning, InputError, TypeMismatch, did_you_mean, named_failure, warn
from .features import Matrix
from .landmarks import Landmarks
from .minimax_paths import path_based
from .pieces import Neighborhood, Neighborhoods, Pieces

_WIDTHS = 12  # how many are tried where none is given
_REPEATS, _FEW_ROWS = 10, 1000  # how often rows are repeated on average, or how many there are then


@dataclass(eq=False)
class NJW:
    """Spectral clustering of Ng, Jordan and Weiss: k-means on the k leading eigenvectors of the normalized affinity.

    Affinities are Gaussian with width σ, and rows of eigenvectors are scaled to length 1. Of several σ, the one whose
    rows are closest to their k centers is kept. O(n³) for every σ, O(n²) memory.
    """

    k: int
    seed: int
    sigma: Any = None

    def fit_predict(self, X: Matrix) -> AnyArray:
        """Cluster the rows of X."""
        from scipy.spatial.distance import pdist, squareform

        n = X.shape[0]
        require(40.0 * n * n, f"The affinities of {n} objects", "Use base='spectral' or base='landmarks'")
        return tightest_cut(np.asarray(squareform(pdist(np.asarray(X)))), self.k, self.seed, self.sigma)


def tightest_cut(distances: FloatArray, k: int, seed: int, sigma: Any = None) -> AnyArray:
    """Return the spectral clustering at the σ of least distortion, the mean squared distance to the k-means centers.

    References
    ----------
    Ng, Jordan and Weiss, On spectral clustering: analysis and an algorithm, 2002.
    """
    from sklearn.cluster import KMeans

    n = len(distances)
    if k >= n or k == 1:
        return np.arange(n) if k >= n else np.zeros(n, dtype=np.int64)
    best, labels = np.inf, np.zeros(n, dtype=np.int64)  # one cluster where no σ reaches every object
    for width in widths(distances, sigma):
        rows = _embedding(distances, k, float(width))
        if rows is None:
            continue
        fitted = KMeans(k, n_init=5, random_state=seed).fit(rows)
        if fitted.inertia_ < best:
            best, labels = float(fitted.inertia_), fitted.labels_
    return labels


def widths(distances: FloatArray, sigma: Any) -> FloatArray:
    """The σ to try: those given, or values from the typical distance of nearest neighbors to that of all objects."""
    if sigma is not None:
        sigmas = np.atleast_1d(as_numbers(sigma, "The widths sigma"))
        if sigmas.ndim != 1 or not sigmas.size or not np.isfinite(sigmas).all() or sigmas.min() <= 0:
            raise InputError.about("sigma", sigma, "a positive number, or a list of them")
        return sigmas
    apart = np.where(distances > 0, distances, np.inf)
    low, high = np.median(apart.min(axis=1)), np.median(distances[distances > 0]) if distances.any() else 1.0
    low = low if np.isfinite(low) else high
    return np.geomspace(min(low, high), high, _WIDTHS)


def _embedding(distances: FloatArray, k: int, width: float) -> FloatArray | None:
    """The rows of the eigenvectors, of length 1; None if affinities underflow and isolate an object."""
    from scipy.linalg import eigh

    affinity = np.exp(-0.5 * (distances / width) ** 2)
    np.fill_diagonal(affinity, 0.0)
    degree = affinity.sum(axis=1)
    if degree.min() < 1e-300:
        return None
    scale = 1.0 / np.sqrt(degree)
    n = len(distances)
    rows = eigh(affinity * scale[:, None] * scale[None, :], subset_by_index=(n - k, n - 1))[1]
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)


_OBJECTS = 1000  # a radius is estimated from as many


@dataclass(eq=False)
class Spectral:
    """Normalized cut of the graph of each distinct object and its nine nearest neighbors.

    It is the spectral clustering of scikit-learn, with eigenvectors that are the same in every run. Equal objects are
    one vertex, weighted by their number. Where the graph has at least k components, they are put together at random.
    """

    k: int
    seed: int
    neighborhoods: Neighborhoods | None = None

    def fit_predict(self, X: Matrix, sample_weight: FloatArray | None = None) -> AnyArray:
        """Cluster the rows of X; without shared neighborhoods, X are distances."""
        from sklearn.cluster import KMeans

        near = Neighborhood.of(X, "precomputed") if self.neighborhoods is None else self.neighborhoods.of(X)
        near = near.weighted(sample_weight)
        m = len(near.counts)
        if self.k >= m or m < 3:
            return near.index if self.k >= m else np.zeros_like(near.index)
        rows = self._rows(near.links(min(_LINKS, m - 2)))
        means = KMeans(self.k, n_init=1, random_state=self.seed)
        return means.fit(rows, sample_weight=near.weights).labels_[near.index]

    def _rows(self, links: sparse.csr_array) -> FloatArray:
        """D^-½ v of the leading eigenvectors v of D^-½ A D^-½, the embedding by random walks along the links."""
        matrix = Normalized.of(links)
        number = int(matrix.parts.max()) + 1
        if number >= self.k:
            return np.random.default_rng(self.seed).normal(size=(number, self.k))[matrix.parts]
        return matrix.leading(self.k, _DENSE)[1] * matrix.root[:, None]


_LINKS = 9  # neighbors of an object, ten with itself
_DENSE = 300  # neighbors are few: from here on, Lanczos is quicker than LAPACK


def random_radius(X: Matrix, neighbors: int, seed: int) -> float:
    """A radius at which a random share of the objects, from half to nearly all, have this many neighbors."""
    from sklearn.neighbors import NearestNeighbors

    rng = np.random.default_rng(seed)
    n = X.shape[0]
    rows = rng.choice(n, size=min(n, _OBJECTS), replace=False)
    share = rng.uniform(0.5, 0.95)
    distances, _ = NearestNeighbors(n_neighbors=min(neighbors, n)).fit(X).kneighbors(X[rows])
    return float(max(np.quantile(distances[:, -1], share), np.finfo(np.float32).tiny))


_MEMBERS = 1000  # of a larger cluster as many are drawn: n² distances would be too many


@dataclass(eq=False)
class Medoids:
    """Clusters around objects, by Euclidean distance (Park and Jun 2009 alternate the same way).

    scikit-learn has no k-medoids. O(nk·d) per round, plus at most 1000² distances per cluster.
    """

    k: int
    seed: int
    rounds: int = 30
    medoids_: Matrix = None

    def fit_predict(self, X: Matrix) -> AnyArray:
        """Cluster the rows of X."""
        rng = np.random.default_rng(self.seed)
        medoids = rng.choice(X.shape[0], size=self.k, replace=False)
        labels = _nearest(X, X[medoids])
        for _ in range(self.rounds):
            moved = np.array([_central(X, np.flatnonzero(labels == c), m, rng) for c, m in enumerate(medoids)])
            if np.array_equal(moved, medoids):
                break
            medoids = moved
            labels = _nearest(X, X[medoids])
        self.medoids_ = X[medoids]
        return labels

    def predict(self, X: Matrix) -> AnyArray:
        """Label of the nearest medoid."""
        return _nearest(X, self.medoids_)

    def transform(self, X: Matrix) -> AnyArray:
        """Distances to the medoids."""
        from sklearn.metrics import pairwise_distances

        return pairwise_distances(X, self.medoids_)


def _nearest(X: Matrix, medoids: Matrix) -> AnyArray:
    from sklearn.metrics import pairwise_distances_argmin

    return pairwise_distances_argmin(X, medoids)


def _central(X: Matrix, members: IntArray, medoid: Any, rng: np.random.Generator) -> int:
    """The member with the smallest sum of distances to the others."""
    from sklearn.metrics import pairwise_distances

    if members.size == 0:  # of two equal medoids the first takes all
        return int(medoid)
    sample = members if members.size <= _MEMBERS else rng.choice(members, size=_MEMBERS, replace=False)
    return int(sample[pairwise_distances(X[sample]).sum(axis=1).argmin()])


#: (X, k, seed) -> a model that has not been fitted
Build = Callable[[Any, int, int], Any]


@dataclass(frozen=True)
class Base:
    """A base clusterer: its name, how its models are built, and what they can do."""

    name: str
    build: Build
    sparse: bool = True
    predicts: bool = True
    span: Callable[[int], tuple[int, int]] | None = None  # the interval of k for n objects, where it has its own
    threads: bool = True  # whether its models let other threads work meanwhile
    least: int = 1  # objects it needs
    sized: bool = True  # whether it can be told a number of clusters

    def fit(self, X: Matrix, k: int, seed: int, weight: FloatArray | None = None) -> tuple[AnyArray, Any]:
        """Cluster the rows of X; return labels (−1 for noise) and the model.

        A model that takes no weights gets every row as often as its weight says.
        """
        if X.shape[0] < self.least:
            what = f"{X.shape[0]} object was given to the base {self.name}; expected at least {self.least}"
            raise InputError(f"{what}. kmeans and medoids take any number.")
        model = self.build(X, k, seed)
        weighs = weight is not None and takes_weights(model)
        rows, first = (None, None) if weight is None or weighs else repeated(weight, self.name)
        given, more = X if rows is None else X[rows], {"sample_weight": weight} if weighs else {}
        if hasattr(model, "fit_predict"):
            labels = model.fit_predict(given, **more)
        else:
            model.fit(given, **more)
            labels = model.labels_ if hasattr(model, "labels_") else model.predict(given)
        return labels if first is None else np.asarray(labels)[first], model


def takes_weights(model: Any) -> bool:
    """Whether a model takes weights of objects."""
    fit = model.fit_predict if hasattr(model, "fit_predict") else model.fit
    return "sample_weight" in inspect.signature(fit).parameters


def repeated(weight: FloatArray, who: str) -> tuple[IntArray, IntArray]:
    """Return every row as often as its weight says, and where each row is first; weights must be whole numbers."""
    counts = weight.astype(np.int64)
    if (counts != weight).any() or (counts < 1).any() or counts.sum() > max(_REPEATS * len(counts), _FEW_ROWS):
        raise InputError(
            f"{who} takes no weights, and rows can be repeated only if weights are whole numbers of at most {_REPEATS} "
            "on average; expected such weights, or kmeans, minibatch, spectral or pieces as base."
        )
    return np.repeat(np.arange(len(counts)), counts), np.append(0, np.cumsum(counts)[:-1])


@dataclass(frozen=True)
class _Sklearn:
    """Builds clusterers of scikit-learn, which is imported on use."""

    module: str
    name: str
    options: Mapping[str, Any]

    def __call__(self, X: Matrix, k: int, seed: int) -> Any:
        kind = getattr(import_module(f"sklearn.{self.module}"), self.name)
        return kind(k, **self.options, **accepted(kind, {"random_state": seed}))


@dataclass(frozen=True)
class _Model:
    """Builds models of our own, with further arguments such as the widths of an affinity."""

    kind: Callable[..., Any]
    more: tuple[Any, ...] = ()

    def __call__(self, X: Matrix, k: int, seed: int) -> Any:
        return self.kind(k, seed, *self.more)


@dataclass(frozen=True)
class FunctionModel:
    """A model that is a function of the data, k and a seed."""

    function: Callable[[Any, int, int], AnyArray]
    k: int = 0
    seed: int = 0

    def __call__(self, X: Any, k: int, seed: int) -> FunctionModel:
        """Return a model for a number of clusters and a seed."""
        return replace(self, k=k, seed=seed)

    def fit_predict(self, X: Any) -> AnyArray:
        """Cluster the data."""
        return np.asarray(self.function(X, self.k, self.seed))


def _path(X: Matrix, k: int, seed: int) -> AnyArray:
    return path_based(unrounded(X, seed), k)


def _dbscan(X: Matrix, k: int, seed: int) -> AnyArray:
    from sklearn.cluster import DBSCAN

    spread = X if sparse.issparse(X) else unrounded(X, seed)
    return DBSCAN(eps=random_radius(spread, 5, seed), min_samples=5).fit_predict(spread)


def _hdbscan(X: Matrix, k: int, seed: int) -> AnyArray:
    from sklearn.cluster import HDBSCAN

    # copy: the default overwrites its input only when distances are given, and warns about it
    return HDBSCAN(min_cluster_size=max(2, X.shape[0] // (2 * k)), copy=True).fit_predict(unrounded(X, seed))


def to_root(n_objects: int) -> tuple[int, int]:
    """2 to √n: bases that follow shapes need few clusters, and their cost grows with the number of clusters."""
    return min(2, n_objects), max(min(2, n_objects), math.isqrt(n_objects))


def few(n_objects: int) -> tuple[int, int]:
    """20 to 60, as in Huang et al. 2020 for millions of objects; at most √n."""
    return min(20, to_root(n_objects)[1] // 2 + 1), min(60, to_root(n_objects)[1])


_LINKAGES = {"agglomerative": "average", **{name: name for name in ("single", "average", "complete", "ward")}}
_RANDOM = {"init": "random", "n_init": 1}
# diagonal: with many components a full covariance has more numbers than the component has objects
_DIAGONAL = {"covariance_type": "diag", "init_params": "random_from_data"}
_BY_LINKS: dict[str, Any] = {"sparse": False, "predicts": False, "least": 2}

BASES: dict[str, Base] = {
    base.name: base
    for base in (
        Base("kmeans", _Sklearn("cluster", "KMeans", _RANDOM)),
        Base("minibatch", _Sklearn("cluster", "MiniBatchKMeans", _RANDOM)),
        Base("medoids", _Model(Medoids)),
        Base("gmm", _Sklearn("mixture", "GaussianMixture", _DIAGONAL), sparse=False, least=2),
        Base("spectral", Neighborhoods(Spectral), predicts=False, span=to_root),
        Base("njw", _Model(NJW), sparse=False, predicts=False, span=to_root),
        Base("landmarks", _Model(Landmarks), sparse=False, span=few),
        Base("pieces", Neighborhoods(Pieces)),
        *(
            Base(name, _Sklearn("cluster", "AgglomerativeClustering", {"linkage": linkage}), **_BY_LINKS)
            for name, linkage in _LINKAGES.items()
        ),
        Base("path", FunctionModel(_path), sparse=False, predicts=False),
        Base("dbscan", FunctionModel(_dbscan), predicts=False, sized=False),
        Base("hdbscan", FunctionModel(_hdbscan), **_BY_LINKS),
    )
}


def find_bases(base: Any, *, sigma: Any = None) -> tuple[Base, ...]:
    """Return the bases named or given; `sigma` has the widths of "njw"."""
    wanted = base if isinstance(base, Sequence) and not isinstance(base, str) else [base]
    if not wanted:
        raise InputError("An empty list of bases was given; expected at least one.")
    bases = tuple(_find(one) for one in wanted)
    if sigma is None:
        return bases
    if not any(one.build == _Model(NJW) for one in bases):
        raise InputError.about("sigma", sigma, because=", which only the base 'njw' has")
    return tuple(replace(one, build=_Model(NJW, (sigma,))) if one.build == _Model(NJW) else one for one in bases)


def warn_unsized(bases: Sequence[Base], what: str, k: Any) -> None:
    """Say which bases cannot be told the number of clusters that was given."""
    names = ", ".join(base.name for base in bases if not base.sized)
    if k is not None and names:
        warn(f"{what} = {k!r} was given, but {names} decides itself how many clusters there are.", DegenerateWarning)


def _find(base: Any) -> Base:
    if isinstance(base, str):
        if base not in BASES:
            able = f"one of {', '.join(BASES)}, a scikit-learn clusterer, a function of (X, k, seed), or a list of them"
            raise InputError.about("base", base, able, advice=did_you_mean(base, BASES))
        return replace(BASES[base], build=copy(BASES[base].build))  # what it remembers is of one ensemble
    if isinstance(base, type):
        raise TypeMismatch(f"The class {base.__name__} was given as base; give an instance, {base.__name__}().")
    if hasattr(base, "fit") and hasattr(base, "get_params"):
        return _estimator_base(base)
    if callable(base):
        return Base(base_name(base), FunctionModel(partial(call_own, base)), predicts=False)
    raise TypeMismatch(
        f"A {type(base).__name__} was given as base; expected a name, a scikit-learn clusterer, "
        "a function of (X, k, seed), or a list of them."
    )


def base_name(function: Any) -> str:
    """Return the name of a function that was given as base."""
    return getattr(function, "__name__", type(function).__name__)


def call_own(function: Callable[..., Any], X: Any, k: int, seed: int) -> AnyArray:
    """Call a function of the user with the data and, if it takes them, k and a seed."""
    with named_failure(f"The base {base_name(function)}"):
        return np.asarray(plain_answer(function(X, **accepted(function, {"k": k, "seed": seed}))))


def accepted(function: Callable[..., Any], offered: dict[str, int]) -> dict[str, int]:
    """Return those of the given arguments that a function takes, by name."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):  # compiled functions may have no signature
        return offered
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return offered
    return {name: value for name, value in offered.items() if name in parameters}


def _estimator_base(estimator: Any) -> Base:
    if not any(hasattr(estimator, name) for name in ("fit_predict", "labels_", "predict")):
        what = f"{type(estimator).__name__} has no fit_predict and no predict"
        raise TypeMismatch(f"{what}; expected a clusterer as base.")
    # The parameter with the number of clusters, of the estimator or of a pipeline's last step, if there is one; None
    # as its value says that the estimator finds the number itself.
    steps = getattr(estimator, "steps", None)
    prefix, values = f"{steps[-1][0]}__" if steps else "", estimator.get_params(deep=True)
    sizes = [prefix + name for name in ("n_clusters", "n_components") if prefix + name in values]
    size = sizes[0] if sizes and values[sizes[0]] is not None else ""
    # sparse: its own checks say what it takes
    able: dict[str, Any] = {"sparse": True, "predicts": hasattr(estimator, "predict"), "sized": bool(size)}
    return Base(type(estimator).__name__, _Estimator(estimator, size), **able)


class _Estimator:
    """A scikit-learn clusterer, cloned for every partition, not fitted itself; `size` names its parameter for k."""

    def __init__(self, estimator: Any, size: str) -> None:
        self.estimator, self.size = estimator, size
        names = estimator.get_params(deep=True)
        self.seeds = [name for name in names if name.split("__")[-1] == "random_state"]

    def __call__(self, X: Matrix, k: int, seed: int) -> Any:
        from sklearn.base import clone

        chosen = dict.fromkeys(self.seeds, seed) | ({self.size: k} if self.size else {})
        return clone(self.estimator).set_params(**chosen)
