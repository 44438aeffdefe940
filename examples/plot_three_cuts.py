"""
How do CSPA, HGPA and MCLA differ?
==================================

The three methods of Strehl and Ghosh cut three graphs of the same clusterings: the graph of the objects, the
hypergraph, and the meta-graph of the clusters. All of them prefer parts of equal size. How does this affect the result
if clusters are uneven?
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_blobs

import graphens as ge

METHODS = ("cspa", "hgpa", "mcla", "lwgp")

# %%
# From even to uneven
# -------------------
# There are three clouds with 240 points in total, and the first one gets larger and larger. Each time, thirty k-means
# clusterings are combined by four methods with k = 3: these three, and one that does not balance.


def clustered(large: int) -> tuple:
    small = (240 - large) // 2
    spread = {"centers": [[0, 0], [6, 2], [2, 7]], "cluster_std": [1.2, 0.8, 0.8]}
    X, truth = make_blobs([large, small, small], random_state=0, **spread)
    e = ge.generate(X, 30, k=(3, 8), seed=0)
    return X, truth, {name: getattr(ge, name)(e, 3, seed=0) for name in METHODS}


largest = [80, 100, 120, 140, 160]
errors: dict[str, list[float]] = {name: [] for name in METHODS}
for large in largest:
    X, truth, results = clustered(large)
    for name, r in results.items():
        errors[name].append(ge.measures.error_rate(truth, r.labels))
for name, found in errors.items():
    print(name, " ".join(f"{error:5.1%}" for error in found))

# %%
# The more uneven the clusters, the larger the error of the balanced methods. The second picture shows the result of
# MCLA for the most uneven data: it splits the large cloud in half and puts the two small ones together.

axes = [plt.subplots(figsize=(5, 4), layout="constrained")[1] for _ in range(2)]
for number, (name, marker) in enumerate(zip(METHODS, "os^D", strict=True)):
    axes[0].plot(largest, errors[name], marker=marker, color=ge.plot.color(number), label=name)
axes[0].set(
    xlabel="points of 240 in the largest cloud", ylabel="share misplaced", xticks=largest
)
axes[0].set_title("Error as clusters become uneven", loc="left", fontsize=11)
axes[0].legend(frameon=False)
axes[0].spines[["top", "right"]].set_visible(False)
results["mcla"].plot("scatter", X=X, ax=axes[1])
plt.show()

# %%
# What to try next
# ----------------
#
# - ``partitioner="spectral"`` in any of them cuts without balance.
# - On clusters of equal size, the three are as good as other methods.
# - ``ge.compare(e, 3)`` runs all methods (:ref:`sphx_glr_gallery_plot_compare.py`).
#
# **Paper.** A. Strehl and J. Ghosh, *Cluster ensembles: a knowledge reuse framework for combining multiple
# partitions*, Journal of Machine Learning Research 3, 2002. https://doi.org/10.1162/153244303321897735
