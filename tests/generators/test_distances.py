"""Ensembles of objects that are no vectors, spectral clustering with a scan of widths, Gaussian components."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import multivariate_normal

import graphens as ge
from graphens.generators import mixture_components
from graphens.generators.bases import tightest_cut
from graphens.generators.components import message_lengths

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.normal(c, 0.5, size=(20, 2)) for c in (0, 6, 12)])
TRUTH = np.repeat([0, 1, 2], 20)
D = cdist(X, X)
BASES = ["medoids", "average", "single", "complete", "spectral", "njw", "path"]


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("sampling", [None, "bootstrap", "subsample"])
def test_distances_are_enough(base: str, sampling: str | None) -> None:
    e = ge.generate(D, 6, k=(3, 5), metric="precomputed", base=base, sampling=sampling, seed=0)
    assert (e.n_objects, e.n_partitions) == (60, 6)
    assert e.has_missing == (sampling is not None)
    assert ge.measures.ari(TRUTH, ge.eac(e, 3, linkage="average").labels) == 1
    again = ge.generate(D, 6, k=(3, 5), metric="precomputed", base=base, sampling=sampling, seed=0, n_jobs=2)
    assert again == e


def test_linkages_of_distances_are_those_of_features() -> None:
    for linkage in ("average", "single", "complete"):
        from_features = ge.generate(X, 3, k=4, base=linkage, seed=0)
        from_distances = ge.generate(D, 3, k=4, base=linkage, metric="precomputed", seed=0)
        assert ge.measures.ari(from_features.labels[:, 0], from_distances.labels[:, 0]) == 1


def differing(a: str, b: str) -> float:
    return sum(x != y for x, y in zip(a, b, strict=True))


def test_texts_with_a_distance_of_ones_own() -> None:
    words = ["aaaa", "aaab", "aaba", "zzzz", "zzzy", "zyzz"]
    e = ge.generate(words, 8, k=2, metric=differing, seed=0)
    assert ge.vote(e).labels.tolist() == [0, 0, 0, 1, 1, 1]


def test_a_kernel_and_the_names_of_a_frame() -> None:
    frame = pd.DataFrame(X @ X.T, index=[f"o{i}" for i in range(60)])
    e = ge.generate(frame, 4, k=3, metric="kernel", base="average", seed=0)
    assert e.object_names is not None
    assert list(e.object_names[:2]) == ["o0", "o1"]
    assert e == ge.generate(pd.DataFrame(D, index=frame.index), 4, k=3, metric="precomputed", base="average", seed=0)


def test_a_base_of_ones_own_gets_the_matrix() -> None:
    def halves(distances: np.ndarray, k: int) -> np.ndarray:
        return (distances[0] > np.median(distances[0])).astype(int)

    assert ge.generate(D, 2, k=2, metric="precomputed", base=halves, seed=0).n_clusters.tolist() == [2, 2]


def test_a_checkpoint_of_distances(tmp_path: Path) -> None:
    path = tmp_path / "e.npz"
    first = ge.generate(D, 3, k=3, metric="precomputed", seed=0, checkpoint=path)
    assert ge.generate(D, 3, k=3, metric="precomputed", seed=0, checkpoint=path) == first
    with pytest.raises(ge.GraphensError):
        ge.generate(D * 2, 3, k=3, metric="precomputed", seed=0, checkpoint=path)


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        (D[:5], {}, "n × n"),
        (D + np.triu(np.ones((60, 60))), {}, "symmetric"),
        (-D, {}, "zero or more"),
        (D + 1, {}, "from an object to itself"),
        (D, {"base": "kmeans"}, "with distances; expected one of medoids"),
        (D, {"base": 3}, "A int was given as base"),
        (D, {"base": []}, "empty list"),
        (D, {"sampling": "features"}, "need features"),
        (D, {"k": "mixture"}, "need features"),
        (D, {"metric": "precomputd"}, "Did you mean precomputed"),
        (["a"], {"metric": lambda a, b: 1 / 0}, None),
        (["a", "b"], {"metric": lambda a, b: 1 / 0}, "ZeroDivisionError"),
        (["a", "b"], {"metric": lambda a, b: -1.0}, "distance of -1"),
        ([], {"metric": differing}, "No object"),
        (D, {"assign": True, "sampling": "bootstrap"}, "cannot label objects"),
    ],
)
def test_distances_that_make_no_sense(data: object, options: dict[str, object], said: str | None) -> None:
    options = {"metric": "precomputed", "k": 1} | options
    if said is None:
        assert ge.generate(data, 2, seed=0, base=lambda d: [0], **options).n_objects == 1
        return
    with pytest.raises(ge.GraphensError, match=said):
        ge.generate(data, 2, **options)


def plain_njw(points: np.ndarray, k: int, sigma: float) -> np.ndarray:
    """The rows of length 1 of the k leading eigenvectors, word by word from the paper."""
    n = len(points)
    apart = [[((x - y) ** 2).sum() for y in points] for x in points]
    a = np.exp(-np.array(apart) / (2 * sigma**2)) - np.eye(n)
    d = np.diag(1 / np.sqrt(a.sum(axis=1)))
    values, vectors = np.linalg.eigh(d @ a @ d)
    rows = vectors[:, np.argsort(values)[-k:]]
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_njw_finds_rings_and_its_width() -> None:
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    rings = np.concatenate([r * np.c_[np.cos(angle), np.sin(angle)] for r in (1.0, 4.0)])
    truth = np.repeat([0, 1], 40)
    for options in ({}, {"sigma": 0.5}, {"sigma": [0.4, 5.0]}):
        e = ge.generate(rings, 2, k=2, base="njw", seed=0, **options)
        assert ge.measures.ari(truth, e.labels[:, 0]) == 1
    wide = tightest_cut(cdist(rings, rings), 2, 0, 5.0)
    assert ge.measures.ari(truth, wide) < 0.5
    rows = plain_njw(rings, 2, 0.5)
    together = rows @ rows.T > 0.99
    assert (together == (truth[:, None] == truth[None, :])).all()


@pytest.mark.parametrize("sigma", [0, -1, "a", [], [1, np.nan]])
def test_widths_that_make_no_sense(sigma: object) -> None:
    with pytest.raises(ge.GraphensError):
        ge.generate(X, 2, k=2, base="njw", sigma=sigma)


def test_only_njw_has_a_width() -> None:
    with pytest.raises(ge.GraphensError, match="only the base 'njw'"):
        ge.generate(X, 2, k=2, sigma=1.0)


def test_gaussian_components_are_counted() -> None:
    assert mixture_components(X, seed=0) == 3
    clouds = [mixture_components(np.random.default_rng(s).normal(size=(300, 2)), seed=s) for s in range(8)]
    assert clouds.count(1) >= 6  # a second component sometimes fits by chance
    hits = [
        mixture_components(np.concatenate([RNG.normal(9 * c, 1, size=(60, 3)) for c in range(k)]), seed=s) == k
        for k in (2, 4, 5)
        for s in range(3)
    ]
    assert sum(hits) >= 8
    assert mixture_components([[1.0], [1.0], [1.0], [1.0]]) == 1


def plain_lengths(points: np.ndarray, means: np.ndarray) -> dict[int, float]:
    """Figueiredo and Jain's component-wise EM, one weight at a time."""
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    n, d = points.shape
    numbers = d + d * (d + 1) / 2
    mixture = [[1 / len(means), points[m], 0.1 * np.eye(d)] for m in means]
    found = {}

    def total() -> np.ndarray:
        return sum(share * multivariate_normal(mean, spread).pdf(points) for share, mean, spread in mixture)

    def length() -> float:
        parts = [numbers / 2 * np.log(n * share / 12) for share, _, _ in mixture]
        c = len(mixture)
        return sum(parts) + c / 2 * np.log(n / 12) + c * (numbers + 1) / 2 - np.log(total()).sum()

    def normalize() -> None:
        whole = sum(share for share, _, _ in mixture)
        for part in mixture:
            part[0] /= whole

    while mixture:
        now = length()
        for _ in range(200):
            for part in list(mixture):
                share, mean, spread = part
                weight = share * multivariate_normal(mean, spread).pdf(points) / total()
                part[0] = max(weight.sum() - numbers / 2, 0) / n
                if part[0] == 0 and len(mixture) > 1:
                    mixture = [other for other in mixture if other is not part]
                normalize()
                mean = weight @ points / weight.sum()
                part[1:] = mean, np.cov(points.T, aweights=weight, ddof=0) + 0.005 * np.eye(d)
            before, now = now, length()
            if abs(before - now) < 1e-5 * abs(now):
                break
        found[len(mixture)] = now
        weakest = min(mixture, key=lambda part: part[0])
        mixture = [part for part in mixture if part is not weakest]
        if mixture:
            normalize()
    return found


