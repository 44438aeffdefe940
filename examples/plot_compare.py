"""
Which method should I use?
==========================

Run them all: on a small ensemble that takes a second. The scores need no truth; here the truth is known, so that one
can see how far scores are to be believed.
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
# ``score`` is the mutual information with the clusterings, ``silhouette`` how clearly objects are together with their
# own cluster, ``agreement`` with the other methods. A method that warns or refuses has its reason in ``note``.

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
print(table[["method", "k", "score", "silhouette", "agreement", "ari"]].round(2).to_string(index=False))

# %%
# The scores that everybody can compute tell the method that does not fit, single link, from those that do. Among the
# good ones they say little: do not read the second decimal.

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
ax.set_title(f"{len(table)} methods on the same 30 clusterings of wines", loc="left", fontsize=11)
ax.legend(frameon=False, loc="upper left")
ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# What to try next
# ----------------
# Without a list of methods ``compare`` runs all that need nothing but labels; ``ge.consensus(e, 3)`` takes the best of
# a small panel for you; ``ge.methods()`` and ``graphens methods`` describe each with its paper.
#
# S. Vega-Pons and J. Ruiz-Shulcloper, *A survey of clustering ensemble algorithms*, International Journal of Pattern
# Recognition and Artificial Intelligence 25, 2011. https://doi.org/10.1142/S0218001411008683
