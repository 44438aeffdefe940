"""The rows of the registry: what is known of every consensus function without running it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core.ensemble import Labels
from ..core.result import Consensus
from .references import bibtex

#: how far a promise holds: to the last label, where no tie had to be broken, or not at all
EXACT, TIES, NONE = "exact", "up to ties", "none"


@dataclass(frozen=True)
class Symmetry:
    """What a method promises when the same evidence is written differently: "exact", "up to ties" or "none".

    Attributes
    ----------
    renaming
        Clusters get other names.
    partitions
        Partitions come in another order.
    objects
        Objects come in another order.
    repeating
        Every object occurs several times instead of once.
    scaling
        All partition weights, or all object weights, are multiplied by a number.
    """

    renaming: str = TIES
    partitions: str = TIES
    objects: str = TIES
    repeating: str = TIES
    scaling: str = EXACT

    def __str__(self) -> str:
        kinds = ("renaming", "partitions", "objects", "repeating", "scaling")
        return ", ".join(f"{kind} {getattr(self, kind)}" for kind in kinds)


#: parts of equal size have no unique answer: balanced cuts promise only what leaves the order of their vertices
BALANCED = Symmetry(NONE, NONE, NONE, NONE)


@dataclass(frozen=True)
class Method:
    """A row of the registry.

    Attributes
    ----------
    name, family
        What it is called, and whose kin it is.
    graph
        The graph it works on.
    needs_k
        Whether it needs the number of clusters; otherwise ``k=None`` lets it choose.
    balanced
        Whether its partitioner prefers parts of equal size.
    membership
        Where the membership comes from: its own model or co-association with the clusters.
    missing
        What it does with missing labels.
    cost
        Time in n objects, B partitions, K base clusters and k clusters.
    reference
        The paper.
    function
        The consensus function itself.
    symmetry
        What it promises when the same evidence is written differently.
    merges
        Whether it may be handed equal partitions as one of their total weight.
    scalable
        Whether it decides by counts and a sample of the rows, so that it also works on labels on disk.
    renamed
        Old names of its options, and what they are called now.
    """

    name: str
    family: str
    graph: str
    needs_k: bool
    balanced: bool
    membership: str
    missing: str
    cost: str
    reference: str
    function: Callable[..., Consensus]
    symmetry: Symmetry = field(default_factory=Symmetry)
    merges: bool = False
    scalable: bool = False
    renamed: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __call__(self, labels: Labels, *args: Any, **options: Any) -> Consensus:
        """Run the method: ``methods["eac"](labels, 3)`` is ``eac(labels, 3)``."""
        return self.function(labels, *args, **options)

    def cite(self) -> str:
        """Return the BibTeX of its papers, with DOI where there is one; a comment where it names no paper."""
        if not self.reference:
            return f"% The method {self.name} names no paper; register_method(…, reference=…) would."
        return bibtex(self.reference)

    def facts(self) -> dict[str, str]:
        """What there is to say of it beside its own description, by name."""
        return {
            "Family": self.family,
            "Graph": self.graph,
            "Number of clusters": "the largest k_t without k" if self.needs_k else "found without k",
            "Parts of equal size": "preferred" if self.balanced else "no preference",
            "Membership": self.membership,
            "Missing labels": self.missing,
            "Cost": self.cost,
            "Labels on disk": "any number of rows" if self.scalable else "as far as the distinct rows fit",
            "Reference": self.reference,
            "Symmetry": str(self.symmetry),
        }


ROWS: dict[str, Method] = {}

#: what is said of a function from outside that says nothing of itself
UNKNOWN: Mapping[str, Any] = {
    "family": "from outside",
    "graph": "unknown",
    "needs_k": True,
    "balanced": False,
    "membership": "co-association",
    "missing": "as the function does",
    "cost": "unknown",
    "reference": "",
    "symmetry": Symmetry(NONE, NONE, NONE, NONE, NONE),
    "merges": False,
    "scalable": False,
}
