"""A command is a function: its signature and its docstring say its arguments.

Positional parameters are arguments, keyword-only ones are options, and a parameter whose type is a dataclass stands for
the fields of that class. A type says how a value is read; ``Annotated[type, Arg(...)]`` adds what a type cannot say:
other flags, the words that are known, and whether a file is read or written. The first line of the docstring is the
help, lines such as ``seed: the same seed gives the same result`` under "Options" describe the arguments, and the rest
is shown below them.
"""

from __future__ import annotations

import argparse
import inspect
import os
import re
import sys
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass, replace
from functools import partial
from glob import glob
from importlib import import_module
from types import NoneType
from typing import Annotated, Any, NoReturn, TypeAlias, get_args, get_origin, get_type_hints

from .._lib.files import checked_target
from ..errors import GraphensError, InputError, did_you_mean
from ..export.table_files import WRITABLE, as_number, check_package
from ._screen import painted, paragraph, say

#: what has a color in the help: headings, options and commands, defaults
_PAINTED = (
    (r"^(usage:|\w.*:$)", "bold"),
    (r"(?<=^  )-\S+( (\S+, )?--\S+)?|(?<=^    )[a-z]+(?=  )", "note"),
    (r"\(default:[^)]*\)", "dim"),
)
_WIDEST = 80  # characters of a line of help, the width that argparse assumes without a terminal
_MOST = 100_000  # numbers in an interval


# values -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)  # argparse asks for a hash, which lists have not
class OneOf:
    """Reads one of several words, in any case; they are also used for completion."""

    known: Collection[str]

    def __call__(self, text: str) -> str:
        """Return the word, or say what was expected."""
        for word in (text, text.lower()):
            if word in self.known:
                return word
        shown = [word if word.isalnum() or len(word) > 1 else f"'{word}'" for word in self.known]
        able = f"one of {', '.join(shown)}" if len(shown) > 2 else " or ".join(shown)
        raise argparse.ArgumentTypeError(f"{text} was given; expected {able}.{did_you_mean(text, self.known)}")


def read_names(text: str) -> list[str]:
    """Read names separated by commas."""
    return [name.strip() for name in text.split(",")]


def read_number(text: str, kind: Any = float) -> Any:
    """Read a number."""
    try:
        return as_number(text, kind)
    except ValueError:
        wanted = "whole number" if kind is int else "number"
        raise argparse.ArgumentTypeError(f"{text} was given; expected a {wanted}.") from None


def read_numbers(text: str) -> list[float]:
    """Read numbers separated by commas."""
    return [read_number(part) for part in text.split(",")]


def read_k(text: str) -> int:
    """Read the number of clusters in the result."""
    try:
        return as_number(text, int)
    except ValueError:
        several = re.fullmatch(r"\d+([:,]\d+)+", text)
        base = f" For the base clusterings use --base-k {text}." if several else ""
        raise argparse.ArgumentTypeError(
            f"{text} was given; expected one number, the number of clusters in the result.{base}"
        ) from None


def read_interval(text: str, expected: str) -> tuple[list[int], bool]:
    """Read whole numbers, and whether they are the two ends of an interval."""
    try:
        if ":" in text:
            low, high = (as_number(part, int) for part in text.split(":"))
            return [low, high], True
        return [as_number(part, int) for part in text.split(",")], False
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} was given; expected {expected}") from None


def read_ks(text: str) -> list[int]:
    """Read an interval, both ends included, or numbers of clusters."""
    numbers, interval = read_interval(text, expected := "2:12 or 2,3,5")
    if interval and not numbers[0] <= numbers[1] < numbers[0] + _MOST:
        few = f"at most {_MOST} numbers" if numbers[0] <= numbers[1] else expected
        raise argparse.ArgumentTypeError(f"{text} was given; expected {few}")
    return list(range(numbers[0], numbers[1] + 1)) if interval else numbers


