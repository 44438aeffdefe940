import functools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import graphens as ge
from graphens.errors import DegenerateWarning
from tests import plain

GOLDEN = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
METHODS: list[Callable[..., ge.Consensus]] = [ge.cspa, ge.hgpa, ge.mcla, ge.hbgf, ge.ibgf, ge.cbgf, ge.lwgp]
VARIANTS = [
    *METHODS,
    functools.partial(ge.hbgf, partitioner="spectral"),
    functools.partial(ge.cspa, collapse=False),
    functools.partial(ge.cspa, neighbors=20),
    functools.partial(ge.hgpa, collapse=False),
    functools.partial(ge.hgpa, partitioner="metis"),
]


def blocks(n: int = 120, b: int = 10, k: int = 4, noise: float = 0.15, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """k groups of equal size; each label is wrong with some probability."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) * k // n
    labels = np.repeat(truth[:, None], b, axis=1)
    wrong = rng.random((n, b)) < noise
    labels[wrong] = rng.integers(0, k, wrong.sum())
    return labels, truth


def test_golden_association_and_hyperedges() -> None:
    r = ge.mcla(GOLDEN, 3, seed=0)
    # the meta-cluster of {x6,x7}, {x6,x7} and {x5,x6,x7}
    assert r.membership[:, 2] == pytest.approx([0, 0, 0, 0, 1 / 3, 1, 1])
    assert r.membership.max(axis=1) == pytest.approx([1, 1, 2 / 3, 1, 2 / 3, 1, 1])
    h = ge.hgpa(GOLDEN, 3, seed=0)
    assert (h.details["cut"], h.details["km1"]) == (2.0, 2.0)


@pytest.mark.parametrize("method", VARIANTS)
def test_noisy_blocks_are_found(method: Callable[..., ge.Consensus]) -> None:
    labels, truth = blocks()
    r = method(labels, 4, seed=0)
    assert ge.measures.ari(r.labels, truth) > 0.9
    assert r.k == 4
    assert r.membership.sum(axis=1) == pytest.approx(np.ones(120))
    assert r.score > 0.5


@pytest.mark.parametrize("method", VARIANTS)
def test_missing_labels_and_weights(method: Callable[..., ge.Consensus]) -> None:
    labels, truth = blocks(noise=0.05)
    rng = np.random.default_rng(1)
    labels[rng.random(labels.shape) < 0.3] = -1
    labels[5] = -1
    nonsense = rng.integers(0, 4, (120, 6))
    e = ge.Ensemble(
        np.hstack([labels, nonsense]), weights=[1.0] * 10 + [0.001] * 6, object_weights=rng.integers(1, 3, 120)
    )
    e = e._replace(codes=np.where(np.arange(120) == 5, np.uint8(255), e.codes))
    r = method(e, 4, seed=0)
    assert r.labels[5] == -1
    assert r.confidence[5] == 0
    inside = np.arange(120) != 5
    assert ge.measures.ari(r.labels[inside], truth[inside]) > 0.85


@pytest.mark.parametrize("row", [row for row in ge.partitioners() if row.available], ids=lambda row: row.name)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
def test_any_method_with_any_partitioner(method: Callable[..., ge.Consensus], row: ge.Partitioner) -> None:
    labels, _ = blocks(n=40, b=6, k=3, noise=0.1)
    r = method(labels, 3, partitioner=row.name, seed=0)
    assert r.k == 3 or method in (ge.mcla, ge.cbgf)
    if row.finds_k:
        assert method(labels, partitioner=row.name, seed=0).k >= 1


def test_cspa_cuts_the_co_association_graph_of_all_objects() -> None:
    rng = np.random.default_rng(0)
    for _ in range(60):
        e = plain.random_ensemble(rng, n=int(rng.integers(4, 14)), k=3)
        e = e.take(objects=e.present)
        if e.n_objects < 3:
            continue
        r = ge.cspa(e, 2, seed=0)
        m = e.object_weights
        full = plain.coassociation(e) * m[:, None] * m  # an object of weight m stands for m objects
        apart = r.labels[:, None] != r.labels
        assert r.details["cut"] == pytest.approx(full[apart].sum() / 2)


def test_hgpa_reports_cut_and_connectivity_of_all_objects() -> None:
    rng = np.random.default_rng(0)
    for _ in range(60):
        e = plain.random_ensemble(rng, n=int(rng.integers(4, 14)), k=3)
        e = e.take(objects=e.present)
        k = min(3, e.n_objects)
        r = ge.hgpa(e, k, seed=0)
        cut = km1 = 0.0
        for t, members in plain.clusters(e):
            touched = len({int(r.labels[i]) for i in members})
            cut += e.weights[t] * (touched > 1)
            km1 += e.weights[t] * max(touched - 1, 0)
        assert (r.details["cut"], r.details["km1"]) == (pytest.approx(cut), pytest.approx(km1))
        assert r.graph.cut(r.vertex_labels) == pytest.approx(cut)


@pytest.mark.parametrize("method", [ge.hbgf, ge.lwgp, ge.hgpa, ge.qmi])
def test_sums_of_weights_are_in_the_unit_of_the_weights(method: Callable[..., ge.Consensus]) -> None:
    labels = blocks()[0]
    weights = np.array([1.0] * (labels.shape[1] - 1) + [1.01])
    one, near, large = (method(ge.Ensemble(labels, weights=w), 4, seed=0) for w in (None, weights, 7e5 * weights))
    for name in {"cut", "km1", "cost"} & set(one.details):
        assert near.details[name] == pytest.approx(one.details[name], rel=0.05)
        assert large.details[name] == pytest.approx(7e5 * near.details[name])
    if "cut" in large.details:
        assert large.graph.cut(large.vertex_labels) == pytest.approx(large.details["cut"])


def test_mcla_membership_is_the_weighted_mean_of_indicators() -> None:
    rng = np.random.default_rng(0)
    for _ in range(40):
        e = plain.random_ensemble(rng, n=int(rng.integers(4, 14)), k=3)
        e = e.take(objects=e.present)
        k = int(min(3, e.n_objects, e.n_clusters.sum()))
        meta = ge.partition(ge.metagraph(e), k, seed=0).labels
        association = np.zeros((e.n_objects, k))
        for j in range(k):
            total = 0.0
            for c, (t, members) in enumerate(plain.clusters(e)):
                if meta[c] == j:
                    total += e.weights[t]
                    association[list(members), j] += e.weights[t]
            association[:, j] /= total
        with_warnings = ge.mcla(e, k, seed=0)
        best = association.max(axis=1)
        for i in range(e.n_objects):
            tied = np.flatnonzero(association[i] >= best[i] - 1e-9)
            # the winner's share among the meta-clusters that won something
            won = {int(np.argmax(association[o])) for o in range(e.n_objects)}
            if len(tied) == 1 and with_warnings.k == k == len(won):
                assert with_warnings.membership[i, with_warnings.labels[i]] == pytest.approx(
                    best[i] / association[i].sum()
                )


def test_cbgf_gives_objects_to_the_majority_of_their_clusters() -> None:
    rng = np.random.default_rng(0)
    for _ in range(25):
        e = plain.random_ensemble(rng, n=int(rng.integers(4, 14)), k=3)
        e = e.take(objects=e.present)
        k = int(min(2, e.n_objects))
        g = ge.metagraph(e)
        meta = ge.partition(ge.Graph(g.to_scipy(), roles=g.roles), min(k, g.n_vertices), seed=0).labels
        votes = np.zeros((e.n_objects, k))
        for c, (t, members) in enumerate(plain.clusters(e)):
            votes[list(members), meta[c]] += e.weights[t]
        r = ge.cbgf(e, k, seed=0)
        sure = np.flatnonzero(votes.max(axis=1) - np.sort(votes, axis=1)[:, -2] > 1e-9) if k > 1 else []
        for i in sure:
            for j in sure:
                same = votes[i].argmax() == votes[j].argmax()
                assert (r.labels[i] == r.labels[j]) == same


def test_lwgp_against_dense_matrices() -> None:
    labels, _ = blocks(n=90, b=8, k=3, noise=0.3)
    e = ge.Ensemble(labels)
    h = ge.hypergraph(e).incidence.toarray()
    entropy = np.zeros(h.shape[1])
    for c in range(h.shape[1]):
        inside = h[:, c] > 0
        for t in range(8):
            p = np.bincount(labels[inside, t]) / inside.sum()
            entropy[c] -= (p[p > 0] * np.log2(p[p > 0])).sum()
    worth = np.exp(-entropy / (0.4 * 8))
    r = ge.lwgp(e, 3, seed=0)
    assert r.details["reliability"] == pytest.approx(worth)
    from tests.plain import transfer_cut

    assert np.array_equal(r.labels, transfer_cut(h * worth, 3))


def test_collapse_cuts_the_same_bipartite_graph() -> None:
    labels = np.repeat(np.random.default_rng(0).integers(0, 3, (12, 5)), 4, axis=0)
    r = ge.hbgf(labels, 3, seed=0)
    full = ge.bipartite(labels)
    assert r.graph.n_vertices == full.n_vertices - 36
    on_all = np.concatenate([r.labels, r.vertex_labels[12:]])  # clusters come behind the distinct rows
    assert r.details["cut"] == pytest.approx(full.cut(on_all))
    assert r.details["cut"] == pytest.approx(r.graph.cut(r.vertex_labels))
    assert len(set(r.labels[:4].tolist())) == 1


def test_the_graph_is_that_of_the_options(tmp_path: Path) -> None:
    labels, _ = blocks()
    twice = np.repeat(labels, 2, axis=0)
    assert "20 neighbors" in ge.cspa(labels, 4, neighbors=20, seed=0).graph.kind
    assert ge.cspa(twice, 4, collapse=False, seed=0).graph.n_vertices == 240
    assert ge.ibgf(twice, 4, seed=0).graph.n_vertices == 240
    r = ge.cspa(ge.Ensemble(twice, weights=np.linspace(0.7, 3, 10)), 4, neighbors=20, seed=0)
    assert r.graph.n_vertices < 240
    r.save(tmp_path / "r.npz")  # which refuses edges of two weights
    assert (ge.load(tmp_path / "r.npz").graph.adjacency != r.graph.adjacency).nnz == 0


def test_large_graphs_are_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    from graphens.families import partitioning

    monkeypatch.setattr(partitioning, "_EDGES", 100)
    labels, truth = blocks(n=300)
    r = ge.cspa(labels, 4, seed=0)
    assert "100 neighbors" in r.graph.kind
    assert ge.measures.ari(r.labels, truth) > 0.9


def test_options_reach_the_partitioner() -> None:
    labels = np.repeat(np.repeat([0, 1], [90, 30])[:, None], 4, axis=1) * 60 + np.arange(120)[:, None] % 60
    labels = np.hstack([labels, np.repeat([0, 1], [90, 30])[:, None]])
    even = ge.cspa(labels, 2, seed=0)
    right = ge.cspa(labels, 2, seed=0, partitioner_options={"part_weights": [3, 1]})
    assert abs(int(even.sizes()[0]) - 60) <= 2
    assert sorted(right.sizes().tolist()) == [30, 90]


def test_fewer_meta_clusters_than_asked_for_is_told() -> None:
    with pytest.warns(DegenerateWarning, match="distinguish only 2 groups of objects"):
        r = ge.mcla([[0], [0], [1], [1], [1]], 4, seed=0)
    assert r.k == 2


def test_ties_are_broken_by_the_seed() -> None:
    tied = ge.Ensemble([[0, 0], [0, 0], [0, 0], [1, 1], [1, 1], [1, 1], [0, 1]])
    sides = {int(ge.mcla(tied, 2, seed=seed).labels[6]) for seed in range(20)}
    assert sides == {0, 1}
    assert ge.mcla(tied, 2, seed=3).confidence[6] == pytest.approx(0.5)
