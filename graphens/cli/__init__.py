"""The command line: ``graphens <command>``.

A command is one module here and one name in COMMANDS. The first line of the module is its help, and the rest of its
docstring is shown below its arguments. ``configure(parser)`` adds the arguments, and ``run(args)`` does the work. Large
packages are imported inside ``run``.
"""

# PYTHON_ARGCOMPLETE_OK: the Tab key may run this program

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress

from .._memory import within_memory
from .._start import interruptible
from ..errors import GraphensError
from ._parser import as_written, parse
from ._progress import shown_progress
from ._screen import Noting, complain

COMMANDS = (
    "demo",
    "consensus",
    "assign",
    "update",
    "generate",
    "cluster",
    "communities",
    "median",
    "levels",
    "choose",
    "compare",
    "explain",
    "members",
    "modes",
    "match",
    "monti",
    "plot",
    "report",
    "explore",
    "export",
    "methods",
    "partitioners",
    "warm",
    "versions",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, or 2 for invalid input, with one line on standard error."""
    interruptible()
    log = logging.getLogger("graphens")
    if not log.handlers:
        log.addHandler(Noting())
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: complain(str(message), "warning")
        try:
            _run(sys.argv[1:] if argv is None else list(argv))
        except SystemExit as done:  # argparse, after --help and --version
            return done.code if isinstance(done.code, int) else 0
        except BrokenPipeError:  # the reader of our output has closed it
            _close_output()
            return 141
        except KeyboardInterrupt:
            complain("stopped.")
            return 130
        except (GraphensError, OSError) as error:
            complain(str(error) or type(error).__name__)
            _close_output()
            return 2
        except Exception as error:
            if os.environ.get("GRAPHENS_TRACEBACK"):
                raise
            complain(
                f"{_told(error)} This is a bug in graphens; set GRAPHENS_TRACEBACK=1 to see where it happened."
            )
            _close_output()
            return 1
    return 0


def _run(argv: list[str]) -> None:
    if "_ARGCOMPLETE" in os.environ:
        from ._completion import complete

        complete(COMMANDS)
    args = parse(argv, COMMANDS)
    if args is not None:
        with shown_progress(), as_written(args), within_memory(f"graphens {args.command}"):
            args.run(args)
    if sys.stdout is not None:
        sys.stdout.flush()


def _told(error: Exception) -> str:
    return f"unexpected {type(error).__name__}: {str(error).rstrip('.')}."


def _close_output() -> None:
    """Discard what is still waiting for standard output, so that Python does not complain when it ends."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
