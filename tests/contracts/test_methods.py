"""What every registered consensus function promises, whatever its family. The registry decides what is tested."""

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from plain import confidence

import graphens as ge
from graphens.families.registry import Method
from graphens.graphs.doubts import most_clusters

GOLDEN = np.array([[1, 2, 3], [1, 2, 3], [1, 2, 2], [2, 3, 2], [2, 3, 1], [3, 1, 1], [3, 1, 1]])
GOLDEN_ANSWER = [0, 0, 0, 1, 1, 2, 2]
ROWS = {row.name: row for row in ge.methods()}
SEEDS = (0, 1, 2)
#: other defaults of another method: what the other does with odd input, they do
ALIASES = {name for name, row in ROWS.items() if hasattr(row.function.__wrapped__, "__wrapped__")}

#: growing small cliques first, normalized edges answer the example differently (see the method's page)
NOT_GOLDEN = {"hne", "recluster", "ecg"}  # the last two go by the communities of a graph of seven vertices
#: methods that follow their partitioner's wish for parts of equal size promise less
FREE = [name for name, row in ROWS.items() if not row.balanced]

#: accumulated in the clusters of one partition: a larger k than any has is refused, with the reason
BOUNDED = {"cumulative"}

#: merging along edges ends where no edge is left, whatever k
MAY_STOP_EARLY = {"hne"}
#: methods whose time grows so fast that a small case must do
SMALL = {"exact_median": 14, "semidefinite": 16}

every_method = pytest.mark.parametrize("name", sorted(ROWS))
every_free_method = pytest.mark.parametrize("name", sorted(FREE))


def features(e: ge.Ensemble) -> np.ndarray:
    """Features for methods that ask for them: the labels as indicator columns."""
    columns = [(e.labels[:, [t]] == np.arange(k)).astype(float) for t, k in enumerate(e.n_clusters)]
    return np.hstack(columns) if columns else np.zeros((e.n_objects, 1))


def run(name: str, labels: Any, k: int | None = None, seed: int = 0, **options: Any) -> ge.Consensus:
    """Call a method with what its signature asks for; warnings that k is ignored or not reached are its right."""
    row: Method = ROWS[name]
    e = ge.Ensemble.of(labels)
    asked = inspect.signature(row.function).parameters
    call: dict[str, Any] = dict(options)
    if "k" in asked:
        call["k"] = k
    if "seed" in asked:
        call["seed"] = seed
    for key, parameter in list(asked.items())[1:]:
        if key not in call and parameter.default is inspect.Parameter.empty:
            assert key == "X", f"{name} cannot be called without {key}: teach this test how to make it"
            call[key] = features(e)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ge.GraphensWarning)
        return row.function(e, **call)


def same_clusters(a: Any, b: Any) -> bool:
    """Whether two labelings are the same up to names."""
    pairs = set(zip(np.asarray(a).tolist(), np.asarray(b).tolist(), strict=True))
    return len(pairs) == len({x for x, _ in pairs}) == len({y for _, y in pairs})


def check(r: ge.Consensus, e: ge.Ensemble) -> None:
    """What holds for every result."""
    present = e.present
    assert r.labels.shape == (e.n_objects,)
    assert ((r.labels >= 0) == present).all()
    shown = r.labels[present]
    assert set(shown.tolist()) == set(range(r.k))
    first = [int(np.argmax(shown == c)) for c in range(r.k)]
    assert first == sorted(first), "labels are numbered in order of first appearance"
    assert r.membership.shape == (e.n_objects, r.k)
    assert (r.membership >= 0).all()
    sums = r.membership.sum(axis=1)
    assert (sums <= present + 1e-9).all()
    assert r.models_membership or np.allclose(sums, present)
    np.testing.assert_allclose(r.confidence, confidence(r.ensemble, r.labels), atol=1e-9)
    assert 0 <= r.score <= 1 + 1e-9
    assert r.score == pytest.approx(ge.measures.anmi(r.labels, e))
    assert r.method in ROWS
    repr(r)


