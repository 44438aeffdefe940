"""Pairs of objects that must be together or apart: the smallest change of a result that satisfies all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import breadth_first_order, connected_components

from .._lib.arrays import AnyArray, FloatArray, IntArray, as_list
from .._lib.frames import unframed
from .._lib.memory import require
from ..errors import DegenerateWarning, InputError, did_you_mean, quote, warn
from ..graphs.affinity import Affinity, affinity_of
from ..labels.names import Names
from ..measures.agreement import score
from .consensus import Consensus, View

Pairs: TypeAlias = Iterable[Sequence[Any]]

_SCALE = 1e3  # of the largest loss: the solver tells differences of 1e-6 apart
_MOVE = 1e-4  # what a move counts by itself, on that scale: of equal losses the one with the fewest moves,
_EARLIER = 1e-5  # and of these the one in which later objects move
_NODES = 300  # of the solver's search; a limit of time would give another answer on another machine
_IMPOSSIBLE = 2  # the solver's word for it
_CROWD = 60  # groups among which the smallest contradiction is looked for
_SHOWN = 5


class Placement(NamedTuple):
    """A cluster for every group of objects, and whether this is the optimum."""

    clusters: IntArray
    exact: bool


@dataclass(frozen=True, eq=False)
class Constraints:
    """Pairs of objects that must be together or apart."""

    names: Names  #: names of all objects
    must: IntArray  #: positions of the two objects of each pair, m × 2
    cannot: IntArray
    group: IntArray  #: the group of every object; objects of one group must be together, directly or through others

    @classmethod
    def of(cls, names: Names, must_link: Pairs | None, cannot_link: Pairs | None) -> Constraints:
        """Find the objects of all pairs; if pairs contradict each other, the error names the chain."""
        must = _positions(names, must_link, "must_link")
        cannot = _positions(names, cannot_link, "cannot_link")
        links = _ones(must[:, 0], must[:, 1], (len(names), len(names)))
        group = connected_components(links, directed=False)[1]
        torn = np.flatnonzero(group[cannot[:, 0]] == group[cannot[:, 1]])
        if torn.size:
            one, other = cannot[torn[0]]
            raise InputError(contradiction(names, links, int(one), int(other)))
        return cls(names, must, cannot, group)

    def hold(self, r: Consensus) -> Consensus:
        """Return the result in which every pair is satisfied, with as few other changes as possible."""
        objects = np.unique(np.concatenate([self.must.ravel(), self.cannot.ravel()]))
        somewhere = np.isin(self.group, self.group[r.labels >= 0])  # a group without any evidence stays in no cluster
        objects = objects[somewhere[objects]]
        groups, of = np.unique(self.group[objects], return_inverse=True)
        pairs = np.searchsorted(groups, self.group[self.cannot[somewhere[self.cannot].all(axis=1)]])
        pairs = np.unique(np.sort(pairs, axis=1), axis=0)
        losses, moves = losses_of(r, objects, of, len(groups))
        held = np.delete(r.labels, objects)
        fragile = np.setdiff1d(np.arange(r.k), held)
        found = least_loss(losses, moves, pairs, fragile)
        if found is None:
            members = [self.names[int(objects[of.tolist().index(g)])] for g in crowd(pairs, len(groups), r.k)]
            shown = ", ".join(map(str, members[:20])) + (", …" if len(members) > 20 else "")
            raise InputError(
                f"{r.k} cluster{'s are' if r.k != 1 else ' is'} too few for cannot_link: its pairs among {shown} need "
                "more. Request more clusters with k, or leave one of these pairs out."
            )
        labels = np.array(r.labels)
        labels[objects] = found.clusters[of]
        loss = float(losses[np.arange(len(groups)), found.clusters].sum())
        return self._change(r, labels, {"loss": loss, "exact": found.exact})

    def _change(self, r: Consensus, labels: AnyArray, figures: dict[str, Any]) -> Consensus:
        """The result with other labels; clusters keep their numbers, and empty ones are dropped."""
        kept = np.unique(labels[labels >= 0])
        number = np.full(r.k + 1, -1, dtype=np.int32)  # the last place serves −1
        number[kept] = np.arange(len(kept))
        moved = np.flatnonzero(labels != r.labels)
        away = tuple((self.names[int(i)], int(number[r.labels[i]]), int(number[labels[i]])) for i in moved)
        labels, e, k = number[labels], r.ensemble, len(kept)

        def relabel(view: View) -> View:
            of_vertices, own = number[view.vertex_labels], moved[view.vertices[moved] >= 0]
            of_vertices[view.vertices[own]] = labels[own]
            return view._replace(vertex_labels=of_vertices)

        if k < r.k:
            warn(
                f"{r.k} clusters became {k}: all objects of the other clusters moved to satisfy must_link.",
                DegenerateWarning,
            )
        return r._replace(
            labels=labels,
            k=k,
            score=score(labels, e),
            why=" ".join(filter(None, [r.why, self._sentence(away)])),
            options={**r.options, **self._pairs()},
            _details={**r._details, "constraints": {"moved": away, **figures}},
            _own=None if r._own is None else r._own[:, kept],
            _called=tuple(r._called[c] for c in kept) if r._called else (),
            _evidence=Affinity(e, labels, k),
            _view=r._view.then(relabel),
        )

    def _pairs(self) -> dict[str, tuple[tuple[Any, Any], ...]]:
        """The pairs by the names of their objects."""
        given = {"must_link": self.must, "cannot_link": self.cannot}
        return {key: tuple((self.names[int(a)], self.names[int(b)]) for a, b in pairs) for key, pairs in given.items()}

    def _sentence(self, moved: tuple[tuple[Any, int, int], ...]) -> str:
        """What changed, in words."""
        kinds = ((len(self.must), "must-link"), (len(self.cannot), "cannot-link"))
        what = " and ".join(f"{size} {kind}{'s' * (size != 1)}" for size, kind in kinds if size)
        if not moved:
            return f"{what} held already." if what else ""
        shown = [f"{name} ({old if old >= 0 else 'none'} → {new})" for name, old, new in moved[:_SHOWN]]
        more = f" and {len(moved) - _SHOWN} more" if len(moved) > _SHOWN else ""
        return f"{len(moved)} object{'s' * (len(moved) != 1)} moved to satisfy {what}: {', '.join(shown)}{more}."


def constrain(r: Consensus, must_link: Pairs | None, cannot_link: Pairs | None) -> Consensus:
    """Return the result that satisfies further pairs in addition to earlier ones; see `Consensus.constrained`."""
    if affinity_of(r).counted is not None:
        raise InputError(
            "This consensus holds a sample of the objects, and constraints need all of them; expected a consensus of "
            "labels in memory. Read the labels into memory and use graphens.consensus."
        )
    must = [*r.options.get("must_link", ()), *_list(must_link, "must_link")]
    cannot = [*r.options.get("cannot_link", ()), *_list(cannot_link, "cannot_link")]
    return Constraints.of(r.ensemble.vertex_names(), must, cannot).hold(r)


# names --------------------------------------------------------------------------------------------------------


def _list(pairs: Any, parameter: str) -> list[Any]:
    """Pairs one by one, from a list, an array, or a frame with two columns."""
    pairs = unframed(pairs)
    if pairs is None:
        return []
    return as_list(
        parameter, pairs.tolist() if hasattr(pairs, "tolist") else pairs, "a list of pairs of objects' names"
    )


def _positions(names: Names, given: Pairs | None, parameter: str) -> IntArray:
    """Positions of the objects of pairs, m × 2."""
    pairs = _list(given, parameter)
    for pair in pairs:
        if isinstance(pair, (str, bytes)) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise InputError(
                f"{parameter} has {quote(pair)}; expected pairs of objects' names, such as "
                f"[({names[0]!r}, {names[-1]!r})]."
            )
    wanted = [name for pair in pairs for name in pair]
    try:
        places = names.places(wanted) if wanted else []
    except TypeError as error:
        raise InputError(f"{parameter} has something that is not a name ({error}); expected names.") from None
    if None in places and not any(type(name) is int for name in names):  # no name is a number
        count = set(range(len(names)))
        places = [
            int(name) if place is None and isinstance(name, (int, np.integer)) and name in count else place
            for name, place in zip(wanted, places, strict=True)
        ]
    times = Counter() if names.numbered else Counter(names)
    for name, place in zip(wanted, places, strict=True):
        if place is None or times[names[place]] > 1:
            wrong = "no object has that name" if place is None else "several objects have that name"
            hint = did_you_mean(str(name), names.texts()) if place is None else ""
            raise InputError(
                f"{parameter} has {quote(name)}, but {wrong}; expected the name of one object, such as "
                f"{names[0]!r}.{hint}"
            )
    return np.array(places, dtype=np.int64).reshape(-1, 2)


def contradiction(names: Names, links: sparse.csr_array, one: int, other: int) -> str:
    """The error for two objects that cannot be apart, with the shortest chain of pairs that links them."""
    if one == other:
        return (
            f"cannot_link has {names[one]!r} twice in one pair, but an object cannot be apart from itself. Remove "
            "this pair."
        )
    before = breadth_first_order(links, one, directed=False)[1]
    chain = [other]
    while chain[-1] != one:
        chain.append(int(before[chain[-1]]))
    said = " – ".join(str(names[i]) for i in reversed(chain))
    return (
        f"cannot_link has ({names[one]!r}, {names[other]!r}), but must_link ties these two together: {said}. "
        "Leave one of these pairs out."
    )


# the least loss -----------------------------------------------------------------------------------------------


def losses_of(r: Consensus, objects: IntArray, of: IntArray, size: int) -> tuple[FloatArray, FloatArray]:
    """The loss of every group in every cluster, Σ w_i (m(i, own) − m(i, C)), and how many of its objects would move.

    A group that is already together loses nothing where it is and gains nothing elsewhere, so it moves only if it must.
    """
    affinity, weights, own = affinity_of(r), r.ensemble.object_weights[objects], r.labels[objects]
    require(
        32.0 * size * r.k,
        f"The losses of {size} groups in {r.k} clusters",
        "Give fewer pairs, or request fewer clusters",
    )
    losses, inside = np.zeros((size, r.k)), np.zeros((size, r.k))
    for some in affinity.blocks(np.arange(len(objects))):
        means = affinity.others(objects[some])
        stay = np.where(own[some] >= 0, means[np.arange(len(some)), own[some]], 0.0)
        np.add.at(losses, of[some], weights[some, None] * (stay[:, None] - means))
    there = own >= 0
    np.add.at(inside, (of[there], own[there]), 1.0)
    together = np.flatnonzero((inside > 0).sum(axis=1) == 1)
    here = losses[together, inside[together].argmax(axis=1)]
    losses[together] = np.maximum(losses[together] - here[:, None], 0.0)
    return losses, inside.sum(axis=1, keepdims=True) - inside


def least_loss(losses: FloatArray, moves: FloatArray, pairs: IntArray, fragile: IntArray) -> Placement | None:
    """Place all groups where they lose least, with those of a pair in different clusters; None if that is impossible.

    Groups without pairs go where they lose least. The others are placed by an integer program. As many clusters as
    possible keep an object; `fragile` clusters may lose all of theirs.
    """
    if not losses.size:
        return Placement(np.empty(0, dtype=np.int64), exact=True)
    price = _MOVE + _EARLIER * np.linspace(1, 0, len(moves))[:, None]
    cost = losses * (_SCALE / max(np.abs(losses).max(), 1e-300)) + price * moves
    near, exact = cost.argmin(axis=1), True
    clash = near[pairs[:, 0]] == near[pairs[:, 1]]
    if clash.any():
        between = _ones(pairs[:, 0], pairs[:, 1], (len(cost), len(cost)))
        component = connected_components(between, directed=False)[1]
        some = np.isin(component, component[pairs[clash, 0]])
        found = _program(cost[some], (np.cumsum(some) - 1)[pairs[some[pairs[:, 0]]]])
        if found is None:
            return None
        near[some], exact = found
    if np.isin(fragile, near).all():
        return Placement(near, exact)
    return _program(cost, pairs, fragile)


def _program(cost: FloatArray, pairs: IntArray, wanted: Sequence[int] | IntArray = ()) -> Placement | None:
    """Solve min Σ cost[g, x_g] with x_g ≠ x_h for every pair, with as many `wanted` clusters as possible in use.

    A group with d pairs needs only its d + 1 cheapest clusters, because one of these is always free.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    degree, wanted = np.bincount(pairs.ravel(), minlength=len(cost)), np.asarray(wanted, dtype=np.int64)
    offered = cost.argsort(axis=1, kind="stable").argsort(axis=1) <= degree[:, None]
    offered[:, wanted] = True
    rules, size = [LinearConstraint(*rule) for rule in _rules(offered, pairs, wanted)], int(offered.sum())
    used = np.repeat([0.0, 1.0], [size, len(wanted)])
    price = np.append(cost[offered], np.zeros(len(wanted)))
    asked: dict[str, Any] = {
        "integrality": np.ones(len(used)),
        "bounds": Bounds(0, 1),
        "options": {"mip_rel_gap": 0.0, "node_limit": _NODES},
    }
    most = milp(-used, constraints=rules, **asked) if len(wanted) else None
    if most is not None and most.x is not None:
        rules.append(LinearConstraint(used, np.rint(-most.fun), np.inf))
    answer = milp(price, constraints=rules, **asked)
    if answer.x is None and answer.status != _IMPOSSIBLE:
        raise InputError(
            f"Whether {cost.shape[1]} clusters can satisfy the {len(pairs)} pairs of cannot_link could not be decided; "
            "give fewer of them, or request more clusters."
        )
    if answer.x is None:
        return None
    return Placement(np.nonzero(offered)[1][answer.x[:size] > 0.5], answer.status == 0)


