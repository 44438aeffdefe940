"""Every kernel gives the same bits as plain Python and compiled, and compiles only where that pays."""

import copy
import importlib
import os
import pkgutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import graphens as ge
import graphens.kernels
from graphens._lib.arrays import sum_in_order
from graphens.choose.distribution import linked
from graphens.cutting.spectral import walk_on_objects
from graphens.explore.thresholds import levels_of
from graphens.graphs.bipartite import LabelBiadjacency
from graphens.graphs.counts import mean_entropies, pair_table
from graphens.graphs.metagraph import strongest_metagraph
from graphens.graphs.near_pairs import NearPairs
from graphens.kernels import _store, counting
from graphens.kernels._jit import Kernel
from graphens.kernels.linking import (
    LENGTH,
    LOWEST,
    MERGED,
    ROOTS,
    START,
    WANTED,
    Chains,
    chains,
    grow_chains,
    grow_counted,
    grow_weighted,
)
from graphens.kernels.similarity import evidence


def kernels() -> dict[str, Kernel]:
    """Every kernel of the package."""
    found = {}
    for module in pkgutil.iter_modules(graphens.kernels.__path__, "graphens.kernels."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, Kernel):
                found[f"{value.__module__.rpartition('.')[2]}.{value.name}"] = value
    return found


def same(a: object, b: object) -> bool:
    """Whether two arguments or results are equal bit for bit; of chains what they found, not the rows at hand."""
    if isinstance(a, Chains) and isinstance(b, Chains):
        return same(found_by(a), found_by(b))
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    return type(a) is type(b) and (a == b or (a != a and b != b))


def found_by(chains: Chains) -> tuple[np.ndarray, ...]:
    """The chain, the merges and the groups so far; which rows were counted when, and where they lie, may differ."""
    numbers = chains.at[[LENGTH, MERGED, LOWEST, ROOTS, START, WANTED]]
    rows = {"at", "place", "owner", "followed", "used", "free", "rows", "seen"}
    return numbers, *(value for name, value in chains._asdict().items() if name not in rows)


