"""Explaining objects, placing new ones, matching clusterings."""

import numpy as np
import pandas as pd
import pytest

import graphens as ge
from graphens.errors import DoubtWarning


def noisy(seed: int = 0, n: int = 24, b: int = 7, *, missing: float = 0.0) -> tuple[np.ndarray, ge.Ensemble]:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3
    labels = np.where(rng.random((n, b)) < 0.35, rng.integers(0, 3, size=(n, b)), truth[:, None])
    labels[rng.random((n, b)) < missing] = -1
    labels[0] = 0
    return truth, ge.Ensemble(labels, object_names=[f"cell{i}" for i in range(n)])


def plain_means(e: ge.Ensemble, labels: np.ndarray, i: int, k: int, partitions: list[int]) -> np.ndarray:
    means = []
    for c in range(k):
        same = seen = 0.0
        for j in np.flatnonzero(labels == c):
            for t in partitions:
                if j != i and e.labels[i, t] >= 0 and e.labels[j, t] >= 0:
                    seen += 1
                    same += e.labels[i, t] == e.labels[j, t]
        means.append(same / seen if seen else 0.0)
    return np.array(means)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_margin_rival_and_deciding_partitions_are_those_of_all_pairs(missing: float) -> None:
    _, e = noisy(1, missing=missing)
    r = ge.lwea(e, 3, seed=0)
    every = list(range(e.n_partitions))
    for i in range(e.n_objects):
        x = r.explain(i)
        means = plain_means(e, r.labels, i, 3, every)
        own = r.labels[i]
        rivals = np.where(np.arange(3) == own, -1.0, means)
        assert x.cluster == own
        assert means[x.rival] == pytest.approx(rivals.max())
        assert x.margin == pytest.approx(means[own] - rivals.max())
        leads = means[own] >= rivals.max()
        flips = []
        for t in every:
            less = plain_means(e, r.labels, i, 3, [s for s in every if s != t])
            if e.labels[i, t] >= 0 and (less[own] >= np.delete(less, own).max()) != leads:
                flips.append(e.partition_names[t])
        assert list(x.deciding) == flips


def test_votes_companions_graph_and_words() -> None:
    _, e = noisy(2)
    r = ge.lwea(e, 3, seed=0)
    x = r.explain("cell4")
    assert x.name == "cell4"
    assert len(x.votes) == e.n_partitions
    s = ge.coassociation(e).to_scipy().toarray()[4]
    assert [share for _, share in x.companions] == pytest.approx(np.sort(s)[::-1][:5])
    assert "cell4" in list(x.graph.names)
    assert x.graph.kind == "bipartite"
    text = repr(x)
    assert len(text.splitlines()) <= 15
    assert f"in cluster {r.labels[4]}" in text
    for vote in x.votes:
        inside = [j for j in range(24) if j != 4 and e.labels[j, e.partition_names.index(vote.partition)] == vote.label]
        assert vote.share == pytest.approx(np.mean(r.labels[inside] == r.labels[4]))


def test_cases_with_little_to_explain() -> None:
    alone = ge.consensus([[0, 0], [0, 0], [-1, -1]], 1, seed=0)
    assert "in no cluster" in repr(alone.explain(2))
    x = alone.explain(0)
    assert x.rival == -1
    assert x.deciding == ()
    assert ge.vote([[0], [1]], 2).explain(1).votes[0].cluster == -1
    for odd in (np.arange(3), [0, 1], {}, float("nan")):
        with pytest.raises(ge.GraphensError, match="no object has that name"):
            alone.explain(odd)
    with pytest.raises(ge.GraphensError, match="no object has that name"):
        alone.explain("nobody")
    with pytest.raises(ge.GraphensError, match="position = 7"):
        alone.explain(7)


