"""What all consensus functions share: they take an `Ensemble` and return an `Outcome`, and the rest is done here.

`consensus_function` adds the registry row. It also does, once for all methods, what each would otherwise repeat: read
the labels, rescale weights, set objects without any label aside, check k and the seed, and turn the outcome into a
`Consensus` with canonical labels, membership, confidence and score.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any, Concatenate, ParamSpec, cast

import numpy as np

from .._lib.arrays import MISSING, Seed, as_int, as_list, bind, number, of_kind, reported_seed
from .._lib.frames import collected
from .._lib.memory import within_memory
from ..cutting.partitioner_registry import find_partitioner
from ..errors import DegenerateWarning, FallbackWarning, InputError, warn
from ..graphs.coassociation import as_network
from ..graphs.doubts import doubts, most_clusters, warn_of
from ..graphs.graph import Graph
from ..labels.ensemble import Ensemble, Labels
from ..labels.ready import Ready
from ..result.consensus import Consensus
from .costs import warn_of_time
from .docstrings import complete, joined, sections_of
from .method import BALANCED, ROWS, Method, Symmetry
from .outcome import Outcome, of_all_objects, to_consensus
from .rows import Rows

Check = Callable[[str, Any], Any]

_OFTEN = 1_000_000  # more repetitions than this are a typing error, and would take forever


def _count(lowest: int) -> Check:
    return lambda name, value: as_int(name, value, lowest, _OFTEN)


def _between(lowest: float, highest: float = np.inf, *, open_below: bool = False) -> Check:
    def check(name: str, value: Any) -> Any:
        x = number(name, value)
        if x < lowest or x > highest or (open_below and x == lowest):
            least = f"above {lowest:g}" if open_below else f"{lowest:g} or more"
            bounds = least if np.isinf(highest) else f"from {lowest:g} to {highest:g}"
            raise InputError.about(name, value, f"a number {bounds}")
        return value

    return check


def _of(kind: Any, expected: str) -> Check:
    return lambda name, value: of_kind(name, value, kind, expected)


_TEXT, _FLAG = _of(str, "a name"), _of((bool, np.bool_), "True or False")

OPTIONS: Mapping[str, Check] = {
    **dict.fromkeys(("algorithm", "by", "fitness", "linkage", "mapping"), _TEXT),
    **dict.fromkeys(("order", "rule", "variant", "voting"), _TEXT),
    **dict.fromkeys(("adjusted", "align", "collapse", "reconcile"), _FLAG),
    **dict.fromkeys(
        ("n_init", "n_runs", "max_iter", "rounds", "steps", "sweeps", "k_max", "rank", "sample"), _count(1)
    ),
    **dict.fromkeys(("generations", "retries"), _count(0)),
    **dict.fromkeys(("alpha", "decay", "gini", "mutation", "tau", "tolerance", "w_min"), _between(0, 1)),
    **dict.fromkeys(("entropy_scale", "resolution", "time_limit"), _between(0, open_below=True)),
    "population": _count(4),
    "theta": _between(0),
    "tol": _between(0),
    "methods": lambda name, value: as_list(name, value, "names of methods, or functions"),
    **dict.fromkeys(("base", "similarity"), _of((str, Callable), "a name or a function")),
    "partitioner_options": _of(Mapping, "a mapping such as {'imbalance': 0.1}"),
}


def checked(given: Mapping[str, Any], table: Mapping[str, Check], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Check that options have the types and bounds of the table, and return them; defaults are not checked."""
    return {
        name: value if name not in table or value is defaults.get(name) else table[name](name, value)
        for name, value in given.items()
    }


P = ParamSpec("P")
Inside = Callable[Concatenate[Any, P], Outcome]  # of an Ensemble, or Rows where it scales
Outside = Callable[Concatenate[Labels, P], Consensus]


def consensus_function(
    *, balanced: bool = False, symmetry: Symmetry | None = None, **facts: Any
) -> Callable[[Inside[P]], Outside[P]]:
    """Add a function to the registry, with the facts of its row (see `Method`), and wrap it in what all share."""

    def decorate(function: Inside[P]) -> Outside[P]:
        promises = symmetry or (BALANCED if balanced else Symmetry())
        return provided(Method(function.__name__, function, balanced=balanced, symmetry=promises, **facts))

    return decorate


