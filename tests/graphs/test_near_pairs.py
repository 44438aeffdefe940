"""Pairs that meet in a group of partitions are the same as all pairs above the limit, bit for bit."""

import sys
from collections.abc import Iterator

import numpy as np
import pytest
from scipy.sparse import csgraph

import graphens as ge
from graphens.graphs.coassociation import CoassociationGraph
from graphens.graphs.near_pairs import NearPairs, most_differing
from graphens.kernels.similarity import LENIENT, Evidence, similarity_block


def ensembles(how_many: int) -> Iterator[tuple[np.random.Generator, CoassociationGraph]]:
    """Ensembles with near pairs, and in turn missing labels, weights (also 0) and cluster weights."""
    for seed in range(how_many):
        rng = np.random.default_rng(seed)
        n, b, k = (int(rng.integers(*ends)) for ends in ((2, 40), (8, 60), (2, 7)))
        origin = rng.integers(0, max(1, n // 4), n)
        labels = rng.integers(0, k, (n, b))[origin]
        moved = rng.random((n, b)) < rng.choice([0.0, 0.02, 0.1])
        labels[moved] = rng.integers(0, k + 1, moved.sum())
        if seed % 2:
            labels[rng.random((n, b)) < rng.choice([0.005, 0.03, 0.2])] = -1
        if seed % 6 == 1:
            labels[rng.integers(n)] = -1
        weights = rng.choice([0.0, 0.3, 1.0, 2.0], b) + np.eye(b)[0] if seed % 3 == 0 else None
        e = ge.Ensemble(labels, weights=weights)
        shares = rng.random(int(e.n_clusters.sum())) if seed % 5 == 0 else None
        yield rng, ge.coassociation(e, cluster_weights=shares)


def everything(ev: Evidence, limit: float) -> np.ndarray:
    """All similarities, those up to the limit as 0."""
    found = similarity_block(ev, 0, ev.codes.shape[1])
    return np.where(found > limit, found, 0.0)


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
@pytest.mark.parametrize("rule", ["share", "count"])
def test_near_pairs_are_all_pairs_above_the_limit(rule: str) -> None:
    used = edges = 0
    for rng, graph in ensembles(100):
        ev = graph._evidence
        if rule == "count":
            ev = ev._replace(mode=LENIENT, weights=np.ones_like(ev.weights))
        for t in {0, 1, int(rng.integers(0, 4)), int(rng.integers(0, 12))}:
            limit = 1 - t / ev.codes.shape[0] - 1e-9
            near = NearPairs.of(ev, limit)
            if near is not None:
                wanted = everything(ev, limit)
                np.testing.assert_array_equal(near.matrix().toarray(), wanted)
                used, edges = used + 1, edges + np.count_nonzero(wanted)
    assert min(used, edges) > 100


def test_objects_that_lack_many_labels_are_compared_with_everybody() -> None:
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 4, (20, 40))[rng.integers(0, 20, 2500)]
    labels[:2, ::2] = -1  # few objects, so that the others need not meet in small groups
    labels[900, 1::2] = -1
    ev = ge.coassociation(labels)._evidence
    near = NearPairs.of(ev, 0.97)
    assert near is not None
    assert near.heavy.tolist() == [900]
    np.testing.assert_array_equal(near.matrix().toarray(), everything(ev, 0.97))


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_the_forest_of_near_pairs_is_as_heavy_as_any() -> None:
    used = 0
    for _, graph in ensembles(120):
        near = NearPairs.of(graph._evidence, 0.9)
        if near is not None:
            tree, whole = near.forest(), near.matrix()
            assert np.count_nonzero(tree.toarray()) == tree.nnz
            for level in np.unique(whole.data):
                some, every = tree.copy(), whole.copy()
                some.data, every.data = some.data * (some.data >= level), every.data * (every.data >= level)
                components = [csgraph.connected_components(part, directed=False)[1] for part in (some, every)]
                assert ge.measures.ari(*components) == 1
            used += 1
    assert used > 30


def test_lightest_partitions_decide_in_how_many_objects_may_differ() -> None:
    e = ge.Ensemble(np.zeros((2, 5), dtype=int), weights=[0.0, 1.0, 1.0, 4.0, 4.0])
    ev = ge.coassociation(e)._evidence
    assert [most_differing(ev, limit) for limit in (0.95, 0.9, 0.8, 0.39, 0.0)] == [0, 1, 2, 3, 4]


def test_pairs_come_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    e = ge.Ensemble(np.repeat(np.random.default_rng(0).integers(0, 3, (4, 12)), 90, axis=0))
    ev = ge.coassociation(e)._evidence
    whole = NearPairs.of(ev, 0.95)
    assert whole is not None
    wanted, tree = whole.matrix(), whole.forest()
    monkeypatch.setattr("graphens.graphs.near_pairs._ROOM", 1100)
    assert (whole.matrix() != wanted).nnz == 0
    assert whole.forest().nnz == tree.nnz == 360 - 4


def test_a_graph_beyond_the_budget_is_refused() -> None:
    e = ge.Ensemble(np.zeros((200, 12), dtype=int))
    near = NearPairs.of(ge.coassociation(e)._evidence, 0.95)
    assert near is not None
    with ge.memory_budget("100 kB"), pytest.raises(ge.errors.SizeError, match="Use a larger theta"):
        near.matrix()


def clustered(seed: int, *, missing: bool = False, weighted: bool = False) -> CoassociationGraph:
    """Enough objects for neighbors to be looked for in another way, some of them with no near one."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 5, (300, 160))[rng.integers(0, 100, 1500)]
    labels[::400] = rng.integers(0, 5, (4, 160))
    moved = rng.random(labels.shape) < 0.005
    labels[moved] = rng.integers(0, 5, moved.sum())
    if missing:
        labels[rng.random(labels.shape) < 0.002] = -1
    return ge.coassociation(ge.Ensemble(labels, weights=rng.choice([1.0, 2.0], 160) if weighted else None))


@pytest.mark.parametrize("how", [{}, {"missing": True}, {"weighted": True}, {"missing": True, "weighted": True}])
def test_graphs_are_the_same_whichever_way_they_are_found(
    how: dict[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    g = clustered(5, **how)
    operations = {
        "threshold": lambda: g.threshold(0.97),
        "neighbors": lambda: g.neighbors(2),
        "one": lambda: g.neighbors(1),
    }
    wanted = {name: make() for name, make in operations.items()}
    heaviest = g.spanning_forest(0.97)
    monkeypatch.setattr(sys.modules["graphens.graphs.coassociation"], "_SMALL", 0.0)
    used: list[float] = []
    of = NearPairs.if_cheaper

    def watched(ev: Evidence, limit: float, steps: float) -> NearPairs | None:
        near = of(ev, limit, 1e99)
        used.append(limit)
        assert near is not None
        return near

    monkeypatch.setattr(NearPairs, "if_cheaper", watched)
    for name, make in operations.items():
        assert (make().adjacency != wanted[name].adjacency).nnz == 0
        assert make().kind == wanted[name].kind
    assert g.spanning_forest(0.97).adjacency.sum() == pytest.approx(heaviest.adjacency.sum(), abs=1e-9)
    assert len(used) == 7


def test_what_is_cheaper_decides() -> None:
    ev = clustered(1)._evidence
    assert NearPairs.if_cheaper(ev, 0.95, 1e12) is not None
    assert NearPairs.if_cheaper(ev, 0.95, 1e4) is None
    assert NearPairs.if_cheaper(ev, 0.5, 1e12) is None  # 81 groups of 160 partitions would tell nothing apart
