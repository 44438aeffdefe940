"""The content of a page about a consensus, a graph or a tree, computed here and drawn by the script of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray, as_parts, canonical, of_kind
from .._lib.frames import as_frame
from ..errors import InputError, TypeMismatch, collect_warnings
from ..graphs.affinity import Affinity, affinity_of
from ..graphs.coassociation import CoassociationGraph, as_network, coassociation
from ..graphs.counts import unweighted
from ..graphs.graph import CLUSTER, Graph
from ..labels.ensemble import Ensemble
from ..labels.names import align
from ..plot.colors import color, inherited
from ..plot.display import amount, plural
from ..plot.heatmap import blocks, cut_blocks
from ..plot.layouts import (
    LAID_OUT,
    discs,
    inside,
    place_objects,
    push_apart,
    relax,
    toward_rivals,
    two_features,
    unit_square,
)
from ..plot.object_pictures import UNSURE
from ..plot.of_consensus import graph_of
from ..result.consensus import Consensus
from ..result.explanation import reasons
from ..trees.dendrogram import Dendrogram
from .excerpts import Excerpt, excerpt_of, excerpt_of_tree, in_tree_order
from .thresholds import feasible, start

_EXPLAINED, _LEAST_SURE = 2_000, 500  # objects up to which all are explained, and how many of more
_EXPLAINING = 4e9  # labels that explanations may read
_FORCED = 2_000  # vertices up to which forces along the edges place them
_BLOCKS = 160  # rows of the heat map
_SHADED = 400  # clusters up to which there is one
_COMPARED = 2_000  # clusters up to which all pairs are compared
_TIES = 4  # edges of the contraction for each group
_MAPPED = 3_000  # objects up to which a page begins with a map of them
_PUSHED = 300  # places of a map that are pushed apart
_KINDS, _NAMED = 12, 40  # different numbers that are still a scale, and categories with a color of their own


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything that a page draws, before it is packed."""

    arrays: Mapping[str, AnyArray]  #: numbers by name, one-dimensional
    facts: Mapping[str, Any]  #: texts and small values by name, for JSON


@singledispatch
def scene(value: Any, **options: Any) -> Scene:
    """Compute the content of a page about a value."""
    raise TypeMismatch(f"A {type(value).__name__} was given; expected a Consensus, a Graph or a Dendrogram to explore.")


@scene.register
def of_consensus(
    r: Consensus, *, X: Any = None, classes: Any = None, data: Any = None, title: str | None = None
) -> Scene:
    """Compute the page of a consensus: its co-association or, for communities, the shares on its network."""
    n, network, names = len(r.labels), _network(r), r.ensemble.vertex_names()
    graph = coassociation(r.ensemble) if network is None else r.graph
    assert isinstance(graph, Graph)
    unsure = np.lexsort((np.arange(n), np.where(r.labels < 0, 2.0, r.confidence)))[:_LEAST_SURE]
    excerpt = excerpt_of(graph, np.sort(unsure), network)
    chosen = slice(None) if excerpt.vertices is None else excerpt.vertices
    if r.k <= _COMPARED:
        mean = Affinity(unweighted(r.ensemble), r.labels, r.k).between()
        between = sparse.csr_array(np.nan_to_num(mean))
    else:
        between = sum_between(r.labels[chosen], r.k, *excerpt.edges)
    cut = between if network is None else sum_between(r.labels, r.k, *network.edges())
    groups = Contraction.of(r.labels, r.k, cut, between.maximum(1e-3 * cut.astype(bool)))
    rival, rank = affinity_of(r).every_object.rival[chosen], 1 - r.confidence[chosen]
    group = groups.of_vertex[chosen]
    toward = toward_rivals(groups.centers, group, rival, rank)
    points = _map(r) if X is None else two_features(X, names, n)
    if network is not None and points is None:
        rank, toward = pulls(excerpt, group, groups)
    arrays: dict[str, AnyArray] = {"confidence": np.rint(r.confidence[chosen] * 1000).astype(np.int64), "rival": rival}
    one, many, clustering = r._nouns
    result = _scene(
        excerpt, groups, _placed(groups, chosen, rank, toward, points), start(excerpt.edges, r.labels[chosen]),
        title=title, known=groups.facts(r.cluster_names, r.confidence), vertex=one, edge="tie",
        share=plural(clustering),
        tie="mean share of clusterings" if network is None else "weight of the network between them",
        called=f"{amount(r.k, many)} of {amount(n, one)}",
        placed="" if points is None else "map" if X is None else "features",
        about=f"{amount(n, one)} in {amount(r.k, many)} by {r.method}, from "
        f"{amount(r.ensemble.n_partitions, clustering)}.",
    )  # fmt: skip
    result = merge_scenes(result, arrays, explanations(r, excerpt, unsure), colorings(r, classes, data, chosen))
    if r.k > _SHADED:
        return result
    cells = blocks(r, _BLOCKS)
    similar = Affinity(unweighted(r.ensemble), cells.block.astype(np.int32), len(cells.size)).between()
    heat = heat_map(similar, cells.label, "together in", f"How often {plural(one)} are together, in cluster order")
    return merge_scenes(result, {"block": cells.block[chosen]}, heat)


