"""The ensemble as a value: what it keeps, what it makes, what it refuses."""

import warnings

import numpy as np
import pandas as pd
import pytest
from plain import random_ensemble

import graphens as ge
from graphens.errors import InputError, OrientationWarning, TypeMismatch
from graphens.labels.names import Names

LABELS = [[0, 5, 1], [0, 5, -1], [1, 6, 1], [1, 7, 2]]


def test_partition_major_and_narrow():
    e = ge.Ensemble(LABELS)
    assert e.codes.shape == (3, 4)
    assert e.codes.dtype == np.uint8
    assert all(row.flags.c_contiguous for row in e.codes)
    assert e.labels.dtype == np.int32
    assert e.labels.tolist() == [[0, 0, 0], [0, 0, -1], [1, 1, 0], [1, 2, 1]]
    assert e.n_clusters.tolist() == [2, 3, 2]
    assert e.offsets.tolist() == [0, 2, 5, 7]
    assert e.absent == 255


def test_sizes_presence_and_names():
    e = ge.Ensemble(LABELS, object_weights=[1, 2, 3, 4])
    assert e.cluster_sizes().tolist() == [3, 7, 3, 3, 4, 4, 4]
    assert (e.n_missing, e.has_missing) == (1, True)
    assert list(e.cluster_names) == ["P0:0", "P0:1", "P1:5", "P1:6", "P1:7", "P2:1", "P2:2"]
    assert list(e.vertex_names()) == ["x0", "x1", "x2", "x3"]
    assert repr(e) == "Ensemble(4 objects × 3 partitions, 7 clusters, 1 label missing)"


def test_one_object_one_partition():
    e = ge.Ensemble([[3]])
    assert (e.n_objects, e.n_partitions, e.n_clusters.tolist()) == (1, 1, [1])
    micro, index = e.collapse()
    assert micro == e
    assert index.tolist() == [0]


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"weights": [1, 2]}, InputError, "3 partitions"),
        ({"weights": [1, 2, -1]}, InputError, "-1"),
        ({"weights": [1, 2, np.nan]}, InputError, "nan"),
        ({"weights": [1, 2, np.inf]}, InputError, "finite"),
        ({"weights": [0, 0, 0]}, InputError, "zero"),
        ({"weights": 3}, InputError, "one weight each"),
        ({"weights": "abc"}, TypeMismatch, "not numbers"),
        ({"weights": [[1, 2, 3]]}, InputError, "one weight each"),
        ({"object_weights": [1, 1, 1, 0]}, InputError, "positive"),
        ({"object_weights": [1, 1, 1]}, InputError, "4 objects"),
        ({"partition_names": ["a", "b"]}, InputError, "2 names"),
        ({"partition_names": "abc"}, InputError, "one name each"),
        ({"object_names": ["a"]}, InputError, "1 names"),
    ],
)
def test_what_goes_with_the_labels_is_checked(options, error, says):
    with pytest.raises(error, match=says):
        ge.Ensemble(LABELS, **options)


def test_an_ensemble_is_not_a_table():
    e = ge.Ensemble(LABELS)
    with pytest.raises(TypeMismatch, match=r"Ensemble\.of"):
        ge.Ensemble(e)
    assert ge.Ensemble.of(e) is e
    assert ge.Ensemble.of(LABELS) == e


def test_transposed_labels_are_pointed_out():
    with pytest.warns(OrientationWarning, match="transposed") as caught:
        ge.Ensemble(np.zeros((2, 21), dtype=int))
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ge.Ensemble(np.zeros((2, 20), dtype=int))


def test_a_mapping_names_the_partitions():
    e = ge.Ensemble.from_partitions({"a": [0, 1], "b": ["u", "v"]})
    assert e.partition_names == ("a", "b")
    assert ge.Ensemble.from_partitions(iter([[0, 1], [1, 1]])).n_partitions == 2


def test_what_was_given_stays_the_users_own():
    labels, weights = np.array(LABELS), np.ones(3)
    e = ge.Ensemble(labels, weights=weights)
    labels[:] = 0
    weights[:] = 5
    assert e == ge.Ensemble(LABELS)


@pytest.mark.parametrize(
    "other",
    [
        ge.Ensemble(LABELS[:3]),
        ge.Ensemble([row[:2] for row in LABELS]),
        ge.Ensemble(LABELS, weights=[1, 1, 2]),
        ge.Ensemble(LABELS, object_weights=[1, 1, 1, 2]),
        ge.Ensemble(LABELS, partition_names=["P0", "P1", "c"]),
        ge.Ensemble(LABELS, object_names=["x0", "x1", "x2", "y"]),
        ge.Ensemble([[9 if x == 7 else x for x in row] for row in LABELS]),
        "labels",
    ],
)
def test_any_difference_makes_ensembles_unequal(other):
    assert ge.Ensemble(LABELS) != other


