"""What is given per object follows the objects that have labels; partitions without weight know nobody."""

import numpy as np
import pytest

import graphens as ge

ABSENT = [[0, 0], [0, 0], [-1, -1], [1, 1], [1, 1]]
EXPECTED = [0, 0, -1, 1, 1]


@pytest.mark.parametrize("method", [ge.vote, ge.bagclust1])
def test_references_of_all_objects(method) -> None:
    assert method(ABSENT, reference=[0, 0, 0, 1, 1]).labels.tolist() == EXPECTED


def test_starts_of_all_objects() -> None:
    start = ge.mcla(ABSENT, 2, seed=0)
    assert ge.greedy(ABSENT, 2, start=start, seed=0).labels.tolist() == EXPECTED
    assert ge.greedy(ABSENT, 2, start=[0, 1, 0, 1, 1], seed=0).labels.tolist() == EXPECTED
    found = ge.aggregate(ABSENT, algorithm="localsearch", start=[0, 1, 0, 1, 1], seed=0)
    assert found.labels.tolist() == EXPECTED


@pytest.mark.parametrize("name", sorted({row.name for row in ge.methods()} - {"wce"}))
@pytest.mark.filterwarnings("ignore::graphens.errors.FallbackWarning")
def test_only_partitions_with_weight_know_an_object(name: str) -> None:
    e = ge.Ensemble([[0, 0, 0], [0, 0, 0], [1, 1, 1], [1, 1, 1], [-1, -1, 0]], weights=[1, 1, 0])
    r = ge.consensus(e, 2, method=name, seed=0)
    assert r.labels.tolist() == [0, 0, 1, 1, -1]
    assert r.membership.sum(axis=1).tolist() == pytest.approx([1, 1, 1, 1, 0])
    assert r.confidence[-1] == 0


def test_hard_partitions_without_alignment_are_tables_of_0_and_1() -> None:
    partitions = [[0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0]]
    hard = ge.combine(ge.Ensemble.from_partitions(partitions), align=False)
    soft = ge.combine([np.eye(2)[p] for p in partitions], align=False)
    assert hard.membership.tolist() == soft.membership.tolist()
    assert sorted(hard.membership[0]) == pytest.approx([1 / 3, 2 / 3])
    with_gap = ge.combine(ge.Ensemble.from_partitions([[0, 0, 2, 2], [0, 0, 1, 2]]), align=False)
    assert with_gap.membership[3].max() == 1  # label 2 means the same in both, though one lacks label 1


def test_a_generator_seeds_the_front_door() -> None:
    r = ge.consensus(ABSENT, 2, seed=np.random.default_rng(0))
    assert r.labels.tolist() == EXPECTED
