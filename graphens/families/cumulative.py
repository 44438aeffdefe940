"""Cumulative clusters: each partition's clusters join the most similar of the clusters accumulated so far."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import FloatArray, LabelArray, Seed, as_int, generator, one_of
from ..cutting.entry import AnyPartitioner, partition
from ..cutting.partitioner_registry import find_partitioner
from ..errors import DegenerateWarning, InputError, warn
from ..graphs.graph import Graph
from ..graphs.hypergraph import Hypergraph
from ..graphs.metagraph import metagraph
from ..labels.ensemble import Ensemble
from ..trees import link
from ..trees.bottleneck import bottleneck
from .contract import consensus_function
from .metaclusters import alike
from .outcome import Outcome
from .rows import Majority, Rows
from .standard_form import standard
from .vote_tables import arrange, ballots, cast_one, count_votes

#: which cumulative clusters (columns) take the members of which new clusters (rows), from their Jaccard similarities
DIRECTIONS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "clusters": lambda similar: _mark(similar.argmax(axis=1), similar.max(axis=1), similar.shape[1]),
    "rows": lambda similar: _mark(similar.argmax(axis=0), similar.max(axis=0), similar.shape[0]).T,
}


#: how the tree of cumulative clusters is made
LINKAGES = ("average", "single", "complete", "bottleneck")
_COUNTS = "counts"
_COVER = 0.8  # share of the objects that an average row may contain before a warning


@consensus_function(
    family="cumulative",
    graph="hypergraph of cumulative clusters",
    needs_k=False,
    membership="p(M_j | x_i)",
    missing="an absent object adds to no cumulative cluster",
    cost="O(nBc)",
    reference="Ayad and Kamel 2005",
    scalable=True,
)
def cumulative(
    rows: Rows,
    k: int | None = None,
    *,
    mapping: str = "clusters",
    order: str = "given",
    clustering: str = "average",
    similarity: str = "jaccard",
    partitioner: AnyPartitioner | None = None,
    retries: int = 10,
    seed: Seed = None,
) -> Outcome:
    """Accumulate the clusters of all partitions in the c clusters of the first, and merge those into k.

    Row r of Z counts how often each object was in a cluster that joined row r. Z starts as the first partition; each
    cluster of the next partition adds its members to the row with the largest Jaccard similarity |v ∩ w| / |v ∪ w|.
    Counts are treated as 0 or 1, and all clusters of a partition are compared with Z as it was before that partition.
    The rows are then merged into k meta-clusters by their Jaccard similarities, M is the mean of the merged rows, and
    object i belongs to meta-cluster j with probability p(M_j | x_i) = m_ji / Σ_l m_li. If a meta-cluster wins no
    object, the rows are merged into more meta-clusters, the smallest number of which k win objects.

    Parameters
    ----------
    k
        Number of clusters; by default, the c clusters of the first partition. If the first partition has fewer than k,
        the partitions with the most clusters come first; if none has k clusters, an error is raised.
    mapping
        ``"clusters"``: each new cluster joins its most similar row. ``"rows"``: each row takes its most similar new
        cluster, so no row is left alone, but the first partitions have more influence.
    clustering
        How rows are merged: ``"average"`` (as in the paper), ``"single"`` or ``"complete"`` linkage of the meta-graph,
        or ``"bottleneck"`` (agglomeration that loses the least mutual information of the joint distribution Z / ΣZ).
    similarity
        ``"jaccard"`` of the objects (as in the paper). ``"counts"``: Σ min / Σ max of the shares of partitions that put
        an object in a row, for new clusters and for merging; use it with many noisy partitions, where every row comes
        to contain almost every object. Only for merging: another similarity of `metagraph`, or ``"cosine"`` of the
        counts.
    partitioner
        Cuts the meta-graph in place of `clustering`: a name from `graphens.partitioners`, or a function
        ``(graph, k, *, seed)``.
    retries
        Number of other orders to try if fewer than k rows win an object, or if a row is left alone, that is, no later
        cluster joins it. Another order never starts with fewer clusters than the first partition has. The order with
        the fewest such rows is kept; ties go to the order that starts with the heaviest partition.

    Returns
    -------
    Consensus
        ``graph`` is Z as a `Hypergraph` of objects and cumulative clusters, and ``dendrogram`` is the tree of the
        cumulative clusters (its leaves are rows of Z). ``details``: "metagraph", the graph of the cumulative clusters;
        "order", the order of the partitions; "orders_tried"; "alone", the rows that no later cluster joined;
        "meta_clusters", the number of meta-clusters.

    Notes
    -----
    In the form of the paper, an object that was once in a row counts as much as one that always is. A warning says if
    rows contain most objects, so that their similarities say little.

    Equal partitions count as one partition with their total weight. A new cluster that shares no object with any row is
    ignored; objects that are never counted follow those they share clusters with. O(nBc) time, O(nc) memory.

    Examples
    --------
    >>> import graphens as ge
    >>> e = ge.Ensemble.from_partitions(
    ...     [[1, 1, 1, 2, 2, 3, 3], [2, 2, 2, 3, 3, 1, 1], [3, 3, 2, 2, 1, 1, 1]]
    ... )
    >>> r = ge.cumulative(e, 3)
    >>> r.labels.tolist(), r.membership.max(axis=1).round(2).tolist()
    ([0, 0, 0, 1, 1, 2, 2], [1.0, 1.0, 0.67, 1.0, 0.67, 1.0, 1.0])
    >>> r.graph
    Hypergraph(7 vertices, 3 hyperedges, 9 incidences)
    """
    e, rng = rows.sample, generator(seed)
    s = standard(e)
    micro, cutter = s.ensemble, None if partitioner is None else find_partitioner(partitioner)
    taken = arrange(micro, order, rng)
    k = int(micro.n_clusters[taken[0]]) if k is None else k
    # Z, objects × cumulative clusters, and which base clusters joined which of them.
    z, joined, details = _choose_order(micro, k, mapping, taken, retries, rng, counts=similarity == _COUNTS)
    names = [f"Z{r}" for r in range(z.shape[1])]
    h = Hypergraph(sparse.csr_array(z), vertex_weights=micro.object_weights, hyperedge_names=names)
    graph = alike(_compare(h, similarity))  # the group average counts cumulative clusters
    number, tree = int(rng.integers(2**31)), None
    if cutter is None:
        one_of("clustering", clustering, LINKAGES)
        tree = bottleneck(h) if clustering == "bottleneck" else link(graph, clustering)
        cut: Callable[[int], LabelArray] = tree.cut
    else:
        cut = lambda m: partition(graph, m, partitioner=cutter, seed=number).labels  # noqa: E731
    votes, merging = _inhabit(micro, z, cut, k)
    weights = np.repeat(e.weights, e.n_clusters)[:, None]
    empty = sparse.csr_array((1, len(names)))
    return s.outcome(
        *votes,
        graph=Hypergraph(  # Z over all objects
            sparse.vstack([h.incidence, empty], format="csr")[s.index],  # −1 picks the empty row
            vertex_weights=e.object_weights,
            vertex_names=e.vertex_names(),
            hyperedge_names=names,
        ),
        dendrogram=tree,
        tree_of_clusters=True,
        details={"metagraph": graph, **details, "meta_clusters": merging.shape[1]},
        k_from=f"the first partition in order, {details['order'][0]}",
        rule=lambda: Majority(s.back(e, joined @ merging) * weights),
    )


def _choose_order(
    e: Ensemble, k: int, mapping: str, order: Any, retries: int, rng: np.random.Generator, *, counts: bool
) -> tuple[FloatArray, FloatArray, dict[str, Any]]:
    """Return Z (objects × rows) of the first order that leaves no row alone, or of the best order tried.

    Also return which clusters joined which rows.
    """
    one_of("mapping", mapping, DIRECTIONS)
    limit, starts = as_int("retries", retries, 0), np.flatnonzero(e.n_clusters >= max(k, e.n_clusters[order[0]]))
    if not starts.size:
        because = f", and no partition has more than {e.n_clusters.max()} clusters, which this method merges"
        advice = "Use a smaller k, or another method."
        raise InputError.about("k", k, "at most that many", because=because, advice=advice)
    if e.n_clusters[order[0]] < k:
        order = arrange(e, "most", rng)
    # The first order is that of the user; others are tried only if it leaves a row that no later cluster joins, or that
    # wins no object.
    (z, joined, alone), used, tried = _accumulate(e, order, mapping, counts=counts), order, 1
    short = _short(z, k)
    while (short or alone.size) and tried <= limit:
        other, first = rng.permutation(e.n_partitions), rng.choice(starts)
        other = np.concatenate([[first], other[other != first]])
        (again, rejoined, lone), tried = _accumulate(e, other, mapping, counts=counts), tried + 1
        # rows enough that win, then fewer alone; where as many, rather a start that counts more
        if (_short(again, k), lone.size, -e.weights[first]) < (short, alone.size, -e.weights[used[0]]):
            z, joined, alone, used, short = again, rejoined, lone, other, _short(again, k)
    if alone.size:
        warn(
            f"{alone.size} of {z.shape[1]} cumulative clusters were not joined by any later cluster in any of the "
            f"{tried} orders of the partitions that were tried, so the result may have fewer clusters. "
            "mapping='rows' avoids this.",
            DegenerateWarning,
        )
    cover = float(np.average(z > 0, axis=0, weights=e.object_weights).mean())
    if cover > _COVER and z.shape[1] > 1 and not counts:
        warn(
            f"Each of the {z.shape[1]} cumulative clusters contains {cover:.0%} of the objects on average, because an "
            "object that was in it once counts like one that was in it often. So their similarities say little; "
            "similarity='counts' compares how often objects were in them.",
            DegenerateWarning,
        )
    return (z, joined, {"order": [e.partition_names[t] for t in used], "orders_tried": tried, "alone": alone.tolist()})


def _short(z: FloatArray, wanted: int) -> int:
    """How many more rows would have to win an object to reach the wanted number."""
    return max(0, wanted - len(np.unique(z.argmax(axis=1))))


def _accumulate(e: Ensemble, order: Any, mapping: str, *, counts: bool) -> tuple[FloatArray, FloatArray, Any]:
    """Return Z, which clusters joined which rows (K × c), and the rows that nothing joined.

    Similarities use 0 or 1 or, with `counts`, the share of the partitions so far in which an object joined a row.
    """
    from ..kernels.counting import column_sums

    # Z has a column for each cluster of the first partition and counts, for each object, the partitions that put it
    # there. `joined` remembers which cluster of which partition went where: other rows can be placed by it.
    first, width = order[0], int(e.n_clusters[order[0]])
    z = ballots(e.n_objects, width)
    joined = np.zeros((int(e.offsets[-1]), width))
    joined[e.offsets[first] : e.offsets[first + 1]] = np.eye(width)
    cast_one(e, first, np.eye(width), z)
    present_weight = e.weights[first] * (e.codes[first] != e.absent)
    alone = np.ones(width, dtype=bool)
    for t in order[1:]:
        row, size = e.codes[t], int(e.n_clusters[t])
        mass = e.object_weights / np.where(present_weight > 0, present_weight, 1.0) if counts else e.object_weights
        # |v ∩ w|, with objects counted once however often they are in w, or by the share of their partitions; the union
        # is |v| + |w| − |v ∩ w|.
        shared = column_sums(row, e.absent, size, z, not counts, mass)
        there = row != e.absent
        new = np.bincount(row[there], weights=e.object_weights[there], minlength=size)
        old = mass @ (z if counts else z > 0)
        table = DIRECTIONS[mapping](shared / (new[:, None] + old - shared))
        cast_one(e, t, table, z)
        present_weight += e.weights[t] * there
        joined[e.offsets[t] : e.offsets[t + 1]] = table
        alone &= ~(table.max(axis=0) > 0)
    return z, joined, np.flatnonzero(alone) if len(order) > 1 else np.empty(0, dtype=np.int64)


def _compare(rows: Hypergraph, similarity: str) -> Graph:
    """The meta-graph of the cumulative clusters, by their objects or by their counts."""
    if similarity not in ("cosine", _COUNTS):
        return metagraph(rows, similarity)
    if similarity == "cosine":
        counts = rows.incidence * np.sqrt(rows.vertex_weights)[:, None]
        length = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=0)).ravel())
        unit = counts / np.where(length > 0, length, 1.0)[None, :]
        alikeness = (unit.T @ unit).toarray()
    else:
        z = rows.incidence.toarray()
        share = z / np.maximum(z.sum(axis=1, keepdims=True), 1e-300)
        # Σ min of two rows of shares; Σ max is the sum of both less that.
        least = np.stack([rows.vertex_weights @ np.minimum(share, one[:, None]) for one in share.T])
        total = np.diagonal(least)
        alikeness = least / np.maximum(total[:, None] + total - least, 1e-300)
    return Graph(np.minimum(alikeness, 1.0), vertex_weights=rows.sizes(), names=rows.hyperedge_names, kind="metagraph")


def _mark(target: Any, similarity: FloatArray, width: int) -> FloatArray:
    """One 1 in every row, at its most similar column; none if it is similar to no column."""
    table = np.zeros((len(target), width))
    table[np.arange(len(target)), target] = similarity > 0
    return table


def _inhabit(
    e: Ensemble, z: FloatArray, cut: Callable[[int], LabelArray], k: int
) -> tuple[tuple[LabelArray, FloatArray], FloatArray]:
    """The winning meta-clusters for the smallest number, at least k, of which k win an object; and their rows.

    If no number works, those for k.
    """
    # Merged into k, some rows may win nobody: then more are needed so that k of them have objects.
    for m in range(k, z.shape[1] + 1):
        groups = cut(m)
        merging = np.eye(int(groups.max()) + 1)[groups] / np.bincount(groups)[groups][:, None]
        result = count_votes(e, z @ merging), merging
        if m == k:
            first = result
        if len(np.unique(result[0][0])) == k:
            return result
    return first
