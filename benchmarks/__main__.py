"""Run benchmarks by name (all by default) and write docs/benchmarks.md: ``python -m benchmarks [name …]``."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from . import shapes
from .harness import write_page

HELPERS = {
    "__init__",
    "__main__",
    "data",
    "harness",
    "lfr",
    "provenance",
    "quality_k",
    "quality_page",
    "quality_pool",
    "quality_repeats",
    "quality_sets",
    "quality_words",
}


def benchmarks() -> list[str]:
    """Return the modules of this folder that measure something; each has a function `run`."""
    return sorted({path.stem for path in Path(__file__).parent.glob("*.py")} - HELPERS)


def main(names: list[str]) -> None:
    """Run the named benchmarks, all by default, and write the page."""
    known = benchmarks()
    unknown = sorted(set(names) - set(known) - {"page"})
    if unknown:
        sys.exit(
            f"no benchmark called {', '.join(unknown)}; there are {', '.join(known)} (page only rewrites the page)"
        )
    for name in names or known:
        if name != "page":
            importlib.import_module(f"benchmarks.{name}").run()
    shapes.page()
    write_page()


if __name__ == "__main__":
    main(sys.argv[1:])
