"""Compile every kernel in advance: for container images, continuous integration and classrooms."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ._work import progress, tell
from .choose.distribution import linked
from .choose.resampling import monti
from .core.ensemble import Ensemble
from .cutting.spectral import ObjectWalk
from .errors import FileError, GraphensError, GraphensWarning, InputError, unheard
from .explore.thresholds import levels_of
from .families import aggregate, eac, median, methods
from .front import consensus
from .kernels import _store
from .kernels._jit import compiling_at_once
from .linkage import link
from .measures import pairwise
from .networks import communities
from .views import coassociation, metagraph
from .views.incidence import LabelSide, mean_opinions, pair_table
from .views.metagraph import strongest_metagraph
from .views.near_pairs import NearPairs

__all__ = ["warm"]

_LIST = "complete"  # the file that names all others of a folder


def warm(*, check: bool = False) -> Path:
    """Compile everything in advance that the first calls with large inputs would otherwise compile.

    This takes one to two minutes of processor time for each version of graphens and numba and each kind of processor; a
    second call finds everything compiled. The compiled code is stored in ``NUMBA_CACHE_DIR`` if that is set; otherwise
    next to the package, where every user of the installation finds it, or in the user's cache folder if the package
    folder is read-only.

    Parameters
    ----------
    check
        Compile nothing, and raise a `FileError` if something is missing.

    Returns
    -------
    pathlib.Path
        The folder with the compiled code.

    Examples
    --------
    >>> import graphens as ge
    >>> folder = ge.warm()  # doctest: +SKIP
    >>> ge.warm(check=True) == folder  # doctest: +SKIP
    True
    """
    from .kernels._cache import folder

    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        raise InputError("NUMBA_DISABLE_JIT is set, so nothing can be compiled. Unset it first.")
    said = _missing(folder())
    if not said:
        return next(place / folder() for place in _store.places() if (place / folder() / _LIST).exists())
    if check:
        raise FileError(f"{said} Run graphens warm, or call graphens.warm().")
    target = _store.common_place()
    if target is None:
        tried = " and ".join(map(str, _store.places()))
        raise FileError(f"No folder for compiled code can be written to; tried {tried}. Set NUMBA_CACHE_DIR.")
    with _store.all_in(target), compiling_at_once(), unheard(GraphensWarning):
        tasks = list(_tasks())
        for done, (what, task) in enumerate(tasks):
            tell(f"compiling for {what}", done / len(tasks))
            with progress(lambda *_: None), suppress(GraphensError):  # a method may refuse so many clusters
                task()
        tell("compiling", 1.0)
        _store.write(folder(), _LIST, "\n".join(_store.names(folder())).encode())
    return target / folder()


def _missing(folder: str) -> str:
    """Say what is missing or damaged; nothing if all is there."""
    listed = _store.read(folder, _LIST)
    if listed is None:
        return "Not everything is compiled for this version and processor."
    names = listed.decode().split("\n")
    gone = sum(_store.read(folder, name) is None for name in names)
    return f"{gone} of {len(names)} compiled functions are missing or damaged." if gone else ""


def _tasks() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Small calls that together use every kernel with all types of arguments that occur."""
    import networkx as nx

    rng = np.random.default_rng(5)
    labels = rng.integers(0, 4, (40, 7))
    gaps = np.where(rng.random((33, 6)) < 0.15, -1, rng.integers(0, 4, (33, 6)))
    many = np.column_stack([labels[np.arange(300) % 40], np.arange(300)])  # more clusters than a byte counts
    ensembles = {
        "complete labels": Ensemble(labels),
        "missing labels": Ensemble(gaps),
        "weights": Ensemble(gaps, weights=rng.random(6) + 0.1, object_weights=rng.random(33) + 0.1),
        "many clusters": Ensemble(many),
    }
    for kind, e in ensembles.items():
        X = rng.normal(size=(e.n_objects, 2))
        for row in methods():
            options: dict[str, Any] = {"X": X} if row.name == "wce" else {}
            yield f"{row.name}, {kind}", partial(consensus, e, 3, method=row.name, seed=0, **options)
        yield f"graphs and measures, {kind}", partial(_use, e, X)
    yield "networks", partial(communities, nx.karate_club_graph(), n_partitions=5, seed=0)


def _use(e: Ensemble, X: np.ndarray) -> None:
    """Call everything besides the methods: confidence, measures, graphs, dendrograms, rules for k."""
    for answer in (consensus(e, seed=0), consensus(e, 3, seed=0)):
        str((answer.confidence, answer.membership, answer.score, answer.explain(0)))
    pairwise(e, "nmi")
    for own in (e.codes[-1], (np.arange(e.n_objects) % 4).astype(np.uint8)):  # as where objects are many
        pair_table(e, e.codes[0], own, int(e.n_clusters[0]), int(own.max()) + 1)
    mean_opinions(e, np.arange(e.n_partitions), e.weights)
    graph, meta, parts = coassociation(e), metagraph(e), np.arange(e.n_objects) % 4
    str((graph.contract(parts), graph.cut(parts), graph.degree(), graph.to_scipy(), graph.neighbors(3)))
    meta.cut(np.arange(meta.n_vertices) % 2)
    strongest_metagraph(e)
    levels_of(graph)
    near = NearPairs.of(coassociation(np.repeat(e.labels[:, :1], 60, axis=1))._evidence, 0.95)
    if near is not None:
        near.matrix()
    for kind in ("single", "average", "complete"):
        link(graph, kind)
    ObjectWalk(LabelSide(e, np.ones(int(e.offsets[-1])))).table(3)
    linked(e, 3000)
    linked(e._replace(object_weights=np.full(e.n_objects, 2.0)), 3000)
    monti(X, [2, 3], n_partitions=5, seed=0)
    aggregate(e, algorithm="balls")
    median(e, loss="nid", n_init=2, seed=0)
    eac(e, neighbors=np.arange(3 * e.n_objects).reshape(-1, 3) % e.n_objects)
