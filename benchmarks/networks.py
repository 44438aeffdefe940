"""Consensus communities: accuracy and steadiness on LFR graphs, and cost on large networks."""

import warnings
from collections.abc import Sequence
from typing import Any

import networkx as nx
import numpy as np
from scipy import sparse

import graphens as ge
from graphens.measures import ami
from graphens.networks.detection import runs_modularity

from .measuring import measure
from .parts import Part, Row, beside

MIXING = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
GRAPHS, SEEDS, RUNS, MAPS = 2, 2, 50, 10


def lfr(mixing: float, seed: int) -> tuple[nx.Graph, np.ndarray]:
    """An LFR graph of 1,000 vertices and its planted communities; the generator may fail for a seed, then the next."""
    for more in range(50):
        try:
            made = nx.LFR_benchmark_graph(
                1000, 3, 1.5, mixing, average_degree=20, max_degree=50, min_community=20, max_community=100,
                seed=1000 * seed + more,
            )  # fmt: skip
        except nx.ExceededMaxIterations:
            continue
        made.remove_edges_from(list(nx.selfloop_edges(made)))
        truth = np.empty(1000, dtype=int)
        for c, group in enumerate({frozenset(made.nodes[v]["community"]) for v in made}):
            truth[list(group)] = c
        plain = nx.Graph()
        plain.add_nodes_from(range(1000))
        plain.add_edges_from(made.edges())
        return plain, truth
    raise RuntimeError(f"no LFR graph with mixing {mixing}")


def accuracy(mixing: float, graph: int) -> dict[str, Any]:
    """AMI with the planted communities for some seeds: single runs, the best of them, and the consensus of them."""
    G, truth = lfr(mixing, graph)
    found = []
    for seed in range(SEEDS):
        e = ge.generate(G, RUNS, base="leiden", seed=seed)
        first = ge.generate(G, 16, base="louvain-1", seed=seed)
        maps = ge.generate(G, MAPS, base="infomap", seed=seed)
        single = [float(ami(truth, labels)) for labels in e.labels.T]
        r = ge.recluster(e, G=G, seed=seed)
        found.append(
            {
                "single": single,
                "best": single[int(np.argmax(runs_modularity(e, ge.Graph.of(G))))],
                "recluster": float(ami(truth, r.labels)),
                "ecg": float(ami(truth, ge.ecg(first, G=G, seed=seed).labels)),
                "leiden": float(ami(truth, ge.leiden(e, seed=seed).labels)),
                "infomap": float(np.mean([ami(truth, labels) for labels in maps.labels.T])),
                "maps": float(ami(truth, ge.recluster(maps, G=G, base="infomap", seed=seed).labels)),
                "communities": int(r.k),
            }
        )
    return {"seeds": found, "planted": int(truth.max()) + 1}


def by_mixing(rows: Sequence[Row]) -> list[Row]:
    """Means over graphs and seeds of one mixing, and how steady the consensus is over seeds."""
    made = []
    for mixing in dict.fromkeys(row["mixing"] for row in rows):
        here = [row for row in rows if row["mixing"] == mixing]
        seeds = [one for row in here for one in row["seeds"]]
        mean = {
            name: float(np.mean([one[name] for one in seeds]))
            for name in ("best", "recluster", "ecg", "leiden", "infomap", "maps")
        }
        single = [float(np.mean(one["single"])) for one in seeds]
        steady = np.mean([np.std([one["recluster"] for one in row["seeds"]]) for row in here])
        loose = np.mean([np.std(one["single"]) for one in seeds])
        numbers = [np.mean([one["communities"] for one in seeds]), np.mean([row["planted"] for row in here])]
        made.append(
            {name: f"{value:.3f}" for name, value in mean.items()}
            | {
                "mixing": str(mixing),
                "graphs": len(here),
                "single": f"{np.mean(single):.3f}",
                "spread": f"{steady:.3f} / {loose:.3f}",
                "communities": " / ".join(f"{number:.0f}" for number in numbers),
            }
        )
    return made


