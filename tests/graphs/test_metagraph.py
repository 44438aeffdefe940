"""The meta-graph, the bipartite graph and what they count."""

import importlib
from threading import get_ident

import numpy as np
import plain
import pytest
from scipy import sparse

import graphens as ge
from graphens.errors import InputError
from graphens.graphs.affinity import Affinity
from graphens.graphs.counts import overlaps
from graphens.graphs.reliability import cluster_reliability, informative, shared_pairs, uncertainty

counting = importlib.import_module("graphens.graphs.counts")  # the package has a function of that name
GOLDEN = ge.Ensemble.from_partitions([[1, 1, 1, 2, 2, 3, 3], [2, 2, 2, 3, 3, 1, 1], [3, 3, 2, 2, 1, 1, 1]])


def incidence(e: ge.Ensemble) -> np.ndarray:
    found = [[i in members for i in range(e.n_objects)] for _, members in plain.clusters(e)]
    return np.array(found, dtype=float).reshape(-1, e.n_objects).T


@pytest.mark.parametrize("similarity", ["jaccard", "overlap", "dice", "count"])
def test_similarities_by_their_definition(similarity):
    rng = np.random.default_rng(0)
    for _ in range(60):
        e = plain.random_ensemble(rng)
        g = ge.metagraph(e, similarity)
        wanted = plain.metagraph(e, similarity).reshape(g.n_vertices, g.n_vertices)
        assert np.allclose(g.adjacency.toarray(), wanted)
        assert np.allclose(ge.metagraph(ge.hypergraph(e), similarity).adjacency.toarray(), wanted)
        assert np.allclose(g.vertex_weights, e.cluster_sizes())
        assert (g.roles == 1).all()
        assert list(g.names) == list(e.cluster_names)
        assert g.adjacency.has_sorted_indices
        assert (g.adjacency.data > 0).all()


def test_counts_are_the_product_of_incidences():
    rng = np.random.default_rng(1)
    for _ in range(100):
        e = plain.random_ensemble(rng)
        h = incidence(e)
        both = h.T @ (h * e.object_weights[:, None])
        owner = np.repeat(np.arange(e.n_partitions), e.n_clusters)
        assert np.allclose(counting.cooccurrence(e).toarray(), np.where(owner[:, None] == owner, 0, both))


@pytest.mark.filterwarnings("ignore:Column:graphens.errors.GraphensWarning")
def test_large_tables_are_sorted_instead(monkeypatch):
    """Above a number of cells pairs are sorted; the answer is the same."""
    rng = np.random.default_rng(2)
    ensembles = [plain.random_ensemble(rng, n=40, b=4, k=60) for _ in range(30)]
    by_table = [counting.cooccurrence(e).toarray() for e in ensembles]
    monkeypatch.setattr(counting, "TABLE", 0)
    for e, wanted in zip(ensembles, by_table, strict=True):
        assert (np.outer(e.n_clusters, e.n_clusters) > 8 * 40).any()
        assert np.allclose(counting.cooccurrence(e).toarray(), wanted)
    wide = ge.Ensemble(np.column_stack([np.arange(5000), rng.permutation(5000)]))
    monkeypatch.undo()
    assert np.array_equal(counting.cooccurrence(wide).data, np.ones(10000))


@pytest.mark.parametrize("n_rows", [50, 10**6])
def test_collapsing_first_where_it_pays(n_rows):
    rng = np.random.default_rng(3)
    n = 2 * 2**16
    rows = rng.integers(-1, 4, size=(min(n_rows, n), 9))
    e = ge.Ensemble(rows[rng.integers(len(rows), size=n)])
    assert (counting.fewer_rows(e).n_objects < n) == (n_rows == 50)
    h = ge.hypergraph(e).incidence
    wanted = (h.T @ h).toarray()
    owner = np.repeat(np.arange(9), e.n_clusters)
    assert np.array_equal(counting.cooccurrence(e).toarray(), np.where(owner[:, None] == owner, 0, wanted))


def test_vertices_that_weigh_nothing_share_nothing():
    h = ge.Hypergraph([[1, 1, 0], [0, 0, 1]], vertex_weights=[0, 1])
    for similarity in ("jaccard", "overlap", "dice", "count"):
        assert ge.metagraph(h, similarity).n_edges == 0


def test_one_cluster_and_none():
    assert ge.metagraph([[0], [0]]).n_vertices == 1
    assert ge.metagraph([[-1], [-1]]).n_vertices == 0
    assert ge.metagraph([[0, -1], [1, -1]]).n_vertices == 2


