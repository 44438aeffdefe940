"""
How long does a million objects take?
=====================================

A million objects take only seconds, because no table of objects by objects is built. Objects with the same labels in
all clusterings are treated as one, and the computation needs only a small matrix of clusters by clusters.
"""

from time import process_time

import matplotlib.pyplot as plt

import graphens as ge

# %%
# A million points and ten clusterings
# ------------------------------------
# The points form two bananas. k-means with 20 to 40 clusters is fitted to a thousandth of the points and then labels
# all of them.

X, truth = ge.datasets.load("bananas", seed=0, n=1_000_000)
begin = process_time()
e = ge.generate(X, 10, k=(20, 40), sampling="subsample", share=0.001, assign=True, seed=0)
made = process_time()
print(e)

# %%
# The consensus
# -------------

r = ge.lwgp(e, 2, seed=0)
done = process_time()
print(r)
error = ge.measures.error_rate(truth, r.labels)
print(f"misplaced: {error:.1%}")
print(f"distinct rows of labels: {e.collapse()[0].n_objects:,}")
print(f"processor time: clusterings {made - begin:.0f} s, consensus {done - made:.1f} s")

# %%
# The picture of a million points consists of cells, in the color of most of their points.

shown = r.plot("scatter", X=X)
plt.show()

# %%
# What to try next
# ----------------
#
# - ``r.report("million.html")`` stays below a megabyte.
# - ``base="landmarks"`` finds clusters of any shape at this size.
# - For labels that do not fit into memory, use ``ge.scale.consensus``.
#
# **Paper.** D. Huang, C.-D. Wang and J.-H. Lai, *Locally weighted ensemble clustering*, IEEE Transactions on
# Cybernetics 48, 2018. https://doi.org/10.1109/TCYB.2017.2702343
