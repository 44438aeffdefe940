from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

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