def test_a_cluster_that_most_clusterings_split_is_told_though_no_object_has_a_rival() -> None:
    whole, halves = np.repeat([0, 1], [60, 40]), np.repeat([0, 1, 2], [30, 30, 40])
    r = ge.consensus(ge.Ensemble.from_partitions([halves] * 16 + [whole] * 4), 2, seed=0)
    assert (r.confidence == 1).all()
    assert r.cohesion[[0, 99]] == pytest.approx([(29 * 20 + 30 * 4) / (59 * 20), 1.0])
    for text in (repr(r), repr(r.explain(0))):
        assert "cluster 0 is split in 16 of 20 clusterings" in text
        assert "cluster 1 is split" not in text
    assert "no evidence" not in repr(r.explain(0))
    assert "no evidence" in repr(r.explain(99))
    finer = ge.Ensemble(np.arange(100)[:, None] // 10 + (whole * 20)[:, None] + np.zeros((1, 6), dtype=int))
    text = repr(ge.eac(finer, 2).explain(0))
    assert "Your clusterings are finer than the result (10 clusters):" in text
    assert "split" not in text
    assert "no evidence" not in text


def test_the_least_certain_objects_by_name() -> None:
    frame = pd.DataFrame(noisy(4, missing=0.2)[1].labels, index=range(100, 124))
    r = ge.lwea(frame, 3, seed=0)
    rows = sorted(range(24), key=lambda i: (r.confidence[i], r.cohesion[i]))
    seen = r.uncertain(7)
    assert list(seen.columns) == ["cluster", "rival", "confidence", "cohesion"]
    assert seen.index.tolist() == [100 + i for i in rows[:7]]
    for name, row in seen.iterrows():
        x = r.explain(name)
        assert (x.cluster, x.rival) == (row.cluster, row.rival)
        assert (x.confidence, x.cohesion) == (row.confidence, row.cohesion)
    assert len(r.uncertain(1000)) == 24
    with pytest.raises(ge.GraphensError, match="n = -1"):
        r.uncertain(-1)
    polars = pytest.importorskip("polars")
    r = ge.vote(polars.DataFrame({"p": [0, 0, 1], "q": [0, 1, 1]}), 2)
    assert isinstance(r.uncertain(1), pd.DataFrame)


def test_a_partition_with_a_single_cluster_has_no_vote() -> None:
    frame = pd.DataFrame({"a": [0, 0, 1, 1, 1], "same": ["x"] * 5, "b": [0, 0, 0, 1, 1], "gaps": [7, 7, -1, 7, 7]})
    with pytest.warns(DoubtWarning, match="says nothing"):
        r = ge.consensus(frame, 2, seed=0)
    x = r.explain(position=2)
    assert len(x.votes) == 4
    assert [vote.partition for vote in x.votes if vote.label is not None] == ["a", "b"]
    assert "1 of 2 partitions put it" in repr(x)
    assert {"same", "gaps"}.isdisjoint(x.deciding)
    assert x.columns()["label"] == [1, None, 0, None]
    assert sorted(x.plot().names) == ["a", "b"]


def test_objects_whose_names_are_numbers_are_drawn() -> None:
    frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 0, 0, 1]}, index=[10, 20, 30, 40])
    assert ge.vote(frame, 2).explain(30).plot().ax_.get_title(loc="left").startswith("30: cluster 1")


