"""Where a figure comes from: commit, date, machine, load."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


def provenance() -> dict[str, Any]:
    """Return what a kept figure carries with it."""
    return {
        "commit": _git("describe", "--always", "--dirty", "--exclude=*"),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        "load": round(os.getloadavg()[0], 1),
    }


def shown_provenance(measured: dict[str, Any] | None) -> str:
    """Return it as a sentence; nothing where nothing was recorded."""
    if not measured:
        return ""
    return "Measured on {date} at commit {commit}: {machine}, load {load}.".format(**measured)


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=_HERE, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"
