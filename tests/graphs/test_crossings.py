"""What partitions say of each other, counted in passing: the same as from the K × K overlaps."""

import numpy as np
import pytest

import graphens as ge
from graphens.graphs.counts import cooccurrence, few_overlaps, mean_entropies, sampled_partitions
from graphens.graphs.metagraph import fits_metagraph, strongest_metagraph
from graphens.graphs.reliability import cluster_reliability, informative, shared_pairs, uncertainty
from graphens.measures.agreement import mean_agreements, some_agreements

pytestmark = pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")


def draws(n: int, n_partitions: int, k: int = 8, *, gaps: float = 0.0, seed: int = 0) -> np.ndarray:
    """Labels around four groups, a third of them random; every fifth partition is random altogether."""
    rng = np.random.default_rng(seed)
    labels = np.repeat((np.arange(n) * 4 // n)[:, None], n_partitions, axis=1)
    noise = rng.random(labels.shape) < np.where(np.arange(n_partitions) % 5, 0.33, 1.0)
    labels = np.where(noise, rng.integers(0, k, labels.shape), labels)
    labels[:k] = np.arange(k)[:, None]  # every partition has all clusters
    return np.where(rng.random(labels.shape) < gaps, -1, labels)


@pytest.mark.parametrize(("n", "n_partitions", "k"), [(40, 30, 4), (50, 20, 45), (30, 60, 12), (9, 40, 1)], ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_opinions_are_those_of_the_overlaps(n: int, n_partitions: int, k: int, *, weighted: bool) -> None:
    """Dense and sparse tables, missing labels, weights that are whole numbers or not."""
    rng = np.random.default_rng(n)
    labels = draws(n, n_partitions, k, gaps=0.1 if weighted else 0.0)
    labels[-1] = 0
    weights = rng.random(n_partitions) * (np.arange(n_partitions) % 7 > 0) if weighted else None
    masses = rng.random(n) + rng.integers(0, 2, n) * 0.5 + 0.1 if weighted else None
    e = ge.Ensemble(labels, weights=weights, object_weights=masses)
    said, bits = mean_entropies(e, np.arange(n_partitions), e.weights)
    others = e.weights.sum() - e.weights
    np.testing.assert_allclose(said, shared_pairs(e) @ e.weights / others, atol=1e-9)
    expected = uncertainty(e, cooccurrence(e))
    scaled = e.weights / e.weights.mean()
    np.testing.assert_allclose(bits * np.repeat(scaled.sum() - scaled, e.n_clusters), expected, atol=1e-9)


@pytest.mark.parametrize("n_partitions", [256, 257])
def test_reliabilities_are_the_same_on_both_sides_of_the_switch(n_partitions: int) -> None:
    """2,048 clusters are counted against each other, 2,056 in passing."""
    e = ge.Ensemble(draws(70, n_partitions))
    assert few_overlaps(e) == (n_partitions == 256)
    counts = cooccurrence(e)
    np.testing.assert_array_equal(informative(e), informative(e, counts))
    assert not informative(e).all()
    np.testing.assert_allclose(uncertainty(e), uncertainty(e, counts), rtol=1e-10, atol=1e-9)
    np.testing.assert_allclose(cluster_reliability(e), cluster_reliability(e, counts=counts), rtol=1e-9)


def test_some_partitions_stand_for_all_where_there_are_many() -> None:
    few, many = ge.Ensemble(draws(4200, 500, 4)), ge.Ensemble(draws(4200, 501, 4))
    assert len(sampled_partitions(few)) == 500
    asked = sampled_partitions(many)
    assert len(asked) == len(np.unique(asked)) == 500
    np.testing.assert_array_equal(asked, sampled_partitions(many))
    small = ge.Ensemble(draws(20, 3000))
    assert len(sampled_partitions(small)) == 3000  # half a billion labels are not reached
    weights = np.arange(501) % 2
    assert (sampled_partitions(many.reweight(weights)) % 2 == 1).all()


def test_a_sample_says_what_all_say() -> None:
    e = ge.Ensemble(draws(30, 600))
    exact = mean_entropies(e, np.arange(600), e.weights)
    some = np.arange(0, 600, 2)
    near = mean_entropies(e, some, e.weights[some])
    for a, b in zip(exact, near, strict=True):
        np.testing.assert_allclose(a, b, atol=0.1)
        assert np.corrcoef(a, b)[0, 1] > 0.99


@pytest.mark.parametrize("similarity", ["jaccard", "overlap", lambda both, a, b: both / (a * b)])
def test_strongest_edges_are_those_of_the_whole_metagraph(similarity: object) -> None:
    e = ge.Ensemble(draws(40, 25, gaps=0.1), object_weights=np.random.default_rng(0).integers(1, 4, 40))
    whole = ge.metagraph(e, similarity).to_scipy().toarray()
    found = strongest_metagraph(e, similarity)
    p = 100
    assert found.kind == f"metagraph, {p} neighbors"
    values = found.to_scipy().toarray()
    kept = values > 0
    np.testing.assert_allclose(values[kept], whole[kept])
    for row, mask in zip(whole, kept, strict=True):
        least = np.sort(row)[-p]
        assert mask[row > least + 1e-12].all()  # ties may go either way
    np.testing.assert_array_equal(values, values.T)


@pytest.mark.slow
def test_a_metagraph_too_large_is_thinned_and_says_so() -> None:
    e = ge.Ensemble(draws(70, 730))  # 5,840 clusters, 34 million pairs
    assert fits_metagraph(ge.Ensemble(draws(70, 690)))
    r = ge.mcla(e, 4, seed=0)
    assert ge.measures.ari(r.labels, np.arange(70) * 4 // 70) > 0.7
    assert r.graph.kind == "metagraph, 100 neighbors"
    assert r.graph.n_edges <= 100 * 5840
    assert "sampled_partitions" not in r.details  # all 730 were compared


def test_agreement_with_some_are_columns_of_all_pairs() -> None:
    e = ge.Ensemble(draws(50, 30, 40, gaps=0.1))
    for measure in ("nmi", "ari", "vi", "mirkin", "rand", "ami", "purity"):
        whole = np.asarray(ge.measures.pairwise(e, measure))
        np.testing.assert_allclose(some_agreements(e, np.array([3, 17]), measure), whole[:, [3, 17]], atol=1e-9)


@pytest.mark.slow
def test_a_sample_of_partitions_is_said_and_finds_the_same() -> None:
    """2,600 partitions of 100 objects: more than half a billion steps."""
    labels = draws(100, 2600, 5)
    e, truth = ge.Ensemble(labels), np.arange(100) * 4 // 100
    asked = len(sampled_partitions(e))
    assert 500 <= asked < 2600
    for method in ("vote", "lwgp", "lwea"):
        r = ge.consensus(e, 4, method, seed=0)
        assert r.details["sampled_partitions"] == asked
        assert ge.measures.ari(r.labels, truth) > 0.6
    exact, near = np.asarray(ge.measures.pairwise(e, "ari")).mean(axis=1), mean_agreements(e, "ari")
    assert np.corrcoef(exact, near)[0, 1] > 0.99
    np.testing.assert_allclose(ge.measures.diversity(e), 1 - ge.measures.pairwise(e).mean(), atol=0.01)
    assert ge.select(e, 3).n_partitions == 3