def _map(r: Consensus) -> FloatArray | None:
    """The layout of a network, or the map by co-association, with equal rows side by side; None for many objects."""
    if not 0 < len(r.labels) <= _MAPPED:
        return None
    if r.network is not None:
        return np.asarray(vars(graph_of(r, most=len(r.labels)))["position"])
    placed = np.nan_to_num(place_objects(r).positions, nan=-0.1)  # those without a cluster are in a corner
    places, index, copies = np.unique(placed, axis=0, return_inverse=True, return_counts=True)
    radii = 0.25 * np.sqrt(copies / len(placed))
    if len(places) <= _PUSHED:
        places = push_apart(places, radii[:, None] + radii)
    flat = np.zeros(len(placed))
    return inside(index.ravel().astype(np.int32), places, radii, flat, np.column_stack([flat, flat]))


def colorings(r: Consensus, classes: Any, data: Any, chosen: Any) -> Scene:
    """Columns by which objects can be colored: known classes, and those of a frame.

    A column with many different numbers is a scale; of any other, the most frequent values have a color each, that of
    the cluster they share most objects with.
    """
    names, n = r.ensemble.vertex_names(), len(r.labels)
    columns = {} if classes is None else {"class": align(classes, names, "classes")}
    frame = None if data is None else as_frame(data)
    if data is not None and frame is None:
        raise TypeMismatch.about("data", data, "a frame with a row for each object")
    frame = None if frame is None else as_frame(align(frame, names, "data"))
    if frame is not None:
        columns |= {str(name): frame.table[:, t].to_numpy() for t, name in enumerate(frame.names)}
    arrays: dict[str, AnyArray] = {}
    facts: list[dict[str, Any]] = []
    for name, cells in columns.items():
        values = np.asarray(cells)
        if values.shape[:1] != (n,):
            many = amount(values.size, "value")
            raise InputError(f"The column {name!r} has {many}; expected one for each of {n:,} objects.")
        at = f"column_{len(facts)}"
        if values.dtype.kind in "iuf" and len(np.unique(values)) > _KINDS:
            there = values[np.isfinite(values)]
            facts.append({"name": name, "low": float(there.min()), "high": float(there.max())})
            arrays[at] = values[chosen].astype(np.float32)
            continue
        with collect_warnings():  # names of objects are a column like any other
            one = Ensemble.from_partitions([cells])
        codes = one.labels[:, 0]
        order = np.argsort(-np.bincount(codes[codes >= 0], minlength=len(one.categories[0])), kind="stable")[:_NAMED]
        place = np.full(len(one.categories[0]) + 1, len(order))
        place[order], place[-1] = np.arange(len(order)), MISSING
        codes = place[codes]
        shades = [color(c) for c in inherited(r.labels, np.where(codes < len(order), codes, MISSING)).tolist()]
        words = [str(one.categories[0][c]) for c in order]
        more = int((codes == len(order)).any())
        facts.append({"name": name, "values": words + ["other"] * more, "colors": shades + ["#808080"] * more})
        arrays[at] = codes[chosen]
    return Scene(arrays, {"columns": facts})


def _network(r: Consensus) -> Graph | None:
    """The network of communities, its vertices in the order of the objects; None for any other consensus."""
    if r.network is None or not isinstance(r.graph, Graph):
        return None
    with collect_warnings():  # what there is to say about the graph was said when it was read
        return as_network(r._network_graph(), r.ensemble)


