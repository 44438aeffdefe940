"""The answer on disk is the answer in memory: any method by distinct rows, some by tables alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import graphens as ge
from graphens.errors import FallbackWarning, FileError, InputError, TypeMismatch
from graphens.families.metaclusters import collapse
from graphens.families.method import ROWS
from graphens.families.outcome import Outcome
from graphens.families.rows import LargestSum, Rows
from graphens.scale import run as entry

WEIGHTS = (1.0, 0.5, 2.0, 1.0, 1.5, 3.0, 0.25)


def noisy(n: int, n_partitions: int, k: int, seed: int, missing: float = 0.0) -> np.ndarray[Any, Any]:
    """Partitions that agree on k groups as far as noise lets them, some labels missing, a few rows empty."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    labels = np.column_stack(
        [(rng.permutation(k + t % 3)[truth] + (rng.random(n) < 0.2)) % (k + t % 3) for t in range(n_partitions)]
    )
    labels[rng.random(labels.shape) < missing] = -1
    if missing:
        labels[rng.choice(n, 3, replace=False)] = -1
    return labels


def stored(folder: Path, labels: np.ndarray[Any, Any], rows: int = 40, weights: Any = None) -> ge.scale.Scan:
    folder.mkdir(exist_ok=True)
    half = len(labels) // 2
    for i, part in enumerate([labels[:half], labels[half:]]):
        columns = {f"P{t}": part[:, t].astype(np.int16) for t in range(labels.shape[1])}
        pq.write_table(pa.table(columns), folder / f"{i}.parquet", row_group_size=rows)
    return ge.scale.scan(folder, block_rows=rows, weights=weights)


def on_disk(path: Path) -> pa.Table:
    return pa.concat_tables([pq.read_table(part) for part in sorted(path.glob("[!_]*"))])


