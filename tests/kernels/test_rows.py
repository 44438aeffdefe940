"""Grouping equal rows by hash stays exact, whatever the hash does."""

import numpy as np
import pytest

import graphens as ge
from graphens.kernels.counting import contingency, group_rows, same_rows, weighted_contingency


def grouped(codes: np.ndarray, salt: int = 0) -> tuple[np.ndarray, np.ndarray]:
    index = np.empty(codes.shape[1], dtype=np.int32)
    return group_rows(codes, np.uint64(salt), index), index


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("n", [1, 2, 4095, 4096, 4097, 20000])
def test_groups_in_order_of_first_appearance(kind, n):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 20, size=(3, n)).astype(kind)
    codes[rng.random((3, n)) < 0.2] = np.iinfo(kind).max
    first, index = grouped(codes)
    assert same_rows(codes, codes[:, first], index)
    assert len(first) == np.unique(codes, axis=1).shape[1]
    assert (np.diff(first) > 0).all()
    assert (index[first] == np.arange(len(first))).all()


def test_a_wrong_grouping_is_noticed():
    codes = np.array([[0, 0, 1, 1], [0, 0, 0, 2]], dtype=np.uint8)
    first, index = np.array([0, 2]), np.array([0, 0, 1, 1], dtype=np.int32)
    assert not same_rows(codes, codes[:, first], index)
    assert same_rows(codes[:1], codes[:1, first], index)


def hashed(row, salt: int = 0) -> int:
    """The hash of one row, in whole numbers."""
    value = salt
    for code in row:
        value = ((value ^ int(code)) * 0x9E3779B97F4A7C15) % 2**64
        value ^= value >> 29
    return value


def test_rows_that_share_a_hash_are_told_apart():
    """Labels of 64 bits, which no ensemble has, can be chosen so that two rows meet in one hash."""
    last = 5 ^ hashed([1]) ^ hashed([2])
    codes = np.array([[1, 2, 1, 3], [5, last, 5, 5]], dtype=np.uint64)
    assert hashed(codes[:, 0]) == hashed(codes[:, 1])
    first, index = grouped(codes)
    assert index.tolist() == [0, 0, 0, 1]  # the hash alone is wrong …
    assert not same_rows(codes, codes[:, first], index)
    e = ge.Ensemble(np.zeros((4, 2), dtype=int))._replace(codes=codes)
    micro, index = e.collapse()  # … and collapse notices
    assert index.tolist() == [0, 1, 0, 2]
    assert np.array_equal(micro.codes[:, index], codes)


def test_few_bits_of_the_rows_differ():
    """Rows that differ in one label of many partitions."""
    codes = np.zeros((200, 401), dtype=np.uint8)
    codes[np.arange(200), np.arange(200)] = 1
    codes[np.arange(200), np.arange(200, 400)] = 2
    first, index = grouped(codes)
    assert len(first) == 401
    assert same_rows(codes, codes[:, first], index)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_contingency(kind):
    rng = np.random.default_rng(1)
    for n in (0, 1, 2, 7, 1000):
        a, b = rng.integers(0, 4, size=n).astype(kind), rng.integers(0, 3, size=n).astype(np.uint8)
        a[rng.random(n) < 0.2] = np.iinfo(kind).max
        weights = rng.random(n)
        wanted = np.zeros((5, 4))
        heavy = np.zeros((5, 4))
        for x, y, w in zip(np.minimum(a, 4), b, weights, strict=True):
            wanted[x, y] += 1
            heavy[x, y] += w
        assert np.array_equal(contingency(a, b, 4, 3), wanted)
        assert np.allclose(weighted_contingency(a, b, 4, 3, weights), heavy)


def test_the_answer_does_not_depend_on_the_number_of_threads(monkeypatch):
    from graphens._lib import threads as _threads

    rng = np.random.default_rng(2)
    e = ge.Ensemble(rng.integers(-1, 4, size=(300, 6)), weights=rng.random(6), object_weights=rng.random(300) + 0.1)
    labels = rng.integers(0, 20, size=300)

    def answers():
        g = ge.coassociation(e)
        return [
            g.adjacency.data,
            g.neighbors(3).adjacency.data,
            g.contract(labels).adjacency.data,
            g.cut(labels),
            ge.metagraph(e).adjacency.data,
        ]

    several = answers()
    for count in (1, 3):
        monkeypatch.setattr(_threads, "n_threads", lambda count=count: count)
        assert all(np.array_equal(a, b) for a, b in zip(several, answers(), strict=True))
