"""The Tab key: what argcomplete, where it is installed, offers for a line that is not finished yet.

The shell runs the program with _ARGCOMPLETE in its environment; everything else leaves this module alone. Where nothing
is known here, names of files are offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib import import_module
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
    source = "finders" if (command, argument.dest) == ("communities", "base") else argument.dest
    return partial(_names, *_SOURCES[source]) if source in _SOURCES else None


def _listed(words: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    """Complete the last of several words with commas between them, too."""

    def completer(prefix: str, **_: Any) -> list[str]:
        before, comma, _last = prefix.rpartition(",")
        return [f"{before}{comma}{word}" for word in words()]

    return completer


def _names(module: str, attribute: str) -> list[str]:
    """The names in a registry, imported only when the Tab key asks for it."""
    known = getattr(import_module(f"..{module}", __package__), attribute)
    rows = known() if callable(known) else known
    return ["auto"] * (attribute == "methods") + [getattr(row, "name", row) for row in rows if row]


#: by the name of an argument, wherever it occurs: the module and what there holds the words
_SOURCES = {
    **dict.fromkeys(("method", "methods", "compare", "name"), ("families.registry", "methods")),
    "partitioner": ("cutting", "partitioners"),
    "base": ("generators.bases", "BASES"),
    "sampling": ("generators.samplings", "SAMPLINGS"),
    "finders": ("cutting.community", "FINDERS"),
}
