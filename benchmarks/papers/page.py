"""Write docs/reproduction.md from what is kept."""

from __future__ import annotations

from pathlib import Path

from .causes import EXPERIMENTS
from .cells import Cell, cells
from .claim import Claim
from .claims import CLAIMS
from .columns import ONCE
from .data import shown
from .musts import musts
from .pictures import FOLDER, PICTURES
from .published import TABLES
from .reasons import Reason, Trial, reason, trials
from .runner import kept
from .words import ABOUT, BOUNDS, MADE, NOTES, OPENING, TRIALS

VERDICTS = ("agrees", "lower", "higher")
WAYS = ("explained", "bracketed", "open")
PAGE = Path(__file__).parents[2] / "docs" / "reproduction.md"


def write_page() -> None:
    """Write the page; seconds, whatever was run."""
    found: dict[str, list[Claim]] = kept("claims")
    parts = [
        OPENING,
        _summary(found),
        _musts(),
        MADE,
        *(_table(name) for name in TABLES),
        "## Figures and worked examples",
        *(_claims(name, found[name]) for name in CLAIMS if name in found),
        _experiments(),
    ]
    PAGE.write_text("\n\n".join(part.strip() for part in parts if part.strip()) + "\n", "utf-8")


def lines(header: list[str], rows: list[list[str]]) -> str:
    """Return a table; a bar inside a cell does not end it."""
    table = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in table)


def _summary(found: dict[str, list[Claim]]) -> str:
    rows, every = [], []
    for name, table in TABLES.items():
        told = [cell for cell in cells(name) if cell.theirs is not None]
        every += told
        verdicts = [cell.verdict for cell in told]
        ways = [reason(cell).how for cell in told if cell.differs]
        counts = [verdicts.count(word) for word in VERDICTS] + [ways.count(word) for word in WAYS]
        rows.append([table.title, *map(str, counts)])
    ways = [reason(cell).how for cell in every if cell.differs]
    bounds, said = (
        musts(),
        [one["holds"] for group in found.values() for one in group if one["published"] != "-"],
    )
    whole = (
        f"**{len(every) - len(ways)} of {len(every)} published figures come out as published.** Of the other "
        f"{len(ways)}, {ways.count('explained')} do so when one thing is changed that the paper leaves open, "
        f"{ways.count('bracketed')} lie between ours and such a change, and {ways.count('open')} stay open. "
        f"{sum(one['holds'] for one in bounds)} of {len(bounds)} bounds hold, and {sum(said)} of {len(said)} "
        "statements on figures and examples."
    )
    return f"{whole}\n\n" + lines(["table", *VERDICTS, *WAYS], rows)


def _musts() -> str:
    rows = [
        [one["what"], one["published"], one["ours"], "holds" if one["holds"] else "**does not hold**"]
        for one in musts()
    ]
    return f"## What has to hold\n\n{BOUNDS}\n\n" + lines(["", "bound", "ours", ""], rows)


def _table(name: str) -> str:
    table, found = TABLES[name], cells(name)
    by_row: dict[str, dict[str, Cell]] = {}
    for cell in found:
        by_row.setdefault(cell.data, {})[cell.column] = cell
    rows = [
        [
            shown(data),
            _base(table.rows[data].clusters),
            _runs(row),
            *(_shown(row.get(c)) for c in table.columns),
        ]
        for data, row in by_row.items()
    ]
    told = f"{table.protocol} Published → ours, in percent."
    header = ["data", "base k", "runs", *table.columns]
    return "\n\n".join([f"## {table.title}", told, lines(header, rows), _reasons(found), *_pictures(name)])


def _base(clusters: object) -> str:
    if isinstance(clusters, tuple):
        return f"[{clusters[0]}, {clusters[1]}]"
    return "-" if clusters is None else str(clusters)


def _runs(row: dict[str, Cell]) -> str:
    """How many runs a row has, of the columns that are run more than once."""
    numbers = {len(cell.values) for cell in row.values() if cell.ours not in ONCE}
    return " to ".join(str(number) for number in sorted({min(numbers), max(numbers)})) if numbers else "1"


def _shown(cell: Cell | None) -> str:
    return "" if cell is None else cell.shown()


def _reasons(found: list[Cell]) -> str:
    rows = [_why(cell, reason(cell)) for cell in found if cell.differs]
    header = ["cell that differs", "published", "ours", "", "nearest trial", "what decides"]
    return lines(header, rows) if rows else "No cell differs."


def _why(cell: Cell, why: Reason) -> list[str]:
    near = "-" if why.trial is None else f"{why.trial.error:.1f}, {why.trial.what}"
    note = NOTES.get(f"{cell.table}: {cell.data}, {cell.column}", "")
    told = ". ".join(part for part in (why.cause, note.rstrip(".")) if part)
    return [
        f"{shown(cell.data)}, {cell.column}",
        f"{cell.theirs:.1f}",
        f"{cell.mean:.1f}",
        why.how,
        near,
        told,
    ]


def _claims(name: str, found: list[Claim]) -> str:
    title = (CLAIMS[name].__doc__ or name).strip().rstrip(".")
    rows = [[one["what"], one["published"], one["ours"], _stands(one)] for one in found]
    table = lines(["", "published", "ours", ""], rows)
    return "\n\n".join([f"### {title}", table, *filter(None, [ABOUT.get(name, "")]), *_pictures(name)])


def _stands(one: Claim) -> str:
    if one["published"] == "-":
        return ""
    return "holds" if one["holds"] else "**differs**"


def _pictures(name: str) -> list[str]:
    return [
        f"![{caption}](images/{file}.png)\n\n*{caption}.*"
        for file, (under, caption, _) in PICTURES.items()
        if under == name and (FOLDER / f"{file}.png").exists()
    ]


def _experiments() -> str:
    differing = [cell for name in TABLES for cell in cells(name) if cell.differs]
    tried = {cell: trials(cell) for cell in differing}
    parts = [_matrix(name, tried) for name in EXPERIMENTS]
    return "\n\n".join([TRIALS, *filter(None, parts)])


def _matrix(name: str, tried: dict[Cell, list[Trial]]) -> str:
    """One experiment on all cells it bears on; what gives the published figure in bold."""
    rows = {
        cell: {_head(trial.what): trial for trial in made if trial.experiment == name}
        for cell, made in tried.items()
    }
    rows = {cell: made for cell, made in rows.items() if made}
    columns = list(dict.fromkeys(head for made in rows.values() for head in made))
    table = [
        [
            _where(cell),
            f"{cell.theirs:.1f}",
            f"{cell.mean:.1f}",
            *(_tried(cell, made.get(c)) for c in columns),
        ]
        for cell, made in rows.items()
    ]
    header, told = ["cell", "published", "ours", *columns], EXPERIMENTS[name]
    parts = [f"### {told.title}", told.about, lines(header, table)]
    return "\n\n".join(filter(None, parts)) if rows else ""


def _where(cell: Cell) -> str:
    """Authors, number of the table, data, column."""
    authors = TABLES[cell.table].title.partition(" 20")[0]
    return f"{authors} {cell.table[-1]}: {shown(cell.data)}, {cell.column}"


def _head(what: str) -> str:
    return what.partition(" (")[0]


def _tried(cell: Cell, trial: Trial | None) -> str:
    if trial is None:
        return "-"
    more = trial.what.partition(" (")[2].rstrip(")")
    near = abs(trial.error - (cell.theirs or 0.0)) <= cell.room
    error = f"{trial.error:.1f}"
    return (f"**{error}**" if near else error) + (f" ({more})" if more else "")
