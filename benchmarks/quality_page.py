"""The page docs/which.md, from the kept figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .harness import filled
from .provenance import shown_provenance
from .quality_words import DECIDES, ESTIMATOR, INTRO, LOSE, MEASURED, REGRET, REPEATED, SHORT

PAGE = Path(__file__).parent.parent / "docs" / "which.md"
FOLDER = Path(__file__).parent / "results" / "which"
Rows = dict[str, dict[str, list[float]]]
Figures = dict[str, Rows]
NMI, ARI, SECONDS = 0, 1, 2


def write() -> None:
    """Write the page from the figures that are there."""
    methods, pool = (_read(name) for name in ("methods", "pool"))
    parts = [INTRO, SHORT, MEASURED]
    if methods:
        parts += [
            "## All methods: mean NMI by kind of data\n",
            _by_family(methods, NMI),
            _summary(methods),
            _measured("methods", " Methods that have not changed since keep the rows of earlier runs."),
        ]
        parts += ["## `auto` and the best single method for each kind of data\n", _against(methods)]
    parts.append(ESTIMATOR)
    again = _read("repeats")
    parts += [REPEATED, _repeated(again), _measured("repeats")] if again else []
    parts += [DECIDES, *([_by_family(_halved(pool), NMI), _measured("pool")] if pool else []), LOSE]
    PAGE.write_text(filled("\n".join(parts).rstrip() + "\n"))


def _read(name: str) -> Figures:
    path = FOLDER / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def _measured(name: str, more: str = "") -> str:
    """Where the newest figures of a part come from; versions up to 0.4 did not record it."""
    said = shown_provenance(json.loads((FOLDER / "measured.json").read_text()).get(name))
    return f"*{said or 'Measured with version 0.4.'}{more}*\n"


def _halved(figures: Figures) -> Figures:
    """Return the figures of the pool with the names of columns and rows that the page explains."""
    told = {"panel alone": "without shapes"}
    return {
        f"{half} half": {key: {told.get(name, name): found for name, found in row.items()} for key, row in rows.items()}
        for half, rows in zip(("first", "second"), figures.values(), strict=True)
    }


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _names(figures: Figures) -> list[str]:
    return list(dict.fromkeys(name for rows in figures.values() for row in rows.values() for name in row))


def _mean(rows: Rows, name: str, what: int) -> float:
    values = [row[name][what] for row in rows.values() if row.get(name)]
    return float(np.mean(values)) if values else float("nan")


def _overall(figures: Figures, name: str, what: int) -> float:
    return float(np.nanmean([_mean(rows, name, what) for rows in figures.values()]))


def _shown(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}".removeprefix("0") if value < 1 else f"{value:.3g}"


def _partly(figures: Figures, name: str) -> bool:
    """Whether a method was not run on all sets."""
    return any(name not in row for rows in figures.values() for row in rows.values())


def _by_family(figures: Figures, *overall: int) -> str:
    whole = {name: not any(np.isnan(_mean(rows, name, NMI)) for rows in figures.values()) for name in _names(figures)}
    ordered = sorted(whole, key=lambda name: (not whole[name], -_overall(figures, name, NMI)))
    titles = {NMI: "NMI", ARI: "ARI", SECONDS: "seconds"}
    rows = [
        [f"`{name}`" + ("°" if _partly(figures, name) else "")]
        + [_shown(_mean(rows, name, NMI)) for rows in figures.values()]
        + [_shown(_overall(figures, name, what)) for what in overall or (NMI,)]
        for name in ordered
    ]
    table = _table(["method", *figures, *(titles[what] for what in overall or (NMI,))], rows)
    return f"<!-- chart: NMI -->\n{table}"  # which the site draws as bars


def _summary(figures: Figures) -> str:
    """ARI, regret, rank and time of every method."""
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
    order = sorted(regret, key=lambda name: float(np.mean(regret[name])))
    rows = [
        [
            f"`{name}`" + ("°" if _partly(figures, name) else ""),
            *(_shown(f(regret[name])) for f in (np.mean, np.max)),
            f"{np.mean(rank[name]):.1f}",
            _shown(_overall(figures, name, ARI)),
            _shown(_overall(figures, name, SECONDS)),
            f"{len(regret[name])} of {len(sets)}",
        ]
        for name in order
    ]
    titles = ["method", "mean regret", "worst regret", "mean rank", "ARI", "CPU seconds", "data sets"]
    return f"{REGRET}\n{_table(titles, rows)}"


def _against(figures: Figures) -> str:
    """For every family the method with the largest mean, and what auto has."""
    rows = []
    for family, kin in figures.items():
        single = [name for name in _names({family: kin}) if name != "auto" and not _partly({family: kin}, name)]
        best = max(single, key=lambda name: _mean(kin, name, NMI))
        top, own = _mean(kin, best, NMI), _mean(kin, "auto", NMI)
        rows.append([family, str(len(kin)), f"`{best}`", f"{top:.3f}", f"{own:.3f}", f"{own - top:+.3f}"])
    return _table(["data", "sets", "best method", "its NMI", "NMI of `auto`", "difference"], rows)


def _repeated(figures: Figures) -> str:
    """Means over the ensembles of a set, how far they scatter, and how often `auto` took connected pieces."""
    sets: dict[str, list[dict[str, list[Any]]]] = {}
    for rows in figures.values():
        for key, row in rows.items():
            sets.setdefault(key.rpartition(" ")[0], []).append(row)
    names = _names(figures)
    lines = []
    for name, kin in sets.items():
        cells = [np.array([row[method][NMI] for row in kin if method in row]) for method in names]
        pieces = sum(row["auto"][-1] in ("islands", "single link") for row in kin if "auto" in row)
        shown = [f"{cell.mean():.3f} ± {cell.std():.2f}" for cell in cells]
        lines.append([name, str(len(kin)), *shown, f"{pieces}"])
    means = [np.mean([np.mean([row[m][NMI] for row in kin if m in row]) for kin in sets.values()]) for m in names]
    lines.append(["mean", "", *(f"{mean:.3f}" for mean in means), ""])
    return _table(["data set", "ensembles", *(f"`{name}`" for name in names), "pieces preferred"], lines)