def test_append_keeps_everything_and_adds_behind():
    e = ge.Ensemble(LABELS, weights=[1, 2, 3], object_names=list("abcd"))
    wide = np.arange(4) * 1000
    more = e.append(wide[:, None], weights=[4])
    assert more.labels.tolist() == [[*row, i] for i, row in enumerate(e.labels.tolist())]
    assert more.weights.tolist() == [1, 2, 3, 4]
    assert more.partition_names == ("P0", "P1", "P2", "P3")
    assert more.object_names.tolist() == list("abcd")
    assert e.n_partitions == 3


@pytest.mark.filterwarnings("ignore:Column:graphens.errors.GraphensWarning")
def test_append_widens_and_keeps_missing_missing():
    narrow = ge.Ensemble([[i % 7 - 1] for i in range(400)])
    wide = ge.Ensemble([[i - 1] for i in range(400)])
    for first, second in ((narrow, wide), (wide, narrow)):
        both = first.append(second)
        assert both.codes.dtype == np.uint16
        assert np.array_equal(both.labels, np.hstack([first.labels, second.labels]))
        assert both.take(partitions=[0]).codes.dtype == first.codes.dtype


def test_append_takes_weights_of_an_ensemble_or_the_given_ones():
    e = ge.Ensemble(LABELS, weights=[1, 2, 3])
    assert e.append(e).weights.tolist() == [1, 2, 3, 1, 2, 3]
    assert e.append(e, weights=[4, 5, 6]).weights.tolist() == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("names", [("P0", "P1"), ("P3", "a"), ("P2", "P3"), ("a", "a")])
def test_append_never_makes_a_name_twice_by_itself(names):
    e = ge.Ensemble([[0, 1], [1, 1]], partition_names=names)
    joined = e.append([[0, 1], [1, 0]]).append([[0, 1], [1, 0]]).partition_names
    assert len(set(joined)) == len(joined) - (names[0] == names[1])


def test_append_refuses_other_objects():
    e = ge.Ensemble(LABELS, object_names=list("abcd"))
    with pytest.raises(InputError, match="3 objects cannot join"):
        e.append(LABELS[:3])
    with pytest.raises(InputError, match=r"1 object that the ensemble does not have, such as 'x'.*r\.update"):
        e.append(ge.Ensemble(LABELS, object_names=list("abdx")))
    twice = ge.Ensemble(LABELS)._replace(_names=Names(np.array(list("abca"), dtype=object)))
    with pytest.raises(InputError, match="Several objects have the same name"):
        e.append(twice)


def test_append_finds_objects_by_name():
    e = ge.Ensemble(LABELS, object_names=list("abcd"))
    turned = [3, 1, 0, 2]
    other = ge.Ensemble(np.array(LABELS)[turned], object_names=np.array(list("abcd"))[turned])
    assert e.append(other).labels.tolist() == e.append(LABELS).labels.tolist()
    some = e.append(other.take(objects=[0, 2]))
    assert some.labels[:, 3:].tolist() == [
        row if name in "da" else [-1, -1, -1] for name, row in zip("abcd", some.labels[:, 3:].tolist(), strict=True)
    ]
    assert some.labels[0, 3:].tolist() != [-1, -1, -1]
    soft = ge.Ensemble.from_memberships([[[0.9, 0.1], [0.2, 0.8]]], object_names=["d", "b"])
    assert e.append(soft).memberships[3].tolist() == [[0, 0], [0.2, 0.8], [0, 0], [0.9, 0.1]]


@pytest.mark.parametrize(
    "vector",
    [
        ["x", "y", "x", None],
        np.array(["x", "y", "x", ""], dtype=object),
        pd.Series(["x", "y", "x", None], name="new"),
        pd.Series(["x", None, "y", "x"], index=list("cdba"), name="new"),
        {"a": "x", "c": "x", "b": "y"},
        pd.DataFrame({"new": ["x", "y", "x", None]}),
    ],
    ids=["list", "array", "Series", "indexed", "dict", "frame"],
)
def test_append_takes_one_vector(vector):
    e = ge.Ensemble(LABELS, object_names=list("abcd"))
    grown = e.append(vector)
    assert grown.n_partitions == e.n_partitions + 1
    assert grown.labels[:3, -1].tolist() in ([0, 1, 0], [1, 2, 1])
    assert grown.object_names.tolist() == list("abcd")
    assert e.append(vector, partition_names=["seventh"]).partition_names[-1] == "seventh"
    assert grown.take(partitions=range(e.n_partitions)) == e


