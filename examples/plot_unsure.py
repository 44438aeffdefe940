"""
Which objects are uncertain, and why?
=====================================

A consensus has a confidence for every object, and can explain why an object is in its cluster. Two species of iris
overlap, and the clusterings disagree on the flowers between them.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris

import graphens as ge

iris = load_iris()
e = ge.generate(iris.data, 30, k=(3, 8), sampling="bootstrap", assign=True, seed=0)
r = ge.consensus(e, 3, seed=0)
print(r)

# %%
# The least certain flowers
# -------------------------

unsure = np.argsort(r.confidence, kind="stable")[:5]
for i in unsure:
    species = iris.target_names[iris.target[i]]
    print(f"flower {i}: cluster {r.labels[i]}, confidence {r.confidence[i]:.2f}, {species}")

# %%
# Why is it in this cluster?
# --------------------------
# Every clustering votes: it votes for the consensus cluster that has most of the objects in the flower's base cluster.

x = r.explain(int(unsure[0]))
print(x)

# %%
# The first picture shows all flowers, with a ring around the one that is explained; the second shows the votes on it.

axes = [plt.subplots(figsize=(5, 4.4), layout="constrained")[1] for _ in range(2)]
petals = iris.data[:, 2:]
r.plot("scatter", X=petals, ax=axes[0])
axes[0].plot(
    *petals[unsure[0]], "o", markersize=14, markerfacecolor="none", markeredgecolor="#333333"
)
axes[0].set(xlabel="petal length in cm", ylabel="petal width in cm")
x.plot(ax=axes[1])
plt.show()

# %%
# It is worth looking at the uncertain flowers: the errors are among them.

wrong = ge.match(iris.target, r.labels).relabel(r.labels) != iris.target
among = wrong[np.argsort(r.confidence)[: len(wrong) // 5]].mean()
print(f"misplaced: {wrong.mean():.0%} of all flowers, {among:.0%} of the least certain fifth")

# %%
# What to try next
# ----------------
#
# - ``r.plot("confidence")`` draws the confidence of all clusters.
# - ``r.assign(rows)`` assigns new objects by their labels.
# - On the command line, use ``graphens explain labels.csv 77``.
#
# **Paper.** A. L. N. Fred and A. K. Jain, *Combining multiple clusterings using evidence accumulation*, IEEE
# Transactions on Pattern Analysis and Machine Intelligence 27, 2005. https://doi.org/10.1109/TPAMI.2005.113
