"""How a graph is to be cut, chosen once: what every method that cuts a graph is told and passes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .._arrays import Seed
from ..core.graph import Graph
from ..core.hypergraph import Hypergraph
from ..core.result import Partition
from ..errors import InputError, TypeMismatch
from .entry import partition
from .partitioner_registry import Partitioner, PartitionerFunction, find_partitioner


@dataclass(frozen=True)
class Cutter:
    """A partitioner with everything it is to be called with, except the graph and k.

    Attributes
    ----------
    partitioner
        A name from `graphens.partitioners`, a function ``(graph, k, *, seed)``, or a row of the registry.
    n_init
        How many runs with different seeds; None leaves it to the partitioner.
    options
        Further options of the partitioner, such as ``{"imbalance": 0.1}``.
    seed
        The same seed gives the same parts.

    Examples
    --------
    >>> import graphens as ge
    >>> from graphens.cutting.cutter import Cutter
    >>> Cutter("metis", seed=0).cut(ge.bipartite([[0, 0], [0, 0], [1, 1], [1, 1]]), 2).labels[:4].tolist()
    [0, 0, 1, 1]
    """

    partitioner: str | PartitionerFunction | Partitioner = "metis"
    n_init: int | None = None
    options: Mapping[str, Any] | None = None
    seed: Seed = None

    @property
    def row(self) -> Partitioner:
        """What the registry knows of the partitioner."""
        return find_partitioner(self.partitioner)

    def cut(self, graph: Graph | Hypergraph, k: int | None) -> Partition:
        """Cut a graph or a hypergraph into k parts, see `graphens.partition`."""
        options = _checked(self.options)
        return partition(
            graph, k, partitioner=self.partitioner, seed=self.seed, n_init=self.n_init, **options
        )


_OWN = ("graph", "k", "partitioner", "seed", "n_init")  # what `partition` is told apart from the options


def _checked(options: Mapping[str, Any] | None) -> Mapping[str, Any]:
    given = {} if options is None else options
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise TypeMismatch(
            f"The options of the partitioner are {options!r}; expected a mapping such as {{'imbalance': 0.1}}."
        )
    taken = sorted(set(given) & set(_OWN))
    if taken:
        raise InputError(
            f"The options of the partitioner name {', '.join(taken)}; give {taken[0]} directly, not among them."
        )
    return given
