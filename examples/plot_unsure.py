"""
Which objects are uncertain, and why?
=====================================

A consensus has a confidence for every object, and can explain why an object is in its cluster. Two species of iris
overlap, and the clusterings disagree on the flowers between them.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

import graphens as ge

iris = load_iris()
e = ge.generate(iris.data, 30, k=(3, 8), sampling="bootstrap", assign=True, seed=0)
r = ge.consensus(e, 3, seed=0)
print(r)

# %%
# The least certain flowers
# -------------------------

flowers = r.to_frame().assign(species=iris.target_names[iris.target])
unsure = r.uncertain(5)
print(unsure.join(flowers["species"]))

# %%
# Why is it in this cluster?
# --------------------------
# Every clustering votes: it votes for the consensus cluster that has most of the objects in the flower's base cluster.

x = r.explain(unsure.index[0])
print(x)

# %%
# The first picture shows all flowers, with a ring around the one that is explained; the second shows the votes on it.

axes = [plt.subplots(figsize=(5, 4.4), layout="constrained")[1] for _ in range(2)]
petals = iris.data[:, 2:]
r.plot("scatter", X=petals, ax=axes[0])
ring = petals[flowers.index.get_loc(x.name)]
axes[0].plot(*ring, "o", markersize=14, markerfacecolor="none", markeredgecolor="#333333")
axes[0].set(xlabel="petal length in cm", ylabel="petal width in cm")
x.plot(ax=axes[1])
plt.show()

# %%
# It is worth looking at the uncertain flowers: the errors are among them.

flowers["wrong"] = ge.match(iris.target, r.labels).relabel(r.labels) != iris.target
among = flowers["wrong"][r.uncertain(len(flowers) // 5).index].mean()
print(
    f"misplaced: {flowers['wrong'].mean():.0%} of all flowers, {among:.0%} of the least certain fifth"
)

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