def blocks(n: int = 24, k: int = 3, n_partitions: int = 6, flips: int = 2, seed: int = 0) -> np.ndarray:
    """Partitions that agree on k groups up to a few moved objects and other names."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(k), n // k)
    columns = []
    for _ in range(n_partitions):
        column = rng.permutation(k)[truth]
        column[rng.choice(n, flips, replace=False)] = rng.integers(k, size=flips)
        columns.append(column)
    return np.stack(columns, axis=1)


def noisy(n: int, n_partitions: int, k: int, missing: float, seed: int) -> ge.Ensemble:
    """Random labels without structure, some of them missing, partitions and objects weighted."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(k, size=(n, n_partitions))
    labels[rng.random(labels.shape) < missing] = -1
    if (labels < 0).all(axis=0).any():
        labels[0] = 0
    return ge.Ensemble(labels, weights=rng.uniform(0.5, 2, n_partitions), object_weights=rng.integers(1, 4, n))


def test_every_public_row_is_complete() -> None:
    for row in ROWS.values():
        assert all((row.name, row.family, row.graph, row.missing, row.cost, row.reference)), row
        assert getattr(ge, row.name) is row.function, f"{row.name} is registered but not public"
        assert row.function.__doc__
        assert "Examples" in row.function.__doc__, f"{row.name} has no example"


@every_method
def test_golden_example(name: str) -> None:
    if name in NOT_GOLDEN:
        pytest.skip("answers the example differently, see its own tests")
    for seed in SEEDS:
        r = run(name, GOLDEN, 3, seed)
        check(r, ge.Ensemble(GOLDEN))
        assert r.labels.tolist() == GOLDEN_ANSWER, f"seed {seed}"


@every_free_method
def test_identical_partitions_come_back(name: str) -> None:
    truth = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2])
    e = ge.Ensemble.from_partitions([truth, 2 - truth, (truth + 1) % 3, truth])
    for seed in SEEDS:
        r = run(name, e, 3, seed)
        assert same_clusters(r.labels, truth)
        assert r.score == pytest.approx(1.0)
        np.testing.assert_allclose(r.confidence, 1.0)


@every_method
def test_the_same_seed_gives_the_same_answer(name: str) -> None:
    e = noisy(SMALL.get(name, 40), 5, 4, 0.0, 3)
    for seed in SEEDS[:2]:
        a, b = run(name, e, 4, seed), run(name, e, 4, seed)
        assert a.labels.tolist() == b.labels.tolist()
        np.testing.assert_array_equal(a.membership, b.membership)


@every_method
def test_structure_is_found_with_every_seed(name: str) -> None:
    for seed in SEEDS:
        labels = blocks(n=30, n_partitions=8, flips=2, seed=seed)
        r = run(name, labels, 3, seed)
        check(r, ge.Ensemble(labels))
        assert same_clusters(r.labels, np.repeat([0, 1, 2], 10))


@every_method
def test_missing_labels_and_weights(name: str) -> None:
    for seed in SEEDS:
        e = noisy(SMALL.get(name, 25), 6, 3, 0.3, seed)
        check(run(name, e, 3, seed), e)


@every_method
def test_missing_labels_do_not_become_a_cluster(name: str) -> None:
    """Three clear groups, a quarter of the labels lost in different places: the groups are found all the same."""
    labels = blocks(n=30, n_partitions=12, flips=0)
    labels[np.random.default_rng(1).random(labels.shape) < 0.25] = -1
    r = run(name, labels, 3)
    check(r, ge.Ensemble(labels))
    assert same_clusters(r.labels, np.repeat([0, 1, 2], 10))


@every_method
def test_objects_absent_everywhere_are_unassigned(name: str) -> None:
    labels = blocks(n=24, flips=0)
    labels[[3, 11]] = -1
    r = run(name, labels, 3)
    check(r, ge.Ensemble(labels))
    assert r.labels[[3, 11]].tolist() == [-1, -1]
    assert not r.membership[[3, 11]].any()
    assert not r.confidence[[3, 11]].any()
    kept = np.delete(np.arange(24), [3, 11])
    assert same_clusters(r.labels[kept], np.repeat([0, 1, 2], 8)[kept])


@every_method
def test_nobody_present(name: str) -> None:
    e = ge.Ensemble([[-1, -1], [-1, -1], [-1, -1]])
    r = run(name, e, None)
    assert r.labels.tolist() == [-1, -1, -1]
    assert r.k == 0


@every_method
def test_weights_decide(name: str) -> None:
    """Four heavy partitions outweigh five light ones, which would win by their number."""
    heavy, light = np.repeat([0, 1], 6), np.tile([0, 1], 6)
    e = ge.Ensemble.from_partitions([light, heavy] * 4 + [light], weights=[1, 100] * 4 + [1])
    r = run(name, e, 2)
    check(r, e)
    if not ROWS[name].balanced:
        assert same_clusters(r.labels, heavy)


