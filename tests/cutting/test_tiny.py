"""Balanced cuts of tiny graphs: nothing smaller within the balance, whatever the seed."""

from itertools import product
from typing import Any

import numpy as np
import plain
import pytest

import graphens as ge
from graphens.cutting.tiny import as_tiny, polish, smallest_cut

EVIDENT = ge.Ensemble.from_partitions(
    [list("1112233"), list("2223311"), list("4422333"), [1, 2, None, 1, 2, None, None]]
)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("method", [ge.cspa, ge.hgpa, ge.mcla, ge.hbgf])
def test_the_evident_answer_is_found_for_every_seed(method: Any, seed: int) -> None:
    """Parts of 3, 1 and 3 would cut a little less, and be no heavier; parts of 3, 2 and 2 are balanced."""
    r = method(EVIDENT, 3, seed=seed)
    assert r.labels.tolist() == [0, 0, 0, 1, 1, 2, 2]
    if method is ge.hbgf:
        assert r.details["cut"] == 4.0


def plain_smallest(graph: ge.Graph, k: int, weights: np.ndarray, limit: float, spread: float) -> float:
    """The smallest balanced cut, one labeling of the objects at a time; heavy ones weigh a whole part."""
    a, objects = graph.adjacency.toarray(), np.flatnonzero(graph.roles == 0)
    best = np.inf
    for found in product(range(k), repeat=len(objects)):
        load = np.bincount(found, weights=weights[objects], minlength=k)
        if len(set(found)) < k or load.max() > limit or (load**2).sum() > spread:
            continue
        value = plain.cut(a[np.ix_(objects, objects)], np.array(found))
        for c in np.flatnonzero(graph.roles == 1):
            ties = np.bincount(found, weights=a[c, objects], minlength=k)
            value += ties.sum() - ties.max()
        best = min(best, value)
    return best


def test_all_cuts_are_tried() -> None:
    rng = np.random.default_rng(0)
    for _ in range(40):
        e = plain.random_ensemble(rng, n=int(rng.integers(3, 7)), b=3, k=3)
        for graph in (ge.bipartite(e), ge.coassociation(e)):
            tiny = as_tiny(graph, 3, 0.0)
            labels = smallest_cut(tiny, 3)
            least = plain_smallest(graph, 3, tiny.weights, tiny.limit, tiny.spread)
            assert graph.cut(labels) == pytest.approx(least)
            assert len(set(labels[: e.n_objects].tolist())) == 3


def test_moves_and_swaps_never_raise_the_cut_nor_break_the_balance() -> None:
    rng = np.random.default_rng(1)
    improved = 0
    for _ in range(60):
        graph = ge.bipartite(plain.random_ensemble(rng, n=12, b=4))
        tiny = as_tiny(graph, 3, 0.0)
        start = np.concatenate([np.arange(12) % 3, rng.integers(0, 3, graph.n_vertices - 12)])
        start = start.astype(np.int32)
        found = polish(tiny, start, 3)
        load = [np.bincount(labels, weights=tiny.weights, minlength=3) for labels in (start, found)]
        assert graph.cut(found) <= graph.cut(start) + 1e-9
        assert load[1].max() <= max(load[0].max(), tiny.limit)
        assert (load[1] ** 2).sum() <= max((load[0] ** 2).sum(), tiny.spread)
        assert len(set(found[:12].tolist())) == 3
        improved += graph.cut(found) < graph.cut(start) - 1e-9
    assert improved > 50


def test_large_graphs_are_not_tiny() -> None:
    assert as_tiny(ge.coassociation(np.zeros((61, 1), dtype=int)), 2, 0.0) is None
