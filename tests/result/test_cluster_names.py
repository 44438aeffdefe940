"""Names for clusters: in text, tables, pictures, the report and exports, kept by everything that goes on from them."""

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import graphens as ge

RNG = np.random.default_rng(0)
TRUTH = np.repeat([0, 1, 2], [30, 25, 20])
FRAME = pd.DataFrame(
    {f"team {t}": np.where(RNG.random(75) < 0.15, RNG.integers(0, 3, 75), TRUTH) for t in range(5)},
    index=pd.Index(range(100, 175), name="customer"),
)
PLAIN = ge.lwea(FRAME, 3, seed=0)
NAMED = PLAIN.named({0: "loyal", 2: "R&D <b> $x$"})


def test_names_by_number_by_name_and_by_list() -> None:
    assert PLAIN.cluster_names == ("0", "1", "2")
    assert NAMED.cluster_names == ("loyal", "1", "R&D <b> $x$")
    assert NAMED.named({"loyal": "new", np.int64(1): "one"}).cluster_names == ("new", "one", "R&D <b> $x$")
    assert PLAIN.named(["a", "b", "c"]).cluster_names == ("a", "b", "c")
    assert NAMED.named({}).cluster_names == NAMED.cluster_names
    assert NAMED.named({0: "1", 1: "0"}).cluster_names[:2] == ("1", "0")
    assert PLAIN.cluster_names == ("0", "1", "2")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({3: "x"}, "no cluster 3; expected one of 0, 1, 2"),
        ({-1: "x"}, "no cluster -1"),
        ({"nobody": "x"}, "no cluster 'nobody'"),
        ({True: "x"}, "no cluster True"),
        ({0: "x", 1: "x"}, "Two clusters would be called 'x'"),
        ({0: "1"}, "Two clusters would be called '1'"),
        ({0: ""}, "expected a single line of text"),
        ({0: "two\nlines"}, "expected a single line of text"),
        ({0: 7}, "7 was given as the name of cluster 0"),
        (["a", "b"], "2 names were given for 3 clusters"),
        ("abc", "expected a dict, or a list with a name for each"),
    ],
)
def test_names_that_cannot_be(names: Any, message: str) -> None:
    with pytest.raises(ge.GraphensError, match=message):
        PLAIN.named(names)


def test_text_and_tables() -> None:
    sizes = NAMED.sizes()
    assert f"loyal {sizes[0]}, 1 {sizes[1]}, R&D" in repr(NAMED)
    assert "name" not in PLAIN.to_frame()
    frame = NAMED.to_frame()
    assert frame["name"].tolist() == [NAMED.cluster_names[c] for c in NAMED.labels]
    assert frame.drop(columns="name").equals(PLAIN.to_frame())
    told = repr(NAMED.explain(100))
    assert f"is in cluster {NAMED.cluster_names[NAMED.labels[0]]} (" in told
    new = NAMED.assign(FRAME.iloc[:4])
    assert new.to_frame()["name"].tolist() == [NAMED.cluster_names[c] for c in new.labels]
    assert "loyal " in repr(new)
    assert "loyal" in NAMED._repr_html_()


def test_everything_that_goes_on_keeps_them(tmp_path: Path) -> None:
    turned = NAMED.by_size()
    assert [turned.cluster_names[c] for c in turned.labels] == [NAMED.cluster_names[c] for c in NAMED.labels] or (
        turned.cluster_names.count("loyal") == 1
    )
    assert np.array_equal(
        np.array(turned.cluster_names)[turned.labels] == "loyal", np.array(NAMED.cluster_names)[NAMED.labels] == "loyal"
    )
    NAMED.save(tmp_path / "r.npz")
    assert ge.load(tmp_path / "r.npz").cluster_names == NAMED.cluster_names
    assert NAMED.update(pd.Series(TRUTH, index=FRAME.index)).cluster_names == NAMED.cluster_names
    held = NAMED.constrained(must_link=[(100, 101)])
    assert held.cluster_names == NAMED.cluster_names


def texts(display: Any) -> str:
    ax = display.ax_
    drawn = [text.get_text() for text in display.figure_.findobj() if hasattr(text, "get_text")]
    return " ".join([*drawn, *(label.get_text() for label in ax.get_xticklabels())])


@pytest.mark.parametrize("kind", ["heatmap", "confidence", "tree", "map", "scatter", "flow"])
def test_pictures(kind: str) -> None:
    import matplotlib.pyplot as plt

    options = {"X": np.c_[TRUTH * 3.0, RNG.normal(size=75)]} if kind == "scatter" else {}
    display = NAMED.plot(kind, **options)
    display.figure_.canvas.draw()  # a name is no mathematics
    assert "loyal" in texts(display)
    assert "loyal" not in texts(PLAIN.plot(kind, **options))
    plt.close("all")


def test_the_explanation_is_drawn_with_names() -> None:
    display = NAMED.explain(100).plot()
    assert f"cluster {NAMED.cluster_names[NAMED.labels[0]]}" in texts(display)


def test_the_report(tmp_path: Path) -> None:
    NAMED.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    assert ">loyal</button>" in page
    assert "R&amp;D &lt;b&gt; $x$</button>" in page


def test_exports(tmp_path: Path) -> None:
    r = ge.communities(nx.karate_club_graph(), n_partitions=5, seed=0).named({0: "first"})
    for made in (r.to_networkx(), ge.bipartite(FRAME).to_networkx(consensus=NAMED)):
        answer = r if "share" in next(iter(made.edges(data=True)))[2] else NAMED
        assert all(
            data["cluster_name"] == (answer.cluster_names[data["cluster"]] if data["cluster"] >= 0 else "")
            for _, data in made.nodes(data=True)
        )
    assert r.to_igraph().vs["cluster_name"][0] == r.cluster_names[r.labels[0]]
    g = ge.coassociation(FRAME).threshold(0.5)
    for ending in ("graphml", "gexf", "gml", "csv"):
        g.write(tmp_path / f"g.{ending}", consensus=NAMED)
        assert "loyal" in (tmp_path / f"g.{ending}").read_text()
        assert ge.Graph.read(tmp_path / f"g.{ending}").n_edges == g.n_edges
    ge.hypergraph(FRAME).write(tmp_path / "h.hif.json", consensus=NAMED)
    assert "loyal" in (tmp_path / "h.hif.json").read_text()
    assert "cluster_name" not in ge.bipartite(FRAME).to_networkx(consensus=PLAIN).nodes[100]
