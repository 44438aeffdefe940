"""Match the clusters of two clusterings of the same objects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._lib.arrays import MISSING, AnyArray, percent
from ..errors import InputError, TypeMismatch, quote
from ..labels.encoding import as_array
from ..labels.ensemble import Ensemble
from ..labels.names import align, attached_names
from ..labels.value import Viewable
from ..measures.agreement import best_pairs
from ..result.consensus import Consensus


@dataclass(frozen=True, eq=False, repr=False)
class Match(Viewable):
    """The best one-to-one matching of the clusters of two clusterings.

    Attributes
    ----------
    pairs
        For every cluster of b that has a partner, the matching cluster of a.
    counts
        Number of objects that each cluster of a (rows) shares with each cluster of b (columns).
    names
        Labels of the rows and of the columns.
    agreed
        Share of the objects in matched clusters, among the objects that both clusterings assign.
    """

    pairs: dict[Any, Any]
    counts: AnyArray
    names: tuple[list[Any], list[Any]]
    agreed: float
    _backend: str | None = field(default=None, repr=False, compare=False)

    @property
    def table(self) -> Any:
        """The overlaps as a frame, clusters of a in rows, of b in columns."""
        from ..export.frames import matrix_frame

        return matrix_frame(self.counts, *self.names, "cluster", self._backend)

    def __repr__(self) -> str:
        number = {name: i for i, name in enumerate(self.names[0])}
        place = {name: j for j, name in enumerate(self.names[1])}
        pairs = [(str(a), str(b), int(self.counts[number[a], place[b]])) for b, a in self.pairs.items()]
        lines = [f"Match: {percent(self.agreed, 1)} of the objects are in matched clusters"]
        if pairs:
            wide = max(len(b) for _, b, _ in pairs)
            lines += [f"  cluster {b:>{wide}} of b is {a} of a: {many:,} shared" for a, b, many in pairs[:20]]
            lines += [f"  and {len(pairs) - 20} more"] if len(pairs) > 20 else []
        for which, names, known in (("a", self.names[0], self.pairs.values()), ("b", self.names[1], self.pairs)):
            alone = [str(name) for name in names if name not in set(known)]
            more = f" and {len(alone) - 8} more" if len(alone) > 8 else ""
            lines += [f"  clusters of {which} without a partner: {', '.join(alone[:8])}{more}"] if alone else []
        return "\n".join(lines)

    def relabel(self, b: Any) -> AnyArray:
        """Return the labels of b with the names of a; clusters without a partner get new names."""
        labels = _values(b)[0]
        taken, new = {str(name) for name in self.names[0]}, {}
        for label in self.names[1]:
            new[label] = self.pairs[label] if label in self.pairs else _fresh(label, taken)
            taken.add(str(new[label]))
        try:
            return as_array([label if _is_missing(label) else new.get(label, label) for label in labels])
        except TypeError:
            raise TypeMismatch.about("b", b, "a label for each object") from None


def match(a: Any, b: Any) -> Match:
    """Match the clusters of two clusterings of the same objects one to one, for the largest total overlap.

    Parameters
    ----------
    a, b
        Label vectors or Consensus objects. If both have object names (a pandas index, a mapping, a consensus with
        names), objects are matched by name, and objects that only one of them has are left out.

    Returns
    -------
    Match
        ``.pairs``, ``.table``, ``.relabel(b)``.

    Notes
    -----
    Uses the Hungarian method on the table of overlaps; clusters without common objects are not matched. O(n + k³).

    Examples
    --------
    >>> import graphens as ge
    >>> m = ge.match(["a", "a", "b", "b", "c"], [1, 1, 0, 0, 0])
    >>> m.pairs, m.relabel([1, 1, 0, 0, 0]).tolist()
    ({0: 'b', 1: 'a'}, ['a', 'a', 'b', 'b', 'b'])
    """
    first, second = _align(a, b)
    e = Ensemble.from_partitions([first, second])
    rows, columns = ([_plain(name) for name in names] for names in e.categories)
    codes = e.labels
    both = (codes >= 0).all(axis=1)
    counts = np.zeros((len(rows), len(columns)), dtype=np.int64)
    np.add.at(counts, (codes[both, 0], codes[both, 1]), 1)
    partners = best_pairs(counts)
    pairs = {columns[j]: rows[i] for i, j in sorted(zip(*partners, strict=True), key=lambda pair: pair[1])}
    agreed = float(counts[partners].sum() / max(int(both.sum()), 1))
    whole = a.ensemble if isinstance(a, Consensus) else Ensemble.from_partitions([a])
    return Match(pairs, counts, (rows, columns), agreed, whole._names.backend)


def _align(a: Any, b: Any) -> tuple[list[Any], list[Any]]:
    (first, names), (second, others) = _values(a), _values(b)
    if names is not None and others is not None and list(names) != list(others):
        place = {name: j for j, name in enumerate(others)}
        common = [(i, place[name]) for i, name in enumerate(names) if name in place]
        if not common:
            raise InputError("The two clusterings have no object in common; expected at least some of the same names.")
        return [first[i] for i, _ in common], [second[j] for _, j in common]
    if len(first) != len(second):
        raise InputError(
            f"Clusterings of {len(first)} and {len(second)} objects were given; expected the same objects in both, or "
            "names to match them by."
        )
    return first, second


def _values(labels: Any) -> tuple[list[Any], list[Any] | None]:
    """Labels as a list, and the names of the objects if there are any."""
    names, values = attached_names(labels), align(labels, None, "labels")
    values = np.asarray(values).tolist() if hasattr(values, "dtype") else values
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeMismatch(f"{quote(labels)} was given; expected a label for each object, or a Consensus.")
    return list(values), None if names is None or names.numbered else list(names)


def _plain(name: Any) -> Any:
    return name.item() if hasattr(name, "item") else name


def _is_missing(label: Any) -> bool:
    return label is None or label != label or label == MISSING


def _fresh(label: Any, taken: set[str]) -> Any:
    """A name that is not in use: the next free number, or the label with primes appended."""
    if isinstance(label, int) and all(name.lstrip("-").isdigit() for name in taken):
        return max((int(name) for name in taken), default=-1) + 1
    name = str(label)
    while name in taken:
        name += "'"
    return name