# arguments --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Arg:
    """What the type of a parameter does not say about an argument.

    `file` says that it is a file: one that is read ("in"), that may be read ("maybe", if it is no column), that is
    written ("out"), or both ("state", such as a checkpoint). `parameter` is what errors of the library call it.
    """

    flags: str = ""
    metavar: str | None = None
    read: Callable[[str], Any] | None = None
    words: Collection[str] = ()
    file: str = ""
    endings: tuple[str, ...] = ()
    screen: bool = False
    parameter: str = ""
    about: str = ""


_FIGURES = "write the table to a file: .csv, .tsv, .parquet, .xlsx, .tex, or - (default: print it)"
_CLUSTERS = "output file: .csv, .tsv, .txt, .parquet, .xlsx, .tex, or - for standard output (default)"
Names: TypeAlias = Annotated[Sequence[str], Arg(metavar="A,B,...", read=read_names)]
MethodNames: TypeAlias = Annotated[Sequence[str], Arg(metavar="A,B,...", read=read_names, parameter="method")]
InFile: TypeAlias = Annotated[str, Arg(metavar="FILE", file="in")]
InFiles: TypeAlias = Annotated[Sequence[str], Arg(metavar="file", file="in")]
ClassesIn: TypeAlias = Annotated[str, Arg(metavar="COLUMN|FILE", file="maybe")]
TableOut: TypeAlias = Annotated[str, Arg(metavar="FILE", file="out", endings=WRITABLE)]
_TABLE: dict[str, Any] = {"metavar": "FILE", "file": "out", "endings": WRITABLE, "screen": True}
Figures: TypeAlias = Annotated[str, Arg("-o --output", about=_FIGURES, **_TABLE)]
Output: TypeAlias = Annotated[str, Arg("-o --output", about=_CLUSTERS, **_TABLE)]
PageOut: TypeAlias = Annotated[str, Arg("-o --output", "FILE", file="out", endings=(".html", ".htm"))]
Checkpoint: TypeAlias = Annotated[
    str, Arg(metavar="FILE", file="state", about="save what is finished to this file; the same command resumes from it")
]
K: TypeAlias = Annotated[
    int, Arg("-k --clusters", "K", read_k, about="number of clusters in the result (default: chosen automatically)")
]
Seed: TypeAlias = Annotated[int, Arg(about="the same seed gives the same result")]
Ks: TypeAlias = Annotated[Sequence[int], Arg(metavar="LOW:HIGH|K,K,...", read=read_ks, parameter="k")]
Jobs: TypeAlias = Annotated[int, Arg("-j --jobs", "N", about="number of threads (-1: one per core)")]
Name: TypeAlias = Annotated[str, Arg(metavar="NAME")]


@dataclass(frozen=True)
class Argument:
    """One parameter of a command, as it is read from the command line."""

    name: str
    arg: Arg
    kind: Any
    default: Any
    positional: bool
    about: str
    group: str = ""  # what a dataclass of arguments is about, as a heading of the help

    @property
    def flags(self) -> list[str]:
        """The option as it can be written, nothing for a positional argument."""
        if self.positional:
            return []
        no = "no-" if self.kind is bool and self.default is True else ""
        return self.arg.flags.split() or [f"--{no}{self.name.replace('_', '-')}"]

    def add_to(self, parser: Any) -> None:
        """Add this argument to a parser, or to a group of its arguments."""
        many = get_origin(self.kind) is not None
        required = self.default is inspect.Parameter.empty
        how: dict[str, Any] = {"help": self._help(), "default": argparse.SUPPRESS}
        if self.positional:
            how["nargs"] = "*" if many else None if required else "?"
            parser.add_argument(self.name, metavar=self.arg.metavar if many else None, **how)
            return
        how["dest"] = self.name
        if self.kind is bool:
            parser.add_argument(*self.flags, **how, action=f"store_{str(not self.default).lower()}")
            return
        read = OneOf(self.arg.words) if self.arg.words else self.arg.read
        how["type"] = read or {int: partial(read_number, kind=int), float: read_number}.get(self.kind, str)
        how["metavar"] = self.arg.metavar or {int: "N", float: "X"}.get(self.kind, "NAME" if read else "TEXT")
        parser.add_argument(*self.flags, **how, required=required, action=_Store, const=many)

    def _help(self) -> str:
        """The line of the docstring, with the words that are known and the default."""
        about, mark, rest = self.about.partition(" (default")
        about += (f": {', '.join(self.arg.words)}" if self.arg.words else "") + mark + rest
        shown = self.default not in (None, False, True, (), "-") and self.default is not inspect.Parameter.empty
        if shown and "(default" not in about:
            default = ",".join(map(str, self.default)) if isinstance(self.default, tuple) else self.default
            about += f" (default: {default})"
        return about.replace("%", "%%")


