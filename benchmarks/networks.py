"""Consensus communities: accuracy and steadiness on LFR graphs, cost on a million vertices, order of the vertices."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
from scipy import sparse
from sklearn.metrics import adjusted_mutual_info_score as ami

import graphens as ge

from .harness import kept, measure, megabytes, report
from .lfr import SHELF, accuracy, lfr


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


def _large(graph: ge.Graph, method: str) -> dict[str, Any]:
    """Processor seconds of the ten runs (none where the shelf has them), and of everything, confidence included."""
    from graphens.generators import networks

    spent: list[float] = []
    plain = networks.Runs.find

    def timed(self: Any, *args: Any, **more: Any) -> Any:
        begin = time.process_time()
        try:
            return plain(self, *args, **more)
        finally:
            spent.append(time.process_time() - begin)

    SHELF.mkdir(exist_ok=True)
    path = SHELF / f"planted-{graph.n_vertices}"
    begun = 0 if path.exists() else 10
    networks.Runs.find = timed  # type: ignore[method-assign]
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ge.GraphensWarning)
        r = ge.communities(graph, 10, base="leiden", method=method, seed=0, checkpoint=path)
    mean = float(r.confidence.mean())
    networks.Runs.find = plain  # type: ignore[method-assign]
    runs = sum(spent[:begun])
    return {"runs": runs, "rest": time.process_time() - start - runs, "k": r.k, "confidence": mean}


@dataclass(frozen=True)
class Large:
    """A consensus function on the large graph; both take the same runs."""

    method: str


def of_large(case: Large) -> dict[str, Any]:
    """Seconds and memory on one million vertices and five million edges."""
    graph, small = planted(1_000_000, 5_000_000, 2_000, 0.8), planted(1000, 5000, 10, 0.8)
    done = measure(_large, graph, case.method, warm=(small, case.method), limit=14_400)
    return {**done.value, "memory": done.peak}


def large() -> None:
    """One million vertices, five million edges, ten runs of Leiden: what the consensus adds to the runs."""
    made = kept("networks_large", of_large, [Large("ecg"), Large("recluster")])
    runs = max(answers["runs"] for answers in made.values())
    report(
        "networks-large",
        "Communities of 1M vertices and 5M edges (2,000 planted groups), ten runs of Leiden",
        ["method", "runs", "all the rest", "rest / runs (wanted ≤ 0.25)", "memory (wanted ≤ 3 GB)", "k"],
        [
            [
                case.method,
                f"{runs:.0f} s",
                f"{a['rest']:.0f} s",
                f"{a['rest'] / runs:.2f}",
                megabytes(a["memory"]),
                a["k"],
            ]
            for case, a in made.items()
        ],
        "Processor seconds. Both methods have the same runs; recluster is the default. The rest is the graph made "
        "ready, the shares, the method's own runs of Leiden, modularity and confidence.",
    )


def order() -> None:
    """Another order and other names of the vertices."""
    G, _ = lfr(0.3, 0)
    rng = np.random.default_rng(1)
    nodes = rng.permutation(1000).tolist()
    moved = nx.Graph()
    moved.add_nodes_from(f"v{(7 * v) % 1000}" for v in nodes)
    moved.add_edges_from((f"v{(7 * a) % 1000}", f"v{(7 * b) % 1000}") for a, b in G.edges())
    rows = []
    for base in ("walktrap", "fast-greedy", "leiden", "louvain", "infomap"):
        one, other = (ge.communities(g, 20, base=base, seed=0) for g in (G, moved))
        by_name = dict(zip(other.names, other.labels.tolist(), strict=True))
        same = [by_name[f"v{(7 * v) % 1000}"] for v in range(1000)]
        rows.append([base, f"{ami(one.labels, same):.3f}"])
    report(
        "networks-order",
        "Vertices in another order and with other names: AMI of the communities",
        ["base", "AMI"],
        rows,
    )


def run() -> None:
    order()
    accuracy()
    large()
