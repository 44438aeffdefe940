"""Models in label space against plain versions: likelihoods and distances summed object by object."""

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

import graphens as ge
from graphens.errors import DegenerateWarning
from tests.plain import every_partition, random_ensemble

pytestmark = pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")


def usable(rng: np.random.Generator, **sizes: int) -> ge.Ensemble:
    while True:
        e = random_ensemble(rng, **sizes)
        if e.present.all() and e.n_clusters.all():
            return e


def plain_step(e: ge.Ensemble, r: np.ndarray) -> tuple[np.ndarray, float]:
    """One M-step and one E-step, and the log-likelihood of the parameters between them."""
    labels, k = e.labels, r.shape[1]
    power = e.weights / e.weights[e.weights > 0].mean()
    alpha = [sum(m * r[i, j] for i, m in enumerate(e.object_weights)) / e.object_weights.sum() for j in range(k)]
    fresh, likelihood = np.zeros_like(r), 0.0
    theta = {}
    for t, j in itertools.product(range(e.n_partitions), range(k)):
        there = [i for i in range(e.n_objects) if labels[i, t] >= 0]
        total = sum(e.object_weights[i] * r[i, j] for i in there)
        for c in range(int(e.n_clusters[t])):
            part = sum(e.object_weights[i] * r[i, j] for i in there if labels[i, t] == c)
            theta[t, j, c] = part / total if total > 0 else 0.0
    for i in range(e.n_objects):
        for j in range(k):
            p = alpha[j]
            for t in range(e.n_partitions):
                if labels[i, t] >= 0:
                    p *= theta[t, j, labels[i, t]] ** power[t]
            fresh[i, j] = p
        likelihood += e.object_weights[i] * math.log(fresh[i].sum())
    return fresh / fresh.sum(axis=1, keepdims=True), likelihood


def test_mixture_ends_where_plain_em_stays() -> None:
    rng, compared = np.random.default_rng(0), 0
    for _ in range(50):
        e = usable(rng, n=int(rng.integers(4, 14)), b=int(rng.integers(2, 5)))
        k = int(rng.integers(1, 4))
        r = ge.mixture(e, k, tol=1e-12, max_iter=500, n_init=2, seed=1)
        if r.k < k:  # a component that won nothing is not shown
            continue
        fresh, likelihood = plain_step(e, np.asarray(r.membership))
        np.testing.assert_allclose(fresh, r.membership, atol=1e-4)
        assert likelihood == pytest.approx(r.details["log_likelihood"], abs=1e-6)
        again = plain_step(e, fresh)[1]
        assert again >= likelihood - 1e-9
        compared += 1
    assert compared > 25


def test_likelihood_never_falls_with_more_iterations() -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        e = usable(rng, n=13, b=4)
        found = [
            ge.mixture(e, 3, tol=0, max_iter=m, n_init=1, seed=0).details["log_likelihood"] for m in (1, 2, 3, 5, 9, 17)
        ]
        assert all(b >= a - 1e-9 for a, b in itertools.pairwise(found))


def test_mixture_recovers_groups_and_their_number() -> None:
    rng = np.random.default_rng(2)
    truth = rng.choice(3, size=300, p=[0.5, 0.3, 0.2])
    labels = np.stack([np.where(rng.random(300) < 0.2, rng.integers(0, 5, 300), truth) for _ in range(12)], axis=1)
    labels[rng.random(labels.shape) < 0.3] = -1
    r = ge.mixture(labels, seed=0)
    assert r.k == 3
    assert sorted(r.details["bic_by_k"]) == [1, 2, 3, 4, 5]
    assert ge.measures.error_rate(truth[r.labels >= 0], r.labels[r.labels >= 0]) < 0.05
    assert ge.mixture(labels, k_max=2, seed=0).k == 2


def test_one_component_has_the_likelihood_of_the_label_frequencies() -> None:
    e = ge.Ensemble([[0, 0], [0, 1], [1, -1], [1, 1]], weights=[1, 2])
    r = ge.mixture(e, 1)
    expected = (4 * math.log(1 / 2) + 2 * (math.log(1 / 3) + 2 * math.log(2 / 3))) / 1.5  # weights of mean 1
    assert r.details["log_likelihood"] == pytest.approx(expected)
    assert r.details["bic"] == pytest.approx(2 * expected - (2 / 3 + 4 / 3) * math.log(4))


