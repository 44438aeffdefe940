"""An ensemble prepared for consensus functions, and the way back to all of its objects.

Weights are rescaled, objects without any label are set aside, and repeated partitions are merged. This is done once for
an ensemble and cached, so that all methods of a panel use the same one and share its counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray, canonical
from .._frames import take_rows, unframed
from ..core.ensemble import Ensemble
from ..core.graph import CLUSTER, OBJECT, Graph
from ..core.hypergraph import Hypergraph
from ..core.names import align
from ..core.result import Consensus
from ..core.value import recall
from ..errors import InputError
from ..measures.agreement import anmi
from ..views.affinity import Affinity
from ..views.bipartite import BipartiteGraph
from ..views.coassociation import as_network
from ..views.incidence import majority
from ..views.reliability import stranded
from .outcome import Outcome, tree_of_some


def distinct_rows(e: Ensemble, k: int | None = None, *, collapse: bool = True) -> tuple[Ensemble, IntArray]:
    """Return the distinct label rows and the row of each object; the objects themselves if there are not k rows."""
    if collapse:
        micro, index = e.collapse()
        if k is None or micro.n_objects >= k:
            return micro, index
    return e, np.arange(e.n_objects)


def stranded_last(e: Ensemble, k: int | None, solve: Callable[[Ensemble], Outcome]) -> Outcome:
    """Solve without the objects whose only labels come from partitions that agree by chance, and place these last.

    Each joins the cluster it is most often together with, or none if it is never together with the others. If there are
    fewer than k different label rows without them, they take part.
    """
    lone = stranded(e)
    if not lone.any() or (known := e.take(objects=~lone)).collapse()[0].n_objects < (k or 1):
        return solve(e)
    found, others = solve(known), np.flatnonzero(~lone)
    labels, index = (np.full(e.n_objects, MISSING, dtype=np.int32) for _ in range(2))
    labels[others] = found.labels
    index[others] = np.arange(len(others)) if found.index is None else found.index
    labels[lone] = Affinity(e, labels, int(labels.max()) + 1).place(e.codes[:, lone]).labels
    tree = None if found.dendrogram is None else tree_of_some(found.dendrogram, others, e)
    details = {**found.details, "placed_last": int(lone.sum())}
    return replace(found, labels=labels, index=index, dendrogram=tree, details=details)


def counted_partitions(e: Ensemble) -> Ensemble:
    """Leave out the partitions of weight zero."""
    return e if (e.weights > 0).all() else e.take(partitions=e.weights > 0)


def described(micro: Ensemble, e: Ensemble, kind: str) -> str:
    """Describe a graph in words."""
    if micro is e:
        return f"{kind} of {e.n_objects} objects"
    return f"{kind} of {micro.n_objects} distinct rows of {e.n_objects} objects"


_LARGEST = 1000  # ratios of larger whole numbers are no longer taken for counts
_FAINTEST = 1e-30  # smallest weight relative to the largest, instead of 0 by underflow
_COUNTS = 1e6  # how often an object may occur before its weight is only a weight
_FEWER = 32  # fewer repetitions are not merged: that saves little and hides clusters of the graph


@dataclass(frozen=True, eq=False)
class Prepared:
    """An ensemble, and which of its objects have a label in a partition of positive weight.

    Attributes
    ----------
    whole
        All objects, with rescaled weights.
    present
        Whether each object takes part.
    unit
        The original weight of a partition that has weight 1 here.
    """

    whole: Ensemble
    present: AnyArray
    unit: float = 1.0

    @classmethod
    def of(cls, e: Ensemble) -> Prepared:
        """Rescale the weights, and find the objects that take part."""
        scaled = on_one_scale(e)
        unit = 1.0 if scaled is e else float(e.weights.max() / scaled.weights.max())
        return cls(scaled, scaled.present, unit)

    @property
    def anyone(self) -> bool:
        """Whether any object takes part."""
        return bool(self.present.any())

    @property
    def ensemble(self) -> Ensemble:
        """The objects that take part, or all if none does; they keep their names."""
        if self.present.all() or not self.anyone:
            return self.whole
        return recall(self.whole, "objects with a label", lambda: self.whole.take(objects=self.present))

    def argument(
        self, name: str, value: Any, per_object: tuple[str, ...], neighbor_lists: tuple[str, ...]
    ) -> Any:
        """Return an argument restricted to the objects that take part."""
        if value is None or name not in (*per_object, *neighbor_lists):
            return value
        if np.ndim(getattr(value, "labels", value) if name in per_object else value) == 0:
            return value
        if name in neighbor_lists:
            return self.neighbors(value, name)
        return self.rows(value, name)

    def rows(self, x: Any, name: str = "X") -> Any:
        """Return the rows of the objects that take part."""
        given = unframed(align(x, self.whole.vertex_names(), name))
        given = given if hasattr(given, "shape") else np.asarray(given)
        self._fits(given, name)
        if given.shape[0] == self.ensemble.n_objects:
            return given
        return take_rows(given, np.flatnonzero(self.present))

    def neighbors(self, x: Any, name: str = "neighbors") -> Any:
        """Return lists of neighbors, renumbered for the objects that take part, −1 for one that does not."""
        given = np.asarray(x)
        self._fits(given, name)
        n = len(self.present)
        if self.present.all() or given.ndim != 2 or not np.issubdtype(given.dtype, np.integer):
            return given
        if given.min(initial=0) < MISSING or given.max(initial=MISSING) >= n:
            raise InputError(
                f"{name} names the objects {given.min()} to {given.max()}; expected numbers from 0 to {n - 1}, or −1."
            )
        number = np.append(np.where(self.present, np.cumsum(self.present) - 1, MISSING), MISSING)
        return number[given[self.present]]

    def network(self, x: Any, name: str = "G") -> Graph | None:
        """Return a network of the objects that take part, with vertices in their order."""
        if x is None:
            return None
        graph = as_network(x, self.whole, name)
        return graph if self.present.all() else graph.subgraph(self.present)

    def _fits(self, given: Any, name: str) -> None:
        if given.shape[0] != len(self.present):
            raise InputError(
                f"{name} has {given.shape[0]} rows; expected one for each of the {len(self.present)} objects, "
                "those without any label included."
            )

    def back(self, outcome: Outcome) -> Outcome:
        """Return the outcome for all objects; those that did not take part have no label, vertex or leaf."""
        outcome = self._in_units(outcome)
        index = object_vertices(outcome, self.ensemble.n_objects) if self.anyone else None
        labels = self._spread(outcome.labels)
        membership, tree = outcome.membership, outcome.dendrogram
        if tree is not None and tree._ensemble is not None:  # repeated partitions may have been merged
            tree = tree._replace(_ensemble=self.whole)
        if self.present.all() or not self.anyone:
            return replace(outcome, labels=labels, dendrogram=tree, index=index)
        if membership is not None:
            wide = np.zeros((len(self.present), membership.shape[1]))
            wide[self.present] = membership
            membership = wide
        if tree is not None and not outcome.tree_of_clusters:
            leaf, names = self._spread(tree.index), self.whole.vertex_names()
            tree = tree._replace(index=leaf, names=names)
        index = None if index is None else self._spread(index)
        return replace(outcome, labels=labels, membership=membership, dendrogram=tree, index=index)

    def _in_units(self, outcome: Outcome) -> Outcome:
        """Return the outcome with sums of partition weights, and the graph they come from, in the original unit."""
        if self.unit == 1 or not outcome.sums:
            return outcome
        details = {
            key: value * self.unit if key in outcome.sums else value for key, value in outcome.details.items()
        }
        graph = outcome.graph
        if isinstance(graph, BipartiteGraph):
            graph = graph._replace(ensemble=graph.ensemble.reweight(graph.ensemble.weights * self.unit))
        elif isinstance(graph, Hypergraph):
            graph = graph._replace(hyperedge_weights=graph.hyperedge_weights * self.unit)
        return replace(outcome, details=details, graph=graph)

    def _spread(self, values: AnyArray) -> IntArray:
        wide = np.full(len(self.present), MISSING, dtype=np.int64)
        wide[self.present] = values
        return wide


def object_vertices(outcome: Outcome, n: int) -> AnyArray | None:
    """For each object its vertex of the outcome's graph."""
    graph = outcome.graph
    if graph is None or outcome.index is not None:
        return outcome.index
    objects = (
        np.arange(graph.n_vertices)
        if isinstance(graph, Hypergraph)
        else np.flatnonzero(graph.roles == OBJECT)
    )
    if objects.size not in (0, n):
        raise InputError(
            f"The graph has {len(objects)} object vertices for {n} objects; expected Outcome(index=…), the vertex of "
            "each object."
        )
    return objects if objects.size else np.full(n, MISSING)


