"""Data sets by name."""

from pathlib import Path

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.cluster import KMeans
from sklearn.neighbors import NearestNeighbors

import graphens as ge
from graphens.datasets.points import LARGE
from graphens.datasets.shapes import SHAPES
from graphens.errors import FileError, InputError
from graphens.measures import error_rate

SIZES = {
    "half-rings": [100, 300],
    "3-rings": [200, 200, 50],
    "cigar": [100, 100, 25, 25],
    "2-spirals": [100, 100],
    "3-paths": [200, 200, 200],
    "complex-image": [200, 200, 100, 100, 50, 50, 33],
    "complex-image-739": [200, 200, 100, 100, 50, 50, 29, 10],
    "ring-bar-gaussian": [200, 50, 150],
    "uniform-5d": [300],
    "blobs": [100] * 4,
    "elongated-ellipses": [500, 500],
    "crescents": [500, 500],
    "differing-ellipses": [50, 200],
    "8d5k": [200] * 5,
    "5-clusters": [150, 100, 100, 80, 70],
}
DIMENSIONS = {"uniform-5d": 5, "8d5k": 8}
NOISE = {"3-paths": 200, "complex-image": 10}


@pytest.mark.parametrize("name", list(SHAPES))
def test_shapes_have_the_sizes_of_the_papers(name):
    X, truth = ge.datasets.load(name, seed=3)
    assert np.bincount(truth[truth >= 0]).tolist() == SIZES[name]
    assert np.count_nonzero(truth < 0) == NOISE.get(name, 0)
    assert X.shape == (len(truth), DIMENSIONS.get(name, 2))
    assert np.isfinite(X).all()
    assert np.array_equal(X, ge.datasets.load(name, seed=3)[0])
    assert not np.array_equal(X, ge.datasets.load(name, seed=4)[0])


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
    with pytest.raises(FileError, match="cannot be read"):
        ge.datasets.load("broken")
    monkeypatch.setenv("GRAPHENS_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(FileError, match="does not exist"):
        ge.datasets.load("mine")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no row below its header"),
        ("a,b\n", "no row below its header"),
        ("a\n1\n", "one column"),
        ("a,b\n1,0\n2,nan\n", "row 1 below the header: a missing label"),
        ("a,b\n1,0.5\n", "row 0 below the header: the label 0.5"),
        ("a,b\n1,3000000000\n", r"the label 3e\+09"),
        ("a,b\n1,-inf\n", "the label -inf"),
        ("a,b\n1,\n", "cannot be read"),
        ("a,b\n1,0\n1\n", "cannot be read"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_files_that_are_no_data_sets_are_refused(tmp_path, text, said):
    (tmp_path / "mine.csv").write_text(text)
    with pytest.raises(FileError, match=rf"mine\.csv.*{said}.*expected"):
        ge.datasets.load("mine", directory=tmp_path)


@pytest.mark.parametrize("name", list(LARGE))
def test_shapes_of_any_size(name):
    X, truth = ge.datasets.load(name, seed=1, n=1003)
    assert X.shape == (1003, 2)
    assert np.bincount(truth).min() > 0
    other = NearestNeighbors(n_neighbors=2).fit(X).kneighbors(X, return_distance=False)[:, 1]
    assert np.mean(truth != truth[other]) < 0.02
    assert len(ge.datasets.load(name)[0]) == 10_000


@pytest.mark.parametrize(
    ("name", "k", "kmeans", "single", "average"),
    [
        ("cigar", 4, 0.376, 0.396, 0.128),
        ("2-spirals", 2, 0.399, 0, 0.480),
        pytest.param("3-rings", 3, 0.650, 0, 0.564, marks=pytest.mark.slow),
        pytest.param("3-paths", 3, 0.327, 0.667, 0.350, marks=pytest.mark.slow),
        pytest.param("complex-image", 7, 0.550, 0.523, 0.478, marks=pytest.mark.slow),
        pytest.param("complex-image-739", 8, 0.594, 0.525, 0.484, marks=pytest.mark.slow),
    ],
)
def test_single_algorithms_err_as_often_as_published(name, k, kmeans, single, average):
    sets = [ge.datasets.load(name, seed=seed) for seed in range(4)]
    runs = [
        error_rate(t, KMeans(k, init="random", n_init=1, random_state=5 * i + s).fit_predict(X))
        for i, (X, t) in enumerate(sets)
        for s in range(5)
    ]

    def linked(method):
        return np.mean([error_rate(t, fcluster(linkage(X, method), k, "maxclust") - 1) for X, t in sets])

    assert np.mean(runs) == pytest.approx(kmeans, abs=0.04)
    assert linked("single") == pytest.approx(single, abs=0.001)
    assert linked("average") == pytest.approx(average, abs=0.06)


def test_both_complex_images_have_the_same_points():
    (whole, truth), (fewer, eight) = (ge.datasets.load(f"complex-image{size}", seed=5) for size in ("", "-739"))
    assert (len(whole), len(fewer)) == (743, 739)
    kept = np.flatnonzero((whole[:, None] == fewer).all(axis=2).any(axis=1))
    assert np.array_equal(whole[kept], fewer)
    assert np.array_equal(np.where(truth < 0, 7, truth)[kept], eight)


def test_the_published_file_comes_first_in_a_folder_that_is_given(tmp_path):
    (tmp_path / "strehl_8d5k.csv").write_text("f0,f1,label\n1,2,0\n3,4,1\n")
    assert ge.datasets.load("8d5k", directory=tmp_path)[0].shape == (2, 2)
    assert ge.datasets.load("8d5k")[0].shape == (1000, 8)


def test_a_published_file_that_is_not_here(monkeypatch):
    monkeypatch.delenv("GRAPHENS_DATA", raising=False)
    with pytest.raises(FileError, match=r"Yeung and Ruzzo.*put yeast_std.csv .*GRAPHENS_DATA\.$"):
        ge.datasets.load("yeast_std")


def test_a_size_for_data_that_have_their_own():
    with pytest.raises(InputError, match="which has its own size; n is for bananas"):
        ge.datasets.load("iris", n=10)


def test_an_unknown_name():
    with pytest.raises(InputError, match=r"'irises' is not known; expected one of half-rings"):
        ge.datasets.load("irises")


def test_profiles_have_the_lineages_that_are_said(tmp_path: Path) -> None:
    e, lineages = ge.datasets.allele_profiles(120, 200, 4, missing=0.02, seed=3, path=tmp_path / "p.tsv")
    assert (e.n_objects, e.n_partitions, set(lineages.tolist())) == (120, 200, {0, 1, 2, 3})
    assert 0.01 < e.n_missing / e.codes.size < 0.03
    assert ge.measures.ari(ge.link(ge.coassociation(e), "single").cut(4), lineages) == 1
    assert ge.Ensemble.from_profiles(tmp_path / "p.tsv") == e
    again, _ = ge.datasets.allele_profiles(120, 200, 4, missing=0.02, seed=3)
    assert again == e
    other, _ = ge.datasets.allele_profiles(120, 200, 4, missing=0.02, seed=4)
    assert other != e


@pytest.mark.parametrize(
    "wrong", [{"n_genomes": 0}, {"n_lineages": 301}, {"between": 1.5}, {"missing": -0.1}, {"changes": -1}]
)
def test_profiles_that_cannot_be_made_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ge.errors.InputError, match=next(iter(wrong))):
        ge.datasets.allele_profiles(**wrong)  # type: ignore[arg-type]
