"""Names, options and positions of earlier versions: they work through 1.x, with a warning that has the new name."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, ParamSpec, TypeVar

from .errors import RenamedWarning, TypeMismatch, warn

P = ParamSpec("P")
R = TypeVar("R")

SYNONYMS: Mapping[str, str] = {
    "rng": "seed"
}  # SPEC 7 of the scientific Python packages: not old, only another word


class Earlier(NamedTuple):
    """What a function took in earlier versions and still takes.

    Attributes
    ----------
    positions
        Parameters that could be given by position.
    renamed
        Old names of options, and what they are called now.
    """

    positions: tuple[str, ...]
    renamed: Mapping[str, str]


#: by module and name of the function, as soon as it is loaded; those of methods are in their registry rows
EARLIER: dict[tuple[str, str], Earlier] = {}


def current_options(function: str, given: Mapping[str, Any], renamed: Mapping[str, str]) -> dict[str, Any]:
    """Return options by their current names; an old name causes a warning, and both names at once an error.

    >>> current_options("generate", {"rng": 3}, {})
    {'seed': 3}
    """
    options: dict[str, Any] = {}
    for name, value in given.items():
        now = renamed.get(name) or SYNONYMS.get(name, name)
        if now != name and now in given:
            raise TypeMismatch(
                f"{function} was given both {name} and {now}, which mean the same; give one of them."
            )
        if name in renamed:
            warn(
                f"{function}({name}=…) is now {function}({now}=…); the old name works until 2.0.",
                RenamedWarning,
            )
        options[now] = value
    return options


def accepts_old(*positions: str, **renamed: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function accept what earlier versions accepted: options by old names, and arguments by position.

    Parameters
    ----------
    *positions
        Parameters that could be given by position and are keyword-only now, in their old order.
    **renamed
        Old names of options and what they are called now. ``rng`` is always another word for ``seed``.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        EARLIER[function.__module__, function.__qualname__] = Earlier(positions, renamed)
        parameters = inspect.signature(function).parameters.values()
        places = sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
        open_ended = any(p.kind is p.VAR_POSITIONAL for p in parameters)

        @functools.wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            extra = () if open_ended else args[places : places + len(positions)]
            by_name = dict(zip(positions, extra, strict=False))
            if by_name:
                names = ", ".join(f"{name}=…" for name in by_name)
                said = f"{function.__name__}() now takes {names} by keyword; passing it by position works until 2.0."
                warn(said, RenamedWarning)
            options = current_options(function.__name__, kwargs, renamed)
            kept = args[:places] + args[places + len(by_name) :] if by_name else args
            return function(*kept, **by_name, **options)  # type: ignore[arg-type]

        return run

    return decorate