class _Store(argparse.Action):
    """Stores a value; a second one would hide the first, unless the option takes several, which `const` says."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        if self.const:
            values = [*getattr(namespace, self.dest, ()), *(values if isinstance(values, list) else [values])]
        elif self.dest in namespace.written:
            raise argparse.ArgumentError(self, "was given twice; expected it once")
        namespace.written[self.dest] = option_string
        setattr(namespace, self.dest, values)


def arguments_of(thing: Any) -> Iterator[Argument]:
    """Return the arguments of a function, or of a dataclass of them."""
    _, _, abouts = described(thing)
    hints = get_type_hints(thing, include_extras=True)
    for parameter in inspect.signature(thing).parameters.values():
        hint = hints[parameter.name]
        if is_dataclass(hint):
            about = described(hint)[0].removesuffix(".")
            yield from (replace(one, group=about[:1].lower() + about[1:]) for one in arguments_of(hint))
            continue
        annotated = [one for one in (hint, *get_args(hint)) if get_origin(one) is Annotated]
        arg = annotated[0].__metadata__[0] if annotated else Arg()
        kind = annotated[0].__origin__ if annotated else next(t for t in (*get_args(hint), hint) if t is not NoneType)
        positional, about = parameter.kind is parameter.POSITIONAL_OR_KEYWORD, abouts.get(parameter.name, arg.about)
        yield Argument(parameter.name, arg, kind, parameter.default, positional, about)


def described(thing: Any) -> tuple[str, str, dict[str, str]]:
    """Return the first line of a docstring, its other paragraphs, and its lines about arguments."""
    inherited = described(thing.__base__)[2] if is_dataclass(getattr(thing, "__base__", None)) else {}
    first, _, rest = inspect.cleandoc(thing.__doc__).partition("\n")
    prose, _, options = rest.partition("Options\n-------\n")
    lines = re.sub(r"\n +", " ", options).strip().splitlines()
    return first, prose.strip(), inherited | dict(line.split(": ", 1) for line in lines)


# the command line -------------------------------------------------------------------------------------------


class Help(argparse.HelpFormatter):
    """Help whose paragraphs fit the screen."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Paragraphs in lines that fit; those with indented lines, such as examples, are unchanged."""
        parts = text.split("\n\n")
        return "\n\n".join(
            part if "\n " in f"\n{part}" else "\n".join(paragraph(part.replace("\n", " "), sys.stdout, _WIDEST))
            for part in parts
        )


class Parser(argparse.ArgumentParser):
    """A parser that raises errors of graphens."""

    commands: Mapping[str, Parser] = {}  # of the whole program's parser: that of each command
    function: Callable[..., None]  # of a command's parser, and its arguments
    arguments: Sequence[Argument] = ()

    def print_help(self, file: Any = None) -> None:
        """Print the help, on terminals with headings, names and defaults in different colors."""
        text = super().format_help()
        for pattern, color in _PAINTED:
            before, after = painted("|", color, sys.stdout).split("|")
            text = re.sub(pattern, rf"{before}\g<0>{after}", text, flags=re.MULTILINE)
        say(text.rstrip())

    def error(self, message: str) -> NoReturn:
        """Raise the message as one line."""
        raise InputError(f"{message} (see {self.prog} --help)")


_USUAL: dict[str, Any] = {"formatter_class": Help, "allow_abbrev": False}


