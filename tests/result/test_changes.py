"""A consensus goes on: new partitions by the same call, numbers and names as before, and what changed."""

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import graphens as ge
from graphens.errors import InputError

RNG = np.random.default_rng(0)
TRUTH = np.repeat([0, 1, 2], [30, 25, 20])
FRAME = pd.DataFrame(
    {f"team {t}": np.where(RNG.random(75) < 0.25, RNG.integers(0, 3, 75), TRUTH) for t in range(5)},
    index=pd.Index(range(100, 175), name="customer"),
)
NEW = pd.Series(np.where(RNG.random(75) < 0.25, RNG.integers(0, 3, 75), TRUTH), index=FRAME.index, name="team 5")
GROWN = FRAME.assign(**{"team 5": NEW})


def canonical(labels: Any) -> list[int]:
    """Labels numbered by first appearance."""
    seen: dict[int, int] = {-1: -1}
    return [seen.setdefault(int(label), len(seen) - 1) for label in labels]


@pytest.mark.parametrize("method", [row.name for row in ge.methods()])
def test_an_update_is_the_same_call_on_the_grown_ensemble(method: str) -> None:
    try:
        r, fresh = (ge.consensus(frame, 3, method=method, seed=1) for frame in (FRAME, GROWN))
    except ge.GraphensError:
        pytest.skip("needs more than labels")
    found = r.update(NEW)
    assert canonical(found.labels) == fresh.labels.tolist()
    assert found.score == pytest.approx(fresh.score)
    assert found.confidence == pytest.approx(fresh.confidence)
    assert found.membership.max(axis=1) == pytest.approx(fresh.membership.max(axis=1))
    assert found.options["seed"] == fresh.options["seed"] if "seed" in fresh.options else True
    assert found.method == fresh.method


@pytest.mark.parametrize("call", [ge.eac, ge.consensus, ge.vote, ge.lwea])
def test_what_was_chosen_is_chosen_again(call: Any) -> None:
    clear = pd.DataFrame({f"team {t}": TRUTH for t in range(3)}, index=FRAME.index)
    r = call(clear)
    finer = np.where(TRUTH == 0, 3 + np.arange(75) % 2, TRUTH)
    found = r.update(pd.DataFrame({f"new {t}": finer for t in range(9)}, index=FRAME.index))
    fresh = call(pd.concat([clear, pd.DataFrame({f"new {t}": finer for t in range(9)}, index=FRAME.index)], axis=1))
    assert canonical(found.labels) == fresh.labels.tolist()
    assert found.k == fresh.k


def test_numbers_and_names_stay(tmp_path: Path) -> None:
    r = ge.consensus(FRAME, 3, seed=0).by_size().named({0: "young", 1: "family", 2: "retired"})
    turned = GROWN.iloc[::-1]["team 5"]  # rows in another order, found by name
    for found in (r.update(turned), ge.load(saved(r, tmp_path)).update(turned)):
        assert (found.labels == r.labels).mean() > 0.9
        assert found.cluster_names == ("young", "family", "retired")
        assert found.changes is not None
        assert found.changes.added == ("team 5",)
        assert found.changes.moved.array().tolist() == FRAME.index[found.labels != r.labels].tolist()
    assert r.changes is None


def saved(r: ge.Consensus, folder: Path) -> Path:
    r.save(folder / "r.npz")
    return folder / "r.npz"


def by(labels: Any) -> ge.Consensus:
    """An answer that is whatever the heaviest partition says."""
    return ge.eac(pd.DataFrame({"first": labels}), linkage="single", k=len(set(labels)))


BASE = np.repeat([0, 1, 2, 3], 10)


@pytest.mark.parametrize(
    ("now", "told", "numbers"),
    [
        (np.where((BASE == 1) & (np.arange(40) % 2 == 0), 4, BASE), "4 split off from 1", [0, 1, 2, 3, 4]),
        (np.where(BASE == 2, 0, BASE), "0 and 2 merged into 0; 3 is now called 2; 2 is gone", [0, 1, 2]),
        (np.where(np.arange(40) % 10 < 4, 4, BASE), "4 is new", [0, 1, 2, 3, 4]),
        (BASE, "4 as before", [0, 1, 2, 3]),
    ],
    ids=["split", "merge", "new", "same"],
)
def test_what_becomes_of_clusters(now: Any, told: str, numbers: list[int]) -> None:
    names = {2: "two"} if "as before" in told else {}
    r = ge.vote(pd.DataFrame({"first": BASE}), reference=0).named(names)
    r = r._replace(_call={"method": "vote", "reference": "most", "k": len(numbers)})
    found = r.update({"second": now}, weights=[3], drop="first")
    assert found.changes is not None
    assert told in repr(found.changes).splitlines()[-1]
    assert sorted(set(found.labels.tolist())) == numbers
    table = found.changes.table
    assert table["size"].sum() == 40
    kept = table[(table["now"] >= 0) & (table["before"] >= 0)]
    for row in kept.itertuples():
        both = ((found.labels == row.now) & (row.before == BASE)).sum()
        assert both * 2 >= (row.before == BASE).sum()
    assert found.cluster_names[2] == ("two" if names else "2")


