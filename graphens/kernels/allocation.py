"""Allocating objects one by one to clusters so that the expected loss against many draws falls.

With φ(x) = x log₂ x (or x², or x (x − 1) / 2), and per draw P = Σ φ(c) over its clusters c, Q = Σ φ(C) over the
clusters of the estimate, J = Σ φ(C ∩ c) and n objects, every loss is a quotient of these sums; moving an object changes
two cells of J and two terms of Q.
"""

from __future__ import annotations

from math import log
from typing import Any, NamedTuple

import numpy as np

from ._jit import kernel

_BITS = 1.0 / log(2.0)
_TIE = 1e-12  # losses closer than this are equal
#: the losses by number; the first is a sum over clusters, which needs no J
ADDITIVE, ID, NID, NVI, OMARI = 0, 1, 2, 3, 4
#: φ by number: x log₂ x, x², x (x − 1) / 2
ENTROPY, SQUARE, PAIRS = 0, 1, 2

#: for every loss its number, its φ, and the power of n that an additive one is divided by
LOSS_NUMBERS = {
    "vi": (ADDITIVE, ENTROPY, 1),
    "binder": (ADDITIVE, SQUARE, 2),
    "id": (ID, ENTROPY, 0),
    "nid": (NID, ENTROPY, 0),
    "nvi": (NVI, ENTROPY, 0),
    "omari": (OMARI, PAIRS, 0),
}


class Draws(NamedTuple):
    """What stays while objects move."""

    rows: Any  #: for each object its cluster in every draw, numbered over all draws, −1 where absent (n × B)
    weights: Any  #: what every draw counts
    masses: Any  #: what every object counts: whole numbers, or any where `phi` is empty
    owner: Any  #: the draw of each cluster
    phi: Any  #: φ of 0, 1, …, n, empty where masses are no whole numbers; and which φ it is
    form: int
    alone: Any  #: what each object costs in a cluster of its own, for an additive loss
    pairs: Any  #: what it costs to join two objects, n × n, in place of `rows`; or 0 × 0


class Tables(NamedTuple):
    """A labeling and what is counted of it, for as many clusters as there are slots."""

    counts: Any  #: |C ∩ c| for clusters C of the estimate and c of the draws
    labels: Any  #: the slot of every object, −1 for none
    sizes: Any  #: number of objects in every slot
    seen: Any  #: |C present in draw t|, or one column where nothing is missing
    #: J of every draw; Q of every draw, or one number where nothing is missing. Not used by an additive loss.
    cells: Any
    lines: Any
    #: |c| of every cluster of the draws, P and n of every draw, over the objects that have a slot. Likewise.
    known: Any
    parts: Any
    totals: Any
    #: what each object adds to an additive loss in each slot, the version of the slot it was worked out for, and the
    #: version each slot has now
    costs: Any
    stamps: Any
    versions: Any


@kernel
def _value(x: Any, d: Any) -> float:
    """φ from its table, or worked out."""
    if d.phi.shape[0] > 0:
        return d.phi[int(x)]
    if d.form == ENTROPY:
        return x * log(x) * _BITS if x > 1e-12 else 0.0
    return x * x if d.form == SQUARE else x * (x - 1.0) / 2.0


@kernel
def _rise(x: Any, m: Any, d: Any) -> float:
    return _value(x + m, d) - _value(x, d)


@kernel(work=lambda d, tables: tables.counts.size)
def sum_cells(d: Any, tables: Any) -> None:
    """Work out J of every draw and Q, P and n anew."""
    tables.cells[:] = 0.0
    tables.lines[:] = 0.0
    tables.parts[:] = 0.0
    tables.totals[:] = 0.0
    for r in range(d.owner.shape[0]):
        tables.parts[d.owner[r]] += _value(tables.known[r], d)
        tables.totals[d.owner[r]] += tables.known[r]
    for j in range(tables.sizes.shape[0]):
        if tables.sizes[j] > 0:
            for r in range(d.owner.shape[0]):
                tables.cells[d.owner[r]] += _value(tables.counts[j, r], d)
            for t in range(tables.lines.shape[0]):
                tables.lines[t] += _value(tables.seen[j, t], d)


@kernel(work=lambda d, tables, *_: 2 * d.owner.size)
def sum_joined(d: Any, tables: Any, i: int, j: int, cells: Any) -> None:
    """Add to each draw's J what it gains where the clusters i and j become one."""
    for r in range(d.owner.shape[0]):
        x, y = tables.counts[i, r], tables.counts[j, r]
        if x > 0 and y > 0:
            both = _value(float(x) + float(y), d)  # narrow whole numbers would overflow
            cells[d.owner[r]] += both - _value(x, d) - _value(y, d)


@kernel
def _shift(d: Any, tables: Any, v: int, j: int, mass: Any) -> None:
    """Put an object into a slot of the count tables or, with negative mass, take it out."""
    wide = tables.seen.shape[1] > 1
    if not wide:
        tables.seen[j, 0] += mass
    for t in range(d.rows.shape[1]):
        r = d.rows[v, t]
        if r >= 0:
            tables.counts[j, r] += mass
            if wide:
                tables.seen[j, t] += mass


