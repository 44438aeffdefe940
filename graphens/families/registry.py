"""The registry of consensus functions: found by name, extended by plug-ins and by `register_method`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from types import NoneType
from typing import Any, TypeAlias

import numpy as np

from .._lib.arrays import AnyArray, as_numbers
from .._lib.registry import Catalog
from ..cutting.mending import read_labels
from ..errors import InputError, TypeMismatch, did_you_mean, named_failure, quote
from ..graphs.graph import Graph
from ..graphs.hypergraph import Hypergraph
from ..labels.ensemble import Ensemble
from ..result.consensus import Consensus
from ..trees.dendrogram import Dendrogram
from .contract import described, under_contract
from .method import ROWS, Method
from .outcome import Outcome, object_vertices
from .rows import Rows

__all__ = ["AnyMethod", "Method", "adopted", "find_method", "known_options", "methods", "register_method", "variant"]

_KINDS: dict[str, tuple[type, ...]] = {
    "graph": (Graph, Hypergraph, NoneType),
    "dendrogram": (Dendrogram, NoneType),
    "details": (Mapping,),
}


class Methods(Catalog[Method]):
    """The consensus methods: ``methods.eac`` is the function, and ``methods["eac"]`` is its row in the registry.

    ``methods()`` returns the rows as a list that is displayed as a table. It includes plug-ins and methods registered
    in this session.

    Examples
    --------
    >>> import graphens as ge
    >>> ge.methods.eac([[0, 0], [0, 0], [1, 1]], 2).labels.tolist()
    [0, 0, 1]
    >>> ge.methods["eac"].family, "eac" in ge.methods
    ('evidence accumulation', True)
    >>> sorted(name for name, row in ge.methods.items() if row.family == "voting")
    ['bagclust1', 'bagclust2', 'combine', 'mlmap', 'vote']
    """

    def __getattr__(self, name: str) -> Callable[..., Consensus]:
        if name.startswith("_") or name not in self:
            raise AttributeError(f"There is no method {name!r}.{did_you_mean(name, ROWS)}")
        return ROWS[name].function

    def __dir__(self) -> list[str]:
        return list(self)


#: a name, a function ``(ensemble, k, *, seed)``, one of graphens' functions, or a `functools.partial` of these
AnyMethod: TypeAlias = str | Callable[..., Any]


def find_method(method: AnyMethod) -> Method:
    """Return the row of a method: by its name, as one of graphens' functions, or as a function of the user."""
    if isinstance(method, Method):
        return method
    if isinstance(method, functools.partial):
        inner = find_method(method.func)
        if method.args:
            raise InputError(f"{quote(method)} was given; expected a partial of {inner.name} with named options only.")
        return variant(inner, method.keywords)
    if not callable(method):
        return ROWS.find(method, adopted, ", or a function (ensemble, k, *, seed)")
    name = getattr(method, "__name__", type(method).__name__)
    return next((row for row in ROWS.values() if row.function is method), None) or adopted(name, method)


def variant(row: Method, options: Mapping[str, Any]) -> Method:
    """Return a method with options that are fixed, which are part of its name."""
    known_options(row, options)
    text = ", ".join(f"{name}={getattr(value, '__name__', quote(value))}" for name, value in options.items())
    return replace(row, name=f"{row.name}({text})", function=functools.partial(row.function, **options))


def known_options(row: Method, options: Iterable[str]) -> tuple[str, ...]:
    """Return the parameters of a consensus function; refuse options that are not among them."""
    parameters = tuple(inspect.signature(row.function).parameters)
    unknown = sorted(set(options) - set(parameters))
    if unknown:
        names = ", ".join(name for name in parameters[1:] if name not in ("k", "seed")) or "none"
        hint = did_you_mean(unknown[0], parameters)
        raise InputError(f"{row.name} has no option {', '.join(unknown)}; its options are {names}.{hint}")
    return parameters


def register_method(name: str, function: Callable[..., Any], **facts: Any) -> None:
    """Register your own consensus method under a name, for use in `consensus` and `compare`.

    Parameters
    ----------
    name
        The name. An earlier registration of this name is replaced; names of built-in methods cannot be used.
    function
        ``function(ensemble, k, *, seed)`` returning one whole number per object, a `Consensus`, or an `Outcome`. Other
        parameters are its options; k and seed may be left out. It gets an `Ensemble` whose objects all have a label.
    **facts
        Its description in the registry: family, graph, membership, missing, cost, reference (texts), needs_k, balanced,
        merges, scalable (True or False), symmetry; see `Method`. With scalable=True the
        function gets `families.rows.Rows` instead, and returns an `Outcome` with a rule.

    Examples
    --------
    >>> import graphens as ge
    >>> def first(ensemble, k, *, seed):
    ...     return ensemble.labels[:, 0] % k
    >>> ge.register_method("first", first)
    >>> ge.consensus([[0, 1], [0, 0], [3, 0]], 2, method="first").labels.tolist()
    [0, 0, 1]
    """
    ROWS.register(name, adopted(name, function, **facts))


