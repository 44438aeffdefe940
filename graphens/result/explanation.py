"""Why an object is in its cluster, and to which clusters new objects belong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray, as_int, divide, percent
from .._lib.frames import as_frame
from ..errors import InputError, collect_warnings, did_you_mean, quote, warn
from ..graphs.affinity import affinity_of
from ..graphs.bipartite import bipartite
from ..graphs.coassociation import coassociation
from ..graphs.doubts import doubts
from ..graphs.graph import Graph
from ..labels.ensemble import Ensemble
from ..labels.names import Names
from ..labels.value import Viewable
from .consensus import Consensus, shown_sizes

if TYPE_CHECKING:
    from ..plot.choosing import ExplanationDisplay

_SHOWN = 5  # companions
_STRANGE = 10  # labels of a column; if none of this many is known, it is no accident
_SOLID = 0.95  # cohesion from which nothing speaks for another cluster, not even a part of its own


class Vote(NamedTuple):
    """What one partition says about an object.

    `label` is the object's label there (None if the partition says nothing because the object is absent or all objects
    have the same label), `cluster` is the consensus cluster of most other objects with that label (−1 if there is
    none), and `share` is the share of them in the object's own cluster.
    """

    partition: str
    label: Any
    cluster: int
    share: float


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Viewable):
    """Why an object is in its cluster.

    Attributes
    ----------
    name, cluster, confidence
        The object, its cluster and the confidence of the assignment.
    votes
        One per partition.
    rival
        The next best cluster, −1 if there is no evidence for another cluster.
    margin
        Mean co-association with the other objects in its own cluster minus that with the rival.
    deciding
        Names of the partitions whose removal, one at a time, would make another cluster the closest one (or its own, if
        another cluster is already closer).
    companions
        The objects that are most often together with it, and how often.
    graph
        The bipartite graph of the object, its companions and their clusters.
    doubts
        Sentences about partitions without information.
    cluster_names
        Names of the clusters; empty if they have no names.
    cohesion
        Mean co-association with the other objects in its own cluster.
    split
        Whether the partitions split that cluster, in a sentence; empty if most of them do not.
    """

    name: Any
    cluster: int
    confidence: float
    votes: tuple[Vote, ...]
    rival: int
    margin: float
    deciding: tuple[str, ...]
    companions: tuple[tuple[Any, float], ...]
    graph: Graph
    doubts: tuple[str, ...] = ()
    cluster_names: tuple[str, ...] = ()
    cohesion: float = float("nan")
    split: str = ""

    def columns(self) -> dict[str, list[Any]]:
        """Return the votes as columns; a partition without the object, or with a single cluster, has no vote."""
        said = [v if v.label is not None else (v.partition, None, None, None) for v in self.votes]
        return {field: list(column) for field, column in zip(Vote._fields, zip(*said, strict=True), strict=True)}

    def called(self, cluster: int) -> str:
        """Return the name of a cluster, or its number if it has no name."""
        return self.cluster_names[cluster] if self.cluster_names and cluster >= 0 else str(cluster)

    def plot(self, ax: Any = None, **style: Any) -> ExplanationDisplay:
        """Draw the votes of the partitions; see `graphens.plot.ExplanationDisplay`."""
        from ..plot.choosing import ExplanationDisplay

        return ExplanationDisplay(self).plot(ax, **style)

    def __repr__(self) -> str:
        here = [vote for vote in self.votes if vote.label is not None]
        called = self.name if isinstance(self.name, str) else f"Object {self.name}"
        if self.cluster < 0:
            why = "links it to one" if here else "has a label for it"
            return f"{called} is in no cluster: no partition of positive weight {why}."
        own = sum(vote.cluster == self.cluster for vote in here)
        against = [f"{v.partition} ({v.label})" for v in here if v.cluster != self.cluster]
        here_in = self.called(self.cluster)
        lines = [
            f"{called} is in cluster {here_in} (confidence {self.confidence:.2f})",
            f"  votes       {own} of {len(here)} partitions put it with cluster {here_in}",
            f"  against     {_list(against)}",
        ]
        if self.rival >= 0:
            near, far = percent(self.confidence), percent(1 - self.confidence)
            rival = self.called(self.rival)
            lines.append(f"  rival       cluster {rival}: {far} of the evidence, {near} for cluster {here_in}")
        elif self.cohesion >= _SOLID:
            lines.append("  rival       none: there is no evidence for another cluster")
        else:
            lines.append("  rival       none among the clusters of this result")
        often = percent(self.cohesion)
        lines += [
            f"  cohesion    with a member of cluster {here_in} in {often} of the partitions on average",
            *wrap(self.split, 79, initial_indent=" " * 14, subsequent_indent=" " * 14),
            f"  deciding    {_list(self.deciding)}",
            "  companions  " + _list([f"{name} ({percent(share)})" for name, share in self.companions]),
        ]
        for doubt in self.doubts:
            lines += wrap(doubt, 79, initial_indent="  doubt       ", subsequent_indent=" " * 14)
        return "\n".join(lines)


class Reasons(NamedTuple):
    """The evidence for an object's cluster and against it, with objects and partitions by number; see `Explanation`."""

    votes: tuple[Vote, ...]
    rival: int
    margin: float
    deciding: AnyArray
    companions: list[tuple[int, float]]


