"""Base "pieces": k-means clusters that reach across a gap fall apart."""

import pickle

import numpy as np
import pytest
from scipy import sparse

import graphens as ge
from graphens.generators import pieces


def rings(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    sizes, radii = [60, 150, 240], np.repeat([0.8, 2.0, 3.2], [60, 150, 240])
    angle = rng.uniform(0, 2 * np.pi, 450)
    X = radii[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1) + rng.normal(scale=0.1, size=(450, 2))
    order = rng.permutation(450)
    return X[order], np.repeat([0, 1, 2], sizes)[order]


def plain(clusters: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Pieces by walking from object to object."""
    distance = np.linalg.norm(X[:, None] - X[None], axis=2)
    near = np.argsort(distance, axis=1, kind="stable")[:, 1:11]
    found, number = np.full(len(X), -1), 0
    for i in range(len(X)):
        if found[i] < 0:
            found[i], todo = number, [i]
            while todo:
                v = todo.pop()
                beside = [*near[v], *np.flatnonzero((near == v).any(axis=1))]
                for w in beside:
                    if found[w] < 0 and clusters[w] == clusters[v]:
                        found[w] = number
                        todo.append(int(w))
            number += 1
    return found


def test_clusters_are_those_of_kmeans_split_into_pieces() -> None:
    X, truth = rings()
    e = ge.generate(X, 5, base="pieces", seed=0)
    whole = ge.generate(X, 5, base="kmeans", seed=0)
    purity = [np.mean([ge.measures.purity(truth, row) for row in x.labels.T]) for x in (whole, e)]
    assert purity[0] < 0.95
    assert purity[1] > 0.99
    for t in range(5):
        assert ge.measures.ari(e.labels[:, t], plain(whole.labels[:, t], X)) == 1


def test_neighbors_are_found_once_for_an_ensemble(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, nearest = [], pieces._nearest
    monkeypatch.setattr(pieces, "_nearest", lambda search, X: asked.append(len(X)) or nearest(search, X))
    X, _ = rings()
    first = ge.generate(X, 6, base="pieces", seed=0, n_jobs=2)
    assert asked == [450]
    assert first == ge.generate(X, 6, base="pieces", seed=0)
    assert asked == [450, 450]  # nothing is remembered beyond an ensemble: X may change in between


def test_new_objects_go_to_the_piece_of_their_neighbor() -> None:
    X, truth = rings()
    model = ge.ConsensusClustering(3, base="pieces", n_partitions=20, random_state=0).fit(X)
    assert ge.measures.ari(truth, model.labels_) == 1
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    new, classes = rings(1)
    assert ge.measures.ari(classes, pickle.loads(pickle.dumps(model)).predict(new)) > 0.99


def test_samples_sparse_data_and_few_objects() -> None:
    X, _ = rings()
    e = ge.generate(X, 3, base="pieces", sampling="subsample", assign=True, seed=0)
    assert (e.labels >= 0).all()
    assert ge.generate(sparse.csr_array(np.abs(X)), 2, base="pieces", seed=0) == ge.generate(
        np.abs(X), 2, base="pieces", seed=0
    )
    for n in (1, 2, 3):
        assert ge.generate(X[:n], 2, k=1, base="pieces", seed=0).n_objects == n


def rounded(kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Three groups as measured, as rounded or answered on a scale from 1 to 5, and the groups."""
    rng = np.random.default_rng(2)
    truth = rng.integers(3, size=1000)
    if kind == "survey":
        centers = np.array([[1.5, 1.5, 4.5, 4.5], [4.5, 3, 1.5, 3], [3, 4.5, 3, 1.5]])
        X = np.clip(centers[truth] + rng.normal(scale=0.7, size=(1000, 4)), 0.6, 5.4)
    elif kind == "close":
        X = np.array([[0, 0], [5, 0], [2.5, 4]])[truth] + rng.normal(size=(1000, 2))
    else:
        X = np.array([[0, 0], [9, 0], [4, 8]])[truth] + rng.normal(scale=1.7, size=(1000, 2))
    return X, np.rint(X), truth


@pytest.mark.parametrize(
    ("base", "kind"),
    [
        *[("pieces", kind) for kind in ("survey", "integers", "close")],
        *[("spectral", "survey"), ("landmarks", "integers"), ("dbscan", "close"), ("hdbscan", "survey")],
    ],
)
def test_equal_rows_are_one_neighbor(base: str, kind: str) -> None:
    X, few, truth = rounded(kind)
    found = [ge.measures.ari(truth, ge.lwgp(ge.generate(x, 20, base=base, seed=0), 3, seed=0).labels) for x in (X, few)]
    assert found[1] > found[0] - 0.05


def test_every_base_warns_of_too_few_distinct_rows() -> None:
    X = np.repeat([[0.0, 1.0], [2.0, 1.0], [5.0, 5.0]], 30, axis=0)
    for base in ("pieces", "spectral", "landmarks", "kmeans", "gmm", "path", "njw", "ward"):
        with pytest.warns(ge.errors.DegenerateWarning, match="k = 6 was given, but X has only 3 distinct rows"):
            e = ge.generate(X, 2, k=(2, 6), base=base, seed=0)
        assert e.n_clusters.max() <= 3
    with pytest.warns(ge.errors.DegenerateWarning, match="n_clusters = 4 was given, but X has only 3"):
        model = ge.ConsensusClustering(4, random_state=0).fit(X)
    assert model.n_clusters_ == 3
    assert len(ge.snn_prototypes(X, 90).core) == 3
