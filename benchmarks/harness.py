"""Tables of studies that measure answers rather than time: kept with where they come from, shown by pages.

What measures time is a `Part` (parts.py). A page shows a table of either kind between two marks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from . import parts
from .parts import RESULTS
from .provenance import provenance, shown_provenance


def report(section: str, title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], note: str = "") -> None:
    """Print a table and keep it for the pages; `section` names the file, so a later run replaces it."""
    cells = [[f"{value:.3g}" if isinstance(value, float) else str(value) for value in row] for row in rows]
    kept = {"title": title, "columns": list(columns), "rows": cells, "note": note, "measured": provenance()}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{section}.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"\n{title}\n{table(section)}\n{note}")


def table(section: str) -> str:
    """Return a kept table as Markdown."""
    record = json.loads((RESULTS / f"{section}.json").read_text("utf-8"))
    head, *rows = ("| " + " | ".join(line) + " |" for line in (record["columns"], *record["rows"]))
    return "\n".join([head, "|---" * len(record["columns"]) + "|", *rows])


def filled(text: str) -> str:
    """Renew the tables of a page that stand between ``<!-- figures: name -->`` and ``<!-- end of figures -->``."""
    mark = r"(<!-- figures: (\S+) -->\n).*?(<!-- end of figures -->)"
    return re.sub(
        mark, lambda m: f"{m[1]}\n{made}\n\n{m[3]}" if (made := _with_origin(m[2])) else m[0], text, flags=re.DOTALL
    )


def _with_origin(section: str) -> str:
    """Return the table of a part or a study, with a line that says where its figures were measured."""
    if part := parts.parts().get(section):
        return f"{parts.table(part)}\n\n*{parts.origin(part)}*" if parts.rows(part) else ""
    said = shown_provenance(json.loads((RESULTS / f"{section}.json").read_text("utf-8")).get("measured"))
    return f"{table(section)}\n\n*{said}*"
