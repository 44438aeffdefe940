"""The findings of a report about a consensus, computed before anything is written."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import AnyArray, FloatArray, IntArray
from ..core.ensemble import Ensemble
from ..core.result import Consensus, structure_doubt
from ..families.registry import find_method
from ..measures import ari
from ..plot.display import count
from ..plot.object_pictures import UNSURE
from ..views.affinity import Affinity, affinity_of
from ..views.doubts import doubts
from ..views.incidence import once

_MANY = 0.05  # of the objects: so many unsure ones are a doubt
_CHANCE = 0.03  # adjusted agreement that random labels stay below
LISTED = 2000  # objects that a table can hold one by one
_GROUPS = 350  # of objects with the same labels, of each kind that a table holds
_PAIRS = ("must_link", "cannot_link")


@dataclass(frozen=True, eq=False)
class Findings:
    """Statistics of a consensus that the tables, alerts and verdict of a report use.

    Attributes
    ----------
    between
        Mean co-association between and within clusters, k × k.
    agreement
        Adjusted Rand index of the consensus with every partition, NaN if a partition has no label.
    random
        Partitions that agree with it no more than expected by chance, although others do.
    odd
        Partitions that agree with it far less than the others do.
    unsure
        Objects with a confidence below 0.6, the least certain first.
    moving
        Number of objects that would be in another cluster if they were assigned by their labels.
    """

    result: Consensus
    between: FloatArray
    agreement: FloatArray
    random: IntArray
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
        """Reasons to doubt the result, the most serious first."""
        r, e, n = self.result, self.result.ensemble, max(len(self.result.labels), 1)
        said = [doubt.sentence for doubt in doubts(e)]
        said += [line for line in (_no_number(r), structure_doubt(r.details)) if line]
        if self.moving:
            said.append(
                f"{count(self.moving, 'object')} ({self.moving / n:.1%}) would move to another cluster if assigned "
                f"again by {'its' if self.moving == 1 else 'their'} labels: r.assign(labels) shows where."
            )
        lost = int(np.count_nonzero(r.labels < 0))
        if lost:
            said.append(
                f"{count(lost, 'object')} {'has' if lost == 1 else 'have'} no label in any clustering, and therefore "
                "no cluster."
            )
        if r.k > 1 and np.nan_to_num(self.agreement).max(initial=0.0) < _CHANCE:
            said.append(
                "No clustering agrees with the consensus more than expected by chance, so the consensus does not "
                "represent them."
            )
        if len(self.random):
            few = "agrees" if len(self.random) == 1 else "agree"
            said.append(
                f"{_named(e, self.random)} {few} with the consensus no more than expected by chance. Leave out "
                "columns that are not clusterings of these objects."
            )
        if len(self.odd):
            said.append(
                f"{len(self.odd)} of {e.n_partitions} clusterings agree far less with the consensus than the others "
                "do: "
                f"{_named(e, self.odd)}."
            )
        return [*said, *(line for line, grave in self._shares() if grave)]

    def notes(self) -> list[str]:
        """Remarks that are no reason for doubt."""
        own = (t.note for t in self.result.trials if t.method == self.result.method)
        return [*(line for line, grave in self._shares() if not grave), *(note for note in own if note)]

    def _shares(self) -> list[tuple[str, bool]]:
        """Sentences about uncertain objects and missing labels, and whether each is a reason for doubt."""
        e, n, said = self.result.ensemble, max(len(self.result.labels), 1), []
        if len(self.unsure):
            share = len(self.unsure) / n
            unsure = f"{count(len(self.unsure), 'object')} ({share:.1%})"
            have = "has" if len(self.unsure) == 1 else "have"
            said.append((f"{unsure} {have} a confidence below {UNSURE:g}; see below.", share >= _MANY))
        missing = e.n_missing / max(e.n_objects * e.n_partitions, 1)
        if missing:
            line = (
                f"{missing:.1%} of the labels are missing; each pair of objects is judged by the clusterings that "
                "label both."
            )
            said.append((line, missing >= 4 * _MANY))
        return said

    def verdict(self) -> str:
        """The result in a sentence or two."""
        r = self.result
        n, sizes = len(r.labels), r.sizes()
        sure = float(np.mean(r.confidence[r.labels >= 0] >= UNSURE)) if (r.labels >= 0).any() else 0.0
        objects = (
            f"{n:,} object{'s fall' if n != 1 else ' falls'} into {r.k} cluster{'s' if r.k != 1 else ''}"
        )
        spread = f" of {sizes.min():,} to {sizes.max():,} objects" if r.k > 1 else ""
        return (
            f"{objects}{spread}, by {r.method} from {r.ensemble.n_partitions:,} clusterings. {sure:.0%} of the "
            f"objects have a confidence of at least {UNSURE:g}, and the mean normalized mutual information with the "
            f"clusterings is {r.score:.2f} (ANMI, 0 to 1)."
        )


def findings(r: Consensus) -> Findings:
    """Compute the findings about a consensus. O(nB)."""
    e = r.ensemble
    agreement = np.array([_agreement(r.labels, e.codes[t], e.absent) for t in range(e.n_partitions)])
    unsure = np.flatnonzero((r.labels >= 0) & (r.confidence < UNSURE))
    order = np.lexsort((unsure, r.confidence[unsure]))
    rows = np.flatnonzero(r.labels >= 0)
    moving = int(np.count_nonzero(affinity_of(r).nearest(rows) != r.labels[rows]))
    between = Affinity(once(e), r.labels, r.k).between()
    known = np.nan_to_num(agreement, nan=1.0)
    suspects = {doubt.partition for doubt in doubts(e)}  # said already
    plain = np.array([str(name) not in suspects for name in e.partition_names], dtype=bool)
    clear = float(np.median(known)) > 4 * _CHANCE  # an answer that others agree with
    random = np.flatnonzero((known < _CHANCE) & plain & (e.weights > 0) & clear)
    odd = np.setdiff1d(_odd(agreement), random, assume_unique=True)
    return Findings(r, between, agreement, random, odd[plain[odd]], unsure[order], moving)


def _agreement(labels: AnyArray, codes: AnyArray, absent: int) -> float:
    both = (codes != absent) & (labels >= 0)
    return float(ari(labels[both], codes[both].astype(np.int64))) if both.any() else float("nan")


def _named(e: Ensemble, partitions: IntArray) -> str:
    """The names of some partitions, five at most."""
    names = ", ".join(str(e.partition_names[t]) for t in partitions[:5])
    return names + (f" and {len(partitions) - 5} more" if len(partitions) > 5 else "")


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
    """The doubt if the number of clusters was to be found, but none stood out."""
    if r.choice is None or r.choice.k != 1 or not r.choice.optional:
        return ""
    candidates = ", ".join(str(k) for k in r.choice.optional)
    return (
        f"No number of clusters stands out, so all objects are in one cluster. The best candidates are {candidates}: "
        "try ge.consensus(labels, k)."
    )


def listed(found: Findings) -> list[list[Any]]:
    """The objects, the least certain first: name, cluster, confidence, rival, margin of mean co-association."""
    r = found.result
    rows = np.lexsort((r.confidence, r.labels < 0))  # those without a cluster last
    names = r.ensemble.vertex_names()
    return [[str(names[int(i)]), *facts] for i, facts in zip(rows, _facts(r, rows), strict=True)]


def groups(found: Findings) -> list[list[Any]]:
    """The least certain and largest groups of objects with equal labels: a name, their number, and as `listed`."""
    r = found.result
    row = r.ensemble.collapse()[1]
    _, first, size = np.unique(row * (r.k + 1) + r.labels, return_index=True, return_counts=True)
    least, largest = np.lexsort((-size, r.confidence[first])), np.lexsort((r.confidence[first], -size))
    chosen = np.array(
        list(dict.fromkeys([*least[:_GROUPS].tolist(), *largest[:_GROUPS].tolist()])), dtype=np.int64
    )
    names = r.ensemble.vertex_names()
    made = []
    for g, facts in zip(chosen.tolist(), _facts(r, first[chosen]), strict=True):
        shown = str(names[int(first[g])]) + (f" and {size[g] - 1:,} like it" if size[g] > 1 else "")
        made.append([shown, int(size[g]), *facts])
    return made


def _facts(r: Consensus, rows: IntArray) -> list[list[Any]]:
    """Cluster, confidence, rival and margin of some objects; an object without a cluster has no rival."""
    made: list[list[Any]] = [[-1, float("nan"), -1, float("nan")] for _ in rows]
    known = np.flatnonzero(r.labels[rows] >= 0)
    if not known.size:
        return made
    own, other, rival, _ = affinity_of(r).duel(rows[known])
    for j, at in enumerate(known.tolist()):
        i = int(rows[at])
        made[at] = [int(r.labels[i]), float(r.confidence[i]), int(rival[j]), float(own[j] - other[j])]
    return made


def code_line(r: Consensus) -> str:
    """Return the call that repeats a consensus, with the options that differ from the defaults."""
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
    """The method to name: if auto moved objects, the method alone does not give the same result."""
    return "auto" if "moved" in r.details else r.method


def _changed(r: Consensus) -> dict[str, Any]:
    """The options that differ from the defaults and can be written as code."""
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
