"""METIS and hMETIS files, read back by Mt-KaHyPar."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens.export.metis_files import number_lines, to_whole_weights

mtkahypar = pytest.importorskip("mtkahypar")
EdgeWeights = dict[tuple[int, int], int]


@pytest.fixture(scope="module")
def reader() -> tuple[Any, Any]:
    library = mtkahypar.initialize(1)
    return library, library.context_from_preset(mtkahypar.PresetType.DEFAULT)


def read_graph(reader: tuple[Any, Any], path: Path) -> tuple[list[int], EdgeWeights]:
    g = reader[0].graph_from_file(str(path), reader[1])
    directed = range(g.num_directed_edges())
    edges = {(g.edge_source(e), g.edge_target(e)): g.edge_weight(e) for e in directed}
    return [g.node_weight(v) for v in range(g.num_nodes())], edges


def factor(path: Path, what: str) -> float:
    """The factor that the file itself names."""
    line = next(line for line in path.read_text().splitlines() if line.startswith(f"% {what} weights"))
    return float(line.split()[-1])


def test_metis(graph: ge.Graph, tmp_path: Path, reader: tuple[Any, Any]) -> None:
    path = tmp_path / "g.graph"
    graph.write(path)
    weights, edges = read_graph(reader, path)
    assert np.allclose(np.array(weights) / factor(path, "vertex"), graph.vertex_weights, atol=1e-4)
    a = graph.to_scipy().tocoo()
    assert set(edges) == set(zip(a.row.tolist(), a.col.tolist(), strict=True))
    scaled = [edges[pair] / factor(path, "edge") for pair in zip(a.row.tolist(), a.col.tolist(), strict=True)]
    assert np.allclose(scaled, a.data, atol=1e-4)


def test_weak_edges_weigh_one(tmp_path: Path, reader: tuple[Any, Any]) -> None:
    path = tmp_path / "g.graph"
    ge.Graph([[0, 1e-12, 0.5], [1e-12, 0, 0], [0.5, 0, 0]]).write(path)
    assert read_graph(reader, path)[1] == {(0, 1): 1, (1, 0): 1, (0, 2): 50000, (2, 0): 50000}
    assert factor(path, "edge") == 1e5


def test_hmetis(hypergraph: ge.Hypergraph, tmp_path: Path, reader: tuple[Any, Any]) -> None:
    path = tmp_path / "h.hgr"
    if (hypergraph.incidence.data != 1).any():
        with pytest.warns(ge.GraphensWarning, match="counts"):
            hypergraph.write(path)
    else:
        hypergraph.write(path)
    h = reader[0].hypergraph_from_file(str(path), reader[1])
    columns = hypergraph.incidence.tocsc()
    kept = np.flatnonzero(np.diff(columns.indptr) > 1).tolist()  # the reader drops hyperedges of one vertex
    assert (h.num_nodes(), h.num_edges()) == (hypergraph.n_vertices, len(kept))
    weights = np.array([h.node_weight(v) for v in range(h.num_nodes())])
    assert np.allclose(weights / factor(path, "vertex"), hypergraph.vertex_weights)
    lines = [line.split() for line in path.read_text().splitlines() if not line.startswith("%")]
    for e in range(hypergraph.n_hyperedges):
        members = columns.indices[columns.indptr[e] : columns.indptr[e + 1]].tolist()
        assert [int(v) - 1 for v in lines[1 + e][1:]] == members
        if e in kept:
            assert sorted(h.pins(kept.index(e))) == sorted(members)
            weight = h.edge_weight(kept.index(e)) / factor(path, "hyperedge")
            assert weight == pytest.approx(hypergraph.hyperedge_weights[e])


def test_an_empty_hyperedge_is_left_out_with_a_warning(tmp_path: Path, reader: tuple[Any, Any]) -> None:
    h = ge.Hypergraph([[1, 0, 1], [1, 0, 1]], hyperedge_weights=[1, 2, 3])
    with pytest.warns(ge.GraphensWarning, match="1 hyperedges without vertices"):
        h.write(tmp_path / "h.hgr")
    read = reader[0].hypergraph_from_file(str(tmp_path / "h.hgr"), reader[1])
    assert [read.edge_weight(e) for e in range(read.num_edges())] == [1, 3]


def test_a_written_hypergraph_can_be_cut(tmp_path: Path, reader: tuple[Any, Any]) -> None:
    library, context = reader
    mtkahypar.set_seed(0)
    h = ge.hypergraph(ge.Ensemble([[0, 0], [0, 0], [1, 1], [1, 1]]))
    h.write(tmp_path / "h.hgr")
    context.set_partitioning_parameters(2, 0.03, mtkahypar.Objective.KM1)
    context.logging = False
    made = library.hypergraph_from_file(str(tmp_path / "h.hgr"), context).partition(context)
    labels = [made.block_id(v) for v in range(4)]
    assert h.km1(labels) == made.km1() == 0


@pytest.mark.parametrize(
    ("given", "lowest", "expected", "factor"),
    [
        ([3.0, 1.0, 7.0], 1, [3, 1, 7], 1),
        ([0.0, 2.0], 0, [0, 2], 1),
        ([0.0, 0.0], 0, [0, 0], 1),
        ([1.0, 0.5], 1, [10000, 5000], 1e4),
        ([0.02, 1e-9], 1, [20000, 1], 1e6),
        ([30.5, 1.0], 1, [30500, 1000], 1e3),
        ([2.0**31, 2.0**31], 1, [214748365, 214748365], 0.1),
        ([1e308, 1e308], 1, [10**9, 10**9], 1e-299),
        ([5e-324], 1, [1], 1e300),
        ([], 1, [], 1),
    ],
)
def test_weights_become_whole_numbers(given: list[float], lowest: int, expected: list[int], factor: float) -> None:
    found, used = to_whole_weights(np.array(given), lowest)
    assert found.tolist() == expected
    assert used == pytest.approx(factor)


def test_the_total_fits_32_bits() -> None:
    found, used = to_whole_weights(np.full(10**6, 0.7), 1)
    assert used == 1e3
    assert found.sum() == 700 * 10**6


def test_lines_of_numbers_are_those_of_a_plain_join() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        lengths = rng.integers(0, 5, 30)
        numbers = rng.integers(0, 10**12, lengths.sum())
        pieces = np.split(numbers, np.cumsum(lengths)[:-1])
        plain = "".join(" ".join(map(str, piece.tolist())) + "\n" for piece in pieces if len(piece))
        assert b"".join(number_lines(numbers, lengths)).decode() == plain


def test_lines_longer_than_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphens.export.metis_files._AT_ONCE", 3)
    assert b"".join(number_lines(np.arange(8), np.array([5, 3]))) == b"0 1 2 3 4\n5 6 7\n"
