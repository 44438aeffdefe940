"""The distribution of pairs against the matrix of all pairs, and the panel built on it."""

from pathlib import Path

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

import graphens as ge
from graphens.choose.distribution import linked
from graphens.choose.resampling import Monti, monti


def plain_pairs(e: ge.Ensemble) -> tuple[np.ndarray, np.ndarray]:
    """S of all pairs i < j, and which pairs were seen together."""
    table = e.labels
    n = len(table)
    same, both = np.zeros((n, n)), np.zeros((n, n))
    for t in range(e.n_partitions):
        there = table[:, t] >= 0
        both += np.outer(there, there)
        same += np.outer(there, there) & (table[:, [t]] == table[:, t])
    upper = np.triu_indices(n, 1)
    seen = both[upper] > 0
    return np.divide(same[upper], both[upper], out=np.zeros(len(upper[0])), where=seen), seen


@pytest.mark.parametrize("missing", [0.0, 0.3, 0.8])
@pytest.mark.parametrize("seed", range(4))
def test_the_distribution_is_that_of_all_pairs(seed: int, missing: float) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, size=(25, 6))
    labels[5:10] = labels[4]  # rows that collapse
    labels[rng.random(labels.shape) < missing] = -1
    labels[0] = 0
    e = ge.Ensemble(labels)
    e = e.take(objects=e.present)
    found = linked(e, 1000)
    d = found.distribution
    s, seen = plain_pairs(e)
    assert d.mean == pytest.approx(s[seen].mean())
    assert d.dispersion == pytest.approx((4 * (s[seen] - 0.5) ** 2).mean())
    assert d.pac(0.1, 0.9) == pytest.approx(((s[seen] > 0.1) & (s[seen] <= 0.9)).mean())
    x, y = d.cdf()
    assert y == pytest.approx([(s[seen] <= value + 1e-12).mean() for value in x])
    heights = squareform(cophenet(found.tree.to_scipy()))[np.triu_indices(e.n_objects, 1)]
    expected = np.corrcoef(1 - s[seen], heights[seen])[0, 1]
    assert d.cophenetic == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_objects_that_count_twice_are_two() -> None:
    rows = np.random.default_rng(0).integers(0, 3, size=(9, 5))
    counts = np.array([1, 3, 1, 2, 1, 1, 1, 4, 1])
    once = linked(ge.Ensemble(np.repeat(rows, counts, axis=0)), 100).distribution
    twice = linked(ge.Ensemble(rows, object_weights=counts), 100).distribution
    assert once.table == pytest.approx(twice.table)
    assert once.moments == pytest.approx(twice.moments)


def three(seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(90, 3)) + np.repeat([[0, 0, 0], [8, 0, 0], [0, 8, 0]], 30, axis=0)


@pytest.fixture(scope="module")
def found() -> Monti:
    return monti(three(), range(2, 6), n_partitions=15, seed=1)


def test_the_panel(found: Monti) -> None:
    table = found.table
    assert table["k"].tolist() == [2, 3, 4, 5]
    assert table["silhouette"].idxmax() == 1
    assert table["pac"].idxmin() == 1
    assert table["delta"][0] == table["area"][0]
    assert table["delta"][2] == pytest.approx(table["area"][2] / table["area"][1] - 1)
    e = found.ensemble(3)
    s, seen = plain_pairs(e)
    assert table["area"][1] == pytest.approx(1 - s[seen].mean())
    assert "PAC between 0.1 and 0.9" in repr(found)
    assert len(repr(found).splitlines()) <= 15


def test_its_consensus(found: Monti) -> None:
    r = found.consensus(3)
    assert ge.measures.ari(np.repeat([0, 1, 2], 30), r.labels) == 1.0
    assert r.k == 3
    assert r.membership.shape == (90, 3)
    assert r.score == pytest.approx(ge.measures.anmi(r.labels, found.ensemble(3)))


