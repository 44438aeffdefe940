"""Completion with the Tab key, through argcomplete if it is installed.

The shell runs the program with _ARGCOMPLETE in its environment; otherwise this module is not used. For arguments
without known words, file names are offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from ._command import OneOf, Parser, parser_of


def complete(commands: Mapping[str, str]) -> None:
    """Complete the line for the shell and end the program; nothing happens if argcomplete is not installed."""
    try:
        import argcomplete
    except ImportError:
        return
    argcomplete.autocomplete(completing(commands), always_complete_options=False)


def completing(commands: Mapping[str, str]) -> Parser:
    """Return the parser of the program, with the words that its arguments accept."""
    parser = parser_of(commands)
    for name, one in parser.commands.items():
        for argument in one._actions:
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
    """Also complete the last of several words separated by commas."""

    def completer(prefix: str, **_: Any) -> list[str]:
        before, comma, _last = prefix.rpartition(",")
        return [f"{before}{comma}{word}" for word in words()]

    return completer


def _names(module: str, attribute: str) -> list[str]:
    """The names in a registry, which is imported only when it is needed."""
    registry = getattr(import_module(f"..{module}", __package__), attribute)
    return ["auto"] * (attribute == "methods") + [name for name in registry if name]


#: by the name of an argument, wherever it occurs: the module and what there holds the words
_SOURCES = {
    **dict.fromkeys(("method", "methods", "compare", "name"), ("families.registry", "methods")),
    "partitioner": ("cutting", "partitioners"),
    "base": ("generators.bases", "BASES"),
    "sampling": ("generators.samplings", "SAMPLINGS"),
    "finders": ("cutting.community", "FINDERS"),
}
