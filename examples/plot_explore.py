"""
At which threshold do the clusters run together?
================================================

Two objects are joined by an edge whose weight is the share of clusterings that put them together. If only strong edges
count, the graph falls into many components; with weaker edges, components merge. On the page at the end you can move
that threshold yourself, open clusters, and see why a flower is in its cluster.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris

import graphens as ge

iris = load_iris()
e = ge.generate(iris.data, 30, k=(3, 8), sampling="bootstrap", assign=True, seed=0)
r = ge.consensus(e, 3, seed=0)
g = ge.coassociation(e)

# %%
# The number of components over the threshold
# -------------------------------------------
# If the line is level over a long range, the number of components does not depend much on the threshold.

thresholds = np.linspace(0, 0.98, 50)
components = np.array([g.threshold(theta).components().max() + 1 for theta in thresholds])
figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
ax.step(thresholds, components, where="post")
ax.set(
    title="Components of the co-association graph",
    xlabel="threshold",
    ylabel="components",
    yscale="log",
)
plt.show()

# %%
# An interactive page
# -------------------
# The solid part of a disc is the largest component of that cluster at the threshold. Click a disc to open it.

r.explore()

# %%
# What to try next
# ----------------
#
# - ``r.explore("iris.html")`` writes the page to a file that you can send by mail.
# - ``X=`` places the flowers by two features.
# - ``graphens explore labels.csv -k 3 -o iris.html`` does the same on the command line.
#
# **Paper.** A. L. N. Fred and A. K. Jain, *Combining multiple clusterings using evidence accumulation*, IEEE
# Transactions on Pattern Analysis and Machine Intelligence 27, 2005. https://doi.org/10.1109/TPAMI.2005.113
