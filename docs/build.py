"""Write the table of methods into README.md from the registry: ``python docs/build.py``."""

from __future__ import annotations

from pathlib import Path

import graphens as ge

README = Path(__file__).parent.parent / "README.md"
BEGIN, END = "<!-- methods: made by docs/build.py -->", "<!-- end of methods -->"


def methods_table() -> str:
    """Return the registry as a Markdown table, families together."""
    titles = ("method", "family", "graph", "k", "membership", "missing labels", "cost", "paper")
    lines = ["| " + " | ".join(titles) + " |", "|---" * len(titles) + "|"]
    for row in sorted(ge.methods(), key=lambda row: row.family):
        k = ("given" if row.needs_k else "found or given") + (", balanced" if row.balanced else "")
        cells = (
            f"`{row.name}`",
            row.family,
            row.graph,
            k,
            row.membership,
            row.missing,
            row.cost,
            row.reference,
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def with_table(text: str) -> str:
    """Return the text with the table between its two marks exchanged."""
    head, rest = text.split(BEGIN)
    return f"{head}{BEGIN}\n{methods_table()}\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    README.write_text(with_table(README.read_text("utf-8")), "utf-8")