def test_exponents_do_not_depend_on_the_unit_of_weights() -> None:
    """1.01 and 1.001 are nearly 1, whatever whole numbers have their ratios; a copy is twice the weight for labels."""
    rng = np.random.default_rng(5)
    truth = np.repeat([0, 1, 2], 20)
    labels = np.stack([np.where(rng.random(60) < 0.3, rng.integers(0, 4, 60), truth) for _ in range(8)], axis=1)
    plain = ge.mixture(labels, 3, seed=0)
    soft = ge.combine(labels, rule="product", reference=0)
    for last in (1.01, 1.001, 1.0001):
        e = ge.Ensemble(labels, weights=[1] * 7 + [last])
        near = ge.mixture(e, 3, seed=0)
        assert near.details["log_likelihood"] == pytest.approx(plain.details["log_likelihood"], rel=0.01)
        np.testing.assert_allclose(near.membership, plain.membership, atol=0.05)
        mean = ge.combine(e, rule="product", reference=0)
        np.testing.assert_allclose(mean.membership, soft.membership, atol=0.05)
    copied = ge.mixture(np.hstack([labels, labels[:, :1]]), 3, seed=0)
    double = ge.mixture(ge.Ensemble(labels, weights=[2] + [1] * 7), 3, seed=0)
    assert (copied.labels == double.labels).all()
    assert copied.details["log_likelihood"] == pytest.approx(9 / 8 * double.details["log_likelihood"], rel=0.05)


def plain_cost(e: ge.Ensemble, labels: np.ndarray, rule: str) -> float:
    """Σ over objects of the distance to their own center."""
    y, cost = e.labels, 0.0
    for j, t in itertools.product(range(int(labels.max()) + 1), range(e.n_partitions)):
        inside = [i for i in range(e.n_objects) if labels[i] == j and y[i, t] >= 0]
        total = sum(e.object_weights[i] for i in inside)
        share = [
            sum(e.object_weights[i] for i in inside if y[i, t] == c) / total if total else 0.0
            for c in range(int(e.n_clusters[t]))
        ]
        for i in inside:
            own = share[y[i, t]]
            squared = sum((float(y[i, t] == c) - p) ** 2 for c, p in enumerate(share))
            distance = {"squared": squared, "shares": 1 - own}[rule] if rule != "mode" else 0.0
            cost += e.weights[t] * e.object_weights[i] * distance
        if rule == "mode" and inside:
            cost += e.weights[t] * total * (1 - max(share))
    return cost


RULES = {
    "squared": lambda e, k: ge.qmi(e, k, seed=1, n_init=6),
    "mode": lambda e, k: ge.ivc(e, k, seed=1, n_init=6),
    "shares": lambda e, k: ge.ivc(e, k, voting="shares", seed=1, n_init=6),
}