@pytest.mark.parametrize("method", ["lwgp", "mcla", "cbgf", "vote", "cumulative", "lwea", "qmi", "hbgf"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_distinct_rows_give_the_answer_in_memory(tmp_path: Path, method: str, missing: float) -> None:
    labels = noisy(240, 7, 3, 1, missing)
    s = stored(tmp_path / "in", labels)
    assert len(s.blocks) > 5
    r = ge.scale.consensus(s, 3, method=method, out=tmp_path / "out", seed=5)
    expected = ge.consensus(labels, 3, method=method, seed=5)
    table = on_disk(tmp_path / "out")
    assert table.column_names == ["cluster", "confidence"]
    assert table["cluster"].to_pylist() == expected.labels.tolist() == r.labels.tolist()
    np.testing.assert_allclose(table["confidence"].to_numpy(), expected.confidence, atol=1e-12)
    assert (r.k, r.sizes().tolist()) == (expected.k, expected.sizes().tolist())
    assert r.score == pytest.approx(expected.score)
    assert r.graph.n_vertices == len(r.vertex_labels) == int(ge.Ensemble(labels).offsets[-1])


@pytest.mark.parametrize(
    ("method", "options"),
    [("lwgp", {}), ("hbgf", {"partitioner": "spectral"}), ("mcla", {}), ("cbgf", {}), ("vote", {}), ("cumulative", {})],
)
@pytest.mark.parametrize(("missing", "weights", "seed"), [(0.0, None, 1), (0.2, None, 2), (0.2, WEIGHTS, 3)])
def test_tables_give_the_answer_in_memory(
    tmp_path: Path, method: str, options: dict[str, Any], missing: float, weights: Any, seed: int
) -> None:
    labels = noisy(240, 7, 3, seed, missing)
    s = stored(tmp_path / "in", labels, weights=weights)
    r = ge.scale.consensus(s, 3, method=method, out=tmp_path / "out", seed=5, distinct=False, **options)
    expected = ge.consensus(ge.Ensemble(labels, weights=weights), 3, method=method, seed=5, **options)
    assert r.labels.tolist() == expected.labels.tolist()
    np.testing.assert_allclose(r.confidence, expected.confidence, atol=1e-9)
    assert r.score == pytest.approx(expected.score)
    assert r.sizes().tolist() == expected.sizes().tolist()
    assert "rows" not in r.details


@pytest.mark.parametrize("distinct", [None, False])
@pytest.mark.parametrize("bridged", [0, 12])
def test_the_default_is_the_choice_in_memory(tmp_path: Path, bridged: int, *, distinct: bool | None) -> None:
    """Groups, where a method wins that scales, and strands, where connected pieces win and the rest is placed."""
    rng, place = np.random.default_rng(0), np.tile(np.arange(60), 2)
    windows = [(place + rng.integers(10)) // 10 for _ in range(24)]
    strands = [w if t < bridged else w + 100 * np.repeat([0, 1], 60) for t, w in enumerate(windows)]
    labels = np.column_stack(strands) if bridged else noisy(240, 7, 2, 3)
    expected = ge.consensus(labels, 2, seed=5)
    r = ge.scale.consensus(stored(tmp_path / "in", labels), 2, out=tmp_path / "out", seed=5, distinct=distinct)
    assert r.labels.tolist() == expected.labels.tolist()
    assert (r.method, [t.method for t in r.trials]) == (expected.method, [t.method for t in expected.trials])
    assert r.why.startswith(expected.why)
    assert ("joined the cluster" in r.why) == (bool(bridged) and distinct is False)
    assert (r.method == "islands") == bool(bridged)
    assert r.sample(50).why == r.why


@pytest.mark.parametrize("distinct", [None, False])
def test_without_k_the_number_of_clusters_is_the_choice_in_memory(tmp_path: Path, *, distinct: bool | None) -> None:
    labels = noisy(600, 8, 4, seed=3)
    r = ge.scale.consensus(stored(tmp_path / "in", labels), out=tmp_path / "out", seed=0, distinct=distinct)
    same = ge.consensus(labels, seed=0)
    assert (r.k, r.method) == (same.k, same.method)
    assert r.why.startswith(same.why)
    assert ge.measures.ari(r.labels, same.labels) > 0.95
    with pytest.raises(InputError, match="give k, or leave out the method"):
        ge.scale.consensus(stored(tmp_path / "in", labels), method="vote", out=tmp_path / "no", seed=0)


def test_options_are_checked_before_reading_and_other_ways_are_told(tmp_path: Path) -> None:
    s = stored(tmp_path / "in", noisy(60, 5, 3, 1))
    for distinct in (None, False):
        with pytest.raises(InputError, match=r"mcla has no option similarty.*Did you mean similarity"):
            ge.scale.consensus(s, 3, method="mcla", out=tmp_path / "out", distinct=distinct, similarty="jaccard")
    with pytest.raises(InputError, match=r"id was given; it is an option of scan"):
        ge.scale.consensus(s, 3, out=tmp_path / "out", id="customer")
    assert not (tmp_path / "out").exists()
    with pytest.warns(FallbackWarning, match="partitioner='spectral'"):
        told = ge.scale.consensus(s, 3, method="hbgf", out=tmp_path / "a", distinct=False, seed=0)
    named = ge.scale.consensus(s, 3, method="hbgf", out=tmp_path / "b", distinct=False, seed=0, partitioner="spectral")
    assert told.labels.tolist() == named.labels.tolist()
    with pytest.raises(InputError, match="'metis' was given, which needs all rows at once"):
        ge.scale.consensus(s, 3, method="hbgf", out=tmp_path / "c", distinct=False, seed=0, partitioner="metis")


def test_the_registry_says_what_scales() -> None:
    able = {row.name for row in ge.methods() if row.scalable}
    assert able == {"lwgp", "hbgf", "mcla", "cbgf", "vote", "bagclust1", "cumulative"}
    assert ge.methods["lwgp"].facts()["Labels on disk"] == "any number of rows"


def test_a_method_of_your_own_scales(tmp_path: Path) -> None:
    """Its function sees counts of clusters, and says by which rule rows follow."""

    def linked(rows: Rows, k: int, *, linkage: str = "average") -> Outcome:
        groups = ge.link(rows.metagraph("dice"), linkage).cut(k)
        rule = LargestSum(collapse(rows.all_clusters, groups).table, 0)
        return Outcome(rule.labels(rows.sample), rule=lambda: rule)

    ge.register_method("linked", linked, scalable=True)
    try:
        labels = noisy(240, 7, 3, 4)
        s = stored(tmp_path / "in", labels)
        expected = ge.consensus(labels, 3, method="linked", linkage="complete")
        for distinct in (True, False):
            out = tmp_path / f"out{distinct}"
            r = ge.scale.consensus(s, 3, method="linked", linkage="complete", out=out, distinct=distinct)
            assert r.labels.tolist() == expected.labels.tolist()
    finally:
        del ROWS["linked"]


def test_components_are_not_cut(tmp_path: Path) -> None:
    labels = np.repeat([[0, 0], [1, 1], [2, 2], [3, 3]], [9, 4, 3, 2], axis=0)
    s = stored(tmp_path / "in", labels, rows=5)
    expected = ge.lwgp(labels, 2, seed=0)
    for distinct in (True, False):
        r = ge.scale.consensus(s, 2, out=tmp_path / f"out{distinct}", seed=0, distinct=distinct)
        assert r.labels.tolist() == expected.labels.tolist()


def test_rows_without_a_vote_follow_their_company(tmp_path: Path) -> None:
    """The last rows share no cluster with the reference, and reach it over one or two steps, or not at all."""
    labels = np.array([[0, 0, -1], [0, 0, -1], [1, 1, -1], [1, 1, 0], [-1, 2, 0], [-1, 2, 1], [-1, -1, 1], [-1, 3, 2]])
    s = stored(tmp_path / "in", labels, rows=3)
    expected = ge.vote(labels, 2, reference=0)
    r = ge.scale.consensus(s, 2, method="vote", reference=0, out=tmp_path / "out", distinct=False)
    assert r.labels.tolist() == expected.labels.tolist()


def test_many_distinct_rows_take_the_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "DISTINCT", 20)
    s = stored(tmp_path / "in", noisy(200, 7, 3, 1))
    assert "rows" not in ge.scale.consensus(s, 3, out=tmp_path / "out", seed=0).details
    with pytest.raises(InputError, match="'eac' was given, which needs all distinct label rows"):
        ge.scale.consensus(s, 3, method="eac", out=tmp_path / "eac", seed=0)
    few = stored(tmp_path / "few", np.repeat(np.eye(3, dtype=int), 60, axis=0))
    assert ge.scale.consensus(few, 3, out=tmp_path / "out2", seed=0).details["rows"] == 3


def test_the_same_call_returns_and_another_is_refused(tmp_path: Path) -> None:
    s = stored(tmp_path / "in", noisy(200, 5, 3, 1))
    first = ge.scale.consensus(s, 3, out=tmp_path / "out", seed=0)
    stamps = {path.name: path.stat().st_mtime_ns for path in first.files}
    again = ge.scale.consensus(s, 3, out=tmp_path / "out", seed=0)
    assert again.labels.tolist() == first.labels.tolist()
    assert again.graph.edges()[2].tolist() == first.graph.edges()[2].tolist()
    assert {path.name: path.stat().st_mtime_ns for path in again.files} == stamps
    assert again.timings == first.timings
    for changed in ({"k": 4}, {"seed": 1}, {"method": "mcla"}, {"entropy_scale": 0.3}):
        with pytest.raises(InputError, match="holds the work of another call"):
            ge.scale.consensus(**({"s": s, "k": 3, "seed": 0, "out": tmp_path / "out"} | changed))
    other = stored(tmp_path / "other", noisy(200, 5, 3, 2))
    with pytest.raises(InputError, match="another call: its files"):
        ge.scale.consensus(other, 3, out=tmp_path / "out", seed=0)
    with pytest.raises(InputError, match=r"already contains 0\.parquet"):
        ge.scale.consensus(s, 3, out=tmp_path / "in", seed=0)
    with pytest.raises(FileError, match="is a file; expected an empty or a new folder"):
        ge.scale.consensus(s, 3, out=tmp_path / "in" / "0.parquet", seed=0)
    with pytest.raises(TypeMismatch, match="distinct = 'yes' was given"):
        ge.scale.consensus(s, 3, out=tmp_path / "new", distinct="yes")  # type: ignore[arg-type]
    assert not (tmp_path / "new").exists()
    assert [p.name for p in (tmp_path / "out").iterdir() if not p.name.startswith(("part-", "_"))] == []


def test_an_unnamed_seed_is_kept(tmp_path: Path) -> None:
    s = stored(tmp_path / "in", noisy(200, 5, 3, 1))
    first = ge.scale.consensus(s, 3, out=tmp_path / "out")
    assert ge.scale.consensus(s, 3, out=tmp_path / "out").options == first.options
    assert json.loads((tmp_path / "out/_work/state.json").read_text())["seed"] == first.options["seed"]


@pytest.mark.parametrize("distinct", [True, False])
def test_the_graph_can_be_exported_and_drawn(tmp_path: Path, *, distinct: bool) -> None:
    labels = noisy(200, 5, 3, 1)
    s = stored(tmp_path / "in", labels)
    r = ge.scale.consensus(s, 3, method="mcla", out=tmp_path / "out", seed=0, distinct=distinct)
    r.graph.write(tmp_path / "g.graphml", consensus=r)
    assert ge.Graph.read(tmp_path / "g.graphml").n_edges == r.graph.n_edges
    assert r.graph.names[0] == "P0:0"
    expected = ge.mcla(labels, 3, seed=0).to_networkx().nodes(data=True)
    assert dict(r.to_networkx().nodes(data=True)) == dict(expected)
    assert r.to_igraph().vs["cluster"] == r.vertex_labels.tolist()
    shown = r.plot()
    assert shown.labels.tolist() == r.vertex_labels.tolist()
    assert "files       " in repr(r)
