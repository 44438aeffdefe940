"""
How many labels may be missing?
===============================

Often, a clustering does not have all objects: samples leave some out, density-based methods label some as noise, and
studies overlap only in part. Such labels are missing. They do not form a cluster, and do not have to be imputed.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

import graphens as ge

X, cultivar = load_wine(return_X_y=True)
full = ge.generate(StandardScaler().fit_transform(X), 40, seed=0)

# %%
# Removing labels
# ---------------
# −1, None and NaN mean missing. Each wine has 40 labels, of which more and more are removed at random.

METHODS = ("lwgp", "mcla", "cumulative", "mixture")
shares = [0, 0.2, 0.4, 0.6, 0.8, 0.9]
chance = np.random.default_rng(0).random(full.labels.shape)
errors: dict[str, list[float]] = {name: [] for name in METHODS}
for share in shares:
    e = ge.Ensemble(np.where(chance < share, -1, full.labels))
    for name in METHODS:
        r = ge.consensus(e, 3, method=name, seed=0)
        errors[name].append(ge.measures.error_rate(cultivar, r.labels))
print(e)

# %%
# With eight of forty labels left, the consensus is hardly worse than with all. With four left, pairs of wines rarely
# have labels in the same clustering: the bipartite graph (``lwgp``) fails, while the meta-graph of clusters (``mcla``)
# still works.

for name, found in errors.items():
    print(f"{name:10}", " ".join(f"{error:6.1%}" for error in found))

# %%

figure, ax = plt.subplots(figsize=(6.6, 4.2), layout="constrained")
for number, (name, marker) in enumerate(zip(METHODS, "os^D", strict=True)):
    ax.plot(shares, errors[name], marker=marker, color=ge.plot.color(number), label=name)
ax.axhline(1 - 71 / 178, color="#888888", linestyle="--", linewidth=1)
ax.annotate(
    "all in one cluster",
    (0, 1 - 71 / 178),
    xytext=(0, 3),
    textcoords="offset points",
    color="#666666",
)
ax.set(xlabel="share of labels missing", ylabel="share of wines misplaced", ylim=(0, 0.7))
ax.set_title("Consensus of 40 clusterings with labels missing", loc="left", fontsize=11)
ax.legend(frameon=False, loc="center left")
ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# What to try next
# ----------------
#
# - ``sampling="subsample"`` and ``base="dbscan"`` make such ensembles.
# - ``graphens methods mcla`` describes how a method treats missing labels.
# - ``assign=True`` in ``generate`` labels the objects that a sample left out.
#
# **Paper.** A. Strehl and J. Ghosh, *Cluster ensembles: a knowledge reuse framework for combining multiple
# partitions*, Journal of Machine Learning Research 3, 2002. https://doi.org/10.1162/153244303321897735