@scene.register
def of_graph(graph: Graph, *, labels: ArrayLike | None = None, X: Any = None, title: str | None = None) -> Scene:
    """Compute the page of a graph; without labels, its vertices are grouped for the first view."""
    n, on_labels = graph.n_vertices, isinstance(graph, CoassociationGraph)
    if not n:
        raise InputError("A graph without vertices was given; expected at least one vertex to explore.")
    excerpt = excerpt_of(graph)
    parts, how = grouping(graph) if labels is None else (as_parts(align(labels, graph.names, "labels"), n)[0], "")
    k = int(parts.max(initial=-1)) + 1
    chosen = slice(None) if excerpt.vertices is None else excerpt.vertices
    if on_labels:
        sums = sum_between(parts[chosen], k, *excerpt.edges)
    else:
        sums = sum_between(parts, k, *graph.edges())
    scale = sparse.diags_array(1 / np.sqrt(np.maximum(np.bincount(parts[parts >= 0], minlength=k), 1.0)))
    groups = Contraction.of(parts, k, sums, scale @ sums @ scale)
    rank, toward = pulls(excerpt, groups.of_vertex[chosen], groups)
    called = f"a graph of {n:,} {'vertex' if n == 1 else 'vertices'}"
    kind = graph.kind if "graph" in graph.kind else f"{graph.kind} graph"
    result = _scene(
        replace(excerpt, notes=(*((how,) if how else ()), *excerpt.notes), faint=not on_labels),
        groups, _placed(groups, chosen, rank, toward, None if X is None else two_features(X, graph.names, n)),
        start(excerpt.edges, parts[chosen]) if on_labels else 0.0,
        title=title, share="clusterings" if on_labels else "",
        tie="weight between them", called=called, vertex="vertex", placed="" if X is None else "features",
        about=f"{kind[:1].upper()}{kind[1:]}: {called.partition(' of ')[2]}.",
    )  # fmt: skip
    if len(groups.size) > _SHADED:
        return result
    order = np.lexsort((rank, groups.of_vertex[chosen]))
    cells = cut_blocks(order, groups.of_vertex[chosen], _BLOCKS)
    block, label = cells.block, cells.label
    if isinstance(graph, CoassociationGraph):
        e = graph.ensemble.take(objects=np.arange(n)[chosen])
        mean = Affinity(unweighted(e), block.astype(np.int32), len(label)).between()
        heat = heat_map(mean, label, "together in", "How often objects are together, in the order of the groups")
    else:
        mean = block_means(block, len(label), *excerpt.edges)
        heat = heat_map(mean, label, "weight", "Mean weight in the order of the groups")
    return merge_scenes(result, {"block": block}, heat)


@scene.register
def of_dendrogram(
    d: Dendrogram, *, k: int | None = None, labels: ArrayLike | None = None, title: str | None = None
) -> Scene:
    """Compute the page of a tree, which is cut at a threshold on the similarity 1 − height."""
    n, excerpt = d.n_objects, excerpt_of_tree(d)
    if labels is not None:
        clusters = as_parts(align(labels, d.names, "labels"), n)[0]
    elif (d.index >= 0).any():
        clusters = d.cut(k if k is not None else min(d.longest_lifetime(), 40))
    else:
        clusters = np.full(n, -1, dtype=np.int32)
    parts = int(clusters.max(initial=-1)) + 1
    chosen: Any = slice(None) if excerpt.vertices is None else excerpt.vertices
    source, target, weight = excerpt.edges
    groups = Contraction.of(
        clusters, parts, sum_between(clusters[chosen], parts, source, target, weight - excerpt.levels.lowest)
    )
    rank, toward = pulls(excerpt, groups.of_vertex[chosen], groups)
    result = _scene(
        excerpt, groups, _placed(groups, chosen, rank, toward, None),
        start(excerpt.edges, clusters[chosen], excerpt.levels.lowest),
        title=title, weight="similarity (1 − height)", tie="similarity at which they join",
        called=f"a tree of {amount(n, 'object')}",
        about=f"A tree of {amount(n, 'object')}; the threshold is a similarity, 1 − height.", edge="merge",
    )  # fmt: skip
    block, middle, similar = in_tree_order(excerpt)
    label = groups.of_vertex[chosen][middle]
    return merge_scenes(
        result, {"block": block}, heat_map(similar, label, "similarity", "Similarity in the order of the tree")
    )