def explain(r: Consensus, which: Any = None, position: int | None = None) -> Explanation:
    """Explain why an object is in its cluster; see `Consensus.explain`. O(nB + Bk)."""
    e, names = r.ensemble, r.ensemble.vertex_names()
    i = object_position(which, position, names)
    found = reasons(r, i)
    splits, cluster = r._evidence.splits(), int(r.labels[i])
    solid = float(r.cohesion[i]) >= _SOLID
    return Explanation(
        name=names[i],
        cluster=cluster,
        confidence=float(r.confidence[i]),
        votes=found.votes,
        rival=found.rival,
        margin=found.margin,
        deciding=tuple(e.partition_names[t] for t in found.deciding),
        companions=tuple((names[j], share) for j, share in found.companions),
        graph=bipartite(e.take(objects=np.array([i, *(j for j, _ in found.companions)]))),
        doubts=tuple(doubt.sentence for doubt in doubts(e)) if r.network is None else (),
        cluster_names=r._own_names,
        cohesion=float(r.cohesion[i]),
        split=splits.sentence(r.cluster_names, cluster) or ("" if solid else splits.finer_sentence),
    )


def reasons(r: Consensus, i: int) -> Reasons:
    """Collect what the partitions say about one object. O(nB + Bk)."""
    e, own = r.ensemble, int(r.labels[i])
    counts = affinity_of(r).by_partition(i)
    shared, seen = (e.weights[:, None] * table for table in counts)
    means = divide(shared.sum(axis=0), seen.sum(axis=0))
    others = np.where(np.arange(r.k) == own, -np.inf, means)
    rival = int(others.argmax()) if own >= 0 and r.k > 1 and others.max() > 0 else -1
    without = divide(shared.sum(axis=0) - shared, seen.sum(axis=0) - seen)
    there = (e.codes[:, i] != e.absent) & (e.n_clusters > 1)
    leads = means[own] >= others.max() if rival >= 0 else True
    flipped = there & ((without[:, own] >= np.delete(without, own, axis=1).max(axis=1)) != leads) if rival >= 0 else []
    return Reasons(
        votes=tuple(_vote(e, t, i, own, counts[0][t]) for t in range(e.n_partitions)),
        rival=rival,
        margin=float(means[own] - means[rival]) if rival >= 0 else float("nan"),
        deciding=np.flatnonzero(flipped),
        companions=companions(e, i),
    )


def object_position(which: Any, position: int | None, names: Names) -> int:
    """Position of an object given by its name or by its position."""
    if (which is None) == (position is None):
        raise InputError("Expected either the name of an object, or position= with its number, counted from 0.")
    n, known = len(names), names.array()
    whole_number = isinstance(which, (int, np.integer)) and not isinstance(which, bool)
    if position is None and whole_number and (names.numbered or int not in map(type, known.tolist())):
        position = int(which)
    if position is not None:
        return as_int("position", position, -n, n - 1) % n
    places = [i for i, name in enumerate(known.tolist()) if name is which or _equal(name, which)]
    if not places and isinstance(which, str):
        places = [i for i, text in enumerate(names.texts()) if text == which]  # of a date, or a tuple
    if len(places) != 1:
        wrong = "no object has that name" if not places else f"{len(places)} objects have that name"
        raise InputError(
            f"{quote(which)} was given, but {wrong}; expected the name of one object, such as {names[0]!r}, "
            f"or its position: explain(position=…) takes 0 to {n - 1}."
            f"{'' if places else did_you_mean(which, names.texts())}"
        )
    return places[0]


def _equal(name: Any, given: Any) -> bool:
    """Whether a name is the one that was given; an array is never a name."""
    found = name == given
    return isinstance(found, (bool, np.bool_)) and bool(found)


def _vote(e: Ensemble, t: int, i: int, own: int, companions: FloatArray) -> Vote:
    """What a partition says about an object, given the number of its companions in each cluster."""
    code, name, total = e.codes[t, i], e.partition_names[t], float(companions.sum())
    if code == e.absent or e.n_clusters[t] == 1:
        return Vote(name, None, MISSING, 0.0)
    label = e.categories[t][int(code)]
    most = int(companions.argmax()) if total > 0 else MISSING
    share = float(companions[own] / total) if total > 0 and own >= 0 else 0.0
    return Vote(name, label.item() if hasattr(label, "item") else label, most, share)


def companions(e: Ensemble, i: int) -> list[tuple[int, float]]:
    """The objects most often together with one object, and how often; ties go to the first. O(nB)."""
    from ..kernels.similarity import strongest

    near, share = strongest(coassociation(e)._evidence, _SHOWN, i, i + 1)
    return [(int(j), float(value)) for j, value in zip(near[0], share[0], strict=True) if j >= 0]


def _list(names: Any) -> str:
    shown = list(names)
    return (", ".join(shown[:_SHOWN]) + (f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else "")) or "none"


