"""Where pictures and pages place things: vertices by forces, clusters as discs, members in them; edges as lines."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray
from .._lib.features import as_features
from ..cutting.community import igraph_seeded
from ..cutting.lanczos import lanczos
from ..errors import InputError
from ..graphs.affinity import affinity_of
from ..graphs.coassociation import coassociation
from ..graphs.graph import CLUSTER, Graph
from ..labels.names import align
from ..result.consensus import Consensus
from .colors import colors

_SPRINGS = 1500  # vertices that a layout by forces takes a moment for
_GOLDEN = np.pi * (3 - 5**0.5)  # the angle from one seed of a sunflower to the next
_TIES = 8  # strongest ties of each object that a map is made of
MAP_POINTS = 330  # side of a map, in points, about
_FILLED, _LARGEST = 0.2, 0.02  # of the area of a map, by all dots and by one
_SMALLEST = 2.0  # square points of a dot that can be seen
_FAR = 2.5  # times the median length of a tie, the most that one tie takes
LAID_OUT = 600  # clusters up to which all pairs are looked at


def unit_square(points: AnyArray) -> FloatArray:
    """Bring points into the unit square, keeping their proportions."""
    low, high = points.min(axis=0), points.max(axis=0)
    return np.asarray((points - low) / max(float((high - low).max()), 1e-12))


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
                    layout = part.layout_kamada_kawai(weights=weights.tolist())
                else:
                    layout = part.layout_fruchterman_reingold(
                        weights=(weights / weights.max()).tolist(), seed=begin, niter=400
                    )
            local = unit_square(np.array(layout.coords))
            if not stress and len(local) > 12:  # halfway to even spacing, so that dense groups open and gaps close
                rank = np.argsort(np.argsort(local, axis=0, kind="stable"), axis=0) / (len(local) - 1)
                local = 0.5 * local + 0.5 * rank
            local = local * side
        else:
            local = np.full((1, 2), side / 2)
        if wide + side > across and wide:
            corner = np.array([0.0, corner[1] + tall + 0.6])
            wide, tall = 0.0, 0.0
        placed[members] = local + corner + [wide, 0.0]
        wide, tall = wide + side + 0.6, max(tall, side)
    return unit_square(placed)


def classical_scaling(distance: FloatArray) -> tuple[FloatArray, float]:
    """Return two coordinates whose distances come closest to the given ones, and the share of variation they hold.

    They are the leading eigenvectors of −½ J D² J, and the share is that of their eigenvalues in its trace.
    """
    from scipy.linalg import eigh

    n = len(distance)
    centered = distance**2
    centered = centered - centered.mean(axis=0) - centered.mean(axis=1)[:, None] + centered.mean()
    if n < 3:
        return np.column_stack([np.arange(n, dtype=float), np.zeros(n)]), 1.0
    if n < 50:
        value, vector = (each[..., ::-1] for each in eigh(-0.5 * centered, subset_by_index=(n - 2, n - 1)))
    else:
        value, vector = lanczos(lambda x: -0.5 * (centered @ x), n, 2)
    value = np.maximum(value, 0)
    points = vector * np.sqrt(value)
    whole = float(np.trace(-0.5 * centered))
    mirrored = np.where(points[np.abs(points).argmax(axis=0), [0, 1]] < 0, -1, 1)  # one of two mirror images
    return points * mirrored, min(1.0, float(value.sum()) / whole) if whole > 0 else 1.0


def stress_layout(wanted: FloatArray, rounds: int = 150) -> FloatArray:
    """Return points with distances as close as possible to the wanted ones: scaling, then stress majorization."""
    k = len(wanted)
    if k < 2:
        return np.zeros((k, 2))
    points = classical_scaling(wanted)[0] + 1e-3 * _sunflower(np.arange(k))  # no two at one place
    weight = 1 / np.maximum(wanted, 1e-9) ** 2
    np.fill_diagonal(weight, 0.0)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    solve = np.linalg.pinv(laplacian)
    for _ in range(rounds):
        length = np.maximum(np.hypot(*(points[:, None] - points).transpose(2, 0, 1)), 1e-9)
        ratio = -weight * wanted / length
        np.fill_diagonal(ratio, 0.0)
        np.fill_diagonal(ratio, -ratio.sum(axis=1))
        points = solve @ (ratio @ points)
    return np.asarray(points)


def push_apart(points: FloatArray, least: FloatArray, rounds: int = 300) -> FloatArray:
    """Return points near the given ones that have at least the distances `least` (a symmetric matrix)."""
    step = 1e-3 * float(least.mean()) if least.size else 0.0
    placed = points + step * np.random.default_rng(0).normal(size=points.shape)  # no two at one place
    for _ in range(rounds):
        way = placed[:, None] - placed
        gap = np.maximum(np.hypot(way[..., 0], way[..., 1]), 1e-9)
        push = np.maximum(least - gap, 0.0)
        np.fill_diagonal(push, 0.0)
        if push.max(initial=0.0) < step:
            break
        placed = placed + 0.25 * (way * (push / gap)[..., None]).sum(axis=1)
    return placed


def discs(sizes: AnyArray, ties: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
    """Lay groups out as discs that do not overlap, strongly connected ones close together. O(k²) up to 600, else O(k).

    `sizes` are the members of each group, and `ties` say how strongly the groups are connected, k × k; None if there
    are too many. Returns centers and radii; a group of one member has a radius of 1.
    """
    radii = np.sqrt(np.maximum(sizes, 1.0))
    k = len(radii)
    if ties is None or k > LAID_OUT:
        order = np.argsort(-radii, kind="stable")  # the largest in the middle, then as far out as room is taken
        area = radii[order] ** 2
        away = 1.5 * np.sqrt(np.cumsum(area)) * (np.arange(k) > 0)
        angle = np.arange(k) * _GOLDEN
        centers = np.empty((k, 2))
        centers[order] = away[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
        return centers, radii
    touching = radii[:, None] + radii
    strength = np.sqrt(ties / max(float(ties.max(initial=0.0)), 1e-300))
    wanted = 1.12 * touching + 1.6 * float(np.median(radii)) * (1 - strength)
    np.fill_diagonal(wanted, 0.0)
    return push_apart(stress_layout(wanted), 1.06 * touching), radii


def _sunflower(place: AnyArray) -> FloatArray:
    """Points spread evenly over a disc, the first in its middle, at a distance of about 1.8 from each other."""
    angle = place * _GOLDEN
    return np.sqrt(place + 0.5)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])


def inside(
    groups: LabelArray, centers: FloatArray, radii: FloatArray, rank: AnyArray, toward: FloatArray
) -> FloatArray:
    """Place the members of each group in its disc, spread evenly. O(n log n).

    Members with a smaller `rank` are closer to the middle; of those at the same distance, each is on the side of its
    direction `toward` (n × 2, zeros for none).
    """
    size = np.bincount(groups, minlength=len(radii))
    begin = np.cumsum(size) - size
    order = np.lexsort((rank, groups))
    seat = np.arange(len(groups)) - begin[groups[order]]  # in its group, from the middle outwards
    ring = np.floor(np.sqrt(seat / 3.0))
    heading = np.column_stack([np.bincount(groups, part, len(radii)) for part in toward.T])
    front = np.arctan2(heading[:, 1], heading[:, 0])  # where most want to be: angles are told from there
    group = groups[order]
    wish = _turned(np.arctan2(toward[order, 1], toward[order, 0]) - front[group])
    angle = _turned(seat * _GOLDEN)
    by_seat, by_wish = np.lexsort((angle, ring, group)), np.lexsort((wish, ring, group))
    seats = _sunflower(seat)[by_seat]
    cos, sin = np.cos(front[group]), np.sin(front[group])
    turned = np.column_stack([seats[:, 0] * cos - seats[:, 1] * sin, seats[:, 0] * sin + seats[:, 1] * cos])
    shrink = 0.93 * radii[group] / np.sqrt(np.maximum(size[group], 1.0))
    points = np.empty((len(groups), 2))
    points[order[by_wish]] = centers[group] + turned * shrink[:, None]
    return points


def relax(points: FloatArray, source: AnyArray, target: AnyArray, weight: FloatArray) -> FloatArray:
    """Move points a little along forces between the ends of edges (Fruchterman and Reingold)."""
    import igraph as ig

    graph = ig.Graph(n=len(points), edges=np.column_stack([source, target]).tolist())
    with igraph_seeded(0):
        layout = graph.layout_fruchterman_reingold(
            weights=weight.tolist(), seed=points.tolist(), niter=80, start_temp=float(np.sqrt(len(points))) / 4
        )
    return np.array(layout.coords)


def _turned(angle: FloatArray) -> FloatArray:
    """Angles from −π to π."""
    return np.asarray(np.mod(angle + np.pi, 2 * np.pi) - np.pi)


def toward_rivals(centers: FloatArray, labels: LabelArray, rival: AnyArray, doubt: FloatArray) -> FloatArray:
    """Return for every member a step from the middle of its cluster toward that of its rival, as long as its doubt."""
    step, there = np.zeros((len(labels), 2)), rival >= 0
    step[there] = centers[rival[there]] - centers[labels[there]]
    return np.asarray(step * (doubt / np.maximum(np.hypot(*step.T), 1e-9))[:, None])


def dot_areas(sizes: IntArray) -> FloatArray:
    """Return the areas of dots that stand for several objects each, in square points; all together leave room."""
    area = np.clip(9000 / max(len(sizes), 1), 4, 120) * sizes
    room = MAP_POINTS**2 * min(_FILLED / max(float(area.sum()), 1.0), _LARGEST / max(float(area.max(initial=0)), 1.0))
    return np.asarray(np.maximum(area * min(room, 1.0), _SMALLEST))


class Places(NamedTuple):
    """Where objects are on a map; those with the same labels and the same cluster have the same place."""

    positions: FloatArray  #: of every object; NaN for one without a cluster
    objects: IntArray  #: one for each place
    sizes: IntArray  #: objects at each place
    ties: tuple[IntArray, IntArray]  #: pairs of places that ties join; none if there are too many places


def place_objects(r: Consensus, seed: int = 0) -> Places:
    """Place objects by their co-association: up to 600 different rows by their ties, of more those of each cluster.

    The ties are the spanning forest of the co-association graph and the eight strongest of each row, and their lengths
    are 1 − co-association (Kamada and Kawai). Otherwise, the clusters are discs, and a member is nearer to the border
    the less certain it is, on the side of its rival. O(ñ³) or O(nBk).
    """
    there = np.flatnonzero(r.labels >= 0)
    row = r.ensemble.collapse()[1][there] * (r.k + 1) + r.labels[there]
    _, first, index, sizes = np.unique(row, return_index=True, return_inverse=True, return_counts=True)
    first, none = there[first], np.empty(0, dtype=np.int64)
    places, ties = np.empty((0, 2)), (none, none)
    if 0 < len(first) <= LAID_OUT:
        graph = coassociation(r.ensemble.take(objects=first))
        near, forest = (g.to_scipy() for g in (graph.neighbors(_TIES), graph.spanning_forest()))
        near = near.maximum(near.T).maximum(forest)
        near.data = 1.02 - near.data
        if near.nnz:  # a few loose objects do not take all room
            near.data = np.minimum(near.data, _FAR * np.median(near.data))
        distances = Graph(near)
        places, ties = springs(distances, seed, stress=True), distances.edges()[:2]
        radii = np.sqrt(dot_areas(sizes) / np.pi) / MAP_POINTS
        places = unit_square(push_apart(_turned_to_fill(places), 0.75 * (radii[:, None] + radii), 20))
    elif len(first):
        between = np.nan_to_num(affinity_of(r).between())
        np.fill_diagonal(between, 0.0)
        middle, radii = discs(r.sizes(), between)
        labels, rival, doubt = r.labels[first], affinity_of(r).every_object.rival[first], 1 - r.confidence[first]
        places = _turned_to_fill(inside(labels, middle, radii, doubt, toward_rivals(middle, labels, rival, doubt)))
    positions = np.full((len(r.labels), 2), np.nan)
    positions[there] = places[index]
    return Places(positions, first, sizes, ties)


def _turned_to_fill(points: FloatArray) -> FloatArray:
    """Points in the unit square, turned so that they fill it best."""
    angle = np.linspace(0, np.pi / 2, 60, endpoint=False)
    cos, sin = np.cos(angle), np.sin(angle)
    turned = np.stack([points @ np.stack([cos, -sin]), points @ np.stack([sin, cos])])
    return unit_square(turned[:, :, np.ptp(turned, axis=1).max(axis=0).argmin()].T)


def in_two_columns(graph: Graph) -> FloatArray:
    """Objects on the left and clusters on the right, each near its neighbors, with fewer crossings."""
    clusters = graph.roles == CLUSTER
    height = np.zeros(graph.n_vertices)
    height[~clusters] = np.linspace(0, 1, np.count_nonzero(~clusters))
    degree = np.maximum(graph.degree(), 1e-12)
    for _ in range(8):
        for side in (clusters, ~clusters):
            pull = (graph.adjacency @ height) / degree
            rank = np.argsort(np.argsort(pull[side], kind="stable"), kind="stable")
            height[side] = rank / max(int(np.count_nonzero(side)) - 1, 1)
    return np.column_stack([np.where(clusters, 1.15, 0.0), 1 - height])


def two_features(X: Any, names: Any, n: int) -> FloatArray:
    """Return two features of n objects, for the axes of a picture: of more than two, the principal components."""
    points = as_features(align(X, names, "X"), n)
    if points.shape[1] < 2:
        raise InputError("X has one feature; expected two, one for each axis of the picture.")
    if points.shape[1] > 2:
        points = points - points.mean(axis=0)
        ways = lanczos(lambda way: points.T @ (points @ way), points.shape[1], 2)[1]
        points = points @ (ways * np.where(ways[np.abs(ways).argmax(axis=0), [0, 1]] < 0, -1, 1))
    return points


def lines(ax: Any, position: FloatArray, ends: tuple[AnyArray, AnyArray], widths: FloatArray, **style: Any) -> Any:
    """Draw edges as one collection, thin ones first."""
    from matplotlib.collections import LineCollection

    order = np.argsort(widths, kind="stable")
    segments = np.stack([position[ends[0][order]], position[ends[1][order]]], axis=1)
    options = {"colors": "#8a8a8a", "linewidths": widths[order], "zorder": 1, "capstyle": "round"} | style
    return ax.add_collection(LineCollection(segments, **options))


def heaviest_edges(graph: Graph, most: int) -> tuple[AnyArray, AnyArray, FloatArray]:
    """Return the ends and weights of the strongest edges."""
    source, target, weight = graph.edges()
    heaviest = np.argsort(-weight, kind="stable")[:most]
    return source[heaviest], target[heaviest], weight[heaviest]


def backbone(graph: Graph, most: int) -> tuple[AnyArray, AnyArray, FloatArray]:
    """Return the edges of the maximum spanning forest and, up to a number, the strongest others."""
    source, target, weight = graph.edges()
    if len(weight) <= most:
        return source, target, weight
    forest = graph.spanning_forest().edges()
    return join_edges(graph.n_vertices, forest, heaviest_edges(graph, max(most - len(forest[0]), 0)))


def join_edges(n: int, *lists: tuple[AnyArray, AnyArray, FloatArray]) -> tuple[AnyArray, AnyArray, FloatArray]:
    """Join lists of edges between n vertices; of equal ones, the first stays."""
    source, target, weight = (np.concatenate(part) for part in zip(*lists, strict=True))
    low, high = np.minimum(source, target).astype(np.int64), np.maximum(source, target).astype(np.int64)
    first = np.unique(low * n + high, return_index=True)[1]
    return low[first], high[first], weight[first]


def with_room(boxes: FloatArray, taken: FloatArray) -> list[int]:
    """Return which boxes (left, bottom, right, top) can be placed, one after another, without touching others.

    `taken` are boxes that are already placed; box i of `boxes` may touch box i of `taken`.
    """
    placed: list[int] = []
    for i, box in enumerate(boxes):
        others = np.concatenate([boxes[placed], np.delete(taken, i, axis=0)])
        apart = (box[2:] <= others[:, :2]).any(axis=1) | (box[:2] >= others[:, 2:]).any(axis=1)
        if apart.all():
            placed.append(i)
    return placed


def centers(points: AnyArray, labels: LabelArray) -> dict[int, FloatArray]:
    """Return for each cluster the object nearest to the median of its objects, where its number is written."""
    middles = {}
    for c in np.unique(labels[labels >= 0]).tolist():
        members = points[labels == c]
        middles[c] = np.asarray(members[np.square(members - np.median(members, axis=0)).sum(axis=1).argmin()])
    return middles


def most_frequent(cells: IntArray, labels: AnyArray) -> tuple[IntArray, IntArray]:
    """Return the cells that are not empty, and the label, or −1, that most of their members have."""
    k = int(labels.max(initial=0)) + 2
    key, size = np.unique(cells * k + labels + 1, return_counts=True)
    order = np.lexsort((size, key // k))
    last = key[order[np.append(np.diff(key[order] // k) != 0, True)]]
    return last // k, last % k - 1


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
        of_role = graph.roles == role
        mean = float(graph.vertex_weights[of_role].mean()) or 1.0
        mass[of_role] = (1 + role) * 10 * np.sqrt(np.clip(graph.vertex_weights[of_role] / mean, 0.25, 9))
    if position is None:
        small = graph.n_vertices <= _SPRINGS
        points = springs(_backbone_graph(graph)) if small else _members_in_discs(graph, labels)
        position = (points * 60 * np.sqrt(max(graph.n_vertices, 1))).round(2)
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


def _members_in_discs(graph: Graph, labels: LabelArray) -> FloatArray:
    """The vertices of each part in a disc, in the order of their numbers from its middle outward."""
    part = np.where(labels < 0, labels.max(initial=-1) + 1, labels)
    sizes = np.bincount(part)
    ties = None
    if len(sizes) <= LAID_OUT:
        ties = graph.contract(part).to_scipy().toarray() / np.sqrt(np.outer(sizes, sizes))
    middle, radii = discs(sizes, ties)
    return unit_square(inside(part, middle, radii, np.arange(len(part)), np.zeros((len(part), 2))))
