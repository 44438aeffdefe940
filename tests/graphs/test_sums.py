"""Sums of the rows of every object's clusters, and who is strongest in them, against plain NumPy."""

from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens.families.rows import LargestSum
from graphens.graphs.counts import sum_cluster_rows, use_sums
from graphens.labels.encoding import row_hashes


def ensemble(n: int, seed: int) -> ge.Ensemble:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 5, (n, 6))
    labels[rng.random(labels.shape) < 0.2] = -1
    return ge.Ensemble(labels)


def plain_sums(e: ge.Ensemble, table: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(ge.hypergraph(e).incidence.toarray() @ table)


@pytest.mark.parametrize("n", [1, 255, 700])
@pytest.mark.parametrize("width", [1, 3, 400])
def test_sums_are_the_product_with_the_incidence(n: int, width: int) -> None:
    e = ensemble(n, width)
    table = np.random.default_rng(n).random((int(e.offsets[-1]), width))
    np.testing.assert_allclose(sum_cluster_rows(e, table), plain_sums(e, table), atol=1e-12)
    found = np.full((n, width), np.nan)
    use_sums(e, table, lambda some, sums: found.__setitem__(some, sums))
    assert found.tobytes() == sum_cluster_rows(e, table).tobytes()


@pytest.mark.parametrize("seed", range(5))
def test_the_strongest_group_wins_and_ties_are_drawn_by_the_labels(seed: int) -> None:
    e = ensemble(300, seed)
    groups = np.random.default_rng(seed).integers(0, 4, int(e.offsets[-1]))
    table = np.eye(4)[groups]
    winner = LargestSum(table, seed).labels(e)
    sums, tickets = plain_sums(e, table), row_hashes(e.codes, seed) >> np.uint64(11)
    for i, row in enumerate(sums):
        tied = np.flatnonzero(row == row.max())
        assert winner[i] == tied[int(tickets[i]) % len(tied)]
    assert len({int(w) for w, row in zip(winner, sums, strict=True) if (row == row.max()).all()}) != 1
