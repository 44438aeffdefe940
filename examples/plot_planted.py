"""
Is a consensus of runs better than a single run?
================================================

LFR graphs are random graphs with known communities of different sizes. The larger the mixing (the share of a vertex's
edges that leave its community), the harder they are to find. Runs of Louvain differ. How does their consensus compare
with a single run?
"""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
from sklearn.metrics import adjusted_mutual_info_score as ami

import graphens as ge

# %%
# Four graphs
# -----------


def planted(mixing: float) -> tuple[nx.Graph, list[int]]:
    G = nx.LFR_benchmark_graph(
        500,
        3,
        1.5,
        mixing,
        average_degree=12,
        min_community=20,
        max_community=60,
        max_degree=40,
        seed=10,
    )
    G.remove_edges_from(list(nx.selfloop_edges(G)))
    return G, [min(G.nodes[v]["community"]) for v in G]


# %%
# Runs and their consensus
# ------------------------
# ``recluster`` runs the same algorithm on the shares until the runs agree; ``ecg`` weights the edges by the shares and
# runs it once more. The measure is adjusted mutual information, since plain mutual information grows with many small
# communities.

mixings = [0.1, 0.3, 0.4, 0.5]
single, again, weighed = [], [], []
for mixing in mixings:
    G, truth = planted(mixing)
    e = ge.generate(G, 20, base="louvain-1", seed=0)
    runs = ge.generate(G, 20, base="louvain", seed=0)
    single.append([ami(truth, run) for run in runs.labels.T])
    again.append(ami(truth, ge.recluster(runs, G=G, base="louvain", seed=0).labels))
    weighed.append(ami(truth, ge.ecg(e, G=G, seed=0).labels))
    print(
        f"mixing {mixing}: mean run {np.mean(single[-1]):.3f}, "
        f"recluster {again[-1]:.3f}, ecg {weighed[-1]:.3f}"
    )

# %%
# If the communities are clear, all methods find them. If single runs disagree, both ways of combining them are better
# than the mean run, and better than most runs.

figure, ax = plt.subplots(figsize=(6.6, 4.2), layout="constrained")
for x, values in zip(mixings, single, strict=True):
    ax.plot(np.full(len(values), x), values, "o", color="#b8b8b8", markersize=4)
ax.plot([], [], "o", color="#b8b8b8", markersize=4, label="single runs")
ax.plot(mixings, again, "s-", color=ge.plot.color(0), label="recluster")
ax.plot(mixings, weighed, "^-", color=ge.plot.color(1), label="ecg")
ax.set(xticks=mixings, xlabel="mixing", ylabel="AMI with the planted communities")
ax.set_title(
    "Consensus and single runs on LFR graphs of 500 vertices", loc="left", fontsize=11
)
ax.legend(frameon=False, loc="lower left")
ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# What to try next
# ----------------
#
# - Try more mixing, where all methods fail, or ``base="leiden"``, whose single runs are better.
# - The benchmarks have larger graphs.
#
# **Paper.** A. Lancichinetti, S. Fortunato and F. Radicchi, *Benchmark graphs for testing community detection
# algorithms*, Physical Review E 78, 2008. https://doi.org/10.1103/PhysRevE.78.046110
