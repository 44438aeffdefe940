"""The bipartite graph, built only where somebody looks."""

import numpy as np

import graphens as ge


def test_a_part_of_it_is_the_part_of_its_matrix() -> None:
    rng = np.random.default_rng(3)
    for seed in range(20):
        labels = rng.integers(-1, 4, size=(12, 3))
        labels[0] = 0
        e = ge.Ensemble(labels, weights=[1.0, 2.0, 0.5], object_weights=rng.integers(1, 3, size=12))
        lazy, full = ge.bipartite(e), ge.bipartite(e)
        index = rng.permutation(full.n_vertices)[: 3 + seed % 10]
        part = lazy.subgraph(index)
        assert np.allclose(part.to_scipy().toarray(), full.to_scipy().toarray()[np.ix_(index, index)])
        assert list(part.names) == [full.names[int(i)] for i in index]
        assert (part.roles == full.roles[index]).all()
        assert (part.vertex_weights == full.vertex_weights[index]).all()


def test_contracted_graphs_are_exactly_symmetric() -> None:
    rng = np.random.default_rng(0)
    for _ in range(60):
        n = int(rng.integers(5, 30))
        e = ge.Ensemble(rng.integers(-1, 4, (n, 6)), weights=rng.random(6) + 0.1)
        for g in (ge.bipartite(e), ge.coassociation(e), ge.coassociation(e).threshold(0.1)):
            a = g.contract(rng.integers(0, 5, g.n_vertices)).adjacency
            assert (a != a.T).nnz == 0
