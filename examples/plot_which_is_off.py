"""
Which of my clusterings disagrees with the others?
==================================================

Seven colleagues cluster the same wines. One forgot to scale the measurements, and one sorted the table by ash and
returned the labels in the wrong order. Can the clusterings alone, without the truth, tell us which ones to check?
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import AgglomerativeClustering, KMeans, SpectralClustering
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import graphens as ge

X, cultivar = load_wine(return_X_y=True)
Z = StandardScaler().fit_transform(X)
by_ash = Z[np.argsort(Z[:, 2], kind="stable")]

e = ge.Ensemble.from_partitions(
    {
        "k-means": KMeans(3, n_init=10, random_state=0).fit_predict(Z),
        "k-means, 4": KMeans(4, n_init=10, random_state=0).fit_predict(Z),
        "Ward": AgglomerativeClustering(3).fit_predict(Z),
        "mixture": GaussianMixture(
            3, covariance_type="diag", n_init=3, random_state=0
        ).fit_predict(Z),
        "spectral": SpectralClustering(3, gamma=0.05, random_state=0).fit_predict(Z),
        "not scaled": KMeans(3, n_init=10, random_state=0).fit_predict(X),
        "sorted": KMeans(3, n_init=10, random_state=0).fit_predict(by_ash),
    }
)

# %%
# Agreement and influence
# -----------------------
# ``members`` returns a row for each clustering: how well it agrees with the others, and how much the consensus changes
# without it.

table = ge.members(e, 3, seed=0)
print(table.sort_values("agreement").round(2).to_string(index=False))

# %%
# In the picture, similar clusterings are next to each other. The sorted table agrees with none of the others. The
# clustering without scaling agrees a little: it is dominated by proline, whose values are in the hundreds.

shown = e.plot()
plt.show()

# %%
# The consensus is robust against both, and even better with weights by agreement.

ways = {"all alike": e, "weighted": e.reweight(table["weight"].to_numpy())}
errors = {
    name: ge.measures.error_rate(cultivar, ge.consensus(way, 3, seed=0).labels)
    for name, way in ways.items()
}
for name, error in errors.items():
    print(f"{name}: {error:.1%} of the wines misplaced")

# %%
# What to try next
# ----------------
#
# - ``ge.select(e, 5)`` keeps a good and diverse subset.
# - ``ge.modes(e)`` shows whether the clusterings fall into groups (:ref:`sphx_glr_gallery_plot_camps.py`).
# - On the command line, use ``graphens members labels.csv``.
#
# **Paper.** X. Z. Fern and W. Lin, *Cluster ensemble selection*, Statistical Analysis and Data Mining 1, 2008.
# https://doi.org/10.1002/sam.10008