@pytest.mark.parametrize("rule", RULES)
def test_cost_is_the_plain_cost(rule: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        e = usable(rng, n=int(rng.integers(4, 14)), b=int(rng.integers(1, 5)))
        k = int(rng.integers(1, min(4, e.n_objects) + 1))
        r = RULES[rule](e, k)
        if rule != "shares" or r.details["iterations"] < 100:
            assert r.details["cost"] == pytest.approx(plain_cost(e, r.labels, rule), abs=1e-6)


@pytest.mark.parametrize("rule", ["squared", "mode"])
def test_cost_is_nearly_always_the_least_there_is(rule: str) -> None:
    rng, reached = np.random.default_rng(4), 0
    for _ in range(60):
        e = usable(rng, n=int(rng.integers(3, 8)), b=int(rng.integers(1, 4)))
        k = int(rng.integers(2, 4))
        least = min(plain_cost(e, p, rule) for p in every_partition(e.n_objects) if p.max() < k)
        cost = RULES[rule](e, k).details["cost"]
        assert cost >= least - 1e-9
        reached += cost <= least + 1e-9
    assert reached >= 50


def test_qmi_is_kmeans_on_the_incidence() -> None:
    from sklearn.cluster import KMeans

    rng = np.random.default_rng(5)
    truth = rng.integers(0, 4, size=200)
    labels = np.stack([np.where(rng.random(200) < 0.4, rng.integers(0, 4, 200), truth) for _ in range(8)], axis=1)
    h = ge.hypergraph(labels).incidence.toarray()
    best = KMeans(4, n_init=20, random_state=0).fit(h).inertia_
    assert ge.qmi(labels, 4, n_init=20, seed=0).details["cost"] == pytest.approx(best, rel=0.01)


@pytest.mark.parametrize("voting", ["mode", "shares"])
def test_iterative_voting_ends_where_nobody_wants_to_move(voting: str) -> None:
    rng, settled = np.random.default_rng(6), 0
    for _ in range(50):
        e = usable(rng, n=12, b=3)
        r = ge.ivc(e, 3, voting=voting, seed=0)
        y, moves = e.labels, 0
        share = np.zeros((r.k, e.n_partitions, 4))
        for i, t in itertools.product(range(12), range(e.n_partitions)):
            if y[i, t] >= 0:
                share[r.labels[i], t, y[i, t]] += e.object_weights[i]
        total = share.sum(axis=2, keepdims=True)
        if not total.all() or r.details["iterations"] >= 100:
            continue
        share /= total
        if voting == "mode":
            top = share.max(axis=2, keepdims=True)
            if ((share > top - 1e-9).sum(axis=2) > 1).any():
                continue  # two commonest labels: either may be the mode
            share = (share == top).astype(float)
        for i in range(12):
            there = [t for t in range(e.n_partitions) if y[i, t] >= 0]
            away = [sum(e.weights[t] * (1 - share[j, t, y[i, t]]) for t in there) for j in range(r.k)]
            moves += away[r.labels[i]] > min(away) + 1e-9
        assert moves == 0
        settled += 1
    assert settled >= 10


def test_neace_needs_no_seed_and_spreads_its_seeds() -> None:
    from graphens.families.label_space import Space

    e = ge.Ensemble([[0, 0], [0, 0], [0, 1], [1, 1], [2, 2]])
    space = Space(e)
    chosen = space.seeds(3, None)
    y = e.labels[chosen]
    assert ((y[:, None] != y[None]).sum(axis=2)[np.triu_indices(3, 1)] > 0).all()
    assert len(space.seeds(5, None)) == 4  # no more than distinct rows
    assert (ge.neace(e, 3, seed=0).labels == ge.neace(e, 3, seed=1).labels).all()


def test_more_clusters_than_distinct_rows_gives_what_there_is() -> None:
    e = ge.Ensemble([[0, 0], [0, 0], [1, 1], [1, 1]])
    for method in (ge.qmi, ge.neace, ge.ivc, ge.mixture):
        with pytest.warns(DegenerateWarning, match="2 clusters"):
            assert method(e, 4).labels.tolist() == [0, 0, 1, 1]


def test_threads_do_not_change_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from graphens._lib import threads as _threads

    rng = np.random.default_rng(7)
    labels = rng.integers(0, 5, size=(60_000, 6))
    answers = []
    for threads in (1, 3):
        monkeypatch.setattr(_threads, "n_threads", lambda threads=threads: threads)
        mix = ge.mixture(labels, 3, n_init=1, max_iter=5, seed=0)
        answers.append(
            (mix.labels.tobytes(), mix.membership.tobytes(), ge.qmi(labels, 3, n_init=1, seed=0).labels.tobytes())
        )
    assert answers[0] == answers[1]


def test_the_graph_of_a_mixture_has_its_probabilities() -> None:
    e = usable(np.random.default_rng(3)).reweight(None)
    r = ge.mixture(e, 2, seed=0)
    k = int(e.offsets[-1])
    theta = r.graph.adjacency[:k, k:].toarray()
    np.testing.assert_allclose(np.add.reduceat(theta, e.offsets[:-1]), 1.0)
    factors = np.exp(ge.hypergraph(e).incidence @ np.log(np.maximum(theta, 1e-300)))
    ratio = r.membership[:, r.vertex_labels[k:]] / np.maximum(factors, 1e-300)  # the shares α, up to a factor by object
    assert np.ptp(ratio[:, 0] / ratio[:, 1]) < 1e-6 * ratio.max()


@pytest.mark.parametrize("method", [ge.qmi, ge.neace, ge.ivc])
def test_every_center_is_a_hyperedge(method: Callable[..., ge.Consensus]) -> None:
    e = ge.Ensemble([[0, 0], [0, 0], [-1, -1], [1, 1], [1, 2]], weights=[1, 3])
    r = method(e, 2, seed=0)
    h = r.graph
    assert h.hyperedge_names[-2:].array().tolist() == ["center:0", "center:1"]
    assert h.incidence[:, -2:].toarray().argmax(axis=1).tolist() == r.vertex_labels.tolist() == [0, 0, 1, 1]
    assert h.partition.tolist() == [0, 0, 1, 1, 1, -1, -1]
    assert h.cut(r.vertex_labels) == 0
