"""Charts of the tables on a page, drawn while the site is built, and figures that pages quote from those of others.

The table stands behind its chart. A line ``<!-- chart: column; column | by: column; column | log -->`` right above a
table draws these columns as bars, one group of bars for each row. Rows are called after the columns `by`, the first one
by default; ``log`` makes the scale logarithmic, and ``ratio`` as well, with values below 1 as the times that something
is slower, in another color. Several such lines above one table draw several charts. ``<!-- chart: all | shaded -->``
shades the cells of the table itself by their values from 0 to 1. A table may be a file beside the page, which a line
``[Table: title](file.csv)`` links to; the site shows it folded. Elsewhere, as on GitHub, the table or the link alone is
seen.
"""

import csv
import math
import re
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
TABLE = re.compile(r"(?:^\|.*\n?)+", re.MULTILINE)
CHARTED = re.compile(r"((?:^<!-- chart: .* -->\n\s*)+)((?:^\|.*\n?)+)", re.MULTILINE)
FILED = re.compile(r"((?:^<!-- chart: .* -->\n\s*)*)^(\[Table: (.*)\]\((\S+\.csv)\)[.]?)\n", re.MULTILINE)
MARK = re.compile(r"<!-- chart: (.*) -->")
PARTS = re.compile(r"(\d+) of (\d+)")
OTHER, VERSUS = "compared with", " vs. "  # a column of what a row is compared with
NUMBER = re.compile(r"-?\d*\.?\d+(?:e[+-]?\d+)?")


def charted(text: str, folder: Path) -> str:
    """Return a page of a folder with a chart above every table that has a mark, and the table folded away."""
    text = CHARTED.sub(lambda found: _drawn(found[1], found[2]), text)
    return FILED.sub(lambda found: _drawn(found[1], _read(folder / found[4]), found[3], f"{found[2]}\n"), text)


def _drawn(marks: str, table: str, title: str = "Table", link: str = "") -> str:
    if "shaded" in marks:
        return f"{shaded(table)}\n\n{link}\n"
    charts = "".join(f"{chart(mark, table)}\n\n" for mark in MARK.findall(marks))
    title = re.sub("`(.*?)`", r"<code>\1</code>", title)
    return f"{charts}<details><summary>{title}</summary>\n\n{table}\n{link}\n</details>\n\n"


def _read(path: Path) -> str:
    """A file of values as a Markdown table."""
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    lines = (head, ["---"] * len(head), *rows)
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def shaded(table: str) -> str:
    """Return a table as HTML whose cells are the darker, the nearer their values are to 1."""
    head, *rows = cells(table)
    top = "".join(f'<th scope="col"><span>{escape(name)}</span></th>' for name in head)
    body = []
    for name, *row in rows:
        inside = ""
        for cell in row:
            shade = 80 * max(0.0, 2 * (value(cell) or 0.0) - 1)  # half is what every method has
            inside += f'<td style="--shade: {shade:.0f}%">{escape(cell)}</td>'
        body.append(f'<tr><th scope="row"><code>{escape(name)}</code></th>{inside}</tr>')
    return f'<table class="shaded"><thead><tr>{top}</tr></thead><tbody>{"".join(body)}</tbody></table>'


def chart(mark: str, table: str) -> str:
    """Return the chart that a mark asks for, as HTML: bars that take the width there is."""
    columns, *options = (part.strip() for part in mark.split("|"))
    head, *rows = cells(table)
    by = next((option[3:] for option in options if option.startswith("by:")), head[0])
    names = [head.index(name.strip()) for name in by.split(";")]
    series = [head.index(name.strip()) for name in columns.split(";")]
    ratio = "ratio" in options
    scale = _scale([row[i] for row in rows for i in series], log="log" in options, ratio=ratio)
    title = ", ".join(head[i] for i in series) + (" (logarithmic scale)" if scale[2] else "")
    lines = [f'<div class="chart"><p class="chart-title">{_legend([head[i] for i in series], title)}</p>']
    for row in rows:
        slower = [ratio and (value(row[i]) or 1) < 1 for i in series]
        bars = "".join(
            _bar(_slower(row[i]) if less else row[i], 5 if less else at, scale)
            for at, (i, less) in enumerate(zip(series, slower, strict=True))
        )
        said = (f"{VERSUS if head[i] == OTHER else ', '}{row[i]}" for i in names if row[i])
        name = escape("".join(said).removeprefix(", ").replace("`", "").replace("\\|", "|"))
        lines.append(f'<div class="chart-row"><span>{name}</span><span>{bars}</span></div>')
    return "".join([*lines, "</div>"])


