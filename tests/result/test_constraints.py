"""Pairs that must be together or apart: honored exactly, at the least loss, or refused with the reason."""

import itertools
import pickle
import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from plain import random_ensemble

import graphens as ge
from graphens.labels.names import Names
from graphens.result.constraints import Constraints

SIX = ge.Ensemble([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 1, 1], [1, 0, 1]], object_names=list("abcdef"))


def random_pairs(rng: np.random.Generator, n: int, most: int) -> list[tuple[int, int]]:
    drawn = rng.integers(0, n, size=(rng.integers(0, most + 1), 2))
    return [(int(i), int(j)) for i, j in drawn if i != j]


def honors(labels: np.ndarray, must: list[tuple[int, int]], cannot: list[tuple[int, int]]) -> bool:
    """Whether all pairs are as asked for; an object without any cluster is with no other."""
    return all(labels[i] == labels[j] for i, j in must) and all(
        labels[i] != labels[j] or labels[i] < 0 for i, j in cannot
    )


def means(e: ge.Ensemble, labels: np.ndarray, k: int) -> np.ndarray:
    """m(i, C) from the definition, one occurrence of i itself left out of its own cluster."""
    table, found = e.labels, np.zeros((e.n_objects, k))
    for i, c in itertools.product(range(e.n_objects), range(k)):
        top = bottom = 0.0
        for t, j in itertools.product(range(e.n_partitions), np.flatnonzero(labels == c)):
            mass = e.object_weights[j] - (min(e.object_weights[i], 1.0) if i == j else 0.0)
            both = table[i, t] >= 0 and table[j, t] >= 0
            top += e.weights[t] * mass * (both and table[i, t] == table[j, t])
            bottom += e.weights[t] * mass * both
        found[i, c] = top / bottom if bottom > 1e-12 else 0.0
    return found


def components(n: int, must: list[tuple[int, int]]) -> list[set[int]]:
    found = [{i} for i in range(n)]
    for i, j in must:
        one, other = (next(group for group in found if x in group) for x in (i, j))
        if one is not other:
            one |= other
            found.remove(other)
    return found


def placements(n: int, r: ge.Consensus, must: list, cannot: list) -> Iterator[tuple[int, float, int]]:
    """For every way of placing the groups of the pairs: minus its number of clusters, its loss, and its moves."""
    e, before = r.ensemble, r.labels
    m = means(e, before, r.k)
    involved = {i for pair in [*must, *cannot] for i in pair}
    groups = [g for g in components(n, must) if g & involved and any(before[i] >= 0 for i in g)]
    free = [i for i in range(n) if not any(i in g for g in groups)]

    def loss(group: set[int], c: int) -> float:
        at = [
            sum(e.object_weights[i] * ((before[i] >= 0) * m[i, before[i]] - m[i, x]) for i in group) for x in range(r.k)
        ]
        homes = {before[i] for i in group if before[i] >= 0}
        return max(at[c] - at[homes.pop()], 0.0) if len(homes) == 1 else at[c]

    for places in itertools.product(range(r.k), repeat=len(groups)):
        labels = before.copy()
        for group, c in zip(groups, places, strict=True):
            labels[list(group)] = c
        if honors(labels, must, cannot):
            assert (labels[free] == before[free]).all()
            total = sum(loss(group, c) for group, c in zip(groups, places, strict=True))
            moved = int(((labels != before) & (before >= 0)).sum())
            yield -len(set(labels[labels >= 0].tolist())), total, moved