def planted(n: int, m: int, groups: int, inside: float, seed: int = 0) -> ge.Graph:
    """A graph with planted groups: m random edges, a share of them inside the groups."""
    rng = np.random.default_rng(seed)
    group = np.sort(rng.integers(groups, size=n))
    starts = np.searchsorted(group, np.arange(groups + 1))
    source = rng.integers(n, size=m)
    size = (starts[1:] - starts[:-1])[group[source]]
    near = starts[group[source]] + (rng.random(m) * size).astype(np.int64)
    target = np.where(rng.random(m) < inside, near, rng.integers(n, size=m))
    half = sparse.coo_array((np.ones(m), (source, target)), shape=(n, n)).tocsr()
    both = half + half.T
    both.data[:] = 1.0
    return ge.Graph(both)


def cost(n: int) -> dict[str, Any]:
    """Ten runs of Leiden on a graph with planted groups of 500, and what a consensus of them costs beside."""
    graph, small = planted(n, 5 * n, max(2, n // 500), 0.8), planted(1000, 5000, 10, 0.8)
    runs = measure(_runs, graph, warm=(small,), repeats=1)
    e, few = (ge.generate(g, 10, base="leiden", seed=0) for g in (graph, small))
    found = {
        method: measure(_consensus, method, e, graph, warm=(method, few, small), repeats=1)
        for method in ("ecg", "recluster")
    }
    return {"runs": runs.seconds} | {
        name: {"seconds": one.seconds, "peak": one.peak, "k": one.value} for name, one in found.items()
    }


def _runs(graph: ge.Graph) -> int:
    return ge.generate(graph, 10, base="leiden", seed=0, n_jobs=1).n_partitions


def _consensus(method: str, e: ge.Ensemble, graph: ge.Graph) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ge.GraphensWarning)
        r = getattr(ge, method)(e, G=graph, seed=0)
        return int(r.k) if r.confidence.mean() > 0 else 0  # confidence included


def by_method(rows: Sequence[Row]) -> list[Row]:
    """One row for each method."""
    return [
        {"n": row["n"], "runs": row["runs"], "method": method, **row[method]}
        for row in rows
        for method in ("ecg", "recluster")
    ]


PARTS = (
    Part(
        "networks-large",
        "Communities of large networks: what a consensus of ten Leiden runs costs",
        cost,
        cases=[{"n": 100_000}],
        large=[{"n": 1_000_000}],
        quick=[{"n": 2000}],
        columns=beside(
            lambda row: f"`{row['method']}` of ten Leiden runs, {row['n']:,} vertices",
            lambda row: "the ten runs",
            "runs",
        ),
        note="The network has five edges per vertex and planted groups of 500; the confidence of vertices is included.",
        gather=by_method,
    ),
    Part(
        "networks-lfr",
        "Communities of LFR graphs (1,000 vertices): AMI with the planted ones",
        accuracy,
        cases=[{"mixing": mixing, "graph": graph} for graph in range(GRAPHS) for mixing in MIXING],
        quick=[{"mixing": 0.3, "graph": 0}],
        columns={
            "mixing": "mixing",
            "graphs": "graphs",
            "single run, mean": "single",
            "best of 50": "best",
            "`recluster`": "recluster",
            "`ecg`": "ecg",
            "`leiden` (bipartite)": "leiden",
            "infomap, single run": "infomap",
            "`recluster` of infomap": "maps",
            "standard deviation: recluster / single runs": "spread",
            "communities: recluster / planted": "communities",
        },
        note=f"{SEEDS} seeds for each graph; {RUNS} runs of Leiden (ecg: 16 of Louvain's first level), "
        f"{MAPS} of infomap. The best run is "
        "the one of largest modularity. Standard deviation of AMI: of recluster over seeds, of single runs within a "
        "seed.",
        gather=by_mixing,
    ),
)
