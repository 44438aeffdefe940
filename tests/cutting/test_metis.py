import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import graphens as ge
from graphens.cutting.mending import average_part
from graphens.cutting.metis import metis, whole_weights
from graphens.errors import DegenerateWarning, FallbackWarning, InputError, SizeError

ROOT = Path(__file__).resolve().parents[2]


def two_cliques(n: int = 20) -> ge.Graph:
    label = np.arange(n) // (n // 2)
    a = (label[:, None] == label).astype(float)
    a[0, -1] = a[-1, 0] = 0.5
    return ge.Graph(a)


@pytest.mark.parametrize("calls", ["60", pytest.param("2500", marks=pytest.mark.slow)])
def test_odd_graphs_neither_crash_nor_print_nor_lose_a_part(calls: str) -> None:
    script = Path(__file__).with_name("fuzz_metis.py")
    done = subprocess.run(
        [sys.executable, str(script), calls, "0"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == f"{calls}\n"  # METIS itself prints when it is given something it cannot do


@pytest.mark.parametrize("scheme", ["auto", "kway", "recursive"])
def test_few_edges_are_cut_by_every_scheme(scheme: str) -> None:
    found = ge.partition(two_cliques(40), 2, partitioner="metis", seed=0, scheme=scheme)
    assert (found.cut, found.balance) == (0.5, 1.0)


def test_part_weights_are_reached() -> None:
    rng = np.random.default_rng(0)
    points = rng.random((200, 2))
    near = np.exp(-20 * ((points[:, None] - points) ** 2).sum(axis=2))
    found = ge.partition(ge.Graph(near), 3, partitioner="metis", seed=0, part_weights=[6, 3, 1])
    sizes = sorted(np.bincount(found.labels), reverse=True)
    assert np.abs(np.array(sizes) / 200 - [0.6, 0.3, 0.1]).max() < 0.03


def test_more_imbalance_cuts_less() -> None:
    label = np.repeat([0, 1, 2], [50, 25, 15])
    a = (label[:, None] == label).astype(float) + 0.001
    tight = ge.partition(ge.Graph(a), 2, partitioner="metis", seed=0)
    loose = ge.partition(ge.Graph(a), 2, partitioner="metis", seed=0, imbalance=0.5)
    assert loose.cut < tight.cut
    assert loose.balance > tight.balance


@pytest.mark.parametrize(
    "options",
    [
        {"scheme": "best"},
        {"imbalance": 0},
        {"imbalance": float("nan")},
        {"imbalance": "much"},
        {"part_weights": [1]},
        {"part_weights": [1, -1]},
        {"part_weights": [1, float("inf")]},
        {"part_weights": "ab"},
    ],
)
def test_bad_options(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        ge.partition(two_cliques(), 2, partitioner="metis", seed=0, **options)


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**63, 10**30, np.int64(7), np.uint8(3)])
def test_any_seed(seed: int) -> None:
    assert ge.partition(two_cliques(), 2, partitioner="metis", seed=seed).k == 2
    assert metis(two_cliques(), 2, seed=seed).shape == (20,)


def test_seeds_zero_and_one_differ() -> None:
    rng = np.random.default_rng(0)
    a = np.triu(rng.random((150, 150)), 1)
    runs = {metis(ge.Graph(a + a.T), 5, seed=seed).tobytes() for seed in (0, 1)}
    assert len(runs) == 2


def test_a_vertex_heavier_than_a_part_leaves_no_part_empty() -> None:
    rng = np.random.default_rng(0)
    a = np.triu(rng.random((60, 60)), 1)
    found = ge.partition(ge.Graph(a + a.T, vertex_weights=[1e6] + [1] * 59), 5, partitioner="metis", seed=0)
    assert found.k == 5
    assert np.bincount(found.labels[1:]).max() <= 17  # it counts as one part, the others share the rest


def test_weightless_vertices() -> None:
    weights = np.zeros(20)
    weights[3] = 1
    assert ge.partition(ge.Graph(np.ones((20, 20)), vertex_weights=weights), 4, partitioner="metis", seed=0).k == 4


def test_edgeless_graphs_are_balanced() -> None:
    found = ge.partition(ge.Graph(np.zeros((10, 10)), vertex_weights=np.arange(1, 11)), 2, partitioner="metis", seed=0)
    assert found.balance < 1.02


def test_whole_weights_stay_within_bounds() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        weights = 10.0 ** rng.uniform(-300, 300, size=int(rng.integers(1, 50)))
        found = whole_weights(weights, 2**28, 1)
        assert found.min() >= 1
        assert found.sum() < 2**28
        order = np.argsort(weights)
        assert (np.diff(found[order]) >= 0).all()
    assert whole_weights(np.array([3.0, 0.0, 7.0]), 2**28, 0).tolist() == [3, 0, 7]
    assert whole_weights(np.full(3, 2.0**50), 2**40, 1).max() < 2**40


def test_average_part_beside_heavy_vertices() -> None:
    # 100 and 50 are parts of their own; the six ones share the third
    assert average_part(np.array([100.0, 50.0] + [1.0] * 6), 3) == pytest.approx(6.0)
    assert average_part(np.ones(10), 2) == pytest.approx(5.0)


def test_too_large_for_the_memory_budget() -> None:
    with ge.memory_budget("1 kB"), pytest.raises(SizeError, match="spectral"):
        ge.partition(two_cliques(), 2, partitioner="metis", seed=0)


def test_spectral_stands_in_where_pymetis_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymetis", None)
    with pytest.warns(FallbackWarning, match="spectral"):
        found = ge.partition(two_cliques(), 2, partitioner="metis", seed=0)
    assert found.cut == 0.5


@pytest.mark.parametrize("n", [1, 2, 5, 40])
def test_every_k_of_a_complete_graph(n: int) -> None:
    graph = ge.Graph(np.ones((n, n)))
    for k in range(1, min(n, 37) + 1):  # 38 and 39 of 40 have to be mended
        with warnings.catch_warnings():
            warnings.simplefilter("error", DegenerateWarning)
            assert np.unique(ge.partition(graph, k, partitioner="metis", seed=0, n_init=1).labels).tolist() == list(
                range(k)
            )


def test_small_graphs_say_that_they_are_searched_by_us(monkeypatch: pytest.MonkeyPatch) -> None:
    from graphens.cutting import metis as module

    calls: list[int] = []
    own = module._call
    monkeypatch.setattr(module, "_call", lambda *args, **more: calls.append(1) or own(*args, **more))
    golden = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
    assert ge.mcla(golden, 3, seed=0).details["search"] == "all cuts"
    assert len(calls) == 1  # more runs would change nothing
    some = np.random.default_rng(0).integers(0, 6, size=(90, 4))
    assert ge.mcla(some, 6, seed=0).details["search"].startswith("moves and swaps")
    assert ge.partition(ge.coassociation(some), 6, seed=0).search == ""