@pytest.fixture
def both_ways(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Run every kernel that is called both ways and compare; the names of those that were."""
    met: set[str] = set()

    def call(self: Kernel, *args: object) -> object:
        spare = copy.deepcopy(args)
        plain = self.plain(*spare)
        compiled = self.compiled(*args)
        name = f"{self.__module__.rpartition('.')[2]}.{self.name}"
        assert same(plain, compiled), name
        assert same(spare, args), f"{name} leaves its arguments otherwise"
        met.add(name)
        return compiled

    monkeypatch.setattr(Kernel, "__call__", call)
    return met


def ensembles() -> list[ge.Ensemble]:
    rng = np.random.default_rng(5)
    clean = rng.integers(0, 3, (40, 7))
    gaps = np.where(rng.random((33, 6)) < 0.15, -1, rng.integers(0, 4, (33, 6)))
    return [
        ge.Ensemble(clean),
        ge.Ensemble(gaps, weights=rng.random(6) + 0.1, object_weights=rng.random(33) + 0.1),
        ge.Ensemble(gaps[:20]),
    ]


def quick(e: ge.Ensemble) -> None:
    """What everything begins with: distinct rows, standard order, counts, cuts, scores."""
    e.collapse()
    graph = ge.metagraph(e)
    graph.cut(np.arange(graph.n_vertices) % 2)
    ge.consensus(e, 3, method="vote")


def every_method(e: ge.Ensemble) -> None:
    X = np.random.default_rng(0).normal(size=(e.n_objects, 2))
    for row in ge.methods():
        options = {"X": X} if row.name == "wce" else {}
        ge.consensus(e, 3, method=row.name, seed=0, **options)
    ge.aggregate(e, algorithm="balls")
    ge.median(e, loss="nid", n_init=2, seed=0)
    graph = ge.coassociation(e)
    graph.contract(np.arange(e.n_objects) % 4)
    graph.cut(np.arange(e.n_objects) % 4)
    ge.eac(e, neighbors=np.arange(3 * e.n_objects).reshape(-1, 3) % e.n_objects)
    graph.to_scipy()
    ge.monti(X, [2, 3], n_partitions=5, seed=0)
    assert linked(e, 3000).distribution
    assert linked(e._replace(object_weights=np.full(e.n_objects, 2.0)), 3000).distribution
    graph.degree()
    every = np.arange(e.n_partitions)
    mean_entropies(e, every, e.weights)
    ge.measures.pairwise(e, "nmi")
    pair_table(e, e.codes[0], e.codes[1], *e.n_clusters[:2].tolist())
    walk_on_objects(LabelBiadjacency(e, np.ones(int(e.offsets[-1])))).table(3)
    ge.consensus(e, 3, seed=0)
    strongest_metagraph(e)
    levels_of(graph)
    ge.link(X, "genie")


@pytest.mark.parametrize("e", ensembles(), ids=["clean", "weighted", "gaps"])
@pytest.mark.filterwarnings("ignore")
def test_the_same_bits(both_ways: set[str], e: ge.Ensemble) -> None:
    quick(e)
    assert {"counting.group_rows", "counting.contingency", "linking.cut_weight"} <= both_ways | {"counting.contingency"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_same_bits_of_every_kernel(both_ways: set[str]) -> None:
    for e in ensembles():
        every_method(e)
    many = ge.coassociation(np.random.default_rng(1).integers(0, 3, (30, 1)) + np.zeros((1, 60), dtype=int))
    near = NearPairs.of(many._evidence, 0.95)
    assert near is not None
    near.matrix()
    inner = {name for name in kernels() if "._" in name}  # called by others only
    inner |= {f"similarity.{name}" for name in ("count_matches", "count_present", "evidence_of", "scratch", "weigh")}
    inner |= {"similarity.similarities", "similarity.similarity_row", "linking.find_root"}
    assert set(kernels()) - both_ways - inner == set()


class Counter(Kernel):
    """Counts how often it would have been compiled."""

    compilations = 0

    def __init__(self, spent: float = 0.0) -> None:
        super().__init__(len, lambda a: a.size)
        self._spent[(np.dtype(float),)] = spent

    def plain(self, a: np.ndarray) -> int:
        return len(a)

    @property
    def compiled(self) -> Callable[[np.ndarray], int]:
        Counter.compilations += 1
        return len


def compilations(spent: float, size: int) -> int:
    """Of a kernel that took some seconds before, by one more call."""
    before = Counter.compilations
    assert Counter(spent)(np.zeros(size)) == size
    return Counter.compilations - before


def test_little_work_is_not_compiled_and_much_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the estimate of one call, and by those of all calls together."""
    monkeypatch.setattr(_store, "on_disk", lambda name: False)
    assert [compilations(0.0, 1000), compilations(0.0, 10**8), compilations(5.0, 1000)] == [0, 1, 1]
    monkeypatch.setattr(_store, "on_disk", lambda name: True)
    assert compilations(0.1, 1000) == 1  # read from disk sooner than compiled


def test_code_on_disk_is_read_once_all_kernels_together_are_worth_loading_numba(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_store, "on_disk", lambda name: True)
    monkeypatch.setattr(Kernel, "_all_plain", 0.0)
    assert compilations(0.1, 1000) == 1  # numba is there already
    monkeypatch.delitem(sys.modules, "numba")
    assert compilations(0.1, 1000) == 0
    monkeypatch.setattr(Kernel, "_all_plain", 0.3)
    assert compilations(0.1, 1000) == 1


def test_a_small_consensus_loads_neither_a_compiler_nor_scikit_learn(tmp_path: Path) -> None:
    """In a fresh process where nothing is compiled."""
    script = """
import sys
import numpy as np, graphens as ge
labels = np.random.default_rng(0).integers(0, 4, (300, 12))
for options in ({}, {"method": "mcla"}, {"method": "cspa"}, {"method": "eac"}, {"method": "vote"}):
    ge.consensus(labels, 4, seed=0, **options).confidence
print({"numba", "sklearn"} & set(sys.modules))
"""
    env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(Path(ge.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", script], env=env, capture_output=True, text=True, timeout=240, check=True
    )
    assert done.stdout == "set()\n"


def test_twins_know_missing_labels_of_every_type() -> None:
    """−1 in signed labels and the largest number in unsigned ones go to the last row and column."""
    for dtype in (np.uint8, np.uint16, np.int32, np.int64):
        a = np.array([0, 1, -1, 2, 1], dtype=np.int64).astype(dtype)
        b = np.array([1, -1, -1, 0, 1], dtype=np.int64).astype(dtype)
        expected = np.zeros((4, 3))
        for i, j in ((0, 1), (1, 2), (3, 2), (2, 0), (1, 1)):
            expected[i, j] += 1
        for way in (counting.contingency.plain, counting.contingency.compiled):
            assert same(way(a, b, 3, 2), expected.astype(np.int64)), (way, dtype)


def test_sums_run_from_the_first_to_the_last() -> None:
    rng = np.random.default_rng(0)
    for shape in ((1000,), (50, 1), (50, 7), (0,), (0, 3)):
        values = rng.random(shape) * 10.0 ** rng.integers(-8, 8, shape)
        total = np.zeros(shape[1:])
        for one in values:
            total = total + one
        assert np.array_equal(sum_in_order(values), total)


@pytest.mark.parametrize("linkage", ["average", "complete"])
@pytest.mark.parametrize("kind", ["clean", "gaps", "weighted"])
@pytest.mark.parametrize("pool", [5, 99])
def test_trees_that_begin_as_plain_python_end_compiled(kind: str, linkage: str, pool: int) -> None:
    """Whichever way each step is made, and whether all rows are at hand or few."""
    rng, complete = np.random.default_rng(3), linkage == "complete"
    codes = rng.integers(0, 4, (9, 60)).astype(np.uint8)
    if kind == "gaps":
        codes[rng.random(codes.shape) < 0.2] = 255
    weights = rng.random(9) + 0.1 if kind == "weighted" else np.ones(9)
    ev = evidence(codes, weights, np.arange(0, 40, 4), 255, kind == "gaps", None)
    mass = rng.integers(1, 4, 60).astype(float)

    def grown(*ways: str) -> tuple[np.ndarray, ...]:
        state, total = chains(mass, pool, kind == "gaps" and not complete), float(weights.sum())
        for way in ways:
            getattr(grow_chains, way)(ev, state, complete, total, 60 // len(ways))
        return found_by(state)

    compiled = grown("compiled", "compiled")
    assert same(compiled, grown("plain", "plain"))
    assert same(compiled, grown("plain", "compiled"))
    assert same(compiled, grown("compiled", "plain"))


def test_pairs_counted_from_the_middle_on() -> None:
    rng = np.random.default_rng(4)
    codes = np.where(rng.random((7, 50)) < 0.4, 9, rng.integers(0, 3, (7, 50))).astype(np.uint8)
    weights, gaps = rng.random(50) + 0.7, rng.random(49)

    def counted(way: str) -> tuple[np.ndarray, np.ndarray]:
        table, sums = np.ones((8, 8)), np.full(4, 0.1)
        getattr(counting.pair_counts, way)(codes, 9, weights, gaps, 11, 37, table, sums)
        return table, sums

    assert same(counted("plain"), counted("compiled"))


@pytest.mark.parametrize("kind", ["clean", "gaps", "weighted"])
def test_forests_grow_the_same_in_small_and_in_large_steps(kind: str) -> None:
    rng = np.random.default_rng(6)
    codes = rng.integers(0, 3, (7, 50)).astype(np.uint8)
    if kind == "gaps":
        codes[rng.random(codes.shape) < 0.2] = 255
    weights = rng.random(7) + 0.1 if kind == "weighted" else np.ones(7)
    ev = evidence(codes, weights, np.arange(0, 24, 3), 255, kind == "gaps", None)

    def grown(way: str, steps: int) -> tuple[np.ndarray, ...]:
        n, counted = 50, kind == "clean"
        strength = np.zeros(n, dtype=np.uint8 if counted else np.float64)
        ids, link, parent, value = np.arange(n), np.full(n, -1), np.full(n, -1), np.zeros(n)
        at, key = np.zeros(1, dtype=np.int64), np.ones_like(strength)
        for _ in range(0, n, steps):
            if counted:
                getattr(grow_counted, way)(codes, ids, strength, key, link, parent, value, at, steps)
            else:
                getattr(grow_weighted, way)(ev, ids, strength, link, parent, value, at, steps)
        return strength, link, parent, value, at

    compiled = grown("compiled", 25)
    assert all(same(compiled, grown("plain", steps)) for steps in (1, 25, 50))
