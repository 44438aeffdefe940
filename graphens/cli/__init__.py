"""The command line: ``graphens <command>``.

A command is one function here and one name in COMMANDS; see `_command`. Large packages are imported on use.
"""

# PYTHON_ARGCOMPLETE_OK: the Tab key may run this program

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress

from .._lib.memory import within_memory
from .._lib.start import interruptible
from ..errors import GraphensError
from ._command import parse
from ._progress import shown_progress
from ._screen import Noting, complain

#: the module of each command, in which it is the function of the same name
COMMANDS = {
    name: module
    for module, names in (
        ("demo", "demo"),
        ("from_labels", "consensus median levels"),
        ("living", "assign update match"),
        ("from_features", "generate cluster communities monti"),
        ("look", "choose compare explain members modes"),
        ("show", "plot report explore export"),
        ("lists", "methods partitioners versions"),
    )
    for name in names.split()
}


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
            what = f"unexpected {type(error).__name__}: {str(error).rstrip('.')}."
            complain(f"{what} This is a bug in graphens; set GRAPHENS_TRACEBACK=1 to see where it happened.")
            _close_output()
            return 1
    return 0


def _run(argv: list[str]) -> None:
    if "_ARGCOMPLETE" in os.environ:
        from ._completion import complete

        complete(COMMANDS)
    call = parse(argv, COMMANDS)
    if call is not None:
        with shown_progress(), within_memory(f"graphens {argv[0]}"):
            call.run()
    if sys.stdout is not None:
        sys.stdout.flush()


def _close_output() -> None:
    """Discard what is still waiting for standard output, so that Python does not complain when it ends."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
