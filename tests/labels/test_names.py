"""Names are the user's own: they come back as what they were, through every exit."""

import datetime as dt
import pickle

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import graphens as ge
from graphens.cli import main
from graphens.errors import GraphensWarning, InputError
from graphens.export import write
from graphens.export.label_files import read_ensemble
from graphens.labels.names import Names, as_names

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
    assert list(g.to_networkx()) == names
    assert g.to_igraph().vs["name"] == names
    for back in (ge.Graph.from_networkx(g.to_networkx()), ge.Graph.from_igraph(g.to_igraph())):
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
    assert [name for _, name in tree.nodes(data="name")][:N] == names


@pytest.mark.parametrize("kind", ["integers", "dates", "tuples"])
def test_a_graph_read_from_a_file_finds_its_objects_by_their_text(kind, tmp_path):
    r = ge.eac(ge.Ensemble(LABELS, object_names=KINDS[kind]), 2)
    ge.coassociation(r.ensemble).subgraph([5, 2, 3]).write(tmp_path / "g.graphml")
    few = ge.Graph.read(tmp_path / "g.graphml").to_networkx(consensus=r)
    assert [cluster for _, cluster in few.nodes(data="cluster")] == r.labels[[5, 2, 3]].tolist()
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
    assert ge.Ensemble(df).to_frame().index.equals(index) or list(ge.Ensemble(df).to_frame().index) == list(index)
    if not isinstance(index, (pd.PeriodIndex, pd.IntervalIndex)):  # these are saved as text
        ge.Ensemble(df).save(tmp_path / "e.npz")
        again = ge.vote(ge.Ensemble.load(tmp_path / "e.npz"), 2)
        assert df.join(again.to_frame())["cluster"].tolist() == r.labels.tolist()
    made = ge.generate(df.astype(float), 3, k=2, seed=0)
    assert list(made.vertex_names()) == list(index)


