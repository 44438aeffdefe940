"""Write docs/reproduction.md from what is kept."""

from __future__ import annotations

from pathlib import Path

from .cells import Cell, cells
from .claims import CLAIMS, Claim
from .pictures import PICTURES
from .published import TABLES
from .reasons import sentence
from .runner import kept
from .words import ABOUT, MADE, NOTES, OPENING

PAGE = Path(__file__).parents[2] / "docs" / "reproduction.md"


def write_page() -> None:
    """Write the page; seconds, whatever was run."""
    parts = [OPENING, _summary(), MADE, *(_table(name) for name in TABLES), "## Figures and worked examples"]
    found: dict[str, list[Claim]] = kept("claims")
    parts += [_claims(name, found[name]) for name in CLAIMS if name in found]
    parts += [f"{caption}.\n\n![{caption}](images/{name}.png)" for name, (caption, _) in PICTURES.items()]
    PAGE.write_text("\n\n".join(part.strip() for part in parts) + "\n", "utf-8")


def _lines(header: list[str], rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows])


def _summary() -> str:
    rows = []
    for name, table in TABLES.items():
        verdicts = [cell.verdict for cell in cells(name)]
        rows.append([table.title, *(str(verdicts.count(word)) for word in ("agrees", "lower", "higher"))])
    told = 'Cells with a published figure, by verdict; "lower" is a smaller error than published.'
    return f"{told}\n\n" + _lines(["table", "agrees", "lower", "higher"], rows)


def _table(name: str) -> str:
    table, found = TABLES[name], cells(name)
    by_row: dict[str, dict[str, Cell]] = {}
    for cell in found:
        by_row.setdefault(cell.data, {})[cell.column] = cell
    rows = [
        [data, _base(table.rows[data].clusters), *(_shown(row.get(column)) for column in table.columns)]
        for data, row in by_row.items()
    ]
    most = max((len(cell.values) for cell in found), default=0)
    told = f"{table.protocol} Published → ours, in percent; {most} runs per cell here at most."
    return "\n\n".join(
        [f"## {table.title}", told, _lines(["data", "base k", *table.columns], rows), _reasons(found)]
    )


def _base(clusters: object) -> str:
    return (
        f"[{clusters[0]}, {clusters[1]}]"
        if isinstance(clusters, tuple)
        else "-"
        if clusters is None
        else str(clusters)
    )


def _shown(cell: Cell | None) -> str:
    return "" if cell is None else cell.shown()


def _reasons(found: list[Cell]) -> str:
    tried = kept("reasons")
    different = [cell for cell in found if cell.verdict in {"lower", "higher"}]
    lines = [
        f"- {cell.data}, {cell.column} ({cell.verdict}): {sentence(cell, tried, NOTES)}" for cell in different
    ]
    return "\n".join(["Cells that differ:", "", *lines]) if lines else "No cell differs."


def _claims(name: str, found: list[Claim]) -> str:
    title = (CLAIMS[name].__doc__ or name).strip()
    rows = [
        [one["what"], one["published"], one["ours"], "holds" if one["holds"] else "**differs**"]
        for one in found
    ]
    return (
        f"### {title}\n\n"
        + _lines(["", "published", "ours", ""], rows).replace("(picture only)", "-")
        + f"\n\n{ABOUT.get(name, '')}"
    )