def test_item_and_cluster_consensus(found: Monti) -> None:
    e, labels = found.ensemble(3), found.consensus(3).labels
    s = ge.coassociation(e).to_scipy().toarray()
    items, clusters = found.item_consensus(3), found.cluster_consensus(3)
    for c in range(3):
        inside = np.flatnonzero(labels == c)
        pairs = s[np.ix_(inside, inside)][np.triu_indices(len(inside), 1)]
        assert clusters[c] == pytest.approx(pairs.mean(), abs=0.01)  # evidence-weighted against plain mean
        assert items[inside[0], c] == pytest.approx(s[inside[0], inside[1:]].mean(), abs=0.02)


def test_a_sample_of_objects_is_said() -> None:
    m = monti(three(), [3], n_partitions=12, sample=40, seed=0)
    assert m.sampled == 40
    assert "40 random objects" in repr(m)
    assert ge.measures.ari(np.repeat([0, 1, 2], 30), m.consensus(3).labels) == 1.0


def test_seeds_interruptions_and_progress(tmp_path: Path) -> None:
    X, told = three(), []
    once = monti(X, [2, 3], n_partitions=6, seed=3, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (12, 12)
    assert once.ensemble(3) == monti(X, [3, 5], n_partitions=6, seed=3).ensemble(3)
    file = tmp_path / "kept"

    def stop(done: int, total: int) -> None:
        if done >= 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        monti(X, [2, 3], n_partitions=6, seed=3, checkpoint=file, progress=stop)
    seen: list[int] = []
    again = monti(X, [2, 3], n_partitions=6, seed=3, checkpoint=file, progress=lambda done, total: seen.append(done))
    assert again.ensemble(3) == once.ensemble(3)
    assert seen[0] == 6  # the first k was whole


def test_bad_calls() -> None:
    X = three()
    for call, said in (
        ({"ks": []}, "No k was given"),
        ({"ks": [1]}, "k = 1"),
        ({"ks": [2.5]}, "k = 2.5"),
        ({"ks": None}, "ks = None"),
        ({"ks": [2], "bounds": (0.9, 0.1)}, "bounds"),
        ({"ks": [200], "n_partitions": 3}, "k = 200"),
        ({"ks": [2], "share": 0}, "share"),
    ):
        with pytest.raises(ge.GraphensError, match=said):
            monti(X, **call)
    with pytest.raises(ge.GraphensError, match="k = 9"):
        monti(X, [2], n_partitions=3, seed=0).cdf(9)


def test_an_object_that_no_subsample_drew_is_unassigned() -> None:
    m = monti(three(), [2], n_partitions=1, share=0.5, seed=0)
    r = m.consensus(2)
    assert np.count_nonzero(r.labels < 0) == 45
    assert r.dendrogram is not None
    assert r.dendrogram.n_objects == 90
    assert r.vertex_labels is not None
    assert m.table["pac"][0] == 0.0


@pytest.mark.parametrize("seed", range(3))
def test_with_missing_labels_the_tree_is_average_link_on_the_plain_means(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, size=(30, 7))
    labels[rng.random(labels.shape) < 0.4] = -1
    e = ge.Ensemble(labels)
    e = e.take(objects=e.present)
    s, seen = plain_pairs(e)
    assert not seen.all()  # pairs never seen together are as far apart as can be
    assert linked(e, 1000).tree.heights == pytest.approx(linkage(1 - s, "average")[:, 2])


@pytest.mark.filterwarnings("ignore::graphens.errors.OrientationWarning")
def test_few_and_many_partitions_count_alike() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, size=(20, 100))
    labels[rng.random(labels.shape) < 0.2] = -1
    once, often = (linked(ge.Ensemble(np.tile(labels, times)), 1000).distribution for times in (1, 3))
    assert once.cdf()[1] == pytest.approx(often.cdf()[1])
    assert once.moments == pytest.approx(often.moments)
