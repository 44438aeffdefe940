"""Every value can be kept in a file and comes back as it was."""

import datetime as dt
import json
import pickle
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import igraph as ig
import networkx as nx
import numpy as np
import pandas as pd
import pytest

import graphens as ge
from graphens._lib.stored import digest
from graphens.errors import FileError, GraphensWarning, InputError, TypeMismatch
from graphens.export.plain_data import CLASSES, class_called
from graphens.labels.value import Savable, Value
from tests.export.saved import LABELS, TRUTH, values

VALUES = values()


def back(value: Any, folder: Path) -> Any:
    value.save(folder / "value.npz")
    return ge.load(folder / "value.npz")


def same(a: Any, b: Any) -> bool:
    """Whether two values have the same fields, all the way down."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[name], b[name]) for name in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if hasattr(a, "indptr"):
        return a.shape == b.shape and (a != b).nnz == 0
    if isinstance(a, nx.Graph):
        return nx.utils.graphs_equal(a, b)
    if isinstance(a, float):
        return a == b or (a != a and b != b)
    if type(a).__name__ in CLASSES:
        inside = [v.__getstate__() if isinstance(v, Value) else vars(v) for v in (a, b)]
        shown = [{name: one for name, one in fields.items() if name[0] != "_"} for fields in inside]
        return same(*shown) if shown[0] else a == b
    return bool(a == b)


@pytest.mark.parametrize("kind", VALUES)
def test_every_kind_comes_back(tmp_path: Path, kind: str) -> None:
    value = VALUES[kind]
    again = back(value, tmp_path)
    assert type(again).__name__ == kind
    assert repr(again) == repr(value)
    assert same(value, again)


def test_classes_are_where_archives_look_for_them() -> None:
    assert all(class_called(name).__name__ == name for name in CLASSES)

    def below(kind: type) -> set[type]:
        return {kind}.union(*(below(one) for one in kind.__subclasses__()))

    ours = {kind for kind in below(Savable) if kind.__module__.startswith("graphens.")}
    ours = {kind for kind in ours if not kind.__module__.startswith("graphens.scale.")}  # these are files already
    assert {kind.__name__ for kind in ours - {Savable}} <= set(CLASSES)


def test_what_has_no_save_can_be_pickled() -> None:
    e = ge.Ensemble(LABELS)
    r = ge.consensus(e, 2, seed=0)
    others = (ge.choose_k(e, range(2, 5), seed=0), r.explain(100), ge.match(TRUTH, r.labels), ge.modes(e, seed=0)[0])
    for value in (*others, ge.compare(e, 2, methods=["vote", "mcla"], seed=0), ge.credible_ball(r, e)):
        assert not hasattr(value, "save")
        assert repr(pickle.loads(pickle.dumps(value))) == repr(value)


@pytest.mark.parametrize(
    ("kind", "name", "advice"),
    [
        ("Graph", "x.graphml", r"Graph.write\(path\) writes .graphml"),
        ("Graph", "x.csv", r"Graph.write\(path\) writes .csv"),
        ("Hypergraph", "x.HGR", r"Hypergraph.write\(path\) writes .HGR"),
        ("Consensus", "x.csv", r"to_frame\(\) returns a table"),
    ],
)
def test_a_name_that_promises_another_format_is_refused(tmp_path: Path, kind: str, name: str, advice: str) -> None:
    with pytest.raises(InputError, match=f"an archive; expected a file ending in .npz. {advice}"):
        VALUES[kind].save(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("method", [row.name for row in ge.methods()])
def test_a_consensus_of_any_method_goes_on_as_before(tmp_path: Path, method: str) -> None:
    try:
        r = ge.consensus(LABELS.iloc[:24, :5], 2, method=method, seed=0)
    except ge.GraphensError:
        pytest.skip("needs more than labels")
    again = back(r, tmp_path)
    assert repr(again) == repr(r)
    assert same(r, again)
    assert again.to_frame().equals(r.to_frame())
    assert repr(again.explain(103)) == repr(r.explain(103))
    assert again.assign(LABELS.iloc[24:, :5]).to_frame().equals(r.assign(LABELS.iloc[24:, :5]).to_frame())
    assert not again.labels.flags.writeable


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow"])
def test_features_of_any_frame_come_back_as_they_were(tmp_path: Path, package: str) -> None:
    whole = pytest.importorskip(package)
    make = whole.table if package == "pyarrow" else whole.DataFrame
    X = make({"a": [1.5, 2.0, 1.0, 8.0, 9.0], "b": [1, 2, 1, 7, 8]})
    again = back(ge.eac([[0, 0], [0, 0], [0, 1], [1, 1], [1, 1]], 2, X=X, neighbors=2), tmp_path)
    assert type(again.options["X"]) is type(X)
    assert again.options["X"].equals(X)


def test_frames_with_dates_and_gaps_come_back(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    days = [dt.date(2026, 1, 1), None, dt.date(2026, 1, 3)]
    table = pa.table([[1, None, 3], days, ["x", "y", None]], names=["a", "b", "c"])
    r = ge.Consensus._from_fields(**(ge.vote([[0], [0], [1]], 2).__getstate__() | {"options": {"X": table}}))
    assert back(r, tmp_path).options["X"].equals(table)


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow"])
def test_columns_come_back_as_arrays(tmp_path: Path, package: str) -> None:
    whole = pytest.importorskip(package)
    reference = (whole.array if package == "pyarrow" else whole.Series)([0, 0, 1, 1])
    again = back(ge.vote([[0, 0], [0, 0], [0, 1], [1, 1]], 2, reference=reference), tmp_path)
    assert again.options["reference"].tolist() == [0, 0, 1, 1]


def test_a_loaded_consensus_draws_and_reports_the_same(tmp_path: Path) -> None:
    r = ge.consensus(LABELS, 2, seed=0)
    again = back(r, tmp_path)
    r.report(tmp_path / "a.html")
    again.report(tmp_path / "b.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert again.plot().figure_ is not None


@pytest.mark.parametrize(
    "made",
    [
        nx.relabel_nodes(nx.karate_club_graph(), lambda v: (v, "x")),
        nx.MultiGraph(nx.cycle_graph(6)),
        ig.Graph.Famous("Zachary"),
        ge.Graph.from_networkx(nx.karate_club_graph()),
    ],
    ids=["tuples", "parallel", "igraph", "Graph"],
)
def test_communities_keep_their_network(tmp_path: Path, made: Any) -> None:
    r = ge.communities(made, n_partitions=4, seed=0)
    again = back(r, tmp_path)
    assert type(again.network) is type(made)
    assert nx.utils.graphs_equal(again.to_networkx(), r.to_networkx())


def test_what_is_shared_is_written_once(tmp_path: Path) -> None:
    e = ge.Ensemble(np.random.default_rng(0).integers(0, 5, (5000, 20)))
    r = ge.eac(e, 3)
    r.save(tmp_path / "r.npz")
    assert (tmp_path / "r.npz").stat().st_size < 6 * e.codes.nbytes
    assert ge.load(tmp_path / "r.npz").graph.ensemble.n_objects == 5000


def test_a_lazy_graph_stays_lazy(tmp_path: Path) -> None:
    g = ge.coassociation(LABELS)
    assert g.n_edges > 0  # the matrix is built
    again = back(g, tmp_path)
    assert "on demand" in repr(again) or again._adjacency is None
    assert np.array_equal(again.to_scipy().toarray(), g.to_scipy().toarray())


def test_a_function_comes_back_as_text_with_a_warning(tmp_path: Path) -> None:
    def halves(graph: ge.Graph, k: int, *, seed: int) -> Any:
        return np.arange(graph.n_vertices) % k

    r = ge.cspa(LABELS, 2, partitioner=halves, seed=0)
    with pytest.warns(
        GraphensWarning, match=r"^1 name or option, such as '.*:test_.*halves' \(function\), will come back as text"
    ):
        again = back(r, tmp_path)
    assert again.options["partitioner"].endswith(":test_a_function_comes_back_as_text_with_a_warning.<locals>.halves")
    assert again.labels.tolist() == r.labels.tolist()


def test_features_and_frames_among_the_options(tmp_path: Path) -> None:
    X = pd.DataFrame({"a": TRUTH * 3.0, "b": np.arange(40.0), "c": pd.Categorical(["u", "v"] * 20)}, index=LABELS.index)
    r = ge.consensus(LABELS, 2, seed=0)._replace(options={"X": X, "when": np.datetime64("2024-03-01"), "set": {1, 2}})
    found = back(r, tmp_path).options
    pd.testing.assert_frame_equal(found["X"], X.astype({"c": object}), check_column_type=False, check_dtype=False)
    assert found["when"] == np.datetime64("2024-03-01")
    assert found["set"] == {1, 2}


def rewritten(path: Path, **changes: Any) -> Path:
    """A saved value with some members exchanged, or removed where None, and checksums that fit."""
    with np.load(path) as archive:
        arrays = {name: np.asarray(one) for name, one in {**archive, **changes}.items() if one is not None}
    arrays.pop("checksums")
    arrays["checksums"] = np.array([f"{name} {digest(one)}" for name, one in sorted(arrays.items())])
    np.savez(path.with_name("other.npz"), **arrays)  # type: ignore[arg-type]
    return path.with_name("other.npz")


def field(path: Path, kind: str, **changes: Any) -> str:
    """What an archive says of its values, with some fields of the first of a kind exchanged."""
    with np.load(path) as archive:
        document = json.loads(str(archive["value"]))
    next(inside for name, inside in document["values"] if name == kind).update(changes)
    return json.dumps(document)


def test_rewriting_itself_is_harmless(tmp_path: Path) -> None:
    VALUES["Consensus"].save(tmp_path / "r.npz")
    assert same(ge.load(rewritten(tmp_path / "r.npz")), VALUES["Consensus"])


@pytest.mark.parametrize(
    ("kind", "changes", "message"),
    [
        ("Consensus", {"k": 1}, "clusters are damaged"),
        ("Consensus", {"nonsense": 1}, "missing or unknown: nonsense"),
        ("Consensus", {"labels": {"array": 999}}, "cannot be read"),
        ("Consensus", {"labels": {"system": "ls"}}, "cannot be read"),
        ("Consensus", {"_evidence": None}, "cannot be read"),
        ("Consensus", {"labels": {}}, "cannot be read"),
        ("Ensemble", {"partition_names": {"tuple": ["one"]}}, "partition names are damaged"),
        ("Ensemble", {"codes": {"array": 0}}, "cannot be read"),
        ("Ensemble", {"_names": {"objects": [[[1], [2]], [2]]}}, "object names are damaged"),
        ("Names", {"parts": {"tuple": [{"range": [1, 7, 1]}]}}, "names are damaged"),
        ("Affinity", {"k": "many", "os": 1}, "cannot be read"),
        ("Names", {"_size": 3}, "names are damaged"),
    ],
)
def test_fields_that_do_not_fit_are_refused(tmp_path: Path, kind: str, changes: dict[str, Any], message: str) -> None:
    path = tmp_path / "r.npz"
    VALUES["Consensus"].save(path)
    with pytest.raises(FileError, match=message):
        ge.load(rewritten(path, value=np.array(field(path, kind, **changes))))


def test_kinds_are_never_imported_by_name(tmp_path: Path) -> None:
    path = tmp_path / "r.npz"
    VALUES["Graph"].save(path)
    with np.load(path) as archive:
        document = str(archive["value"]).replace('"Graph"', '"Popen"')
    with pytest.raises(FileError, match="cannot be read as a saved value: 'Popen'"):
        ge.load(rewritten(path, value=np.array(document)))


def test_newer_and_foreign_files_say_what_they_are(tmp_path: Path) -> None:
    path = tmp_path / "r.npz"
    VALUES["Graph"].save(path)
    with pytest.raises(FileError, match=r"was saved by a newer graphens \(format 99\); update graphens"):
        ge.load(rewritten(path, version=np.array(99)))
    np.savez(tmp_path / "foreign.npz", a=np.arange(3))
    with pytest.raises(FileError, match=r"foreign.npz is not a saved value, .* written by the save\(\)"):
        ge.load(tmp_path / "foreign.npz")
    with pytest.raises(FileError, match="cannot be read as a saved value: No such file"):
        ge.load(tmp_path / "nowhere.npz")
    with pytest.raises(FileError, match="holds a saved Graph; expected a saved ensemble"):
        ge.Ensemble.load(path)


def test_a_class_that_no_file_can_name_is_refused(tmp_path: Path) -> None:
    class Own(ge.Graph):
        pass

    with pytest.raises(TypeMismatch, match="A Own cannot be saved; expected an Ensemble"):
        Own(np.eye(2)).save(tmp_path / "g.npz")


def test_half_a_file_is_refused(tmp_path: Path) -> None:
    VALUES["Consensus"].save(tmp_path / "r.npz")
    whole = (tmp_path / "r.npz").read_bytes()
    for size in np.random.default_rng(0).integers(0, len(whole), 40).tolist():
        (tmp_path / "half.npz").write_bytes(whole[:size])
        with pytest.raises(FileError, match=r"is not a saved value, or it is damaged|cannot be read as"):
            ge.load(tmp_path / "half.npz")


def test_no_flipped_bit_changes_an_answer(tmp_path: Path) -> None:
    r = VALUES["Consensus"]
    r.save(tmp_path / "r.npz")
    whole = (tmp_path / "r.npz").read_bytes()
    rng = np.random.default_rng(0)
    for place in rng.choice(len(whole), 150, replace=False).tolist():
        broken = bytearray(whole)
        broken[place] ^= 1 << int(rng.integers(8))
        (tmp_path / "bad.npz").write_bytes(broken)
        try:
            again = ge.load(tmp_path / "bad.npz")
        except FileError:
            continue
        assert same(again, r)  # a date, an attribute: nothing of ours


def test_a_failure_keeps_the_file_that_was_there(tmp_path: Path) -> None:
    VALUES["Graph"].save(tmp_path / "r.npz")
    before = (tmp_path / "r.npz").read_bytes()
    with pytest.raises(FileError, match="there is no directory"):
        VALUES["Graph"].save(tmp_path / "none" / "r.npz")
    assert (tmp_path / "r.npz").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["r.npz"]


SAVING = """
import sys, numpy as np, graphens as ge
r = [ge.vote(np.random.default_rng(i).integers(0, 4, (20000, 10)), 4) for i in (0, 1)]
i = 0
while True:
    r[i].save(sys.argv[1])
    print("saved", flush=True)
    i = 1 - i
"""


@pytest.mark.slow
def test_a_kill_during_save_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "r.npz"
    for delay in (0.002, 0.009):
        with subprocess.Popen([sys.executable, "-c", SAVING, str(path)], stdout=subprocess.PIPE) as run:
            assert run.stdout is not None
            assert run.stdout.readline()
            time.sleep(delay)
            run.kill()
        assert len(ge.load(path).labels) == 20000