def adopted(name: str, function: Any, **facts: Any) -> Method:
    """Return the registry row of an external function; attributes of the function provide what is not given."""
    if not isinstance(name, str) or not name or name == "auto":
        raise InputError(f"The name {quote(name)} was given; expected text other than 'auto'.")
    _check_callable(name, function)
    unknown = sorted(set(facts) - set(_FACTS))
    if unknown:
        raise InputError(f"{', '.join(unknown)} was given; expected some of {', '.join(_FACTS)}.")
    own_facts = {key: getattr(function, key) for key in _FACTS if hasattr(function, key)}

    @functools.wraps(function)
    def inside(e: Ensemble | Rows, **options: Any) -> Outcome:
        source, n = f"The method {name!r}", (e.sample if isinstance(e, Rows) else e).n_objects
        with named_failure(source):
            result = function(e, **options)
        return _checked_outcome(_outcome(result), n, source)

    row = Method(name, inside, **(own_facts | facts))
    run = under_contract(row, options={})
    method = replace(row, function=run)
    run.__doc__ = described(getattr(function, "__doc__", None) or f"{name}, a registered method.", method)
    return method


_FACTS = tuple(one.name for one in fields(Method) if one.name not in ("name", "function"))


def _outcome(result: Any) -> Outcome:
    """What a function of the user returned, as an outcome: labels, or a consensus with its graph and tree."""
    if isinstance(result, Consensus):
        return Outcome(
            result.labels,
            graph=result.graph,
            dendrogram=result.dendrogram,
            details=result.details,
            index=result.vertices,
            vertex_labels=result.vertex_labels,
            tree_of_clusters=result.tree_of_clusters,
        )
    return result if isinstance(result, Outcome) else Outcome(result)


def _checked_outcome(outcome: Outcome, n: int, source: str) -> Outcome:
    """The outcome of an external method, after the type and length of every field are checked."""
    for name, kinds in _KINDS.items():
        value = getattr(outcome, name)
        if not isinstance(value, kinds):
            expected = " or ".join(kind.__name__ for kind in kinds).replace("NoneType", "None")
            raise TypeMismatch(f"{source} gave a {type(value).__name__} as its {name}; expected {expected}.")
    labels = read_labels(outcome.labels, n, "objects", source)
    fields: dict[str, Any] = {"labels": labels}
    if outcome.membership is not None:
        fields["membership"] = _checked_table(outcome.membership, n, int(labels.max(initial=-1)) + 1, source)
    graph: Any = outcome.graph
    size = 0 if graph is None else graph.n_vertices
    if graph is not None:
        try:
            index = object_vertices(graph, outcome.index, n)
            fields["index"] = read_labels(index, n, "objects", "In Outcome.index, it")
        except InputError as error:
            raise InputError(f"{source} returned an invalid result. {error}") from None
        if fields["index"].max(initial=-1) >= size:
            raise InputError(f"{source} gave an Outcome.index beyond the {size} vertices of its graph.")
    if graph is not None and outcome.vertex_labels is not None:
        where = f"{source}, in Outcome.vertex_labels,"
        fields["vertex_labels"] = read_labels(outcome.vertex_labels, size, "vertices", where)
    tree = outcome.dendrogram
    if tree is not None and not outcome.tree_of_clusters and len(tree.index) != n:
        raise InputError(f"{source} gave a dendrogram of {len(tree.index)} objects; expected one of {n}.")
    return replace(outcome, **fields)


def _checked_table(membership: Any, n: int, k: int, source: str) -> AnyArray:
    table = as_numbers(membership, f"The memberships of t{source[1:]}")
    if table.ndim != 2 or len(table) != n or table.shape[1] < k:
        raise InputError(
            f"{source} gave memberships of shape {table.shape}; expected one row for each of the {n} objects and at "
            f"least {k} columns, one for each label."
        )
    if not (np.isfinite(table).all() and (table >= 0).all()):
        raise InputError(f"{source} gave memberships below 0 or not finite; expected shares from 0 to 1.")
    return table


def _check_callable(name: str, function: Any) -> None:
    expected = "expected a function (ensemble, k, *, seed)"
    if not callable(function):
        raise TypeMismatch(f"The method {name!r} is a {type(function).__name__}; {expected}.")
    try:
        first, *others = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # it has no parameters, or does not say which
        first, others = inspect.Parameter("none", inspect.Parameter.KEYWORD_ONLY), []
    if first.kind not in (first.POSITIONAL_ONLY, first.POSITIONAL_OR_KEYWORD):
        raise TypeMismatch(f"The method {name!r} has no first parameter for the ensemble; {expected}.")
    needs = [p.name for p in others if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    more = sorted(set(needs) - {"k", "seed"}) + [p.name for p in others if p.kind is p.POSITIONAL_ONLY]
    if more:
        raise TypeMismatch(
            f"The method {name!r} requires {', '.join(more)}; {expected}, with any other parameters optional."
        )


methods: Methods = Methods(
    ROWS,
    adopted,
    ("family", "name", "about"),
    ("needs_k", "balanced", "graph", "membership", "missing", "cost", "reference", "symmetry"),
)