# groups -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Contraction:
    """The vertices of the contracted graph: the clusters, and one group for vertices without a cluster."""

    of_vertex: LabelArray  #: group of every vertex; those without a cluster are in the last one
    size: IntArray  #: members of each
    k: int  #: number of clusters
    ties: sparse.csr_array  #: what ties two groups, symmetric
    centers: FloatArray  #: of their discs
    radii: FloatArray

    @classmethod
    def of(cls, labels: LabelArray, k: int, ties: Any, pull: Any = None) -> Contraction:
        """Group vertices by their labels; `pull` determines which groups are close, if that is not their ties."""
        lost = bool((labels < 0).any())
        group = np.where(labels < 0, k, labels).astype(np.int32)
        size = np.bincount(group, minlength=k + lost)
        close = sparse.coo_array(ties if pull is None else pull)
        close.resize((k + lost, k + lost))
        close.setdiag(0.0)
        dense = close.toarray() if len(size) <= LAID_OUT else None
        return cls(group, size, k, sparse.csr_array(ties), *discs(size, dense))

    def facts(self, names: Sequence[str] = (), confidence: FloatArray | None = None) -> list[dict[str, Any]]:
        """Name, color and size of each, as the page needs them; mean confidence and number of unsure objects."""
        called = [*(names or map(str, range(self.k))), "none"]
        rows: list[dict[str, Any]] = [
            {"name": called[c], "color": color(c if c < self.k else -1), "size": size}
            for c, size in enumerate(self.size.tolist())
        ]
        if confidence is not None:
            sums = np.bincount(self.of_vertex, confidence, len(self.size)) / np.maximum(self.size, 1)
            unsure = np.bincount(self.of_vertex, confidence < UNSURE, len(self.size))
            for group, mean, many in zip(rows, sums.tolist(), unsure.tolist(), strict=True):
                group |= {"confidence": round(mean, 4), "unsure": int(many)}
        return rows

    def edges(self) -> dict[str, AnyArray]:
        """The strongest ties of each, as arrays."""
        ties = sparse.triu(self.ties, 1, format="coo")
        order = np.lexsort((ties.col, ties.row, -ties.data))
        order = order[ties.data[order] > 0][: _TIES * max(len(self.size), 8)]
        weight = ties.data[order].astype(np.float32)
        return {"tie_a": ties.row[order], "tie_b": ties.col[order], "tie_w": weight}


class Layout(NamedTuple):
    """Positions of all vertices, and the disc of each group of them."""

    points: FloatArray  #: n × 2
    centers: FloatArray  #: groups × 2
    radii: FloatArray  #: a disc has as much area as the group has members


def grouping(graph: Graph) -> tuple[LabelArray, str]:
    """Groups of a graph without labels: communities or, for a graph of labels, a cut of the single-link tree."""
    from ..cutting import partition
    from ..trees import link

    n, alone = graph.n_vertices, "The vertices are grouped for this page only:"
    if isinstance(graph, CoassociationGraph):
        if not feasible(graph):
            raise InputError(
                f"A co-association graph of {n:,} objects was given without labels; expected labels=, one per object, "
                "for a graph of this size. ge.consensus(labels).explore() groups them."
            )
        d = link(graph, "single")
        return d.cut(d.longest_lifetime(40)), f"{alone} single linkage, cut at the longest lifetime."
    if graph.n_edges == 0:
        return np.zeros(n, dtype=np.int32), ""
    communities = partition(graph, partitioner="leiden", seed=0).labels
    single = np.bincount(communities)[communities] == 1  # of no community: most of them have no edge at all
    if single.all():
        return np.zeros(n, dtype=np.int32), ""
    return canonical(np.where(single, MISSING, communities)), f"{alone} communities by Leiden."


# placing and summing ----------------------------------------------------------------------------------------


def pulls(drawn: Excerpt, own: LabelArray, groups: Contraction) -> tuple[FloatArray, FloatArray]:
    """The distance and direction of every vertex from the middle of its group, by its edges.

    For few vertices, they come from forces along the edges; for many, from the share and direction of the edges that
    leave the group.
    """
    source, target, weight = drawn.edges
    ends, others = np.concatenate([source, target]), np.concatenate([target, source])
    strength = np.abs(np.concatenate([weight, weight])) + 1e-3
    step = groups.centers[own[others]] - groups.centers[own[ends]]
    step = step / np.maximum(np.hypot(*step.T), 1e-9)[:, None] * strength[:, None]
    toward = np.column_stack([np.bincount(ends, part, len(own)) for part in step.T]).astype(np.float64)
    degree = np.bincount(ends, strength, len(own))
    out = np.bincount(ends, strength * (own[others] != own[ends]), len(own))
    rank = out / np.maximum(degree, 1e-300) - 1e-3 * degree / max(float(degree.max(initial=0.0)), 1e-300)
    if len(own) > _FORCED or not len(source):
        return np.asarray(rank), toward
    begin = inside(own, groups.centers, groups.radii, rank, toward)
    moved = relax(begin, source, target, np.where(own[source] == own[target], 2.0, 1.0))
    size = np.maximum(np.bincount(own, minlength=len(groups.size)), 1)
    middle = np.column_stack([np.bincount(own, part, len(size)) / size for part in moved.T])
    away = moved - middle[own]
    return np.hypot(*away.T), away


