"""Every entry of the gallery asks a question, runs, draws what can be read, and shows what its text says."""

import ast
import re
import runpy
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

import graphens as ge
from graphens.cutting import partitioner_registry as registry
from graphens.families import method as rows

mpl.use("Agg")
import matplotlib.pyplot as plt

FOLDER = Path(__file__).resolve().parents[1] / "examples"
ENTRIES = sorted(FOLDER.glob("*.py"))
#: a few in the test command, all of them with -m slow
QUICK = {"frame", "gephi", "half_rings", "karate", "metagraph", "own_method", "seven_objects", "unsure"}

Shown = dict[str, Any]
#: what each entry says it shows, held against what it computed
CLAIMS: dict[str, Callable[[Shown], bool]] = {
    "camps": lambda s: len(s["groups"]) == 2 and all(len({n[:5] for n in group.names}) == 1 for group in s["groups"]),
    "cluster_tree": lambda s: _torn(s["tree"]) == {5},
    "compare": lambda s: s["table"]["ari"].idxmin() == s["table"]["silhouette"].idxmin(),
    "digits_network": lambda s: s["score"]["communities"] > s["score"]["k-means, k = 10"] and s["r"].k > 10,
    "explore": lambda s: s["components"][0] == 1 and (np.diff(s["components"]) >= 0).all(),
    "fifty_kmeans": lambda s: (
        s["r"].k == 3
        and ge.measures.ari(s["cultivar"], s["r"].labels) >= s["mean_ari"](s["told"]) > s["mean_ari"](s["e"])
    ),
    "frame": lambda s: s["e"].n_missing == 17 and s["result"].index.equals(s["flowers"]),
    "gephi": lambda s: s["G"].edges == s["again"].edges and len(s["G"]) == len(s["again"]) == 15,
    "half_rings": lambda s: (s["truth"] != s["r"].labels).sum() == 0 and s["share"].min() > 0,
    "how_many": lambda s: s["choice"].k == s["choice"].answers["pac"] == s["best"] == 3,
    "karate": lambda s: s["different"] > 5 and s["misplaced"] <= 2,
    "metagraph": lambda s: ge.measures.error_rate(s["iris"].target, s["r"].labels) < 0.15,
    "million": lambda s: s["e"].n_objects == 10**6 and s["error"] < 0.001,
    "miserables": lambda s: s["unsure"][0][0] < 0.55 and "Magnon" in dict(map(reversed, s["unsure"])),
    "missing": lambda s: (
        all(found[4] < found[0] + 0.05 for found in s["errors"].values())
        and s["errors"]["lwgp"][5] > 0.5 > 0.2 > s["errors"]["mcla"][5]
    ),
    "own_method": lambda s: set(s["table"]["method"]) > {"incidence-ward"} and s["r"].k == 3,
    "own_partitioner": lambda s: s["errors"]["slices"] < 0.1,
    "own_similarity": lambda s: s["errors"]["normalized edges"] == 0 < 0.2 < s["errors"]["average link"],
    "pipeline": lambda s: s["adjusted_rand_score"](s["y_new"], s["places"]) > 0.5,
    "planted": lambda s: all(
        min(both) >= mean - 1e-9 for *both, mean in zip(s["again"], s["weighed"], map(fmean, s["single"]), strict=True)
    ),
    "posterior": lambda s: (
        s["r"].k < ge.median(s["e"], loss="binder", seed=0).k
        and s["ball"].share >= 0.95
        and s["ball"].together(7, 8) > 0.7 > 0.1 > s["ball"].together(6, 7)
    ),
    "random_projections": lambda s: (
        s["combined"][0] >= s["careful"] and min(s["combined"][1:]) > max(s["careful"], *s["single"])
    ),
    "resolutions": lambda s: [k for *_, k in s["found"].plateaus] in ([3, 9], [9, 3]),
    "seven_objects": lambda s: s["r"].k == 3 and s["r"].labels.tolist() == [0, 0, 0, 1, 1, 2, 2],
    "shapes": lambda s: (
        all(row["k-means"] > 0.3 for row in s["error"].values())
        and [row["evidence"] < 0.01 for row in s["error"].values()] == [True, True, False]
        and [row["spectral"] < 0.01 for row in s["error"].values()] == [True, False, True]
    ),
    "soft": lambda s: max(s["errors"].values()) < fmean(s["single"]),
    "three_cuts": lambda s: (
        max(s["errors"].pop("lwgp")) < 0.01
        and all(found[0] < 0.01 and found[-1] > 0.4 for found in s["errors"].values())
    ),
    "time_series": lambda s: s["scores"]["together"] > 0.9 > 0.5 > max(list(s["scores"].values())[:2]),
    "unsure": lambda s: s["among"] > 2 * s["flowers"]["wrong"].mean() > 0,
    "which_is_off": lambda s: (
        s["table"].sort_values("agreement")["partition"].tolist()[:2] == ["sorted", "not scaled"]
        and s["errors"]["weighted"] <= s["errors"]["all alike"]
    ),
}


