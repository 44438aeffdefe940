"""
Can I add a consensus function of my own?
=========================================

A consensus function takes an ensemble and a number of clusters and returns labels. Registered under a name it gets
everything the others have: confidence, score, comparison, report, and a battery of checks.
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
# Every object is a row of zeros and ones, one number for each cluster of each partition. Squared distances of such rows
# count the partitions that separate two objects.


def incidence_ward(ensemble: ge.Ensemble, k: int) -> np.ndarray:
    rows = ge.hypergraph(ensemble).incidence.toarray()
    return fcluster(ward(rows), k, "maxclust")


ge.register_method("incidence-ward", incidence_ward, family="evidence accumulation", reference="Ward 1963")

# %%
# By name, everywhere
# -------------------

X, cultivar = load_wine(return_X_y=True)
e = ge.generate(StandardScaler().fit_transform(X), 30, seed=0)
r = ge.consensus(e, 3, method="incidence-ward", seed=0)
print(r)

# %%

table = ge.compare(e, 3, methods=["incidence-ward", "lwgp", "mcla", "vote"], truth=cultivar, seed=0)
print(table[["method", "score", "silhouette", "ari"]].round(2).to_string(index=False))

# %%
# The same pictures, too.

shown = r.plot("heatmap", classes=cultivar)
plt.show()

# %%
# What to try next
# ----------------
# ``ge.testing.check_method(incidence_ward)`` tries odd ensembles, with missing labels, weights and few objects; a
# package offers its method through the entry-point group ``graphens.methods``; a partitioner of your own:
# :ref:`sphx_glr_gallery_plot_own_partitioner.py`.
#
# J. H. Ward, *Hierarchical grouping to optimize an objective function*, Journal of the American Statistical
# Association 58, 1963. https://doi.org/10.1080/01621459.1963.10500845
