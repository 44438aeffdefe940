"""Methods that need of the objects only count tables: what is counted, what is decided once, how rows are labeled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import FloatArray, LabelArray, freeze
from ..core.ensemble import Ensemble
from ..core.graph import CLUSTER, Graph
from ..cutting.cutter import Cutter
from ..cutting.registry import find_partitioner
from ..cutting.spectral import transfer_table
from ..errors import FallbackWarning, InputError, warn
from ..families.cumulative import accumulate
from ..measures.agreement import SYMMETRIC
from ..measures.contingency import Table
from ..steps.matching import choose, correspondences
from ..steps.metaclusters import alike
from ..steps.standard import standard
from ..views.bipartite import BipartiteGraph
from ..views.metagraph import counted_metagraph, metagraph
from ..views.reliability import cluster_reliability
from ..views.sides import LabelSide
from .blocks import counts_of, drawn_rows, meet_of, peaks_of, rows_of, unit_rows
from .scanning import Scan
from .totals import Tables, added, highest

SAMPLE = 1 << 16  # rows that k-means sees

#: (name of a pass, block function with its arguments after the block, merge) -> its sum over all blocks
Passes = Callable[..., Tables]


@dataclass(frozen=True, eq=False)
class Decision:
    """What was decided: by which rule and tables rows are labeled, and the K × K graph it was seen in."""

    rule: str
    tables: Tables
    graph: Graph
    vertex_labels: LabelArray | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


class SampledSide(LabelSide):
    """Some rows of the objects' side, with the W of all of them."""

    def __init__(self, e: Ensemble, values: FloatArray, whole: sparse.csr_array) -> None:
        super().__init__(e, values)
        self.whole = whole

    def meet(self) -> sparse.csr_array:
        """Return W of all rows."""
        return self.whole


class SampledGraph(BipartiteGraph):
    """The bipartite graph of some rows, cut as they lie in the graph of all."""

    whole: sparse.csr_array

    def side(self) -> SampledSide:
        """Return the objects as they see the clusters of all."""
        return SampledSide(self.ensemble, self._edge_weights(), self.whole)


def star(
    s: Scan,
    k: int,
    sums: Passes,
    seed: int,
    *,
    worth: FloatArray | None = None,
    partitioner: Any = "spectral",
    n_init: int | None = None,
    partitioner_options: Mapping[str, Any] | None = None,
) -> Decision:
    """Cut the bipartite graph by its K × K side; a sample of rows finds the centers that all rows go to."""
    if find_partitioner(partitioner).name != "spectral":
        raise InputError.about(
            "partitioner",
            partitioner,
            "'spectral'",
            because=", which needs all rows at once, and there are too many different ones",
        )
    base = np.repeat(s.weights, s.n_clusters)
    values = base if worth is None else base * worth
    total = sums("meeting_of_clusters", meet_of, (values, SAMPLE), _drawn)
    sample = s.ensemble_of(total["codes"], total["counts"])
    graph = SampledGraph(sample, cluster_weights=worth, repeated=True)
    graph._set_fields(whole=total["meet"])
    found = Cutter(partitioner, n_init, partitioner_options, seed).cut(graph, k)
    groups = found.labels[sample.n_objects :]
    parts = sparse.csgraph.connected_components(total["meet"], directed=False)[0]
    table = np.eye(found.k)[groups] if parts >= k else transfer_table(total["meet"], k)
    unit = unit_rows(LabelSide(sample, values).rows(table))
    centers = np.zeros((found.k, unit.shape[1]))
    own = found.labels[: sample.n_objects]
    np.add.at(centers, own, unit * sample.object_weights[:, None])
    centers /= np.bincount(own, weights=sample.object_weights, minlength=found.k)[:, None]
    tables = {"values": values, "table": table, "centers": centers, "k": np.array(found.k)}
    details = {"partitioner": found.partitioner} | ({} if worth is None else {"reliability": worth})
    return Decision("nearest", tables, meeting_graph(s, total["meet"]), groups, details)


def hbgf(s: Scan, k: int, sums: Passes, seed: int, *, partitioner: Any = None, **options: Any) -> Decision:
    """Cut the bipartite graph; by its spectrum, since no other partitioner can do with less than all rows."""
    if partitioner is None:
        warn(
            "hbgf takes partitioner='spectral' here: its own, 'metis', needs all rows at once, and there are too many "
            "different ones. Name it to say that this is meant.",
            FallbackWarning,
        )
    return star(s, k, sums, seed, partitioner=partitioner or "spectral", **options)


def lwgp(s: Scan, k: int, sums: Passes, seed: int, *, theta: float = 0.4, **options: Any) -> Decision:
    """Count pairs of clusters for what they are worth, then cut the bipartite graph with these weights."""
    counts = sums("pairs_of_clusters", counts_of, (), added)
    return star(s, k, sums, seed, worth=cluster_reliability(_clusters(s), theta, counts["shared"]), **options)


def mcla(
    s: Scan,
    k: int,
    sums: Passes,
    seed: int,
    *,
    similarity: str = "jaccard",
    partitioner: Any = "metis",
    n_init: int | None = None,
    partitioner_options: Mapping[str, Any] | None = None,
) -> Decision:
    """Group the clusters by the meta-graph; groups compete by the mean of their clusters' indicators."""
    graph = _metagraph(s, sums, similarity)
    return _compete(s, graph, k, Cutter(partitioner, n_init, partitioner_options, seed), mean=True)


