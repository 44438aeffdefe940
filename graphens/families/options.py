"""What options of consensus functions may be: one table of kinds and bounds, checked before any method runs.

An option means the same in every method that has it. What only one method can judge, such as the names it knows, it
checks itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .._arrays import as_int, number
from ..errors import InputError, TypeMismatch

Check = Callable[[str, Any], Any]

_OFTEN = 1_000_000  # more repetitions than this are a slip of the hand, and would never end


def _count(lowest: int, highest: int = _OFTEN) -> Check:
    return lambda name, value: as_int(name, value, lowest, highest)


def _between(lowest: float, highest: float = np.inf, *, open_below: bool = False) -> Check:
    def check(name: str, value: Any) -> Any:
        given = number(name, value)
        if given < lowest or given > highest or (open_below and given == lowest):
            least = f"above {lowest:g}" if open_below else f"{lowest:g} or more"
            bounds = least if np.isinf(highest) else f"from {lowest:g} to {highest:g}"
            raise InputError.about(name, value, f"a number {bounds}")
        return value

    return check


def _of(kind: type | tuple[type, ...], expected: str) -> Check:
    def check(name: str, value: Any) -> Any:
        if not isinstance(value, kind):
            raise TypeMismatch.about(name, value, expected)
        return value

    return check


def _names(name: str, value: Any) -> Any:
    if (
        isinstance(value, str)
        or not isinstance(value, Sequence)
        or not all(isinstance(v, str) for v in value)
    ):
        raise TypeMismatch.about(name, value, "a list of names, such as ['mcla', 'vote']")
    return value


def _name_or_function(name: str, value: Any) -> Any:
    if not (isinstance(value, str) or callable(value)):
        raise TypeMismatch.about(name, value, "a name or a function")
    return value


_TEXT, _FLAG = _of(str, "a name"), _of((bool, np.bool_), "True or False")

OPTIONS: Mapping[str, Check] = {
    **dict.fromkeys(("algorithm", "base", "by", "fitness", "linkage", "mapping"), _TEXT),
    **dict.fromkeys(("order", "rule", "variant", "voting"), _TEXT),
    **dict.fromkeys(("adjusted", "align", "collapse", "reconcile"), _FLAG),
    **dict.fromkeys(
        ("n_init", "n_runs", "max_iter", "rounds", "steps", "sweeps", "k_max", "rank", "sample"), _count(1)
    ),
    **dict.fromkeys(("generations", "retries"), _count(0)),
    **dict.fromkeys(("alpha", "decay", "mutation", "tau", "tolerance", "w_min"), _between(0, 1)),
    **dict.fromkeys(("entropy_scale", "resolution", "time_limit"), _between(0, open_below=True)),
    "population": _count(4),
    "theta": _between(0),
    "tol": _between(0),
    "methods": _names,
    "similarity": _name_or_function,
    "partitioner_options": _of(Mapping, "a mapping such as {'imbalance': 0.1}"),
}


def checked(
    given: Mapping[str, Any], table: Mapping[str, Check], defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the options, each of the kind and within the bounds that the table says; defaults pass as they are."""
    return {
        name: value if name not in table or value is defaults.get(name) else table[name](name, value)
        for name, value in given.items()
    }
