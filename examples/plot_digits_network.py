"""
Does a network of neighbors find the digits?
============================================

If every object is joined to the most similar ones, data become a network. Communities of this network can have any
shape, and their number need not be known. Here, each handwritten digit is joined to its ten nearest neighbors.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.neighbors import kneighbors_graph

import graphens as ge

images, digit = load_digits(return_X_y=True)
images, digit = images[:900], digit[:900]

# %%
# The network and its communities
# -------------------------------

near = kneighbors_graph(images, 10)
network = ge.Graph(near.maximum(near.T))
r = ge.communities(network, 20, seed=0)
print(r)

# %%
# k-means gets the number of digits, ten; the network gets no such information.

means = KMeans(10, n_init=5, random_state=0).fit_predict(images)
score = {
    "communities": ge.measures.ari(digit, r.labels),
    "k-means, k = 10": ge.measures.ari(digit, means),
}
for name, value in score.items():
    print(f"{name}: ARI {value:.2f}")

# %%
# Every column is a community: the mean of its images, its four most certain and its four least certain members. Some
# digits are written in two ways, and have two communities.

figure, axes = plt.subplots(9, r.k, figsize=(0.62 * r.k, 6.2), layout="constrained")
for c, column in enumerate(axes.T):
    members = np.flatnonzero(r.labels == c)
    order = members[np.argsort(-r.confidence[members], kind="stable")]
    for ax, image in zip(
        column,
        [images[members].mean(axis=0), *images[order[:4]], *images[order[-4:]]],
        strict=True,
    ):
        ax.imshow(image.reshape(8, 8), cmap="Greys")
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
for row, name in {0: "mean", 1: "surest", 5: "least sure"}.items():
    axes[row, 0].set_ylabel(name, rotation=0, ha="right", va="center")
figure.suptitle(f"{len(images)} digits in {r.k} communities")
plt.show()

# %%
# What to try next
# ----------------
#
# - Try fewer or more neighbors, ``resolution=`` for more or fewer communities
#   (:ref:`sphx_glr_gallery_plot_resolutions.py`), or ``base=["leiden", "infomap"]`` for runs that differ more.
#
# **Paper.** V. A. Traag, L. Waltman and N. J. van Eck, *From Louvain to Leiden: guaranteeing well-connected
# communities*, Scientific Reports 9, 2019. https://doi.org/10.1038/s41598-019-41695-z