def _placed(groups: Contraction, kept: Any, rank: FloatArray, toward: FloatArray, given: FloatArray | None) -> Layout:
    """Members inside their discs; or members at given points, with discs around the mean of their members."""
    group = groups.of_vertex[kept]
    if given is None:
        return Layout(inside(group, groups.centers, groups.radii, rank, toward), groups.centers, groups.radii)
    points = unit_square(given) * [1.0, -1.0] * 4 * float(np.sqrt(len(given)))
    member = np.maximum(np.bincount(groups.of_vertex, minlength=len(groups.size)), 1)
    centers = np.column_stack([np.bincount(groups.of_vertex, part, len(member)) for part in points.T])
    return Layout(points[kept], centers / member[:, None], groups.radii)


def sum_between(labels: AnyArray, k: int, source: AnyArray, target: AnyArray, weight: FloatArray) -> sparse.csr_array:
    """Weight between parts, k × k, with twice the weight inside each part on the diagonal."""
    a, b = labels[source], labels[target]
    there = (a >= 0) & (b >= 0)
    sums = sparse.csr_array((weight[there], (a[there], b[there])), shape=(k, k))
    return sums + sums.T


def block_means(block: IntArray, m: int, source: AnyArray, target: AnyArray, weight: FloatArray) -> FloatArray:
    """Mean weight between blocks."""
    size = np.bincount(block, minlength=m).astype(np.float64)
    pairs = size[:, None] * size - np.diag(size)
    sums = sum_between(block, m, source, target, np.maximum(weight, 0.0)).toarray()
    return np.asarray(sums / np.maximum(pairs, 1.0))


# what the page gets -----------------------------------------------------------------------------------------


def _scene(
    drawn: Excerpt, groups: Contraction, places: Layout, theta: float, *, called: str, title: str | None, **given: Any
) -> Scene:
    """Pack what all pages have, together with the `given` facts."""
    facts = {"vertex": "object", "edge": "edge", "placed": "", "share": "", "weight": "weight", "columns": []} | given
    facts["faint"] = drawn.faint
    facts["groups"] = facts.pop("known", None) or groups.facts()
    facts["title"] = f"Explore {called}" if title is None else of_kind("title", title, str, "text")
    source, target, weight = drawn.edges
    graph, whole, prefix = drawn.graph, drawn.vertices is None, None
    if graph.names.numbered and len(graph.names.parts) == 1:  # the page can count these itself
        prefix = graph.names[0].removesuffix("0") if isinstance(graph.names[0], str) else ""
    low = np.min([places.points.min(axis=0), (places.centers - places.radii[:, None]).min(axis=0)], axis=0)
    high = np.max([places.points.max(axis=0), (places.centers + places.radii[:, None]).max(axis=0)], axis=0)
    unit = max(float((high - low).max()), 1e-9) / 65535
    complete = whole and np.count_nonzero(weight) == drawn.levels.edges.sum()
    table, index = np.unique(-weight, return_inverse=True)
    arrays: dict[str, AnyArray] = {
        "group": groups.of_vertex if whole else groups.of_vertex[drawn.vertices],
        "x": 8 * np.rint((places.points[:, 0] - low[0]) / unit / 8).astype(np.int64),
        "y": 8 * np.rint((places.points[:, 1] - low[1]) / unit / 8).astype(np.int64),
        "center_x": ((places.centers[:, 0] - low[0]) / unit).astype(np.float32),
        "center_y": ((places.centers[:, 1] - low[1]) / unit).astype(np.float32),
        "radius": (places.radii / unit).astype(np.float32),
        "source": source,
        "target": target,
        **groups.edges(),
    }
    if len(table) <= 20_000:
        arrays |= {"weights": -table, "edge_weight": index}
    else:  # sorted weights, rounded down by less than what counts as rounding
        span = (float(weight.min()), float(weight.max()))
        steps = (weight - span[0]) / (span[1] - span[0]) * (2**30 - 1)
        arrays["edge_steps"] = 2**30 - 1 - np.floor(steps).astype(np.int64)
        facts["span"] = span
    if not complete:
        some = np.ones(len(drawn.levels.weights), dtype=bool) if not whole else drawn.levels.edges > 0
        arrays |= {"level_weights": drawn.levels.weights[some], "level_edges": drawn.levels.edges[some].astype(float)}
        if not whole:
            arrays["level_merges"] = drawn.levels.merges.astype(float)
    if (graph.roles == CLUSTER).any():
        arrays["role"] = graph.roles
    facts |= {
        "names": prefix if prefix is not None else graph.names.texts(),
        "clusters": groups.k,
        "vertices": drawn.levels.vertices,
        "sampled": drawn.levels.vertices < len(groups.of_vertex),
        "theta": theta,
        "lowest": drawn.levels.lowest,
        "highest": float(drawn.levels.weights.max(initial=0.0)) or 1.0,
        "notes": list(drawn.notes),
    }
    return Scene(arrays, facts)


