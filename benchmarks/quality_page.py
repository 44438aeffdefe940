"""The page docs/which.md and the tables beside it, from the kept rows."""

from pathlib import Path

import numpy as np

from .parts import filled, markdown, origin, parts, rows, write_csv

PAGE = Path(__file__).parent.parent / "docs" / "which.md"
TEXT = Path(__file__).parent / "which.md"
Rows = dict[str, dict[str, list[float]]]
Figures = dict[str, Rows]
Lines = list[list[str]]
NMI, ARI, SECONDS = 0, 1, 2


def write() -> None:
    """Write the page and its tables from the kept rows."""
    text, tables = page()
    PAGE.write_text(text, "utf-8")
    for name, lines in tables.items():
        write_csv(PAGE.with_suffix("") / f"{name}.csv", lines)


def page() -> tuple[str, dict[str, Lines]]:
    """Return the page, and its tables by name."""
    methods: Figures = {}
    for row in rows(sets := parts()["which-methods"]):
        for kind, scores in row["scores"].items():
            methods.setdefault(kind, {})[f"{row['name']} {row['seed']}"] = scores
    text = TEXT.read_text("utf-8").format(best=markdown(_against(methods)), methods=origin(sets), worst=_worst(methods))
    tables = {"methods": _by_kind(methods), "regret": _regret(methods)}
    return filled(text), tables


def _worst(figures: Figures) -> str:
    """On how many sets another method has an NMI that is larger by 0.2."""
    sets = [row for rows in figures.values() for row in rows.values()]
    lags = [max(value[NMI] for value in row.values() if value) - row["auto"][NMI] > 0.2 for row in sets]
    return f"{sum(lags)} of {len(sets)}"


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

    rows = [
        [name, *(_shown(_mean(rows, name, NMI)) for rows in figures.values()), _shown(_overall(figures, name, NMI))]
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
    for kind, kin in figures.items():
        single = [name for name in _names({kind: kin}) if all(name in row for row in kin.values())]
        best = max((name for name in single if name != "auto"), key=lambda name: _mean(kin, name, NMI))
        top, auto = _mean(kin, best, NMI), _mean(kin, "auto", NMI)
        lines.append([kind, str(len(kin)), f"`{best}`", f"{top:.3f}", f"{auto:.3f}", f"{auto - top:+.3f}"])
    return lines
