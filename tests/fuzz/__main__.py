"""Run odd calls for some minutes and sum up: ``python -m tests.fuzz --minutes 30 [--target methods] [--seed 1]``."""

import argparse
import json
import os
import secrets
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

#: half of the calls go to the whole surface
TARGETS = ("methods", "partitioners", "archives", "checkpoints", "exports", "command_line", *["surface"] * 6)
ROOT = Path(__file__).resolve().parents[2]


def piece(target: str, seed: int, calls: int, seconds: float) -> dict[str, Any]:
    """Some calls in a process of their own; a crash or a hang is one more finding."""
    command = [sys.executable, "-m", "tests.fuzz.worker", target, str(seed), str(calls), str(seconds)]
    env = os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg"}
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=seconds + 600, check=False
        )
    except subprocess.TimeoutExpired as late:
        return {"calls": 0, "findings": {"hang": {"call": str(late.stderr)[-2000:], "error": "no end"}}}
    if done.returncode:
        return {"calls": 0, "findings": {f"exit {done.returncode}": {"call": "", "error": done.stderr[-3000:]}}}
    return json.loads(done.stdout.splitlines()[-1])


def run(
    targets: tuple[str, ...], seed: int, seconds: float, calls: int, most: int
) -> tuple[Counter[str], dict[str, Any]]:
    """Round after round, the same number of calls for every target, until the time is up or `most` calls are made."""
    end = time.monotonic() + seconds
    made: Counter[str] = Counter()
    findings: dict[str, Any] = {}
    while time.monotonic() < end and made.total() < most:
        for at, target in enumerate(targets):
            share = (end - time.monotonic()) / (len(targets) - at)
            if share <= 0:
                break
            found = piece(target, seed, calls, share)
            made[target] += found["calls"]
            for where, finding in found["findings"].items():
                name = where if ":" in where else f"{target}: {where}"
                if name not in findings:
                    findings[name] = finding | {"seed": seed}
                    print(f"{name}: {finding['error']}\n  {finding['call']}", flush=True)
        print(f"seed {seed}: {made.total()} calls, {len(findings)} findings", flush=True)
        seed += 1
    return made, findings


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--calls", type=int, default=250, help="calls of one process")
    parser.add_argument("--most", type=int, default=10**9, help="stop after the round with this many calls")
    parser.add_argument("--seed", type=int, default=secrets.randbits(31))
    parser.add_argument("--target", choices=sorted(set(TARGETS)), action="append")
    args = parser.parse_args()
    print(f"seed {args.seed}", flush=True)
    made, findings = run(tuple(args.target or TARGETS), args.seed, 60 * args.minutes, args.calls, args.most)
    print(", ".join(f"{target} {n}" for target, n in made.items()))
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())