def provided(row: Method) -> Callable[..., Any]:
    """Add the row of a function of ours to the registry, and return what users call."""
    run = under_contract(row)
    ROWS.provide(row.name, replace(row, function=run))
    run.__doc__ = described(run.__doc__, ROWS[row.name], row.name)
    return run


def alias(name: str, base: Outside[P], about: str, *, facts: Mapping[str, Any], **defaults: Any) -> Outside[P]:
    """Add a method of the literature that is another one with other `defaults`, under its own name and reference.

    It is `about` something, in a sentence; `facts` are what the registry says of it and not of the other method.
    """
    # A copy of the function inside the contract: an alias is checked and documented as a method of its own.
    row = ROWS[base.__name__]
    inside: Any = row.function.__wrapped__  # type: ignore[attr-defined]
    function = FunctionType(inside.__code__, inside.__globals__, name, inside.__defaults__, inside.__closure__)
    function.__kwdefaults__, function.__annotations__ = inside.__kwdefaults__ | defaults, inside.__annotations__
    function.__module__, function.__qualname__ = inside.__module__, name
    if inside.__doc__ is not None:  # as under python -OO
        settings = ", ".join(f"{option}={value!r}" for option, value in defaults.items())
        same = {section: text for section, text in sections_of(inside.__doc__).items() if section in _SAME}
        function.__doc__ = joined({"": f"{about}\n\nThis is `{row.name}` with ``{settings}``.", **same})
    return cast(Outside[P], provided(replace(row, name=name, function=function, **facts)))


_SAME = ("Parameters", "Returns")  # sections of its docstring that an alias has from the other method


def under_contract(row: Method, options: Mapping[str, Check] = OPTIONS) -> Callable[..., Consensus]:
    """Return the function that users call, which takes labels of any kind and returns a Consensus."""
    function, per_object = row.function, row.per_object
    signature = _outside(function)
    defaults = {name: parameter.default for name, parameter in signature.parameters.items()}

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Consensus:
        # The order matters: options are checked before labels are read, which may take long, and k is filled in only
        # when the number of objects is known.
        bound = bind(signature, row.name, args, kwargs)
        bound.apply_defaults()
        arguments = checked(bound.arguments, options, defaults)
        arguments |= {name: collected(arguments[name]) for name in per_object if name in arguments}
        labels, requested_k = arguments.pop("labels"), arguments.get("k")
        ready = labels if isinstance(labels, Ready) else Ready.of(Ensemble.of(labels))
        _fill_in(arguments, ready, row)
        outcome = Outcome(np.full(0, MISSING))
        if ready.anyone:
            call = {
                key: _network(ready, value, key)
                if key in row.networks
                else ready.argument(key, value, per_object, row.neighbor_lists)
                for key, value in arguments.items()
            }
            # Repeated partitions are merged for methods that say the answer is the same: it is what saves most time
            # with them.
            e = ready.distinct_partitions if row.merges else ready.ensemble
            warn_of_time(row.name, e, {name for name in call if call[name] is not defaults[name]})
            size = f"{e.n_objects} objects in {ready.ensemble.n_partitions} partitions"
            with within_memory(f"{row.name} of {size}"):
                outcome = function(Rows(e) if row.scalable else e, **call)
        result = to_consensus(row.name, ready, of_all_objects(outcome, ready), arguments)
        why = _explain_k(result, ready, requested_k, arguments, outcome)
        asked_for = {"method": row.name, **arguments, **({"k": requested_k} if "k" in arguments else {})}
        return result._replace(why=why, _call=asked_for)

    hints = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    run.__name__ = run.__qualname__ = row.name
    run.__annotations__ = hints | {"labels": Labels, "return": Consensus}
    run.__signature__ = signature  # type: ignore[attr-defined]
    return run


def _network(ready: Ready, x: Any, name: str) -> Graph | None:
    """The network of the objects that take part, with vertices in their order."""
    if x is None:
        return None
    graph = as_network(x, ready.whole, name)
    return graph if ready.present.all() else graph.subgraph(ready.present)


