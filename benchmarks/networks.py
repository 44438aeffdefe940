"""Consensus communities: accuracy and steadiness on LFR graphs, cost on a million vertices, order of the vertices."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
from scipy import sparse
from sklearn.metrics import adjusted_mutual_info_score as ami

import graphens as ge

from .harness import kept, measure, megabytes, origin, report
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
    from graphens.generators import network_runs as networks

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
    rest = time.process_time() - start - runs
    return {"runs": runs, "rest": rest, "k": r.k, "confidence": mean, "rounds": r.details.get("rounds", "")}


@dataclass(frozen=True)
class Large:
    """A consensus function on a large graph with 5 n edges; both functions take the same runs."""

    method: str
    n: int


def of_large(case: Large) -> dict[str, Any]:
    """Seconds and memory of one case; the graph has planted groups of 500 vertices."""
    graph, small = planted(case.n, 5 * case.n, case.n // 500, 0.8), planted(1000, 5000, 10, 0.8)
    done = measure(_large, graph, case.method, warm=(small, case.method), limit=14_400)
    return {**done.value, "memory": done.peak}


LARGE = tuple(Large(method, n) for n in (100_000, 1_000_000) for method in ("ecg", "recluster"))


def large(asked: Sequence[Large] = LARGE) -> None:
    """Up to a million vertices and five million edges, ten runs of Leiden: what the consensus adds to the runs."""
    made = kept("networks_large", of_large, asked)
    runs = {case.n: max(made[other]["runs"] for other in made if other.n == case.n) for case in made}
    report(
        "networks-large",
        "Communities of large networks, ten runs of Leiden",
        [
            "vertices",
            "method",
            "runs",
            "all the rest",
            "rest / runs (wanted ≤ 0.25)",
            "memory (wanted ≤ 3 GB)",
            "k",
            "rounds",
        ],
        [
            [
                f"{case.n:,}",
                case.method,
                f"{runs[case.n]:.0f} s",
                f"{a['rest']:.0f} s",
                f"{a['rest'] / runs[case.n]:.2f}",
                megabytes(a["memory"]),
                a["k"],
                a["rounds"],
            ]
            for case, a in made.items()
        ],
        "Processor seconds. Five edges per vertex, planted groups of 500; both methods have the same ten runs. The "
        "rest is the graph made ready, the shares, modularity, confidence and the method's own runs of Leiden: one, "
        "and for recluster 20 a round where the ten do not agree on 98 % of the edges. recluster read the ten runs "
        "from a file.",
        origin("networks_large"),
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