def test_why_an_object_moved() -> None:
    r = ge.eac(pd.DataFrame([[0, 0, 1], [0, 0, 1], [1, 0, 0], [1, 1, 0], [1, 1, 0]]), 2, linkage="average")
    found = r.update([1, 1, 1, 0, 0])
    assert found.changes is not None
    frame = found.changes.to_frame()
    assert frame.index.tolist() == [2]
    row = frame.loc[2]
    assert (row["before"], row["now"], row["why"]) == (1, 0, "P3 puts it there")
    s = ge.coassociation(found.ensemble).to_scipy().toarray()
    assert row["with_now"] == pytest.approx(s[2, :2].mean())
    assert row["with_before"] == pytest.approx(s[2, 3:].mean())
    assert found.changes.moved.column() == [2]


def test_partitions_and_objects_leave() -> None:
    r = ge.consensus(FRAME, 3, seed=0)
    found = r.update(drop=["team 0"], without=[100, 174])
    fresh = ge.consensus(FRAME.drop(columns="team 0").drop([100, 174]), 3, seed=0)
    assert canonical(found.labels) == fresh.labels.tolist()
    assert found.names is not None
    assert found.names.array().tolist() == list(range(101, 174))
    assert found.changes is not None
    assert (found.changes.dropped, found.changes.n_left, found.changes.n_objects) == (("team 0",), 2, 73)
    assert "1 partition removed, 2 objects removed" in repr(found.changes)


def test_a_partition_is_replaced_by_a_newer_one_of_its_name() -> None:
    r = ge.consensus(FRAME, 3, seed=0)
    found = r.update(NEW.rename("team 1"), drop="team 1")
    assert found.ensemble.partition_names == ("team 0", "team 2", "team 3", "team 4", "team 1")
    assert found.changes is not None
    assert (found.changes.added, found.changes.dropped) == (("team 1",), ("team 1",))


def test_what_has_a_row_for_each_object_follows() -> None:
    X = np.c_[TRUTH * 3.0, RNG.normal(size=75)]
    r = ge.wce(FRAME, 3, X=X, indices=["silhouette"])
    found = r.update(NEW, without=[100, 101])
    fresh = ge.wce(GROWN.drop([100, 101]), 3, X=X[2:], indices=["silhouette"])
    assert canonical(found.labels) == fresh.labels.tolist()


def test_constraints_still_hold() -> None:
    r = ge.consensus(FRAME, 3, seed=0, must_link=[(100, 174)]).constrained(cannot_link=[(101, 102)])
    found = r.update(NEW)
    assert found.labels[0] == found.labels[74]
    assert found.labels[1] != found.labels[2]


def test_new_objects_join_the_same_call() -> None:
    r = ge.consensus(FRAME.iloc[:60], 3, seed=1)
    late = FRAME.iloc[60:].astype(object).assign(**{"team 4": 7})
    late.iloc[0, :3] = None
    fresh = ge.consensus(pd.concat([FRAME.iloc[:60].astype(object), late]), 3, seed=1)
    found = r.update(objects=late)
    assert canonical(found.labels) == canonical(fresh.labels)
    assert list(found.names) == list(FRAME.index)
    assert (found.labels[:60] == r.labels).mean() > 0.9
    assert found.changes is not None
    assert (found.changes.n_objects, found.changes.n_new) == (60, 15)
    assert "15 objects added" in repr(found.changes)
    assert canonical(found.update(objects=late).labels) == canonical(found.labels)  # the same rows again
    with pytest.raises(InputError, match="no names, unlike those of the ensemble"):
        r.update(objects=late.to_numpy())
    plain = ge.consensus(FRAME.to_numpy(), 3, seed=0).update(without=["x74"]).update(objects=[[0] * 5, [2] * 5])
    assert list(plain.names)[-3:] == ["x73", "x74", "x75"]


def test_rows_of_known_objects_replace_their_labels() -> None:
    r = ge.consensus(FRAME, 3, seed=1)
    late = FRAME.iloc[:5, :4].copy()
    late.iloc[:2, :4] = FRAME.iloc[-1, :4]
    late.index = [*FRAME.index[:4], 999]
    found = r.update(objects=late)
    grown = pd.concat([FRAME, late.iloc[4:]])
    grown.iloc[:2, :4] = late.iloc[:2]
    assert canonical(found.labels) == canonical(ge.consensus(grown, 3, seed=1).labels)
    assert found.changes is not None
    assert (found.changes.n_new, found.changes.n_relabeled) == (1, 2)
    assert "1 object added, 2 objects relabeled; " in repr(found.changes)
    late.index = [*FRAME.index[:3], FRAME.index[0], 999]
    with pytest.raises(InputError, match="2 objects have the name '100'; expected different names"):
        r.update(objects=late)


def test_communities_keep_their_network() -> None:
    G = nx.karate_club_graph()
    r = ge.communities(G, n_partitions=5, seed=0)
    found = r.update({"club": [G.nodes[v]["club"] for v in G]})
    assert found.network is not None
    assert {"modularity", "structure"} <= set(found.details)
    assert found.to_networkx().number_of_edges() == 78
    with pytest.raises(InputError, match="removed from the communities"):
        r.update(without=[0])


def test_mistakes() -> None:
    r = ge.consensus(FRAME, 3, seed=0)
    with pytest.raises(InputError, match=r"3 objects cannot join|does not have"):
        r.update([0, 1, 2])
    with pytest.raises(InputError, match="no partition called 'team 9'"):
        r.update(NEW, drop="team 9")
    with pytest.raises(InputError, match="remove all partitions"):
        r.update(drop=list(FRAME))
    with pytest.raises(InputError, match="no object called 99"):
        r.update(without=[99])
    with pytest.raises(InputError, match="does not record the call"):
        r._replace(_call={}).update(NEW)
