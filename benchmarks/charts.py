"""Lines as SVG, text as text, readable on light and dark pages. Bars are drawn by the site from the tables."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import accumulate
from math import ceil, floor, log10

WIDTH = 760
TEXT, GRID = "#737a84", "#8c929c"  # gray that has contrast on white and on black
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#9a7d0a", "#56b4e9")


def lines(
    title: str, series: Mapping[str, Sequence[tuple[float, float]]], axes: tuple[str, str], *, logarithmic: bool = True
) -> str:
    """Return one line for each name; x and y are logarithmic, or neither is; nothing of none."""
    if not series:
        return ""
    height, left, right, top, bottom = 380, 64, 190, 44, 330
    points = [point for some in series.values() for point in some]
    scale = (lambda value: log10(value)) if logarithmic else (lambda value: value)
    (x0, x1), (y0, y1) = ((min(axis), max(axis)) for axis in zip(*points, strict=True))
    x0, x1 = scale(x0), scale(x1)
    y0, y1 = (floor(scale(y0)), ceil(scale(y1))) if logarithmic else (0.0, 1.0)
    across = lambda x: left + (WIDTH - left - right) * (scale(x) - x0) / (x1 - x0)  # noqa: E731
    up = lambda y: bottom - (bottom - top) * (scale(y) - y0) / (y1 - y0)  # noqa: E731
    ticks = [10.0**power for power in range(int(y0), int(y1) + 1)] if logarithmic else [0, 0.25, 0.5, 0.75, 1]
    body = []
    for tick in ticks:
        body.append(
            f'<line x1="{left}" x2="{WIDTH - right}" y1="{up(tick):.1f}" y2="{up(tick):.1f}" stroke="{GRID}" '
            'stroke-opacity=".35"/>'
        )
        body.append(_text(left - 8, up(tick) + 4, f"{tick:,g}", "end"))
    body += [_text(across(x), bottom + 18, f"{x:,g}", "middle") for x in sorted({x for x, _ in points})]
    ends: list[tuple[float, str, str]] = []
    for (name, some), color in zip(series.items(), COLORS * 3, strict=False):
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in some)
        body.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        body += [f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="3" fill="{color}"/>' for x, y in some]
        ends.append((up(some[-1][1]), name, color))
    places = list(accumulate((y for y, *_ in sorted(ends)), lambda last, y: max(y, last + 16)))
    above = max(places[-1] - bottom, 0)  # names stay at the right ends of their lines, never on each other or below
    for place, (_, name, color) in zip(places, sorted(ends), strict=True):
        body.append(_text(WIDTH - right + 10, place - above + 4, name, "start", color=color))
    body.append(_text((left + WIDTH - right) / 2, bottom + 40, axes[0], "middle"))
    body.append(_text(left - 50, top - 20, axes[1], "start"))
    return _picture(title, height, body)


def _text(x: float, y: float, words: str, anchor: str, color: str = TEXT) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}">{escape(words)}</text>'


def _picture(title: str, height: float, body: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-label="{escape(title)}" font-family="system-ui, sans-serif" font-size="13">'
    )
    name = f'<text x="{WIDTH / 2:g}" y="20" text-anchor="middle" fill="{TEXT}" font-size="15">{escape(title)}</text>'
    return "\n".join([head, name, *body, "</svg>"]) + "\n"
