"""Soft partitions: what is read, what is kept, what is refused."""

from pathlib import Path

import numpy as np
import pytest

import graphens as ge
from graphens.errors import InputError, TypeMismatch

SOFT = [np.array([[2, 1], [0, 0], [1, 3.0]]), np.array([[0, 0, 1], [0, 1, 1], [np.nan] * 3])]


@pytest.fixture
def e() -> ge.Ensemble:
    return ge.Ensemble.from_memberships(SOFT, weights=[1, 2])


def test_labels_are_the_strongest_clusters(e: ge.Ensemble) -> None:
    assert e.labels.tolist() == [[0, 1], [-1, 0], [1, -1]]
    assert e.cluster_names.array().tolist() == ["P0:0", "P0:1", "P1:1", "P1:2"]
    np.testing.assert_allclose(e.memberships[0], [[2 / 3, 1 / 3], [0, 0], [0.25, 0.75]])
    assert not e.memberships[0].flags.writeable


def test_memberships_go_where_objects_and_partitions_go(e: ge.Ensemble, tmp_path: Path) -> None:
    part = e.take(objects=[2, 0], partitions=[1])
    np.testing.assert_allclose(part.memberships[0], [[0, 0, 0], [0, 0, 1]])
    more = e.append([[5], [6], [5]])
    np.testing.assert_allclose(more.memberships[2], [[1, 0], [0, 1], [1, 0]])
    assert e.collapse()[0].memberships is None
    assert e.reweight([1, 1]).memberships is e.memberships
    assert e != ge.Ensemble(e.labels, weights=[1, 2])
    e.save(tmp_path / "e.npz")
    assert ge.Ensemble.load(tmp_path / "e.npz") == e
    assert ge.Ensemble([[0], [1]]).memberships is None


def test_names_of_soft_partitions() -> None:
    e = ge.Ensemble.from_memberships({"a": SOFT[0], "b": SOFT[1]})
    assert e.partition_names == ("a", "b")


@pytest.mark.parametrize(
    ("table", "error"),
    [
        ([[0.5, -0.5]], InputError),
        ([[0.5, np.nan]], InputError),
        ([[np.inf, 1]], InputError),
        ([0.5, 0.5], InputError),
        ([[]], InputError),
        ([["x", "y"]], TypeMismatch),
    ],
)
def test_tables_that_are_no_memberships(table: object, error: type[Exception]) -> None:
    with pytest.raises(error, match="Partition 0"):
        ge.Ensemble.from_memberships([table])


def test_tables_of_different_lengths() -> None:
    with pytest.raises(InputError, match="Partition 1 has 1"):
        ge.Ensemble.from_memberships([[[1, 0], [0, 1]], [[1, 0]]])


def test_ragged_rows_are_still_an_error_of_ours() -> None:
    with pytest.raises(ge.GraphensError):
        ge.vote([[[1], [1, 2]], [[1], [2]]])
