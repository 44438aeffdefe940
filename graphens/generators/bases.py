"""Base clusterers: by name, a scikit-learn clusterer, or a function.

Every base makes a fresh model for a number of clusters and a seed; the model has `fit_predict`, and `predict` where
it can label objects it has not seen.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._arrays import AnyArray
from ..errors import InputError, TypeMismatch, meant, named_failure
from .features import Matrix

#: (X, k, seed) -> a model that has not been fitted
Build = Callable[[Any, int, int], Any]


@dataclass(frozen=True)
class Base:
    """One way to cluster: what it is called, how its models are built, and what they can do."""

    name: str
    build: Build
    sparse: bool = True
    predicts: bool = True
    span: Callable[[int], tuple[int, int]] | None = (
        None  # the interval of k for n objects, where it has its own
    )
    threads: bool = True  # whether its models let other threads work meanwhile
    least: int = 1  # objects it needs

    def fit(self, X: Matrix, k: int, seed: int) -> tuple[AnyArray, Any]:
        """Cluster the rows of X; return labels (−1 for noise) and the model."""
        if X.shape[0] < self.least:
            raise InputError(
                f"{X.shape[0]} object was given to the base {self.name}; expected at least {self.least}. "
                "kmeans and medoids take any number."
            )
        model = self.build(X, k, seed)
        if hasattr(model, "fit_predict"):
            return model.fit_predict(X), model
        model.fit(X)
        return model.labels_ if hasattr(model, "labels_") else model.predict(X), model


def _kmeans(X: Matrix, k: int, seed: int) -> Any:
    from sklearn.cluster import KMeans

    return KMeans(k, init="random", n_init=1, random_state=seed)


def _minibatch(X: Matrix, k: int, seed: int) -> Any:
    from sklearn.cluster import MiniBatchKMeans

    return MiniBatchKMeans(k, init="random", n_init=1, random_state=seed)


def _medoids(X: Matrix, k: int, seed: int) -> Any:
    from .medoids import Medoids

    return Medoids(k, seed)


def _gmm(X: Matrix, k: int, seed: int) -> Any:
    from sklearn.mixture import GaussianMixture

    # diagonal: with many components a full covariance has more numbers than the component has objects
    return GaussianMixture(k, covariance_type="diag", init_params="random_from_data", random_state=seed)


def _spectral(X: Matrix, k: int, seed: int) -> Any:
    from .neighborhoods import Spectral

    return Spectral(k, seed)


@dataclass(frozen=True)
class _Njw:
    """Builds spectral clusterings of Ng, Jordan and Weiss; with the widths of their affinity where they are given."""

    sigma: Any = None

    def __call__(self, X: Matrix, k: int, seed: int) -> Any:
        from .njw import NJW

        return NJW(k, seed, self.sigma)


def _landmarks(X: Matrix, k: int, seed: int) -> Any:
    from .landmarks import Landmarks

    return Landmarks(k, seed)


def _linkage(linkage: str) -> Build:
    def build(X: Matrix, k: int, seed: int) -> Any:
        from sklearn.cluster import AgglomerativeClustering

        return AgglomerativeClustering(k, linkage=linkage)

    return build


def _path(X: Matrix, k: int, seed: int) -> Any:
    from .minimax_paths import path_based

    return _Callable(path_based, (("k", k),))


def _dbscan(X: Matrix, k: int, seed: int) -> Any:
    from sklearn.cluster import DBSCAN

    from .neighborhoods import random_radius

    return DBSCAN(eps=random_radius(X, 5, seed), min_samples=5)


def _hdbscan(X: Matrix, k: int, seed: int) -> Any:
    from sklearn.cluster import HDBSCAN

    # copy: the default overwrites its input only when distances are given, and warns about it
    return HDBSCAN(min_cluster_size=max(2, X.shape[0] // (2 * k)), copy=True)


def to_root(n_objects: int) -> tuple[int, int]:
    """2 to √n: bases that follow shapes need few clusters, and cost more the more there are."""
    return min(2, n_objects), max(min(2, n_objects), math.isqrt(n_objects))


def few(n_objects: int) -> tuple[int, int]:
    """20 to 60, as Huang et al. 2020 draw them for millions of objects; less where √n is less."""
    return min(20, to_root(n_objects)[1] // 2 + 1), min(60, to_root(n_objects)[1])


BASES: dict[str, Base] = {
    base.name: base
    for base in (
        Base("kmeans", _kmeans),
        Base("minibatch", _minibatch),
        Base("medoids", _medoids),
        Base("gmm", _gmm, sparse=False, least=2),
        Base("spectral", _spectral, predicts=False, span=to_root),
        Base("njw", _Njw(), sparse=False, predicts=False, span=to_root),
        Base("landmarks", _landmarks, sparse=False, span=few),
        Base("agglomerative", _linkage("average"), sparse=False, predicts=False, least=2),
        Base("single", _linkage("single"), sparse=False, predicts=False, least=2),
        Base("average", _linkage("average"), sparse=False, predicts=False, least=2),
        Base("complete", _linkage("complete"), sparse=False, predicts=False, least=2),
        Base("ward", _linkage("ward"), sparse=False, predicts=False, least=2),
        Base("path", _path, sparse=False, predicts=False),
        Base("dbscan", _dbscan, predicts=False),
        Base("hdbscan", _hdbscan, sparse=False, predicts=False, least=2),
    )
}


def find_bases(base: Any, *, set_k: bool, sigma: Any = None) -> tuple[Base, ...]:
    """Return the bases named or given.

    `set_k` says whether scikit-learn clusterers get another number of clusters, `sigma` has the widths of "njw".
    """
    given = base if isinstance(base, Sequence) and not isinstance(base, str) else [base]
    if not given:
        raise InputError("An empty list of bases was given; expected at least one.")
    found = tuple(_find(one, set_k=set_k) for one in given)
    if sigma is None:
        return found
    if not any(isinstance(one.build, _Njw) for one in found):
        raise InputError.about("sigma", sigma, because=", which only the base 'njw' has")
    return tuple(replace(one, build=_Njw(sigma)) if isinstance(one.build, _Njw) else one for one in found)


def _find(base: Any, *, set_k: bool) -> Base:
    if isinstance(base, str):
        if base not in BASES:
            raise InputError.about(
                "base",
                base,
                f"one of {', '.join(BASES)}, a scikit-learn clusterer, a function of (X, k, seed), or a list of them",
                advice=meant(base, BASES),
            )
        return BASES[base]
    if isinstance(base, type):
        raise TypeMismatch(
            f"The class {base.__name__} was given as base; give an instance, {base.__name__}()."
        )
    if hasattr(base, "fit") and hasattr(base, "get_params"):
        return _estimator_base(base, set_k=set_k)
    if callable(base):
        return Base(base_name(base), _Callable(base), predicts=False)
    raise TypeMismatch(
        f"A {type(base).__name__} was given as base; expected a name, a scikit-learn clusterer, "
        "a function of (X, k, seed), or a list of them."
    )


def base_name(function: Any) -> str:
    """Return what a function is called that somebody gave as base."""
    return getattr(function, "__name__", type(function).__name__)


@dataclass(frozen=True)
class _Callable:
    """A function of X and, where it names them, k and seed, dressed as a model."""

    function: Callable[..., Any]
    options: tuple[tuple[str, int], ...] = ()

    def __call__(self, X: Matrix, k: int, seed: int) -> _Callable:
        return _Callable(self.function, tuple(accepted(self.function, {"k": k, "seed": seed}).items()))

    def fit_predict(self, X: Matrix) -> AnyArray:
        with named_failure(f"The base {base_name(self.function)}"):
            return np.asarray(self.function(X, **dict(self.options)))


def accepted(function: Callable[..., Any], offered: dict[str, int]) -> dict[str, int]:
    """Return what a function takes of what is offered to it by name."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):  # compiled functions may have no signature
        return offered
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return offered
    return {name: value for name, value in offered.items() if name in parameters}