def command_parser(name: str, module: str) -> Parser:
    """Return the parser of a command: its own arguments first, and those that say how a table is read last."""
    function = getattr(import_module(f".{module}", __package__), name)
    first, rest, _ = described(function)
    parser = Parser(prog=f"graphens {name}", description=first, epilog=rest, **_USUAL)
    parser._negative_number_matcher = re.compile(r"-\d")  # values, not options: --missing -99,k.A.
    parser.function, parser.arguments = function, list(arguments_of(function))
    positional = [one for one in parser.arguments if one.positional]
    for one in positional:
        one.add_to(parser)
    words = [one.name if one.default is inspect.Parameter.empty else f"[{one.name}]" for one in positional]
    parser.usage = " ".join([parser.prog, "[options]", *words])
    table = next((one.group for one in positional), "")
    groups: dict[str, Any] = {"": parser}
    for one in sorted(parser.arguments, key=lambda one: bool(one.group) + (one.group == table)):
        if not one.positional:
            if one.group not in groups:
                groups[one.group] = parser.add_argument_group(one.group)
            one.add_to(groups[one.group])
    return parser


def parser_of(commands: Mapping[str, str]) -> Parser:
    """Return the parser of the program, with commands by name and the module that has them."""
    from .. import __version__

    about = str(sys.modules["graphens"].__doc__).partition("\n")[0]
    parser = Parser("graphens", "graphens command ...", about, _list_commands(commands), **_USUAL)
    parser.add_argument("--version", action="version", version=f"graphens {__version__}")
    how: dict[str, Any] = {"prog": "graphens", "metavar": "command", "help": argparse.SUPPRESS}
    choices = parser.add_subparsers(dest="command", parser_class=Parser, **how).choices
    choices.update({name: command_parser(name, module) for name, module in commands.items()})
    parser.commands = choices
    return parser


def _list_commands(commands: Mapping[str, str]) -> str:
    """The commands under what those of a module are about, each with the first line of its docstring."""
    lines = []
    for file in dict.fromkeys(commands.values()):
        module = import_module(f".{file}", __package__)
        about = str(module.__doc__).partition(":")[0]
        lines.append(f"{re.sub('^Commands (that|for) ', '', about)}:")
        for name in (name for name, home in commands.items() if home == file):
            first = f"    {name:13} {described(getattr(module, name))[0]}"
            lines += textwrap.wrap(first, _WIDEST, subsequent_indent=" " * 18)
    return "\n".join([*lines, "", "example:", "  graphens demo"])


@dataclass(frozen=True)
class Call:
    """The parser of a command, the values of its arguments, and the options as they were written."""

    parser: Parser
    values: Mapping[str, Any]
    written: Mapping[str, str]

    def run(self) -> None:
        """Check the files, and run the command; errors about parameters of the library name options: -k, not k."""
        check_files(self.parser.arguments, self.values)
        groups = _bound(self.parser.function, self.values)
        try:
            self.parser.function(**groups)
        except GraphensError as error:
            option = self.option(error.parameter)
            if option is None:
                raise
            for cells in (group.table for group in groups.values() if hasattr(group, "table")):
                rows = len(next(iter(cells.values()), ()))
                if error.parameter == "k" and isinstance(error.given, int) and error.given > rows:
                    has = f"{cells.where} has {rows} row{'s' * (rows != 1)}"
                    text = f"{option} {error.given} was given, but {has}; expected at most {rows}."
                    raise InputError(text) from None
            raise error.named(option) from None

    def option(self, parameter: str | None) -> str | None:
        """Return the option that sets a parameter of the library, as it was written."""
        for one in self.parser.arguments:
            if parameter in (one.name, one.arg.parameter) and one.name in self.written:
                return self.written[one.name]
        by_set = any(pair.startswith(f"{parameter}=") for pair in self.values.get("set", ()))
        return f"--set {parameter}" if by_set else None


