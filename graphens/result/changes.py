"""`Consensus.update`: the same call on an extended ensemble, with clusters numbered as before, and what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray, freeze
from .._lib.frames import take_rows
from ..errors import InputError, collect_warnings, quote
from ..graphs.affinity import affinity_of
from ..labels.ensemble import Ensemble
from ..labels.names import Names
from ..labels.value import Viewable
from ..measures.agreement import best_pairs
from .consensus import Consensus
from .explanation import read_rows

_SHOWN = 5  # objects in the text


class ClusterChange(NamedTuple):
    """What happened to one cluster: its old and new number, its sizes, and a description.

    `now` is −1 for a cluster that is gone; `before` is −1 for a new cluster.
    """

    now: int
    before: int
    size: int
    size_before: int
    what: str


@dataclass(frozen=True, eq=False, repr=False)
class Changes(Viewable):
    """What an update changed.

    Attributes
    ----------
    added, dropped
        Names of the partitions that were added and removed.
    n_objects, n_left, n_new, n_relabeled
        Number of objects in both results, of objects that were removed, of objects that were added, and of objects
        that have other labels than before in the partitions of both.
    methods
        The method before and now, which may differ if it was chosen automatically.
    moved
        Names of the objects that are now in a different cluster; a cluster that developed from their old one does not
        count as different.
    before, now
        The old and the new cluster of each of these objects, −1 for none.
    with_before, with_now
        The mean co-association of each object with the successor of its old cluster (NaN if there is none), and with
        its new cluster.
    by
        For each object, the new partitions that put it together with most of its new cluster.
    clusters
        What happened to every cluster.
    names, names_before
        Names of the clusters, by new number and by old number.
    """

    added: tuple[str, ...]
    dropped: tuple[str, ...]
    n_objects: int
    n_left: int
    n_new: int
    n_relabeled: int
    methods: tuple[str, str]
    moved: Names
    before: LabelArray
    now: LabelArray
    with_before: FloatArray
    with_now: FloatArray
    by: tuple[tuple[str, ...], ...]
    clusters: tuple[ClusterChange, ...]
    names: tuple[str, ...]
    names_before: tuple[str, ...]

    @staticmethod
    def _clusters(r: Consensus, found: Consensus, shared: AnyArray, became: IntArray) -> tuple[ClusterChange, ...]:
        """What happened to the clusters: which new cluster has most of an old one, and the other way around."""
        old, new, continues = r.cluster_names, found.cluster_names, _inverse(became, found.k)
        into, of = shared > shared.sum(axis=1, keepdims=True) / 2, shared > shared.sum(axis=0) / 2
        sizes, before = found.sizes().tolist(), shared.sum(axis=1).tolist()

        def describe(c: int, o: int) -> str:
            merged, parent = np.flatnonzero(into[:, c]), np.flatnonzero(of[:, c])
            if len(merged) > 1:
                return f"{' and '.join(old[i] for i in merged)} merged into {new[c]}"
            if parent.size and parent[0] != o:
                return f"{new[c]} split off from {old[parent[0]]}"
            if o < 0:
                return f"{new[c]} is new"
            return "kept" if old[o] == new[c] else f"{old[o]} is now called {new[c]}"

        pairs = enumerate(continues)
        rows = [ClusterChange(c, o, sizes[c], before[o] if o >= 0 else 0, describe(c, o)) for c, o in pairs]
        gone = [o for o in range(r.k) if became[o] < 0]
        return (*rows, *(ClusterChange(MISSING, o, 0, before[o], f"{old[o]} is gone") for o in gone))

    @staticmethod
    def _reasons(found: Consensus, moved: IntArray, past: IntArray, added: IntArray) -> dict[str, Any]:
        """How often moved objects are with their new and their old cluster, and which partitions moved them."""
        near, e = affinity_of(found), found.ensemble
        means = near.others(moved) if moved.size else np.zeros((0, found.k))
        rows, now = np.arange(len(moved)), found.labels[moved]
        shared = near.counts.shared
        by: list[tuple[str, ...]] = [() for _ in rows]
        for t in added if found.k else ():
            votes = shared[e.offsets[t] : e.offsets[t + 1]].toarray().argmax(axis=1)
            there = e.codes[t, moved] != e.absent
            pulled = there & (np.append(votes, MISSING)[np.where(there, e.codes[t, moved], len(votes))] == now)
            for i in np.flatnonzero(pulled):
                by[i] = (*by[i], e.partition_names[t])
        return {
            "with_before": np.where(past >= 0, means[rows, past], np.nan) if moved.size else np.zeros(0),
            "with_now": np.where(now >= 0, means[rows, now], np.nan) if moved.size else np.zeros(0),
            "by": tuple(by),
        }

    def columns(self) -> dict[str, list[Any]]:
        """Return the objects that moved as columns, with the reason in words."""
        return {
            "before": self.before.tolist(),
            "now": self.now.tolist(),
            "with_before": self.with_before.round(6).tolist(),
            "with_now": self.with_now.round(6).tolist(),
            "why": [self._why(i) for i in range(len(self.moved))],
        }

    def to_frame(self) -> Any:
        """Return a frame with a row for each object that moved: old cluster, new cluster, and why."""
        from ..export.frames import named_frame

        return named_frame(self.columns(), self.moved)

    @property
    def table(self) -> Any:
        """What happened to every cluster, as a frame."""
        from ..export.frames import frame

        columns = {name: [row[i] for row in self.clusters] for i, name in enumerate(ClusterChange._fields)}
        return frame(columns, self.moved.backend)

    def _why(self, i: int) -> str:
        if self.now[i] < 0:
            return "no partition links it to a cluster"
        if self.by[i]:
            return f"{', '.join(self.by[i])} put{'s' * (len(self.by[i]) == 1)} it there"
        if not np.isfinite(self.with_before[i]):
            return "its cluster is gone" if self.before[i] >= 0 else "it was in no cluster"
        if self.with_now[i] >= self.with_before[i]:
            return "it is more often together with its new cluster"
        return "the clusters around it changed"

    def __repr__(self) -> str:
        count = len(self.moved)
        came = [f"{len(names)} partition{'s' * (len(names) > 1)} {what}" for names, what in (
            (self.added, "added"), (self.dropped, "removed")) if names]  # fmt: skip
        left = [f"{number} object{'s' * (number > 1)} {what}" for number, what in (
            (self.n_new, "added"), (self.n_relabeled, "relabeled"), (self.n_left, "removed")) if number]  # fmt: skip
        share = f"{count} of {self.n_objects} objects moved" if count else "no object moved"
        lines = [f"Changes: {', '.join([*came, *left]) or 'nothing added'}; {share}"]
        if count:
            shown = [
                f"{name} ({(*self.names_before, 'none')[a]} → {(*self.names, 'none')[b]})"
                for name, a, b in zip(self.moved, self.before.tolist(), self.now.tolist(), strict=True)
            ]
            more = f" and {count - _SHOWN} more" if count > _SHOWN else ""
            lines.append(f"  moved       {', '.join(shown[:_SHOWN])}{more}")
            pulled, one = sum(map(bool, self.by)), len(self.added) == 1
            if pulled:
                source = f"{self.added[0]} puts" if one else "one of the new partitions puts"
                some = f"all {count}" if pulled == count else f"{pulled} of the {count}"
                lines.append(f"  why         {source} {f'{some} into their new clusters' if count > 1 else 'it there'}")
        if self.methods[0] != self.methods[1]:
            lines.append(f"  method      {self.methods[0]} before, {self.methods[1]} now")
        told = [row.what for row in self.clusters if row.what != "kept"]
        lines.append(f"  clusters    {'; '.join(told) or f'{len(self.names)} as before'}")
        return "\n".join(lines)


def update(
    r: Consensus,
    partitions: Any = None,
    *,
    objects: Any = None,
    weights: ArrayLike | None = None,
    drop: str | Sequence[str] = (),
    without: Iterable[Any] = (),
) -> Consensus:
    """Return the same call on the grown ensemble; see `Consensus.update`."""
    kept, there = r.ensemble._without(drop, without)
    if not there.any() or (partitions is None and not kept.any()):
        raise InputError(f"This would remove all {'partitions' if there.any() else 'objects'}; keep at least one.")
    stay, e = np.flatnonzero(there), r.ensemble
    if partitions is None:
        e = e.take(partitions=kept)
    elif kept.any():  # a new partition may have the name of one that leaves
        e = e.take(partitions=kept).append(partitions, weights=weights)
    else:
        e = e.append(partitions, weights=weights).take(partitions=slice(len(kept), None))
    e = e.take(objects=there)
    e, n_relabeled = (e, 0) if objects is None else _with_objects(e, objects)
    old, added = r.labels[stay], np.arange(kept.sum(), e.n_partitions)
    found = _again(r, e, stay)
    now = found.labels[: len(stay)]
    both = (old >= 0) & (now >= 0)
    shared = np.zeros((r.k, found.k), dtype=np.int64)
    np.add.at(shared, (old[both], now[both]), 1)
    order, became = _numbered(shared)
    found, shared = found._renumbered(order), shared[:, order]
    names = [None if o < 0 else r._called[o] for o in _inverse(became, found.k)] if r._called else []
    found = found._replace(_called=tuple(names))
    moved = np.flatnonzero(found.labels[: len(stay)] != np.append(became, MISSING)[old])
    leaving = tuple(name for name, stays in zip(r.ensemble.partition_names, kept, strict=True) if not stays)
    changes = Changes(
        added=tuple(e.partition_names[t] for t in added),
        dropped=leaving,
        n_objects=len(stay),
        n_left=len(there) - len(stay),
        n_new=e.n_objects - len(stay),
        n_relabeled=n_relabeled,
        methods=(r.method, found.method),
        moved=e.vertex_names().take(moved),
        before=old[moved],
        now=found.labels[moved],
        clusters=Changes._clusters(r, found, shared, became),
        names=found.cluster_names,
        names_before=r.cluster_names,
        **Changes._reasons(found, moved, np.append(became, MISSING)[old[moved]], added),
    )
    return found._replace(changes=changes)


def _with_objects(e: Ensemble, rows: Any) -> tuple[Ensemble, int]:
    """The ensemble with more objects, and the number of those it already had whose labels are others now.

    A label that no other object has makes a new cluster of its partition.
    """
    new, source = read_rows(e, rows)
    names, more = e.vertex_names(), new.vertex_names()
    counted, counts = (not any(isinstance(part, np.ndarray) for part in one.parts) for one in (names, more))
    if e.memberships is not None or counted != counts:
        raise InputError(
            "Objects cannot be added to an ensemble of memberships; call the method again on all objects."
            if e.memberships is not None
            else f"The new objects have {'no ' * counts}names, unlike those of the ensemble; "
            "expected names on both sides, or on none; set the index of the frame (on the command line: name the "
            "column with --id)."
        )
    places = [None] * new.n_objects if counted else names.places(more)
    fresh = np.array([place is None for place in places], dtype=bool)
    at = np.array([place or 0 for place in places], dtype=np.int64)
    n = e.n_objects + int(fresh.sum())
    at[fresh] = np.arange(e.n_objects, n)
    if counted:  # default names go on counting
        (part,) = names.parts
        numbers = part[1] if isinstance(part, tuple) else part
        first, count = 1 + int(np.max(numbers)), len(numbers) + new.n_objects
        after = range(count) if first == len(numbers) else np.append(numbers, np.arange(first, first + new.n_objects))
        parts: Any = ((part[0], after) if isinstance(part, tuple) else after,)
    else:
        if not fresh.all():
            _check_unique(names, more)
        parts = (*names.parts, *more.take(fresh).parts)
    columns, relabeled = [], np.zeros(n, dtype=bool)
    for t in range(e.n_partitions):
        same = {str(label): label for label in e.categories[t].tolist()}
        labels = np.full(n, None)
        for ensemble, s, rows_of in ((e, t, np.arange(e.n_objects)), (new, source.get(t), at)):
            if s is not None:
                values = [same.get(str(label), label) for label in ensemble.categories[s].tolist()]
                labels_of = np.array([*values, None], dtype=object)[np.minimum(ensemble.codes[s], len(values))]
                relabeled[rows_of] |= labels[rows_of] != labels_of if ensemble is new else False
                labels[rows_of] = labels_of
        columns.append(labels)
    with collect_warnings():  # the same doubts as before
        whole = Ensemble.from_partitions(columns, weights=e.weights, partition_names=e.partition_names)
    weights = np.append(e.object_weights, new.object_weights[fresh])
    joined = Names(*parts, title=names.title, backend=names.backend)
    return whole._replace(object_weights=freeze(weights), _names=joined), int(relabeled[: e.n_objects].sum())


def _check_unique(*several: Names) -> None:
    """Refuse names that occur several times where rows replace those with the same name."""
    for names in several:
        name, times = Counter(names.texts()).most_common(1)[0]
        if times > 1:
            raise InputError(
                f"{times} objects have the name {quote(name)}; expected different names, because objects that are in "
                "the consensus already get the labels of the row with their name. Rename them, or add only new objects."
            )


def _again(r: Consensus, e: Ensemble, stay: IntArray) -> Consensus:
    """Repeat the call that made a result on another ensemble; arguments per object are cut to the remaining objects."""
    if not r._call:
        raise InputError(
            f"This consensus by {r.method} does not record the call that made it; expected one made by a method of "
            "graphens.methods() or by graphens.consensus. Call the method again on the extended ensemble."
        )
    there = set(e.vertex_names())
    pairs = {
        name: [pair for pair in r.options[name] if there.issuperset(pair)]
        for name in ("must_link", "cannot_link")
        if name in r.options
    }
    call = {**r._call, **pairs}
    other = len(stay) < len(r.labels) or e.n_objects > len(stay)
    for name, value in call.items() if other else ():
        if getattr(value, "shape", ())[:1] == r.labels.shape:
            if e.n_objects > len(stay):
                raise InputError(
                    f"Objects cannot be added to a consensus whose call has {name} for each object; call the method "
                    "again on all objects."
                )
            call[name] = take_rows(value, stay)
    from ..choose.auto import consensus  # on use: a result comes before the call that made it

    if r.network is None:
        return consensus(e, **call)
    if other:
        raise InputError(
            "Objects cannot be added to or removed from the communities of a network; call communities() on the other "
            "network instead."
        )
    from ..networks.detection import describe

    return describe(consensus(e, **call), e, r._network_graph(), r.network)


def _numbered(shared: AnyArray) -> tuple[IntArray, IntArray]:
    """Match new clusters to old ones one to one: the order of the new clusters, and the new number of each old one.

    A cluster keeps the number of the old one that it continues, unless it is out of range; others get free numbers.
    """
    k = shared.shape[1]
    pairs = list(zip(*best_pairs(shared), strict=True))
    number = np.full(k, MISSING)
    for o, c in pairs:
        number[c] = o if o < k else MISSING
    free = iter(sorted(set(range(k)) - set(number.tolist())))
    continued = [c for o, c in pairs if o >= k]
    for c in [*continued, *(c for c in range(k) if number[c] < 0 and c not in continued)]:
        number[c] = next(free)
    became = np.full(shared.shape[0], MISSING)
    for o, c in pairs:
        became[o] = number[c]
    return np.argsort(number), became


def _inverse(became: IntArray, k: int) -> list[int]:
    """For each new cluster the old one that it continues, −1 for none."""
    origin = {int(c): o for o, c in enumerate(became.tolist()) if c >= 0}
    return [origin.get(c, MISSING) for c in range(k)]
