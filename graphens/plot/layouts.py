"""Positions of the vertices of a drawn graph, and its edges as one collection of lines."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, LabelArray
from ..cutting.community import igraph_seeded
from ..graphs.graph import Graph
from .colors import colors

_SPRINGS = 1500  # vertices that a layout by forces takes a moment for


def springs(graph: Graph, seed: int = 0, *, stress: bool = False) -> FloatArray:
    """Return positions in a unit square by forces along the edges (Fruchterman and Reingold), from a seed.

    With `stress`, weights are lengths of paths, and distances come close to them (Kamada and Kawai).

    Connected components are laid out one by one and packed side by side, large ones first.
    """
    g = graph.to_igraph()
    rng = np.random.default_rng(seed)
    piece = graph.components()
    placed, corner = np.zeros((graph.n_vertices, 2)), np.zeros(2)
    order = np.argsort(-np.bincount(piece), kind="stable")
    wide, tall, across = 0.0, 0.0, np.sqrt(graph.n_vertices) * 1.35
    for c in order:
        members = np.flatnonzero(piece == c)
        side = max(np.sqrt(len(members)), 0.7)
        if len(members) > 1:
            part = g.induced_subgraph(members.tolist())
            begin = rng.uniform(-side, side, (len(members), 2)).tolist()
            weights = np.array(part.es["weight"])
            with igraph_seeded(seed):
                if stress:
                    found = part.layout_kamada_kawai(weights=weights.tolist())
                else:
                    found = part.layout_fruchterman_reingold(
                        weights=(weights / weights.max()).tolist(), seed=begin, niter=400
                    )
            local = (scaled if stress else evened)(np.array(found.coords)) * side
        else:
            local = np.full((1, 2), side / 2)
        if wide + side > across and wide:
            corner = np.array([0.0, corner[1] + tall + 0.6])
            wide, tall = 0.0, 0.0
        placed[members] = local + corner + [wide, 0.0]
        wide, tall = wide + side + 0.6, max(tall, side)
    return scaled(placed)


def evened(points: AnyArray) -> FloatArray:
    """Move points into the unit square, halfway to even spacing, so that dense groups open and wide gaps close."""
    rank = np.argsort(np.argsort(points, axis=0, kind="stable"), axis=0) / max(len(points) - 1, 1)
    return 0.5 * scaled(points) + 0.5 * rank if len(points) > 12 else scaled(points)


def scaled(points: AnyArray) -> FloatArray:
    """Bring points into the unit square, keeping their proportions."""
    low, high = points.min(axis=0), points.max(axis=0)
    return np.asarray((points - low) / max(float((high - low).max()), 1e-12))


def lines(ax: Any, position: FloatArray, ends: tuple[AnyArray, AnyArray], widths: FloatArray, **style: Any) -> Any:
    """Draw edges as one collection, thin ones first."""
    from matplotlib.collections import LineCollection

    order = np.argsort(widths, kind="stable")
    segments = np.stack([position[ends[0][order]], position[ends[1][order]]], axis=1)
    given = {"colors": "#8a8a8a", "linewidths": widths[order], "zorder": 1, "capstyle": "round"} | style
    return ax.add_collection(LineCollection(segments, **given))


def strongest(graph: Graph, most: int) -> tuple[AnyArray, AnyArray, FloatArray]:
    """Return the ends and weights of the strongest edges."""
    source, target, weight = graph.edges()
    kept = np.argsort(-weight, kind="stable")[:most]
    return source[kept], target[kept], weight[kept]


def backbone(graph: Graph, most: int) -> tuple[AnyArray, AnyArray, FloatArray]:
    """Return the edges of the maximum spanning forest and, up to a number, the strongest others."""
    source, target, weight = graph.edges()
    if len(weight) <= most:
        return source, target, weight
    forest = graph.spanning_forest().edges()
    rest = strongest(graph, max(most - len(forest[0]), 0))
    source, target, weight = (np.concatenate(pair) for pair in zip(forest, rest, strict=True))
    low, high = np.minimum(source, target).astype(np.int64), np.maximum(source, target).astype(np.int64)
    once = np.unique(low * graph.n_vertices + high, return_index=True)[1]
    return source[once], target[once], weight[once]


def with_room(boxes: FloatArray, taken: FloatArray) -> list[int]:
    """Return which boxes (left, bottom, right, top) can be placed, one after another, without touching others.

    `taken` are boxes that are already placed; box i of `boxes` may touch box i of `taken`.
    """
    kept: list[int] = []
    for i, box in enumerate(boxes):
        others = np.concatenate([boxes[kept], np.delete(taken, i, axis=0)])
        apart = (box[2:] <= others[:, :2]).any(axis=1) | (box[:2] >= others[:, 2:]).any(axis=1)
        if apart.all():
            kept.append(i)
    return kept


def pushed_apart(points: FloatArray, wide: FloatArray, rounds: int = 300) -> FloatArray:
    """Return points near the given ones at which disks of these diameters do not overlap."""
    placed = points + 1e-4 * np.random.default_rng(0).normal(size=points.shape)  # no two at one place
    need = (wide[:, None] + wide[None, :]) / 2
    np.fill_diagonal(need, 0.0)
    for _ in range(rounds):
        way = placed[:, None] - placed[None, :]
        gap = np.linalg.norm(way, axis=2)
        push = np.clip(need - gap, 0.0, None)
        if push.max(initial=0.0) < 1e-4:
            break
        placed = placed + 0.25 * (way / np.maximum(gap, 1e-9)[:, :, None] * push[:, :, None]).sum(axis=1)
    return placed


def centers(points: AnyArray, labels: LabelArray) -> dict[int, FloatArray]:
    """Return for each cluster the object nearest to the median of its objects, where its number is written."""
    found = {}
    for c in np.unique(labels[labels >= 0]).tolist():
        own = points[labels == c]
        found[c] = np.asarray(own[np.square(own - np.median(own, axis=0)).sum(axis=1).argmin()])
    return found


def looks(graph: Graph, labels: LabelArray, position: FloatArray | None = None) -> dict[str, list[Any]]:
    """Return what other programs need to draw a graph in the same way, as lists: color, r, g, b, size, x, y.

    A vertex has the color of its cluster and a size by its weight. If no positions are given, small graphs have a
    force-directed layout. In large graphs, the vertices of each cluster are in a disk, and the disks are laid out by
    the edges between them.
    """
    shade = colors(labels)
    parts = [bytes.fromhex(one[1:]) for one in shade]
    mass = np.empty(graph.n_vertices)
    for role in np.unique(graph.roles):
        own = graph.roles == role
        mean = float(graph.vertex_weights[own].mean()) or 1.0
        mass[own] = (1 + role) * 10 * np.sqrt(np.clip(graph.vertex_weights[own] / mean, 0.25, 9))
    if position is None:
        small = graph.n_vertices <= _SPRINGS
        found = springs(_backbone_graph(graph)) if small else _disks(graph, labels)
        position = (found * 60 * np.sqrt(max(graph.n_vertices, 1))).round(2)
    x, y = position.T
    red, green, blue = zip(*parts, strict=True) if parts else ((), (), ())
    return {
        "color": shade, "r": list(red), "g": list(green), "b": list(blue),
        "size": mass.round(2).tolist(), "x": x.tolist(), "y": y.tolist(),
    }  # fmt: skip


def _backbone_graph(graph: Graph) -> Graph:
    """The spanning forest and the strongest edges: what a layout needs."""
    from scipy.sparse import coo_array

    source, target, weight = backbone(graph, 8 * graph.n_vertices)
    half = coo_array((weight, (source, target)), shape=(graph.n_vertices,) * 2).tocsr()
    return Graph(half + half.T)


def _disks(graph: Graph, labels: LabelArray) -> FloatArray:
    """The vertices of each part in a disk, in the order of their numbers from its middle outward."""
    part = np.where(labels < 0, labels.max(initial=-1) + 1, labels)
    sizes = np.bincount(part)
    wide = 2 * np.sqrt(sizes / max(sizes.sum(), 1))
    centers_ = pushed_apart(springs(graph.contract(part)) * 2, 1.1 * wide)
    order = np.argsort(part, kind="stable")
    place = np.empty(len(part))
    place[order] = np.arange(len(part)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    far, turn = (np.sqrt((place + 0.5) / sizes[part]) * wide[part] / 2, place * 2.399963229728653)  # the golden angle
    return scaled(centers_[part] + far[:, None] * np.column_stack([np.cos(turn), np.sin(turn)]))
