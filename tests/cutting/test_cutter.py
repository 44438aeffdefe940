import inspect
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens.cutting.entry import Cutter

GRAPH = ge.bipartite([[0, 0, 1], [0, 0, 1], [0, 1, 1], [1, 1, 0], [1, 1, 0], [1, 1, 0]])


def test_it_cuts_as_partition_does() -> None:
    found = Cutter("metis", n_init=2, options={"imbalance": 0.1}, seed=3).cut(GRAPH, 2)
    wanted = ge.partition(GRAPH, 2, partitioner="metis", n_init=2, imbalance=0.1, seed=3)
    assert found.labels.tolist() == wanted.labels.tolist()
    own = {"partitioner": "metis", "search": "all cuts"}
    assert found.details() == {"cut": wanted.cut, "balance": wanted.balance, **own}
    assert Cutter("components").cut(GRAPH, None).k == 1


def test_it_knows_its_row_and_does_not_change() -> None:
    cutter = Cutter("spectral", seed=0)
    assert cutter.row.objective == "ncut"
    with pytest.raises(FrozenInstanceError):
        cutter.seed = 1  # type: ignore[misc]


@pytest.mark.parametrize("options", [{"seed": 1}, {"k": 2}, {"n_init": 3}, [("imbalance", 0.1)], "imbalance", {1: 2}])
def test_bad_options(options: Any) -> None:
    with pytest.raises(ge.GraphensError, match="options of the partitioner"):
        Cutter("metis", options=options).cut(GRAPH, 2)


CUTS = [row.name for row in ge.methods() if "partitioner" in inspect.signature(row.function).parameters]
LABELS = np.array([[0, 0, 1], [0, 0, 1], [2, -1, 1], [1, 1, 0], [1, 1, 0], [-1, 1, 0], [1, 1, -1], [2, 0, -1]])


def test_all_methods_that_cut_are_here() -> None:
    assert {"cspa", "ibgf", "hgpa", "hbgf", "lwgp", "mcla", "cbgf", "cumulative", "ptgp", "lce", "ecpcs"} == set(CUTS)


@pytest.mark.parametrize("name", CUTS)
def test_a_method_that_cuts_takes_functions_for_graphs_and_hypergraphs(name: str) -> None:
    e = ge.Ensemble(LABELS, weights=[1, 2, 1], object_weights=[1, 2, 1, 1, 3, 1, 1, 1])
    for kind, inside in ((ge.Graph, "spectral"), (ge.Hypergraph, "metis-km1")):
        seen: list[Any] = []

        def own(graph: Any, k: int, *, seed: int, inside: str = inside, seen: list[Any] = seen) -> Any:
            seen.append(graph)
            return ge.partition(graph, k, partitioner=inside, seed=seed)

        own.takes = "hypergraph" if kind is ge.Hypergraph else "graph"  # type: ignore[attr-defined]
        r = ge.consensus(e, 2, method=name, partitioner=own, seed=0)
        assert seen
        assert all(isinstance(graph, kind) for graph in seen)
        assert r.labels.tolist() == [0, 0, 0, 1, 1, 1, 1, 0]
        assert name == "cumulative" or r.details["partitioner"] == "own"
