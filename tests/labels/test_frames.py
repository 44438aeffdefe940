"""Frames of every package give the same ensemble, and answers come back in frames of that package."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings

import graphens as ge


def _modin(columns: dict[str, Any]) -> Any:
    config = pytest.importorskip("modin.config")
    config.Engine.put("python")
    return pytest.importorskip("modin.pandas").DataFrame(columns)


def _duckdb(columns: dict[str, Any]) -> Any:
    return pytest.importorskip("duckdb").from_arrow(pa.table(columns))


NULLABLE = {
    pa.int64(): pd.Int64Dtype(),
    pa.float64(): pd.Float64Dtype(),
    pa.bool_(): pd.BooleanDtype(),
    pa.string(): pd.StringDtype(),
}
MAKERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "pandas nullable": lambda columns: pa.table(columns).to_pandas(types_mapper=NULLABLE.get),
    "pandas arrow": lambda columns: pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.DataFrame,
    "lazy polars": pl.LazyFrame,
    "pyarrow": pa.table,
    "record batch": lambda columns: pa.table(columns).combine_chunks().to_batches()[0],
    "narwhals": lambda columns: nw.from_native(pl.DataFrame(columns)),
    "modin": _modin,
    "duckdb": _duckdb,
}
OUT = {  # what answers are made of
    "pandas": pd.DataFrame,
    "pandas nullable": pd.DataFrame,
    "pandas arrow": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy polars": pl.DataFrame,
    "pyarrow": pa.Table,
    "record batch": pa.Table,
    "narwhals": pl.DataFrame,
    "duckdb": pa.Table,
}
COLUMNS = {
    "ann": [1, 1, 1, 2, 2, 3, 3],
    "bob": ["b", "b", None, "c", "c", "a", "a"],
    "cal": [True, True, False, False, True, None, True],
    "dan": [3.0, 3.0, 2.0, 2.0, 1.0, None, 1.0],
    "eve": [2**60, 2**60 + 1, None, 2**60, 0, 0, 1],
}


@st.composite
def tables(draw: st.DrawFn) -> dict[str, list[Any]]:
    n = draw(st.integers(2, 8))
    kinds = [st.integers(0, 4), st.sampled_from("abc"), st.booleans(), st.integers(2**54, 2**54 + 3)]
    columns = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4))
    made = {}
    for t, kind in enumerate(columns):
        values = draw(st.lists(st.none() | kind, min_size=n, max_size=n))
        made[f"c{t}"] = values if set(values) != {None} else [*values[:-1], draw(kind)]
    return made


@given(columns=tables())
@settings(max_examples=40, deadline=None)
def test_the_same_table_is_the_same_ensemble(columns: dict[str, list[Any]]) -> None:
    expected = ge.Ensemble.from_partitions(columns)
    for name in ("pandas", "pandas nullable", "pandas arrow", "polars", "lazy polars", "pyarrow"):
        if name == "pandas" and any(None in c and max(map(_size, c)) > 2**53 for c in columns.values()):
            continue  # pandas itself makes floats of these
        assert ge.Ensemble(MAKERS[name](columns)) == expected, name


def _size(value: Any) -> int:
    return value if isinstance(value, int) else 0


@pytest.mark.parametrize("package", [name for name in MAKERS if name not in ("pandas", "modin")])
def test_every_package_is_read_alike(package: str) -> None:
    assert ge.Ensemble(MAKERS[package](COLUMNS)) == ge.Ensemble.from_partitions(COLUMNS)


@pytest.mark.parametrize("package", ["polars", "pyarrow"])
def test_a_report_compares_methods_for_any_frame(package: str, tmp_path: Path) -> None:
    r = ge.vote(MAKERS[package](COLUMNS), 2)
    page = r.report(tmp_path / "r.html", methods=["vote", "eac"]).read_text()
    assert "Methods compared" in page


def test_modin_is_read_like_pandas() -> None:
    frame = {name: values for name, values in COLUMNS.items() if name != "eve"}
    assert ge.Ensemble(_modin(frame)) == ge.Ensemble(pd.DataFrame(frame))
    named = _modin(frame).set_index("ann")
    r = ge.consensus(named, 2, seed=0)
    assert type(r.to_frame()).__module__.startswith("modin")
    assert r.to_frame().index.tolist() == COLUMNS["ann"]
    assert r.to_frame().index.name == "ann"


def _kinds(made: Any, package: str) -> None:
    assert isinstance(made, OUT[package]), type(made)


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
@pytest.mark.parametrize("package", OUT)
def test_answers_come_back_as_labels_came(package: str) -> None:
    labels = {name: COLUMNS[name] for name in ("ann", "bob", "dan")}
    make = MAKERS[package]
    e = ge.Ensemble(make(labels))
    r = ge.consensus(e, 3, seed=0)
    for made in (
        e.to_frame(),
        r.to_frame(),
        r.top(2),
        ge.consensus(make(labels), seed=0).to_frame(),
        r.assign(make({"bob": ["a", "zzz"], "ann": [3, 1], "other": [0.5, 0.7]})).to_frame(),
        ge.link(ge.coassociation(e), "single").levels([0, 1]),
        ge.compare(e, 3, methods=["vote", "lwgp"], seed=0).table,
        ge.choose_k(e, range(2, 4), seed=0).table,
        ge.members(e, 3, seed=0),
        ge.measures.pairwise(e, "ari").to_frame(),
        ge.match(r, r).table,
        e.take(objects=[0, 1, 2, 3]).to_frame(),
        e.append([0, 0, 0, 1, 1, 1, 1]).to_frame(),
    ):
        _kinds(made, package)


@pytest.mark.parametrize("package", ["polars", "lazy polars", "pyarrow", "duckdb", "pandas"])
def test_features_come_in_any_frame(package: str) -> None:
    X = np.random.default_rng(0).normal(size=(20, 2))
    made = ge.generate(MAKERS[package]({"x": X[:, 0], "y": X[:, 1]}), 5, k=3, seed=0)
    assert np.array_equal(made.codes, ge.generate(X, 5, k=3, seed=0).codes)
    _kinds(ge.consensus(made, 3, seed=0).to_frame(), package)


def test_rows_of_a_frame_without_an_index_stay_in_order_and_bear_given_names() -> None:
    frame = pl.DataFrame({"tree": ["ash", "oak", "elm"], "a": [1, 1, 2], "b": ["x", "y", "y"]})
    plain = ge.vote(frame.drop("tree"), 2).to_frame()
    assert plain.columns == ["cluster", "confidence", "cohesion", "membership_0", "membership_1"]
    r = ge.vote(ge.Ensemble(frame.drop("tree"), object_names=frame["tree"]), 2)
    assert r.to_frame().columns[:2] == ["tree", "cluster"]
    assert r.to_frame()["tree"].to_list() == ["ash", "oak", "elm"]
    assert frame.join(r.to_frame(), on="tree").height == 3
    assert r.ensemble.to_frame().equals(frame)


def test_labels_come_back_with_nulls_and_types() -> None:
    frame = pl.DataFrame({"a": [1, None, 2], "b": ["x", "y", None]})
    assert ge.Ensemble(frame).to_frame().equals(frame)
    assert ge.Ensemble(pa.table({"a": [1, None, 2]})).to_frame().to_pydict() == {"a": [1, None, 2]}


def test_names_of_columns_may_repeat() -> None:
    frame = pd.DataFrame([[1, "x"], [1, "y"], [2, "y"]], columns=["a", "a"], index=list("pqr"))
    e = ge.Ensemble(frame)
    assert e.partition_names == ("a", "a")
    assert e.to_frame().columns.tolist() == ["a", "a"]
    table = pa.table([pa.array([1, 1, 2]), pa.array(["x", "y", "y"])], names=["a", "a"])
    assert ge.Ensemble(table).partition_names == ("a", "a")
    assert ge.Ensemble(table).to_frame().column_names == ["a", "P1"]


@pytest.mark.parametrize(
    "index",
    [
        pd.Index([7, 8, 9], name="id"),
        pd.date_range("2024-01-01", periods=3),
        pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["g", None]),
        pd.RangeIndex(3),
        pd.RangeIndex(5, 8),
    ],
    ids=["numbers", "dates", "levels", "counted", "counted from 5"],
)
def test_a_pandas_index_comes_back(index: Any) -> None:
    frame = pd.DataFrame({"a": [0, 0, 1], "b": [0, 1, 1]}, index=index)
    assert ge.vote(frame, 2).to_frame().index.equals(index)


@pytest.mark.parametrize("make", [pd.Series, pl.Series, lambda values: pa.chunked_array([values])])
def test_dates_are_labels_in_every_package(make: Any) -> None:
    days = [dt.datetime(2024, 1, 2), None, dt.datetime(2024, 1, 1)]
    e = ge.Ensemble.from_partitions([make(days)])
    assert e.labels.tolist() == [[1], [-1], [0]]


def test_the_package_is_kept_in_a_file(tmp_path: Any) -> None:
    r = ge.vote(pl.DataFrame({"a": [0, 0, 1], "b": [0, 1, 1]}), 2)
    r.save(tmp_path / "r.npz")
    assert isinstance(ge.load(tmp_path / "r.npz").to_frame(), pl.DataFrame)
    assert isinstance(ge.Ensemble.load(tmp_path / "r.npz").to_frame(), pl.DataFrame)


def test_a_query_that_fails_is_an_error_of_ours() -> None:
    lazy = pl.LazyFrame({"a": ["x", "y"]}).select(pl.col("a").cast(pl.Int64))
    with pytest.raises(ge.GraphensError, match="could not be read"):
        ge.Ensemble(lazy)


def test_pairs_and_distances_come_in_any_frame() -> None:
    e = ge.Ensemble([[0, 0], [0, 1], [1, 1]], object_names=list("abc"))
    pairs = pl.DataFrame({"one": ["a"], "other": ["b"]})
    r = ge.vote(e, 2).constrained(must_link=pairs)
    assert r.labels[0] == r.labels[1]
    D = pa.table({"x": [0.0, 1, 9], "y": [1.0, 0, 9], "z": [9.0, 9, 0]})
    assert ge.generate(D, 3, k=2, base="average", metric="precomputed", seed=0).n_objects == 3


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
@pytest.mark.parametrize("package", ["polars", "lazy polars", "pyarrow", "duckdb", "pandas"])
def test_features_of_objects_without_a_label_are_set_aside(package: str) -> None:
    X = np.random.default_rng(0).normal(size=(20, 2))
    labels = np.array([[0, 0], [0, 1], [1, 1], [-1, -1]] * 5)
    frame = MAKERS[package]({"x": X[:, 0], "y": X[:, 1]})
    for method in (ge.methods.wce, ge.methods.eac):
        assert np.array_equal(method(labels, k=2, X=frame).labels, method(labels, k=2, X=X).labels)


@pytest.mark.parametrize("package", ["polars", "lazy polars", "pyarrow", "duckdb"])
def test_the_estimator_and_views_take_any_frame(package: str) -> None:
    X = np.random.default_rng(0).normal(size=(20, 2))
    frame = MAKERS[package]({"x": X[:, 0], "y": X[:, 1]})
    model = ge.ConsensusClustering(2, n_partitions=5, random_state=0)
    assert np.array_equal(model.fit(frame).labels_, model.fit(X).labels_)
    assert ge.generate([frame, frame], 4, k=2, seed=0).n_objects == 20


@pytest.mark.parametrize("make", [pd.Series, pl.Series, lambda values: pa.chunked_array([values])])
def test_a_column_is_one_more_partition(make: Any) -> None:
    e = ge.Ensemble([[0, 0], [0, 1], [1, 1], [1, 1]])
    assert e.append(make(["x", "x", None, "y"])).labels[:, 2].tolist() == [0, 0, -1, 1]
    assert ge.vote(e, 2).update(make([0, 0, 1, 1])).ensemble.n_partitions == 3