def test_new_objects_go_where_their_like_are() -> None:
    _, e = noisy(3)
    r = ge.lwea(e, 3, seed=0)
    again = r.assign(e)
    for i in range(e.n_objects):  # as if it were another object with the same labels
        means = [
            np.mean([(e.labels[i] == e.labels[j]).mean() for j in np.flatnonzero(r.labels == c)]) for c in range(3)
        ]
        first, second = np.sort(means)[::-1][:2]
        assert means[again.labels[i]] == pytest.approx(first)
        assert again.confidence[i] == pytest.approx(first / (first + second))
    assert again.membership.sum(axis=1) == pytest.approx(1.0)
    assert r.assign(e.labels).labels.tolist() == again.labels.tolist()
    shuffled = pd.DataFrame(e.labels, columns=list(e.partition_names))[list(e.partition_names)[::-1]]
    assert r.assign(shuffled).labels.tolist() == again.labels.tolist()
    strange = r.assign([[9] * e.n_partitions])
    assert strange.labels.tolist() == [-1]
    assert repr(strange) == (
        f"Assigned(n = 1, sizes 0, 0, 0; 1 in no cluster; {e.n_partitions} labels never seen before)"
    )
    assert strange.confidence.tolist() == [0.0]
    rows = np.where(np.arange(e.n_partitions) == 1, 9, e.labels[:10])
    with pytest.warns(ge.GraphensWarning, match=f"the consensus in '{e.partition_names[1]}' .'9' here, '0' there"):
        assert r.assign(rows).unseen.tolist() == [1] * 10
    with pytest.raises(ge.GraphensError, match="Rows of 2 labels"):
        r.assign([[0, 1]])


def test_new_objects_may_have_only_some_of_the_columns() -> None:
    _, e = noisy(3)
    r = ge.lwea(e, 3, seed=0)
    frame = pd.DataFrame(e.labels, columns=list(e.partition_names))
    some = list(e.partition_names)[2:0:-1]
    absent = frame.assign(**{name: -1 for name in frame if name not in some})
    assert r.assign(frame[some]).labels.tolist() == r.assign(absent).labels.tolist()
    assert r.assign(ge.Ensemble(frame[some])).labels.tolist() == r.assign(absent).labels.tolist()
    with pytest.raises(ge.GraphensError, match="columns are named like them"):
        r.assign(frame[some].to_numpy())  # which partitions these are cannot be known
    for more in (frame[some], frame):
        with pytest.warns(ge.GraphensWarning, match="no partition called 'new'; this column is ignored"):
            found = r.assign(more.rename(columns={some[0]: "new"}))  # not by its place, in silence
        assert found.labels.tolist() == r.assign(more.drop(columns=some[0])).labels.tolist()
    for more in (frame.assign(age=3.5, city="x"), frame.assign(age=3.5, city="x").to_dict("list")):
        with pytest.warns(ge.GraphensWarning, match="called 'age', 'city'; these columns are ignored"):
            assert r.assign(more).labels.tolist() == r.assign(frame).labels.tolist()  # they need not be labels
    assert r.assign(frame[some].to_dict("list")).labels.tolist() == r.assign(absent).labels.tolist()
    other = frame.rename(columns=lambda name: f"other {name}")
    assert r.assign(other).labels.tolist() == r.assign(frame).labels.tolist()


def test_matching_is_the_best_one_to_one() -> None:
    a, b = [0, 0, 0, 1, 1, 2, -1], [5, 5, 7, 7, 7, 7, 5]
    m = ge.match(a, b)
    assert m.pairs == {5: 0, 7: 1}
    assert m.relabel(b).tolist() == [0, 0, 1, 1, 1, 1, 0]
    assert m.agreed == pytest.approx(4 / 6)
    assert m.table.loc[0].tolist() == [2, 1]
    more = ge.match(["a", "a", "b"], [0, 1, 2])
    assert sorted(map(str, more.relabel([0, 1, 2]).tolist()))[:1] == ["1"]


def test_matching_by_name() -> None:
    a = pd.Series([0, 0, 1], index=["x", "y", "z"])
    b = pd.Series([1, 1, 0, 0], index=["z", "w", "x", "y"])
    assert ge.match(a, b).pairs == {0: 0, 1: 1}
    assert ge.match(dict(a), dict(b)).pairs == {0: 0, 1: 1}
    with pytest.raises(ge.GraphensError, match="no object in common"):
        ge.match(a, pd.Series([1], index=["q"]))
    with pytest.raises(ge.GraphensError, match="3 and 2 objects"):
        ge.match([0, 0, 1], [0, 1])


