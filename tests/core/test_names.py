"""Names are the user's own: they come back as what they were, through every exit."""

from __future__ import annotations

import datetime as dt
import pickle
import subprocess
import sys

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import graphens as ge
from graphens.core.names import Names, as_names
from graphens.errors import GraphensWarning, InputError
from graphens.export import write
from graphens.export.label_files import read_ensemble

LABELS = np.array([[0, 0, 1], [0, 0, 1], [0, 1, 2], [1, 1, 0], [1, 1, 0], [1, 2, 0]])
N = len(LABELS)
DATES = [dt.date(2024, 1, 1) + dt.timedelta(days=i) for i in range(N)]
TUPLES = [(i // 2, "ab"[i % 2]) for i in range(N)]
KINDS = {
    "text": list("abcdef"),
    "integers": [30, 33, 7, 150, -4, 0],
    "huge": [2**70 + i for i in range(N)],
    "dates": DATES,
    "tuples": TUPLES,
    "mixed": [1, "1", (1, 2), DATES[0], 2.5, None],
}
INDEXES = {
    "integers": pd.Index([30, 33, 7, 150, -4, 0]),
    "named": pd.Index([30, 33, 7, 150, -4, 0], name="customer"),
    "small integers": pd.Index(np.array([3, 2, 1, 9, 8, 7], dtype=np.int8)),
    "floats": pd.Index([0.5, 1.5, 2.0, 3.0, 4.0, 5.0]),
    "range from 0": pd.RangeIndex(N),
    "range from 100": pd.RangeIndex(100, 100 + N),
    "every other": pd.RangeIndex(0, 2 * N, 2),
    "named range": pd.RangeIndex(N, name="row"),
    "timestamps": pd.date_range("2024-01-01", periods=N),
    "zones": pd.date_range("2024-01-01", periods=N, tz="Europe/Berlin"),
    "periods": pd.period_range("2024-01", periods=N, freq="M"),
    "dates": pd.Index(DATES),
    "levels": pd.MultiIndex.from_tuples(TUPLES, names=["row", "column"]),
    "levels without names": pd.MultiIndex.from_tuples(TUPLES),
    "categories": pd.CategoricalIndex(list("fedcba")),
    "intervals": pd.interval_range(0, N),
    "text": pd.Index(list("abcdef")),
    "strings": pd.Index(list("abcdef"), dtype="string"),
}


@pytest.mark.parametrize("names", KINDS.values(), ids=KINDS)
def test_names_come_back_as_what_they_were(names, tmp_path):
    e = ge.Ensemble(LABELS, object_names=names)
    r = ge.eac(e, 2, linkage="average")
    for found in (
        e.object_names,
        e.vertex_names(),
        r.names,
        r.ensemble.object_names,
        ge.coassociation(e).names,
        ge.hypergraph(e).vertex_names,
        ge.bipartite(e).names[:N],
        r.dendrogram.names,
        pickle.loads(pickle.dumps(r)).names,
        e.append(LABELS[:, :1]).object_names,
        r.by_size().names,
        r.assign(e).names,
    ):
        values = found.tolist() if isinstance(found, np.ndarray) else list(found)
        assert [(name, type(name)) for name in values] == [(name, type(name)) for name in names]
    assert e.take(objects=[4, 1]).object_names.tolist() == [names[4], names[1]]
    assert list(e.collapse()[0].object_names) == [names[i] for i in (0, 2, 3, 5)]
    e.save(tmp_path / "e.npz")
    assert ge.Ensemble.load(tmp_path / "e.npz") == e
    assert ge.Ensemble.load(tmp_path / "e.npz").object_names.tolist() == names


@pytest.mark.parametrize("names", [[name or 0 for name in names] for names in KINDS.values()], ids=KINDS)
def test_graphs_keep_names_in_memory_and_their_text_in_files(names, tmp_path):
    r = ge.eac(ge.Ensemble(LABELS, object_names=names), 2)
    g = ge.coassociation(r.ensemble)
    assert list(g.to_networkx(names=True)) == names
    assert g.to_igraph().vs["name"] == names
    for back in (
        ge.Graph.from_networkx(g.to_networkx()),
        ge.Graph.from_networkx(g.to_networkx(names=True)),
        ge.Graph.from_igraph(g.to_igraph()),
    ):
        assert list(back.names) == names
    for ending in (".graphml", ".gexf", ".gml", ".net", ".csv", ".parquet"):
        g.write(tmp_path / f"g{ending}", consensus=r)
    for ending in (".graphml", ".gexf", ".gml", ".net"):
        back = ge.Graph.read(tmp_path / f"g{ending}")
        assert list(back.names) == [str(name) for name in names]
    h = ge.hypergraph(r.ensemble)
    h.write(tmp_path / "h.hif.json", consensus=r)
    write(ge.link(g, "average"), tmp_path / "d.nwk")
    tree = ge.link(g, "average").to_networkx()
    assert [tree.nodes[i]["name"] for i in range(N)] == names


@pytest.mark.parametrize("kind", ["integers", "dates", "tuples"])
def test_a_graph_read_from_a_file_finds_its_objects_by_their_text(kind, tmp_path):
    r = ge.eac(ge.Ensemble(LABELS, object_names=KINDS[kind]), 2)
    ge.coassociation(r.ensemble).subgraph([5, 2, 3]).write(tmp_path / "g.graphml")
    few = ge.Graph.read(tmp_path / "g.graphml").to_networkx(consensus=r)
    assert [few.nodes[i]["cluster"] for i in range(3)] == r.labels[[5, 2, 3]].tolist()
    text = ge.Ensemble(LABELS, object_names=[str(name) for name in KINDS[kind]])
    assert r.ensemble.append(text).n_partitions == 6


@pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES)
def test_the_answer_joins_the_frame_it_came_from(index, tmp_path):
    df = pd.DataFrame(LABELS, columns=["a", "b", "c"], index=index)
    r = ge.consensus(df, 2, method="vote")
    joined = df.join(r.to_frame())
    assert joined["cluster"].tolist() == r.labels.tolist()
    assert joined["confidence"].notna().all()
    assert list(r.names) == list(index)
    assert df.join(r.assign(df).to_frame())["cluster"].tolist() == r.assign(df).labels.tolist()
    assert r.assign(df.iloc[:2]).to_frame().index.tolist() == index[:2].tolist()
    rows = [4, 1, 0]
    few = ge.vote(ge.Ensemble(df).take(objects=rows), 2)
    assert df.iloc[rows].join(few.to_frame())["cluster"].tolist() == few.labels.tolist()
    assert ge.Ensemble(df).to_frame().index.equals(index) or list(ge.Ensemble(df).to_frame().index) == list(
        index
    )
    if not isinstance(index, (pd.PeriodIndex, pd.IntervalIndex)):  # these are saved as text
        ge.Ensemble(df).save(tmp_path / "e.npz")
        again = ge.vote(ge.Ensemble.load(tmp_path / "e.npz"), 2)
        assert df.join(again.to_frame())["cluster"].tolist() == r.labels.tolist()
    made = ge.generate(df.astype(float), 3, k=2, seed=0)
    assert list(made.vertex_names()) == list(index)


def test_names_that_an_archive_cannot_hold_are_saved_as_text_with_one_warning(tmp_path):
    e = ge.Ensemble(LABELS, object_names=pd.period_range("2024-01", periods=N, freq="M"))
    with pytest.warns(
        GraphensWarning,
        match=r"6 names or options, such as Period\('2024-01', 'M'\) \(Period\), will come back as text",
    ) as told:
        e.save(tmp_path / "e.npz")
    assert len(told) == 1
    assert ge.Ensemble.load(tmp_path / "e.npz").object_names.tolist() == [f"2024-0{i}" for i in range(1, 7)]


def test_objects_without_a_label_have_no_empty_cell():
    df = pd.DataFrame({"a": [0, 0, 1, None], "b": [0, 0, 1, None]}, index=[7, 8, 9, 10])
    frame = ge.vote(df, 2).to_frame()
    assert frame.loc[10, ["cluster", "confidence"]].tolist() == [-1, 0]
    assert not frame[["cluster", "confidence"]].isna().any().any()
    assert frame["cluster"].dtype.kind == "i"


@pytest.mark.parametrize("names", KINDS.values(), ids=KINDS)
def test_explain_by_name_and_by_position(names):
    r = ge.eac(ge.Ensemble(LABELS, object_names=names), 2, linkage="average")
    for i, name in enumerate(names):
        if name is not None:
            assert r.explain(name).name == name
        found = r.explain(position=i)
        assert (found.name, found.cluster) == (name, r.labels[i])
        assert (
            repr(found)
            .splitlines()[0]
            .startswith(str(name) if isinstance(name, str) else f"Object {name} is in")
        )
        assert {one for one, _ in found.companions} <= set(names)
        assert name in list(found.graph.names)


def test_whole_numbers_are_names_where_there_are_such_names_and_positions_elsewhere():
    shifted = ge.vote(ge.Ensemble(LABELS, object_names=range(100, 100 + N)), 2)
    assert shifted.explain(103).name == 103
    assert shifted.explain(np.int64(103)).name == 103
    with pytest.raises(
        InputError, match=r"3 was given, but no object has that name; .* such as 100, .*position=…"
    ):
        shifted.explain(3)
    assert shifted.explain(position=3).name == 103
    assert shifted.explain(position=-1).name == 105
    plain = ge.vote(LABELS, 2)
    assert (plain.explain(3).name, plain.explain(-1).name, plain.explain("x3").name) == ("x3", "x5", "x3")
    counted = ge.vote(pd.DataFrame(LABELS), 2)
    assert counted.explain(3).name == 3
    assert ge.vote(ge.Ensemble(LABELS, object_names=list("abcdef")), 2).explain(3).name == "d"
    for wrong in ({}, {"which": 1, "position": 1}):
        with pytest.raises(InputError, match="either the name of an object, or position="):
            plain.explain(**wrong)
    with pytest.raises(ge.GraphensError, match="position = 6 was given"):
        plain.explain(position=6)
    with pytest.raises(InputError, match="no object has that name"):
        shifted.explain([1, 2])


def test_communities_carry_the_nodes_themselves():
    for graph in (nx.karate_club_graph(), nx.grid_2d_graph(4, 4), nx.les_miserables_graph()):
        r = ge.communities(graph, n_partitions=5, seed=0)
        assert list(r.names) == list(graph)
        assert all(graph.has_node(v) for v in r.names)
        assert list(r.to_networkx()) == list(graph)
        node = list(graph)[-1]
        assert r.explain(node).name == node
        assert ge.recluster(r.ensemble, graph, seed=0).k >= 1
    other = nx.relabel_nodes(nx.karate_club_graph(), {v: 33 - v for v in range(34)})
    r = ge.communities(other, n_partitions=5, seed=0)
    assert r.explain(33).name == 33
    assert r.explain(33).cluster == r.labels[list(other).index(33)]


def test_sorting_and_comparing_mixed_names_does_not_raise():
    zone = pd.Timestamp("2024-01-01", tz="UTC")
    names = [zone, pd.Timestamp("2024-01-01"), 1, "1", (1,), None, float("nan"), pd.NaT]
    labels = np.array([[0], [0], [1], [1], [0], [0], [1], [1]])
    e = ge.Ensemble(labels, object_names=names)
    assert e == pickle.loads(pickle.dumps(e)) or e.object_names.tolist()[:6] == names[:6]
    assert e != ge.Ensemble(labels, object_names=list("abcdefgh"))
    assert ge.vote(e, 2).explain(zone).name == zone
    by_node = ge.Ensemble.from_partitions(
        [[{1, "a", (2, 3)}, {zone, None}], [{1}, {"a", (2, 3), zone, None}]]
    )
    assert by_node.n_objects == 5
    assert {1, "a", (2, 3), zone, None} == set(by_node.object_names.tolist())
    apart = ge.Ensemble.from_partitions([[{1}, {"1"}]])
    assert sorted(map(repr, apart.object_names.tolist())) == ["'1'", "1"]


@pytest.mark.parametrize(
    "make",
    [
        lambda names: ge.Ensemble(LABELS, object_names=names),
        lambda names: ge.Ensemble(pd.DataFrame(LABELS, index=names)),
        lambda names: ge.generate(pd.DataFrame(LABELS, index=names).astype(float), 3, k=2, seed=0),
    ],
)
def test_names_that_occur_twice_are_said_once(make):
    with pytest.warns(GraphensWarning, match="have the name") as told:
        e = make([7, 7, 7, 8, 8, 9])
    (message,) = [str(one.message) for one in told]
    assert message == (
        "3 objects have the name 7; all 6 together have 3 different names. "
        "They stay different objects, but only an object with a unique name can be looked up by its name."
    )
    assert e.object_names.tolist() == [7, 7, 7, 8, 8, 9]
    with pytest.raises(InputError, match="3 objects have that name"):
        ge.vote(e, 2).explain(7)


def test_marks_for_missing_labels_are_clusters_and_said_once(tmp_path):
    frame = pd.DataFrame({"a": ["x", "?", "y"], "b": ["-", "u", "u"], "c": [1, 2, 2]})
    said = "Column 'a' has the label '?', and 1 more like it, which is read as a cluster."
    with pytest.warns(GraphensWarning) as told:
        e = ge.Ensemble(frame)
    assert e.n_clusters.tolist() == [3, 2, 2]
    frame.to_csv(tmp_path / "labels.csv", index=False)
    with pytest.warns(GraphensWarning) as told_again:
        assert read_ensemble(tmp_path / "labels.csv").n_clusters.tolist() == [3, 2, 2]
    for messages in (told, told_again):
        (one,) = [str(each.message) for each in messages if "read as a cluster" in str(each.message)]
        assert one.startswith(said)


@pytest.mark.parametrize("names", [[[1], [2]], [{}, {}], [(1, []), 2]])
def test_what_cannot_be_a_name_is_refused(names):
    with pytest.raises(InputError, match="expected one name each: text, a number, a date, or a tuple"):
        as_names(names)


def test_numbers_of_numpy_become_numbers_of_python():
    for names in (np.array([3, 4], dtype=np.uint8), [np.int64(3), 4], np.array([3, 4], dtype=object)):
        found = as_names(names)
        assert (found.tolist(), found.dtype.kind) == ([3, 4], "i")
        assert all(type(name) is int for name in Names(found))
    assert as_names(np.array(["2024-01-01"], dtype="datetime64[D]")).tolist() == [dt.date(2024, 1, 1)]


def test_a_million_default_names_cost_nothing():
    for names in (Names(("x", 10**9)), Names(range(10**9))):
        assert len(names) == 10**9
        assert names.numbered
        assert str(names[-1]).endswith("999999999")
        assert len(pickle.dumps(names)) < 500


def test_the_command_line_finds_objects_by_what_their_names_read(tmp_path):
    frame = pd.DataFrame(LABELS, columns=["a", "b", "c"]).assign(id=[30, 33, 7, 150, 4, 2])
    frame.to_parquet(tmp_path / "labels.parquet")
    ran = [sys.executable, "-m", "graphens"]
    done = subprocess.run(
        [*ran, "explain", "labels.parquet", "-k", "2", "--id", "id", "--object", "150"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith("Object 150 is in cluster")
    failed = subprocess.run(
        [*ran, "explain", "labels.parquet", "-k", "2", "--id", "id", "--object", "3"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert failed.returncode == 2
    assert "3 was given, but no object has that name" in failed.stderr
    subprocess.run(
        [*ran, "consensus", "labels.parquet", "-k", "2", "--id", "id", "-o", "out.parquet"],
        cwd=tmp_path, capture_output=True, check=True,
    )  # fmt: skip
    assert pd.read_parquet(tmp_path / "out.parquet")["id"].tolist() == frame["id"].tolist()
