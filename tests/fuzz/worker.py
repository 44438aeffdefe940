"""One process of calls: ``python -m tests.fuzz.worker target,target seed calls seconds``. Prints a line of JSON.

A crash or a hang ends this process and not the one that started it; the last line of standard error says in which call.
Memory is limited, and files are written to a folder that is removed in the end.
"""

import faulthandler
import json
import os
import signal
import sys
import tempfile
import time
import traceback
import warnings
from contextlib import suppress
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings, strategies as st

from graphens.errors import GraphensError

from .targets import TARGETS

SETTINGS = settings(database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
HANG = 60  # seconds of processor time that no small call may take; a loaded machine is no hang
MEMORY = 8 << 30  # bytes of address space; libraries take half of it before any call
LONGEST = 1200  # characters of a message that somebody can read


class TimeIsUp(KeyboardInterrupt):
    """The one kind of exception that hypothesis lets through at once."""


def run(targets: list[str], number: int, calls: int, seconds: float) -> dict[str, Any]:
    """Make calls until they are made or the time is up; return how many, and each kind of finding once."""
    begin, done, findings = time.monotonic(), 0, {}
    said = [""]

    @seed(number)
    @settings(SETTINGS, max_examples=calls)
    @given(st.data())
    def once(data: st.DataObject) -> None:
        nonlocal done
        if time.monotonic() - begin > seconds:
            raise TimeIsUp
        said[0] = ""
        target = data.draw(st.sampled_from(targets))
        try:
            TARGETS[target](data, told)
            os.fstat(1)  # an OSError if standard output was closed
        except Exception as error:
            if type(error).__module__.startswith("hypothesis"):
                raise
            if not said[0]:
                raise  # before the call: a fault of the drawing
            if not isinstance(error, GraphensError) or len(str(error)) > LONGEST:
                findings.setdefault(f"{target}: {place(error)}", {"call": said[0][:1000], "error": repr(error)[:500]})
        done += 1
        watch(0)

    def told(call: str) -> None:
        said[0] = call
        print(call.encode("ascii", "backslashreplace").decode()[:1000], file=sys.stderr, flush=True)
        watch(HANG)

    with suppress(TimeIsUp):
        once()
    return {"calls": done, "findings": findings}


def watch(seconds: int) -> None:
    """End the process with a traceback after so much more work, unless 0; waiting for ever is noticed outside."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def place(error: BaseException) -> str:
    """What tells findings apart: the kind of error and our innermost line."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "graphens" in f.filename or "fuzz" in f.filename]
    where = f"{frames[-1].filename.rpartition('graphens/')[2]}:{frames[-1].lineno}" if frames else "?"
    return f"{type(error).__name__} at {where}"


if __name__ == "__main__":
    faulthandler.enable()
    if hasattr(signal, "SIGPROF"):
        faulthandler.register(signal.SIGPROF, chain=True)
    with suppress(ImportError):  # only there where Python knows limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        print(json.dumps(run(sys.argv[1].split(","), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))))
        os.chdir("/")
