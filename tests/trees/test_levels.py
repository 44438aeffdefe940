"""Levels are the components of the graph of pairs that differ in at most so many partitions."""

import pickle
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csgraph

import graphens as ge

pytestmark = pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
RULES = ("share", "count")


def differing(labels: np.ndarray, rule: str) -> np.ndarray:
    """Differing partitions of all pairs, from the definition; more than all for objects without any label."""
    there = labels >= 0
    both = there[:, None] & there
    count = (both & (labels[:, None] != labels)).sum(axis=2).astype(float)
    if rule == "share":
        seen = both.sum(axis=2)
        count = np.where(seen > 0, count * labels.shape[1] / np.maximum(seen, 1), labels.shape[1])
    nothing = ~there.any(axis=1)
    count[nothing] = count[:, nothing] = np.inf
    return count


def plain_levels(labels: np.ndarray, at: list[int], rule: str, names: list[str]) -> list[list[str | None]]:
    """The name of the first object of each component."""
    count = differing(labels, rule)
    columns = []
    for t in at:
        part = csgraph.connected_components(count <= t + 1e-9, directed=False)[1]
        first = {c: names[i] for i, c in reversed(list(enumerate(part.tolist())))}
        columns.append([first[c] if (labels[i] >= 0).any() else None for i, c in enumerate(part.tolist())])
    return columns


