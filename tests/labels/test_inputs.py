"""What users hand over as partitions: communities, dicts, Series, odd columns, odd labels."""

import copy
import pickle
import warnings
from pathlib import Path
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st
from scipy import sparse

import graphens as ge
from graphens.errors import GraphensError, GraphensWarning, InputError, OrientationWarning, TypeMismatch

KARATE = nx.karate_club_graph()


@pytest.fixture
def no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_communities_as_networkx_returns_them(no_warning):
    found = [nx.community.louvain_communities(KARATE, seed=s) for s in range(3)]
    found += [nx.community.greedy_modularity_communities(KARATE), nx.community.asyn_lpa_communities(KARATE, seed=1)]
    found.append(nx.community.label_propagation_communities(KARATE))
    e = ge.Ensemble.from_partitions(found)
    assert e.object_names.tolist() == list(range(34))
    assert e.n_partitions == 6
    for t in range(3):
        assert [set(np.flatnonzero(e.labels[:, t] == c)) for c in range(e.n_clusters[t])] == found[t]


def test_an_iterator_of_partitions(no_warning):
    e = ge.Ensemble.from_partitions(nx.community.girvan_newman(nx.path_graph(4)))
    assert e.n_clusters.tolist() == [2, 3, 4]


@pytest.mark.parametrize("kind", [set, frozenset, list, tuple, np.array])
def test_communities_of_every_kind(kind):
    e = ge.Ensemble.from_partitions([[kind(["b", "a"]), kind(["c"])], [kind(["c"]), kind(["b"])]])
    assert e.object_names.tolist() == ["a", "b", "c"]
    assert e.labels.tolist() == [[0, -1], [0, 1], [1, 0]]


def test_node_dicts_keep_their_order_and_names():
    e = ge.Ensemble.from_partitions([{"z": "red", "a": "blue"}, {"a": 1, "m": 7, "z": None}])
    assert e.object_names.tolist() == ["z", "a", "m"]
    assert e.labels.tolist() == [[1, -1], [0, 0], [-1, 1]]
    assert list(e.cluster_names) == ["P0:blue", "P0:red", "P1:1", "P1:7"]


def test_named_partitions_of_nodes():
    e = ge.Ensemble.from_partitions({"louvain": [{1, 2}, {3}], "hand": {3: 0, 1: 0}})
    assert e.partition_names == ("louvain", "hand")
    assert e.labels.tolist() == [[0, 0], [0, -1], [1, 0]]


def test_object_names_say_which_nodes_there_are():
    e = ge.Ensemble.from_partitions([[{1, 2}, {3}]], object_names=[3, 2, 1, 0])
    assert e.object_names.tolist() == [3, 2, 1, 0]
    assert e.labels[:, 0].tolist() == [1, 0, 0, -1]
    with pytest.raises(InputError, match="3 is not among the object names"):
        ge.Ensemble.from_partitions([[{1, 2}, {3}]], object_names=[1, 2])


def test_results_of_other_packages():
    cdlib = SimpleNamespace(communities=[["a", "c"], ["b"]])
    assert ge.Ensemble.from_partitions([cdlib]).labels.ravel().tolist() == [0, 1, 0]
    real = pytest.importorskip("igraph").Graph.Famous("Zachary").community_multilevel()
    assert ge.Ensemble.from_partitions([real]).codes[0].tolist() == real.membership


def test_nodes_without_a_common_order_come_in_a_fixed_one():
    nodes = ["b", 2, ("t", 1), "a", 1]
    for order in (nodes, nodes[::-1]):
        e = ge.Ensemble.from_partitions([[[node] for node in order]])
        assert e.object_names.tolist() == [1, 2, "a", "b", ("t", 1)]


