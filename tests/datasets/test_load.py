"""Data sets by name."""

from __future__ import annotations

import numpy as np
import pytest

import graphens as ge
from graphens.datasets.shapes import SHAPES
from graphens.errors import FileError, InputError

SIZES = {
    "half-rings": [100, 300],
    "3-rings": [200, 200, 50],
    "cigar": [100, 100, 25, 25],
    "2-spirals": [100, 100],
    "3-paths": [200, 200, 200],
    "complex-image": [200, 200, 100, 100, 50, 50, 33],
    "ring-bar-gauss": [200, 50, 150],
    "uniform": [300],
    "blobs": [100] * 4,
    "elongated-ellipses": [500, 500],
    "crescents": [500, 500],
    "differing-ellipses": [50, 200],
}
NOISE = {"3-paths": 200, "complex-image": 10}


@pytest.mark.parametrize("name", list(SHAPES))
def test_shapes_have_the_sizes_of_the_papers(name):
    X, truth = ge.datasets.load(name, seed=3)
    assert np.bincount(truth[truth >= 0]).tolist() == SIZES[name]
    assert np.count_nonzero(truth < 0) == NOISE.get(name, 0)
    assert X.shape == (len(truth), 5 if name == "uniform" else 2)
    assert np.isfinite(X).all()
    assert np.array_equal(X, ge.datasets.load(name, seed=3)[0])
    assert not np.array_equal(X, ge.datasets.load(name, seed=4)[0])


@pytest.mark.parametrize(
    "name", ["half-rings", "3-rings", "2-spirals", "ring-bar-gauss", "blobs", "crescents"]
)
def test_evidence_accumulation_finds_the_shapes(name):
    X, truth = ge.datasets.load(name, seed=1)
    e = ge.generate(X, 50, (20, 40), seed=1)
    assert ge.measures.error_rate(truth, ge.eac(e, len(SIZES[name])).labels) == 0


def test_a_uniform_cloud_is_one_cluster():
    X, _ = ge.datasets.load("uniform", seed=0)
    assert ge.eac(ge.generate(X, 50, (10, 30), seed=0)).k == 1


def test_ring_bar_and_gauss_live_longest_as_three():
    X, _ = ge.datasets.load("ring-bar-gauss", seed=0)
    assert ge.eac(ge.generate(X, 30, (10, 30), seed=0)).k == 3


@pytest.mark.parametrize(
    ("name", "shape"), [("iris", (150, 4)), ("wine", (178, 13)), ("wdbc", (569, 30)), ("digits", (1797, 64))]
)
def test_what_scikit_learn_ships(name, shape):
    X, truth = ge.datasets.load(name)
    assert X.shape == shape
    assert truth.min() == 0


def test_files_of_a_folder(tmp_path, monkeypatch):
    (tmp_path / "mine.csv").write_text("f0,f1,label\n1,2,0\n3,4,1\n")
    (tmp_path / "iris.csv").write_text("f0,label\n1,0\n")
    (tmp_path / "broken.csv").write_text("f0,label\na,b\n")
    assert "mine" in ge.datasets.names(tmp_path)
    X, truth = ge.datasets.load("mine", directory=tmp_path)
    assert X.tolist() == [[1, 2], [3, 4]]
    assert truth.tolist() == [0, 1]
    monkeypatch.setenv("GRAPHENS_DATA", str(tmp_path))
    assert ge.datasets.load("mine")[0].shape == (2, 2)
    assert ge.datasets.load("iris")[0].shape == (150, 4)
    assert ge.datasets.load("iris", directory=tmp_path)[0].shape == (1, 1)
    with pytest.raises(FileError, match="could not be read"):
        ge.datasets.load("broken")
    monkeypatch.setenv("GRAPHENS_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(FileError, match="does not exist"):
        ge.datasets.load("mine")


def test_an_unknown_name():
    with pytest.raises(InputError, match=r"'irises' is not known; expected one of half-rings"):
        ge.datasets.load("irises")
