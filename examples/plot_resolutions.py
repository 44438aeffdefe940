"""
Which resolution has the communities I can trust?
=================================================

Communities can be nested. A larger resolution gives more and smaller communities, and an algorithm has a result for
every resolution. Communities that stay the same over a range of resolutions are the most trustworthy.
"""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

import graphens as ge

# %%
# A network with nested communities
# ---------------------------------
# The network has nine groups of twelve vertices, and the groups form three supergroups. The probability of an edge is
# .9 within a group, .2 within a supergroup, and .01 elsewhere.

group = np.repeat(np.arange(9), 12)
threes = group // 3
chance = np.where(group[:, None] == group, 0.9, np.where(threes[:, None] == threes, 0.2, 0.01))
upper = np.triu(np.random.default_rng(0).random(chance.shape) < chance, 1)
G = nx.from_numpy_array(upper | upper.T)

# %%
# The landscape
# -------------
# At each of nine resolutions, Leiden runs ten times, and the runs are combined; plateaus are ranges with the same
# communities.

found = ge.landscape(G, np.geomspace(0.25, 4, 9), n_partitions=10, seed=0)
print(found)

# %%
# The plateaus are the three and the nine groups of the model. The tree shows how the nine split from the three.

axes = [plt.subplots(figsize=(5, 4.2), layout="constrained")[1] for _ in range(3)]
fine = found.consensus[-1]
ge.Graph.of(G).plot(axes[0], labels=fine.labels, seed=0)
axes[0].set_title(f"A network and its {fine.k} smallest communities", loc="left", fontsize=11)
shown = ge.plot.LandscapeDisplay.from_landscape(found)
shown.tree.plot(axes[1])
shown.plot(axes[2])
plt.show()

# %%
# What to try next
# ----------------
#
# - ``ge.communities(G, resolution=(0.5, 2.0))`` lets every run draw its own resolution.
# - ``ge.clustree(e)`` makes such a tree for any ensemble (:ref:`sphx_glr_gallery_plot_cluster_tree.py`).
#
# **Paper.** L. Zappia and A. Oshlack, *Clustering trees: a visualization for evaluating clusterings at multiple
# resolutions*, GigaScience 7, 2018. https://doi.org/10.1093/gigascience/giy083
