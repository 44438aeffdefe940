"""The page docs/which.md and the tables beside it, from the kept figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from .harness import filled
from .parts import markdown, write_csv
from .provenance import shown_provenance

PAGE = Path(__file__).parent.parent / "docs" / "which.md"
TEXT = Path(__file__).parent / "which.md"
FOLDER = Path(__file__).parent / "results" / "which"
Rows = dict[str, dict[str, list[float]]]
Figures = dict[str, Rows]
Lines = list[list[str]]
NMI, ARI, SECONDS = 0, 1, 2


def write() -> None:
    """Write the page and its tables from the figures that are there."""
    text, tables = page()
    PAGE.write_text(text, "utf-8")
    for name, lines in tables.items():
        write_csv(PAGE.with_suffix("") / f"{name}.csv", lines)


def page() -> tuple[str, dict[str, Lines]]:
    """Return the page, and its tables by name."""
    methods, pool, repeats = (_read(name) for name in ("methods", "pool", "repeats"))
    halves = dict(zip(("first half", "second half"), pool.values(), strict=True))
    tables = {
        "methods": _by_kind(methods),
        "regret": _regret(methods),
        "ensembles": _repeated(repeats),
        "other-data": _by_kind(halves),
    }
    *rows, (_, _, *means, _) = tables["ensembles"]
    mean = dict(zip(rows[0][2:], means, strict=False))
    auto = mean.pop("auto")
    text = TEXT.read_text("utf-8").format(
        best=markdown(_against(methods)),
        sets=len(rows) - 1,
        auto=auto,
        others=", ".join(f"that of {name if ' ' in name else f'`{name}`'} {value}" for name, value in mean.items()),
        **{name: _measured(name) for name in ("methods", "repeats", "pool")},
    )
    return filled(text), tables


def _read(name: str) -> Figures:
    found: Figures = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return found


def _measured(name: str) -> str:
    """Where the newest figures of a part come from; versions up to 0.4 did not record it."""
    said = shown_provenance(json.loads((FOLDER / "measured.json").read_text()).get(name))
    return said or "Measured with version 0.4."


def _names(figures: Figures) -> list[str]:
    return list(dict.fromkeys(name for rows in figures.values() for row in rows.values() for name in row))


def _mean(rows: Rows, name: str, what: int) -> float:
    values = [row[name][what] for row in rows.values() if row.get(name)]
    return float(np.mean(values)) if values else float("nan")


def _overall(figures: Figures, name: str, what: int) -> float:
    return float(np.nanmean([_mean(rows, name, what) for rows in figures.values()]))


def _shown(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}"


def _by_kind(figures: Figures) -> Lines:
    """Mean NMI of every method for each kind of data and over them; methods that lack a kind come last."""

    def rank(name: str) -> tuple[bool, float]:
        lacks = any(np.isnan(_mean(rows, name, NMI)) for rows in figures.values())
        return lacks, -_overall(figures, name, NMI)

    told = {"panel alone": "without shapes"}
    rows = [
        [
            told.get(name, name),
            *(_shown(_mean(rows, name, NMI)) for rows in figures.values()),
            _shown(_overall(figures, name, NMI)),
        ]
        for name in sorted(_names(figures), key=rank)
    ]
    return [["method", *figures, "NMI"], *rows]


def _regret(figures: Figures) -> Lines:
    """Regret, rank, ARI and time of every method."""
    sets = [row for rows in figures.values() for row in rows.values()]
    regret: dict[str, list[float]] = {name: [] for name in _names(figures)}
    rank: dict[str, list[float]] = {name: [] for name in _names(figures)}
    for row in sets:
        known = {name: value[NMI] for name, value in row.items() if value}
        best = max(known.values())
        for name, value in known.items():
            regret[name].append(best - value)
            better = sum(other > value + 1e-9 for other in known.values())
            rank[name].append(1 + better + sum(abs(o - value) <= 1e-9 for o in known.values()) / 2 - 0.5)
    rows = [
        [
            name,
            *(_shown(float(of(regret[name]))) for of in (np.mean, np.max)),
            f"{np.mean(rank[name]):.1f}",
            _shown(_overall(figures, name, ARI)),
            _shown(_overall(figures, name, SECONDS)),
            f"{len(regret[name])} of {len(sets)}",
        ]
        for name in sorted(regret, key=lambda name: float(np.mean(regret[name])))
    ]
    return [["method", "mean regret", "worst regret", "mean rank", "ARI", "CPU seconds", "data sets"], *rows]


def _against(figures: Figures) -> Lines:
    """For every kind of data the method with the largest mean, of those that ran on all sets, and what auto has."""
    lines = [["data", "sets", "best method", "its NMI", "NMI of `auto`", "difference"]]
    for kind, rows in figures.items():
        single = [name for name in _names({kind: rows}) if all(name in row for row in rows.values())]
        best = max((name for name in single if name != "auto"), key=lambda name: _mean(rows, name, NMI))
        top, auto = _mean(rows, best, NMI), _mean(rows, "auto", NMI)
        lines.append([kind, str(len(rows)), f"`{best}`", f"{top:.3f}", f"{auto:.3f}", f"{auto - top:+.3f}"])
    return lines


def _repeated(figures: Figures) -> Lines:
    """Means over the ensembles of a set, how far they scatter, and how often `auto` took connected pieces."""
    sets: dict[str, list[dict[str, list[Any]]]] = {}
    for rows in figures.values():
        for key, row in rows.items():
            sets.setdefault(key.rpartition(" ")[0], []).append(row)
    names = _names(figures)
    lines = [["data set", "ensembles", *names, "pieces preferred"]]
    for name, kin in sets.items():
        cells = [np.array([row[method][NMI] for row in kin if method in row]) for method in names]
        pieces = sum(row["auto"][-1] in ("islands", "single link") for row in kin if "auto" in row)
        shown = [f"{cell.mean():.3f} ± {cell.std():.2f}" for cell in cells]
        lines.append([name, str(len(kin)), *shown, f"{pieces}"])
    means = [np.mean([np.mean([row[m][NMI] for row in kin if m in row]) for kin in sets.values()]) for m in names]
    return [*lines, ["mean", "", *(f"{mean:.3f}" for mean in means), ""]]
