"""The page as a file: whole, safe, small, the same for the same seed."""

import base64
import json
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import graphens as ge
from graphens.explore.scenes import scene
from graphens.plot.layouts import discs, inside

NASTY = ["</script><svg onload=alert(1)>", '"><img src=x onerror=alert(2)>', "$title ${x}", "ümlaut ✓", "a\nb,c"]


def ensemble(n: int = 120, k: int = 4, b: int = 10, noise: float = 0.25, **given: Any) -> ge.Ensemble:
    rng = np.random.default_rng(0)
    truth = rng.integers(k, size=n)
    labels = np.where(rng.random((n, b)) < noise, rng.integers(k, size=(n, b)), truth[:, None])
    return ge.Ensemble(labels, **given)


@pytest.fixture(scope="module")
def result() -> ge.Consensus:
    names = [*NASTY, *(f"object {i}" for i in range(120 - len(NASTY)))]
    e = ensemble(object_names=names, partition_names=[f"<b>run {t}</b>" for t in range(10)])
    return ge.consensus(e, 4, seed=0)


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        self.seen.append((tag, dict(attrs)))


def data_of(page: str) -> tuple[dict[str, Any], bytes]:
    text = re.search(r'id="data">([^<]*)<', page)
    assert text
    raw = zlib.decompress(base64.b64decode(text[1]))
    length = int.from_bytes(raw[:4], "little")
    return json.loads(raw[4 : 4 + length]), raw[4 + length :]


