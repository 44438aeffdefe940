"""The command line: ``graphens <command>``.

A command is one module here and one name in COMMANDS. The module's first line is its help; ``configure(parser)`` adds
its arguments, ``run(args)`` does the work and says what it did. Heavy packages are imported inside ``run``.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

from ..errors import GraphensError, InputError
from ._screen import complain

COMMANDS = ("demo", "consensus", "generate", "cluster", "export", "methods", "partitioners")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, or 2 where the input is at fault, with one line on standard error."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: complain(f"warning: {message}")
        try:
            _run(argv)
            sys.stdout.flush()
        except SystemExit as done:  # argparse, after --help and --version
            return done.code if isinstance(done.code, int) else 0
        except BrokenPipeError:  # whoever read our output has seen enough
            _close_output()
            return 141
        except KeyboardInterrupt:
            complain("stopped.")
            return 130
        except (GraphensError, MemoryError, OSError) as error:
            complain(str(error) or type(error).__name__)
            _close_output()
            return 2
    return 0


def _run(argv: Sequence[str] | None) -> None:
    parser = _parser()
    args = parser.parse_args(argv)
    if args.command is None:
        parser.print_help()
    else:
        args.run(args)


class _Parser(argparse.ArgumentParser):
    """A parser that raises what everything else here raises."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see {self.prog} --help)")


def _parser() -> argparse.ArgumentParser:
    from .. import __version__

    parser = _Parser(prog="graphens", description=_package_line(), allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"graphens {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command", title="commands")
    for name in COMMANDS:
        module: Any = import_module(f".{name}", __package__)
        first, _, rest = module.__doc__.partition("\n")
        added = commands.add_parser(
            name,
            help=first,
            description=first,
            epilog=rest.strip(),
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.configure(added)
        added.set_defaults(run=module.run)
    return parser


def _package_line() -> str:
    return str(sys.modules["graphens"].__doc__)


def _close_output() -> None:
    """Send what is still waiting for standard output to nowhere, or Python complains at its end."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
