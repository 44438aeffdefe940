"""A page for exploring a consensus, a graph or a tree: a single file, or the output of a notebook cell."""

from __future__ import annotations

import html
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any, overload

from .._lib.files import atomic, checked_page
from ..plot.colors import color
from ..plot.display import plural
from ..report.html import text
from .packing import pack_page
from .scenes import Scene, scene

_SCRIPTS = ("data.js", "views.js", "page.js")  # what the page knows, how it is drawn, what hands can do


class Explorer:
    """A page to explore, as text; a notebook shows it in a frame.

    Attributes
    ----------
    page
        The HTML of the page, which is self-contained.
    """

    page: str

    def __init__(self, page: str) -> None:
        self.page = page

    def write(self, path: str | Path) -> Path:
        """Write the page to a file, either completely or not at all."""
        target = checked_page(path)
        with atomic(target) as file:
            file.write(self.page.encode("utf-8"))
        return target

    def _repr_html_(self) -> str:
        """Show the page in a frame, without an extension or a server."""
        return (
            '<iframe sandbox="allow-scripts allow-downloads" title="Explorer" width="100%" height="900" '
            f'style="border:0" srcdoc="{html.escape(self.page, quote=True)}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Explorer({len(self.page.encode()) / 1e6:.1f} MB; write(path) saves it to a file)"


@overload
def explore(value: Any, path: None = None, **options: Any) -> Explorer: ...
@overload
def explore(value: Any, path: str | Path, **options: Any) -> Path: ...
def explore(value: Any, path: str | Path | None = None, **options: Any) -> Explorer | Path:
    """Make the page of a consensus, a graph or a tree; see the method `explore` of each."""
    page = Explorer(page_of(scene(value, **options)))
    return page if path is None else page.write(path)


def page_of(shown: Scene) -> str:
    """Return the whole page that draws a scene."""
    facts = dict(shown.facts)
    vertices = plural(facts["vertex"])
    notes = [*facts["notes"], *([facts["explained"]] if facts.get("explained") else [])]
    facts["free"] = [color(c) for c in range(facts["clusters"], facts["clusters"] + 120)]
    return Template(asset("explorer.html")).substitute(
        title=text(facts["title"]),
        about=text(" ".join([facts["about"], *notes])),
        vertices=text(vertices),
        Vertices=text(vertices.capitalize()),
        heading=text(facts.get("heading", "")),
        style=asset("explorer.css"),
        script="\n".join(asset(name) for name in _SCRIPTS),
        data=pack_page(shown.arrays, facts),
    )


def asset(name: str) -> str:
    """Return a file of the page."""
    return (resources.files(__package__) / name).read_text("utf-8")
