"""HIF read back by XGI and checked against its schema; incidence frames read by HyperNetX."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

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
    assert {e: made.edges.members(e) for e in made.edges} == dict(
        zip(edges, members(hypergraph, nodes), strict=True)
    )
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
