"""
Does a random-projection ensemble beat PCA and k-means?
=======================================================

Handwritten digits have 64 pixels. You can keep the ten best directions and cluster once, or use random directions many
times, each giving a worse clustering, and combine the clusterings.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

import graphens as ge

images, digit = load_digits(return_X_y=True)

# %%
# One careful clustering
# ----------------------
# The ten leading principal components, and the best of ten runs of k-means.

scores = PCA(10, random_state=0).fit_transform(images)
careful = ge.measures.ari(digit, KMeans(10, n_init=10, random_state=0).fit_predict(scores))
print(f"PCA and k-means: ARI {careful:.2f}")

# %%
# Many rough clusterings
# ----------------------
# Each partition uses 32 random directions of the images and one run of k-means, with 10 to 25 clusters.

e = ge.generate(images, 40, k=(10, 25), sampling="projection", seed=0)
single = [ge.measures.ari(digit, run) for run in e.labels.T]
print(
    f"one random projection: ARI {np.mean(single):.2f} on average, {max(single):.2f} at best"
)

# %%
# Now we combine more and more of them. Three are as good as PCA; six or more are better than PCA and than the best
# single projection.

sizes = [3, 6, 12, 20, 30, 40]
combined = [
    ge.measures.ari(digit, ge.mcla(e.take(partitions=range(size)), 10, seed=0).labels)
    for size in sizes
]
print(f"all 40 together: ARI {combined[-1]:.2f}")

# %%

figure, ax = plt.subplots(figsize=(6.6, 4.2), layout="constrained")
ax.plot(
    range(1, 41), single, "o", color="#b8b8b8", markersize=3.5, label="one random projection"
)
ax.plot(sizes, combined, "s-", color=ge.plot.color(0), label="consensus of the first so many")
ax.axhline(careful, color=ge.plot.color(1), label="PCA, then the best of ten k-means")
ax.set(
    xlabel="number of the projection, and of projections together",
    ylabel="ARI with the digits",
)
ax.set_title("Random projections of 1,797 digits", loc="left", fontsize=11)
ax.set_ylim(0.15)
ax.legend(frameon=False, loc="lower left")
ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# What to try next
# ----------------
#
# - Try ``share=0.2`` for fewer directions, ``sampling="features"`` for random pixels, or ``sampling="cuts"`` for a
#   single direction, which gives the weakest clusterings.
#
# **Paper.** A. Topchy, A. K. Jain and W. Punch, *Clustering ensembles: models of consensus and weak partitions*, IEEE
# Transactions on Pattern Analysis and Machine Intelligence 27, 2005. https://doi.org/10.1109/TPAMI.2005.237
