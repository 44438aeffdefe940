"""Walks, links and communities against plain versions."""

import numpy as np
import pytest
from scipy import sparse

import graphens as ge
from graphens.families.walks import shared_links, trajectory_similarity


def blocks(seed: int, n: int = 30, k: int = 3, b: int = 8) -> tuple[ge.Ensemble, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(k), n // k)
    labels = np.stack([rng.permutation(k)[truth] for _ in range(b)], axis=1)
    moved = rng.random(labels.shape) < 0.1
    labels[moved] = rng.integers(k, size=int(moved.sum()))
    return ge.Ensemble(labels), truth


def test_trajectories_equal_the_stacked_walks() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        step = rng.random((7, 7)) * (rng.random((7, 7)) < 0.5)
        step[2] = 0  # nowhere to go
        walk = step / np.where(step.sum(axis=1) > 0, step.sum(axis=1), 1)[:, None]
        walk[2, 2] = 1
        for i in np.flatnonzero(step.sum(axis=1) == 0):
            walk[i, i] = 1
        stacked = np.hstack([np.linalg.matrix_power(walk, s) for s in range(1, 6)])
        unit = stacked / np.linalg.norm(stacked, axis=1, keepdims=True)
        expected = unit @ unit.T
        np.testing.assert_allclose(trajectory_similarity(sparse.csr_array(step), 5), expected, atol=1e-12)


def test_links_equal_the_sum_over_common_neighbors() -> None:
    rng = np.random.default_rng(1)
    for weights in (None, [1, 2, 0.5]):
        e = ge.Ensemble(rng.integers(3, size=(12, 3)), weights=weights)
        graph = ge.metagraph(e)
        w, count = graph.adjacency.toarray(), np.repeat(e.weights, e.n_clusters)
        plain = np.zeros_like(w)
        owner = np.repeat(np.arange(3), e.n_clusters)
        for x in range(len(w)):
            for y in range(len(w)):
                if x != y and owner[x] == owner[y]:
                    plain[x, y] = sum(count[z] * min(w[x, z], w[y, z]) for z in range(len(w)))
        plain = 0.8 * plain / plain.max() + np.eye(len(w))
        np.testing.assert_allclose(shared_links(e, graph, 0.8).toarray(), plain, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("ecpcs", {"variant": "mc"}),
        ("ecpcs", {"variant": "hc"}),
        ("pta", {}),
        ("ptgp", {}),
        ("lce", {}),
        ("leiden", {}),
    ],
)
def test_groups_are_found(method: str, options: dict[str, str], seed: int) -> None:
    e, truth = blocks(seed)
    given = {"seed": seed} if method != "pta" else {}
    r = getattr(ge, method)(e, 3, **given, **options)
    assert ge.measures.ari(r.labels, truth) == 1.0


def test_leiden_lets_the_graph_decide() -> None:
    e, truth = blocks(0, n=60, k=4)
    r = ge.leiden(e, seed=0)
    assert ge.measures.ari(r.labels, truth) == 1.0
    assert r.k == 4
    assert len(r.details["communities"]) == e.n_clusters.sum()
    communities = r.details["communities"]
    shares = [np.mean(communities[np.arange(8) * 4 + e.labels[0]] == c) for c in np.unique(communities)]
    assert r.membership[0].max() == pytest.approx(max(shares))


def test_more_steps_see_further() -> None:
    """A chain of clusters, each sharing an object with the next: its ends meet only where walks are long enough."""
    chain = [[0, -1, -1, -1], [0, 0, -1, -1], [-1, 0, 0, -1], [-1, -1, 0, 0], [-1, -1, -1, 0]]
    ends = [ge.ecpcs(chain, 2, steps=steps, seed=0).graph.adjacency[0, 3] for steps in (1, 2, 3, 10)]
    assert ends[0] == 0
    assert ends[1] == pytest.approx(walk_cosine(steps=2))
    assert (np.diff(ends) > 0).all()


def walk_cosine(steps: int) -> float:
    """Cosine between the ends of a chain of four clusters of two objects, a third of which neighbors share."""
    jaccard = np.eye(4) + (np.eye(4, k=1) + np.eye(4, k=-1)) / 3
    walk = jaccard / jaccard.sum(axis=1, keepdims=True)
    first, *_, last = np.hstack([np.linalg.matrix_power(walk, s) for s in range(1, steps + 1)])
    return float(first @ last / np.linalg.norm(first) / np.linalg.norm(last))


def test_too_many_rows_are_refused_before_memory_runs_out() -> None:
    e = ge.Ensemble(np.random.default_rng(0).integers(9, size=(400, 9)))
    with ge.memory_budget("100 kB"):
        for method in ("pta", "ptgp", "lce", "semidefinite"):
            with pytest.raises(ge.GraphensError, match="memory budget"):
                getattr(ge, method)(e, 3)