def test_no_rival_is_named_where_nothing_speaks_for_another_cluster() -> None:
    x = ge.vote([[0, 0]] * 3 + [[1, 1]] * 3, 2).explain(0)
    assert x.rival == -1
    assert np.isnan(x.margin)
    assert "none: there is no evidence for another cluster" in repr(x)


def test_new_objects_have_a_rival_and_their_new_labels_are_counted() -> None:
    frame = pd.DataFrame({"a": list("xxxyyy"), "b": [1, 1, 2, 2, 2, 2], "c": list("ppqqqq")}, index=list("uvwxyz"))
    r = ge.eac(frame, 2, linkage="average")
    new = pd.DataFrame({"c": ["p", "new", "new", None], "a": ["x", "y", "newer", "x"]}, index=list("ABCD"))
    found = r.assign(new)
    own = int(r.labels[0])
    assert found.labels.tolist() == [own, 1 - own, -1, own]
    assert found.rival.tolist() == [1 - own, own, -1, 1 - own] or found.rival[2] == -1
    for i, label in enumerate(found.labels.tolist()):
        ranked = np.argsort(-found.membership[i], kind="stable")
        assert label == (ranked[0] if label >= 0 else -1)
        assert found.rival[i] == (ranked[1] if found.membership[i].min() > 0 else -1)
    assert found.unseen.tolist() == [0, 1, 2, 0]
    table = found.to_frame()
    assert list(table.columns) == ["cluster", "confidence", "rival", "membership_0", "membership_1", "unseen"]
    assert list(table.index) == list("ABCD")
    assert "unseen" not in r.assign(new.iloc[[0]]).to_frame()
    assert "3 labels never seen before" in repr(found)


def test_a_match_says_which_cluster_is_which() -> None:
    said = repr(ge.match(["x", "x", "y", "y", "z"], [1, 1, 0, 0, 0])).split("\n")
    assert said == [
        "Match: 80.0% of the objects are in matched clusters",
        "  cluster 0 of b is y of a: 2 shared",
        "  cluster 1 of b is x of a: 2 shared",
        "  clusters of a without a partner: z",
    ]


def test_dates_are_found_by_their_text() -> None:
    days = pd.date_range("2026-01-01", periods=4, freq="h")
    r = ge.consensus(pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 1, 1]}, index=days), 2, seed=0)
    assert r.explain("2026-01-01 03:00:00").name == days[3]
    with pytest.raises(ge.GraphensError, match="Did you mean 2026-01-01 03:00:00"):
        r.explain("2026-01-01 03:00")


def test_every_line_of_an_explanation_fits() -> None:
    frame = pd.DataFrame({"a": [0, 1] * 40, "b": [0, 1] * 40, "number of the customer": range(80)})
    with pytest.warns(ge.errors.DoubtWarning):
        shown = repr(ge.consensus(frame, 2, seed=0).explain(0)).splitlines()
    assert any(line.startswith("  doubt ") for line in shown)
    assert max(map(len, shown)) < 80


def test_clusters_that_are_split_alike_are_told_together() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 400)
    noisy = np.stack([np.where(rng.random(400) < 0.25, rng.integers(0, 5, 400), truth) for _ in range(12)], axis=1)
    assert "every cluster is split in 12 of 12 clusterings" in repr(ge.consensus(noisy, 4, seed=0))
    halves = np.concatenate([np.tile([0, 1], 20), np.tile([2, 3], 20), np.repeat([4, 5], 40)])
    whole = np.repeat([0, 1, 2, 3], 40)
    r = ge.consensus(ge.Ensemble.from_partitions([halves] * 16 + [whole] * 4), 4, seed=0)
    assert "clusters 0 and 1 are each split in 16 of 20 clusterings" in " ".join(repr(r).split())
    many = np.stack([np.where(rng.random(800) < 0.2, rng.integers(0, 20, 800), np.arange(800) % 20) for _ in range(30)])
    shown = " ".join(repr(ge.vote(ge.Ensemble.from_partitions(list(many)), 20)).split())
    assert shown.count("split in") <= 4
