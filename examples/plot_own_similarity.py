"""
Can I cluster my own similarity graph?
======================================

Linkage does not need clusterings: it works on any similarity graph. The example has two spirals, and the similarity of
two points falls with their distance. ``ge.link`` merges the vertices by normalized edges: it repeatedly joins the two
groups with the most edges above a threshold between them, relative to their sizes.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.spatial.distance import cdist

import graphens as ge

# %%
# Two spirals, and the similarity of their points
# -----------------------------------------------

X, truth = ge.datasets.load("2-spirals", seed=0)
distance = cdist(X, X)
width = np.median(np.sort(distance, axis=1)[:, 6])  # how far the sixth neighbor usually is
graph = ge.Graph(np.exp(-0.5 * (distance / width) ** 2), kind="similarity")
print(graph.threshold(0.3))

# %%
# Two trees of the same graph
# ---------------------------
# Both trees are cut at two clusters. Average linkage compares mean similarities and cuts across the spirals; normalized
# edges follow them.

trees = {
    "normalized edges": ge.link(graph, "normalized-edges", theta=0.3),
    "average link": ge.link(graph, "average"),
}
errors = {}
for name, tree in trees.items():
    figure, ax = plt.subplots(figsize=(4.5, 4.2), layout="constrained")
    labels = tree.cut(2)
    errors[name] = ge.measures.error_rate(truth, labels)
    ax.scatter(*X.T, c=ge.plot.colors(labels), s=12)
    ax.set_title(f"{name}: {errors[name]:.0%} wrong")
    ax.set_aspect("equal")
    ax.set_axis_off()
plt.show()

# %%
# What to try next
# ----------------
#
# - A threshold graph stores its threshold, so ``ge.link(graph.threshold(0.3), "normalized-edges")`` follows the spirals
#   too.
# - ``ge.Graph.from_networkx(G)`` converts a networkx graph, and ``ge.hne(labels, k)`` applies the same merging to
#   the co-association graph of many clusterings.
#
# **Paper.** Y. Li, J. Yu, P. Hao and Z. Li, *Clustering ensembles based on normalized edges*, Advances in Knowledge
# Discovery and Data Mining, 2007. https://doi.org/10.1007/978-3-540-71701-0_71
