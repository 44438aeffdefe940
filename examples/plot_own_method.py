"""
Can I add my own consensus method?
==================================

A consensus method takes an ensemble and a number of clusters and returns labels. Once it is registered under a name, it
has everything that the built-in methods have: confidence, score, comparison, reports, and a set of checks.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.cluster.hierarchy import fcluster, ward
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

import graphens as ge

# %%
# Ward's method on the incidence
# ------------------------------
# Every object is a row of zeros and ones, with one number for each cluster of each partition. The squared distance of
# two rows counts the partitions that separate the objects.


def incidence_ward(ensemble: ge.Ensemble, k: int) -> np.ndarray:
    rows = ge.hypergraph(ensemble).incidence.toarray()
    return fcluster(ward(rows), k, "maxclust")


ge.register_method(
    "incidence-ward", incidence_ward, family="evidence accumulation", reference="Ward 1963"
)

# %%
# Use it by name
# --------------

X, cultivar = load_wine(return_X_y=True)
e = ge.generate(StandardScaler().fit_transform(X), 30, seed=0)
r = ge.consensus(e, 3, method="incidence-ward", seed=0)
print(r)

# %%

table = ge.compare(
    e, 3, methods=["incidence-ward", "lwgp", "mcla", "vote"], truth=cultivar, seed=0
)
print(table[["method", "score", "silhouette", "ari"]].round(2).to_string(index=False))

# %%
# The same pictures work for it.

shown = r.plot("heatmap", classes=cultivar)
plt.show()

# %%
# What to try next
# ----------------
#
# - ``ge.testing.check_method(incidence_ward)`` tests it on unusual ensembles, with missing labels, weights and few
#   objects.
# - A package can provide methods through the entry-point group ``graphens.methods``.
# - For your own partitioner, see :ref:`sphx_glr_gallery_plot_own_partitioner.py`.
#
# **Paper.** J. H. Ward, *Hierarchical grouping to optimize an objective function*, Journal of the American
# Statistical Association 58, 1963. https://doi.org/10.1080/01621459.1963.10500845
