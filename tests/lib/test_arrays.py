"""Labels in order of first appearance, whichever way they are found; numbers that no array holds."""

import os
from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens._lib.arrays import canonical


def plain(labels: list[int]) -> list[int]:
    seen: dict[int, int] = {}
    return [-1 if label < 0 else seen.setdefault(label, len(seen)) for label in labels]


def test_canonical_labels_are_those_of_a_dictionary() -> None:
    rng = np.random.default_rng(0)
    for round_ in range(300):
        labels = rng.integers(-2, rng.integers(1, 12), size=rng.integers(0, 15))
        given = np.abs(labels).astype(np.uint8) if round_ % 3 == 0 else labels
        spread = np.where(given < 0, given, given.astype(np.int64) * 1000)  # too far apart for one slot each
        for values in (given, spread, given.astype(float)):
            found = canonical(values)
            assert found.dtype == np.int32
            assert found.tolist() == plain(values.tolist())
    assert canonical(np.array([[3, 1], [3, -1]])).tolist() == [[0, 1], [0, -1]]


HUGE = 10**400


@pytest.mark.parametrize(
    "make",
    [
        lambda: ge.Ensemble([[0], [1]], weights=[HUGE]),
        lambda: ge.Ensemble([[0], [1]], object_weights=[HUGE, 1]),
        lambda: ge.Ensemble.from_memberships([[[HUGE, 1], [1, 0]]]),
        lambda: ge.Graph([[0, HUGE], [HUGE, 0]]),
        lambda: ge.Graph([[0, 1], [1, 0]], vertex_weights=[HUGE, 1]),
        lambda: ge.Hypergraph([[HUGE], [1]]),
        lambda: ge.Dendrogram([[0, 1, HUGE, 2]]),
        lambda: ge.Graph([[0, 1], [1, 0]]).threshold(HUGE),
        lambda: ge.generate([[HUGE, 1], [2, 3]], 3),
    ],
)
def test_numbers_beyond_floats_are_refused_in_a_sentence(make):
    with pytest.raises(ge.GraphensError):
        make()


@pytest.mark.parametrize(
    "read",
    [ge.load, ge.Ensemble.load, ge.Ensemble.from_profiles, ge.Graph.read, ge.Hypergraph.read, ge.vote([[0], [1]]).save],
)
@pytest.mark.parametrize("path", [1, True, 1.5, None, ["a"], "a\0b", b"a\0b"])
def test_a_path_of_another_type_is_refused_and_standard_output_stays_open(read: Any, path: Any) -> None:
    with pytest.raises(ge.GraphensError, match="expected the name of a file"):
        read(path)
    os.fstat(1)


@pytest.mark.parametrize("value", [np.zeros((1000, 50)), list(range(10**6)), "x" * 10**6, {1: "y" * 10**5}])
def test_messages_quote_little(value: Any) -> None:
    with pytest.raises(ge.GraphensError) as caught:
        ge.vote([[0], [1]], value)
    assert len(str(caught.value)) < 300
