"""
At which threshold do the clusters run together?
================================================

Two objects are tied as often as the clusterings put them together. Ask for strong ties only, and the graph falls into
many components; ask for weak ones too, and the components run together. The page at the end lets you move that
threshold yourself, open clusters, and ask single flowers why they are where they are.
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
# Where the line is level for long, the number of components does not depend on the threshold.

thresholds = np.linspace(0, 0.98, 50)
components = np.array([g.threshold(theta).components().max() + 1 for theta in thresholds])
figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
ax.step(thresholds, components, where="post")
ax.set(title="Components of the co-association graph", xlabel="threshold", ylabel="components", yscale="log")
plt.show()

# %%
# The same, to be moved
# ---------------------
# The disc of a cluster is solid as far as its largest component reaches at the threshold. Click it to open it.

r.explore()

# %%
# What to try next
# ----------------
# ``r.explore("iris.html")`` writes the page to a file that can be mailed; ``X=`` places the flowers by two features;
# ``graphens explore labels.csv -k 3 -o iris.html`` does it on the command line.
#
# A. L. N. Fred and A. K. Jain, *Combining multiple clusterings using evidence accumulation*, IEEE Transactions on
# Pattern Analysis and Machine Intelligence 27, 2005. https://doi.org/10.1109/TPAMI.2005.113
