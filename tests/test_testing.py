from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens.testing import check_partitioner


@pytest.mark.parametrize("name", [row.name for row in ge.partitioners() if row.available])
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
    ("broken", "error", "message"),
    [
        (deaf, AssertionError, "2 parts instead of 3"),  # partition() would mend it
        (unsure, AssertionError, "k = None.*a different result"),
        (unready, ge.GraphensError, "unready"),
    ],
)
def test_broken_ones_that_find_k_do_not(
    broken: Any, error: type[Exception], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broken, "finds_k", True, raising=False)
    with pytest.raises(error, match=message):
        check_partitioner(broken)


def test_a_wrong_length_is_an_error_of_its_own() -> None:
    with pytest.raises(ge.GraphensError, match="short"):
        check_partitioner(short)
