"""
How can k-means find two half rings?
====================================

k-means cuts curved clusters into pieces, whatever k is. The pieces differ from run to run, but neighbors on a ring are
often in the same piece. Fifty clusterings, each of them wrong, combine into the two rings.
"""

import matplotlib.pyplot as plt
from matplotlib.collections import LineCollection

import graphens as ge

X, truth = ge.datasets.load("half-rings", seed=0)
e = ge.generate(X, n_partitions=50, k=(10, 30), seed=0)

# %%
# Evidence accumulation
# ---------------------
# Every time two objects are in the same cluster, that is evidence that they belong together. Single linkage is applied
# to the accumulated evidence, and the number of clusters is the one with the longest lifetime in the dendrogram.

r = ge.eac(e)
print(r)
print(f"error rate: {ge.measures.error_rate(truth, r.labels):.1%}")

# %%
# Single linkage is the maximum spanning forest of the co-association graph, cut at its weakest edges. The forest
# follows the rings; the edge that crosses from one ring to the other is not supported by any clustering.

axes = [plt.subplots(figsize=(4.8, 3.6), layout="constrained")[1] for _ in range(3)]
one, forest, found = axes
one.scatter(*X.T, c=ge.plot.colors(e.labels[:, 0]), s=10)
one.set_title(f"One of 50 k-means clusterings, k = {e.n_clusters[0]}")

source, target, share = ge.coassociation(e).spanning_forest().edges()
lines = LineCollection(
    [X[[i, j]] for i, j in zip(source, target, strict=True)], cmap="viridis", linewidths=1.6
)
lines.set_array(share)
forest.add_collection(lines)
scale = forest.inset_axes([0.5, 0.93, 0.45, 0.04])
forest.figure.colorbar(
    lines, cax=scale, orientation="horizontal", label="share of clusterings"
)
forest.set_title("Co-association graph: spanning forest")

found.scatter(*X.T, c=ge.plot.colors(r.labels), s=10)
found.set_title(f"Consensus: {r.k} clusters (longest lifetime)")
for ax in axes:
    ax.set(aspect="equal", xlim=one.get_xlim(), ylim=one.get_ylim())
    ax.set_axis_off()
plt.show()

# %%
# What to try next
# ----------------
#
# - ``r.plot("tree")`` shows the dendrogram and the lifetime of two clusters.
# - ``k=(2, 5)`` in ``generate`` shows that the pieces must be small.
# - ``ge.hne(e, 2)`` merges by normalized edges instead.
# - The same data are in ``examples/half_rings.csv`` for the command line.
#
# **Paper.** A. L. N. Fred and A. K. Jain, *Combining multiple clusterings using evidence accumulation*, IEEE
# Transactions on Pattern Analysis and Machine Intelligence 27, 2005. https://doi.org/10.1109/TPAMI.2005.113
