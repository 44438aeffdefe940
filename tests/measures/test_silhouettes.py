"""The silhouettes from counts against plain sums over all pairs."""

import numpy as np
import pytest

import graphens as ge
from graphens.graphs.reliability import cluster_reliability
from graphens.measures import consensus_silhouette, path_silhouette, reliable_silhouette


def random_ensemble(seed: int, *, missing: float = 0.0, weighted: bool = False) -> ge.Ensemble:
    rng = np.random.default_rng(seed)
    n, b = int(rng.integers(4, 20)), int(rng.integers(1, 6))
    labels = rng.integers(0, 4, size=(n, b))
    labels[rng.random((n, b)) < missing] = -1
    if not weighted:
        return ge.Ensemble(labels)
    return ge.Ensemble(labels, weights=rng.random(b) + 0.1, object_weights=rng.integers(1, 4, size=n).astype(float))


def plain(e: ge.Ensemble, labels: np.ndarray, worth: np.ndarray, *, distance: bool) -> float:
    """Sums of evidence over all pairs of copies of the objects."""
    copies = np.repeat(np.arange(e.n_objects), e.object_weights.astype(int))
    table, own, offsets = e.labels[copies], labels[copies], e.offsets
    n, k = len(copies), own.max() + 1
    scores = []
    for i in np.flatnonzero(own >= 0):
        if np.count_nonzero(own == own[i]) == 1:
            scores.append(0.0)
            continue
        means = []
        for c in range(k):
            same = seen = 0.0
            for j in range(n):
                if j == i or own[j] != c:
                    continue
                for t in range(e.n_partitions):
                    if table[i, t] >= 0 and table[j, t] >= 0:
                        seen += e.weights[t]
                        same += e.weights[t] * worth[offsets[t] + table[i, t]] * (table[i, t] == table[j, t])
            means.append(same / seen if seen else 0.0)
        a, b = means[own[i]], max(m for c, m in enumerate(means) if c != own[i])
        top = max(1 - a, 1 - b) if distance else max(a, b)
        scores.append((a - b) / top if top > 0 else 0.0)
    return float(np.mean(scores))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("missing", "weighted"), [(0.0, False), (0.4, False), (0.0, True), (0.3, True)])
def test_silhouettes_are_those_of_all_pairs(seed: int, missing: float, *, weighted: bool) -> None:
    e = random_ensemble(seed, missing=missing, weighted=weighted)
    labels = np.random.default_rng(seed + 100).integers(-1, 3, size=e.n_objects)
    labels[:3] = 0, 1, 2
    worth = cluster_reliability(e)
    assert reliable_silhouette(labels, e) == pytest.approx(plain(e, labels, worth, distance=False), abs=1e-10)
    flat = np.ones_like(worth)
    assert consensus_silhouette(labels, e) == pytest.approx(plain(e, labels, flat, distance=True), abs=1e-10)


def test_consensus_silhouette_is_scikit_learns() -> None:
    from sklearn.metrics import silhouette_score

    rng = np.random.default_rng(0)
    e = ge.Ensemble(rng.integers(0, 3, size=(40, 7)))
    labels = rng.integers(0, 4, size=40)
    distances = 1 - ge.coassociation(e).to_scipy().toarray()
    np.fill_diagonal(distances, 0)
    expected = silhouette_score(distances, labels, metric="precomputed")
    assert consensus_silhouette(labels, e) == pytest.approx(expected, abs=1e-12)


def test_a_single_cluster_and_single_objects_count_nothing() -> None:
    e = ge.Ensemble([[0, 0], [0, 1], [1, 1]])
    assert reliable_silhouette([0, 0, 0], e) == 0.0
    assert reliable_silhouette([0, 1, 2], e) == 0.0
    assert consensus_silhouette([0, 1, 2], e) == 0.0
    assert reliable_silhouette([-1, -1, -1], e) == 0.0


def test_uneven_clusters_are_not_punished() -> None:
    """Ten of a hundred objects are a cluster of their own; ANMI with uneven truth would be happier with halves."""
    rng = np.random.default_rng(1)
    truth = np.repeat([0, 1], [90, 10])
    fine = [np.where(truth, 9, rng.integers(0, 6, size=100)) for _ in range(20)]
    e = ge.Ensemble.from_partitions(fine)
    halves = np.repeat([0, 1], 50)
    assert reliable_silhouette(truth, e) > reliable_silhouette(halves, e)


def test_a_sample_is_close_and_repeatable() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, size=3000)
    e = ge.Ensemble(np.where(rng.random((3000, 6)) < 0.2, rng.integers(0, 3, size=(3000, 6)), truth[:, None]))
    all_, some = reliable_silhouette(truth, e), reliable_silhouette(truth, e, sample=500, seed=1)
    assert some == reliable_silhouette(truth, e, sample=500, seed=1)
    assert some == pytest.approx(all_, abs=0.05)
    assert some != all_


def test_wrong_lengths_are_refused() -> None:
    with pytest.raises(ge.GraphensError, match="3 labels were given for 2 objects"):
        reliable_silhouette([0, 1, 1], [[0], [1]])


def plain_paths(e: ge.Ensemble, labels: np.ndarray) -> float:
    """The silhouette on the widest paths between all pairs of copies of the objects."""
    copies = np.repeat(np.arange(e.n_objects), e.object_weights.astype(int))
    S = ge.coassociation(e).to_scipy().toarray()
    np.fill_diagonal(S, 1.0)
    wide, own = S[np.ix_(copies, copies)], labels[copies]
    for step in range(len(copies)):
        wide = np.maximum(wide, np.minimum(wide[:, [step]], wide[step]))
    scores = []
    for i in np.flatnonzero(own >= 0):
        others = np.arange(len(copies)) != i
        means = [
            wide[i, others & (own == c)].mean() if (others & (own == c)).any() else 0.0 for c in range(own.max() + 1)
        ]
        a, b = means[own[i]], max(m for c, m in enumerate(means) if c != own[i])
        scores.append((a - b) / max(a, b) if (others & (own == own[i])).any() and max(a, b) > 0 else 0.0)
    return float(np.mean(scores))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("missing", "weighted"), [(0.0, False), (0.4, False), (0.0, True), (0.3, True)])
def test_path_silhouette_is_that_of_the_widest_paths(seed: int, missing: float, *, weighted: bool) -> None:
    e = random_ensemble(seed, missing=missing, weighted=weighted)
    e = e.take(objects=e.present)
    labels = np.random.default_rng(seed + 100).integers(-1, 3, size=e.n_objects)
    labels[:3] = 0, 1, 2
    assert path_silhouette(labels, e) == pytest.approx(plain_paths(e, labels), abs=1e-10)


def test_path_silhouette_sees_a_cut_through_a_strand() -> None:
    strand, place = np.repeat([0, 1], 100), np.tile(np.arange(100), 2)
    e = ge.Ensemble.from_partitions([(place + s) // 20 + 10 * strand for s in range(20)])
    across = (place >= 50).astype(int)
    assert path_silhouette(strand, e) == pytest.approx(1)
    assert abs(path_silhouette(across, e)) < 0.1
    assert path_silhouette(across, e, sample=40, seed=1) == path_silhouette(across, e, sample=40, seed=1)
    assert path_silhouette(np.zeros(200, dtype=int), e) == 0
