"""The findings of a report about a consensus, computed before anything is written."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._lib.arrays import FloatArray, IntArray, percent
from ..choose.auto import consensus
from ..choose.choice import Choice
from ..choose.eigengap import eigengap
from ..families.registry import find_method
from ..graphs.affinity import affinity_of
from ..graphs.doubts import doubts
from ..graphs.graph import Graph
from ..labels.ready import Ready
from ..labels.value import remembered
from ..measures.agreement import agreement_with_each
from ..networks import communities
from ..plot.display import amount, plural
from ..plot.object_pictures import UNSURE
from ..result.consensus import MIXED, Consensus, chain_ratios, chain_sentence, structure_doubt

_MANY = 0.05  # of the objects: so many unsure ones are a doubt
_CHANCE = 0.03  # adjusted agreement that random labels stay below
LISTED = 2000  # objects that a table can hold one by one
_GROUPS = 350  # of objects with the same labels, of each kind that a table holds
_PAIRS = ("must_link", "cannot_link")
_WRITTEN = 100  # weights that are written one by one


class Verdict(NamedTuple):
    """One line of the verdict."""

    what: str
    sign: str  #: "good", "fair" or "bad"
    words: str


@dataclass(frozen=True, eq=False)
class Findings:
    """Statistics of a consensus that the tables, alerts and verdict of a report use, each computed on first use."""

    result: Consensus

    @remembered
    def agreement(self) -> FloatArray:
        """Adjusted Rand index of the consensus with every partition, NaN if a partition has no label."""
        return agreement_with_each(self.result.labels, self.result.ensemble)

    @property
    def unanimous(self) -> bool:
        """Whether every partition is the same as the consensus."""
        return bool(np.nan_to_num(self.agreement).min(initial=1.0) > 1 - 1e-9)

    @remembered
    def choice(self) -> Choice:
        """The number of clusters that the labels support; the same as for the result, if it chose one."""
        r = self.result
        return r.choice or eigengap(Ready.of(r.ensemble).ensemble, r.options.get("seed") or 0)

    # words -------------------------------------------------------------------------------------------------------

    def summary(self) -> str:
        """The result in a sentence."""
        r, n, sizes = self.result, len(self.result.labels), self.result.sizes()
        least, most = int(sizes.min(initial=n)), int(sizes.max(initial=0))
        one, group, clustering = self.result._nouns
        each = f"{amount(most, one)} each" if least == most else f"{least:,} to {amount(most, one)}"
        spread = f" of {each}" if r.k > 1 else ""
        fall = "fall" if n != 1 else "falls"
        clusterings = amount(r.ensemble.n_partitions, clustering)
        return f"{amount(n, one)} {fall} into {amount(r.k, group)}{spread}, by {r.method} from {clusterings}."

    def verdict(self) -> tuple[Verdict, ...]:
        """Whether the number of clusters, the clusters and the objects are well supported, and whether chains agree."""
        ratios = chain_ratios(self.result)
        sign = "good" if ratios.max(initial=0.0) <= MIXED else "bad"
        chains = [Verdict("Chains", sign, chain_sentence(self.result))] if ratios.size else []
        return self.number(), self.cohesion(), self.objects(), *chains

    def number(self) -> Verdict:
        """How the number of clusters was found, and whether the labels support it."""
        r, choice = self.result, self.choice
        sign = {"clear": "good", "ambiguous": "fair", "none": "bad"}[choice.kind]
        if r.choice is not None:
            return Verdict("Number", sign, choice.why)
        candidates = [k for k in dict.fromkeys((choice.k, *choice.optional, *choice.levels)) if k > 1]
        are = "s are" if len(candidates) > 1 else " is"
        best = f"; the best candidate{are} {' and '.join(map(str, candidates[:2]))}" if candidates else ""
        clusterings = plural(self.result._nouns[2])
        words = {
            "clear": f"The {clusterings} clearly support {choice.k}{f'; {r.k} is possible too' * (r.k in candidates)}.",
            "ambiguous": f"The {clusterings} do not single out a number{best}.",
            "none": f"The {clusterings} do not agree on any groups{best}.",
        }[choice.kind]
        if choice.k == r.k and choice.kind == "clear":
            words = "This number is clearly supported."
        elif choice.k != r.k:
            sign = "fair" if r.k in candidates and choice.kind != "none" else "bad"
        begin = f"You asked for {r.k}." if r.options.get("k") is not None else f"{r.method} found {r.k}."
        compared = max(choice.figures.get("strengths") or [r.k])
        if r.k > compared:
            return Verdict("Number", "fair", f"{begin} Only numbers up to {compared} could be compared.")
        return Verdict("Number", sign, f"{begin} {words}")

    def cohesion(self) -> Verdict:
        """How often the objects of a cluster are together, and which clusters the partitions split."""
        r, splits = self.result, self.result._evidence.splits()
        mean = float(r.cohesion[r.labels >= 0].mean()) if r.k else 0.0
        ones, group, clusterings = plural(self.result._nouns[0]), self.result._nouns[1], plural(self.result._nouns[2])
        sentences = [f"Two {ones} of a {group} are together in {percent(mean)} of the {clusterings} on average."]
        split = splits.sentence(r.cluster_names)
        bad = [f"{split[0].upper()}{split[1:]}."] if split else []
        bad += [line for line in [structure_doubt(r)] if line]
        if r.k > 1 and np.nan_to_num(self.agreement).max(initial=0.0) < _CHANCE:
            bad.append(f"No {self.result._nouns[2]} agrees with the consensus more than expected by chance.")
        sentences += [splits.finer_sentence] if splits.finer_sentence else []
        sign = "bad" if bad else "fair" if len(sentences) > 1 or mean < UNSURE else "good"
        return Verdict("Cohesion", sign, " ".join(sentences + bad))

    def objects(self) -> Verdict:
        """Which objects are uncertain, would move, or have no cluster."""
        r, e, n = self.result, self.result.ensemble, len(self.result.labels)
        rows = np.flatnonzero(r.labels >= 0)
        order = rows[np.lexsort((r.cohesion[rows], r.confidence[rows]))]
        calls = " and ".join(str(e.vertex_names()[int(i)])[:40] for i in order[:2] if r.confidence[i] < 1)
        missing, lost = e.n_missing / max(e.codes.size, 1), n - len(rows)
        unsure = int(np.count_nonzero(r.confidence[rows] < UNSURE)) if r.k > 1 else 0
        moving = int(np.count_nonzero(affinity_of(r).nearest(rows) != r.labels[rows]))
        own = "with its own" if moving == 1 else "with their own"
        closest = f"; the least certain: {calls}" if calls else ""
        one, group, _ = r._nouns
        sentences = {
            "They are all in one cluster.": r.k == 1,
            f"No {one} has a confidence below {UNSURE:g}{closest}.": r.k > 1 and not unsure,
            f"{self._how_many(unsure, 'has', 'have')} a confidence below {UNSURE:g}; look at {calls} first.": unsure,
            f"{self._how_many(moving, 'is', 'are')} more often with another {group} than {own}.": moving,
            f"{self._how_many(lost, 'has', 'have')} no label in any clustering, and therefore no cluster.": lost,
            f"{percent(missing)} of the labels are missing.": missing,
        }
        bad = max(unsure, moving) >= max(_MANY * n, 1) or missing >= 4 * _MANY
        sign = "bad" if bad else "fair" if unsure or moving or lost else "good"
        return Verdict("Objects", sign, " ".join(words for words, true in sentences.items() if true))

    def _how_many(self, n: int, one: str, many: str) -> str:
        return f"{amount(n, self.result._nouns[0])} {one if n == 1 else many}"

    def alerts(self) -> list[str]:
        """Doubts about single clusterings: those without information, and those that agree least with the result."""
        e, doubtful = (self.result.ensemble, () if self.result.network is not None else doubts(self.result.ensemble))
        suspects = {doubt.partition for doubt in doubtful}
        low = [t for t in _odd(self.agreement, e.weights) if str(e.partition_names[t]) not in suspects]
        sentences = [doubt.sentence for doubt in doubtful]
        if low:
            names = ", ".join(str(e.partition_names[t]) for t in low[:5])
            names += f" and {len(low) - 5} more" if len(low) > 5 else ""
            by_chance = self.agreement[low].max() < _CHANCE
            how = "no more than expected by chance" if by_chance else "far less than the others do"
            sentences.append(f"{names} {'agrees' if len(low) == 1 else 'agree'} with the consensus {how}.")
        return sentences

    # tables ------------------------------------------------------------------------------------------------------

    def clusters(self) -> list[list[Any]]:
        """One row per cluster: number, objects, share, confidence, unsure, cohesion, split, nearest, co-association."""
        r, sizes, splits = self.result, self.result.sizes(), self.result._evidence.splits()
        between, rows = np.nan_to_num(affinity_of(r).between(), nan=-1.0), []
        for c in range(r.k):
            confidence, others = r.confidence[r.labels == c], np.where(np.arange(r.k) == c, -np.inf, between[c])
            near = int(others.argmax()) if others.max() > 0 else -1
            share = sizes[c] / max(sizes.sum(), 1)
            rows.append(
                [c, int(sizes[c]), (share, percent(share)), float(confidence.mean()),
                 int((confidence < UNSURE).sum()) if r.k > 1 else None,
                 float(between[c, c]), f"{splits.split[c]} of {splits.judged[c]}" if splits.judged[c] else None,
                 near, float(others[near]) if near >= 0 else None]
            )  # fmt: skip
        return rows


def _odd(agreement: FloatArray, weights: FloatArray) -> IntArray:
    """Partitions far below the median agreement (by three scaled median deviations), or at chance; the worst first."""
    finite = agreement[np.isfinite(agreement)]
    middle = float(np.median(finite)) if len(finite) else 0.0
    low = np.full(len(agreement), _CHANCE if middle > 4 * _CHANCE else -np.inf)
    if finite.size >= 4:
        scale = 1.4826 * float(np.median(np.abs(finite - middle)))
        low = np.maximum(low, middle - max(3 * scale, 0.1))
    odd = np.flatnonzero((agreement < low) & (weights > 0))
    return odd[np.argsort(agreement[odd], kind="stable")]


def object_rows(r: Consensus) -> list[list[Any]]:
    """The objects, the least certain first: name, cluster, rival, confidence, cohesion."""
    return [[str(name), *facts] for name, *facts in r.uncertain(len(r.labels)).itertuples(name=None)]


def row_groups(r: Consensus) -> list[list[Any]]:
    """The least certain and largest groups of objects with equal labels: a name, their number, and as `object_rows`."""
    row, names = r.ensemble.collapse()[1], r.ensemble.vertex_names()
    _, first, size = np.unique(row * (r.k + 1) + r.labels, return_index=True, return_counts=True)
    least, largest = np.lexsort((-size, r.confidence[first])), np.lexsort((r.confidence[first], -size))
    chosen = list(dict.fromkeys([*least[:_GROUPS].tolist(), *largest[:_GROUPS].tolist()]))
    columns = (r.labels, affinity_of(r).every_object.rival, r.confidence, r.cohesion)
    rows = []
    for i, many in zip(first[chosen].tolist(), size[chosen].tolist(), strict=True):
        like_it = f" and {many - 1:,} like it" if many > 1 else ""
        rows.append([f"{names[i]}{like_it}", many, *(column[i].item() for column in columns)])
    return rows


def code_line(r: Consensus) -> str:
    """Return the call that gives the same clusters; nothing if it cannot be written.

    Names stand for what only the caller has: labels, features, networks, long weights, functions.
    """
    if r.network is not None:
        call = dict(r._runs)
        words = _words(call, _defaults(communities)) if call else None
        return "" if words is None else f"communities({', '.join(['G', *words])})"
    e, call = r.ensemble, _call(r)
    defaults = {**_defaults(consensus), **_method_defaults(call.get("method"))}
    words = _words(call, defaults) if call else None
    weights = {
        name: weight.tolist() if len(weight) <= _WRITTEN else weight
        for name, weight in (("weights", e.weights), ("object_weights", e.object_weights))
        if (weight != 1).any()
    }
    labels = f"ge.Ensemble({', '.join(['labels', *(_words(weights, {}) or ())])})" if weights else "labels"
    return "" if words is None else f"consensus({', '.join([labels, *words])})"


def command_line(r: Consensus) -> str:
    """Return the same as a command; nothing if options or weights cannot be given on the command line."""
    e, call = r.ensemble, _call(r)
    if not call or r.network is not None or (e.weights != 1).any() or (e.object_weights != 1).any():
        return ""
    method, line = call.pop("method"), "graphens consensus labels.csv"
    if not isinstance(method, str):
        return ""
    line += f" --method {method}" if method != "auto" else ""
    defaults = _method_defaults(method)
    for name, value in call.items():
        if value is None or (name in defaults and _same(value, defaults[name])):
            continue
        if callable(value) or _word(name, value) in (None, name):
            return ""
        flag = {"k": "-k", "seed": "--seed", "rule": "--rule"}.get(name)
        written = value if isinstance(value, str) else _word(name, value)
        if name in _PAIRS:
            line += f" --{name.replace('_', '-')} {name}.csv"
        else:
            line += f" {flag} {written}" if flag else f" --set {shlex.quote(f'{name}={written}')}"
    return line


def _call(r: Consensus) -> dict[str, Any]:
    """The arguments of `consensus` that give the result, in the order in which they are written."""
    call = {**r._call, **{name: list(r.options[name]) for name in _PAIRS if r.options.get(name)}}
    order = [name for name in ("k", "method") if name in call] + [*call]
    return {name: call[name] for name in sorted(dict.fromkeys(order), key=lambda name: name == "seed")}


def _defaults(function: Any) -> dict[str, Any]:
    return {name: parameter.default for name, parameter in inspect.signature(function).parameters.items()}


def _method_defaults(method: Any) -> dict[str, Any]:
    return _defaults(find_method(method).function) if isinstance(method, str) and method != "auto" else {}


def _words(call: Mapping[str, Any], known: Mapping[str, Any]) -> list[str] | None:
    """The arguments that differ from the defaults, as code; None if one of them cannot be written."""
    words = []
    for name, value in call.items():
        if name in known and _same(value, known[name]):
            continue
        word = _word(name, value)
        if word is None:
            return None
        words.append(f"{name}={word}")
    return words


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and np.ndim(value) == 0 and value == default)


def _word(name: str, value: Any) -> str | None:
    """A value as code: a literal, or a name for an array, a graph or a function; None if there is neither."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return repr(int(value)) if name in ("weights", "object_weights") else repr(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    if isinstance(value, Mapping):
        inside = {key: _word("", one) for key, one in value.items()}
        return None if None in inside.values() else f"{{{', '.join(f'{k!r}: {v}' for k, v in inside.items())}}}"
    if isinstance(value, (list, tuple)):
        parts = [_word(name, one) for one in value]
        return None if None in parts else f"[{', '.join(map(str, parts))}]"
    if callable(value):
        called = getattr(value, "__name__", "")
        return called if called.isidentifier() else None
    return name if hasattr(value, "shape") or isinstance(value, Graph) else None
