"""
What if my clusterings are columns of a frame?
==============================================

Rows have names, columns have names, labels are words, and some are missing. The result keeps the names.
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
# In and out
# ----------

e = ge.Ensemble(frame)
print(e)
r = ge.consensus(e, 3, seed=0)
answer = r.to_frame()
print(answer.head(3))
print(answer.groupby("cluster")["confidence"].agg(["size", "mean"]).round(2))

# %%
# Objects are identified by their names.

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
# ``ge.Ensemble`` takes polars frames as well; ``answer.to_csv("clusters.csv")`` writes the table; without any Python:
# ``graphens consensus labels.csv --id flower -k 3 -o clusters.csv``; for cells in AnnData see ``ge.sc.consensus``.
#
# S. Dudoit and J. Fridlyand, *Bagging to improve the accuracy of a clustering procedure*, Bioinformatics 19, 2003.
# https://doi.org/10.1093/bioinformatics/btg038
