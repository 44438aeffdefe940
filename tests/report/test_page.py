"""The page: one file, safe, the same for the same seed, and alive in a real browser."""

import base64
import re
import warnings
import zlib
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import matplotlib as mpl
import networkx as nx
import numpy as np
import pytest
from explore.chromium import Browser, found

import graphens as ge
from graphens.graphs.affinity import Affinity
from graphens.report.findings import Findings, code_line, command_line, object_rows, row_groups
from graphens.report.html import table, text

mpl.use("Agg")
NASTY = ["</script><svg onload=alert(1)>", '"><img src=x onerror=alert(2)>', "a\x00b\x1b[31m", "ümlaut ✓"]


@pytest.fixture(scope="module")
def result() -> ge.Consensus:
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=120)
    labels = np.tile(truth[:, None], 10)
    wrong = rng.random(labels.shape) < 0.25
    labels[wrong] = rng.integers(4, size=int(wrong.sum()))
    labels[:, 7] = rng.integers(4, size=120)
    labels[5] = -1
    names = [*NASTY[:2], *NASTY[3:], *(f"object {i}" for i in range(117))]
    e = ge.Ensemble(labels, object_names=names, partition_names=[f"<b>run {t}</b>" for t in range(10)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ge.GraphensWarning)
        return ge.consensus(e, 4, seed=0)


@pytest.fixture(scope="module")
def page(result: ge.Consensus, tmp_path_factory) -> Path:
    return result.report(tmp_path_factory.mktemp("page") / "out.html", ks=[2, 4])


class Tags(HTMLParser):
    """Every tag with its attributes, and whether they close in order."""

    VOID = frozenset(
        ("meta", "link", "br", "hr", "img", "input", "path", "use", "image", "rect", "circle", "line", "polygon")
    )

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


def parsed(path: Path) -> Tags:
    tags = Tags()
    tags.feed(path.read_text("utf-8"))
    return tags


def test_it_is_one_whole_file_that_needs_nothing_from_outside(page: Path) -> None:
    tags = parsed(page)
    assert tags.open == []
    for _, attributes in tags.seen:
        for name in ("src", "href", "xlink:href"):
            assert (attributes.get(name) or "#").startswith(("#", "data:"))
        assert not any(name.startswith("on") for name in attributes), attributes
    policy = next(a["content"] for t, a in tags.seen if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'")
    assert "http://" not in page.read_text("utf-8").replace("http://www.w3.org", "")


def test_names_cannot_break_out(page: Path) -> None:
    tags = parsed(page)
    assert sum(tag == "script" for tag, _ in tags.seen) == 1
    assert not any(tag in ("b", "img") for tag, _ in tags.seen)
    assert text(NASTY[2]) == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}[31m"


def test_the_same_answer_gives_the_same_bytes(result: ge.Consensus, page: Path, tmp_path: Path) -> None:
    assert result.report(tmp_path / "again.html", ks=[2, 4]).read_bytes() == page.read_bytes()


def test_every_figure_has_words_and_every_table_a_head(page: Path) -> None:
    tags = parsed(page)
    pictures = [a for t, a in tags.seen if t == "svg"]
    assert len(pictures) >= 8
    assert all(a.get("role") == "img" and a.get("aria-label") for a in pictures)
    assert sum(t == "thead" for t, _ in tags.seen) == sum(t == "table" for t, _ in tags.seen) >= 3


def test_it_says_what_to_doubt(result: ge.Consensus, page: Path) -> None:
    said = page.read_text("utf-8")
    assert "1 object has no label in any clustering" in said
    assert "of the labels are missing" in said
    assert f"{text('<b>run 7</b>')} agrees with the consensus no more than expected by chance" in said
    unsure = int(np.count_nonzero((result.confidence < 0.6) & (result.labels >= 0)))
    assert f"{unsure} object{'s have' if unsure != 1 else ' has'} a confidence below 0.6" in said


def test_the_figures_of_clusters_are_right(result: ge.Consensus) -> None:
    found = Findings(result)
    s = ge.coassociation(result.ensemble).to_scipy().toarray()
    row = found.clusters()[0]
    own = np.flatnonzero(result.labels == 0)
    assert row[1] == len(own)
    assert row[3] == pytest.approx(result.confidence[own].mean())
    inside = s[np.ix_(own, own)][~np.eye(len(own), dtype=bool)].mean()
    assert row[5] == pytest.approx(inside, abs=0.01)  # pairs that only some partitions have weigh less
    for name, cluster, rival, confidence, cohesion in object_rows(result)[1:6]:
        seen = result.explain(name)
        assert (cluster, rival) == (seen.cluster, seen.rival)
        assert confidence == pytest.approx(seen.confidence)
        assert cohesion == pytest.approx(seen.cohesion)


def test_tables_sort_by_value_not_by_what_is_shown() -> None:
    made = table(["n", "name"], [[1000, "b"], [20, "a<"]])
    assert 'data-value="1000">1,000<' in made
    assert "a&lt;" in made


def test_a_page_of_a_method_without_graph_or_of_one_cluster(tmp_path: Path) -> None:
    made = ge.vote([[0, 0], [0, 0], [1, 1]]).report(tmp_path / "vote.html")
    assert "3 objects fall into 2 clusters" in made.read_text("utf-8")
    made = ge.eac([[0, 0], [0, 0], [0, 0]], 1).report(tmp_path / "one.html")
    assert "1 cluster" in made.read_text("utf-8")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    running = Browser()
    yield running
    running.close()


@pytest.fixture
def window(browser: Browser, page: Path) -> Iterator[Browser]:
    """The page in Chromium, which must not complain about anything."""
    browser.errors.clear()
    browser.size(1280, 900)
    browser.open(page, ready="window.graphens.labels()")
    yield browser
    assert browser.errors == []


def in_a_browser(test: Callable[..., None]) -> Callable[..., None]:
    no_browser = pytest.mark.skipif(found() is None, reason="needs Chromium, from Debian's package chromium")
    return pytest.mark.slow(no_browser(test))


WIDE = "document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1"


@in_a_browser
def test_a_browser_sorts_picks_and_switches(window: Browser) -> None:
    said = window.run("""(() => {
      const every = what => [...document.querySelectorAll(what)], first = every('table.sortable')[0];
      const sizes = () => [...first.tBodies[0].rows].map(row => +row.cells[1].dataset.value);
      const panels = () => every('.panel').map(panel => panel.hidden), tab = every('[role=tab]')[0];
      const head = first.querySelectorAll('th button')[1], chip = document.querySelector(".chip[data-pick='1']");
      head.click(); const up = sizes();
      head.click(); const down = sizes();
      chip.click();
      const picked = [chip.getAttribute('aria-pressed'), every('svg g.on').length > 0,
                      every('tr[data-cluster].on').every(row => row.dataset.cluster === '1')];
      chip.click(); const left = every('.on').length;
      tab.click(); const one = panels();
      tab.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
      return { up, down, picked, left, panels: [one, panels()] };
    })()""")
    assert said["up"] == sorted(said["up"]) == said["down"][::-1]
    assert said["picked"] == ["true", True, True]
    assert said["left"] == 0
    assert said["panels"] == [[False, True], [True, False]]
    for width in (1200, 400):
        window.size(width, 900)
        assert window.run(WIDE), width


#: texts with less contrast to what is behind them than 4.5, the least that accessibility guidelines allow
FAINT = """
const light = c => { const v = c.map(x => x / 255).map(x => x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
                     return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
const numbers = s => s.match(/[\\d.]+/g).map(Number);
const behind = e => {  // a shade lets what is behind it through
  if (!e) return [255, 255, 255];
  const [r, g, b, a = 1] = numbers(getComputedStyle(e).backgroundColor);
  const deeper = a < 1 ? behind(e.parentElement) : [0, 0, 0];
  return [r, g, b].map((x, i) => a * x + (1 - a) * deeper[i]); };
return [...document.querySelectorAll('h1, h2, p, li, th, td, caption, figcaption, pre, .tabs button')]
  .filter(e => e.offsetParent && e.textContent.trim()).map(e => {
    const [a, b] = [numbers(getComputedStyle(e).color), behind(e)].map(c => light(c.slice(0, 3))).sort((x, y) => y - x);
    return [e.tagName + ': ' + e.textContent.slice(0, 40), (a + .05) / (b + .05)]; })
  .filter(([_, contrast]) => contrast < 4.5);
"""
#: the smallest letters of the pictures, in pixels of the screen
SMALLEST = """
const scale = m => Math.sqrt(m.a * m.d - m.b * m.c);
return Math.min(...[...document.querySelectorAll('svg text')].filter(t => t.getClientRects().length)
  .map(t => parseFloat(getComputedStyle(t).fontSize) * scale(t.getScreenCTM())));
"""


@in_a_browser
def test_a_color_bar_turns_dark_with_its_matrix(window: Browser) -> None:
    """Otherwise, light cells would be large values in the matrix and small ones in its bar."""
    window.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    filters = "[...document.querySelectorAll('svg:has(g.shade) image')].map(image => getComputedStyle(image).filter)"
    shown = window.run(filters)
    window.call("Emulation.setEmulatedMedia", features=[])
    assert len(shown) >= 2
    assert set(shown) == {"invert(1) hue-rotate(180deg)"}


@in_a_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_can_read_it_by_day_by_night_and_on_paper(window: Browser, scheme: str) -> None:
    for media in ("screen", "print"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        window.call("Emulation.setEmulatedMedia", media=media, features=features)
        assert window.run("matchMedia('(prefers-color-scheme: dark)').matches") == (scheme == "dark")
        assert window.run(f"(() => {{ {FAINT} }})()") == [], media
    assert window.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    hidden = "[...document.querySelectorAll('.panel')].filter(panel => !panel.offsetParent).length"
    assert window.run(hidden) == 0  # paper has no tabs to click
    pages = base64.b64decode(window.call("Page.printToPDF")["data"])
    assert 1 <= len(re.findall(rb"/Type\s*/Page[^s]", pages)) <= 6
    window.call("Emulation.setEmulatedMedia", media="screen", features=[])
    for width in (1200, 400):
        window.size(width, 900)
        assert window.run(f"(() => {{ {SMALLEST} }})()") >= 4.5, width


def test_values_show_themselves_in_a_notebook(result: ge.Consensus) -> None:
    e = result.ensemble
    pictures = [result, ge.metagraph(e), ge.hypergraph(e), ge.coassociation(e), result.explain(0)]
    matched, meta = ge.match(["<b>", "x", "x"], [0, 1, 2]), ge.metagraph(e)
    tables = [e, matched, ge.link(ge.coassociation(e), "average"), ge.partition(meta, 4, seed=0)]
    tables += [ge.Choice(3, "because <b>", rule="mine"), ge.stability(e, [2, 3], n_bootstraps=4, seed=0)]
    tables += [ge.monti(np.random.default_rng(0).normal(size=(60, 2)), [2, 3], n_partitions=10, seed=0)]
    for value in [*pictures, *tables]:
        made = value._repr_html_()
        tags = Tags()
        tags.feed(made)
        assert tags.open == []
        assert "<b>" not in made
        assert ("data:image/png;base64," in made) == any(value is one for one in pictures)
    assert matched._repr_html_().count("<strong>") == 3  # the heading and two pairs
    assert all(word in result._repr_html_() for word in (">cohesion<", "is split in"))
    assert "120 objects, 40 clusters" in ge.bipartite(e)._repr_html_()
    assert "on demand" in ge.coassociation(e)._repr_html_()  # looking at a value builds nothing
    chosen = ge.Choice(3, "why", rule="eigengap", curves={"eigengap": {2: 0.5, 3: 2.0}}, answers={"eigengap": 3})
    cells = re.findall(r"0,114,178,([.\d]+)\)'>(.*?)</td>", chosen._repr_html_())
    assert cells == [("0.17", ""), ("0.70", "<strong>◯</strong>")]


def test_the_command_writes_the_page(tmp_path: Path, capsys) -> None:
    from graphens.cli import main

    (tmp_path / "labels.csv").write_text("a,b\n" + "\n".join(["1,1"] * 5 + ["2,2"] * 5))
    target = tmp_path / "page.html"
    assert main(["report", str(tmp_path / "labels.csv"), "-k", "2", "-o", str(target), "--title", "<Two>"]) == 0
    assert "&lt;Two&gt;" in target.read_text("utf-8")
    assert main(["report", str(tmp_path / "labels.csv"), "-o", str(tmp_path / "page.pdf")]) == 2
    assert "ending in .html" in capsys.readouterr().err


def doubtful(n: int = 300) -> ge.Ensemble:
    rng = np.random.default_rng(0)
    truth = rng.integers(3, size=n)
    noisy = [np.where(rng.random(n) < 0.2, rng.integers(3, size=n), truth) for _ in range(4)]
    columns = {f"good {t}": labels for t, labels in enumerate(noisy)}
    return ge.Ensemble.from_partitions(columns | {"id": np.arange(n), "same": np.zeros(n, dtype=int)})


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_doubts_about_columns_come_first_and_notes_of_methods_that_lost_do_not_come() -> None:
    r = ge.consensus(doubtful(), 3, seed=0)
    said = Findings(r).alerts()
    assert "'id'" in said[0]
    assert "'same'" in said[1]
    lost = [t.note for t in r.trials if t.note and t.method != r.method]
    assert not set(lost) & set(said)


def test_no_number_that_stands_out_is_a_doubt() -> None:
    random = np.random.default_rng(0).integers(4, size=(200, 6))
    with pytest.warns(ge.GraphensWarning):
        r = ge.consensus(random, seed=0)
    assert r.k == 1
    number, _, objects = Findings(r).verdict()
    assert number.sign == "bad"
    assert number.words.startswith("Your clusterings do not agree on any groups")
    assert objects.words == "They are all in one cluster."


def test_objects_that_would_move_are_counted() -> None:
    labels = np.repeat([[0, 0, 0], [1, 1, 1]], 20, axis=0)
    e = ge.Ensemble(labels)
    wrong = np.where(np.arange(40) < 4, 1, labels[:, 0]).astype(np.int32)
    r = ge.vote(e, 2)._replace(labels=wrong, _evidence=Affinity(e, wrong, 2))
    objects = Findings(r).verdict()[2]
    assert objects.sign == "bad"
    assert "4 objects are more often with another cluster" in objects.words
    assert np.count_nonzero(r.assign(labels).labels != wrong) == 4


@pytest.mark.filterwarnings("ignore:Glyph")
def test_names_with_dollar_signs_do_not_end_the_report(tmp_path: Path) -> None:
    names = [r"$\badcommand$", "$a$ and $b$", "🙂"]
    labels = np.repeat(np.arange(3), 4)[:, None] * np.ones(3, dtype=int)
    labels[0, 0] = 1  # where all agree, there is no flow
    e = ge.Ensemble(labels, partition_names=names, object_names=[f"$x_{i}$" for i in range(12)])
    page = ge.eac(e, 3, linkage="average").report(tmp_path / "out.html").read_text("utf-8")
    assert "badcommand$" in page


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_a_random_column_is_a_doubt_and_agreement_is_adjusted_for_chance() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(3, size=300)
    good = [np.where(rng.random(300) < 0.2, rng.integers(3, size=300), truth) for _ in range(2)]
    e = ge.Ensemble.from_partitions({"a": good[0], "b": good[1], "dice": rng.integers(60, size=300)})
    found = Findings(ge.lwgp(e, 3, seed=0))
    assert abs(found.agreement[2]) < 0.03  # NMI would be about 0.3
    assert found.alerts() == ["dice agrees with the consensus no more than expected by chance."]
    nearly = np.column_stack([truth] * 5)
    nearly[np.arange(5), np.arange(5)] = (truth[:5] + 1) % 3
    clean = Findings(ge.lwgp(nearly, 3, seed=0))
    assert clean.alerts() == []
    assert {line.sign for line in clean.verdict()} == {"good"}


def test_the_verdict_is_green_only_if_nothing_is_bad(tmp_path: Path) -> None:
    whole, halves = np.repeat([0, 1], [60, 40]), np.repeat([0, 1, 2], [30, 30, 40])
    split = ge.consensus(ge.Ensemble.from_partitions([halves] * 16 + [whole] * 4), 2, seed=0)
    number, cohesion, objects = Findings(split).verdict()
    assert number.words.startswith("You asked for 2. The clusterings clearly support 3")
    assert cohesion == ("Cohesion", "bad", (
        "Two objects of a cluster are together in 76% of the clusterings on average. "
        "Cluster 0 is split in 16 of 20 clusterings."
    ))  # fmt: skip
    assert objects == ("Objects", "good", "No object has a confidence below 0.6.")
    said = split.report(tmp_path / "split.html").read_text("utf-8")
    assert 'class="verdict bad"' in said
    assert said.index("Cluster 0 is split") < said.index("<svg") < said.index("<pre>")
    finer = Findings(ge.eac(ge.Ensemble(np.arange(100)[:, None] // 10 + np.zeros((1, 6), dtype=int)), 2))
    assert finer.verdict()[1].sign == "fair"
    assert "Your clusterings are finer than the result (10 clusters)" in finer.verdict()[1].words


def test_contents_lead_to_every_section(page: Path) -> None:
    tags = parsed(page)
    wanted = {a["href"][1:] for t, a in tags.seen if t == "a"}
    assert wanted == {a["id"] for t, a in tags.seen if t == "section"}
    assert len(wanted) >= 6


def test_all_objects_are_in_the_table_and_many_by_label_row(result: ge.Consensus, tmp_path: Path) -> None:
    rows = object_rows(result)
    assert len(rows) == 120
    assert [row[3] for row in rows] == sorted(row[3] for row in rows)
    e = ge.Ensemble(np.repeat([[0, 0, 0], [1, 1, 1], [1, 1, 0]], [2000, 1500, 7], axis=0))
    r = ge.lwgp(e, 2, seed=0)
    found = row_groups(r)
    assert sorted(row[1] for row in found) == [7, 1500, 2000]
    assert found[0][0] == "x3500 and 6 like it"
    assert "x3500 and 6 like it" in r.report(tmp_path / "big.html").read_text("utf-8")


def test_the_labels_are_in_the_page(result: ge.Consensus, page: Path) -> None:
    held = next(a for _, a in parsed(page).seen if a.get("id") == "data")
    raw = {name: zlib.decompress(base64.b64decode(held[f"data-{name}"])) for name in ("labels", "names")}
    assert np.frombuffer(raw["labels"], dtype="i1").tolist() == result.labels.tolist()
    assert raw["names"].decode("utf-8").split("\n")[3] == "object 0"


def test_pictures_take_the_colors_of_the_page_and_clusters_can_be_picked(page: Path) -> None:
    said = page.read_text("utf-8")
    drawn = said[said.index("<svg") :]
    assert "#333333" not in drawn
    assert "var(--ink)" in drawn
    owners = {(tag, a["data-cluster"]) for tag, a in parsed(page).seen if tag in ("g", "image") and "data-cluster" in a}
    assert {c for _, c in owners} >= {"0", "1", "2", "3"}
    pictures = re.findall(r"<svg.*?</svg>", said, re.DOTALL)
    linked = sum("data-cluster" in picture or "data-frame" in picture for picture in pictures)
    assert linked >= len(pictures) - 2  # the curves over k and the agreement of the clusterings have no clusters
    ids = re.findall(r' id="([^"]+)"', said)
    named = [name for name in ids if not re.search(r"[0-9a-f]{10}", name)]  # the others are made of what they hold
    assert len(named) == len(set(named))


@in_a_browser
def test_a_browser_finds_picks_and_downloads(result: ge.Consensus, window: Browser) -> None:
    said = window.run("""(async () => {
      const find = document.getElementById('find'), table = document.getElementById('objects-table');
      find.value = 'object 17'; find.dispatchEvent(new Event('input'));
      await new Promise(done => setTimeout(done, 500));
      const rows = [...table.tBodies[0].rows].filter(row => !row.hidden).map(row => row.cells[0].textContent);
      const told = document.getElementById('told').textContent;
      document.querySelector(".chip[data-pick='1']").click();
      const on = [...document.querySelectorAll('svg')].map(svg => svg.querySelectorAll('.on').length);
      const own = part => part.dataset.cluster || part.dataset.frame;
      const wrong = [...document.querySelectorAll('.on')].filter(part => own(part) !== '1').length;
      return { rows, told, on, wrong, csv: await window.graphens.labels() };
    })()""")
    assert said["rows"] == ["object 17"]
    assert f"object 17 is in cluster {result.labels[20]}" in said["told"]
    assert said["wrong"] == 0
    assert sum(count > 0 for count in said["on"]) >= 6
    lines = said["csv"].splitlines()
    assert lines[0] == "object,cluster,confidence"
    assert [int(line.rsplit(",", 2)[1]) for line in lines[1:]] == result.labels.tolist()


def halves(graph: ge.Graph, k: int, *, seed: int) -> np.ndarray:
    return np.arange(graph.n_vertices) * k // graph.n_vertices


CALLS: dict[str, Callable[[Any, Any], ge.Consensus]] = {
    "auto": lambda e, X: ge.consensus(e, seed=3),
    "auto with options": lambda e, X: ge.consensus(e, 3, panel=["lwgp", "vote"], by="anmi", seed=3),
    "a rule": lambda e, X: ge.consensus(e, rule="lifetime", seed=0),
    "no seed": lambda e, X: ge.consensus(e, 4, "mcla"),
    "linkage": lambda e, X: ge.eac(e, linkage="average"),
    "options": lambda e, X: ge.cspa(e, 3, partitioner_options={"imbalance": 0.2}, collapse=False, seed=1),
    "a function": lambda e, X: ge.hbgf(e, 3, partitioner=halves, seed=0),
    "features": lambda e, X: ge.wce(e, 3, X=X, indices=["silhouette", "nmi"], seed=2),
    "weights": lambda e, X: ge.eac(e.reweight(np.arange(e.n_partitions) ** 2 + 0.5), 3, linkage="average"),
    "objects": lambda e, X: ge.eac(e._replace(object_weights=np.arange(e.n_objects) % 3 + 1.0), 3),
    "pairs": lambda e, X: ge.consensus(e, 3, must_link=[("x0", "x1")], cannot_link=[("x0", "x5")], seed=0),
    "communities": lambda e, X: ge.communities(KARATE, 10, base="louvain", tau=0.4, seed=5),
    "communities into k": lambda e, X: ge.communities(KARATE, 10, method="lwgp", k=3, seed=5),
}
KARATE = nx.karate_club_graph()


@pytest.mark.parametrize("name", CALLS)
def test_the_call_in_a_report_gives_the_same_clusters(name: str) -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 4
    labels = np.stack([np.where(rng.random(60) < 0.35, rng.integers(0, 5, 60), truth) for _ in range(8)], axis=1)
    X = rng.normal(size=(60, 2)) + truth[:, None]
    r = CALLS[name](ge.Ensemble(labels), X)
    known = {"ge": ge, "labels": labels, "X": X, "G": KARATE, "halves": halves}
    known["object_weights"] = np.arange(60) % 3 + 1.0
    again = eval(f"ge.{code_line(r)}", known)
    assert (again.labels == r.labels).all()
    assert (command_line(r) == "") == (name in {"a function", "features", "weights", "objects"} or "comm" in name)


def test_a_call_that_cannot_be_written_is_not_written(tmp_path: Path) -> None:
    labels = np.repeat([[0, 1, 1], [1, 0, 0], [2, 2, 1]], 9, axis=0)
    r = ge.hbgf(labels, 3, partitioner=lambda graph, k, *, seed: halves(graph, k, seed=seed), seed=0)
    assert code_line(r) == ""
    r.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "The call cannot be written here" in page
    assert "ge.consensus(labels" not in page


def test_a_network_comes_first_and_agreement_of_all_runs_is_said_once(tmp_path: Path) -> None:
    r = ge.communities(nx.ring_of_cliques(4, 80), 8, seed=0)  # too many vertices to draw them all
    page = r.report(tmp_path / "out.html").read_text("utf-8")
    assert "<h1>Communities of a network</h1>" in page
    assert page.index("The clusters as discs") < page.index("How often two vertices are together")
    assert "All 8 runs are the same as the consensus." in page
    assert not any(word in page for word in ("tail means that", "How the objects flow", ">rival<", ">nearest<"))
    assert "r = ge.communities(G, n_partitions=8, seed=0)" in page


def test_a_page_is_not_written_under_another_kind_of_name(tmp_path: Path) -> None:
    r = ge.eac([[0, 0], [0, 0], [1, 1], [1, 1]], 2)
    for write in (r.report, r.explore):
        with pytest.raises(ge.GraphensError, match=r"expected a file that ends in \.html"):
            write(tmp_path / "page.pdf")
    assert not list(tmp_path.iterdir())
