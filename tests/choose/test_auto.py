"""The front door: what it chooses, and what it says about it."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_moons

import graphens as ge
from graphens.choose.choice import Choice
from graphens.choose.rules import RULES

GOLDEN = [[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]]


def groups(n: int, k: int, n_partitions: int, seed: int = 0, flips: float = 0.05) -> np.ndarray:
    rng = np.random.default_rng(seed)
    labels = np.tile(np.repeat(np.arange(k), n // k)[:, None], (1, n_partitions))
    noise = rng.random(labels.shape) < flips
    labels[noise] = rng.integers(k, size=int(noise.sum()))
    return labels


def test_auto_finds_k_and_says_why() -> None:
    r = ge.consensus(GOLDEN, seed=0)
    assert r.labels.tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert (r.choice.k, r.choice.rule) == (3, "eigengap")
    assert r.choice.figures["strengths"][3] > 1 > r.choice.figures["strengths"][2]
    assert "3 clusters, clearly supported (strength 1.69; above 1 is clear). Next best: 2." in r.why
    assert r.method in r.why
    assert [t.method for t in r.trials] == ["lwgp", "lwea", "hbgf"]  # the first two agree: shapes are not looked for


@pytest.mark.parametrize("method", ["recluster", "ecg"])
def test_a_number_that_a_method_does_not_take_is_said(method: str) -> None:
    with pytest.warns(ge.GraphensWarning, match=f"k = 2 is ignored: {method} finds"):
        ge.consensus(GOLDEN, 2, method=method, seed=0)


def test_the_lifetime_rule_by_name() -> None:
    choice = ge.consensus(GOLDEN, seed=0, rule="lifetime").choice
    assert choice.rule == "lifetime"
    assert choice.figures["lifetimes"][3] == pytest.approx(0.5)
    assert choice.figures["lifetimes"][2] == pytest.approx(0.139, abs=1e-3)
    assert "longest lifetime" in choice.why


def test_a_rule_chooses_k_for_a_named_method() -> None:
    r = ge.consensus(GOLDEN, method="mcla", rule="eigengap", seed=0)
    assert (r.method, r.k) == ("mcla", 3)
    assert r.choice.k == 3


def test_the_answer_with_the_larger_silhouette_wins() -> None:
    """Two moons of unequal size, cut into many small pieces: balanced methods cut the large one."""
    rng = np.random.default_rng(0)
    a, b = rng.random(400) * np.pi, rng.random(60) * np.pi
    large = np.column_stack([np.cos(a), np.sin(a)])
    small = np.column_stack([1 - np.cos(b), 0.5 - np.sin(b)])
    X = np.vstack([large, small]) + rng.normal(scale=0.05, size=(460, 2))
    truth = np.repeat([0, 1], [400, 60])
    e = ge.generate(X, 30, seed=0)
    assert ge.measures.nmi(truth, ge.consensus(e, 2, seed=0).labels) > 0.95
    r = ge.consensus(e, 2, by="silhouette", seed=0)
    assert ge.measures.nmi(truth, r.labels) > 0.95
    rows = [t.row() for t in r.trials]
    assert max(row["silhouette"] for row in rows if "silhouette" in row) == pytest.approx(
        ge.measures.reliable_silhouette(r.labels, e)
    )
    by_information = ge.supra(e, 2, methods=["mcla", "lwgp"], by="anmi", seed=0)
    by_silhouette = ge.supra(e, 2, methods=["mcla", "lwgp"], by="silhouette", seed=0)
    assert by_silhouette.details["winner"] == "lwgp"
    assert by_information.details["winner"] == "mcla"


def test_auto_with_a_given_k() -> None:
    e = ge.Ensemble(groups(60, 4, 8))
    r = ge.consensus(e, 4, seed=0)
    assert ge.measures.ari(r.labels, np.repeat(np.arange(4), 15)) == 1.0
    assert r.why.startswith("4 clusters were requested")
    assert r.choice is None
    assert ge.consensus(e, 3, seed=0).k == 3


def test_the_answer_can_be_repeated() -> None:
    e = ge.Ensemble(groups(90, 3, 6, flips=0.3))
    a, b = ge.consensus(e, seed=5), ge.consensus(e, seed=5)
    assert a.labels.tolist() == b.labels.tolist()
    assert a.method == b.method
    again = ge.consensus(e, method=a.method, **({"seed": 0} | dict(a.options)))
    assert again.labels.tolist() == a.labels.tolist()


def test_a_named_method_is_that_method() -> None:
    e = ge.Ensemble(groups(40, 4, 5))
    for name, options in (("eac", {"linkage": "average"}), ("aggregate", {"algorithm": "balls"})):
        r = ge.consensus(e, method=name, seed=0, **options)
        assert r.method == name
        assert r.labels.tolist() == getattr(ge, name)(e, **options).labels.tolist()
        assert "auto" not in r.details


def test_a_large_ensemble_is_sampled_for_k() -> None:
    e = ge.Ensemble(groups(6000, 5, 7))
    r = ge.consensus(e, seed=0, rule="lifetime")
    assert r.k == 5
    assert "a sample of 4000 objects" in r.why
    assert ge.consensus(e, seed=0).k == 5


def test_other_rules_plug_in() -> None:
    e = ge.Ensemble(groups(40, 4, 5))
    r = ge.consensus(e, seed=0, rule=lambda ensemble, rng: 2)
    assert r.k == 2

    def mine(ensemble: ge.Ensemble, rng: np.random.Generator) -> Choice:
        return Choice(4, "four is what I like", {"liked": True})

    r = ge.consensus(e, seed=0, rule=mine)
    assert r.k == 4
    assert r.choice.figures["liked"]
    assert r.choice.rule == "mine"
    assert r.why.startswith("four is what I like")
    with pytest.raises(ge.GraphensError, match="k = 0"):
        ge.consensus(e, seed=0, rule=lambda ensemble, rng: 0)
    assert set(RULES) >= {"lifetime"}


def test_the_panel_can_be_named() -> None:
    e = ge.Ensemble(groups(40, 4, 5))
    r = ge.consensus(e, 4, seed=0, panel=["vote"])
    assert r.method == "vote"
    assert "only method" in r.why


@pytest.mark.filterwarnings("ignore:Column:graphens.errors.GraphensWarning")
def test_one_method_failing_does_not_stop_the_others() -> None:
    labels = np.column_stack([np.arange(80) // 20, np.arange(80)])  # too many distinct rows for the exact median
    r = ge.consensus(labels, 4, seed=0, panel=["exact_median", "vote"])
    rows = {row["method"]: row for row in (t.row() for t in r.trials)}
    assert r.method == "vote"
    assert rows["exact_median"]["score"] is None
    assert "80 distinct label rows" in rows["exact_median"]["note"]


def test_fewer_clusters_than_asked_for_are_never_silent() -> None:
    labels = np.tile(np.repeat(np.arange(4), 25)[:, None], (1, 5))
    with pytest.warns(ge.GraphensWarning, match="k = 8") as heard:
        r = ge.consensus(labels, 8, seed=0, panel=["vote", "mixture"])
    assert r.k == 4
    assert "the labels distinguish only 4" in r.why
    assert heard[0].filename == __file__


def test_nobody_and_single_objects() -> None:
    for k in (None, 2):
        nothing = ge.consensus([[-1, -1], [-1, -1]], k, seed=0)
        assert nothing.labels.tolist() == [-1, -1]
        assert nothing.why == "No object has a label."
    assert ge.consensus([[0, 3]], seed=0).labels.tolist() == [0]
    r = ge.consensus([[0, 0], [-1, -1], [1, 1], [0, 0], [1, 1]], seed=0)
    assert r.labels.tolist() == [0, -1, 1, 0, 1]


def test_no_structure_is_one_cluster() -> None:
    assert ge.consensus(np.zeros((8, 3), dtype=int), seed=0).k == 1
    said = ge.consensus(GOLDEN, 1, seed=0).why
    assert said == "One cluster was requested."


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ({"method": "magic"}, "method = 'magic'"),
        ({"k": 99}, "k = 99"),
        ({"k": 2.5}, "k = 2.5"),
        ({"seed": -1}, "seed = -1"),
        ({"rule": "magic"}, "rule = 'magic'"),
        ({"color": 1}, "no option color"),
        ({"by": "luck"}, "by = 'luck'"),
        ({"n_clusters": 3}, "it is called k"),
        ({"method": "mcla", "random_state": 3}, "it is called seed"),
        ({"method": "eac", "color": 1}, "no option color"),
        ({"panel": ["magic"]}, "method = 'magic'"),
        ({"panel": []}, "empty panel"),
        ({"panel": "lwgp"}, "panel = 'lwgp'"),
        ({"X": [[0.0]] * 7}, "method = 'auto' has no option X"),
        ({"parameter": 1}, "method = 'auto' has no option parameter"),
        ({"e": 1}, "method = 'auto' has no option e;"),
        ({"method": "eac", "row": 1}, "eac has no option row"),
    ],
)
def test_bad_calls_are_refused(call: dict[str, object], said: str) -> None:
    with pytest.raises(ge.GraphensError, match=said):
        ge.consensus(GOLDEN, **call)  # type: ignore[arg-type]


def test_k_stays_within_what_the_partitions_have() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 300)
    noisy = [np.where(rng.random(300) < 0.1, rng.integers(0, 4, 300), truth) for _ in range(3)]
    assert ge.consensus(ge.Ensemble.from_partitions(noisy), seed=0).k == 4


def test_a_warning_where_no_number_of_clusters_stands_out() -> None:
    X, _ = ge.datasets.load("uniform-5d", seed=0)
    e = ge.generate(X, 20, k=(5, 15), seed=0)
    with pytest.warns(ge.GraphensWarning, match=r"one cloud.* set k, for example \d"):
        r = ge.consensus(e, seed=0)
    assert r.k == 1
    assert len(r.choice.optional) == 5
    with pytest.warns(ge.GraphensWarning, match="No number of clusters stands out"):
        ge.consensus(e, seed=0, rule="lifetime")


def spoiled(n: int, values: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Five clusters, four partitions that mistake 15 % of the objects, and a random column of many values."""
    q = np.random.default_rng(seed)
    truth = q.integers(0, 5, n)
    good = [np.where(q.random(n) < 0.15, q.integers(0, 5, n), truth) for _ in range(4)]
    return np.stack([*good, q.integers(0, values, n)], axis=1), truth


