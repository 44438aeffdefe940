"""Where a figure comes from: commit, script, date, machine, load."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def provenance(script: str | None = None) -> dict[str, Any]:
    """Return what a kept figure carries with it; `script` is the file that measures.

    The commit is the last one that changed the package, and ends in "-dirty" where files of the package or the script
    differ from what is committed: kept results and pages do not count, since they do not change a figure.
    """
    code = ["graphens", *([script] if script else [])]
    changed = _git("status", "--porcelain", "--", *code)
    commit = _git("log", "-1", "--format=%h", "--abbrev=7", "--", "graphens") or "unknown"
    return {
        "commit": commit + ("-dirty" if changed else ""),
        **({"script": _git("hash-object", script)[:7]} if script else {}),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": f"{os.cpu_count()} cores, {_processor()}, Python {platform.python_version()}",
        "load": round(os.getloadavg()[0], 1),
    }


@cache
def _processor() -> str:
    """The name of the processor, as Linux tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()
