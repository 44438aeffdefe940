"""Base "landmarks": right on shapes, the same however the work is cut up."""

import pickle

import numpy as np
import pytest
from scipy import sparse

import graphens as ge
from graphens.cutting.spectral import walk_on_clusters
from graphens.generators import landmarks
from graphens.generators.landmarks import LandmarkGroups, Landmarks
from tests.plain import transfer_cut

RNG = np.random.default_rng(0)


def rings(n: int) -> tuple[np.ndarray, np.ndarray]:
    truth = RNG.integers(0, 3, n)
    angle = RNG.uniform(0, 2 * np.pi, n)
    radius = truth + 1 + RNG.normal(0, 0.06, n)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), truth


X, TRUTH = rings(1200)


def test_shapes_are_found() -> None:
    e = ge.generate(X, 4, base="landmarks", seed=0)
    assert ge.measures.nmi(TRUTH, ge.lwgp(e, 3, seed=0).labels) > 0.97
    assert ((e.n_clusters >= 18) & (e.n_clusters <= 34)).all()


def test_a_fitted_estimator_can_be_pickled() -> None:
    model = ge.ConsensusClustering(3, base="landmarks", n_partitions=3, random_state=0).fit(X)
    again = pickle.loads(pickle.dumps(model))
    assert again.predict(X[:9]).tolist() == model.predict(X[:9]).tolist()


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Landmarks(5, seed=0).fit_predict(X)
    monkeypatch.setattr(landmarks, "_ROWS", 97)
    assert Landmarks(5, seed=0).fit_predict(X).tolist() == whole.tolist()


def test_it_labels_objects_it_has_not_seen() -> None:
    model = Landmarks(3, seed=0)
    labels = model.fit_predict(X)
    assert model.predict(X).tolist() == labels.tolist()
    new, truth = rings(500)
    assert ge.measures.nmi(truth, model.predict(new)) > 0.9
    e = ge.generate(X, 3, k=3, base="landmarks", sampling="subsample", share=0.5, assign=True, seed=0)
    assert not (e.labels == -1).any()


def test_pieces_are_cut_as_the_whole_is() -> None:
    model = Landmarks(3, seed=0)
    model.begin(X[:1000], 100)
    links = model._links(X)
    assert np.allclose(links.sum(axis=1), 1)
    assert (np.diff(links.indptr) == 5).all()
    meet = sum(model.transfer_matrix(X[start : start + 500]) for start in range(0, len(X), 500))
    assert np.allclose(meet.toarray(), (links.T @ links).toarray())
    model.finish(meet, X)
    assert ge.measures.nmi(transfer_cut(links, 3), model.predict(X)) > 0.95


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
def test_the_table_embeds_as_the_transfer_cut_does() -> None:
    a = sparse.csr_array(RNG.random((30, 6)) * (RNG.random((30, 6)) < 0.5) + np.eye(30, 6))
    degree = np.asarray(a.sum(axis=1)).ravel()
    meet = (a.T @ (a / degree[:, None])).toarray()
    d = meet.sum(axis=1)
    table = walk_on_clusters(sparse.csr_array(meet)).table(3)
    values = [(table[:, j] @ meet @ table[:, j]) / (table[:, j] @ (d * table[:, j])) for j in range(3)]
    true = np.sort(np.linalg.eigvalsh(meet / np.sqrt(np.outer(d, d))))[::-1][:3]
    assert values == pytest.approx(true)


def test_groups_find_nearly_the_nearest() -> None:
    centers, points = RNG.normal(size=(300, 20)), RNG.normal(size=(400, 20))
    distance, index = LandmarkGroups(centers, 5, seed=0)(points)
    apart = np.linalg.norm(points[:, None] - centers[None], axis=2)
    assert np.allclose(distance, np.take_along_axis(apart, index, axis=1))
    assert (np.diff(distance, axis=1) >= 0).all()
    assert all(len(set(row)) == 5 for row in index.tolist())
    exact = np.sort(apart, axis=1)[:, :5]
    assert distance.mean() < 1.1 * exact.mean()


def test_many_dimensions() -> None:
    wide = np.hstack([X, RNG.normal(0, 0.01, (len(X), 13))])
    e = ge.generate(wide, 4, base="landmarks", seed=0)
    assert ge.measures.nmi(TRUTH, ge.lwgp(e, 3, seed=0).labels) > 0.95


@pytest.mark.parametrize("k", [1, 2, 5, 8])
@pytest.mark.parametrize(
    "data",
    [np.zeros((8, 2)), np.arange(8.0)[:, None], np.eye(8), np.repeat([[0.0, 1.0], [5.0, 5.0]], 4, axis=0) * 1e6],
    ids=["one place", "a line", "a simplex", "two places"],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_small_and_odd_data(k: int, data: np.ndarray) -> None:
    labels = Landmarks(k, seed=0).fit_predict(data)
    assert labels.shape == (8,)
    assert labels.min() >= 0
    assert labels.max() < k
    assert len(ge.generate(data, 2, k=k, base="landmarks", seed=0).codes) == 2


def test_components_beyond_k_are_packed() -> None:
    far = np.repeat(np.arange(6.0) * 1e3, 50)[:, None] + RNG.normal(0, 0.1, (300, 1))
    labels = Landmarks(2, seed=0).fit_predict(far)
    assert sorted(np.bincount(labels).tolist()) == [150, 150]
    assert all(len(set(labels[i : i + 50].tolist())) == 1 for i in range(0, 300, 50))


def test_the_default_numbers_of_clusters() -> None:
    small = X[:400]
    assert set(ge.generate(small, 20, base="spectral", seed=0).n_clusters.tolist()) <= set(range(2, 21))
    assert set(ge.generate(small, 10, base="landmarks", seed=0).n_clusters.tolist()) <= set(range(11, 21))
    mixed = ge.generate(small, 6, base=["spectral", "kmeans"], seed=0)
    assert mixed.n_clusters.min() >= 10
