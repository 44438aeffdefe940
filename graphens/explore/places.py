"""Positions of clusters and their members: clusters are discs near their neighbors, with members inside."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, LabelArray

_GOLDEN = np.pi * (3 - 5**0.5)  # the angle from one seed of a sunflower to the next
LAID_OUT = 600  # clusters up to which all pairs are looked at


class Places(NamedTuple):
    """Positions of all vertices, and the disc of each group of them."""

    points: FloatArray  #: n × 2
    centers: FloatArray  #: groups × 2
    radii: FloatArray  #: a disc has as much area as the group has members


def discs(sizes: AnyArray, ties: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
    """Lay groups out as discs that do not overlap, strongly connected ones close together. O(k²) up to 600, else O(k).

    Parameters
    ----------
    sizes
        Members of each group.
    ties
        How strongly the groups are connected, k × k; None if there are too many.

    Returns
    -------
    tuple
        Centers and radii; a group of one member has a radius of 1.
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
    return apart(nearest_to(wanted), 1.06 * touching), radii


def _sunflower(place: AnyArray) -> FloatArray:
    """Points spread evenly over a disc, the first in its middle, at a distance of about 1.8 from each other."""
    angle = place * _GOLDEN
    return np.sqrt(place + 0.5)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])


def nearest_to(wanted: FloatArray, rounds: int = 150) -> FloatArray:
    """Points with distances as close as possible to the wanted ones: scaling, then stress majorization."""
    k = len(wanted)
    if k < 2:
        return np.zeros((k, 2))
    squared = wanted**2
    middle = -(squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()) / 2
    value, vector = np.linalg.eigh(middle)
    vector = vector * np.where(vector[np.abs(vector).argmax(axis=0), np.arange(k)] < 0, -1.0, 1.0)
    points = (vector * np.sqrt(np.maximum(value, 0.0)))[:, ::-1][:, :2]
    points = points + 1e-3 * _sunflower(np.arange(k))  # no two at one place
    weight = 1 / np.maximum(wanted, 1e-9) ** 2
    np.fill_diagonal(weight, 0.0)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    solve = np.linalg.pinv(laplacian)
    for _ in range(rounds):
        length = np.maximum(_distances(points), 1e-9)
        ratio = -weight * wanted / length
        np.fill_diagonal(ratio, 0.0)
        np.fill_diagonal(ratio, -ratio.sum(axis=1))
        points = solve @ (ratio @ points)
    return np.asarray(points)


def _distances(points: FloatArray) -> FloatArray:
    return np.hypot(*(points[:, None] - points).transpose(2, 0, 1))


def apart(points: FloatArray, least: FloatArray, rounds: int = 300) -> FloatArray:
    """Push points apart until all have the required distances."""
    for _ in range(rounds):
        step = points[:, None] - points
        length = np.maximum(np.hypot(step[..., 0], step[..., 1]), 1e-9)
        missing = np.maximum(least - length, 0.0)
        np.fill_diagonal(missing, 0.0)
        if missing.max(initial=0.0) < 1e-3:
            break
        points = points + 0.5 * (step * (missing / length)[..., None]).sum(axis=1)
    return points


def inside(
    groups: LabelArray, centers: FloatArray, radii: FloatArray, rank: AnyArray, toward: FloatArray
) -> FloatArray:
    """Place the members of each group in its disc, spread evenly. O(n log n).

    Parameters
    ----------
    groups
        Group of every member.
    centers, radii
        The discs.
    rank
        Members with smaller values are closer to the middle.
    toward
        A direction for every member (n × 2, zeros for none): among members at the same distance from the middle, it is
        placed on that side.
    """
    size = np.bincount(groups, minlength=len(radii))
    begin = np.cumsum(size) - size
    order = np.lexsort((rank, groups))
    seat = np.arange(len(groups)) - begin[groups[order]]  # in its group, from the middle outwards
    ring = np.floor(np.sqrt(seat / 3.0))
    heading = np.column_stack([np.bincount(groups, part, len(radii)) for part in toward.T])
    front = np.arctan2(heading[:, 1], heading[:, 0])  # where most want to be: angles are told from there
    own = groups[order]
    wish = _turned(np.arctan2(toward[order, 1], toward[order, 0]) - front[own])
    angle = _turned(seat * _GOLDEN)
    by_seat, by_wish = np.lexsort((angle, ring, own)), np.lexsort((wish, ring, own))
    seats = _sunflower(seat)[by_seat]
    cos, sin = np.cos(front[own]), np.sin(front[own])
    turned = np.column_stack([seats[:, 0] * cos - seats[:, 1] * sin, seats[:, 0] * sin + seats[:, 1] * cos])
    shrink = 0.93 * radii[own] / np.sqrt(np.maximum(size[own], 1.0))
    points = np.empty((len(groups), 2))
    points[order[by_wish]] = centers[own] + turned * shrink[:, None]
    return points


def forced(points: FloatArray, source: AnyArray, target: AnyArray, weight: FloatArray) -> FloatArray:
    """Move points a little along forces between the ends of edges (Fruchterman and Reingold)."""
    import igraph as ig

    from ..cutting.community import igraph_seeded

    graph = ig.Graph(n=len(points), edges=np.column_stack([source, target]).tolist())
    with igraph_seeded(0):
        found = graph.layout_fruchterman_reingold(
            weights=weight.tolist(), seed=points.tolist(), niter=80, start_temp=float(np.sqrt(len(points))) / 4
        )
    return np.array(found.coords)


def _turned(angle: FloatArray) -> FloatArray:
    """Angles from −π to π."""
    return np.asarray(np.mod(angle + np.pi, 2 * np.pi) - np.pi)
