"""
How do clusters come apart as their number grows?
=================================================

From two clusters to ten is not one step. A tree of clusters shows which of them split, which stay, and which are put
together anew from pieces of others: a sign that the data do not ask for so many.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

import graphens as ge

images, digit = load_digits(n_class=6, return_X_y=True)
e = ge.generate(images, 40, k=(8, 25), seed=0)

# %%
# One consensus for every k
# -------------------------
# All of the same ensemble, by the same method.

answers = {f"k = {k}": ge.lwgp(e, k, seed=0).labels for k in range(2, 9)}
layers = ge.Ensemble.from_partitions(answers)

# %%
# The tree
# --------
# ``clustree`` is an ordinary graph: clusters are vertices, and edges lead from one layer to the next.

tree = ge.clustree(layers)
print(tree)
for name, labels in answers.items():
    print(f"{name}: ARI with the digits {ge.measures.ari(digit, labels):.2f}")

# %%
# Nearly every layer cuts one cluster of the layer before. The exception is at k = 6: the new cluster takes a piece of
# two others, and the next layer cuts that piece off again, so that 6 is no good place to stop. The strip below shows
# the same by object; a cluster keeps its color as long as it is the same cluster.

figure, (above, below) = plt.subplots(2, 1, figsize=(8, 7.4), layout="constrained", height_ratios=[2.2, 1])
tree.plot(above)
ge.plot.TrackingDisplay.from_labelings(answers).plot(below)
plt.show()

# %%
# What to try next
# ----------------
# ``ge.clustree`` of any clusterings you have, such as Leiden's at several resolutions in columns of a frame
# (:ref:`sphx_glr_gallery_plot_resolutions.py`); ``tree.write("tree.gexf")``; which k to take:
# :ref:`sphx_glr_gallery_plot_how_many.py`.
#
# L. Zappia and A. Oshlack, *Clustering trees: a visualization for evaluating clusterings at multiple resolutions*,
# GigaScience 7, 2018. https://doi.org/10.1093/gigascience/giy083
