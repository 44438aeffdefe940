"""The first steps in pictures: three clusterings of seven objects, three ways to see them, one consensus.

Run it with ``python examples/first_steps.py [picture.png]``; it needs Matplotlib.
"""

from __future__ import annotations

import sys
from typing import Any

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
from scipy.cluster.hierarchy import dendrogram

import graphens as ge

PARTITIONS = {"P1": [1, 1, 1, 2, 2, 3, 3], "P2": [2, 2, 2, 3, 3, 1, 1], "P3": [3, 3, 2, 2, 1, 1, 1]}
COLORS = ["#4c78a8", "#e8894a", "#4aa37a"]  # one for each consensus cluster
GREY = "#e3e3e3"


def main(path: str = "first_steps.png") -> None:
    e = ge.Ensemble.from_partitions(PARTITIONS, object_names=[f"x{i}" for i in range(1, 8)])
    r = ge.eac(e, linkage="average")
    figure, axes = plt.subplots(1, 3, figsize=(14, 4.4), width_ratios=[1.5, 1, 1.1], layout="constrained")
    draw_bipartite(axes[0], ge.bipartite(e), r)
    draw_coassociation(axes[1], ge.coassociation(e), r)
    draw_dendrogram(axes[2], r)
    figure.savefig(path, dpi=120)
    print(r, f"picture in {path}", sep="\n")


def draw_bipartite(ax: Any, g: ge.Graph, r: ge.Consensus) -> None:
    """Clusters above, objects below, edges in the colour of the object's consensus cluster."""
    graph, n = g.to_networkx(), len(r.labels)
    x = np.concatenate([np.linspace(0.06, 0.94, n), np.linspace(0, 1, len(graph) - n)])
    place = {v: (x[v], side) for v, side in graph.nodes(data="bipartite")}
    color = [COLORS[r.labels[v]] if v < n else GREY for v in graph]
    edges = [COLORS[r.labels[v]] for v, _ in graph.edges]
    nx.draw_networkx_edges(graph, place, ax=ax, edge_color=edges, width=1.8, alpha=0.75)
    nx.draw_networkx_nodes(
        graph, place, ax=ax, node_color=color, node_size=900, edgecolors="white", linewidths=2
    )
    for v, name in graph.nodes(data="name"):
        ax.text(*place[v], name, ha="center", va="center", color="white" if v < n else "black")
    ax.set(ylim=(-0.25, 1.2))
    ax.set_title("Bipartite graph: clusters above, objects below", pad=14)
    ax.axis("off")


def draw_coassociation(ax: Any, g: ge.Graph, r: ge.Consensus) -> None:
    """How often two objects are together, with a frame around each consensus cluster."""
    together = g.to_scipy().toarray() + np.eye(g.n_vertices)
    ax.imshow(together, cmap="Greys", vmin=0, vmax=1.6)
    for (i, j), share in np.ndenumerate(together):
        if 0 < share < 1:
            ax.text(j, i, f"{share:.2f}", ha="center", va="center", fontsize=9)
    for cluster, color in enumerate(COLORS):
        inside = np.flatnonzero(r.labels == cluster)
        corner, size = inside.min() - 0.5, len(inside)
        ax.add_patch(plt.Rectangle((corner, corner), size, size, fill=False, color=color, lw=3.5, zorder=3))
    ax.set_xticks(range(g.n_vertices), g.names)
    ax.set_yticks(range(g.n_vertices), g.names)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title("Co-association: how often together", pad=14)


def draw_dendrogram(ax: Any, r: ge.Consensus) -> None:
    """Average link, cut in the middle of the longest lifetime."""
    d = r.dendrogram
    z = d.to_scipy()
    cut = z[-r.k : -r.k + 2, 2].mean()  # between the merge that leaves k clusters and the next one
    group = list(r.labels)  # consensus cluster of every node, −1 above the cut
    for a, b, *_ in z[:, :2].astype(int).tolist():
        group.append(group[a] if group[a] == group[b] else -1)
    dendrogram(z, ax=ax, labels=list(d.names), link_color_func=lambda v: [*COLORS, "#777777"][group[v]])
    ax.axhline(cut, color="black", ls="--", lw=1)
    words = {"ha": "center", "va": "center", "bbox": {"fc": "white", "ec": "none"}}
    ax.text(np.mean(ax.get_xlim()), cut, f"{r.k} clusters live longest", words)
    ax.set(ylabel="distance", ylim=(-0.01, 1))
    ax.set_title("Dendrogram: average link", pad=14)
    ax.spines[["top", "right", "bottom"]].set_visible(False)


if __name__ == "__main__":
    main(*sys.argv[1:2])
