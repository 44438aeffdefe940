"""The figures of the README, the home page and the pages that explain: ``python docs/build.py figures [name …]``.

Each function here draws one figure, and its name is the file's in docs/images. They are kept there, reduced to 128
colors, because the README shows them as well.
"""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from sklearn.datasets import load_digits, load_wine
from sklearn.preprocessing import scale

import graphens as ge

IMAGES = Path(__file__).resolve().parent / "images"
FIGURES: dict[str, Callable[[], Any]] = {}


def figure(draw: Callable[[], Any]) -> Callable[[], Any]:
    """Register a function that returns a figure of Matplotlib or an image of Pillow."""
    FIGURES[draw.__name__] = draw
    return draw


def write(names: Sequence[str], folder: Path = IMAGES) -> None:
    """Draw the named figures, all by default, and keep them as small PNG files."""
    for name in names or FIGURES:
        with plt.rc_context({"font.size": 10, "figure.dpi": 100, "savefig.facecolor": "white"}):
            drawn = FIGURES[name]()
            small(drawn if isinstance(drawn, Image.Image) else rendered(drawn), folder / f"{name}.png")
        plt.close("all")


def rendered(drawn: Any) -> Image.Image:
    """Return a figure of Matplotlib as an image."""
    buffer = io.BytesIO()
    drawn.savefig(buffer, format="png")
    return Image.open(buffer).convert("RGB")


def small(image: Image.Image, path: Path) -> None:
    """Write an image with at most 128 colors."""
    image.quantize(128, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, optimize=True)


@cache
def wine() -> tuple[Any, Any, Any]:
    """Return features of 178 wines, their cultivars, and the consensus of fifty clusterings of them."""
    data = load_wine()
    X = scale(data.data)
    r = ge.consensus(ge.generate(X, 50, k=(3, 12), seed=0), 3, seed=0)
    return X, np.array(["Barolo", "Grignolino", "Barbera"])[data.target], r


def _axes(wide: float = 4.8, high: float = 3.6) -> Any:
    """Return axes of a figure that is shown small: the words in it are large."""
    return plt.subplots(figsize=(wide, high), dpi=150, layout="constrained")[1]


@figure
def readme_answer() -> Any:
    """The co-association of the wines in the order of their clusters, with the cultivars beside it."""
    _, cultivar, r = wine()
    return r.plot("heatmap", _axes(), classes=cultivar).figure_


@figure
def readme_graph() -> Any:
    """The bipartite graph of wines and clusters."""
    return wine()[2].plot("graph", _axes()).figure_


@figure
def readme_report() -> Any:
    """The head of the report, as a browser shows it."""
    _, cultivar, r = wine()
    return shot(lambda path: r.report(path, classes=cultivar), 960, 720)


def shot(write: Callable[[Path], Any], wide: int, high: int) -> Image.Image:
    """Return what a browser of a size shows of a page that is written for it, three quarters as large."""
    with TemporaryDirectory() as folder:
        page, image = Path(folder) / "page.html", Path(folder) / "page.png"
        write(page)
        subprocess.run(
            [shutil.which("chromium") or "google-chrome", "--headless", "--no-sandbox", "--disable-gpu",
             "--hide-scrollbars", f"--window-size={wide},{high}", "--timeout=4000",
             f"--screenshot={image}", page.as_uri()],
            check=True,
            capture_output=True,
        )  # fmt: skip
        return (
            Image.open(image).convert("RGB").resize((wide * 3 // 4, high * 3 // 4), Image.Resampling.LANCZOS)
        )


@figure
def home_explore() -> Any:
    """The page to explore ten clusters of handwritten digits."""
    X = load_digits().data
    return shot(ge.consensus(ge.generate(X, 30, k=(10, 30), seed=0), 10, seed=0).explore, 1120, 840)


@figure
def home_choose() -> Any:
    """What the rules say about the number of clusters of the wines."""
    e = wine()[2].ensemble
    return ge.choose_k(e, range(2, 8), seed=0).plot().figure_


@figure
def home_network() -> Any:
    """Communities of the characters of Les Misérables, as the package draws them."""
    import networkx as nx

    return ge.communities(nx.les_miserables_graph(), seed=0).plot("graph", _axes()).figure_
