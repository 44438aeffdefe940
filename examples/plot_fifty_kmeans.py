"""
What do fifty runs of k-means agree on?
=======================================

k-means gives a different result for every start and every number of clusters. Here it runs fifty times on 178 Italian
wines with 13 measurements, each time with another start and another number of clusters, always more than three. The
wines come from three cultivars, but this information is not used.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

import graphens as ge

X, cultivar = load_wine(return_X_y=True)
X = StandardScaler().fit_transform(X)

# %%
# Many clusterings
# ----------------
# ``generate`` returns an :class:`~graphens.Ensemble`: 178 objects, fifty partitions of 6 to 20 clusters.

e = ge.generate(X, 50, seed=0)
print(e)

# %%
# One result
# ----------
# ``consensus`` chooses the number of clusters and the method, and says why.

r = ge.consensus(e, seed=0)
print(r)
print(r.why)

# %%
# The cultivars have not been used so far. Without this information, the consensus finds them at least as well as single
# runs that get the right number of clusters.


def mean_ari(runs: ge.Ensemble) -> float:
    return float(np.mean([ge.measures.ari(cultivar, run) for run in runs.labels.T]))


told = ge.generate(X, 50, k=3, seed=0)
print(f"consensus                 ARI {ge.measures.ari(cultivar, r.labels):.2f}")
print(f"single runs, k = 3 given  ARI {mean_ari(told):.2f} on average")
print(f"single runs as they are   ARI {mean_ari(e):.2f} on average")

# %%
# What they agree on
# ------------------
# Every cell shows how often two wines share a cluster. Dark squares mean agreement; the strips beside them show the
# cultivar, the confidence of each wine and its membership in each cluster.

shown = r.plot("heatmap", classes=cultivar)
plt.show()

# %%
# What to try next
# ----------------
#
# - Use ``sampling="projection"`` or ``base="gmm"`` for other kinds of diversity, ``r.plot("map")`` for a map,
#   and ``r.report("wine.html")`` for a report.
# - For uncertain objects, see :ref:`sphx_glr_gallery_plot_unsure.py`.
#
# **Paper.** A. Strehl and J. Ghosh, *Cluster ensembles: a knowledge reuse framework for combining multiple
# partitions*, Journal of Machine Learning Research 3, 2002. https://doi.org/10.1162/153244303321897735
