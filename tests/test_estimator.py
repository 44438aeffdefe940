"""The scikit-learn estimator: scikit-learn's own battery, and what ours adds."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

import graphens as ge

X, TRUTH = ge.datasets.load("half-rings", seed=0)
EQUIVALENCE = ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data")


@pytest.mark.parametrize(
    "options",
    [
        {},
        pytest.param({"n_clusters": 3, "method": "lwgp", "base": "ward"}, marks=pytest.mark.slow),  # without predict
        pytest.param({"base": "gmm"}, marks=pytest.mark.slow),
        pytest.param({"base": ["spectral", KMeans(3)]}, marks=pytest.mark.slow),
        pytest.param({"n_clusters": 3, "method": "eac", "sampling": "bootstrap", "n_jobs": 2}, marks=pytest.mark.slow),
        pytest.param(
            {"n_clusters": 2, "method": "eac", "base": ["minibatch", KMeans(3)], "sampling": "features"},
            marks=pytest.mark.slow,
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_every_check_of_scikit_learn(options):
    reason = "bases start at random rows, and repeated rows draw other ones, as in scikit-learn's KMeans"
    expected = dict.fromkeys(EQUIVALENCE, reason)
    model = ge.ConsensusClustering(n_partitions=6, **options)
    rows = check_estimator(model, on_fail=None, expected_failed_checks=expected)
    assert len(rows) > 50
    # one check only looks at environments where SciPy's array API is switched on
    others = {row["check_name"] for row in rows if row["status"] != "passed"}
    assert others <= {"check_array_api_input", *EQUIVALENCE}
    assert not [row["check_name"] for row in rows if row["status"] == "failed"]


def test_weights_count_objects():
    rng = np.random.default_rng(0)
    data = np.r_[rng.normal(size=(60, 2)), rng.normal(6, size=(60, 2)), rng.normal(30, size=(3, 2))]
    truth = np.repeat([0, 1, 2], [60, 60, 3])
    weight = np.repeat([1, 2, 0], [60, 60, 3])
    for options, said in (({}, "for genie"), ({"base": "gmm"}, "for gmm"), ({"base": "kmeans"}, "")):
        model = ge.ConsensusClustering(2, n_partitions=8, random_state=0, **options).fit(data, sample_weight=weight)
        assert ge.measures.ari(truth[:120], model.labels_[:120]) == 1  # objects of weight 0 do not take a cluster
        assert set(model.labels_[120:]) == {model.labels_[100]}
        assert said in model.consensus_.why
        assert model.ensemble_.object_weights[60] == 2 * model.ensemble_.object_weights[0]
    rest = ge.ConsensusClustering(2, n_partitions=8, random_state=0).fit(data[:120], sample_weight=weight[:120] / 3)
    assert (
        "genie, full mixture, tied mixture, merged mixture cannot use weights and gave no answer" in rest.consensus_.why
    )
    with pytest.raises(ge.GraphensError, match="gmm takes no weights, and rows can be repeated only if"):
        ge.ConsensusClustering(2, base="gmm", n_partitions=8).fit(data[:120], sample_weight=weight[:120] / 3)
    with pytest.raises(ge.GraphensError, match="takes no weights; leave sample_weight out"):
        ge.ConsensusClustering(2, sampling="boosting", n_partitions=8).fit(data, sample_weight=weight)


@pytest.fixture(scope="module")
def fitted():
    return ge.ConsensusClustering(2, method="eac", random_state=0).fit(X)


def test_fitted_attributes(fitted):
    assert ge.measures.error_rate(TRUTH, fitted.labels_) == 0
    assert fitted.n_clusters_ == 2 == fitted.consensus_.k
    assert fitted.ensemble_.n_partitions == 50
    assert fitted.membership_.shape == (400, 2)
    assert np.allclose(fitted.membership_.sum(axis=1), 1)
    assert np.array_equal(fitted.confidence_, fitted.membership_[np.arange(400), fitted.labels_])


def test_new_objects_go_where_their_base_clusters_went(fitted):
    rng = np.random.default_rng(1)
    assert np.mean(fitted.predict(X) == fitted.labels_) > 0.97
    near = X + rng.normal(scale=0.01, size=X.shape)
    assert np.mean(fitted.predict(near) == fitted.labels_) > 0.95


def test_prediction_of_training_objects_is_their_membership(fitted):
    assert np.allclose(fitted.predict_membership(X), fitted.membership_)


def test_prediction_with_missing_labels_matches_the_slow_sum():
    model = ge.ConsensusClustering(3, method="eac", sampling="subsample", n_partitions=8, random_state=0).fit(X)
    e, labels = model.ensemble_, model.labels_
    seen = e.codes != e.absent
    new = np.stack([labeler((X[:5],)) for labeler in model._labelers])
    for i in range(5):
        means = np.zeros(3)
        for c in range(3):
            shared = sum(((row == new[t, i]) & (labels == c)).sum() for t, row in enumerate(e.labels.T))
            means[c] = shared / (seen[:, labels == c]).sum()
        assert np.allclose(model.predict_membership(X[:5])[i], means / means.sum())


def test_without_predict_there_is_a_reason():
    for base, name in (("single", "single"), (DBSCAN(), "DBSCAN"), (["kmeans", "spectral"], "spectral")):
        model = ge.ConsensusClustering(2, method="eac", base=base, n_partitions=4, random_state=0)
        assert not any(hasattr(model, method) for method in ("predict", "predict_membership", "score", "transform"))
        with pytest.raises(AttributeError, match="has no attribute 'predict'") as error:
            model.predict(X)
        assert f"because {name} has no predict" in str(error.value.__cause__)
    assert hasattr(ge.ConsensusClustering(base="single", sampling="hyperplanes"), "predict")


@pytest.mark.parametrize("sampling", ["hyperplanes", "cuts", "projection", "boosting", "consistency"])
def test_prediction_under_every_sampling(sampling):
    model = ge.ConsensusClustering(2, method="eac", k_range=4, sampling=sampling, n_partitions=9, random_state=0)
    model.fit(X)
    assert np.mean(model.predict(X) == model.labels_) > 0.6


@pytest.mark.parametrize(("base", "low", "high"), [("spectral", 3, 12), ("kmeans", 6, 18)])
def test_the_base_decides_how_many_clusters_its_partitions_have(base, low, high):
    data = np.random.default_rng(0).normal(size=(144, 2))
    model = ge.ConsensusClustering(3, method="lwgp", base=base, n_partitions=25, random_state=0).fit(data)
    assert low <= model.ensemble_.n_clusters.min() <= low + 2
    assert high - 3 <= model.ensemble_.n_clusters.max() <= high


def test_an_instance_gets_its_number_of_clusters_from_the_range():
    bases = [KMeans(8, n_init=1), make_pipeline(StandardScaler(), GaussianMixture(8))]
    model = ge.ConsensusClustering(3, method="lwgp", base=bases, n_partitions=20, random_state=0).fit(X)
    assert {10, 30} & {model.ensemble_.n_clusters.min(), model.ensemble_.n_clusters.max()}
    assert len(set(model.ensemble_.n_clusters)) > 5
    stopped = AgglomerativeClustering(None, distance_threshold=0.5)
    for base in (DBSCAN(eps=0.2), stopped, "dbscan"):
        model = ge.ConsensusClustering(2, method="eac", base=base, n_partitions=2, k_range=(3, 9))
        with pytest.warns(ge.GraphensWarning, match=r"k_range = \(3, 9\) was given, but \w+ decides itself"):
            model.fit(X)
    with pytest.warns(ge.GraphensWarning, match="k = 4 was given, but DBSCAN decides itself"):
        ge.generate(X, 2, base=DBSCAN(eps=0.2), k=4)


def test_pipelines_clones_nesting_and_pickles(fitted):
    base = KMeans(8, n_init=1)
    model = ge.ConsensusClustering(2, method="eac", base=base, n_partitions=10, random_state=0)
    chain = make_pipeline(StandardScaler(), model)
    labels = chain.fit_predict(X)
    assert np.array_equal(labels, clone(chain).fit_predict(X))
    assert len(chain.predict(X[:3])) == 3
    assert not hasattr(base, "labels_")
    assert base.random_state is None
    model.set_params(base__init="random", k_range=5, n_partitions=3).fit(X)
    assert model.ensemble_.n_clusters.tolist() == [5, 5, 5]
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.labels_, fitted.labels_)
    assert np.array_equal(again.predict(X[:20]), fitted.predict(X[:20]))
    assert again.ensemble_ == fitted.ensemble_


def test_score_of_new_objects_is_their_agreement_with_their_base_labels(fitted):
    base = np.stack([labeler((X[:90],)) for labeler in fitted._labelers], axis=1)
    assert fitted.score(X[:90]) == pytest.approx(ge.measures.anmi(fitted.predict(X[:90]), base))
    search = GridSearchCV(ge.ConsensusClustering(2, n_partitions=4, random_state=0), {"base": ["kmeans", "gmm"]})
    assert np.isfinite(search.fit(X[::4]).cv_results_["mean_test_score"]).all()


def test_a_base_that_needs_dense_data_says_so():
    dense = {"gmm", "agglomerative"}
    for base in ("kmeans", "gmm", "agglomerative", KMeans(), GaussianMixture(), ["kmeans", "gmm"]):
        takes = not (base in dense if isinstance(base, str) else isinstance(base, (GaussianMixture, list)))
        assert get_tags(ge.ConsensusClustering(base=base)).input_tags.sparse is takes
    assert get_tags(ge.ConsensusClustering(base="gmm", sampling="projection")).input_tags.sparse


def test_it_can_be_searched_over():
    def score(model, data, y=None):
        return ge.measures.anmi(model.labels_, model.ensemble_)

    model = ge.ConsensusClustering(method="eac", n_partitions=5, random_state=0)
    search = GridSearchCV(model, {"n_clusters": [2, 9]}, scoring=score, cv=2).fit(X)
    wanted = [
        np.mean([score(clone(model).set_params(n_clusters=k).fit(X[seen]), X) for seen, _ in KFold(2).split(X)])
        for k in (2, 9)
    ]
    assert wanted[0] != wanted[1]
    assert search.cv_results_["mean_test_score"].tolist() == pytest.approx(wanted)
    assert search.best_params_["n_clusters"] == (2, 9)[int(np.argmax(wanted))]
    assert search.best_estimator_.n_clusters_ == search.best_params_["n_clusters"]


def test_random_state_decides():
    first, second = (ge.ConsensusClustering(2, method="eac", n_partitions=5, random_state=7).fit(X) for _ in "ab")
    assert first.ensemble_ == second.ensemble_
    state = np.random.RandomState(0)
    drawn = [ge.ConsensusClustering(2, method="eac", n_partitions=5, random_state=state).fit(X) for _ in "ab"]
    assert drawn[0].ensemble_ != drawn[1].ensemble_


def test_more_clusters_than_the_default_interval():
    model = ge.ConsensusClustering(40, method="eac", n_partitions=5, random_state=0).fit(X)
    assert model.n_clusters_ == 40


def test_a_function_as_method():
    model = ge.ConsensusClustering(2, method=ge.eac, method_options={"linkage": "average"}, random_state=0).fit(X)
    assert model.consensus_.options["linkage"] == "average"


def test_memberships_as_features(fitted):
    found = fitted.transform(X)
    assert np.allclose(found, fitted.predict_membership(X))
    again = ge.ConsensusClustering(2, method="eac", random_state=0)
    assert np.array_equal(again.fit_transform(X), found)
    names = [f"consensusclustering{c}" for c in range(2)]
    assert fitted.get_feature_names_out().tolist() == names
    frame = clone(fitted).set_output(transform="pandas").fit_transform(X)
    assert frame.columns.tolist() == names


@pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
def test_rule_chooses_the_number_of_clusters():
    points, _ = ge.datasets.load("blobs", seed=0)
    by_default = ge.ConsensusClustering(n_partitions=20, random_state=0).fit(points)
    assert by_default.consensus_.choice.rule == "eigengap"
    by_lifetime = ge.ConsensusClustering(rule="lifetime", n_partitions=20, random_state=0).fit(points)
    assert by_lifetime.consensus_.choice.rule == "lifetime"
    three = ge.ConsensusClustering(rule=lambda e, rng: 3, method="mcla", n_partitions=20, random_state=0)
    assert three.fit(points).n_clusters_ == 3


def test_rule_serves_functions_too_and_is_checked():
    with pytest.raises(ge.GraphensError, match="rule = 'tallest' was given; expected one of eigengap"):
        ge.ConsensusClustering(rule="tallest", n_partitions=5, random_state=0).fit(X)
    by_function, by_name = (
        ge.ConsensusClustering(rule="pac", method=method, n_partitions=5, random_state=0).fit(X)
        for method in (ge.mcla, "mcla")
    )
    assert by_function.labels_.tolist() == by_name.labels_.tolist()


@pytest.mark.parametrize("k", [0, 9, 2.5, "two"])
def test_an_error_about_the_number_of_clusters_names_it_as_scikit_learn_does(k: object) -> None:
    with pytest.raises(ge.GraphensError, match=r"n_clusters = .* was given; expected"):
        ge.ConsensusClustering(k).fit(np.eye(8))


def test_gaps_are_followed_and_without_gaps_seven_answers_vote() -> None:
    rng = np.random.default_rng(0)
    rings, truth = ge.datasets.load("half-rings", seed=0)
    model = ge.ConsensusClustering(2, random_state=0).fit(rings)
    r = model.consensus_
    assert ge.measures.ari(truth, model.labels_) == 1
    assert r.why.startswith("There are gaps between groups of objects: ")
    assert r.why.endswith("% of neighbor links).")
    assert len(model.ensemble_.n_clusters) == 50
    assert len(r.trials) == 7
    cuts = {t.method: t.cut for t in r.trials}
    assert cuts["genie"] < cuts["kmeans"]
    assert all(0 <= t.evenness <= 1 for t in r.trials)
    np.testing.assert_array_equal(model.predict(rings), model.labels_)

    touching = rng.normal(size=(300, 4)) + np.repeat([[0], [1.2]], 150, axis=0)
    soft = ge.ConsensusClustering(2, random_state=0).fit(touching)
    assert (
        soft.consensus_.why
        == "There are no gaps between groups of objects, so average linkage combines the answers of seven algorithms."
    )
    assert ge.measures.ari(np.repeat([0, 1], 150), soft.labels_) > 0.5
    assert soft.consensus_.dendrogram is not None


def test_default_on_a_sample_sparse_or_tiny_data(monkeypatch: pytest.MonkeyPatch) -> None:
    from graphens import estimator

    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 2)) + np.repeat([[0, 0], [9, 0]], 200, axis=0)
    monkeypatch.setattr(estimator, "_MOST", 150)
    model = ge.ConsensusClustering(2, n_partitions=10, random_state=0).fit(X)
    assert ge.measures.ari(np.repeat([0, 1], 200), model.labels_) == 1
    assert model.consensus_.details["sampled"] == 150
    assert len(model.consensus_.names) == len(model.consensus_.confidence) == 400
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    wide = sparse.random_array((60, 90), density=0.1, rng=rng, format="csr")
    for data, k in ((wide, 3), (X[:3], 2), (X[:4], 4), (np.ones((5, 2)), 1), (X[:2], 2)):
        fitted = ge.ConsensusClustering(k, n_partitions=10, random_state=0).fit(data)
        assert fitted.n_clusters_ == k