@kernel(work=lambda d, tables: d.rows.size + d.pairs.size)
def count(d: Any, tables: Any) -> None:
    """Count the labels into empty tables."""
    for v in range(tables.labels.shape[0]):
        j = tables.labels[v]
        if j >= 0:
            _shift(d, tables, v, j, d.masses[v])
            tables.sizes[j] += 1
            for t in range(d.rows.shape[1]):
                if d.rows[v, t] >= 0:
                    tables.known[d.rows[v, t]] += d.masses[v]
            for i in range(d.pairs.shape[0]):
                tables.costs[i, j] += d.pairs[i, v]


@kernel
def _marginal(d: Any, tables: Any, b: float, v: int, j: int, inside: bool) -> float:
    """What the object adds to an additive loss as a member of a cluster, which does not count it yet."""
    # A member is in the counts already. It is taken out of them, so that staying and moving start from the same state.
    m = d.masses[v]
    out = m if inside else m - m
    wide = tables.seen.shape[1] > 1
    total, weight = 0.0, 0.0
    for t in range(d.rows.shape[1]):
        r = d.rows[v, t]
        if r >= 0:
            rise = 2.0 * _rise(tables.counts[j, r] - out, m, d)
            if wide:
                rise -= b * _rise(tables.seen[j, t] - out, m, d)
            total -= d.weights[t] * rise
            weight += d.weights[t]
    if not wide:
        total += b * weight * _rise(tables.seen[j, 0] - out, m, d)
    return total


@kernel
def _refresh(d: Any, tables: Any, b: float, v: int) -> None:
    """Bring the costs of an object up to date where a cluster has changed."""
    # A cluster's version rises with every change: costs worked out for the present version still hold, and few clusters
    # change between two visits of an object.
    own = tables.labels[v]
    for j in range(tables.sizes.shape[0]):
        if tables.sizes[j] > 0 and tables.stamps[v, j] != tables.versions[j]:
            tables.costs[v, j] = _marginal(d, tables, b, v, j, j == own)
            tables.stamps[v, j] = tables.versions[j]


@kernel
def _quotient(loss: int, p: float, q: float, joint: float, total: float, top: float) -> float:
    """One of the losses that are no sums over clusters."""
    if loss == ID:
        return (max(p, q) - joint) / total
    if loss == NID:
        over, under = max(p, q) - joint, top - min(p, q)
    elif loss == NVI:
        over, under = p + q - 2.0 * joint, top - joint
    else:
        over = 0.5 * (p + q) - joint
        under = 0.5 * (p + q) - (p * q / top if top > 0.0 else 0.0)
    return over / under if under > 1e-9 else 0.0


@kernel
def _compare(d: Any, tables: Any, loss: int, v: int, rest: Any, fresh: int) -> None:
    """Work out the loss with the object in every cluster in turn, and in the empty slot `fresh` (−1 for none)."""
    # First J without the object in every draw, then J and Q with it in every cluster. Where no label is missing one Q
    # serves all draws; otherwise each has its own.
    own, m = tables.labels[v], d.masses[v]
    wide = tables.seen.shape[1] > 1
    for t in range(d.rows.shape[1]):
        r = d.rows[v, t]
        rest[t] = tables.cells[t]
        if r >= 0 and own >= 0:
            rest[t] -= _rise(tables.counts[own, r] - m, m, d)
    # Every loss that is no sum over clusters depends on all draws at once, so nothing can be kept between visits.
    for j in range(tables.sizes.shape[0]):
        if tables.sizes[j] == 0 and j != fresh:
            continue
        out = m if j == own else m - m
        q, total = tables.lines[0], 0.0
        if not wide:
            q += _rise(tables.seen[j, 0] - out, m, d)
            if own >= 0:
                q -= _rise(tables.seen[own, 0] - m, m, d)
        for t in range(d.rows.shape[1]):
            r = d.rows[v, t]
            if r >= 0:
                if wide:
                    q = tables.lines[t] + _rise(tables.seen[j, t] - out, m, d)
                    if own >= 0:
                        q -= _rise(tables.seen[own, t] - m, m, d)
                joint = rest[t] + _rise(tables.counts[j, r] - out, m, d)
                total += d.weights[t] * _quotient(
                    loss, tables.parts[t], q, joint, tables.totals[t], _value(tables.totals[t], d)
                )
        tables.costs[v, j] = total


@kernel
def _know(d: Any, tables: Any, v: int, mass: Any) -> None:
    """Count an object among those that have a slot or, with negative mass, no longer."""
    for t in range(d.rows.shape[1]):
        r = d.rows[v, t]
        if r >= 0:
            tables.parts[t] += _rise(tables.known[r], mass, d)
            tables.known[r] += mass
            tables.totals[t] += mass


