"""
How do three clusterings become a graph?
========================================

Three clusterings of seven objects can be seen as a hypergraph, in which every cluster is a set of objects; as a
bipartite graph, which joins objects to their clusters; and as a graph of the objects, whose edges show how often two
objects are together.
"""

import matplotlib.pyplot as plt
import numpy as np

import graphens as ge

e = ge.Ensemble.from_partitions(
    {"P1": [1, 1, 1, 2, 2, 3, 3], "P2": [2, 2, 2, 3, 3, 1, 1], "P3": [3, 3, 2, 2, 1, 1, 1]},
    object_names=[f"x{i}" for i in range(1, 8)],
)
print(e)

# %%
# The three graphs
# ----------------
# The names of clusters have no meaning: P1 and P2 are the same clustering. The graphs show this, because they contain
# only which objects are together.

hyperedges = ge.hypergraph(e)
both_sides = ge.bipartite(e)
together = ge.coassociation(e)
print(hyperedges, both_sides, together, sep="\n")

# %%
# The consensus
# -------------
# This is average linkage on the co-association graph. The number of clusters is the one with the longest lifetime in
# the dendrogram, that is, over the longest range of heights.

r = ge.eac(e, linkage="average")
print(r)

# %%
# Clusters have the same colors in all pictures. P3 alone would have put x3 with x4, and x5 with x6 and x7.

axes = [plt.subplots(figsize=(4.6, 4), layout="constrained")[1] for _ in range(4)]
hyperedges.plot(ax=axes[0], labels=r.labels)
ge.hbgf(e, 3, seed=0).plot("graph", ax=axes[1])
shares = together.to_scipy().toarray() + np.eye(7)
axes[2].imshow(shares, cmap="Blues", vmin=0, vmax=1)
for (i, j), share in np.ndenumerate(shares):
    if share:
        axes[2].text(
            j,
            i,
            f"{share:.2g}",
            ha="center",
            va="center",
            color="white" if share > 0.5 else "black",
        )
axes[2].set_xticks(range(7), together.names)
axes[2].set_yticks(range(7), together.names)
axes[2].set_title("Co-association: share of clusterings", loc="left", fontsize=11)
r.plot("tree", ax=axes[3])
plt.show()

# %%
# What to try next
# ----------------
#
# - ``ge.partition(graph, 3)`` cuts any of these graphs, with any partitioner of ``ge.partitioners()``.
# - ``graph.write("seven.gexf")`` opens in Gephi (:ref:`sphx_glr_gallery_plot_gephi.py`).
# - ``graphens demo`` walks through this example in a terminal.
#
# **Paper.** A. Strehl and J. Ghosh, *Cluster ensembles: a knowledge reuse framework for combining multiple
# partitions*, Journal of Machine Learning Research 3, 2002. https://doi.org/10.1162/153244303321897735