def tables(how_many: int) -> Iterator[tuple[np.ndarray, list[str]]]:
    for seed in range(how_many):
        rng = np.random.default_rng(seed)
        n, b, k = (int(rng.integers(*ends)) for ends in ((1, 25), (1, 30), (2, 9)))
        labels = rng.integers(0, k, (n, b))[rng.integers(0, max(1, n // 3), n)]
        moved = rng.random((n, b)) < 0.1
        labels[moved] = rng.integers(0, k, moved.sum())
        if seed % 3:
            labels[rng.random((n, b)) < (0.05 if seed % 3 == 1 else 0.4)] = -1
        if seed % 7 == 1:
            labels[rng.integers(n)] = -1
        yield labels, [f"g{i}" for i in rng.permutation(n)]


@pytest.mark.parametrize("rule", RULES)
def test_levels_are_components_of_near_pairs(rule: str) -> None:
    for labels, names in tables(150):
        at = sorted({0, 1, labels.shape[1] // 3, labels.shape[1]} & set(range(labels.shape[1] + 1)))
        e = ge.Ensemble.from_partitions(list(labels.T), object_names=names)
        found = ge.link(ge.coassociation(e), "single").levels(at, missing=rule)
        assert found.index.tolist() == names
        assert found.columns.tolist() == at
        assert [found[t].tolist() for t in at] == plain_levels(labels, at, rule, names)


@pytest.mark.parametrize("rule", RULES)
def test_near_pairs_give_the_same_levels(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    e, _ = ge.datasets.allele_profiles(150, 200, 4, missing=0.02, seed=0)
    g, at = ge.coassociation(e), [0, 1, 5, 12]
    whole = ge.link(g, "single").levels(at, missing=rule)
    monkeypatch.setattr(sys.modules["graphens.graphs.coassociation"], "_SMALL", 0.0)
    top = ge.link(g, "single", theta=1 - 13 / 200)
    assert top.levels(at, missing=rule).equals(whole)
    assert top.levels(at[::-1], missing=rule)[at].equals(whole)
    if rule == "share":
        with pytest.raises(ge.errors.InputError, match=r"at = 13 was given.*expected levels up to 12"):
            top.levels([0, 13])


def test_ids_stay_when_objects_are_added() -> None:
    e, _ = ge.datasets.allele_profiles(120, 150, 5, missing=0.01, seed=3)
    at = [0, 2, 5, 20]
    before, after = (ge.link(ge.coassociation(e.take(objects=np.arange(n))), "single").levels(at) for n in (80, 120))
    order = {name: i for i, name in enumerate(after.index)}
    for t in at:
        for old, new in zip(before[t], after[t][:80], strict=True):
            assert old == new or order[new] < order[old]  # two clusters became one
        assert (before[t] == after[t][:80]).mean() > 0.8
        assert all(after[t][name] == name for name in set(after[t]))


def test_singletons_can_be_told() -> None:
    e = ge.Ensemble([[0, 0, 0], [0, 0, 0], [1, 1, 1], [2, 2, -1], [-1, -1, -1]])
    d = ge.link(ge.coassociation(e), "single")
    assert d.levels(0)[0].tolist() == ["x0", "x0", "x2", "x3", None]
    assert d.levels(0, singletons=False)[0].tolist() == ["x0", "x0", None, None, None]


def test_names_keep_their_type() -> None:
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"a": [0, 0, 1], "b": [0, 0, 1]}, index=pd.Index([30, 10, 20], name="st"))
    found = ge.link(ge.coassociation(table), "single").levels([0])
    assert found[0].tolist() == [30, 30, 20]
    assert found.index.equals(table.index)
    assert found.index.name == "st"


def test_average_and_complete_link_have_levels_of_their_own() -> None:
    labels = np.array([[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 2], [1, 1, 1, 1]])
    trees = {how: ge.link(ge.coassociation(labels), how) for how in ("single", "average", "complete")}
    found = {how: d.levels([0, 1, 2])[2].tolist() for how, d in trees.items()}
    assert found["single"] == ["x0", "x0", "x0", "x3"]
    assert found["average"] == found["complete"] == ["x0", "x0", "x0", "x3"]
    missing = labels.copy()
    missing[0, 0] = -1
    with pytest.raises(ge.errors.InputError, match="missing = 'count' was given for average link"):
        ge.link(ge.coassociation(missing), "average").levels(1, missing="count")


def test_results_have_levels_with_all_objects_and_repeated_partitions(tmp_path: Path) -> None:
    e, _ = ge.datasets.allele_profiles(40, 30, 2, seed=1)
    labels = np.hstack([e.labels, e.labels, e.labels])  # so many that they are merged on the way
    labels[3] = -1
    whole = ge.Ensemble(labels)
    r = ge.eac(whole, 2)
    assert r.dendrogram is not None
    wanted = plain_levels(labels, [0, 3, 9], "count", [f"x{i}" for i in range(40)])
    for d in (r.dendrogram, pickle.loads(pickle.dumps(r.dendrogram))):
        found = d.levels([0, 3, 9], missing="count")
        assert [found[t].tolist() for t in (0, 3, 9)] == wanted


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ([], "one or more"),
        ([1, 1], "different"),
        ([-1], "at = -1"),
        ([4], "at = 4"),
        ([0.5], "at = 0.5"),
        ("a", "at ="),
    ],
)
def test_odd_levels_are_refused(at: object, said: str) -> None:
    d = ge.link(ge.coassociation([[0, 0, 0], [0, 1, 1]]), "single")
    with pytest.raises(ge.GraphensError, match=said):
        d.levels(at)  # type: ignore[arg-type]


def test_trees_without_levels_say_so() -> None:
    labels = np.array([[0, 0], [0, 1], [1, 1]])
    g = ge.coassociation(labels)
    others = [
        ge.link(g, "normalized-edges"),
        ge.link(g.threshold(0.2), "single"),
        ge.link(ge.coassociation(labels, cluster_weights=[1, 0.5, 1, 1]), "single"),
        ge.link(ge.metagraph(labels), "single"),
    ]
    for d in others:
        with pytest.raises(ge.errors.InputError, match="not shares of differing partitions"):
            d.levels([0])
    weighted = ge.link(ge.coassociation(ge.Ensemble(labels, weights=[1, 2])), "single")
    with pytest.raises(ge.errors.InputError, match="weights from 1 to 2"):
        weighted.levels([0])
    equal = ge.link(ge.coassociation(ge.Ensemble(labels, weights=[2, 2])), "single")
    assert equal.levels(1)[1].nunique() == 1
    with pytest.raises(ge.errors.InputError, match="missing = 'half'"):
        equal.levels(1, missing="half")


def test_single_link_above_a_threshold_is_that_of_the_threshold_graph() -> None:
    for labels, _ in tables(40):
        g = ge.coassociation(labels)
        if g._leaves()[0].n_vertices:
            lazy = ge.link(g, "single", theta=0.7)
            explicit = ge.link(ge.Graph(g.to_scipy()), "single", theta=0.7)
            for height in (0.0, 0.1, 0.29):
                inside = (labels >= 0).any(axis=1)
                assert ge.measures.ari(lazy.cut_at(height)[inside], explicit.cut_at(height)[inside]) == 1


def test_the_count_of_differing_loci_is_that_of_cgmlst_dists(tmp_path: Path) -> None:
    """The example of its README: alleles, and the distances that it prints for them."""
    rows = [
        "FILE G1 G2 G3 G4 G5 G6",
        "S1 1 INF-2 3 2 1 5",
        "S2 1 1 1 1 NIPH 5",
        "S3 1 2 3 4 1 3",
        "S4 1 LNF 2 4 1 3",
        "S5 1 2 ASM 2 1 3",
        "S6 2 INF-8 3 PLOT3 PLOT5 3",
    ]
    (tmp_path / "boring.tab").write_text("\n".join(rows).replace(" ", "\t"))
    e = ge.Ensemble.from_profiles(tmp_path / "boring.tab")
    printed = [[3], [2, 4], [3, 3, 1], [1, 3, 1, 1], [3, 4, 2, 2, 2]]
    assert [row[:i] for i, row in enumerate(differing(e.labels, "count").tolist())][1:] == printed
    found = ge.link(ge.coassociation(e), "single").levels([0, 1, 2, 3], missing="count")
    assert found[0].tolist() == ["S1", "S2", "S3", "S4", "S5", "S6"]
    assert found[1].tolist() == ["S1", "S2", "S1", "S1", "S1", "S6"]
    assert found[2].tolist() == ["S1", "S2", "S1", "S1", "S1", "S1"]
    assert found[3].nunique() == 1