def cbgf(
    s: Scan,
    k: int,
    sums: Passes,
    seed: int,
    *,
    partitioner: Any = "metis",
    n_init: int | None = None,
    partitioner_options: Mapping[str, Any] | None = None,
) -> Decision:
    """Group the clusters, each weighing the same; rows follow most of their clusters."""
    graph = alike(_metagraph(s, sums, "jaccard"))
    return _compete(s, graph, k, Cutter(partitioner, n_init, partitioner_options, seed), mean=False)


def vote(s: Scan, k: int, sums: Passes, seed: int, *, reference: Any = "medoid") -> Decision:
    """Match all clusters with those of a reference partition, from what they share."""
    counts = sums("pairs_of_clusters", counts_of, (), added)
    shared = sparse.csr_array(counts["shared"] + sparse.diags_array(counts["sizes"]))
    e = _clusters(s)
    t = (
        choose(e, s.n_clusters, k, reference, _nmi(s, shared))
        if isinstance(reference, str)
        else int(reference)
    )
    own = slice(int(e.offsets[t]), int(e.offsets[t + 1]))
    peak = sums("largest_rows", peaks_of, (counts["sizes"], t), highest)["peak"]
    order = np.argsort(
        -peak, kind="stable"
    )  # where votes tie, the order that `standard` gives in memory decides
    every = correspondences(np.split(shared[:, own].toarray()[:, order], e.offsets[1:-1]), s.weights, k)
    size = every[0].shape[1]
    favored = np.argsort(order).astype(np.int32) if len(order) <= size else np.full(len(order), -1, np.int32)
    table = np.concatenate([w * one for w, one in zip(s.weights, every, strict=True)])
    tables = {"table": table, "favored": favored, "reference": np.array(t), "k": np.array(size)}
    graph = counted_metagraph(counts["shared"], freeze(counts["sizes"]), e.cluster_names)
    return Decision("voted", tables, graph, details={"reference": s.partition_names[t]})


def cumulative(
    s: Scan,
    k: int,
    sums: Passes,
    seed: int,
    *,
    mapping: str = "clusters",
    order: str = "given",
    combiner: str = "average",
    retries: int = 10,
) -> Decision:
    """Let clusters join each other in a sample of rows, since unions cannot be had from counts of pairs."""
    total = sums("sample_of_rows", rows_of, (SAMPLE,), _drawn)
    e = s.ensemble_of(total["codes"], total["counts"])
    form = standard(e)
    found = accumulate(form.ensemble, k, mapping, order, combiner, retries, np.random.default_rng(seed))
    table = form.back(e, found.joined @ found.merging) * np.repeat(s.weights, s.n_clusters)[:, None]
    nobody = np.full(int(s.n_clusters[0]), -1, np.int32)
    tables = {"table": table, "favored": nobody, "reference": np.array(0), "k": np.array(table.shape[1])}
    return Decision("voted", tables, metagraph(e), details={"order": found.details["order"]})


METHODS: dict[str, Callable[..., Decision]] = {
    "lwgp": lwgp,
    "hbgf": hbgf,
    "mcla": mcla,
    "cbgf": cbgf,
    "vote": vote,
    "cumulative": cumulative,
}


# steps ---------------------------------------------------------------------------------------------------------


def _clusters(s: Scan) -> Ensemble:
    """The ensemble of no object, which knows the clusters."""
    return s.ensemble_of(np.empty((s.n_partitions, 0), dtype=np.uint8))


def _drawn(a: Tables, b: Tables) -> Tables:
    """Of all rows keep those with the smallest hashes; add W up, where it is counted."""
    codes = np.concatenate([a["codes"], b["codes"]], axis=1)
    drawn = drawn_rows(codes, np.concatenate([a["counts"], b["counts"]]), SAMPLE)
    return drawn | ({"meet": a["meet"] + b["meet"]} if "meet" in a else {})


def _metagraph(s: Scan, sums: Passes, similarity: str) -> Graph:
    counts = sums("pairs_of_clusters", counts_of, (), added)
    return counted_metagraph(
        counts["shared"], freeze(counts["sizes"]), _clusters(s).cluster_names, similarity
    )


def _compete(s: Scan, graph: Graph, k: int, cutter: Cutter, *, mean: bool) -> Decision:
    found = cutter.cut(graph, min(k, graph.n_vertices))
    weight = np.repeat(s.weights, s.n_clusters)
    if mean:
        weight = weight / np.bincount(found.labels, weights=weight)[found.labels]
    table = np.eye(found.k)[found.labels] * weight[:, None]
    tables = {"table": table, "seed": np.array(cutter.seed), "k": np.array(found.k)}
    return Decision("strongest", tables, graph, found.labels, found.details())


def meeting_graph(s: Scan, meet: sparse.csr_array) -> Graph:
    """W as a graph of the clusters."""
    return Graph(
        meet - sparse.diags_array(meet.diagonal()),
        vertex_weights=meet.diagonal(),
        roles=np.full(meet.shape[0], CLUSTER, dtype=np.uint8),
        names=_clusters(s).cluster_names,
        kind="clusters that meet",
    )


def _nmi(s: Scan, shared: sparse.csr_array) -> FloatArray:
    """NMI of all pairs of partitions from what their clusters share."""
    cells = shared.tocoo()
    owner = np.repeat(np.arange(s.n_partitions), s.n_clusters)
    pair = owner[cells.row] * s.n_partitions + owner[cells.col]
    table = Table(pair, cells.row, cells.col, cells.data, s.n_partitions**2)
    return np.asarray(SYMMETRIC["nmi"](table).reshape(s.n_partitions, s.n_partitions))