def test_the_star_expansion():
    rng = np.random.default_rng(4)
    for case in range(100):
        e = plain.random_ensemble(rng)
        if case % 3 == 0 and e.n_partitions > 1:
            e = e.reweight(np.arange(e.n_partitions))  # one partition that weighs nothing
        g = ge.bipartite(e)
        h = incidence(e) * np.repeat(e.weights, e.n_clusters)
        n, k = h.shape
        assert np.allclose(g.adjacency.toarray(), np.block([[np.zeros((n, n)), h], [h.T, np.zeros((k, k))]]))
        assert g.roles.tolist() == [0] * n + [1] * k
        assert g.vertex_weights.tolist() == [*e.object_weights, *np.zeros(k)]
        assert list(g.names) == [*e.vertex_names(), *e.cluster_names]
        assert g.adjacency.has_sorted_indices
        assert (g.adjacency.data > 0).all()


def test_roles_are_kept_through_every_operation():
    e = ge.Ensemble([[0, 0], [0, 1], [1, 1]], object_names=["a", "b", "c"])
    g = ge.bipartite(e)
    names = ["a", "b", "c", "P0:0", "P0:1", "P1:0", "P1:1"]
    for made in (g.threshold(0.5), g.neighbors(1), g.spanning_forest(), g.subgraph(range(7)), g.contract(range(7))):
        assert list(made.names) == names
        assert made.roles.tolist() == [0, 0, 0, 1, 1, 1, 1]
        assert made.vertex_weights.tolist() == [1, 1, 1, 0, 0, 0, 0]
    clusters = g.subgraph(g.roles == 1)
    assert list(clusters.names) == names[3:]
    merged = g.contract([0, 0, 1, 2, 2, 1, 2])
    assert merged.roles.tolist() == [0, 0, 1]  # a part is an object where it holds one


def test_overlaps_and_membership():
    rng = np.random.default_rng(5)
    for _ in range(300):
        e = plain.random_ensemble(rng)
        labels = plain.random_labeling(rng, e.n_objects).astype(np.int32)
        k = int(labels.max(initial=0)) + 1
        own = np.array([[label == c for c in range(k)] for label in labels], dtype=float)
        shared = incidence(e).T @ (own * e.object_weights[:, None])
        assert np.allclose(overlaps(e, labels, k).toarray(), shared)
        found = Affinity(e, labels, k)
        wanted = plain.mean_membership(e, labels, k)
        assert np.allclose(found.membership(), wanted)
        kept = labels >= 0
        if len(np.unique(labels[kept])) == k:  # no cluster is empty
            confidence, cohesion = plain.confidence_and_cohesion(e, labels)
            assert np.allclose(found.confidence(), confidence)
            assert np.allclose(found.cohesion(), cohesion)
        assert (found.confidence()[~kept] == 0).all()
        assert (found.cohesion()[~kept] == 0).all()
        seen = found.splits()
        assert list(zip(seen.split, seen.judged, strict=True)) == plain.splits(e, labels, k)


def test_membership_by_sparse_blocks(monkeypatch):
    from graphens.graphs import affinity

    rng = np.random.default_rng(6)
    cases = []
    for _ in range(60):
        e = plain.random_ensemble(rng)
        labels = plain.random_labeling(rng, e.n_objects).astype(np.int32)
        k = int(labels.max(initial=0)) + 1
        cases.append((e, labels, k, Affinity(e, labels, k).confidence()))
    monkeypatch.setattr(affinity, "_DENSE", 4)
    for e, labels, k, confidence in cases:
        assert np.allclose(Affinity(e, labels, k).membership(), plain.mean_membership(e, labels, k))
        assert np.allclose(Affinity(e, labels, k).confidence(), confidence)


def test_reliability_of_clusters():
    rng = np.random.default_rng(7)
    for _ in range(60):
        e = plain.random_ensemble(rng)
        found = plain.clusters(e)
        m, w = e.object_weights, e.weights / e.weights.mean()
        wanted = np.zeros(len(found))
        for a, (s, mine) in enumerate(found):
            for t in set(range(e.n_partitions)) - {s}:
                shares = [m[list(mine & other)].sum() for u, other in found if u == t and mine & other]
                wanted[a] += w[t] * plain.entropy(shares) / np.log(2) if shares else 0
        assert np.allclose(uncertainty(e), wanted)
        assert np.allclose(cluster_reliability(e, adjusted=False), np.exp(-wanted / (0.4 * e.n_partitions)))
    with pytest.raises(InputError):
        cluster_reliability(GOLDEN, entropy_scale=0)


def test_sparse_results_are_sparse_arrays():
    assert isinstance(counting.cooccurrence(GOLDEN), sparse.csr_array)
    assert isinstance(ge.metagraph(GOLDEN).to_scipy(), sparse.csr_array)


