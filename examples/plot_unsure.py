"""
Which objects are unsure, and why is this one here?
===================================================

A consensus says for every object how sure it is, and can be asked for reasons. Two species of iris overlap: the
flowers between them are the ones on which the clusterings disagree.
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
# The least sure
# --------------

unsure = np.argsort(r.confidence, kind="stable")[:5]
for i in unsure:
    print(
        f"flower {i}: cluster {r.labels[i]}, confidence {r.confidence[i]:.2f}, {iris.target_names[iris.target[i]]}"
    )

# %%
# Why is it here
# --------------
# Every partition votes: the companions of the flower in its base cluster are, or are not, in its own cluster now.

x = r.explain(int(unsure[0]))
print(x)

# %%
# On the left all flowers, fainter where less sure, with a ring around the one that was asked about; on the right the
# votes on it.

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
petals = iris.data[:, 2:]
r.plot("scatter", X=petals, ax=left)
left.plot(*petals[unsure[0]], "o", markersize=14, markerfacecolor="none", markeredgecolor="#333333")
left.set(xlabel="petal length in cm", ylabel="petal width in cm")
x.plot(ax=right)
plt.show()

# %%
# The unsure flowers are worth the attention: the errors are among them.

wrong = ge.match(iris.target, r.labels).relabel(r.labels) != iris.target
among = wrong[np.argsort(r.confidence)[: len(wrong) // 5]].mean()
print(f"misplaced: {wrong.mean():.0%} of all flowers, {among:.0%} of the least sure fifth")

# %%
# What to try next
# ----------------
# ``r.plot("confidence")`` draws the confidence of all clusters; ``r.assign(rows)`` places new objects by their labels;
# ``graphens explain labels.csv 77`` asks on the command line.
#
# A. L. N. Fred and A. K. Jain, *Combining multiple clusterings using evidence accumulation*, IEEE Transactions on
# Pattern Analysis and Machine Intelligence 27, 2005. https://doi.org/10.1109/TPAMI.2005.113