@given(st.lists(st.dictionaries(st.integers(0, 8), st.integers(0, 3), min_size=1), min_size=1, max_size=4))
def test_dicts_communities_and_vectors_tell_the_same(dicts):
    nodes = sorted(set().union(*dicts))
    vectors = [[d.get(node) for node in nodes] for d in dicts]
    groups = [[{n for n in d if d[n] == c} for c in sorted(set(d.values()))] for d in dicts]
    plain = ge.Ensemble.from_partitions(vectors, object_names=nodes)
    assert ge.Ensemble.from_partitions(dicts, object_names=nodes) == plain
    assert np.array_equal(ge.Ensemble.from_partitions(groups).labels, plain.labels)


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ([[{1, 2}, {2, 3}]], InputError, "2 in more than one community"),
        ([[{1}, {2}], [0, 1]], InputError, "Partition 1 is a label vector"),
        ([{1, 2}, {3}], TypeMismatch, "one community"),
        ([[[[1]], [[2]]]], TypeMismatch, "cannot be nodes"),
        ({"a": 0, "b": 1}, InputError, r"from_partitions\(\[nodes\]\)"),
        ([{"a": [0, 1]}], InputError, "one label for each object"),
    ],
)
def test_what_cannot_be_partitions_says_what_to_do(given, error, says):
    with pytest.raises(error, match=says):
        ge.Ensemble.from_partitions(given)


@pytest.mark.parametrize(
    "labels",
    [
        [[{1, 2}, {3}], [{1}, {2, 3}]],
        [[frozenset({1}), 0], [frozenset({2}), 0]],
        pd.DataFrame({"a": [frozenset({1}), frozenset({2})]}),
        pd.DataFrame({"a": [{1}, {2}]}),
        pd.DataFrame({"a": [[1], [2]]}),
        pd.DataFrame({"a": pd.Series([[1], [2]], dtype=pd.ArrowDtype(pa.list_(pa.int64())))}),
        pl.DataFrame({"a": [[1], [2]]}),
        pa.table({"a": [[1], [2]]}),
    ],
)
def test_groups_are_no_labels(labels):
    with pytest.raises(TypeMismatch, match="from_partitions"):
        ge.Ensemble(labels)


@pytest.mark.parametrize("read", [ge.Ensemble, ge.Ensemble.of, ge.Ensemble.from_partitions])
def test_dicts_and_series_are_partitions(read, no_warning):
    one, two = [0, 0, 1, 1] * 20, ["u", "v", "v", "v"] * 20
    wanted = ge.Ensemble.from_partitions([one, two], partition_names=["one", "two"])
    assert read({"one": one, "two": two}) == wanted
    assert read([pd.Series(one, name="one"), pd.Series(two, name="two")]) == wanted
    assert read([pl.Series("one", one), pl.Series("two", two)]) == wanted


def test_series_without_names_are_numbered():
    assert ge.Ensemble([pd.Series([0, 1]), pd.Series([1, 1])]).partition_names == ("P0", "P1")
    assert ge.Ensemble([pd.Series([0, 1], name="a")] * 2).partition_names == ("P0", "P1")


def test_a_frame_given_as_partitions_holds_its_columns():
    frame = pd.DataFrame({"a": [0, 1, 1], "b": [0, 0, 1]}, index=list("xyz"))
    assert ge.Ensemble.from_partitions(frame) == ge.Ensemble(frame)
    assert ge.Ensemble.from_partitions(pl.DataFrame({"a": [0, 1]})) == ge.Ensemble(pl.DataFrame({"a": [0, 1]}))


def test_lists_that_look_transposed_are_told_of_from_partitions(no_warning):
    vectors = [[0, 1] * 25, [1, 0] * 25]
    with pytest.warns(OrientationWarning, match="from_partitions") as caught:
        assert ge.Ensemble(vectors).n_objects == 2
    assert caught[0].filename == __file__
    with pytest.warns(OrientationWarning, match="4 partitions of 3 objects"):
        ge.Ensemble([np.array([0, 0, 1, 1])] * 3)
    assert ge.Ensemble.from_partitions([[0, 1]] * 1000).n_partitions == 1000
    ge.Ensemble([[0] * 4] * 2)


def test_a_million_columns_are_refused_at_once():
    with pytest.raises(InputError, match="looks transposed"):
        ge.Ensemble(np.zeros((3, 10**6), dtype=np.int8))


@pytest.mark.parametrize("n", [50, 300])
@pytest.mark.parametrize("make", [ge.Ensemble, ge.Ensemble.from_partitions])
def test_an_id_column_is_pointed_out_by_name(n, make):
    columns = {"km": np.arange(n) % 3, "customer": np.arange(n) * 7}
    with pytest.warns(GraphensWarning, match=f"'customer' has {n} different labels for {n} objects") as caught:
        make(columns)
    assert [w.filename for w in caught] == [__file__]


