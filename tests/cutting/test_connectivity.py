import itertools
from importlib.util import find_spec

import numpy as np
import pytest

import graphens as ge
from graphens.cutting.connectivity import refine_km1
from graphens.errors import InputError
from tests.plain import random_ensemble

with_mtkahypar = pytest.mark.skipif(find_spec("mtkahypar") is None, reason="needs the extra hypergraph")


def test_refinement_never_raises_km1_and_keeps_balance() -> None:
    rng = np.random.default_rng(0)
    lowered = 0
    for _ in range(200):
        e = random_ensemble(rng, n=int(rng.integers(6, 30)), b=int(rng.integers(2, 6)))
        h, k = ge.hypergraph(e), int(rng.integers(2, 4))
        start = np.arange(e.n_objects, dtype=np.int32) % k
        rng.shuffle(start)
        found = refine_km1(h, start, k, seed=0, imbalance=0.1)
        assert np.unique(found).tolist() == list(range(k))
        before, after = h.km1(start), h.km1(found)
        assert after <= before
        lowered += after < before
        load = [np.bincount(x, weights=e.object_weights, minlength=k).max() for x in (start, found)]
        assert load[1] <= max(load[0], 1.1 * e.object_weights.sum() / k) + 1e-9
    assert lowered > 120


def test_the_best_cut_of_small_hypergraphs() -> None:
    rng = np.random.default_rng(0)
    gaps = []
    for _ in range(20):
        h = ge.hypergraph(rng.integers(0, 3, (8, 4)))
        best = min(h.km1(np.array(x)) for x in itertools.product(range(2), repeat=8) if sum(x) == 4)
        gaps.append(ge.partition(h, 2, partitioner="metis-km1", seed=0).cut - best)
    assert np.mean(np.array(gaps) <= 0) >= 0.85  # 3 % imbalance leaves only 4 + 4


@pytest.mark.parametrize("name", ["metis-km1", pytest.param("mtkahypar", marks=with_mtkahypar)])
def test_planted_parts_are_found(name: str) -> None:
    truth = np.repeat(np.arange(4), 15)
    rng = np.random.default_rng(0)
    labels = np.stack([truth * 2 + rng.integers(0, 2, 60) for _ in range(6)], axis=1)
    found = ge.partition(ge.hypergraph(labels), 4, partitioner=name, seed=0)
    assert found.cut == 0
    assert ge.measures.ari(found.labels, truth) == 1.0


def test_part_weights_and_imbalance_of_metis_km1() -> None:
    labels = np.random.default_rng(0).integers(0, 6, (120, 8))
    found = ge.partition(ge.hypergraph(labels), 2, partitioner="metis-km1", seed=0, part_weights=[3, 1])
    assert 0.7 < np.bincount(found.labels).max() / 120 < 0.8


@with_mtkahypar
@pytest.mark.parametrize("preset", ["deterministic", "deterministic_quality", "default"])
def test_presets_of_mtkahypar(preset: str) -> None:
    h = ge.hypergraph(np.random.default_rng(0).integers(0, 6, (80, 8)))
    found = ge.partition(h, 4, partitioner="mtkahypar", seed=0, preset=preset)
    assert found.k == 4
    assert found.balance <= 1.1


@pytest.mark.parametrize("options", [{"preset": "fast"}, {"imbalance": 0.0}])
def test_bad_options_of_mtkahypar(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        ge.partition(ge.hypergraph([[0, 0], [0, 1], [1, 1]]), 2, partitioner="mtkahypar", **options)


@with_mtkahypar
def test_single_pins_and_huge_weights_for_mtkahypar() -> None:
    h = ge.Hypergraph(np.eye(6), vertex_weights=np.arange(1, 7))
    assert ge.partition(h, 3, partitioner="mtkahypar", seed=0).balance == 1.0
    pairs = np.kron(np.eye(3), np.ones((2, 1)))
    huge = ge.Hypergraph(pairs, vertex_weights=[1e12] * 6, hyperedge_weights=[1e12, 1e-12, 1.0])
    assert ge.partition(huge, 3, partitioner="mtkahypar", seed=0).cut == 0
