"""What a consensus tells, and how its clusters are numbered."""

import numpy as np
import pytest
from plain import random_ensemble

import graphens as ge


@pytest.mark.parametrize("method", ["vote", "mcla", "mixture", "cspa", "hbgf"])
def test_clusters_numbered_by_size_are_the_same_clusters(method):
    rng = np.random.default_rng(3)
    for _ in range(5):
        e = random_ensemble(rng, k=3)
        r = ge.consensus(e, min(3, int(e.present.sum())), method=method, seed=0)
        s = r.by_size()
        assert (np.diff(s.sizes()) <= 0).all()
        assert sorted(s.sizes()) == sorted(r.sizes())
        assert ge.measures.rand(r.labels, s.labels) == 1
        assert np.array_equal(r.labels < 0, s.labels < 0)
        assert np.allclose(r.confidence, s.confidence)
        for old, new in zip(r.labels, s.labels, strict=True):
            assert old < 0 or np.allclose(r.membership[:, old], s.membership[:, new])
        if r.graph is not None:
            assert np.isclose(r.graph.cut(r.vertex_labels), s.graph.cut(s.vertex_labels))
