"""What may be called a label, and what comes out of the gate."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import graphens as ge
from graphens.errors import InputError, TypeMismatch

# two clusters and one missing label, in everything a user may hold them in
MIXED = [7, 3, None, 7]
KNOWN = [[1], [0], [-1], [1]]
NAN = float("nan")
CONTAINERS = (
    {
        "list": [[x] for x in MIXED],
        "list with NaN": [[x if x is not None else NAN] for x in MIXED],
        "list with -1": [[x if x is not None else -1] for x in MIXED],
        "tuple of tuples": tuple((x,) for x in MIXED),
        "object array": np.array(MIXED, dtype=object)[:, None],
        "object array of floats": np.array([7.0, 3.0, NAN, 7.0], dtype=object)[:, None],
        "masked array": np.ma.masked_equal([[7], [3], [0], [7]], 0),
        "pandas object": pd.DataFrame({"a": pd.Series(MIXED, dtype=object)}),
        "pandas float": pd.DataFrame({"a": pd.Series(MIXED, dtype=float)}),
        "pandas Int64": pd.DataFrame({"a": pd.Series(MIXED, dtype="Int64")}),
        "pandas UInt8": pd.DataFrame({"a": pd.Series(MIXED, dtype="UInt8")}),
        "pandas Float32": pd.DataFrame({"a": pd.Series(MIXED, dtype="Float32")}),
        "pandas int64[pyarrow]": pd.DataFrame({"a": pd.Series(MIXED, dtype="int64[pyarrow]")}),
        "pandas category": pd.DataFrame({"a": pd.Categorical(MIXED, categories=[1, 3, 5, 7, 9])}),
        "polars": pl.DataFrame({"a": MIXED}),
        "polars UInt8": pl.DataFrame({"a": pl.Series(MIXED, dtype=pl.UInt8)}),
        "arrow": pa.table({"a": MIXED}),
    }
    | {f"{kind} array": np.array([7, 3, NAN, 7], dtype=kind)[:, None] for kind in ("float16", "float32", "float64")}
    | {f"{kind} array": np.array([7, 3, -1, 7], dtype=kind)[:, None] for kind in ("int8", "int16", "int32", "int64")}
)
TEXT = ["b", "a", None, "b"]
TEXTS = {
    "list": [[x] for x in TEXT],
    "list with NaN": [[x if x is not None else NAN] for x in TEXT],
    "list with -1": [[x if x is not None else -1] for x in TEXT],
    "object array": np.array(TEXT, dtype=object)[:, None],
    "pandas object": pd.DataFrame({"a": TEXT}),
    "pandas string": pd.DataFrame({"a": pd.Series(TEXT, dtype="string")}),
    "pandas string[pyarrow]": pd.DataFrame({"a": pd.Series(TEXT, dtype="string[pyarrow]")}),
    "pandas category": pd.DataFrame({"a": pd.Categorical(TEXT, categories=["z", "a", "b", "c"])}),
    "pandas ordered category": pd.DataFrame({"a": pd.Categorical(TEXT, categories=["b", "a"], ordered=True)}),
    "polars": pl.DataFrame({"a": TEXT}),
    "polars categorical": pl.DataFrame({"a": pl.Series(TEXT, dtype=pl.Categorical)}),
    "polars enum": pl.DataFrame({"a": pl.Series(TEXT, dtype=pl.Enum(["c", "b", "a"]))}),
    "arrow": pa.table({"a": TEXT}),
    "arrow dictionary": pa.table({"a": pa.array(TEXT).dictionary_encode()}),
}


@pytest.mark.parametrize("given", CONTAINERS.values(), ids=CONTAINERS)
def test_numbers_in_every_container(given):
    e = ge.Ensemble(given)
    assert e.labels.tolist() == KNOWN
    assert [name.split(":")[1] for name in e.cluster_names] == ["3", "7"]


@pytest.mark.parametrize("given", TEXTS.values(), ids=TEXTS)
def test_text_in_every_container(given):
    e = ge.Ensemble(given)
    assert e.labels.tolist() == KNOWN
    assert [name.split(":")[1] for name in e.cluster_names] == ["a", "b"]


@pytest.mark.parametrize(
    "given", [MIXED, TEXT, pd.Series(MIXED, dtype="Int64"), pl.Series(TEXT), np.array([7, 3, NAN, 7])]
)
def test_one_vector_reads_like_one_column(given):
    assert ge.Ensemble.from_partitions([given]).labels.tolist() == KNOWN


@pytest.mark.parametrize(
    "given",
    [
        ["a", NAN, "b"],
        ["a", None, "b"],
        ["a", -1, "b"],
        ["a", np.nan, np.str_("b")],
        ["a", Decimal("NaN"), "b"],
        np.array(["a", np.datetime64("NaT"), "b"], dtype=object),
        np.array([1, np.timedelta64("NaT"), 2], dtype=object),
        pd.Series([1, Decimal("NaN"), 2], dtype=object),
    ],
)
def test_missing_among_text_is_never_a_cluster(given):
    e = ge.Ensemble.from_partitions([given])
    assert e.n_clusters.tolist() == [2]
    assert e.n_missing == 1


@pytest.mark.parametrize(
    ("given", "labels"),
    [
        *((np.array([[1], [0], [1]], dtype=kind), [[1], [0], [1]]) for kind in ("uint8", "uint64", "bool")),
        (pl.DataFrame({"a": [True, False, None]}), [[1], [0], [-1]]),
        (pd.DataFrame({"a": pd.Series([True, False, pd.NA], dtype="boolean")}), [[1], [0], [-1]]),
        (np.array([[-1], [2**62], [0], [2**62]]), [[-1], [1], [0], [1]]),
        (np.array([[2**53], [2**53 + 1]], dtype=object), [[0], [1]]),  # not sent through floats
        ([[0, -1], [1, None]], [[0, -1], [1, -1]]),
        ([[NAN, None], [None, -1]], [[-1, -1], [-1, -1]]),
        (pd.DataFrame({"a": pd.Categorical(["x", "x"], categories=["w", "x", "y"])}), [[0], [0]]),
    ],
)
def test_flags_huge_numbers_and_gaps(given, labels):
    e = ge.Ensemble(given)
    assert e.labels.tolist() == labels
    assert e.n_clusters.tolist() == (np.max(labels, axis=0) + 1).tolist()
    assert e.present.tolist() == (np.max(labels, axis=1) >= 0).tolist()


@pytest.mark.parametrize(
    "values",
    [
        np.array([2**63 + 5, 2**63 + 1], dtype=np.uint64),
        np.array([2**64 - 1, 0], dtype=np.uint64),
        np.array([2**62, 5], dtype=np.int64),
        np.array([10**17 + 1, 10**17], dtype=object),
        np.array(["zebra", "antelope"]),
        np.array([b"z", b"a"]),
        [2**63 + 2, 2**63],
    ],
)
def test_large_labels_keep_their_order_and_identity(values):
    e = ge.Ensemble.from_partitions([values])
    assert e.labels[:, 0].tolist() == [1, 0]
    assert len(set(e.cluster_names)) == 2


@pytest.mark.parametrize("n", [254, 255, 256, 65534, 65535, 65536, 70000])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.filterwarnings("ignore:Column:graphens.errors.GraphensWarning")
def test_the_sentinel_never_meets_a_cluster(n, missing):
    column = np.arange(n + missing) - missing
    e = ge.Ensemble(column[:, None])
    assert e.n_clusters.tolist() == [n]
    assert np.array_equal(e.labels[:, 0], column)
    assert e.n_missing == missing
    narrow = np.uint8 if n <= 255 else np.uint16 if n <= 65535 else np.uint32
    assert e.codes.dtype == narrow


def test_a_wide_partition_widens_the_others():
    small, large = np.array([-1, 0, 1] * 200), np.arange(600)
    for order in ([small, large, small], [large, small, small]):
        e = ge.Ensemble.from_partitions(order)
        assert e.codes.dtype == np.uint16
        assert np.array_equal(e.labels, np.column_stack(order))


def test_names_come_from_a_frame():
    frame = pd.DataFrame({"km": [0, 1], 3: ["u", "v"]}, index=["one", "two"])
    e = ge.Ensemble(frame)
    assert e.partition_names == ("km", "3")
    assert list(e.vertex_names()) == ["one", "two"]
    assert list(e.cluster_names) == ["km:0", "km:1", "3:u", "3:v"]
    assert ge.Ensemble(pl.DataFrame({"km": [0, 1]})).partition_names == ("km",)
    assert ge.Ensemble(frame.set_axis(["a", "a"], axis=1)).labels.tolist() == [[0, 0], [1, 1]]


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ([[0.5], [1.0]], InputError, "0.5"),
        ([[np.inf], [1.0]], InputError, "inf"),
        ([[2.0**60], [1.0]], InputError, "whole numbers"),
        ([[-2], [1]], InputError, "-2"),
        ([[-2.0], [1.0]], InputError, "-2"),
        (np.array([[-7], [None]], dtype=object), InputError, "-7"),
        (np.array([[0.5], [None]], dtype=object), InputError, "0.5"),
        (np.array([[2**70], [1]], dtype=object), InputError, "64 bits"),
        (pd.DataFrame({"a": pd.Series([1.5, None], dtype="Float64")}), InputError, "1.5"),
        ([["a"], [3]], TypeMismatch, "mixes numbers and text"),
        ([[1], [-99]], InputError, "replace it with None (on the command line: add --missing=-99)"),
        (np.array([["a"], [[1, 2]]], dtype=object), TypeMismatch, "from_partitions"),
        (np.array([[1 + 2j]]), TypeMismatch, "complex"),
        ([[1 + 2j], [1]], TypeMismatch, "complex"),
        (np.array([[1 + 2j]], dtype=object), TypeMismatch, "complex"),
        (np.array([["2020-01-01"]], dtype="M8[D]"), TypeMismatch, "datetime"),
        ([0, 1, 2], InputError, "from_partitions"),
        (np.zeros((2, 2, 2), dtype=int), InputError, "(2, 2, 2)"),
        ([[0, 1], [0]], InputError, "different lengths"),
        ([np.ma.array([0, 1]), np.ma.array([0])], InputError, "different lengths"),
        ([], InputError, "n_objects"),
        ([[]], InputError, "No partition"),
        (np.zeros((0, 3), dtype=int), InputError, "No object"),
        (np.zeros((3, 0), dtype=int), InputError, "No partition"),
        (pd.DataFrame(), InputError, "No partition"),
        ({"a": 0, "b": 1}, InputError, "from_partitions([nodes])"),
        ({0, 1}, TypeMismatch, "from_partitions"),
        ("abc", TypeMismatch, "'abc' was given"),
        (None, TypeMismatch, "NoneType"),
        (np.int64(3), TypeMismatch, "int64"),
    ],
)
def test_what_makes_no_sense_is_an_error_that_says_so(given, error, says):
    with pytest.raises(error) as caught:
        ge.Ensemble(given)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([], "No partition"),
        ([[0, 1], [0]], "Partition 1 has 1 labels"),
        ([3, 4], "expected a label vector"),
        ([[], []], "No object"),
    ],
)
def test_label_vectors_are_checked(given, says):
    with pytest.raises(ge.GraphensError, match=says):
        ge.Ensemble.from_partitions(given)