@dataclass(frozen=True, eq=False, repr=False)
class Assigned(Viewable):
    """Clusters of new objects.

    Attributes
    ----------
    labels
        Cluster of each object, −1 if there is no evidence.
    membership
        Membership in every cluster, m × k.
    confidence
        Confidence of the assignment, as for `Consensus`.
    names
        Names of the new objects.
    rival
        The next best cluster, −1 if there is none.
    unseen
        For each object, the number of its labels that no object of the ensemble has; these count as missing.
    cluster_names
        Names of the clusters; empty if they have no names.
    """

    labels: LabelArray
    membership: FloatArray
    confidence: FloatArray
    names: Names
    rival: LabelArray
    unseen: IntArray
    cluster_names: tuple[str, ...] = ()

    def to_frame(self) -> Any:
        """Return a frame with one row per new object: cluster, confidence, rival, membership in every cluster.

        If clusters have names, the column `name` follows the number. If some labels are new, the column `unseen` counts
        them for each object.
        """
        from ..export.frames import answer_frame

        return answer_frame(self)

    def __repr__(self) -> str:
        sizes = np.bincount(self.labels[self.labels >= 0], minlength=self.membership.shape[1])
        none, new = int((self.labels < 0).sum()), int(self.unseen.sum())
        shown = shown_sizes(sizes, self.cluster_names)
        told = f"; {none} in no cluster" * (none > 0) + f"; {new} label{'s' * (new > 1)} never seen before" * (new > 0)
        return f"Assigned(n = {len(self.labels)}, sizes {shown}{told})"


def assign(r: Consensus, rows: Any) -> Assigned:
    """Place new objects by their label rows; see `Consensus.assign`. O(mBk) for m objects."""
    new, source = read_rows(r.ensemble, rows)
    codes, unseen = _known_codes(r.ensemble, new, source)
    near = affinity_of(r).place(codes)
    found = (near.labels, near.membership, near.confidence, new.vertex_names(), near.rival, unseen)
    return Assigned(*found, r._own_names)


def read_rows(e: Ensemble, rows: Any) -> tuple[Ensemble, dict[int, int]]:
    """Read label rows of new objects, and find the new column of each partition of the ensemble."""
    frame = as_frame(rows)
    names = list(rows) if isinstance(rows, Mapping) else [] if frame is None else frame.names
    known = [name for name in names if isinstance(name, str) and name in e.partition_names]
    if known and len(known) < len(names):  # other columns need not be labels at all
        _say_extra([str(name) for name in names if name not in known])
        rows = {name: rows[name] for name in known} if frame is None else frame.select(known)
    with collect_warnings():  # a few rows look transposed, or like names
        new = Ensemble.of(rows)
    return new, _matching_columns(e, new, named=rows is new or frame is not None or isinstance(rows, Mapping))


def _say_extra(extra: list[str]) -> None:
    """Warn about columns that are not partitions of the consensus."""
    if extra:
        more = f" and {len(extra) - 5} more" if len(extra) > 5 else ""
        warn(
            f"The consensus has no partition called {', '.join(map(repr, extra[:5]))}{more}; "
            f"{'these columns are' if len(extra) > 1 else 'this column is'} ignored."
        )


def _matching_columns(e: Ensemble, new: Ensemble, *, named: bool) -> dict[int, int]:
    """For each partition of the ensemble, its new column: by name if they share names, otherwise by position."""
    place = {name: t for t, name in enumerate(e.partition_names)}
    known = {place[name]: s for s, name in enumerate(new.partition_names) if name in place}
    extra = [name for name in new.partition_names if name not in place]
    if named and known:
        _say_extra(extra)
        return known
    if new.n_partitions == e.n_partitions:
        return {t: t for t in range(e.n_partitions)}
    raise InputError(
        f"Rows of {new.n_partitions} labels were given; expected {e.n_partitions}, one for each partition, "
        f"or a frame whose columns are named like them, such as {e.partition_names[0]!r}."
    )


def _known_codes(e: Ensemble, new: Ensemble, source: dict[int, int]) -> tuple[AnyArray, IntArray]:
    """The labels of new objects as codes of the ensemble, absent if unknown; and how many are unknown."""
    codes = np.full((e.n_partitions, new.n_objects), e.absent, dtype=e.codes.dtype)
    unseen, strange = np.zeros(new.n_objects, dtype=np.int64), []
    for t, s in source.items():
        known = {str(label): code for code, label in enumerate(e.categories[t])}
        to = np.array([known.get(str(label), e.absent) for label in new.categories[s]] + [e.absent])
        own, there = new.codes[s].astype(np.int64), new.codes[s] != new.absent
        codes[t] = to[np.where(there, own, len(to) - 1)]
        fresh = there & (codes[t] == e.absent)
        unseen += fresh
        if len(known) and there.sum() >= _STRANGE and (fresh == there).all():
            here, before = new.categories[s][own[there][0]], e.categories[t][0]
            strange.append(f"{e.partition_names[t]!r} ({quote(str(here))} here, {quote(str(before))} there)")
    if strange:
        warn(
            f"None of the new labels is known to the consensus in {_list(strange)}, so they count as missing. If they "
            "mean the same, write them in the same way."
        )
    return codes, unseen
