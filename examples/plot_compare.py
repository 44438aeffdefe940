"""
Which method should I use?
==========================

Run several and compare their scores: on a small ensemble this takes a second. The scores do not need the truth. Here
the truth is known, so we can see how reliable the scores are.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

import graphens as ge

X, cultivar = load_wine(return_X_y=True)
e = ge.generate(StandardScaler().fit_transform(X), 30, seed=0)

# %%
# Side by side
# ------------
# ``score`` is the mean agreement with the clusterings, ``silhouette`` shows how clearly objects belong to their own
# cluster, and ``agreement`` is the agreement with the other methods. If a method warns or fails, the reason is in
# ``note``.

names = [
    "cspa",
    "hgpa",
    "mcla",
    "hbgf",
    "lwgp",
    "lwea",
    "eac",
    "dspa",
    "vote",
    "cumulative",
    "mixture",
    "qmi",
]
table = ge.compare(e, 3, methods=names, truth=cultivar, seed=0)
print(
    table[["method", "k", "score", "silhouette", "agreement", "ari"]]
    .round(2)
    .to_string(index=False)
)

# %%
# The scores, which need no truth, separate the method that fails, single linkage, from those that work. Among the good
# methods they say little, so do not read too much into the second decimal.

figure, ax = plt.subplots(figsize=(7, 4.4), layout="constrained")
table = table.sort_values("silhouette", ignore_index=True)
ax.hlines(table.index, table["ari"], table["silhouette"], color="#dddddd", zorder=0)
ax.plot(
    table["silhouette"],
    table.index,
    "s",
    color=ge.plot.color(1),
    label="reliable silhouette (needs no truth)",
)
ax.plot(table["ari"], table.index, "o", color=ge.plot.color(0), label="ARI with the cultivars")
ax.set_yticks(table.index, table["method"])
ax.set_xlim(0, 1)
ax.set_title(
    f"{len(table)} methods on the same 30 clusterings of wines", loc="left", fontsize=11
)
ax.legend(frameon=False, loc="upper left")
ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# What to try next
# ----------------
#
# - Without a list of methods, ``compare`` runs all that need only labels.
# - ``ge.consensus(e, 3)`` runs three methods and keeps the best result.
# - ``ge.methods()`` and ``graphens methods`` list them with their papers.
#
# **Paper.** S. Vega-Pons and J. Ruiz-Shulcloper, *A survey of clustering ensemble algorithms*, International Journal
# of Pattern Recognition and Artificial Intelligence 25, 2011. https://doi.org/10.1142/S0218001411008683