def test_nearly_as_many_clusters_as_objects():
    counts = np.arange(100)
    counts[:8] = 0
    with pytest.warns(GraphensWarning, match="'genes' has 93 different"):
        ge.Ensemble(pd.DataFrame({"genes": counts}))
    ids = [None] * 100 + list(range(60))
    with pytest.warns(GraphensWarning, match="60 different labels for 60 objects"):
        ge.Ensemble(pd.DataFrame({"ids": ids}))


def test_small_tables_and_fine_clusterings_are_not_questioned(no_warning):
    ge.Ensemble(np.arange(9)[:, None])
    ge.Ensemble((np.arange(300) // 3)[:, None])
    ge.generate(np.random.default_rng(0).random((60, 2)), 3, k=58, seed=0)


def test_masks_in_a_list_of_rows():
    rows = [np.ma.masked_equal([1, 2], 1), np.ma.masked_equal([1, 2], 2), [1, 2]]
    assert ge.Ensemble(rows).labels.tolist() == [[-1, 0], [0, -1], [0, 0]]
    assert ge.Ensemble.from_partitions(rows).labels.tolist() == [[-1, 0, 0], [0, -1, 1]]


@pytest.mark.parametrize(
    "make",
    [
        lambda values: pl.DataFrame({"a": values}),
        lambda values: pl.DataFrame({"a": pl.Series(values, dtype=pl.UInt64)}),
        lambda values: pl.DataFrame({"a": pl.Series(values, dtype=pl.Int128)}),
        lambda values: pa.table({"a": values}),
        lambda values: pd.DataFrame({"a": pd.Series(values, dtype="Int64")}),
        lambda values: {"a": pa.array(values)},
        lambda values: {"a": values},
    ],
)
def test_whole_numbers_beside_nulls_are_not_sent_through_floats(make):
    e = ge.Ensemble(make([2**53, 2**53 + 1, None]))
    assert e.labels.ravel().tolist() == [0, 1, -1]
    assert e.categories[0].tolist() == [2**53, 2**53 + 1]


def test_128_bits():
    with pytest.raises(InputError, match="64 bits"):
        ge.Ensemble(pl.DataFrame({"a": pl.Series([2**100, 1], dtype=pl.Int128)}))


def test_arrow_names_may_occur_twice():
    table = pa.table([pa.array([1, 2]), pa.array([2, 2])], names=["a", "a"])
    assert ge.Ensemble(table).labels.tolist() == [[0, 0], [1, 0]]


@pytest.mark.parametrize("values", [[[0, 1 + 5j], [1 + 5j, 0]], [["0", "1.5"], ["1.5", "0"]]])
def test_text_and_complex_numbers_are_no_numbers(values):
    for make in (lambda x: ge.Ensemble.from_memberships([x]), ge.Graph, ge.Hypergraph):
        for given_as in (np.array(values), np.array(values, dtype=object), values):
            with pytest.raises(ge.GraphensError, match="not numbers"):
                make(given_as)
    with pytest.raises(TypeMismatch, match="not numbers"):
        ge.Ensemble([[0, 1], [1, 1]], weights=values[0])


@pytest.mark.parametrize("sampling", [None, "hyperplanes"])
def test_nan_in_half_precision_is_refused(sampling):
    X = np.array([[1], [2], [np.nan], [4]], dtype=np.float16)
    with pytest.raises(InputError, match="NaN"):
        ge.generate(X, 3, k=2, sampling=sampling, seed=0)


@pytest.mark.parametrize(
    "make",
    [
        lambda text: ge.Ensemble([[text], ["a"]]),
        lambda text: ge.Ensemble(np.array([[text], ["a"]])),
        # as objects: the text of pandas 3 refuses it by itself
        lambda text: ge.Ensemble(pd.DataFrame({"p": [text, "a"]}, dtype=object)),
        lambda text: ge.Ensemble(pd.DataFrame([[0], [1]], columns=pd.Index([text], dtype=object))),
        lambda text: ge.Ensemble(pd.DataFrame({"p": [0, 1]}, index=pd.Index([text, "a"], dtype=object))),
        lambda text: ge.Ensemble([[0], [1]], object_names=[text, "a"]),
        lambda text: ge.Ensemble.from_partitions([{text: 0, "a": 1}]),
        lambda text: ge.Graph([[0, 1], [1, 0]], names=[text, "a"]),
    ],
)
def test_half_a_character_is_refused_where_it_enters(make):
    with pytest.raises(InputError, match=r"'\\ud800'.* UTF-8") as caught:
        make("\ud800")
    str(caught.value).encode()
    make("\U0001f600")


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_the_name_of_the_index_is_kept(how):
    frame = pd.DataFrame({"a": [0, 0, 1]}, index=pd.Index(["u", "v", "w"], name="customer_id"))
    e = how(ge.Ensemble(frame))
    assert e.index_name == "customer_id"
    assert e.take(objects=[0, 2]).vertex_names().title == "customer_id"
    assert e.collapse()[0].index_name == "customer_id"
    assert ge.Ensemble.from_partitions([frame["a"], frame["a"]]).index_name == "customer_id"
    assert e.to_frame().index.name == "customer_id"
    assert ge.Ensemble(frame, object_names=list("xyz")).index_name is None


def test_messages_keep_their_ends():
    with pytest.raises(InputError) as caught:
        ge.Ensemble([[0], [1]], object_names=["\ud800" * 100_000, "a"])
    assert len(str(caught.value)) < 2000
    assert str(caught.value).endswith(".decode().")


def test_a_text_that_numpy_would_shorten_is_kept(tmp_path):
    e = ge.Ensemble([["a\0"], ["a"]], object_names=("a\0", "a"))
    e.save(tmp_path / "e.npz")
    assert ge.load(tmp_path / "e.npz") == e
    assert e.object_names.tolist() == e.categories[0].tolist()[::-1] == ["a\0", "a"]


class Annotated:
    """Looks as AnnData does, and must not be read row by row."""

    obs = uns = obsm = None

    def __len__(self) -> int:
        raise AssertionError


@pytest.mark.parametrize(
    ("value", "advice"),
    [
        (Annotated(), r"sc\.consensus\(adata"),
        (nx.path_graph(3), r"communities\(graph\)"),
        (ge.Graph(np.ones((2, 2)) - np.eye(2)), r"communities\(graph\)"),
        ("labels.csv", r"'labels.csv' was given.*pandas\.read_csv"),
        (Path("labels.csv"), r"pandas\.read_csv"),
        (sparse.eye_array(3).tocsr(), "toarray"),
        (None, "type NoneType"),
        (5, "type int"),
        ((x for x in "ab"), "generator|Partition 0"),
    ],
)
def test_things_that_hold_no_labels_are_refused_with_where_they_go(value: object, advice: str) -> None:
    for read in (ge.Ensemble, ge.Ensemble.from_partitions):
        with pytest.raises(GraphensError, match=advice):
            read(value)


def test_cells_are_no_features() -> None:
    with pytest.raises(TypeMismatch, match="X_pca"):
        ge.generate(Annotated(), 3)


def test_columns_about_different_objects_are_to_be_aligned_first() -> None:
    some = pd.Series([0, 1, 1], index=["a", "b", "c"])
    for other in (pd.Series([0, 1, 1], index=["c", "b", "a"]), pd.Series([0, 1], index=["a", "c"])):
        with pytest.raises(InputError, match=r"pandas\.DataFrame\(columns\)"):
            ge.Ensemble.from_partitions({"one": some, "other": other})
        assert ge.Ensemble(pd.DataFrame({"one": some, "other": other})).n_objects == 3
    with pytest.raises(InputError, match="Partition 1 has 2 labels"):
        ge.Ensemble.from_partitions([pd.Series([0, 1, 1]), pd.Series([0, 1])])


@pytest.mark.parametrize("complete", [True, False])
def test_a_long_table_is_questioned(complete: object) -> None:
    rows = [(p, card, (card + p % 2) // 4) for p in range(5) for card in range(12) if complete or (p + card) % 7]
    long = pd.DataFrame(rows, columns=["person", "card", "group"])
    with pytest.warns(ge.errors.DoubtWarning, match=r"Columns 'person' and 'card' .*pivot"):
        ge.vote(long, 3)
    wide = long.pivot(index="card", columns="person", values="group")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ge.vote(wide, 3)
