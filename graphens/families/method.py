"""The rows of the registry, which describe every consensus function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import getdoc
from typing import Any

from .._lib.registry import Registry
from ..labels.ensemble import Labels
from ..result.consensus import Consensus
from .references import bibtex

#: how far a promise holds: to the last label, where no tie had to be broken, or not at all
EXACT, TIES, NONE = "exact", "up to ties", "none"


@dataclass(frozen=True)
class Symmetry:
    """Invariance of a method when the same data are presented differently: "exact", "up to ties" or "none"."""

    renaming: str = TIES  #: clusters get other names
    partitions: str = TIES  #: partitions come in another order
    objects: str = TIES  #: objects come in another order
    repeating: str = TIES  #: every object occurs several times instead of once
    scaling: str = EXACT  #: all partition weights, or all object weights, are multiplied by a number

    def __str__(self) -> str:
        """What holds, such as "renaming up to ties, scaling exact"."""
        return ", ".join(f"{kind} {how}" for kind, how in vars(self).items() if how != NONE)


#: parts of equal size have no unique answer: balanced cuts promise only what leaves the order of their vertices
BALANCED = Symmetry(NONE, NONE, NONE, NONE)


@dataclass(frozen=True)
class Method:
    """A row of the registry.

    Attributes
    ----------
    name, function, family
        Its name, the consensus function itself, and its family.
    graph
        The graph it works on.
    needs_k
        Whether it needs the number of clusters; otherwise ``k=None`` lets it choose.
    balanced
        Whether its partitioner prefers parts of equal size.
    membership
        Source of the membership: the method's own model or the co-association with the clusters.
    missing
        How it treats missing labels.
    cost
        Time in n objects, ñ distinct label rows, B partitions, K base clusters (k_t in partition t) and k clusters.
    reference
        The papers, as `references.bib` lists them.
    symmetry
        Its invariance when the same data are presented differently.
    merges
        Whether equal partitions may be passed as one partition with their total weight.
    draws
        Whether partitions are draws from a posterior, which may all be equal or have a single cluster, without a
        warning.
    scalable
        Whether it needs only counts and a sample of the rows, so that it also works on labels on disk.
    per_object
        Names of parameters with one row per object, such as features; rows of objects without any label are removed.
    neighbor_lists
        Names of parameters with one row of object numbers per object: rows of objects without any label are removed,
        and object numbers are adjusted, with −1 for removed objects.
    networks
        Names of parameters with a network of the objects; the function gets a `Graph` in their order, without objects
        that have no label.
    """

    name: str
    function: Callable[..., Any] = field(repr=False)
    family: str = "from outside"
    graph: str = "unknown"
    needs_k: bool = True
    balanced: bool = False
    membership: str = "co-association"
    missing: str = "decided by the function"
    cost: str = "unknown"
    reference: str = ""
    symmetry: Symmetry = field(default=Symmetry(NONE, NONE, NONE, NONE, NONE), repr=False)
    merges: bool = False
    draws: bool = False
    scalable: bool = False
    per_object: tuple[str, ...] = field(default=(), repr=False)
    neighbor_lists: tuple[str, ...] = field(default=(), repr=False)
    networks: tuple[str, ...] = field(default=(), repr=False)

    def __call__(self, labels: Labels, *args: Any, **options: Any) -> Consensus:
        """Run the method: ``methods["eac"](labels, 3)`` is ``eac(labels, 3)``."""
        return self.function(labels, *args, **options)

    @property
    def about(self) -> str:
        """What it does, in a sentence: the first line of its docstring."""
        return " ".join((getdoc(self.function) or "").partition("\n\n")[0].split())

    def cite(self) -> str:
        """Return the BibTeX entries of its papers, with DOIs if available; a comment if it has no reference."""
        if not self.reference:
            return f"% The method {self.name} has no reference; register_method(…, reference=…) adds one."
        return bibtex(self.reference)

    def facts(self) -> dict[str, str]:
        """Facts about the method beyond its own description, by name."""
        return {
            "Family": self.family,
            "Graph": self.graph,
            "Number of clusters": "without k, the largest k_t" if self.needs_k else "found if k is not given",
            "Parts of equal size": "preferred" if self.balanced else "no preference",
            "Membership": self.membership,
            "Missing labels": self.missing,
            "Cost": self.cost,
            "Labels on disk": "any number of rows" if self.scalable else "as long as the distinct rows fit in memory",
            "Reference": self.reference,
            "Symmetry": str(self.symmetry) or "unknown",
        }


ROWS: Registry[Method] = Registry("method")