def _torn(tree: Any) -> set[int]:
    """Return the layers with a cluster that takes over a tenth of itself from a second one; the first k is 2."""
    _, target, shared = tree.edges()
    share = shared / tree.vertex_weights[target]
    parents = Counter(target[share > 0.1].tolist())
    return {int(tree.layer[cluster]) + 1 for cluster, many in parents.items() if many > 1}


def _name(entry: Path) -> str:
    return entry.stem.removeprefix("plot_")


@pytest.fixture(autouse=True)
def _as_found() -> Iterator[None]:
    """Neither figures nor what entries register outlive a test."""
    kept, cutters = dict(rows.ROWS), dict(registry._ROWS)
    plt.close("all")
    with mpl.rc_context():
        mpl.rcdefaults()
        yield
    plt.close("all")
    for table, before in ((rows.ROWS, kept), (registry._ROWS, cutters)):
        table.clear()
        table.update(before)


def test_every_entry_claims_something() -> None:
    assert sorted(map(_name, ENTRIES)) == sorted(CLAIMS)
    assert all(entry.name.startswith("plot_") for entry in ENTRIES)  # the others would not be run for the site


@pytest.mark.parametrize("entry", ENTRIES, ids=_name)
def test_asks_and_says_where_to_go_on(entry: Path) -> None:
    text = entry.read_text("utf-8")
    title, rule, empty, *intro = (ast.get_docstring(ast.parse(text)) or "").splitlines()
    assert title.endswith("?")
    assert (rule, empty) == ("=" * len(title), "")
    assert " ".join(intro).strip()
    *cells, last = re.split(r"^# %%\n", text, flags=re.MULTILINE)
    assert len(cells) > 2
    assert last.startswith("# What to try next\n# ---")
    assert "https://doi.org/10." in last
    assert [name for name in re.findall(r"sphx_glr_gallery_(\w+\.py)", text) if not (FOLDER / name).exists()] == []


def test_titles_differ() -> None:
    titles = [entry.read_text("utf-8").splitlines()[1] for entry in ENTRIES]
    assert len(set(titles)) == len(titles) >= 18


@pytest.mark.parametrize(
    "entry", [pytest.param(one, marks=() if _name(one) in QUICK else pytest.mark.slow) for one in ENTRIES], ids=_name
)
def test_runs_and_shows(entry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plt, "show", lambda: None)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ge.GraphensWarning)
        warnings.filterwarnings("ignore", ".*(clusterings are the same|only by chance)")  # some entries are about these
        shown = runpy.run_path(str(entry))
    figures = [plt.figure(number) for number in plt.get_fignums()]
    assert figures
    for figure in figures:
        assert _titles(figure), "a figure without a title has no text alternative"
        assert not (clashes := _clashes(figure)), clashes
    assert CLAIMS[_name(entry)](shown)
    assert not list(tmp_path.iterdir()), "an entry leaves no files behind"


def _titles(figure: Any) -> list[str]:
    """Return what the site makes the text alternative of."""
    own = [figure.get_suptitle(), *(ax.get_title(loc) for ax in figure.axes for loc in ("left", "center"))]
    return [title for title in own if title]


def _clashes(figure: Any) -> list[tuple[str, str]]:
    """Return texts that lie over each other or outside of the figure."""
    figure.canvas.draw()
    texts = [*figure.texts, *(text for ax in figure.findobj(mpl.axes.Axes) for text in _written(ax))]
    drawn = [(t.get_text(), t.get_window_extent()) for t in texts if t.get_text().strip() and t.get_visible()]
    over = [(a, b) for (a, here), (b, there) in combinations(drawn, 2) if _overlap(here, there)]
    wide, high = figure.canvas.get_width_height()
    outside = [
        (text, "outside") for text, box in drawn if box.x0 < -1 or box.y0 < -1 or box.x1 > wide + 1 or box.y1 > high + 1
    ]
    return over + outside


def _written(ax: Any) -> list[Any]:
    """Return the texts of axes; ticks beyond the limits are not drawn, nor those of axes switched off."""
    found = [*ax.texts, ax.title, *(text for text in ax.get_children() if isinstance(text, mpl.text.Text))]
    found += ax.get_legend().get_texts() if ax.get_legend() else []
    for side, axis in enumerate((ax.xaxis, ax.yaxis)):
        if not (ax.axison and axis.get_visible()):
            continue
        low, high = sorted(axis.get_view_interval())
        found.append(axis.label)
        found += [text for text in axis.get_ticklabels() if low <= text.get_position()[side] <= high]
    return list(dict.fromkeys(found)) if ax.get_visible() else []


def _overlap(a: Any, b: Any) -> bool:
    """Whether two boxes share more than a hair."""
    wide = min(a.x1, b.x1) - max(a.x0, b.x0)
    high = min(a.y1, b.y1) - max(a.y0, b.y0)
    return wide > 1.5 and high > 1.5
