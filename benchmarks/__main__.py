"""Measure, and write docs/benchmarks.md with its charts.

Every part is measured in a process of its own, one after another; rows that are kept are not measured again, so a run
that was stopped goes on where it was. The exit code is 0 where all parts ended.
"""

import argparse
import os
import subprocess
import sys

from . import parts
from .page import write_page

#: one thread each: processor seconds of threads that wait for each other say nothing
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def parser() -> argparse.ArgumentParser:
    """Return the options."""
    made = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.split("\n\n")[0])
    made.add_argument("part", nargs="*", help="a part or a module, or page, which measures nothing; default: all")
    made.add_argument("--list", action="store_true", help="list the parts, what is kept of them, what they cost")
    made.add_argument("--quick", action="store_true", help="small sizes, some minutes in all; nothing is kept")
    made.add_argument("--large", action="store_true", help="also more and larger cases, which take hours")
    made.add_argument("--again", action="store_true", help="measure kept rows again")
    made.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)  # in the process of one part
    return made


def listing() -> str:
    """Say of every part how much of it is kept and what that took of the processor."""
    lines = [f"{'part':<24}{'kept':>8}  {'CPU minutes':>12}  title"]
    for part in parts.parts().values():
        known = parts.kept(part)
        count = f"{len(known)}/{len(part.cases) + len(part.large)}"
        lines.append(f"{part.name:<24}{count:>8}  {parts.minutes([part]):>12.1f}  {part.title}")
    return "\n".join(lines)


def measure_one(part: parts.Part, asked: argparse.Namespace) -> bool:
    """Measure a part in this process."""
    cases = part.quick if asked.quick else [*part.cases, *(part.large if asked.large else ())]
    return parts.run(part, cases, again=asked.again, keep=not asked.quick)


def main(words: list[str]) -> int:
    """Run the command and return its exit code."""
    asked = parser().parse_args(words)
    if asked.list:
        print(listing())
        return 0
    page_only = asked.part == ["page"]
    try:
        wanted = [] if page_only else parts.chosen(asked.part)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if asked.inside:
        return 0 if sum(not measure_one(part, asked) for part in wanted) == 0 else 1
    failed = []
    options = [word for word in words if word in ("--quick", "--large", "--again")]
    for part in wanted:
        command = [sys.executable, "-m", "benchmarks", part.name, "--inside", *options]
        if subprocess.run(command, env=os.environ | dict.fromkeys(THREADS, "1"), check=False).returncode:
            failed.append(part.name)
        if not asked.quick:
            write_page()  # after every part, so that a run that is stopped leaves a page of what it has
    if page_only:
        write_page()
    print(f"failed: {', '.join(failed)}" if failed else "all ended", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