def value(cell: str) -> float | None:
    """Return the first number of a cell; of "3 of 4" the share, and nothing where there is no number."""
    part = PARTS.search(cell)
    if part:
        return int(part[1]) / int(part[2])
    number = NUMBER.search(cell.replace(",", ""))
    return float(number[0]) if number else None


def _slower(cell: str) -> str:
    """How many times slower something is that is faster less than once."""
    return f"{1 / (value(cell) or 1):.2g} × slower"


def _scale(found: list[str], *, log: bool, ratio: bool = False) -> tuple[float, float, bool]:
    """Lowest and highest value of the scale; shares and percentages go up to their whole, ratios begin at 1."""
    known = [number for number in map(value, found) if number is not None and (number > 0 or not (log or ratio))]
    if ratio:
        return 0.0, math.log10(max(max(known), 1 / min(known))), True
    if log:
        low, high = math.floor(math.log10(min(known)) - 0.1), math.log10(max(known))
        return float(low), max(high, low + 1.0), True
    whole = 1.0 if any(map(PARTS.search, found)) else 100.0 if any("%" in cell for cell in found) else 0.0
    return 0.0, max(whole, *known), False


def _bar(cell: str, series: int, scale: tuple[float, float, bool]) -> str:
    number, (low, high, log) = value(cell), scale
    if number is None or (log and number <= 0):
        return ""
    share = ((math.log10(number) if log else number) - low) / ((high - low) or 1)
    return (
        f'<span class="bar bar-{series % 6}"><i style="width: {max(share, 0):.1%}"></i>'
        f"<b>{escape(cell.replace('`', ''))}</b></span>"
    )


def _legend(names: list[str], title: str) -> str:
    if len(names) == 1:
        return escape(title)
    keys = " ".join(f'<span class="key bar-{at % 6}"><i></i>{escape(name)}</span>' for at, name in enumerate(names))
    return keys + (" (logarithmic scale)" if title.endswith("scale)") else "")


def cells(table: str) -> list[list[str]]:
    """Return the rows of a Markdown table as lists of text, its head first, without the line below the head."""
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in table.strip().splitlines()]
    return [[cell.strip() for cell in line] for i, line in enumerate(lines) if i != 1]


def section(page: str, heading: str) -> tuple[str, list[list[str]]]:
    """Return the anchor and the first table of the section of a page whose heading contains some words."""
    for part in re.split(r"^## ", (HERE / page).read_text("utf-8"), flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        table = TABLE.search(body)
        if heading in title and table:
            return anchor(title), cells(table[0])
    raise LookupError(f"{page} has no section with {heading!r} in its heading and a table below it")


def anchor(title: str) -> str:
    """Return the anchor that GitHub and the site give to a heading."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def rounded(figure: str) -> str:
    """Return a figure as a sentence quotes it: two decimals of a score, two digits of a ratio, a pair as it is."""
    if "/" in figure:
        return figure
    value = float(figure)
    return f"{value:.2f}" if value < 1 else f"{value:.1f}" if value < 10 else f"{value:.0f}"


def cell(page: str, heading: str, row: str, column: str) -> str:
    """Return one figure of a table, by the name of its row (its first cell) and of its column."""
    head, *rows = section(page, heading)[1]
    known = {line[0].strip("`"): line for line in rows}
    return known[row][head.index(column)]