class _Written(str):
    """An annotation that help() shows as it is written, without quotes and long unions."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _outside(function: Callable[..., Any]) -> inspect.Signature:
    """The signature that users see: labels of any kind as the first argument, and a Consensus as the result."""
    inside = inspect.signature(function)
    # A method of a user may take *args or **kwargs, which say nothing about what it takes.
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    first, *others = (p for p in inside.parameters.values() if p.kind not in kinds)
    labels = first.replace(name="labels", annotation="Labels", kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
    shown = [
        p.replace(annotation=_Written(p.annotation)) if isinstance(p.annotation, str) else p for p in (labels, *others)
    ]
    return inside.replace(parameters=shown, return_annotation=_Written("Consensus"))


def described(text: str | None, row: Method, example_of: str = "") -> str | None:
    """A docstring with what all share and with the facts of the registry row; with an example unless it has one."""
    if text is None:  # python -OO
        return None
    facts = "\n".join(f"{name} : {said}" for name, said in row.facts().items())
    parameters = list(inspect.signature(row.function).parameters)
    whole = complete(text, parameters, name=example_of, reference=row.reference)
    return f"{whole}\n\nIn the registry\n---------------\n{facts}\n"


def decide(row: Method, rows: Rows, k: int, seed: Seed, options: Mapping[str, Any]) -> Outcome:
    """Run a scalable method on rows that may be on disk; its outcome has a rule that labels any row."""
    function: Callable[..., Outcome] = row.function.__wrapped__  # type: ignore[attr-defined]
    signature = inspect.signature(function)
    common = {name: value for name, value in (("k", k), ("seed", seed)) if name in signature.parameters}
    bound = signature.bind(rows, **common, **options)
    bound.apply_defaults()
    defaults = {name: parameter.default for name, parameter in signature.parameters.items()}
    _, *arguments = checked(bound.arguments, OPTIONS, defaults).items()
    return function(rows, **dict(arguments))


def _fill_in(arguments: dict[str, Any], ready: Ready, row: Method) -> None:
    """Check k and the seed, or fill them in; warn about labels that say nothing, and limit k to what they say."""
    if "k" in arguments:
        # More clusters than objects with a label cannot be asked for.
        most = max(int(np.count_nonzero(ready.present)), 1)
        partitioner = arguments.get("partitioner")
        finds_k = not row.needs_k or (partitioner is not None and find_partitioner(partitioner).finds_k)
        if arguments["k"] is None and not finds_k:
            arguments["k"] = max(1, min(int(ready.whole.n_clusters.max()), most))
        elif arguments["k"] is not None:
            arguments["k"] = as_int("k", arguments["k"], 1, most)
    if "seed" in arguments:
        arguments["seed"] = reported_seed(arguments["seed"])
    # Draws of a posterior may be constant, and runs on a network may be alone; elsewhere this is worth a warning.
    usual = {"constant", "alone"} if row.draws else {"alone"} if row.networks else set()
    others = (arguments.get(name) for name in (*row.per_object, *row.neighbor_lists))
    k = arguments.get("k") if all(np.ndim(cast(Any, one)) == 0 for one in others) else None
    warn_of(doubt for doubt in doubts(ready.whole, k) if doubt.kind not in usual)
    if k is not None:
        arguments["k"] = most_clusters(ready.whole, k)


def _explain_k(
    result: Consensus, ready: Ready, requested: int | None, arguments: Mapping[str, Any], outcome: Outcome
) -> str:
    """Say how the number of clusters was chosen, and warn if it is not expected; of the `requested`, k are possible."""
    if not ready.anyone:
        return "No object has a label."
    k = arguments.get("k")
    if requested is None:
        most = int(ready.ensemble.n_clusters[ready.ensemble.weights > 0].max())
        if result.k == 1 < most:
            another = "Give k, or try another method" if "k" in arguments else "Try another method, or another base"
            warn(
                f"{result.method} put all objects into one cluster, although the partitions have up to {most} "
                f"clusters. {another}.",
                DegenerateWarning,
            )
    elif outcome.k_ignored:
        warn(f"k = {requested} is ignored: {outcome.k_ignored}", FallbackWarning)
    elif k is not None and result.k < k:
        warn(f"k = {k} was requested, but only {result.k} clusters contain objects.", DegenerateWarning)
    if not (result.labels >= 0).any():
        return "No object has a label."
    if outcome.k_from and requested is None:
        return f"{result.method} was given no k, so its clusters are those of {outcome.k_from}."
    if k is None or outcome.k_ignored:
        return f"{result.method} finds the number of clusters itself."
    if requested is None:
        return f"{result.method} was given no k, so there are as many clusters as in the partition with the most."
    limit = "" if k == requested else f"; the labels distinguish only {k}"
    return f"{result.method} with {requested} cluster{'' if requested == 1 else 's'} was requested{limit}."