def heat_map(similar: FloatArray, label: LabelArray, what: str, heading: str) -> Scene:
    """The heat map as whole numbers: 0 to 254 for shares of 1 or of the largest value, 255 for unknown."""
    values = np.nan_to_num(similar)
    most = 1.0 if what == "together in" else float(values.max(initial=0.0)) or 1.0
    shade = np.where(np.isfinite(similar), np.rint(np.clip(values / most, 0, 1) * 254), 255)
    facts = {"heat": len(label), "heatOf": what, "heatMost": most, "heading": heading}
    return Scene({"heat": shade.astype(np.uint8), "heat_group": label}, facts)


def explanations(r: Consensus, drawn: Excerpt, unsure: AnyArray) -> Scene:
    """Votes, companions and rivals of all objects if there are at most 2,000, otherwise of the least certain ones."""
    n, e = len(r.labels), r.ensemble
    room = int(np.clip(_EXPLAINING / max(n * e.n_partitions, 1), 20, _LEAST_SURE))
    rows = np.arange(n) if n <= _EXPLAINED else np.sort(unsure[:room])
    place = np.full(n, -1, dtype=np.int64)
    place[np.arange(n) if drawn.vertices is None else drawn.vertices] = np.arange(drawn.graph.n_vertices)
    rows = rows[place[rows] >= 0]
    explained = [reasons(r, i) for i in rows.tolist()]
    texts: dict[str, int] = {}
    labels = [
        -1 if vote.label is None else texts.setdefault(str(vote.label), len(texts))
        for x in explained
        for vote in x.votes
    ]
    mates = [[j for j, _ in x.companions] for x in explained]
    others = sorted({j for companions in mates for j in companions if place[j] < 0})
    place[others] = drawn.graph.n_vertices + np.arange(len(others))
    names = e.vertex_names()
    return Scene(
        {
            "why": place[rows],
            "vote_label": np.array(labels, dtype=np.int64),
            "vote_cluster": np.array([vote.cluster for x in explained for vote in x.votes], dtype=np.int64),
            "vote_share": np.array([round(200 * vote.share) for x in explained for vote in x.votes], dtype=np.int64),
            "deciding": np.array([t in x.deciding for x in explained for t in range(e.n_partitions)], dtype=np.int64),
            "margin": np.array([x.margin for x in explained], dtype=np.float32),
            "mate_many": np.array([len(companions) for companions in mates], dtype=np.int64),
            "mate": np.array([place[j] for companions in mates for j in companions], dtype=np.int64),
            "mate_share": np.array([round(200 * s) for x in explained for _, s in x.companions], dtype=np.int64),
        },
        {
            "partitions": [str(name) for name in e.partition_names],
            "vote_labels": list(texts),
            "more_names": [str(names[j]) for j in others],
            "explained": "" if n <= _EXPLAINED else f"Votes are included for the {len(rows):,} least certain objects.",
        },
    )


def merge_scenes(first: Scene, arrays: Mapping[str, AnyArray], *others: Scene) -> Scene:
    """Join several scenes into one."""
    joined = Scene({**first.arrays, **arrays}, first.facts)
    for other in others:
        joined = Scene({**joined.arrays, **other.arrays}, {**joined.facts, **other.facts})
    return joined