def test_it_is_one_file_that_needs_nothing_from_outside(result: ge.Consensus, tmp_path: Path) -> None:
    page = result.explore(tmp_path / "x.html", title="</title><b>")
    tags = Tags(page.read_text("utf-8")).seen
    for tag, attributes in tags:
        assert not {"src", "href", "xlink:href"} & attributes.keys(), tag
        assert not any(name.startswith("on") for name in attributes)
    policy = next(a["content"] for t, a in tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'")
    assert not any(tag in ("b", "img") for tag, _ in tags)
    assert sum(tag == "script" for tag, _ in tags) == 2
    text = page.read_text("utf-8")
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_the_same_answer_gives_the_same_bytes(result: ge.Consensus, tmp_path: Path) -> None:
    one, other = result.explore(tmp_path / "a.html"), result.explore(tmp_path / "b.html")
    assert one.read_bytes() == other.read_bytes()


def test_a_notebook_shows_the_page_in_a_frame(result: ge.Consensus) -> None:
    made = result.explore()
    tags = Tags(made._repr_html_()).seen
    assert [tag for tag, _ in tags] == ["iframe"]
    assert tags[0][1]["srcdoc"] == made.page
    assert "src" not in tags[0][1]


def test_names_arrive_as_text(result: ge.Consensus) -> None:
    head, _ = data_of(result.explore().page)
    assert head["facts"]["names"][: len(NASTY)] == NASTY
    assert head["facts"]["partitions"][0] == "<b>run 0</b>"


def test_votes_companions_and_rivals_are_those_of_explain(result: ge.Consensus) -> None:
    made = scene(result)
    arrays, facts = made.arrays, made.facts
    first = np.concatenate([[0], np.cumsum(arrays["mate_many"])])
    for i in (0, 7, 50):
        x, row = result.explain(position=i), int(np.flatnonzero(arrays["why"] == i)[0])
        at = slice(10 * row, 10 * row + 10)
        assert arrays["vote_cluster"][at].tolist() == [vote.cluster for vote in x.votes]
        assert [facts["vote_labels"][j] for j in arrays["vote_label"][at]] == [str(vote.label) for vote in x.votes]
        names = [facts["names"][j] for j in arrays["mate"][first[row] : first[row + 1]]]
        assert names == [name for name, _ in x.companions]
        assert arrays["rival"][i] == x.rival
        assert arrays["margin"][row] == pytest.approx(x.margin)
        deciding = [name for name, flag in zip(facts["partitions"], arrays["deciding"][at], strict=True) if flag]
        assert deciding == list(x.deciding)


def test_clusters_have_the_colors_of_every_other_picture(result: ge.Consensus) -> None:
    from graphens.plot.colors import color

    groups = scene(result).facts["groups"]
    assert [group["color"] for group in groups] == [color(c) for c in range(4)]
    assert [group["size"] for group in groups] == result.sizes().tolist()
    own = result.confidence[result.labels == 2]
    assert groups[2]["confidence"] == pytest.approx(own.mean(), abs=1e-4)
    assert groups[2]["unsure"] == np.count_nonzero(own < 0.6)


def test_discs_do_not_overlap_and_hold_their_members() -> None:
    rng = np.random.default_rng(0)
    for k in (1, 2, 40, 900):
        size = rng.integers(1, 200, size=k)
        centers, radii = discs(size, rng.random((k, k)))
        assert np.allclose(radii**2, size)
        apart = np.hypot(*(centers[:, None] - centers).transpose(2, 0, 1)) + np.eye(k) * 1e9
        assert (apart > radii[:, None] + radii).all()
        own = np.repeat(np.arange(k), size).astype(np.int32)
        points = inside(own, centers, radii, rng.random(len(own)), rng.normal(size=(len(own), 2)))
        assert (np.hypot(*(points - centers[own]).T) <= radii[own]).all()
        assert len(np.unique(points.round(6), axis=0)) == len(points)


@pytest.mark.parametrize(
    "value",
    [
        ge.vote([[0, 0]], 1),
        ge.vote([[0, 0], [0, 0], [1, 1]]),
        ge.Graph(np.zeros((3, 3))),
        ge.Graph(np.zeros((1, 1))),
        ge.Graph([[0, 1], [1, 0]]),
        ge.bipartite([[0, 1], [0, 0], [1, 0]]),
        ge.metagraph([[0, 1], [0, 0], [1, 0]]),
        ge.coassociation([[0, 1], [0, 0], [1, 0]]),
        ge.link(ge.coassociation([[0, 1], [0, 0], [1, 0], [-1, -1]]), "average"),
        ge.Graph.from_networkx(nx.karate_club_graph()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_value_has_a_page(value: Any) -> None:
    head, body = data_of(value.explore().page)
    assert len(body) == sum(int(a["kind"][1]) * a["size"] for a in head["arrays"])


def test_clusters_have_the_names_they_were_given(result: ge.Consensus) -> None:
    groups = scene(result.named({1: "<loyal>"})).facts["groups"]
    assert [group["name"] for group in groups] == ["0", "<loyal>", "2", "3"]


def test_unassigned_objects_are_a_group_of_their_own() -> None:
    groups = scene(ge.vote([[0, 0], [0, 0], [1, 1], [-1, -1]], 2)).facts["groups"]
    assert (groups[-1]["name"], groups[-1]["color"], groups[-1]["size"]) == ("none", "#b8b8b8", 1)


def test_what_is_left_out_is_said(monkeypatch) -> None:
    from graphens.explore import excerpts

    monkeypatch.setattr(excerpts, "ALL_VERTICES", 100)
    monkeypatch.setattr(excerpts, "SOME_VERTICES", 60)
    monkeypatch.setattr(excerpts, "ALL_EDGES", 500)
    r = ge.vote(ensemble(), 4)
    made = scene(r)
    assert len(made.arrays["group"]) == 60
    assert made.facts["vertices"] == 120
    said = " ".join(made.facts["notes"])
    assert "60 of 120 objects are drawn" in said
    assert "spanning forest" in said
    assert sum(group["size"] for group in made.facts["groups"]) == 120


def test_features_place_the_objects() -> None:
    X = np.random.default_rng(0).normal(size=(120, 2))
    made = scene(ge.vote(ensemble(), 4), X=X).arrays
    assert np.corrcoef(made["x"], X[:, 0])[0, 1] > 0.999
    assert np.corrcoef(made["y"], X[:, 1])[0, 1] < -0.999
    with pytest.raises(ge.GraphensError, match="expected two"):
        scene(ge.vote(ensemble(), 4), X=X[:, :1])


def test_a_map_has_a_place_for_each_object_and_columns_have_colors(result: ge.Consensus) -> None:
    names = result.ensemble.vertex_names()
    kinds = ["abcd"[c] if c != 2 else None for c in result.labels]
    data = pd.DataFrame({"x": np.linspace(0, 1, 120), "kind": kinds}, index=list(names)).iloc[::-1]
    made = scene(result, data=data)
    assert made.facts["placed"] == "map"
    assert len(np.unique(np.column_stack([made.arrays["x"], made.arrays["y"]]), axis=0)) > 110
    scale, kind = made.facts["columns"]
    assert (scale["low"], scale["high"]) == (0, 1)
    assert np.allclose(made.arrays["column_0"], np.linspace(0, 1, 120))
    shades = dict(zip(kind["values"], kind["colors"], strict=True))
    assert shades == {"abcd"[c]: made.facts["groups"][c]["color"] for c in (0, 1, 3)}  # those of their clusters
    assert (made.arrays["column_1"] < 0).tolist() == (result.labels == 2).tolist()
    with pytest.raises(ge.GraphensError, match="expected a frame"):
        scene(result, data=[1, 2])


def test_odd_values_are_refused_with_a_sentence() -> None:
    from graphens.explore import explore

    with pytest.raises(ge.GraphensError, match="expected a Consensus, a Graph or a Dendrogram"):
        explore([1, 2, 3])
    with pytest.raises(ge.GraphensError, match="without vertices"):
        ge.Graph(np.zeros((0, 0))).explore()


def test_very_many_clusters_and_vertices_without_edges_stay_small() -> None:
    labels = np.column_stack([np.arange(900), np.arange(900) // 2])
    made = scene(ge.vote(ge.Ensemble(labels), 900))
    assert "heat" not in made.arrays
    assert len(made.arrays["tie_a"]) <= 4 * 900
    lonely = nx.gnm_random_graph(3000, 200, seed=0)
    groups = scene(ge.Graph.from_networkx(lonely)).facts["groups"]
    assert groups[-1]["name"] == "none"
    assert groups[-1]["size"] > 2000


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True], ids=["alike", "weighted"])
def test_a_large_graph_takes_a_megabyte(weighted) -> None:
    rng = np.random.default_rng(0)
    network = nx.gnm_random_graph(20_000, 100_000, seed=0)
    for _, _, data in network.edges(data=True):
        data["weight"] = rng.random() if weighted else 1.0
    assert len(ge.Graph.from_networkx(network).explore().page.encode()) <= 1_050_000


def test_the_command_writes_the_page(tmp_path: Path, capsys) -> None:
    from graphens.cli import main

    (tmp_path / "labels.csv").write_text("a,b\n" + "\n".join(["1,1"] * 5 + ["2,2"] * 5))
    target = tmp_path / "page.html"
    assert main(["explore", str(tmp_path / "labels.csv"), "-k", "2", "-o", str(target), "--title", "<Two>"]) == 0
    assert "&lt;Two&gt;" in target.read_text("utf-8")
    (tmp_path / "points.csv").write_text("u,v\n" + "\n".join(f"{i},{i * i}" for i in range(10)))
    features = ["--features", str(tmp_path / "points.csv")]
    assert main(["explore", str(tmp_path / "labels.csv"), "-k", "2", "-o", str(target), *features]) == 0
    assert data_of(target.read_text("utf-8"))[0]["facts"]["placed"] == "features"
    assert main(["explore", str(tmp_path / "labels.csv"), "-o", str(tmp_path / "page.pdf")]) == 2
    assert "ending in .html" in capsys.readouterr().err
