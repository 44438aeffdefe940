"""What the papers claim of evidence accumulation and normalized edges, on the shapes they describe."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import graphens as ge

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "k", "clusters"), [("half-rings", 2, (10, 30)), ("3-rings", 3, (15, 40)), ("2-spirals", 2, (30, 60))]
)
def test_single_link_finds_rings_and_spirals(name: str, k: int, clusters: tuple[int, int]) -> None:
    X, truth = ge.datasets.load(name, seed=0)
    e = ge.generate(X, 50, k=clusters, seed=0)
    assert ge.measures.error_rate(truth, ge.eac(e, k).labels) == 0


def even_spirals() -> tuple[np.ndarray, np.ndarray]:
    """Two spirals of 100 points each, evenly spaced along the curve."""
    turn = np.sqrt(np.linspace(0.05, 1, 100)) * 3 * np.pi
    one = np.column_stack([turn * np.cos(turn), turn * np.sin(turn)])
    return np.concatenate([one, -one]), np.repeat([0, 1], 100)


def published_spirals() -> tuple[np.ndarray, np.ndarray]:
    """The paper's own file, where somebody has it."""
    here = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("GRAPHENS_DATA", here.parent / "shared" / "data"))
    if not (folder / "spiral2_topchy.csv").exists():
        pytest.skip("spiral2_topchy.csv is not here; GRAPHENS_DATA names its folder")
    table = np.loadtxt(folder / "spiral2_topchy.csv", delimiter=",", skiprows=1)
    return table[:, :-1], table[:, -1].astype(int)


@pytest.mark.parametrize("spirals", [even_spirals, published_spirals])
def test_normalized_edges_find_spirals(spirals: Callable[[], tuple[np.ndarray, np.ndarray]]) -> None:
    X, truth = spirals()
    for seed in range(5):
        e = ge.generate(X, 30, k=60, seed=seed)
        assert ge.measures.error_rate(truth, ge.hne(e, 2).labels) == 0


def test_ring_bar_and_gaussian_live_longest_as_three() -> None:
    X, truth = ge.datasets.load("ring-bar-gaussian", seed=0)
    r = ge.eac(ge.generate(X, 30, k=(10, 30), seed=0))
    assert r.k == 3
    assert ge.measures.error_rate(truth, r.labels) == 0


def test_a_uniform_cloud_is_one_cluster() -> None:
    X = np.random.default_rng(0).uniform(size=(300, 5))
    assert ge.eac(ge.generate(X, 50, k=(10, 30), seed=0)).k == 1


def test_neighbors_find_the_same_rings() -> None:
    X, truth = ge.datasets.load("half-rings", seed=0)
    e = ge.generate(X, 50, k=(10, 30), seed=0)
    assert ge.measures.error_rate(truth, ge.eac(e, 2, neighbors=20, X=X).labels) == 0
