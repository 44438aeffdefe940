"""The Tab key: what argcomplete, where it is installed, offers for a line that is not finished yet.

The shell runs the program with _ARGCOMPLETE in its environment; everything else leaves this module alone. Where nothing
is known here, names of files are offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ._options import OneOf
from ._parser import Parser, parser_of


def complete(commands: Sequence[str]) -> None:
    """Answer the shell and end the program; nothing happens where argcomplete is not installed."""
    try:
        import argcomplete
    except ImportError:
        return
    argcomplete.autocomplete(completing(commands), always_complete_options=False)


def completing(commands: Sequence[str]) -> Parser:
    """Return the parser of the program, its arguments with the words that they take."""
    parser = parser_of(commands)
    for name, one in parser.commands.items():
        for argument in one.arguments():
            words = _words(name, argument)
            if words is not None:
                setattr(argument, "completer", _listed(words))  # noqa: B010 - argcomplete's own attribute
    return parser


def _words(command: str, argument: Any) -> Callable[[], Iterable[str]] | None:
    if isinstance(argument.type, OneOf):
        return lambda: argument.type.known
    if command == "communities" and argument.dest == "base":
        return _finders
    return _KNOWN.get(argument.dest)


def _listed(words: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    """Complete the last of several words with commas between them, too."""

    def completer(prefix: str, **_: Any) -> list[str]:
        before, comma, _last = prefix.rpartition(",")
        return [f"{before}{comma}{word}" for word in words()]

    return completer


def _methods() -> list[str]:
    from ..families.registry import methods

    return ["auto", *(row.name for row in methods())]


def _partitioners() -> list[str]:
    from ..cutting import partitioners

    return [row.name for row in partitioners()]


def _bases() -> list[str]:
    from ..generators.bases import BASES

    return list(BASES)


def _samplings() -> list[str]:
    from ..generators.samplings import SAMPLINGS

    return [name for name in SAMPLINGS if name]


def _finders() -> list[str]:
    from ..cutting.community import FINDERS

    return list(FINDERS)


#: by the name of an argument, wherever it occurs
_KNOWN: dict[str, Callable[[], Iterable[str]]] = {
    "method": _methods,
    "methods": _methods,
    "compare": _methods,
    "name": _methods,
    "partitioner": _partitioners,
    "base": _bases,
    "sampling": _samplings,
}
