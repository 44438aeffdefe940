import os
from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens import testing
from graphens.testing import check_method, check_partitioner


@pytest.fixture(autouse=True)
def here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks run in this process, which is faster, except where a test is about the other one."""
    if "crash" not in request.node.name:
        monkeypatch.setattr(testing._Isolated, "__init__", lambda self, _: setattr(self, "_process", None))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(row.name, marks=() if row.name in ("metis", "spectral", "leiden") else pytest.mark.slow)
        for row in ge.partitioners()
        if row.available
    ],
)
def test_every_partitioner_passes(name: str) -> None:
    check_partitioner(name)


def test_a_plain_function_passes() -> None:
    check_partitioner(lambda graph, k, *, seed: np.arange(graph.n_vertices) * k // graph.n_vertices)


def slices(graph: Any, k: int) -> Any:
    return np.arange(graph.n_vertices) * k // graph.n_vertices


def one_part(graph: Any, k: int, *, seed: int) -> Any:
    return np.zeros(graph.n_vertices, dtype=int)


def too_many(graph: Any, k: int, *, seed: int) -> Any:
    return np.arange(graph.n_vertices) % (k + 1)


def restless(graph: Any, k: int, *, seed: int) -> Any:
    return np.random.default_rng().permutation(slices(graph, k))


def short(graph: Any, k: int, *, seed: int) -> Any:
    return slices(graph, k)[:-1]


def greedy_hand(graph: Any, k: int, *, seed: int) -> Any:
    weights = graph.vertex_weights
    weights.setflags(write=True)
    weights[0] += 1
    return slices(graph, k)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (one_part, "1 part instead of 2"),
        (too_many, "3 parts instead of 2"),
        (restless, "a different result"),
        (greedy_hand, "changed"),
    ],
)
def test_broken_ones_do_not(broken: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_partitioner(broken)


def own_number(graph: Any, k: int | None, *, seed: int) -> Any:
    return ge.partition(graph, k, partitioner="leiden", seed=seed, n_init=1).labels


def clustering(graph: Any, k: int | None, *, seed: int) -> Any:
    import igraph

    return igraph.VertexClustering(graph.to_igraph(), own_number(graph, k, seed=seed).tolist())


def deaf(graph: Any, k: int | None, *, seed: int) -> Any:
    return own_number(graph, None, seed=seed)


def unsure(graph: Any, k: int | None, *, seed: int) -> Any:
    rng = np.random.default_rng()
    return rng.integers(0, 3, graph.n_vertices) if k is None else own_number(graph, k, seed=seed)


def unready(graph: Any, k: int | None, *, seed: int) -> Any:
    return own_number(graph, int(k), seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("function", [own_number, clustering])
def test_one_that_finds_k_is_also_asked_without(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    without = check_partitioner(function).cases
    monkeypatch.setattr(function, "finds_k", True, raising=False)
    assert check_partitioner(function).cases == without + 14  # once more on every input


@pytest.mark.parametrize(
    ("broken", "message"),
    [(unsure, "k = None.*a different result"), (unready, "unready on two components, k = None, seed 0: .*unready")],
)
def test_broken_ones_that_find_k_do_not(broken: Any, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broken, "finds_k", True, raising=False)
    with pytest.raises(AssertionError, match=message):
        check_partitioner(broken)


def test_what_partition_repairs_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def lazy(graph: Any, k: int, *, seed: int) -> Any:
        return slices(graph, k) if graph.n_edges else np.zeros(graph.n_vertices, dtype=int)

    check_partitioner(lazy)
    lazy.__module__ = None  # type: ignore[assignment]  # as of a function that `exec` makes
    check_partitioner(lazy)
    with pytest.raises(AssertionError, match=r"deaf on two components, k = 3, seed 0: .* 2 parts instead of 3"):
        check_partitioner(deaf)
    monkeypatch.setattr(deaf, "finds_k", True, raising=False)
    check_partitioner(deaf)


def test_a_crash_of_native_code_is_reported_with_its_case() -> None:
    def crash(graph: Any, k: int, *, seed: int) -> Any:
        if not graph.n_edges:
            os._exit(139)
        return slices(graph, k)

    with pytest.raises(AssertionError, match="crash on no edges, k = 2, seed 0: its process ended"):
        check_partitioner(crash)

    def dies(ensemble: ge.Ensemble, k: int, *, seed: int) -> Any:
        return os._exit(1) if ensemble.has_missing else ge.vote(ensemble, k).labels

    with pytest.raises(AssertionError, match="dies on missing labels, k = 1, seed 0: its process ended"):
        check_method(dies)


@pytest.mark.parametrize("method", ["lwgp", "vote", ge.eac])
def test_our_own_pass_the_battery(method: object) -> None:
    heard: list[float] = []
    with ge.progress(lambda what, share: heard.append(share) if what.startswith("checking ") else None):
        passed = check_method(method)  # type: ignore[arg-type]
    assert heard[0] == 0.0
    assert heard[-1] == 1.0
    assert heard == sorted(heard)
    assert f"{passed.name} passed on 10 inputs, {passed.cases} cases: a label for every object" in repr(passed)


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (lambda ensemble, k, *, seed: np.arange(ensemble.n_objects), "clusters"),
        (lambda ensemble, k, *, seed: np.full(ensemble.n_objects, -1), "some objects with a label"),
        (lambda ensemble, k, *, seed: np.random.default_rng().integers(k, size=ensemble.n_objects), "same seed"),
        (lambda ensemble, k, *, seed: ensemble.labels[:, 0].clip(0) % k, "names of clusters"),
    ],
)
def test_the_battery_finds_what_is_broken(broken: object, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_method(broken)  # type: ignore[arg-type]


def in_a_row(ensemble: ge.Ensemble, k: int, *, seed: int) -> np.ndarray:
    """Smooth the co-association along the table: right where objects come class by class, and nowhere else."""
    shared = np.mean([np.equal.outer(row, row) for row in ensemble.codes], axis=0)
    place = np.arange(ensemble.n_objects)
    near = np.exp(-np.abs(np.subtract.outer(place, place)) / 3.0)
    smooth = near @ shared @ near
    np.fill_diagonal(smooth, 0.0)
    return ge.partition(ge.Graph(smooth), k, partitioner="spectral", seed=seed).labels


def test_a_method_that_reads_the_classes_from_the_order_is_found() -> None:
    in_a_row.symmetry = ge.methods["hgpa"].symmetry  # type: ignore[attr-defined]
    with pytest.raises(AssertionError, match=r"sorted by class, k = 3: its agreement .* is 0\.[5-9]"):
        check_method(in_a_row)


def test_a_wrong_length_names_its_case() -> None:
    with pytest.raises(AssertionError, match=r"short on two components, k = 2, seed 0: .*short"):
        check_partitioner(short)