@pytest.mark.parametrize(("n", "values"), [(5000, 300), (2000, 300), (2000, 2000)])
@pytest.mark.filterwarnings("ignore::graphens.errors.DoubtWarning")
def test_a_random_column_of_small_clusters_costs_nothing(n: int, values: int) -> None:
    labels, truth = spoiled(n, values)
    without = ge.measures.ari(truth, ge.consensus(labels[:, :4], 5, seed=0).labels)
    assert ge.measures.ari(truth, ge.consensus(labels, 5, seed=0).labels) > without - 0.02
    assert ge.consensus(labels, seed=0).k == 5
    for method in ("lwgp", "lwea"):
        assert ge.measures.ari(truth, ge.consensus(labels, 5, method, seed=0).labels) > 0.93
    paper = ge.lwgp(labels, 5, adjusted=False, seed=0)
    assert ge.measures.ari(truth, paper.labels) < 0.9


def test_two_columns_that_agree_with_each_other_only_do_not_ruin_the_answer() -> None:
    labels, truth = spoiled(3000, 1200)
    fine = np.column_stack([labels, labels[:, 4] // 4])
    assert ge.lwea(fine, 5, seed=0).contradiction > 0.1
    assert ge.measures.ari(truth, ge.consensus(fine, 5, seed=0).labels) > 0.93


@pytest.mark.filterwarnings("ignore::graphens.errors.DoubtWarning")
def test_objects_known_only_to_a_worthless_column_are_no_clusters(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    labels, truth = spoiled(1200, 1200)
    labels[:, :4][rng.random((1200, 4)) < 0.3] = -1
    alone = (labels[:, :4] < 0).all(axis=1)
    assert alone.sum() > 5
    r = ge.consensus(labels, 5, seed=0)
    assert ge.measures.ari(truth, r.labels) > 0.8
    assert f"were placed last: {alone.sum()}" in r.why
    assert np.array_equal(r.labels[alone], r.assign(labels[alone]).labels)
    assert (r.labels[~alone] >= 0).all()
    assert r.details["placed_last"] == alone.sum()
    assert (r.labels < 0).any()
    assert "no partition of positive weight links it" in repr(r.explain(position=int(r.labels.argmin())))
    page = r.report(tmp_path / "page.html").read_text()
    assert "graphens consensus labels.csv -k 5" in page
    assert np.array_equal(ge.consensus(labels, 5, r.method, seed=0).labels, r.labels)
    assert r.graph is not None
    assert len(r.vertex_labels) == r.graph.n_vertices


@pytest.mark.filterwarnings("ignore::graphens.errors.DoubtWarning")
@pytest.mark.parametrize("method", ["lwgp", "lwea"])
def test_methods_by_name_place_such_objects_last_too(method: str) -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 4, 600)
    labels = np.stack([np.where(rng.random(600) < 0.1, rng.integers(0, 4, 600), truth) for _ in range(2)], axis=1)
    labels[rng.random(labels.shape) < 0.3] = -1
    alone = (labels < 0).all(axis=1)
    fine = np.column_stack([labels, rng.integers(0, 300, 600)])
    r = ge.consensus(fine, 4, method, seed=0)
    # cut off, they would be three of the four clusters
    assert ge.measures.ari(truth[~alone], r.labels[~alone]) > 0.7
    assert r.details["placed_last"] == alone.sum()
    assert (r.labels[~alone] >= 0).all()
    assert 0 < (r.labels[alone] < 0).sum() < alone.sum()
    assert (r.confidence[r.labels < 0] == 0).all()
    assert r.graph is not None
    assert len(r.vertex_labels) == r.graph.n_vertices
    assert r.dendrogram is None or len(r.dendrogram.cut(4)) == 600
    paper = ge.consensus(fine, 4, method, adjusted=False, seed=0)
    assert "placed_last" not in paper.details
    few = ge.Ensemble([[0, 0, -1], [0, 0, -1], [0, 0, 0], [0, 0, 1], [-1, -1, 2]])
    assert ge.consensus(few, 3, method, seed=0).labels.shape == (5,)


def test_copies_of_a_column_do_not_vouch_for_each_other() -> None:
    """Eight good columns and five copies of a random one, also with other names of the clusters."""
    rng = np.random.default_rng(0)
    truth, random = np.repeat(np.arange(4), 50), rng.integers(0, 4, 200)
    good = [np.where(rng.random(200) < 0.15, rng.integers(0, 4, 200), truth) for _ in range(8)]
    copies = [random, (random + 1) % 4, 3 - random, random, random]
    one = ge.Ensemble.from_partitions([*good, random], weights=[1.0] * 8 + [5.0])
    with pytest.warns(ge.errors.DoubtWarning) as heard:
        r = ge.consensus(np.column_stack([*good, *copies]), 4, seed=0)
    assert np.array_equal(r.labels, ge.consensus(one, 4, seed=0).labels)
    assert ge.measures.ari(truth, r.labels) > 0.95
    told = [str(w.message) for w in heard]
    assert any(said.startswith("5 of 13 columns are identical ('P8', 'P9', 'P10' …)") for said in told)
    assert any("Column 'P8' agrees with the others only by chance" in said for said in told)


def test_every_method_says_why() -> None:
    small = ge.Ensemble([[0, 0], [0, 0], [1, 1], [1, 2]])
    for row in ge.methods():
        if row.name not in ("recluster", "ecg"):
            r = ge.consensus(small, 2, row.name, seed=0)
            assert r.why.startswith(f"{r.method} ")
            assert r.why.split()[0] in repr(r)
            assert (r.trials, r.choice, r.network) == ((), None, None)
    assert (
        ge.lwgp(small, seed=0).why
        == "lwgp was given no k, so there are as many clusters as in the partition with the most."
    )
    assert ge.vote(small, 2).why == "vote with 2 clusters was requested."
    assert ge.eac(small).why == "eac finds the number of clusters itself."
    assert ge.vote(small).why == "vote was given no k, so its clusters are those of the reference."
    assert ge.cumulative(small).why.endswith("its clusters are those of the first partition in order, P0.")
    with pytest.warns(ge.errors.FallbackWarning, match="k = 2 is ignored"):
        assert ge.exact_median(small, 2).why == "exact_median finds the number of clusters itself."


def test_auto_has_its_trials_and_its_choice() -> None:
    labels = np.column_stack([np.repeat(np.arange(3), 20)] * 5)
    labels[::9, 0] = 0
    r = ge.consensus(labels, seed=0)
    assert isinstance(r.why, str)
    assert [t.method for t in r.trials][:2] == ["lwgp", "lwea"]
    assert all(t.k == 3 and t.result is None and t.seconds >= 0 for t in r.trials)
    assert r.choice is not None
    assert (r.choice.k, r.choice.rule) == (3, "eigengap")
    assert "above 1 is clear" in r.why
    assert ge.consensus(labels, 3, seed=0).choice is None
    named = ge.consensus(labels, method="vote", rule="lifetime", seed=0)
    assert named.choice is not None
    assert named.choice.rule == "lifetime"
    assert named.why == f"{named.choice.why} vote was requested."
    assert pickle.loads(pickle.dumps(r)).trials == r.trials


def test_pieces_that_noise_cuts_off_are_not_preferred() -> None:
    X, truth = make_moons(300, noise=0.16, random_state=1)
    r = ge.consensus(ge.generate(X, 20, seed=1), 2, seed=0)
    assert ge.measures.nmi(truth, r.labels) > 0.8
    assert r.method != "islands"
    X, truth = ge.datasets.load("2-spirals", seed=0)
    assert ge.consensus(ge.generate(X, 50, seed=0), 2, seed=0).method == "islands"  # even pieces are