def on_one_scale(e: Ensemble) -> Ensemble:
    """Return the ensemble with the weights that methods use; the ensemble itself if nothing changes.

    Methods depend only on ratios of weights, not on their unit.

    Partitions: the smallest whole numbers with the same ratios, if they are at most 1000 (two equal partitions are one
    of weight two), otherwise shares of the largest. Objects: the same, but whole numbers up to a million stay as they
    are, since they are numbers of occurrences.
    """
    return recall(e, "on one scale", lambda: _scaled(e)) or e


def _scaled(e: Ensemble) -> Ensemble | None:
    """The ensemble with rescaled weights; None if they are the same."""
    own = e.object_weights
    counts = bool((own == np.rint(own)).all() and own.max(initial=0.0) <= _COUNTS)
    partitions, objects = simplest(e.weights), own if counts else simplest(own)
    if partitions is e.weights and objects is own:
        return None
    return e._replace(weights=partitions, object_weights=objects)


def simplest(weights: FloatArray) -> FloatArray:
    """Return weights with the same ratios: small whole numbers if possible, otherwise at most 1.

    >>> (
    ...     simplest(np.array([0.5, 0.5, 1.5])).tolist(),
    ...     simplest(np.array([1e200, 1e199])).tolist(),
    ... )
    ([1.0, 1.0, 3.0], [10.0, 1.0])
    """
    if (weights == 1).all():
        return weights
    share = weights / weights.max(initial=0.0)
    values = np.unique(share)
    found = share
    if len(values) <= _LARGEST + 1:
        unit = np.arange(1.0, _LARGEST + 1)[:, None]
        off = np.abs(values * unit - np.rint(values * unit)).max(axis=1) + (
            values[values > 0].min() * unit[:, 0] < 0.5
        )
        if off.min() < 1e-9:
            found = np.rint(share * unit[int(np.argmax(off < 1e-9)), 0])
    return (
        weights
        if np.array_equal(found, weights)
        else np.maximum(found, np.where(weights > 0, _FAINTEST, 0.0))
    )


