"""Contraction keeps the promise of every graph: exactly symmetric."""

import numpy as np

import graphens as ge


def test_contracted_graphs_are_exactly_symmetric() -> None:
    rng = np.random.default_rng(0)
    for _ in range(60):
        n = int(rng.integers(5, 30))
        e = ge.Ensemble(rng.integers(-1, 4, (n, 6)), weights=rng.random(6) + 0.1)
        for g in (ge.bipartite(e), ge.coassociation(e), ge.coassociation(e).threshold(0.1)):
            a = g.contract(rng.integers(0, 5, g.n_vertices)).adjacency
            assert (a != a.T).nnz == 0
