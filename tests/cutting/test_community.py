import json
import random
import subprocess
import sys
import threading

import numpy as np
import pytest

import graphens as ge
from graphens.cutting.community import igraph_seeded
from graphens.cutting.entry import modularity

FINDERS = ["leiden", "multilevel", "label-propagation", "infomap"]


def caves(n_caves: int = 6, size: int = 8) -> tuple[ge.Graph, np.ndarray]:
    """Cliques in a ring."""
    label = np.repeat(np.arange(n_caves), size)
    a = (label[:, None] == label).astype(float)
    for c in range(n_caves):
        i, j = c * size, ((c + 1) % n_caves) * size + 1
        a[i, j] = a[j, i] = 0.3
    return ge.Graph(a), label


@pytest.mark.parametrize("name", FINDERS)
def test_communities_choose_k(name: str) -> None:
    graph, truth = caves()
    found = ge.partition(graph, None, partitioner=name, seed=0)
    assert ge.measures.ari(found.labels, truth) == 1.0


@pytest.mark.parametrize("name", FINDERS)
@pytest.mark.parametrize("k", [1, 2, 3, 6, 9, 20, 47, 48])
def test_a_given_k_is_reached(name: str, k: int) -> None:
    graph, _ = caves()
    found = ge.partition(graph, k, partitioner=name, seed=0)
    assert found.k == k
    if k <= 6:
        assert found.cut == pytest.approx(0.3 * (k if k > 1 else 0))  # only edges between caves


@pytest.mark.parametrize("name", FINDERS)
def test_seeds_repeat_and_leave_pythons_random_numbers_alone(name: str) -> None:
    graph = ge.coassociation(np.random.default_rng(0).integers(0, 5, (60, 8)))
    random.seed(1)
    expected = random.random()
    random.seed(1)
    runs = [ge.partition(graph, 4, partitioner=name, seed=3).labels.tolist() for _ in range(2)]
    assert runs[0] == runs[1]
    assert random.random() == expected


def test_the_best_of_several_runs_has_the_largest_modularity() -> None:
    graph = ge.Graph(ge.coassociation(np.random.default_rng(0).integers(0, 5, (60, 8))).to_scipy())
    one = [
        modularity(graph, ge.partition(graph, None, partitioner="label-propagation", seed=s).labels) for s in range(3)
    ]
    many = ge.partition(graph, None, partitioner="label-propagation", seed=0, n_init=10)
    assert modularity(graph, many.labels) >= max(0.0, min(one))


def test_modularity_against_networkx() -> None:
    import networkx as nx

    graph, truth = caves()
    sets = [{graph.names[v] for v in np.flatnonzero(truth == c)} for c in range(6)]
    wanted = nx.community.modularity(graph.to_networkx(), sets, weight="weight")
    assert modularity(graph, truth.astype(np.int32)) == pytest.approx(wanted)


def test_resolution_changes_the_number_of_communities() -> None:
    graph, _ = caves()
    coarse = ge.partition(graph, None, partitioner="leiden", seed=0, resolution=0.01).k
    fine = ge.partition(graph, None, partitioner="leiden", seed=0, resolution=30.0).k
    assert coarse < 6 < fine


def test_consensus_lets_communities_choose_k() -> None:
    labels = np.repeat(np.repeat(np.arange(4), 10)[:, None], 5, axis=1)
    labels[::7, 0] = 0
    assert ge.cspa(labels, partitioner="leiden", seed=0).k == 4
    assert ge.hbgf(labels, partitioner="leiden", seed=0).k == 4
    assert ge.mcla(labels, partitioner="infomap", seed=0).k == 4


HARD = """
import numpy as np, graphens as ge
rng = np.random.default_rng(0)
truth = rng.integers(10, size=300)
rows = [np.where(rng.random(300) < 0.5, rng.integers(0, 30, 300), truth) for _ in range(10)]
e = ge.Ensemble.from_partitions(rows, weights=rng.random(10))
print([ge.leiden(e, resolution=float(np.exp(r)), seed=0).k for r in (-9, 1, 3, 5, 7, 10)])
print([ge.leiden(e, k, seed=0).k for k in (1, 7, 299)])
"""


def test_hard_resolutions_come_to_an_end() -> None:
    done = subprocess.run([sys.executable, "-c", HARD], capture_output=True, text=True, timeout=120, check=True)
    free, given = (json.loads(line) for line in done.stdout.splitlines())
    assert free[0] == 1
    assert free[-1] == 300
    assert given == [1, 7, 299]


def test_communities_ask_the_memory_budget() -> None:
    graph, _ = caves()
    with ge.memory_budget("1 kB"), pytest.raises(ge.GraphensError, match="edges in igraph"):
        ge.partition(graph, 3, partitioner="leiden", seed=0)


@pytest.mark.parametrize("k", [None, 3])
@pytest.mark.parametrize("name", ["leiden", "multilevel"])
@pytest.mark.parametrize("resolution", ["x", [], 0, -1.0, float("nan"), None])
def test_what_is_no_resolution(name: str, k: int | None, resolution: object) -> None:
    with pytest.raises(ge.GraphensError, match="resolution"):
        ge.partition(caves()[0], k, partitioner=name, resolution=resolution)


@pytest.mark.parametrize("trials", ["x", 0, 2.5, 10**30])
def test_what_is_no_number_of_trials(trials: object) -> None:
    with pytest.raises(ge.GraphensError, match="trials"):
        ge.partition(caves()[0], None, partitioner="infomap", trials=trials)


def test_one_caller_at_a_time_draws_igraphs_random_numbers() -> None:
    """Partitioners and ensembles of communities share one lock: the generator is the whole process's."""
    graph = caves()[0]
    ge.partition(graph, None, partitioner="leiden", seed=0)  # everything is loaded
    waiting = threading.Thread(target=ge.partition, args=(graph, None), kwargs={"partitioner": "leiden", "seed": 0})
    with igraph_seeded(1):
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive()
    waiting.join()