def test_names_that_an_archive_cannot_hold_are_saved_as_text_with_one_warning(tmp_path):
    e = ge.Ensemble(LABELS, object_names=pd.period_range("2024-01", periods=N, freq="M"))
    with pytest.warns(
        GraphensWarning, match=r"6 names or options, such as '2024-01' \(Period\), will come back as text"
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
        assert repr(found).splitlines()[0].startswith(str(name) if isinstance(name, str) else f"Object {name} is in")
        assert {one for one, _ in found.companions} <= set(names)
        assert name in list(found.graph.names)


def test_whole_numbers_are_names_where_there_are_such_names_and_positions_elsewhere():
    shifted = ge.vote(ge.Ensemble(LABELS, object_names=range(100, 100 + N)), 2)
    assert shifted.explain(103).name == 103
    assert shifted.explain(np.int64(103)).name == 103
    with pytest.raises(InputError, match=r"3 was given, but no object has that name; .* such as 100, .*position=…"):
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
        assert ge.recluster(r.ensemble, G=graph, seed=0).k >= 1
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
    by_node = ge.Ensemble.from_partitions([[{1, "a", (2, 3)}, {zone, None}], [{1}, {"a", (2, 3), zone, None}]])
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
        "3 objects have the name 7: there are 6 objects, and 3 different names. "
        "They stay different objects, but only an object with a unique name can be looked up by its name "
        "(on the command line, --duplicates first or --duplicates number makes names unique)."
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


#: seven objects, five different rows: x1 is as x0, and x6 as x5
SEVEN = np.array([[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]])
LETTERS = "abcdefg"


def _names_of(r):
    """All names that a result carries: of the vertices of its graph, of its leaves, of its objects."""
    graph = getattr(r.graph, "names", None) or r.graph.vertex_names
    tree = () if r.dendrogram is None else r.dendrogram.names
    return [str(name) for name in (*graph, *tree, *r.names)]


@pytest.mark.parametrize("method", [row.name for row in ge.methods()])
def test_default_names_are_those_of_the_same_objects_as_given_names(method):
    letters = {f"x{i}": letter for i, letter in enumerate(LETTERS)}
    X = np.arange(14.0).reshape(7, 2) % 5
    network = ge.Graph(ge.coassociation(SEVEN).adjacency)
    more = {"recluster": {"G": network}, "ecg": {"G": network}, "wce": {"X": X}}.get(method, {})
    found = [
        _names_of(ge.consensus(e, 3, method=method, seed=0, **more))
        for e in (ge.Ensemble(SEVEN), ge.Ensemble(SEVEN, object_names=list(LETTERS)))
    ]
    assert [letters.get(name, name) for name in found[0]] == found[1]


def test_default_names_stay_with_their_objects():
    e = ge.Ensemble(SEVEN)
    assert list(e.collapse()[0].vertex_names()) == ["x0", "x2", "x3", "x4", "x5"]
    assert list(e.take(objects=[5, 2]).vertex_names()) == ["x5", "x2"]
    few = e.drop(objects=["x0"]).drop(objects=["x1"])
    assert list(few.vertex_names()) == ["x2", "x3", "x4", "x5", "x6"]
    assert list(ge.Ensemble(pd.DataFrame(SEVEN)).drop(objects=[0]).drop(objects=[1]).vertex_names()) == [
        2, 3, 4, 5, 6,
    ]  # fmt: skip
    assert e.to_frame().index.tolist() == ge.vote(e, 3).to_frame().index.tolist()
    r = ge.vote(e, 3).update(without=["x0"]).update(without=["x1"])
    assert list(r.names) == list(r.ensemble.vertex_names()) == list(few.vertex_names())


def test_vertices_of_exports_are_the_first_of_their_objects(tmp_path):
    r = ge.cspa(SEVEN, 3, seed=0)
    first = {"x0": 2, "x2": 1, "x3": 1, "x4": 1, "x5": 2}
    made = r.to_networkx()
    assert dict(made.nodes(data="objects")) == first
    written = {text.get_text() for text in r.plot("graph").ax_.texts}
    assert {"x0 +1", "x2", "x5 +1"} <= written
    assert dict(zip(r.to_igraph().vs["name"], r.to_igraph().vs["objects"], strict=True)) == first
    for ending in (".graphml", ".gexf", ".gml", ".net", ".csv"):
        r.graph.write(tmp_path / f"g{ending}", consensus=r)
        text = (tmp_path / f"g{ending}").read_text()
        assert all(name in text for name in first), ending
        assert "x1" not in text, ending
    assert set(nx.read_graphml(tmp_path / "g.graphml").nodes(data="objects")) == set(
        zip(map(str, nx.read_graphml(tmp_path / "g.graphml")), first.values(), strict=True)
    )
    hif = ge.hgpa(SEVEN, 3, seed=0).graph.to_hif()
    assert [node["node"] for node in hif["nodes"]] == list(first)
    assert sorted(ge.hne(SEVEN, 3).dendrogram.names) == [f"x{i}" for i in range(7)]


RNG = np.random.default_rng(0)
TWELVE = pd.DataFrame(RNG.integers(0, 3, (12, 4)), index=list("lkjihgfedcba"), columns=list("PQRS"))
ALIGNED = ge.Ensemble(TWELVE)
ANSWER = ge.vote(ALIGNED, 3)
#: what is given for each object, in the order of the objects
GIVEN = {
    "y": pd.Series(RNG.integers(0, 3, 12), index=TWELVE.index),
    "w": pd.Series(RNG.random(12) + 0.1, index=TWELVE.index),
    "X": pd.DataFrame(RNG.random((12, 2)), index=TWELVE.index),
}
NETWORK = ge.coassociation(ALIGNED).threshold(0.2)
#: every place that takes something for each object
PLACES = {
    "ari": lambda y, w, X: ge.measures.ari(GIVEN["y"], y),
    "ari of a consensus": lambda y, w, X: ge.measures.ari(ANSWER, y),
    "error rate": lambda y, w, X: ge.measures.error_rate(y, ANSWER),
    "agreement": lambda y, w, X: ge.measures.agreement(TWELVE["P"], y, "ami"),
    "binder": lambda y, w, X: ge.measures.binder(TWELVE["P"], y),
    "element centric": lambda y, w, X: ge.measures.element_similarities(TWELVE["P"], y),
    "anmi": lambda y, w, X: ge.measures.anmi(y, TWELVE),
    "novelty": lambda y, w, X: ge.measures.novelty(y, TWELVE),
    "robustness": lambda y, w, X: ge.measures.robustness(ANSWER, TWELVE, y),
    "expected loss": lambda y, w, X: ge.measures.expected_loss(y, TWELVE),
    "silhouette": lambda y, w, X: ge.measures.reliable_silhouette(y, TWELVE),
    "diversity": lambda y, w, X: ge.measures.diversity(TWELVE, "entropy", y),
    "internal": lambda y, w, X: ge.measures.internal(GIVEN["X"], y),
    "internal of X": lambda y, w, X: ge.measures.internal(X, GIVEN["y"]),
    "internal weights": lambda y, w, X: ge.measures.internal_weights(X, TWELVE),
    "compare": lambda y, w, X: ge.compare(TWELVE, 3, methods=["vote"], truth=y, seed=0).figures["ari"],
    "credible ball": lambda y, w, X: ge.credible_ball(y, ALIGNED).radius,
    "match": lambda y, w, X: ge.match(ANSWER, y).counts,
    "eac": lambda y, w, X: ge.eac(TWELVE, 3, neighbors=2, X=X).labels,
    "hne": lambda y, w, X: ge.hne(TWELVE, 3, neighbors=2, X=X).labels,
    "wce": lambda y, w, X: ge.consensus(TWELVE, 3, method="wce", X=X, seed=0).labels,
    "vote": lambda y, w, X: ge.vote(TWELVE, reference=y).labels,
    "object weights": lambda y, w, X: ge.Ensemble(TWELVE, object_weights=w).object_weights,
    "append": lambda y, w, X: ALIGNED.append(y).labels,
    "update": lambda y, w, X: ANSWER.update(y).ensemble.labels,
    "cut": lambda y, w, X: NETWORK.cut(y),
    "connectivity": lambda y, w, X: ge.hypergraph(TWELVE).connectivity(y),
    "vertices": lambda y, w, X: [c for _, c in NETWORK.to_networkx(consensus=y).nodes(data="cluster")],
    "scatter": lambda y, w, X: ANSWER.plot("scatter", X=X).points,
    "heatmap": lambda y, w, X: ANSWER.plot("heatmap", classes=y).classes,
    "flow": lambda y, w, X: ANSWER.plot("flow", classes=y).bands[-1],
    "graph": lambda y, w, X: NETWORK.plot(labels=y, X=X).position,
    "hypergraph": lambda y, w, X: ge.hypergraph(TWELVE).plot(labels=y).labels,
    "tree": lambda y, w, X: ge.link(NETWORK, "average").plot(labels=y).group_owner,
    "page": lambda y, w, X: ANSWER.explore(X=X).page,
    "page of a graph": lambda y, w, X: NETWORK.explore(X=X, labels=y).page,
    "page of a tree": lambda y, w, X: ge.link(NETWORK, "average").explore(labels=y).page,
    "views": lambda y, w, X: ge.generate([GIVEN["X"], X], 3, k=3, seed=0).labels,
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_what_is_given_for_each_object_is_matched_by_name(place, tmp_path):
    read = PLACES[place]
    expected = read(**GIVEN)
    order = RNG.permutation(12)
    shuffled = {name: value.iloc[order] for name, value in GIVEN.items()}
    others = {name: value.set_axis(list("abcdefghijkz")) for name, value in GIVEN.items()}
    assert np.array_equal(read(**shuffled), expected)
    assert np.array_equal(read(**{name: value.to_numpy() for name, value in GIVEN.items()}), expected)
    assert np.array_equal(read(**{name: value.reset_index(drop=True) for name, value in GIVEN.items()}), expected)
    if place != "match":  # it leaves out what only one has
        with pytest.raises(InputError, match=r"'z'|'l'"):
            read(**others)


def test_weights_of_partitions_are_matched_by_name():
    e = ge.Ensemble(TWELVE, weights=pd.Series({"S": 4, "P": 1, "Q": 2, "R": 3}))
    assert e.weights.tolist() == [1, 2, 3, 4]
    assert e.reweight(pd.Series({"S": 1, "P": 4, "Q": 3, "R": 2})).weights.tolist() == [4, 3, 2, 1]
    with pytest.raises(InputError, match="none is called 'S'"):
        ge.Ensemble(TWELVE, weights=pd.Series({"P": 1, "Q": 2, "R": 3, "T": 3}))
    assert ge.Ensemble(TWELVE.to_numpy(), weights=pd.Series([1, 2, 3, 4], index=[5, 6, 7, 8])).weights[3] == 4


def test_a_name_that_occurs_twice_leaves_with_all_its_objects():
    with pytest.warns(GraphensWarning, match="have the name"):
        e = ge.Ensemble(LABELS, object_names=list("abacad"))
    assert e.drop(objects="a").object_names.tolist() == ["b", "c", "d"]


def test_default_names_are_matched_only_with_the_same_names():
    y = pd.Series(np.arange(12) // 4)
    counted = ge.Ensemble(TWELVE.reset_index(drop=True))
    assert ge.measures.anmi(y.sample(frac=1, random_state=0), counted) == ge.measures.anmi(y, counted)
    assert np.array_equal(counted.append(y.sample(frac=1, random_state=0)).labels[:, -1], y)
    plain = ge.Ensemble(TWELVE.to_numpy())
    assert np.array_equal(plain.append(y.set_axis(TWELVE.index)).labels[:, -1], y)
    back = plain.take(objects=np.arange(12)[::-1])
    assert np.array_equal(plain.append(back.take(partitions=[0])).codes[-1], plain.codes[0])


def test_one_long_name_costs_its_own_length(tmp_path):
    import tracemalloc

    n, long = 2000, "y" * 100_000
    names = [f"object {i}" for i in range(n - 1)] + [long]
    tracemalloc.start()
    e = ge.Ensemble(np.arange(2 * n).reshape(n, 2) % 3, object_names=names)
    labels = ge.Ensemble.from_partitions([names])
    for value in (e, labels, ge.coassociation(e)):
        value.save(tmp_path / "value.npz")
        assert (tmp_path / "value.npz").stat().st_size < 1_000_000
    assert ge.load(tmp_path / "value.npz").names == e.vertex_names()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40_000_000  # NumPy's fixed width takes 800 MB


def test_the_command_line_finds_objects_by_what_their_names_read(tmp_path, monkeypatch, capsys):
    frame = pd.DataFrame(LABELS, columns=["a", "b", "c"]).assign(id=[30, 33, 7, 150, 4, 2])
    frame.to_parquet(tmp_path / "labels.parquet")
    monkeypatch.chdir(tmp_path)
    asked = ["labels.parquet", "-k", "2", "--id", "id"]
    assert main(["explain", *asked, "150"]) == 0
    assert capsys.readouterr().out.startswith("Object 150 is in cluster")
    assert main(["explain", *asked, "3"]) == 2
    assert "3 was given, but no object has that name" in capsys.readouterr().err
    assert main(["consensus", *asked, "-o", "out.parquet"]) == 0
    assert pd.read_parquet(tmp_path / "out.parquet")["id"].tolist() == frame["id"].tolist()
