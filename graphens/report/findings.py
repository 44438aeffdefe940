"""What a report has to say about a consensus, worked out before anything is written."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import AnyArray, FloatArray, IntArray
from ..core.result import Consensus, structure_doubt
from ..families.registry import find_method
from ..measures import nmi
from ..plot.display import count
from ..plot.object_pictures import UNSURE
from ..views.affinity import Affinity, affinity_of
from ..views.doubts import doubts
from ..views.incidence import once

_LISTED = 50
_PAIRS = ("must_link", "cannot_link")


@dataclass(frozen=True, eq=False)
class Findings:
    """Figures of a consensus that tables, alerts and the verdict share.

    Attributes
    ----------
    between
        Mean co-association between and within clusters, k × k.
    agreement
        NMI of the consensus with every partition, NaN where a partition has no label.
    odd
        Partitions that agree with it far less than the others do.
    unsure
        Objects with a confidence below 0.6, the least sure first.
    moving
        How many objects would be in another cluster if they were assigned by their labels.
    """

    result: Consensus
    between: FloatArray
    agreement: FloatArray
    odd: IntArray
    unsure: IntArray
    moving: int

    def clusters(self) -> list[list[Any]]:
        """One row per cluster: number, objects, share, confidence, unsure, cohesion, nearest and its co-association."""
        r, sizes = self.result, self.result.sizes()
        rows = []
        for c in range(r.k):
            own = r.confidence[r.labels == c]
            others = np.where(np.arange(r.k) == c, -np.inf, np.nan_to_num(self.between[c], nan=-1.0))
            near = int(others.argmax()) if r.k > 1 else -1
            rows.append(
                [c, int(sizes[c]), sizes[c] / max(sizes.sum(), 1), float(own.mean()), int((own < UNSURE).sum()),
                 float(self.between[c, c]), near, float(others[near]) if near >= 0 else float("nan")]
            )  # fmt: skip
        return rows

    def alerts(self) -> list[str]:
        """What a reader should know before believing the answer, the gravest first."""
        r, e, n = self.result, self.result.ensemble, max(len(self.result.labels), 1)
        said = [doubt.sentence for doubt in doubts(e)]
        said += [line for line in (_no_number(r), structure_doubt(r.details)) if line]
        if self.moving:
            said.append(
                f"{count(self.moving, 'object')} ({self.moving / n:.1%}) would move to another cluster if they were "
                "assigned anew by their labels: r.assign(labels) shows where."
            )
        lost = int(np.count_nonzero(r.labels < 0))
        if lost:
            said.append(
                f"{count(lost, 'object')} without a label in any partition, and therefore without a cluster."
            )
        if len(self.unsure):
            said.append(
                f"{count(len(self.unsure), 'object')} ({len(self.unsure) / n:.1%}) with a confidence below {UNSURE:g}, "
                "listed below."
            )
        if len(self.odd):
            names = ", ".join(str(e.partition_names[t]) for t in self.odd[:5])
            more = f" and {len(self.odd) - 5} more" if len(self.odd) > 5 else ""
            said.append(
                f"{len(self.odd)} of {e.n_partitions} partitions agree far less with the answer than the others: "
                f"{names}{more}."
            )
        missing = e.n_missing / max(e.n_objects * e.n_partitions, 1)
        if missing:
            said.append(
                f"{missing:.1%} of the labels are missing; pairs are judged by the partitions that have both."
            )
        notes = (t.note for t in r.trials if t.method == r.method)
        return [*said, *(note for note in notes if note)]

    def verdict(self) -> str:
        """The answer in a sentence or two."""
        r = self.result
        n, sizes = len(r.labels), r.sizes()
        sure = float(np.mean(r.confidence[r.labels >= 0] >= UNSURE)) if (r.labels >= 0).any() else 0.0
        objects = (
            f"{n:,} object{'s fall' if n != 1 else ' falls'} into {r.k} cluster{'s' if r.k != 1 else ''}"
        )
        spread = f" of {sizes.min():,} to {sizes.max():,} objects" if r.k > 1 else ""
        return (
            f"{objects}{spread}, by {r.method} from {r.ensemble.n_partitions:,} clusterings. {sure:.0%} of the objects "
            f"are sure of their cluster (confidence of at least {UNSURE:g}), and the answer shares {r.score:.2f} of "
            "its information with the clusterings (ANMI, 0 to 1)."
        )


def findings(r: Consensus) -> Findings:
    """Work the figures of a consensus out. O(nB)."""
    e = r.ensemble
    agreement = np.array([_agreement(r.labels, e.codes[t], e.absent) for t in range(e.n_partitions)])
    unsure = np.flatnonzero((r.labels >= 0) & (r.confidence < UNSURE))
    order = np.lexsort((unsure, r.confidence[unsure]))
    rows = np.flatnonzero(r.labels >= 0)
    moving = int(np.count_nonzero(affinity_of(r).nearest(rows) != r.labels[rows]))
    between = Affinity(once(e), r.labels, r.k).between()
    return Findings(r, between, agreement, _odd(agreement), unsure[order], moving)


def _agreement(labels: AnyArray, codes: AnyArray, absent: int) -> float:
    both = (codes != absent) & (labels >= 0)
    return float(nmi(labels[both], codes[both].astype(np.int64))) if both.any() else float("nan")


def _odd(agreement: FloatArray) -> IntArray:
    """Partitions more than three scaled median deviations (and 0.1) below the median agreement, the worst first."""
    known = agreement[np.isfinite(agreement)]
    if known.size < 4:
        return np.empty(0, dtype=np.int64)
    middle = float(np.median(known))
    scale = 1.4826 * float(np.median(np.abs(known - middle)))
    low = np.flatnonzero(agreement < middle - max(3 * scale, 0.1))
    return low[np.argsort(agreement[low], kind="stable")]


def _no_number(r: Consensus) -> str:
    """What to doubt where the number of clusters was to be found and none stood out."""
    if r.choice is None or r.choice.k != 1 or not r.choice.optional:
        return ""
    candidates = ", ".join(str(k) for k in r.choice.optional)
    return (
        "No number of clusters stands out, so all objects are one cluster. The best candidates are "
        f"{candidates}: ge.consensus(labels, k) gives them."
    )


def listed(found: Findings) -> list[list[Any]]:
    """The least sure objects, at most 50: name, cluster, confidence, rival, margin of mean co-association."""
    r, rows = found.result, found.unsure[:_LISTED]
    if not rows.size:
        return []
    own, other, rival, _ = affinity_of(r).duel(rows)
    margin = own - other
    names = r.ensemble.vertex_names()
    return [
        [str(names[int(i)]), int(r.labels[i]), float(r.confidence[i]), int(rival[j]), float(margin[j])]
        for j, i in enumerate(rows)
    ]


def code_line(r: Consensus) -> str:
    """Return the call that repeats a consensus, with the options that are not the method's own."""
    method, k, seed = _method(r), r.options.get("k", r.k), r.options.get("seed")
    given = {} if k is None else {"k": k}
    given |= {"method": method} | ({} if method == "auto" else _changed(r))
    given |= {name: list(r.options[name]) for name in _PAIRS if r.options.get(name)}
    given |= {} if seed is None else {"seed": seed}
    return f"consensus(labels, {', '.join(f'{name}={value!r}' for name, value in given.items())})"


def command_line(r: Consensus) -> str:
    """Return the same as a command."""
    seed = r.options.get("seed")
    line = f"graphens consensus labels.csv -k {r.k} --method {_method(r)}"
    line += "".join(f" --{name.replace('_', '-')} {name}.csv" for name in _PAIRS if r.options.get(name))
    return line if seed is None else f"{line} --seed {seed}"


def _method(r: Consensus) -> str:
    """The method to name: where auto mended an answer, the method alone does not repeat it."""
    return "auto" if "moved" in r.details else r.method


def _changed(r: Consensus) -> dict[str, Any]:
    """The options that are not the method's own defaults, those that can be written down."""
    known = inspect.signature(find_method(r.method).function).parameters
    plain = (bool, int, float, str, np.integer, np.floating)
    return {
        name: value
        for name, value in r.options.items()
        if name not in ("k", "seed")
        and isinstance(value, plain)
        and name in known
        and value != known[name].default
    }