@kernel
def _move(d: Any, tables: Any, loss: int, v: int, j: int, mass: Any) -> None:
    """Put an object into a slot or, with negative mass, take it out, and bring all sums up to date."""
    m = abs(mass)
    sign, before = (1.0, 0) if mass > 0 else (-1.0, m)
    if loss != ADDITIVE:
        for t in range(d.rows.shape[1]):
            r = d.rows[v, t]
            if r >= 0:
                tables.cells[t] += sign * _rise(tables.counts[j, r] - before, m, d)
                if tables.lines.shape[0] > 1:
                    tables.lines[t] += sign * _rise(tables.seen[j, t] - before, m, d)
        if tables.lines.shape[0] == 1:
            tables.lines[0] += sign * _rise(tables.seen[j, 0] - before, m, d)
    _shift(d, tables, v, j, mass)
    tables.sizes[j] += 1 if mass > 0 else -1
    for i in range(d.pairs.shape[0]):
        tables.costs[i, j] += sign * d.pairs[i, v]
    tables.versions[j] += 1
    tables.stamps[v, j] = tables.versions[j]  # the cluster without the object is what it was


@kernel(
    work=lambda d, tables, order, *_: 4 * (order.size + 1) * (d.rows.shape[1] * tables.sizes.size + d.pairs.shape[0])
)
def allocate(
    d: Any, tables: Any, order: Any, begin: int, loss: int, b: float, least: int, most: int
) -> tuple[int, int]:
    """Place objects one after another where the loss grows least; return the number of moves and the next place.

    Between `least` and `most` clusters are kept; it ends early where a new cluster has no slot.
    """
    used = 0
    for j in range(tables.sizes.shape[0]):
        used += 1 if tables.sizes[j] > 0 else 0
    rest = np.empty(d.rows.shape[1])
    moves = 0
    for place in range(begin, order.shape[0]):
        v = order[place]
        own = tables.labels[v]
        single = own >= 0 and tables.sizes[own] == 1
        if single and used <= least:
            continue
        # The slot of a cluster of its own: where it is, if it is alone, else the first empty one. If all slots are
        # taken the caller widens the tables and goes on at this place.
        fresh = own if single else -1
        if not single and used < most:
            for j in range(tables.sizes.shape[0]):
                if tables.sizes[j] == 0:
                    fresh = j
                    break
            if fresh < 0:
                return moves, place
        if loss != ADDITIVE:
            if own < 0:
                _know(d, tables, v, d.masses[v])
            _compare(d, tables, loss, v, rest, fresh)
        else:
            if d.pairs.shape[0] == 0:
                _refresh(d, tables, b, v)
            if fresh >= 0:
                tables.costs[v, fresh] = d.alone[v]
        best = own
        for j in range(tables.sizes.shape[0]):
            there = j != own and (tables.sizes[j] > 0 or j == fresh)
            if there and (best < 0 or tables.costs[v, j] < tables.costs[v, best] - _TIE):
                best = j
        # What does not clearly gain stays, so that a sweep without moves ends the search.
        if best == own:
            continue
        if own >= 0:
            _move(d, tables, loss, v, own, -d.masses[v])
            used -= 1 if tables.sizes[own] == 0 else 0
        used += 1 if tables.sizes[best] == 0 else 0
        _move(d, tables, loss, v, best, d.masses[v])
        tables.labels[v] = best
        moves += 1
    return moves, order.shape[0]


@kernel(work=lambda d, tables, members, loss: 4 * members.size * d.rows.shape[1])
def release(d: Any, tables: Any, members: Any, loss: int) -> None:
    """Take objects out of their clusters."""
    for v in members:
        _move(d, tables, loss, v, tables.labels[v], -d.masses[v])
        tables.labels[v] = -1
        if loss != ADDITIVE:
            _know(d, tables, v, -d.masses[v])


@kernel(work=lambda d, tables, *_: 4 * d.rows.shape[0] * (d.rows.shape[1] * tables.sizes.size + d.pairs.shape[0]))
def part(d: Any, tables: Any, loss: int, b: float, fresh: int) -> None:
    """Give the object whose departure costs least an empty slot of its own."""
    rest = np.empty(d.rows.shape[1])
    best, value = -1, 0.0
    for v in range(tables.labels.shape[0]):
        own = tables.labels[v]
        if tables.sizes[own] > 1:
            if loss != ADDITIVE:
                _compare(d, tables, loss, v, rest, fresh)
            else:
                if d.pairs.shape[0] == 0:
                    _refresh(d, tables, b, v)
                tables.costs[v, fresh] = d.alone[v]
            # What it would cost alone, less what it costs where it is.
            rise = tables.costs[v, fresh] - tables.costs[v, own]
            if best < 0 or rise < value - _TIE:
                best, value = v, rise
    if best >= 0:
        _move(d, tables, loss, best, tables.labels[best], -d.masses[best])
        _move(d, tables, loss, best, fresh, d.masses[best])
        tables.labels[best] = fresh