def _rules(offered: AnyArray, pairs: IntArray, wanted: IntArray) -> Iterator[tuple[sparse.csr_array, float, float]]:
    """Constraints of the program with their bounds; variables are the offered cells, then the wanted clusters.

    Every group is in one cluster, the groups of a pair are in different clusters, and a wanted cluster counts as used
    only if a group is in it.
    """
    number = np.cumsum(offered).reshape(offered.shape) - 1
    group, cluster = np.nonzero(offered)
    size, width = len(group), len(group) + len(wanted)
    yield _ones(group, np.arange(size), (len(offered), width)), 1.0, 1.0
    pair, both = np.nonzero(offered[pairs[:, 0]] & offered[pairs[:, 1]])
    if len(pair):
        cells = np.concatenate([number[pairs[pair, 0], both], number[pairs[pair, 1], both]])
        yield _ones(np.tile(np.arange(len(pair)), 2), cells, (len(pair), width)), -np.inf, 1.0
    if len(wanted):
        inside, each = np.flatnonzero(np.isin(cluster, wanted)), np.arange(len(wanted))
        filled = _ones(np.searchsorted(wanted, cluster[inside]), inside, (len(wanted), width))
        yield filled - _ones(each, size + each, (len(wanted), width)), 0.0, np.inf


def _ones(rows: AnyArray, columns: AnyArray, shape: tuple[int, int]) -> sparse.csr_array:
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


def crowd(pairs: IntArray, size: int, k: int) -> IntArray:
    """Groups that k clusters cannot keep apart; a minimal set if there are not too many."""
    left = np.ones(size, dtype=bool)
    while True:  # a group with fewer than k others to be apart from always finds a cluster
        inside = pairs[left[pairs].all(axis=1)]
        crowded = left & (np.bincount(inside.ravel(), minlength=size) >= k)
        if (crowded == left).all():
            break
        left = crowded
    for g in np.flatnonzero(left) if left.sum() <= _CROWD else ():
        left[g] = False
        inside = (np.cumsum(left) - 1)[pairs[left[pairs].all(axis=1)]]
        left[g] = not left.any() or _program(np.zeros((int(left.sum()), k)), inside) is not None
    return np.flatnonzero(left)