def without_repeats(e: Ensemble) -> Ensemble:
    """Merge partitions that are equal up to renaming, if that saves much; otherwise return the ensemble itself.

    Of equal partitions, the first is kept with their total weight. O(nB).
    """
    return recall(e, "without repeats", lambda: _merged(e)) or e


def _merged(e: Ensemble) -> Ensemble | None:
    """The ensemble of the distinct partitions; None if merging would not save much."""
    if e.n_partitions <= _FEWER or e.memberships is not None:
        return None
    from ..kernels.counting import rename

    codes = np.array(e.codes)
    rename(codes, e.absent, e.n_clusters)
    seen: dict[bytes, int] = {}
    place = np.array([seen.setdefault(row.tobytes(), len(seen)) for row in codes])
    if e.n_partitions - len(seen) < _FEWER:
        return None
    first = np.unique(place, return_index=True)[1]
    return e.take(partitions=first).reweight(np.bincount(place, weights=e.weights))


def finished(name: str, ready: Prepared, outcome: Outcome, options: Mapping[str, Any]) -> Consensus:
    """The Consensus of an outcome: canonical labels, membership, confidence, score, and the cluster of each vertex."""
    e, raw = ready.whole, outcome.labels
    labels = canonical(raw)
    k = int(labels.max(initial=MISSING)) + 1
    own = outcome.membership
    return Consensus(
        labels=labels,
        k=k,
        evidence=Affinity(e, labels, k),
        membership=None if own is None else _arranged(own, raw, labels, k),
        score=anmi(labels, e),
        method=name,
        options=dict(options),
        graph=outcome.graph,
        dendrogram=outcome.dendrogram,
        details=dict(outcome.details),
        names=e.vertex_names(),
        vertices=outcome.index,
        vertex_labels=_vertex_labels(outcome, ready, labels),
        tree_of_clusters=outcome.tree_of_clusters,
        why=f"{k} cluster{'' if k == 1 else 's'} by {name}.",
    )


def _arranged(membership: FloatArray, raw: AnyArray, labels: LabelArray, k: int) -> FloatArray:
    """Put the columns of a method's own membership in the order of the final labels, as shares of all columns.

    What belongs to a cluster that has no objects, and therefore no column, is missing from the sum of a row.
    """
    first = np.unique(labels, return_index=True)[1][-k:] if k else np.empty(0, dtype=np.int64)
    arranged = np.asarray(membership[:, raw[first]], dtype=np.float64)
    arranged[labels < 0] = 0
    total = membership.sum(axis=1, keepdims=True)
    return np.divide(arranged, total, out=arranged, where=total > 0)


def _vertex_labels(outcome: Outcome, ready: Prepared, labels: LabelArray) -> LabelArray | None:
    """One label per vertex of the graph, in the numbers of the final labels."""
    graph, index = outcome.graph, outcome.index
    if graph is None:
        return None
    found = np.full(graph.n_vertices, MISSING, dtype=np.int32)
    if outcome.vertex_labels is not None:
        return _renamed(outcome.vertex_labels, outcome.labels, labels)
    if index is not None:
        inside = index >= 0
        found[index[inside]] = labels[inside]
    clusters = (
        np.flatnonzero(graph.roles == CLUSTER) if isinstance(graph, Graph) else np.empty(0, dtype=np.int64)
    )
    if clusters.size:
        found[clusters] = majority(ready.ensemble, labels[ready.present])
    return found


def _renamed(given: AnyArray, raw: AnyArray, labels: LabelArray) -> LabelArray:
    """Final numbers of labels in the method's numbering; −1 for labels without objects."""
    size = int(max(np.max(given, initial=MISSING), np.max(raw, initial=MISSING))) + 1
    name = np.full(size + 1, MISSING, dtype=np.int32)  # the last place serves −1
    name[raw[raw >= 0]] = labels[raw >= 0]
    return name[given]
