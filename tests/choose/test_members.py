"""Comparing methods, judging members, telling camps apart."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

import graphens as ge
from graphens.choose.camps import camps
from graphens.families.method import ROWS
from graphens.graphs import counts as incidence
from graphens.graphs.reliability import _sampled_entropies, cluster_reliability, leave_out


def two_views(seed: int = 0, n: int = 80) -> tuple[np.ndarray, np.ndarray, ge.Ensemble]:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 2, size=n), rng.integers(0, 3, size=n)
    noisy = [np.where(rng.random(n) < 0.08, rng.integers(0, 3, size=n), view) for view in [a] * 7 + [b] * 5]
    return a, b, ge.Ensemble.from_partitions(noisy)


def test_camps_and_their_consensuses() -> None:
    a, b, e = two_views()
    found = ge.modes(e, seed=0)
    assert [mode.members.tolist() for mode in found] == [list(range(7)), list(range(7, 12))]
    assert found[0].share == pytest.approx(7 / 12)
    assert ge.measures.ari(a, ge.modes(e, 2, seed=0)[0].consensus.labels) == 1.0
    assert ge.measures.ari(b, ge.modes(e, 3, seed=0)[1].consensus.labels) > 0.9
    assert not len(found[0].contested)
    assert len(found[1].contested) > 20
    assert "Mode(58%" in repr(found[0])


@pytest.mark.parametrize("seed", range(2))
def test_one_camp_where_partitions_do_not_fall_apart(seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(150, 2)) + np.repeat([[0], [7], [14]], 50, axis=0)
    assert len(ge.modes(ge.generate(X, 20, seed=seed), seed=0)) == 1
    noise = np.random.default_rng(seed).integers(0, 4, size=(60, 12))
    assert len(ge.modes(noise, seed=0)) == 1
    levels = X.sum(axis=1).argsort().argsort()[:, None] // np.array([75, 75, 75, 25, 25, 25])
    assert len(ge.modes(levels, seed=0)) == 1  # finer is not otherwise


@pytest.mark.parametrize(("camps", "noise"), [(2, 0.0), (2, 0.4), (3, 0.3)])
def test_camps_are_told_apart_through_noise(camps: int, noise: float) -> None:
    rng = np.random.default_rng(camps)
    centers = [rng.integers(0, 3 + c, size=150) for c in range(camps)]
    drawn = [np.where(rng.random(150) < noise, rng.integers(0, 3, size=150), centers[t % camps]) for t in range(18)]
    found = ge.modes(ge.Ensemble.from_partitions(drawn), 3, seed=0)
    assert sorted(mode.members.tolist() for mode in found) == [list(range(c, 18, camps)) for c in range(camps)]


@pytest.mark.slow
def test_many_partitions_join_the_camps_of_a_sample() -> None:
    """520 partitions: 500 of them say which camps there are."""
    rng = np.random.default_rng(0)
    views = [rng.integers(0, 2, 80), rng.integers(0, 3, 80)]
    side = rng.random(520) < 0.3
    noisy = [np.where(rng.random(80) < 0.08, rng.integers(0, 3, 80), views[int(s)]) for s in side]
    found = camps(ge.Ensemble.from_partitions(noisy), rng)
    assert ge.measures.ari(found, side) == 1.0


def test_few_partitions_are_one_camp() -> None:
    assert len(ge.modes([[0], [1]], seed=0)) == 1
    assert len(ge.modes([[0, 1], [1, 0], [1, 1]], seed=0)) == 1


def test_members_and_selection() -> None:
    _, _, e = two_views()
    e = e.take(partitions=[0, 1, 2, 3, 7])
    table = ge.members(e, 2, seed=0)
    assert table["agreement"].idxmin() == 4
    assert table["weight"].mean() == pytest.approx(1.0)
    between = np.asarray(ge.measures.pairwise(e, "ari"))
    assert table["agreement"][0] == pytest.approx((between[0].sum() - 1) / 4)
    assert "P7" not in " ".join(ge.select(e, 4, quality=1).partition_names).split()
    assert 4 in np.flatnonzero([name in ge.select(e, 2, quality=0).partition_names for name in e.partition_names])
    weighed = ge.select(e, 3, quality=1, weigh=True)
    assert weighed.weights.tolist() != [1, 1, 1]
    assert ge.select(e, 5) == e
    for size in (0, 6, 2.5):
        with pytest.raises(ge.GraphensError, match="size"):
            ge.select(e, size)
    with pytest.raises(ge.GraphensError, match="quality = 2"):
        ge.select(e, 2, quality=2)
    assert ge.members([[0], [0], [1]], 2, seed=0)["influence"].tolist() == [0.0]


def test_influence_is_leaving_one_out() -> None:
    rng = np.random.default_rng(1)
    e = ge.Ensemble(rng.integers(0, 3, size=(30, 4)))
    table = ge.members(e, 3, seed=0)
    full = ge.lwgp(e, 3, seed=0)
    less = ge.lwgp(e.take(partitions=[0, 1, 3]), 3, seed=0)
    assert table["influence"][2] == pytest.approx(1 - ge.measures.ari(full.labels, less.labels))


@pytest.mark.parametrize(
    ("weights", "t"),
    [(np.ones(40), 3), (np.ones(300), 7), (np.arange(300.0), 0), (np.where(np.arange(300) == 7, 1000.0, 1.0), 7)],
    ids=["all overlaps", "counted in passing", "t has no weight", "t outweighs all"],
)
def test_without_a_partition_clusters_are_as_reliable_as_counted_anew(weights: np.ndarray, t: int) -> None:
    rng = np.random.default_rng(0)
    labels = np.where(rng.random((60, len(weights))) < 0.3, rng.integers(0, 8, (60, len(weights))), 0)
    labels += np.arange(60)[:, None] // 10 * 8
    e = ge.Ensemble(np.where(rng.random(labels.shape) < 0.1, -1, labels), weights=weights)
    less = leave_out(e, t)
    anew = e.take(partitions=np.delete(np.arange(e.n_partitions), t))
    assert less == anew
    np.testing.assert_allclose(cluster_reliability(less), cluster_reliability(anew), rtol=1e-10)


@pytest.mark.parametrize("among_them", [True, False])
def test_without_a_partition_the_same_others_are_compared(among_them, monkeypatch) -> None:
    monkeypatch.setattr(incidence, "_ASKED", 20)
    monkeypatch.setattr(incidence, "_STEPS", 1)
    e = ge.Ensemble(np.random.default_rng(0).integers(0, 8, size=(60, 300)))
    asked = incidence.sampled_partitions(e)
    t = int(asked[3] if among_them else np.setdiff1d(np.arange(300), asked)[0])
    less, left = leave_out(e, t), asked[asked != t]
    expected = incidence.mean_entropies(less, left - (left > t), np.ones(len(left)))
    for ours, anew in zip(_sampled_entropies(less, less.weights), expected, strict=True):
        np.testing.assert_allclose(ours, anew, atol=1e-12)


def test_influence_of_many_partitions_is_measured_for_some() -> None:
    labels = np.repeat([0, 1, 2], 4)[:, None] + np.zeros((12, 201), dtype=int)
    labels[0, ::2] = 1
    with pytest.warns(ge.errors.FallbackWarning, match="50 of the 201 partitions"):
        found = ge.members(labels, 3, method="vote", seed=0)
    assert found["influence"].notna().sum() == 50
    assert (found["influence"].dropna() == 0).all()
    assert found["agreement"].notna().all()


def test_a_comparison_has_a_row_for_every_method() -> None:
    a, _, e = two_views()
    told: list[str] = []
    with ge.progress(lambda what, share: told.append(what)):
        table = ge.compare(e, 2, methods=["lwgp", "eac"], truth=a, seed=0)
    assert sorted(table["method"]) == ["eac", "lwgp"]
    r = ge.lwgp(e, 2, seed=0)
    row = table.set_index("method").loc["lwgp"]
    assert row["score"] == pytest.approx(r.score)
    assert row["silhouette"] == pytest.approx(ge.measures.reliable_silhouette(r.labels, e))
    assert row["ari"] == pytest.approx(ge.measures.ari(a, r.labels))
    assert row["balance"] == pytest.approx(r.sizes().max() / r.sizes().mean())
    random = ge.Ensemble(np.random.default_rng(0).integers(0, 9, size=(80, 6)))
    refused = ge.compare(random, 2, methods=["lwgp", "exact_median"], seed=0).iloc[1]
    assert np.isnan(refused["score"])
    assert "80 " in refused["note"]
    assert any("comparing methods" in what for what in told)
    assert "ari" not in ge.compare(e, 2, methods=["lwgp"], seed=0)
    with pytest.raises(ge.GraphensError, match="magic"):
        ge.compare(e, 2, methods=["magic"])


def test_a_column_of_zeros_is_shown():
    e = ge.Ensemble([[1, 2], [1, 2], [2, 3], [2, 3]])
    shown = repr(ge.compare(e, 2, truth=[0, 0, 1, 1], methods=["lwgp"], seed=0))
    assert "error_rate" in shown  # nothing is wrong
    assert "same_as" not in shown  # no other method


def test_a_comparison_is_a_value_that_is_used_like_its_frame() -> None:
    _, _, e = two_views()
    found = ge.compare(e, 2, methods=["lwgp", "eac", "vote"], seed=0)
    assert isinstance(found, ge.Comparison)
    assert isinstance(found.table, pd.DataFrame)
    assert list(found) == list(found.table.columns) == list(found.figures)
    assert len(found) == found.shape[0] == 3
    assert found.k.tolist() == found["k"].tolist() == [2, 2, 2]
    assert "score" in found
    assert found.drop(columns="seconds").equals(found.table.drop(columns="seconds"))
    assert [found.answers[name].score for name in found["method"]] == pytest.approx(found["score"].tolist())
    assert found.options == {"k": 2, "seed": 0}
    assert "<table" in found._repr_html_()
    own = found.table
    own["score"] = 0.0
    assert found["score"].max() > 0
    with pytest.raises(ge.GraphensError, match="read-only"):
        found["mine"] = 1
    with pytest.raises(AttributeError):
        found.nothing_of_this_name  # noqa: B018
    again = pickle.loads(pickle.dumps(copy.copy(found)))
    assert again.table.equals(found.table)


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_all_methods_by_default() -> None:
    e = ge.Ensemble([[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]])
    table = ge.compare(e, 3, seed=0)
    assert {"lwgp", "lwea", "mcla", "eac", "vote"} <= set(table["method"])
    assert "wce" not in set(table["method"]) or table.set_index("method").loc["wce", "k"] == 3


def test_a_column_that_is_nearly_an_identifier_rates_near_zero() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 2000)
    teams = {f"team{t}": np.where(rng.random(2000) < 0.1, rng.integers(0, 4, 2000), truth) for t in range(4)}
    with pytest.warns(ge.errors.DoubtWarning, match="'customer' has"):
        table = ge.members(teams | {"customer": rng.integers(0, 2000, 2000)}, seed=0).set_index("partition")
    assert abs(table.loc["customer", "agreement"]) < 0.01
    assert table.loc["customer", "weight"] < 0.01
    assert table.drop("customer")["agreement"].min() > 0.4
    assert table.loc["customer", "influence"] < 0.01


def test_a_method_that_raises_is_a_row_of_the_comparison() -> None:
    def broken(e: ge.Ensemble, k: int | None = None) -> None:
        raise ZeroDivisionError("by hand")

    ge.register_method("broken", broken)
    try:
        e = ge.Ensemble([[0, 0], [0, 0], [1, 1], [1, 0], [2, 2], [2, 2]])
        table = ge.compare(e, 3, methods=["broken", "vote", "lwgp", "mcla"], seed=0)
    finally:
        ROWS.pop("broken")
    assert table["method"].iloc[-1] == "broken"
    assert "by hand" in table["note"].iloc[-1]
    assert table["score"].iloc[:3].is_monotonic_decreasing
    assert table["k"].dtype == "Int64"
    assert table["k"].iloc[:3].tolist() == [3, 3, 3]
    answers = {name: ge.consensus(e, 3, name, seed=0).labels.tolist() for name in table["method"][:3]}
    same = dict(zip(table["method"], table["same_as"], strict=True))
    assert all(answers[same[name]] == answers[name] for name in answers if same[name])
    assert sum(not same[name] for name in answers) == len({str(labels) for labels in answers.values()})


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_results_with_another_number_of_clusters_come_after_the_others() -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(120) % 6
    e = ge.Ensemble(np.where(rng.random((120, 12)) < 0.1, rng.integers(0, 6, (120, 12)), truth[:, None]))
    table = ge.compare(e, 2, methods=["leiden", "lwgp", "recluster", "vote", "exact_median"], seed=0).table
    numbers = [None if k is pd.NA else k for k in table["k"]]
    others = [k for k in numbers if k not in (2, None)]
    assert others, "a method that finds its own number is part of this test"
    assert numbers == [2] * numbers.count(2) + others + [None] * numbers.count(None)
    assert table["score"].max() > table["score"][0]


def test_a_comparison_is_shown_whole() -> None:
    labels = np.repeat([[0, 0, 0], [1, 1, 0], [2, 2, 2]], 4, axis=0)
    shown = repr(ge.compare(labels, 3, methods=["vote", "recluster"], seed=0)).splitlines()
    assert shown[0].split()[:5] == ["method", "k", "score", "silhouette", "balance"]
    assert "..." not in "".join(shown)
    assert shown[1].startswith("vote, recluster  3")  # one answer, one row
    assert shown[-1].startswith("vote, recluster: k = 3 is ignored: recluster finds")