def test_drop_by_name():
    e = ge.Ensemble(LABELS, object_names=list("abcd"), partition_names=["x", "y", "x"], weights=[1, 2, 3])
    assert e.drop("x") == e.take(partitions=[1])
    assert e.drop(["y"]) == e.take(partitions=[0, 2])
    assert e.drop() == e
    assert e.drop(objects=["c", "a"]) == e.take(objects=[1, 3])
    assert e.drop("y", objects="d") == e.take(objects=[0, 1, 2], partitions=[0, 2])
    assert e.append([0, 1, 0, 1], partition_names=["z"]).drop("z") == e
    with pytest.raises(InputError, match=r"no partition called 'xx'; the ensemble has x, y, x\. Did you mean x\?"):
        e.drop("xx")
    with pytest.raises(InputError, match="no object called 'e'"):
        e.drop(objects=["a", "e"])
    with pytest.raises(InputError, match="remove all partitions"):
        e.drop(["x", "y"])
    with pytest.raises(InputError, match="remove all objects"):
        e.drop(objects=list("abcd"))


@pytest.mark.filterwarnings("ignore:2 objects have the name:graphens.errors.GraphensWarning")
@pytest.mark.parametrize("rows", [[0, 2], [3, 0, 1], [True, False, False, True], [-1, 0], [1, 1, 2], np.array([2])])
@pytest.mark.parametrize("columns", [None, [2, 0], [False, True, True], [1, 1, 1]])
def test_take_is_the_ensemble_of_the_rows_and_columns(rows, columns):
    labels = np.array(LABELS)
    e = ge.Ensemble(labels, weights=[1, 2, 3], object_weights=[4, 3, 2, 1], object_names=list("abcd"))
    picked = e.take(objects=rows, partitions=columns)
    columns = slice(None) if columns is None else columns
    wanted = ge.Ensemble(
        labels[rows][:, columns],
        weights=e.weights[columns],
        object_weights=e.object_weights[rows],
        object_names=e.object_names[rows],
        partition_names=np.array(e.partition_names)[columns],
    )
    assert picked == wanted
    assert picked.codes.flags.c_contiguous


@pytest.mark.filterwarnings("ignore:Column:graphens.errors.GraphensWarning")
def test_take_narrows_and_stays_contiguous():
    e = ge.Ensemble(np.column_stack([np.arange(300), np.arange(300) % 3 - 1]))
    few = e.take(objects=np.arange(0, 300, 7))
    again = ge.Ensemble(np.column_stack([np.arange(300), np.arange(300) % 3 - 1])[::7])
    assert few == again._replace(_names=e.vertex_names()[::7])
    assert few.codes.dtype == np.uint8
    assert few.codes.flags.c_contiguous


@pytest.mark.parametrize("bad", [[4], [-5], [0.5], [], ["a"], [[0]], [True, False], 1])
def test_take_refuses_what_is_not_there(bad):
    e = ge.Ensemble(LABELS)
    with pytest.raises(InputError):
        e.take(objects=bad)


def test_reweight():
    e = ge.Ensemble(LABELS)
    assert e.reweight([1, 0, 2]) == ge.Ensemble(LABELS, weights=[1, 0, 2])
    with pytest.raises(InputError):
        e.reweight([1, 2])


def check_collapse(e):
    micro, index = e.collapse()
    rows, first = np.unique(e.codes, axis=1, return_index=True)
    assert np.array_equal(micro.codes[:, index], e.codes)
    assert micro.n_objects == rows.shape[1]
    assert np.array_equal(micro.codes, e.codes[:, np.sort(first)])  # in order of first appearance
    assert np.allclose(micro.object_weights, np.bincount(index, weights=e.object_weights))
    assert np.array_equal(micro.n_clusters, e.n_clusters)
    assert np.array_equal(micro.weights, e.weights)
    assert micro.codes.flags.c_contiguous
    assert not index.flags.writeable


def test_collapse_loses_nothing_on_random_ensembles():
    rng = np.random.default_rng(0)
    for _ in range(200):
        check_collapse(random_ensemble(rng, k=2))


@pytest.mark.parametrize("distinct", [3, 5000, 40000])
def test_collapse_grows_its_table(distinct):
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 300, size=(distinct, 4))
    check_collapse(ge.Ensemble(rows[rng.integers(distinct, size=50000)], object_weights=rng.random(50000) + 0.1))


def test_collapse_keeps_the_first_name():
    micro, index = ge.Ensemble([[1], [1], [0]], object_names=["a", "b", "c"]).collapse()
    assert micro.object_names.tolist() == ["a", "c"]
    assert index.tolist() == [0, 0, 1]


@pytest.mark.filterwarnings("ignore:Column:graphens.errors.GraphensWarning")
def test_collapse_of_all_equal_and_all_different():
    micro, _ = ge.Ensemble(np.zeros((1000, 3), dtype=int)).collapse()
    assert (micro.n_objects, micro.object_weights.tolist()) == (1, [1000.0])
    micro, index = ge.Ensemble(np.arange(1000)[:, None]).collapse()
    assert np.array_equal(index, np.arange(1000))
