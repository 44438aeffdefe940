"""Run benchmarks by name (all by default) and write docs/benchmarks.md: ``python -m benchmarks [name …]``."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from .harness import write_page

_NOT_BENCHMARKS = {
    "__init__",
    "__main__",
    "harness",
    "data",
    "lfr",
    "quality_k",
    "quality_page",
    "quality_pool",
    "quality_sets",
    "quality_words",
}


def main(names: list[str]) -> None:
    """Run the named scripts of this folder; each has a function `run`."""
    known = sorted(
        path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in _NOT_BENCHMARKS
    )
    unknown = sorted(set(names) - set(known) - {"page"})
    if unknown:
        sys.exit(
            f"no benchmark called {', '.join(unknown)}; there are {', '.join(known)} (page only rewrites the page)"
        )
    for name in names or known:
        if name != "page":
            importlib.import_module(f"benchmarks.{name}").run()
    write_page()


if __name__ == "__main__":
    main(sys.argv[1:])
