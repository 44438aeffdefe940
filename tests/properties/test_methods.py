"""Properties of every registered method on ensembles that hypothesis makes up."""

from __future__ import annotations

import inspect
import os
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, seed, settings, strategies as st
from hypothesis.extra.numpy import arrays

import graphens as ge

ROWS = {row.name: row for row in ge.methods()}


def few(test: Any) -> Any:
    """Five examples, other ones in every run: GRAPHENS_FUZZ_SEED, in the header of the tests, repeats them."""
    asked = settings(max_examples=5, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    return seed(int(os.environ["GRAPHENS_FUZZ_SEED"]))(asked(test))


@st.composite
def ensembles(draw: st.DrawFn) -> ge.Ensemble:
    """Up to 9 objects in up to 4 partitions, weighted; every object is present, the first partition too."""
    n, b = draw(st.integers(1, 9)), draw(st.integers(1, 4))
    labels = draw(arrays(np.int64, (n, b), elements=st.integers(-1, 3)))
    labels[(labels < 0).all(axis=1), 0] = 0
    labels[0, 0] = max(labels[0, 0], 0)  # bagclust1 takes the first partition as that of all objects
    weights = draw(st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=b, max_size=b))
    masses = draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    return ge.Ensemble(labels, weights=weights, object_weights=masses)


def run(name: str, e: Any, k: int | None) -> ge.Consensus:
    asked = inspect.signature(ROWS[name].function).parameters
    given = {"k": k, "seed": 7} | ({"X": features(e)} if name == "wce" else {})  # the others do without
    call = {key: value for key, value in given.items() if key in asked}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ge.GraphensWarning)
        return ROWS[name].function(e, **call)


def features(e: ge.Ensemble) -> np.ndarray:
    """Two numbers for each object that go with it wherever it stands."""
    return np.column_stack([e.labels[:, 0], e.labels.sum(axis=1) + e.object_weights]).astype(float)


@pytest.mark.parametrize("name", sorted(ROWS))
@few
@given(e=ensembles())
def test_results_keep_their_promises(name: str, e: ge.Ensemble) -> None:
    r = run(name, e, None)
    assert sorted(set(r.labels.tolist())) == list(range(r.k))
    sums = r.membership.sum(axis=1)
    assert (sums <= 1 + 1e-9).all()
    assert r.models_membership or np.allclose(sums, 1)
    assert (r.confidence <= 1 + 1e-9).all()
    assert r.score == pytest.approx(ge.measures.anmi(r.labels, e))
