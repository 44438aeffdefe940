import copy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens.cutting import partitioner_registry as registry
from graphens.cutting.partitioner_registry import find_partitioner
from graphens.errors import GraphensWarning, InputError, MissingDependency, TypeMismatch


@pytest.fixture(autouse=True)
def _own_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_ROWS", copy.deepcopy(registry._ROWS))


def halves(graph: ge.Graph, k: int, *, seed: int) -> Any:
    """Cut in the order of the vertices."""
    return np.arange(graph.n_vertices) * k // graph.n_vertices


def plug_in(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, entry: str = "") -> None:
    """Install a package with one entry point into a folder on the path."""
    (folder / f"{name}.py").write_text(text)
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[graphens.partitioners]\n{entry or name} = {name}:cut\n")
    monkeypatch.syspath_prepend(str(folder))


def test_every_row_says_what_it_needs() -> None:
    rows = {row.name: row for row in ge.partitioners()}
    assert {"metis", "spectral", "leiden", "multilevel", "label-propagation", "infomap"} <= set(rows)
    assert {"components", "linkage", "mtkahypar", "metis-km1"} <= set(rows)
    for row in rows.values():
        assert row.about
        assert row.takes in ("graph", "hypergraph")
        assert row.available or row.requires
    assert rows["metis"].n_init > 1
    assert rows["mtkahypar"].requires == "mtkahypar"
    assert rows["leiden"].finds_k
    assert not rows["metis"].finds_k


def test_register_use_and_replace() -> None:
    ge.register_partitioner("halves", halves)
    g = ge.Graph(np.ones((4, 4)))
    assert ge.partition(g, 2, partitioner="halves").labels.tolist() == [0, 0, 1, 1]
    assert ge.cspa([[0, 0], [0, 1], [1, 1]], 2, partitioner="halves").k == 2
    ge.register_partitioner("halves", lambda graph, k, *, seed: np.arange(graph.n_vertices) % k)
    assert ge.partition(g, 2, partitioner="halves").labels.tolist() == [0, 1, 0, 1]


def test_names_of_graphens_are_kept() -> None:
    with pytest.raises(InputError, match="'metis' is already used"):
        ge.register_partitioner("metis", halves)


def test_what_is_not_a_function() -> None:
    with pytest.raises(TypeMismatch, match="expected a function"):
        ge.register_partitioner("mine", 3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="takes"):
        ge.register_partitioner("mine", halves, takes="matrix")
    with pytest.raises(InputError, match=r"one of .*metis"):
        ge.partition(ge.Graph(np.ones((3, 3))), 2, partitioner="no such")
    with pytest.raises(TypeMismatch, match="expected a function"):
        ge.partition(ge.Graph(np.ones((3, 3))), 2, partitioner=7)  # type: ignore[arg-type]


def test_a_plug_in_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def cut(graph, k, *, seed):\n    'Every k-th.'\n    return [i % k for i in range(graph.n_vertices)]\n"
    plug_in(tmp_path, monkeypatch, "good_cutter", text)
    assert ge.partition(ge.Graph(np.ones((4, 4))), 2, partitioner="good_cutter").labels.tolist() == [0, 1, 0, 1]
    assert find_partitioner("good_cutter").about == "Every k-th."


@pytest.mark.parametrize(
    "text", ["import no_such_module", "raise SystemExit(3)", "1 / 0", "cut = 3", "something = 1", "def cut(:"]
)
def test_a_bad_plug_in_warns_and_breaks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    plug_in(tmp_path, monkeypatch, f"bad_cutter_{abs(hash(text))}", text)
    with pytest.warns(GraphensWarning, match="could not be loaded"):
        rows = ge.partitioners()
    assert not any(row.name.startswith("bad_cutter") for row in rows)
    assert ge.partition(ge.Graph(np.ones((4, 4))), 2, seed=0).k == 2


def test_a_plug_in_cannot_take_a_name_of_graphens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(tmp_path, monkeypatch, "sly_cutter", "def cut(graph, k, *, seed):\n    return []\n", entry="spectral")
    with pytest.warns(GraphensWarning, match="already used"):
        ge.partitioners()
    assert ge.partition(ge.Graph(np.ones((4, 4))), 2, partitioner="spectral", seed=0).k == 2


def test_a_missing_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mtkahypar", None)
    with pytest.raises(MissingDependency, match=r"graphens\[hypergraph\]"):
        ge.partition(ge.Graph(np.ones((4, 4))), 2, partitioner="mtkahypar")


def test_built_in_functions_keep_their_row_when_passed_themselves() -> None:
    from graphens.cutting.community import leiden

    assert find_partitioner(leiden).finds_k
    assert ge.partition(ge.Graph(np.ones((4, 4))), partitioner=leiden, seed=0).partitioner == "leiden"
