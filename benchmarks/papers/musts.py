"""What has to hold, checked on the kept values: one row per bound."""

from __future__ import annotations

from collections.abc import Iterator

from .cells import Cell, cells
from .claim import Claim, claim
from .data import shown

_ZERO = (("fred-jain-2", "half-rings"), ("fred-jain-2", "3-rings"), ("fred-jain-2", "cigar"), ("li-2", "2-spirals"))
_EDGES = ("complex image", "3-paths", "breast cancer", "std yeast")
_REAL = ("iris", "wine", "breast cancer", "WDBC", "optical digits, 500", "pen digits, 500")
_DIGITS = 18.1  # percent, the upper end of what the papers have for CSPA and MCLA


def musts() -> list[Claim]:
    """Return every bound with what was measured; those not measured yet are left out."""
    at = {
        (cell.table, cell.data, cell.column): cell
        for table in ("fred-jain-2", "fred-jain-3", "li-2", "ayad-kamel")
        for cell in cells(table)
    }
    return [*_accumulated(at), *_normalized(at), *_cumulative(at), *_balanced(at)]


At = dict[tuple[str, str, str], Cell]


def _at_most(cell: Cell, what: str, bound: float) -> Claim:
    return claim(what, f"≤ {bound:.1f}", cell.ours_shown(), round(cell.mean, 1) <= round(bound, 1), cell.fitted)


def _accumulated(at: At) -> Iterator[Claim]:
    for table, data in _ZERO:
        if cell := at.get((table, data, "EAC-SL")):
            zero = max(cell.values) == 0
            yield claim(f"EAC-SL on {data}", "0, every run", cell.ours_shown(), zero, cell.fitted)
    if cell := at.get(("fred-jain-2", "breast cancer", "EAC-AL")):
        yield _at_most(cell, "EAC-AL on breast cancer", 4.7)


def _normalized(at: At) -> Iterator[Claim]:
    for data in _EDGES:
        cell = at.get(("li-2", data, "CA-HNE"))
        if cell and isinstance(cell.published, tuple):
            named = cell.ours.removeprefix("CA-HNE ").replace("=", " = ")
            yield _at_most(cell, f"CA-HNE on {data}, {named}", sum(cell.published))


def _cumulative(at: At) -> Iterator[Claim]:
    for data in _REAL:
        ours, alone = (at.get(("ayad-kamel", data, column)) for column in ("cumulative", "KM"))
        if ours and alone:
            named = ours.ours.removeprefix("cumulative ").replace("=k+", " = k + ")
            yield _at_most(ours, f"cumulative on {shown(data)}, {named}: k-means and 1 more", alone.mean + 1)


def _balanced(at: At) -> Iterator[Claim]:
    for table, how in (("fred-jain-2", "k in [10, 40]"), ("fred-jain-3", "k = 10")):
        for column in ("CSPA", "MCLA"):
            if cell := at.get((table, "optical digits", column)):
                yield _at_most(cell, f"{column} on optical digits, {how}", _DIGITS)
