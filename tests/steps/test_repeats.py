"""Equal partitions counted once, where they are many."""

from __future__ import annotations

import numpy as np
import pytest

import graphens as ge
from graphens.choose.eigengap import gap_strengths
from graphens.steps.repeats import without_repeats

BASE = np.random.default_rng(0).integers(3, size=(20, 4))


def repeated(times: int) -> ge.Ensemble:
    return ge.Ensemble.from_partitions([(BASE[:, t] + s) % 3 for s in range(times) for t in range(4)])


def test_equal_up_to_renaming_is_one_of_the_total_weight() -> None:
    e = without_repeats(repeated(30))
    assert e.n_partitions == 4
    assert e.weights.tolist() == [30.0] * 4
    few = repeated(3)
    assert without_repeats(few) is few


@pytest.mark.parametrize("name", [row.name for row in ge.methods() if row.merges])
def test_the_answer_is_that_of_the_weighted_partitions(name: str) -> None:
    call = {"k": 3, "method": name, "seed": 0}
    many, weighted = ge.consensus(repeated(30), **call), ge.consensus(ge.Ensemble(BASE), **call)
    assert many.labels.tolist() == weighted.labels.tolist()
    assert many.ensemble.n_partitions == 120
    np.testing.assert_allclose(many.confidence, weighted.confidence)


def test_gaps_count_every_partition(monkeypatch: pytest.MonkeyPatch) -> None:
    e = repeated(30)
    once = gap_strengths(e)
    monkeypatch.setattr("graphens.steps.repeats._FEWER", 10**6)
    assert once == pytest.approx(gap_strengths(e))
