"""Thousands of odd graphs through METIS, in a process of their own: run as a script, prints how many calls came back.

Not a test module: test_metis.py runs it, so that a crash of the C library ends this process and not the tests.
"""

import sys
import warnings

import numpy as np
from scipy import sparse

import graphens as ge


def odd_graph(rng: np.random.Generator) -> ge.Graph:
    """A small graph: empty, sparse, dense, star, complete, blocks, bipartite; weights plain, zero, tiny or huge."""
    n = int(rng.integers(1, 60))
    shape = rng.integers(6)
    if shape == 5:
        labels = rng.integers(-1, rng.integers(1, 6), size=(n, rng.integers(1, 5)))
        return ge.bipartite(ge.Ensemble(np.where((labels < 0).all(axis=1)[:, None], 0, labels)))
    dense = rng.random((n, n)) < [0.0, 0.05, 0.3, 1.0, 0.15][shape]
    if shape == 4:
        dense[:, 0] = True
    weight = [np.ones((n, n)), rng.random((n, n)), 10.0 ** rng.uniform(-300, 300, (n, n)), rng.integers(0, 3, (n, n))][
        rng.integers(4)
    ]
    upper = np.triu(dense * weight, 1)
    vertex = [None, rng.random(n), 10.0 ** rng.uniform(-200, 200, n), rng.integers(0, 2, n).astype(float)][
        rng.integers(4)
    ]
    if vertex is not None and not vertex.any():
        vertex = None
    return ge.Graph(sparse.csr_array(upper + upper.T), vertex_weights=vertex)


def options(rng: np.random.Generator, k: int) -> dict[str, object]:
    chosen: dict[str, object] = {"scheme": ["auto", "kway", "recursive"][rng.integers(3)]}
    if rng.random() < 0.2:
        chosen["part_weights"] = rng.random(k) + 0.01
    if rng.random() < 0.2:
        chosen["imbalance"] = float(10 ** rng.uniform(-4, 0))
    return chosen


def main(calls: int, seed: int) -> None:
    warnings.simplefilter("ignore", ge.GraphensWarning)
    rng = np.random.default_rng(seed)
    for call in range(calls):
        graph = odd_graph(rng)
        n = int(np.count_nonzero(graph.roles == 0))
        k = int(rng.integers(1, n + 1))
        found = ge.partition(graph, k, partitioner="metis", seed=int(rng.integers(2**40)), n_init=1, **options(rng, k))
        parts = np.unique(found.labels[graph.roles == 0])
        assert parts.tolist() == list(range(k)), (call, n, k, parts)
        assert (len(found.labels), found.k) == (graph.n_vertices, k), (call, n, k)
        assert found.labels.max() == k - 1, (call, n, k)
    print(calls)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
