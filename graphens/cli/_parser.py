"""Parse the command line: help that fits the screen, and errors with suggestions."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NoReturn

from ..errors import GraphensError, InputError, meant
from ._screen import paragraph

_WIDEST = 80  # characters of a line of help, the width that argparse assumes without a terminal


def parse(argv: list[str], commands: Sequence[str]) -> argparse.Namespace | None:
    """Return the arguments of a command with its `run`; None if only help was requested, which is printed."""
    _check_characters(argv)
    word = next((word for word in argv if not word.startswith("-")), None)
    if word is not None and word not in commands:
        raise InputError(
            f"{word} is not a command; expected one of {', '.join(commands)}.{meant(word, commands)}"
        )
    parser = parser_of([word] if word else commands)
    if not argv:
        parser.print_help()
        return None
    if argv[0] == word:  # intermixed: an object, or a further file, may stand behind options
        parser = parser.commands[word]
        args, unread = parser.parse_known_intermixed_args(
            argv[1:], argparse.Namespace(command=word, line=argv)
        )
    else:
        args, unread = parser.parse_known_args(argv)
        unread = unread or argv[:1]
    if unread:
        _refuse(unread, parser)
    return args


def _check_characters(argv: list[str]) -> None:
    """Refuse characters that no system allows in file names, anywhere in the line."""
    for word in argv:
        try:
            if b"\0" in os.fsencode(word):
                raise InputError(
                    f"{word!r} was given; it contains a null character. Expected text without one."
                )
        except UnicodeEncodeError:
            raise InputError(f"{word!r} was given, which is not text; expected Unicode characters.") from None


def _refuse(unread: list[str], parser: Parser) -> NoReturn:
    """Report the word of the line that is not an option, or is one too many."""
    flag = next((word for word in unread if word.startswith("-") and word != "-"), "").partition("=")[0]
    if not flag:
        parser.error(f"{parser.prog} does not take {' '.join(unread)}; leave it out.")
    known = parser.flags()
    hint = meant(flag, known) or f" It takes {', '.join(name for name in known if name.startswith('--'))}."
    parser.error(f"{flag} is an unknown option of {parser.prog}.{hint}")


def _wrapped(text: str) -> str:
    """Paragraphs that fit the screen; those with indented lines, such as examples, are unchanged."""
    parts = text.split("\n\n")
    return "\n\n".join(
        part if "\n " in f"\n{part}" else "\n".join(paragraph(part.replace("\n", " "), sys.stdout, _WIDEST))
        for part in parts
    )


class Help(argparse.RawDescriptionHelpFormatter):
    """Help whose list of commands has room for their names."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = 16


class Parser(argparse.ArgumentParser):
    """A parser that raises errors of graphens."""

    commands: Mapping[str, Parser]  # of the whole program's parser: that of each command

    def error(self, message: str) -> NoReturn:
        """Raise the message as one line."""
        raise InputError(f"{message} (see {self.prog} --help)")

    def flags(self) -> list[str]:
        """Return every option, as it can be written."""
        return [flag for action in self._actions for flag in action.option_strings]

    def arguments(self) -> list[argparse.Action]:
        """Return every argument and option."""
        return list(self._actions)


def parser_of(commands: Sequence[str]) -> Parser:
    """Return the parser of the program with some of its commands."""
    from .. import __version__

    parser = Parser(
        prog="graphens",
        description=str(sys.modules["graphens"].__doc__).partition("\n")[0],
        epilog="example:\n  graphens demo",
        formatter_class=Help,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"graphens {__version__}")
    added = parser.add_subparsers(dest="command", metavar="command", title="commands", parser_class=Parser)
    for name in commands:
        module: Any = import_module(f".{name}", __package__)
        first, _, rest = module.__doc__.partition("\n")
        one = added.add_parser(
            name,
            help=first,
            description=_wrapped(first),
            epilog=_wrapped(rest.strip()),
            allow_abbrev=False,
            formatter_class=Help,
        )
        module.configure(one)
        one.set_defaults(run=module.run, parser=one)
    parser.commands = added.choices
    return parser


def option_of(parameter: str | None, args: argparse.Namespace) -> str | None:
    """Return the option that sets a parameter, as the user wrote it."""
    found = [action.option_strings for action in args.parser.arguments() if action.dest == parameter]
    flags = [flag for flag in (found[0] if found else []) for word in args.line if word.startswith(flag)]
    if not flags and any(pair.startswith(f"{parameter}=") for pair in getattr(args, "set", [])):
        return f"--set {parameter}"
    return flags[0] if flags else None


@contextmanager
def as_written(args: argparse.Namespace) -> Iterator[None]:
    """Let errors about parameters of the library name the options that the user wrote: -k instead of k."""
    try:
        yield
    except GraphensError as error:
        option = option_of(error.parameter, args)
        if option is None:
            raise
        raise error.named(option) from None
