"""Objects without any label, set aside while a method works on the others, and put back afterwards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._arrays import MISSING, AnyArray, IntArray
from ..core.dendrogram import Dendrogram
from ..core.ensemble import Ensemble
from ..core.graph import OBJECT, Graph
from ..core.hypergraph import Hypergraph
from ..core.result import Consensus
from ..core.value import remembered
from ..errors import InputError
from ..views.networks import as_network
from .outcome import Outcome
from .scale import on_one_scale


@dataclass(frozen=True, eq=False)
class Aside:
    """An ensemble, and which of its objects some partition with weight knows.

    Attributes
    ----------
    whole
        All objects, weights on one scale.
    present
        Whether each object takes part.
    """

    whole: Ensemble
    present: AnyArray

    @classmethod
    def of(cls, e: Ensemble) -> Aside:
        """Set the objects aside that nobody knows."""
        scaled = on_one_scale(e)
        return cls(scaled, scaled.present)

    @property
    def anyone(self) -> bool:
        """Whether any object takes part."""
        return bool(self.present.any())

    @remembered
    def ensemble(self) -> Ensemble:
        """The objects that take part; they keep the names they have among all."""
        if self.present.all():
            return self.whole
        named = self.whole.replace(object_names=self.whole.vertex_names().array())  # x7 stays x7 without x0
        return named.take(objects=self.present)

    def argument(
        self, name: str, value: Any, per_object: tuple[str, ...], neighbor_lists: tuple[str, ...]
    ) -> Any:
        """Return an argument as the method that sees only some objects needs it."""
        if value is None or np.ndim(getattr(value, "labels", value) if name in per_object else value) == 0:
            return value
        if name in neighbor_lists:
            return self.neighbors(value, name)
        return self.rows(value, name) if name in per_object else value

    def rows(self, x: Any, name: str = "X") -> Any:
        """Return what is given per object for the objects that take part."""
        given = x.labels if isinstance(x, Consensus) else x
        given = given if hasattr(given, "shape") or hasattr(given, "iloc") else np.asarray(given)
        self._fits(given, name)
        if self.present.all():
            return given
        return given.iloc[self.present] if hasattr(given, "iloc") else given[self.present]

    def neighbors(self, x: Any, name: str = "neighbors") -> Any:
        """Return lists of neighbors in the numbers of the objects that take part, −1 for one that does not."""
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
        """Return a network of the objects that take part, its vertices in their order."""
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
        """Return the outcome over all objects: those that took no part have no label, vertex or leaf."""
        index = object_vertices(outcome, self.ensemble.n_objects) if self.anyone else None
        labels = self._spread(outcome.labels)
        if self.present.all() or not self.anyone:
            return replace(outcome, labels=labels, index=index)
        membership, tree = outcome.membership, outcome.dendrogram
        if membership is not None:
            wide = np.zeros((len(self.present), membership.shape[1]))
            wide[self.present] = membership
            membership = wide
        if tree is not None and not outcome.tree_of_clusters:
            leaf, names = self._spread(tree.index), self.whole.vertex_names()
            tree = Dendrogram(tree.merges, leaf_weights=tree.leaf_weights, index=leaf, names=names)
        index = None if index is None else self._spread(index)
        return replace(outcome, labels=labels, membership=membership, dendrogram=tree, index=index)

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