@pytest.mark.parametrize("part", range(2))
def test_the_least_loss_is_found_or_the_pairs_are_refused(part: int) -> None:
    rng = np.random.default_rng(part)
    outcomes = {"kept": 0, "moved": 0, "fewer": 0, "contradiction": 0, "too few": 0}
    for _ in range(100):
        e = random_ensemble(rng, int(rng.integers(3, 9)), k=3)
        k = int(rng.integers(1, min(4, max(int(e.present.sum()), 1)) + 1))
        must, cannot = random_pairs(rng, e.n_objects, 3), random_pairs(rng, e.n_objects, 4)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ge.GraphensWarning)
            r = ge.consensus(e, k, method=str(rng.choice(["vote", "eac", "cspa", "mixture"])), seed=0)
            refused, possible = "", False
            try:
                s = r.constrained(must, cannot)
            except ge.errors.InputError as error:
                torn = any({i, j} <= g for i, j in cannot for g in components(e.n_objects, must))
                refused = "contradiction" if torn else "too few"
                outcomes[refused] += ("ties these two together" if torn else "too few") in str(error)
                possible = not torn and any(placements(e.n_objects, r, must, cannot))
        assert not possible
        if refused:
            continue
        assert honors(s.labels, must, cannot)
        clusters, loss, moved = min(
            placements(e.n_objects, r, must, cannot), key=lambda p: (p[0], round(p[1], 6), p[2])
        )
        told = s.details["constraints"]
        assert told["exact"]
        assert s.k == -clusters == len(set(s.labels[s.labels >= 0].tolist()))
        assert told["loss"] == pytest.approx(loss, abs=1e-5)
        assert sum(old >= 0 for _, old, _ in told["moved"]) == moved or s.k < r.k
        assert s.score == pytest.approx(ge.measures.anmi(s.labels, r.ensemble))
        outcomes["fewer" if s.k < r.k else "moved" if moved else "kept"] += 1
    assert min(outcomes.values()) > 0, outcomes


