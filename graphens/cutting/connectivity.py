"""Hypergraph partitioners: METIS refined for connectivity, and Mt-KaHyPar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import LabelArray, one_of
from ..errors import InputError, MissingDependency
from ..graphs.bipartite import bipartite
from ..graphs.hypergraph import Hypergraph
from .mending import exactly, exactly_on, pack
from .metis import metis_runs, whole_weights

_PRESETS = ("default", "deterministic", "quality", "deterministic_quality", "highest_quality", "large_k")


def metis_km1(
    h: Hypergraph,
    k: int,
    *,
    seed: int = 0,
    scheme: str = "auto",
    part_weights: ArrayLike | None = None,
    imbalance: float = 0.03,
) -> LabelArray:
    """Cut the star expansion with METIS, then move single vertices so that fewer parts touch each hyperedge.

    Parameters
    ----------
    h
        Any hypergraph.
    k, seed, scheme, part_weights
        As for `metis`.
    imbalance
        How much heavier than its target a part may be.

    Notes
    -----
    The moves lower Σ_e w_e Σ_j φ_s(share of e in part j) with φ_s(x) = 1 − exp(−x/s), first for a large s, for which
    each object that leaves a part lowers the sum, then for smaller ones down to the connectivity itself.
    O(nnz · k) per pass.
    """
    return prepare_km1(h, k, scheme=scheme, part_weights=part_weights, imbalance=imbalance)(seed)


def prepare_km1(
    h: Hypergraph, k: int, *, scheme: str = "auto", part_weights: ArrayLike | None = None, imbalance: float = 0.03
) -> Callable[[int], LabelArray]:
    """Convert the hypergraph once; return the run as a function of the seed. Parameters as for `metis_km1`."""
    star = bipartite(h)
    cut = metis_runs(star, k, scheme=scheme, part_weights=part_weights, imbalance=imbalance)

    def run(seed: int) -> LabelArray:
        start = exactly(star, cut(seed), k)[: h.n_vertices]
        return refine_km1(h, start, k, seed=seed, part_weights=part_weights, imbalance=imbalance)

    return run


def refine_km1(
    h: Hypergraph,
    labels: LabelArray,
    k: int,
    *,
    seed: int = 0,
    part_weights: ArrayLike | None = None,
    imbalance: float = 0.03,
) -> LabelArray:
    """Lower the connectivity of a labeling by moving single vertices within the balance; never raise it."""
    from ..kernels.refine import anneal

    share = np.full(k, 1.0 / k) if part_weights is None else np.asarray(part_weights, dtype=float)
    mass = h.vertex_weights / h.vertex_weights.max()
    limit = share / share.sum() * mass.sum() * (1 + imbalance)
    # Parts that METIS made heavier than the limit may stay as they are, but not grow.
    limit = np.maximum(limit, np.bincount(labels, weights=mass, minlength=k))
    order = np.random.default_rng(seed).permutation(h.n_vertices)
    pins, weight = h.incidence, h.hyperedge_weights
    parts = labels.astype(np.int64)
    return anneal(pins.indptr, pins.indices, h.n_hyperedges, weight, mass, limit, parts, order, k).astype(np.int32)


def mtkahypar(
    h: Hypergraph, k: int, *, seed: int = 0, preset: str = "deterministic", imbalance: float = 0.03
) -> LabelArray:
    """Cut a hypergraph with Mt-KaHyPar for the connectivity objective.

    Parameters
    ----------
    h
        Any hypergraph.
    k, seed
        Number of parts, and the seed. Deterministic presets have no seed, so the seed also shuffles the vertices.
    preset
        ``"deterministic"``, ``"deterministic_quality"``, ``"default"``, ``"quality"``, ``"highest_quality"`` or
        ``"large_k"``. Only the deterministic ones always repeat a result; one thread is used.
    imbalance
        How much heavier than the mean a part may be.

    References
    ----------
    Gottesbüren, Heuer, Maas, Sanders and Schlag, Scalable high-quality hypergraph partitioning, 2024.
    """
    one_of("preset", preset, _PRESETS)
    if not 0 < imbalance <= 1:
        raise InputError.about("imbalance", imbalance, "a number above 0 and up to 1")
    # A deterministic preset always answers the same; another order of the vertices is what a seed can change.
    shuffle = np.random.default_rng(seed).permutation(h.n_vertices)
    columns = h.incidence.tocsc()
    cut = np.flatnonzero((np.diff(columns.indptr) > 1) & (h.hyperedge_weights > 0))  # what can be cut and counts
    starts, net_weights = columns.indptr, h.hyperedge_weights[cut]
    nets = [shuffle[columns.indices[starts[j] : starts[j + 1]]].tolist() for j in cut]
    if not nets:
        return pack(h.vertex_weights, k)
    module, start = _library()
    context = start.context_from_preset(getattr(module.PresetType, preset.upper()))
    context.set_partitioning_parameters(int(k), float(imbalance), module.Objective.KM1)
    context.logging = False
    module.set_seed(int(seed) % (2**31 - 1))
    # Whole weights whose sums fit into the 32 bits of Mt-KaHyPar.
    masses, costs = (whole_weights(w, 2**29, 1).tolist() for w in (h.vertex_weights[np.argsort(shuffle)], net_weights))
    converted = start.create_hypergraph(context, h.n_vertices, len(nets), nets, masses, costs)
    labels = np.array(converted.partition(context).get_partition(), dtype=np.int32)[shuffle]
    return exactly_on(h, labels, k) if len(np.unique(labels)) < k else labels


_started: list[Any] = []


def _library() -> tuple[Any, Any]:
    """Mt-KaHyPar, with its threads initialized once."""
    try:
        import mtkahypar as module
    except ImportError as error:
        raise MissingDependency(
            "The partitioner 'mtkahypar' needs the package mtkahypar, which is not installed; "
            "pip install 'graphens[hypergraph]', or use 'metis-km1', which is always available."
        ) from error
    if not _started:
        _started.append(module.initialize(1, print_warnings=False))
    return module, _started[0]
