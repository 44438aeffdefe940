"""`generate`: from data to an ensemble."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import Seed, as_int
from .._lib.features import count_distinct
from .._lib.progress import Progress
from ..errors import DegenerateWarning, InputError, TypeMismatch, warn
from ..graphs.graph import Graph
from ..labels.ensemble import Ensemble
from .adaptive import ADAPTIVE
from .bases import Base, find_bases, warn_unsized
from .checkpoint import describe_argument, fingerprint
from .components import mixture_components
from .distances import Metric, distance_bases, read_distances
from .features import Matrix, Views, read_views
from .network_runs import as_view, is_network, network_bases, refuse_features
from .recipe import Recipe, check_assign, check_sparse, default_k, entropy, k_choices
from .representations import Representation
from .samplings import SAMPLINGS, Sampling, as_share
from .separation import separation
from .work import produce

_WORKERS = 10_000  # more are a typing error


def generate(
    X: Any,
    n_partitions: int = 50,
    *,
    k: Any = None,
    base: Any = None,
    sampling: str | None = None,
    share: float | None = None,
    assign: bool = False,
    representations: Sequence[Representation] | None = None,
    metric: Metric | None = None,
    sigma: float | Sequence[float] | None = None,
    resolution: Any = 1.0,
    symmetrize: bool = False,
    weight: str | None = "weight",
    seed: Seed = None,
    n_jobs: int | None = None,
    progress: Progress = False,
    checkpoint: str | Path | None = None,
) -> Ensemble:
    """Cluster the same objects many times, each time a little differently.

    Parameters
    ----------
    X
        Features with objects in rows: an array, a frame or a sparse matrix; or a list or mapping of several such views
        of the same objects, which are used in turn. Or a network (a networkx or igraph graph, or a `Graph`), whose
        vertices are the objects and keep their names. Its weights must be finite and not negative; the weights of
        parallel edges are added, self-loops are dropped with a warning, and each isolated vertex is its own community.
        With `metric`, X can also be distances, a kernel, or objects of any kind.
    n_partitions
        Number of partitions.
    k
        Number of clusters in every partition: a number, an interval ``(low, high)`` from which each partition draws its
        own, a list of three or more numbers to draw from, or ``"mixture"``: from the number of Gaussian components of
        the data (`generators.mixture_components`), a lower bound, to twice that number or to the end of the default
        interval. The default is √n/2 to 3√n/2 (at most 50 to 150), see `default_k`; for "spectral" and "njw" it is 2 to
        √n, and for "landmarks" 20 to 60 (up to √n if that is less). A scikit-learn clusterer gets its number of
        clusters from here, too, unless its own is None.
    base
        Clustering algorithm: "kmeans" (the default: random start, one run), "minibatch", "medoids", "gmm", "spectral"
        (graph of ten nearest neighbors, up to several thousand objects), "njw" (spectral clustering of Ng, Jordan and
        Weiss, up to about two thousand), "landmarks" (spectral clustering through at most 1,000 representatives, for
        clusters of any shape in millions of objects), "pieces" (k-means, with every cluster split into the pieces that
        nearest neighbors connect, so that none reaches across a gap), "agglomerative" or "average", "single",
        "complete", "ward", "path", "dbscan", "hdbscan"; a scikit-learn clusterer (which is cloned, not changed); a
        function ``(X, k, seed) -> labels`` (k and seed may be left out of its signature); or a list of these, which are
        used in turn. Label −1 (noise) is missing in the ensemble. For a network: "leiden" (the default), "louvain",
        "louvain-1" (its first level), "label-propagation", "infomap", "walktrap", "fast-greedy", a partitioner that
        finds k, by name or as a function ``(graph, k, *, seed) -> labels`` that gets k = None, or a list.
    sampling
        The data that each partition uses: None (everything), "bootstrap" (objects drawn with replacement), "subsample"
        (80 % of the objects), "features" (half of the features), "projection" (onto half as many random directions),
        "cuts" (onto one random direction), "hyperplanes" (the cells between random hyperplanes, without a base),
        "boosting" or "consistency" (sequential: each partition depends on the previous ones).
    share
        Share of the objects, features or directions, instead of the default of the sampling.
    assign
        Whether the fitted model labels the objects that a bootstrap or a subsample left out; otherwise their labels are
        missing.
    representations
        Several representations of X, which are used in turn: names ("pcf", "dcf", "pls", "pdwt" for time series, n × T
        or n × T × channels; "raw", "standard", "cosine", "correlation"), functions of X, or scikit-learn transformers.
    metric
        For objects that are not vectors: ``"precomputed"`` if X is an n × n matrix of distances, ``"kernel"`` if it is
        a matrix of similarities, or a function of two objects if X is a list of objects, such as texts. The bases are
        then "medoids" (the default), "average", "single", "complete", "spectral", "njw", "path", or a function
        ``(distances, k, seed) -> labels``; the samplings are None, "bootstrap" and "subsample".
    sigma
        For "njw": the width of the Gaussian affinity, or several widths, of which the one with the smallest distortion
        is kept; by default, twelve widths from the distance of neighbors to that of all objects.
    resolution
        For a network: a number, or an interval ``(low, high)`` from which each run draws its own; larger values give
        more and smaller communities (Leiden and Louvain).
    symmetrize
        For a directed network: whether to add the weights of both directions; otherwise a directed network is an error.
    weight
        For a network: the edge attribute that holds the weights; with None, all edges count the same.
    seed
        A number or a Generator. The same seed gives the same ensemble for every `n_jobs`, interrupted or not.
    n_jobs
        Number of partitions made at the same time with joblib (−1: one per core). Each uses one core.
    progress
        True for a line of progress in a terminal or notebook, or a function that is called with (done, total); see also
        `graphens.progress`.
    checkpoint
        File in which finished partitions are saved; the same call resumes from it. A call with other arguments or
        another X is an error.

    Returns
    -------
    Ensemble
        Partition t does not depend on the others, except with sequential samplings; boosting sets the weights of the
        partitions.

    Raises
    ------
    Interrupted
        On Ctrl-C: a KeyboardInterrupt whose `ensemble` has the partitions done so far.

    Notes
    -----
    Fred and Jain 2005 recommend many small clusters and k drawn from a wide interval; Ayad and Kamel 2005 and Dudoit
    and Fridlyand 2003 bootstrap; Topchy, Jain and Punch 2005 use weak clusterings ("cuts", "hyperplanes"). The cost is
    B times that of the base; memory is needed for the ensemble (one byte per label for up to 255 clusters) and one
    model per worker.

    Examples
    --------
    >>> import numpy as np
    >>> import graphens as ge
    >>> X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat(
    ...     [[0], [9]], 30, axis=0
    ... )
    >>> e = ge.generate(X, 10, k=(4, 8), seed=0)
    >>> e.n_objects, e.n_partitions, int(e.n_clusters.min()) >= 2
    (60, 10, True)
    >>> ge.eac(e, 2).sizes().tolist()
    [30, 30]
    """
    if base is None:
        base = "leiden" if is_network(X) else "kmeans" if metric is None else "medoids"
    of_features = {"k": k, "sampling": sampling, "share": share, "assign": assign, "representations": representations}
    of_features |= {"metric": metric, "sigma": sigma}
    how: dict[str, Any] = {"n_jobs": n_jobs, "progress": progress, "checkpoint": checkpoint}
    if is_network(X):
        refuse_features(**of_features)
        graph = Graph.of(X, weight=weight, symmetrize=symmetrize)
        return run_network(graph, n_partitions, base=base, resolution=resolution, seed=seed, **how)
    given_k = k
    if metric is not None:
        if representations is not None or (isinstance(k, str) and k == "mixture"):
            raise InputError("representations and k='mixture' need features; leave them out with a metric.")
        bases = distance_bases(base, sampling, sigma)
        views = read_distances(X, metric)
    else:
        views = read_views(X, representations)
        bases = find_bases(base, sigma=sigma)
        warn_unsized(bases, "k", k)
        k = mixture_interval(views.matrices[0], seed) if isinstance(k, str) and k == "mixture" else k
    requested = "" if given_k is None or isinstance(given_k, str) else "k"
    options: dict[str, Any] = {"sampling": sampling, "share": share, "assign": assign}
    recipe = make_recipe(views, n_partitions, k, bases, seed, n_jobs=n_jobs, requested=requested, **options)
    shelf = produce(recipe, views, partial(_arguments, recipe, views, seed, of_features | {"base": base}), **how)
    featured = metric is None and len(views.matrices) == 1
    return shelf.ensemble()._replace(_separation=separation(views.matrices[0]) if featured else None)


def run_network(
    graph: Graph, n_partitions: int, *, base: Any, resolution: Any, seed: Seed, n_jobs: int | None, **how: Any
) -> Ensemble:
    """Find communities of a graph many times; the other options are those of `produce`."""
    views, bases = as_view(graph), network_bases(base, resolution)
    recipe = make_recipe(views, n_partitions, None, bases, seed, n_jobs=n_jobs)
    arguments = partial(_arguments, recipe, views, seed, {"base": base, "resolution": resolution})
    return produce(recipe, views, arguments, n_jobs=n_jobs, **how).ensemble()


def _arguments(recipe: Recipe, views: Views, seed: Seed, given: dict[str, Any]) -> dict[str, Any]:
    """Describe a call for a checkpoint; another version of scikit-learn may round differently."""
    import sklearn

    plain = seed is None or not hasattr(seed, "bit_generator")
    return {name: describe_argument(value) for name, value in given.items()} | {
        "n_partitions": recipe.n_partitions,
        "seed": describe_argument(seed) if plain else str(recipe.entropy),
        "X": fingerprint(views.matrices),
        "scikit-learn": str(sklearn.__version__),
    }


def mixture_interval(X: Matrix, seed: Seed) -> tuple[int, int]:
    """From the number of Gaussian components to twice that number, or to the end of the default interval."""
    plain = seed if seed is None or not hasattr(seed, "bit_generator") else 0  # a generator is not used up here
    least = max(mixture_components(X, seed=plain), 2)
    n = X.shape[0]
    return min(least, n), min(max(2 * least, default_k(n)[1]), n)


def make_recipe(
    views: Views,
    n_partitions: int,
    k: Any,
    bases: tuple[Base, ...],
    seed: Seed,
    *,
    sampling: str | None = None,
    share: float | None = None,
    assign: bool = False,
    n_jobs: int | None = None,
    requested: str = "",
) -> Recipe:
    """Check every argument before any work, and return the recipe; `requested` is the name of k, if it was given."""
    if sampling is not None and not isinstance(sampling, str):
        raise TypeMismatch.about("sampling", sampling, "a name or None")
    samplings: dict[Any, Sampling] = {**SAMPLINGS, **ADAPTIVE}
    if sampling not in samplings:
        raise InputError.about("sampling", sampling, f"None or one of {', '.join(n for n in samplings if n)}")
    chosen = samplings[sampling]
    if n_jobs is not None and as_int("n_jobs", n_jobs, -_WORKERS, _WORKERS) == 0:
        raise InputError("n_jobs = 0 was given; expected a number of workers, −1 for one per core, or None.")
    choices = k_choices(k, views.n_objects, bases)
    recipe = Recipe(
        bases=bases,
        sampling=chosen,
        choices=np.minimum(choices, distinguishable(views, int(choices.max()), requested)),
        share=as_share(share, chosen),
        assign=bool(assign),
        entropy=entropy(seed),
        n_partitions=as_int("n_partitions", n_partitions, 1),
        n_views=len(views.matrices),
    )
    check_assign(recipe)
    check_sparse(recipe, views.matrices)
    return recipe


def distinguishable(views: Views, k: int, requested: str = "") -> int:
    """Return k or, if it is smaller, the number of distinct rows of features; warn if that is less than requested."""
    matrices = [m for m in views.matrices if isinstance(m, np.ndarray) or sparse.issparse(m)]
    most = max((count_distinct(m, k) for m in matrices), default=k)
    if requested and most < k:
        warn(
            f"{requested} = {k} was given, but X has only {most} distinct row{'s' * (most > 1)}. Equal rows are in the "
            f"same cluster, so there are at most {most}.",
            DegenerateWarning,
        )
    return most
