"""Tables: a figure stays in one line, tables of many columns are set small, and long code may break."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes

FIGURE = re.compile(
    r"[<>≤≥≈~+−–-]?\s?\.?\d[\d.,]*( ?(%|×|±|–|/|s|ms|MB|GB|GiB|MiB))*( ?\.?\d[\d.,]*)*( ?(%|×|s))?( \([\d.,]+\))?"
)
DENSE, DENSER = 6, 8  # columns
LONG = 30  # characters of code that cannot be broken


def dress(app: Any, doctree: nodes.document) -> None:
    """Give tables and cells the classes that site.css knows: many columns, long code, one figure in a cell."""
    for table in doctree.findall(nodes.table):
        columns = max((int(group["cols"]) for group in table.findall(nodes.tgroup)), default=0)
        pieces = (word for code in table.findall(nodes.literal) for word in code.astext().split())
        kinds = {
            "dense": columns >= DENSE,
            "denser": columns >= DENSER,
            "codes": max(map(len, pieces), default=0) > LONG,
        }
        table["classes"] += [kind for kind, true in kinds.items() if true]
        for cell in table.findall(nodes.entry):
            if FIGURE.fullmatch(cell.astext().strip()):
                cell["classes"].append("amount")
