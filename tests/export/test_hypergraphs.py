"""HIF read back by XGI and checked against its schema; incidence frames read by HyperNetX."""

import json
import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import graphens as ge
from tests.export.zoo import HYPERGRAPHS

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"
SCHEMA = Path(os.environ.get("GRAPHENS_DATA", BESIDE)) / "hif_schema.json"


def members(h: ge.Hypergraph, nodes: list[Any]) -> list[set[Any]]:
    """The vertices of each hyperedge."""
    columns = h.incidence.tocsc()
    bounds = zip(columns.indptr, columns.indptr[1:], strict=False)
    return [{nodes[v] for v in columns.indices[start:end]} for start, end in bounds]


def ids(names: list[str]) -> list[Any]:
    return names if len(set(names)) == len(names) else list(range(len(names)))


def test_hif_in_xgi(hypergraph: ge.Hypergraph, tmp_path: Path) -> None:
    xgi = pytest.importorskip("xgi")
    hypergraph.write(tmp_path / "h.hif.json")
    made = xgi.read_hif(tmp_path / "h.hif.json")
    nodes, edges = ids(list(hypergraph.vertex_names)), ids(list(hypergraph.hyperedge_names))
    assert set(made.nodes) == set(nodes)
    assert {e: made.edges.members(e) for e in made.edges} == dict(zip(edges, members(hypergraph, nodes), strict=True))
    assert [made.nodes[v]["weight"] for v in nodes] == hypergraph.vertex_weights.tolist()
    assert [made.nodes[v]["name"] for v in nodes] == list(hypergraph.vertex_names)
    assert [made.edges[e]["weight"] for e in edges] == hypergraph.hyperedge_weights.tolist()
    assert [made.edges[e]["name"] for e in edges] == list(hypergraph.hyperedge_names)
    assert [made.edges[e].get("partition", -1) for e in edges] == hypergraph.partition.tolist()


@pytest.mark.skipif(not SCHEMA.exists(), reason="the schema of HIF is not at hand")
def test_hif_keeps_to_its_schema(hypergraph: ge.Hypergraph) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(hypergraph.to_hif(), json.loads(SCHEMA.read_text()))


def test_hif_holds_counts() -> None:
    found = HYPERGRAPHS["counts"].to_hif()["incidences"]
    assert [(cell["weight"], cell["attrs"]["weight"]) for cell in found] == [(3, 3), (1, 1), (2, 2)]


def test_hif_is_plain_json(hypergraph: ge.Hypergraph) -> None:
    assert json.loads(json.dumps(hypergraph.to_hif())) == hypergraph.to_hif()


def test_frame_in_hypernetx(hypergraph: ge.Hypergraph) -> None:
    hnx = pytest.importorskip("hypernetx")
    pytest.importorskip("pandas")
    nodes, edges = ids(list(hypergraph.vertex_names)), ids(list(hypergraph.hyperedge_names))
    expected = dict(zip(edges, members(hypergraph, nodes), strict=True))
    isolated = len(nodes) - len(set().union(*expected.values()))
    if isolated:
        with pytest.warns(ge.GraphensWarning, match=f"{isolated} of {len(nodes)} vertices"):
            frame = hypergraph.to_frame()
    else:
        frame = hypergraph.to_frame()
    assert frame["weight"].tolist() == hypergraph.incidence.tocsc().data.tolist()
    if len(frame):  # HyperNetX takes no empty frame
        made = hnx.Hypergraph(frame)
        assert {e: set(vs) for e, vs in made.incidence_dict.items()} == expected
        assert made.incidences.to_dataframe["weight"].tolist() == frame["weight"].tolist()


def same(made: ge.Hypergraph, wanted: ge.Hypergraph) -> bool:
    return bool(
        (made.incidence != wanted.incidence).nnz == 0
        and np.allclose(made.vertex_weights, wanted.vertex_weights)
        and np.allclose(made.hyperedge_weights, wanted.hyperedge_weights)
    )


def test_hif_comes_back(hypergraph: ge.Hypergraph, tmp_path: Path) -> None:
    hypergraph.write(tmp_path / "h.hif.json")
    for made in (ge.Hypergraph.read(tmp_path / "h.hif.json"), ge.Hypergraph.from_hif(hypergraph.to_hif())):
        assert same(made, hypergraph)
        assert list(made.vertex_names) == list(hypergraph.vertex_names)
        assert list(made.hyperedge_names) == list(hypergraph.hyperedge_names)
        assert made.partition.tolist() == hypergraph.partition.tolist()


def test_hif_through_xgi_comes_back(hypergraph: ge.Hypergraph) -> None:
    xgi = pytest.importorskip("xgi")
    if (hypergraph.incidence.data != 1).any():
        pytest.skip("XGI has no counts")
    made = ge.Hypergraph.from_xgi(xgi.from_hif_dict(hypergraph.to_hif()))
    assert sorted(made.vertex_names) == sorted(hypergraph.vertex_names)
    assert sorted(made.hyperedge_names) == sorted(hypergraph.hyperedge_names)
    assert made.incidence.nnz == hypergraph.incidence.nnz


@pytest.mark.skipif(not pd.__version__.startswith("2."), reason="HyperNetX asks for pandas 2")
def test_hypergraphs_of_hypernetx() -> None:
    hnx = pytest.importorskip("hypernetx")
    made = ge.Hypergraph.from_hypernetx(hnx.Hypergraph({"a": [1, 2], "b": [2, 3, 4]}))
    assert list(made.hyperedge_names) == ["a", "b"]
    assert made.sizes().tolist() == [2, 3]


def test_hmetis_comes_back(hypergraph: ge.Hypergraph, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ge.GraphensWarning)  # counts and empty hyperedges have no place there
        hypergraph.write(tmp_path / "h.hgr")
    made = ge.Hypergraph.read(tmp_path / "h.hgr")
    held = np.diff(hypergraph.incidence.tocsc().indptr) > 0
    assert (made.incidence != (hypergraph.incidence[:, held] > 0)).nnz == 0
    np.testing.assert_allclose(made.vertex_weights, hypergraph.vertex_weights, atol=1e-6)


def test_an_hmetis_file_of_others(tmp_path: Path) -> None:
    (tmp_path / "a.hgr").write_text("% a comment\n2 3\n1 2\n2 3\n")
    made = ge.Hypergraph.read(tmp_path / "a.hgr")
    assert made.incidence.toarray().tolist() == [[1, 0], [1, 1], [0, 1]]
    (tmp_path / "b.hgr").write_text("1 3 10\n1 2\n5\n6\n7\n")
    assert ge.Hypergraph.read(tmp_path / "b.hgr").vertex_weights.tolist() == [5, 6, 7]


@pytest.mark.parametrize("text", ["", "2 3\n1 2\n", "1 3\n1 9\n", "1 3\n0 1\n", "a b\n", "1 3\n1_1 2\n"])
def test_hypergraph_files_that_make_no_sense(text: str, tmp_path: Path) -> None:
    (tmp_path / "h.hgr").write_text(text)
    (tmp_path / "h.hif.json").write_text(text)
    for name in ("h.hgr", "h.hif.json", "absent.hgr"):
        with pytest.raises(ge.GraphensError, match=name):
            ge.Hypergraph.read(tmp_path / name)
    with pytest.raises(ge.GraphensError, match=r"\.hgr, \.hif\.json"):
        ge.Hypergraph.read("h.graphml")
