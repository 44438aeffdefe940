"""
What if my clusterings are columns of a frame?
==============================================

The rows and columns of a data frame have names, labels may be words, and some may be missing. The result has the same
names.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture

import graphens as ge

# %%
# A frame of labels
# -----------------
# These are three clusterings of irises in typical forms: numbers, words, and a column with noise that is in no cluster.

iris = load_iris()
flowers = pd.Index([f"iris-{i:03}" for i in range(150)], name="flower")
means = KMeans(3, n_init=10, random_state=0).fit_predict(iris.data)
mixture = GaussianMixture(3, n_init=3, random_state=0).fit_predict(iris.data)
dense = DBSCAN(0.5).fit_predict(iris.data)
frame = pd.DataFrame(
    {
        "anna": means,
        "ben": np.array(["low", "wide", "tall"])[mixture],
        "cleo": pd.Series(dense).map({0: "small", 1: "large"}).to_numpy(),
    },
    index=flowers,
)
print(frame.iloc[[0, 41, 60, 120]])

# %%
# From the frame to the result
# ----------------------------
# The result is a frame with the same index.

e = ge.Ensemble(frame)
print(e)
r = ge.consensus(e, 3, seed=0)
result = r.to_frame()
print(result.head(3))
print(result.groupby("cluster")["confidence"].agg(["size", "mean"]).round(2))

# %%
# You can ask for an object by its name in the index.

print(r.explain("iris-077"))

# %%
# The picture shows the consensus and the clusterings, flower by flower. As far as possible, a color means the same
# flowers in all rows; gray means no label.

rows = {name: e.labels[:, t] for t, name in enumerate(e.partition_names)}
shown = ge.plot.TrackingDisplay.from_labelings({"consensus": r.labels} | rows).plot()
plt.show()

# %%
# What to try next
# ----------------
#
# - ``ge.Ensemble`` also takes polars, PyArrow and other frames.
# - ``result.to_csv("clusters.csv")`` writes the table.
# - On the command line, use ``graphens consensus labels.csv --id flower -k 3 -o clusters.csv``.
# - For cells in AnnData, see ``ge.sc.consensus``.
#
# **Paper.** S. Dudoit and J. Fridlyand, *Bagging to improve the accuracy of a clustering procedure*, Bioinformatics
# 19, 2003. https://doi.org/10.1093/bioinformatics/btg038