@every_free_method
def test_doubling_a_partition_equals_weight_two(name: str) -> None:
    labels = blocks(n=18, n_partitions=3, flips=1, seed=4)
    doubled = run(name, np.column_stack([labels, labels[:, 2]]), 3)
    weighted = run(name, ge.Ensemble(labels, weights=[1, 1, 2]), 3)
    assert same_clusters(doubled.labels, weighted.labels)


EDGES: dict[str, Callable[[], ge.Ensemble]] = {
    "one object": lambda: ge.Ensemble([[0, 0, 1]]),
    "one object, one partition": lambda: ge.Ensemble([[0]]),
    "two objects together": lambda: ge.Ensemble([[0, 1], [0, 1]]),
    "two objects apart": lambda: ge.Ensemble([[0, 0], [1, 1]]),
    "two objects, no agreement": lambda: ge.Ensemble([[0, 0], [1, 0]]),
    "two objects that never meet": lambda: ge.Ensemble([[0, -1], [-1, 0]]),
    "one partition": lambda: ge.Ensemble([[0], [0], [1], [1], [2]]),
    "constant partitions": lambda: ge.Ensemble(np.zeros((6, 3), dtype=int)),
    "one constant partition among others": lambda: ge.Ensemble([[0, 0], [0, 0], [0, 1], [0, 1]]),
    "all objects apart": lambda: ge.Ensemble(np.tile(np.arange(5)[:, None], (1, 3))),
    "a partition nobody is in": lambda: ge.Ensemble([[0, -1], [0, -1], [1, -1], [1, -1]]),
    "a partition of weight zero": lambda: ge.Ensemble([[0, 0], [0, 1], [1, 0], [1, 1]], weights=[1, 0]),
    "groups that never meet": lambda: ge.Ensemble([[0, -1], [0, -1], [1, -1], [-1, 0], [-1, 0], [-1, 1]]),
    "fractional object weights": lambda: ge.Ensemble(
        [[0, 0], [0, 1], [1, 1], [1, 1]], object_weights=[0.25, 0.5, 1.5, 0.75]
    ),
}


def edge_is_answered(name: str, e: ge.Ensemble, k: int | None) -> None:
    if name in BOUNDED and k is not None and most_clusters(e, k) > e.n_clusters[e.weights > 0].max():
        with pytest.raises(ge.GraphensError, match="no partition has more"):
            run(name, e, k)
        return
    r = run(name, e, k)
    check(r, e)
    if k is not None and ROWS[name].needs_k:
        assert r.k <= k
    if k == 1 and name not in MAY_STOP_EARLY and (ROWS[name].needs_k or r.dendrogram is not None):
        assert r.k == 1


@pytest.mark.parametrize("name", sorted(ROWS.keys() - ALIASES))
def test_edges(name: str) -> None:
    """Small and odd ensembles, with k left open, k = 1, 2 and n."""
    for edge, make in EDGES.items():
        e = make()
        for k in {None, 1, min(2, e.n_objects), e.n_objects}:
            try:
                edge_is_answered(name, e, k)
            except Exception as error:
                error.add_note(f"{edge}, k = {k}")
                raise


@every_free_method
def test_a_partition_without_weight_does_not_count(name: str) -> None:
    labels = blocks(n=18, n_partitions=5, seed=4)
    noisy = np.column_stack([labels, np.arange(18) % 2])
    weighted = ge.Ensemble(noisy, weights=[1, 2, 1, 3, 1, 0])
    assert same_clusters(run(name, weighted, 3).labels, run(name, weighted.take(partitions=range(5)), 3).labels)


@every_method
def test_one_partition_comes_back(name: str) -> None:
    truth = np.repeat([0, 1, 2], 5)
    r = run(name, truth[:, None], 3)
    assert same_clusters(r.labels, truth)


@every_method
def test_bad_k_and_seed_are_refused(name: str) -> None:
    asked = inspect.signature(ROWS[name].function).parameters
    if "k" in asked:
        for k in (0, -1, 2.5, len(GOLDEN) + 1):
            with pytest.raises(ge.GraphensError, match="k = "):
                run(name, GOLDEN, k)  # type: ignore[arg-type]
    if "seed" in asked:
        for seed in (-1, 0.5, "a"):
            with pytest.raises(ge.GraphensError, match="seed = "):
                run(name, GOLDEN, 3, seed)  # type: ignore[arg-type]
