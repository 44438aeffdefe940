"""
Which resolution has the communities I can trust?
=================================================

Communities may have communities inside. The larger the resolution, the more and the smaller they are, and an
algorithm has an answer for each. What deserves trust is what stays the same over a stretch of resolutions.
"""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

import graphens as ge

# %%
# A network with communities inside communities
# ---------------------------------------------
# Nine groups of twelve, three by three closer to each other: edges with a chance of .9 inside a group, .2 inside three
# groups, .01 elsewhere.

group = np.repeat(np.arange(9), 12)
threes = group // 3
chance = np.where(group[:, None] == group, 0.9, np.where(threes[:, None] == threes, 0.2, 0.01))
upper = np.triu(np.random.default_rng(0).random(chance.shape) < chance, 1)
G = nx.from_numpy_array(upper | upper.T)

# %%
# The landscape
# -------------
# At each of nine resolutions, ten runs of Leiden and their consensus; plateaus are stretches of the same communities.

found = ge.landscape(G, np.geomspace(0.25, 4, 9), n_partitions=10, seed=0)
print(found)

# %%
# The plateaus are the three and the nine that were put in. The tree shows how one comes out of the other.

figure, (left, middle, right) = plt.subplots(
    1, 3, figsize=(15, 4.6), layout="constrained", width_ratios=[1, 1.1, 1.1]
)
fine = found.consensus[-1]
ge.Graph.of(G).plot(left, labels=fine.labels, seed=0)
left.set_title(f"A network and its {fine.k} smallest communities", loc="left", fontsize=11)
shown = ge.plot.LandscapeDisplay.from_landscape(found)
shown.tree.plot(middle)
shown.plot(right)
plt.show()

# %%
# What to try next
# ----------------
# ``ge.communities(G, resolution=(0.5, 2.0))`` lets every run draw its own resolution; ``ge.clustree(e)`` makes
# such a tree of any ensemble (:ref:`sphx_glr_gallery_plot_cluster_tree.py`).
#
# L. Zappia and A. Oshlack, *Clustering trees: a visualization for evaluating clusterings at multiple resolutions*,
# GigaScience 7, 2018. https://doi.org/10.1093/gigascience/giy083
