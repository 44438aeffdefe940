"""METIS, a C library that does not check its input; everything passed to it is made and checked here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import AnyArray, FloatArray, LabelArray, one_of
from .._lib.memory import require
from ..errors import DegenerateWarning, FallbackWarning, InputError, collect_warnings, warn
from ..graphs.graph import CLUSTER, Graph
from .mending import average_part, counted, exactly, n_parts, pack
from .tiny import TinySearch, as_tiny

#: sums of integer weights stay below these; METIS multiplies some of them
_LIMIT = {8: 2**40, 4: 2**28}
_SCALE = 1e4  # integers per mean weight: finer ones change nothing but the noise
_SCHEMES = ("auto", "kway", "recursive")


def metis(
    graph: Graph,
    k: int,
    *,
    seed: int = 0,
    scheme: str = "auto",
    part_weights: ArrayLike | None = None,
    imbalance: float | None = None,
) -> LabelArray:
    """Cut a graph into k parts of about equal vertex weight with few cut edges.

    Parameters
    ----------
    graph
        Any graph; the clusters of a bipartite graph have weight 0.
    k
        Number of parts.
    seed
        Seed of METIS.
    scheme
        ``"kway"``, ``"recursive"`` (bisection), or ``"auto"``, which is what worked best: recursive on bipartite
        graphs, k-way on graphs of clusters, and recursive up to k = 8 on graphs of objects. Graphs with fewer than 10 k
        vertices are always bisected, because the k-way scheme leaves parts empty there.
    part_weights
        Target share of each part, k positive numbers; equal by default, and if there are fewer than 4 k vertices.
    imbalance
        How much heavier than its target a part may be, 0.03 for 3 %, up to 1; by default that of METIS (3 % for k-way,
        0.1 % for recursive).

    Notes
    -----
    Edge weights become whole numbers of at least 1, with a mean of about 10⁴. O(E) time and about 100 bytes per edge.
    If pymetis is not installed, the spectral partitioner is used instead, with a warning.

    References
    ----------
    Karypis and Kumar, A fast and high quality multilevel scheme for partitioning irregular graphs, 1998.
    """
    return prepare_metis(graph, k, scheme=scheme, part_weights=part_weights, imbalance=imbalance)(seed)


def prepare_metis(
    graph: Graph, k: int, *, scheme: str = "auto", part_weights: ArrayLike | None = None, imbalance: float | None = None
) -> Callable[[int], LabelArray]:
    """Check and convert everything once; return the run as a function of the seed. Parameters as for `metis`.

    On tiny graphs, the smallest cut that is at least as balanced as that of METIS is found by trying all cuts. If there
    are too many, the results of METIS and other starts are improved by moves and swaps.
    """
    # METIS coarsens graphs until about a hundred vertices are left. Below that nothing is left to coarsen, results vary
    # with the seed, and trying everything is cheap. METIS still says how uneven parts may be, so that the search does
    # not win by imbalance.
    run = metis_runs(graph, k, scheme=scheme, part_weights=part_weights, imbalance=imbalance)
    tiny = as_tiny(graph, k, imbalance or 0.0) if part_weights is None and graph.adjacency.nnz else None
    return run if tiny is None else TinySearch(tiny, k, run, lambda: _starts(graph, k))


def _starts(graph: Graph, k: int) -> list[LabelArray]:
    """Other starts on a tiny graph: its normalized cut, and its components."""
    from .dendrograms import components
    from .spectral import spectral

    with collect_warnings():  # warnings about these starts do not concern users of METIS
        return [exactly(graph, labels, k) for labels in (spectral(graph, k, seed=0), components(graph, k))]


def metis_runs(
    graph: Graph, k: int, *, scheme: str = "auto", part_weights: ArrayLike | None = None, imbalance: float | None = None
) -> Callable[[int], LabelArray]:
    """Return METIS itself as a function of the seed, after everything was checked and converted."""
    one_of("scheme", scheme, _SCHEMES)
    inside = counted(graph)
    n = int(np.count_nonzero(inside))
    targets, factor = _targets(part_weights, k, n), _factor(imbalance, few=n < 10 * k)
    if not graph.adjacency.nnz:  # only balance matters
        labels = np.zeros(graph.n_vertices, dtype=np.int32)
        labels[inside] = pack(graph.vertex_weights[inside], k)
        return lambda seed: labels
    try:
        import pymetis  # noqa: F401
    except ImportError:
        return lambda seed: _stand_in(graph, k, seed)
    arrays = _arrays(graph, k, inside)
    clusters = int(np.count_nonzero(graph.roles == CLUSTER))
    best = k <= 8 if clusters == 0 else clusters < graph.n_vertices  # what worked best, see `metis`
    recursive = n < 10 * k or (best if scheme == "auto" else scheme == "recursive")

    def run(seed: int) -> LabelArray:
        # Empty parts happen where one vertex outweighs a part. Bisection rarely leaves any, equal weights even more
        # rarely; what is left after both is filled by hand, with a warning.
        labels = _call(arrays, k, seed, targets, factor, recursive=recursive)
        if n_parts(labels, inside) < k:
            labels = _call(arrays, k, seed + 1, targets, factor, recursive=True)
        if n_parts(labels, inside) < k:  # vertices of equal weight fill every part
            alike = {**arrays, "vweights": inside.astype(arrays["vweights"].dtype)}
            labels = _call(alike, k, seed, None, None, recursive=True)
        if n_parts(labels, inside) == k:
            return labels
        empty = k - n_parts(labels, inside)
        warn(
            f"METIS left {empty} of {k} parts empty on a graph of {n} vertices (too few for k, or one vertex outweighs "
            "a whole part); they were filled with loosely attached vertices.",
            DegenerateWarning,
        )
        return exactly(graph, labels, k)

    return run


def _targets(part_weights: ArrayLike | None, k: int, n: int) -> list[float] | None:
    """Target shares that sum to one, as METIS expects them; none is below about three vertices."""
    if part_weights is None:
        return None
    try:
        numbers = np.array(part_weights, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.shape != (k,) or not (np.isfinite(numbers).all() and (numbers > 0).all()):
        raise InputError.about("part_weights", part_weights, f"{k} positive numbers, one for each part")
    if n < 4 * k:
        return None
    share = numbers / numbers.max()
    share = np.maximum(share / share.sum(), 3.0 / n)
    share = share / share.sum()
    share[-1] = 1.0 - share[:-1].sum()
    return [float(x) for x in share]


def _factor(imbalance: float | None, *, few: bool) -> int | None:
    """The imbalance in thousandths, at most 10 % with few vertices per part, where more would leave parts empty."""
    if imbalance is None:
        return None
    if not (isinstance(imbalance, (int, float, np.number)) and 0 < float(imbalance) <= 1):
        raise InputError.about("imbalance", imbalance, "a number above 0 and up to 1, such as 0.03")
    return min(max(1, round(1000 * float(imbalance))), 100 if few else 1000)


def _stand_in(graph: Graph, k: int, seed: int) -> LabelArray:
    from .spectral import spectral

    warn(
        "pymetis is not installed (there is no wheel for this system), so the spectral partitioner is used instead. "
        "Its parts may differ in weight.",
        FallbackWarning,
    )
    return spectral(graph, k, seed=seed)


def _arrays(graph: Graph, k: int, inside: AnyArray) -> dict[str, Any]:
    """The graph as contiguous arrays of METIS integers: sorted, symmetric, without loops, weights within bounds."""
    import pymetis

    a = graph.adjacency  # every Graph promises symmetric, sorted, positive, no diagonal
    wide = pymetis.zero_copy_dtype()
    require(
        90.0 * a.nnz / 2 + 100.0 * graph.n_vertices,
        f"Partitioning {graph.n_edges} edges with METIS",
        "Use a sparser graph (threshold or neighbors), or the spectral partitioner",
    )
    limit = _LIMIT[wide.itemsize]
    if max(a.nnz, graph.n_vertices) >= limit:
        raise InputError(
            f"A graph of {graph.n_vertices} vertices and {graph.n_edges} edges is too large for this METIS."
        )
    level = bool((a.data == a.data[0]).all())  # equal weights need not be passed
    return {
        "adjacency": pymetis.CSRAdjacency(a.indptr.astype(wide), a.indices.astype(wide)),
        "eweights": None if level else whole_weights(a.data, limit, 1).astype(wide),
        "vweights": _vertex_weights(graph, k, inside, limit).astype(wide),
    }


def _vertex_weights(graph: Graph, k: int, inside: AnyArray, limit: int) -> AnyArray:
    """Whole vertex weights that let every part have a vertex.

    With few vertices per part, none weighs more than twice another, and a vertex heavier than a part counts as a whole
    part. Otherwise METIS leaves parts empty, and tries to bisect graphs without vertices.
    """
    n = int(np.count_nonzero(inside))
    weights = np.where(inside, graph.vertex_weights, 0.0)
    if n < 3 * k or np.count_nonzero(weights) < 3 * k:
        return np.where(inside, np.rint(100 + 100 * weights / max(weights.max(), 1e-300)), 0).astype(np.int64)
    weights = np.minimum(weights, average_part(weights[inside], k))
    return np.maximum(whole_weights(weights, limit, 0), (weights > 0).astype(np.int64))


def whole_weights(weights: FloatArray, limit: int, lowest: int) -> AnyArray:
    """Round weights to whole numbers with a sum below the limit; weights that are whole and small enough stay."""
    largest = float(weights.max(initial=0.0))
    if largest <= 0:
        return np.full(len(weights), lowest, dtype=np.int64)
    if largest < limit and float(weights.sum()) < limit // 2 and (weights == np.rint(weights)).all():
        return np.maximum(weights.astype(np.int64), lowest)
    # A mean of 10⁴ keeps four digits of a weight, which is all that moves a cut; sums must fit into 32 or 64 bits.
    share = weights / largest  # first, so that no sum can overflow
    scale = min(_SCALE / share.mean(), (limit // 2 - len(weights)) / share.sum())
    return np.maximum(np.rint(share * max(scale, 1.0)).astype(np.int64), lowest)


def _call(
    arrays: dict[str, Any], k: int, seed: int, targets: Sequence[float] | None, factor: int | None, *, recursive: bool
) -> LabelArray:
    """One run of METIS, which treats seeds 0 and 1 alike and accepts only Python integers."""
    import pymetis

    chosen = {"seed": 2 + int(seed) % (2**31 - 4)} | ({} if factor is None else {"ufactor": factor})
    options = pymetis.Options(**chosen)
    answer = pymetis.part_graph(int(k), tpwgts=targets, recursive=recursive, options=options, **arrays)
    labels = np.array(answer.vertex_part, dtype=np.int32)
    return np.clip(labels, 0, k - 1)