def test_many_pairs_of_many_objects_hold() -> None:
    rng = np.random.default_rng(0)
    for _ in range(15):
        n, k = int(rng.integers(40, 400)), int(rng.integers(3, 9))
        truth = rng.integers(0, k, n)
        labels = np.where(rng.random((n, 8)) < 0.3, rng.integers(0, k, (n, 8)), truth[:, None])
        must = [(i, j) for i, j in random_pairs(rng, n, n // 2) if truth[i] == truth[j] or rng.random() < 0.02]
        group = Constraints.of(ge.Ensemble(labels).vertex_names(), must, None).group
        cannot = [(i, j) for i, j in random_pairs(rng, n, n // 2) if truth[i] != truth[j] and group[i] != group[j]]
        r = ge.consensus(labels, k, method="hbgf", seed=0)
        s = r.constrained(must, cannot)
        assert honors(s.labels, must, cannot)
        assert s.k == r.k
        assert s.details["constraints"]["exact"]
        free = np.setdiff1d(np.arange(n), np.array(must + cannot))
        assert (s.labels[free] == r.labels[free]).all()


METHODS = sorted(row.name for row in ge.methods() if row.name not in {"wce", "recluster", "ecg", "leiden"})


@pytest.mark.parametrize("method", [*METHODS, "auto"])
@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_every_method_honors_pairs(method: str) -> None:
    must, cannot = [("a", "f"), ("f", "d")], [("b", "c"), ("a", "c")]
    r = ge.consensus(SIX, 2, method=method, seed=0, must_link=must, cannot_link=cannot)
    place = dict(zip("abcdef", r.labels.tolist(), strict=True))
    assert place["a"] == place["f"] == place["d"]
    assert place["c"] not in (place["a"], place["b"])
    assert (np.diff(np.unique(r.labels, return_index=True)[1]) > 0).all()  # numbered by first appearance
    again = ge.consensus(SIX, method=r.method, **r.options)
    assert again.labels.tolist() == r.labels.tolist() or method == "auto"


def test_a_chain_that_contradicts_a_pair_is_named() -> None:
    must = [("a", "b"), ("b", "e"), ("e", "c"), ("a", "d")]
    with pytest.raises(ge.errors.InputError, match=r"\('c', 'a'\), but must_link .*: c – e – b – a\. Leave"):
        ge.vote(SIX, 2).constrained(must, [("c", "a")])
    with pytest.raises(ge.errors.InputError, match="'a' twice"):
        ge.vote(SIX, 2).constrained(cannot_link=[("a", "a")])


@pytest.mark.parametrize(
    ("k", "cannot", "crowd"),
    [
        (1, ["ab"], "a, b"),
        (2, ["ab", "bc", "cd", "de", "ea", "ef"], "a, b, c, d, e"),  # an odd cycle; f hangs on to it
        (3, ["ab", "ac", "ad", "bc", "bd", "cd", "ef"], "a, b, c, d"),
        (3, ["ab", "bc", "cd", "de", "ea", "fa", "fb", "fc", "fd", "fe"], "a, b, c, d, e, f"),  # a wheel
    ],
)
def test_what_too_few_clusters_cannot_keep_apart_is_named(k: int, cannot: list[str], crowd: str) -> None:
    with pytest.raises(ge.errors.InputError, match=f"too few for cannot_link: its pairs among {crowd} need more"):
        ge.consensus(SIX, k, method="hbgf", seed=0, cannot_link=[tuple(pair) for pair in cannot])


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([("a", "zoe")], "'zoe', but no object has that name"),
        ([("a", 17)], "17, but no object has that name"),
        (("a", "b"), "has 'a'; expected pairs of objects' names"),
        (["ab"], "has 'ab'; expected pairs"),
        ([("a", "b", "c")], "expected pairs"),
        ([("a", ["b"])], "no object has that name"),
        (3, "expected a list of pairs"),
        ("ab", "expected a list of pairs"),
    ],
)
def test_what_is_no_pair_of_names_is_refused(pairs: object, message: str) -> None:
    for call in (ge.vote(SIX, 2).constrained, lambda must_link: ge.consensus(SIX, 2, must_link=must_link)):
        with pytest.raises(ge.errors.GraphensError, match=message):
            call(must_link=pairs)


def test_a_name_that_two_objects_have_is_refused() -> None:
    e = SIX._replace(_names=Names(np.array(list("abcdea"), dtype=object)))
    with pytest.raises(ge.errors.InputError, match="several objects have that name"):
        ge.vote(e, 2).constrained([("a", "b")])
    assert ge.vote(e, 2).constrained([("b", "c")]).k == 2


def test_pairs_come_in_many_forms() -> None:
    r = ge.vote(SIX, 2)
    expected = r.constrained([("a", "f")]).labels.tolist()
    for pairs in (
        pd.DataFrame({"one": ["a"], "two": ["f"]}),
        np.array([["a", "f"]]),
        iter([["a", "f"]]),
        [(0, 5)],
        [(np.str_("a"), np.int64(5))],
    ):
        assert r.constrained(pairs).labels.tolist() == expected
    numbered = ge.Ensemble(SIX.labels, object_names=[10, 11, 12, 13, 14, 15])
    assert ge.vote(numbered, 2).constrained([("10", 15)]).labels.tolist() == expected
    with pytest.raises(ge.errors.InputError, match="no object has that name"):  # numbers are names here
        ge.vote(numbered, 2).constrained([(0, 5)])


def test_what_gave_way_is_said_and_the_rest_stays() -> None:
    r = ge.vote(SIX, 2).by_size()
    s = r.constrained(cannot_link=[("d", "e")])
    ((name, old, new),) = s.details["constraints"]["moved"]
    assert name in "de"
    assert (r.labels[SIX.object_names == name], s.labels[SIX.object_names == name]) == ([old], [new])
    assert np.count_nonzero(r.labels != s.labels) == 1  # clusters keep their numbers
    assert s.why == f"{r.why} 1 object moved to satisfy 1 cannot-link: {name} ({old} → {new})."
    assert s.options["cannot_link"] == (("d", "e"),)
    assert r.constrained([("d", "e")]).why == f"{r.why} 1 must-link held already."
    assert pickle.loads(pickle.dumps(s)).labels.tolist() == s.labels.tolist()
    assert s.graph is r.graph
    assert s.membership.shape == (6, 2)
    assert s.confidence[list("abcdef").index(name)] < r.confidence[list("abcdef").index(name)]


def test_pairs_of_an_earlier_call_stay() -> None:
    r = ge.vote(SIX, 2).constrained([("a", "f")])
    s = r.constrained(cannot_link=[("d", "e")])
    assert s.labels[0] == s.labels[5]
    assert s.labels[3] != s.labels[4]
    with pytest.raises(ge.errors.InputError, match="ties these two together"):
        s.constrained([("d", "e")])


@pytest.mark.parametrize("method", ["cspa", "hbgf", "mcla", "hgpa", "eac"])
def test_vertices_of_the_graph_go_with_their_objects(method: str) -> None:
    s = ge.consensus(SIX, 2, method=method, seed=0, must_link=[("a", "f")], cannot_link=[("d", "b")])
    if s.vertices is not None and len(set(s.vertices.tolist())) == 6:
        assert s.vertex_labels[s.vertices].tolist() == s.labels.tolist()


def test_memberships_of_a_model_stay_with_their_clusters() -> None:
    r = ge.mixture(SIX, 3, seed=0)
    s = r.constrained([("a", "d")])
    assert s.models_membership
    assert s.membership.shape == (6, s.k)
    assert np.allclose(s.membership, r.membership) == (s.k == r.k)


def test_a_cluster_whose_only_object_must_join_another_keeps_one_where_it_can() -> None:
    e = ge.Ensemble([[0, 0], [0, 0], [0, 1], [1, 2]], object_names=list("abcd"))
    r = ge.vote(e, 2)
    assert r.labels.tolist() == [0, 0, 0, 1]
    s = r.constrained([("c", "d")])  # c goes to d: otherwise one cluster would be left
    assert s.labels.tolist() == [0, 0, 1, 1]
    with pytest.warns(ge.errors.DegenerateWarning, match="2 clusters became 1"):
        t = r.constrained([("a", "d"), ("b", "c"), ("c", "d")])
    assert t.k == 1
    assert t.labels.tolist() == [0, 0, 0, 0]


def test_names_of_clusters_stay_with_them() -> None:
    e = ge.Ensemble([[0, 0], [0, 0], [1, 1], [2, 2], [2, 2]], object_names=list("abcde"))
    r = ge.vote(e, 3).named(["left", "middle", "right"])
    with pytest.warns(ge.errors.DegenerateWarning, match="3 clusters became 2"):
        s = r.constrained([("a", "b"), ("b", "c")])
    assert s.labels.tolist() == [0, 0, 0, 1, 1]
    assert s.cluster_names == ("left", "right")
    with pytest.warns(ge.errors.DegenerateWarning):
        assert ge.consensus(e, 3, seed=0, must_link=[("a", "c"), ("b", "c")]).k == 2


def test_pairs_stay_in_an_update_and_those_of_objects_that_leave_go() -> None:
    r = ge.consensus(SIX, 2, method="vote", must_link=[("a", "f"), ("b", "e")], cannot_link=[("a", "d")])
    new = pd.Series([0, 0, 1, 1, 1, 1], index=list("abcdef"), name="more")
    s = r.update(new)
    assert s.labels[0] == s.labels[5]
    assert s.options["must_link"] == (("a", "f"), ("b", "e"))
    t = r.update(new, without=["f"])
    assert t.options["must_link"] == (("b", "e"),)
    assert t.labels[0] != t.labels[3]


def test_an_object_in_no_cluster_joins_those_it_must_be_with() -> None:
    e = ge.Ensemble([[0, 0], [0, 0], [1, 1], [-1, -1], [-1, -1], [-1, -1]], object_names=list("abcdef"))
    r = ge.vote(e, 2)
    assert r.labels.tolist() == [0, 0, 1, -1, -1, -1]
    s = r.constrained([("c", "d"), ("e", "f")], [("d", "e"), ("a", "e")])
    assert s.labels.tolist() == [0, 0, 1, 1, -1, -1]
    assert s.details["constraints"]["moved"] == (("d", -1, 1),)
    assert "d (none → 1)" in s.why


def test_a_sample_of_a_larger_answer_is_refused(tmp_path) -> None:
    pd.DataFrame(SIX.labels, columns=list("xyz")).to_parquet(tmp_path / "labels.parquet")
    some = ge.scale.consensus(ge.scale.scan(tmp_path / "labels.parquet"), 2, out=tmp_path / "out", seed=0).sample()
    with pytest.raises(ge.errors.InputError, match="sample of the objects"):
        some.constrained([(0, 1)])


def test_without_pairs_nothing_changes() -> None:
    r = ge.vote(SIX, 2)
    assert r.constrained().labels.tolist() == r.labels.tolist()
    assert r.constrained().why == r.why
    assert ge.consensus(SIX, 2, seed=0, must_link=[], cannot_link=[]).k == 2
