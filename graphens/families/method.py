"""The rows of the registry, which describe every consensus function."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import log2, prod
from typing import Any

from .._lib.registry import Registry
from ..errors import InputError, UnknownMethod
from ..labels.ensemble import Labels
from ..result.consensus import Consensus
from .references import bibtex

#: how far a promise holds: to the last label, where no tie had to be broken, or not at all
EXACT, TIES, NONE = "exact", "up to ties", "none"


_WORD = re.compile(r"^(k_t|log .|[a-z]{2,})([²³]?)$")
_LETTER = re.compile(r"([nñBKkmEcrs])([²³]?)")


@dataclass(frozen=True)
class Symmetry:
    """Invariance of a method when the same data are presented differently: "exact", "up to ties" or "none".

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
        """What holds, such as "renaming up to ties, scaling exact"."""
        return ", ".join(f"{kind} {how}" for kind, how in vars(self).items() if how != NONE)


#: parts of equal size have no unique answer: balanced cuts promise only what leaves the order of their vertices
BALANCED = Symmetry(NONE, NONE, NONE, NONE)


class Cost(str):
    """Time up to constants: a sum of products, which can be evaluated for given sizes and prints as O(ñ²B + nBk).

    Parameters
    ----------
    formula
        Terms with " + " between them, of n (objects), ñ (distinct label rows), B (partitions), K (clusters of all of
        them), s (the smaller of ñ and K), k_t (of one of them), k (clusters in the result), m or E (edges), c, r; words
        are set off by "·".
    note
        An additional remark.
    per
        The repeated unit of work, such as "iteration".
    sample
        The option that limits the number of distinct rows used; more rows cost nothing.

    Examples
    --------
    >>> cost = Cost("ñ²B + nB²", per="step")
    >>> cost, cost.terms
    ('O(ñ²B + nB²) per step', ({'ñ': 2, 'B': 1}, {'n': 1, 'B': 2}))
    >>> cost.power("ñ"), cost.steps(n=100, ñ=10, B=3)
    (2, 1200.0)
    """

    terms: tuple[Mapping[str, int], ...]
    given: tuple[str, str, str, str]

    def __new__(cls, formula: str = "", note: str = "", per: str = "", sample: str = "") -> Cost:
        """Read the formula and put the text together."""
        time = f"O({formula}){f' per {per}' if per else ''}{f', ñ at most `{sample}`' if sample else ''}"
        joint = " " if note.startswith("and ") else ", "
        self = super().__new__(cls, joint.join(part for part in (time if formula else "", note) if part))
        self.given = formula, note, per, sample
        self.terms = tuple(_exponents(term) for term in formula.split(" + ") if term)
        return self

    def __getnewargs__(self) -> tuple[str, str, str, str]:  # type: ignore[override]
        return self.given

    def power(self, symbol: str) -> int:
        """Return the largest power of a symbol, 0 if it does not occur or is limited by a sample."""
        sampled = symbol == "ñ" and self.given[-1]
        return 0 if sampled else max((term.get(symbol, 0) for term in self.terms), default=0)

    def steps(self, **sizes: float) -> float:
        """Return the value of the formula; symbols without a given size count as 1."""
        values = {name: float(size) for name, size in sizes.items()}
        return sum((prod(_size(name, values) ** power for name, power in term.items()) for term in self.terms), 0.0)


def _exponents(term: str) -> dict[str, int]:
    """The power of every symbol in a product such as "ñ³·steps"."""
    found: dict[str, int] = {}
    for part in term.split("·"):
        factors = _WORD.findall(part) or _LETTER.findall(part)
        if "".join(name + power for name, power in factors) != part:
            raise InputError.about("cost", term, "a product such as ñ²B or K³·steps")
        found |= {name: {"": 1, "²": 2, "³": 3}[power] for name, power in factors}
    return found


def _size(name: str, values: Mapping[str, float]) -> float:
    size = values.get(name.removeprefix("log "), 1.0)
    return log2(max(size, 2.0)) if name.startswith("log ") else size


@dataclass(frozen=True)
class Method:
    """A row of the registry.

    Attributes
    ----------
    name, family
        Its name and its family.
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
        Time in n objects, B partitions, K base clusters and k clusters: a `Cost`.
    reference
        The paper.
    function
        The consensus function itself.
    symmetry
        Its invariance when the same data are presented differently.
    merges
        Whether equal partitions may be passed as one partition with their total weight.
    scalable
        Whether it needs only counts and a sample of the rows, so that it also works on labels on disk.
    """

    name: str
    family: str
    graph: str
    needs_k: bool
    balanced: bool
    membership: str
    missing: str
    cost: Cost
    reference: str
    function: Callable[..., Consensus]
    symmetry: Symmetry = field(default_factory=Symmetry)
    merges: bool = False
    scalable: bool = False

    def __call__(self, labels: Labels, *args: Any, **options: Any) -> Consensus:
        """Run the method: ``methods["eac"](labels, 3)`` is ``eac(labels, 3)``."""
        return self.function(labels, *args, **options)

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


ROWS: Registry[Method] = Registry("method", UnknownMethod)

#: what is said of a function from outside that says nothing of itself
UNKNOWN: Mapping[str, Any] = {
    "family": "from outside",
    "graph": "unknown",
    "needs_k": True,
    "balanced": False,
    "membership": "co-association",
    "missing": "decided by the function",
    "cost": Cost("", "unknown"),
    "reference": "",
    "symmetry": Symmetry(NONE, NONE, NONE, NONE, NONE),
    "merges": False,
    "scalable": False,
}