def test_few_objects_in_many_partitions_are_counted_the_same(monkeypatch):
    """By products where tables would be nearly empty, against the tables."""
    from graphens.graphs import counts as counting

    rng = np.random.default_rng(0)
    for _ in range(20):
        labels = rng.integers(-1, 4, (int(rng.integers(2, 20)), 40))
        labels[0] = 0
        e = ge.Ensemble.from_partitions(labels.T, object_weights=rng.integers(1, 4, len(labels)))
        tables = counting.cooccurrence(e)
        monkeypatch.setattr(counting, "_TABLE_CELLS", -1)
        product = counting.cooccurrence(e._replace(codes=e.codes))
        monkeypatch.undo()
        assert product.has_sorted_indices
        assert np.array_equal(product.toarray(), tables.toarray())


def test_pairs_shared_beyond_chance_by_counting_pairs() -> None:
    rng = np.random.default_rng(1)
    labels = rng.integers(-1, 3, (25, 4))
    found = shared_pairs(ge.Ensemble(labels))
    for s in range(4):
        for t in range(4):
            both = np.flatnonzero((labels[:, s] >= 0) & (labels[:, t] >= 0))
            i, j = (both[side] for side in np.triu_indices(len(both), 1))
            in_s, in_t = labels[i, s] == labels[j, s], labels[i, t] == labels[j, t]
            chance = in_s.mean() * in_t.mean()
            wanted = ((in_s & in_t).mean() - chance) / (min(in_s.mean(), in_t.mean()) - chance)
            assert np.isclose(found[s, t], wanted if s != t else 0.0)


def test_partitions_that_agree_by_chance_only_are_not_asked() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 400)
    fine = truth * 50 + rng.integers(0, 50, 400)  # refines the truth
    e = ge.Ensemble.of(np.column_stack([truth, truth % 2, fine, rng.integers(0, 100, 400), np.arange(400)]))
    assert informative(e).tolist() == [True, True, True, False, False]
    worth = cluster_reliability(e)
    kept = cluster_reliability(e.take(partitions=[0, 1, 2]))
    assert np.allclose(worth[: len(kept)], kept)
    assert worth[len(kept) :].max() < 1e-8


def test_a_function_of_ones_own_is_a_similarity() -> None:
    labels = [[0, 0], [0, 0], [0, 1], [1, 1]]
    dice = ge.metagraph(labels, "dice").to_scipy().toarray()
    own = ge.metagraph(labels, lambda shared, a, b: 2 * shared / (a + b))
    np.testing.assert_array_equal(own.to_scipy().toarray(), dice)
    r = ge.mcla(labels, 2, similarity=lambda shared, a, b: 2 * shared / (a + b), seed=0)
    np.testing.assert_array_equal(r.graph.to_scipy().toarray(), dice)
    assert r.labels.tolist() == ge.mcla(labels, 2, similarity="dice", seed=0).labels.tolist()


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("cosine", "jaccard, overlap, dice, count"),
        (lambda shared, a, b: shared / a, "symmetric"),
        (lambda shared, a, b: shared * np.nan, "nan"),
        (lambda shared, a: shared, "raised TypeError"),
        (lambda shared, a, b: shared[:1], "one number for each of the"),
        (lambda shared, a, b: ["high"] * len(shared), "not numbers"),
        (lambda shared, a, b: -shared, "zero or more"),
    ],
)
def test_what_is_no_similarity_is_refused(function: object, words: str) -> None:
    with pytest.raises(ge.GraphensError, match=words):
        ge.mcla([[0, 0], [0, 0], [0, 1], [1, 1]], 2, similarity=function)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [2, 5])
def test_counting_in_threads_gives_the_same_numbers(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads begin at half a million objects; here they begin at one, and every count is the same to the last bit."""
    work = importlib.import_module("graphens._lib.threads")
    rng, ran = np.random.default_rng(0), set()
    labels = rng.integers(-1, 5, size=(4000, 9))
    e = ge.Ensemble(labels, object_weights=rng.random(4000))
    own = rng.integers(-1, 3, 4000)

    def counts() -> list[np.ndarray]:
        found = [counting.cooccurrence(e).toarray(), overlaps(e, own, 3).toarray()]
        return [*found, ge.measures.pairwise(e, "nmi"), cluster_reliability(e)]

    alone = counts()
    monkeypatch.setattr(work, "_STEPS", 1)
    monkeypatch.setattr(work, "n_threads", lambda: threads)
    real = counting.overlap_cells
    monkeypatch.setattr(counting, "overlap_cells", lambda *args: (ran.add(get_ident()), real(*args))[1])
    for one, many in zip(alone, counts(), strict=True):
        np.testing.assert_array_equal(one, many)
    assert ran - {get_ident()}  # and there were threads