@pytest.mark.parametrize("seed", range(4))
def test_message_lengths_are_those_of_the_plain_mixture(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = np.concatenate([rng.normal(c, [1, 0.4], size=(30, 2)) for c in (0, 4, 8)[: 2 + seed % 2]])
    means = np.random.default_rng(seed).choice(len(points), 6, replace=False)
    assert message_lengths(points, 6, seed) == pytest.approx(plain_lengths(points, means), rel=1e-8)


def test_half_rings_have_about_ten_components() -> None:
    """The number that Fred and Jain print for theirs."""
    rings, _ = ge.datasets.load("half-rings", seed=0)
    assert all(8 <= mixture_components(rings, seed=s) <= 12 for s in range(3))


def test_k_from_a_mixture_begins_at_the_number_of_components() -> None:
    e = ge.generate(X, 20, k="mixture", seed=0)
    assert e.n_clusters.min() >= 3
    assert e == ge.generate(X, 20, k="mixture", seed=0)


def test_path_based_clustering_leaves_outliers_out() -> None:
    points = np.concatenate([X, [[60.0, 60.0], [-50.0, 3.0]]])
    found = ge.path_based(points, 3, outliers=True)
    assert found[-2:].tolist() == [-1, -1]
    assert ge.measures.ari(TRUTH, found[:-2]) == 1
    assert (ge.path_based(points, 3) >= 0).all()
    assert (ge.path_based(X, 3, outliers=True) >= 0).all()