def _bound(thing: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a function or dataclass, with the values of their arguments."""
    hints = get_type_hints(thing)
    return {
        name: hints[name](**_bound(hints[name], values)) if is_dataclass(hints[name]) else values[name]
        for name in inspect.signature(thing).parameters
    }


def parse(argv: list[str], commands: Mapping[str, str]) -> Call | None:
    """Return the command with its arguments; None if only help was requested, which is printed."""
    for word in argv:
        try:
            if b"\0" in os.fsencode(word):  # which no system allows in file names
                raise InputError(f"{word!r} was given; it contains a null character. Expected text without one.")
        except UnicodeEncodeError:
            raise InputError(f"{word!r} was given, which is not text; expected Unicode characters.") from None
    command = next((word for word in argv if not word.startswith("-")), None)
    if command is not None and command not in commands:
        able = f"one of {', '.join(commands)}.{did_you_mean(command, commands)}"
        raise InputError(f"{command} is not a command; expected {able}")
    if command is None or argv[0] != command:
        parser = parser_of({command: commands[command]} if command else commands)
        if argv:
            _refuse(parser.parse_known_args(argv)[1] or argv[:1], parser)
        parser.print_help()
        return None
    parser = command_parser(command, commands[command])
    # intermixed: an object, or a further file, may stand behind options
    args, unread = parser.parse_known_intermixed_args(argv[1:], argparse.Namespace(written={}))
    if unread:
        _refuse(unread, parser)
    values = {one.name: getattr(args, one.name, one.default) for one in parser.arguments}
    return Call(parser, values, args.written)


def _refuse(unread: list[str], parser: Parser) -> NoReturn:
    """Report the word of the line that is not an option, or is one too many."""
    flag = next((word for word in unread if word.startswith("-") and word != "-"), "").partition("=")[0]
    if not flag:
        parser.error(f"{parser.prog} does not take {' '.join(unread)}; leave it out.")
    words = [one[2:] for action in parser._actions for one in action.option_strings if one[2:] not in ("", "help")]
    near = did_you_mean(flag.strip("-"), words).replace("mean ", "mean --")
    hint = near or f" It takes {', '.join(f'--{word}' for word in words)}."
    parser.error(f"{flag} is an unknown option of {parser.prog}.{hint}")


# files ------------------------------------------------------------------------------------------------------


def check_files(arguments: Sequence[Argument], values: Mapping[str, Any]) -> None:
    """Refuse to write over a file that is read, or to one file twice, before any work is done.

    With labels out of core, patterns of files are read, and a folder is written.
    """
    folders = bool(values.get("out_of_core") or values.get("scheduler"))
    used: dict[str, str] = {}  # what uses each file
    files: list[tuple[Arg, str, str]] = []
    for one in arguments:
        value, flag = values[one.name] if one.arg.file else (), one.flags[0] if one.flags else ""
        files += [(one.arg, flag, path) for path in ([value] if isinstance(value, str) else value or ())]
    for arg, flag, path in sorted(files, key=lambda file: file[0].file not in ("in", "maybe")):
        if arg.file == "in" and not folders and set("*?[").intersection(path) and not os.path.exists(path):
            count = len(glob(path))
            raise InputError(
                f"{path} was given, a pattern that matches {count} file{'s' * (count != 1)}; expected the name of "
                "one file. Only graphens consensus --out-of-core reads all files that match a pattern."
            )
        folder = os.path.isdir(path) if not arg.endings else folders and not path.lower().endswith(".parquet")
        if arg.file == "out" and not (arg.screen and (path == "-" or folder)):
            if arg.endings and not path.lower().endswith(arg.endings):
                able = f"a file ending in {', '.join(arg.endings)}{', or - to print it' * arg.screen}"
                raise InputError(f"{flag} {path} was given; expected {able}.")
            check_package(path)
            checked_target(path)
        for place in map(os.path.realpath, (glob(path) or [path]) if path != "-" else ()):
            if arg.file in ("out", "state") and place in used:
                what = f"{flag} {path} was given, but that is {used[place]}, which would be overwritten"
                raise InputError(f"{what}. Choose another file.")
            used[place] = f"the file of {flag}" if flag else "the input"
