"""The front function: every base, every sampling, and the promise that only the seed decides."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import KMeans, MeanShift
from sklearn.manifold import spectral_embedding
from sklearn.neighbors import kneighbors_graph
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import graphens as ge
from graphens.errors import DegenerateWarning, InputError, TypeMismatch
from graphens.generators.adaptive import ADAPTIVE
from graphens.generators.bases import BASES, Spectral
from graphens.generators.samplings import SAMPLINGS

X, TRUTH = ge.datasets.load("blobs", seed=0)
X = X[::4]
SAMPLING_NAMES = [*SAMPLINGS, *ADAPTIVE]


@pytest.mark.parametrize("base", list(BASES))
def test_every_base_clusters_and_repeats(base):
    first = ge.generate(X, 6, k=(3, 6), base=base, seed=1)
    assert (first.n_objects, first.n_partitions) == (100, 6)
    assert first == ge.generate(X, 6, k=(3, 6), base=base, seed=1, n_jobs=2)
    # clear blobs: no base puts objects of different blobs together more often than those of one
    together = np.mean([[row[i] == row[i + 1] for i in range(20)] for row in first.codes])
    apart = np.mean([[row[i] == row[i + 50] for i in range(20)] for row in first.codes])
    assert together > apart


@pytest.mark.parametrize("sampling", SAMPLING_NAMES)
def test_every_sampling_repeats_for_every_n_jobs(sampling):
    made = [ge.generate(X, 7, k=4, sampling=sampling, seed=3, n_jobs=jobs) for jobs in (None, 1, 2)]
    assert made[0] == made[1] == made[2]
    assert made[0] != ge.generate(X, 7, k=4, sampling=sampling, seed=4)


@pytest.mark.parametrize("sampling", ["bootstrap", "subsample", "consistency"])
def test_objects_left_out_are_missing_or_assigned(sampling):
    partly = ge.generate(X, 5, k=4, sampling=sampling, seed=0)
    assert partly.has_missing
    wholly = ge.generate(X, 5, k=4, sampling=sampling, assign=True, seed=0)
    assert not wholly.has_missing
    if sampling != "consistency":  # there the votes of those assigned change the next sample
        seen = partly.codes != partly.absent
        assert np.array_equal(partly.codes[seen], wholly.codes[seen])


def test_subsample_takes_the_share_asked_for():
    e = ge.generate(X, 4, k=3, sampling="subsample", share=0.3, seed=0)
    assert ((e.codes != e.absent).sum(axis=1) == 30).all()


def test_partition_t_does_not_depend_on_how_many_follow():
    few, many = (ge.generate(X, b, k=(2, 9), seed=5) for b in (3, 8))
    assert np.array_equal(few.codes, many.codes[:3])


@pytest.mark.parametrize(
    ("k", "allowed"),
    [(5, {5}), ((3, 4), {3, 4}), ([2, 4, 6], {2, 4, 6}), (range(2, 4), {2, 3}), (np.array([7, 7, 7]), {7})],
)
def test_ways_to_say_k(k, allowed):
    assert set(ge.generate(X, 12, k=k, seed=0).n_clusters.tolist()) == allowed


def test_kmeans_is_the_bare_loop():
    e = ge.generate(X, 4, k=(3, 6), seed=9)
    for t, row in enumerate(e.codes):
        rng = np.random.default_rng(np.random.SeedSequence(9, spawn_key=(t,)))
        k = int(rng.choice(np.arange(3, 7)))
        bare = KMeans(k, init="random", n_init=1, random_state=int(rng.integers(2**31))).fit_predict(X)
        assert np.array_equal(row, bare)


@pytest.mark.parametrize("n", [100, 500])  # by LAPACK, and by Lanczos
def test_spectral_embeds_as_scikit_learn_does(n):
    links = kneighbors_graph(np.random.default_rng(0).normal(size=(n, 2)), 9)
    links = sparse.csr_array(0.5 * (links + links.T))
    ours = Spectral(4, 0)._rows(links)
    theirs = spectral_embedding(links, n_components=4, drop_first=False, random_state=0)
    theirs *= np.sign((ours * theirs).sum(axis=0))
    np.testing.assert_allclose(ours, theirs, atol=1e-6)


@pytest.mark.parametrize("k", [3, 6, 8])
def test_spectral_of_separate_pieces_is_the_same_in_every_run(k):
    pieces = np.vstack([np.random.default_rng(c).normal(10 * c, 0.1, size=(15, 2)) for c in range(6)])
    once = ge.generate(pieces, 6, k=k, base="spectral", seed=0)
    assert ge.generate(pieces, 6, k=k, base="spectral", seed=0, n_jobs=2) == once
    # pieces are split only where there are fewer of them than clusters
    assert (once.labels.reshape(6, 15, 6) == once.labels.reshape(6, 15, 6)[:, :1]).all() == (k <= 6)


def test_sparse_and_dense_agree_in_kind():
    S = sparse.csr_matrix(np.where(np.abs(X) > 1, X, 0))
    for base in ("kmeans", "minibatch", "medoids", "spectral", "dbscan"):
        assert ge.generate(S, 3, k=3, base=base, seed=0).n_objects == 100
    for sampling in SAMPLINGS:
        assert ge.generate(sparse.csr_array(S), 3, k=3, sampling=sampling, seed=0).n_partitions == 3
    with pytest.raises(TypeMismatch, match="sparse, but gmm needs dense"):
        ge.generate(S, 3, k=3, base="gmm")
    assert ge.generate(S, 3, k=3, base="gmm", sampling="projection", seed=0).n_partitions == 3


def test_lists_of_bases_and_views_take_turns():
    views = {"a": X, "b": X[:, :1], "c": np.hstack([X, X])}
    e = ge.generate(views, 12, k=4, base=["kmeans", "gmm"], seed=0)
    assert e.partition_names[:4] == ("a kmeans P0", "b kmeans P1", "c kmeans P2", "a gmm P3")
    assert ge.generate([X, X[:, :1]], 4, k=3, seed=0).n_partitions == 4
    with pytest.raises(InputError, match=r"\[100, 50\] rows"):
        ge.generate([X, X[:50]], 4, k=3)


def test_a_table_given_as_lists_is_one_view():
    assert ge.generate(X.tolist(), 2, k=3, seed=0) == ge.generate(X, 2, k=3, seed=0)


def test_scikit_learn_clusterers_are_cloned_and_seeded():
    pattern = KMeans(5, n_init=1, random_state=0)
    e = ge.generate(X, 6, base=pattern, seed=0)
    assert len(set(e.n_clusters.tolist())) > 1  # the number is that of k, as for a base given by name
    assert not hasattr(pattern, "labels_")
    assert pattern.random_state == 0
    assert len({row.tobytes() for row in e.codes}) > 1
    assert set(ge.generate(X, 6, k=3, base=pattern, seed=0).n_clusters.tolist()) == {3}
    chain = make_pipeline(StandardScaler(), KMeans(n_init=1))
    assert set(ge.generate(X, 3, k=6, base=chain, seed=0).n_clusters.tolist()) == {6}
    assert ge.generate(X, 2, base=MeanShift(), seed=0).n_partitions == 2


def test_functions_may_answer_with_a_clustering_of_igraph_or_of_ours():
    import igraph

    X = np.random.default_rng(0).normal(size=(12, 2))
    answers = {
        "igraph": lambda X, k: igraph.VertexClustering(igraph.Graph(len(X)), [i % k for i in range(len(X))]),
        "consensus": lambda X, k: ge.vote([[i % k] for i in range(len(X))], k),
        "partition": lambda X, k: ge.partition(ge.Graph(np.kron(np.ones((4, 4)), np.eye(k))), k),
    }
    for function in answers.values():
        assert ge.generate(X, 1, k=3, base=function, seed=0).labels[:, 0].tolist() == [0, 1, 2] * 4


def test_functions_get_what_they_name():
    calls = []

    def whole(data, k, seed):
        calls.append((k, seed))
        return np.arange(len(data)) % k

    assert ge.generate(X, 3, k=4, base=whole, seed=0).n_clusters.tolist() == [4, 4, 4]
    assert [k for k, _ in calls] == [4, 4, 4]
    assert len({seed for _, seed in calls}) == 3
    assert ge.generate(X, 2, k=4, base=lambda data: np.arange(len(data)) % 2, seed=0).n_clusters.tolist() == [2, 2]


def test_noise_is_missing_and_all_noise_is_said():
    e = ge.generate(X, 2, k=3, base=lambda data: np.where(np.arange(len(data)) < 7, -1, 0), seed=0)
    assert e.n_missing == 14
    with pytest.warns(DegenerateWarning, match="2 of 2 partitions have no cluster"):
        assert ge.generate(X, 2, k=3, base=lambda data: np.full(len(data), -1)).n_clusters.sum() == 0


def test_many_clusters_widen_the_codes():
    numbers = iter([2, 300, 5])
    e = ge.generate(np.zeros((400, 1)), 3, k=2, base=lambda data: np.arange(len(data)) % next(numbers), seed=0)
    assert e.codes.dtype == np.uint16
    assert e.n_clusters.tolist() == [2, 300, 5]
    assert [int(row.max()) for row in e.codes] == [1, 299, 4]


def test_float32_and_frames_and_names():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, index=[f"o{i}" for i in range(100)])
    e = ge.generate(frame, 2, k=3, seed=0)
    assert e.object_names[:2].tolist() == ["o0", "o1"]
    assert np.array_equal(e.codes, ge.generate(X, 2, k=3, seed=0).codes)
    assert ge.generate(X.astype(np.float32), 2, k=3, seed=0).n_partitions == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"k": 101}, "k = 101"),
        ({"k": (5, 2)}, r"k = \(5, 2\)"),
        ({"k": []}, "No k"),
        ({"k": "many"}, "expected a whole number"),
        ({"n_partitions": 0}, "n_partitions = 0"),
        ({"base": "kmean"}, "base = 'kmean'"),
        ({"base": []}, "empty list of bases"),
        ({"base": KMeans}, "class KMeans"),
        ({"base": 3}, "A int was given as base"),
        ({"base": StandardScaler()}, "no fit_predict"),
        ({"sampling": "boot"}, "sampling = 'boot'"),
        ({"sampling": 3}, "sampling = 3"),
        ({"share": 0, "sampling": "features"}, "share = 0"),
        ({"share": 0.5}, "draws no share"),
        ({"n_jobs": 0}, "n_jobs = 0"),
        ({"share": "half", "sampling": "features"}, "share = 'half'"),
        ({"assign": True}, "leaves no object out"),
        ({"assign": True, "sampling": "bootstrap", "base": "single"}, "cannot label"),
        ({"seed": -1}, "seed = -1"),
        ({"representations": []}, "at least one"),
        ({"representations": ["pfc"]}, "'pfc' is not known"),
        ({"base": lambda data: [0, 1]}, r"shape \(2,\)"),
        ({"X": X[:, 0]}, "reshape"),
        ({"X": np.full((3, 2), np.nan)}, "NaN"),
        ({"X": [["a", "b"], ["c", "d"]]}, "The cells of X are not numbers"),
        ({"X": np.empty((0, 2))}, "at least 1 × 1"),
    ],
)
def test_bad_arguments_are_refused_with_a_reason(change, message):
    given = {"X": X, "n_partitions": 2, "k": 3} | change
    with pytest.raises(ge.GraphensError, match=message):
        ge.generate(**given)


def test_a_failing_base_says_where():
    def fails(data, k):
        raise RuntimeError("no luck")

    with pytest.raises(ge.GraphensError, match="base fails raised RuntimeError: no luck") as caught:
        ge.generate(X, 2, k=3, base=fails)
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert "partition 0: base fails, k = 3" in caught.value.__notes__[0]


def test_processes_give_the_same_as_threads():
    from joblib import parallel_config

    with parallel_config(backend="loky", n_jobs=2):
        there = ge.generate(X, 6, k=(3, 6), sampling="features", seed=2)
    assert there == ge.generate(X, 6, k=(3, 6), sampling="features", seed=2)