def _estimator_base(estimator: Any, *, set_k: bool) -> Base:
    if not any(hasattr(estimator, name) for name in ("fit_predict", "labels_", "predict")):
        raise TypeMismatch(
            f"{type(estimator).__name__} has no fit_predict and no predict; expected a clusterer as base."
        )
    return Base(
        type(estimator).__name__,
        _Estimator(estimator, set_k=set_k),
        sparse=True,  # its own checks say what it takes
        predicts=hasattr(estimator, "predict"),
    )


class _Estimator:
    """A scikit-learn clusterer as a pattern: cloned for every partition, itself never fitted."""

    def __init__(self, estimator: Any, *, set_k: bool) -> None:
        self.estimator = estimator
        names = estimator.get_params(deep=True)
        self.seeds = [name for name in names if name.split("__")[-1] == "random_state"]
        self.sizes = [_size_parameter(estimator, names)] if set_k else []

    def __call__(self, X: Matrix, k: int, seed: int) -> Any:
        from sklearn.base import clone

        chosen = dict.fromkeys(self.seeds, seed) | {name: k for name in self.sizes if name}
        return clone(self.estimator).set_params(**chosen)


def _size_parameter(estimator: Any, names: Any) -> str:
    """Name of the parameter with the number of clusters, of the estimator or of a pipeline's last step; "" for none."""
    steps = getattr(estimator, "steps", None)
    prefix = f"{steps[-1][0]}__" if steps else ""
    return next((prefix + name for name in ("n_clusters", "n_components") if prefix + name in names), "")
