"""
How do clusters come apart as their number grows?
=================================================

A tree of clusters shows what happens as the number of clusters grows from two to eight: which clusters split, which
stay the same, and which are made from pieces of others. The last is a sign of more clusters than the data support.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

import graphens as ge

images, digit = load_digits(n_class=6, return_X_y=True)
e = ge.generate(images, 40, k=(8, 25), seed=0)

# %%
# One consensus for every k
# -------------------------
# All of them use the same ensemble and the same method.

results = {f"k = {k}": ge.lwgp(e, k, seed=0).labels for k in range(2, 9)}
layers = ge.Ensemble.from_partitions(results)

# %%
# The tree
# --------
# ``ge.clustree`` returns a graph. Clusters are vertices, and edges lead from one layer to the next.

tree = ge.clustree(layers)
print(tree)
for name, labels in results.items():
    print(f"{name}: ARI with the digits {ge.measures.ari(digit, labels):.2f}")

# %%
# Almost every layer splits one cluster of the layer before. The exception is k = 6: the new cluster takes pieces of two
# others, and the next layer splits it again. So 6 is not a good choice. The strip below shows the same for each object;
# a cluster keeps its color as long as it stays the same.

figure, (above, below) = plt.subplots(
    2, 1, figsize=(8, 7.4), layout="constrained", height_ratios=[2.2, 1]
)
tree.plot(above)
ge.plot.TrackingDisplay.from_labelings(results).plot(below)
plt.show()

# %%
# What to try next
# ----------------
#
# - Use ``ge.clustree`` on any clusterings you have, such as Leiden at several resolutions in columns of a frame
#   (:ref:`sphx_glr_gallery_plot_resolutions.py`).
# - Write the tree with ``tree.write("tree.gexf")``.
# - For choosing k, see :ref:`sphx_glr_gallery_plot_how_many.py`.
#
# **Paper.** L. Zappia and A. Oshlack, *Clustering trees: a visualization for evaluating clusterings at multiple
# resolutions*, GigaScience 7, 2018. https://doi.org/10.1093/gigascience/giy083
