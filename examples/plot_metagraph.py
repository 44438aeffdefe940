"""
What is a meta-graph of clusters?
=================================

Cluster 2 of one clustering may be cluster 5 of the next. The vertices of the meta-graph are the clusters of all
clusterings, and the weight of an edge is the overlap of two clusters. Clusters with the same meaning are close
together, and a cut of this small graph groups them.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

import graphens as ge

iris = load_iris()
e = ge.generate(iris.data, 12, k=(3, 5), sampling="bootstrap", assign=True, seed=0)

# %%
# The meta-graph
# --------------
# Two clusters of one partition never overlap. The weight of an edge is the Jaccard index of its ends.

g = ge.metagraph(e, similarity="jaccard")
print(g)

# %%
# Meta-clusters and their objects
# -------------------------------
# MCLA cuts the meta-graph into k groups of clusters, and assigns every flower to the group that contains it most often.

r = ge.mcla(e, 3, seed=0)
print(r)
print(f"misplaced: {ge.measures.error_rate(iris.target, r.labels):.0%} of the flowers")

# %%
# The first picture shows the clusters in the color of their meta-cluster, with an area that shows their number of
# objects; the second shows the flowers in the same colors. The blue species is separate in both pictures; between the
# other two there are clusters that belong to both.

axes = [plt.subplots(figsize=(5, 4.2), layout="constrained")[1] for _ in range(2)]
r.plot("graph", ax=axes[0])
r.plot("scatter", X=iris.data[:, 2:], ax=axes[1])
axes[1].set(xlabel="petal length in cm", ylabel="petal width in cm")
plt.show()

# %%
# What to try next
# ----------------
#
# - ``similarity="overlap"`` uses other edge weights.
# - ``ge.mcla(e, 3, partitioner="spectral")`` does not prefer meta-clusters of equal size.
# - ``g.write("clusters.graphml")`` exports the graph for another program.
#
# **Paper.** A. Strehl and J. Ghosh, *Cluster ensembles: a knowledge reuse framework for combining multiple
# partitions*, Journal of Machine Learning Research 3, 2002. https://doi.org/10.1162/153244303321897735
