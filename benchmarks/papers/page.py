"""Write docs/reproduction.md from what is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .causes import EXPERIMENTS
from .cells import Cell, cells
from .claim import Claim, stands
from .claims import CLAIMS
from .columns import ONCE
from .data import shown
from .musts import musts
from .pictures import FOLDER, PICTURES
from .published import TABLES
from .reasons import Reason, Trial, reason, trials
from .runner import kept
from .words import ABOUT, BOUNDS, MADE, NOTES, OPENING, STANDINS, TRIALS, TURNED

VERDICTS = ("agrees", "near", "lower", "higher")
WAYS = ("explained", "open")
APART = 10.0  # points between two groups of runs
PAGE = Path(__file__).parents[2] / "docs" / "reproduction.md"


def write_page() -> None:
    """Write the page; seconds, whatever was run."""
    found: dict[str, list[Claim]] = kept("claims")
    parts = [
        OPENING,
        _summary(found),
        _musts(),
        MADE,
        _standins(),
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
    rows, free, other = [], [], []
    for name, table in TABLES.items():
        told = [cell for cell in cells(name) if cell.theirs is not None]
        here, apart = [cell for cell in told if not cell.fitted], [cell for cell in told if cell.fitted]
        free, other = free + here, other + apart
        rows.append([table.title, *map(str, [*_counts(here), *_ways(here), *_counts(apart)])])
    agree, near, *far = _counts(free)
    chosen = _counts(other)
    explained, left = _ways(free)
    tested = sum(isinstance(cell.published, tuple) for cell in free)
    whole = (
        f"**Of {len(free)} published figures {agree} agree, {near} are near and {sum(far)} differ** "
        f"({explained} of them explained, {left} open). {tested} of the {len(free)} are judged by standard errors. For "
        f"the others the paper gives no deviation, and the limits of half a point, and of 5 points or a quarter of the "
        f"figure, apply. Another "
        f"{len(other)} figures belong to cells marked †; they prove little and are counted apart: {chosen[0]} agree, "
        f"{chosen[1]} are near, {sum(chosen[2:])} differ. {_held(musts(), 'bounds')} "
        f"{_held([one for group in found.values() for one in group], 'statements on figures and examples')}"
    )
    header = ["table", *VERDICTS, *WAYS, *(f"†: {word}" for word in VERDICTS)]
    return f"{whole}\n\n" + lines(header, rows)


def _counts(told: list[Cell]) -> list[int]:
    verdicts = [cell.verdict for cell in told]
    return [verdicts.count(word) for word in VERDICTS]


def _ways(told: list[Cell]) -> list[int]:
    ways = [reason(cell).how for cell in told if cell.differs]
    return [ways.count(word) for word in WAYS]


def _held(told: list[Claim], what: str) -> str:
    """How many statements hold; those with a chosen setting, and those without a verdict, counted apart."""
    said = [one for one in told if one["published"] != "-"]
    judged = [one for one in said if one["holds"] is not None]
    free = [bool(one["holds"]) for one in judged if not one.get("selected")]
    chosen = [bool(one["holds"]) for one in judged if one.get("selected")]
    told_apart = f", {sum(chosen)} of {len(chosen)} with a fitted or selected setting" if chosen else ""
    silent = f"; {len(said) - len(judged)} have no verdict" if len(said) > len(judged) else ""
    return f"{sum(free)} of {len(free)} {what} hold{told_apart}{silent}."


def _musts() -> str:
    rows = [[one["what"], one["published"], one["ours"], _stands(one)] for one in musts()]
    return f"## Bounds that have to hold\n\n{BOUNDS}\n\n" + lines(["", "bound", "ours", ""], rows)


def _standins() -> str:
    """Conclusions of the papers beside what the look-alikes give."""
    rows = []
    for table, data, columns, conclusion in TURNED:
        at = {cell.column: cell for cell in cells(table) if cell.data == data}
        if set(columns) <= set(at):
            theirs = ", ".join(f"{column} {at[column].theirs:.1f}" for column in columns)
            ours = ", ".join(f"{column} {at[column].mean:.1f}" for column in columns)
            rows.append([f"{_authors(table)}: {shown(data)}", conclusion, theirs, ours])
    header = ["set", "the paper's conclusion", "published", "ours"]
    return f"## What look-alike data cannot show\n\n{STANDINS}\n\n" + lines(header, rows) if rows else ""


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
    told = f"{table.protocol} Published → ours, in percent; near in italics, bold where it differs."
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
    header = ["cell that differs", "published", "ours", "", "nearest trial", "trials", "remarks"]
    return lines(header, rows) if rows else "No cell differs."


def _why(cell: Cell, why: Reason) -> list[str]:
    near = (
        "-"
        if why.trial is None
        else f"{why.trial.error:.1f} ({why.trial.what.replace(' (', ', ').rstrip(')')})"
    )
    note = NOTES.get(f"{cell.table}: {cell.data}, {cell.column}", "").rstrip(".")
    remarks = [cell.fitted and f"†: {cell.fitted}", _two_groups(cell), why.cause, note]
    return [
        f"{shown(cell.data)}, {cell.column}",
        f"{cell.theirs:.1f}",
        f"{cell.mean:.1f}",
        why.how,
        near,
        str(why.tried),
        ". ".join(filter(None, remarks)),
    ]


def _two_groups(cell: Cell) -> str:
    """How many runs lie where, if they fall into two groups far apart."""
    errors = 100 * np.sort(cell.values)
    gaps = np.diff(errors)
    if not len(gaps) or gaps.max() < APART:
        return ""
    at = int(gaps.argmax()) + 1
    ends = (
        (part, dict.fromkeys((f"{part[0]:.1f}", f"{part[-1]:.1f}"))) for part in (errors[:at], errors[at:])
    )
    groups = (f"{len(part)} at {' to '.join(both)}" for part, both in ends)
    return f"The runs fall into two groups: {', '.join(groups)} percent"


def _claims(name: str, found: list[Claim]) -> str:
    title = (CLAIMS[name].__doc__ or name).strip().rstrip(".")
    rows = [[one["what"], one["published"], one["ours"], _stands(one)] for one in found]
    table = lines(["", "published", "ours", ""], rows)
    return "\n\n".join([f"### {title}", table, *filter(None, [ABOUT.get(name, "")]), *_pictures(name)])


def _stands(one: Claim) -> str:
    if one["published"] == "-":
        return ""
    verdict = "**differs**" if stands(one) == "differs" else stands(one)
    return verdict + (f" (†: {one['selected']})" if one.get("selected") else "")


def _pictures(name: str) -> list[str]:
    return [
        f"![{caption}](images/{file}.png)\n\n*{caption}.*"
        for file, (under, caption, _) in PICTURES.items()
        if under == name and (FOLDER / f"{file}.png").exists()
    ]


def _experiments() -> str:
    tried = {cell: trials(cell) for name in TABLES for cell in cells(name)}
    parts = [_matrix(name, tried) for name in EXPERIMENTS]
    return "\n\n".join([TRIALS, *filter(None, parts)])


def _matrix(name: str, tried: dict[Cell, list[Trial]]) -> str:
    """One experiment on all cells it bears on; what gives the published figure in bold."""
    rows = {
        cell: {_head(trial.what): trial for trial in made if trial.experiment == name}
        for cell, made in tried.items()
        if cell.differs or EXPERIMENTS[name].whole
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
    table.append(["*near, of those tried*", "", "", *(_near_of(rows, c) for c in columns)])
    header, told = ["cell", "published", "ours", *columns], EXPERIMENTS[name]
    parts = [f"### {told.title}", told.about, lines(header, table)]
    return "\n\n".join(filter(None, parts)) if rows else ""


def _near_of(rows: dict[Cell, dict[str, Trial]], column: str) -> str:
    """In how many cells one change came near, of how many: a cause has to come near in all."""
    near = [_near(cell, made[column]) for cell, made in rows.items() if column in made]
    return f"*{sum(near)} of {len(near)}*"


def _near(cell: Cell, trial: Trial) -> bool:
    return abs(trial.error - (cell.theirs or 0.0)) <= cell.room


def _where(cell: Cell) -> str:
    """Authors, number of the table, data, column."""
    return f"{_authors(cell.table)}, Table {cell.table[-1]}: {shown(cell.data)}, {cell.column}"


def _authors(table: str) -> str:
    return TABLES[table].title.partition(" 20")[0]


def _head(what: str) -> str:
    return what.partition(" (")[0]


def _tried(cell: Cell, trial: Trial | None) -> str:
    if trial is None:
        return "-"
    more = trial.what.partition(" (")[2].rstrip(")")
    error = f"{trial.error:.1f}"
    return (f"**{error}**" if _near(cell, trial) else error) + (f" ({more})" if more else "")
