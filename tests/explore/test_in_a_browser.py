"""The page in a real browser: what it says of the graph is what the library says."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from explore.chromium import Browser, found

import graphens as ge

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(found() is None, reason="needs Chromium, from Debian's package chromium"),
    pytest.mark.filterwarnings("ignore::graphens.GraphensWarning"),
]
NASTY = [
    "</script><svg onload=alert(1)>",
    '"><img src=x onerror=alert(2)>',
    "a\x1b[31m",
    "ümlaut ✓",
    'a\nb,"c',
    "toString",
]

NO_WEBGL = """
HTMLCanvasElement.prototype.any = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, o) { return kind === "webgl2" ? null : this.any(kind, o); };
"""


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    browser = Browser()
    yield browser
    browser.close()


@pytest.fixture(autouse=True)
def quiet(window: Browser) -> Iterator[None]:
    window.errors.clear()
    window.size(1280, 900)
    yield
    assert window.errors == []


def noisy(n: int, k: int, b: int = 10, noise: float = 0.3, missing: float = 0.0, **given: Any) -> ge.Ensemble:
    rng = np.random.default_rng(0)
    truth = np.arange(n) % k
    labels = np.where(rng.random((n, b)) < noise, rng.integers(k, size=(n, b)), truth[:, None])
    labels[rng.random(labels.shape) < missing] = -1
    if missing:
        labels[0] = -1
    return ge.Ensemble(labels, **given)


def weighted_network() -> nx.Graph:
    rng = np.random.default_rng(0)
    made = nx.gnm_random_graph(300, 900, seed=0)
    for _, _, data in made.edges(data=True):
        data["weight"] = float(rng.random())
    return made


def of_network() -> tuple[Any, ge.Graph]:
    r = ge.communities(nx.karate_club_graph(), 20, seed=0)
    assert isinstance(r.graph, ge.Graph)
    return r, r.graph


def of_labels(e: ge.Ensemble, k: int) -> tuple[Any, ge.Graph]:
    return ge.consensus(e, k, method="lwgp", seed=0), ge.coassociation(e)


def of_graph(g: ge.Graph, **options: Any) -> tuple[Any, ge.Graph]:
    return g, g


CASES = {
    "three objects": lambda: of_labels(ge.Ensemble([[0, 0], [0, 0], [1, 1]]), 2),
    "one object": lambda: (ge.vote([[0, 0]], 1), ge.coassociation([[0, 0]])),
    "plain": lambda: of_labels(noisy(200, 4), 4),
    "missing labels": lambda: of_labels(noisy(200, 4, missing=0.2), 4),
    "weights": lambda: of_labels(noisy(150, 3, missing=0.1, weights=np.random.default_rng(1).random(10)), 3),
    "forty clusters": lambda: of_labels(noisy(1200, 40, noise=0.2), 40),
    "communities": of_network,
    "weighted network": lambda: of_graph(ge.Graph.from_networkx(weighted_network())),
    "karate": lambda: of_graph(ge.Graph.from_networkx(nx.karate_club_graph())),
    "no edges": lambda: of_graph(ge.Graph(np.zeros((4, 4)))),
    "bipartite": lambda: of_graph(ge.bipartite(noisy(40, 3))),
    "meta-graph": lambda: of_graph(ge.metagraph(noisy(100, 4))),
    "co-association": lambda: of_graph(ge.coassociation(noisy(100, 4))),
}


@pytest.mark.parametrize("case", CASES)
def test_edges_and_components_are_those_of_the_library(case: str, window: Browser, tmp_path: Path) -> None:
    value, g = CASES[case]()
    window.open(value.explore(tmp_path / "x.html"))
    state = window.run("window.graphens.state()")
    assert list(state) == ["threshold", "edges", "components", "selected"]
    weights = np.unique(g.edges()[2]) if g.n_edges else np.zeros(1)
    some = weights[:: max(len(weights) // 40, 1)]
    highest = float(weights[-1])
    thetas = [state["threshold"], 0.0, *np.linspace(0, highest * 1.1, 23), *some, *np.maximum(some - 1e-7, 0)]
    asked = [float(theta) for theta in thetas]
    script = "graphens.setThreshold({0}), graphens.state()"
    said = window.run(f"{json.dumps(asked)}.map(x => ({script.format('x')}))")
    for theta, found_ in zip(asked, said, strict=True):
        kept = g.threshold(theta)
        assert found_["threshold"] == theta
        assert found_["edges"] == kept.n_edges, theta
        assert found_["components"] == len(np.unique(kept.components())), theta
    window.run("document.getElementById('all').click()")  # and while all vertices are drawn
    again = window.run(script.format(asked[9]))
    assert again == said[9]
    shown = window.run("document.getElementById('counts').textContent")
    assert shown.split()[0].replace(",", "") == str(said[9]["edges"])


def test_a_tree_is_cut_at_similarities(window: Browser, tmp_path: Path) -> None:
    d = ge.link(ge.coassociation(noisy(150, 4, missing=0.1)), "average")
    window.open(d.explore(tmp_path / "d.html"))
    for theta in np.linspace(
        0.0037, 0.9837, 12
    ):  # where no merge is: a cut takes merges at its height, a threshold not
        labels = d.cut_at(1 - float(theta))
        parts = len(np.unique(labels[labels >= 0])) + int(np.count_nonzero(labels < 0))
        assert window.run(f"graphens.setThreshold({theta}), graphens.state().components") == parts


def test_names_are_text_that_can_be_selected_and_found(window: Browser, tmp_path: Path) -> None:
    names = [*NASTY, *(f"object {i}" for i in range(60 - len(NASTY)))]
    r = ge.consensus(noisy(60, 3, object_names=names, partition_names=[f"<b>{t}" for t in range(10)]), 3, seed=0)
    window.open(r.explore(tmp_path / "x.html", title="<i>x</i>"))
    assert window.run(f"graphens.select({json.dumps(NASTY)}), graphens.state().selected") == NASTY
    assert window.run("graphens.select(['nobody']), graphens.state().selected") == []
    for name in NASTY:
        assert window.run(f"graphens.find({json.dumps(name)})") == [name]
        assert window.run("graphens.state().selected") == [name]
        assert window.run("document.querySelectorAll('svg, img, b').length") == 0
    assert window.run("graphens.find('object 1')") == ["object 1"]  # the very name, though others contain it
    assert window.run("graphens.find('OBJECT 1')") == [name for name in names if "object 1" in name]
    assert window.run("graphens.find('ject 5')") == [name for name in names if "ject 5" in name]
    assert window.run("graphens.find('')") == []
    text = window.run("document.title")
    assert text == "<i>x</i>"


def test_one_selection_in_all_views(window: Browser, tmp_path: Path) -> None:
    r = ge.consensus(noisy(90, 3), 3, seed=0)
    window.open(r.explore(tmp_path / "x.html"))
    window.run("document.querySelectorAll('#legend button')[1].click()")
    members = [f"x{i}" for i in np.flatnonzero(r.labels == 1)]
    assert window.run("graphens.state().selected") == members
    assert f"{len(members)} objects" in window.run("document.getElementById('details').textContent")
    window.run("graphens.select(['x7'])")
    said = window.run("document.getElementById('details').textContent")
    x = r.explain(7)
    assert f"Confidence {x.confidence:.2f}" in said
    for name, share in x.companions:
        assert f"{name} {share:.0%}" in said
    own = sum(vote.cluster == x.cluster for vote in x.votes)
    assert f"{own} of 10 clusterings put it with its cluster" in said
    assert window.run("document.querySelectorAll('#details .squares i').length") == 10
    against = [vote.partition for vote in x.votes if vote.cluster not in (x.cluster, -1)]
    listed = window.run("[...document.querySelectorAll('#details li')].map(line => line.textContent.split(':')[0])")
    assert [name.removesuffix(" ★") for name in listed if not name.endswith("★")] == [
        name for name in against if name not in x.deciding
    ]
    assert window.run("document.querySelectorAll('.row.on').length") == 1


def test_hands_open_a_cluster_select_and_save(window: Browser, tmp_path: Path) -> None:
    r = ge.consensus(noisy(90, 3), 3, seed=0)
    window.open(r.explore(tmp_path / "x.html"))
    saved = "window.saved = []; URL.createObjectURL = blob => { window.saved.push(blob); return 'blob:x'; }"
    window.run(f"{saved}; HTMLAnchorElement.prototype.click = () => 0; 0")
    window.run("document.getElementById('graph').focus()")

    def press(key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            window.call("Input.dispatchKeyEvent", type=kind, key=key, text=key if len(key) == 1 else "")

    press("c")
    press("n")
    assert window.run("!document.getElementById('tip').hidden")
    press("Enter")
    assert "Close it" in window.run("document.getElementById('details').textContent")
    press("c")
    window.run("graphens.select(['x1', 'x2'])")
    for button in ("svg", "png", "csv"):
        window.run(f"document.getElementById('{button}').click()")
    window.run("(async () => { while (saved.length < 3) await new Promise(done => setTimeout(done, 50)); })()")
    kinds = window.run("Promise.all(window.saved.map(async b => [b.type, (await b.text()).slice(0, 60)]))")
    assert sorted(kind for kind, _ in kinds) == ["image/png", "image/svg+xml", "text/csv"]
    table = next(text for kind, text in kinds if kind == "text/csv").splitlines()
    assert table[0] == "object,cluster,confidence,island"
    assert table[1].startswith(f"x1,{r.labels[1]},")
    press("Escape")
    assert window.run("graphens.state().selected") == []


def test_the_table_follows_the_selection_and_clear_clears_everything(window: Browser, tmp_path: Path) -> None:
    r = ge.consensus(noisy(90, 3), 3, seed=0)
    kinds = np.where(np.arange(90) % 5 == 0, "<rare>", "usual")
    data = pd.DataFrame({"size": np.linspace(0.5, 9.5, 90), "labels": kinds})
    window.open(r.explore(tmp_path / "x.html", classes=np.arange(90) % 3, data=data))

    def text(id_: str) -> str:
        return str(window.run(f"document.getElementById('{id_}').textContent"))

    def rows() -> int:
        return int(window.run("Math.round(parseFloat(document.querySelector('.space').style.height) / 26)"))

    assert window.run("[...document.getElementById('by').options].map(o => o.textContent).slice(-3)") == [
        "class", "size", "labels",
    ]  # fmt: skip
    window.run("by = document.getElementById('by'); by.value = '2'; by.dispatchEvent(new Event('change'))")
    window.run("[...document.querySelectorAll('#legend button')].find(b => b.textContent === '<rare>').click()")
    assert (text("chosen"), rows()) == ("18 selected", 18)
    assert "18 of 18" in text("legend")
    first = r.uncertain(90).index
    assert window.run("document.querySelector('.row .name').textContent") == next(
        name for name in first if int(name[1:]) % 5 == 0
    )
    window.run("box = document.getElementById('find'); box.value = 'nobody'; box.dispatchEvent(new Event('input'))")
    assert rows() == 0
    window.run("document.getElementById('clear').click()")
    assert (text("chosen"), rows(), text("details"), text("found")) == ("all 90", 90, "", "")
    assert window.run("document.getElementById('find').value + graphens.state().selected.length") == "0"
    window.run("graphens.setThreshold(0.75)")
    assert text("theta") == "Ties found in at least 80% of the clusterings"
    islands = len(np.unique(ge.coassociation(r.ensemble).threshold(0.75).components()))
    assert f"{islands} islands" in text("counts")


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_cut_off(window: Browser, tmp_path: Path, width: int, scheme: str) -> None:
    dark = scheme == "dark"
    window.size(width, 900, dark=dark)
    window.open(ge.consensus(noisy(200, 40), 40, method="lwgp", seed=0).explore(tmp_path / "x.html"))
    fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert window.run(fits)
    paper = window.run("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") != dark


def test_a_canvas_without_webgl_serves_too(window: Browser, tmp_path: Path) -> None:
    page = ge.consensus(noisy(90, 3), 3, seed=0).explore(tmp_path / "x.html")
    text = page.read_text("utf-8")
    page.write_text(text.replace("(function () {", NO_WEBGL + "(function () {", 1))
    window.open(page)
    window.run("document.getElementById('all').click()")
    painted = "new Promise(done => setTimeout(() => { const c = document.querySelectorAll('#graph canvas')[1];"
    painted += "done(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v)); }, 300))"
    assert window.run(painted)
