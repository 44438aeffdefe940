"""Let Ctrl-C end the command line quietly while it is still loading; imported before everything else."""

import _signal  # type: ignore[import-not-found]  # `signal` itself takes time to load
import os
import sys


def _is_program() -> bool:
    """Whether this process is ``graphens …`` or ``python -m graphens …``, not a program that imports graphens."""
    name = sys.argv[0] if sys.argv else ""
    if name == "-m" and "-m" in sys.orig_argv:  # as it is while the package loads
        return sys.orig_argv[sys.orig_argv.index("-m") + 1 :][:1] == ["graphens"]
    return os.path.splitext(os.path.basename(name))[0] == "graphens"


def interruptible() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again."""
    if _signal.getsignal(_signal.SIGINT) is _leave:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)


def _leave(*_: object) -> None:
    os._exit(130)


if _is_program() and sys.stderr is None:  # closed by the caller: NumPy 2.0 cannot be loaded without it
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115

if _is_program() and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    try:  # noqa: SIM105 - contextlib takes time to load, too
        _signal.signal(_signal.SIGINT, _leave)
    except ValueError:  # not the main thread
        pass
