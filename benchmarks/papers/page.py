"""Write docs/reproduction.md from what is kept."""

from __future__ import annotations

from pathlib import Path

from .cells import Cell, cells
from .claims import CLAIMS, Claim
from .columns import ONCE
from .musts import musts
from .pictures import FOLDER, PICTURES
from .published import TABLES
from .reasons import deciding, sentence
from .runner import kept
from .words import ABOUT, BOUNDS, MADE, NOTES, OPENING

VERDICTS = ("agrees", "lower", "higher")
WAYS = ("explained", "bracketed", "open")
PAGE = Path(__file__).parents[2] / "docs" / "reproduction.md"


def write_page() -> None:
    """Write the page; seconds, whatever was run."""
    parts = [
        OPENING,
        _summary(),
        _musts(),
        MADE,
        *(_table(name) for name in TABLES),
        "## Figures and worked examples",
    ]
    found: dict[str, list[Claim]] = kept("claims")
    parts += [_claims(name, found[name]) for name in CLAIMS if name in found]
    parts += [
        f"{caption}.\n\n![{caption}](images/{name}.png)"
        for name, (caption, _) in PICTURES.items()
        if (FOLDER / f"{name}.png").exists()
    ]
    PAGE.write_text("\n\n".join(part.strip() for part in parts) + "\n", "utf-8")


def _lines(header: list[str], rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows])


def _summary() -> str:
    rows = []
    for name, table in TABLES.items():
        found = cells(name)
        verdicts = [cell.verdict for cell in found]
        ways = [deciding(cell)[0] for cell in found if cell.differs]
        counts = [verdicts.count(word) for word in VERDICTS] + [ways.count(word) for word in WAYS]
        rows.append([table.title, *map(str, counts)])
    told = 'Cells with a published figure, by verdict; "lower" is a smaller error than published.'
    more = "Of those that differ, how many an experiment explains, brackets, or leaves open."
    return f"{told} {more}\n\n" + _lines(["table", *VERDICTS, *WAYS], rows)


def _musts() -> str:
    rows = [
        [one["what"], one["published"], one["ours"], "holds" if one["holds"] else "**does not hold**"]
        for one in musts()
    ]
    return f"## What has to hold\n\n{BOUNDS}\n\n" + _lines(["", "bound", "ours", ""], rows)


def _table(name: str) -> str:
    table, found = TABLES[name], cells(name)
    by_row: dict[str, dict[str, Cell]] = {}
    for cell in found:
        by_row.setdefault(cell.data, {})[cell.column] = cell
    rows = [
        [
            data,
            _base(table.rows[data].clusters),
            _runs(row),
            *(_shown(row.get(column)) for column in table.columns),
        ]
        for data, row in by_row.items()
    ]
    told = f"{table.protocol} Published → ours, in percent."
    return "\n\n".join(
        [f"## {table.title}", told, _lines(["data", "base k", "runs", *table.columns], rows), _reasons(found)]
    )


def _base(clusters: object) -> str:
    return (
        f"[{clusters[0]}, {clusters[1]}]"
        if isinstance(clusters, tuple)
        else "-"
        if clusters is None
        else str(clusters)
    )


def _runs(row: dict[str, Cell]) -> str:
    """How many runs a row has, of the columns that are run more than once."""
    numbers = {len(cell.values) for cell in row.values() if cell.ours not in ONCE}
    return "-".join(str(number) for number in sorted({min(numbers), max(numbers)})) if numbers else "1"


def _shown(cell: Cell | None) -> str:
    return "" if cell is None else cell.shown()


def _reasons(found: list[Cell]) -> str:
    lines = [
        f"- {cell.data}, {cell.column} ({cell.verdict}): {sentence(cell, NOTES)}"
        for cell in found
        if cell.differs
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
